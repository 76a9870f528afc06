/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A torus from C: what an 11x11 torus of DAMQ buffers delivers below saturation and at full load,
 * as the fraction of its links' bandwidth, and that it deadlocks if queues are not limited.
 */
#include <switchq/switchq.h>

#include <stdio.h>

static swq_status run(swq_context *ctx, double load, int threshold, swq_async_result *result)
{
    swq_sim_options options = swq_sim_defaults();
    swq_async torus = swq_async_defaults();

    torus.shape = (swq_shape){.kind = &swq_fabric_torus, .dims = 2, .extent = {11, 11}};
    if (threshold > 0) {
        torus.flow.row = &swq_flow_maximum_usage;
        torus.flow.threshold = threshold;
    }
    swq_sender_group group =
        swq_sender_group_uniform(&torus, SWQ_SOURCE_HOLD, load, (swq_spread){SWQ_CONSTANT, 32, 0});
    torus.traffic.group = &group;
    torus.traffic.groups = 1;
    const swq_buffer_kind *damq;
    swq_status status = swq_buffer_kind_find(ctx, "damq", &damq);
    if (!status)
        status = swq_async_buffer(ctx, &torus, damq, 256);
    return status ? status : swq_async_run(ctx, &torus, &options, NULL, result);
}

int main(void)
{
    swq_context *ctx = swq_context_new();
    static swq_async_result below, full, unlimited;
    swq_status status = run(ctx, 0.45, 26, &below);

    if (!status)
        status = run(ctx, 1, 26, &full);
    if (!status)
        status = run(ctx, 1, 0, &unlimited);
    if (status) {
        fprintf(stderr, "%s\n", swq_context_message(ctx));
    } else {
        printf("load 0.45: %.3f of the links' bandwidth, full load: %.3f\n", below.bisection,
               full.bisection);
        printf("without a limit on queues: %d buffers wait for one another\n",
               unlimited.waiting_count);
    }
    swq_context_free(ctx);
    return status || full.bisection >= below.bisection ||
                   unlimited.sim.stopped_by != SWQ_STOP_DEADLOCK
               ? 1
               : 0;
}
