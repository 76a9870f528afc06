#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Run the commands in a document's ```console blocks and compare their output with what is shown.
# A shown line '...' stands for any lines. Numbers are compared to five digits; errors of numbers and
# times are ignored, since they depend on the machine's BLAS and speed. A backslash continues a
# command on the next line; printf and awk make files. A block that begins with ```LANGUAGE FILE becomes that
# file, in the folder
# in which the commands run.
#     check-readme.sh SWITCHQ DOCUMENT
set -eu
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
document=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ln -s "$program" "$work/switchq"
cd "$work"
PATH=$work:$PATH
awk -v work="$work" '
    /^```console/ { inside = 1; next }
    /^```[a-z]+ [^ ]+$/ { file = work "/" $2; next }
    /^```/ { inside = 0; file = ""; next }
    file != "" { print > file; next }
    more { more = /\\$/; print > (work "/command." n); next }
    inside && /^\$ / { n++; more = /\\$/; print substr($0, 3) > (work "/command." n); next }
    inside && n { print > (work "/shown." n) }
' "$document"
n=1
bad=0
while [ -f "command.$n" ]; do
    command=$(cat "command.$n")
    touch "shown.$n"
    case $command in
    printf* | awk*) sh -c "$command" ;;
    switchq*)
        sh -c "$command" >"got.$n" 2>&1 || { echo "failed: $command"; cat "got.$n"; bad=1; }
        # every shown line except '...' must appear, in order
        awk 'function plain(s, word, count, i, out) {
                sub(/ *\(proven.*\)$/, "", s)
                sub(/[0-9.]+ s$/, "T s", s)
                count = split(s, word, /[ \t]+/)
                for (i = 1; i <= count; i++)
                    out = out " " (word[i] ~ /^[0-9.]+(e[-+]?[0-9]+)?$/ ? sprintf("%.5g", word[i]) : word[i])
                return out
            }
            NR == FNR { if ($0 != "..." && $0 != "") want[++wanted] = plain($0); next }
            plain($0) == want[seen + 1] { seen++ }
            END { if (seen < wanted) { print "not printed: " want[seen + 1]; exit 1 } }
        ' "shown.$n" "got.$n" || { echo "  by: $command"; bad=1; }
        ;;
    esac
    n=$((n + 1))
done
echo "$((n - 1)) commands of $(basename "$document") checked"
exit $bad
