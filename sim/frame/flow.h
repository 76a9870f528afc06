/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a flow control does beyond the room rule and a threshold: the hooks of a row of its table.
 * The general kernel alone asks them, of input stores. See docs/asynchronous.md.
 */
#ifndef SWQ_SIM_FRAME_FLOW_H
#define SWQ_SIM_FRAME_FLOW_H

#include "base/context.h"
#include "sim/measure/state.h"
#include "switchq/async.h"

struct swq_async_net;
struct swq_leaving;

/* The answer to a search for deadlocks about a queue. */
typedef enum swq_closure {
    SWQ_CLOSED_BY_ROOM, /* the room rule decides; the flow control keeps nothing closed */
    SWQ_QUEUE_OPENS,    /* it will open, whatever the room rule says */
    SWQ_QUEUE_STUCK,    /* it stays closed unless a packet leaves the queue */
    SWQ_STORE_STUCK     /* ... unless a packet leaves the store */
} swq_closure;

/* All hooks except `check` may be NULL. A flow control with memory of its own has `bytes`, `make`
 * and `free`. */
typedef struct swq_flow_hooks {
    /* Errors: SWQ_EINVAL for options that the flow control does not support in this network, with
     * `queues` queues per buffer. */
    swq_status (*check)(swq_context *ctx, const swq_async *spec, int queues);
    /* How many cycles, at most, after all other events a sender may have to be woken. */
    uint32_t (*ahead)(const swq_async *spec);
    double (*bytes)(const struct swq_async_net *net); /* for a network that is laid out */
    swq_status (*make)(swq_context *ctx, struct swq_async_net *net);
    /* whatever `make` has made, after an error too */
    void (*free)(swq_context *ctx, struct swq_async_net *net);
    /* Adds this memory to a state that is saved. NULL, with `make`: a network with this flow
     * control is not saved. */
    void (*keep)(struct swq_async_net *net, swq_state *state);
    /* Does the sender of an input store find queue q open? If not, and the cycle is known in which
     * it will, the sender is woken then (swq_wake_feeder). */
    bool (*open)(struct swq_async_net *net, uint32_t port, int q);
    bool in_place; /* `open` replaces the room rule, instead of following it */
    /* Called before the contents of a store change: a packet comes to queue q, or begins to leave
     * it. */
    void (*settle)(struct swq_async_net *net, uint32_t port, int q);
    /* A packet has begun to leave queue q, and no longer counts as waiting there. */
    void (*leave)(struct swq_async_net *net, uint32_t port, int q,
                  const struct swq_leaving *leaving);
    /* If no packet comes or begins to leave any more, is queue q closed for good? */
    swq_closure (*stuck)(struct swq_async_net *net, uint32_t port, int q);
} swq_flow_hooks;

#endif
