/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schemes that hold senders back, whatever the network would take (Frazier 1995, 8.2.2 and 8.2.3):
 * windows, leaky buckets, tokens and global feedback (feedback.c). A sender asks before it looks at
 * its switch; who waits for an acknowledgement or a token is woken when that comes, and who waits
 * for credit when it is enough. Room: sim.
 */
#ifndef SWQ_SIM_ASYNC_SENDERS_SCHEMES_H
#define SWQ_SIM_ASYNC_SENDERS_SCHEMES_H

#include "sim/async/net.h"

/* What is on its way to a sender: the acknowledgement of a packet to `to`, or a token. */
typedef struct swq_return {
    uint32_t node, to, next;
} swq_return;

/* Nodes that are hot: what their last switches count, and what senders know. */
typedef struct swq_feedback {
    uint32_t *home;    /* [nodes] a node's last switch, ... */
    uint32_t *count;   /* ... and the packets there that are for it, departing ones apart */
    uint32_t *changed; /* [changes] nodes whose count has changed in this cycle */
    uint32_t changes;
    uint32_t *first, *next; /* lists of the senders that wait for a node: [nodes], [senders] */
    bool *waits;            /* [senders] is in such a list */
    bool *listed;           /* [nodes] is in `changed` */
    bool *hot, *told;       /* [nodes] at its switch, and at the senders */
    swq_wheel news;         /* nodes that are to be heard to have become hot, or cold */
} swq_feedback;

struct swq_scheme {
    uint16_t *unacknowledged; /* [nodes * nodes] sender, destination: windows */
    double *empty;            /* likewise: buckets, the moment at which what has been sent would
                                 have been paid for at the rate alone, in cycles */
    uint32_t *tokens;         /* [nodes] */
    uint32_t *coming;         /* [nodes] tokens that packets have taken and that will come there */
    bool *live;               /* [nodes] a search's: one that can send */
    uint32_t *list;           /* [nodes] ... in the order in which they were found */
    uint32_t *first;          /* [slots] lists of what arrives in a cycle */
    swq_return *back;         /* [backs] */
    uint32_t slots, backs, free;
    swq_feedback feedback;
};

/* Errors: SWQ_EINVAL for parameters out of range, and for what a scheme is not for. The groups of
 * senders, or the trace, have been checked. */
swq_status swq_scheme_check(swq_context *ctx, const swq_async *n, const swq_fabric *fabric);

/* Where the spec has a scheme; else nothing is made, and there are no bytes. */
swq_status swq_scheme_new(swq_context *ctx, swq_async_net *net);
void swq_scheme_free(swq_context *ctx, swq_async_net *net);
double swq_scheme_bytes(const swq_async_net *net);

/* What has come back is known at the beginning of a cycle. */
void swq_scheme_cycle(swq_async_net *net);

/* The cycle from which on a sender may send a packet; SWQ_NEVER: it is woken. */
uint32_t swq_scheme_lets(const swq_async_net *net, uint32_t sender, uint32_t to, uint32_t bytes);
void swq_scheme_sent(swq_async_net *net, uint32_t sender, uint32_t to, uint32_t bytes);

/* A packet for that node begins its way into a store. */
void swq_scheme_entered(swq_async_net *net, uint32_t port, uint32_t to);

/* A packet's transmission to its node begins. */
void swq_scheme_delivered(swq_async_net *net, uint32_t from, uint32_t to, uint32_t bytes);

/* Senders that have a packet and will never have a token; *first: the one with the lowest number.
 * O(nodes^2) where tokens stay. */
uint32_t swq_scheme_starved(const swq_async_net *net, uint32_t *first);

/* Global feedback. Its arrays go on a list; of another scheme there are none. */
void swq_feedback_list(const swq_async_net *net, swq_feedback *f, swq_arrays *list);
double swq_feedback_bytes(const swq_async_net *net); /* beside the arrays */
swq_status swq_feedback_new(swq_context *ctx, swq_async_net *net, swq_feedback *f);
void swq_feedback_free(swq_context *ctx, swq_feedback *f);
void swq_feedback_cycle(swq_async_net *net, swq_feedback *f);
void swq_feedback_entered(swq_async_net *net, swq_feedback *f, uint32_t port, uint32_t to);
void swq_feedback_left(swq_feedback *f, uint32_t to);
/* Does the sender know that node as hot? Then it is woken when it knows it as cold. */
bool swq_feedback_holds(swq_feedback *f, uint32_t sender, uint32_t to);

#endif
