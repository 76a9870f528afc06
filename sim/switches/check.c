/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks of specs that architectures share, and what no architecture with stores of its own takes.
 */
#include "sim/switches/check.h"
#include "base/context.h"
#include "sim/dependencies/waits.h"

swq_status swq_check_whole(swq_context *ctx, const char *what, int value, int least, int most)
{
    if (value >= least && value <= most)
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL, "%s must be %d to %d, not %d", what, least, most, value);
}

swq_status swq_architecture_refuse(swq_context *ctx, const swq_async *n, const char *what,
                                   const char *name, const char *why)
{
    return swq_fail(ctx, SWQ_EINVAL, "%s %s is not for architecture %s, %s", what, name,
                    n->architecture.row->name, why);
}

swq_status swq_stores_check(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    const swq_architecture *a = n->architecture.row;

    if (n->flow.row != &swq_flow_blocking)
        return swq_architecture_refuse(
            ctx, n, "flow", n->flow.row->name,
            "whose stores block while they have no room for a packet: flow block");
    if (n->management.row && n->management.row->hooks)
        return swq_architecture_refuse(ctx, n, "management", n->management.row->name,
                                       "which has queues of its own");
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
        return swq_architecture_refuse(
            ctx, n, "routing", n->shape.routing->name,
            "which has no escape queues: there is no deadlock without them in trees "
            "alone");
    if (swq_shape_has_rings(&f->shape))
        return swq_architecture_refuse(ctx, n, "topology", f->shape.kind->name,
                                       "whose queues can close a ring there and have no threshold");
    return SWQ_OK;
}
