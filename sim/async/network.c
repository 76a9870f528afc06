/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The spec of an asynchronous network: its defaults, and groups of senders and their times.
 * network_check.c has the checks on it.
 * Room: sim. Includes base and models.
 */
#include "models/arbiters/arbiters.h"
#include "sim/frame/rule.h"
#include "sim/traffic/spread.h"
#include "sim/traffic/trace.h"

#include <math.h>

swq_async swq_async_defaults(void)
{
    return (swq_async){
        .block = 8,
        .max_packet = 32,
        .flow = &swq_flow_blocking,
        .architecture = &swq_input_queued,
        .management = &swq_management_none,
        .arbiter = &swq_arbiter_rotating,
        .hop_delay = 5,
        .link_rest = 2,
        .speedup_bytes = 1,
        .speedup_cycles = 1,
        .crossbar_delay = 1,
        .credit_delay = 1,
        .crosspoint_chunks = 2,
        .fifo = 32,
        .lanes = 4,
        .node_lanes = 1,
        .lane_flits = 8,
        .lane_reserve = 1,
        .pool_cells = 16,
        .lane_cells = 1,
        .group_lanes = SWQ_MAX_FLOW_GROUPS,
        .lane_choice = &swq_lane_choice_any,
        .router_delay = {0, 1, 1, 1},
        .link_delay = 1,
        .turnpool_bits = 31,
        .interface = 64,
        .inspection = 1,
    };
}

void swq_sender_group_load(const swq_async *network, swq_sender_group *group, double load)
{
    double bytes = 0, link_time = 0;

    for (int t = 0; t < group->types; t++) {
        const swq_message_type *type = &group->type[t];
        bytes += type->probability * swq_spread_mean(&type->length);
        link_time += type->probability *
                     swq_spread_link_time(&type->length, network->max_packet, network->link_rest);
    }
    double apart = load > 0 ? bytes / load : INFINITY;
    double burst = group->burst > 1 ? group->burst : 1;
    group->silent = load <= 0;
    group->interval = (swq_spread){SWQ_GEOMETRIC, apart, group->kind == SWQ_SOURCE_OPEN};
    if (group->kind != SWQ_SOURCE_OPEN && !group->silent) {
        apart -= link_time;
        group->interval.first = apart > 0 && load < 1 ? burst * apart : 0;
    } else if (burst > 1 && !group->silent) {
        group->interval.first = fmax(1, burst * apart - (burst - 1) * link_time);
    }
}

static uint32_t end_of(const swq_sender_group *g)
{
    return g->until ? g->until : SWQ_NEVER;
}

int swq_sender_group_at(const swq_async *network, uint32_t sender, uint32_t cycle, uint32_t *next)
{
    int g = 0;

    *next = SWQ_NEVER;
    for (; g < network->groups; g++) {
        const swq_sender_group *group = &network->group[g];
        if ((sender & group->mask) != group->value || cycle >= end_of(group))
            continue;
        const uint32_t change = cycle < group->from ? group->from : end_of(group);
        *next = change < *next ? change : *next;
        if (cycle >= group->from)
            break;
    }
    return g;
}

bool swq_sender_group_has(const swq_async *network, int group, uint32_t sender)
{
    const swq_sender_group *of = &network->group[group];
    uint32_t next = of->from;

    if ((sender & of->mask) != of->value)
        return false;
    for (uint32_t cycle = next; cycle < end_of(of); cycle = next) {
        if (swq_sender_group_at(network, sender, cycle, &next) == group)
            return true;
    }
    return false;
}

bool swq_async_timed(const swq_async *n)
{
    bool timed = false;

    for (int g = 0; g < n->groups && !n->trace; g++)
        timed = timed || n->group[g].from > 0 || n->group[g].until > 0;
    return timed;
}

swq_sender_group swq_sender_group_uniform(const swq_async *network, swq_source_kind kind,
                                          double load, swq_spread length)
{
    swq_sender_group g = {
        .kind = kind,
        .type = {{.probability = 1, .pattern = &swq_pattern_uniform, .length = length}},
        .types = 1,
    };

    swq_sender_group_load(network, &g, load);
    return g;
}
