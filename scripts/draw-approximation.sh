#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Draws docs/images/approximation-*.svg: our approximations and published ones, compared with the
# simulator. Usage: scripts/draw-approximation.sh SWITCHQ [DIRECTORY]
set -eu
switchq=$1
to=${2:-docs/images}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
loads=0.05:1:0.05

# points FILE OPTION...: throughput, latency, simulated throughput and latency, and errors in percent
points() {
    file=$work/$1
    shift
    "$switchq" approx --load $loads --flow block --compare --csv "$@" >"$file.csv"
    awk -F, 'NR > 1 { print $2, $3, $8, $10, 100 * $12, 100 * $13, $1 }' "$file.csv" >"$file"
}

points fifo --buffer fifo --slots 4
points small-cycle --buffer fifo --slots 4 --method small-cycle
for kind in "samq 8" "safc 8" "damq 4" "cbda 4"; do
    set -- $kind
    points "$1" --buffer "$1" --slots "$2"
done

gnuplot <<EOF
set terminal svg size 900,420 font 'sans,12' background 'white'
set output '$work/fifo.svg'
set multiplot layout 1,2 title 'FIFO, 4 slots: 3 stages of 4 x 4 switches, blocking'
set grid
set key top left
set xlabel 'throughput (packets per node and cycle)'
set ylabel 'latency (cycles)'
plot '$work/fifo' using 1:2 with lines lw 2 title 'links', \
     '$work/small-cycle' using 1:2 with lines lw 2 dt 2 title 'small-cycle', \
     '$work/fifo' using 3:4 with points pt 6 lc 'black' title 'simulated'
set xlabel 'load'
set ylabel 'throughput, off by (percent)'
plot '$work/fifo' using 7:5 with linespoints lw 2 title 'links', \
     '$work/small-cycle' using 7:5 with linespoints lw 2 dt 2 title 'small-cycle'
unset multiplot
set output '$work/kinds.svg'
set multiplot layout 1,2 title 'Method links: 3 stages of 4 x 4 switches, blocking'
set key top left
set xlabel 'throughput (packets per node and cycle)'
set ylabel 'latency (cycles)'
plot for [k in 'fifo samq safc damq cbda'] '$work/'.k using 1:2 with lines lw 2 title k, \
     for [k in 'fifo samq safc damq cbda'] '$work/'.k using 3:4 with points pt 6 lc 'black' \
         title k eq 'cbda' ? 'simulated' : ''
set xlabel 'load'
set ylabel 'throughput, off by (percent)'
set yrange [-10:10]
plot for [k in 'fifo samq safc damq cbda'] '$work/'.k using 7:5 with linespoints lw 2 title k
unset multiplot
EOF
mv "$work/fifo.svg" "$to/approximation-fifo.svg"
mv "$work/kinds.svg" "$to/approximation-kinds.svg"
