/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Saturation of an asynchronous network: the loads of all groups of senders are changed together.
 */
#include "sim/measure/saturation.h"
#include "base/context.h"
#include "sim/frame/net.h"

#include <string.h>

typedef struct {
    const swq_async *network;
    const swq_fabric *fabric; /* of the bracket */
    const swq_sim_options *options;
    swq_async_result *at_full_load;
} async_load_search;

/* A copy of the network with that load of all groups, which are at `group`; open: of open sources.
 */
static swq_async at_load(const swq_async *network, double load, bool open, swq_sender_group *group)
{
    swq_async n = *network;

    memcpy(group, n.traffic.group, sizeof *group * (size_t)n.traffic.groups);
    for (int g = 0; g < n.traffic.groups; g++) {
        if (open)
            group[g].kind = SWQ_SOURCE_OPEN;
        swq_sender_group_load(network, &group[g], load);
    }
    n.traffic.group = group;
    return n;
}

/* Messages instead of bytes: of a message that waits, only the first packet has been created. */
static void count_messages(const swq_system *system, swq_sender_count *count)
{
    const swq_async_net *net = (const swq_async_net *)system;

    for (uint32_t i = 0; i < system->nodes; i++)
        count[i] = (swq_sender_count){net->sender[i].later, net->sender[i].number};
}

static swq_status make(swq_context *ctx, void *arg, const swq_sim_options *options,
                       uint32_t replication, swq_system **system)
{
    const async_load_search *s = arg;
    swq_async_net *net;
    swq_status status = swq_async_net_new(ctx, s->network, options, s->fabric, replication, &net);

    if (status)
        return status;
    if (swq_messages_are_cut(s->network))
        net->system.senders = count_messages;
    *system = &net->system;
    return SWQ_OK;
}

static swq_status judge(swq_context *ctx, void *arg, const swq_trial_plan *plan, swq_trial *trial)
{
    async_load_search own = *(const async_load_search *)arg;
    swq_sender_group group[SWQ_MAX_SENDER_GROUPS];
    const swq_async network = at_load(own.network, plan->load, true, group);
    swq_engine engine = {.arg = &own, .make = make};

    own.network = &network;
    const swq_status status =
        swq_async_net_bytes(ctx, &network, own.options, own.fabric, &engine.bytes);
    engine.bytes += swq_fabric_bytes(own.fabric);
    return status ? status : swq_trial_run(ctx, &engine, own.options, plan, trial);
}

static swq_status load_changes(swq_context *ctx, const swq_async *network, double resolution)
{
    uint32_t nodes;
    swq_status status = swq_async_check(ctx, network, &nodes);

    if (!status && network->traffic.trace)
        status = swq_fail(ctx, SWQ_EINVAL, "saturation is found by changing the load, not a trace");
    if (!status && swq_async_timed(network))
        status = swq_fail(ctx, SWQ_EINVAL,
                          "saturation is of traffic that does not change with time: groups may not "
                          "begin or end");
    for (int g = 0; !status && g < network->traffic.groups; g++) {
        if (network->traffic.group[g].from_start)
            status = swq_fail(ctx, SWQ_EINVAL,
                              "saturation is found by changing the load, which needs intervals "
                              "from the link's rest on");
    }
    return status ? status : swq_saturation_check(ctx, resolution);
}

swq_status swq_async_bracket(swq_context *ctx, const swq_async *network,
                             const swq_sim_options *options, double resolution,
                             swq_bracket *bracket)
{
    const swq_sim_options look = swq_judging_options(options);
    swq_fabric fabric;
    async_load_search s = {.network = network, .fabric = &fabric, .options = &look};
    swq_status status = load_changes(ctx, network, resolution);

    if (!status)
        status = swq_fabric_make(ctx, &network->shape, &fabric);
    if (status)
        return status;
    status = swq_run_check(ctx, options, fabric.nodes);
    if (!status)
        status = swq_bracket_find(ctx, judge, &s, &look, resolution, bracket);
    swq_fabric_clear(ctx, &fabric);
    return status;
}

/* ---- the whole search ---- */

static swq_status full(swq_context *ctx, void *arg, const swq_sim_options *options,
                       swq_sim_result **result)
{
    const async_load_search *s = arg;
    swq_sender_group group[SWQ_MAX_SENDER_GROUPS];
    const swq_async network = at_load(s->network, 1, false, group);

    *result = &s->at_full_load->sim;
    return swq_async_run(ctx, &network, options, NULL, s->at_full_load);
}

static swq_status run(swq_context *ctx, void *arg, double load, const swq_sim_options *options,
                      swq_sim_result *result)
{
    const async_load_search *s = arg;
    swq_sender_group group[SWQ_MAX_SENDER_GROUPS];
    const swq_async network = at_load(s->network, load, false, group);
    swq_async_result own;
    const swq_status status = swq_async_run(ctx, &network, options, NULL, &own);

    if (!status)
        *result = own.sim;
    return status;
}

static swq_status bracket(swq_context *ctx, void *arg, const swq_sim_options *options,
                          double resolution, swq_bracket *found)
{
    const async_load_search *s = arg;

    return swq_async_bracket(ctx, s->network, options, resolution, found);
}

swq_status swq_async_saturation(swq_context *ctx, const swq_async *network,
                                const swq_sim_options *options, const swq_search *search,
                                swq_async_result *at_full_load, swq_saturation *saturation)
{
    async_load_search s = {.network = network, .at_full_load = at_full_load};
    const swq_loaded loaded = {
        .arg = &s, .falls = true, .full = full, .run = run, .bracket = bracket};
    const swq_status status = load_changes(ctx, network, search->resolution);

    return status ? status : swq_saturation_find(ctx, &loaded, options, search, saturation);
}
