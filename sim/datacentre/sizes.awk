# SPDX-License-Identifier: GPL-3.0-or-later
# From sizes/*.txt to the table of sim/datacentre/sizes.h.

function fail(text) {
    print FILENAME ":" FNR ": " text > "/dev/stderr"
    exit failed = 1
}
function finish() {
    if (!file) return
    if (share != 1 || !summary || !source || !mean) fail("not a distribution with its summary, source and mean")
    printf "};\nstatic const swq_flow_size_row row_%d = {\"%s\", \"%s\", \"%s\", %s, %d, point_%d};\n\n", \
        file, name, summary, source, mean, points, file
}
BEGIN {
    print "/* made from sizes/ by sizes.awk */"
    print "#include \"sim/datacentre/sizes.h\"\n"
    print "#include <stddef.h>\n"
}
FNR == 1 {
    finish()
    file++
    name = FILENAME
    sub(/.*\//, "", name)
    sub(/\.txt$/, "", name)
    points = 0
    summary = source = mean = share = ""
    printf "static const swq_flow_size_point point_%d[] = {\n", file
}
/^# [a-z]*: / {
    value = $0
    sub(/^# [a-z]*: /, "", value)
    if ($2 == "summary:") summary = value
    if ($2 == "source:") source = value
    if ($2 == "mean:") mean = value
    next
}
/^#/ { next }
{
    if (NF != 2 || $1 < bytes * (points > 0) || $2 < share || (points == 0 && $2 != 0)) fail("not a point")
    bytes = $1
    share = $2
    points++
    printf "    {%s, %s},\n", $1, $2
}
END {
    if (failed) exit 1
    finish()
    print "const swq_flow_size_row *const swq_flow_size_rows[] = {"
    for (k = 1; k <= file; k++) printf "    &row_%d,\n", k
    print "    NULL,\n};"
}
