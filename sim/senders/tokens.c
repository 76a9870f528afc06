/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Isarithmic flow control (Davies 1972; Frazier 1995, 8.2.3): a packet takes one of the network's
 * tokens along, which returns to its source or stays at its destination.
 *
 * "The sender will run out of tokens and will be starved": a node can send while it has tokens, or
 * some are on their way to it; where tokens stay, so can any node that one of these can send to.
 */
#include "sim/frame/schemes.h"
#include "sim/traffic/groups.h"

#include <math.h>

enum { N, WHERE };
enum { MOST_TOKENS = 1000000000 };

typedef struct {
    uint32_t *have;   /* [nodes] */
    uint32_t *coming; /* [nodes] tokens taken by packets that will come there */
    bool *live;       /* [nodes] scratch of a search: nodes that can send */
    uint32_t *list;   /* [nodes] ... in the order in which they were found */
} token_state;
_Static_assert(sizeof(token_state) <= SWQ_SCHEME_STATE, "the state of a scheme is too large");

static token_state *of(const swq_async_net *net)
{
    return swq_scheme_own(net);
}

static bool stay(const swq_async_net *net)
{
    return net->scheme->value[WHERE] > 0;
}

static double node_bytes(const swq_async *n, uint32_t nodes)
{
    (void)nodes;
    return ceil(swq_scheme_bits(n->sender.value[N]) / 8);
}

static void list(const swq_async_net *net, void *own, swq_arrays *arrays)
{
    token_state *t = own;
    const double nodes = net->fabric->nodes;

    SWQ_ARRAY(arrays, t->have, nodes);
    SWQ_ARRAY(arrays, t->coming, nodes);
    SWQ_ARRAY(arrays, t->live, nodes);
    SWQ_ARRAY(arrays, t->list, nodes);
}

static void begin(swq_async_net *net)
{
    const uint32_t nodes = net->fabric->nodes, all = (uint32_t)net->scheme->value[N];

    for (uint32_t i = 0; i < nodes; i++)
        of(net)->have[i] = all / nodes + (i < all % nodes);
}

static uint32_t lets(const swq_async_net *net, uint32_t sender, uint32_t to, uint32_t bytes)
{
    (void)to, (void)bytes;
    return of(net)->have[sender] ? net->cycle : SWQ_NEVER;
}

static void sent(swq_async_net *net, uint32_t sender, uint32_t to, uint32_t bytes)
{
    (void)bytes;
    of(net)->have[sender]--;
    of(net)->coming[stay(net) ? to : sender]++;
}

static void delivered(swq_async_net *net, uint32_t from, uint32_t to, uint32_t there, bool marked)
{
    if (stay(net))
        swq_scheme_send_back(net, there, to, to, marked);
    else
        swq_scheme_send_back(net, there + net->hop_delay, from, to, marked);
}

static void returned(swq_async_net *net, uint32_t node, uint32_t to, bool marked)
{
    (void)to, (void)marked;
    of(net)->have[node]++;
    of(net)->coming[node]--;
}

/* ---- senders that wait for ever ---- */

static bool aims_at(const swq_async_net *net, int group, int type, uint32_t from, uint32_t to)
{
    const swq_message_type *t = &net->spec->traffic.group[group].type[type];
    const uint32_t *image = net->group[group].type[type].image;

    if (t->probability <= 0)
        return false;
    if (t->aim == SWQ_AIM_NODE)
        return to == t->value;
    if (t->aim == SWQ_AIM_SUBSET)
        return (to & t->mask) == t->value;
    if (swq_aims_at_group(t))
        return to - swq_group_aimed_at(net->fabric, t, from) < net->fabric->group_nodes;
    if (t->matrix)
        return swq_destinations_have(t->matrix, from, to);
    return !image || image[from] == to;
}

/* Would the sender ever send anything to that node, if it could? */
static bool sends_to(const swq_async_net *net, uint32_t from, uint32_t to)
{
    const swq_async *n = net->spec;

    for (int g = 0; g < n->traffic.groups; g++) {
        if (swq_sender_silent(&n->traffic.group[g], from) || !swq_sender_group_has(n, g, from))
            continue;
        for (int t = 0; t < n->traffic.group[g].types; t++) {
            if (aims_at(net, g, t, from, to))
                return true;
        }
    }
    return net->sender[from].birth != SWQ_NEVER && net->sender[from].to == to;
}

/* Finds all nodes to which tokens can come from those that have some. `list` has room for all
 * nodes. */
static void spread(const swq_async_net *net, bool *live, uint32_t *list)
{
    const uint32_t nodes = net->fabric->nodes;
    uint32_t count = 0;

    for (uint32_t i = 0; i < nodes; i++) {
        if (live[i])
            list[count++] = i;
    }
    for (uint32_t k = 0; k < count; k++) {
        for (uint32_t to = 0; to < nodes; to++) {
            if (!live[to] && sends_to(net, list[k], to)) {
                live[to] = true;
                list[count++] = to;
            }
        }
    }
}

static bool has_packet(const swq_async_net *net, uint32_t sender)
{
    return net->sender[sender].birth <= net->cycle ||
           (net->interfaces.queues > 0 && net->interfaces.each[sender].packets > 0);
}

/* The number of nodes that have packets to send and to which no token can ever come again; *first
 * receives the first of them. O(nodes^2) if tokens stay, else O(nodes). */
static uint32_t starved(const swq_async_net *net, uint32_t *first)
{
    const token_state *t = of(net);
    const uint32_t nodes = net->fabric->nodes;
    uint32_t count = 0;

    *first = 0;
    if (stay(net) && net->spec->traffic.trace) /* the rest of a trace is not searched */
        return 0;
    for (uint32_t i = 0; i < nodes; i++)
        t->live[i] = t->have[i] + t->coming[i] > 0;
    if (stay(net))
        spread(net, t->live, t->list);
    for (uint32_t i = 0; i < nodes; i++) {
        if (t->live[i] || !has_packet(net, i))
            continue;
        *first = count ? *first : i;
        count++;
    }
    return count;
}

/* ---- the row ---- */

static const swq_sender_hooks hooks = {
    .node_bytes = node_bytes,
    .list = list,
    .begin = begin,
    .lets = lets,
    .sent = sent,
    .delivered = delivered,
    .returned = returned,
    .starved = starved,
};

static const char *const where[] = {"source", "stay", NULL};

const swq_sender_scheme swq_sender_tokens = {
    .name = "tokens",
    .summary = "a packet takes one of the network's N tokens with it",
    .state = "a count, at each node",
    .source = "Davies (1972), isarithmic flow control; Frazier (1995), 8.2.3",
    .parameter = {[N] = {.name = "N",
                         .unit = "tokens",
                         .help = "of the network, as even as can be at its nodes to begin with",
                         .least = 1,
                         .most = MOST_TOKENS},
                  [WHERE] = {.name = "WHERE",
                             .help = "a token goes back to its source, or stays with the node that "
                                     "its packet was for",
                             .word = where,
                             .optional = true}},
    .starves = true,
    .hooks = &hooks,
};
