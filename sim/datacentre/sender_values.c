/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values of the parameters of senders: those that are given, and presets, some of which are those
 * of the network.
 */
#include "sim/datacentre/senders.h"

#include <math.h>

int swq_dc_sender_parameters(const swq_dc_sender *sender)
{
    int count = 0;

    while (count < SWQ_DC_SENDER_PARAMETERS && sender->parameter[count].name)
        count++;
    return count;
}

/* The longest round trip of a full packet and its acknowledgement, from the first host to another,
 * in a network without other packets. */
static double longest_round(const swq_dc *dc)
{
    const dc_net net = {.spec = dc}; /* times alone depend on nothing else */
    uint32_t switches, ports, hosts;
    uint64_t longest = 0;

    dc_size(dc, &switches, &ports, &hosts);
    for (uint32_t h = 1; h < hosts; h++) {
        const uint64_t round = dc_time_alone(&net, 0, h, 1, dc->size_bytes[0]) +
                               dc_time_alone(&net, h, 0, 1, dc->network.ack);
        longest = round > longest ? round : longest;
    }
    return (double)longest;
}

void swq_dc_sender_values(const swq_dc *dc, double value[SWQ_DC_SENDER_PARAMETERS])
{
    const swq_dc_network *n = &dc->network;

    for (int k = 0; k < swq_dc_sender_parameters(n->sender); k++) {
        const swq_dc_sender_parameter *p = &n->sender->parameter[k];
        value[k] = n->given >> k & 1        ? n->value[k]
                   : !isnan(p->preset)      ? p->preset
                   : p->kind == SWQ_DC_RATE ? (double)dc->rate
                                            : longest_round(dc);
    }
}
