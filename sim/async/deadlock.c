/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Deadlocks: queues whose heads can never move again, and the cycle of buffers that they wait in.
 *
 * What can move is a least fixed point: the head of a queue can if it is on its way to a node, if
 * its next buffer is open, or if a queue that can move is among those whose packets keep it closed.
 * What is then left can never move: the first of them to do so would need a departure from one of
 * them before.
 * Room: sim.
 */
#include "sim/async/net.h"

#include <string.h>

static size_t at(const swq_async_net *net, uint32_t port, int q)
{
    return (size_t)port * (uint32_t)net->queues + (uint32_t)q;
}

/* What keeps a buffer closed to a class, departing packets aside. */
static bool pool_closed(const swq_async_net *net, uint32_t port)
{
    return net->pooled && net->port[port].blocks > net->room;
}

static bool queue_closed(const swq_async_net *net, uint32_t port, int q)
{
    return net->limited && net->lane[at(net, port, q)].blocks > net->limit;
}

static bool any_movable(const swq_async_net *net, uint32_t port)
{
    for (uint32_t set = net->port[port].full; set; set &= set - 1) {
        if (net->movable[at(net, port, __builtin_ctz(set))])
            return true;
    }
    return false;
}

static bool can_move(const swq_async_net *net, const swq_lane *lane)
{
    if (lane->next_port == SWQ_SINK)
        return true;
    int q = swq_lane_of(net, lane->next_class);
    return (!pool_closed(net, lane->next_port) || any_movable(net, lane->next_port)) &&
           (!queue_closed(net, lane->next_port, q) || net->movable[at(net, lane->next_port, q)]);
}

/* From a queue that cannot move to one that it waits for. */
static void follow(const swq_async_net *net, uint32_t *port, int *q)
{
    const swq_lane *lane = &net->lane[at(net, *port, *q)];
    uint32_t next = lane->next_port;
    int into = swq_lane_of(net, lane->next_class);

    *port = next;
    *q = into;
    if (queue_closed(net, next, into) && !net->movable[at(net, next, into)])
        return;
    for (uint32_t set = net->port[next].full; set; set &= set - 1) {
        *q = __builtin_ctz(set);
        if (!net->movable[at(net, next, *q)])
            return;
    }
}

static void note_cycle(swq_async_net *net, uint32_t port, int q, size_t queues)
{
    uint32_t begin_port;
    int begin_q;

    for (size_t k = 0; k < queues; k++) /* after so many steps it is on the cycle */
        follow(net, &port, &q);
    begin_port = port;
    begin_q = q;
    net->waiting_count = 0;
    do {
        const swq_lane *lane = &net->lane[at(net, port, q)];
        const swq_parcel *head = &net->parcel[(size_t)port * (uint32_t)net->slots + lane->head];
        if (net->waiting_count < SWQ_MAX_WAITING)
            net->waiting[net->waiting_count] =
                (swq_waiting){port, head->class, lane->next_port, lane->next_class};
        net->waiting_count++;
        follow(net, &port, &q);
    } while (port != begin_port || q != begin_q);
}

bool swq_find_deadlock(swq_async_net *net)
{
    const uint32_t ports = net->fabric->switches * (uint32_t)net->ports;
    const size_t queues = (size_t)ports * (uint32_t)net->queues;
    bool more = true;

    memset(net->movable, 0, queues * sizeof *net->movable);
    while (more) {
        more = false;
        for (uint32_t port = 0; port < ports; port++) {
            for (uint32_t set = net->port[port].full; set; set &= set - 1) {
                int q = __builtin_ctz(set);
                if (!net->movable[at(net, port, q)] && can_move(net, &net->lane[at(net, port, q)]))
                    more = net->movable[at(net, port, q)] = true;
            }
        }
    }
    for (uint32_t port = 0; port < ports; port++) {
        for (uint32_t set = net->port[port].full; set; set &= set - 1) {
            if (!net->movable[at(net, port, __builtin_ctz(set))]) {
                note_cycle(net, port, __builtin_ctz(set), queues);
                return true;
            }
        }
    }
    return false;
}
