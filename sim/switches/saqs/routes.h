/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The routes of a network's packets as words of turns: how many bits they take, and the route of a
 * pair.
 */
#ifndef SWQ_SIM_SWITCHES_SAQS_ROUTES_H
#define SWQ_SIM_SWITCHES_SAQS_ROUTES_H

#include "switchq/fabric.h"

/* The bits of a turn, which is the number of an output. */
int swq_turn_bits(const swq_fabric *fabric);

/* The route of a packet from its entry port on, in a fabric that is laid out. O(turns). */
uint64_t swq_route_of(const swq_fabric *fabric, uint32_t from, uint32_t to);

/* Refuses networks that a scheme with paths cannot handle. Errors: SWQ_EINVAL naming the obstacle:
 * adaptive routing, chained switches, rings, or routes of more than `turnpool_bits` bits, 1 ..
 * SWQ_MOST_TURNPOOL_BITS. */
swq_status swq_routes_check(swq_context *ctx, const char *scheme, const swq_fabric *fabric,
                            int turnpool_bits);

#endif
