/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which networks take multicast messages.
 */
#include "base/context.h"
#include "sim/async/checks.h"
#include "sim/traffic/multicast.h"

static swq_status check_sizes(swq_context *ctx, const swq_message_type *type, uint32_t nodes)
{
    if (type->members < 1 || (uint32_t)type->members > nodes)
        return swq_fail(ctx, SWQ_EINVAL, "the nodes of a multicast message must be 1 to %u, not %d",
                        nodes, type->members);
    if (type->sets < 1 || type->sets > SWQ_MAX_NODE_SETS)
        return swq_fail(ctx, SWQ_EINVAL, "the sets of multicast messages must be 1 to %d, not %d",
                        SWQ_MAX_NODE_SETS, type->sets);
    if ((double)type->members * type->sets > SWQ_MAX_SET_MEMBERS)
        return swq_fail(ctx, SWQ_EINVAL,
                        "%d sets of %d nodes for multicast messages have more than %d members",
                        type->sets, type->members, SWQ_MAX_SET_MEMBERS);
    return SWQ_OK;
}

swq_status swq_multicast_check(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    if (!swq_multicast_asked(n))
        return SWQ_OK;
    if (!n->architecture.row->async.copies)
        return swq_fail(ctx, SWQ_EINVAL,
                        "traffic multicast and all are for architecture %s, whose switches copy "
                        "packets for several nodes, not for %s",
                        swq_atlas_cells.name, n->architecture.row->name);
    if (f->shape.kind->point_to_point)
        return swq_fail(ctx, SWQ_EINVAL,
                        "traffic multicast and all are for multistage networks, not for topology "
                        "%s, in which cells of multicast queues could wait for one another",
                        f->shape.kind->name);
    if (n->sender.row)
        return swq_fail(ctx, SWQ_EINVAL,
                        "sender %s is for packets to one node each, not for traffic multicast and "
                        "all",
                        n->sender.row->name);
    for (int g = 0; g < n->traffic.groups; g++) {
        for (int t = 0; t < n->traffic.group[g].types; t++) {
            const swq_message_type *type = &n->traffic.group[g].type[t];
            const swq_status status =
                type->aim == SWQ_AIM_SETS ? check_sizes(ctx, type, f->nodes) : SWQ_OK;
            if (status)
                return status;
        }
    }
    return SWQ_OK;
}
