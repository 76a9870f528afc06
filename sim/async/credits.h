/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Flow controls whose senders know of a buffer only what has come back to them: credits, and stop
 * and go. The general kernel asks here in place of looking into the next input store.
 *
 * Nothing is sent back as an event. What a packet frees when is settled as its transmission begins,
 * so a list of the packets that have left a store lately says what its sender knew a delay ago; and
 * who finds a store closed is told the cycle in which it will see it open.
 * Room: sim.
 */
#ifndef SWQ_SIM_ASYNC_CREDITS_H
#define SWQ_SIM_ASYNC_CREDITS_H

#include "sim/async/net.h"

/* A packet that has left a store. */
typedef struct swq_gone {
    swq_leaving leaving;
    uint32_t lane;
} swq_gone;

/* Of an input store: the packets that have left it and whose blocks are not all back, as far as its
 * sender (stop and go: the store itself) knows. */
typedef struct swq_account {
    uint16_t first, count; /* a ring */
    uint32_t blocks;       /* that these packets took */
    uint32_t refused;      /* set of the queues that the sender has found closed */
    uint32_t known;        /* stop and go: the signals are settled up to this cycle */
} swq_account;

/* Stop and go: what a store, or a queue of it, tells its sender. */
typedef struct swq_signal {
    uint32_t first, count; /* a ring: the cycles of the changes that the sender has not heard of */
    bool stopped;          /* as the store has it ... */
    bool told;             /* ... and as the sender has heard it */
} swq_signal;

struct swq_credits {
    swq_gone *gone;       /* [inputs * places] */
    swq_account *account; /* [inputs] */
    swq_signal *signal;   /* [inputs * signals]; NULL: credits */
    uint32_t *change;     /* [inputs * signals * changes] */
    uint32_t places; /* as many packets as a buffer holds, and, as a packet that has freed some of
                        its blocks takes a place, too, one more for each read port */
    uint32_t signals, changes;
    uint32_t delay;
};

/* Where the spec's flow control is one of these; else nothing is made, and there are no bytes. */
swq_status swq_credits_new(swq_context *ctx, swq_async_net *net);
void swq_credits_free(swq_context *ctx, swq_async_net *net);
double swq_credits_bytes(const swq_async_net *net);

/* Does the sender of an input store know of room for queue q? If not, but the cycle is known in
 * which it will, it is woken then. */
bool swq_credits_open(swq_async_net *net, uint32_t port, int q);

/* What a store holds is about to change: a packet comes, or begins to leave. */
void swq_credits_settle(swq_async_net *net, uint32_t port);

/* One has begun to leave queue q, and no longer counts as waiting there. */
void swq_credits_leave(swq_async_net *net, uint32_t port, int q, const swq_leaving *leaving);

/* Signals that a store has: none in all flow controls but stop and go. */
typedef enum { SWQ_NO_SIGNAL, SWQ_SIGNAL_ONE, SWQ_SIGNAL_EACH_QUEUE } swq_signal_kind;

static inline swq_signal_kind swq_signals(const swq_async_net *net, uint32_t port)
{
    if (!net->credits || !net->credits->signal || port >= net->inputs)
        return SWQ_NO_SIGNAL;
    return net->credits->signals == 1 ? SWQ_SIGNAL_ONE : SWQ_SIGNAL_EACH_QUEUE;
}

/* Will the sender of queue q have heard a stop when all is told, if nothing leaves any more? */
bool swq_stays_stopped(const swq_async_net *net, uint32_t port, int q);

#endif
