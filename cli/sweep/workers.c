/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Workers of this process and of other ranks, from their keeper's fork to their end.
 */
#include "cli/sweep/workers.h"
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/sweep/sweep.h"
#include "study/ranks.h"
#include "switchq/version.h"

#include <stdio.h>

enum { MOST_WORKERS = 1024 };

swq_status cli_workers_read(swq_context *ctx, const char *threads, int *workers)
{
    const int usual = swq_ranks_workers();

    *workers = usual > MOST_WORKERS ? MOST_WORKERS : usual;
    return threads ? cli_integer(ctx, "threads", threads, 1, MOST_WORKERS, workers) : SWQ_OK;
}

struct cli_workers {
    swq_context *ctx;
    const cli_workers_plan *plan;
    swq_keeper *keeper;
    swq_mpi *mpi;     /* NULL: no launcher, or built without MPI */
    swq_ranks *ranks; /* the workers of the other ranks; NULL: none */
    swq_link **link;  /* [links]; NULL: not started */
    int links;
};

/* Under mpirun or srun: joins the other ranks, after workers have been forked; in a build without
 * MPI, says how the points are run instead. *mpi is unchanged if there are no ranks. */
static swq_status join(swq_context *ctx, swq_mpi **mpi)
{
    const int ranks = swq_mpi_launched();

    if (ranks > 1 && swq_mpi_built())
        return swq_mpi_open(ctx, mpi);
    if (ranks > 1 && swq_mpi_launched_rank() == 0)
        fprintf(stderr,
                "switchq: built without MPI ('make MPI=1' has it): the %d ranks share the "
                "database as separate processes, which works only on one machine\n",
                ranks);
    return SWQ_OK;
}

swq_status cli_workers_meet(cli_workers *w)
{
    return w->mpi ? swq_ranks_meet(w->ctx, w->mpi, SWQ_VERSION, &w->ranks) : SWQ_OK;
}

bool cli_workers_far(const cli_workers *w)
{
    return w->ranks != NULL;
}

static swq_status start(cli_workers *w)
{
    int far = 0;
    swq_link *const *far_link = w->ranks ? swq_ranks_links(w->ranks, &far) : NULL;
    swq_status status = SWQ_OK;

    w->link = swq_calloc(w->ctx, (size_t)w->plan->count + (size_t)far, sizeof(swq_link *));
    if (!w->link)
        return swq_memory_status(w->ctx);
    while (!status && w->links < w->plan->count) {
        status = swq_link_local(w->ctx, w->keeper, &w->link[w->links]);
        w->links += !status;
    }
    for (int k = 0; k < far; k++)
        w->link[w->links++] = far_link[k];
    return status;
}

swq_status cli_workers_run(cli_workers *w, swq_store *store, const swq_crew_options *options,
                           swq_crew_result *result)
{
    swq_store_counts counts;
    swq_status status = swq_store_count(w->ctx, store, &counts);

    if (status || counts.open + counts.running == 0)
        return status;
    if (!w->link)
        status = start(w);
    return status ? status : swq_crew_run(w->ctx, store, w->link, w->links, options, result);
}

static swq_status lead(cli_workers *w)
{
    const swq_status status = w->plan->lead(w->plan->arg, w);

    for (int k = 0; k < w->links; k++)
        w->link[k]->end(w->link[k], w->ctx);
    swq_free(w->ctx, w->link);
    swq_keeper_end(w->ctx, w->keeper);
    if (w->mpi)
        swq_ranks_dismiss(w->ctx, w->mpi, w->ranks);
    swq_mpi_close(w->mpi, false);
    return status;
}

swq_status cli_workers_lead(swq_context *ctx, cli_workers_plan *plan)
{
    cli_workers w = {.ctx = ctx, .plan = plan};
    swq_status status = swq_keeper_start(ctx, cli_sweep_answer_quietly, &plan->memory, &w.keeper);

    if (!status)
        status = join(ctx, &w.mpi);
    if (!status && (!w.mpi || swq_mpi_rank(w.mpi) == 0))
        return lead(&w);
    plan->lent = w.mpi != NULL;
    if (!status)
        status = swq_ranks_lend(ctx, w.mpi, SWQ_VERSION, w.keeper, plan->count);
    swq_keeper_end(ctx, w.keeper);
    swq_mpi_close(w.mpi, status != SWQ_OK);
    return status;
}
