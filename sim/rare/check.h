/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The checked options of rare.h, for the run.
 */
#ifndef SWQ_SIM_RARE_CHECK_H
#define SWQ_SIM_RARE_CHECK_H

#include "switchq/rare.h"

/* Packets created by all nodes per cycle, on average. */
double swq_rare_offered(const swq_traffic *traffic, uint32_t nodes);

/* The simulation options with which networks are made. */
swq_sim_options swq_rare_making(const swq_rare_options *options);

/* Does every probability lie in [0, 1], as far as its interval can tell? To be called before
 * intervals are withheld. Errors: SWQ_EINTERNAL; SWQ_ECONVERGE if an estimate above 1 has no
 * interval, because the run was too short. */
swq_status swq_rare_check_result(swq_context *ctx, const swq_rare_result *result, int stages);

#endif
