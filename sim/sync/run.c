/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Simulating a synchronous network: check it, and have it run.
 */
#include "sim/measure/run.h"
#include "base/context.h"
#include "sim/measure/measures.h"
#include "sim/stages/net.h"

typedef struct {
    const swq_network *network;
} sync_run;

static swq_status make(swq_context *ctx, void *arg, const swq_sim_options *options,
                       uint32_t replication, swq_system **system)
{
    const sync_run *run = arg;
    swq_net *net;
    swq_status status = swq_net_new(ctx, run->network, options, replication, &net);

    if (!status)
        *system = &net->system;
    return status;
}

swq_status swq_net_check_returned(swq_context *ctx, const swq_net *net)
{
    if (!net->system.overflow)
        return SWQ_OK;
    return swq_fail(ctx, SWQ_ELIMIT,
                    "more than %u discarded packets wait to be sent again: the network is far "
                    "beyond saturation",
                    net->sources.returned_room);
}

static swq_status check_overflow(swq_context *ctx, void *arg, const swq_replication *replication,
                                 int replications, const swq_sim_result *result)
{
    (void)arg;
    (void)result;
    swq_status status = SWQ_OK;
    for (int k = 0; k < replications && !status; k++)
        status = swq_net_check_returned(ctx, (const swq_net *)replication[k].system);
    return status;
}

swq_status swq_sim_run(swq_context *ctx, const swq_network *network, const swq_sim_options *options,
                       swq_sim_result *result)
{
    sync_run run = {network};
    swq_engine engine = {.arg = &run, .make = make, .read = check_overflow};
    uint32_t nodes;
    swq_status status = swq_network_check(ctx, network, &nodes);

    if (!status)
        status = swq_run_check(ctx, options, nodes);
    if (!status && swq_measures_messages(options->detail))
        status = swq_fail(ctx, SWQ_EINVAL,
                          "measure message-latency is for asynchronous networks: in stage cycles a "
                          "message is a packet");
    if (status)
        return status;
    engine.bytes = swq_net_bytes(network, options, nodes);
    return swq_run(ctx, &engine, options, result);
}
