# SPDX-License-Identifier: GPL-3.0-or-later
# From a table in CSV to the rows of a C array, whose members are the columns (-v columns="key,meaning") in their order. An empty
# field is NULL, or what -v empty says. A column NAME:PREFIX has words of an enum: some-word is PREFIX_SOME_WORD. Rows are sorted
# by their first field; rows that have the same are neighbours if -v several=1 allows them.

function wrong(what) {
    print FILENAME ":" FNR ": " what > "/dev/stderr"
    exit failed = 1
}
function member(k,    word) {
    if (!(k in prefix)) return field[k] == "" ? (empty == "" ? "NULL" : empty) : quote(field[k])
    word = toupper(field[k])
    gsub(/-/, "_", word)
    return prefix[k] "_" word
}

BEGIN {
    count = split(columns, column, ",")
    for (k = 1; k <= count; k++) {
        if (split(column[k], part, ":") == 2) prefix[k] = part[2]
        wanted = wanted (k > 1 ? "," : "") part[1]
    }
}
/^#/ { next }
!head {
    head = $0
    if (head != wanted) wrong("the columns are not " wanted)
    next
}
{
    if (fields($0) != count || field[1] == "") wrong("not " count " fields")
    if (field[1] < before || (field[1] == before && !several)) wrong(field[1] " cannot come behind " before)
    before = field[1]
    line = "{"
    for (k = 1; k <= count; k++) line = line (k > 1 ? ", " : "") member(k)
    print line "},"
}
