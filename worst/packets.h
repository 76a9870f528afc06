/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a queue holds, as a word. If all packets are worth the same, the word is the length of the
 * queue. With two classes it is the number of a sequence: a bit for each packet, 1 for those of
 * the higher class, the first packet in the highest bit, behind a leading 1; less 1, so that an
 * empty queue is 0. A longer queue has a larger word.
 */
#ifndef SWQ_WORST_PACKETS_H
#define SWQ_WORST_PACKETS_H

#include "models/intern.h"
#include "switchq/worst.h"

static inline bool swq_worst_valued(const swq_worst_spec *spec)
{
    return spec->value[0] > 0;
}

static inline int swq_worst_classes(const swq_worst_spec *spec)
{
    return swq_worst_valued(spec) ? 2 : 1;
}

/* What a packet of a class is worth, in whole numbers. */
static inline int swq_worst_worth(const swq_worst_spec *spec, int class)
{
    return swq_worst_valued(spec) ? spec->value[class] : 1;
}

static inline int swq_queue_length(bool valued, swq_word queue)
{
    int length = 0;

    if (!valued)
        return queue;
    for (unsigned bits = queue + 1u; bits > 1; bits >>= 1)
        length++;
    return length;
}

/* The class of packet k, the first one being 0. */
static inline int swq_queue_class(bool valued, swq_word queue, int k)
{
    return valued ? (queue + 1) >> (swq_queue_length(true, queue) - 1 - k) & 1 : 0;
}

/* The packets of the higher class among the first `count`. */
static inline int swq_queue_high(bool valued, swq_word queue, int count)
{
    int high = 0;

    for (int k = 0; valued && k < count; k++)
        high += swq_queue_class(true, queue, k);
    return high;
}

static inline swq_word swq_queue_append(bool valued, swq_word queue, int class)
{
    return (swq_word)(valued ? (queue + 1) * 2 + class - 1 : queue + 1);
}

/* The queue without packet k, which it has. */
static inline swq_word swq_queue_without(bool valued, swq_word queue, int k)
{
    const unsigned bits = queue + 1u;
    const int behind = swq_queue_length(valued, queue) - 1 - k;

    if (!valued)
        return (swq_word)(queue - 1);
    return (swq_word)((bits >> (behind + 1) << behind | (bits & ((1u << behind) - 1))) - 1);
}

/* What all packets of a queue are worth together. */
static inline int swq_queue_worth(const swq_worst_spec *spec, swq_word queue)
{
    const bool valued = swq_worst_valued(spec);
    const int length = swq_queue_length(valued, queue);
    const int high = swq_queue_high(valued, queue, length);

    return (length - high) * swq_worst_worth(spec, 0) + (valued ? high * spec->value[1] : 0);
}

/* ---- what a schedule sends in a phase ---- */

/* The number of a shipment: its packets; with two classes, the pairs of packets and those of the
 * higher class among them in order. */
static inline int swq_shipment(bool valued, int packets, int high)
{
    return valued ? packets * (packets + 1) / 2 + high : packets;
}

/* Shipments of at most `most` packets. */
static inline int swq_shipments(bool valued, int most)
{
    return swq_shipment(valued, most + 1, 0);
}

#endif
