/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages of several packets on their way. Room: sim. Includes base.
 */
#include "sim/frame/messages.h"

#include "sim/measure/probe.h"
#include "sim/traffic/multicast.h"
#include "sim/traffic/spread.h"

bool swq_messages_are_cut(const swq_async *spec)
{
    for (uint64_t k = 0; spec->trace && k < spec->trace_messages; k++) {
        if (spec->trace[k].bytes > (uint32_t)spec->max_packet)
            return true;
    }
    for (int g = 0; g < spec->groups && !spec->trace; g++) {
        for (int t = 0; t < spec->group[g].types && !spec->group[g].silent; t++) {
            if (swq_spread_most(&spec->group[g].type[t].length) > spec->max_packet)
                return true;
        }
    }
    return false;
}

bool swq_messages_are_several(const swq_async *spec)
{
    return swq_messages_are_cut(spec) || swq_multicast_asked(spec);
}

bool swq_messages_are_followed(const swq_async *spec)
{
    return spec->dependencies > 0 || swq_messages_are_several(spec);
}

void swq_ways_list(swq_ways *ways, swq_arrays *list, double nodes, double parcels)
{
    ways->count = (uint32_t)(nodes + parcels);
    SWQ_ARRAY(list, ways->way, nodes + parcels);
    SWQ_ARRAY(list, ways->tag, parcels);
    SWQ_ARRAY(list, ways->sender, nodes);
}

void swq_ways_empty(swq_ways *ways, uint32_t nodes)
{
    for (uint32_t k = 0; k < ways->count; k++)
        ways->way[k].inside = k + 1 < ways->count ? k + 1 : SWQ_NO_WAY;
    for (uint32_t i = 0; i < nodes; i++)
        ways->sender[i] = SWQ_NO_WAY;
    ways->free = 0;
}

uint32_t swq_way_sent(swq_ways *ways, uint32_t sender, uint32_t birth, uint32_t nodes, bool last)
{
    uint32_t number = ways->sender[sender];

    if (number == SWQ_NO_WAY) {
        number = ways->free;
        ways->free = ways->way[number].inside;
        ways->way[number] = (swq_way){.birth = birth};
    }
    ways->way[number].inside += nodes;
    ways->way[number].whole = last;
    ways->sender[sender] = last ? SWQ_NO_WAY : number;
    return number;
}

bool swq_way_arrived(swq_ways *ways, uint32_t number, uint32_t begun, uint32_t end,
                     swq_system *system, int cell)
{
    swq_way *way = &ways->way[number];

    if (!way->begun)
        way->head = begun - way->birth;
    way->begun = true;
    if (--way->inside > 0 || !way->whole)
        return false;
    swq_probe_message(system, cell, way->head, end - way->birth);
    way->inside = ways->free;
    ways->free = number;
    return true;
}
