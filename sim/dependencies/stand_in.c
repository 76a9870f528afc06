/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * On which network the graph of dependencies is walked: a small one with the same circles, so that
 * a run on many nodes starts as quickly as one on few.
 */
#include "base/context.h"
#include "sim/dependencies/waits.h"
#include "sim/fabrics/fabrics.h"

#include <string.h>

double swq_waits_steps(const swq_fabric *f, bool by_another)
{
    /* of several ways, all are walked */
    const double each =
        f->shape.kind->longest(f) * (swq_shape_has_ways(&f->shape) ? f->ports : 1.0);
    const double pairs = (double)f->nodes * f->nodes * each;

    const bool progressive = f->shape.routing && f->shape.routing->progressive;

    if (swq_shape_chooses(&f->shape))
        return (double)f->nodes * f->nodes * f->shape.kind->links_of_ways(f);
    if (!by_another || !f->shape.kind->places)
        return pairs;
    return pairs * f->shape.kind->places(f, 0, f->nodes - 1) * (progressive ? 2 : 1);
}

bool swq_waits_stand_in(swq_context *ctx, const swq_shape *shape, bool whole, swq_fabric *fabric)
{
    const bool by_another = shape->routing && shape->routing->by_another;
    swq_shape small = *shape;
    swq_fabric counted;

    if (!whole && shape->kind->stand_in)
        shape->kind->stand_in(&small);
    return !swq_fabric_count(ctx, &small, &counted) &&
           swq_waits_steps(&counted, by_another) <= SWQ_MOST_WAIT_STEPS &&
           !swq_fabric_make(ctx, &small, fabric);
}

static uint32_t one_queue(const void *arg, uint32_t port, const swq_packet_state *packet)
{
    (void)arg, (void)port, (void)packet;
    return 1;
}

bool swq_shape_has_circle(const swq_shape *shape)
{
    swq_context *ctx = swq_context_new();
    swq_fabric fabric;
    bool circle = true;

    if (ctx && swq_waits_stand_in(ctx, shape, false, &fabric)) {
        const swq_waits_plan plan = {
            .fabric = &fabric, .queues = 1, .closing = 1, .joins = one_queue};
        if (swq_waits_in_a_circle(ctx, &plan, &circle))
            circle = true;
        swq_fabric_clear(ctx, &fabric);
    }
    swq_context_free(ctx);
    return circle;
}
