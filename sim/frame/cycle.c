/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cycle of an asynchronous network, or of a share of one.
 */
#include "base/fetch.h"
#include "sim/frame/interfaces.h"
#include "sim/frame/schemes.h"
#include "sim/frame/shares.h"

/* ---- senders ---- */

enum {
    BATCH = 32, /* senders that take their turns together, for the reason given in turn_fetch.h */
    WORTH_FETCHING = 4
};

typedef struct {
    void (*turn)(swq_async_net *net, uint32_t sender);
    int count;
    uint32_t sender[BATCH];
} sender_batch;

/* The store that a sender sends to. */
static uint32_t entry_of(const swq_async_net *net, uint32_t sender)
{
    return net->fabric->entry[sender];
}

/* The output that the next packet of a sender goes by. */
static const swq_port *output_of(const swq_async_net *net, uint32_t sender)
{
    const swq_fabric *f = net->fabric;
    const uint32_t port = entry_of(net, sender);
    const uint8_t *output = &f->output[port * (size_t)f->classes];

    return &net->port[port - port % (uint32_t)net->ports +
                      output[net->sender[sender].packet_class]];
}

static void fetch_senders(const swq_async_net *net, const sender_batch *b)
{
    for (int k = 0; k < b->count; k++) {
        const uint32_t port = entry_of(net, b->sender[k]);
        swq_fetch(&net->sender[b->sender[k]]);
        swq_fetch(&net->port[port]);
        swq_fetch(swq_queues_of(net, port));
        swq_fetch(swq_queues_of(net, port) + net->queues - 1);
    }
    for (int k = 0; k < b->count; k++) {
        const uint32_t port = entry_of(net, b->sender[k]);
        swq_fetch(&swq_parcels_of(net, port)[net->port[port].free_slot]);
        swq_fetch(output_of(net, b->sender[k]));
    }
}

/* Lets each sender of a batch take its turn, and empties the batch. */
static void turn_senders(swq_async_net *net, sender_batch *b)
{
    if (net->far && b->count >= WORTH_FETCHING)
        fetch_senders(net, b);
    for (int k = 0; k < b->count; k++)
        b->turn(net, b->sender[k]);
    b->count = 0;
}

/* Looks at all senders that are due. Events that follow from this are due in later cycles. */
static void look_at_senders(swq_async_net *net)
{
    sender_batch b;
    swq_wheel_due due = swq_wheel_begin(&net->senders, net->cycle);

    b.turn = net->pieces.piece            ? swq_sender_piece_turn
             : net->interfaces.queues > 0 ? swq_sender_interface_turn
                                          : swq_sender_turn;
    b.count = 0;
    for (uint64_t set; (set = swq_wheel_take(&due)) != 0;) {
        for (; set; set &= set - 1) {
            b.sender[b.count++] = due.word * 64 + (uint32_t)__builtin_ctzll(set);
            if (b.count == BATCH)
                turn_senders(net, &b);
        }
    }
    turn_senders(net, &b);
}

/* ---- the cycle ---- */

/* At the end of a share's cycle: waits for the other shares, and takes in their news. */
static void exchange(swq_async_net *net)
{
    swq_border *b = net->share.border;

    swq_barrier_meet(&b->meet);
    for (int from = 0; from < b->shares; from++) {
        swq_box *box = swq_box_of(b, net->cycle, from, net->share.number);
        for (uint32_t k = 0; k < box->comings; k++) {
            const swq_coming *news = &box->coming[k];
            net->port[news->port].link_free = news->link_free;
            net->kernel->enter(net, news->port, &news->parcel, news->tail);
        }
        for (uint32_t k = 0; k < box->partings; k++)
            net->kernel->parted(net, &box->parting[k]);
        box->comings = box->partings = 0;
    }
}

static void count_cycle(swq_async_net *net)
{
    swq_system *s = &net->system;
    const uint64_t population = swq_probe_cycle(s);

    s->drained = net->spec->traffic.trace && population == 0 && net->pieces.unfinished == 0 &&
                 net->messages_sent == net->spec->traffic.trace_messages;
}

uint64_t swq_async_net_cycles(swq_async_net *net, uint64_t cycles)
{
    uint64_t done = 0;

    while (done < cycles && !net->system.drained) {
        if (net->managed.notices.flying)
            swq_managed_notices(net);
        if (net->acks)
            net->kernel->answer(net);
        if (net->scheme)
            swq_scheme_cycle(net);
        look_at_senders(net);
        net->kernel->look_at_units(net);
        if (net->managed.changes)
            swq_managed_settle(net);
        if (net->share.border)
            exchange(net);
        count_cycle(net);
        if (net->frame)
            swq_watch_cycle(net);
        net->cycle++;
        done++;
    }
    return done;
}
