/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sources: when packets are created, where they go, and offering them to the first stage.
 *
 * Packet n of source i is a function of (i, n), so an unbounded queue of waiting packets needs no
 * memory: one place in the stream is the packet to be sent next, another the one to be created
 * next, and what lies between is waiting.
 * Room: sim.
 */
#include "sim/sync/sources.h"

#include "sim/sync/net.h"

#include <math.h>
#include <string.h>

/* A second block of words, for numbers that few networks draw. */
static swq_words more_words(const swq_net *net, uint32_t source, uint64_t number)
{
    return swq_stream_words(&net->streams, SWQ_STREAM_MORE, source, number);
}

static uint32_t draw_destination(const swq_net *net, uint32_t source, uint32_t where, uint32_t hot)
{
    const swq_traffic *t = &net->spec->traffic;
    double u = (double)hot * 0x1p-32;

    for (int h = 0; h < t->hot_spots; h++) {
        if (u < t->hot[h].fraction)
            return t->hot[h].node;
        u -= t->hot[h].fraction;
    }
    if (net->image)
        return net->image[source];
    if (!net->choice)
        return swq_word_below(where, net->system.nodes);
    const double *row = net->choice + (size_t)source * net->system.nodes;
    uint32_t low = 0, high = net->system.nodes - 1;
    u = (double)where * 0x1p-32;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (u < row[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Packet `number` of a source: its destination, and the number of idle cycles before it. */
static uint32_t draw_packet(const swq_net *net, uint32_t source, uint64_t number, uint32_t *to)
{
    const swq_traffic *t = &net->spec->traffic;
    swq_words w = swq_stream_words(&net->streams, SWQ_STREAM_PACKET, source, number);
    bool fresh = true; /* begins a burst */
    uint32_t class = 0;

    if (t->burst > 1 || t->high_fraction > 0) {
        swq_words more = more_words(net, source, number);
        fresh = number == 0 || swq_word_uniform((uint64_t)more.v[0] << 32) <= 1 / t->burst;
        class = (double)more.v[1] * 0x1p-32 < t->high_fraction ? SWQ_HIGH : 0;
    }
    uint32_t node = fresh ? draw_destination(net, source, w.v[2], w.v[3]) : *to & ~SWQ_HIGH;
    *to = node | class;
    return fresh ? swq_gap(net, source, (uint64_t)w.v[0] << 32 | w.v[1]) : 0;
}

/* Line `number` of a source's part of the trace. */
static void read_trace(const swq_net *net, uint32_t source, uint64_t number, uint32_t *birth,
                       uint32_t *to)
{
    const swq_sources *s = &net->sources;
    uint64_t at = s->trace_start[source] + number;

    *birth = SWQ_NEVER;
    if (at >= s->trace_start[source + 1])
        return;
    const swq_trace_packet *line = &net->spec->traffic.trace[s->trace_order[at]];
    *birth = (uint32_t)line->cycle;
    *to = line->destination | (line->high ? SWQ_HIGH : 0);
}

/* Finds packet `number` of a source, whose gap counts from `from` on. */
static void place(const swq_net *net, uint32_t source, uint64_t number, uint32_t from,
                  uint32_t *birth, uint32_t *to)
{
    if (net->spec->traffic.kind == SWQ_SOURCE_TRACE)
        read_trace(net, source, number, birth, to);
    else
        *birth =
            from == SWQ_NEVER ? SWQ_NEVER : swq_later(from, draw_packet(net, source, number, to));
}

void swq_source_next(swq_net *net, uint32_t source)
{
    swq_sources *s = &net->sources;
    uint32_t from = net->cycle + 1;

    if (net->spec->traffic.kind != SWQ_SOURCE_HOLD)
        from = s->birth[source] == SWQ_NEVER ? SWQ_NEVER : s->birth[source] + 1;
    place(net, source, ++s->number[source], from, &s->birth[source], &s->to[source]);
}

static void redraw(swq_net *net)
{
    swq_sources *s = &net->sources;

    for (uint32_t i = 0; i < net->system.nodes; i++) {
        place(net, i, ++s->number[i], net->cycle, &s->birth[i], &s->to[i]);
        if (s->later_birth) {
            s->later[i] = s->number[i];
            s->later_birth[i] = s->birth[i];
            s->later_to[i] = s->to[i];
        }
    }
}

/* ---- creation ---- */

static void count_created(swq_net *net, uint32_t source, uint32_t birth, uint32_t to)
{
    swq_packet p = {birth, to};

    swq_cell(net, source, &p)[SWQ_CELL_CREATED]++;
    swq_note_created(net, source);
    net->system.created++;
    net->system.waiting++;
}

/* A bounded queue takes the packet, or the packet is lost. */
static void queue_up(swq_net *net, uint32_t source, swq_packet p)
{
    swq_sources *s = &net->sources;
    uint32_t limit = net->spec->traffic.queue_limit;

    if (s->ring_length[source] < limit) {
        uint32_t at = (s->ring_start[source] + s->ring_length[source]++) % limit;
        s->ring[(size_t)source * limit + at] = p;
        return;
    }
    uint64_t *cell = swq_cell(net, source, &p);
    cell[SWQ_CELL_OFFERED]++;
    cell[SWQ_CELL_DISCARDED]++;
    swq_note_discarded(net, &p);
    net->system.tally[SWQ_NET_OFFERS]++;
    net->system.tally[SWQ_NET_REFUSED]++;
    net->system.discarded++;
    net->system.waiting--;
}

static void create(swq_net *net, uint32_t source)
{
    swq_sources *s = &net->sources;

    if (!s->later_birth) {
        if (s->birth[source] == net->cycle)
            count_created(net, source, s->birth[source], s->to[source]);
        return;
    }
    while (s->later_birth[source] == net->cycle) {
        swq_packet p = {s->later_birth[source], s->later_to[source]};
        count_created(net, source, p.birth, p.to);
        if (s->ring)
            queue_up(net, source, p);
        place(net, source, ++s->later[source], net->cycle + 1, &s->later_birth[source],
              &s->later_to[source]);
    }
}

/* ---- sending ---- */

static swq_packet offered(const swq_net *net, uint32_t source)
{
    const swq_sources *s = &net->sources;

    if (s->returned && s->returned_head[source])
        return s->returned[s->returned_head[source] - 1];
    if (s->ring)
        return s->ring_length[source] ? s->ring[(size_t)source * net->spec->traffic.queue_limit +
                                                s->ring_start[source]]
                                      : (swq_packet){SWQ_NEVER, 0};
    return (swq_packet){s->birth[source] <= net->cycle ? s->birth[source] : SWQ_NEVER,
                        s->to[source]};
}

/* The offered packet has left its source. */
static void sent(swq_net *net, uint32_t source, const swq_packet *p)
{
    swq_sources *s = &net->sources;

    swq_cell(net, source, p)[SWQ_CELL_OFFERED]++;
    swq_note_sent(net, -1, source);
    swq_tell_start(net, -1, source, 0, p, source);
    net->system.waiting--;
    if (s->returned && s->returned_head[source]) {
        uint32_t at = s->returned_head[source];
        s->returned_head[source] = s->returned_next[at - 1];
        s->returned_next[at - 1] = s->returned_free;
        s->returned_free = at;
    } else if (s->ring) {
        s->ring_start[source] = (s->ring_start[source] + 1) % net->spec->traffic.queue_limit;
        s->ring_length[source]--;
    } else {
        swq_source_next(net, source);
    }
}

static void offer_to_buffer(swq_net *net, uint32_t source, uint32_t line)
{
    uint64_t *stage = net->system.tally + swq_tally_stage(0);
    swq_packet p = offered(net, source);
    swq_trail trail = {source, net->cycle};

    if (p.birth == SWQ_NEVER)
        return;
    size_t at = swq_buffer_at(net, 0, line);
    int queue = swq_queue_of(net, 0, &p);
    bool taken = swq_seen_admits(net, at, queue);
    net->system.tally[SWQ_NET_OFFERS]++;
    net->system.tally[SWQ_NET_REFUSED] += !taken;
    if (!taken && net->blocks)
        return;
    stage[SWQ_STAGE_ARRIVED]++;
    sent(net, source, &p);
    if (!taken) {
        swq_discard(net, 0, p, trail, net->cycle - p.birth);
        return;
    }
    if (net->packs)
        swq_push_packed(net, at, queue, p);
    else
        swq_push(net, at, queue, p, trail);
    net->stage_packets[0]++;
    net->system.hops++;
}

static void offer_to_pool(swq_net *net, uint32_t sw)
{
    uint64_t *stage = net->system.tally + swq_tally_stage(0);
    swq_packet packet[SWQ_MAX_PORTS] = {{0}};
    swq_trail trail[SWQ_MAX_PORTS] = {{0}};
    bool taken[SWQ_MAX_PORTS];

    for (int i = 0; i < net->ports; i++) {
        uint32_t source = net->back[sw * (uint32_t)net->ports + (uint32_t)i];
        packet[i] = offered(net, source);
        trail[i] = (swq_trail){source, packet[i].birth};
    }
    swq_pool_admit(net, 0, sw, packet, trail, taken);
    for (int i = 0; i < net->ports; i++) {
        if (packet[i].birth == SWQ_NEVER)
            continue;
        net->system.tally[SWQ_NET_OFFERS]++;
        net->system.tally[SWQ_NET_REFUSED] += !taken[i];
        if (!taken[i] && net->blocks)
            continue;
        stage[SWQ_STAGE_ARRIVED]++;
        sent(net, trail[i].from, &packet[i]);
        if (!taken[i])
            swq_discard(net, 0, packet[i], trail[i], net->cycle - packet[i].birth);
    }
}

static void sources_turn(swq_net *net)
{
    swq_span span = {0, 0};

    while (swq_next_span(net, -1, net->system.nodes, UINT32_MAX, &span)) {
        for (uint32_t i = span.first; i < span.end; i++)
            create(net, i);
        for (uint32_t i = span.first; i < span.end && !net->back; i++)
            offer_to_buffer(net, i, net->wire[i]);
    }
    for (uint32_t sw = 0; sw < net->switches && net->back; sw++)
        offer_to_pool(net, sw);
}

/* ---- beginning and end ---- */

/* With bursts, the gap is the one before a burst. */
static double per_log_of(const swq_traffic *t, double load)
{
    return swq_geometric_scale(load > 0 ? t->burst * (1 - load) / load : INFINITY);
}

static uint32_t source_of(const void *trace, uint64_t line)
{
    return ((const swq_trace_packet *)trace)[line].source;
}

uint32_t swq_sources_returned_room(const swq_net *net)
{
    const double slots = (double)net->system.levels * net->buffers * net->slots;
    const double room = net->spec->resend ? slots + 64.0 * net->system.nodes : 0;

    return room < UINT32_MAX / 2 ? (uint32_t)room : UINT32_MAX / 2;
}

void swq_sources_changing(swq_net *net, swq_arrays *list)
{
    const swq_traffic *t = &net->spec->traffic;
    const double n = net->system.nodes, ahead = t->kind != SWQ_SOURCE_HOLD ? n : 0;
    const double queues = t->kind == SWQ_SOURCE_OPEN && t->queue_limit ? n : 0;
    const double returns = net->spec->resend ? n : 0;
    swq_sources *s = &net->sources;

    SWQ_ARRAY(list, s->birth, n);
    SWQ_ARRAY(list, s->to, n);
    SWQ_ARRAY(list, s->number, n);
    SWQ_ARRAY(list, s->later_birth, ahead);
    SWQ_ARRAY(list, s->later_to, ahead);
    SWQ_ARRAY(list, s->later, ahead);
    SWQ_ARRAY(list, s->ring, queues * t->queue_limit);
    SWQ_ARRAY(list, s->ring_start, queues);
    SWQ_ARRAY(list, s->ring_length, queues);
    SWQ_ARRAY(list, s->returned_head, returns);
    SWQ_ARRAY(list, s->returned_tail, returns);
    SWQ_ARRAY(list, s->returned_next, s->returned_room);
    SWQ_ARRAY(list, s->returned, s->returned_room);
}

void swq_sources_constant(swq_net *net, swq_arrays *list)
{
    const swq_traffic *t = &net->spec->traffic;
    const bool trace = t->kind == SWQ_SOURCE_TRACE;
    swq_sources *s = &net->sources;

    SWQ_ARRAY(list, s->per_log, t->node_load ? net->system.nodes : 1);
    SWQ_ARRAY(list, s->trace_start, trace ? net->system.nodes + 1.0 : 0);
    SWQ_ARRAY(list, s->trace_order, trace ? t->trace_packets : 0);
}

void swq_sources_set_load(swq_net *net)
{
    const swq_traffic *t = &net->spec->traffic;

    for (size_t i = 0; i < (t->node_load ? net->system.nodes : 1); i++)
        net->sources.per_log[i] = per_log_of(t, t->node_load ? t->node_load[i] : t->load);
}

void swq_sources_begin(swq_net *net)
{
    const swq_traffic *t = &net->spec->traffic;
    swq_sources *s = &net->sources;

    for (uint32_t k = 0; k < s->returned_room; k++) /* links are counted from 1; 0 is none */
        s->returned_next[k] = k + 1 < s->returned_room ? k + 2 : 0;
    s->returned_free = s->returned_room ? 1 : 0;
    if (t->kind == SWQ_SOURCE_TRACE)
        swq_trace_sort(t->trace_packets, net->system.nodes, source_of, t->trace, s->trace_start,
                       s->trace_order);
    swq_sources_set_load(net);
    for (uint32_t i = 0; i < net->system.nodes; i++) {
        place(net, i, 0, 0, &s->birth[i], &s->to[i]);
        if (s->later_birth) {
            s->later_birth[i] = s->birth[i];
            s->later_to[i] = s->to[i];
        }
    }
    net->create = sources_turn;
    net->redraw = redraw;
}

/* Counts the packets that wait at a source by replaying its random stream. */
static void audit_stream(const swq_net *net, uint32_t i, uint64_t *packets, uint64_t *age)
{
    const swq_sources *s = &net->sources;
    uint32_t birth = s->birth[i], to = s->to[i];

    for (uint64_t number = s->number[i]; birth < net->cycle;) {
        ++*packets;
        *age += net->cycle - birth;
        if (!s->later_birth)
            break;
        place(net, i, ++number, birth + 1, &birth, &to);
    }
}

void swq_sources_audit(const swq_net *net, uint64_t *packets, uint64_t *age)
{
    const swq_sources *s = &net->sources;

    *packets = *age = 0;
    for (uint32_t i = 0; i < net->system.nodes; i++) {
        for (uint32_t k = 0; s->ring && k < s->ring_length[i]; k++) {
            uint32_t limit = net->spec->traffic.queue_limit;
            ++*packets;
            *age += net->cycle - s->ring[(size_t)i * limit + (s->ring_start[i] + k) % limit].birth;
        }
        for (uint32_t at = s->returned ? s->returned_head[i] : 0; at;
             at = s->returned_next[at - 1]) {
            ++*packets;
            *age += net->cycle - s->returned[at - 1].birth;
        }
        if (!s->ring)
            audit_stream(net, i, packets, age);
    }
}
