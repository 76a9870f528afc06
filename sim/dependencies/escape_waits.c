/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The graph of dependencies between escape queues, where packets have a choice: an edge leads from
 * an escape queue that a packet may hold to each escape queue that it may wait for after that, at
 * once or after hops by other queues (Duato, 1993).
 */
#include "base/arrays.h"
#include "base/context.h"
#include "sim/dependencies/waits.h"

typedef struct {
    const swq_fabric *f;
    uint32_t ports, inputs;
    size_t queues, words;
    uint64_t *edge;   /* [queues * words] for each queue, the set of those that it waits for */
    uint64_t *met;    /* [words of inputs] */
    uint32_t *list;   /* [inputs] the inputs met, in order */
    uint32_t *needed; /* [queues] edges leading to a queue */
} escape_graph;

/* The outputs that a packet may take from an input. Fabrics with escape queues, tori and meshes,
 * have sets of one word. */
static uint64_t outputs_at(const escape_graph *g, uint32_t port, uint32_t from, uint32_t to)
{
    const swq_fabric *f = g->f;
    const int class = f->shape.kind->route(f, port, from, to);

    return f->outputs[(size_t)port * (size_t)f->classes + (size_t) class];
}

/* Lists in g->list all inputs that a packet from node `from` to node `to` may pass after input
 * `start`, which is the first in the list. Returns their number. */
static uint32_t reach(escape_graph *g, uint32_t start, uint32_t from, uint32_t to)
{
    uint32_t count = 1;

    for (size_t k = 0; k < (g->inputs + 63) / 64; k++)
        g->met[k] = 0;
    g->list[0] = start;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t base = g->list[k] - g->list[k] % g->ports;
        for (uint64_t set = outputs_at(g, g->list[k], from, to); set; set &= set - 1) {
            const uint32_t next = g->f->link[base + (uint32_t)__builtin_ctzll(set)];
            if (next & SWQ_TO_NODE || g->met[next / 64] >> next % 64 & 1)
                continue;
            g->met[next / 64] |= UINT64_C(1) << next % 64;
            g->list[count++] = next;
        }
    }
    return count;
}

/* The input to which the deterministic route leads from another one, or the node. */
static uint32_t escape_from(const escape_graph *g, uint32_t port, uint32_t from, uint32_t to)
{
    const uint32_t first = (uint32_t)g->f->shape.kind->first(g->f, port, from, to);
    return g->f->link[port - port % g->ports + first];
}

static size_t queue_at(const escape_graph *g, uint32_t port, uint32_t from, uint32_t to)
{
    return (size_t)port * (size_t)g->f->escapes +
           (size_t)g->f->shape.kind->escape(g->f, port, from, to);
}

/* Adds the edges from each escape queue that a packet may be given to those that it may be given
 * next. */
static void depend(escape_graph *g, uint32_t from, uint32_t to, uint32_t *places)
{
    const uint32_t count = reach(g, g->f->entry[from], from, to);

    for (uint32_t k = 0; k < count; k++)
        places[k] = g->list[k];
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t held = escape_from(g, places[k], from, to);
        if (held & SWQ_TO_NODE)
            continue;
        const uint32_t later = reach(g, held, from, to);
        for (uint32_t j = 0; j < later; j++) {
            const uint32_t asked = escape_from(g, g->list[j], from, to);
            if (asked & SWQ_TO_NODE)
                continue;
            const size_t queue = queue_at(g, asked, from, to);
            g->edge[queue_at(g, held, from, to) * g->words + queue / 64] |= UINT64_C(1)
                                                                            << queue % 64;
        }
    }
}

/* Takes away queues for which none waits, as long as there are any. */
static bool has_circle(escape_graph *g)
{
    size_t left = g->queues;
    bool more = true;

    for (size_t k = 0; k < g->queues; k++) {
        for (size_t j = 0; j < g->queues; j++)
            g->needed[j] += g->edge[k * g->words + j / 64] >> j % 64 & 1;
    }
    while (more) {
        more = false;
        for (size_t k = 0; k < g->queues; k++) {
            if (g->needed[k] > 0)
                continue;
            g->needed[k] = UINT32_MAX; /* removed */
            more = true;
            left--;
            for (size_t j = 0; j < g->queues; j++)
                g->needed[j] -= g->edge[k * g->words + j / 64] >> j % 64 & 1;
        }
    }
    return left > 0;
}

swq_status swq_escapes_in_a_circle(swq_context *ctx, const swq_waits_plan *plan, bool *circle)
{
    const swq_fabric *f = plan->fabric;
    escape_graph g = {.f = f, .ports = (uint32_t)f->ports};
    uint32_t *places = NULL;
    swq_arrays list = {0};

    g.inputs = f->switches * g.ports;
    g.queues = (size_t)g.inputs * (size_t)f->escapes;
    g.words = (g.queues + 63) / 64;
    const uint32_t met_words = (g.inputs + 63) / 64;
    SWQ_ARRAY(&list, g.edge, (double)g.queues * (double)g.words);
    SWQ_ARRAY(&list, g.met, met_words);
    SWQ_ARRAY(&list, g.list, g.inputs + 1.0);
    SWQ_ARRAY(&list, g.needed, g.queues);
    SWQ_ARRAY(&list, places, g.inputs + 1.0);
    const swq_status status = swq_arrays_take(ctx, &list);
    for (uint32_t from = 0; !status && from < f->nodes; from++) {
        for (uint32_t to = 0; to < f->nodes; to++) {
            if (from != to || !f->shape.kind->point_to_point)
                depend(&g, from, to, places);
        }
    }
    if (!status)
        *circle = has_circle(&g);
    swq_arrays_free(ctx, &list);
    return status;
}
