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
# A row of the list of figures, or of tables
row() { # FILE KEY
    number=$((number + 1))
    text "$1" "figure_$number"
    printed=NULL
    if [ -f "${1%.yaml}.csv" ]; then
        text "${1%.yaml}.csv" "printed_$number"
        printed=printed_$number
    fi
    printf 'static const cli_paper_figure row_%s = {"%s", "%s", figure_%s, %s, paper_%s};\n\n' \
        $number "$(value "$1" "$2")" "$(value "$1" title)" $number $printed $paper
}
number=0 paper=0 rows= tables=
while read -r folder; do
    paper=$((paper + 1))
    text "$folder/paper.yaml" "paper_$paper"
    for file in $(ls "$folder"/figure-*.yaml | sort -V); do
        row "$file" figure
        rows="$rows    &row_$number,
"
    done
    for file in $(grep -l '^cells:' "$folder"/table-*.yaml 2> /dev/null | sort -V); do
        row "$file" table
        tables="$tables    &row_$number,
"
    done
done < order.txt
printf 'const cli_paper_figure *const cli_paper_figures[] = {\n%s    NULL,\n};\n' "$rows"
printf 'const cli_paper_figure *const cli_paper_tables[] = {\n%s    NULL,\n};\n' "$tables"
