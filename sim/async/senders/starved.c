/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Senders that have a packet and will never have a token for it (Frazier 1995, 8.2.3: "the sender
 * will run out of tokens and will be starved"). A node can send while it has tokens, or some are on
 * their way to it; where tokens stay, so can any node that one of these can send to.
 * Room: sim.
 */
#include "sim/async/groups.h"
#include "sim/async/senders/schemes.h"

static bool aims_at(const swq_async_net *net, int group, int type, uint32_t from, uint32_t to)
{
    const swq_message_type *t = &net->spec->group[group].type[type];
    const uint32_t *image = net->group[group].type[type].image;

    if (t->probability <= 0)
        return false;
    if (t->aim == SWQ_AIM_NODE)
        return to == t->value;
    if (t->aim == SWQ_AIM_SUBSET)
        return (to & t->mask) == t->value;
    return !image || image[from] == to;
}

/* Would the sender ever send anything to that node, if it could? */
static bool sends_to(const swq_async_net *net, uint32_t from, uint32_t to)
{
    const swq_async *n = net->spec;

    for (int g = 0; g < n->groups; g++) {
        if (n->group[g].silent || !swq_sender_group_has(n, g, from))
            continue;
        for (int t = 0; t < n->group[g].types; t++) {
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

uint32_t swq_scheme_starved(const swq_async_net *net, uint32_t *first)
{
    const swq_scheme *s = net->scheme;
    const uint32_t nodes = net->fabric->nodes;
    uint32_t starved = 0;

    *first = 0;
    /* the rest of a trace is not searched */
    if (!s || !s->tokens || (net->spec->tokens_stay && net->spec->trace))
        return 0;
    for (uint32_t i = 0; i < nodes; i++)
        s->live[i] = s->tokens[i] + s->coming[i] > 0;
    if (net->spec->tokens_stay)
        spread(net, s->live, s->list);
    for (uint32_t i = 0; i < nodes; i++) {
        if (s->live[i] || !has_packet(net, i))
            continue;
        *first = starved ? *first : i;
        starved++;
    }
    return starved;
}
