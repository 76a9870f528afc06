/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The simulator of chapters 6 and 8 of Frazier (1995), in one place: chapter 8 has "the
 * asynchronous network simulator presented in Ch. 6" (8.5.1). The text gives the hop delay, the
 * pause of a link and what buffers count. The text does not say when memory is free again, nor
 * whether the arbiter's pointer stays as in chapter 4. Of the readings that were tried, the one
 * below fits the printed numbers of both chapters best together; docs/reproduction.md has the
 * others.
 */
#include "validate/figures/figures.h"

#include <math.h>

enum { SWITCH_PORTS = 4, MESSAGE = 32 /* bytes at most */ };

/* "The DAMQ buffer tracks buffer blocks, FIFO, SAMQ and SAFC buffers track bytes" (8.6.1). */
static bool tracks_bytes(const swq_buffer_kind *kind)
{
    return kind->queues == SWQ_ONE_QUEUE || kind->partitioned;
}

static void free_memory(figure_memory memory, swq_async *n)
{
    switch (memory) {
    case FIGURE_MEMORY:
        n->memory.release = SWQ_RELEASE_HOP;
        break;
    case FIGURE_MEMORY_BY_BLOCKS:
        n->memory.release = SWQ_RELEASE_BLOCKS;
        break;
    }
}

swq_status figure_simulator(swq_context *ctx, const swq_shape *shape, const char *buffer, int bytes,
                            figure_memory memory, swq_async *network)
{
    swq_async n = swq_async_defaults();
    const swq_buffer_kind *kind;
    swq_status status = swq_buffer_kind_find(ctx, buffer, &kind);

    n.shape = *shape;
    if (!status && tracks_bytes(kind))
        n.packet.block = 1;
    if (!status && shape->kind == &swq_fabric_multistage)
        status = swq_fabric_find(ctx, "omega", &n.shape);
    if (!status)
        status = swq_async_buffer(ctx, &n, kind, bytes);
    if (!status)
        status = swq_arbiter_find(ctx, "advancing", &n.arbiter.row);
    free_memory(memory, &n);
    if (!status)
        *network = n;
    return status;
}

static swq_shape shape_of(const figure_network *a)
{
    if (a->stages > 0)
        return (swq_shape){
            .kind = &swq_fabric_multistage, .ports = SWITCH_PORTS, .stages = a->stages};
    return (swq_shape){.kind = &swq_fabric_torus, .dims = 2, .extent = {a->extent, a->extent}};
}

swq_status figure_make_async(swq_context *ctx, const figure_network *row, double load,
                             swq_sender_group *group, swq_async *network)
{
    const swq_spread length = {row->least ? SWQ_UNIFORM : SWQ_CONSTANT,
                               row->least ? row->least : MESSAGE, MESSAGE};
    const swq_shape shape = shape_of(row);
    swq_async n;
    swq_status status = figure_simulator(ctx, &shape, row->buffer, row->bytes, row->memory, &n);

    if (status)
        return status;
    if (row->threshold)
        n.flow.row = &swq_flow_maximum_usage;
    n.flow.threshold = row->threshold;
    *group = swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, load, length);
    n.traffic.group = group;
    n.traffic.groups = 1;
    *network = n;
    return SWQ_OK;
}

double figure_torus_load(int extent, double fraction)
{
    return fmin(1, fraction * 4 / (0.5 * extent));
}
