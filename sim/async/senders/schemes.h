/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schemes that hold senders back, whatever the network would take (Frazier 1995, 8.2.2 and 8.2.3):
 * windows, leaky buckets and tokens. A sender asks before it looks at its switch; who waits for an
 * acknowledgement or a token is woken when that comes, and who waits for credit when it is enough.
 * Room: sim.
 */
#ifndef SWQ_SIM_ASYNC_SENDERS_SCHEMES_H
#define SWQ_SIM_ASYNC_SENDERS_SCHEMES_H

#include "sim/async/net.h"

/* What is on its way to a sender: the acknowledgement of a packet to `to`, or a token. */
typedef struct swq_return {
    uint32_t node, to, next;
} swq_return;

struct swq_scheme {
    uint16_t *unacknowledged; /* [nodes * nodes] sender, destination: windows */
    double *empty;            /* likewise: buckets, the moment at which what has been sent would
                                 have been paid for at the rate alone, in cycles */
    uint32_t *tokens;         /* [nodes] */
    uint32_t *first;          /* [slots] lists of what arrives in a cycle */
    swq_return *back;         /* [backs] */
    uint32_t slots, backs, free;
};

/* Errors: SWQ_EINVAL for parameters out of range, and for what a scheme is not for. */
swq_status swq_scheme_check(swq_context *ctx, const swq_async *n);

/* Where the spec has a scheme; else nothing is made, and there are no bytes. */
swq_status swq_scheme_new(swq_context *ctx, swq_async_net *net);
void swq_scheme_free(swq_context *ctx, swq_async_net *net);
double swq_scheme_bytes(const swq_async_net *net);

/* What has come back is known at the beginning of a cycle. */
void swq_scheme_cycle(swq_async_net *net);

/* The cycle from which on a sender may send a packet; SWQ_NEVER: it is woken. */
uint32_t swq_scheme_lets(const swq_async_net *net, uint32_t sender, uint32_t to, uint32_t bytes);
void swq_scheme_sent(swq_async_net *net, uint32_t sender, uint32_t to, uint32_t bytes);

/* A packet's transmission to its node begins. */
void swq_scheme_delivered(swq_async_net *net, uint32_t from, uint32_t to, uint32_t bytes);

#endif
