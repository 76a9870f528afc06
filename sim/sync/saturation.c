/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Up to which load open sources of a synchronous network are served in full.
 * Room: sim. Includes base.
 */
#include "base/context.h"
#include "sim/measure/bracket.h"
#include "sim/stages/net.h"

#include <math.h>

typedef struct {
    swq_network network;
    const swq_sim_options *options;
} load_search;

static swq_status make(swq_context *ctx, void *arg, const swq_sim_options *options,
                       uint32_t replication, swq_system **system)
{
    swq_net *net;
    swq_status status = swq_net_new(ctx, arg, options, replication, &net);

    if (!status)
        *system = &net->system;
    return status;
}

static swq_status judge(swq_context *ctx, void *arg, const swq_trial_plan *plan, swq_trial *trial)
{
    const load_search *s = arg;
    swq_network network = s->network;
    swq_engine engine = {.arg = &network, .make = make};
    uint32_t nodes;

    network.traffic.load = plan->load;
    swq_status status = swq_network_check(ctx, &network, &nodes);
    if (status)
        return status;
    engine.bytes = swq_net_bytes(&network, s->options, nodes);
    return swq_trial_run(ctx, &engine, s->options, plan, trial);
}

swq_status swq_sim_bracket(swq_context *ctx, const swq_network *network,
                           const swq_sim_options *options, double resolution, swq_bracket *bracket)
{
    swq_sim_options look = *options;
    load_search s = {*network, &look};
    uint32_t nodes;

    if (network->traffic.kind == SWQ_SOURCE_TRACE || network->traffic.node_load)
        return swq_fail(ctx, SWQ_EINVAL,
                        "saturation is found by changing the load, which must be one number for "
                        "all nodes, not one a node or a trace in place of traffic");
    if (!(resolution > 0 && resolution <= 0.5))
        return swq_fail(ctx, SWQ_EINVAL, "resolution must be above 0, at most 0.5, not %g",
                        resolution);
    s.network.traffic.kind = SWQ_SOURCE_OPEN;
    s.network.traffic.queue_limit = 0;
    s.network.traffic.load = 1;
    swq_status status = swq_network_check(ctx, &s.network, &nodes);
    if (!status)
        status = swq_run_check(ctx, options, nodes);
    if (status)
        return status;
    if (network->sw.flow == SWQ_DISCARD) { /* without waiting, packets are lost at any load */
        *bracket = (swq_bracket){.least = 1,
                                 .most = 1,
                                 .worst_least = 1,
                                 .worst_most = 1,
                                 .worst_sender = SWQ_NO_SENDER,
                                 .confidence = options->confidence,
                                 .deadlock_load = NAN};
        return SWQ_OK;
    }
    look.precision = 0;
    look.detail = NULL;
    look.per_node = false;
    look.series = 0;
    return swq_bracket_find(ctx, judge, &s, &look, resolution, bracket);
}

swq_status swq_sim_saturation(swq_context *ctx, const swq_network *network,
                              const swq_sim_options *options, double resolution,
                              swq_saturation *saturation)
{
    swq_network full = *network;
    swq_saturation s = {.bracket = {.most = 1,
                                    .worst_most = 1,
                                    .worst_sender = SWQ_NO_SENDER,
                                    .cycles = options->cycles,
                                    .deadlock_load = NAN}};

    full.traffic.load = 1;
    swq_status status = swq_sim_run(ctx, &full, options, &s.at_full_load);
    if (!status && s.at_full_load.stopped_by != SWQ_STOP_INTERRUPTED)
        status = swq_sim_bracket(ctx, network, options, resolution, &s.bracket);
    if (status)
        return status;
    if (s.bracket.interrupted)
        s.at_full_load.stopped_by = SWQ_STOP_INTERRUPTED;
    s.throughput = s.at_full_load.all.throughput;
    s.least = s.bracket.least;
    s.most = s.bracket.most;
    s.runs = s.bracket.runs + 1;
    *saturation = s;
    return SWQ_OK;
}
