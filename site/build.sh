#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The site, in BUILD/site, from the tree that this is called in. Warnings, such as a link that leads
# nowhere, are errors.
#     build.sh SWITCHQ BUILD
set -eu
program=$1
build=$2
work=$build/site-work
mkdir -p "$work/extra"
"$program" report --no-validate --only explorer,table-4.1,table-4.4,figure-4.1,figure-6.2 -o "$work/report" >/dev/null
mkdir -p "$work/extra/report"
cp "$work/report/index.html" "$work/extra/report/"
rm -rf "$work/extra/live" "$work/extra/schemas"
cp -r docs/schemas "$work/extra/"
if [ -e "$build/web/index.html" ]; then
    mkdir -p "$work/extra/live"
    cp "$build"/web/*.css "$build"/web/*.js "$work/extra/live/"
    sed 's|<h1>|<p class="aside"><a href="../index.html">switchq: all pages</a></p>\n&|' "$build/web/index.html" \
        >"$work/extra/live/index.html"
else
    echo "Without the live network: make wasm builds it (it needs emscripten), then make site adds it."
fi
/usr/bin/python3 -B site/pages.py "$program" . "$work/extra" "$work/pages"
# what an earlier run has made of pages that are gone
for folder in docs reference; do
    [ ! -d "$build/site/$folder" ] || find "$build/site/$folder" -name '*.html'
done | while read -r page; do
    name=${page#"$build"/site/}
    [ -e "$work/pages/${name%.html}.md" ] || rm "$page"
done
SWITCHQ_SOURCE=$PWD SWITCHQ_EXTRA=$(realpath "$work/extra") /usr/bin/python3 -B -m sphinx -q -W --keep-going -b html \
    -c site -d "$work/doctrees" "$work/pages" "$build/site"
echo "Written: $build/site/index.html"
