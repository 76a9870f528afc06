/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The batches of all replications, several in a row taken together, from which results are
 * collected.
 * Room: sim.
 */
#ifndef SWQ_SIM_MEASURE_COLLECTOR_H
#define SWQ_SIM_MEASURE_COLLECTOR_H

#include "sim/measure/replication.h"

#include <assert.h>

typedef struct swq_collector {
    const swq_replication *replication;
    const swq_sim_options *options;
    size_t merge;          /* number of batches in a row that are taken as one, at least 1 */
    size_t batches;        /* of all replications, taken together in this way */
    bool windows;          /* there are only batches: totals are theirs, not the system's */
    double *above, *below; /* [batches] space for sums */
} swq_collector;

/* Batches of a replication when taken together; those left over join the last. */
static inline size_t swq_taken_together(const swq_collector *c, const swq_replication *r)
{
    assert(c->merge > 0);
    return r->batches < c->merge ? r->batches > 0 : r->batches / c->merge;
}

/* The end of the g-th of `groups` batches that are taken together. */
static inline size_t swq_taken_end(const swq_collector *c, const swq_replication *r, size_t g,
                                   size_t groups)
{
    return g + 1 == groups ? r->batches : (g + 1) * c->merge;
}

/* A collector of all replications. space: as in sim/measure/results.h. */
static inline swq_collector swq_collector_of(const swq_replication *replication,
                                             const swq_sim_options *options, double *space)
{
    return (swq_collector){.replication = replication,
                           .options = options,
                           .merge = 1,
                           .above = space,
                           .below = space + (size_t)options->replications * SWQ_MOST_BATCHES};
}

/* Is the network past saturation, and how? */
swq_beyond swq_beyond_saturation(const swq_collector *c);

/* Fill the detail that the options ask for, if they do. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_collect_detail(swq_context *ctx, const swq_collector *c);

#endif
