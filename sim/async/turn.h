/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A unit's turn: who may send what, who does, and what follows from it. This is the text of a
 * kernel, included with SWQ_OUTPUT_STORES 0 by plain.c, for input queues before a crossbar as fast
 * as a link, and with SWQ_READ_PORTS, too, by read_ports.c, where each of these queues has its own;
 * with SWQ_OUTPUT_STORES 1 by crossbar.c, for a crossbar of any speed before output stores; and
 * with SWQ_GENERAL by general.c for whatever is asked beyond that, details among it. The others
 * have forms with SWQ_SHARED, for the shares of a network that is spread over threads. What a form
 * does not need is not in it.
 * Room: sim. Includes base and models.
 */
#include "base/fetch.h"
#include "sim/async/acks.h"
#include "sim/async/shares.h"
#include "sim/async/turn_packets.h"
#include "sim/async/virtual_clock.h"

#include <string.h>

/* What each hop does: to copy it into the arbiter's loop saves one in twenty instructions. */
#if SWQ_GENERAL
#define SWQ_EACH_HOP inline
#else
#define SWQ_EACH_HOP inline __attribute__((always_inline))
#endif

/* ---- places ---- */

/* The first element of a unit, and how many it has. */
static inline uint32_t base_of(const swq_async_net *net, uint32_t unit)
{
    if (SWQ_OUTPUT_STORES && unit >= net->crossbars)
        return net->inputs + (unit - net->crossbars);
    return unit * (uint32_t)net->ports;
}

/* The unit whose first element that is. */
static inline uint32_t unit_at(const swq_async_net *net, uint32_t base)
{
    if (behind(net, base))
        return net->crossbars + (base - net->inputs);
    return base / (uint32_t)net->ports;
}

/* The first element of an element's unit. */
static inline uint32_t base_at(const swq_async_net *net, uint32_t port)
{
    return port - net->port[port].place;
}

/* Does that store belong to another share? */
static inline bool abroad(const swq_async_net *net, uint32_t port)
{
    return SWQ_SHARED && !behind(net, port) && swq_is_abroad(&net->share, port);
}

/* A store in the view of those that send to it. */
static inline swq_port *port_at(const swq_async_net *net, uint32_t port)
{
    return abroad(net, port) ? swq_border_port(net->share.border, port) : &net->port[port];
}

static inline swq_lane *lanes_of(const swq_async_net *net, uint32_t port)
{
    if (abroad(net, port))
        return swq_border_lanes(net->share.border, port);
    if (behind(net, port))
        return net->lane + (size_t)net->inputs * (uint32_t)net->queues +
               (size_t)(port - net->inputs) * (SWQ_GENERAL ? (uint32_t)net->output_queues : 1);
    return net->lane + (size_t)port * (uint32_t)net->queues;
}

static inline swq_parcel *parcels_of(const swq_async_net *net, uint32_t port)
{
    if (behind(net, port))
        return net->parcel + (size_t)net->inputs * (uint32_t)net->slots +
               (size_t)(port - net->inputs) * (uint32_t)net->output_slots;
    return net->parcel + (size_t)port * (uint32_t)net->slots;
}

/* The queue of a class; with a management `class` is a queue already. */
static inline int lane_number(const swq_async_net *net, uint32_t port, int class)
{
    if (SWQ_GENERAL && net->managed.hooks)
        return class;
    return behind(net, port) ? 0 : SWQ_GENERAL ? swq_queue_of(net, class) : swq_lane_of(net, class);
}

static inline const swq_admission *admission_of(const swq_async_net *net, uint32_t port)
{
    return &net->admission[behind(net, port)];
}

static inline bool reads_each_queue(const swq_async_net *net, uint32_t port)
{
    return SWQ_READ_PORTS && net->each_queue && !behind(net, port);
}

/* Blocks that a departing packet still holds. With output stores, a packet whose tail was late
 * counts as if it had begun later. */
static inline uint32_t left_of(const swq_async_net *net, uint32_t port, const swq_leaving *l)
{
    if (SWQ_OUTPUT_STORES && (int32_t)(net->cycle - l->cycle) < 0)
        return l->blocks;
    return swq_left(l, net->cycle, net->step[behind(net, port)]);
}

#include "sim/async/turn_queues.h"

/* ---- flow control: asking ---- */

static inline swq_reader *reader_of(swq_async_net *net, swq_port *e, uint32_t port, int q)
{
    if (reads_each_queue(net, port) && abroad(net, port))
        return &swq_border_readers(net->share.border, port)[q];
    return reads_each_queue(net, port)
               ? &net->reader[(size_t)port * (uint32_t)net->queues + (uint32_t)q]
               : &e->reader;
}

/* Blocks that departing packets of a port still hold. */
static inline uint32_t left_in_port(swq_async_net *net, swq_port *e, uint32_t port)
{
    uint32_t left = 0;

    if (!reads_each_queue(net, port))
        return left_of(net, port, &e->reader.leaving);
    for (int q = 0; q < net->queues; q++)
        left += left_of(net, port, &reader_of(net, e, port, q)->leaving);
    return left;
}

/* The first cycle in which a departing packet holds at most `allowed` blocks. */
static inline uint32_t left_until(const swq_leaving *l, uint32_t allowed, uint32_t step)
{
    uint32_t steps = l->blocks > allowed ? l->blocks - allowed : 0;
    uint64_t gone = (uint64_t)steps * step;
    return l->cycle + (gone < l->held ? (uint32_t)gone : l->held);
}

/* The cycle in which departing packets free their next block, or SWQ_NEVER. */
static uint32_t next_freed(swq_async_net *net, swq_port *e, uint32_t port)
{
    uint32_t when = SWQ_NEVER;

    for (int k = 0; k < (reads_each_queue(net, port) ? net->queues : 1); k++) {
        const swq_leaving *l = &reader_of(net, e, port, k)->leaving;
        uint32_t left = left_of(net, port, l);
        uint32_t next = left ? left_until(l, left - 1, net->step[behind(net, port)]) : SWQ_NEVER;
        when = next < when ? next : when;
    }
    return when;
}

/* A closed port: if a departing packet will open it, the feeder is woken then. */
static void wake_when_open(swq_async_net *net, swq_port *e, uint32_t port, int q)
{
    const swq_lane *lane = &lanes_of(net, port)[q];
    const swq_admission *a = admission_of(net, port);
    const uint32_t step = net->step[behind(net, port)];
    uint32_t now = net->cycle, when;

    if (a->by_rule) { /* any block freed, of whatever queue, may open it */
        when = next_freed(net, e, port);
        if (when != SWQ_NEVER)
            swq_wake_feeder(net, when, e->feeder);
        return;
    }
    if (a->pooled && e->blocks <= a->room) {
        /* several may depart at once: look again whenever one of them has freed a block */
        when = reads_each_queue(net, port)
                   ? next_freed(net, e, port)
                   : left_until(&e->reader.leaving, (uint32_t)a->room - e->blocks, step);
        if (when != SWQ_NEVER && when > now)
            swq_wake_feeder(net, when, e->feeder);
    }
    const swq_reader *r = reader_of(net, e, port, q);
    if (a->limited && lane->blocks <= a->limit && r->lane == (uint32_t)q) {
        when = left_until(&r->leaving, (uint32_t)(a->limit - lane->blocks), step);
        if (when > now)
            swq_wake_feeder(net, when, e->feeder);
    }
}

/* Is a store that a packet is about to leave closed to the packet's queue, or nearly so? */
static inline bool is_tight(const swq_admission *a, const swq_port *e, const swq_lane *lane,
                            uint32_t left)
{
    return (a->pooled && (int)(e->blocks + left) > a->room) ||
           (a->limited && (a->by_rule || lane->blocks > a->limit));
}

/* Asks the room rule itself, for queue q of a port. */
static bool room_by_rule(swq_async_net *net, swq_port *e, uint32_t port, int q)
{
    const swq_lane *lanes = lanes_of(net, port);
    uint16_t length[SWQ_MAX_FABRIC_CLASSES] = {0};

    for (int k = 0; k < net->queues; k++) {
        const swq_reader *r = reader_of(net, e, port, k);
        uint32_t left = r->lane == (uint32_t)k ? left_of(net, port, &r->leaving) : 0;
        length[k] = (uint16_t)(lanes[k].blocks + left);
    }
    if (SWQ_GENERAL)
        return swq_async_room(&net->spec->buffer, net->escapes, net->queues, length, q,
                              net->packet);
    return swq_buffer_room(&net->spec->buffer, net->queues, length, q, net->packet);
}

/* The flow control of a store beyond room and threshold, or NULL. */
static inline const swq_flow_hooks *flow_at(const swq_async_net *net, uint32_t port)
{
    return SWQ_GENERAL && net->flow && net->flow->open && !behind(net, port) ? net->flow : NULL;
}

static inline bool open_to(swq_async_net *net, uint32_t port, int class)
{
    swq_port *e = port_at(net, port);
    const swq_admission *a = admission_of(net, port);
    const swq_flow_hooks *flow = flow_at(net, port);
    int q = lane_number(net, port, class);
    bool open = true;

    if (SWQ_GENERAL && managed_stops(net, port, q))
        return false;
    if (flow && flow->in_place)
        return flow->open(net, port, q);
    /* usually a port is open whatever a departing packet still holds, so that need not be
     * computed */
    if (a->pooled &&
        (reads_each_queue(net, port) || e->blocks + e->reader.leaving.blocks > a->room))
        open = (int)(e->blocks + left_in_port(net, e, port)) <= a->room;
    if (open && a->limited) {
        const swq_lane *lane = &lanes_of(net, port)[q];
        const swq_reader *r = reader_of(net, e, port, q);
        open = lane->blocks + r->leaving.blocks <= a->limit;
        if (!open) {
            uint32_t left = r->lane == (uint32_t)q ? left_of(net, port, &r->leaving) : 0;
            open = (int)(lane->blocks + left) <= a->limit;
        }
        open = open && (!a->by_rule || room_by_rule(net, e, port, q));
    }
    if (!open)
        wake_when_open(net, e, port, q);
    return flow && open ? flow->open(net, port, q) : open;
}

static bool port_open(swq_async_net *net, uint32_t port, int class)
{
    return open_to(net, port, class);
}

#include "sim/async/choice.h"

/* ---- moving packets ---- */

/* Finds where the head of a queue, packet p, goes. */
static inline void weigh_head(swq_async_net *net, uint32_t base, uint32_t port, swq_lane *lane,
                              const swq_parcel *p)
{
    if (SWQ_GENERAL && net->fork) {
        weigh_fork(net, port, lane);
        return;
    }
    const swq_fabric *f = net->fabric;
    const uint32_t out = behind(net, port) ? 0
                         : f->digit
                             ? p->packet_class
                             : f->output[(size_t)port * (size_t)f->classes + p->packet_class];
    const swq_port *o = &net->port[base + out];
    const uint32_t link = o->link;

    lane->ready = p->ready;
    lane->output = (uint8_t)out;
    if (link & SWQ_TO_NODE) {
        lane->next_port = SWQ_SINK;
        return;
    }
    lane->next_port = link;
    if (behind(net, link))
        lane->next_class = 0;
    else if (f->digit) /* the same, without a look at the store, which is of the next level */
        lane->next_class = (uint8_t)(p->to >> f->shift[o->out_level + 1] & f->digit);
    else
        lane->next_class = (uint8_t)f->shape.kind->route(f, link, p->from, p->to);
}

/* Packet p, which is in lane->head, has become the head of a queue. */
static inline void new_head(swq_async_net *net, uint32_t base, uint32_t port, swq_lane *lane,
                            const swq_parcel *p)
{
    weigh_head(net, base, port, lane, p);
    if (SWQ_GENERAL)
        managed_head(net, port, lane, p);
}

/* The first cycle in which the new head of a queue, read from `free` on, can be sent, as far as is
 * known. If another packet takes its input or its output first, it is looked at after that. */
static inline uint32_t earliest(const swq_async_net *net, uint32_t base, const swq_lane *lane,
                                uint32_t free)
{
    const uint32_t out_free = net->port[base + lane->output].out_free;
    const uint32_t read = lane->ready > free ? lane->ready : free;

    if (SWQ_GENERAL && net->fork) /* the outputs wake it when they become free */
        return read;
    if (SWQ_GENERAL && net->clocks)
        return swq_clock_wake(net, read > out_free ? read : out_free);
    return read > out_free ? read : out_free;
}

#if SWQ_GENERAL
#include "sim/async/turn_wants.h"
#endif
#include "sim/async/turn_waits.h"

#include "sim/async/turn_fetch.h"
#include "sim/async/turn_pieces.h"

/* A packet, so far described by `was`, begins its way into a store. */
static SWQ_EACH_HOP void enter(swq_async_net *net, uint32_t port, const swq_parcel *was,
                               uint32_t ready, uint8_t packet_class, uint8_t entered, uint32_t tail)
{
    swq_port *e = &net->port[port];
    const int q = joined(net, port, was, packet_class);
    swq_lane *lane = &lanes_of(net, port)[q];
    swq_parcel *store = parcels_of(net, port);
    const uint16_t slot = e->free_slot;
    swq_parcel *p = &store[slot];

    (void)tail;
    const swq_flow_hooks *flow = flow_at(net, port);
    if (flow && flow->settle)
        flow->settle(net, port, q);
    e->free_slot = p->next;
    *p = *was;
    p->ready = ready;
    p->packet_class = packet_class;
    p->entered = entered;
    p->next = SWQ_NO_SLOT;
    if (SWQ_GENERAL && net->clocks)
        swq_clock_stamp(net, port, p);
    if (SWQ_OUTPUT_STORES)
        net->tail[p - net->parcel] = tail;
    if (SWQ_GENERAL && net->sent)
        note_sending(net, port, p);
    if (SWQ_GENERAL && net->ways.way)
        net->ways.tag[p - net->parcel] = net->passing;
    if (SWQ_GENERAL && net->pieces.piece)
        net->pieces.piece[p - net->parcel] = net->pieces.entering;
    e->blocks = (uint16_t)(e->blocks + was->blocks);
    lane->blocks = (uint16_t)(lane->blocks + was->blocks);
    e->entered = net->cycle;
    e->entered_blocks = was->blocks;
    e->entered_lane = (uint8_t)q;
    if (SWQ_GENERAL)
        managed_entered(net, port, q);
    if (SWQ_GENERAL && net->scheme)
        swq_scheme_entered(net, port, p->to);
    if (begins_packet(net, p)) {
        if (SWQ_GENERAL && net->stayed)
            swq_stays(net, port);
        net->inside[e->in_level]++;
        net->system.hops += !behind(net, port);
    }
    if (holds_packets(net, e, port, q)) {
        store[lane->tail].next = slot;
        lane->tail = slot;
        return;
    }
    fill(net, e, port, q);
    lane->head = lane->tail = slot;
    const uint32_t base = base_at(net, port);
    new_head(net, base, port, lane, p);
#if SWQ_GENERAL
    want(net, base, port, lane->output);
#endif
    if (SWQ_GENERAL && net->pieces.piece)
        wake_for_piece(net, port, lane, q);
    else
        swq_wake_input(net, earliest(net, base, lane, reader_of(net, e, port, q)->free), port);
}

static void port_enter(swq_async_net *net, uint32_t port, const swq_parcel *parcel, uint32_t tail)
{
    enter(net, port, parcel, parcel->ready, parcel->packet_class, parcel->entered, tail);
}

#include "sim/async/turn_shares.h"

/* A packet's passage over the channel of an element: until when it takes the channel, and for how
 * long that counts when memory is freed behind it. */
typedef struct passage {
    uint32_t end; /* the first cycle in which the channel, and the reader of the packet, are free */
    uint32_t cycles;
} passage;

/* A crossbar that is faster than the links has to wait for the end of a packet that is still
 * arriving. */
static inline passage pass(const swq_async_net *net, const swq_timing *t, const swq_parcel *p)
{
    if (!SWQ_OUTPUT_STORES)
        return (passage){net->cycle + p->bytes, p->bytes};
    const uint32_t cycles = (p->bytes * t->per + t->bytes - 1) / t->bytes;
    const uint32_t tail = net->tail[p - net->parcel], end = net->cycle + cycles;

    return (passage){end > tail ? end : tail + 1, cycles};
}

/* Cycles after which all memory of a departing packet is free. */
static inline uint16_t held_for(const swq_async_net *net, uint32_t cycles)
{
    return (uint16_t)(cycles < net->most_held ? cycles : net->most_held);
}

/* A packet goes on into the next store, where it is ready when its header is there or, without
 * cut-through, its tail. */
static inline void go_on(swq_async_net *net, const swq_timing *t, const swq_parcel *p,
                         uint32_t next_port, uint8_t next_class, uint32_t end)
{
    const uint32_t tail = end - 1 + t->delay;
    const bool whole = SWQ_OUTPUT_STORES && !net->cut_through;
    const int more = !behind(net, next_port) && p->entered < UINT8_MAX;
    const uint32_t ready = whole ? tail : net->cycle + t->delay;
    const uint8_t entered = (uint8_t)(p->entered + more);

    port_at(net, next_port)->link_free = end + t->rest;
    if (SWQ_GENERAL && net->sent)
        net->moving = net->sent[p - net->parcel];
    if (SWQ_GENERAL && net->ways.way)
        net->passing = net->ways.tag[p - net->parcel];
    if (SWQ_GENERAL && net->pieces.piece)
        net->pieces.entering = net->pieces.piece[p - net->parcel];
    if (abroad(net, next_port))
        send_abroad(net, next_port, p, ready, next_class, entered, tail);
    else
        enter(net, next_port, p, ready, next_class, entered, tail);
}

/* The head of queue q of an input has left by output `out`. Has the ports looked at when they are
 * free again, if there is something to send. `u`: what the turn remembers, if its arbiter is built
 * in and the kernel lean; or NULL. */
static inline void look_when_free(swq_async_net *net, swq_unit *u, uint32_t base, uint32_t port,
                                  int q, uint32_t out)
{
    swq_port *e = &net->port[port];
    const uint32_t read_free = reader_of(net, e, port, q)->free;

    if (SWQ_GENERAL && net->pieces.piece && read_free == SWQ_NEVER) /* pieces are still to come */
        return;
    if (SWQ_GENERAL ? net->port[out].wanted || net->fork : behind(net, port) && e->full)
        swq_wake_output(net, net->port[out].out_free, out);
    if (reads_each_queue(net, port) ? !holds_packets(net, e, port, q) : e->full == 0)
        return;
    /* if all the rest is for that output again, which is not free before the input is, the input
     * waits for it from now on */
    if (u && !reads_each_queue(net, port) && e->full == 1u << q &&
        base + lanes_of(net, port)[q].output == out)
        wait_for(net, u, base, port - base, 1u << (out - base));
    else
        swq_wake_input(net, read_free, port);
}

/* The head of queue q of an input, which goes by output `out`, leaves its place to `next`. The
 * output and the reader of the queue have been taken. */
static SWQ_EACH_HOP void next_in_line(swq_async_net *net, swq_unit *u, uint32_t base, uint32_t port,
                                      int q, swq_lane *lane, uint32_t out, uint16_t next)
{
    swq_port *e = &net->port[port];
    const uint32_t read_free = reader_of(net, e, port, q)->free;

    if (next == SWQ_NO_SLOT) {
        drain(net, e, port, q);
    } else {
        lane->head = next;
        new_head(net, base, port, lane, &parcels_of(net, port)[next]);
        const uint32_t when = earliest(net, base, lane, read_free);
        if (SWQ_GENERAL && net->pieces.piece)
            wake_for_piece(net, port, lane, q);
        else if (SWQ_GENERAL ? when > read_free : lane->ready > read_free)
            swq_wake_input(net, when, port);
    }
#if SWQ_GENERAL
    want_next(net, base, port, lane, (int)(out - base), next);
#endif
    look_when_free(net, u, base, port, q, out);
}

#if SWQ_GENERAL
#include "sim/async/flights.h"
#endif

/* Begins to send the head of queue q of an input of the unit whose first element is `base`. `u` is
 * as for look_when_free. */
static SWQ_EACH_HOP void start_from(swq_async_net *net, swq_unit *u, uint32_t base, int input,
                                    int q, swq_lane *lane)
{
    const uint32_t port = base + (uint32_t)input;
    swq_port *e = &net->port[port];
    swq_parcel *p = &parcels_of(net, port)[lane->head];
    const swq_admission *a = admission_of(net, port);
    const uint32_t out = base + lane->output, next_port = lane->next_port;
    const uint8_t next_class = lane->next_class, level = net->port[out].out_level;
    const swq_timing *t = &net->timing[behind(net, out)];
    const passage way = pass(net, t, p);
    const swq_leaving leaving = {way.end - way.cycles, held_for(net, way.cycles), p->blocks};
    const bool first = begins_packet(net, p), last = ends_packet(net, p);
    const uint32_t read_free = last ? way.end : SWQ_NEVER;
    const uint32_t out_free = last ? read_free + t->rest : SWQ_NEVER;
    uint16_t slot = lane->head;

#if SWQ_GENERAL
    if (swq_ack_rule(net, port)) {
        launch(net, unit_at(net, base), input, q);
        return;
    }
#endif
    if (net->watch && net->watch->started && first)
        show_start(net, unit_at(net, base), input, lane->output, p);
    if (SWQ_GENERAL && net->pieces.piece)
        piece_goes(net, unit_at(net, base), input, q, p, way.end);
    /* If the departing packet keeps the port closed, wake the feeder when enough blocks are free;
     * not before the link has paused, when the feeder looks anyway. With several read ports the
     * packet may be gone before those that began earlier. */
    uint32_t left = reads_each_queue(net, port) ? left_in_port(net, e, port) : 0;
    const bool tight = is_tight(a, e, lane, left);
    const swq_flow_hooks *flow = flow_at(net, port);
    if (flow && flow->settle)
        flow->settle(net, port, q);
    e->blocks = (uint16_t)(e->blocks - p->blocks);
    lane->blocks = (uint16_t)(lane->blocks - p->blocks);
    *reader_of(net, e, port, q) = (swq_reader){read_free, leaving, (uint32_t)q};
    if (fed_from_abroad(net, e))
        tell_feeder(net, port, reader_of(net, e, port, q));
    else if (!(flow && flow->in_place) && tight &&
             ((SWQ_GENERAL && net->pieces.piece) || e->link_free < read_free))
        wake_when_open(net, e, port, q);
    if (flow && flow->leave)
        flow->leave(net, port, q, &leaving);
    if (SWQ_GENERAL)
        managed_passed(net, port, q, p);
    net->port[out].out_free = out_free;

    /* The packet moves on, ... */
    if (SWQ_GENERAL && net->stayed && first) {
        swq_leaves(net, port);
        if (!net->output_stores)
            swq_note_sent(net, net->fabric->nodes + (size_t)out, packet_bytes(net, p));
        else if (behind(net, out))
            swq_note_sent(net, net->fabric->nodes + (size_t)(out - net->inputs),
                          packet_bytes(net, p));
    }
    if (!SWQ_GENERAL || first)
        net->inside[e->in_level]--;
    net->system.tally[swq_tally_stage(level) + SWQ_STAGE_SENT] += p->bytes;
    if (next_port == SWQ_SINK) {
        if (!SWQ_GENERAL || first)
            deliver(net, p);
    } else {
        go_on(net, t, p, next_port, next_class, way.end);
    }

    /* ... and leaves its place to the one behind it. */
    const uint16_t next = p->next;
    p->next = e->free_slot;
    e->free_slot = slot;
    next_in_line(net, u, base, port, q, lane, out, next);
}

/* The same for all other turns, called rather than copied. */
static void start(swq_async_net *net, uint32_t sw, int input, int q)
{
    const uint32_t base = base_of(net, sw);

    start_from(net, NULL, base, input, q, &lanes_of(net, base + (uint32_t)input)[q]);
}

/* ---- arbitration ---- */

/* Does this queue of an input have a head that is ready and can be read, ... */
static inline bool readable(swq_async_net *net, swq_port *e, uint32_t port, int q)
{
    return lanes_of(net, port)[q].ready <= net->cycle &&
           reader_of(net, e, port, q)->free <= net->cycle &&
           !(SWQ_GENERAL && managed_holds(net, port, q));
}

/* ... that is for one of those outputs, ... */
static inline bool goes_to(const swq_async_net *net, const swq_lane *lane, uint32_t outputs)
{
    if (SWQ_GENERAL && net->fork)
        return net->fork[lane - net->lane].outputs & outputs;
    return outputs >> lane->output & 1;
}

/* ... and that can be sent? */
static inline bool sendable(swq_async_net *net, uint32_t base, swq_lane *lane, uint32_t port, int q)
{
    if (SWQ_GENERAL && net->fork)
        return choose(net, port, lane, q);
#if SWQ_GENERAL
    if (swq_ack_rule(net, port))
        return may_launch(net, port, lane);
#endif
    return net->port[base + lane->output].out_free <= net->cycle &&
           (lane->next_port == SWQ_SINK || open_to(net, lane->next_port, next_lane(net, lane)));
}

/* Blocks that waited in a queue when the cycle began: it must not matter whether another switch was
 * looked at before this one. */
static inline int waiting_blocks(const swq_async_net *net, const swq_port *e, const swq_lane *lane,
                                 int q)
{
    /* without a branch, which nobody could predict */
    const bool came = (e->entered == net->cycle) & (last_entered(net, e) == q);
    return lane->blocks - (e->entered_blocks & -(int)came);
}

/* Is queue q longer than queue p, or as long with a head that came first? */
static inline bool precedes(const swq_async_net *net, const swq_port *e, const swq_lane *lanes,
                            int q, int p)
{
    const int blocks = waiting_blocks(net, e, &lanes[q], q);
    const int others = waiting_blocks(net, e, &lanes[p], p);

    return blocks > others || (blocks == others && lanes[q].ready <= lanes[p].ready);
}

/* Could this input have sent something, given its contents? */
static bool could_send(swq_async_net *net, uint32_t port)
{
    swq_port *e = &net->port[port];

    for (walk w = walk_begin(net, e, port); walk_goes(w); w = walk_on(w)) {
        if (readable(net, e, port, walk_queue(w)))
            return true;
    }
    return false;
}

#if SWQ_GENERAL
/* Of the queues of an input that can be sent from to one of `outputs`, the longest; of equally long
 * ones the one whose head came first, which favours no output (two never come in the same cycle).
 * -1: none. */
static inline int longest(swq_async_net *net, uint32_t base, uint32_t port, uint32_t outputs)
{
    swq_port *e = &net->port[port];
    swq_lane *lanes = lanes_of(net, port);
    int best = -1;

    for (walk w = walk_for(net, e, port, outputs); walk_goes(w); w = walk_on(w)) {
        int q = walk_queue(w);
        swq_lane *lane = &lanes[q];
        if (!goes_to(net, lane, outputs) || !readable(net, e, port, q))
            continue;
        if ((best < 0 || precedes(net, e, lanes, q, best)) && sendable(net, base, lane, port, q))
            best = q;
    }
    return best;
}

/* The turn of an input, which sends what it can to those outputs. Returns the set of the outputs
 * that it has sent to. */
static inline uint32_t input_turn(swq_async_net *net, uint32_t base, uint32_t input,
                                  uint32_t outputs)
{
    const uint32_t port = base + input;
    uint32_t taken = 0;
    int q = longest(net, base, port, outputs);

    if (q < 0)
        return 0;
    do {
        swq_lane *lane = &lanes_of(net, port)[q];
        taken |= 1u << lane->output;
        start_from(net, NULL, base, (int)input, q, lane);
    } while (reads_each_queue(net, port) && (q = longest(net, base, port, outputs)) >= 0);
    return taken;
}

/* Everything that could be sent before this cycle has been sent, or its input or output was busy.
 * So only what has changed matters: all heads of the inputs given, and the heads for the outputs
 * given. Returns the inputs that have sent something. */
static uint32_t send_in_turn(swq_async_net *net, const due_unit *unit, uint32_t first)
{
    const uint32_t base = base_of(net, unit->unit), inputs = unit->inputs, outputs = unit->outputs;
    const swq_port *ports = &net->port[base];
    uint32_t due = inputs, sent = 0;

    for (uint32_t set = outputs; set; set &= set - 1)
        due |= ports[__builtin_ctz(set)].wanted;
    while (due) { /* from `first` on, then from 0 */
        const uint32_t ahead = due & UINT32_MAX << first;
        const uint32_t input = (uint32_t)__builtin_ctz(ahead ? ahead : due);
        const swq_port *e = &ports[input];
        const uint32_t to = inputs >> input & 1 ? e->wants : e->wants & outputs;
        due &= ~(1u << input);
        if (!to || (!reads_each_queue(net, base) && e->reader.free > net->cycle))
            continue;
        sent |= (uint32_t)(input_turn(net, base, input, to) != 0) << input;
    }
    return sent;
}

#include "sim/async/turn_clock.h"
#else
#include "sim/async/turn_sending.h"
#endif

/* The arbiters that are built in: inputs in turn, each from its longest queue. */
static void rotating_turn(swq_async_net *net, const due_unit *due)
{
    const uint32_t sw = due->unit, base = base_of(net, sw), first = net->memory[sw];
    const uint32_t sent = send_in_turn(net, due, first);

    if (!sent)
        return;
    /* one condition of parts that are known at once: which of them holds, nobody can predict */
    const swq_port *e = &net->port[base + first];
    const bool idle =
        (e->full == 0) | (!reads_each_queue(net, base) & (e->reader.free > net->cycle));
    const bool passed = net->advances | (sent >> first & 1) | idle;
    if (passed || !could_send(net, base + first))
        net->memory[sw] = (uint16_t)((first + 1) * (first + 1 != (uint32_t)net->ports));
}

/* Has an output that a head is for looked at when it is free. The general kernel knows who wants an
 * output, and sees to it without being asked. */
static inline void wake_when_free(swq_async_net *net, uint32_t base, const swq_lane *lane)
{
    const uint32_t out = base + lane->output;

    if (!SWQ_GENERAL && net->port[out].out_free > net->cycle)
        swq_wake_output(net, net->port[out].out_free, out);
}

/* The view of an arbiter of the table: for an input and an output, the longest queue that can be
 * sent from. */
static bool gather(swq_async_net *net, uint32_t sw, int queue[SWQ_MAX_PORTS][SWQ_MAX_PORTS])
{
    swq_requests *r = &net->requests;
    bool any = false;

    for (int i = 0; i < net->ports; i++) {
        const uint32_t port = sw * (uint32_t)net->ports + (uint32_t)i;
        swq_port *e = &net->port[port];
        swq_lane *lanes = lanes_of(net, port);
        memset(r->length[i], 0, sizeof *r->length[i] * (size_t)net->ports);
        r->waiting[i] = 0;
        for (walk w = walk_begin(net, e, port); walk_goes(w); w = walk_on(w)) {
            int q = walk_queue(w);
            swq_lane *lane = &lanes[q];
            if (!readable(net, e, port, q))
                continue;
            int blocks = waiting_blocks(net, e, lane, q);
            r->waiting[i] += blocks;
            if (SWQ_GENERAL && net->fork) {
                any |= gather_forks(net, port, q, blocks, r->length[i], queue[i]);
                continue;
            }
            wake_when_free(net, base_of(net, sw), lane);
            if (blocks <= r->length[i][lane->output] ||
                !sendable(net, base_of(net, sw), lane, port, q))
                continue;
            r->length[i][lane->output] = blocks;
            queue[i][lane->output] = q;
            any = true;
        }
    }
    return any;
}

static void table_turn(swq_async_net *net, uint32_t sw)
{
    const swq_arbiter *arbiter = net->spec->arbiter;
    swq_requests *r = &net->requests;
    int queue[SWQ_MAX_PORTS][SWQ_MAX_PORTS], grant[SWQ_MAX_PORTS];

    if (!gather(net, sw, queue))
        return;
    if (net->memory_words)
        r->memory = net->memory + (size_t)sw * (size_t)net->memory_words;
    swq_switch_stream_begin(&net->switch_stream, sw, net->cycle);
    arbiter->arbitrate(r, &net->dice, grant);
    if (arbiter->settle)
        arbiter->settle(r, grant);
    for (int j = 0; j < net->ports; j++) {
        if (grant[j] != SWQ_NO_INPUT &&
            (!SWQ_GENERAL || direct_to(net, sw, grant[j], queue[grant[j]][j], (uint32_t)j)))
            start(net, sw, grant[j], queue[grant[j]][j]);
    }
    /* an arbiter that stops short of a maximal matching goes on in the next cycle */
    if (gather(net, sw, queue))
        swq_wake_input(net, net->cycle + 1, sw * (uint32_t)net->ports);
}

/* Continues the packets in pieces on those outputs or from those inputs whose next piece can go.
 * They hold everything they need except room, so that no arbiter is asked. */
static void go_on_with_pieces(swq_async_net *net, uint32_t unit, uint32_t inputs, uint32_t outputs)
{
    const uint32_t base = base_of(net, unit);
    uint32_t due = outputs;

    for (uint32_t set = inputs; set; set &= set - 1) {
        const uint32_t port = base + (uint32_t)__builtin_ctz(set);
        for (uint32_t going = net->pieces.going[port]; going; going &= going - 1)
            due |= UINT32_C(1) << lanes_of(net, port)[__builtin_ctz(going)].output;
    }
    for (; due; due &= due - 1) {
        const swq_hold *h = &net->pieces.hold[base + (uint32_t)__builtin_ctz(due)];
        if (!h->on || h->free > net->cycle)
            continue;
        swq_port *e = &net->port[h->store];
        const int q = h->queue;
        const swq_lane *lane = &lanes_of(net, h->store)[q];
        if (holds_packets(net, e, h->store, q) && lane->ready <= net->cycle &&
            (lane->next_port == SWQ_SINK || open_to(net, lane->next_port, next_lane(net, lane))))
            start(net, unit, (int)(h->store - base), q);
    }
}

/* An output store has one link, and one queue unless a management gives it more. */
static void link_turn(swq_async_net *net, uint32_t sw)
{
    const uint32_t port = base_of(net, sw);
    swq_port *e = &net->port[port];

    if (SWQ_GENERAL && net->pieces.piece)
        go_on_with_pieces(net, sw, 1, 1);
#if SWQ_GENERAL
    if (net->output_queues > 1) {
        input_turn(net, port, 0, 1);
        return;
    }
#endif
    if (e->full && readable(net, e, port, 0) && sendable(net, port, lanes_of(net, port), port, 0))
        start(net, sw, 0, 0);
}

/* Looks at a crossbar because something has changed at its inputs and outputs that are due, and
 * begins the transmissions that its arbiter allows. */
static inline void turn(swq_async_net *net, const due_unit *due)
{
    if (SWQ_GENERAL && net->pieces.piece)
        go_on_with_pieces(net, due->unit, due->inputs, due->outputs);
#if SWQ_GENERAL
    if (net->clocks) {
        clock_turn(net, due->unit, due->inputs, due->outputs);
        return;
    }
#endif
    if (net->unrolled)
        rotating_turn(net, due);
    else
        table_turn(net, due->unit);
}

/* The turns of a batch, which is empty then. */
static void turn_batch(swq_async_net *net, batch *b)
{
    if (!SWQ_GENERAL && net->far && b->units >= WORTH_FETCHING)
        fetch_batch(net, b);
    for (const due_unit *due = b->due; due < b->due + b->units; due++) {
        if (SWQ_OUTPUT_STORES && due->unit >= net->crossbars)
            link_turn(net, due->unit);
        else
            turn(net, due);
    }
    b->units = 0;
}

static inline void add_to_batch(swq_async_net *net, batch *b, uint32_t unit, uint32_t inputs,
                                uint32_t outputs)
{
    due_unit *due = &b->due[b->units++];

    due->unit = unit;
    due->inputs = due->looked_at = inputs;
    due->outputs = outputs;
    if (!SWQ_GENERAL && !(SWQ_OUTPUT_STORES && unit >= net->crossbars)) {
        const uint32_t base = base_of(net, unit);
        due->looked_at |= waiting_for(net, &net->unit[unit], base, outputs);
        fetch_first(net, base, due->looked_at);
    }
    if (b->units == BATCH)
        turn_batch(net, b);
}

/* Where the wheel keeps what is due at a crossbar. */
typedef struct unit_bits {
    uint32_t shift, half;  /* 2^shift bits, half of them for inputs */
    uint64_t inputs, both; /* masks */
} unit_bits;

static inline unit_bits bits_of_units(const swq_async_net *net)
{
    const uint64_t inputs = (UINT64_C(1) << net->half) - 1;

    return (unit_bits){(uint32_t)net->unit_shift, net->half, inputs, inputs | inputs << net->half};
}

/* The crossbars that are due, with numbers from 64 * word on. */
static inline void look_at_crossbars(swq_async_net *net, unit_bits bits, uint32_t word,
                                     uint64_t set, batch *b)
{
    const uint32_t first = (SWQ_SHARED ? net->share.first_switch : 0) + (word * 64 >> bits.shift);

    while (set) {
        const uint32_t unit = (uint32_t)__builtin_ctzll(set) >> bits.shift, at = unit << bits.shift;
        const uint64_t due = set >> at;
        add_to_batch(net, b, first + unit, (uint32_t)(due & bits.inputs),
                     (uint32_t)(due >> bits.half & bits.inputs));
        set &= ~(bits.both << at);
    }
}

/* The links that are due, likewise. */
static inline void look_at_links(swq_async_net *net, uint32_t word, uint64_t set, batch *b)
{
    while (set) {
        const uint32_t first = (uint32_t)__builtin_ctzll(set) & ~1u;
        const uint32_t link = (word * 64 + first - net->links_due) / 2;
        add_to_batch(net, b, net->crossbars + (SWQ_SHARED ? net->share.first + link : link), 1, 1);
        set &= ~(UINT64_C(3) << first);
    }
}

/* Looks at the units that are due in this cycle, in order. What their turns bring about is due in
 * later cycles. */
static void look_at_units(swq_async_net *net)
{
    swq_wheel_due due = swq_wheel_begin(&net->wheel, net->cycle);
    const unit_bits bits = bits_of_units(net);
    batch b;

    b.units = 0;
    for (uint64_t set; (set = swq_wheel_take(&due)) != 0;) {
        if (SWQ_OUTPUT_STORES && due.word * 64 >= net->links_due)
            look_at_links(net, due.word, set, &b);
        else
            look_at_crossbars(net, bits, due.word, set, &b);
    }
    turn_batch(net, &b);
}
