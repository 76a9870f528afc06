/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inputs that all outputs can read at once (Sivaram, Stunkel and Panda, 1997): each output by
 * itself takes one of the packets for this output, so that no inputs and outputs have to be
 * matched. A packet is bound to its output as it comes; streams of flits (flits.h) tell where a
 * packet waits. This is the text of a cycle, compiled by cycle.c, and with SWQ_WIDE by cycle_wide.c
 * for switches of more than 32 ports.
 */
#define SWQ_OUTPUT_STORES 0
#define SWQ_GENERAL       1
#include "sim/frame/turn_packets.h"

#include "base/context.h"
#include "models/arbiters/arbiters.h"
#include "sim/switches/hipiqs/choosing.h"

#include <string.h>

#include "sim/frame/turn_sets.h"

enum {
    SAMPLE_EVERY = 512, /* cycles between samples, a power of two */
    MOST_QUEUES = SWQ_WIDE ? SWQ_MAX_PORTS : SWQ_MAX_FABRIC_PORTS /* of an input */
};

/* ---- sets of queues ---- */

/* The queues of an input that may hold flits; and those that hold packets. */
static inline port_set *held_at(const swq_async_net *net, uint32_t port)
{
#if SWQ_WIDE
    return &swq_choosing_of(net)->wide_held[port];
#else
    return &swq_choosing_of(net)->held[port];
#endif
}

static inline port_set full_at(const swq_async_net *net, uint32_t port)
{
#if SWQ_WIDE
    port_set set;

    memcpy(set.word, net->managed.full + (size_t)port * WORDS, sizeof set.word);
    return set;
#else
    return net->port[port].full;
#endif
}

static inline void fill(swq_async_net *net, uint32_t port, int k)
{
#if SWQ_WIDE
    swq_put_in_set(&net->managed, net->managed.full, port, k);
    k /= 64;
#endif
    net->port[port].full |= 1u << k;
}

static inline void drain(swq_async_net *net, uint32_t port, int k)
{
#if SWQ_WIDE
    swq_take_from_set(&net->managed, net->managed.full, port, k);
    k /= 64;
    if (net->managed.full[(size_t)port * WORDS + (uint32_t)k])
        return;
#endif
    net->port[port].full &= ~(1u << k);
}

#include "sim/switches/hipiqs/turn_banks.h"

/* ---- places ---- */

static inline swq_flit_queue *queues_of(const swq_async_net *net, uint32_t port)
{
    return swq_choosing_of(net)->queue + (size_t)port * (uint32_t)net->queues;
}

static inline uint32_t base_of_port(const swq_async_net *net, uint32_t port)
{
    return port - port % (uint32_t)net->ports;
}

static inline uint32_t chunks_for(const swq_choosing *c, uint32_t flits)
{
    return (flits + c->chunk - 1) / c->chunk;
}

/* ---- room ---- */

/* The outputs that a packet of a class may take. */
static inline port_set outputs_of(const swq_async_net *net, uint32_t port, int class)
{
    const swq_fabric *f = net->fabric;
    const size_t at = (size_t)port * (size_t)f->classes + (uint32_t) class;

    return f->output[at] < net->ports ? one_port(f->output[at]) : fabric_set(f, port, class);
}

/* Sums the chunks that the queues take, each into `chunks` unless that is NULL; queues without
 * flits leave the set `held`. */
static uint32_t count_chunks(swq_async_net *net, uint32_t port, uint32_t *chunks)
{
    swq_choosing *c = swq_choosing_of(net);
    swq_flit_queue *queues = queues_of(net, port);
    uint32_t all = 0;

    for (port_set set = *held_at(net, port); any_port(set); drop_first(&set)) {
        const int k = (int)first_port(set);
        swq_flit_queue *q = &queues[k];
        swq_flits_settle(q, c->fifo, net->cycle);
        const uint32_t taken = swq_flits_chunks(q, c->fifo, c->chunk, net->cycle);
        if (chunks)
            chunks[k] = taken;
        all += taken;
        if (!taken && q->came == swq_flits_out(q, net->cycle))
            take_port(held_at(net, port), (uint32_t)k);
    }
    return all;
}

/* Chunks that are kept free for queues other than the one that a packet joins. A packet that may
 * join several queues counts as joining the queue with the fewest reserved chunks still free. */
static uint32_t kept_for_others(const swq_async_net *net, const uint32_t *chunks, port_set outputs)
{
    const uint32_t reserved = swq_choosing_of(net)->reserved;
    uint32_t kept = 0, least = reserved;

    for (int k = 0; k < net->queues; k++) {
        const uint32_t open = chunks[k] < reserved ? reserved - chunks[k] : 0;
        kept += open;
        if (has_port(outputs, (uint32_t)k) && open < least)
            least = open;
    }
    return kept - least;
}

/* Chunks that are lacking for a packet of that many flits; 0 or less: there is room. */
static int chunks_wanting(swq_async_net *net, uint32_t port, uint32_t flits, port_set outputs)
{
    const swq_choosing *c = swq_choosing_of(net);
    uint32_t chunks[MOST_QUEUES] = {0}, taken;

    if (c->reserved == 0)
        taken = count_chunks(net, port, NULL);
    else
        taken = count_chunks(net, port, chunks), taken += kept_for_others(net, chunks, outputs);
    return (int)(taken + chunks_for(c, flits)) - (int)c->capacity;
}

/* Does a queue with its own part of the memory have room for a packet? */
static inline bool part_open(const swq_async_net *net, uint32_t port, int k, uint32_t flits)
{
    return swq_flits_waiting(&queues_of(net, port)[k], net->cycle) + flits <=
           swq_choosing_of(net)->capacity;
}

/* The queues that a packet may join, each with its own part of the memory. */
static inline port_set parts_for(const swq_async_net *net, port_set outputs)
{
    return swq_choosing_of(net)->by_output ? outputs : ports_below((uint32_t)net->queues);
}

/* Cycles until the flits that are leaving a queue free one more chunk than `freed`; 0: they do
 * not. */
static uint32_t cycles_to_chunk(const swq_choosing *c, const swq_flit_queue *q, uint32_t freed,
                                uint32_t now)
{
    if (!q->taken)
        return 0;
    const uint32_t read = swq_flits_out(q, now) + c->fifo - q->first;
    const uint32_t written = swq_flits_in(q, now) - q->first;
    const uint32_t full = (read / c->chunk + freed + 1) * c->chunk;
    const uint32_t end = full < written ? full : written; /* the last chunk may be partly filled */

    if (full >= written + c->chunk || end - read > swq_flits_left(q->went_at, q->going, now))
        return 0;
    return end - read;
}

/* If the flits that are leaving will free `wanting` chunks, schedules the feeder for then. */
static void wake_for_chunks(swq_async_net *net, uint32_t port, int wanting)
{
    const swq_choosing *c = swq_choosing_of(net);
    const swq_flit_queue *queues = queues_of(net, port);
    uint32_t freed[MOST_QUEUES] = {0}, when = 0;

    for (; wanting > 0; wanting--) {
        uint32_t least = UINT32_MAX;
        int next = 0;
        for (port_set set = *held_at(net, port); any_port(set); drop_first(&set)) {
            const int k = (int)first_port(set);
            const uint32_t cycles = cycles_to_chunk(c, &queues[k], freed[k], net->cycle);
            if (cycles && cycles < least)
                least = cycles, next = k;
        }
        if (least == UINT32_MAX)
            return;
        freed[next]++;
        when = least;
    }
    swq_wake_feeder(net, net->cycle + when, net->port[port].feeder);
}

/* Wakes the feeder of a queue with its own part of the memory when the part has room. */
static void wake_for_part(swq_async_net *net, uint32_t port, int k, uint32_t flits)
{
    const swq_flit_queue *q = &queues_of(net, port)[k];
    const uint32_t all = swq_flits_waiting(q, net->cycle) + flits;
    const uint32_t wanting = all - swq_choosing_of(net)->capacity;

    if (all > swq_choosing_of(net)->capacity &&
        wanting <= swq_flits_left(q->went_at, q->going, net->cycle))
        swq_wake_feeder(net, net->cycle + wanting, net->port[port].feeder);
}

/* Can a packet be sent to the input `port`? If not, the input's feeder is woken when departing
 * flits make room, including flits that begin to leave later (more_leaves). */
static bool has_room(swq_async_net *net, uint32_t port, int class, uint32_t flits)
{
    swq_choosing *c = swq_choosing_of(net);
    const port_set outputs = outputs_of(net, port, class);

    if (c->shared) {
        const int wanting = chunks_wanting(net, port, flits, outputs);
        if (wanting <= 0)
            return true;
        wake_for_chunks(net, port, wanting);
    } else {
        const port_set parts = parts_for(net, outputs);
        for (port_set set = parts; any_port(set); drop_first(&set)) {
            if (part_open(net, port, (int)first_port(set), flits))
                return true;
        }
        for (port_set set = parts; any_port(set); drop_first(&set))
            wake_for_part(net, port, (int)first_port(set), flits);
    }
    if (c->need[port] == 0 || flits < c->need[port])
        c->need[port] = flits;
    return false;
}

/* A packet has begun to leave queue k of an input, to which some packet could not be sent. */
static void more_leaves(swq_async_net *net, uint32_t port, int k)
{
    const swq_choosing *c = swq_choosing_of(net);

    if (!c->shared) {
        wake_for_part(net, port, k, c->need[port]);
        return;
    }
    /* with reserved chunks, any single one may be enough */
    const int wanting = c->reserved ? 1 : chunks_wanting(net, port, c->need[port], no_ports());
    if (c->reserved)
        count_chunks(net, port, NULL);
    wake_for_chunks(net, port, wanting > 0 ? wanting : 1);
}

/* A sender asks for its packet. */
static bool open(swq_async_net *net, uint32_t port, int class)
{
    const swq_sender *s = &net->sender[net->port[port].feeder & ~SWQ_TO_NODE];

    return has_room(net, port, class, s->bytes);
}

/* ---- which output ---- */

/* The load of an output, by the row of choices. */
static uint32_t against(swq_async_net *net, uint32_t out)
{
    const swq_choosing *c = swq_choosing_of(net);
    const swq_port *o = &net->port[out];
    const uint32_t end = o->out_free - net->link_rest; /* the end of the packet that is leaving by
                                                          the output */
    uint32_t flits = 0;

    if (net->choice->by_queue) /* flits in this switch for output `o`, including flits that are
                                  leaving */
        return c->routed[out] + ((int32_t)(end - net->cycle) > 0 ? end - net->cycle : 0);
    if (o->link & SWQ_TO_NODE)
        return 0;
    for (port_set set = *held_at(net, o->link); any_port(set); drop_first(&set))
        flits += swq_flits_waiting(&queues_of(net, o->link)[first_port(set)], net->cycle);
    return flits;
}

/* Keeps the outputs of a set with the least load. */
static port_set least_of(swq_async_net *net, uint32_t base, port_set outputs)
{
    uint32_t least = UINT32_MAX;
    port_set alike = no_ports();

    for (port_set set = outputs; any_port(set); drop_first(&set)) {
        const uint32_t o = first_port(set), count = against(net, base + o);
        if (count < least)
            least = count, alike = no_ports();
        if (count == least)
            put_port(&alike, o, true);
    }
    return alike;
}

static uint32_t drawn_of(const swq_async_net *net, uint32_t port, port_set set)
{
    uint32_t left = count_ports(set);

    if (left > 1) {
        const swq_words drawn =
            swq_stream_words(&net->streams, SWQ_STREAM_CHOICE, port, (uint64_t)net->cycle << 5);
        for (left = swq_word_below(drawn.v[0], left); left > 0; left--)
            drop_first(&set);
    }
    return first_port(set);
}

/* Chooses the output of a packet when it comes to an input. */
static uint32_t bound_for(swq_async_net *net, uint32_t port, const swq_parcel *p, int class)
{
    const swq_fabric *f = net->fabric;
    port_set set = outputs_of(net, port, class);

    if (is_single(set))
        return first_port(set);
    if (!swq_choosing_of(net)->shared &&
        swq_choosing_of(net)->by_output) { /* outputs whose queue has room */
        for (port_set left = set; any_port(left); drop_first(&left)) {
            const uint32_t o = first_port(left);
            if (!part_open(net, port, (int)o, p->bytes))
                take_port(&set, o);
        }
    }
    if (net->choice->by_first) /* the first open output in a circle that begins with the
                                  deterministic output */
        return next_port(set, (uint32_t)f->shape.kind->first(f, port, p->from, p->to));
    if (net->choice->by_queue || net->choice->by_room)
        set = least_of(net, base_of_port(net, port), set);
    return drawn_of(net, port, set);
}

/* The FIFO of an input that a packet joins: of the FIFOs with room, the one with the fewest
 * packets. */
static int emptiest(const swq_async_net *net, uint32_t port, uint32_t flits)
{
    const swq_queue *queue = swq_queues_of(net, port);
    uint32_t least = UINT32_MAX;
    int best = 0;

    for (int k = 0; k < net->queues; k++) {
        const swq_flit_queue *q = &queues_of(net, port)[k];
        const uint32_t packets =
            queue[k].blocks + (swq_flits_left(q->went_at, q->going, net->cycle) > 0);
        if (packets < least && part_open(net, port, k, flits))
            least = packets, best = k;
    }
    return best;
}

/* ---- packets ---- */

/* Extra cycles of a packet behind another packet: the packet goes through the FIFO at the
 * crosspoint, or through the memory, depending on the number of flits that its queue still has when
 * the packet's header has come. */
static inline uint32_t detour(const swq_choosing *c, const swq_flit_queue *q, const swq_parcel *p)
{
    const uint32_t came = p->ready - 2;
    const int32_t ahead = (int32_t)(q->went_at + q->going - 1 - came);

    if (ahead < 2) /* the register at the output is free, or about to be */
        return 0;
    const bool moving = (int32_t)(came - q->went_at) >= 0;
    const uint32_t flits = moving ? (uint32_t)ahead : p->blocks;
    return flits > c->fifo ? c->behind_queue : c->behind_fifo;
}

/* The packet in queue->head has become the head of a queue. */
static void new_head(swq_async_net *net, uint32_t port, int k, swq_queue *queue)
{
    const swq_choosing *c = swq_choosing_of(net);
    const swq_fabric *f = net->fabric;
    const swq_parcel *p = &swq_parcels_of(net, port)[queue->head];
    const uint32_t base = base_of_port(net, port), o = c->output[p - net->parcel];
    const uint32_t link = net->port[base + o].link;

    queue->ready = p->ready;
    if (c->behind_fifo)
        queue->ready += detour(c, &queues_of(net, port)[k], p);
    queue->output = (uint8_t)o;
    put_port(wants_at(net, port), o, true);
    put_port(wanted_at(net, base + o), port - base, true);
    if (link & SWQ_TO_NODE) {
        queue->next_port = SWQ_SINK;
        return;
    }
    queue->next_port = link;
    queue->next_class = (uint8_t)f->shape.kind->route(f, link, p->from, p->to);
}

/* No head of the input is for that output any more, unless another queue's is. */
static void want_no_more(swq_async_net *net, uint32_t port, uint32_t o)
{
    const swq_queue *queue = swq_queues_of(net, port);
    const uint32_t base = base_of_port(net, port);

    for (port_set set = swq_choosing_of(net)->by_output ? no_ports() : full_at(net, port);
         any_port(set); drop_first(&set)) {
        if (queue[first_port(set)].output == o)
            return;
    }
    take_port(wants_at(net, port), o);
    take_port(wanted_at(net, base + o), port - base);
}

/* The first cycle in which the head of a queue can go, as far as is known. */
static inline uint32_t earliest(const swq_async_net *net, uint32_t port, int k,
                                const swq_queue *queue)
{
    const swq_flit_queue *q = &queues_of(net, port)[k];
    const uint32_t free = net->port[base_of_port(net, port) + queue->output].out_free;
    uint32_t when = queue->ready > free ? queue->ready : free;

    if (!swq_choosing_of(net)->by_output && q->went_at + q->going > when)
        when = q->went_at + q->going;
    return when > net->cycle ? when : net->cycle + 1;
}

/* A packet begins its way into an input. */
static void enter(swq_async_net *net, uint32_t port, const swq_parcel *was, uint32_t tail)
{
    swq_choosing *c = swq_choosing_of(net);
    swq_port *e = &net->port[port];
    const uint32_t o = bound_for(net, port, was, was->packet_class);
    const int k = c->by_output ? (int)o : emptiest(net, port, was->bytes);
    swq_queue *queue = &swq_queues_of(net, port)[k];
    swq_flit_queue *q = &queues_of(net, port)[k];
    swq_parcel *store = swq_parcels_of(net, port);
    const uint16_t slot = e->free_slot;
    swq_parcel *p = &store[slot];

    (void)tail;
    if (c->banked)
        banks_advance(net, port);
    swq_flits_settle(q, c->fifo, net->cycle);
    e->free_slot = p->next;
    *p = *was;
    p->next = SWQ_NO_SLOT;
    const uint32_t ahead = swq_flits_waiting(q, p->ready - 2);
    p->blocks = (uint16_t)(ahead < UINT16_MAX ? ahead : UINT16_MAX);
    q->came += was->bytes;
    q->came_at = net->cycle;
    q->coming = was->bytes;
    put_port(held_at(net, port), (uint32_t)k, true);
    c->need[port] = 0;
    c->output[p - net->parcel] = (uint8_t)o;
    c->routed[base_of_port(net, port) + o] += was->bytes;
    if (net->sent)
        note_sending(net, port, p);
    if (net->messages.each)
        net->messages.tag[p - net->parcel] = net->passing;
    swq_probe_enter(&net->system, true, (size_t)(p - net->parcel), port, e->in_level, true,
                    net->cycle);
    queue->blocks++;
    if (has_port(full_at(net, port), (uint32_t)k)) {
        store[queue->tail].next = slot;
        queue->tail = slot;
        return;
    }
    fill(net, port, k);
    queue->head = queue->tail = slot;
    new_head(net, port, k, queue);
    swq_wake_input(net, earliest(net, port, k, queue), port);
}

/* A packet goes on to the next input. */
static inline void go_on(swq_async_net *net, const swq_parcel *p, const swq_queue *queue)
{
    const uint32_t next = queue->next_port;
    swq_parcel moving = *p;

    net->port[next].link_free = net->cycle + p->bytes + net->link_rest;
    if (net->sent)
        net->moving = net->sent[p - net->parcel];
    if (net->messages.each)
        net->passing = net->messages.tag[p - net->parcel];
    moving.ready = net->cycle + net->hop_delay;
    moving.packet_class = queue->next_class;
    moving.entered = (uint8_t)(p->entered + (p->entered < UINT8_MAX));
    enter(net, next, &moving, moving.ready + p->bytes - 1);
}

/* The head of a queue leaves its place to the packet behind the head. */
static void next_in_line(swq_async_net *net, uint32_t port, int k, uint32_t o)
{
    swq_port *e = &net->port[port], *out = &net->port[base_of_port(net, port) + o];
    swq_queue *queue = &swq_queues_of(net, port)[k];
    swq_parcel *p = &swq_parcels_of(net, port)[queue->head];
    const uint16_t slot = queue->head, next = p->next;

    p->next = e->free_slot;
    e->free_slot = slot;
    queue->blocks--;
    if (next == SWQ_NO_SLOT) {
        drain(net, port, k);
        want_no_more(net, port, o);
    } else {
        queue->head = next;
        new_head(net, port, k, queue);
        if (queue->output != o)
            want_no_more(net, port, o);
        const uint32_t when = earliest(net, port, k, queue);
        if (queue->output != o || when > out->out_free)
            swq_wake_input(net, when, port);
    }
    if (any_port(*wanted_at(net, base_of_port(net, port) + o)))
        swq_wake_output(net, out->out_free, base_of_port(net, port) + o);
}

/* Begins to send the head of queue k of an input. */
static void start(swq_async_net *net, uint32_t port, int k)
{
    swq_choosing *c = swq_choosing_of(net);
    swq_port *e = &net->port[port];
    const swq_queue *queue = &swq_queues_of(net, port)[k];
    swq_flit_queue *q = &queues_of(net, port)[k];
    const swq_parcel *p = &swq_parcels_of(net, port)[queue->head];
    const uint32_t base = base_of_port(net, port), o = queue->output;
    swq_port *out = &net->port[base + o];

    if (net->watch && net->watch->started)
        show_start(net, base / (uint32_t)net->ports, (int)(port - base), (int)o, p);
    if (c->banked)
        banks_advance(net, port);
    swq_flits_settle(q, c->fifo, net->cycle);
    q->went += p->bytes;
    q->went_at = net->cycle;
    q->going = p->bytes;
    c->routed[base + o] -= p->bytes;
    out->out_free = net->cycle + p->bytes + net->link_rest;
    if (c->need[port])
        more_leaves(net, port, k);
    swq_probe_start(&net->system, true, (size_t)(p - net->parcel), port, e->in_level, net->cycle);
    swq_probe_link(&net->system, link_of(net, base + o), p->bytes);
    swq_probe_sent(&net->system, out->out_level, p->bytes);
    if (queue->next_port == SWQ_SINK)
        deliver(net, p);
    else
        go_on(net, p, queue);
    next_in_line(net, port, k, o);
}

/* ---- an output's turn ---- */

/* Have the banks brought the head of that queue to its output? If not, it is looked at again. */
static bool brought(swq_async_net *net, uint32_t port, int k)
{
    banks_advance(net, port);
    if (banks_ready(net, port, k))
        return true;
    swq_wake_input(net, net->cycle + 1, port);
    return false;
}

/* Can the head of queue k be sent, its output being free? */
static inline bool sendable(swq_async_net *net, uint32_t port, int k)
{
    const swq_queue *queue = &swq_queues_of(net, port)[k];

    if (queue->ready > net->cycle)
        return false;
    if (swq_choosing_of(net)->banked && !brought(net, port, k))
        return false;
    if (queue->next_port == SWQ_SINK)
        return true;
    return has_room(net, queue->next_port, queue->next_class,
                    swq_parcels_of(net, port)[queue->head].bytes);
}

/* A FIFO of an input, from number `from` on, whose head is for that output and can be sent; -1:
 * there is none. */
static int fifo_of(swq_async_net *net, uint32_t port, uint32_t o, int from)
{
    const swq_queue *queue = swq_queues_of(net, port);
    const swq_flit_queue *queues = queues_of(net, port);

    for (port_set set = ports_from(full_at(net, port), (uint32_t)from); any_port(set);
         drop_first(&set)) {
        const int k = (int)first_port(set);
        if (queue[k].output == o && queues[k].went_at + queues[k].going <= net->cycle &&
            sendable(net, port, k))
            return k;
    }
    return -1;
}

/* The next input, or FIFO of an input, in turn from the output's pointer on; the pointer moves past
 * it. */
static void next_in_turn(swq_async_net *net, uint32_t base, uint32_t o)
{
    swq_choosing *c = swq_choosing_of(net);
    const port_set wanted = *wanted_at(net, base + o);
    const uint32_t width = c->by_output ? 1 : (uint32_t)net->queues;
    const uint32_t first = c->pointer[base + o] / width, within = c->pointer[base + o] % width;
    port_set left = wanted;

    while (any_port(left)) {
        const uint32_t i = next_port(left, first), port = base + i;
        int k = (int)o;
        take_port(&left, i);
        if (c->by_output && !sendable(net, port, k))
            continue;
        if (!c->by_output && (k = fifo_of(net, port, o, i == first ? (int)within : 0)) < 0)
            continue;
        const uint32_t taken = c->by_output ? i : i * width + (uint32_t)k;
        c->pointer[base + o] = (uint16_t)(taken + 1 < (uint32_t)net->ports * width ? taken + 1 : 0);
        start(net, port, k);
        return;
    }
    /* the first input's FIFOs before the pointer come last */
    if (within > 0 && has_port(wanted, first)) {
        const int k = fifo_of(net, base + first, o, 0);
        if (k >= 0) {
            c->pointer[base + o] = (uint16_t)(first * width + (uint32_t)k + 1);
            start(net, base + first, k);
        }
    }
}

/* Output `o` sends a random one of the packets for it that can be sent. */
static void any_of_them(swq_async_net *net, uint32_t base, uint32_t o)
{
    const swq_choosing *c = swq_choosing_of(net);
    uint32_t port = 0, count = 0;
    int k = 0;

    swq_switch_stream_begin(&net->switch_stream, base + o, net->cycle);
    for (port_set set = *wanted_at(net, base + o); any_port(set); drop_first(&set)) {
        const uint32_t at = base + first_port(set);
        for (int q = c->by_output ? (int)o : 0; q >= 0 && q < net->queues;) {
            const int found = !c->by_output          ? fifo_of(net, at, o, q)
                              : sendable(net, at, q) ? q
                                                     : -1;
            if (found >= 0 && swq_dice_fair(&net->dice, (int)++count) == 0)
                port = at, k = found;
            q = c->by_output || found < 0 ? -1 : found + 1;
        }
    }
    if (count)
        start(net, port, k);
}

static inline void output_turn(swq_async_net *net, uint32_t base, uint32_t o)
{
    const swq_port *out = &net->port[base + o];

    if (out->out_free > net->cycle || !any_port(*wanted_at(net, base + o)))
        return;
    if (swq_choosing_of(net)->drawn)
        any_of_them(net, base, o);
    else
        next_in_turn(net, base, o);
}

/* Samples the use of chunks. */
static void sample(swq_async_net *net)
{
    swq_choosing *c = swq_choosing_of(net);

    for (uint32_t port = 0; port < net->inputs; port++) {
        uint32_t partly = 0;
        c->taken += count_chunks(net, port, NULL);
        for (port_set set = *held_at(net, port); any_port(set); drop_first(&set)) {
            const swq_flit_queue *q = &queues_of(net, port)[first_port(set)];
            const uint32_t over =
                q->taken ? (swq_flits_in(q, net->cycle) - q->first) % c->chunk : 0;
            partly += over > 0;
            c->unfilled += over ? c->chunk - over : 0;
        }
        c->partly += partly;
        c->most_partly = partly > c->most_partly ? partly : c->most_partly;
        c->samples += net->port[port].in_level != UINT8_MAX;
    }
}

/* The turn of a switch after changes at these inputs and outputs. */
static inline void turn(swq_async_net *net, uint32_t sw, port_set inputs, port_set outputs)
{
    const uint32_t base = sw * (uint32_t)net->ports;

    for (; any_port(inputs); drop_first(&inputs))
        outputs = either(outputs, *wants_at(net, base + first_port(inputs)));
    for (; any_port(outputs); drop_first(&outputs))
        output_turn(net, base, first_port(outputs));
}

#include "sim/frame/turn_due.h"

static void look_at_units(swq_async_net *net)
{
    look_at_switches(net);
    if (swq_choosing_of(net)->shared && !(net->cycle & (SAMPLE_EVERY - 1)))
        sample(net);
}
