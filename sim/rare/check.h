/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The checked options of rare.h, for the run.
 * Room: sim.
 */
#ifndef SWQ_SIM_RARE_CHECK_H
#define SWQ_SIM_RARE_CHECK_H

#include "switchq/rare.h"

/* Packets that all nodes create in a cycle. */
double swq_rare_offered(const swq_traffic *traffic, uint32_t nodes);

/* The options that a network is made with. */
swq_sim_options swq_rare_making(const swq_rare_options *options);

/* Is all that is told as a probability one, as far as its interval tells? Before intervals are
 * withheld. Errors: SWQ_EINTERNAL; SWQ_ECONVERGE where an estimate above 1 has no interval, which
 * is that of too short a run. */
swq_status swq_rare_check_result(swq_context *ctx, const swq_rare_result *result, int stages);

#endif
