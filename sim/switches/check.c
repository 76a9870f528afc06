/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What no architecture with stores of its own takes.
 * Room: sim. Includes base.
 */
#include "sim/switches/check.h"
#include "base/context.h"
#include "sim/dependencies/waits.h"

static swq_status refuse(swq_context *ctx, const swq_async *n, const char *what, const char *name,
                         const char *instead)
{
    return swq_fail(ctx, SWQ_EINVAL, "%s %s is not for architecture %s, %s", what, name,
                    n->architecture.row->name, instead);
}

swq_status swq_stores_check(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    const swq_architecture *a = n->architecture.row;

    if (n->flow.row != &swq_flow_blocking)
        return refuse(ctx, n, "flow", n->flow.row->name,
                      "whose stores block while they have no room for a packet: flow block");
    if (n->management.row && n->management.row->hooks)
        return refuse(ctx, n, "management", n->management.row->name, "which has queues of its own");
    if (n->packet.piece > 0 && n->packet.piece < n->packet.max)
        return swq_fail(ctx, SWQ_EINVAL,
                        "piece must not be given with architecture %s, through "
                        "which packets go whole",
                        a->name);
    if (n->memory.release != SWQ_RELEASE_BLOCKS)
        return swq_fail(ctx, SWQ_EINVAL,
                        "release must be blocks with architecture %s, whose "
                        "memory is free as it is read",
                        a->name);
    if (swq_shape_adaptive(&n->shape) && f->shape.kind->escape)
        return refuse(ctx, n, "routing", n->shape.routing->name,
                      "which has no escape queues: there is no deadlock without them in trees "
                      "alone");
    if (swq_shape_has_rings(&f->shape))
        return refuse(ctx, n, "topology", f->shape.kind->name,
                      "whose queues can close a ring there and have no threshold");
    return SWQ_OK;
}
