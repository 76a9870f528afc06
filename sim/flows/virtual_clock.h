/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Virtual clocks (Zhang 1991; Frazier 1995, 8.2.2): every pair of nodes is a circuit with a rate,
 * and every switch has a clock for each circuit. A packet of the circuit moves the clock on by the
 * time that the packet takes at the circuit's rate. The clock's new time is the packet's stamp; of
 * the packets that could be sent, the one with the least stamp goes first.
 */
#ifndef SWQ_SIM_FLOWS_VIRTUAL_CLOCK_H
#define SWQ_SIM_FLOWS_VIRTUAL_CLOCK_H

#include "sim/frame/net.h"

struct swq_clocks {
    double *clock; /* [stages * nodes * nodes] stage, sender, destination: a circuit passes one
                      switch of each stage */
    double *rate;  /* [nodes * nodes] bytes per cycle if the file has the pair, else 0; NULL: there
                      is no file */
    double *stamp; /* [inputs * slots] stamps of the packets in input stores */
    /* rate of all circuits of a sender of each group */
    double group_rate[SWQ_MAX_SENDER_GROUPS + 1];
};

/* Stamps a packet that comes into an input store, its header being ready in p->ready. If clocks may
 * be ahead by a limited number of cycles only, p->ready is put off until its circuit's clock is no
 * further ahead. */
void swq_clock_stamp(swq_async_net *net, uint32_t port, swq_parcel *p);

/* The cycle in which to look at a head that can be sent in `cycle`. Heads that are put off further
 * than the wheel reaches are looked at in between, in common cycles. */
static inline uint32_t swq_clock_wake(const swq_async_net *net, uint32_t when)
{
    const uint32_t half = net->wheel.slots / 2;

    return when - net->cycle < net->wheel.slots ? when : (net->cycle / half + 1) * half;
}

#endif
