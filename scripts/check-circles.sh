#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Do the files of a folder call each other in a circle? Object files tell: a file that calls a function
# of another one depends on it. Tables of rows are data, not calls. Exit 1 on a circle.
# Usage: check-circles.sh BUILD FOLDER...
set -eu
cd "$(dirname "$0")/.."
build=$1
shift

# lines "FILE FILE": the first calls the second
calls() {
    find "$1" -name '*.c' | sed "s|\(.*\)\.c$|$build/\1.o|" | xargs nm -A | awk -v build="$build/" '
        {
            file = $1
            sub(/:.*/, "", file)
            file = substr(file, length(build) + 1)
            if ($(NF - 1) == "T")
                home[$NF] = file
            else if ($(NF - 1) == "U")
                wanted[file " " $NF]
        }
        END {
            for (pair in wanted) {
                split(pair, part, " ")
                if (part[2] in home && home[part[2]] != part[1])
                    print part[1], home[part[2]]
            }
        }'
}

bad=0
for folder; do
    if ! circles=$(calls "$folder" | sort -u | tsort 2>&1 >/dev/null); then
        echo "$folder: files that call each other in a circle:" >&2
        echo "$circles" | sed -n 's/^tsort: \(.*\.o\)$/    \1/p' >&2
        bad=1
    fi
done
exit $bad
