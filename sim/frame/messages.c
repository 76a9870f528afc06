/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages of several packets on their way.
 */
#include "sim/frame/messages.h"

#include "base/context.h"
#include "sim/measure/probe.h"
#include "sim/traffic/multicast.h"
#include "sim/traffic/spread.h"

bool swq_messages_are_cut(const swq_async *spec)
{
    for (uint64_t k = 0; spec->traffic.trace && k < spec->traffic.trace_messages; k++) {
        if (spec->traffic.trace[k].bytes > (uint32_t)spec->packet.max)
            return true;
    }
    for (int g = 0; g < spec->traffic.groups && !spec->traffic.trace; g++) {
        for (int t = 0; t < spec->traffic.group[g].types && !spec->traffic.group[g].silent; t++) {
            if (swq_spread_most(&spec->traffic.group[g].type[t].length) > spec->packet.max)
                return true;
        }
    }
    return false;
}

bool swq_messages_are_several(const swq_async *spec)
{
    return swq_messages_are_cut(spec) || swq_multicast_asked(spec);
}

/* Do nodes have interfaces, which store packets? */
static bool has_interfaces(const swq_async *spec)
{
    return spec->interface.present || (spec->management.row && spec->management.row->stores);
}

bool swq_messages_are_followed(const swq_async *spec)
{
    return spec->traffic.dependencies > 0 || spec->traffic.phases > 0 ||
           swq_messages_are_several(spec) || (spec->traffic.told && !has_interfaces(spec));
}

swq_status swq_messages_check(swq_context *ctx, const swq_async *spec)
{
    if (!spec->traffic.told)
        return SWQ_OK;
    if (swq_multicast_asked(spec))
        return swq_fail(ctx, SWQ_EINVAL,
                        "messages-out is for messages to one node each, not for multicast ones");
    if (has_interfaces(spec) && swq_messages_are_cut(spec))
        return swq_fail(ctx, SWQ_EINVAL,
                        "messages-out is not for messages of several packets where nodes have "
                        "interfaces (management %s)",
                        spec->management.row->name);
    return SWQ_OK;
}

void swq_messages_list(swq_messages *messages, swq_arrays *list, double nodes, double parcels)
{
    messages->count = (uint32_t)(nodes + parcels);
    SWQ_ARRAY(list, messages->each, nodes + parcels);
    SWQ_ARRAY(list, messages->tag, parcels);
    SWQ_ARRAY(list, messages->sender, nodes);
}

void swq_messages_empty(swq_messages *messages, uint32_t nodes)
{
    for (uint32_t k = 0; k < messages->count; k++)
        messages->each[k].inside = k + 1 < messages->count ? k + 1 : SWQ_NO_MESSAGE;
    for (uint32_t i = 0; i < nodes; i++)
        messages->sender[i] = SWQ_NO_MESSAGE;
    messages->free = 0;
}

uint32_t swq_message_sent(swq_messages *messages, uint32_t sender, uint32_t birth, uint32_t bytes,
                          uint32_t nodes, bool last)
{
    uint32_t number = messages->sender[sender];

    if (number == SWQ_NO_MESSAGE) {
        number = messages->free;
        messages->free = messages->each[number].inside;
        messages->each[number] = (swq_message){.birth = birth};
    }
    messages->each[number].inside += nodes;
    messages->each[number].bytes += bytes;
    messages->each[number].whole = last;
    messages->sender[sender] = last ? SWQ_NO_MESSAGE : number;
    return number;
}

bool swq_message_arrived(swq_messages *messages, uint32_t number, uint32_t begun, uint32_t end,
                         swq_system *system, int cell)
{
    swq_message *message = &messages->each[number];

    if (!message->begun)
        message->head = begun - message->birth;
    message->begun = true;
    if (--message->inside > 0 || !message->whole)
        return false;
    swq_probe_message(system, cell, message->head, end - message->birth);
    message->inside = messages->free;
    messages->free = number;
    return true;
}
