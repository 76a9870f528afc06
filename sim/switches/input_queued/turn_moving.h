/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A packet enters a queue, becomes its head, and goes on. Part of the text of a kernel (turn.h).
 */
#include "sim/switches/input_queued/turn_asking.h"

/* For functions that run at each hop: inlining them into the arbiter's loop saves one in twenty
 * instructions. */
#if SWQ_GENERAL
#define SWQ_EACH_HOP inline
#else
#define SWQ_EACH_HOP inline __attribute__((always_inline))
#endif

/* The first cycle in which a packet can go on without a link's waiting for the packet's bytes,
 * which may come by a slower link than the packet leaves by. A crossbar waits: pass. */
static inline uint32_t keeps_up_from(const swq_async_net *net, uint32_t out, const swq_parcel *p)
{
    const swq_timing *t = channel_of(net, out);
    const uint32_t tail = net->tail[p - net->parcel], cycles = swq_timing_cycles(t, p->bytes);
    const uint32_t least = tail + 1 - cycles;

    return is_link(net, t) && (int32_t)(least - p->ready) > 0 ? least : p->ready;
}

/* Finds where the head of a queue, packet p, goes. */
static inline void weigh_head(swq_async_net *net, uint32_t base, uint32_t port, swq_queue *queue,
                              const swq_parcel *p)
{
    if (SWQ_GENERAL && net->fork) {
        weigh_fork(net, port, queue);
        return;
    }
    const swq_fabric *f = net->fabric;
    const uint32_t out = behind(net, port) ? 0
                         : f->digit
                             ? p->packet_class
                             : f->output[(size_t)port * (size_t)f->classes + p->packet_class];
    const swq_port *o = &net->port[base + out];
    const uint32_t link = o->link;

    queue->ready = SWQ_UNLIKE ? keeps_up_from(net, base + out, p) : p->ready;
    queue->output = (uint8_t)out;
    if (link & SWQ_TO_NODE) {
        queue->next_port = SWQ_SINK;
        return;
    }
    queue->next_port = link;
    if (behind(net, link))
        queue->next_class = 0;
    else if (f->digit) /* the same, without a look at the store, which is of the next level */
        queue->next_class = (uint8_t)(p->to >> f->shift[o->out_level + 1] & f->digit);
    else
        queue->next_class = (uint8_t)f->shape.kind->route(f, link, p->from, p->to);
}

/* Packet p, which is in queue->head, has become the head of a queue. */
static inline void new_head(swq_async_net *net, uint32_t base, uint32_t port, swq_queue *queue,
                            const swq_parcel *p)
{
    weigh_head(net, base, port, queue, p);
    if (SWQ_GENERAL)
        managed_head(net, port, queue, p);
}

/* The first cycle in which the new head of a queue, read from `free` on, can be sent, as far as is
 * known. If another packet takes the head's input or output first, the head is looked at after that
 * packet. */
static inline uint32_t earliest(const swq_async_net *net, uint32_t base, const swq_queue *queue,
                                uint32_t free)
{
    const uint32_t out_free = net->port[base + queue->output].out_free;
    const uint32_t read = queue->ready > free ? queue->ready : free;

    if (SWQ_GENERAL && net->fork) /* the outputs wake it when they become free */
        return read;
    if (SWQ_GENERAL && net->clocks)
        return swq_clock_wake(net, read > out_free ? read : out_free);
    return read > out_free ? read : out_free;
}

#if SWQ_GENERAL
#include "sim/switches/input_queued/turn_wants.h"
#endif
#include "sim/switches/input_queued/turn_waits.h"

#include "sim/switches/input_queued/turn_fetch.h"
#include "sim/switches/input_queued/turn_pieces.h"

/* A packet, so far described by `was`, begins its way into a store. */
static SWQ_EACH_HOP void enter(swq_async_net *net, uint32_t port, const swq_parcel *was,
                               uint32_t ready, uint8_t packet_class, uint8_t entered, uint32_t tail)
{
    swq_port *e = &net->port[port];
    const int q = joined(net, port, was, packet_class);
    swq_queue *queue = &queues_at(net, port)[q];
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
    if (SWQ_GENERAL && net->messages.each)
        net->messages.tag[p - net->parcel] = net->passing;
    if (SWQ_GENERAL && net->pieces.piece)
        net->pieces.piece[p - net->parcel] = net->pieces.entering;
    e->blocks = (uint16_t)(e->blocks + was->blocks);
    queue->blocks = (uint16_t)(queue->blocks + was->blocks);
    e->entered = net->cycle;
    e->entered_blocks = was->blocks;
    e->entered_queue = (uint8_t)q;
    if (SWQ_GENERAL)
        managed_entered(net, port, q);
    if (SWQ_GENERAL && net->scheme) {
        swq_scheme_entered(net, port, p->to);
        swq_scheme_joined(net, port, q, p);
    }
    if (begins_packet(net, p)) {
        swq_probe_enter(&net->system, SWQ_GENERAL, (size_t)(p - net->parcel), port, e->in_level,
                        !behind(net, port), net->cycle);
    }
    if (holds_packets(net, e, port, q)) {
        store[queue->tail].next = slot;
        queue->tail = slot;
        return;
    }
    fill(net, e, port, q);
    queue->head = queue->tail = slot;
    const uint32_t base = base_at(net, port);
    new_head(net, base, port, queue, p);
#if SWQ_GENERAL
    want(net, base, port, queue->output);
#endif
    if (SWQ_GENERAL && net->pieces.piece)
        wake_for_piece(net, port, queue, q);
    else
        swq_wake_input(net, earliest(net, base, queue, reader_of(net, e, port, q)->free), port);
}

static void port_enter(swq_async_net *net, uint32_t port, const swq_parcel *parcel, uint32_t tail)
{
    enter(net, port, parcel, parcel->ready, parcel->packet_class, parcel->entered, tail);
}

#include "sim/switches/input_queued/turn_shares.h"

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
    const uint32_t cycles =
        SWQ_UNLIKE ? swq_timing_cycles(t, p->bytes) : (p->bytes * t->per + t->bytes - 1) / t->bytes;
    const uint32_t tail = net->tail[p - net->parcel], end = net->cycle + cycles;

    return (passage){end > tail ? end : tail + 1, cycles};
}

/* Cycles for which a channel rests after a packet. */
static inline uint32_t rest_after(const swq_timing *t, const swq_parcel *p)
{
    return SWQ_UNLIKE ? swq_timing_rest(t, p->bytes) : t->rest;
}

/* Cycles after which all memory of a departing packet is free. */
static inline uint16_t held_for(const swq_async_net *net, const swq_timing *t, uint32_t cycles)
{
    const bool hop = SWQ_UNLIKE && net->spec->memory.release == SWQ_RELEASE_HOP && is_link(net, t);
    const uint32_t most = hop ? swq_timing_header(t) : net->most_held;

    return (uint16_t)(cycles < most ? cycles : most);
}

/* A packet goes on into the next store, where it is ready when its header is there or, without
 * cut-through, its tail. */
static inline void go_on(swq_async_net *net, const swq_timing *t, const swq_parcel *p,
                         uint32_t next_port, uint8_t next_class, uint32_t end)
{
    const uint32_t tail = end - 1 + t->delay;
    const bool whole = SWQ_OUTPUT_STORES && !net->cut_through;
    const int more = !behind(net, next_port) && p->entered < UINT8_MAX;
    const uint32_t header = SWQ_UNLIKE ? swq_timing_header(t) : t->delay;
    const uint32_t ready = whole ? tail : net->cycle + header;
    const uint8_t entered = (uint8_t)(p->entered + more);

    port_at(net, next_port)->link_free = end + rest_after(t, p);
    if (SWQ_GENERAL && net->sent)
        net->moving = net->sent[p - net->parcel];
    if (SWQ_GENERAL && net->scheme)
        swq_scheme_goes_on(net, p);
    if (SWQ_GENERAL && net->messages.each)
        net->passing = net->messages.tag[p - net->parcel];
    if (SWQ_GENERAL && net->pieces.piece)
        net->pieces.entering = net->pieces.piece[p - net->parcel];
    if (abroad(net, next_port))
        send_abroad(net, next_port, p, ready, next_class, entered, tail);
    else
        enter(net, next_port, p, ready, next_class, entered, tail);
}

/* The head of queue q of an input has left by output `out`. Has the input and the output looked at
 * when they are free again, if there is a packet to send. `u`: the switch's lasting state, for a
 * built-in arbiter in a lean kernel; or NULL. */
static inline void look_when_free(swq_async_net *net, swq_unit *u, uint32_t base, uint32_t port,
                                  int q, uint32_t out)
{
    swq_port *e = &net->port[port];
    const uint32_t read_free = reader_of(net, e, port, q)->free;

    if (SWQ_GENERAL && net->pieces.piece && read_free == SWQ_NEVER) /* pieces are still to come */
        return;
    if (SWQ_GENERAL ? any_port(*wanted_at(net, out)) || net->fork : behind(net, port) && e->full)
        swq_wake_output(net, net->port[out].out_free, out);
    if (reads_each_queue(net, port) ? !holds_packets(net, e, port, q) : e->full == 0)
        return;
    /* if all packets left at the input are for the same output again, which is not free before
     * the input is, the input waits for that output from now on */
    if (u && !reads_each_queue(net, port) && e->full == 1u << q &&
        base + queues_at(net, port)[q].output == out)
        wait_for(net, u, base, port - base, 1u << (out - base));
    else
        swq_wake_input(net, read_free, port);
}

/* The head of queue q of an input, which goes by output `out`, leaves its place to `next`. The
 * output and the reader of the queue have been taken. */
static SWQ_EACH_HOP void next_in_line(swq_async_net *net, swq_unit *u, uint32_t base, uint32_t port,
                                      int q, swq_queue *queue, uint32_t out, uint16_t next)
{
    swq_port *e = &net->port[port];
    const uint32_t read_free = reader_of(net, e, port, q)->free;

    if (next == SWQ_NO_SLOT) {
        drain(net, e, port, q);
    } else {
        queue->head = next;
        new_head(net, base, port, queue, &parcels_of(net, port)[next]);
        const uint32_t when = earliest(net, base, queue, read_free);
        if (SWQ_GENERAL && net->pieces.piece)
            wake_for_piece(net, port, queue, q);
        else if (SWQ_GENERAL ? when > read_free : queue->ready > read_free)
            swq_wake_input(net, when, port);
    }
#if SWQ_GENERAL
    want_next(net, base, port, queue, (int)(out - base), next);
#endif
    look_when_free(net, u, base, port, q, out);
}

#if SWQ_GENERAL
#include "sim/switches/input_queued/flights.h"
#endif

/* Begins to send the head of queue q of an input of the unit whose first element is `base`. `u` is
 * as for look_when_free. */
static SWQ_EACH_HOP void start_from(swq_async_net *net, swq_unit *u, uint32_t base, int input,
                                    int q, swq_queue *queue)
{
    const uint32_t port = base + (uint32_t)input;
    swq_port *e = &net->port[port];
    swq_parcel *p = &parcels_of(net, port)[queue->head];
    const swq_admission *a = admission_of(net, port);
    const uint32_t out = base + queue->output, next_port = queue->next_port;
    const uint8_t next_class = queue->next_class, level = net->port[out].out_level;
    const swq_timing *t = channel_of(net, out);
    const passage way = pass(net, t, p);
    const swq_leaving leaving = {way.end - way.cycles, held_for(net, t, way.cycles), p->blocks};
    const bool first = begins_packet(net, p), last = ends_packet(net, p);
    const uint32_t read_free = last ? way.end : SWQ_NEVER;
    const uint32_t out_free = last ? read_free + rest_after(t, p) : SWQ_NEVER;
    uint16_t slot = queue->head;

#if SWQ_GENERAL
    if (swq_ack_rule(net, port)) {
        launch(net, unit_at(net, base), input, q);
        return;
    }
#endif
    if (net->watch && net->watch->started && first)
        show_start(net, unit_at(net, base), input, queue->output, p);
    if (SWQ_GENERAL && net->pieces.piece)
        piece_goes(net, unit_at(net, base), input, q, p, way.end);
    /* If the departing packet keeps the port closed, wake the feeder when enough blocks are free;
     * not before the link has paused, when the feeder looks anyway. With several read ports the
     * packet may be gone before packets that began to leave earlier. */
    uint32_t left = reads_each_queue(net, port) ? left_in_port(net, e, port) : 0;
    const bool tight = is_tight(a, e, queue, left);
    const swq_flow_hooks *flow = flow_at(net, port);
    if (flow && flow->settle)
        flow->settle(net, port, q);
    e->blocks = (uint16_t)(e->blocks - p->blocks);
    queue->blocks = (uint16_t)(queue->blocks - p->blocks);
    *reader_of(net, e, port, q) = (swq_reader){read_free, leaving, (uint32_t)q};
    if (SWQ_UNLIKE && net->spec->memory.release == SWQ_RELEASE_BLOCKS)
        *swq_left_bytes(net, port, q) = is_link(net, t) ? p->bytes : 0;
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
    if (!SWQ_GENERAL || first) {
        swq_probe_start(&net->system, SWQ_GENERAL, (size_t)(p - net->parcel), port, e->in_level,
                        net->cycle);
        if (SWQ_GENERAL && net->system.link_tally && (!net->output_stores || behind(net, out)))
            swq_probe_link(&net->system, link_of(net, out), packet_bytes(net, p));
    }
    swq_probe_sent(&net->system, level, p->bytes);
    if (next_port == SWQ_SINK) {
        if (!SWQ_GENERAL || first)
            deliver_in(net, p, SWQ_UNLIKE ? way.cycles + t->delay - net->hop_delay : p->bytes);
    } else {
        go_on(net, t, p, next_port, next_class, way.end);
    }

    /* ... and leaves its place at the head of the queue to the packet behind it. */
    const uint16_t next = p->next;
    p->next = e->free_slot;
    e->free_slot = slot;
    next_in_line(net, u, base, port, q, queue, out, next);
}

/* Begins a transmission in all other turns, as a function that is called, not inlined. */
static void start(swq_async_net *net, uint32_t sw, int input, int q)
{
    const uint32_t base = base_of(net, sw);

    start_from(net, NULL, base, input, q, &queues_at(net, base + (uint32_t)input)[q]);
}
