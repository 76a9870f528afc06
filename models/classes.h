/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * States that tell high priority apart (swq_layout.classes is 2). The words of a state are those of
 * models/state.h with more queues to a buffer and other heads:
 *
 *   length   the normal queues, then those of high priority, if any
 *   heads    1 + what is known of the head, 0 if the queue is empty: for the normal queues its
 *            destination, if they are one; plus, if they hold both classes, `ports` (a queue per
 *            output: 1) for high priority; then the destination of the one high queue, if it is one
 *   held     1 + the packet's destination, plus `ports` for high priority, as far as they are known
 *
 * Classes and destinations that no rule looks at before the packet is a queue's head are
 * independent of all that has happened, so they are drawn when it gets there.
 * Room: models.
 */
#ifndef SWQ_MODELS_CLASSES_H
#define SWQ_MODELS_CLASSES_H

#include "models/cycle.h"

/* Queues that normal packets join. */
static inline int swq_normal_queues(const swq_layout *l)
{
    return l->split.fans[0] ? l->ports : 1;
}

/* Which head word of its buffer belongs to queue q; -1: it has none. */
static inline int swq_head_of_queue(const swq_layout *l, int q)
{
    if (q < swq_normal_queues(l))
        return l->mixed || !l->split.fans[0] ? q : -1;
    return l->split.fans[1] ? -1 : l->heads - 1;
}

/* What is known of a packet: its class, its destination; 0 is what is not. */
typedef struct swq_kind_of_packet {
    int class, to;
} swq_kind_of_packet;

/* Where the head of queue q goes, of what class it is; head: its word, any if it has none. */
swq_kind_of_packet swq_head_kind(const swq_layout *l, int q, swq_word head);

/* Of an offered or a held packet, stored as swq_reception.packet. */
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

/* What queue q of a buffer asks for: its head's class and destination, with the queue's length; 0
 * for an empty queue. heads: of the buffer. */
int swq_class_request(const swq_layout *l, const swq_word *length, const swq_word *heads, int q,
                      swq_kind_of_packet *head);

/* Add packets of an input, of which `packet` says what is known, to those by destination and by
 * class; dest: the input's. */
void swq_share_packet(const swq_layout *l, const double *dest, swq_word packet, double packets,
                      double *by_output, double *by_class);

/* ---- a cycle ---- */

/* As swq_receive and swq_transmit. */
void swq_receive_classes(const swq_switch *sw, const swq_layout *l, swq_word *state, swq_dice *dice,
                         swq_reception *what);
int swq_transmit_classes(const swq_switch *sw, const swq_layout *l, swq_word *state,
                         swq_dice *dice);

/* The granted heads leave: that of class class[j] of input grant[j] for output j. New heads are not
 * drawn: their words are 0. */
void swq_send_classes(const swq_layout *l, const int *grant, const int *class, swq_word *state);

/* Draw what is missing of the heads of buffer b. */
void swq_draw_heads(const swq_switch *sw, const swq_layout *l, int b, swq_word *state,
                    swq_dice *dice);

/* Is there a head to be drawn? */
bool swq_head_missing(const swq_layout *l, const swq_word *length, const swq_word *heads);

/* ---- outputs renamed: output j becomes to[j] ---- */

/* Queue lengths, or what else there is one of for each queue; heads; an offered or held packet. */
void swq_rename_queues(const swq_layout *l, const uint8_t *to, const swq_word *from,
                       swq_word *image);
void swq_rename_heads(const swq_layout *l, const uint8_t *to, const swq_word *from,
                      swq_word *image);
swq_word swq_rename_packet(const swq_layout *l, const uint8_t *to, swq_word packet);

#endif
