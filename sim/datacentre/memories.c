/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Several memories in a switch, each for a part of its outputs: what is counted of each. Packets
 * that a memory sent and lost are those of its outputs' lines.
 */
#include "sim/datacentre/net.h"

/* Packets in a memory, those being sent included. */
static uint64_t inside(const dc_net *net, const dc_memory *m)
{
    uint64_t packets = 0;

    for (uint32_t q = m->first_queue; q < m->first_queue + m->queues; q++)
        packets += net->queue[q].packets;
    for (uint32_t p = m->first_port; p < m->first_port + m->ports; p++)
        packets += net->port[p].sending != DC_NONE;
    return packets;
}

swq_status dc_memories_make(swq_context *ctx, dc_net *net)
{
    const uint32_t rows = net->ports * (uint32_t)net->classes;

    net->tally.by_memory = swq_calloc(ctx, net->memories, sizeof *net->tally.by_memory);
    if (!net->tally.link)
        net->tally.link = swq_calloc(ctx, rows, sizeof *net->tally.link);
    return net->tally.by_memory && net->tally.link ? SWQ_OK : swq_memory_status(ctx);
}

void dc_memories_begin(dc_net *net)
{
    for (uint32_t k = 0; net->tally.by_memory && k < net->memories; k++)
        net->tally.by_memory[k].offered = -inside(net, &net->memory[k]);
}

void dc_memories_end(const dc_net *net, dc_memory_counts *of)
{
    for (uint32_t k = 0; net->tally.by_memory && k < net->memories; k++) {
        const dc_memory *m = &net->memory[k];
        of[k] = net->tally.by_memory[k];
        for (uint32_t q = m->first_queue; q < m->first_queue + m->queues; q++) {
            const dc_link_counts *c = &net->tally.link[q];
            of[k].sent += c->packets;
            of[k].lost += c->lost;
            of[k].lost_bytes += c->lost_bytes;
        }
        of[k].offered += of[k].sent + of[k].lost + inside(net, m);
    }
}
