/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a memory loses at its brim: a walk of the number of packets there.
 */
#ifndef SWQ_APPROX_MEMORY_BRIM_H
#define SWQ_APPROX_MEMORY_BRIM_H

#include "switchq/context.h"

/* Packets lost per cycle, *lost, over the probability that an unlimited memory holds as many
 * packets as this one has slots. Near the brim that probability falls by exp(-decay) a packet, and
 * in each cycle the queues that hold packets, `busy` of them on average, send one each, and
 * arrivals come from `ports` inputs, each with probability load. The number of busy queues is taken
 * to be independent from cycle to cycle; its law is that of largest entropy, relative to a binomial
 * one, which has that mean and leaves the falling law unchanged. What does not fit is lost, and the
 * stationary law of the walk below the brim is found by elimination. busy: ports load .. ports;
 * decay > 0. O(ports^3). Errors: SWQ_ENOMEM. */
swq_status memory_brim(swq_context *ctx, int ports, double load, double busy, double decay,
                       double *lost);

#endif
