# SPDX-License-Identifier: GPL-3.0-or-later
# From asked.yaml and judged.csv to the C array printed_rows of validate/checks/printed.h. Of the YAML file, whose
# lists have folded texts, this reads names, "- >-" and indented lines.

function member(name, value) { return value == "" ? "" : ", ." name " = " value }
function text(name, value) { return value == "" ? "" : ", ." name " = " quote(value) }

/^#/ || /^$/ { next }
FILENAME ~ /yaml$/ {
    if (/^[a-z_0-9]+:$/) asked[name = substr($0, 1, length($0) - 1)] = ""
    else if (/^  - >-$/) asked[name] = asked[name] (asked[name] == "" ? "" : "\n")
    else {
        sub(/^ */, asked[name] ~ /(^|\n)$/ ? "" : " ")
        asked[name] = asked[name] $0
    }
    next
}
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
    function_ = field[6] == "" || field[6] in asked ? "" : "printed_" field[6]
    that = field[6] in asked ? asked[field[6]] : ""
    gsub(/\n/, "|", that)
    print "    {.id = " quote(field[1]) member("level", "SWQ_LEVEL_" level) text("figure", field[3]) \
        text("claims", field[4]) member("excused", field[5]) \
        member("find", function_) member("weight", field[7]) \
        text("that", that) text("rule", field[8]) text("reason", field[9]) "},"
}
END {
    if (failed) exit 1
    print "    {.id = 0},\n};"
}
