#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Draws docs/images/approximation-*.svg: our approximations and published ones, compared with the
# simulator, in the colours and dashes of base/palette.c. Usage, from the root of the tree:
# scripts/draw-approximation.sh SWITCHQ [DIRECTORY]
set -eu
switchq=$1
to=${2:-docs/images}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
loads=0.05:1:0.05

# points FILE OPTION...: load, throughput, latency, the same two simulated, and the error of the
# throughput in percent
points() {
    file=$work/$1
    shift
    "$switchq" approx --load $loads --flow block --compare --csv "$@" >"$file.csv"
    awk -F, -v columns="part load throughput latency_cycles simulated_throughput simulated_latency_cycles off_by_throughput" '
        NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k; split(columns, c, " ") }
        $at["part"] == "all" { print $at[c[2]], $at[c[3]], $at[c[4]], $at[c[5]], $at[c[6]], 100 * $at[c[7]] }' \
        "$file.csv" >"$file"
}

# the palette, as numbers 1, 2, ... of gnuplot: colours, dashes and marks of the places 0, 1, ...
palette() {
    set -- 7 5 9 13 11 15
    place=0
    for colour in $(sed -n 's/^ *{"\(#[0-9a-f]*\)", "#.*/\1/p' base/palette.c | head -6); do
        case $place in
        0 | 4) dash='(14,6)' ;;
        1 | 5) dash='(4,6)' ;;
        2) dash='(16,6,4,6)' ;;
        3) dash=solid ;;
        esac
        place=$((place + 1))
        echo "set style line $place lw 1.8 ps 0.6 lc rgb '$colour' dt $dash pt $1"
        shift
    done
}

points fifo --buffer fifo --slots 4
points small-cycle --buffer fifo --slots 4 --method small-cycle
for kind in "samq 8" "safc 8" "damq 4" "cbda 4"; do
    set -- $kind
    points "$1" --buffer "$1" --slots "$2"
done

palette >"$work/palette"
gnuplot <<GNUPLOT
load '$work/palette'
set terminal svg size 960,460 font 'Helvetica,13' background 'white'
set grid lt 1 lc rgb '#dddddd'
set output '$work/fifo.svg'
set multiplot layout 1,2 title 'fifo, 4 slots per input port, omega, 3 stages, 64 nodes, 4 x 4, flow block'
set key top left
set xlabel 'throughput (packets per node and cycle)'
set ylabel 'mean latency (cycles)'
plot '$work/fifo' using 2:3 with lines ls 1 title 'links', \
     '$work/small-cycle' using 2:3 with lines ls 2 title 'small-cycle', \
     '$work/fifo' using 4:5 with points pt 6 lc 'black' title 'simulated'
set xlabel 'load (packets that a source creates per cycle)'
set ylabel 'throughput, off by (percent)'
plot '$work/fifo' using 1:6 with linespoints ls 1 title 'links', \
     '$work/small-cycle' using 1:6 with linespoints ls 2 title 'small-cycle'
unset multiplot
set output '$work/kinds.svg'
set multiplot layout 1,2 title 'method links: omega, 3 stages, 64 nodes, 4 x 4, flow block'
set key top left
set xlabel 'throughput (packets per node and cycle)'
set ylabel 'mean latency (cycles)'
plot for [k=1:5] '$work/'.word('fifo samq safc damq cbda', k) using 2:3 with lines ls k \
         title word('fifo, samq, safc, damq, cbda,', k).' slots '.word('4 8 8 4 4', k), \
     for [k=1:5] '$work/'.word('fifo samq safc damq cbda', k) using 4:5 with points pt 6 lc 'black' \
         title k == 5 ? 'simulated' : ''
set xlabel 'load (packets that a source creates per cycle)'
set ylabel 'throughput, off by (percent)'
set yrange [-10:10]
plot for [k=1:5] '$work/'.word('fifo samq safc damq cbda', k) using 1:6 with linespoints ls k \
         title word('fifo, samq, safc, damq, cbda,', k).' slots '.word('4 8 8 4 4', k)
unset multiplot
GNUPLOT
mv "$work/fifo.svg" "$to/approximation-fifo.svg"
mv "$work/kinds.svg" "$to/approximation-kinds.svg"
