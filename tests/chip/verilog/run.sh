#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh SWITCHQ [CYCLES]: `switchq chip` against chip.v, which Icarus Verilog runs on the same bytes and
# the same answers of the arbiter: every register at the end of each cycle, and what each phase did. Says
# where the two differ first.
set -eu
here=$(dirname "$0")
switchq=$1
each=${2:-4000}
command -v iverilog >/dev/null 2>&1 || {
    echo "chip-witness: skipped, there is no iverilog (Debian's package iverilog)"
    exit 0
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

runs=0 cycles=0
# witness QUEUES BLOCKS BLOCK_BYTES PACKET_BYTES ROUTER_CYCLES ARBITER_CYCLES CYCLES TRAFFIC
witness() {
    chip="--queues $1 --blocks $2 --block-bytes $3 --packet-bytes $4 --router-cycles $5 --arbiter-cycles $6"
    iverilog -g2005 -Wno-timescale -s bench -o "$work/bench" -Pbench.QUEUES=$1 -Pbench.BLOCKS=$2 \
        -Pbench.BLOCK_BYTES=$3 -Pbench.PACKET_BYTES=$4 -Pbench.ROUTER_CYCLES=$5 -Pbench.ARBITER_CYCLES=$6 \
        "$here/chip.v" "$here/bench.v"
    length=$7
    shift 7
    command="chip $chip --cycles $length $*"
    "$switchq" $command --phases "$length" --csv --waves "$work/chip.vcd" > "$work/chip.csv" || {
        echo "chip-witness: switchq $command: exit status $?" >&2
        exit 1
    }
    awk -v input="$work/input" -f "$here/trace.awk" "$work/chip.vcd" > "$work/registers"
    awk -f "$here/phases.awk" "$work/chip.csv" > "$work/phases"
    always=
    case " $* " in *" --begin 1 "*) always=+begin_always ;; esac
    case " $* " in *" --grant 1 "*) always="$always +grant_always" ;; esac
    vvp -n "$work/bench" $always "+input=$work/input" "+registers=$work/registers.v" \
        "+phases=$work/phases.v" > "$work/said"
    for what in registers phases; do
        if [ -s "$work/said" ] || [ "$(wc -l < "$work/$what")" -ne "$length" ] ||
            ! cmp -s "$work/$what" "$work/$what.v"; then
            echo "chip-witness: switchq $command" >&2
            cat "$work/said" >&2
            echo "$what differ, chip.v (<) and the model (>):" >&2
            [ $what = phases ] || sed -n 's/^\$var.* \(.*\) \$end$/\1/p' "$work/chip.vcd" | tr '\n' ' ' >&2
            diff "$work/$what.v" "$work/$what" | head -n 12 >&2
            exit 1
        fi
    done
    runs=$((runs + 1)) cycles=$((cycles + length))
}

witness 4 12 8 32 1 1 60
witness 4 12 8 32 1 3 250 --packets 1:0:32,1:1:32,1:0:5,1:0:1,1:2:20,1:2:9,1:0:2
#       queues, blocks, bytes of a block and a packet, cycles of router and arbiter
witness 4 12 8 32 1 1 $each --begin 0.9 --grant 0.4 --seed 1
witness 4 12 8 32 1 1 $each --begin 1 --grant 1 --seed 2
witness 4 12 8 32 1 1 $each --begin 1 --grant 0.1 --seed 3
witness 4 12 8 32 1 3 $each --begin 1 --grant 1 --seed 4
witness 4 12 8 32 2 1 $each --begin 1 --grant 0.5 --seed 5
witness 4 12 8 32 3 2 $each --begin 0.3 --grant 1 --seed 6
witness 8 64 16 127 1 1 $each --begin 1 --grant 0.5 --seed 7
witness 2 3 8 16 1 1 $each --begin 1 --grant 0.7 --seed 8
witness 4 2 8 2 1 1 $each --begin 1 --grant 0.6 --seed 9
witness 2 1 8 8 1 1 $each --begin 1 --grant 1 --seed 10
witness 1 4 10 32 2 1 $each --begin 1 --grant 1 --seed 11
witness 2 2 8 16 3 16 $each --begin 1 --grant 1 --seed 12
echo "chip-witness: $runs runs of $cycles cycles, every register and every phase as chip.v has them"
