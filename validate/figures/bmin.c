/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The networks of document 003.
 */
#include "validate/figures/bmin.h"

enum {
    HOP = 3, /* cycles from the start of a header until the next switch may send it on: one on the
                link and two in the switch (3.4) */
    ARITY = 4
};

swq_status bmin_make(swq_context *ctx, const bmin_line *line, double load, swq_sender_group *group,
                     swq_async *network)
{
    const swq_spread length = {SWQ_CONSTANT, line->message, 0};
    swq_async n = swq_async_defaults();

    n.shape = (swq_shape){
        .kind = &swq_fabric_tree, .levels = line->levels, .routing = &swq_routing_adaptive};
    for (int k = 0; k < line->levels; k++)
        n.shape.arity[k] = ARITY;
    n.architecture.row = line->architecture;
    n.packet.block = BMIN_PORTS; /* flits of a chunk */
    n.packet.max = line->message;
    n.memory.bytes = line->buffer;
    n.link.hop_delay = HOP;
    n.link.rest = 0;
    *group = swq_sender_group_uniform(&n, SWQ_SOURCE_OPEN, load, length);
    n.traffic.group = group;
    n.traffic.groups = 1;
    const swq_status status = swq_selection_find(ctx, "queue", &n.arbiter.choice);
    if (!status)
        *network = n;
    return status;
}
