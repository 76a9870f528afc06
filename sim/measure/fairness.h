/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How equally a network treats senders that send alike.
 */
#ifndef SWQ_SIM_MEASURE_FAIRNESS_H
#define SWQ_SIM_MEASURE_FAIRNESS_H

#include "sim/measure/collector.h"

/* Fills in *fairness, from batches that are merged in the same way as for the other results. Uses
 * c->above and c->below. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_collect_fairness(swq_context *ctx, const swq_collector *c, swq_fairness *fairness);

/* A sender's throughput per cycle, with its interval, which is NAN in networks that keep no batches
 * by sender. The mean is NAN where nothing is counted by sender. Uses c->above and c->below. */
swq_estimate swq_collect_sender(const swq_collector *c, uint32_t node);

#endif
