/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Architectures with stores of their own: what their row's hooks are asked. They bring a kernel,
 * and use the ports, packets, senders and wheel that all networks have. See docs/asynchronous.md.
 * Room: sim. Includes base.
 */
#ifndef SWQ_SIM_ASYNC_STORES_H
#define SWQ_SIM_ASYNC_STORES_H

#include "base/arrays.h"
#include "switchq/async.h"

struct swq_async_net;
struct swq_kernel;

/* All but `check`, `kernel` and `lay_out` may be NULL. */
typedef struct swq_store_hooks {
    const struct swq_kernel *kernel;
    /* Errors: SWQ_EINVAL for what it cannot do with this network. */
    swq_status (*check)(swq_context *ctx, const swq_async *spec, const swq_fabric *fabric);
    /* The queues of an input store, the packets that it may hold, and what else its arrays need. */
    void (*lay_out)(struct swq_async_net *net);
    void (*list)(struct swq_async_net *net, swq_arrays *list); /* arrays of its own */
    void (*empty)(struct swq_async_net *net);                  /* ... as a run begins */
    void (*begin)(struct swq_async_net *net); /* the warm-up is over, measuring begins */
    void (*watch)(struct swq_async_net *net); /* there is somebody who looks on: net->watch */
    /* Packets that lie elsewhere than in the queues of stores, added to what was counted there. */
    void (*audit)(const struct swq_async_net *net, uint64_t *packets, uint64_t *age,
                  uint64_t *bytes);
    /* Is what is counted in stores what lies there? */
    bool (*conserved)(const struct swq_async_net *net);
    /* Bytes that a store, of those that are told of, holds; and of these those for a node. */
    uint32_t (*held)(const struct swq_async_net *net, uint32_t store);
    /* ... by packets for a node; and the set-aside queues that are in use there. */
    uint32_t (*held_for)(const struct swq_async_net *net, uint32_t store, uint32_t node);
    uint32_t (*aside)(const struct swq_async_net *net, uint32_t store);
    /* How chunks were used: add this replication's samples up, and their number. */
    void (*tell)(const struct swq_async_net *net, swq_chunk_use *sum, uint64_t *samples);
    /* What is counted of set-aside queues, inputs first. */
    const struct swq_saq_counts *(*saq_counts)(const struct swq_async_net *net);
    /* What set-aside queues did: add this replication's. */
    void (*tell_saqs)(const struct swq_async_net *net, swq_saq_use *sum);
    /* Find what can never move again; fills `waiting`. NULL: nothing can come to that. */
    bool (*deadlocked)(struct swq_async_net *net);
    /* Does nothing rule out a deadlock? NULL: those that could are refused. */
    bool (*may_deadlock)(const swq_async *spec);
    bool by_flit; /* a packet leaves its sender flit by flit: it is offered, and the sender told */
    bool interfaces; /* a packet goes to an interface, which begins to send it later: it is offered,
                        and the sender told that it has been handed over */
    uint32_t ahead;  /* cycles later than all other news in which something of its own is due */
} swq_store_hooks;

extern const swq_store_hooks swq_stores_hipiqs, swq_stores_crosspoint, swq_stores_several,
    swq_stores_central, swq_stores_lanes, swq_stores_atlas, swq_stores_recn_iq, swq_stores_recn;

/* What no architecture with stores of its own does. Errors: SWQ_EINVAL naming it. */
swq_status swq_stores_check(swq_context *ctx, const swq_async *spec, const swq_fabric *fabric);

#endif
