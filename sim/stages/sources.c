/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sources: creating packets, and offering them to the first stage.
 *
 * Packet n of source i is a function of (i, n) (drawing.c), so an unbounded queue of waiting
 * packets needs no memory: one place in the stream is the packet to be sent next, another the
 * packet to be created next, and the packets between these two are waiting.
 */
#include "sim/stages/sources.h"

#include "sim/stages/buffers.h"
#include "sim/stages/counts.h"
#include "sim/stages/spans.h"

#include <math.h>
#include <string.h>

static void redraw(swq_net *net)
{
    swq_sources *s = &net->sources;

    for (uint32_t i = 0; i < net->system.nodes; i++) {
        swq_source_place(net, i, ++s->number[i], net->cycle, &s->birth[i], &s->to[i]);
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

    swq_probe_created(&net->system, swq_cell_of(net, source, &p), 1, 0);
    swq_probe_created_at(&net->system, source, 1, 0);
}

/* Puts a new packet into its source's bounded queue; if the queue is full, the packet is lost and
 * counted. */
static void queue_up(swq_net *net, uint32_t source, swq_packet p)
{
    swq_sources *s = &net->sources;
    uint32_t limit = net->spec->traffic.queue_limit;

    if (s->ring_length[source] < limit) {
        uint32_t at = (s->ring_start[source] + s->ring_length[source]++) % limit;
        s->ring[(size_t)source * limit + at] = p;
        return;
    }
    const int cell = swq_cell_of(net, source, &p);
    swq_probe_offered(&net->system, cell, 1);
    swq_probe_refused(&net->system, cell, p.to & ~SWQ_HIGH);
    swq_probe_tried(&net->system, 1, 1);
    swq_probe_lost(&net->system, 0, 0);
    swq_probe_departs(&net->system, 1);
    swq_tell_end(net, &p, source, true);
}

/* Sources that hold one packet create this packet in its cycle. */
static void create_held(swq_net *net, uint32_t first, uint32_t end)
{
    const uint32_t *birth = net->sources.birth, now = net->cycle;
    uint32_t created = 0;

    if (net->system.cells > 1 || net->system.node_tally) {
        for (uint32_t i = first; i < end; i++) {
            if (birth[i] == now)
                count_created(net, i, now, net->sources.to[i]);
        }
        return;
    }
    for (uint32_t i = first; i < end; i++)
        created += birth[i] == now;
    swq_probe_created(&net->system, 0, created, 0);
}

/* Sources that hold no packet back create packets whether or not earlier packets have left. */
static void create_ahead(swq_net *net, uint32_t start, uint32_t end)
{
    swq_sources *s = &net->sources;
    uint32_t due[SWQ_SOURCES_TOGETHER + 1], n = 0;

    for (uint32_t i = start; i < end; i++) {
        due[n] = i;
        n += s->later_birth[i] == net->cycle;
    }
    while (n > 0) {
        for (uint32_t k = 0; k < n; k++) {
            const uint32_t i = due[k];
            const swq_packet p = {s->later_birth[i], s->later_to[i]};
            count_created(net, i, p.birth, p.to);
            if (s->ring)
                queue_up(net, i, p);
        }
        swq_sources_place_next(net, due, n, s->later, s->later_birth, s->later_to);
        /* a trace can have another packet in the same cycle */
        uint32_t again = 0;
        for (uint32_t k = 0; k < n; k++) {
            const uint32_t i = due[k];
            due[again] = i;
            again += s->later_birth[i] == net->cycle;
        }
        n = again;
    }
}

/* ---- sending ---- */

/* The properties of a network that the compiler knows as constants. */
typedef struct {
    bool directly; /* sources offer the packet that they have created and are to send next, and no
                      other */
    bool alike;    /* all packets are counted in the same place, and nobody watches them */
    bool whole;    /* buffers have one part, so that room depends on the buffer's total */
    bool words;    /* ... and their queues, one for each output, are words, but not packed */
} source_shape;

static source_shape source_shape_of(const swq_net *net)
{
    const bool whole = net->whole && net->parts == 1;

    return (source_shape){
        .directly = !net->sources.returned && !net->sources.ring,
        .alike = net->system.cells == 1 && !net->system.link_tally && !net->started &&
                 !net->system.measured,
        .whole = whole,
        .words = whole && net->queue_fans[0] && swq_queues_are_words(net) && !net->packs &&
                 net->spec->sw.priority.support == SWQ_SUPPORT_NONE,
    };
}

static inline swq_packet offered(const swq_net *net, uint32_t source)
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

/* Takes the offered packet from its source, unless sources offer directly. Returns whether the
 * source's next packet has to be found. */
static bool withdraw(swq_net *net, uint32_t source)
{
    swq_sources *s = &net->sources;

    if (s->returned && s->returned_head[source]) {
        uint32_t at = s->returned_head[source];
        s->returned_head[source] = s->returned_next[at - 1];
        s->returned_next[at - 1] = s->returned_free;
        s->returned_free = at;
        return false;
    }
    if (s->ring) {
        s->ring_start[source] = (s->ring_start[source] + 1) % net->spec->traffic.queue_limit;
        s->ring_length[source]--;
        s->ring_left[source]++;
        return false;
    }
    return true;
}

/* Counts a packet that leaves its source. */
static void count_leaving(swq_net *net, uint32_t source, const swq_packet *p)
{
    swq_probe_offered(&net->system, swq_cell_of(net, source, p), 1);
    swq_note_sent(net, -1, source);
    swq_tell_start(net, -1, source, 0, p, source);
    swq_probe_departs(&net->system, 1);
}

/* A packet that leaves its source, and its fate. */
typedef struct {
    swq_packet packet;
    uint32_t source;
    int queue;  /* the queue that the packet joins */
    bool taken; /* or there is no room */
} source_sending;

/* Lists the sources that offer a packet; returns their number. */
SWQ_INLINE uint32_t list_offers(const swq_net *net, source_shape shape, uint32_t first,
                                uint32_t end, uint32_t *offer)
{
    const uint32_t *birth = net->sources.birth, now = net->cycle;
    uint32_t n = 0;

    for (uint32_t i = first; i < end; i++) {
        offer[n] = i;
        n += shape.directly ? birth[i] <= now : offered(net, i).birth != SWQ_NEVER;
    }
    return n;
}

/* Lists the offered packets that leave their sources; returns their number. */
SWQ_INLINE uint32_t list_sending(swq_net *net, source_shape shape, const uint32_t *offer,
                                 uint32_t offers, source_sending *sending)
{
    const uint16_t *room = net->seen_room ? net->seen_room : net->room;
    const uint32_t *birth = net->sources.birth, *to = net->sources.to, *wire = net->wire;
    const bool waits = net->blocks;
    uint32_t n = 0, refused = 0;

    for (uint32_t k = 0; k < offers; k++) {
        const uint32_t i = offer[k]; // NOLINT(clang-analyzer-core.uninitialized.Assign)
        source_sending *s = &sending[n];
        s->source = i;
        s->packet = shape.directly ? (swq_packet){birth[i], to[i]} : offered(net, i);
        s->queue =
            shape.words ? swq_output_port(net, 0, s->packet.to) : swq_queue_of(net, 0, &s->packet);
        s->taken = shape.whole ? room[wire[i]] != 0 : swq_seen_admits(net, wire[i], s->queue);
        refused += !s->taken;
        n += s->taken | !waits;
    }
    swq_probe_tried(&net->system, offers, refused);
    return n;
}

/* Packets enter the buffers of the first stage; returns how many. */
SWQ_INLINE uint32_t enter_buffers(swq_net *net, source_shape shape, const source_sending *sending,
                                  uint32_t n)
{
    swq_buffers b = swq_buffers_of(net);
    const uint32_t *wire = net->wire, now = net->cycle;
    const bool packs = net->packs;
    uint32_t entered = 0;

    if (shape.words)
        b.words = b.words_of_one = true;
    for (uint32_t k = 0; k < n; k++) {
        const source_sending *s = &sending[k];
        const swq_trail trail = {s->source, now};
        entered += s->taken;
        if (!s->taken)
            swq_discard(net, 0, s->packet, trail, now - s->packet.birth);
        else if (!shape.words && packs)
            swq_push_packed(net, wire[s->source], s->queue, s->packet);
        else
            swq_append(&b, wire[s->source], s->queue, s->packet, trail);
        if (!shape.alike && s->taken)
            swq_report_enter(net, 0, wire[s->source], &trail);
    }
    return entered;
}

/* Counts the packets that leave their sources, withdraws them, and lists the sources that need
 * another one; returns their number. */
SWQ_INLINE uint32_t leave_sources(swq_net *net, source_shape shape, const source_sending *sending,
                                  uint32_t n, uint32_t *source)
{
    uint32_t next = 0;

    if (shape.alike) {
        swq_probe_offered(&net->system, 0, n);
        swq_probe_departs(&net->system, n);
    }
    for (uint32_t k = 0; k < n && !shape.alike; k++)
        count_leaving(net, sending[k].source, &sending[k].packet);
    for (uint32_t k = 0; k < n; k++) {
        source[next] = sending[k].source;
        next += shape.directly || withdraw(net, source[next]);
    }
    return next;
}

SWQ_INLINE void offer_to_buffers(swq_net *net, source_shape shape, uint32_t first, uint32_t end)
{
    uint32_t source[SWQ_SOURCES_TOGETHER + 1];
    source_sending sending[SWQ_SOURCES_TOGETHER + 1];
    const uint32_t offers = list_offers(net, shape, first, end, source);
    const uint32_t n = list_sending(net, shape, source, offers, sending);
    const uint32_t next = leave_sources(net, shape, sending, n, source);
    const uint32_t entered = enter_buffers(net, shape, sending, n);

    swq_sources_place_next(net, source, next, net->sources.number, net->sources.birth,
                           net->sources.to);
    swq_probe_arrived(&net->system, 0, n);
    swq_probe_inside(&net->system, 0, entered);
    swq_probe_hops(&net->system, entered);
}

/* Most networks are as the first form says. */
static void offer_block(swq_net *net, uint32_t first, uint32_t end)
{
    const source_shape s = source_shape_of(net);

    if (s.directly && s.alike && s.words)
        offer_to_buffers(net, (source_shape){true, true, true, true}, first, end);
    else
        offer_to_buffers(net, s, first, end);
}

static void offer_to_pool(swq_net *net, uint32_t sw)
{
    swq_packet packet[SWQ_MAX_PORTS];
    swq_trail trail[SWQ_MAX_PORTS];
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
        swq_probe_tried(&net->system, 1, !taken[i]);
        if (!taken[i] && net->blocks)
            continue;
        swq_probe_arrived(&net->system, 0, 1);
        count_leaving(net, trail[i].from, &packet[i]);
        if (withdraw(net, trail[i].from))
            swq_source_next(net, trail[i].from);
        if (!taken[i])
            swq_discard(net, 0, packet[i], trail[i], net->cycle - packet[i].birth);
    }
}

static void sources_turn(swq_net *net)
{
    swq_span create = {0, 0}, offer = {0, 0};

    while (swq_next_span(net, -1, net->system.nodes, SWQ_SOURCES_TOGETHER, &create)) {
        if (net->sources.later_birth)
            create_ahead(net, create.first, create.end);
        else
            create_held(net, create.first, create.end);
    }
    while (!net->back && swq_next_span(net, -1, net->system.nodes, SWQ_SOURCES_TOGETHER, &offer))
        offer_block(net, offer.first, offer.end);
    for (uint32_t sw = 0; sw < net->switches && net->back; sw++)
        offer_to_pool(net, sw);
}

/* ---- beginning and end ---- */

/* With bursts, the gap is the one before a burst. */
static double per_log_of(const swq_traffic *t, double load)
{
    return swq_geometric_scale(load > 0 ? t->burst * (1 - load) / load : INFINITY);
}

/* Mean cycles from the beginning of a burst to the beginning of the next, for the sources that send
 * least; 0: there are no bursts, and sources have no memory. */
static double cycle_of_bursts(const swq_net *net)
{
    const swq_traffic *t = &net->spec->traffic;
    double least = t->load;

    if (t->kind == SWQ_SOURCE_TRACE || t->burst <= 1)
        return 0;
    for (uint32_t i = 0; t->node_load && i < net->system.nodes; i++) {
        const double load = t->node_load[i];
        if (i == 0 || (load > 0 && (load < least || least == 0)))
            least = load;
    }
    return least > 0 ? t->burst / least : 0;
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
    SWQ_ARRAY(list, s->ring_left, queues);
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
    net->system.source_cycles = cycle_of_bursts(net);
    for (uint32_t i = 0; i < net->system.nodes; i++) {
        swq_source_place(net, i, 0, 0, &s->birth[i], &s->to[i]);
        if (s->later_birth) {
            s->later_birth[i] = s->birth[i];
            s->later_to[i] = s->to[i];
        }
    }
    net->create = sources_turn;
    net->redraw = redraw;
}

void swq_source_audit(const swq_net *net, uint32_t i, uint64_t *packets, uint64_t *age)
{
    const swq_sources *s = &net->sources;
    const uint32_t limit = net->spec->traffic.queue_limit;

    for (uint32_t k = 0; s->ring && k < s->ring_length[i]; k++) {
        ++*packets;
        *age += net->cycle - s->ring[(size_t)i * limit + (s->ring_start[i] + k) % limit].birth;
    }
    for (uint32_t at = s->returned ? s->returned_head[i] : 0; at; at = s->returned_next[at - 1]) {
        ++*packets;
        *age += net->cycle - s->returned[at - 1].birth;
    }
    if (!s->ring)
        swq_source_count_waiting(net, i, packets, age);
}

void swq_sources_audit(const swq_net *net, uint64_t *packets, uint64_t *age)
{
    *packets = *age = 0;
    for (uint32_t i = 0; i < net->system.nodes; i++)
        swq_source_audit(net, i, packets, age);
}

/* A packet's number in its source's stream is the number of packets before it, so that the numbers
 * of the next packets give the counts. */
void swq_sources_count(const swq_net *net, swq_sender_count *count)
{
    const swq_sources *s = &net->sources;

    for (uint32_t i = 0; i < net->system.nodes; i++) {
        const uint64_t held = s->number[i] + (s->birth[i] < net->cycle);
        count[i].created = s->later ? s->later[i] : held;
        count[i].sent = s->ring ? s->ring_left[i] : s->number[i];
        for (uint32_t at = s->returned ? s->returned_head[i] : 0; at; at = s->returned_next[at - 1])
            count[i].sent--;
    }
}
