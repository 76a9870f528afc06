/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Multistage networks of k x k switches, wired as a row of sim/topologies says: stage after stage,
 * from the nodes as senders to the nodes as receivers. A packet's class is its output port, one
 * digit of its destination.
 *
 * Switch w of stage s has number s * N / k + w, so that the ports of a stage have the numbers s * N
 * + line.
 */
#include "base/context.h"
#include "sim/fabrics/fabrics.h"

#include <stdio.h>

static swq_status count(swq_context *ctx, const swq_shape *shape, swq_fabric *fabric)
{
    uint32_t nodes;

    if (!shape->wiring)
        return swq_fail(ctx, SWQ_EINVAL, "wiring must be given for a multistage network");
    if (shape->ports < 2 || shape->ports > SWQ_MAX_WORM_PORTS)
        return swq_fail(ctx, SWQ_EINVAL, "ports must be 2 to %d for topology %s, not %d",
                        SWQ_MAX_WORM_PORTS, shape->wiring->name, shape->ports);
    swq_status status = swq_topology_nodes(ctx, shape->wiring, shape->ports, shape->stages, &nodes);
    if (status != SWQ_OK)
        return status;
    fabric->nodes = nodes;
    fabric->switches = nodes / (uint32_t)shape->ports * (uint32_t)shape->stages;
    fabric->nodes_at_switch = (uint32_t)shape->ports;
    fabric->ports = fabric->classes = shape->ports;
    fabric->levels = shape->stages;
    return SWQ_OK;
}

static void wire(swq_fabric *fabric)
{
    const swq_shape *shape = &fabric->shape;
    const swq_topology *wiring = shape->wiring;
    const int radix = shape->ports, stages = shape->stages;
    const uint32_t nodes = fabric->nodes;

    /* two divisions would cost as much as the rest of a hop */
    fabric->digit = radix & (radix - 1) ? 0 : (uint32_t)radix - 1;
    for (uint32_t n = 0; n < nodes; n++)
        fabric->entry[n] = wiring->wire(radix, stages, 0, n);
    for (int s = 0; s < stages; s++) {
        const uint32_t first = (uint32_t)s * nodes;
        fabric->unit[s] = 1;
        for (int place = wiring->digit(stages, s); place > 0; place--)
            fabric->unit[s] *= (uint32_t)radix;
        fabric->shift[s] = (uint8_t)__builtin_ctz(fabric->unit[s]);
        for (uint32_t line = 0; line < nodes; line++) {
            uint32_t end = wiring->wire(radix, stages, s + 1, line), port = first + line;
            fabric->link[port] = s + 1 < stages ? first + nodes + end : SWQ_TO_NODE | end;
            fabric->in_level[port] = fabric->out_level[port] = (uint8_t)s;
            for (int class = 0; class < radix; class ++)
                swq_outputs_of(fabric, port)[class] = (uint8_t) class;
        }
    }
}

static int route(const swq_fabric *fabric, uint32_t port, uint32_t from, uint32_t to)
{
    const int level = fabric->in_level[port];

    (void)from;
    if (fabric->digit)
        return (int)(to >> fabric->shift[level] & fabric->digit);
    return (int)(to / fabric->unit[level] % (uint32_t)fabric->ports);
}

static int longest(const swq_fabric *fabric)
{
    return fabric->shape.stages;
}

/* Links lead from stage to stage. */
static void stand_in(swq_shape *shape)
{
    shape->ports = 2;
    shape->stages = shape->stages < 3 ? shape->stages : 3;
}

static void describe(const swq_fabric *fabric, char *text, size_t size)
{
    const swq_shape *s = &fabric->shape;

    snprintf(text, size, "%s, %d stage%s of %d x %d switches, %u nodes", s->wiring->name, s->stages,
             s->stages > 1 ? "s" : "", s->ports, s->ports, fabric->nodes);
}

static void level_name(const swq_fabric *fabric, int level, char *text, size_t size)
{
    (void)fabric;
    snprintf(text, size, "stage %d", level + 1);
}

static const swq_shape examples[] = {
    {.kind = &swq_fabric_multistage, .ports = 2, .stages = 4},
    {.kind = &swq_fabric_multistage, .ports = 3, .stages = 2},
    {.kind = &swq_fabric_multistage, .ports = 4, .stages = 1},
    {0},
};

const swq_fabric_kind swq_fabric_multistage = {
    .name = "multistage",
    .summary = "stages of k x k switches, wired as one of the multistage topologies",
    .source = "Frazier (1995), 4.1 and 6.2",
    .engines = SWQ_ENGINE_SYNC | SWQ_ENGINE_ASYNC,
    .parameters = SWQ_HAS_PORTS | SWQ_HAS_STAGES,
    .examples = examples,
    .count = count,
    .wire = wire,
    .route = route,
    .stand_in = stand_in,
    .longest = longest,
    .describe = describe,
    .level_name = level_name,
};
