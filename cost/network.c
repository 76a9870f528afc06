/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a network costs: its switches by the ports in use, and its cables by their lengths between
 * racks. Racks are filled with switches in the order of their numbers, and stand in rows that are
 * as many as racks in a row, or one less.
 */
#include "base/context.h"
#include "cost/parts.h"
#include "switchq/graph.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    const swq_fabric *f;
    const swq_cost_terms *terms;
    uint32_t in_rack, row; /* switches of a rack; racks of a row */
} floor_plan;

static floor_plan plan_of(const swq_fabric *f, const swq_cost_terms *terms, uint32_t *racks)
{
    floor_plan p = {.f = f, .terms = terms, .row = 1};

    p.in_rack = (uint32_t)fmax(1, floor(terms->rack_ports / f->ports));
    *racks = (f->switches + p.in_rack - 1) / p.in_rack;
    while (p.row * p.row < *racks)
        p.row++;
    return p;
}

/* Between two switches: along the rows and across them, and the way up from each rack. */
static double metres_between(const floor_plan *p, uint32_t a, uint32_t b)
{
    const uint32_t from = a / p->in_rack, to = b / p->in_rack;
    const int along = abs((int)(from % p->row) - (int)(to % p->row));
    const int across = abs((int)(from / p->row) - (int)(to / p->row));

    return from == to ? p->terms->rack_metres
                      : p->terms->pitch_metres * (along + across) + p->terms->leave_metres;
}

/* Adds a cable, of the kind that is cheaper at its length. */
static void add_cable(const floor_plan *p, double metres, swq_cost_cables *to)
{
    const swq_cost_terms *t = p->terms;
    const double electric = t->electric_base + t->electric_metre * metres;
    const double optic = t->optic_base + t->optic_metre * metres;

    to->cables++;
    to->optic += optic < electric;
    to->metres += metres;
    to->longest = fmax(to->longest, metres);
    to->dollars += t->link_gbps * fmin(optic, electric);
}

/* The links from switch `a` to switch `b`, of its outputs before number `before`. */
static uint32_t links_to(const swq_fabric *f, uint32_t a, uint32_t b, uint32_t before)
{
    const uint32_t ports = (uint32_t)f->ports;
    uint32_t links = 0;

    for (uint32_t k = 0; k < before; k++) {
        const uint32_t end = f->link[a * ports + k];
        links += !(end & SWQ_TO_NODE) && end / ports == b;
    }
    return links;
}

/* Both ways of a link are one cable, which counts at the switch with the lower number; at the other
 * one, links for which there is none back. */
static bool counts_here(const swq_fabric *f, uint32_t number, uint32_t output, uint32_t other)
{
    return number < other ||
           links_to(f, number, other, output) >= links_to(f, other, number, (uint32_t)f->ports);
}

static void add_switch(const floor_plan *p, uint32_t number, swq_cost_network_sums *to)
{
    const uint32_t ports = (uint32_t)p->f->ports;
    uint32_t used = 0;

    for (uint32_t k = 0; k < ports; k++) {
        const uint32_t output = number * ports + k, end = p->f->link[output];
        if (end == SWQ_NO_WHERE)
            continue;
        used++;
        swq_cost_cables *cables = &to->level[p->f->out_level[output]];
        if (end & SWQ_TO_NODE)
            add_cable(p, p->terms->rack_metres, cables);
        else if (counts_here(p->f, number, k, end / ports))
            add_cable(p, metres_between(p, number, end / ports), cables);
    }
    to->used_ports += used;
    to->switch_dollars += fmax(0, p->terms->switch_base + p->terms->switch_port * used);
}

swq_status swq_cost_of_network(swq_context *ctx, const swq_shape *shape,
                               const swq_cost_terms *terms, swq_cost_network_sums *sums)
{
    swq_fabric f;
    uint32_t racks;

    if (!shape->kind->point_to_point || shape->chained)
        return swq_fail(ctx, SWQ_EINVAL,
                        "the cost of a network is for nodes that send to and receive from one "
                        "switch: topology %s%s has none",
                        swq_shape_name(shape), shape->chained ? " with chained switches" : "");
    if (shape->graph && shape->graph->speed_of)
        return swq_fail(ctx, SWQ_EINVAL,
                        "the cost of a network is for cables of one speed, link-gbps: links of %s "
                        "have several",
                        shape->graph->name);
    const swq_status status = swq_fabric_make(ctx, shape, &f);
    if (status)
        return status;
    const floor_plan plan = plan_of(&f, terms, &racks);
    *sums = (swq_cost_network_sums){
        .nodes = f.nodes, .switches = f.switches, .racks = racks, .levels = f.levels};
    for (uint32_t w = 0; w < f.switches; w++)
        add_switch(&plan, w, sums);
    for (int k = 0; k < f.levels; k++)
        sums->cable_dollars += sums->level[k].dollars;
    swq_fabric_clear(ctx, &f);
    return SWQ_OK;
}
