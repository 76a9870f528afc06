/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * solve --mpi in a program that was built without PETSc: refused once, by name, whatever launched
 * it. The other ranks keep quiet and end well, so that rank 0 can speak. What a program with PETSc
 * answers is for make mpi-test.
 */
#include "tests/cli/program.h"

#include <string.h>

TestSuite(cli_cluster, .init = program_begin, .fini = program_end, .timeout = 60);

static void refused(const char *before, const char *arguments, const char *named)
{
    program_run run = program_shell("%s \"$SWITCHQ\" solve --buffer damq --slots 2 --load 0.5 %s",
                                    before, arguments);

    cr_expect_eq(run.status, *named ? 2 : 0, "%s: status %d", arguments, run.status);
    cr_expect_str_empty(run.out);
    if (*named)
        cr_expect(strstr(run.err, named), "%s: %s", arguments, run.err);
    else
        cr_expect_str_empty(run.err);
    program_free(&run);
}

Test(cli_cluster, without_petsc_it_is_refused_by_name)
{
    refused("", "--checkpoint file", "--checkpoint needs --mpi");
    refused("", "--checkpoint-every 5", "--checkpoint-every needs --mpi");
    refused("", "--mpi --checkpoint-every 5", "--checkpoint-every needs --checkpoint");
    refused("", "--mpi --checkpoint ''", "--checkpoint must name a file, not ''");
    refused("", "--mpi --checkpoint f --checkpoint-every x", "--checkpoint-every");
    refused("", "--mpi --exact", "--exact is not modelled with --mpi");
    refused("", "--mpi --policy optimal", "--policy is not modelled with --mpi");
    refused("", "--mpi --variance", "--variance is not modelled with --mpi");
    refused("", "--mpi --delay", "--delay is not modelled with --mpi");
    refused("", "--mpi --topology omega", "--topology is not modelled with --mpi");
    refused("", "--mpi", "make PETSC=1");
}

Test(cli_cluster, rank_0_alone_refuses)
{
    refused("OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_RANK=0", "--mpi", "make PETSC=1");
    refused("OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_RANK=2", "--mpi", "");
    refused("OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_RANK=2", "--mpi --no-such-option", "");
}
