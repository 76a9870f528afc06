/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory behind the buffers at the inputs: queues before the outputs, or at the crosspoints. A
 * queue is a ring.
 */
#ifndef SWQ_SIM_STAGES_BEHIND_H
#define SWQ_SIM_STAGES_BEHIND_H

#include "sim/stages/net.h"

/* The index of a switch's first queue, of which it has net->behind.queues: one for each output, or
 * one for each pair of an input and an output. */
static inline size_t swq_behind_at(const swq_net *net, size_t number)
{
    return number * (size_t)net->behind.queues;
}

static inline bool swq_behind_has_room(const swq_net *net, size_t queue)
{
    return net->behind.length[queue] < net->behind.slots;
}

/* The index of packet k of a queue, 0 being its head. */
static inline size_t swq_behind_slot(const swq_net *net, size_t queue, int k)
{
    return queue * (size_t)net->behind.slots +
           (size_t)((net->behind.first[queue] + k) % net->behind.slots);
}

static inline const swq_packet *swq_behind_head(const swq_net *net, size_t queue)
{
    return &net->behind.packet[swq_behind_slot(net, queue, 0)];
}

static inline void swq_behind_push(swq_net *net, size_t queue, swq_packet p, swq_trail trail)
{
    const size_t slot = swq_behind_slot(net, queue, net->behind.length[queue]++);

    net->behind.packet[slot] = p;
    if (net->behind.trail)
        net->behind.trail[slot] = trail;
}

static inline swq_packet swq_behind_pop(swq_net *net, size_t queue, swq_trail *trail)
{
    const size_t slot = swq_behind_slot(net, queue, 0);

    net->behind.length[queue]--;
    net->behind.first[queue] = (uint16_t)((net->behind.first[queue] + 1) % net->behind.slots);
    if (net->behind.trail)
        *trail = net->behind.trail[slot];
    return net->behind.packet[slot];
}

#endif
