#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks which folder includes which, and that only its own file includes a backend's header. Exit 1 on
# a violation.
set -eu
cd "$(dirname "$0")/.."

# folder: folders that it may include. Public headers are listed by the folder that implements them.
allowed() {
    case $1 in
    base) echo "base" ;;
    models) echo "models base" ;;
    solvers) echo "solvers base" ;;
    sim) echo "sim models base" ;;
    exact) echo "exact models solvers base" ;;
    approx) echo "approx sim exact models solvers base" ;;
    nets) echo "nets sim exact models solvers base" ;;
    plugins) echo "plugins sim models base" ;;
    validate) echo "validate chip worst nets approx exact sim models solvers base" ;;
    chip) echo "chip base" ;;
    cost) echo "cost sim models base" ;;
    worst) echo "worst models base" ;;
    bound) echo "bound sim models base" ;;
    compare) echo "compare validate base" ;;
    study) echo "study base" ;;
    cluster) echo "cluster exact models solvers base" ;;
    web) echo "web exact solvers sim models base" ;;
    cli) echo "cli cluster compare bound worst cost chip study validate plugins nets approx exact sim models solvers base" ;;
    esac
}
folder_of_header() {
    case $1 in
    context.h | csr.h | dice.h | needs.h | plugins.h | version.h) echo base ;;
    buffer.h | arbiter.h | architecture.h | switch.h | chain.h | export.h | import.h | formula.h | pfc.h) echo models ;;
    topology.h | traffic.h | sim.h | rare.h | live.h | record.h | detail.h | frames.h | fabric.h | graph.h | async.h | async_result.h | senders.h | benchmark.h | ceiling.h | datacentre.h) echo sim ;;
    solver.h) echo solvers ;;
    exact.h | rational.h | packets.h | optimal.h) echo exact ;;
    approx.h | approx_torus.h) echo approx ;;
    netchain.h) echo nets ;;
    joint.h | papers.h | figures.h | validate.h) echo validate ;;
    chip.h) echo chip ;;
    cost.h) echo cost ;;
    plugin.h) echo plugins ;;
    worst.h | headroom.h) echo worst ;;
    bound.h) echo bound ;;
    ask.h) echo cli ;;
    *) echo "unlisted" ;;
    esac
}
bad=0
complain() {
    echo "$1" >&2
    bad=1
}
for folder in base models solvers sim exact approx nets plugins validate chip cost worst bound compare study cluster web cli; do
    [ -d $folder ] || continue
    may=" $(allowed $folder) "
    for file in $(find $folder -name '*.[ch]'); do
        for included in $(sed -n 's/^#include "\([^"]*\)".*/\1/p' "$file"); do
            case $included in
            switchq/*) from=$(folder_of_header "${included#switchq/}") ;;
            *) from=${included%%/*} ;;
            esac
            case $may in
            *" $from "*) ;;
            *) complain "$file: folder $folder must not include $included (folder $from)" ;;
            esac
        done
    done
done
scripts/check-floors.sh || bad=1
# a backend's header is included only in that backend's file
only() {
    header=$1
    shift
    for file in $(grep -rlE "#include <$header>" base models solvers sim exact approx nets validate chip cost worst bound compare study cluster cli include); do
        case " $* " in
        *" $file "*) ;;
        *) complain "$file: $header belongs in $* alone" ;;
        esac
    done
}
only 'suitesparse/umfpack\.h' solvers/umfpack.c
only 'suitesparse/cholmod\.h' solvers/sparse_gth.c
only 'suitesparse/SuiteSparse_config\.h' solvers/suitesparse.c
only 'arpack/.*' solvers/arnoldi.c
only 'cblas\.h' base/blas.h
only 'lapack\.h' solvers/lu.c
only 'glpk\.h' bound/program.c
only 'gmp\.h' exact/integers.h
only 'cjson/cJSON\.h' cli/print/output.h
only 'popt\.h' cli/options/options.h
only 'sqlite3\.h' study/sqlite.h
only 'yaml\.h' study/yaml.c
only 'mpi\.h' study/mpi.c cluster/fleet.h
only 'petsc.*' cluster/spread.h
only 'slepc.*' cluster/fleet.c cluster/arnoldi.c
only 'gsl/gsl_rng\.h' include/switchq/dice.h
only 'Random123/threefry\.h' sim/stream.h
# kernels report to the probe (sim/measure/probe.h), and sim/measure alone counts
for file in $(grep -rlE '\[SWQ_(CELL|STAGE|NET|NODE|LINK)_[A-Z_]+\] *([-+]?=|\+\+|--)' sim | grep -v '^sim/measure/'); do
    complain "$file: writes counters, which belong in sim/measure alone"
done
# JSON output is made valid UTF-8 in one place
for file in $(grep -rlE 'cJSON_Print' cli | grep -v '^cli/print/text\.c$'); do
    complain "$file: cJSON's text belongs in cli/print/text.c alone"
done
# nothing below cli prints or exits
for file in $(find base models solvers sim exact approx nets validate chip cost worst bound compare study cluster -name '*.c'); do
    if grep -nE '(^|[^a-z_])(exit|abort|printf|puts|perror)\(' "$file" >&2; then
        complain "$file: prints or exits"
    fi
done
exit $bad
