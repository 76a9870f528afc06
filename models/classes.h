/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * States that distinguish packets of high priority (swq_layout.classes is 2). The words of a state
 * are those of models/state.h, with more queues per buffer and other heads:
 *
 *   length   the normal queues, then those of high priority, if any
 *   heads    1 + what is known of the head, 0 if the queue is empty: for a single normal queue, its
 *            destination; if normal queues hold both classes, `ports` more (with a queue per
 * output: 1) for high priority; then, for a single high queue, its destination held     1 + the
 * packet's destination, plus `ports` for high priority, as far as they are known
 *
 * Classes and destinations that no rule depends on before the packet is a queue's head are
 * independent of all that has happened, so they are drawn when it becomes the head.
 */
#ifndef SWQ_MODELS_CLASSES_H
#define SWQ_MODELS_CLASSES_H

#include "models/cycle.h"
#include "models/reception.h"

/* Queues that normal packets join. */
static inline int swq_normal_queues(const swq_layout *l)
{
    return l->split.fans[0] ? l->ports : 1;
}

/* The number of the head word of queue q in its buffer; -1: the queue has no head word. */
static inline int swq_head_of_queue(const swq_layout *l, int q)
{
    if (q < swq_normal_queues(l))
        return l->mixed || !l->split.fans[0] ? q : -1;
    return l->split.fans[1] ? -1 : l->heads - 1;
}

/* The known properties of a packet: its class and its destination; unknown ones are 0. */
typedef struct swq_kind_of_packet {
    int class, to;
} swq_kind_of_packet;

/* Destination and class of the head of queue q; head: the head word of queue q, or any value if the
 * queue has none. */
swq_kind_of_packet swq_head_kind(const swq_layout *l, int q, swq_word head);

/* Destination and class of an offered or a held packet, stored as swq_reception.packet. */
static inline swq_kind_of_packet swq_packet_kind(const swq_layout *l, swq_word packet)
{
    return (swq_kind_of_packet){(packet - 1) / l->ports, (packet - 1) % l->ports};
}

/* Is the class of an offered packet known? Else it is drawn when it becomes a head. */
static inline bool swq_class_offered(const swq_layout *l)
{
    return !l->mixed;
}

/* The queue that a packet joins. */
static inline int swq_queue_of_kind(const swq_layout *l, swq_kind_of_packet p)
{
    return l->split.base[p.class] + (l->split.fans[p.class] ? p.to : 0);
}

/* The request of queue q of a buffer: gives the class and destination of the queue's head, and
 * returns the queue's length; 0 for an empty queue. heads: the head words of the buffer. */
int swq_class_request(const swq_layout *l, const swq_word *length, const swq_word *heads, int q,
                      swq_kind_of_packet *head);

/* Add packets of an input to the sums by destination and by class; `packet` holds the known
 * properties of the packets; dest: the input's probabilities. */
void swq_share_packet(const swq_layout *l, const double *dest, swq_word packet, double packets,
                      double *by_output, double *by_class);

/* ---- a cycle ---- */

/* Does what swq_transmit does, for a switch whose packets are of two classes of priority: all steps
 * after the reception. Returns the number of packets sent. */
int swq_transmit_classes(const swq_switch *sw, const swq_layout *l, swq_word *state,
                         swq_dice *dice);

/* Send the granted heads: to output j, the head of class class[j] of input grant[j]. New heads are
 * not drawn: their words are 0. */
void swq_send_classes(const swq_layout *l, const int *grant, const int *class, swq_word *state);

/* Draw the properties of the heads of buffer b that are not yet known. */
void swq_draw_heads(const swq_switch *sw, const swq_layout *l, int b, swq_word *state,
                    swq_dice *dice);

/* Must a head be drawn? */
bool swq_head_missing(const swq_layout *l, const swq_word *length, const swq_word *heads);

/* ---- outputs renamed: output j becomes to[j] ---- */

/* Rename outputs in queue lengths, or in another array with an element per queue; in heads; in an
 * offered or held packet. */
void swq_rename_queues(const swq_layout *l, const uint8_t *to, const swq_word *from,
                       swq_word *image);
void swq_rename_heads(const swq_layout *l, const uint8_t *to, const swq_word *from,
                      swq_word *image);
swq_word swq_rename_packet(const swq_layout *l, const uint8_t *to, swq_word packet);

#endif
