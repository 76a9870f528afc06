/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Drawing the messages of senders.
 */
#ifndef SWQ_SIM_FRAME_DRAWING_H
#define SWQ_SIM_FRAME_DRAWING_H

#include "sim/frame/net.h"

/* A message as drawn. */
typedef struct swq_drawn_message {
    uint32_t interval, to, bytes;
} swq_drawn_message;

static inline const swq_sender_group *swq_sender_spec(const swq_async_net *net, const swq_sender *s)
{
    return &net->spec->traffic.group[s->group];
}

/* The distribution of the intervals of a sender in a group. */
static inline const swq_drawn *swq_drawn_interval(const swq_drawing *drawing, uint32_t sender)
{
    return drawing->own_interval ? &drawing->own_interval[sender] : &drawing->interval;
}

static inline bool swq_senders_traced(const swq_async_net *net)
{
    return net->spec->traffic.trace != NULL;
}

/* Does a sender create messages whether or not its earlier messages have been sent? */
static inline bool swq_sender_is_open(const swq_async_net *net, const swq_sender *s)
{
    return swq_senders_traced(net) || swq_sender_spec(net, s)->kind == SWQ_SOURCE_OPEN;
}

/* The bytes of the next packet of a message of which `bytes` bytes are left. */
static inline uint16_t swq_sender_packet(const swq_async_net *net, uint32_t bytes)
{
    uint32_t most = (uint32_t)net->spec->packet.max;
    return (uint16_t)(bytes < most ? bytes : most);
}

/* Finds message `*number` of a sender, or the first later message whose destination is not the
 * sender itself. Its interval counts from `from` on; returns the cycle of its creation. */
uint32_t swq_message_place(const swq_async_net *net, uint32_t sender, uint8_t *group,
                           uint64_t *number, uint32_t from, swq_drawn_message *m);

/* The cycle from which the first interval of a sender counts (beginning.h). Closed senders begin
 * one by one, so that a saturated network does not begin in step: after a random number of cycles
 * below the mean time of a message, as if an earlier message were still being sent. Open senders:
 * 0. */
uint32_t swq_sender_first_cycle(const swq_async_net *net, uint32_t sender, int group);

/* The first group in which a sender has anything to send, and the first cycle of that group; the
 * number of groups: the sender is silent. */
int swq_sender_first_group(const swq_async_net *net, uint32_t sender, uint32_t *cycle);

/* Prepares the tables from which messages are drawn: distributions, images of patterns and
 * members of sets. */
swq_status swq_drawing_prepare(swq_context *ctx, swq_async_net *net);

/* Prepares the intervals of each sender of a group again, if senders have their own, after the
 * group's load has changed. */
void swq_drawing_own_intervals(swq_async_net *net, int group);

#endif
