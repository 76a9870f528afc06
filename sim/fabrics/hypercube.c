/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The binary hypercube: node v has one switch, whose port k leads to the node whose number differs
 * in bit k, and whose last port is the host's. Bits are put right from the highest to the lowest. A
 * packet's class is its output port.
 *
 * Dimensions, as levels, count in the order of traversal: dimension 0 is the highest bit.
 */
#include "base/context.h"
#include "sim/fabrics/fabrics.h"

#include <stdio.h>

static swq_status count(swq_context *ctx, const swq_shape *shape, swq_fabric *fabric)
{
    if (shape->dims < 1 || shape->dims > SWQ_MAX_DIMS)
        return swq_fail(ctx, SWQ_EINVAL, "dims must be 1 to %d, not %d", SWQ_MAX_DIMS, shape->dims);
    fabric->nodes = fabric->switches = UINT32_C(1) << shape->dims;
    fabric->nodes_at_switch = 1;
    fabric->ports = fabric->classes = shape->dims + 1;
    fabric->levels = shape->dims + 1;
    return SWQ_OK;
}

static void wire(swq_fabric *fabric)
{
    const int dims = fabric->shape.dims, host = dims;

    for (uint32_t node = 0; node < fabric->nodes; node++) {
        const uint32_t first = swq_first_port(fabric, node);
        fabric->entry[node] = first + (uint32_t)host;
        for (int p = 0; p <= dims; p++) {
            const uint32_t port = first + (uint32_t)p;
            uint32_t neighbour = swq_first_port(fabric, node ^ UINT32_C(1) << p);
            fabric->link[port] = p == host ? SWQ_TO_NODE | node : neighbour + (uint32_t)p;
            fabric->in_level[port] = fabric->out_level[port] =
                (uint8_t)(p == host ? dims : dims - 1 - p);
            fabric->position[port] = (uint16_t)node;
            /* only lower bits remain; a packet from the host is for another node */
            for (int class = 0; class < p; class ++)
                swq_outputs_of(fabric, port)[class] = (uint8_t) class;
            if (p != host)
                swq_outputs_of(fabric, port)[host] = (uint8_t)host;
        }
    }
}

static int route(const swq_fabric *fabric, uint32_t port, uint32_t from, uint32_t to)
{
    const uint32_t wrong = fabric->position[port] ^ to;

    (void)from;
    return wrong ? 31 - __builtin_clz(wrong) : fabric->shape.dims;
}

static int longest(const swq_fabric *fabric)
{
    return fabric->shape.dims + 1;
}

/* Bits are put right one after another: links lead to those of lower bits. */
static void stand_in(swq_shape *shape)
{
    shape->dims = shape->dims < 4 ? shape->dims : 4;
}

static void describe(const swq_fabric *fabric, char *text, size_t size)
{
    const int dims = fabric->shape.dims;

    snprintf(text, size, "hypercube of %d dimension%s, %u nodes, %d x %d switches", dims,
             dims > 1 ? "s" : "", fabric->nodes, fabric->ports, fabric->ports);
}

static const swq_shape examples[] = {
    {.kind = &swq_fabric_hypercube, .dims = 1},
    {.kind = &swq_fabric_hypercube, .dims = 4},
    {0},
};

const swq_fabric_kind swq_fabric_hypercube = {
    .name = "hypercube",
    .summary = "2^n nodes, each linked to those that differ in one bit; highest bit first",
    .source = "Frazier (1995), 6.1.1; Sullivan and Bashkow (1977)",
    .point_to_point = true,
    .engines = SWQ_ENGINE_ASYNC,
    .parameters = SWQ_HAS_DIMS,
    .examples = examples,
    .positions = true,
    .count = count,
    .wire = wire,
    .route = route,
    .stand_in = stand_in,
    .longest = longest,
    .describe = describe,
    .level_name = swq_fabric_dimension_name,
    .direction_name = swq_fabric_dimension_of_port,
};
