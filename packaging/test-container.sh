#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# test-container.sh FOLDER: build the image of packaging/Containerfile with buildah, on a base made of Debian's essential
# packages, so that no registry of images and no daemon is needed; ask the program in it, and Python's module. Needs
# root, and some minutes. MIRROR=URL takes packages from there.
set -eu
[ "$(id -u)" -eq 0 ] || { echo "test-container.sh: needs root, to make a bare system" >&2; exit 1; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."

store() { buildah --root "$folder/store" --runroot "$folder/run" --storage-driver vfs "$@"; }
quietly() { "$@" > "$folder/log" 2>&1 || { tail -40 "$folder/log" | cut -c 1-300 >&2; exit 1; }; }

rm -rf "$folder/store" "$folder/run" "$folder/context"
mkdir -p "$folder/context/debian"
mmdebstrap --quiet --variant=minbase bookworm "$folder/context/debian/system.tar" ${MIRROR:+"$MIRROR"}
printf '%s\n' 'FROM scratch' 'ADD system.tar /' > "$folder/context/debian/Containerfile"
quietly store bud --isolation chroot -t docker.io/library/debian:bookworm "$folder/context/debian"
quietly store tag docker.io/library/debian:bookworm docker.io/library/debian:bookworm-slim

mkdir "$folder/context/switchq"
if [ -e .git ]; then git archive HEAD; else tar --exclude='./build' -c .; fi | tar -x -C "$folder/context/switchq"
quietly store bud --pull-never --isolation chroot -t switchq -f packaging/Containerfile "$folder/context/switchq"
[ "$(store inspect --type image --format '{{.OCIv1.Config.Entrypoint}} {{.OCIv1.Config.Cmd}} {{.OCIv1.Config.WorkingDir}}' switchq)" = \
  "[switchq] [help] /work" ]

container=$(store from --pull-never switchq)
inside() { store run --isolation chroot "$container" -- "$@"; }
inside switchq --version
inside switchq solve --buffer damq --slots 4 --load 0.9
inside switchq table 4.2 --plot table.svg > /dev/null 2> "$folder/log"
[ ! -s "$folder/log" ] || { cat "$folder/log" >&2; exit 1; }
inside test -s /work/table.svg
inside python3 -c 'import switchq; print(switchq.solve(buffer="damq", slots=4, load=0.9).discard_probability)'
store rm "$container" > /dev/null
rm -rf "$folder"
echo "container: built and tried"
