/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From batches and histograms to results.
 * Room: sim.
 */
#ifndef SWQ_SIM_MEASURE_RESULTS_H
#define SWQ_SIM_MEASURE_RESULTS_H

#include "sim/measure/memory.h"

/* Space, in bytes for each replication, for the functions below: two sums of each batch or beat,
 * and their number. */
enum { SWQ_RESULTS_SPACE = SWQ_MEMORY_SPACE * sizeof(double) };

/* The half-width, relative to the mean, of latency or throughput, whichever is known less well, by
 * the intervals that swq_results_collect would report now; INFINITY: nothing was delivered.
 * *trusted receives whether these can be trusted: the batches, once merged, are not found to be
 * correlated. */
double swq_results_precision(const swq_replication *replication, const swq_sim_options *options,
                             void *space, bool *trusted);

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
