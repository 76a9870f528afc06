#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Run one fuzz target for some seconds from its seeds and from what earlier runs found: fuzz-NAME
# SECONDS. Seeds stand in seeds/NAME.txt, apart by lines of "%%%"; what is found, and an input that
# breaks something, goes beside the program, into NAME/found and NAME/crash-*.
set -eu

program=$(realpath "$1") seconds=$2
name=${program##*/fuzz-}
here=$(cd "$(dirname "$0")" && pwd)
folder=${program%/*}/$name
rm -rf "$folder/seeds" "$folder/scratch"
mkdir -p "$folder/seeds" "$folder/found" "$folder/scratch"
awk -v to="$folder/seeds/" '
    /^%%%$/ { seed++; lines = 0; next }
    { printf "%s%s", lines++ ? "\n" : "", $0 > (to (seed + 0)) }' "$here/seeds/$name.txt"
cd "$folder/scratch"
if ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1 \
    LSAN_OPTIONS=suppressions=$here/../support/lsan.supp:print_suppressions=0 \
    "$program" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=2048 -max_len=4096 \
    -close_fd_mask=1 -print_final_stats=1 -artifact_prefix="$folder/" \
    "$folder/found" "$folder/seeds" >"$folder/log" 2>&1 </dev/null; then
    echo "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$folder/log") inputs, nothing broke"
else
    tail -n 60 "$folder/log" >&2
    echo "$name: broken; the input is in $folder" >&2
    exit 1
fi
