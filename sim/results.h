/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From batches and histograms to results.
 * Room: sim.
 */
#ifndef SWQ_SIM_RESULTS_H
#define SWQ_SIM_RESULTS_H

#include "sim/replication.h"

/* Are mean latency and throughput known to options->precision, relative? */
bool swq_results_precise(const swq_replication *replication, const swq_sim_options *options,
                         uint32_t nodes);

/* Everything but times and why it stopped. Batches are merged until their correlation is no longer
 * significant, or only SWQ_BATCHES / 4 a replication are left. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_results_collect(swq_context *ctx, swq_replication *replication,
                               const swq_sim_options *options, swq_sim_result *result);

#endif
