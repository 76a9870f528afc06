/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schemes that hold senders back: the table, what they may be asked, and what windows, leaky
 * buckets and tokens do; global feedback is in feedback.c.
 * Room: sim. Includes base.
 */
#include "sim/async/senders/schemes.h"

#include "base/context.h"
#include "base/names.h"

#include <math.h>

enum {
    MOST_WINDOW = 65535,
    MOST_TOKENS = 1000000000,
    MOST_BURST = 1000000000,
    MOST_FEEDBACK = 65535, /* cycles */
};

static const swq_sender_scheme rows[] = {
    {.name = "window",
     .syntax = "window:W",
     .summary = "a sender has at most W packets to a node that are not acknowledged",
     .state = "a count for each destination, at each node",
     .source = "Kermani and Kleinrock (1980); Frazier (1995), 8.2.2",
     .window = true},
    {.name = "bucket",
     .syntax = "bucket:RATE,BURST",
     .summary = "a sender sends RATE bytes a cycle to a node, and up to BURST bytes ahead of that",
     .state = "a credit and its time for each destination, at each node",
     .source = "Turner (1986); Rathgeb (1989); Frazier (1995), 8.2.2, leaky bucket",
     .bucket = true},
    {.name = "feedback",
     .syntax = "feedback:HOT,COLD,DELAY",
     .summary = "a node of HOT packets in its last switch is sent nothing until there are fewer "
                "than COLD; senders hear of both DELAY cycles late",
     .state = "a bit for each destination, at each node; a count for each node, at its last switch",
     .source = "Scott and Sohi (1990); Frazier (1995), 8.2.3, global feedback",
     .feedback = true},
    {.name = "tokens",
     .syntax = "tokens:N[,source|stay]",
     .summary = "a packet takes one of the network's N tokens with it",
     .state = "a count, at each node",
     .source = "Davies (1972), isarithmic flow control; Frazier (1995), 8.2.3",
     .tokens = true},
};

const swq_sender_scheme *const swq_sender_schemes[] = {&rows[0], &rows[1], &rows[2], &rows[3],
                                                       NULL};

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
    if (n->sender->feedback)
        return ceil(nodes / 8.0);
    /* a bucket's credit in bytes, and the cycle of that value: 32 bits, as for clocks here */
    const double bits = n->sender->window ? bits_for(n->window) : bits_for(n->bucket_burst) + 32;
    return ceil(bits * nodes / 8);
}

/* The most packets for one node that a switch may hold. */
static int64_t most_in_switch(const swq_async *n, const swq_fabric *f)
{
    const int least = (swq_async_shortest(n) + n->block - 1) / n->block;
    const int room = n->last_blocks ? n->last_blocks : n->buffer.capacity;
    int64_t most = (int64_t)f->ports * (room / least);

    if (n->architecture->output_stores)
        most += n->output_blocks / least;
    return most;
}

double swq_sender_switch_bytes(const swq_async *n, const swq_fabric *f)
{
    if (!n->sender || !n->sender->feedback)
        return 0;
    /* a count, and whether the node is hot */
    return ceil((bits_for((double)most_in_switch(n, f)) + 1) * f->nodes_at_switch / 8);
}

static swq_status check_feedback(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    const int64_t most = most_in_switch(n, f);

    if (swq_async_stores(n))
        return swq_fail(ctx, SWQ_EINVAL,
                        "sender feedback is not for architecture %s, whose stores do not tell how "
                        "much they hold for a node",
                        n->architecture->name);
    if (n->feedback_hot < 1 || n->feedback_hot > most)
        return swq_fail(ctx, SWQ_EINVAL,
                        "sender feedback's HOT must be 1 to %lld packets, not %d: a switch holds "
                        "no more, and no node would ever be hot",
                        (long long)most, n->feedback_hot);
    if (n->feedback_cold < 1 || n->feedback_cold > n->feedback_hot)
        return swq_fail(ctx, SWQ_EINVAL,
                        "sender feedback's COLD must be 1 to HOT, %d packets, not %d: a node is "
                        "cold when there are fewer",
                        n->feedback_hot, n->feedback_cold);
    if (n->feedback_delay < 0 || n->feedback_delay > MOST_FEEDBACK)
        return swq_fail(ctx, SWQ_EINVAL, "sender feedback's DELAY must be 0 to %d cycles, not %d",
                        MOST_FEEDBACK, n->feedback_delay);
    return SWQ_OK;
}

swq_status swq_scheme_check(swq_context *ctx, const swq_async *n, const swq_fabric *f)
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
    return s->feedback ? check_feedback(ctx, n, f) : SWQ_OK;
}

/* ---- what comes back ---- */

/* From the start of the transmission to a node until its last byte is there; what is sent back
 * takes a hop delay more. */
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

    if (net->spec->sender->feedback)
        swq_feedback_cycle(net, &s->feedback);
    if (!s->backs)
        return;
    uint32_t *list = &s->first[net->cycle & (s->slots - 1)];
    for (uint32_t k = *list, next; k != SWQ_NEVER; k = next) {
        const swq_return *r = &s->back[k];
        next = r->next;
        if (s->tokens) {
            s->tokens[r->node]++;
            s->coming[r->node]--;
        } else
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
    swq_scheme *s = net->scheme;
    const swq_async *n = net->spec;
    const size_t pair = (size_t)sender * net->fabric->nodes + to;

    if (n->sender->feedback)
        return swq_feedback_holds(net, &s->feedback, sender, to) ? SWQ_NEVER : net->cycle;
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

    if (s->tokens) {
        s->tokens[sender]--;
        s->coming[net->spec->tokens_stay ? to : sender]++;
    } else if (s->unacknowledged)
        s->unacknowledged[pair]++;
    else if (s->empty)
        s->empty[pair] = fmax(s->empty[pair], net->cycle) + bytes / net->spec->bucket_rate;
}

void swq_scheme_entered(swq_async_net *net, uint32_t port, uint32_t to)
{
    if (net->spec->sender->feedback)
        swq_feedback_entered(net, &net->scheme->feedback, port, to);
}

void swq_scheme_delivered(swq_async_net *net, uint32_t from, uint32_t to, uint32_t bytes)
{
    const uint32_t there = arrives_after(net->spec, bytes);
    const uint32_t back = there + (uint32_t)net->spec->hop_delay;

    if (net->spec->sender->feedback)
        swq_feedback_left(&net->scheme->feedback, to);
    else if (net->scheme->tokens && net->spec->tokens_stay)
        come_back(net, there, to, to);
    else if (net->scheme->backs)
        come_back(net, back, from, to);
}

/* ---- beginning and end ---- */

/* Upper bounds: a node's link begins a packet only after the shortest possible packet before it. */
static swq_scheme sizes(const swq_async_net *net)
{
    const swq_async *n = net->spec;
    const uint32_t most = arrives_after(n, (uint32_t)n->max_packet) + (uint32_t)n->hop_delay;
    const uint32_t apart = (uint32_t)(swq_async_shortest(n) + n->link_rest);
    swq_scheme s = {.slots = 1};

    if (n->sender->bucket || n->sender->feedback)
        return s;
    while (s.slots <= most)
        s.slots *= 2;
    const uint64_t backs = (uint64_t)net->fabric->nodes * (most / apart + 2);
    /* no machine has that much memory */
    s.backs = backs < SWQ_NEVER ? (uint32_t)backs : SWQ_NEVER - 1;
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
    SWQ_ARRAY(list, s->coming, row->tokens ? nodes : 0);
    SWQ_ARRAY(list, s->live, row->tokens ? nodes : 0);
    SWQ_ARRAY(list, s->list, row->tokens ? nodes : 0);
    SWQ_ARRAY(list, s->first, s->backs ? s->slots : 0);
    SWQ_ARRAY(list, s->back, s->backs);
    swq_feedback_list(net, &s->feedback, list);
}

double swq_scheme_bytes(const swq_async_net *net)
{
    swq_arrays list;

    if (!net->spec->sender)
        return 0;
    swq_scheme s = sizes(net);
    list_arrays(net, &s, &list);
    return sizeof s + swq_arrays_bytes(&list) + swq_feedback_bytes(net);
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
    return swq_feedback_new(ctx, net, &s->feedback);
}

void swq_scheme_free(swq_context *ctx, swq_async_net *net)
{
    swq_arrays list;

    if (!net->scheme)
        return;
    swq_feedback_free(ctx, &net->scheme->feedback);
    list_arrays(net, net->scheme, &list);
    swq_arrays_free(ctx, &list);
    swq_free(ctx, net->scheme);
    net->scheme = NULL;
}
