/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Flow controls whose senders know of a buffer only what has come back to them: credits, and stop
 * and go. A sender asks them, and not the next input store itself, whether that store has room;
 * credit_rules.c says which options they take.
 *
 * Nothing is sent back as an event. As a packet's transmission begins, it is settled how much
 * memory the packet frees and when. So a list of the packets that have left a store lately says
 * what the store's sender knows, a delay later; and a sender that finds a store closed is told the
 * cycle in which it will see the store open.
 */
#include "base/context.h"
#include "models/buffers/buffers.h"
#include "sim/flows/flows.h"
#include "sim/frame/flow.h"
#include "sim/frame/net.h"

/* A packet that has left a store. */
typedef struct swq_gone {
    swq_leaving leaving;
    uint16_t queue;
    uint16_t bytes; /* if its blocks are freed evenly, as in left_bytes; else 0 */
} swq_gone;

/* For an input store: the packets that have left it and whose blocks are not all back, as its
 * sender (with stop and go: the store itself) knows. */
typedef struct swq_account {
    uint16_t first, count; /* a ring */
    uint32_t blocks;       /* blocks that these packets took */
    uint32_t known;        /* stop and go: the cycle up to which signals are settled */
} swq_account;

/* Stop and go: what a store, or one of its queues, signals to its sender. */
typedef struct swq_signal {
    uint32_t first, count; /* a ring: cycles of changes that the sender does not know yet */
    bool stopped;          /* in the view of the store ... */
    bool told;             /* ... and of the sender */
} swq_signal;

struct swq_credits {
    swq_gone *gone;       /* [inputs * places] */
    swq_account *account; /* [inputs] */
    swq_port_set
        *refused;       /* [inputs * words] sets of the queues that the sender has found closed */
    swq_signal *signal; /* [inputs * signals]; NULL: credits */
    uint32_t *change;   /* [inputs * signals * changes] */
    uint32_t places;    /* packets that a buffer holds, plus one for each read port, since a packet
                           that has freed only some of its blocks still has a place */
    uint32_t signals, changes;
    uint32_t *delay; /* [inputs] cycles until the sender hears */
    int words;       /* of a set of queues */
};

/* Cycles as signed numbers: a delay before the first cycle the store was empty. */
typedef int64_t moment;

/* Cycles until the sender of a store hears. */
static inline moment delay_from(const swq_async_net *net, uint32_t port)
{
    return net->credits->delay[port];
}

/* ---- the past contents of a store ---- */

static swq_gone *gone_at(const swq_async_net *net, uint32_t port, uint32_t k)
{
    const swq_credits *c = net->credits;
    const uint32_t at = c->account[port].first + k;

    return &c->gone[(size_t)port * c->places + (at < c->places ? at : at - c->places)];
}

/* For functions of two forms, one of which knows blocks that are freed evenly. */
#define FORMS  static inline __attribute__((always_inline))
#define RARELY static __attribute__((noinline, cold))

/* Blocks that a packet still held at `when`, if it has begun to leave since or was leaving then. */
FORMS uint32_t held_at(const swq_async_net *net, const swq_gone *g, moment when, bool evenly)
{
    const swq_leaving *l = &g->leaving;
    const moment gone = when - (moment)l->cycle;

    if (gone < 0)
        return l->blocks;
    if (evenly && g->bytes)
        return swq_left_evenly(l, (uint32_t)when, g->bytes, net->block);
    return gone >= l->held ? 0 : l->blocks - (uint32_t)gone / net->step[0];
}

/* Blocks of queue `queue` of a store, or of all queues (-1), that had not been freed at `when`. All
 * packets that have come count, whenever they came. */
FORMS uint32_t sum_at(const swq_async_net *net, uint32_t port, int queue, moment when, bool evenly)
{
    const swq_account *a = &net->credits->account[port];
    uint32_t sum = queue < 0 ? net->port[port].blocks : swq_queues_of(net, port)[queue].blocks;

    for (uint32_t k = 0; k < a->count; k++) {
        const swq_gone *g = gone_at(net, port, k);
        if (queue < 0 || g->queue == (uint32_t)queue)
            sum += held_at(net, g, when, evenly);
    }
    return sum;
}

RARELY uint32_t sum_evenly(const swq_async_net *net, uint32_t port, int queue, moment when)
{
    return sum_at(net, port, queue, when, true);
}

static uint32_t blocks_at(const swq_async_net *net, uint32_t port, int queue, moment when)
{
    return net->left_bytes ? sum_evenly(net, port, queue, when)
                           : sum_at(net, port, queue, when, false);
}

/* The moment at which everything that has begun to leave has been freed. */
static moment all_freed(const swq_async_net *net, uint32_t port)
{
    moment last = 0;

    for (uint32_t k = 0; k < net->credits->account[port].count; k++) {
        const swq_leaving *l = &gone_at(net, port, k)->leaving;
        const moment end = (moment)l->cycle + l->held;
        last = end > last ? end : last;
    }
    return last;
}

/* Drops the packets that have freed all their memory by `when`. With several read ports a packet
 * may have freed its memory before a packet that began to leave earlier; such a packet is
 * dropped only when the ring is full. */
FORMS void drop(swq_async_net *net, uint32_t port, moment when, bool evenly)
{
    const uint32_t places = net->credits->places;
    swq_account *a = &net->credits->account[port];
    uint16_t kept = 0;

    while (a->count && held_at(net, gone_at(net, port, 0), when, evenly) == 0) {
        a->blocks -= gone_at(net, port, 0)->leaving.blocks;
        a->first = (uint16_t)(a->first + 1u < places ? a->first + 1 : 0);
        a->count--;
    }
    for (uint32_t k = 0; a->count == places && k < places; k++) {
        const swq_gone g = *gone_at(net, port, k);
        if (held_at(net, &g, when, evenly))
            *gone_at(net, port, kept++) = g;
        else
            a->blocks -= g.leaving.blocks;
    }
    if (a->count == places)
        a->count = kept;
}

RARELY void drop_evenly(swq_async_net *net, uint32_t port, moment when)
{
    drop(net, port, when, true);
}

static void forget(swq_async_net *net, uint32_t port, moment when)
{
    if (net->left_bytes)
        drop_evenly(net, port, when);
    else
        drop(net, port, when, false);
}

static void remember(swq_async_net *net, uint32_t port, int q, const swq_leaving *leaving)
{
    swq_account *a = &net->credits->account[port];

    const uint16_t bytes = net->left_bytes ? *swq_left_bytes(net, port, q) : 0;

    *gone_at(net, port, a->count++) = (swq_gone){*leaving, (uint16_t)q, bytes};
    a->blocks += leaving->blocks;
}

/* ---- credits ---- */

SWQ_INLINE bool room_by_rule(const swq_async_net *net, uint32_t port, int q, moment when)
{
    uint16_t length[SWQ_MAX_PORTS];
    int k = 0;

    do /* a buffer has a queue at least */
        length[k] = (uint16_t)blocks_at(net, port, k, when);
    while (++k < net->queues);
    return swq_buffer_room(&net->spec->memory.buffer, net->queues, length, q, net->packet);
}

/* Are there credits for a packet of the greatest length, counting blocks freed up to that
 * moment? */
static bool room_at(const swq_async_net *net, uint32_t port, int q, moment when)
{
    const swq_admission *a = &net->admission[0];

    if (a->by_rule)
        return room_by_rule(net, port, q, when);
    if (a->pooled &&
        net->port[port].blocks + net->credits->account[port].blocks > (uint32_t)a->room &&
        blocks_at(net, port, -1, when) > (uint32_t)a->room)
        return false;
    return !a->limited || blocks_at(net, port, q, when) <= (uint32_t)a->limit;
}

/* ---- stop and go ---- */

static swq_signal *signal_of(const swq_async_net *net, uint32_t port, uint32_t k)
{
    return &net->credits->signal[(size_t)port * net->credits->signals + k];
}

static uint32_t *change_of(const swq_async_net *net, const swq_signal *s, uint32_t k)
{
    const swq_credits *c = net->credits;

    return &c->change[(size_t)(s - c->signal) * c->changes + (s->first + k) % c->changes];
}

/* The queue that a signal belongs to; -1: all queues. */
static int queue_at(const swq_async_net *net, uint32_t k)
{
    return net->credits->signals == 1 ? -1 : (int)k;
}

/* The sender hears of the changes up to that moment. */
static void hear(const swq_async_net *net, swq_signal *s, moment until)
{
    while (s->count && (moment)*change_of(net, s, 0) <= until) {
        s->first = (s->first + 1) % net->credits->changes;
        s->count--;
        s->told = !s->told;
    }
}

static void change(const swq_async_net *net, swq_signal *s, moment when)
{
    *change_of(net, s, s->count++) = (uint32_t)when;
    s->stopped = !s->stopped;
}

/* The first moment after `from`, up to `until`, at which a store holds at most that many blocks if
 * no packet comes any more; until + 1: none. */
static moment first_at_most(const swq_async_net *net, uint32_t port, int queue, uint32_t blocks,
                            moment from, moment until)
{
    if (blocks_at(net, port, queue, until) > blocks)
        return until + 1;
    while (until - from > 1) {
        const moment middle = from + (until - from) / 2;
        if (blocks_at(net, port, queue, middle) > blocks)
            from = middle;
        else
            until = middle;
    }
    return until;
}

/* Brings a signal from the cycle up to which it is settled to `now`. No packet has come since,
 * except in the first of these cycles, and it counts from the next cycle on; so occupancy can
 * only have fallen. */
static void settle_signal(const swq_async_net *net, uint32_t port, uint32_t k, moment now)
{
    const moment known = net->credits->account[port].known;
    const uint32_t stop = (uint32_t)net->spec->flow.stop, go = (uint32_t)net->spec->flow.go;
    swq_signal *s = signal_of(net, port, k);
    const int queue = queue_at(net, k);

    hear(net, s, now - delay_from(net, port));
    if (!s->stopped && blocks_at(net, port, queue, known + 1) >= stop)
        change(net, s, known + 1);
    if (s->stopped) {
        const moment when = first_at_most(net, port, queue, go, known, now);
        if (when <= now)
            change(net, s, when);
    }
    hear(net, s, now - delay_from(net, port));
}

static void settle(const swq_async_net *net, uint32_t port)
{
    swq_account *a = &net->credits->account[port];

    if (a->known == net->cycle)
        return;
    for (uint32_t k = 0; k < net->credits->signals; k++)
        settle_signal(net, port, k, net->cycle);
    a->known = net->cycle;
}

static swq_signal *signal_for(const swq_async_net *net, uint32_t port, int q)
{
    return signal_of(net, port, net->credits->signals == 1 ? 0 : (uint32_t)q);
}

/* Once all signals have arrived, will the sender of queue q have been stopped for good, if nothing
 * leaves any more? */
static swq_closure stays_stopped(swq_async_net *net, uint32_t port, int q)
{
    const int queue = net->credits->signals == 1 ? -1 : q;
    const uint32_t waiting =
        queue < 0 ? net->port[port].blocks : swq_queues_of(net, port)[queue].blocks;

    settle(net, port);
    if (waiting <= (uint32_t)net->spec->flow.go || !signal_for(net, port, q)->stopped)
        return SWQ_QUEUE_OPENS;
    return queue < 0 ? SWQ_STORE_STUCK : SWQ_QUEUE_STUCK;
}

/* ---- asking and telling ---- */

static bool open_now(const swq_async_net *net, uint32_t port, int q)
{
    if (net->credits->signal)
        return !signal_for(net, port, q)->told;
    return room_at(net, port, q, (moment)net->cycle - delay_from(net, port));
}

/* The moment from which the buffer has room, which its sender will know a delay later; `none` if
 * the packets that have begun to leave do not suffice. */
static moment room_from(const swq_async_net *net, uint32_t port, int q, moment none)
{
    moment from = (moment)net->cycle - delay_from(net, port), until = all_freed(net, port);

    if (!room_at(net, port, q, until))
        return none;
    while (until - from > 1) {
        const moment middle = from + (until - from) / 2;
        if (room_at(net, port, q, middle))
            until = middle;
        else
            from = middle;
    }
    return until;
}

/* The moment of the next go signal. */
static moment goes_from(const swq_async_net *net, uint32_t port, int q, moment none)
{
    const swq_signal *s = signal_for(net, port, q);
    const moment until = all_freed(net, port), now = net->cycle;

    if (s->count)
        return *change_of(net, s, 0);
    if (until <= now)
        return none;
    const moment when = first_at_most(net, port, net->credits->signals == 1 ? -1 : q,
                                      (uint32_t)net->spec->flow.go, now, until);
    return when <= until ? when : none;
}

/* Wakes the sender of a closed queue at the time when it will know of room. */
static void wake(swq_async_net *net, uint32_t port, int q)
{
    const moment none = -1 - (moment)SWQ_NEVER;
    const moment when =
        net->credits->signal ? goes_from(net, port, q, none) : room_from(net, port, q, none);

    if (when != none)
        swq_wake_feeder(net, (uint32_t)(when + delay_from(net, port)), net->port[port].feeder);
}

static swq_port_set *refused_at(const swq_credits *c, uint32_t port)
{
    return c->refused + (size_t)port * (size_t)c->words;
}

/* Does the sender know of room? */
static bool credits_open(swq_async_net *net, uint32_t port, int q)
{
    const swq_credits *c = net->credits;

    if (c->signal)
        settle(net, port);
    if (open_now(net, port, q)) {
        swq_port_set_take(refused_at(c, port), (uint32_t)q, c->words);
        return true;
    }
    swq_port_set_put(refused_at(c, port), (uint32_t)q, true, c->words);
    wake(net, port, q);
    return false;
}

static void settle_store(swq_async_net *net, uint32_t port, int q)
{
    (void)q;
    if (net->credits->signal)
        settle(net, port);
}

static void leave(swq_async_net *net, uint32_t port, int q, const swq_leaving *leaving)
{
    swq_port_set *refused = refused_at(net->credits, port);
    const int words = net->credits->words;
    uint32_t k;

    /* signals have been settled up to now */
    forget(net, port, (moment)net->cycle - (net->credits->signal ? 0 : delay_from(net, port)));
    remember(net, port, q, leaving);
    SWQ_EACH_PORT (k, refused, words) {
        if (open_now(net, port, (int)k))
            swq_port_set_take(refused, k, words);
        else
            wake(net, port, (int)k);
    }
}

/* ---- beginning and end ---- */

static void list_changing(const swq_async_net *net, swq_credits *c, swq_arrays *list)
{
    const double inputs = net->inputs, signals = inputs * c->signals;

    *list = (swq_arrays){0};
    SWQ_ARRAY(list, c->gone, inputs * c->places);
    SWQ_ARRAY(list, c->account, inputs);
    SWQ_ARRAY(list, c->refused, inputs * c->words);
    SWQ_ARRAY(list, c->signal, signals);
    SWQ_ARRAY(list, c->change, signals * c->changes);
}

static void list_arrays(const swq_async_net *net, swq_credits *c, swq_arrays *list)
{
    list_changing(net, c, list);
    SWQ_ARRAY(list, c->delay, net->inputs);
}

/* Upper bounds: a stop signal follows the arrival of a packet, and packets are spaced; there is a
 * go for each stop. */
static swq_credits sizes(const swq_async_net *net)
{
    const swq_async *n = net->spec;
    swq_credits c = {.words = net->queues > 64 ? SWQ_PORT_SET_WIDE : 1,
                     .places = (uint32_t)(net->slots + (net->each_queue ? net->queues : 1))};

    if (n->flow.row->stop_go) {
        const uint32_t apart = (uint32_t)(swq_async_shortest(n) + n->link.rest);
        c.signals = swq_buffer_partitioned(&n->memory.buffer) ? (uint32_t)net->queues : 1;
        c.changes = 2 * ((uint32_t)n->flow.credit_delay / apart + 2);
    }
    return c;
}

static double bytes(const swq_async_net *net)
{
    swq_credits c = sizes(net);
    swq_arrays list;

    list_arrays(net, &c, &list);
    return sizeof c + swq_arrays_bytes(&list);
}

/* A wire that is longer than one of the hop delay's cycles is as long for what is told. */
static void set_delays(swq_async_net *net)
{
    const swq_fabric *f = net->fabric;
    const swq_timing *own = net->link_timing;
    uint32_t *delay = net->credits->delay;

    for (uint32_t port = 0; port < net->inputs; port++)
        delay[port] = (uint32_t)net->spec->flow.credit_delay;
    for (uint32_t node = 0; own && node < f->nodes; node++)
        delay[f->entry[node]] += own[f->entry[node]].delay - net->hop_delay;
    for (uint32_t out = 0; own && out < net->inputs; out++) {
        if (!(f->link[out] & SWQ_TO_NODE)) /* SWQ_NO_WHERE has this bit set, too */
            delay[f->link[out]] += own[out].delay - net->hop_delay;
    }
}

static swq_status make(swq_context *ctx, swq_async_net *net)
{
    swq_arrays list;

    net->credits = swq_calloc(ctx, 1, sizeof *net->credits);
    if (!net->credits)
        return swq_memory_status(ctx);
    *net->credits = sizes(net);
    list_arrays(net, net->credits, &list);
    const swq_status status = swq_arrays_take(ctx, &list);
    if (!status)
        set_delays(net);
    return status;
}

static void release(swq_context *ctx, swq_async_net *net)
{
    swq_arrays list;

    if (!net->credits)
        return;
    list_arrays(net, net->credits, &list);
    swq_arrays_free(ctx, &list);
    swq_free(ctx, net->credits);
    net->credits = NULL;
}

static uint32_t ahead(const swq_async *spec)
{
    return (uint32_t)spec->flow.credit_delay;
}

static void keep(swq_async_net *net, swq_state *state)
{
    swq_arrays list;

    list_changing(net, net->credits, &list);
    swq_state_add_arrays(state, &list);
}

/* ---- rows ---- */

static const swq_flow_hooks credit_hooks = {
    .check = swq_credits_check,
    .ahead = ahead,
    .bytes = bytes,
    .make = make,
    .free = release,
    .keep = keep,
    .open = credits_open,
    .in_place = true,
    .settle = settle_store,
    .leave = leave,
};

static const swq_flow_hooks stop_go_hooks = {
    .check = swq_credits_check,
    .ahead = ahead,
    .bytes = bytes,
    .make = make,
    .free = release,
    .keep = keep,
    .open = credits_open,
    .in_place = true,
    .settle = settle_store,
    .leave = leave,
    .stuck = stays_stopped,
};

const swq_hop_flow swq_flow_credits = {
    .name = "credits",
    .summary = "a sender knows the room in a buffer by the credits that have come back",
    .source = "Kung and Chapman (1993); Dally and Towles (2004), 13.3.1",
    .credits = true,
    .engines = SWQ_ENGINE_ASYNC,
    .hooks = &credit_hooks,
};

const swq_hop_flow swq_flow_stop_go = {
    .name = "stop-go",
    .summary = "a buffer tells its sender to stop at one occupancy, and to go on at a lower one",
    .source = "Dally and Towles (2004), 13.3.2, on/off flow control; Myrinet (Boden et al., 1995)",
    .stop_go = true,
    .engines = SWQ_ENGINE_ASYNC,
    .hooks = &stop_go_hooks,
};
