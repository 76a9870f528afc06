/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ceiling of throughput that the busiest link sets, among the outputs of switches and the links
 * from nodes.
 */
#include "switchq/ceiling.h"
#include "base/arrays.h"
#include "base/context.h"
#include "sim/async/checks.h"
#include "sim/ceiling/ways.h"
#include "sim/fabrics/places.h"
#include "switchq/graph.h"

#include <math.h>

static const char *none_of(const swq_async *network, const swq_fabric *f)
{
    const swq_routing *routing = network->shape.routing;

    if (routing && (routing->adaptive || routing->choose))
        return "packets choose among outputs by the state of the network";
    if (routing && routing->detours)
        return "packets choose between two ways by the state of the network";
    const char *none = swq_demand_none(network);
    const bool by_another = routing && routing->by_another;
    if (!none && swq_ways_steps(f, by_another) > SWQ_MOST_CEILING_STEPS)
        none = "there are too many ways to walk";
    return none;
}

/* The links from nodes into the network, which are no outputs; and what arrives. */
static void add_entries(const swq_demand *demand, double *row, double *entry, swq_ceiling *c)
{
    double sent = 0, lines = 0;

    for (uint32_t node = 0; node < demand->fabric->nodes; node++) {
        sent += swq_demand_row(demand, node, row);
        entry[node] = 0;
        for (uint32_t to = 0; to < demand->fabric->nodes; to++)
            entry[node] += row[to];
        lines += swq_graph_line_speed(demand->fabric->shape.graph, node);
    }
    c->throughput = sent / lines; /* for a load of 1 */
}

static void look_at(swq_ceiling *c, double busy, uint64_t link)
{
    if (busy > c->most * (1 + 1e-9)) {
        c->most = busy;
        c->link = link;
        c->links = 0;
    }
    c->links += busy > 0 && busy >= c->most * (1 - 1e-9);
}

static swq_ceiling no_ceiling(const char *why)
{
    return (swq_ceiling){.none = why, .load = NAN, .throughput = NAN, .most = NAN};
}

static void finish(const swq_fabric *f, swq_ceiling *c)
{
    const swq_map map = {&f->shape, f->shape.wiring ? NULL : f, f->nodes};

    if (c->links == 0) {
        *c = no_ceiling("no node sends anything");
        return;
    }
    c->load = 1 / c->most;
    c->throughput *= c->load;
    swq_link_from(&map, c->link, c->from, sizeof c->from);
    swq_link_to(&map, c->link, c->to, sizeof c->to);
}

static swq_status find(swq_context *ctx, const swq_demand *demand, bool by_another, swq_ceiling *c)
{
    const swq_fabric *f = demand->fabric;
    const uint32_t outputs = f->switches * (uint32_t)f->ports;
    double *load = NULL, *entry = NULL, *row = NULL;
    swq_arrays list = {0};

    SWQ_ARRAY(&list, load, outputs);
    SWQ_ARRAY(&list, entry, f->nodes);
    SWQ_ARRAY(&list, row, f->nodes);
    swq_status status = swq_arrays_take(ctx, &list);
    if (!status)
        status = swq_ways_load(ctx, demand, by_another, load);
    if (!status) {
        *c = (swq_ceiling){0};
        add_entries(demand, row, entry, c);
        for (uint32_t node = 0; node < f->nodes; node++)
            look_at(c, entry[node] / swq_graph_line_speed(f->shape.graph, node), node);
        for (uint32_t link = 0; link < outputs; link++)
            look_at(c, load[link] / swq_graph_link_speed(f->shape.graph, link),
                    (uint64_t)f->nodes + link);
        finish(f, c);
    }
    swq_arrays_free(ctx, &list);
    return status;
}

swq_status swq_async_ceiling(swq_context *ctx, const swq_async *network, uint64_t seed,
                             swq_ceiling *ceiling)
{
    const swq_routing *routing = network->shape.routing;
    swq_fabric fabric;
    swq_demand demand;
    swq_status status = swq_async_check_senders(ctx, network, &fabric);

    if (!status)
        status = swq_fabric_make(ctx, &network->shape, &fabric);
    if (status)
        return status;
    const char *none = none_of(network, &fabric);
    if (none) {
        *ceiling = no_ceiling(none);
        swq_fabric_clear(ctx, &fabric);
        return SWQ_OK;
    }
    status = swq_demand_lay(ctx, network, &fabric, seed, &demand);
    if (!status)
        status = find(ctx, &demand, routing && routing->by_another, ceiling);
    swq_demand_clear(ctx, &demand);
    swq_fabric_clear(ctx, &fabric);
    return status;
}
