/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Interfaces of nodes with the queues of a management's row: as a store before the node's link,
 * whose queues share one memory and are read in turns.
 */
#include "sim/frame/interfaces.h"

#include "base/context.h"

swq_status swq_interfaces_check(swq_context *ctx, const swq_async *n)
{
    const char *name = n->management.row ? n->management.row->name : "none";

    if (!swq_async_managed(n) || n->management.row->tells_upstream)
        return swq_fail(ctx, SWQ_EINVAL,
                        "interface-packets is not for management %s, which has no interfaces",
                        name);
    if (n->interface.cold)
        return swq_fail(ctx, SWQ_EINVAL,
                        "interface-cold is for management recn-iq, not for %s, which has no cold "
                        "queue",
                        name);
    if (n->interface.packets < 1 || n->interface.packets > SWQ_MAX_INTERFACE)
        return swq_fail(ctx, SWQ_EINVAL, "interface-packets must be 1 to %d, not %d",
                        SWQ_MAX_INTERFACE, n->interface.packets);
    if (swq_acks_ask(n))
        return swq_fail(ctx, SWQ_EINVAL,
                        "interface-packets is not for flow %s, whose stores refuse packets",
                        n->flow.row->name);
    if (swq_async_unit(n) < n->packet.max)
        return swq_fail(ctx, SWQ_EINVAL,
                        "piece must not be given with interface-packets, as interfaces send "
                        "packets whole");
    if (swq_messages_are_cut(n))
        return swq_fail(ctx, SWQ_EINVAL,
                        "max-packet must be the longest message with interface-packets, as "
                        "interfaces take messages whole, not %d",
                        n->packet.max);
    return SWQ_OK;
}

void swq_interfaces_lay_out(swq_async_net *net)
{
    const swq_async *spec = net->spec;
    swq_interfaces *all = &net->interfaces;

    if (!spec->interface.present)
        return;
    all->queues = spec->management.row->hooks->queues(spec, net->fabric, true);
    all->words = ((uint32_t)all->queues + 63) / 64;
    all->slots = spec->interface.packets;
}

void swq_interfaces_list(swq_async_net *net, swq_arrays *list)
{
    swq_interfaces *all = &net->interfaces;
    const double nodes = all->queues > 0 ? net->fabric->nodes : 0;

    SWQ_ARRAY(list, all->each, nodes);
    SWQ_ARRAY(list, all->queue, nodes * all->queues);
    SWQ_ARRAY(list, all->full, nodes * all->words);
    SWQ_ARRAY(list, all->parcel, nodes * all->slots);
}

static swq_parcel *parcels_of(const swq_interfaces *all, uint32_t node)
{
    return all->parcel + (size_t)node * (uint32_t)all->slots;
}

static swq_interface_queue *queues_of(const swq_interfaces *all, uint32_t node)
{
    return all->queue + (size_t)node * (uint32_t)all->queues;
}

static uint64_t *full_of(const swq_interfaces *all, uint32_t node)
{
    return all->full + (size_t)node * all->words;
}

void swq_interfaces_empty(swq_async_net *net)
{
    const swq_interfaces *all = &net->interfaces;

    for (uint32_t node = 0; all->queues > 0 && node < net->fabric->nodes; node++) {
        swq_parcel *parcel = parcels_of(all, node);
        for (int k = 0; k < all->slots; k++)
            parcel[k].next = k + 1 < all->slots ? (uint16_t)(k + 1) : SWQ_NO_SLOT;
    }
}

/* ---- a packet comes ---- */

bool swq_interface_has_room(const swq_async_net *net, uint32_t node)
{
    const swq_interface *i = &net->interfaces.each[node];

    return i->packets + (i->slot_free > net->cycle) < net->interfaces.slots;
}

static int shortest(const swq_interfaces *all, uint32_t node)
{
    const swq_interface_queue *queue = queues_of(all, node);
    int best = 0;

    for (int q = 1; q < all->queues; q++) {
        if (queue[q].packets < queue[best].packets)
            best = q;
    }
    return best;
}

/* The queue that a packet joins, as in any store before a link. */
static int joins(const swq_async_net *net, uint32_t node, const swq_parcel *p)
{
    if (net->spec->management.row->to_shortest)
        return shortest(&net->interfaces, node);
    return net->managed.hooks->joins(net, net->inputs, p->packet_class, p->from, p->to);
}

void swq_interface_take(swq_async_net *net, uint32_t node, const swq_parcel *parcel)
{
    const swq_interfaces *all = &net->interfaces;
    swq_interface *i = &all->each[node];
    swq_parcel *store = parcels_of(all, node);
    const uint16_t slot = i->free_slot;
    const int q = joins(net, node, parcel);
    swq_interface_queue *queue = &queues_of(all, node)[q];

    i->free_slot = store[slot].next;
    i->packets++;
    store[slot] = *parcel;
    store[slot].ready = net->cycle;
    store[slot].next = SWQ_NO_SLOT;
    if (queue->packets++ > 0)
        store[queue->tail].next = slot;
    else
        queue->head = slot;
    queue->tail = slot;
    full_of(all, node)[q / 64] |= UINT64_C(1) << (q & 63);
}

/* ---- ... and goes ---- */

/* Does the scheme that holds senders back let the packet go? If not, the node is looked at again
 * when it may. */
static bool let_go(swq_async_net *net, uint32_t node, const swq_parcel *p)
{
    const uint32_t from = net->scheme ? swq_scheme_lets(net, node, p->to, p->bytes) : net->cycle;

    if (from > net->cycle)
        swq_sender_look(net, node, from);
    return from <= net->cycle;
}

/* Can the head of that queue be sent? If not, the node is looked at again when it can. */
static bool open_to_head(swq_async_net *net, uint32_t node, int q)
{
    const uint32_t port = net->fabric->entry[node];
    const swq_parcel *p =
        &parcels_of(&net->interfaces, node)[queues_of(&net->interfaces, node)[q].head];

    return let_go(net, node, p) &&
           net->kernel->open(net, port,
                             net->managed.hooks->joins(net, port, p->packet_class, p->from, p->to));
}

/* The first queue that can send, cyclically; -1: none. */
static int next_queue(swq_async_net *net, uint32_t node)
{
    const swq_interfaces *all = &net->interfaces;
    const uint64_t *full = full_of(all, node);
    const uint32_t first = all->each[node].before;
    const uint64_t behind = ~UINT64_C(0) << (first & 63);

    for (uint32_t k = 0; k <= all->words; k++) {
        const uint32_t word = (first / 64 + k) % all->words;
        /* the part of the first word before the starting point comes last */
        const bool again = k == all->words;
        uint64_t set = full[word] & (k == 0 ? behind : again ? ~behind : ~UINT64_C(0));
        for (; set; set &= set - 1) {
            const int q = (int)(word * 64) + __builtin_ctzll(set);
            if (open_to_head(net, node, q))
                return q;
        }
    }
    return -1;
}

static swq_parcel take_head(swq_async_net *net, uint32_t node, int q)
{
    const swq_interfaces *all = &net->interfaces;
    swq_interface *i = &all->each[node];
    swq_interface_queue *queue = &queues_of(all, node)[q];
    const uint16_t slot = queue->head;
    swq_parcel *store = parcels_of(all, node);
    const swq_parcel p = store[slot];

    queue->head = p.next;
    if (--queue->packets == 0)
        full_of(all, node)[q / 64] &= ~(UINT64_C(1) << (q & 63));
    store[slot].next = i->free_slot;
    i->free_slot = slot;
    i->packets--;
    i->before = (uint16_t)(q + 1 < all->queues ? q + 1 : 0);
    i->slot_free = net->cycle + p.bytes;
    i->link_free = i->slot_free + net->link_rest;
    return p;
}

static void send(swq_async_net *net, uint32_t node, int q)
{
    const uint32_t port = net->fabric->entry[node], now = net->cycle;
    swq_parcel p = take_head(net, node, q);
    const uint32_t tail = now + net->hop_delay + p.bytes - 1;

    if (net->watch && net->watch->started) {
        const swq_start start = swq_interface_start(net, &p);
        net->watch->started(net->watch->arg, &start);
    }
    swq_probe_departs(&net->system, 1);
    swq_count_sent(net, node, p.bytes);
    if (net->scheme)
        swq_scheme_sent(net, node, p.to, p.bytes);
    net->moving = p.ready;
    p.ready = net->cut_through ? now + net->hop_delay : tail;
    net->port[port].link_free = net->interfaces.each[node].link_free;
    net->kernel->enter(net, port, &p, tail);
}

void swq_interface_turn(swq_async_net *net, uint32_t node)
{
    swq_interface *i = &net->interfaces.each[node];

    if (i->packets > 0 && i->link_free <= net->cycle) {
        const int q = next_queue(net, node);
        if (q >= 0)
            send(net, node, q);
    }
    if (i->packets > 0 && i->link_free > net->cycle)
        swq_wheel_set(&net->senders, i->link_free, node);
    if (i->slot_free > net->cycle) /* the sender may be waiting for the slot */
        swq_wheel_set(&net->senders, i->slot_free, node);
}

/* ---- counting ---- */

void swq_interfaces_audit(const swq_async_net *net, uint64_t *packets, uint64_t *age,
                          uint64_t *bytes)
{
    const swq_interfaces *all = &net->interfaces;

    for (uint32_t node = 0; all->queues > 0 && node < net->fabric->nodes; node++) {
        const swq_interface_queue *queue = queues_of(all, node);
        const swq_parcel *store = parcels_of(all, node);
        for (int q = 0; q < all->queues; q++) {
            uint16_t slot = queue[q].head;
            for (int left = queue[q].packets; left > 0; left--, slot = store[slot].next) {
                ++*packets;
                *age += net->cycle - store[slot].birth;
                *bytes += store[slot].bytes;
            }
        }
    }
}
