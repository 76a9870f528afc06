/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The networks of document 003.
 * Room: validate. Includes sim.
 */
#include "validate/figures/bmin.h"
#include "base/context.h"
#include "sim/measure/pile.h"
#include "sim/traffic/groups.h"

#include <math.h>
#include <string.h>

enum {
    CHUNK = BMIN_PORTS,
    HOP = 3, /* cycles from the start of a header until the next switch may send it on: one on the
                link and two in the switch (3.4) */
    ARITY = 4
};

static const swq_architecture *architecture_of(const bmin_line *line)
{
    static const char *const name[] = {
        [BMIN_FIFO] = "input-queued", [BMIN_HIPIQS] = "hipiqs", [BMIN_CENTRAL] = "central"};
    int k = 0;

    while (swq_architectures[k] && strcmp(swq_architectures[k]->name, name[line->memory]) != 0)
        k++;
    return swq_architectures[k];
}

static swq_status organise(swq_context *ctx, const bmin_line *line, bool equal_all, swq_async *n)
{
    const swq_buffer_kind *kind;
    swq_status status = SWQ_OK;

    n->architecture.row = architecture_of(line);

    n->packet.block = CHUNK;
    if (line->memory == BMIN_FIFO) {
        if (!status)
            status = swq_buffer_kind_find(ctx, "fifo", &kind);
        return status ? status : swq_async_buffer(ctx, n, kind, line->buffer);
    }
    n->memory.bytes = line->buffer;
    n->architecture.stores.count_all = equal_all && n->architecture.row->crosspoints;
    return status ? status : swq_selection_find(ctx, "queue", &n->arbiter.choice);
}

swq_status bmin_make(swq_context *ctx, const bmin_line *line, bool equal_all, double load,
                     swq_sender_group *group, swq_async *network)
{
    const swq_spread length = {SWQ_CONSTANT, line->message, 0};
    swq_async n = swq_async_defaults();

    n.shape = (swq_shape){
        .kind = &swq_fabric_tree, .levels = line->levels, .routing = &swq_routing_adaptive};
    for (int k = 0; k < line->levels; k++)
        n.shape.arity[k] = ARITY;
    n.packet.max = line->packet ? line->packet : line->message;
    n.link.hop_delay = HOP;
    n.link.rest = 0;
    swq_status status = organise(ctx, line, equal_all, &n);
    *group = swq_sender_group_uniform(&n, SWQ_SOURCE_OPEN, load, length);
    if (!status && line->pattern)
        status = swq_pattern_find(ctx, line->pattern, &group->type[0].pattern);
    n.traffic.group = group;
    n.traffic.groups = 1;
    if (!status)
        *network = n;
    return status;
}
