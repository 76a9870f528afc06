/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of routings. The files of the fabrics define what a row means for the outputs that a
 * packet may take, and sim/async/choice.h chooses one of several.
 * Room: sim. Includes base.
 */
#include "base/names.h"
#include "switchq/fabric.h"

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
    .summary =
        "by way of a random node for each packet, in dimension order to that node and from it",
    .source = "Valiant and Brebner (1981)",
    .by_another = true,
};

const swq_routing *const swq_routings[] = {&swq_routing_deterministic, &swq_routing_adaptive,
                                           &swq_routing_unguarded, &swq_routing_valiant, NULL};

swq_status swq_routing_find(swq_context *ctx, const char *name, const swq_routing **row)
{
    const void *found = swq_name_lookup(ctx, "routing", name, (const void *const *)swq_routings);

    if (!found)
        return SWQ_EINVAL;
    *row = found;
    return SWQ_OK;
}
