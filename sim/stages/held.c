/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the buffers hold, now: for whoever watches a network.
 */
#include "sim/stages/behind.h"
#include "sim/stages/buffers.h"

#include <string.h>

/* The number of packets in a buffer; and, unless of_these is NULL, of its packets to the marked
 * node. */
static uint16_t look_at_buffer(const swq_net *net, size_t at, uint32_t marked, uint16_t *of_these)
{
    uint16_t all = 0, to_marked = 0, copy[SWQ_PACKED_QUEUES];
    const uint16_t *lengths = swq_lengths(net, at, 1, copy);

    for (int q = 0; q < net->queues; q++) {
        const int length = lengths[q];
        for (int k = 0; k < length && of_these; k++) {
            size_t slot = swq_place_of(net, at, (size_t)swq_slot_of(net, at, q, k));
            to_marked = (uint16_t)(to_marked + ((net->packet[slot].to & ~SWQ_HIGH) == marked));
        }
        all = (uint16_t)(all + length);
    }
    if (of_these)
        *of_these = to_marked;
    return all;
}

/* Packets in a queue behind the buffers; adds the number of packets for the marked node to
 * *of_these unless of_these is NULL. */
static uint16_t look_behind(const swq_net *net, size_t queue, uint32_t marked, uint16_t *of_these)
{
    const uint16_t length = net->behind.length[queue];

    for (int k = 0; k < length && of_these; k++) {
        const swq_packet *p = &net->behind.packet[swq_behind_slot(net, queue, k)];
        *of_these = (uint16_t)(*of_these + ((p->to & ~SWQ_HIGH) == marked));
    }
    return length;
}

void swq_net_hold(const swq_system *system, uint32_t marked, uint16_t *held, uint16_t *of_marked)
{
    const swq_net *net = (const swq_net *)system;

    for (size_t at = 0; at < system->input_stores; at++)
        held[at] = look_at_buffer(net, at, marked, of_marked ? &of_marked[at] : NULL);
    /* a queue before an output is a store of its own; crosspoints belong to their input's store */
    const size_t outputs = system->stores - system->input_stores;
    for (size_t at = 0; at < outputs; at++) {
        const size_t store = system->input_stores + at;
        if (of_marked)
            of_marked[store] = 0;
        held[store] = look_behind(net, at, marked, of_marked ? &of_marked[store] : NULL);
    }
    if (net->behind.queues == 0 || outputs > 0)
        return;
    for (size_t at = 0; at < system->input_stores; at++) {
        for (int j = 0; j < net->ports; j++)
            held[at] =
                (uint16_t)(held[at] + look_behind(net, at * (size_t)net->ports + (size_t)j, marked,
                                                  of_marked ? &of_marked[at] : NULL));
    }
}

/* ---- by input and output ---- */

uint32_t swq_net_rows(const swq_net *net)
{
    const uint32_t inputs = net->spec->sw.buffer.scope == SWQ_POOL ? 1 : (uint32_t)net->ports;

    return inputs + (net->system.stores > net->system.input_stores);
}

size_t swq_net_places(const swq_net *net)
{
    const size_t levels = (size_t)net->system.levels;

    return levels * net->buffers * (size_t)net->slots +
           levels * net->switches * (size_t)(net->behind.queues * net->behind.slots);
}

/* Adds the packets of queue `queue` of buffer `at` to their outputs: row[ports]. */
static void count_queue(const swq_net *net, int stage, size_t at, int queue, int length,
                        uint32_t *row)
{
    const int class = net->queue_base[1] > 0 && queue >= net->queue_base[1];
    const bool list = !swq_queues_are_words(net);
    const uint16_t *link = list ? net->link + at * (size_t)net->links : NULL;

    if (net->queue_fans[class]) {
        row[queue - net->queue_base[class]] += (uint32_t)length;
        return;
    }
    for (int k = 0, slot = net->slots + queue; k < length; k++) {
        slot = list ? link[slot] : swq_slot_of(net, at, queue, k);
        row[swq_output_port(net, stage, net->packet[swq_place_of(net, at, (size_t)slot)].to)]++;
    }
}

static void count_buffer(const swq_net *net, int stage, size_t at, uint32_t *row)
{
    uint16_t copy[SWQ_PACKED_QUEUES];
    const uint16_t *length = swq_lengths(net, at, 1, copy);

    for (int q = 0; q < net->queues; q++)
        count_queue(net, stage, at, q, length[q], row);
}

void swq_net_hold_by_output(const swq_net *net, uint32_t *packets)
{
    const uint32_t ports = (uint32_t)net->ports, rows = swq_net_rows(net);
    const uint32_t buffers = net->buffers / net->switches;
    const bool outputs = net->system.stores > net->system.input_stores;

    memset(packets, 0, sizeof *packets * (size_t)net->system.levels * net->switches * rows * ports);
    for (int s = 0; s < net->system.levels; s++) {
        for (uint32_t sw = 0; sw < net->switches; sw++, packets += rows * ports) {
            const size_t behind = ((size_t)s * net->switches + sw) * (size_t)net->behind.queues;
            for (uint32_t b = 0; b < buffers; b++)
                count_buffer(net, s, swq_buffer_at(net, s, sw * buffers + b), packets + b * ports);
            /* queue i * ports + j is the crosspoint of input i and output j */
            uint32_t *to = packets + (outputs ? (size_t)buffers * ports : 0);
            for (int q = 0; q < net->behind.queues; q++)
                to[q] += net->behind.length[behind + (size_t)q];
        }
    }
}
