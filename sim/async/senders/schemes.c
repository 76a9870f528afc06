/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Windows, leaky buckets and tokens: the table, what they may be asked, and what they do.
 * Room: sim. Includes base.
 */
#include "sim/async/senders/schemes.h"

#include "base/context.h"
#include "base/names.h"

#include <math.h>

enum { MOST_WINDOW = 65535, MOST_TOKENS = 1000000000, MOST_BURST = 1000000000 };

static const swq_sender_scheme rows[] = {
    {.name = "window",
     .summary = "a sender has at most so many packets to a node that are not acknowledged",
     .source = "Kermani and Kleinrock (1980); Frazier (1995), 8.2.2",
     .window = true},
    {.name = "bucket",
     .summary = "a sender sends to a node at a rate, and ahead of it up to a burst",
     .source = "Turner (1986); Rathgeb (1989); Frazier (1995), 8.2.2, leaky bucket",
     .bucket = true},
    {.name = "tokens",
     .summary = "a packet takes one of the network's tokens with it",
     .source = "Davies (1972), isarithmic flow control; Frazier (1995), 8.2.3",
     .tokens = true},
};

const swq_sender_scheme *const swq_sender_schemes[] = {&rows[0], &rows[1], &rows[2], NULL};

swq_status swq_sender_scheme_find(swq_context *ctx, const char *name, const swq_sender_scheme **row)
{
    const void *found =
        swq_name_lookup(ctx, "sender", name, (const void *const *)swq_sender_schemes);
    if (!found)
        return SWQ_EINVAL;
    *row = found;
    return SWQ_OK;
}

static double bits_for(double most)
{
    return ceil(log2(most + 1));
}

double swq_sender_state_bytes(const swq_async *n, uint32_t nodes)
{
    if (!n->sender)
        return 0;
    if (n->sender->tokens)
        return ceil(bits_for(n->tokens) / 8);
    /* a bucket's credit, in bytes, and the cycle in which it was that: 32 bits, as clocks are here
     */
    const double bits = n->sender->window ? bits_for(n->window) : bits_for(n->bucket_burst) + 32;
    return ceil(bits * nodes / 8);
}

swq_status swq_scheme_check(swq_context *ctx, const swq_async *n)
{
    const swq_sender_scheme *s = n->sender;

    if (!s)
        return SWQ_OK;
    if (swq_acks_ask(n))
        return swq_fail(ctx, SWQ_EINVAL,
                        "sender %s is not for flow %s, whose buffers refuse what has been sent",
                        s->name, n->flow->name);
    if (swq_pieces_asked(n))
        return swq_fail(ctx, SWQ_EINVAL, "sender %s is not for packets that go in pieces", s->name);
    if (s->window && (n->window < 1 || n->window > MOST_WINDOW))
        return swq_fail(ctx, SWQ_EINVAL, "sender window must be of 1 to %d packets, not %d",
                        MOST_WINDOW, n->window);
    if (s->tokens && (n->tokens < 1 || n->tokens > MOST_TOKENS))
        return swq_fail(ctx, SWQ_EINVAL, "sender tokens must be 1 to %d, not %d", MOST_TOKENS,
                        n->tokens);
    if (s->bucket && !(n->bucket_rate > 0 && n->bucket_rate <= 1))
        return swq_fail(ctx, SWQ_EINVAL,
                        "sender bucket's rate must be above 0 and at most 1 byte a cycle, not %g",
                        n->bucket_rate);
    if (s->bucket && (n->bucket_burst < n->max_packet || n->bucket_burst > MOST_BURST))
        return swq_fail(ctx, SWQ_EINVAL,
                        "sender bucket's burst must be %d to %d bytes, at least the greatest "
                        "packet, which else would never be sent, not %d",
                        n->max_packet, MOST_BURST, n->bucket_burst);
    return SWQ_OK;
}

/* ---- what comes back ---- */

/* From the beginning of a transmission to a node until its last byte is there; and, of what goes
 * back, a hop delay more. */
static uint32_t arrives_after(const swq_async *n, uint32_t bytes)
{
    return bytes + (uint32_t)n->hop_delay;
}

static void come_back(swq_async_net *net, uint32_t delay, uint32_t node, uint32_t to)
{
    swq_scheme *s = net->scheme;
    uint32_t *list = &s->first[(net->cycle + delay) & (s->slots - 1)];
    const uint32_t k = s->free;

    s->free = s->back[k].next;
    s->back[k] = (swq_return){node, to, *list};
    *list = k;
}

void swq_scheme_cycle(swq_async_net *net)
{
    swq_scheme *s = net->scheme;

    if (!s->backs)
        return;
    uint32_t *list = &s->first[net->cycle & (s->slots - 1)];
    for (uint32_t k = *list, next; k != SWQ_NEVER; k = next) {
        const swq_return *r = &s->back[k];
        next = r->next;
        if (s->tokens)
            s->tokens[r->node]++;
        else
            s->unacknowledged[(size_t)r->node * net->fabric->nodes + r->to]--;
        swq_wheel_set(&net->senders, net->cycle, r->node);
        s->back[k].next = s->free;
        s->free = k;
    }
    *list = SWQ_NEVER;
}

/* ---- sending ---- */

uint32_t swq_scheme_lets(const swq_async_net *net, uint32_t sender, uint32_t to, uint32_t bytes)
{
    const swq_scheme *s = net->scheme;
    const swq_async *n = net->spec;
    const size_t pair = (size_t)sender * net->fabric->nodes + to;

    if (s->tokens)
        return s->tokens[sender] ? net->cycle : SWQ_NEVER;
    if (s->unacknowledged)
        return (int)s->unacknowledged[pair] < n->window ? net->cycle : SWQ_NEVER;
    const double from = ceil(s->empty[pair] - (n->bucket_burst - (double)bytes) / n->bucket_rate);
    return from <= net->cycle ? net->cycle : from < SWQ_NEVER ? (uint32_t)from : SWQ_NEVER;
}

void swq_scheme_sent(swq_async_net *net, uint32_t sender, uint32_t to, uint32_t bytes)
{
    swq_scheme *s = net->scheme;
    const size_t pair = (size_t)sender * net->fabric->nodes + to;

    if (s->tokens)
        s->tokens[sender]--;
    else if (s->unacknowledged)
        s->unacknowledged[pair]++;
    else
        s->empty[pair] = fmax(s->empty[pair], net->cycle) + bytes / net->spec->bucket_rate;
}

void swq_scheme_delivered(swq_async_net *net, uint32_t from, uint32_t to, uint32_t bytes)
{
    const uint32_t there = arrives_after(net->spec, bytes);
    const uint32_t back = there + (uint32_t)net->spec->hop_delay;

    if (net->scheme->tokens && net->spec->tokens_stay)
        come_back(net, there, to, to);
    else if (net->scheme->backs)
        come_back(net, back, from, to);
}

/* ---- beginning and end ---- */

/* A node's link begins a packet no sooner than the shortest before it has gone. */
static swq_scheme sizes(const swq_async_net *net)
{
    const swq_async *n = net->spec;
    const uint32_t most = arrives_after(n, (uint32_t)n->max_packet) + (uint32_t)n->hop_delay;
    const uint32_t apart = (uint32_t)(swq_async_shortest(n) + n->link_rest);
    swq_scheme s = {.slots = 1};

    if (n->sender->bucket)
        return s;
    while (s.slots <= most)
        s.slots *= 2;
    const uint64_t backs = (uint64_t)net->fabric->nodes * (most / apart + 2);
    s.backs = backs < SWQ_NEVER ? (uint32_t)backs : SWQ_NEVER - 1; /* no machine has that memory */
    return s;
}

static void list_arrays(const swq_async_net *net, swq_scheme *s, swq_arrays *list)
{
    const swq_sender_scheme *row = net->spec->sender;
    const double nodes = net->fabric->nodes, pairs = nodes * nodes;

    *list = (swq_arrays){0};
    SWQ_ARRAY(list, s->unacknowledged, row->window ? pairs : 0);
    SWQ_ARRAY(list, s->empty, row->bucket ? pairs : 0);
    SWQ_ARRAY(list, s->tokens, row->tokens ? nodes : 0);
    SWQ_ARRAY(list, s->first, row->bucket ? 0 : s->slots);
    SWQ_ARRAY(list, s->back, s->backs);
}

double swq_scheme_bytes(const swq_async_net *net)
{
    swq_arrays list;

    if (!net->spec->sender)
        return 0;
    swq_scheme s = sizes(net);
    list_arrays(net, &s, &list);
    return sizeof s + swq_arrays_bytes(&list);
}

swq_status swq_scheme_new(swq_context *ctx, swq_async_net *net)
{
    const uint32_t nodes = net->fabric->nodes, all = (uint32_t)net->spec->tokens;
    swq_arrays list;

    if (!net->spec->sender)
        return SWQ_OK;
    swq_scheme *s = net->scheme = swq_calloc(ctx, 1, sizeof *s);
    if (!s)
        return swq_memory_status(ctx);
    *s = sizes(net);
    list_arrays(net, s, &list);
    swq_status status = swq_arrays_take(ctx, &list);
    if (status)
        return status;
    for (uint32_t k = 0; s->first && k < s->slots; k++)
        s->first[k] = SWQ_NEVER;
    for (uint32_t k = 0; k < s->backs; k++)
        s->back[k].next = k + 1;
    for (uint32_t i = 0; s->tokens && i < nodes; i++)
        s->tokens[i] = all / nodes + (i < all % nodes);
    return SWQ_OK;
}

void swq_scheme_free(swq_context *ctx, swq_async_net *net)
{
    swq_arrays list;

    if (!net->scheme)
        return;
    list_arrays(net, net->scheme, &list);
    swq_arrays_free(ctx, &list);
    swq_free(ctx, net->scheme);
    net->scheme = NULL;
}
