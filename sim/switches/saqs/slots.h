/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A memory of slots, each for a packet whole, and the queues in it as linked lists. Free slots are
 * a list, too, last in first out, so that a memory with few packets keeps to few slots. A packet's
 * record lies elsewhere, under the packet's number; a slot has only the fields that are looked at
 * while the packet waits.
 */
#ifndef SWQ_SIM_SWITCHES_SAQS_SLOTS_H
#define SWQ_SIM_SWITCHES_SAQS_SLOTS_H

#include <stdint.h>

enum { SWQ_NO_SLOT_NEXT = UINT16_MAX, SWQ_MOST_SLOTS = UINT16_MAX - 1 };

typedef struct swq_slot {
    uint64_t route;  /* remaining turns of the packet, with the turn of this switch in the lowest
                      bits */
    uint32_t packet; /* its number */
    uint16_t bytes;
    uint16_t next; /* the next slot of its queue, or of the list of free slots */
} swq_slot;

typedef struct swq_slot_queue {
    uint16_t head, tail, packets;
} swq_slot_queue;

/* A list of free slots; slots taken, now and at most so far. */
typedef struct swq_slot_list {
    uint16_t free, taken, most;
} swq_slot_list;

static inline void swq_slots_empty(swq_slot *slot, int slots, swq_slot_list *list)
{
    for (int k = 0; k < slots; k++)
        slot[k].next = k + 1 < slots ? (uint16_t)(k + 1) : SWQ_NO_SLOT_NEXT;
    *list = (swq_slot_list){.free = slots ? 0 : SWQ_NO_SLOT_NEXT};
}

/* Takes a free slot; there must be one. */
static inline uint16_t swq_slot_take(swq_slot *slot, swq_slot_list *list)
{
    const uint16_t k = list->free;

    list->free = slot[k].next;
    list->taken++;
    if (list->taken > list->most)
        list->most = list->taken;
    return k;
}

static inline void swq_slot_give(swq_slot *slot, swq_slot_list *list, uint16_t k)
{
    slot[k].next = list->free;
    list->free = k;
    list->taken--;
}

static inline void swq_slot_append(swq_slot *slot, swq_slot_queue *queue, uint16_t k)
{
    if (queue->packets++)
        slot[queue->tail].next = k;
    else
        queue->head = k;
    queue->tail = k;
}

/* Removes the head of a queue that is not empty. */
static inline uint16_t swq_slot_leaves(const swq_slot *slot, swq_slot_queue *queue)
{
    const uint16_t k = queue->head;

    queue->head = slot[k].next;
    queue->packets--;
    return k;
}

#endif
