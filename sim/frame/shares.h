/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One large asynchronous network on several threads. Each has a share (swq_async_share) and a copy
 * of the network's struct with a timing wheel, counters and dice of its own; the arrays of stores
 * and senders are common to all threads, but only the thread of a share touches the share's stores
 * and senders.
 *
 * A store is at the *border* if the link to it comes out of another share. The store's state that
 * its feeder has to know (how much it holds, and when departing packets will have left) is kept
 * twice: in the store, and for the feeder. In a cycle, both sides put their news into boxes:
 * packets that come over the border, and packets that begin to leave a store at it. Then all
 * threads meet, and each takes out the news for its own share. The shares change no number: a
 * packet that comes cannot be read before the next cycle, a departing one holds all its blocks
 * until then, nothing else that an arbiter looks at depends on the order in which units are looked
 * at, and all counts are sums modulo 2^64.
 */
#ifndef SWQ_SIM_FRAME_SHARES_H
#define SWQ_SIM_FRAME_SHARES_H

#include "base/barrier.h"
#include "sim/frame/net.h"

/* A packet that comes over the border: its record in the store that it enters, and the new state
 * of that store's link. */
typedef struct swq_coming {
    uint32_t port;
    uint32_t link_free; /* of the port, from now on */
    uint32_t tail;
    swq_parcel parcel;
} swq_coming;

/* A packet begins to leave: the new state of the reader of its queue. */
struct swq_parting {
    uint32_t port;
    swq_reader reader;
};

/* The news from one share to another. */
typedef struct swq_box {
    swq_coming *coming;
    swq_parting *parting;
    uint32_t comings, partings;
} swq_box;

typedef struct swq_border {
    int shares, queues;
    uint32_t stores;
    uint32_t *place;    /* [inputs] the number of a store at the border */
    swq_port *port;     /* [stores] in the view of their feeders */
    swq_queue *queue;   /* [stores * queues] */
    swq_reader *reader; /* [stores * queues] with a read port per queue, else NULL */
    uint16_t *owner;    /* [stores] the share of a store ... */
    uint16_t *feeder;   /* ... and of its feeder */
    /* [2 * stores] contents of the boxes, at most one item for each store and cycle */
    swq_coming *coming;
    swq_parting *parting; /* [2 * stores * readers] */
    swq_box *box;         /* [2 * shares * shares] for even and odd cycles, from, to */
    swq_barrier meet;
} swq_border;

/* Is an input store, or an output, in another share? */
static inline bool swq_is_abroad(const swq_async_share *share, uint32_t port)
{
    return port - share->first >= share->inputs;
}

static inline swq_port *swq_border_port(const swq_border *b, uint32_t port)
{
    return &b->port[b->place[port]];
}

static inline swq_queue *swq_border_queues(const swq_border *b, uint32_t port)
{
    return &b->queue[(size_t)b->place[port] * (uint32_t)b->queues];
}

static inline swq_reader *swq_border_readers(const swq_border *b, uint32_t port)
{
    return &b->reader[(size_t)b->place[port] * (uint32_t)b->queues];
}

/* The box for the news of `cycle` from share `from` to share `to`. Each pair has two boxes:
 * while one is emptied at the beginning of the next cycle, the other is filled. */
static inline swq_box *swq_box_of(const swq_border *b, uint32_t cycle, int from, int to)
{
    return &b->box[((cycle & 1 ? b->shares : 0) + from) * b->shares + to];
}

/* A place in a box for the news that a packet comes to a store of another share; the next function:
 * that a packet leaves a store which another share feeds. */
static inline swq_coming *swq_border_coming(const swq_async_net *net, uint32_t port)
{
    const swq_border *b = net->share.border;
    swq_box *box = swq_box_of(b, net->cycle, net->share.number, b->owner[b->place[port]]);

    return &box->coming[box->comings++];
}

static inline swq_parting *swq_border_parting(const swq_async_net *net, uint32_t port)
{
    const swq_border *b = net->share.border;
    swq_box *box = swq_box_of(b, net->cycle, net->share.number, b->feeder[b->place[port]]);

    return &box->parting[box->partings++];
}

/* The number of shares for a network laid out for `threads` threads; 1: the network is too small,
 * or an option needs a single thread. */
int swq_async_shares_of(const swq_async_net *net, int threads);

/* Bytes of the shares. O(switches + nodes * shares). */
double swq_async_shares_bytes(const swq_async_net *net, int shares);

/* Divides a network, in its first cycle, into 2 .. SWQ_MAX_THREADS shares, no more than it has
 * switches, and starts the threads of all but the first share, which is the caller's. If the
 * threads cannot be started, *made is NULL and the network stays whole. Errors: SWQ_ENOMEM,
 * SWQ_ELIMIT. */
swq_status swq_async_shares_new(swq_context *ctx, swq_async_net *net, int shares,
                                struct swq_async_shares **made);
void swq_async_shares_free(swq_context *ctx, struct swq_async_shares *s);

/* Runs all shares for `cycles` cycles. Returns `cycles`. */
uint64_t swq_async_shares_run(struct swq_async_shares *s, uint64_t cycles);

#endif
