/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values of the parameters of senders: those that are given, and presets, of which one is that of
 * the network.
 */
#include "sim/datacentre/senders.h"

#include <math.h>

static uint32_t unlike_hosts(const dc_net *net)
{
    return swq_dc_topology_of(net->spec)->alike ? 1 : net->hosts;
}

int swq_dc_sender_parameters(const swq_dc_sender *sender)
{
    int count = 0;

    while (count < SWQ_DC_SENDER_PARAMETERS && sender->parameter[count].name)
        count++;
    return count;
}

static uint64_t round_alone(const dc_net *net, uint32_t a, uint32_t b)
{
    return dc_time_alone(net, a, b, 1, net->spec->size_bytes[0]) +
           dc_time_alone(net, b, a, 1, net->spec->network.ack);
}

/* ps: the longest round trip of a full packet and its acknowledgement in a network without other
 * packets. */
static double longest_round(const dc_net *net)
{
    const uint32_t from = unlike_hosts(net);
    uint64_t longest = 0;

    for (uint32_t a = 0; a < from; a++) {
        for (uint32_t b = 0; b < net->hosts; b++) {
            const uint64_t round = a == b ? 0 : round_alone(net, a, b);
            longest = round > longest ? round : longest;
        }
    }
    return (double)longest;
}

/* Records have room for so many switches. */
static swq_status check_hops(swq_context *ctx, const dc_net *net, const char *sender)
{
    const uint32_t from = unlike_hosts(net);

    for (uint32_t a = 0; a < from; a++) {
        for (uint32_t b = 0; b < net->hosts; b++) {
            const uint32_t hops = dc_hops(net->graph, a, b);
            if (hops > DC_MOST_HOPS)
                return swq_fail(ctx, SWQ_EINVAL,
                                "sender %s is told of %d switches at most, and there are %u "
                                "between hosts %u and %u",
                                sender, DC_MOST_HOPS, hops, a, b);
        }
    }
    return SWQ_OK;
}

const swq_dc_sending *swq_dc_sending_of(const swq_dc_network *network, int traffic_class)
{
    const swq_dc_sending *own = &network->sending[traffic_class];

    return own->sender ? own : &network->sending[0];
}

swq_status dc_senders_make(swq_context *ctx, dc_net *net)
{
    swq_status status = SWQ_OK;
    double longest = NAN;

    for (int class = 0; class < net->classes && !status; class ++) {
        const swq_dc_sending *s = swq_dc_sending_of(&net->spec->network, class);
        const dc_sender_rule *rule = (const dc_sender_rule *)s->sender;
        net->own.sender[class] = rule;
        if (rule->state > net->own.state_bytes)
            net->own.state_bytes = rule->state;
        for (int k = 0; k < swq_dc_sender_parameters(s->sender); k++) {
            const double preset = s->sender->parameter[k].preset;
            if (isnan(preset) && isnan(longest))
                longest = longest_round(net);
            net->own.value[class][k] = s->given >> k & 1 ? s->value[k]
                                       : isnan(preset)   ? longest
                                                         : preset;
        }
        if (rule->told) {
            net->packets.with_telemetry = net->writes = true;
            status = check_hops(ctx, net, rule->row.name);
        }
        net->own.gaps |= rule->gap != NULL;
    }
    return status;
}
