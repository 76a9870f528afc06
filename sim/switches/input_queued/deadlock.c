/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Deadlocks: queues whose heads can never move again, and the circle of buffers in which each waits
 * for the next.
 *
 * The queues that can move are a least fixed point: the head of a queue can move if its next hop is
 * its node, if its next buffer is open, or if a queue that can move is among the queues whose
 * packets keep the next buffer closed. Where the queue that the head would join is as long as it
 * may be, that queue alone keeps the buffer closed; where the rest of the room rule says no, all
 * queues of the buffer do. Memory that departing packets still hold, and news on its way back to a
 * sender, count as free and as told: neither keeps a buffer closed for good. Nor does a second
 * counter that will fall with time; a second counter that will not fall is kept up by its own
 * queue. The queues that are then left can never move: the first of them to move would need a
 * departure from another of them before.
 */
#include "sim/frame/acks.h"
#include "sim/frame/net.h"
#include "sim/switches/input_queued/kernels.h"

#include <string.h>

static size_t at(const swq_async_net *net, uint32_t port, int q)
{
    return (size_t)(swq_queues_of(net, port) - net->queue) + (size_t)q;
}

static const swq_admission *admission_of(const swq_async_net *net, uint32_t port)
{
    if (net->port[port].in_level == net->last_level)
        return &net->admission[2];
    return &net->admission[port >= net->inputs];
}

/* The queue that a head will join in the next store. */
static int queue_of(const swq_async_net *net, const swq_queue *queue)
{
    if (net->managed.hooks)
        return net->managed.next_queue[queue - net->queue];
    return queue->next_port < net->inputs ? swq_queue_for(net, queue->next_class) : 0;
}

/* Whether the flow control keeps the queue closed for good. */
static swq_closure flow_keeps(swq_async_net *net, uint32_t port, int q)
{
    return net->flow && net->flow->stuck && port < net->inputs ? net->flow->stuck(net, port, q)
                                                               : SWQ_CLOSED_BY_ROOM;
}

/* Is a buffer closed to a queue, departing packets aside? A notice under way may still open it. */
static bool queue_closed(swq_async_net *net, uint32_t port, int q)
{
    const swq_admission *a = admission_of(net, port);
    const swq_managed *m = &net->managed;

    if (m->stopped && swq_in_set(m, m->stopped, port, q) && swq_in_set(m, m->told, port, q))
        return true;
    const swq_closure told = flow_keeps(net, port, q);
    if (told != SWQ_CLOSED_BY_ROOM)
        return told == SWQ_QUEUE_STUCK;
    return a->limited && net->queue[at(net, port, q)].blocks > a->limit;
}

static bool shared_closed(swq_async_net *net, uint32_t port, int q)
{
    const swq_admission *a = admission_of(net, port);
    uint16_t length[SWQ_MAX_PORTS] = {0};

    const swq_closure told = flow_keeps(net, port, q);
    if (told == SWQ_QUEUE_OPENS || told == SWQ_STORE_STUCK)
        return told == SWQ_STORE_STUCK;
    if (!a->pooled)
        return false;
    if (!a->by_rule)
        return net->port[port].blocks > a->room;
    for (int k = 0; k < net->queues; k++)
        length[k] = net->queue[at(net, port, k)].blocks;
    return !swq_async_room(&net->spec->memory.buffer, net->escapes, net->queues, length, q,
                           net->packet);
}

static bool any_movable(const swq_async_net *net, uint32_t port)
{
    for (swq_walk w = swq_walk_begin(net, port); w.now; swq_walk_on(&w)) {
        if (net->movable[at(net, port, swq_walk_queue(&w))])
            return true;
    }
    return false;
}

/* A way on for the head of a queue: an input port, or SWQ_SINK, with the queue and the class there,
 * over the channel of element `out`. */
typedef struct {
    uint32_t port;
    int queue, class_;
    uint32_t out;
} way_on;

enum { MOST_OPTIONS = SWQ_MAX_PORTS + 1 };

/* Adaptive routing: the set of outputs that the head of a queue may take, of *words words. */
static const swq_port_set *fork_outputs(const swq_async_net *net, size_t k, swq_port_set *one,
                                        int *words)
{
    *words = net->wide_fork ? SWQ_PORT_SET_WIDE : 1;
    if (net->wide_fork)
        return net->wide_fork[k].word;
    *one = net->fork[k].outputs;
    return one;
}

static int options_of(const swq_async_net *net, uint32_t port, int q, way_on list[MOST_OPTIONS])
{
    const size_t k = at(net, port, q);
    const uint32_t base = port < net->inputs ? port - port % (uint32_t)net->ports
                                             : port; /* first element of its unit */
    swq_port_set one;
    uint32_t output;
    int count = 0, words;

    if (!net->fork || swq_is_going(net, port, q)) { /* the output has been chosen */
        const swq_queue *queue = &net->queue[k];
        list[0] = (way_on){queue->next_port, 0, queue->next_class, base + queue->output};
        if (queue->next_port != SWQ_SINK)
            list[0].queue = queue_of(net, queue);
        return 1;
    }
    const swq_fork *w = &net->fork[k];
    const swq_port_set *outputs = fork_outputs(net, k, &one, &words);
    SWQ_EACH_PORT (output, outputs, words) {
        const uint32_t out = base + output, link = net->port[out].link;
        const int n = count < SWQ_FORK_CLASSES ? count : SWQ_FORK_CLASSES - 1;
        const int class = w->next_class[n];
        list[count++] = (way_on){link & SWQ_TO_NODE ? SWQ_SINK : link,
                                 link < net->inputs ? swq_queue_of(net, class) : 0, class, out};
    }
    if (net->escapes && w->escape_output != SWQ_NO_OUTPUT)
        list[count++] = (way_on){net->port[base + w->escape_output].link, w->escape_class,
                                 w->escape_class, base + w->escape_output};
    return count;
}

static bool can_enter(swq_async_net *net, const way_on *o)
{
    if (o->port == SWQ_SINK || swq_ack_under_way(net, o->port))
        return true;
    const int q = o->queue;
    return (!shared_closed(net, o->port, q) || any_movable(net, o->port)) &&
           (!queue_closed(net, o->port, q) || net->movable[at(net, o->port, q)]);
}

/* Can any packet of a queue move? Where stores refuse packets, every packet of a queue becomes
 * its head in turn. A packet with a mark can move if the packet that caused the mark can. */
static bool any_can_move(swq_async_net *net, uint32_t port, int q)
{
    const swq_fabric *f = net->fabric;
    const swq_parcel *store = swq_parcels_of(net, port);
    uint16_t slot = net->queue[at(net, port, q)].head;

    for (; slot != SWQ_NO_SLOT; slot = store[slot].next) {
        const swq_parcel *p = &store[slot];
        const uint32_t next = swq_ack_next(net, port, p);
        if (next == SWQ_SINK)
            return true;
        const int class = f->shape.kind->route(f, next, p->from, p->to);
        const way_on o = {next, swq_queue_of(net, class), class, 0};
        const uint32_t mark = net->acks->mark[swq_ack_at(net, port, slot)];
        if ((!swq_ack_marked(net, next, mark) || swq_ack_clears(net, next)) && can_enter(net, &o))
            return true;
    }
    return false;
}

/* ---- packets in pieces ---- */

static bool holds_pieces(const swq_async_net *net, uint32_t port, int q)
{
    const swq_managed *m = &net->managed;

    return m->words ? swq_in_set(m, m->full, port, q) : net->port[port].full >> q & 1;
}

/* Is that channel held for a packet that cannot go on? If no piece of the packet is left here, its
 * next piece will come: the piece before had room, nobody else has used this store's channel since,
 * and no queue has grown. */
static bool held_for_good(const swq_async_net *net, uint32_t out)
{
    const swq_hold *h = &net->pieces.hold[out];

    return h->on && holds_pieces(net, h->store, h->queue) &&
           !net->movable[at(net, h->store, h->queue)];
}

/* The queue that holds the read port of another one for its packet, and cannot go on; -1: none. */
static int read_for(const swq_async_net *net, uint32_t port, int q)
{
    const swq_pieces *p = &net->pieces;
    uint32_t going;

    if (net->each_queue && port < net->inputs)
        return -1;
    SWQ_EACH_PORT (going, p->going + (size_t)port * p->words, (int)p->words) {
        const int other = (int)going; /* the one packet that the store's port reads */
        if (holds_pieces(net, port, other))
            return other == q || net->movable[at(net, port, other)] ? -1 : other;
    }
    return -1;
}

/* ---- queues that can move ---- */

/* The store whose packets must move before a queue held by the management is released, or
 * SWQ_NO_WHERE. */
static uint32_t held_by(const swq_async_net *net, uint32_t port, int q)
{
    const swq_managed *m = &net->managed;

    return m->held && swq_in_set(m, m->held, port, q) && m->hooks->held_by
               ? m->hooks->held_by(net, port, q)
               : SWQ_NO_WHERE;
}

static bool can_move(swq_async_net *net, uint32_t port, int q)
{
    if (swq_ack_rule(net, port))
        return swq_ack_under_way(net, port) || any_can_move(net, port, q);
    way_on list[MOST_OPTIONS];
    if (net->pieces.piece && read_for(net, port, q) >= 0)
        return false;
    const int options = options_of(net, port, q, list);
    const swq_managed *m = &net->managed;

    if (m->held && swq_in_set(m, m->held, port, q)) {
        const uint32_t by = held_by(net, port, q);
        return by == SWQ_NO_WHERE || any_movable(net, by);
    }
    for (int k = 0; k < options; k++) {
        const bool held =
            net->pieces.piece && !swq_is_going(net, port, q) && held_for_good(net, list[k].out);
        if (!held && can_enter(net, &list[k]))
            return true;
    }
    return false;
}

/* The last option of a stuck head, whose options are all closed: the escape queue, if there is
 * one. */
static way_on waits_for(const swq_async_net *net, uint32_t port, int q)
{
    way_on list[MOST_OPTIONS] = {0};

    return list[options_of(net, port, q, list) - 1];
}

/* Goes from a queue that cannot move to the queue that holds the channel or read port which the
 * first queue needs. False: no queue holds it, and the first queue waits for room. */
static bool follow_hold(const swq_async_net *net, uint32_t *port, int *q)
{
    if (!net->pieces.piece)
        return false;
    const int read = read_for(net, *port, *q);
    if (read >= 0) {
        *q = read;
        return true;
    }
    if (swq_is_going(net, *port, *q))
        return false;
    const uint32_t out = waits_for(net, *port, *q).out;
    if (!held_for_good(net, out))
        return false;
    *port = net->pieces.hold[out].store;
    *q = net->pieces.hold[out].queue;
    return true;
}

/* A queue of a store that cannot move, preferably `best`; -1: there is none. */
static int stuck_queue(const swq_async_net *net, uint32_t port, int best)
{
    int found = -1;

    for (swq_walk w = swq_walk_begin(net, port); w.now; swq_walk_on(&w)) {
        const int there = swq_walk_queue(&w);
        if (!net->movable[at(net, port, there)] && (found < 0 || there == best))
            found = there;
    }
    return found;
}

/* Goes from a queue that cannot move to a queue that it waits for. False: there is no such
 * queue, since the first queue waits for a packet that does not exist. */
static bool follow(swq_async_net *net, uint32_t *port, int *q)
{
    if (follow_hold(net, port, q))
        return true;
    uint32_t next = held_by(net, *port, *q);
    int best = -1;
    if (next == SWQ_NO_WHERE) {
        const way_on o = waits_for(net, *port, *q);
        next = o.port;
        if (queue_closed(net, o.port, o.queue) && !net->movable[at(net, o.port, o.queue)])
            best = o.queue;
    }
    const int found = stuck_queue(net, next, best);
    if (found < 0)
        return false;
    *port = next;
    *q = found;
    return true;
}

/* The report of a waiting queue. Reports are about input stores: a queue that waits for an output
 * store is reported as waiting for the input store for which this output store waits. */
static swq_waiting waits(const swq_async_net *net, uint32_t port, int q, const swq_parcel *head)
{
    const swq_fabric *f = net->fabric;
    const way_on o = waits_for(net, port, q);
    swq_waiting w = {port, head->packet_class, o.port, o.class_};

    if (o.port >= net->inputs) {
        w.next_port = f->link[o.port - net->inputs];
        w.next_class = f->shape.kind->route(f, w.next_port, head->from, head->to);
    }
    return w;
}

static void note(swq_async_net *net, swq_waiting w)
{
    if (net->waiting_count < SWQ_MAX_WAITING)
        net->waiting[net->waiting_count] = w;
    net->waiting_count++;
}

/* Reports the store that a packet has reached, even if it holds a channel from there. */
static void note_input(swq_async_net *net, uint32_t port, int q)
{
    const swq_queue *queue = &net->queue[at(net, port, q)];

    note(net, waits(net, port, q, &swq_parcels_of(net, port)[queue->head]));
}

/* Reports a queue of an output store that is held until another store is relieved, as if its head
 * were already at the end of the link, waiting for that store. */
static void note_held(swq_async_net *net, uint32_t store, int q)
{
    const swq_fabric *f = net->fabric;
    const swq_queue *queue = &net->queue[at(net, store, q)];
    const swq_parcel *head = &swq_parcels_of(net, store)[queue->head];
    const uint32_t by = held_by(net, store, q);

    if (by == SWQ_NO_WHERE || by == store)
        return;
    swq_waiting w = {f->link[store - net->inputs], queue->next_class, f->link[by - net->inputs], 0};
    w.next_class = f->shape.kind->route(f, w.next_port, head->from, head->to);
    note(net, w);
}

static void note_cycle(swq_async_net *net, uint32_t port, int q, size_t queues)
{
    uint32_t begin_port;
    int begin_q;

    bool on = true;

    for (size_t k = 0; k < queues && on; k++) /* after as many steps as there are queues, the queue
                                                 is on the circle */
        on = follow(net, &port, &q);
    if (net->pieces.piece && on) { /* on to a packet that has reached a store */
        while (follow_hold(net, &port, &q))
            ;
        (void)follow(net, &port, &q);
    }
    begin_port = port;
    begin_q = q;
    net->waiting_count = 0;
    do {
        const uint32_t came = port;
        const int came_q = q;
        while (follow_hold(net, &port, &q))
            ;
        if (came < net->inputs)
            note_input(net, came, port == came ? q : came_q);
        else
            note_held(net, came, came_q);
        on = follow(net, &port, &q);
    } while (on && (port != begin_port || q != begin_q));
}

bool swq_find_deadlock(swq_async_net *net)
{
    const uint32_t ports = net->elements;
    const size_t queues = (size_t)net->inputs * (uint32_t)net->queues +
                          (size_t)(ports - net->inputs) * (uint32_t)net->output_queues;
    bool more = true;

    memset(net->movable, 0, queues * sizeof *net->movable);
    while (more) {
        more = false;
        for (uint32_t port = 0; port < ports; port++) {
            for (swq_walk w = swq_walk_begin(net, port); w.now; swq_walk_on(&w)) {
                int q = swq_walk_queue(&w);
                if (!net->movable[at(net, port, q)] && can_move(net, port, q))
                    more = net->movable[at(net, port, q)] = true;
            }
        }
    }
    for (uint32_t port = 0; port < ports; port++) {
        for (swq_walk w = swq_walk_begin(net, port); w.now; swq_walk_on(&w)) {
            if (!net->movable[at(net, port, swq_walk_queue(&w))]) {
                note_cycle(net, port, swq_walk_queue(&w), queues);
                return true;
            }
        }
    }
    return false;
}

bool swq_queues_deadlocked(swq_async_net *net)
{
    return swq_find_deadlock(net) || swq_find_livelock(net);
}
