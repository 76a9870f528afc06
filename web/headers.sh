#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Links into DIR the headers of libraries with which the engines are compiled for the browser, since
# the system's include folder would hide emscripten's C library.
#     headers.sh DIR
set -eu
dir=$1
find_header() {
    for folder in /usr/include "/usr/include/$(gcc -dumpmachine)" /usr/local/include; do
        [ ! -e "$folder/$1" ] || { realpath "$folder/$1"; return; }
    done
    echo "headers.sh: no $1 in the include folders" >&2
    return 1
}
for header in gsl cblas.h; do
    ln -sfn "$(find_header $header)" "$dir/$header"
done
config=$(find_header openblas_config.h 2>/dev/null) && ln -sfn "$config" "$dir/openblas_config.h"
# Random123 refuses machines unknown to its authors. Threefry needs only 64-bit additions, rotations
# and xors, which any machine has; web/test.js checks that its numbers are those of the native
# program.
mkdir -p "$dir/Random123"
printf '%s\n' '#define __riscv 1 /* a machine that Random123 knows and takes nothing special of */' \
    "#include \"$(find_header Random123/threefry.h)\"" '#undef __riscv' >"$dir/Random123/threefry.h"
