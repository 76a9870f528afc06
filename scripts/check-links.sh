#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Links between the pages of the documentation lead to files, and all pages can be reached from
# README.md. Exit 1 on a violation.
set -eu
cd "$(dirname "$0")/.."
pages="README.md CONTRIBUTING.md CHANGELOG.md SECURITY.md changes/README.md $(find docs -name '*.md' | sort)"
reached=" README.md "
open="README.md"
bad=0
# Targets of a page's links, relative to the root, without web addresses and anchors.
targets() {
    grep -oE '\]\([^)#]+' "$1" | sed 's/^](//' | grep -v '^[a-z]*:' | while read -r target; do
        realpath -m --relative-to=. "$(dirname "$1")/$target"
    done
}
while [ -n "$open" ]; do
    next=""
    for page in $open; do
        for target in $(targets "$page"); do
            if [ ! -e "$target" ]; then
                echo "$page: no such file: $target"
                bad=1
            fi
            [ -d "$target" ] && target=$(find "$target" -name '*.md' | sort)
            for file in $target; do
                case $reached in *" $file "*) continue ;; esac
                case $file in *.md) reached="$reached$file " next="$next $file" ;; esac
            done
        done
    done
    open=$next
done
for page in $pages; do
    case $reached in
    *" $page "*) ;;
    *)
        echo "$page: no way from README.md leads to it"
        bad=1
        ;;
    esac
done
exit $bad
