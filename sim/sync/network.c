/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The checks on a network's spec.
 * Room: sim. Includes base.
 */
#include "base/context.h"
#include "switchq/sim.h"

#include <math.h>

static swq_status check_support(swq_context *ctx, const swq_network *n)
{
    const swq_buffer *b = &n->sw.buffer;
    int least = n->support == SWQ_SUPPORT_QUEUES ? n->sw.ports : 1;

    if (n->support < SWQ_SUPPORT_NONE || n->support > SWQ_SUPPORT_BUFFER)
        return swq_fail(ctx, SWQ_EINVAL, "priority must be a value of its enumeration");
    if (n->support < SWQ_SUPPORT_QUEUE)
        return SWQ_OK;
    if (n->support != SWQ_SUPPORT_BUFFER && b->queues == SWQ_ONE_QUEUE)
        return swq_fail(ctx, SWQ_EINVAL,
                        "priority %s needs a buffer with a queue per output; a buffer of one queue "
                        "can have priority arbiter or buffer",
                        n->support == SWQ_SUPPORT_QUEUE ? "queue" : "queues");
    if (n->support == SWQ_SUPPORT_BUFFER && b->scope == SWQ_POOL)
        return swq_fail(ctx, SWQ_EINVAL,
                        "priority buffer needs a buffer at each input, not a pool");
    if (n->support != SWQ_SUPPORT_BUFFER && !swq_buffer_partitioned(b)) {
        int queues =
            n->sw.ports +
            (n->support == SWQ_SUPPORT_QUEUE && b->scope == SWQ_PER_INPUT ? 1 : n->sw.ports);
        if (queues * b->queue_min > b->capacity)
            return swq_fail(ctx, SWQ_EINVAL,
                            "queue-min must be 0 to %d (%d slots for %d queues, those for high "
                            "priority included), not %d",
                            b->capacity / queues, b->capacity, queues, b->queue_min);
        return SWQ_OK;
    }
    if (n->support == SWQ_SUPPORT_BUFFER && n->high_queues != SWQ_ONE_QUEUE &&
        n->high_queues != SWQ_QUEUE_PER_OUTPUT)
        return swq_fail(ctx, SWQ_EINVAL, "priority-queues must be a value of its enumeration");
    if (n->high_slots < least || n->high_slots > SWQ_MAX_SLOTS ||
        (n->support == SWQ_SUPPORT_QUEUES && n->high_slots % least != 0))
        return swq_fail(ctx, SWQ_EINVAL,
                        "priority-slots must be %d to %d slots, a multiple of %d, not %d", least,
                        SWQ_MAX_SLOTS, least, n->high_slots);
    return SWQ_OK;
}

/* What other architectures of switches have no rules for. */
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
        sw.load[i] = 0; /* the nodes' loads and destinations count, not the switch's */
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
