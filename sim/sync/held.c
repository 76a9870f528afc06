/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the buffers hold, now: for whoever watches a network.
 * Room: sim.
 */
#include "sim/sync/net.h"

/* Packets in a buffer; and if of_these is not NULL, those to the marked node. */
static uint16_t look_at_buffer(const swq_net *net, size_t at, uint32_t marked, uint16_t *of_these)
{
    uint16_t all = 0, to_marked = 0;

    for (int q = 0; q < net->queues; q++) {
        int length = net->length[at * (size_t)net->queues + (size_t)q];
        for (int k = 0; k < length && of_these; k++) {
            size_t slot = at * (size_t)net->slots + (size_t)swq_slot_of(net, at, q, k);
            to_marked = (uint16_t)(to_marked + ((net->packet[slot].to & ~SWQ_HIGH) == marked));
        }
        all = (uint16_t)(all + length);
    }
    if (of_these)
        *of_these = to_marked;
    return all;
}

void swq_net_hold(const swq_system *system, uint32_t marked, uint16_t *held, uint16_t *of_marked)
{
    const swq_net *net = (const swq_net *)system;

    for (size_t at = 0; at < system->stores; at++)
        held[at] = look_at_buffer(net, at, marked, of_marked ? &of_marked[at] : NULL);
}
