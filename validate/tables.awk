# SPDX-License-Identifier: GPL-3.0-or-later
# From the tables of papers/frazier1995 to the C arrays of validate/table_sim.h: table-4.1.csv; then
# paper.yaml for its words, and table-N.yaml and table-N.csv of each table that was simulated.
#     awk -f scripts/csv.awk -f validate/tables.awk table-4.1.csv paper.yaml table-4.2.yaml table-4.2.csv ...

function wrong(what) {
    print FILENAME ":" FNR ": " what > "/dev/stderr"
    exit failed = 1
}
function value_of(line) {
    sub(/^ *[a-z0-9_-]+: */, "", line)
    return line ~ /^".*"$/ ? substr(line, 2, length(line) - 2) : line
}
# "  - [a, "b", c]" into item[]; returns their number
function items(line,    n, k) {
    sub(/^ *- \[/, "", line)
    sub(/\] *$/, "", line)
    n = split(line, item, /, */)
    for (k = 1; k <= n; k++)
        gsub(/"/, "", item[k])
    return n
}
function quantity(name) {
    return "SWQ_QUANTITY_" (name == "" ? "NONE" : name == "max" ? "MAXIMUM" : toupper(name))
}
function word(name) {
    if (name !~ /^\$/)
        return name
    if (substr(name, 2) in own)
        return own[substr(name, 2)]
    if (!(substr(name, 2) in paper))
        wrong("there is no word " name)
    return paper[substr(name, 2)]
}
function member(name, is) { return is == "" ? "" : "    ." name " = " is ",\n" }
function said(key) { return set[key] == "" ? "" : quote(word(set[key])) }
# A row of printed cells, from the field `from` on
function cells(from, n,    k, list) {
    for (k = from; k <= n; k++)
        list = list (k > from ? ", " : "") quote(field[k])
    return "{" list "}"
}
function finish(    id, k) {
    if (rows == "")
        return
    id = set["table"]
    gsub(/\./, "_", id)
    known = ""
    for (k = 1; k <= exceptions; k++) {
        if (items(exception[k]) != 7)
            wrong("a known cell is [buffer, slots, quantity, first, last, verdict, $WORD]")
        known = known "    {\"" item[1] "\", " item[2] ", " quantity(item[3]) ", \"" item[4] "\", \"" \
            item[5] "\", SWQ_VERDICT_" toupper(item[6]) ", " quote(word(item[7])) "},\n"
    }
    print "static const swq_paper_column columns_" id "[] = {\n" columns "};\n"
    print "static const swq_paper_row rows_" id "[] = {\n" rows "};\n"
    print "static const swq_paper_exception known_" id "[] = {\n" known "    {.buffer = NULL},\n};\n"
    print "const swq_paper_table swq_table_" id " = {"
    printf "%s", member("name", said("table")) member("title", said("title")) member("model", said("model")) \
        member("flow", "SWQ_" toupper(set["flow"])) member("credit", "SWQ_CREDIT_" toupper(set["credit"])) \
        member("hot_fraction", set["hot"]) member("resent", set["resent"]) \
        member("per_node", set["per-node"]) member("jointly", said("jointly"))
    print "    .column = columns_" id ",\n    .columns = sizeof columns_" id " / sizeof *columns_" id "," \
        "\n    .row = rows_" id ",\n    .rows = sizeof rows_" id " / sizeof *rows_" id "," \
        "\n    .exception = known_" id ",\n};\n"
    list = list "    &swq_table_" id ",\n"
    split("", set)
    split("", own)
    columns = rows = ""
    exceptions = 0
}
BEGIN { print "/* made from papers/frazier1995 by tables.awk */\n#include \"validate/table_sim.h\"\n\n#include <stddef.h>\n" }
FNR == 1 {
    part = ""
    if (FILENAME ~ /table-.*\.yaml$/)
        finish()
}
/^#/ { next }
FILENAME ~ /table-4\.1\.csv$/ {
    n = fields($0)
    if (FNR == 1) {
        if (n != 10)
            wrong("not eight loads")
        print "const double swq_table_4_1_load[SWQ_TABLE_4_1_LOADS] = {"
        for (k = 3; k <= n; k++)
            print "    " field[k] ","
        print "};\n\nconst swq_table_4_1_row swq_table_4_1_print[SWQ_TABLE_4_1_ROWS] = {"
    } else {
        print "    {" quote(field[1]) ", " field[2] ", " cells(3, n) "},"
    }
    next
}
!closed { print "};\n"; closed = 1 }
FILENAME ~ /\.csv$/ {
    if (FNR == 1)
        next
    n = fields($0)
    rows = rows "    {" quote(field[1]) ", " field[2] ", " quantity(field[3]) ", " field[4] ", " \
        cells(5, n) "},\n"
    next
}
/^[a-z]/ { part = substr($0, 1, index($0, ":") - 1) }
FILENAME ~ /paper\.yaml$/ {
    if (part == "words" && /^  /)
        paper[substr($1, 1, length($1) - 1)] = value_of($0)
    next
}
part == "words" && /^  / { own[substr($1, 1, length($1) - 1)] = value_of($0); next }
part == "columns" && /^  / {
    n = items($0)
    columns = columns "    {\"" item[1] "\", SWQ_HELD_" (item[2] == "full" ? "FULL_LOAD" : toupper(item[2])) ", " \
        item[3] ", " quantity(n > 3 ? item[4] : "") "},\n"
    next
}
part == "known" && /^  / { exception[++exceptions] = $0; next }
/^[a-z]/ { set[part] = value_of($0) }
END {
    if (failed)
        exit 1
    finish()
    print "const swq_paper_table *const swq_paper_tables[] = {\n" list "    NULL,\n};"
}
