/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The frame of the schemes that hold senders back: their memory, and what is on its way back to
 * nodes.
 */
#include "sim/frame/schemes.h"

#include "base/context.h"

/* ---- what comes back ---- */

void swq_scheme_send_back(swq_async_net *net, uint32_t delay, uint32_t node, uint32_t to,
                          bool marked)
{
    swq_scheme *s = net->scheme;
    uint32_t *list = &s->first[(net->cycle + delay) & (s->slots - 1)];
    const uint32_t k = s->free;

    s->free = s->back[k].next;
    s->back[k] =
        (swq_return){.node = node, .to = to & 0x7fffffffu, .marked = marked, .next = *list};
    *list = k;
}

void swq_scheme_wake(swq_async_net *net, uint32_t node)
{
    swq_wheel_set(&net->senders, net->cycle, node);
}

/* Takes in what has come back. */
static void take_back(swq_async_net *net)
{
    swq_scheme *s = net->scheme;
    uint32_t *list = &s->first[net->cycle & (s->slots - 1)];

    for (uint32_t k = *list, next; k != SWQ_NEVER; k = next) {
        const swq_return *r = &s->back[k];
        next = r->next;
        s->hooks->returned(net, r->node, r->to, r->marked);
        swq_scheme_wake(net, r->node);
        s->back[k].next = s->free;
        s->free = k;
    }
    *list = SWQ_NEVER;
}

void swq_scheme_cycle(swq_async_net *net)
{
    if (net->scheme->hooks->cycle)
        net->scheme->hooks->cycle(net);
    if (net->scheme->backs)
        take_back(net);
}

uint32_t swq_scheme_starved(const swq_async_net *net, uint32_t *first)
{
    *first = 0;
    return net->scheme && net->scheme->hooks->starved ? net->scheme->hooks->starved(net, first) : 0;
}

/* ---- beginning and end ---- */

/* Upper bounds: a node's link begins a packet only after the shortest possible packet before it,
 * and what is sent back is there two hop delays after the packet's last byte has left. */
static swq_scheme sizes(const swq_async_net *net)
{
    const swq_async *n = net->spec;
    const uint32_t most = (uint32_t)(n->packet.max + 2 * n->link.hop_delay);
    const uint32_t apart = (uint32_t)(swq_async_shortest(n) + n->link.rest);
    swq_scheme s = {.hooks = n->sender.row->hooks, .value = n->sender.value, .slots = 1};

    if (!s.hooks->returned)
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
    const double outputs = net->elements - net->inputs;
    const double parcels = (double)net->inputs * net->slots + outputs * net->output_slots;

    *list = (swq_arrays){0};
    SWQ_ARRAY(list, s->first, s->backs ? s->slots : 0);
    SWQ_ARRAY(list, s->back, s->backs);
    SWQ_ARRAY(list, s->mark, s->hooks->marks ? parcels : 0);
    s->hooks->list(net, s->own, list);
}

double swq_scheme_bytes(const swq_async_net *net)
{
    swq_arrays list;

    if (!net->spec->sender.row)
        return 0;
    swq_scheme s = sizes(net);
    list_arrays(net, &s, &list);
    return sizeof s + swq_arrays_bytes(&list);
}

swq_status swq_scheme_new(swq_context *ctx, swq_async_net *net)
{
    swq_arrays list;

    if (!net->spec->sender.row)
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
    if (s->hooks->begin)
        s->hooks->begin(net);
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
