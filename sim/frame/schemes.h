/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schemes that hold senders back, as senders, interfaces and switches see them. A sender asks
 * before it looks at its switch. None of these is called if there is no scheme, except where it
 * says so.
 */
#ifndef SWQ_SIM_FRAME_SCHEMES_H
#define SWQ_SIM_FRAME_SCHEMES_H

#include "sim/frame/net.h"
#include "sim/frame/scheme.h"

/* Errors: SWQ_EINVAL for parameters out of range, and for what the scheme does not support. The
 * groups of senders, or the trace, have been checked. Without a scheme all is well. */
swq_status swq_scheme_check(swq_context *ctx, const swq_async *n, const swq_fabric *fabric);

/* Nothing is made, and no bytes are needed, if the spec has no scheme. */
swq_status swq_scheme_new(swq_context *ctx, swq_async_net *net);
void swq_scheme_free(swq_context *ctx, swq_async_net *net);
double swq_scheme_bytes(const swq_async_net *net);

/* The scheme's own struct. */
static inline void *swq_scheme_own(const swq_async_net *net)
{
    return net->scheme->own;
}

/* Called at the beginning of a cycle: what comes back in it is known from now on. */
void swq_scheme_cycle(swq_async_net *net);

/* The cycle from which a sender may send a packet; SWQ_NEVER: the sender will be woken. */
static inline uint32_t swq_scheme_lets(const swq_async_net *net, uint32_t sender, uint32_t to,
                                       uint32_t bytes)
{
    return net->scheme->hooks->lets(net, sender, to, bytes);
}

static inline void swq_scheme_sent(swq_async_net *net, uint32_t sender, uint32_t to, uint32_t bytes)
{
    if (net->scheme->hooks->sent)
        net->scheme->hooks->sent(net, sender, to, bytes);
}

/* A packet for that node begins its way into a store. */
static inline void swq_scheme_entered(swq_async_net *net, uint32_t port, uint32_t to)
{
    if (net->scheme->hooks->entered)
        net->scheme->hooks->entered(net, port, to);
}

/* A packet has joined a queue of a store. */
static inline void swq_scheme_joined(swq_async_net *net, uint32_t port, int queue,
                                     const swq_parcel *p)
{
    swq_scheme *s = net->scheme;

    if (s->mark) {
        s->mark[p - net->parcel] = s->passing || s->hooks->marks(net, port, queue, p);
        s->passing = false;
    }
}

/* A packet is about to leave a store for another one. */
static inline void swq_scheme_goes_on(swq_async_net *net, const swq_parcel *p)
{
    if (net->scheme->mark)
        net->scheme->passing = net->scheme->mark[p - net->parcel];
}

/* A packet's transmission to its node begins; its last byte is there after its length and a hop
 * delay. */
static inline void swq_scheme_delivered(swq_async_net *net, const swq_parcel *p, uint32_t bytes)
{
    const swq_scheme *s = net->scheme;

    if (s->hooks->delivered)
        s->hooks->delivered(net, p->from, p->to, bytes + net->hop_delay,
                            s->mark && s->mark[p - net->parcel]);
}

/* The number of senders that have a packet and will wait for ever, 0 without a scheme; *first: the
 * lowest of them. */
uint32_t swq_scheme_starved(const swq_async_net *net, uint32_t *first);

#endif
