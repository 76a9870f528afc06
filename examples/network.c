/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A network from C: how much more a 64-node omega delivers at full load with DAMQ than with FIFO
 * buffers of four slots, with its confidence interval.
 */
#include <switchq/switchq.h>

#include <stdio.h>

static swq_status saturate(swq_context *ctx, const char *buffer, swq_estimate *throughput)
{
    swq_sim_options options = swq_sim_defaults();
    swq_network net = {
        .shape = {.kind = &swq_fabric_multistage, .wiring = swq_topologies[0], .stages = 3}};
    const swq_buffer_kind *kind;
    swq_sim_result result;

    net.sw = (swq_switch){.ports = 4, .flow = SWQ_BLOCK, .credit = SWQ_CREDIT_NEXT};
    net.traffic = swq_traffic_defaults(); /* uniform, full load */
    swq_status status = swq_arbiter_find(ctx, "rotating", &net.sw.arbiter);
    if (!status)
        status = swq_buffer_kind_find(ctx, buffer, &kind);
    if (!status)
        status = swq_buffer_preset(ctx, kind, net.sw.ports, 4, &net.sw.buffer);
    if (!status)
        status = swq_sim_run(ctx, &net, &options, &result);
    if (!status)
        *throughput = result.all.throughput;
    return status;
}

int main(void)
{
    swq_context *ctx = swq_context_new();
    swq_estimate fifo = {0}, damq = {0};
    swq_status status = saturate(ctx, "fifo", &fifo);

    if (!status)
        status = saturate(ctx, "damq", &damq);
    if (status)
        fprintf(stderr, "%s\n", swq_context_message(ctx));
    else
        printf("FIFO %.3f +- %.3f, DAMQ %.3f +- %.3f packets per node and cycle\n", fifo.mean,
               fifo.half_width, damq.mean, damq.half_width);
    swq_context_free(ctx);
    return status || damq.mean - damq.half_width < 1.3 * fifo.mean ? 1 : 0;
}
