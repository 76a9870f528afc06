#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# test-deb.sh FOLDER [SUITE...]: for each suite of Debian, build the packages in a system that has no more than
# they ask for; install them in a bare one, run their tests (debian/tests), remove them, and see that nothing of
# them is left. Needs root, and some minutes a suite. MIRROR=URL takes packages from there.
set -eu
[ "$(id -u)" -eq 0 ] || { echo "test-deb.sh: needs root, to make bare systems" >&2; exit 1; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- bookworm trixie

# bare ROOT SUITE [PACKAGE,...]: a system of Debian's essential packages, and these
bare() {
    rm -rf "$1"
    mmdebstrap --quiet --variant=minbase ${3:+--include="$3"} "$2" "$1" ${MIRROR:+"$MIRROR"}
}
inside() { root=$1; shift; chroot "$root" env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 HOME=/root "$@"; }
quietly() { "$@" > "$folder/log" 2>&1 || { tail -40 "$folder/log" | cut -c 1-300 >&2; exit 1; }; }

for suite in "$@"; do
    root=$folder/$suite
    bare "$root" "$suite" build-essential,debhelper
    mkdir "$root/switchq"
    if [ -e .git ]; then git archive HEAD; else tar --exclude='./build' -c .; fi | tar -x -C "$root/switchq"
    quietly inside "$root" sh -c 'cd /switchq && apt-get update -qq && apt-get build-dep -y -q --no-install-recommends -P nocheck ./'
    quietly inside "$root" sh -c 'cd /switchq && DEB_BUILD_OPTIONS="nocheck parallel=$(nproc)" dpkg-buildpackage -b -uc -Pnocheck'
    rm -rf "$folder/packages-$suite"
    mkdir "$folder/packages-$suite"
    cp "$root"/*.deb "$folder/packages-$suite"
    cp -r "$root/switchq/debian/tests" "$folder/packages-$suite/tests"

    bare "$root" "$suite"
    cp -r "$folder/packages-$suite" "$root/packages"
    inside "$root" dpkg-query -W -f '${Package}\n' > "$folder/before"
    quietly inside "$root" sh -c 'rm /packages/*dbgsym*; apt-get update -qq; apt-get install -y -qq --no-install-recommends /packages/*.deb \
        gcc libc6-dev pkg-config gnuplot-nox python3-pandas python3-matplotlib'
    for test in program library python plots; do
        echo "$suite: $test"
        quietly inside "$root" /packages/tests/$test
    done
    quietly inside "$root" sh -c 'apt-get purge -y -qq "*switchq*"'
    left=$(find "$root/usr" "$root/etc" "$root/var/lib" -iname '*switchq*' -not -path '*/dpkg/*')
    [ -z "$left" ] || { echo "$suite: left behind: $left" >&2; exit 1; }
    rm -rf "$root"
    echo "$suite: built, installed, tried and removed"
done
