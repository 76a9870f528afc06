/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Virtual clocks (Zhang 1991; Frazier 1995, 8.2.2): every pair is a circuit with a rate, and every
 * switch has a clock for it, which each of its packets moves on by what it would take at that rate.
 * What the clock then says is the packet's stamp; of what could be sent the least stamp goes first.
 * Room: sim.
 */
#ifndef SWQ_SIM_ASYNC_VIRTUAL_CLOCK_H
#define SWQ_SIM_ASYNC_VIRTUAL_CLOCK_H

#include "sim/async/net.h"

struct swq_clocks {
    double *clock; /* [stages * nodes * nodes] stage, sender, destination: a circuit passes one
                      switch of a stage */
    double *rate;  /* [nodes * nodes] bytes a cycle, where a file says so, else 0; NULL: there is no
                      file */
    double *stamp; /* [inputs * slots] of the packets in input stores */
    double group_rate[SWQ_MAX_SENDER_GROUPS + 1]; /* of all circuits of a group's senders */
};

/* A packet comes into an input store, its header in p->ready. Where clocks may not be ahead by more
 * than that, p->ready is put off until its circuit's clock is no farther ahead. */
void swq_clock_stamp(swq_async_net *net, uint32_t port, swq_parcel *p);

/* The cycle in which to look at a head that can be sent in that one: heads that are put off are
 * farther ahead than the wheel goes, and are looked at in between, in cycles that all of them
 * share. */
static inline uint32_t swq_clock_wake(const swq_async_net *net, uint32_t when)
{
    const uint32_t half = net->wheel.slots / 2;

    return when - net->cycle < net->wheel.slots ? when : (net->cycle / half + 1) * half;
}

#endif
