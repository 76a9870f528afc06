/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fast engine: buffers at the inputs, without priorities. What swq_transmit_plain and the
 * arbiter's row do in general is done here with the number of ports known to the compiler, for a
 * block of switches at a time: who sends, then all packets move. The numbers are those of the plain
 * engine, to the bit; tests hold the two together.
 * Room: sim.
 */
#ifndef SWQ_SIM_SYNC_FAST_KERNEL_H
#define SWQ_SIM_SYNC_FAST_KERNEL_H

#include "sim/sync/fast/drawn.h"
#include "sim/sync/fast/gaps.h"
#include "sim/sync/fast/rotating.h"
#include "sim/sync/sources.h"

#include "base/statistics.h"

/* Where the packet with that entry lies in a packed buffer that begins at queue q. An entry is
 * 2 slot + 1, a packet two words. */
INLINE swq_packet *of_entry(view v, size_t q, uint32_t entry)
{
    return (swq_packet *)(void *)((uint32_t *)(void *)v.packet + (2 * q + entry - 1));
}

/* Takes a packet that is about to leave. The result points to where it lies, which is valid until a
 * packet comes to its slot: none does before the next stage's turn. */
INLINE const swq_packet *take(view v, shape s, leaving l)
{
    const size_t buffer = buffer_of(s, l);
    const size_t q = s.queues == 1 << s.bits ? l : buffer * (size_t)s.queues + queue_of(s, l);
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

INLINE void put(view v, shape s, size_t buffer, uint32_t queue, const swq_packet *packet)
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
    /* as one word, which it is */
    memcpy(&v.packet[place_in(v, s, buffer, slot)], packet, sizeof *packet);
    v.length[q]++;
}

/* Details of links: counts packets by the outputs by which they leave. */
INLINE void note_links(swq_net *net, shape s, int stage, const leaving *list, int n)
{
    for (int k = 0; k < n; k++)
        swq_note_sent(net, stage, left_by(s, list[k]));
}

/* Details of nodes: counts a packet at its sink. */
INLINE void note_node(swq_net *net, uint32_t sink, uint32_t latency)
{
    swq_note_delivered(net, sink, latency);
    if (net->system.node_count)
        net->system.node_count[(size_t)sink * SWQ_NODE_BINS +
                               (latency < SWQ_NODE_BINS ? latency : SWQ_NODE_BINS - 1)]++;
}

/* Delivers packets to the sinks, counting each in the cell of its group. */
INLINE void deliver_by_group(swq_net *net, view v, shape s, const place *at, const leaving *list,
                             int n)
{
    for (int k = 0; k < n; k++) {
        swq_deliver(net, *take(v, s, list[k]), (swq_trail){0}, line_of(s, at, list[k]));
    }
}

/* Delivers packets to the sinks. */
INLINE void deliver_all(swq_net *net, view v, shape s, const place *at, const leaving *list, int n)
{
    uint64_t *cell = net->system.tally + swq_tally_cell(net->system.levels, 0),
             *histogram = net->system.histogram;
    const bool by_node = net->system.node_count || net->system.node_tally;
    const uint32_t now = net->cycle + 1;
    uint64_t sum = 0;

    for (int k = 0; k < n; k++) {
        uint32_t latency = now - take(v, s, list[k])->birth;
        histogram[swq_histogram_bin(latency)]++;
        sum += latency;
        if (by_node)
            note_node(net, line_of(s, at, list[k]), latency);
    }
    cell[SWQ_CELL_DELIVERED] += (uint64_t)n;
    cell[SWQ_CELL_LATENCY] += sum;
    net->system.delivered += (uint64_t)n;
    net->system.sojourn += sum;
}

/* Moves packets to the next stage; returns how many are lost. */
INLINE int move_all(swq_net *net, view v, shape s, int stage, const place *at, const leaving *list,
                    int n)
{
    int lost = 0;

    for (int k = 0; k < n; k++) {
        const swq_packet *p = take(v, s, list[k]);
        uint32_t join = s.queues > 1 ? output_of(s, at, 1, p->to) : 0;
        size_t to = at->next + line_of(s, at, list[k]);
        if (!s.asks && !has_room(v, s, to, join)) {
            swq_discard(net, stage + 1, *p, (swq_trail){0}, net->cycle - p->birth + 1);
            lost++;
            continue;
        }
        put(v, s, to, join, p);
    }
    return lost;
}

/* The digits, wires and buffers of a stage; stage -1: the sources. */
INLINE place place_of(const swq_net *net, int stage)
{
    place at = {.wire = net->wire + (size_t)(stage + 1) * net->system.nodes,
                .next = swq_buffer_at(net, stage + 1, 0)};

    for (int ahead = stage < 0; ahead < 2 && stage + ahead < net->system.levels; ahead++) {
        at.divisor[ahead] = net->digit[stage + ahead].divisor;
        at.shift[ahead] = net->digit[stage + ahead].shift;
    }
    at.here = stage < 0 ? 0 : swq_buffer_at(net, stage, 0);
    return at;
}

/* Arbitrates switches `sw` to `end` - 1 of a stage; returns the number of packets that leave, which
 * are in `list`. */
INLINE int arbitrate_block(swq_net *net, view v, shape s, int stage, const place *at, uint32_t sw,
                           uint32_t end, uint64_t *busy, uint64_t *sending, leaving *list)
{
    const uint32_t number = (uint32_t)stage * (net->system.nodes / (uint32_t)s.ports) + sw;
    int n = 0;

    if (s.by == ROTATING)
        return rotate_block(v, s, at, sw, end, net->memory + number, busy, sending, list);
    if (s.by == DRAWN)
        return draw_block(net, v, s, at, sw, number, end - sw, busy, sending, list);
    for (uint32_t k = 0; k < end - sw; k++) {
        outcome o =
            arbitrate_by_row(net, v, s, at, number + k, (sw + k) * (uint32_t)s.ports, list + n);
        n += o.grants;
        *busy += o.busy;
        *sending += o.sent;
    }
    return n;
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

/* The turn of a stage; the compiler knows `s`. */
INLINE void transmit_shape(swq_net *net, int stage, shape s)
{
    const bool delivers = stage == net->system.levels - 1;
    leaving list[BLOCK * SWQ_MAX_PORTS + SLACK];
    place at = place_of(net, stage);
    const view v = view_from(view_of(net), s, at.here);
    const uint32_t switches = net->switches;
    swq_span span = {0, 0};
    uint64_t *count = net->system.tally + swq_tally_stage(stage);
    uint64_t sent = 0, lost = 0, busy = 0, sending = 0;

    at.next -= at.here;
    at.here = 0;
    if (s.by != ROTATING)
        get_ready(net, s);
    while (swq_next_span(net, stage, switches, BLOCK, &span)) {
        const int n =
            arbitrate_block(net, v, s, stage, &at, span.first, span.end, &busy, &sending, list);
        sent += (uint64_t)n;
        if (net->system.link_tally)
            note_links(net, s, stage, list, n);
        if (s.asks || !delivers)
            lost += (uint64_t)move_all(net, v, s, stage, &at, list, n);
        else if (net->system.cells > 1)
            deliver_by_group(net, v, s, &at, list, n);
        else
            deliver_all(net, v, s, &at, list, n);
    }
    count[SWQ_STAGE_BUSY] += busy;
    count[SWQ_STAGE_BLOCKED] += busy - sending;
    count[SWQ_STAGE_SENT] += sent;
    net->stage_packets[stage] -= sent;
    if (!delivers) {
        count[SWQ_STAGE_COUNTERS + SWQ_STAGE_ARRIVED] += sent;
        net->stage_packets[stage + 1] += sent - lost;
        net->system.hops += sent - lost;
    }
}

INLINE void transmit(swq_net *net, int stage, shape s)
{
    s.asks = net->blocks && stage < net->system.levels - 1;
    if (s.by == BY_ROW)
        transmit_shape(net, stage, s);
    else if (s.asks)
        transmit_shape(net, stage, (s.asks = true, s));
    else
        transmit_shape(net, stage, (s.asks = false, s));
}

/* ---- sources that hold one packet ---- */

enum { SOURCES = 256 /* sources that are looked at before their packets move */ };

/* Draws the next packets of some sources, whose gaps count from `from` on, as swq_source_next does
 * in a network whose destinations are all alike. All words are drawn first, in a loop that can be
 * vectorized. */
SHARED void next_packets(swq_net *net, const uint32_t *source, uint32_t count, uint32_t from)
{
    const uint32_t nodes = net->system.nodes;
    const swq_streams streams = net->streams;
    swq_sources *s = &net->sources;
    uint64_t first[SOURCES], second[SOURCES];
    uint32_t gap[SOURCES];

    if (count == 0)
        return;
    for (uint32_t k = 0; k < count; k++) {
        first[k] = source[k];
        second[k] = ++s->number[source[k]];
    }
    for (uint32_t k = 0; k < count; k++)
        swq_stream_pair(&streams, SWQ_STREAM_PACKET, (uint32_t)first[k], second[k], &first[k],
                        &second[k]);
    if (!net->spec->traffic.node_load && s->per_log[0] == 0) { /* full load: no gaps */
        const uint32_t birth = swq_later(from, 0);
        for (uint32_t k = 0; k < count; k++) {
            s->birth[source[k]] = birth;
            s->to[source[k]] = swq_word_below((uint32_t)(second[k] >> 32), nodes);
        }
        return;
    }
    draw_gaps(net, source, first, count, gap);
    for (uint32_t k = 0; k < count; k++) {
        s->birth[source[k]] = swq_later(from, gap[k]);
        s->to[source[k]] = swq_word_below((uint32_t)(second[k] >> 32), nodes);
    }
}

/* Draws the next packets of all sources of such a network again. */
SHARED void redraw_alike(swq_net *net)
{
    const uint32_t nodes = net->system.nodes;
    uint32_t source[SOURCES];

    for (uint32_t start = 0; start < nodes; start += SOURCES) {
        const uint32_t count = nodes - start < SOURCES ? nodes - start : SOURCES;
        for (uint32_t k = 0; k < count; k++)
            source[k] = start + k;
        next_packets(net, source, count, net->cycle);
    }
}

INLINE void refuse(swq_net *net, uint32_t i)
{
    swq_packet p = {net->sources.birth[i], net->sources.to[i]};

    swq_discard(net, 0, p, (swq_trail){0}, net->cycle - p.birth);
    swq_source_next(net, i);
}

/* Details of nodes and links: counts packets that are created, and those that leave their sources,
 * lost or not. These details are rarely asked for. */
SHARED void note_sources(swq_net *net, uint32_t start, uint32_t end)
{
    for (uint32_t i = start; i < end; i++) {
        if (net->sources.birth[i] == net->cycle)
            swq_note_created(net, i);
    }
}

SHARED void note_entries(swq_net *net, const uint32_t *sent, uint32_t n, const uint32_t *lost,
                         uint32_t away)
{
    for (uint32_t k = 0; k < n; k++)
        swq_note_sent(net, -1, sent[k]);
    for (uint32_t k = 0; k < away; k++)
        swq_note_sent(net, -1, lost[k]);
}

/* What the sources of a block do: those that send; unless they wait, those that are turned away. */
typedef struct {
    uint32_t *send, *away;
    uint32_t offers, sending, turned_away;
} source_lists;

/* Lists what the sources from `start` to before `end` do. */
INLINE void sort_sources(const swq_net *net, view v, shape s, const place *at, uint32_t start,
                         uint32_t end, source_lists *l)
{
    const uint32_t *birth = net->sources.birth, *to = net->sources.to, now = net->cycle;
    const bool blocks = net->blocks;
    uint32_t offer[SOURCES + 1], i = start, n = 0;

#ifdef __AVX2__
    for (; s.word == PACKED && end - i >= 32; i += 32) {
        const uint32_t due = offers_of(birth + i, now);
        const uint32_t room =
            (uint32_t)_mm256_movemask_epi8((__m256i)open_of_eight(at->wire + i, v.seen_room));
        l->offers += (uint32_t)__builtin_popcount(due);
        l->sending += append_sources(i, due & room, l->send + l->sending);
        if (!blocks)
            l->turned_away += append_sources(i, due & ~room, l->away + l->turned_away);
    }
#endif
    for (; i < end; i++) {
        offer[n] = i;
        n += birth[i] <= now;
    }
    l->offers += n;
    for (uint32_t k = 0; k < n; k++) {
        /* cppcheck-suppress uninitvar ; n are set */
        const uint32_t source = offer[k];
        const uint32_t join = s.queues > 1 ? output_of(s, at, 1, to[source]) : 0;
        const uint32_t room = has_room(v, s, at->wire[source], join);
        l->send[l->sending] = source;
        l->sending += room;
        if (blocks) /* it waits, and offers again */
            continue;
        l->away[l->turned_away] = source;
        l->turned_away += room ^ 1;
    }
}

/* Handles sources in blocks: which offer a packet, which of these have room, which send; lists
 * replace branches. */
INLINE void create(swq_net *net, shape s, bool alike)
{
    const uint32_t *birth = net->sources.birth, *to = net->sources.to;
    const view v = view_of(net);
    const place at = place_of(net, -1);
    const bool detail = net->system.node_tally || net->system.link_tally;
    swq_span span = {0, 0};
    uint64_t offers = 0, entered = 0;

    while (swq_next_span(net, -1, net->system.nodes, SOURCES, &span)) {
        const uint32_t start = span.first, end = span.end;
        uint32_t send[SOURCES + SLACK], turned_away[SOURCES + SLACK];
        source_lists to_do = {.send = send, .away = turned_away};
        if (detail)
            note_sources(net, start, end);
        sort_sources(net, v, s, &at, start, end, &to_do);
        const uint32_t sending = to_do.sending, away = to_do.turned_away;
        if (detail)
            note_entries(net, send, sending, turned_away, away);
        for (uint32_t k = 0; k < sending; k++) {
            // cppcheck-suppress uninitvar
            uint32_t i = send[k];
            swq_packet p = {birth[i], to[i]};
            put(v, s, at.wire[i], s.queues > 1 ? output_of(s, &at, 1, p.to) : 0, &p);
            if (!alike)
                swq_source_next(net, i);
        }
        if (alike)
            next_packets(net, send, sending, net->cycle + 1);
        for (uint32_t k = 0; k < away; k++)
            refuse(net, turned_away[k]);
        offers += to_do.offers;
        entered += sending;
    }
    uint64_t refused = offers - entered, lost = net->blocks ? 0 : refused;
    /* waiting packets were created earlier and are offered again */
    uint64_t created = offers - net->system.waiting;
    uint64_t *cell = net->system.tally + swq_tally_cell(net->system.levels, 0);
    net->system.tally[SWQ_NET_OFFERS] += offers;
    net->system.tally[SWQ_NET_REFUSED] += refused;
    net->system.tally[swq_tally_stage(0) + SWQ_STAGE_ARRIVED] += entered + lost;
    cell[SWQ_CELL_CREATED] += created;
    cell[SWQ_CELL_OFFERED] += entered + lost;
    net->system.created += created;
    net->system.waiting += created - entered - lost;
    net->stage_packets[0] += entered;
    net->system.hops += entered;
}

#endif
