#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The figures of papers/ as C: their files as strings, and a row for each (cli/figures/paper.h). The
# folders come in the order of papers/order.txt.
#     embed-papers.sh > OUTPUT
set -eu
cd "$(dirname "$0")/../papers"

text() { # FILE NAME
    printf 'static const char %s[] =\n' "$2"
    sed 's/\\/\\\\/g; s/"/\\"/g; s/^/    "/; s/$/\\n"/' "$1"
    printf '    ;\n\n'
}
# a key of a YAML file, without quotes around its value
value() { # FILE KEY
    sed -n "s/^$2: *//p" "$1" | head -n 1 | sed 's/^"\(.*\)"$/\1/; s/\\/\\\\/g; s/"/\\"/g'
}
number=0 paper=0 rows=
while read -r folder; do
    paper=$((paper + 1))
    text "$folder/paper.yaml" "paper_$paper"
    for file in $(ls "$folder"/figure-*.yaml | sort -V); do
        number=$((number + 1))
        text "$file" "figure_$number"
        printed=NULL
        if [ -f "${file%.yaml}.csv" ]; then
            text "${file%.yaml}.csv" "printed_$number"
            printed=printed_$number
        fi
        printf 'static const cli_paper_figure row_%s = {"%s", "%s", figure_%s, %s, paper_%s};\n\n' \
            $number "$(value "$file" figure)" "$(value "$file" title)" $number $printed $paper
        rows="$rows    &row_$number,
"
    done
done < order.txt
printf 'const cli_paper_figure *const cli_paper_figures[] = {\n%s    NULL,\n};\n' "$rows"
