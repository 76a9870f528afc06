/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Up to which load open sources of a synchronous network are served in full.
 */
#include "sim/measure/saturation.h"
#include "base/context.h"
#include "sim/stages/net.h"

#include <math.h>

typedef struct {
    swq_network network;
    const swq_sim_options *options; /* of judgements */
    swq_sim_result *at_full_load;
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
    const swq_sim_options look = swq_judging_options(options);
    load_search s = {.network = *network, .options = &look};
    uint32_t nodes;

    if (network->traffic.kind == SWQ_SOURCE_TRACE || network->traffic.node_load)
        return swq_fail(ctx, SWQ_EINVAL,
                        "saturation is found by changing the load, which must be one number for "
                        "all nodes, not one a node or a trace in place of traffic");
    if (swq_saturation_check(ctx, resolution))
        return SWQ_EINVAL;
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
    return swq_bracket_find(ctx, judge, &s, &look, resolution, bracket);
}

/* ---- the whole search ---- */

static swq_status full(swq_context *ctx, void *arg, const swq_sim_options *options,
                       swq_sim_result **result)
{
    load_search *s = arg;

    *result = s->at_full_load;
    return swq_sim_run(ctx, &s->network, options, s->at_full_load);
}

static swq_status bracket(swq_context *ctx, void *arg, const swq_sim_options *options,
                          double resolution, swq_bracket *found)
{
    const load_search *s = arg;

    return swq_sim_bracket(ctx, &s->network, options, resolution, found);
}

swq_status swq_sim_saturation(swq_context *ctx, const swq_network *network,
                              const swq_sim_options *options, const swq_search *search,
                              swq_sim_result *at_full_load, swq_saturation *saturation)
{
    load_search s = {.network = *network, .at_full_load = at_full_load};
    const swq_loaded loaded = {.arg = &s, .full = full, .bracket = bracket};

    s.network.traffic.load = 1;
    return swq_saturation_find(ctx, &loaded, options, search, saturation);
}
