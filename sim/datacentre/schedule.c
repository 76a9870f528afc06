/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which class an output port sends next.
 */
#include "sim/datacentre/net.h"

const char *const swq_dc_schedule_words[] = {"fifo", "priority", "round-robin", "drr", NULL};

static dc_queue *queue_of(dc_net *net, uint32_t port, int class)
{
    return &net->queue[port * (uint32_t)net->classes + (uint32_t) class];
}

static const dc_packet *head_of(dc_net *net, uint32_t port, int class)
{
    return &net->packets.packet[queue_of(net, port, class)->waiting.head];
}

/* The class whose first packet came first. */
static int oldest(dc_net *net, uint32_t port, unsigned ready)
{
    int first = -1;

    for (int k = 0; k < net->classes; k++) {
        if (ready >> k & 1 &&
            (first < 0 || head_of(net, port, k)->number < head_of(net, port, first)->number))
            first = k;
    }
    return first;
}

static int next_in_turn(dc_net *net, dc_port *p, unsigned ready)
{
    for (int k = 0; k < net->classes; k++) {
        const int class = (p->turn + k) % net->classes;
        if (ready >> class & 1) {
            p->turn = (uint8_t)((class + 1) % net->classes);
            return class;
        }
    }
    return -1;
}

static void move_on(dc_net *net, dc_port *p)
{
    p->turn = (uint8_t)((p->turn + 1) % net->classes);
    p->visited = false;
}

/* M. Shreedhar and G. Varghese, "Efficient fair queueing using deficit round robin" (SIGCOMM
 * 1995). At least one class is ready, so that the loop ends: each visit of a ready class adds a
 * quantum to its deficit. */
static int by_deficit(dc_net *net, uint32_t port, unsigned ready)
{
    dc_port *p = &net->port[port];

    for (;; move_on(net, p)) {
        const int class = p->turn;
        if (!(ready >> class & 1))
            continue;
        dc_queue *q = queue_of(net, port, class);
        if (!p->visited)
            q->deficit += net->spec->quantum[class];
        p->visited = true;
        const uint32_t bytes = head_of(net, port, class)->bytes;
        if (q->deficit < bytes)
            continue;
        q->deficit -= bytes;
        if (q->packets == 1) {
            q->deficit = 0;
            move_on(net, p);
        }
        return class;
    }
}

int dc_schedule(dc_net *net, uint32_t port)
{
    dc_port *p = &net->port[port];
    const unsigned ready = p->filled & ~(unsigned)p->paused;

    if (!ready)
        return -1;
    if (!(ready & (ready - 1)) && net->spec->schedule != SWQ_DC_DRR) {
        const int only = __builtin_ctz(ready);
        p->turn = (uint8_t)((only + 1) % net->classes);
        return only;
    }
    switch (net->spec->schedule) {
    case SWQ_DC_FIFO:
        return oldest(net, port, ready);
    case SWQ_DC_PRIORITY:
        return __builtin_ctz(ready);
    case SWQ_DC_ROUND_ROBIN:
        return next_in_turn(net, p, ready);
    case SWQ_DC_DRR:
        return by_deficit(net, port, ready);
    }
    return -1;
}
