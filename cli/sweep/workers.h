/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The workers that answer the points of a database: of this process, and of the other ranks of an
 * MPI job. A study and a comparison run on them; each point is a question to the runner, asked in
 * the worker's process, so that a crash costs one point.
 */
#ifndef SWQ_CLI_SWEEP_WORKERS_H
#define SWQ_CLI_SWEEP_WORKERS_H

#include "study/crew.h"

typedef struct cli_workers cli_workers;

/* What is wanted, and what became of it. */
typedef struct cli_workers_plan {
    int count;     /* workers of this process */
    size_t memory; /* limit of each, in bytes */
    /* What the process with the database does: reads what is to be run, then calls
     * cli_workers_meet, and cli_workers_run as often as it has open points. */
    swq_status (*lead)(void *arg, cli_workers *workers);
    void *arg;
    bool lent; /* this rank lent its workers to another rank, and has nothing to tell */
} cli_workers_plan;

/* Reads --threads (NULL: the default), the number of workers of this process. Errors: SWQ_EINVAL.
 */
swq_status cli_workers_read(swq_context *ctx, const char *threads, int *workers);

/* Forks the workers' keeper, joins the other ranks, and has the first rank lead, while others lend
 * their workers. To be called before anything else has made threads. Errors: those of lead and of
 * swq_mpi_open; SWQ_EIO, SWQ_ENOMEM. */
swq_status cli_workers_lead(swq_context *ctx, cli_workers_plan *plan);

/* Waits for the workers of other ranks, if there are any. Errors: as swq_ranks_meet. */
swq_status cli_workers_meet(cli_workers *workers);

/* Are there workers of other ranks, whose time this process does not know? */
bool cli_workers_far(const cli_workers *workers);

/* Has the workers answer all open points that the store wants; the first call starts them. Returns
 * at once if no wanted point is open or running. Errors: as swq_crew_run. */
swq_status cli_workers_run(cli_workers *workers, swq_store *store, const swq_crew_options *options,
                           swq_crew_result *result);

#endif
