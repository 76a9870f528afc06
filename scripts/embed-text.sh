#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Text files as C strings: NAME.txt (or .yaml) becomes `static const char text_NAME[]`, '-' in it
# '_'.
#     embed-text.sh FILE... > OUTPUT
set -eu
for file in "$@"; do
    name=$(basename "${file%.*}" | tr - _)
    printf 'static const char text_%s[] =\n' "$name"
    sed 's/\\/\\\\/g; s/"/\\"/g; s/^/    "/; s/$/\\n"/' "$file"
    printf '    ;\n\n'
done
