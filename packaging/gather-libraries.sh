#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# gather-libraries.sh LIBRARY FOLDER [NAME...]: copy into FOLDER the shared libraries that LIBRARY
# needs, those that it loads late (NAMEs) and what they need in turn, so that they find each other
# there; all but the C library, which every Linux has. Writes FOLDER/LIBRARIES.txt: which they are, and from
# which source packages, as their licences ask.
set -eu
library=$1 folder=$2
shift 2

mkdir -p "$folder"
# a program of the system's C library: these are older or newer with it
system='linux-vdso|ld-linux|libc\.so|libm\.so|libdl\.so|libpthread\.so|librt\.so'
found() { ldd "$1" | awk '$2 == "=>" && $3 ~ /^\// { print $1, $3 }' | grep -Ev "^($system)" || true; }

{
    found "$library"
    for name in "$@"; do
        path=$(/sbin/ldconfig -p | awk -v name="$name" '$1 == name { print $NF; exit }')
        [ -n "$path" ] || { echo "gather-libraries.sh: $name is not installed" >&2; exit 1; }
        echo "$name $path"
        found "$path"
    done
} | sort -u -k 1,1 | while read -r name path; do
    cp -L "$path" "$folder/$name"
    chmod u+w "$folder/$name"
    patchelf --set-rpath '$ORIGIN' "$folder/$name"
    strip --strip-unneeded "$folder/$name"
    real=$(readlink -f "$path")
    package=$(dpkg-query -S "$real" 2>/dev/null | sed 's/:.*//;q')
    echo "$name $(dpkg-query -W -f '${source:Package} ${source:Version}' "${package:-none}" 2>/dev/null || echo '? ?')"
done > "$folder/LIBRARIES.part"
# OpenBLAS has all of BLAS and LAPACK: where it is, the libraries of these names, 3.6 MB of a compressed wheel, have
# nothing else, and are no more than names for it
if [ -f "$folder/libopenblas.so.0" ]; then
    for name in libblas.so.3 liblapack.so.3; do
        nm -D --defined-only "$folder/$name" | awk '$3 ~ /^(d|cblas_d)[a-z0-9]+_?$/ { print $3 }' | sort > "$folder/names.part"
        nm -D --defined-only "$folder/libopenblas.so.0" | awk '{ print $3 }' | sort |
            comm -23 "$folder/names.part" - > "$folder/missing.part"
        [ ! -s "$folder/missing.part" ] || { echo "gather-libraries.sh: OpenBLAS is without $(head -1 "$folder/missing.part")" >&2; exit 1; }
        ${CC:-cc} -shared -nostdlib -Wl,-soname,"$name" -Wl,--no-as-needed -Wl,-rpath,'$ORIGIN' \
            -o "$folder/$name" "$folder/libopenblas.so.0"
        strip --strip-unneeded "$folder/$name"
    done
    rm "$folder/names.part" "$folder/missing.part"
fi
{
    echo "Shared libraries in this folder, and the Debian source packages that they were built from,"
    echo "where their licences and their sources are (https://sources.debian.org):"
    echo
    sort "$folder/LIBRARIES.part"
} > "$folder/LIBRARIES.txt"
rm "$folder/LIBRARIES.part"
