#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Install the Debian packages that are missing for the named purposes: build, test, lint,
# clang, coverage, bench, mpi, browser, verilog, notebook, packages, container.
# Says what it does; uses sudo unless run as root, which may ask for a password on a terminal.
set -eu

packages=""
for purpose in "$@"; do
    case $purpose in
    build) packages="$packages gcc libc6-dev make pkg-config libgsl-dev liblapacke-dev
        libopenblas-serial-dev libsuitesparse-dev libarpack2-dev libcjson-dev libpopt-dev
        libgmp-dev libglpk-dev librandom123-dev libsqlite3-dev libyaml-dev libbz2-dev gnuplot-nox" ;;
    test) packages="$packages g++ libcriterion-dev python3 python3-jsonschema mandoc" ;;
    lint) packages="$packages clang-format clang-tidy cppcheck" ;;
    clang) packages="$packages clang libclang-rt-dev" ;;
    mpi) packages="$packages libopenmpi-dev openmpi-bin" ;;
    petsc) packages="$packages petsc-dev slepc-dev libopenmpi-dev openmpi-bin python3" ;;
    coverage) packages="$packages gcovr" ;;
    bench) packages="$packages valgrind python3" ;;
    verilog) packages="$packages iverilog" ;;
    notebook) packages="$packages python3-pandas python3-matplotlib python3-nbclient python3-ipykernel" ;;
    packages) packages="$packages debhelper dh-python lintian mmdebstrap patchelf python3-setuptools
        python3-wheel python3-pip" ;;
    container) packages="$packages buildah crun mmdebstrap" ;;
    site) packages="$packages python3-sphinx python3-myst-parser furo" ;;
    wasm) packages="$packages emscripten nodejs" ;;
    browser) packages="$packages chromium chromium-driver python3-selenium" ;;
    *) echo "install-deps.sh: unknown purpose '$purpose'" >&2; exit 2 ;;
    esac
done

if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "This is no Debian system; these Debian packages, or the like, are needed:" $packages
    exit 0
fi
missing=""
for package in $packages; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    # any package that provides gnuplot will do
    [ "$package" = gnuplot-nox ] && command -v gnuplot >/dev/null 2>&1 && state=installed
    [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

run=""
by_hand="apt-get install -y --no-install-recommends$missing"
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "Packages are missing, and there is no sudo. Run as root, then make again:" >&2
        echo "  $by_hand" >&2
        exit 1
    elif sudo -n true 2>/dev/null; then
        run="sudo -n"
    elif [ -t 0 ] && [ -t 2 ]; then
        run="sudo" # asks for the password
    else
        echo "Packages are missing, and sudo wants a password, but there is no terminal. Run, then make again:" >&2
        echo "  sudo $by_hand" >&2
        exit 1
    fi
fi
echo "Installing missing packages with ${run:+$run }apt-get:$missing"
$run env DEBIAN_FRONTEND=noninteractive apt-get update -qq
$run env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
