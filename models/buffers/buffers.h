/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The presets, and the one admission rule that they all share.
 */
#ifndef SWQ_MODELS_BUFFERS_H
#define SWQ_MODELS_BUFFERS_H

#include "switchq/buffer.h"
#include "switchq/dice.h"

#include <math.h>
#include <stdint.h>

extern const swq_buffer_kind swq_buffer_fifo, swq_buffer_samq, swq_buffer_safc, swq_buffer_damq,
    swq_buffer_dafc, swq_buffer_cbda;

/* Is `name` a word of the field that swq_buffer_kind_find takes for rows with other names, such as
 * "voq"? */
bool swq_buffer_is_word(const char *name);

/* The one admission rule. Is there room for `size` slots more in queue `join` of a buffer whose
 * queues hold length[0 .. queues-1] slots? A queue has its reserved slots to itself; further slots
 * come from the shared part, and under a dynamic threshold only while the queue's use of the shared
 * part is below alpha times the free slots of the shared part. */
static inline bool swq_buffer_room(const swq_buffer *b, int queues, const uint16_t *length,
                                   int join, int size)
{
    /* without a branch, since whether a queue is empty cannot be predicted */
    const int own = length[join] - b->queue_min;
    const int above = own > 0 ? own : 0; /* slots of the shared part that the queue uses */
    /* slots of the shared part that are needed, if positive */
    const int needed = own - above + size;
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

/* The queues of a buffer, 64 at most, in which swq_buffer_room finds room for one slot more: a bit
 * each. */
static inline uint64_t swq_buffer_rooms(const swq_buffer *b, int queues, const uint16_t *length)
{
    /* else a queue may take only the slots reserved for it */
    const bool shares = b->queue_min < b->queue_max;
    int left = b->capacity - queues * b->queue_min; /* of the shared part */
    uint64_t rooms = 0;

    if (!shares) {
        for (int q = 0; q < queues; q++)
            rooms |= (uint64_t)(length[q] < b->queue_max) << q;
        return rooms;
    }
    for (int q = 0; q < queues; q++) {
        const int over = length[q] - b->queue_min;
        left -= over > 0 ? over : 0;
    }
    /* a queue may take one of the slots left if it uses less than `most` slots of the shared
     * part */
    const double limit = b->alpha == 0 ? INFINITY : b->alpha * left;
    const int below = limit <= b->capacity ? (int)limit : b->capacity;
    const int most = left < 1 ? 0 : below + (below < limit);
    for (int q = 0; q < queues; q++)
        rooms |= (uint64_t)((length[q] < b->queue_max) & (length[q] - b->queue_min < most)) << q;
    return rooms;
}

/* May a packet, which takes one slot, join queue `join` without a stored packet being lost? */
static inline bool swq_buffer_admits(const swq_buffer *b, int queues, const uint16_t *length,
                                     int join)
{
    return swq_buffer_room(b, queues, length, join, 1);
}

/* The answer of the buffer's rule of admission for a packet for queue `join`; kept[queues]: what
 * the rule keeps, or NULL. */
static inline swq_fate swq_buffer_fate(const swq_buffer *b, int queues, const uint16_t *length,
                                       uint16_t *kept, int join, swq_dice *dice)
{
    if (b->admission && b->admission->fate)
        return b->admission->fate(b, queues, length, kept, join, dice);
    return swq_buffer_room(b, queues, length, join, 1) ? SWQ_TAKE : SWQ_REFUSE;
}

/* Give a pool the nearest rule that chains have. */
static inline void swq_pool_rule_in_chains(swq_buffer *b)
{
    const swq_pool_rule *rule = swq_buffer_pool_rule(b);

    b->pool_rule = rule->in_chains ? rule->in_chains : rule;
}

/* Make a buffer of `capacity` slots with `queues` queues by the row's choices. A packet takes at
 * most `packet` slots, which is the unit of the row's reserved and maximum slots. Nothing is
 * checked. */
void swq_buffer_fill(const swq_buffer_kind *kind, int queues, int capacity, int packet,
                     swq_buffer *buffer);

/* As swq_buffer_check, for a buffer of 1 to `most` slots, which messages call `slots`. */
swq_status swq_buffer_check_units(swq_context *ctx, const swq_buffer *buffer, int queues, int most,
                                  const char *slots);

#endif
