/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Acknowledged flow controls, destination- and path-based: a store takes a packet only if none is
 * there that goes the same way, and says so to who sent it, who keeps the packet until then. This
 * is what a network has for it; what happens with it is in flights.h, a part of the general kernel.
 *
 * All answers take the same time, so transmissions that wait for theirs are a ring in the order in
 * which they began; those that have been compared come first. A mark on a packet that was refused
 * is the number of times that the store has cleared all marks: clearing them is to count on. Room:
 * sim.
 */
#ifndef SWQ_SIM_ASYNC_ACKS_H
#define SWQ_SIM_ASYNC_ACKS_H

#include "sim/async/net.h"

enum { SWQ_NO_KEY = UINT32_MAX };

/* A transmission that waits for its answer. */
typedef struct swq_flight {
    swq_parcel parcel;  /* as it is in the store that it is read from, or comes from its sender */
    uint32_t start;     /* cycle */
    uint32_t from;      /* that store, or SWQ_TO_NODE | sender */
    uint32_t next_port; /* the store that takes or refuses it, or SWQ_SINK */
    uint16_t slot;      /* in `from` */
    uint8_t queue;      /* there, and in the next store */
    uint8_t next_queue;
    uint8_t next_class;
    bool taken, refused; /* neither: not yet compared */
    uint16_t blocker;    /* refused: the slot of the packet that goes the same way */
} swq_flight;

struct swq_acks {
    swq_flight *flight;                       /* [flights] a ring: one for each link */
    uint32_t flights, first, count, compared; /* `count` from the first on, `compared` of them */
    uint32_t answer;                          /* cycles from the start to the answer */
    uint32_t *key;  /* [parcels] what a packet is compared by, from when it was taken until it
                       has been taken by the next store; else SWQ_NO_KEY */
    uint32_t *mark; /* [parcels] BLOCKEE: as long as the next store's `cleared` is this; 0: not */
    uint16_t *refused;        /* [parcels] how often, from this store */
    bool *blocker;            /* [parcels] */
    uint32_t *cleared;        /* [inputs] marks because of this store, and 1 more; not 0 */
    uint16_t *pick;           /* [queues of input stores] the packet to be sent next */
    uint16_t *underway;       /* [inputs] flights to and from it */
    uint32_t *sender_mark;    /* [nodes] as `mark` */
    uint16_t *sender_refused; /* [nodes] */
    bool *rule;               /* [inputs] the store has the rule */
    bool restricted, requeue, abort, relinks;
    int hops; /* 0: to the end */
    /* in the whole run */
    uint64_t refusals;
    swq_livelock most; /* the packet that was refused most often in succession */
};

/* What a packet to that node is compared by in a store that has the rule. O(hops). */
uint32_t swq_ack_key(const swq_async_net *net, uint32_t port, uint32_t from, uint32_t to);

/* A packet's place in the arrays above. */
static inline size_t swq_ack_at(const swq_async_net *net, uint32_t port, uint16_t slot)
{
    return (size_t)port * (uint32_t)net->slots + slot;
}

/* Has a store the rule? */
static inline bool swq_ack_rule(const swq_async_net *net, uint32_t port)
{
    return net->acks && net->acks->rule[port];
}

/* The store that a packet goes to next, or SWQ_SINK. */
static inline uint32_t swq_ack_next(const swq_async_net *net, uint32_t port, const swq_parcel *p)
{
    const swq_fabric *f = net->fabric;
    const uint32_t out = f->output[(size_t)port * (uint32_t)f->classes + p->packet_class];
    const uint32_t link = f->link[port - port % (uint32_t)f->ports + out];

    return link & SWQ_TO_NODE ? SWQ_SINK : link;
}

/* May a packet that bears that mark not be sent to that store? */
static inline bool swq_ack_marked(const swq_async_net *net, uint32_t next_port, uint32_t mark)
{
    return mark && next_port != SWQ_SINK && mark == net->acks->cleared[next_port];
}

/* A search for deadlocks: may a queue of a store that has the rule still move, as far as marks and
 * flights say? */
bool swq_ack_under_way(const swq_async_net *net, uint32_t port);
bool swq_ack_clears(const swq_async_net *net, uint32_t next_port);

/* Has a packet been refused so often that it seems to be for ever? */
bool swq_find_livelock(const swq_async_net *net);

#endif
