/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the dissertation cites of wormhole networks.
 */
#include "switchq/async.h"
#include "validate/checks/printed_find.h"

#include <math.h>
#include <stdio.h>

enum {
    ROUND_TRIP = 3,    /* cycles from a flit's departure until its credit can be used */
    MESSAGE_BITS = 200 /* Dally (1990) */
};

/* Saturation of a k x k torus with unidirectional links and two lanes, as a fraction of the
 * capacity of its links: k (k - 1) / 2 links lie between a node and the others of its ring. Wires
 * of k / 2 bits follow from equal bisections. Buffers hold enough to keep a link busy, which is as
 * close to Dally's switches without delays as switches with delays come. */
static swq_status saturate(swq_context *ctx, int k, uint64_t seed, double *fraction)
{
    const double flits = ceil(MESSAGE_BITS / (k / 2.0));
    swq_async n = swq_async_defaults();
    swq_sim_options options = swq_sim_defaults();
    swq_async_result result;

    n.shape = (swq_shape){.dims = 2, .extent = {k, k}, .one_way = true};
    swq_status status = swq_fabric_find(ctx, "torus", &n.shape);
    n.architecture.row = &swq_wormhole_lanes;
    n.architecture.lanes.count = 2;
    n.architecture.lanes.flits = ROUND_TRIP;
    n.architecture.lanes.choice = &swq_lane_choice_dateline;
    n.architecture.lanes.router_delay[0] = n.architecture.lanes.router_delay[1] =
        n.architecture.lanes.router_delay[3] = 0;
    n.flow.credit_delay = 0;
    n.link.rest = 0;
    n.packet.block = 1;
    n.packet.max = (int)flits;
    const swq_sender_group group =
        swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, (swq_spread){SWQ_CONSTANT, flits, 0});
    n.traffic.group = &group;
    n.traffic.groups = 1;
    options.seed = seed;
    options.warmup = 4000;
    options.cycles = 4000;
    if (!status)
        status = swq_async_run(ctx, &n, &options, NULL, &result);
    if (!status)
        *fraction = result.sim.all.throughput.mean * (k - 1) / 2;
    return status;
}

swq_status printed_dally(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    static const double print[] = {0.36, 0.35};
    double found[2] = {NAN, NAN};
    int failed = 0;

    (void)effort; /* it takes eight seconds */
    for (int k = 0; k < 2; k++) {
        const swq_status status = saturate(ctx, k ? 64 : 32, seed, &found[k]);
        if (status)
            return status;
        failed += !(fabs(found[k] - print[k]) <= 0.1 * print[k]);
    }
    printed_none(f, failed, 2);
    snprintf(f->text, sizeof f->text, "32x32: %.3f (print %g), 64x64: %.3f (%g), each to 10%%",
             found[0], print[0], found[1], print[1]);
    return SWQ_OK;
}
