/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The presets, and the one admission rule that they all share.
 * Room: models.
 */
#ifndef SWQ_MODELS_BUFFERS_H
#define SWQ_MODELS_BUFFERS_H

#include "switchq/buffer.h"
#include "switchq/dice.h"

#include <stdint.h>

extern const swq_buffer_kind swq_buffer_fifo, swq_buffer_samq, swq_buffer_safc, swq_buffer_damq,
    swq_buffer_dafc, swq_buffer_cbda;

/* The one admission rule. Is there room for `size` slots more in queue `join` of a buffer whose
 * queues hold length[0 .. queues-1] slots? The reserved slots of a queue are its own; what lies
 * above them comes out of the shared part, and under a dynamic threshold only while the queue's
 * share of that is below alpha times what is free of it. */
static inline bool swq_buffer_room(const swq_buffer *b, int queues, const uint16_t *length,
                                   int join, int size)
{
    /* whether a queue is empty is as good as random, so that it is told without a branch */
    const int own = length[join] - b->queue_min;
    const int above = own > 0 ? own : 0;            /* of the shared part */
    const int needed = own - above + size;          /* likewise, if positive */
    int left = b->capacity - queues * b->queue_min; /* of the shared part */

    if (length[join] + size > b->queue_max)
        return false;
    if (needed <= 0)
        return true;
    for (int q = 0; q < queues; q++) {
        const int over = length[q] - b->queue_min;
        left -= over > 0 ? over : 0;
    }
    if (left < needed)
        return false;
    return b->alpha == 0 || above < b->alpha * left;
}

/* May a packet, which takes one slot, join queue `join`? */
bool swq_buffer_admits(const swq_buffer *buffer, int queues, const uint16_t *length, int join);

/* As many random ones of the input ports as there are free slots, as bits. */
uint32_t swq_pool_ports(int free_slots, int ports, swq_dice *dice);

/* Which of the input ports of a pool that holds length[0 .. queues-1] packets are open: all, or,
 * under the rule PORTS, no more than there are free slots. */
static inline uint32_t swq_pool_open(const swq_buffer *pool, int queues, const uint16_t *length,
                                     int ports, swq_dice *dice)
{
    const uint32_t all = ports == 32 ? UINT32_MAX : (1u << ports) - 1;
    int room = pool->capacity;

    if (pool->pool_rule != SWQ_POOL_PORTS)
        return all;
    for (int q = 0; q < queues; q++)
        room -= length[q];
    return room >= ports ? all : swq_pool_ports(room, ports, dice);
}

/* Make a buffer of `capacity` slots with `queues` queues what the row says; a packet takes at most
 * `packet` slots, the unit of what the row reserves and allows. Not checked. */
void swq_buffer_fill(const swq_buffer_kind *kind, int queues, int capacity, int packet,
                     swq_buffer *buffer);

/* As swq_buffer_check, for a buffer of 1 to `most` slots which errors call `slots`. */
swq_status swq_buffer_check_units(swq_context *ctx, const swq_buffer *buffer, int queues, int most,
                                  const char *slots);

#endif
