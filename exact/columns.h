/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Switches whose outputs can be solved one by one.
 */
#ifndef SWQ_EXACT_COLUMNS_H
#define SWQ_EXACT_COLUMNS_H

#include "switchq/exact.h"
#include "switchq/packets.h"

/* Can the requested answers be computed output by output? Without reduction, the switch is solved
 * as a whole. */
bool swq_columns_apart(const swq_switch *sw, const swq_exact_options *options);

/* Do the inputs treat outputs a and b alike? */
bool swq_column_alike(const swq_switch *sw, int a, int b);

/* The switch in which only packets for output j are created, as packets for output 0. */
void swq_column_switch(const swq_switch *sw, int j, swq_switch *column);

typedef swq_status swq_column_solve_fn(swq_context *ctx, const swq_switch *sw,
                                       const swq_exact_options *options, swq_answers *answers);

/* Solve one column of each kind with `solve`, and combine the answers. Errors: those of `solve`;
 * SWQ_ECONVERGE comes with answers. */
swq_status swq_columns_solve(swq_context *ctx, const swq_switch *sw,
                             const swq_exact_options *options, swq_column_solve_fn *solve,
                             swq_answers *answers);

typedef swq_status swq_column_delay_fn(swq_context *ctx, const swq_switch *sw,
                                       const swq_exact_options *options,
                                       const swq_packets_options *packets, swq_delay *delay);

/* Find the delay in one column of each kind with `solve`, and combine the distributions. */
swq_status swq_columns_delay(swq_context *ctx, const swq_switch *sw,
                             const swq_exact_options *options, const swq_packets_options *packets,
                             swq_column_delay_fn *solve, swq_delay *delay);

#endif
