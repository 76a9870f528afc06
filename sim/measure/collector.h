/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The batches of all replications, several in a row taken together, from which results are
 * collected.
 */
#ifndef SWQ_SIM_MEASURE_COLLECTOR_H
#define SWQ_SIM_MEASURE_COLLECTOR_H

#include "sim/measure/replication.h"

#include <assert.h>

typedef struct swq_collector {
    const swq_replication *replication;
    const swq_sim_options *options;
    size_t merge;          /* number of successive batches that are merged into one, at least 1 */
    size_t batches;        /* merged batches of all replications */
    size_t *taken;         /* [replications] merged batches of each */
    double share;          /* of the run that counts for intervals of percentiles */
    bool windows;          /* only batches exist: totals are sums over them, not the system's */
    double *above, *below; /* [batches] space for sums */
} swq_collector;

/* The number of merged batches of a replication; batches left over join the last one. */
static inline size_t swq_taken_together(const swq_collector *c, const swq_replication *r)
{
    assert(c->merge > 0);
    return r->batches < c->merge ? r->batches > 0 : r->batches / c->merge;
}

/* The end of merged batch g of `groups`. */
static inline size_t swq_taken_end(const swq_collector *c, const swq_replication *r, size_t g,
                                   size_t groups)
{
    return g + 1 == groups ? r->batches : (g + 1) * c->merge;
}

/* From here on, `merge` successive batches are merged into one. */
static inline void swq_collector_merge(swq_collector *c, size_t merge)
{
    c->merge = merge;
    c->batches = 0;
    for (int k = 0; k < c->options->replications; k++) {
        c->taken[k] = swq_taken_together(c, &c->replication[k]);
        c->batches += c->taken[k];
    }
}

/* A collector of all replications, whose batches are not merged. space: see swq_results_space. */
static inline swq_collector swq_collector_of(const swq_replication *replication,
                                             const swq_sim_options *options, void *space)
{
    double *sums = space;
    const size_t batches = (size_t)options->replications * SWQ_MOST_BATCHES;
    swq_collector c = {.replication = replication,
                       .options = options,
                       .share = 1,
                       .above = sums,
                       .below = sums + batches,
                       .taken = (size_t *)(void *)(sums + 2 * batches)};

    swq_collector_merge(&c, 1);
    return c;
}

/* Is the network past saturation, and how does it show? */
swq_beyond swq_beyond_saturation(const swq_collector *c);

/* Fills in the details that the options ask for, if any. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_collect_detail(swq_context *ctx, const swq_collector *c);

#endif
