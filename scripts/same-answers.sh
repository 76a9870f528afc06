#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Do two builds of the program print the same, to the digit? Arguments: the programs. Exit 1 if not.
set -eu

one=$(mktemp) two=$(mktemp)
trap 'rm -f "$one" "$two"' EXIT
bad=0
while read -r question; do
    # time and memory differ from build to build
    "$1" $question | grep -vE 'seconds|bytes' >"$one"
    "$2" $question | grep -vE 'seconds|bytes' >"$two"
    if cmp -s "$one" "$two"; then
        echo "the same: switchq $question"
    else
        echo "$1 and $2 differ: switchq $question" >&2
        diff "$one" "$two" >&2 || true
        bad=1
    fi
done <<'END'
table 4.1
sim --json --buffer damq --slots 4 --flow block --load 1 --cycles 2000
sim --json --buffer fifo --slots 4 --flow discard --load 0.8 --cycles 2000
sim --json --buffer damq --slots 4 --arbiter islip --load 0.8 --cycles 2000
solve --json --buffer samq --slots 4 --load 0.9
approx --json --method links --buffer damq --slots 4 --load 0.5
sim --json --topology torus --dims 4x4 --buffer damq --slots 4 --load 0.1 --cycles 5000
END
exit $bad
