/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ways of all pairs of nodes, walked as packets go (sim/fabrics/state.c), and the weight of
 * each pair added to the links of its way. A pair's packets that go by way of a drawn place are
 * shared out among all places alike.
 *
 * Where every node is such a place, the ways to one place, m, are walked from all nodes, and what
 * arrives at each input port of its switch is added up by destination before the second parts of
 * the ways are walked: nodes^2 x ports walks rather than nodes^3.
 */
#include "sim/ceiling/ways.h"
#include "base/arrays.h"
#include "base/context.h"
#include "sim/fabrics/state.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Takes one link. Returns the link, or SWQ_NO_WHERE if there is none. */
static uint32_t step(const swq_fabric *f, uint32_t port, swq_packet_state *p)
{
    const uint32_t ports = (uint32_t)f->ports;
    const uint32_t output = (uint32_t)swq_state_output(f, port, p);
    const uint32_t link = port / ports * ports + output;

    return output < ports && f->link[link] != SWQ_NO_WHERE ? link : SWQ_NO_WHERE;
}

static swq_status astray(swq_context *ctx, uint32_t from, uint32_t to)
{
    return swq_fail(ctx, SWQ_EINVAL,
                    "links lead packets from node %" PRIu32 " astray that are for node %" PRIu32,
                    from, to);
}

typedef struct {
    swq_context *ctx;
    const swq_demand *demand;
    const swq_fabric *f;
    double *load;
    double *row; /* [nodes] of one node */
    double *met; /* [ports * nodes] what has come to each input port of a place, by destination */
    double *amount; /* [switches] drawn ways: what has come to a switch, ... */
    uint32_t *list; /* [2 * switches] ... and these switches */
} ways;

/* Adds an amount to all links on a packet's one way. */
static swq_status add_way(ways *w, uint32_t port, swq_packet_state p, double amount)
{
    const swq_fabric *f = w->f;
    const uint32_t from = p.from, to = p.then != SWQ_NO_WHERE ? p.then : p.to;

    for (uint32_t steps = 0; steps <= 2 * f->switches; steps++) {
        const uint32_t link = step(f, port, &p);
        if (link == SWQ_NO_WHERE)
            break;
        w->load[link] += amount;
        port = f->link[link];
        if (port & SWQ_TO_NODE)
            return port == (SWQ_TO_NODE | to) ? SWQ_OK : astray(w->ctx, from, to);
    }
    return astray(w->ctx, from, to);
}

/* Drawn ways: sends what has come to a switch on by its outputs, each the same share of it, and
 * lists the switches that it comes to behind `more` others. Returns their new number. */
static uint32_t share_out(ways *w, uint32_t at, const swq_port_set *outputs, uint32_t *reached,
                          uint32_t more)
{
    const swq_fabric *f = w->f;
    const uint32_t ports = (uint32_t)f->ports;
    const double each = w->amount[at] / swq_port_set_count(outputs, f->set_words);
    uint32_t out;

    w->amount[at] = 0;
    SWQ_EACH_PORT (out, outputs, f->set_words) {
        const uint32_t link = at * ports + out, end = f->link[link];
        w->load[link] += each;
        if (end & SWQ_TO_NODE)
            continue;
        if (w->amount[end / ports] == 0)
            reached[more++] = end / ports;
        w->amount[end / ports] += each;
    }
    return more;
}

/* Adds an amount to all links on the ways that a packet may draw: the same share to each output of
 * a switch. After as many links its state is the same on all of them. With `to_place`, only as far
 * as the place by way of which it goes. */
static swq_status add_drawn(ways *w, uint32_t port, swq_packet_state p, double amount,
                            bool to_place)
{
    const swq_fabric *f = w->f;
    const uint32_t from = p.from, to = p.to, ports = (uint32_t)f->ports;
    swq_port_set own[SWQ_PORT_SET_WIDE];
    uint32_t count = 1;

    w->list[0] = port / ports;
    w->amount[port / ports] = amount;
    for (uint32_t steps = 0; count > 0; steps++) {
        swq_packet_state then = p;
        uint32_t more = 0, *reached = w->list + f->switches;
        if (to_place && swq_state_has_come(f, w->list[0] * ports, &p)) {
            w->amount[w->list[0]] = 0;
            return SWQ_OK;
        }
        if (steps > 2 * f->switches)
            return astray(w->ctx, from, to);
        for (uint32_t k = 0; k < count; k++) {
            then = p;
            const swq_port_set *outputs = swq_state_outputs(f, w->list[k] * ports, &then, own);
            if (!swq_port_set_any(outputs, f->set_words))
                return astray(w->ctx, from, to);
            more = share_out(w, w->list[k], outputs, reached, more);
        }
        memcpy(w->list, reached, more * sizeof *reached);
        count = more;
        p = then;
    }
    return SWQ_OK;
}

static swq_status add(ways *w, uint32_t port, swq_packet_state p, double amount)
{
    return w->f->ways ? add_drawn(w, port, p, amount, false) : add_way(w, port, p, amount);
}

/* Straight, or by way of the places that the fabric's row lists. */
static swq_status add_pair(ways *w, uint32_t from, uint32_t to, double amount, bool by_another)
{
    const swq_fabric *f = w->f;
    const uint32_t places = by_another ? f->shape.kind->places(f, from, to) : 0;
    swq_packet_state p = {.from = from, .to = to, .then = SWQ_NO_WHERE};
    swq_status status = SWQ_OK;

    if (!places)
        return add(w, f->entry[from], p, amount);
    p.then = to;
    for (uint32_t k = 0; k < places && !status; k++) {
        p.to = f->shape.kind->place(f, from, to, k);
        status = add(w, f->entry[from], p, amount / places);
    }
    return status;
}

static swq_status add_row(ways *w, uint32_t from, bool by_another)
{
    swq_status status = SWQ_OK;

    swq_demand_row(w->demand, from, w->row);
    for (uint32_t to = 0; to < w->f->nodes && !status; to++) {
        if (w->row[to] > 0)
            status = add_pair(w, from, to, w->row[to], by_another);
    }
    return status;
}

/* The first part of the ways from a node, to the place of node `by`. */
static swq_status come(ways *w, uint32_t from, uint32_t by)
{
    const swq_fabric *f = w->f;
    const uint32_t nodes = f->nodes;
    swq_packet_state p = {.from = from, .to = by, .then = from};
    uint32_t port = f->entry[from];
    double sum = 0;

    swq_demand_row(w->demand, from, w->row);
    for (uint32_t to = 0; to < nodes; to++)
        sum += w->row[to] / nodes;
    if (sum <= 0)
        return SWQ_OK;
    if (f->ways) {
        const swq_status status = add_drawn(w, port, p, sum, true);
        if (status)
            return status;
        port = f->entry[by] - f->entry[by] % (uint32_t)f->ports; /* whatever the input port */
    }
    for (uint32_t steps = 0; !swq_state_has_come(f, port, &p); steps++) {
        const uint32_t link = step(f, port, &p);
        if (link == SWQ_NO_WHERE || f->link[link] & SWQ_TO_NODE || steps > f->switches)
            return astray(w->ctx, from, by);
        w->load[link] += sum;
        port = f->link[link];
    }
    double *met = w->met + (size_t)(port % (uint32_t)f->ports) * nodes;
    for (uint32_t to = 0; to < nodes; to++)
        met[to] += w->row[to] / nodes;
    return SWQ_OK;
}

/* All ways by way of the place of node `by`. */
static swq_status add_by(ways *w, uint32_t by)
{
    const swq_fabric *f = w->f;
    const uint32_t ports = (uint32_t)f->ports, first = f->entry[by] / ports * ports;
    swq_status status = SWQ_OK;

    memset(w->met, 0, (size_t)ports * f->nodes * sizeof *w->met);
    for (uint32_t from = 0; from < f->nodes && !status; from++)
        status = come(w, from, by);
    for (uint32_t k = 0; k < ports && !status; k++) {
        for (uint32_t to = 0; to < f->nodes && !status; to++) {
            const double amount = w->met[(size_t)k * f->nodes + to];
            const swq_packet_state p = {.from = by, .to = by, .then = to};
            if (amount > 0)
                status = add(w, first + k, p, amount);
        }
    }
    return status;
}

swq_status swq_ways_load(swq_context *ctx, const swq_demand *demand, bool by_another, double *load)
{
    const swq_fabric *f = demand->fabric;
    const bool by_any = by_another && !f->shape.kind->places;
    ways w = {.ctx = ctx, .demand = demand, .f = f, .load = load};
    swq_arrays list = {0};

    SWQ_ARRAY(&list, w.row, f->nodes);
    SWQ_ARRAY(&list, w.amount, f->ways ? f->switches : 0);
    SWQ_ARRAY(&list, w.list, f->ways ? 2.0 * f->switches : 0);
    SWQ_ARRAY(&list, w.met, by_any ? (double)f->ports * f->nodes : 0);
    swq_status status = swq_arrays_take(ctx, &list);
    if (!status)
        memset(load, 0, (size_t)f->switches * (size_t)f->ports * sizeof *load);
    for (uint32_t node = 0; node < f->nodes && !status; node++) {
        status = by_any ? add_by(&w, node) : add_row(&w, node, by_another);
        if (!status && swq_context_cancelled(ctx))
            status = swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
    }
    swq_arrays_free(ctx, &list);
    return status;
}

double swq_ways_steps(const swq_fabric *f, bool by_another)
{
    const double pairs = (double)f->nodes * f->nodes;
    /* of drawn ways, several are walked */
    const double hops =
        f->shape.kind->longest(f) * (swq_shape_has_ways(&f->shape) ? f->ports / 2.0 : 1);

    if (!by_another)
        return pairs * hops;
    if (f->shape.kind->places)
        return pairs * 2 * hops * fmax(1, f->shape.kind->places(f, 0, f->nodes - 1));
    /* adding up takes about an eighth of a step for each destination */
    return pairs * (hops * (f->ports + 1) + f->nodes / 8.0);
}
