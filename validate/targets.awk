# SPDX-License-Identifier: GPL-3.0-or-later
# From targets.csv to the C array of validate/targets.h.

/^#/ { next }
!head {
    head = $0
    if (head != "id,document,section,quantity,configuration,value,unit,exactness,notes") {
        print FILENAME ": unknown columns: " head > "/dev/stderr"
        exit failed = 1
    }
    print "/* made from targets.csv by targets.awk */"
    print "#include \"validate/targets.h\"\n\nconst swq_target swq_targets[] = {"
    next
}
{
    if (fields($0) != 9) {
        print FILENAME ":" FNR ": not nine fields" > "/dev/stderr"
        exit failed = 1
    }
    line = "    {"
    for (k = 1; k <= 9; k++) line = line (k > 1 ? ", " : "") quote(field[k])
    print line "},"
}
END {
    if (failed) exit 1
    print "};\n\nconst int swq_target_count = (int)(sizeof swq_targets / sizeof *swq_targets);"
}
