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

/* Something on its way back to a sender: the acknowledgement of a packet to `to`, or a token. */
typedef struct swq_return {
    uint32_t node, to, next;
} swq_return;

/* Hot nodes: the counts of their last switches, and what senders know. */
typedef struct swq_feedback {
    uint32_t *home;    /* [nodes] the last switch before a node, ... */
    uint32_t *count;   /* ... and the packets for the node there, without departing ones */
    uint32_t *changed; /* [changes] nodes whose count has changed in this cycle */
    uint32_t changes;
    uint32_t *first, *next; /* lists of the senders that wait for a node: [nodes], [senders] */
    bool *waits;            /* [senders] whether the sender is in such a list */
    bool *listed;           /* [nodes] whether the node is in `changed` */
    bool *hot, *told;       /* [nodes] hot in the view of its switch, and of the senders */
    swq_wheel news;         /* nodes of which senders will hear that they have become hot or cold */
} swq_feedback;

struct swq_scheme {
    uint16_t *unacknowledged; /* [nodes * nodes] sender, destination: windows */
    double *empty; /* [nodes * nodes] buckets: the moment, in cycles, at which everything sent would
                      have been paid for at the rate alone */
    uint32_t *tokens; /* [nodes] */
    uint32_t *coming; /* [nodes] tokens taken by packets that will come there */
    bool *live;       /* [nodes] scratch of a search: nodes that can send */
    uint32_t *list;   /* [nodes] ... in the order in which they were found */
    uint32_t *first;  /* [slots] lists of what arrives in a cycle */
    swq_return *back; /* [backs] */
    uint32_t slots, backs, free;
    swq_feedback feedback;
};

/* Errors: SWQ_EINVAL for parameters out of range, and for what the scheme does not support. The
 * groups of senders, or the trace, have been checked. */
swq_status swq_scheme_check(swq_context *ctx, const swq_async *n, const swq_fabric *fabric);

/* Nothing is made, and no bytes are needed, if the spec has no scheme. */
swq_status swq_scheme_new(swq_context *ctx, swq_async_net *net);
void swq_scheme_free(swq_context *ctx, swq_async_net *net);
double swq_scheme_bytes(const swq_async_net *net);

/* Called at the beginning of a cycle: what comes back in it is known from now on. */
void swq_scheme_cycle(swq_async_net *net);

/* The cycle from which a sender may send a packet; SWQ_NEVER: the sender will be woken. */
uint32_t swq_scheme_lets(const swq_async_net *net, uint32_t sender, uint32_t to, uint32_t bytes);
void swq_scheme_sent(swq_async_net *net, uint32_t sender, uint32_t to, uint32_t bytes);

/* A packet for that node begins its way into a store. */
void swq_scheme_entered(swq_async_net *net, uint32_t port, uint32_t to);

/* A packet's transmission to its node begins. */
void swq_scheme_delivered(swq_async_net *net, uint32_t from, uint32_t to, uint32_t bytes);

/* The number of senders that have a packet and will never have a token; *first: the lowest of them.
 * O(nodes^2) if tokens stay. */
uint32_t swq_scheme_starved(const swq_async_net *net, uint32_t *first);

/* Global feedback. Lists its arrays; there are none for other schemes. */
void swq_feedback_list(const swq_async_net *net, swq_feedback *f, swq_arrays *list);
double swq_feedback_bytes(const swq_async_net *net); /* in addition to the arrays */
swq_status swq_feedback_new(swq_context *ctx, swq_async_net *net, swq_feedback *f);
void swq_feedback_free(swq_context *ctx, swq_feedback *f);
void swq_feedback_cycle(swq_async_net *net, swq_feedback *f);
void swq_feedback_entered(swq_async_net *net, swq_feedback *f, uint32_t port, uint32_t to);
void swq_feedback_left(swq_feedback *f, uint32_t to);
/* Does the sender believe that the node is hot? Then it is woken when it learns that the node is
 * cold. */
bool swq_feedback_holds(const swq_async_net *net, swq_feedback *f, uint32_t sender, uint32_t to);

#endif
