/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The shape of a network that is known when the fast engine's functions are compiled, and the
 * questions that all of these functions ask: where a head goes, whether there is room.
 */
#ifndef SWQ_SIM_STAGES_FAST_SHAPE_H
#define SWQ_SIM_STAGES_FAST_SHAPE_H

#include "sim/stages/fast/fast.h"

#include "base/inline.h"

#include <string.h>

#ifdef __AVX2__
#include <immintrin.h>
#endif

/* called once a block, or rarely: one copy for all shapes */
#define SHARED static __attribute__((noinline, unused))

enum { PACKED = 1 };

/* The properties of a network that the compiler knows. */
typedef struct {
    int ports, queues; /* queues of a buffer: ports, or 1 */
    int bits;          /* swq_output_bits */
    bool known;        /* the compiler knows the number of ports */
    int word;          /* bits of a queue's word of slot numbers, see net.h; 0: queues are lists;
                          PACKED: see packed.h */
    bool pieces;       /* each queue has its own slots, so that room depends on the queue */
    bool each;         /* one read port for each queue */
    bool asks;         /* whether the next stage can refuse packets, and has to be asked for room
                          first */
} shape;

/* The network's arrays, copied to a local variable, so that the compiler knows that writing into
 * one array changes no pointer to another. */
typedef struct {
    uint16_t *length, *room, *tail, *link, *short_order;
    uint64_t *order;
    swq_packet *packet;
    const uint16_t *seen_length, *seen_room;
    size_t slots, places, links;
    uint32_t queue_max;
} view;

SWQ_INLINE view view_of(const swq_net *net)
{
    return (view){
        .length = net->length,
        .room = net->room,
        .tail = net->tail,
        .link = net->link,
        .short_order = net->short_order,
        .order = net->order,
        .packet = net->packet,
        .seen_length = net->seen_length ? net->seen_length : net->length,
        .seen_room = net->seen_room ? net->seen_room : net->room,
        .slots = (size_t)net->slots,
        .places = (size_t)net->places,
        .links = (size_t)net->links,
        .queue_max = (uint32_t)net->part[0].rule.queue_max,
    };
}

SWQ_INLINE size_t places_of(view v, shape s)
{
    return s.word == 16 || s.word == PACKED ? SWQ_SHORT_SLOTS : v.places;
}

/* The arrays from a buffer on, so that the buffers of a stage count from 0. */
SWQ_INLINE view view_from(view v, shape s, size_t buffer)
{
    const size_t queue = buffer * (size_t)s.queues;

    v.seen_room += buffer;
    v.packet += buffer * places_of(v, s);
    if (s.word == PACKED) {
        v.short_order += queue;
        return v;
    }
    v.length += queue;
    v.seen_length += queue;
    v.room += buffer;
    if (s.word == 16) {
        v.short_order += queue;
    } else if (s.word) {
        v.order += queue;
    } else {
        v.tail += queue;
        v.link += buffer * v.links;
    }
    return v;
}

SWQ_INLINE swq_leaving leave(shape s, uint32_t buffer, uint32_t output)
{
    return buffer << s.bits | output;
}

SWQ_INLINE uint32_t buffer_of(shape s, swq_leaving l)
{
    return l >> s.bits;
}

SWQ_INLINE uint32_t taken_by(shape s, swq_leaving l)
{
    return l & ((1u << s.bits) - 1);
}

SWQ_INLINE uint32_t queue_of(shape s, swq_leaving l)
{
    return s.queues > 1 ? taken_by(s, l) : 0;
}

/* The line of its stage by which a packet leaves. */
SWQ_INLINE uint32_t left_by(shape s, swq_leaving l)
{
    const uint32_t buffer = buffer_of(s, l);

#ifdef __BMI2__
    if (s.ports == 4 && s.bits == 2) /* without the number of the input */
        return _pext_u32(l, 0xfffffff3);
#endif
    return buffer - buffer % (uint32_t)s.ports + taken_by(s, l);
}

/* The line of the next stage, or the sink, to which a packet goes. */
SWQ_INLINE uint32_t line_of(shape s, const swq_stage_wiring *at, swq_leaving l)
{
    return at->wire[left_by(s, l)];
}

SWQ_INLINE uint32_t output_of(shape s, const swq_stage_wiring *at, int ahead, uint32_t to)
{
    if (!(s.ports & (s.ports - 1)))
        return to >> at->shift[ahead] & ((uint32_t)s.ports - 1);
    return to / at->divisor[ahead] % (uint32_t)s.ports;
}

/* The index of a buffer's slot among all slots. */
SWQ_INLINE size_t place_in(view v, shape s, size_t buffer, size_t slot)
{
    return buffer * places_of(v, s) + slot;
}

/* The slot of the head of queue q, counted over all stages, where queues are words. */
SWQ_INLINE size_t first_slot(view v, shape s, size_t q)
{
    return s.word == 16 ? v.short_order[q] & 15 : v.order[q] & 15;
}

/* The output of a queue's head in this stage, or in the next one (ahead = 1); arbitrary for an
 * empty queue. */
SWQ_INLINE uint32_t head_output(view v, shape s, const swq_stage_wiring *at, int ahead,
                                size_t buffer, uint32_t queue)
{
    size_t slot = s.word ? first_slot(v, s, buffer * (size_t)s.queues + queue)
                         : v.link[buffer * v.links + v.slots + queue];

    if (!s.word) /* an empty list's head is not a slot */
        slot = slot < v.slots ? slot : 0;
    return output_of(s, at, ahead, v.packet[place_in(v, s, buffer, slot)].to);
}

/* Does a buffer, in the view of the stage before, have room in a queue? */
SWQ_INLINE uint32_t has_room(view v, shape s, size_t buffer, uint32_t queue)
{
    if (s.pieces)
        return v.seen_length[buffer * (size_t)s.queues + queue] < v.queue_max;
    return v.seen_room[buffer] != 0;
}

/* Is the way open for the head of a queue of `buffer` that leaves by `line`? */
SWQ_INLINE uint32_t way_is_open(view v, shape s, const swq_stage_wiring *at, uint32_t line,
                                size_t buffer, uint32_t queue)
{
    if (!s.asks)
        return 1;
    return has_room(v, s, at->next + line, s.pieces ? head_output(v, s, at, 1, buffer, queue) : 0);
}

/* The queues of a packed buffer. */
SWQ_INLINE uint64_t word_of(view v, size_t buffer)
{
    return swq_packed_buffer(v.short_order + buffer * SWQ_PACKED_QUEUES);
}

/* The lengths of four queues, a lane of 16 bits each. */
SWQ_INLINE uint64_t lanes_of(view v, shape s, size_t buffer)
{
    uint64_t lanes;

    if (s.word != PACKED) {
        memcpy(&lanes, v.length + buffer * 4, sizeof lanes);
        return lanes;
    }
    return swq_packed_counts(word_of(v, buffer));
}

/* The lengths of the queues of a buffer; `copy` has room for the lengths of a packed buffer. */
SWQ_INLINE const uint16_t *lengths_of(view v, shape s, size_t buffer, uint16_t *copy)
{
    if (s.word != PACKED)
        return v.length + buffer * (size_t)s.queues;
    const uint64_t lanes = lanes_of(v, s, buffer);
    for (int q = 0; q < SWQ_PACKED_QUEUES; q++)
        copy[q] = (uint16_t)(lanes >> 16 * q);
    return copy;
}

/* The lowest bits of the four lanes of a word. */
SWQ_INLINE uint32_t lowest_of_lanes(uint64_t word)
{
    return (uint32_t)((word & UINT64_C(0x0001000100010001)) * UINT64_C(0x0001000200040008) >> 48) &
           15;
}

/* Can words of four lanes be used? Room must depend on the buffer alone, and lane 0 be the
 * lowest. */
SWQ_INLINE bool lane_wise(shape s)
{
    return s.ports == 4 && s.queues == 4 && !s.pieces && !s.each &&
           __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
}

/* The result of arbitrating a switch. */
typedef struct {
    int grants;
    uint32_t busy, sent;  /* inputs that hold packets, and that send */
    uint32_t first_stays; /* 1: the input that comes first holds packets and sends none */
} outcome;

#endif
