/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cycle of an asynchronous network, or of a share of one.
 * Room: sim.
 */
#include "sim/async/interfaces.h"
#include "sim/async/senders/schemes.h"
#include "sim/async/shares.h"

/* Looks at everything that is due; what this brings about is due in later cycles. */
static void look_at_senders(swq_async_net *net)
{
    void (*const turn)(swq_async_net *, uint32_t) = net->pieces.piece ? swq_sender_piece_turn
                                                    : net->interfaces.queues > 0
                                                        ? swq_sender_interface_turn
                                                        : swq_sender_turn;

    uint64_t *slot = swq_wheel_slot(&net->senders, net->cycle);
    uint32_t head = 0, word = 0;

    for (uint64_t set; (set = swq_wheel_take(&net->senders, slot, &head, &word)) != 0;) {
        for (; set; set &= set - 1)
            turn(net, word * 64 + (uint32_t)__builtin_ctzll(set));
    }
}

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
    uint64_t population = s->waiting;

    for (int k = 0; k < s->levels; k++) {
        population += net->inside[k];
        s->tally[swq_tally_stage(k) + SWQ_STAGE_OCCUPANCY] += net->inside[k];
    }
    s->tally[SWQ_NET_WAITING] += s->waiting;
    s->tally[SWQ_NET_POPULATION] += population;
    s->area += population;
    s->drained = net->spec->trace && population == 0 && net->pieces.unfinished == 0 &&
                 net->messages_sent == net->spec->trace_messages;
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
