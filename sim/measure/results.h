/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From batches and histograms to results.
 * Room: sim.
 */
#ifndef SWQ_SIM_MEASURE_RESULTS_H
#define SWQ_SIM_MEASURE_RESULTS_H

#include "sim/measure/replication.h"

/* Doubles of space that the functions below need. */
static inline size_t swq_results_space(const swq_sim_options *options)
{
    return 2 * (size_t)options->replications * SWQ_MOST_BATCHES;
}

/* Are mean latency and throughput known to options->precision, relative, by the intervals that
 * swq_results_collect would report now, and are these to be trusted? */
bool swq_results_precise(const swq_replication *replication, const swq_sim_options *options,
                         double *space);

/* Everything but times and why it stopped. Batches are taken together until their correlation is no
 * longer significant, or only SWQ_BATCHES / 4 a replication are left. Errors: SWQ_ENOMEM,
 * SWQ_ELIMIT; SWQ_EINTERNAL when what is told as a probability is none. */
swq_status swq_results_collect(swq_context *ctx, const swq_replication *replication,
                               const swq_sim_options *options, double *space,
                               swq_sim_result *result);

/* The windows of all replications, which have ended: a series that the caller frees. Errors:
 * SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_results_series(swq_context *ctx, const swq_replication *replication,
                              const swq_sim_options *options, double *space, swq_series **series);

/* A trace is run once, and nothing of it is drawn: batches of it are no sample. Half-widths become
 * NAN, in the result and in its details (NULL: there are none). */
void swq_result_drop_intervals(swq_sim_result *result, swq_detail *detail);

#endif
