/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Moves packets from buffer to buffer, with the number of ports and the form of the queues known to
 * the compiler. The numbers are those of the plain engine, to the bit; tests hold the two together.
 */
#ifndef SWQ_SIM_STAGES_FAST_MOVES_H
#define SWQ_SIM_STAGES_FAST_MOVES_H

#include "sim/stages/counts.h"
#include "sim/stages/fast/eight.h"
#include "sim/stages/spans.h"

#include "base/statistics.h"

/* The address of the packet with the entry `entry` in a packed buffer that begins at queue q. An
 * entry is 2 slot + 1, a packet two words. */
SWQ_INLINE swq_packet *of_entry(view v, size_t q, uint32_t entry)
{
    return (swq_packet *)(void *)((uint32_t *)(void *)v.packet + (2 * q + entry - 1));
}

/* Takes a packet that is about to leave. The result points to the packet's slot, and is valid until
 * another packet comes to this slot, which does not happen before the next stage's turn. */
SWQ_INLINE const swq_packet *take(view v, shape s, swq_leaving l)
{
    const size_t buffer = buffer_of(s, l);
    const size_t q =
        s.known && s.queues == 1 << s.bits ? l : buffer * (size_t)s.queues + queue_of(s, l);
    size_t slot;

    if (s.word == PACKED) {
        const uint32_t queue = v.short_order[q];
        v.short_order[q] = (uint16_t)(queue >> 4);
        return of_entry(v, q & ~(size_t)3, queue & 7);
    }
    v.length[q]--;
    if (s.word) {
        slot = first_slot(v, s, q);
        if (s.word == 16)
            v.short_order[q] >>= 4;
        else
            v.order[q] >>= 4;
        v.room[buffer] |= (uint16_t)(1u << slot);
    } else {
        uint16_t *link = v.link + buffer * v.links;
        const size_t head = v.slots + queue_of(s, l), spare = v.slots + (size_t)s.queues;
        slot = link[head];
        link[head] = link[slot];
        link[slot] = link[spare];
        link[spare] = (uint16_t)slot;
        v.tail[q] = v.length[q] ? v.tail[q] : (uint16_t)head;
        v.room[buffer]++;
    }
    return v.packet + place_in(v, s, buffer, slot);
}

SWQ_INLINE void put(view v, shape s, size_t buffer, uint32_t queue, const swq_packet *packet)
{
    const size_t q = buffer * (size_t)s.queues + queue;
    size_t slot;

    if (s.word == PACKED) {
        const uint32_t entry = v.seen_room[buffer];
        v.short_order[q] = swq_packed_append(v.short_order[q], entry);
        memcpy(of_entry(v, 4 * buffer, entry), packet, sizeof *packet);
        return;
    }
    if (s.word) {
        slot = (size_t)__builtin_ctz(v.room[buffer]);
        v.room[buffer] &= (uint16_t)(v.room[buffer] - 1);
        if (s.word == 16)
            v.short_order[q] |= (uint16_t)(slot << 4 * v.length[q]);
        else
            v.order[q] |= (uint64_t)slot << 4 * v.length[q];
    } else {
        uint16_t *link = v.link + buffer * v.links;
        const size_t spare = v.slots + (size_t)s.queues;
        slot = link[spare];
        link[spare] = link[slot];
        link[v.tail[q]] = (uint16_t)slot;
        v.tail[q] = (uint16_t)slot;
        v.room[buffer]--;
    }
    /* copied as one word, since a packet has the size of a word */
    memcpy(&v.packet[place_in(v, s, buffer, slot)], packet, sizeof *packet);
    v.length[q]++;
}

/* Details of nodes: counts a packet at its sink. */
SWQ_INLINE void note_node(swq_net *net, uint32_t sink, uint32_t latency)
{
    swq_probe_delivered_at(&net->system, true, 0, sink, latency, 0);
}

/* Delivers packets to the sinks. */
SWQ_INLINE void deliver(swq_net *net, shape s, swq_stage_wiring at, const swq_leaving *list, int n)
{
    const view v = view_from(view_of(net), s, at.here);
    uint64_t *histogram = net->system.histogram;
    const bool by_node = net->system.node_count || net->system.node_tally;
    const uint32_t now = net->cycle + 1;
    uint64_t sum = 0;

    for (int k = 0; k < n; k++) {
        uint32_t latency = now - take(v, s, list[k])->birth;
        swq_probe_latency(histogram, latency);
        sum += latency;
        if (by_node)
            note_node(net, line_of(s, &at, list[k]), latency);
    }
    swq_probe_delivered(&net->system, 0, (uint64_t)n, sum);
}

SWQ_INLINE void take_all(swq_net *net, shape s, swq_stage_wiring at, const swq_leaving *list, int n,
                         swq_packet *taken)
{
    const view v = view_from(view_of(net), s, at.here);

    for (int k = 0; k < n; k++)
        taken[k] = *take(v, s, list[k]);
}

/* Moves packets to the next stage. If that refuses some, they are discarded; returns how many. */
SWQ_INLINE int move(swq_net *net, shape s, swq_stage_wiring at, const swq_leaving *list, int n,
                    bool refuses)
{
    const view v = view_from(view_of(net), s, at.here);
    int lost = 0;

    for (int k = 0; k < n; k++) {
        const swq_packet *p = take(v, s, list[k]);
        const uint32_t join = s.queues > 1 ? output_of(s, &at, 1, p->to) : 0;
        const size_t to = at.next + line_of(s, &at, list[k]);
        if (refuses && !has_room(v, s, to, join)) {
            swq_discard(net, at.stage + 1, *p, (swq_trail){0}, net->cycle - p->birth + 1);
            lost++;
            continue;
        }
        put(v, s, to, join, p);
    }
    return lost;
}

/* Shows the stage before where packed buffers have room. */
SHARED void show_room(swq_net *net, int stage)
{
    swq_span span = {0, 0};

    while (swq_next_span(net, stage, net->switches, UINT32_MAX, &span)) {
        const size_t end = swq_buffer_at(net, stage, span.end * SWQ_PACKED_QUEUES);
        size_t at = swq_buffer_at(net, stage, span.first * SWQ_PACKED_QUEUES);
#ifdef __AVX2__
        for (; end - at >= 16; at += 16)
            show_sixteen(net->short_order + at * SWQ_PACKED_QUEUES, net->slots,
                         net->seen_room + at);
        for (; end - at >= 4; at += 4)
            show_four(net->short_order + at * SWQ_PACKED_QUEUES, net->slots, net->seen_room + at);
#endif
        for (; at < end; at++)
            net->seen_room[at] =
                swq_packed_next(net->short_order + at * SWQ_PACKED_QUEUES, net->slots);
    }
}

#endif
