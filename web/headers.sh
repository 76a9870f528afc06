#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The headers of libraries that the engines are compiled with for the browser, in DIR: the system's
# own include folder would hide emscripten's C library.
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
# Random123 refuses machines that its authors have not seen. Threefry is 64-bit additions, rotations
# and xors, for which it asks nothing of the machine; web/test.js holds that its numbers are the
# native program's.
mkdir -p "$dir/Random123"
printf '%s\n' '#define __riscv 1 /* a machine that Random123 knows and takes nothing special of */' \
    "#include \"$(find_header Random123/threefry.h)\"" '#undef __riscv' >"$dir/Random123/threefry.h"
