/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two-counter flow control (Frazier 1995, 8.4.3): a queue has a counter beside its length, brought
 * up to date every so many cycles, and is closed while that counter is at its threshold or above.
 *
 * Nothing happens in the cycles of these updates. What a queue holds is settled as packets come and
 * begin to leave, so a counter is brought up to date when somebody asks or a length is about to
 * change, and who finds a queue closed is woken in the cycle in which its counter will have fallen.
 * Room: sim.
 */
#ifndef SWQ_SIM_ASYNC_TWO_COUNTER_H
#define SWQ_SIM_ASYNC_TWO_COUNTER_H

#include "sim/async/net.h"

/* Of a queue of an input store. The update of a cycle sees the length before arbitration in it. */
struct swq_counter {
    uint32_t known; /* all updates up to this cycle are in `count` */
    uint32_t count;
};

/* Errors: SWQ_EINVAL for parameters that contradict, and for what has no such counters. */
swq_status swq_counters_check(swq_context *ctx, const swq_async *n);

/* Cycles after which a sender may have to be woken, at most; later ones are reached by looking in
 * between. */
uint32_t swq_counters_ahead(const swq_async *n);

/* Is queue q of an input store open by its counter? If not, but the cycle is known in which it will
 * be, its sender is woken then. */
bool swq_counters_open(swq_async_net *net, uint32_t port, int q);

/* What queue q holds is about to change: a packet comes, or begins to leave and so ends what is
 * known of the packet that left the same read port before it. */
void swq_counters_settle(swq_async_net *net, uint32_t port, int q);

/* One has begun to leave queue q. */
void swq_counters_left(swq_async_net *net, uint32_t port, int q);

/* Will queue q stay closed, if nothing leaves it any more? */
bool swq_counters_stuck(swq_async_net *net, uint32_t port, int q);

#endif
