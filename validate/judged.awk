# SPDX-License-Identifier: GPL-3.0-or-later
# From judged.csv to the C array printed_rows of validate/checks/printed.h.

function member(name, value) { return value == "" ? "" : ", ." name " = " value }
function text(name, value) { return value == "" ? "" : ", ." name " = " quote(value) }

/^#/ { next }
!head {
    head = $0
    if (head != "id,level,figure,claims,excused,find,weight,rule,reason") {
        print FILENAME ": unknown columns: " head > "/dev/stderr"
        exit failed = 1
    }
    print "/* made from judged.csv by judged.awk */"
    print "#include \"validate/checks/printed_find.h\"\n\nconst printed_row printed_rows[] = {"
    next
}
{
    if (fields($0) != 9) {
        print FILENAME ":" FNR ": not nine fields" > "/dev/stderr"
        exit failed = 1
    }
    level = toupper(field[2])
    gsub(/-/, "_", level)
    function_ = field[6] == "" ? "" : "printed_" field[6]
    print "    {.id = " quote(field[1]) member("level", "SWQ_LEVEL_" level) text("figure", field[3]) \
        text("claims", field[4]) member("excused", field[5]) \
        member(field[3] == "" ? "find" : "read", function_) member("weight", field[7]) \
        text("rule", field[8]) text("reason", field[9]) "},"
}
END {
    if (failed) exit 1
    print "    {.id = 0},\n};"
}
