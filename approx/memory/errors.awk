# SPDX-License-Identifier: GPL-3.0-or-later
# From errors.csv to the C array of approx/memory/errors.h.

FNR == 1 {
    if ($0 != "ports,load,slots,loss,half_width,approximated") {
        print FILENAME ": unknown columns: " $0 > "/dev/stderr"
        exit failed = 1
    }
    FS = ","
    print "/* made from errors.csv by errors.awk */"
    print "#include \"approx/memory/errors.h\"\n"
    print "const memory_error memory_measured[] = {"
    next
}
{
    if (NF != 6) {
        print FILENAME ":" FNR ": not a line of six fields" > "/dev/stderr"
        exit failed = 1
    }
    printf "    {%s, %s, %s, %s, %s, %s},\n", $1, $2, $3, $4, $5, $6
}
END {
    if (failed) exit 1
    print "};\n\nconst int memory_measured_count = (int)(sizeof memory_measured / sizeof *memory_measured);"
}
