# SPDX-License-Identifier: GPL-3.0-or-later
# From quantities.csv to the rows of cli_quantity in quantities.c.

function text(value) { return value == "" ? "NULL" : quote(value) }
function wrong(what) {
    print FILENAME ":" FNR ": " what > "/dev/stderr"
    exit failed = 1
}

/^#/ { next }
!head {
    head = $0
    if (head != "key,label,unit,meaning") wrong("unknown columns: " head)
    next
}
{
    if (fields($0) != 4 || field[1] == "" || field[4] == "") wrong("not a key, a label, a unit and a meaning")
    if (field[1] <= before) wrong("keys are not sorted: " field[1] " comes before " before)
    before = field[1]
    print "{" text(field[1]) ", " text(field[2]) ", " text(field[3]) ", " text(field[4]) "},"
}
