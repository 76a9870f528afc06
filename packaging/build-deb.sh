#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# build-deb.sh FOLDER: the Debian packages of the tree as it is committed (without git, as it is), in FOLDER.
set -eu
mkdir -p "$1"
folder=$(cd "$1" && pwd)

rm -rf "$folder"/switchq "$folder"/*.deb
mkdir "$folder/switchq"
if [ -e .git ]; then
    git archive HEAD | tar -x -C "$folder/switchq"
else
    tar --exclude='./build' -c . | tar -x -C "$folder/switchq"
fi
# the upstream tarball is the tree without the packaging, which the source format keeps apart
version=$(sed -n '1s/.*(\(.*\)-.*/\1/p' "$folder/switchq/debian/changelog")
rm -f "$folder"/switchq_*
tar --exclude=switchq/debian --sort=name --owner=0 --group=0 -C "$folder" -czf "$folder/switchq_$version.orig.tar.gz" switchq
cd "$folder/switchq"
# tests have a target of their own; a build without DEB_BUILD_OPTIONS runs them
DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:-nocheck parallel=$(nproc)}" dpkg-buildpackage --no-sign > ../build.log 2>&1 ||
    { tail -40 ../build.log | cut -c 1-300 >&2; exit 1; }
cd ..
rm -rf switchq
lintian --allow-root --fail-on error --profile debian ./*.changes
ls ./*.deb
