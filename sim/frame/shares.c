/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cutting an asynchronous network into shares, their threads, and their news. The calling thread
 * has the first share, on the network itself. Threads start once and wait between calls.
 */
#include "sim/frame/shares.h"

#include "base/context.h"
#include "base/statistics.h"

#include <string.h>

enum {
    LEAST = 1024, /* switches of a share: some five microseconds of work per cycle at medium load */
    PORT = 3,     /* work of a port of a switch ... */
    SENDER = 4    /* ... and of a sender, at medium load */
};

typedef struct {
    swq_async_net *net; /* with its own counters, wheels and dice; NULL: not made yet */
    pthread_t thread;
    struct swq_async_shares *all;
} async_helper;

struct swq_async_shares {
    swq_async_net *net;
    int helpers;
    async_helper *helper;
    swq_border border;
    uint64_t cycles;          /* cycles to run; 0: the end */
    pthread_mutex_t starting; /* held until all threads have been started, or cannot be */
    bool given_up;
};

int swq_async_shares_of(const swq_async_net *net, int threads)
{
    const uint32_t least = net->stores ? net->stores->least_switches : LEAST;
    const uint32_t most = least ? net->fabric->switches / least : 0;
    /* not with traces, whose end only a whole network knows, nor with nodes' own histograms, which
     * count the packets of all shares */
    const bool lets =
        net->stores ? net->stores->divisible && net->stores->divisible(net) : !net->keeps_at_nodes;
    const bool apart =
        net->kernel->shared && lets && !net->spec->traffic.trace && !net->system.options->per_node;

    if (!apart || most < 2 || threads < 2)
        return 1;
    return (uint32_t)threads < most ? threads : (int)most;
}

/* ---- cutting ---- */

/* The first switch of each share, and the end. */
typedef struct {
    int shares;
    uint32_t first[SWQ_MAX_THREADS + 1];
} cuts;

/* The work of the switches before switch `sw`, and of the senders before them. */
static uint64_t work_before(const swq_fabric *f, uint32_t sw)
{
    const uint32_t first = sw * (uint32_t)f->ports;
    uint64_t work = (uint64_t)PORT * first;

    for (uint32_t i = 0; i < f->nodes; i++)
        work += f->entry[i] < first ? SENDER : 0;
    return work;
}

/* The first switch, not before `least`, such that the switches before it have at least `work`
 * work. */
static uint32_t switch_after(const swq_fabric *f, uint64_t work, uint32_t least)
{
    uint32_t most = f->switches;

    while (least < most) {
        const uint32_t middle = least + (most - least) / 2;
        if (work_before(f, middle) < work)
            least = middle + 1;
        else
            most = middle;
    }
    return least;
}

static cuts cut(const swq_fabric *f, int shares)
{
    const uint64_t all = work_before(f, f->switches);
    cuts c = {.shares = shares};

    for (int k = 1; k < shares; k++) {
        /* leaves at least one for each share to come */
        const uint32_t most = f->switches - (uint32_t)(shares - k);
        const uint32_t at =
            switch_after(f, all * (uint64_t)k / (uint64_t)shares, c.first[k - 1] + 1);
        c.first[k] = at < most ? at : most;
    }
    c.first[shares] = f->switches;
    return c;
}

static int share_of(const cuts *c, uint32_t sw)
{
    int least = 0, most = c->shares;

    while (most - least > 1) {
        const int middle = least + (most - least) / 2;
        if (c->first[middle] <= sw)
            least = middle;
        else
            most = middle;
    }
    return least;
}

/* Does the link of that output lead to a store of another share? If so, sets the two shares. */
static bool crosses(const swq_fabric *f, const cuts *c, uint32_t out, int *from, int *to)
{
    if (f->link[out] & SWQ_TO_NODE) /* SWQ_NO_WHERE has this bit set, too */
        return false;
    *from = share_of(c, out / (uint32_t)f->ports);
    *to = share_of(c, f->link[out] / (uint32_t)f->ports);
    return *from != *to;
}

static uint32_t count_border(const swq_fabric *f, const cuts *c)
{
    const uint32_t outputs = f->switches * (uint32_t)f->ports;
    uint32_t stores = 0;
    int from, to;

    for (uint32_t out = 0; out < outputs; out++)
        stores += crosses(f, c, out, &from, &to);
    return stores;
}

/* ---- memory ---- */

/* The most packets that can begin to leave a store in a cycle. */
static uint32_t readers(const swq_async_net *net)
{
    return net->each_queue ? (uint32_t)net->queues : 1;
}

static void list_border(const swq_async_net *net, swq_border *b, swq_arrays *list)
{
    const double stores = b->stores, queues = stores * b->queues;

    *list = (swq_arrays){0};
    SWQ_ARRAY(list, b->place, net->stores ? 0 : net->inputs);
    SWQ_ARRAY(list, b->port, stores);
    SWQ_ARRAY(list, b->queue, queues);
    SWQ_ARRAY(list, b->reader, net->each_queue ? queues : 0);
    SWQ_ARRAY(list, b->owner, stores);
    SWQ_ARRAY(list, b->feeder, stores);
    SWQ_ARRAY(list, b->coming, 2 * stores);
    SWQ_ARRAY(list, b->parting, 2 * stores * readers(net));
    SWQ_ARRAY(list, b->box, 2.0 * b->shares * b->shares);
}

static swq_border border_of(const swq_async_net *net, const cuts *c)
{
    return (swq_border){.shares = c->shares,
                        .queues = net->queues,
                        .stores = net->stores ? 0 : count_border(net->fabric, c)};
}

/* The number of bits of a share's wheel: see swq_due_input. Sets the place where the bits of the
 * share's links begin. */
static uint32_t wheel_bits(swq_async_net *share)
{
    const uint32_t switches = share->share.inputs / (uint32_t)share->ports;

    share->links_due = ((switches << share->unit_shift) + 63) / 64 * 64;
    return share->links_due + (share->output_stores ? 2 * share->share.inputs : 0);
}

static void set_share(swq_async_net *net, swq_border *border, const cuts *c, int k)
{
    net->share = (swq_async_share){.first_switch = c->first[k],
                                   .first = c->first[k] * (uint32_t)net->ports,
                                   .inputs = (c->first[k + 1] - c->first[k]) * (uint32_t)net->ports,
                                   .border = border,
                                   .number = k};
}

/* Bytes of a network's struct with its architecture's own state behind it. */
static double net_bytes(const swq_async_net *net)
{
    return (double)sizeof *net + (net->stores ? (double)net->stores->state : 0);
}

double swq_async_shares_bytes(const swq_async_net *net, int shares)
{
    if (shares < 2)
        return 0;
    const cuts c = cut(net->fabric, shares);
    swq_border border = border_of(net, &c);
    swq_arrays list;
    double bytes = sizeof(struct swq_async_shares);

    list_border(net, &border, &list);
    bytes += swq_arrays_bytes(&list);
    for (int k = 1; k < shares; k++) {
        swq_async_net share = *net;
        set_share(&share, &border, &c, k);
        bytes += sizeof(async_helper) + net_bytes(net) + swq_system_share_bytes(&net->system) +
                 (net->stores ? net->stores->share_bytes(net) : 0) +
                 swq_wheel_bytes(wheel_bits(&share), net->wheel.slots - 1) +
                 swq_wheel_bytes(net->fabric->nodes, net->senders.slots - 1);
    }
    return bytes;
}

/* Makes a copy of the network for share k, with all arrays that a share has for itself. */
static swq_status furnish(swq_context *ctx, struct swq_async_shares *s, const cuts *c, int k)
{
    async_helper *h = &s->helper[k - 1];
    swq_async_net *share = swq_calloc(ctx, 1, (size_t)net_bytes(s->net));

    if (!share)
        return swq_memory_status(ctx);
    *share = *s->net;
    h->net = share;
    h->all = s;
    share->wheel.bits = share->senders.bits = NULL;
    swq_status status = swq_system_share(ctx, &share->system);
    if (status)
        return status;
    share->kernel = share->kernel->shared;
    share->rng = (gsl_rng){swq_switch_rng, &share->switch_stream};
    swq_dice_begin_sampling(&share->dice, &share->rng);
    set_share(share, &s->border, c, k);
    status = swq_wheel_new(ctx, wheel_bits(share), s->net->wheel.slots - 1, &share->wheel);
    if (!status)
        status =
            swq_wheel_new(ctx, share->fabric->nodes, s->net->senders.slots - 1, &share->senders);
    if (!status && share->stores)
        status = share->stores->share(ctx, s->net, share);
    return status;
}

static void free_all(swq_context *ctx, struct swq_async_shares *s, int shares)
{
    swq_arrays list;

    for (int k = 0; k < shares - 1 && s->helper; k++) {
        swq_async_net *share = s->helper[k].net;
        if (!share)
            continue;
        if (share->stores)
            share->stores->unshare(ctx, share);
        swq_system_free_share(ctx, &share->system);
        swq_wheel_free(ctx, &share->wheel);
        swq_wheel_free(ctx, &share->senders);
        swq_free(ctx, share);
    }
    list_border(s->net, &s->border, &list);
    swq_arrays_free(ctx, &list);
    swq_free(ctx, s->helper);
    swq_free(ctx, s);
}

static swq_status take_memory(swq_context *ctx, struct swq_async_shares *s, const cuts *c)
{
    swq_arrays list;

    s->border = border_of(s->net, c);
    list_border(s->net, &s->border, &list);
    swq_status status = swq_arrays_take(ctx, &list);
    if (!status) {
        s->helper = swq_calloc(ctx, (size_t)c->shares - 1, sizeof *s->helper);
        status = s->helper ? SWQ_OK : swq_memory_status(ctx);
    }
    for (int k = 1; k < c->shares && !status; k++)
        status = furnish(ctx, s, c, k);
    return status;
}

/* ---- the border ---- */

/* Numbers the stores at the border, which are empty, and makes the boxes large enough for the news
 * of a cycle. */
static void lay_out_border(const swq_async_net *net, swq_border *b, const cuts *c)
{
    const swq_fabric *f = net->fabric;
    uint32_t stores = 0, comings = 0, partings = 0;
    int from, to;

    for (uint32_t out = 0; out < net->inputs && b->stores > 0; out++) {
        if (!crosses(f, c, out, &from, &to))
            continue;
        const uint32_t store = f->link[out];
        b->place[store] = stores;
        b->owner[stores] = (uint16_t)to;
        b->feeder[stores] = (uint16_t)from;
        b->port[stores] = net->port[store];
        for (int q = 0; q < net->queues && net->each_queue; q++)
            swq_border_readers(b, store)[q].queue = (uint32_t)q;
        swq_box_of(b, 0, from, to)->comings++;
        swq_box_of(b, 0, to, from)->partings += readers(net);
        stores++;
    }
    const int half = b->shares * b->shares;
    for (int k = 0; k < half; k++) {
        swq_box *box = &b->box[k];
        b->box[half + k] = (swq_box){.coming = b->coming + stores + comings,
                                     .parting = b->parting + stores * readers(net) + partings};
        box->coming = b->coming + comings;
        box->parting = b->parting + partings;
        comings += box->comings;
        partings += box->partings;
        box->comings = box->partings = 0;
    }
}

/* ---- threads ---- */

static void *help(void *arg)
{
    async_helper *h = arg;
    struct swq_async_shares *s = h->all;

    pthread_mutex_lock(&s->starting);
    const bool given_up = s->given_up;
    pthread_mutex_unlock(&s->starting);
    while (!given_up) {
        swq_barrier_meet(&s->border.meet);
        if (s->cycles == 0)
            break;
        swq_async_net_cycles(h->net, s->cycles);
        swq_barrier_meet(&s->border.meet);
    }
    return NULL;
}

static void join(struct swq_async_shares *s)
{
    for (int k = 0; k < s->helpers; k++)
        pthread_join(s->helper[k].thread, NULL);
    pthread_mutex_destroy(&s->starting);
    swq_barrier_clear(&s->border.meet);
}

/* Starts all threads; false if that is impossible. The threads wait for the lock s->starting, which
 * the caller holds. */
static bool start_threads(struct swq_async_shares *s, int shares)
{
    swq_barrier_init(&s->border.meet, (unsigned)shares);
    pthread_mutex_init(&s->starting, NULL);
    pthread_mutex_lock(&s->starting);
    while (s->helpers < shares - 1 &&
           pthread_create(&s->helper[s->helpers].thread, NULL, help, &s->helper[s->helpers]) == 0)
        s->helpers++;
    return s->helpers == shares - 1;
}

/* Divides the network, whose struct becomes the first share's. */
static void divide(struct swq_async_shares *s, const cuts *c)
{
    swq_async_net *net = s->net;
    const swq_fabric *f = net->fabric;

    set_share(net, &s->border, c, 0);
    (void)wheel_bits(net);
    net->kernel = net->kernel->shared;
    for (uint32_t k = 0; k < net->elements; k++) {
        const uint32_t place = k < net->inputs ? k : k - net->inputs;
        const int n = share_of(c, place / (uint32_t)net->ports);
        const swq_async_net *share = n ? s->helper[n - 1].net : net;
        net->port[k].due = k < net->inputs
                               ? net->port[k].due - (share->share.first_switch << net->unit_shift)
                               : share->links_due + 2 * (place - share->share.first);
    }
    memset(net->senders.bits, 0,
           sizeof *net->senders.bits * net->senders.slots * net->senders.words);
    for (uint32_t i = 0; i < f->nodes; i++) {
        const int n = share_of(c, f->entry[i] / (uint32_t)net->ports);
        swq_sender_awaits(n ? s->helper[n - 1].net : net, i);
    }
}

swq_status swq_async_shares_new(swq_context *ctx, swq_async_net *net, int shares,
                                struct swq_async_shares **made)
{
    const cuts c = cut(net->fabric, shares);
    struct swq_async_shares *s = swq_calloc(ctx, 1, sizeof *s);

    *made = NULL;
    if (!s)
        return swq_memory_status(ctx);
    s->net = net;
    const swq_status status = take_memory(ctx, s, &c);
    if (status) {
        free_all(ctx, s, shares);
        return status;
    }
    lay_out_border(net, &s->border, &c);
    s->given_up = !start_threads(s, shares);
    if (!s->given_up)
        divide(s, &c);
    pthread_mutex_unlock(&s->starting);
    if (s->given_up) {
        join(s);
        free_all(ctx, s, shares);
        return SWQ_OK;
    }
    *made = s;
    return SWQ_OK;
}

void swq_async_shares_free(swq_context *ctx, struct swq_async_shares *s)
{
    if (!s)
        return;
    s->cycles = 0;
    swq_barrier_meet(&s->border.meet);
    join(s);
    free_all(ctx, s, s->border.shares);
}

/* ---- counting ---- */

/* Moves the counts of a share to the network, and leaves zeros. */
static void collect(swq_async_net *net, swq_async_net *share)
{
    swq_system_collect(&net->system, &share->system);
    net->messages_sent += share->messages_sent;
    share->messages_sent = 0;
}

uint64_t swq_async_shares_run(struct swq_async_shares *s, uint64_t cycles)
{
    s->cycles = cycles;
    swq_barrier_meet(&s->border.meet);
    swq_async_net_cycles(s->net, cycles);
    swq_barrier_meet(&s->border.meet);
    for (int k = 0; k < s->helpers; k++)
        collect(s->net, s->helper[k].net);
    return cycles;
}
