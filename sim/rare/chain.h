/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A small chain of one buffer that shares its slots among queues, one per output: how likely it is
 * to refuse a packet soon. It models one output of the buffer, and the packets that compete for it.
 */
#ifndef SWQ_SIM_RARE_CHAIN_H
#define SWQ_SIM_RARE_CHAIN_H

#include "switchq/context.h"

/* Numbers of packets. */
typedef struct swq_contest {
    int mine;   /* in the buffer, for the output */
    int others; /* packets in the buffer for other outputs; one of these packets leaves in each
                   cycle */
    int rivals; /* packets for the output, elsewhere in the switch or on their way to it */
    int same;  /* on their way to the buffer, where one arrives in each cycle: for the output ... */
    int apart; /* ... and for other outputs */
} swq_contest;

/* Limits of the state; larger counts are clamped to them. */
typedef struct swq_contest_most {
    int capacity; /* mine + others */
    int rivals;
    int coming; /* same + apart */
} swq_contest_most;

typedef struct swq_contest_model {
    swq_contest_most most;
    int ports;
    bool each;   /* all queues of a buffer are read in a cycle, else one */
    double load; /* packets per cycle to the buffer when none is known to be on its way */
} swq_contest_model;

size_t swq_contest_states(const swq_contest_most *most);

/* Numbers pairs by their sum, then by `other`. */
static inline size_t swq_contest_pair(int one, int other)
{
    const size_t all = (size_t)one + (size_t)other;

    return all * (all + 1) / 2 + (size_t)other;
}

/* The number of a state, with its counts clamped to the limits. */
static inline size_t swq_contest_place(const swq_contest_most *most, const swq_contest *h)
{
    const int rivals = h->rivals < most->rivals ? h->rivals : most->rivals;
    const int same = h->same < most->coming ? h->same : most->coming;
    const int rest = most->coming - same, apart = h->apart < rest ? h->apart : rest;
    const size_t mine = swq_contest_pair(h->mine, h->others) * (size_t)(most->rivals + 1);

    return (mine + (size_t)rivals) * swq_contest_pair(most->coming + 1, 0) +
           swq_contest_pair(same, apart);
}

/* The probability that a packet is refused before the switch is empty, or some hundred cycles have
 * gone by: before[states] at the beginning of a cycle; after[states] within a cycle, after
 * transmission and before arrivals. */
void swq_contest_solve(const swq_contest_model *model, double *before, double *after);

#endif
