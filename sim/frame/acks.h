/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Acknowledged flow controls, destination- and path-based: a store takes a packet only if it holds
 * no packet that goes the same way, and answers its feeder, which keeps the packet until the answer
 * is there. This file has the data of these flow controls; flights.h, a part of the general kernel,
 * has the steps of a transmission.
 *
 * All answers take the same time, so the transmissions that wait for an answer are a ring in the
 * order in which they began; transmissions whose packets have been compared come first. A mark
 * on a packet that was refused is the number of times that the store has cleared all marks: to
 * clear all marks, the store adds one to that number.
 */
#ifndef SWQ_SIM_FRAME_ACKS_H
#define SWQ_SIM_FRAME_ACKS_H

#include "sim/frame/net.h"

enum { SWQ_NO_KEY = UINT32_MAX };

/* A transmission that waits for its answer. */
typedef struct swq_flight {
    /* the packet's record, as in the store that the packet is read from, or as its sender sends
     * it */
    swq_parcel parcel;
    uint32_t start;     /* cycle */
    uint32_t from;      /* that store, or SWQ_TO_NODE | sender */
    uint32_t next_port; /* the store that takes or refuses the packet, or SWQ_SINK */
    uint16_t slot;      /* in `from` */
    uint8_t queue;      /* the queue in that store, and the one in the next store */
    uint8_t next_queue;
    uint8_t next_class;
    bool taken, refused; /* neither: not compared yet */
    uint16_t blocker;    /* if refused: the slot of the packet that goes the same way, or
                            SWQ_NO_SLOT: there was no room */
} swq_flight;

struct swq_acks {
    swq_flight *flight; /* [flights] a ring with room for one per link */
    /* `count` flights from `first` on, of which `compared` have been compared */
    uint32_t flights, first, count, compared;
    uint32_t answer; /* cycles from the start of a transmission to its answer */
    uint32_t *key; /* [parcels] the key by which a packet is compared, while it is in this store and
                      until the next store has taken it; else SWQ_NO_KEY */
    uint32_t *mark; /* [parcels] the packet is a BLOCKEE while this equals the `cleared` of the next
                       store; 0: it is not */
    uint16_t *refused;        /* [parcels] refusals of the packet while in this store */
    bool *blocker;            /* [parcels] */
    uint32_t *cleared;        /* [inputs] how often a store has cleared the marks of packets that it
                                 refused, plus 1; never 0 */
    uint16_t *pick;           /* [queues of input stores] the packet to be sent next */
    uint16_t *underway;       /* [inputs] flights to and from it */
    uint32_t *sender_mark;    /* [nodes] the same for the sender's packet */
    uint16_t *sender_refused; /* [nodes] */
    bool *rule;               /* [inputs] whether the store has the rule */
    bool restricted, requeue, abort, relinks;
    bool blind; /* packets are sent to stores with the rule whether or not these have room */
    int hops;   /* hops that are compared; 0: all */
    /* of the whole run */
    uint64_t refusals;
    swq_livelock most; /* the packet with the most refusals in succession */
};

/* The key of a packet to that node, in a store that has the rule. O(hops). */
uint32_t swq_ack_key(const swq_async_net *net, uint32_t port, uint32_t from, uint32_t to);

/* The index of a packet in the arrays above. */
static inline size_t swq_ack_at(const swq_async_net *net, uint32_t port, uint16_t slot)
{
    return (size_t)port * (uint32_t)net->slots + slot;
}

/* Does a store take or refuse packets by the rule of acknowledged flow control? */
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

/* Does a packet's mark keep it from being sent to the store `next_port`? */
static inline bool swq_ack_marked(const swq_async_net *net, uint32_t next_port, uint32_t mark)
{
    return mark && next_port != SWQ_SINK && mark == net->acks->cleared[next_port];
}

/* For the search for deadlocks: may a queue of a store with the rule still move, given marks and
 * flights? */
bool swq_ack_under_way(const swq_async_net *net, uint32_t port);
bool swq_ack_clears(const swq_async_net *net, uint32_t next_port);

/* Has a packet been refused so often that it seems to be stuck for good? */
bool swq_find_livelock(const swq_async_net *net);

#endif
