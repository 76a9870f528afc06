/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The queues of buffers, as words of slot numbers or as lists (net.h): where packets lie, and how
 * they come and go.
 */
#ifndef SWQ_SIM_STAGES_BUFFERS_H
#define SWQ_SIM_STAGES_BUFFERS_H

#include "sim/stages/net.h"

#include "base/inline.h"

/* The slot of packet k (0: the head) of a queue that has it; for lists, in k steps. */
static inline int swq_slot_of(const swq_net *net, size_t at, int queue, int k)
{
    const size_t q = at * (size_t)net->queues + (size_t)queue;

    if (net->short_order)
        return net->packs ? (int)swq_packed_slot(net->short_order[q], (uint32_t)k)
                          : net->short_order[q] >> 4 * k & 15;
    if (net->order)
        return (int)(net->order[q] >> 4 * k & 15);
    const uint16_t *link = net->link + at * (size_t)net->links;
    int slot = link[net->slots + queue];
    while (k-- > 0)
        slot = link[slot];
    return slot;
}

/* The index of a buffer's slot among all slots. */
static inline size_t swq_place_of(const swq_net *net, size_t at, size_t slot)
{
    return at * (size_t)net->places + slot;
}

static inline size_t swq_head_slot(const swq_net *net, size_t at, int queue)
{
    return swq_place_of(net, at, (size_t)swq_slot_of(net, at, queue, 0));
}

/* The arrays of the buffers. A local copy lets the compiler know that writing into one array
 * changes no pointer to another. */
typedef struct swq_buffers {
    uint16_t *length, *room, *short_order, *tail, *link;
    uint64_t *order;
    swq_packet *packet;
    swq_trail *trail;
    uint32_t *since;
    size_t queues, parts, places, links;
    int slots, second; /* the first queue of the second part */
    uint32_t cycle,
        first_stage;    /* buffers of the first stage, to which packets come from sources */
    bool shorts, words; /* the queues are words of 16 bits, or words at all */
    bool words_of_one;  /* ... and each buffer has one part */
    bool marks;         /* there are trails, or cycles since which heads wait */
} swq_buffers;

static inline swq_buffers swq_buffers_of(const swq_net *net)
{
    return (swq_buffers){
        .length = net->length,
        .room = net->room,
        .short_order = net->short_order,
        .tail = net->tail,
        .link = net->link,
        .order = net->order,
        .packet = net->packet,
        .trail = net->trail,
        .since = net->since,
        .queues = (size_t)net->queues,
        .parts = (size_t)net->parts,
        .places = (size_t)net->places,
        .links = (size_t)net->links,
        .slots = net->slots,
        .second = net->parts > 1 ? net->part[1].first_queue : net->queues,
        .cycle = net->cycle,
        .first_stage = net->buffers,
        .shorts = net->short_order != NULL,
        .words = swq_queues_are_words(net),
        .words_of_one = swq_queues_are_words(net) && net->parts == 1,
        .marks = net->trail || net->since,
    };
}

/* The place of the head of a queue, in a buffer that is not packed; for an empty queue in the form
 * of a word, some place in the buffer. */
SWQ_INLINE size_t swq_head_place(const swq_buffers *b, size_t at, int queue)
{
    const size_t q = at * b->queues + (size_t)queue;

    return at * b->places + (b->shorts ? b->short_order[q] & 15
                             : b->words
                                 ? b->order[q] & 15
                                 : b->link[at * b->links + (size_t)b->slots + (size_t)queue]);
}

/* Appends a packet to a queue that has room, in a buffer that is not packed. The compiler may know
 * b->queues, b->places and the form of the queues. */
SWQ_INLINE void swq_append(const swq_buffers *b, size_t at, int queue, swq_packet packet,
                           swq_trail trail)
{
    const size_t q = at * b->queues + (size_t)queue;
    uint16_t *room = b->room + (b->words_of_one ? at : at * b->parts + (queue >= b->second));
    const uint32_t length = b->length[q];
    uint32_t slot;

    if (b->words) {
        const uint32_t free = *room;
        slot = (uint32_t)__builtin_ctz(free);
        *room = (uint16_t)(free & (free - 1));
        if (b->shorts)
            b->short_order[q] |= (uint16_t)(slot << 4 * length);
        else
            b->order[q] |= (uint64_t)slot << 4 * length;
    } else {
        uint16_t *link = b->link + at * b->links;
        const size_t spare = (size_t)b->slots + b->queues + (queue >= b->second);
        slot = link[spare];
        link[spare] = link[slot];
        link[b->tail[q]] = (uint16_t)slot;
        b->tail[q] = (uint16_t)slot;
        --*room;
    }
    b->length[q] = (uint16_t)(length + 1);
    b->packet[at * b->places + slot] = packet;
    if (!b->marks)
        return;
    if (b->trail)
        b->trail[at * b->places + slot] = trail;
    /* the first cycle in which the packet can be sent: this cycle if the packet comes from a
     * source */
    if (b->since && length == 0)
        b->since[q] = b->cycle + (at >= b->first_stage);
}

/* Append a packet to a queue of buffer `at`. */
static inline void swq_push(swq_net *net, size_t at, int queue, swq_packet packet, swq_trail trail)
{
    const swq_buffers b = swq_buffers_of(net);

    swq_append(&b, at, queue, packet, trail);
}

/* As swq_push, for a packed buffer that has got no packet in this cycle yet. */
static inline void swq_push_packed(swq_net *net, size_t at, int queue, swq_packet packet)
{
    uint16_t *word = &net->short_order[at * SWQ_PACKED_QUEUES + (size_t)queue];

    *word = swq_packed_append(*word, net->seen_room[at]);
    net->packet[swq_place_of(net, at, net->seen_room[at] >> 1)] = packet;
}

/* Removes the head of a queue that has one; as swq_append. */
SWQ_INLINE swq_packet swq_remove(const swq_buffers *b, size_t at, int queue, swq_trail *trail)
{
    const size_t q = at * b->queues + (size_t)queue;
    uint16_t *room = b->room + (b->words_of_one ? at : at * b->parts + (queue >= b->second));
    uint32_t slot;

    b->length[q]--;
    if (b->words) {
        if (b->shorts) {
            const uint32_t order = b->short_order[q];
            slot = order & 15;
            b->short_order[q] = (uint16_t)(order >> 4);
        } else {
            const uint64_t order = b->order[q];
            slot = (uint32_t)order & 15;
            b->order[q] = order >> 4;
        }
        *room |= (uint16_t)(1u << slot);
    } else {
        uint16_t *link = b->link + at * b->links;
        const size_t head = (size_t)b->slots + (size_t)queue;
        const size_t spare = (size_t)b->slots + b->queues + (queue >= b->second);
        slot = link[head];
        link[head] = link[slot];
        link[slot] = link[spare];
        link[spare] = (uint16_t)slot;
        if (b->length[q] == 0)
            b->tail[q] = (uint16_t)head;
        ++*room;
    }
    if (b->marks && b->trail)
        *trail = b->trail[at * b->places + slot];
    if (b->marks && b->since)
        b->since[q] = b->cycle + 1;
    return b->packet[at * b->places + slot];
}

/* Removes the last packet of a queue that has one; for lists in as many steps as the queue is long.
 */
static inline swq_packet swq_remove_last(const swq_buffers *b, size_t at, int queue,
                                         swq_trail *trail)
{
    const size_t q = at * b->queues + (size_t)queue;
    uint16_t *room = b->room + at * b->parts + (queue >= b->second);
    const uint32_t last = --b->length[q];
    uint32_t slot;

    if (b->words) {
        if (b->shorts) {
            slot = (uint32_t)(b->short_order[q] >> 4 * last & 15);
            b->short_order[q] = (uint16_t)(b->short_order[q] & ~(15u << 4 * last));
        } else {
            slot = (uint32_t)(b->order[q] >> 4 * last & 15);
            b->order[q] &= ~(UINT64_C(15) << 4 * last);
        }
        *room |= (uint16_t)(1u << slot);
    } else {
        uint16_t *link = b->link + at * b->links;
        const size_t spare = (size_t)b->slots + b->queues + (queue >= b->second);
        size_t before = (size_t)b->slots + (size_t)queue;
        for (uint32_t k = 0; k < last; k++)
            before = link[before];
        slot = b->tail[q];
        b->tail[q] = (uint16_t)before;
        link[slot] = link[spare];
        link[spare] = (uint16_t)slot;
        ++*room;
    }
    if (b->marks && b->trail)
        *trail = b->trail[at * b->places + slot];
    return b->packet[at * b->places + slot];
}

static inline swq_packet swq_pop(swq_net *net, size_t at, int queue, swq_trail *trail)
{
    const swq_buffers b = swq_buffers_of(net);

    return swq_remove(&b, at, queue, trail);
}

#endif
