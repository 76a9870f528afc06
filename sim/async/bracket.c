/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Up to which load open sources of an asynchronous network are served in full.
 * Room: sim. Includes base.
 */
#include "sim/measure/bracket.h"
#include "base/context.h"
#include "sim/frame/net.h"

#include <string.h>

typedef struct {
    const swq_async *network;
    const swq_fabric *fabric;
    const swq_sim_options *options;
} open_search;

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
    const open_search *s = arg;
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
    open_search own = *(const open_search *)arg;
    swq_async network = *own.network;
    swq_sender_group group[SWQ_MAX_SENDER_GROUPS];
    swq_engine engine = {.arg = &own, .make = make};

    memcpy(group, network.group, sizeof *group * (size_t)network.groups);
    for (int g = 0; g < network.groups; g++) {
        group[g].kind = SWQ_SOURCE_OPEN;
        swq_sender_group_load(&network, &group[g], plan->load);
    }
    network.group = group;
    own.network = &network;
    const swq_status status =
        swq_async_net_bytes(ctx, &network, own.options, own.fabric, &engine.bytes);
    engine.bytes += swq_fabric_bytes(own.fabric);
    return status ? status : swq_trial_run(ctx, &engine, own.options, plan, trial);
}

swq_status swq_async_bracket(swq_context *ctx, const swq_async *network,
                             const swq_sim_options *options, double resolution,
                             swq_bracket *bracket)
{
    swq_sim_options look = *options;
    swq_fabric fabric;
    open_search s = {network, &fabric, &look};
    swq_status status = swq_async_load_changes(ctx, network, resolution);

    if (!status)
        status = swq_fabric_make(ctx, &network->shape, &fabric);
    if (status)
        return status;
    status = swq_run_check(ctx, options, fabric.nodes);
    look.precision = 0;
    look.detail = NULL;
    look.per_node = false;
    look.series = 0;
    if (!status)
        status = swq_bracket_find(ctx, judge, &s, &look, resolution, bracket);
    swq_fabric_clear(ctx, &fabric);
    return status;
}
