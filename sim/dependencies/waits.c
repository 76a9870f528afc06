/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The graph of dependencies between the queues of input ports, by enumeration of the ways of all
 * pairs, and the search for circles in it.
 *
 * The search takes away, one after another, what surely empties: a queue whose packets all can go
 * to nodes, or to buffers that will open. A buffer opens to a queue unless that queue, or too many
 * others of the same buffer, are stuck. Without shared memory what is left is what leads into a
 * circle of the graph (Dally and Seitz, 1987); with it, this is the argument of
 * docs/asynchronous.md that a queue alone must not close a buffer.
 */
#include "sim/dependencies/waits.h"
#include "base/arrays.h"
#include "base/context.h"
#include "sim/fabrics/fabrics.h"
#include "sim/fabrics/state.h"

typedef struct {
    const swq_waits_plan *plan;
    const swq_fabric *f;
    uint32_t ports, inputs, queues;
    uint32_t *after; /* [inputs * queues * ports] the queues that packets of a queue join behind an
                        output */
    uint32_t *later; /* [inputs] the same, of all packets that go by an output */
    uint32_t *stuck; /* [inputs] the queues that may be stuck */
    uint8_t *held;   /* [inputs] with output stores: may the store of this output be stuck? */
    uint64_t *met;   /* [words of inputs] on the ways of one packet */
    uint32_t *list;  /* [inputs] the same in order */
} wait_graph;

static uint32_t *after(const wait_graph *g, uint32_t port, uint32_t queue)
{
    return g->after + ((size_t)port * g->queues + queue) * g->ports;
}

/* Packets in queues `from` of an input port may go by output `out` to queues `to` of the next. */
static void depend(wait_graph *g, uint32_t port, uint32_t from, uint32_t out, uint32_t to)
{
    g->stuck[port] |= from;
    for (uint32_t set = from; set; set &= set - 1)
        after(g, port, (uint32_t)__builtin_ctz(set))[out] |= to;
    g->later[port - port % g->ports + out] |= to;
}

/* ---- ways ---- */

static uint32_t joins(const wait_graph *g, uint32_t port, const swq_packet_state *p)
{
    return g->plan->joins(g->plan->arg, port, p);
}

/* The one way of a packet from an input port on, where it is in one of these queues. */
static void walk_on(wait_graph *g, swq_packet_state p, uint32_t port, uint32_t queues)
{
    const swq_fabric *f = g->f;

    for (uint32_t steps = 0; steps <= f->switches; steps++) {
        const uint32_t out = (uint32_t)swq_state_output(f, port, &p);
        const uint32_t next = f->link[port - port % g->ports + out];
        if (next & SWQ_TO_NODE)
            return;
        const uint32_t to = joins(g, next, &p);
        depend(g, port, queues, out, to);
        port = next;
        queues = to;
    }
}

/* The straight way of a packet that may be sent by way of other places from the switches on it, and
 * all ways on from these. */
static void walk_open(wait_graph *g, swq_packet_state p)
{
    const swq_fabric *f = g->f;
    const uint32_t places = f->shape.kind->places(f, p.from, p.to);
    swq_packet_state turned = {.from = p.from, .then = p.to};
    uint32_t port = f->entry[p.from], queues = joins(g, port, &p);

    p.open = places > 0;
    while (p.open) {
        const uint32_t out = (uint32_t)swq_state_output(f, port, &p);
        const uint32_t next = f->link[port - port % g->ports + out];
        if (next & SWQ_TO_NODE)
            return;
        const uint32_t to = joins(g, next, &p);
        depend(g, port, queues, out, to);
        port = next;
        queues = to;
        p.open = f->shape.kind->turns(f, port, &p);
        turned.hops = p.hops;
        for (uint32_t k = 0; k < places && p.open; k++) {
            turned.to = f->shape.kind->place(f, p.from, p.to, k);
            walk_on(g, turned, port, queues);
        }
    }
    walk_on(g, p, port, queues);
}

/* Every way of a packet whose ways are drawn. After as many links its state is the same on all of
 * them, so the input ports that it may have come to are walked link by link. */
static void walk_drawn(wait_graph *g, swq_packet_state p)
{
    const swq_fabric *f = g->f;
    swq_port_set own[SWQ_PORT_SET_WIDE];
    uint32_t count = 1, out;

    g->list[0] = f->entry[p.from];
    while (count > 0) {
        swq_packet_state then = p;
        uint32_t more = 0, *reached = g->list + count;
        for (uint32_t k = 0; k < count; k++) {
            const uint32_t port = g->list[k], base = port - port % g->ports;
            const uint32_t queues = joins(g, port, &p);
            then = p;
            const swq_port_set *set = swq_state_outputs(f, port, &then, own);
            SWQ_EACH_PORT (out, set, f->set_words) {
                const uint32_t next = f->link[base + out];
                if (next & SWQ_TO_NODE)
                    continue;
                depend(g, port, queues, out, joins(g, next, &then));
                if (!(g->met[next / 64] >> next % 64 & 1))
                    reached[more++] = next;
                g->met[next / 64] |= UINT64_C(1) << next % 64;
            }
        }
        for (uint32_t k = 0; k < more; k++) {
            g->list[k] = reached[k];
            g->met[reached[k] / 64] &= ~(UINT64_C(1) << reached[k] % 64);
        }
        p = then;
        count = more;
    }
}

/* Every way on from an input port, where a packet is in one of these queues, and chooses a link in
 * each switch. */
static void walk_chosen(wait_graph *g, swq_packet_state p, uint32_t port, uint32_t queues)
{
    const swq_fabric *f = g->f;
    swq_next_link list[SWQ_MAX_NEXT_LINKS];
    const int count = f->shape.kind->next_links(f, port, &p, list);

    p.hops++;
    for (int k = 0; k < count; k++) {
        const uint32_t next = f->link[port - port % g->ports + list[k].output];
        p.derouted = list[k].derouted;
        const uint32_t to = joins(g, next, &p);
        depend(g, port, queues, list[k].output, to);
        walk_chosen(g, p, next, to);
    }
}

static void walk(wait_graph *g, swq_packet_state p)
{
    const uint32_t port = g->f->entry[p.from];

    if (g->f->ways)
        walk_drawn(g, p);
    else if (swq_shape_chooses(&g->f->shape))
        walk_chosen(g, p, port, joins(g, port, &p));
    else
        walk_on(g, p, port, joins(g, port, &p));
}

/* Every way of a packet that has a choice of outputs. */
static void walk_choices(wait_graph *g, swq_packet_state p)
{
    const swq_fabric *f = g->f;
    uint32_t count = 1, out;

    for (size_t k = 0; k < (g->inputs + 63) / 64; k++)
        g->met[k] = 0;
    g->list[0] = f->entry[p.from];
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t port = g->list[k], base = port - port % g->ports;
        const int class = f->shape.kind->route(f, port, p.from, p.to);
        SWQ_EACH_PORT (out, swq_set_of(f, port, class), f->set_words) {
            const uint32_t next = f->link[base + out];
            if (next & SWQ_TO_NODE)
                continue;
            depend(g, port, joins(g, port, &p), out, joins(g, next, &p));
            if (g->met[next / 64] >> next % 64 & 1)
                continue;
            g->met[next / 64] |= UINT64_C(1) << next % 64;
            g->list[count++] = next;
        }
    }
}

/* By way of another node, in all places that the row may draw; a row that draws any node has other
 * queues for the second part of the way, so that its pairs are walked by themselves. */
static void walk_by_others(wait_graph *g, uint32_t from, uint32_t to)
{
    const swq_fabric *f = g->f;

    if (!f->shape.kind->places) {
        walk(g, (swq_packet_state){.from = from, .to = to, .then = SWQ_NO_WHERE, .goes_on = true});
        return;
    }
    for (uint32_t k = 0; k < f->shape.kind->places(f, from, to); k++)
        walk(g, (swq_packet_state){
                    .from = from, .to = f->shape.kind->place(f, from, to, k), .then = to});
}

static void walk_all(wait_graph *g)
{
    const swq_fabric *f = g->f;

    for (uint32_t from = 0; from < f->nodes; from++) {
        for (uint32_t to = 0; to < f->nodes; to++) {
            const swq_packet_state p = {.from = from, .to = to, .then = SWQ_NO_WHERE};
            if (from == to && f->shape.kind->point_to_point)
                continue;
            if (f->outputs)
                walk_choices(g, p);
            else if (g->plan->by_another && f->shape.routing && f->shape.routing->progressive)
                walk_open(g, p);
            else
                walk(g, p);
            if (g->plan->by_another)
                walk_by_others(g, from, to);
        }
    }
}

/* ---- the search ---- */

/* Can the buffer of an input port stay closed to all of some queues? */
static bool stays_closed(const wait_graph *g, uint32_t port, uint32_t queues)
{
    const uint32_t stuck = g->stuck[port];

    return queues && (stuck & queues || __builtin_popcount(stuck) >= g->plan->closing);
}

/* Takes away the queues of an input port that empty. Were there any? */
static bool empty_queues(wait_graph *g, uint32_t port)
{
    const uint32_t base = port - port % g->ports;
    bool any = false;

    for (uint32_t set = g->stuck[port]; set; set &= set - 1) {
        const uint32_t q = (uint32_t)__builtin_ctz(set), *to = after(g, port, q);
        bool waits = false;
        for (uint32_t out = 0; out < g->ports && !waits; out++) {
            if (to[out])
                waits = g->plan->output_stores ? g->held[base + out]
                                               : stays_closed(g, g->f->link[base + out], to[out]);
        }
        if (!waits) {
            g->stuck[port] &= ~(UINT32_C(1) << q);
            any = true;
        }
    }
    return any;
}

static bool empty_store(wait_graph *g, uint32_t out)
{
    if (!g->held[out] || stays_closed(g, g->f->link[out], g->later[out]))
        return false;
    g->held[out] = 0;
    return true;
}

static bool has_circle(wait_graph *g)
{
    bool more = true, left = false;

    for (uint32_t out = 0; out < g->inputs; out++)
        g->held[out] = g->later[out] != 0;
    while (more) {
        more = left = false;
        for (uint32_t port = 0; port < g->inputs; port++) {
            more |= empty_queues(g, port);
            more |= empty_store(g, port);
            left |= g->stuck[port] != 0;
        }
    }
    return left;
}

/* ---- a circle by name ---- */

typedef struct {
    uint32_t port, queue;
} waiting_queue;

/* A queue that a stuck queue waits for, which is stuck, too. */
static waiting_queue waits_for(const wait_graph *g, waiting_queue at)
{
    const uint32_t base = at.port - at.port % g->ports, *to = after(g, at.port, at.queue);

    for (uint32_t out = 0; out < g->ports; out++) {
        const uint32_t next = g->f->link[base + out];
        if (!to[out] || !stays_closed(g, next, to[out]))
            continue;
        const uint32_t set = g->stuck[next] & to[out] ? g->stuck[next] & to[out] : g->stuck[next];
        return (waiting_queue){next, (uint32_t)__builtin_ctz(set)};
    }
    return at; /* not reached: a stuck queue waits for one */
}

/* From any stuck queue on, after as many steps as there are queues, the way is in a circle. */
static void name_circle(const wait_graph *g, swq_waits_circle *circle)
{
    waiting_queue at = {0, 0};

    while (!g->stuck[at.port])
        at.port++;
    at.queue = (uint32_t)__builtin_ctz(g->stuck[at.port]);
    for (uint32_t step = 0; step < g->inputs * g->queues; step++)
        at = waits_for(g, at);
    const waiting_queue first = at;
    do {
        if (circle->length < SWQ_MOST_NAMED_WAITS) {
            circle->port[circle->length] = at.port;
            circle->queue[circle->length] = (uint8_t)at.queue;
        }
        circle->length++;
        at = waits_for(g, at);
    } while (at.port != first.port || at.queue != first.queue);
}

swq_status swq_waits_in_a_circle(swq_context *ctx, const swq_waits_plan *plan, bool *circle)
{
    const swq_fabric *f = plan->fabric;
    wait_graph g = {.plan = plan,
                    .f = f,
                    .ports = (uint32_t)f->ports,
                    .inputs = f->switches * (uint32_t)f->ports,
                    .queues = (uint32_t)plan->queues};
    const uint32_t met_words = (g.inputs + 63) / 64;
    swq_arrays list = {0};

    SWQ_ARRAY(&list, g.after, (double)g.inputs * g.queues * g.ports);
    SWQ_ARRAY(&list, g.later, g.inputs);
    SWQ_ARRAY(&list, g.stuck, g.inputs);
    SWQ_ARRAY(&list, g.held, g.inputs);
    SWQ_ARRAY(&list, g.met, met_words);
    SWQ_ARRAY(&list, g.list, 2.0 * g.inputs + 1);
    const swq_status status = swq_arrays_take(ctx, &list);
    if (!status) {
        walk_all(&g);
        *circle = has_circle(&g);
        if (plan->named)
            *plan->named = (swq_waits_circle){0};
        if (*circle && plan->named && !plan->output_stores)
            name_circle(&g, plan->named);
    }
    swq_arrays_free(ctx, &list);
    return status;
}
