/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The check that everything in this folder goes through: can there be a chain of a network?
 */
#include "base/context.h"
#include "nets/chain.h"
#include "sim/tables/gate.h"
#include "switchq/chain.h"

#include <math.h>

static const swq_takes takes = {
    .who = "the chain of a network",
    .needs = SWQ_NEEDS(SWQ_NEED_OPEN_PORTS),
};

static swq_status refuse(swq_context *ctx, const char *what, const char *instead)
{
    return swq_fail(ctx, SWQ_EINVAL, "the chain of a network does not have %s: %s", what, instead);
}

static swq_status check_traffic(swq_context *ctx, const swq_traffic *t)
{
    double hot = 0;

    if (t->kind == SWQ_SOURCE_TRACE)
        return refuse(ctx, "traces", "traffic must be uniform, with hot spots or without");
    if (t->kind != SWQ_SOURCE_HOLD)
        return refuse(ctx, "sources open", "sources must be hold");
    if (t->burst > 1)
        return refuse(ctx, "bursts", "burst must be 1");
    if (t->pattern != &swq_pattern_uniform)
        return swq_fail(ctx, SWQ_EINVAL,
                        "the chain of a network does not have traffic %s: it must be uniform, with "
                        "hot spots or without",
                        t->pattern->name);
    for (int h = 0; h < t->hot_spots; h++)
        hot += t->hot[h].fraction;
    if (hot > 1 + 1e-12)
        return swq_fail(ctx, SWQ_EINVAL, "fractions of hot spots must sum to at most 1, not %g",
                        hot);
    return SWQ_OK;
}

swq_status swq_netchain_check(swq_context *ctx, const swq_network *n)
{
    uint32_t nodes;
    swq_status status = swq_network_check(ctx, n, &nodes);

    if (!status && n->sw.ports > SWQ_CHAIN_PORTS)
        status = refuse(ctx, "switches of more than 32 ports", "simulate them");
    if (!status && n->sw.architecture && n->sw.architecture != swq_architectures[0])
        status = refuse(ctx, n->sw.architecture->name, "architecture must be input-queued");
    if (!status && n->resend)
        status = refuse(ctx, "resending", "leave out resend");
    if (!status && n->stale > 0)
        status = refuse(ctx, "stale counts", "stale must be 0");
    if (!status && n->sw.priority.support != SWQ_SUPPORT_NONE)
        status = refuse(ctx, "priorities", "priority must be none");
    if (!status && n->sw.priority.fraction > 0)
        status = refuse(ctx, "packets of high priority", "high must be 0");
    if (!status)
        status = check_traffic(ctx, &n->traffic);
    if (status)
        return status;
    swq_switch sw = n->sw; /* to check the arbiter and the pool rule of its switches */
    for (int i = 0; i < sw.ports; i++)
        sw.load[i] = 0.5;
    swq_traffic_uniform(&sw);
    status = swq_chain_check(ctx, &sw);
    return status ? status : swq_gate_network(ctx, &takes, n);
}
