#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Do the object files of the browser's build name a function or a table of the program that none of them
# has? They are looked at as the compiler of the program makes them, so that no emscripten is needed.
# Exit 1 if so. Usage: check-web.sh OBJECT...
set -eu
missing=$(nm -A "$@" | awk '
    $(NF - 1) == "U" { if ($NF ~ /^swq_/) named[$NF] = $1; next }
    { has[$NF] = 1 }
    END { for (name in named) if (!(name in has)) print named[name], name }' | sort)
[ -z "$missing" ] || { printf 'not in the browser (web/tables.c, web/without.c, WEB_SRC):\n%s\n' "$missing" >&2; exit 1; }
