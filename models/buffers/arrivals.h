/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The order in which packets that come to a pool in the same cycle are dealt with: the pool's rule
 * opens input ports, and of the packets at open ports the first is drawn, then the next one.
 */
#ifndef SWQ_MODELS_ARRIVALS_H
#define SWQ_MODELS_ARRIVALS_H

#include "models/buffers/buffers.h"
#include "models/buffers/large.h"

typedef struct swq_arrivals {
    swq_port_set open[SWQ_PORT_SET_WIDE];
    int left, port[SWQ_MAX_PORTS]; /* ports whose packets wait to be dealt with */
} swq_arrivals;

/* Does the packet of port i go before that of port k (positive), after it (negative), or does
 * chance decide (0)? */
typedef int swq_precedes_fn(const void *packets, int i, int k);

/* Begin a cycle's reception of a pool that holds length[0 .. queues - 1] packets. */
static inline void swq_arrivals_begin(const swq_buffer *pool, int queues, const uint16_t *length,
                                      int ports, swq_dice *dice, swq_arrivals *a)
{
    int room = pool->capacity;

    a->left = 0;
    for (int at = 0; at < SWQ_PORT_SET_WIDE; at++)
        a->open[at] = ~(swq_port_set)0;
    if (!swq_buffer_pool_rule(pool)->opens_ports)
        return;
    for (int q = 0; q < queues; q++)
        room -= length[q];
    if (room < ports)
        swq_pool_draw_ports(room, ports, dice, a->open);
}

/* A packet has come to port i. False: the port is closed, and the packet is refused. */
static inline bool swq_arrivals_add(swq_arrivals *a, int i)
{
    const bool open = swq_port_set_has(a->open, (uint32_t)i, SWQ_PORT_SET_WIDE);

    if (open)
        a->port[a->left++] = i;
    return open;
}

/* The port whose packet is next; the port is taken off the list. -1: no port is left. precedes:
 * NULL, or a rule of precedence over `packets`. */
static inline int swq_arrivals_next(swq_arrivals *a, swq_precedes_fn *precedes, const void *packets,
                                    swq_dice *dice)
{
    int best[SWQ_MAX_PORTS], ties = 0;

    best[0] = 0;

    if (a->left == 0)
        return -1;
    for (int w = 0; w < a->left && precedes; w++) {
        const int better = ties ? precedes(packets, a->port[w], a->port[best[0]]) : 0;
        if (better > 0)
            ties = 0;
        if (better >= 0)
            best[ties++] = w;
    }
    const int turn = precedes ? best[swq_dice_fair(dice, ties)] : swq_dice_fair(dice, a->left);
    const int port = a->port[turn];
    a->port[turn] = a->port[--a->left];
    return port;
}

#endif
