/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From batches and histograms to results.
 */
#ifndef SWQ_SIM_MEASURE_RESULTS_H
#define SWQ_SIM_MEASURE_RESULTS_H

#include "sim/measure/memory.h"

/* Space, in bytes for each replication, for the functions below: two sums of each batch or beat,
 * and their number. */
enum { SWQ_RESULTS_SPACE = SWQ_MEMORY_SPACE * sizeof(double) };

/* How well latency or throughput is known, whichever is known less well. */
typedef struct swq_precision {
    double known;   /* the half-width relative to the mean; INFINITY: nothing was delivered */
    double scatter; /* the same, as the scatter of the batches alone says */
    bool trusted;   /* the run is many times as long as its memory and the slowest process of its
                       sources, and the batches, once merged, are not found to be correlated */
} swq_precision;

/* By the intervals that swq_results_collect and swq_result_refuse would report now. */
swq_precision swq_results_precision(const swq_replication *replication,
                                    const swq_sim_options *options, void *space);

/* Collects everything except times and the reason for stopping. Batches are merged until their
 * correlation is no longer significant, or only SWQ_BATCHES / 4 are left of a replication. Errors:
 * SWQ_ENOMEM, SWQ_ELIMIT; SWQ_EINTERNAL if a probability is outside [0, 1]. */
swq_status swq_results_collect(swq_context *ctx, const swq_replication *replication,
                               const swq_sim_options *options, void *space, swq_sim_result *result);

/* The series of all replications' windows; the replications have ended, and the caller frees the
 * series. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_results_series(swq_context *ctx, const swq_replication *replication,
                              const swq_sim_options *options, void *space, swq_series **series);

#endif
