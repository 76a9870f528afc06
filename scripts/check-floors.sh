#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Floors of sim: a folder uses itself and folders further down, in its includes and, if BUILD is
# given, in the functions and tables that its object files name. The files that lie in sim itself are
# below all folders. An architecture, a folder of switches/, sees no other one; what several share lies in
# switches/ itself and in switches/saqs. Exit 1 on an arrow that leads up.
# Usage: check-floors.sh [BUILD]
set -eu
cd "$(dirname "$0")/.."
floors='. 0
patterns 1
topologies 1
fabrics 2
dependencies 3
traffic 4
measure 5
frame 6
stages 6
flows 7
managements 7
senders 7
stages/fast 7
switches 8
switches/saqs 8
switches/* 9
tables 10
async 11
sync 11
ceiling 12
datacentre 12
datacentre/topologies 13
datacentre/senders 13
rare 12
live 12'

# lines "FILE FILE": the first uses the second
includes() {
    find sim -name '*.[ch]' | xargs grep -o '^#include "sim/[^"]*"' /dev/null | sed 's/:#include "/ /; s/"$//'
}
names() {
    find sim -name '*.c' | sed "s|\(.*\)\.c$|$1/\1.o|" | xargs nm -A | awk -v build="$1/" '
        {
            file = $1
            sub(/:.*/, "", file)
            file = substr(file, length(build) + 1)
            sub(/\.o$/, ".c", file)
            if ($(NF - 1) ~ /^[TRDB]$/)
                home[$NF] = file
            else if ($(NF - 1) == "U")
                wanted[file " " $NF]
        }
        END {
            for (pair in wanted) {
                split(pair, part, " ")
                if (part[2] in home)
                    print part[1], home[part[2]], part[2]
            }
        }'
}

climbing=$({
    includes
    [ $# -eq 0 ] || names "$1"
} | sort | awk -v floors="$floors" '
    # the folder of a file, below sim
    function folder_of(file) {
        sub(/^sim\//, "", file)
        return sub(/\/[^\/]*$/, "", file) ? file : "."
    }
    function floor_of(folder) {
        if (folder in level)
            return level[folder]
        sub(/\/.*/, "/*", folder)
        return folder in level ? level[folder] : -1
    }
    BEGIN {
        n = split(floors, row, "\n")
        for (k = 1; k <= n; k++) {
            split(row[k], part, " ")
            level[part[1]] = part[2]
        }
    }
    {
        from = folder_of($1)
        to = folder_of($2)
        if (floor_of(from) < 0 || floor_of(to) < 0)
            print $1 ": sim/" (floor_of(from) < 0 ? from : to) " has no floor in scripts/check-floors.sh"
        else if (from != to && floor_of(to) >= floor_of(from))
            print $1 ": sim/" from " must not use " ($3 ? $3 " of " : "") $2 ", which is not below it"
    }')
[ -z "$climbing" ] || {
    echo "$climbing" >&2
    exit 1
}
