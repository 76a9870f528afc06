/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of routings. The files of the fabrics define what a row means for the outputs that a
 * packet may take, and sim/switches/input_queued/choice.h chooses one of several.
 */
#include "base/names.h"
#include "sim/fabrics/state.h"

const swq_routing swq_routing_deterministic = {
    .name = "deterministic",
    .summary =
        "one path for each pair of nodes: in dimension order, or up a tree by the destination",
    .source = "Dally and Seitz (1987); Frazier (1995), 4.1 and 6.3",
};

const swq_routing swq_routing_adaptive = {
    .name = "adaptive",
    .summary = "any shortest path: any link up a tree; in meshes and tori, with escape queues",
    .source = "Duato (1993); Petrini and Vanneschi (1997)",
    .adaptive = true,
};

const swq_routing swq_routing_unguarded = {
    .name = "unguarded",
    .summary = "any shortest path in meshes and tori, without escape queues; may deadlock",
    .source = "Duato (1993)",
    .adaptive = true,
    .unguarded = true,
};

const swq_routing swq_routing_valiant = {
    .name = "valiant",
    .summary = "by way of a random node for each packet, in dimension order to that node and from "
               "it; in a dragonfly by way of a random group, in a hyperx, slimfly or polarfly of a "
               "random router, in a megafly of a random leaf",
    .source = "Valiant and Brebner (1981)",
    .by_another = true,
};

/* ---- routing that looks at queues ---- */

/* Links that a packet takes from an input port of its first switch to its node, and its first
 * output. */
static uint32_t links_ahead(const swq_fabric *f, uint32_t port, swq_packet_state p, uint32_t *first)
{
    const uint32_t ports = (uint32_t)f->ports;
    uint32_t links = 0, out = port / ports * ports + (uint32_t)swq_state_output(f, port, &p);

    *first = out;
    for (; !(f->link[out] & SWQ_TO_NODE); links++) {
        port = f->link[out];
        out = port / ports * ports + (uint32_t)swq_state_output(f, port, &p);
    }
    return links;
}

/* UGAL-L: the way with the smaller product of links and bytes ahead of its first link; the straight
 * way up to a threshold. */
static bool detours(const swq_fabric *f, uint32_t port, const swq_packet_state *p,
                    const swq_switch_view *view)
{
    const swq_packet_state straight = {.from = p->from, .to = p->then, .then = SWQ_NO_WHERE};
    uint32_t straight_out, other_out;
    const uint64_t straight_links = links_ahead(f, port, straight, &straight_out);
    const uint64_t other_links = links_ahead(f, port, *p, &other_out);

    return straight_links * view->taken(view->engine, straight_out, -1) >
           other_links * view->taken(view->engine, other_out, -1) +
               (uint64_t)f->shape.ugal_threshold;
}

const swq_routing swq_routing_ugal = {
    .name = "ugal",
    .summary = "as valiant or straight, whichever way has the smaller product of links and of "
               "bytes that take room behind its "
               "first link",
    .source = "Kim, Dally, Scott and Abts (2008), UGAL-L; Singh (2005)",
    .by_another = true,
    .detours = detours,
};

const swq_routing *const swq_routings[] = {&swq_routing_deterministic, &swq_routing_adaptive,
                                           &swq_routing_unguarded,     &swq_routing_valiant,
                                           &swq_routing_ugal,          NULL};

swq_status swq_routing_find(swq_context *ctx, const char *name, const swq_routing **row)
{
    const void *found = swq_name_lookup(ctx, "routing", name, (const void *const *)swq_routings);

    if (!found)
        return SWQ_EINVAL;
    *row = found;
    return SWQ_OK;
}
