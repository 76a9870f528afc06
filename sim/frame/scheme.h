/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schemes that hold senders back, whatever the network would take (Frazier 1995, 8.2.2 and 8.2.3):
 * the hooks of a row of their table, and what these can call. A scheme is a file in this folder
 * with its state, its hooks and its row. See docs/asynchronous.md.
 */
#ifndef SWQ_SIM_FRAME_SCHEME_H
#define SWQ_SIM_FRAME_SCHEME_H

#include "base/arrays.h"
#include "switchq/async.h"

#include <stddef.h>

struct swq_async_net;
struct swq_parcel;

enum { SWQ_SCHEME_STATE = 256 }; /* most bytes of a scheme's own struct */

/* Of the hooks, `node_bytes`, `list` and `lets` must be there; the others may be NULL. A scheme's
 * own struct is swq_scheme_own(net), and begins as zeros. There is no hook for a loss, as no packet
 * is lost after it has been sent: flow controls that refuse packets are refused with a scheme. */
typedef struct swq_sender_hooks {
    /* Errors: SWQ_EINVAL for values that are in the ranges of their parameters and yet mean
     * nothing in this network. The groups of senders, or the trace, have been checked. */
    swq_status (*check)(swq_context *ctx, const swq_async *n, const swq_fabric *fabric);
    /* Bytes of state that hardware needs at each node, and at each switch that nodes are linked
     * to. */
    double (*node_bytes)(const swq_async *n, uint32_t nodes);
    double (*switch_bytes)(const swq_async *n, const swq_fabric *fabric);

    /* Lists the arrays of the scheme's own struct `own`, and sets their sizes there; `begin` fills
     * them before the first cycle. */
    void (*list)(const struct swq_async_net *net, void *own, swq_arrays *list);
    void (*begin)(struct swq_async_net *net);

    /* A sender has a packet. Returns the cycle from which it may send the packet; SWQ_NEVER: the
     * scheme will wake the sender (swq_scheme_wake). */
    uint32_t (*lets)(const struct swq_async_net *net, uint32_t sender, uint32_t to, uint32_t bytes);
    /* The sender sends the packet or, where a management has interfaces in stores of its own, gives
     * the packet to its node's interface. */
    void (*sent)(struct swq_async_net *net, uint32_t sender, uint32_t to, uint32_t bytes);
    /* A packet for node `to` begins its way into a store. With this hook, architectures and
     * managements with stores of their own that do not tell (swq_store_hooks.tells_entries) are
     * refused. */
    void (*entered)(struct swq_async_net *net, uint32_t port, uint32_t to);
    /* A packet has joined a queue of a store. Does it get a mark, which it keeps? With this hook
     * all architectures and managements with stores of their own are refused. */
    bool (*marks)(const struct swq_async_net *net, uint32_t port, int queue,
                  const struct swq_parcel *packet);
    /* A packet, marked or not, begins its transmission to its node, where its last byte is `there`
     * cycles later. */
    void (*delivered)(struct swq_async_net *net, uint32_t from, uint32_t to, uint32_t there,
                      bool marked);
    /* What was sent back to a node has arrived there (swq_scheme_send_back): the acknowledgement of
     * a packet to node `to`, marked if the packet was, or a token. The node is woken. */
    void (*returned)(struct swq_async_net *net, uint32_t node, uint32_t to, bool marked);
    /* A cycle begins, before anything else happens in it. */
    void (*cycle)(struct swq_async_net *net);

    /* The number of senders that have a packet and will wait for ever; *first: the lowest of
     * them. */
    uint32_t (*starved)(const struct swq_async_net *net, uint32_t *first);
} swq_sender_hooks;

/* Something on its way back to a node. */
typedef struct swq_return {
    uint32_t node, next;
    uint32_t to : 31, marked : 1;
} swq_return;

/* What the schemes of a network share. */
typedef struct swq_scheme {
    const swq_sender_hooks *hooks;
    const double *value; /* of the parameters */
    /* for schemes with `returned`: */
    uint32_t *first;  /* [slots] lists of what arrives in a cycle */
    swq_return *back; /* [backs] */
    uint32_t slots, backs, free;
    bool *mark;   /* for schemes with `marks`, else NULL: as the network's `parcel` */
    bool passing; /* the mark of the packet that is about to enter a store */
    _Alignas(max_align_t) unsigned char own[SWQ_SCHEME_STATE];
} swq_scheme;

/* From cycle `delay` from now on, what is sent back is at the node. */
void swq_scheme_send_back(struct swq_async_net *net, uint32_t delay, uint32_t node, uint32_t to,
                          bool marked);

/* A node is looked at again in this cycle. */
void swq_scheme_wake(struct swq_async_net *net, uint32_t node);

/* Bits of a counter from 0 to `most`. */
double swq_scheme_bits(double most);

#endif
