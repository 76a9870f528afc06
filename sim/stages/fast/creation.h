/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The turn of sources that hold one packet, in blocks: which offer a packet, which of these have
 * room, which send; lists replace branches.
 */
#ifndef SWQ_SIM_STAGES_FAST_CREATION_H
#define SWQ_SIM_STAGES_FAST_CREATION_H

#include "sim/stages/counts.h"
#include "sim/stages/fast/gaps.h"
#include "sim/stages/fast/moves.h"
#include "sim/stages/sources.h"
#include "sim/stages/spans.h"

enum { SOURCES = 256 /* number of sources that are looked at before their packets move */ };

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

SWQ_INLINE void refuse(swq_net *net, uint32_t i)
{
    swq_packet p = {net->sources.birth[i], net->sources.to[i]};

    swq_discard(net, 0, p, (swq_trail){0}, net->cycle - p.birth);
    swq_source_next(net, i);
}

/* Details of nodes and links: counts packets that are created, and packets that leave their
 * sources, lost or not. These details are rarely asked for. */
SHARED void note_sources(swq_net *net, uint32_t start, uint32_t end)
{
    for (uint32_t i = start; i < end; i++) {
        if (net->sources.birth[i] == net->cycle)
            swq_probe_created_at(&net->system, i, 1, 0);
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

/* The sources of a block that send and, unless sources wait, the sources whose packets are turned
 * away. */
typedef struct {
    uint32_t *send, *away;
    uint32_t offers, sending, turned_away;
} source_lists;

/* Sorts the sources from `start` to before `end` into those that send and those that are turned
 * away. */
SWQ_INLINE void sort_sources(const swq_net *net, view v, shape s, const swq_stage_wiring *at,
                             uint32_t start, uint32_t end, source_lists *l)
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

SWQ_INLINE void create(swq_net *net, shape s, bool alike)
{
    const uint32_t *birth = net->sources.birth, *to = net->sources.to;
    const view v = view_of(net);
    const swq_stage_wiring at = net->wiring[0];
    const bool detail = net->system.node_tally || net->system.link_tally;
    swq_span span = {0, 0};
    uint64_t offers = 0, entered = 0;

    while (swq_next_span(net, -1, net->system.nodes, SOURCES, &span)) {
        const uint32_t start = span.first, end = span.end;
        uint32_t send[SOURCES + SWQ_SLACK], turned_away[SOURCES + SWQ_SLACK];
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
    swq_probe_tried(&net->system, offers, refused);
    swq_probe_created(&net->system, 0, created, 0);
    swq_probe_offered(&net->system, 0, entered + lost);
    swq_probe_departs(&net->system, entered + lost);
    swq_probe_arrived(&net->system, 0, entered + lost);
    swq_probe_inside(&net->system, 0, entered);
    swq_probe_hops(&net->system, entered);
}

#endif
