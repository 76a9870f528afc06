#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Has the program write manual pages and completion scripts to where `make install` finds them:
# DIR/man/*.1, DIR/man/*.7, DIR/completion/{switchq,_switchq,switchq.fish}.
#     write-pages.sh SWITCHQ DIR
set -eu
program=$1
dir=$2
rm -rf "$dir/man" "$dir/completion"
mkdir -p "$dir/man" "$dir/completion"

# names are the first words of the lines of `switchq help`: commands, then topics
"$program" help | awk '
    /^Usage:/ { section = 1 }
    /is a page on:$/ { section = 7 }
    section && /^  [a-z]/ { print section, $1 }' |
    while read -r section name; do
        "$program" help "$name" --man >"$dir/man/switchq-$name.$section"
    done
"$program" help --man >"$dir/man/switchq.1"
"$program" completion bash >"$dir/completion/switchq"
"$program" completion zsh >"$dir/completion/_switchq"
"$program" completion fish >"$dir/completion/switchq.fish"
