/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The graph of dependencies between escape queues, where packets have a choice: an edge leads from
 * an escape queue that a packet may hold to each escape queue that it may wait for after that, at
 * once or after hops by other queues (Duato, 1993).
 */
#include "base/arrays.h"
#include "base/context.h"
#include "sim/dependencies/waits.h"
#include "sim/fabrics/fabrics.h"
#include "sim/fabrics/state.h"

typedef struct {
    const swq_fabric *f;
    bool kept;
    uint32_t ports, inputs;
    size_t queues, words;
    uint64_t *edge;   /* [queues * words] for each queue, the set of those that it waits for */
    uint64_t *met;    /* [words of inputs] */
    uint32_t *list;   /* [inputs] the inputs met, in order */
    uint32_t *needed; /* [queues] edges leading to a queue */
} escape_graph;

/* set[f->set_words] receives the outputs that a packet may take from an input, that of an escape
 * queue among them. */
static void outputs_at(const swq_fabric *f, uint32_t port, uint32_t from, uint32_t to,
                       swq_port_set *set)
{
    swq_packet_state p = {.from = from, .to = to, .then = SWQ_NO_WHERE};

    const swq_port_set *outputs =
        f->ways ? swq_state_outputs(f, port, &p, set)
                : swq_set_of(f, port, f->shape.kind->route(f, port, from, to));

    for (int k = 0; k < f->set_words; k++)
        set[k] = outputs[k];
    if (f->ways)
        swq_port_set_put(set, (uint32_t)swq_first_output(f, port, from, to), true, f->set_words);
}

/* Lists in g->list all inputs that a packet from node `from` to node `to` may pass after input
 * `start`, which is the first in the list. Returns their number. */
static uint32_t reach(escape_graph *g, uint32_t start, uint32_t from, uint32_t to)
{
    swq_port_set set[SWQ_PORT_SET_WIDE];
    uint32_t count = 1, out;

    for (size_t k = 0; k < (g->inputs + 63) / 64; k++)
        g->met[k] = 0;
    g->list[0] = start;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t base = g->list[k] - g->list[k] % g->ports;
        outputs_at(g->f, g->list[k], from, to, set);
        SWQ_EACH_PORT (out, set, g->f->set_words) {
            const uint32_t next = g->f->link[base + out];
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
    return g->f->link[port - port % g->ports + (uint32_t)swq_first_output(g->f, port, from, to)];
}

static size_t queue_at(const escape_graph *g, uint32_t port, uint32_t from, uint32_t to)
{
    return (size_t)port * (size_t)g->f->escapes + (size_t)swq_escape_class(g->f, port, from, to);
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
        const uint32_t later = g->kept ? 1 : reach(g, held, from, to);
        g->list[0] = held;
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

static bool waits_for(const escape_graph *g, size_t queue, size_t next)
{
    return g->edge[queue * g->words + next / 64] >> next % 64 & 1;
}

/* A queue that is left, and waits for one that is: there is one, as others would be taken away. */
static size_t before(const escape_graph *g, size_t queue)
{
    size_t k = 0;

    while (g->needed[k] == UINT32_MAX || !waits_for(g, k, queue))
        k++;
    return k;
}

/* Back from any queue that is left, after as many steps as there are queues, one is in a circle. It
 * is named in the order in which queues wait. */
static void name_circle(const escape_graph *g, swq_waits_circle *circle)
{
    size_t at = 0, first, count = 0;

    while (g->needed[at] == UINT32_MAX)
        at++;
    for (size_t step = 0; step < g->queues; step++)
        at = before(g, at);
    first = at;
    do {
        at = before(g, at);
        count++;
    } while (at != first);
    circle->length = (uint32_t)count;
    for (; count > 0; at = before(g, at), count--) {
        const size_t place = count % circle->length;
        if (place >= SWQ_MOST_NAMED_WAITS)
            continue;
        circle->port[place] = (uint32_t)(at / (size_t)g->f->escapes);
        circle->queue[place] = (uint8_t)(at % (size_t)g->f->escapes);
    }
}

swq_status swq_escapes_in_a_circle(swq_context *ctx, const swq_waits_plan *plan, bool *circle)
{
    const swq_fabric *f = plan->fabric;
    escape_graph g = {.f = f, .kept = plan->kept, .ports = (uint32_t)f->ports};
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
    if (!status) {
        *circle = has_circle(&g);
        if (plan->named)
            *plan->named = (swq_waits_circle){0};
        if (*circle && plan->named)
            name_circle(&g, plan->named);
    }
    swq_arrays_free(ctx, &list);
    return status;
}
