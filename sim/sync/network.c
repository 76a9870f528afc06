/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The checks on a network's spec.
 * Room: sim. Includes models, base.
 */
#include "base/context.h"
#include "models/priority.h"
#include "switchq/sim.h"

#include <math.h>

static swq_status check_support(swq_context *ctx, const swq_network *n)
{
    const swq_priority priority = {
        .support = n->support, .slots = n->high_slots, .queues = n->high_queues};

    if (n->sw.priority.support || n->sw.priority.fraction != 0)
        return swq_fail(ctx, SWQ_EINVAL,
                        "the priorities of a network are its own, not those of its switch");
    return swq_priority_check(ctx, &n->sw.buffer, n->sw.ports, &priority);
}

/* Refuses what other architectures of switches have no rules for. */
static swq_status check_architecture(swq_context *ctx, const swq_network *n)
{
    const char *name = swq_switch_architecture(&n->sw)->name;

    if (swq_switch_architecture(&n->sw) == swq_stage_architectures[0])
        return SWQ_OK;
    if (n->stale > 0)
        return swq_fail(ctx, SWQ_EINVAL, "stale is for architecture %s, not for %s",
                        swq_stage_architectures[0]->name, name);
    if (n->support != SWQ_SUPPORT_NONE)
        return swq_fail(ctx, SWQ_EINVAL, "priority is for architecture %s, not for %s",
                        swq_stage_architectures[0]->name, name);
    return SWQ_OK;
}

swq_status swq_network_check(swq_context *ctx, const swq_network *n, uint32_t *nodes)
{
    swq_switch sw = n->sw;

    if (!n->topology)
        return swq_fail(ctx, SWQ_EINVAL, "topology must be given");
    for (int i = 0; i < SWQ_MAX_PORTS; i++)
        sw.load[i] = 0; /* the nodes' loads and destinations matter, not the switch's */
    if (sw.ports >= 1 && sw.ports <= SWQ_MAX_PORTS)
        swq_traffic_uniform(&sw);
    swq_status status = swq_switch_check(ctx, &sw);
    if (!status && n->sw.burst > 1)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "burst of the switch must be 0 in a network, whose traffic has bursts of "
                          "its own, not %g",
                          n->sw.burst);
    if (!status && sw.ports < 2)
        status = swq_fail(ctx, SWQ_EINVAL, "ports must be 2 to %d in a network, not %d",
                          SWQ_MAX_PORTS, sw.ports);
    if (!status)
        status = swq_topology_nodes(ctx, n->topology, sw.ports, n->stages, nodes);
    if (!status)
        status = swq_traffic_check(ctx, &n->traffic, *nodes);
    if (!status && n->resend && sw.flow != SWQ_DISCARD)
        status = swq_fail(ctx, SWQ_EINVAL, "resend is for flow discard only");
    if (!status && (n->stale < 0 || n->stale > 1000000))
        status = swq_fail(ctx, SWQ_EINVAL, "stale must be 0 to 1000000 cycles, not %d", n->stale);
    if (!status)
        status = check_architecture(ctx, n);
    if (!status && n->stale > 0 && sw.buffer.scope == SWQ_POOL)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "stale is for buffers at the inputs; a pool's queues all "
                          "send");
    if (!status)
        status = check_support(ctx, n);
    return status;
}
