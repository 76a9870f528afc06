/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads that work on shares of one network. The calling thread has the first share, on the
 * network itself; the others have copies of its struct, with the same arrays and counters of their
 * own. Threads start once and sleep between calls.
 * Room: sim. Includes base.
 */
#include "sim/sync/shares.h"

#include "base/barrier.h"
#include "base/context.h"
#include "base/statistics.h"

#include <string.h>

enum {
    GRAIN = 64,  /* switches in a block of the fast engine */
    LEAST = 1024 /* switches of a stage in each share: some ten microseconds of work per turn */
};

typedef struct {
    swq_net net; /* with its own counters */
    pthread_t thread;
    swq_shares *all;
} helper;

struct swq_shares {
    swq_net *net;
    int helpers;
    helper *helper;
    swq_barrier wake, turn, done;
    uint64_t cycles;          /* cycles to run; 0: the end */
    pthread_mutex_t starting; /* held until the number of threads is known */
};

static uint32_t switches_of(const swq_net *net)
{
    return net->system.nodes / (uint32_t)net->ports;
}

int swq_shares_of(const swq_net *net, int threads)
{
    const uint32_t most = switches_of(net) / LEAST;
    /* counts by destination, and what is looked at between turns, cannot be divided */
    const bool apart = net->fast && net->system.levels > 1 && !net->system.options->detail &&
                       !net->system.node_count && !net->spec->resend;

    if (!apart || most < 2 || threads < 2)
        return 1;
    return (uint32_t)threads < most ? threads : (int)most;
}

static size_t tally_size(const swq_net *net)
{
    return (size_t)swq_tally_size(net->system.levels, net->system.cells);
}

static size_t counters(const swq_net *net)
{
    return tally_size(net) + (size_t)net->system.cells * SWQ_HISTOGRAM_BINS +
           (size_t)net->system.levels;
}

double swq_shares_bytes(const swq_net *net, int shares)
{
    return (shares - 1) * (sizeof(helper) + (double)counters(net) * sizeof(uint64_t));
}

/* Share k of `shares`. */
static void cut(swq_net *share, int k, int shares)
{
    const uint64_t blocks = (switches_of(share) + GRAIN - 1) / GRAIN;

    share->mine.first = (uint32_t)(blocks * (uint64_t)k / (uint64_t)shares) * GRAIN;
    share->mine.end = (uint32_t)(blocks * (uint64_t)(k + 1) / (uint64_t)shares) * GRAIN;
    if (k + 1 == shares)
        share->mine.end = switches_of(share);
}

static void run_cycles(swq_net *share, uint64_t cycles)
{
    for (uint64_t c = 0; c < cycles; c++)
        swq_net_cycle(share);
}

static void *help(void *arg)
{
    helper *h = arg;
    swq_shares *s = h->all;

    pthread_mutex_lock(&s->starting);
    pthread_mutex_unlock(&s->starting);
    for (;;) {
        swq_barrier_meet(&s->wake);
        if (s->cycles == 0)
            return NULL;
        h->net.cycle = s->net->cycle;
        swq_barrier_meet(&s->turn); /* before anybody begins the next cycle */
        run_cycles(&h->net, s->cycles);
        swq_barrier_meet(&s->done);
    }
}

static swq_status furnish(swq_context *ctx, swq_net *net, helper *h)
{
    uint64_t *own = swq_calloc(ctx, counters(net), sizeof *own);

    if (!own)
        return swq_memory_status(ctx);
    h->net = *net;
    h->net.rng.state = &h->net.switch_stream;
    swq_dice_begin_sampling(&h->net.dice, &h->net.rng);
    h->net.system.tally = own;
    h->net.system.histogram = own + tally_size(net);
    h->net.stage_packets = h->net.system.histogram + (size_t)net->system.cells * SWQ_HISTOGRAM_BINS;
    return SWQ_OK;
}

swq_status swq_shares_new(swq_context *ctx, swq_net *net, int shares, swq_shares **made)
{
    swq_status status = SWQ_OK;
    swq_shares *s = swq_calloc(ctx, 1, sizeof *s);

    *made = NULL;
    if (!s)
        return swq_memory_status(ctx);
    s->net = net;
    s->helper = swq_calloc(ctx, (size_t)shares - 1, sizeof *s->helper);
    if (!s->helper)
        status = swq_memory_status(ctx);
    for (int k = 0; k < shares - 1 && !status; k++) {
        status = furnish(ctx, net, &s->helper[k]);
        s->helper[k].all = s;
        s->helper[k].net.meet = &s->turn;
    }
    if (status) {
        for (int k = 0; k < shares - 1 && s->helper; k++)
            swq_free(ctx, s->helper[k].net.system.tally);
        swq_free(ctx, s->helper);
        swq_free(ctx, s);
        return status;
    }
    pthread_mutex_init(&s->starting, NULL);
    pthread_mutex_lock(&s->starting);
    while (s->helpers < shares - 1 &&
           pthread_create(&s->helper[s->helpers].thread, NULL, help, &s->helper[s->helpers]) == 0)
        s->helpers++;
    for (int k = s->helpers; k < shares - 1; k++) /* for threads that could not be had */
        swq_free(ctx, s->helper[k].net.system.tally);
    swq_barrier_init(&s->wake, (unsigned)s->helpers + 1);
    swq_barrier_init(&s->turn, (unsigned)s->helpers + 1);
    swq_barrier_init(&s->done, (unsigned)s->helpers + 1);
    net->meet = &s->turn;
    cut(net, 0, s->helpers + 1);
    for (int k = 0; k < s->helpers; k++)
        cut(&s->helper[k].net, k + 1, s->helpers + 1);
    pthread_mutex_unlock(&s->starting);
    *made = s;
    return SWQ_OK;
}

void swq_shares_free(swq_context *ctx, swq_shares *s)
{
    if (!s)
        return;
    s->cycles = 0;
    swq_barrier_meet(&s->wake);
    for (int k = 0; k < s->helpers; k++) {
        pthread_join(s->helper[k].thread, NULL);
        swq_free(ctx, s->helper[k].net.system.tally);
    }
    swq_barrier_clear(&s->wake);
    swq_barrier_clear(&s->turn);
    swq_barrier_clear(&s->done);
    pthread_mutex_destroy(&s->starting);
    swq_free(ctx, s->helper);
    swq_free(ctx, s);
}

/* Moves the counts of a share to the network, and leaves zeros. */
static void collect(swq_net *net, swq_net *share)
{
    swq_system *to = &net->system, *from = &share->system;
    uint64_t *single[][2] = {{&to->waiting, &from->waiting},
                             {&to->created, &from->created},
                             {&to->delivered, &from->delivered},
                             {&to->discarded, &from->discarded},
                             {&to->hops, &from->hops},
                             {&to->sojourn, &from->sojourn},
                             {&to->area, &from->area}};

    for (size_t k = 0; k < sizeof single / sizeof *single; k++) {
        *single[k][0] += *single[k][1];
        *single[k][1] = 0;
    }
    for (size_t k = 0; k < tally_size(net); k++)
        to->tally[k] += from->tally[k];
    for (size_t k = 0; k < (size_t)to->cells * SWQ_HISTOGRAM_BINS; k++)
        to->histogram[k] += from->histogram[k];
    for (int s = 0; s < to->levels; s++)
        net->stage_packets[s] += share->stage_packets[s];
    memset(from->tally, 0, counters(net) * sizeof *from->tally);
}

void swq_shares_run(swq_shares *s, uint64_t cycles)
{
    s->cycles = cycles;
    swq_barrier_meet(&s->wake);
    swq_barrier_meet(&s->turn);
    run_cycles(s->net, cycles);
    swq_barrier_meet(&s->done);
    for (int k = 0; k < s->helpers; k++)
        collect(s->net, &s->helper[k].net);
}
