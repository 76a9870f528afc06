# SPDX-License-Identifier: GPL-3.0-or-later
# From errors.csv to the C array of approx/links/errors.h.

function number(text) { return text == "" ? "NAN" : text }

FNR == 1 {
    if ($0 != "buffer,ports,stages,slots,flow,throughput_least,throughput_most,latency_least,latency_most,discards_least,discards_most,half_width") {
        print FILENAME ": unknown columns: " $0 > "/dev/stderr"
        exit failed = 1
    }
    FS = ","
    print "/* made from errors.csv by errors.awk */"
    print "#include \"approx/links/errors.h\"\n\n#include <math.h>\n"
    print "const links_errors links_measured[] = {"
    next
}
{
    if (NF != 12 || ($5 != "block" && $5 != "discard")) {
        print FILENAME ":" FNR ": not a line of twelve fields, the fifth block or discard" > "/dev/stderr"
        exit failed = 1
    }
    printf "    {\"%s\", %s, %s, %s, %s, {%s, %s}, {%s, %s}, {%s, %s}, %s},\n", $1, $2, $3, $4, \
        $5 == "block" ? "false" : "true", $6, $7, number($8), number($9), number($10), number($11), $12
}
END {
    if (failed) exit 1
    print "};\n\nconst int links_measured_count = (int)(sizeof links_measured / sizeof *links_measured);"
}
