/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The batches of all replications as results are collected from them: some in a row taken together.
 * Room: sim.
 */
#ifndef SWQ_SIM_MEASURE_COLLECTOR_H
#define SWQ_SIM_MEASURE_COLLECTOR_H

#include "sim/measure/replication.h"

typedef struct swq_collector {
    const swq_replication *replication;
    const swq_sim_options *options;
    size_t merge;          /* so many batches in a row are taken as one */
    size_t batches;        /* of all replications, so taken */
    bool windows;          /* batches are all there is: totals are theirs, and not the system's */
    double *above, *below; /* [batches] room for what is summed */
} swq_collector;

/* Batches of a replication when taken together; those left over join the last. */
static inline size_t swq_taken_together(const swq_collector *c, const swq_replication *r)
{
    return r->batches < c->merge ? r->batches > 0 : r->batches / c->merge;
}

/* Where the g-th of `groups` batches taken together ends. */
static inline size_t swq_taken_end(const swq_collector *c, const swq_replication *r, size_t g,
                                   size_t groups)
{
    return g + 1 == groups ? r->batches : (g + 1) * c->merge;
}

/* Fill the detail that the options ask for, if they do. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_collect_detail(swq_context *ctx, const swq_collector *c);

#endif
