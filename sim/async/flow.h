/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a flow control does beyond the room rule and a threshold: the hooks of a row of its table.
 * The general kernel alone asks them, of input stores. See docs/asynchronous.md.
 * Room: sim. Includes base.
 */
#ifndef SWQ_SIM_ASYNC_FLOW_H
#define SWQ_SIM_ASYNC_FLOW_H

#include "base/context.h"
#include "switchq/async.h"

struct swq_async_net;
struct swq_leaving;

/* What a search for deadlocks is told of a queue. */
typedef enum swq_closure {
    SWQ_CLOSED_BY_ROOM, /* if the room rule says so: the flow control keeps nothing closed */
    SWQ_QUEUE_OPENS,    /* whatever the room rule says, it will open */
    SWQ_QUEUE_STUCK,    /* it stays closed unless something leaves the queue */
    SWQ_STORE_STUCK     /* ... the store */
} swq_closure;

/* All but `check` may be NULL. What has a memory of its own has `bytes`, `make` and `free`. */
typedef struct swq_flow_hooks {
    /* Errors: SWQ_EINVAL for what it cannot do with this network, of so many queues a buffer. */
    swq_status (*check)(swq_context *ctx, const swq_async *spec, int queues);
    /* Cycles later than all other news after which a sender may have to be woken, at most. */
    uint32_t (*ahead)(const swq_async *spec);
    double (*bytes)(const struct swq_async_net *net); /* of a network that is laid out */
    swq_status (*make)(swq_context *ctx, struct swq_async_net *net);
    void (*free)(swq_context *ctx, struct swq_async_net *net); /* of what `make` got to */
    /* Does the sender of an input store find queue q open? If not, but the cycle is known in which
     * it will, it is to be woken then (swq_wake_feeder). */
    bool (*open)(struct swq_async_net *net, uint32_t port, int q);
    bool in_place; /* `open` is asked in place of the room rule, not after it */
    /* What a store holds is about to change: a packet comes to queue q, or begins to leave it. */
    void (*settle)(struct swq_async_net *net, uint32_t port, int q);
    /* One has begun to leave queue q, and no longer counts as waiting there. */
    void (*leave)(struct swq_async_net *net, uint32_t port, int q,
                  const struct swq_leaving *leaving);
    /* With nothing coming or beginning to leave any more, is queue q closed for ever? */
    swq_closure (*stuck)(struct swq_async_net *net, uint32_t port, int q);
} swq_flow_hooks;

#endif
