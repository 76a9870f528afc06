/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packets of high priority (Frazier 1995, chapter 5): how a buffer is divided among the classes,
 * and which packets are sent if heads of high priority go first. Chains and simulator use the same
 * rule.
 */
#ifndef SWQ_MODELS_PRIORITY_H
#define SWQ_MODELS_PRIORITY_H

#include "models/buffers/buffers.h"
#include "switchq/dice.h"
#include "switchq/switch.h"

/* A part of a buffer with an admission rule of its own: the whole buffer, or the part that is
 * dedicated to high priority. */
typedef struct swq_buffer_part {
    swq_buffer rule;
    int first_queue, queues, first_slot;
} swq_buffer_part;

/* The queues of a buffer: the normal ones, which may hold both classes, then those of high
 * priority. */
typedef struct swq_class_queues {
    int parts, queues, slots; /* numbers of parts, queues and slots of the whole buffer */
    swq_buffer_part part[2];
    int base[SWQ_CLASSES];  /* a class's first queue */
    bool fans[SWQ_CLASSES]; /* whether a class has a queue for each output */
} swq_class_queues;

void swq_class_queues_init(const swq_buffer *buffer, int ports, const swq_priority *priority,
                           swq_class_queues *queues);

/* Is there room for a packet in queue `join` of a buffer of these lengths, [queues->queues]? */
static inline bool swq_class_room(const swq_class_queues *q, const uint16_t *length, int join)
{
    const swq_buffer_part *part = &q->part[q->parts > 1 && join >= q->part[1].first_queue];
    return swq_buffer_room(&part->rule, part->queues, length + part->first_queue,
                           join - part->first_queue, 1);
}

/* The answer of the rule of admission for a packet that joins queue `join`; kept[queues]: what the
 * rule keeps, or NULL. */
static inline swq_fate swq_class_fate(const swq_class_queues *q, const uint16_t *length,
                                      uint16_t *kept, int join, swq_dice *dice)
{
    const swq_buffer_part *part = &q->part[q->parts > 1 && join >= q->part[1].first_queue];
    const swq_fate fate =
        swq_buffer_fate(&part->rule, part->queues, length + part->first_queue,
                        kept ? kept + part->first_queue : NULL, join - part->first_queue, dice);
    return fate < 0 ? fate : fate + part->first_queue;
}

/* Is there room for this number of packets, whichever queues they join? */
bool swq_class_room_for_all(const swq_class_queues *queues, const uint16_t *length, int packets);

/* Can a buffer have this support for high priority? The buffer has been checked. Errors: SWQ_EINVAL
 * naming the parameter, its value and what is allowed. */
swq_status swq_priority_check(swq_context *ctx, const swq_buffer *buffer, int ports,
                              const swq_priority *priority);

/* Refuse support for packets of high priority on behalf of `what`, which does not have it. Errors:
 * SWQ_EINVAL naming `what`. */
swq_status swq_priority_refuse(swq_context *ctx, const swq_priority *priority, const char *what);

/* Match heads of high priority first, and normal ones on the rest of the crossbar. grant[j]: the
 * input that sends to output j, or SWQ_NO_INPUT; class[j]: the head that it sends. Changes the
 * requests in `low`. */
void swq_grant_classes(const swq_arbiter *arbiter, swq_requests *low, const swq_requests *high,
                       swq_dice *dice, int *grant, int *class);

/* Remove from `low` the requests of inputs and outputs that are already granted. */
void swq_requests_left(const int *granted, swq_requests *low);

#endif
