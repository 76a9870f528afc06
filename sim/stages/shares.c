/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads that work on shares of one network. The calling thread has the first share, on the
 * network itself; the others have copies of its struct, with the same arrays and counters of their
 * own. Threads start once and sleep between calls.
 */
#include "sim/stages/shares.h"
#include "sim/stages/spans.h"

#include "base/barrier.h"
#include "base/context.h"
#include "base/statistics.h"

#include <string.h>

enum {
    GRAIN = SWQ_SHARE_GRAIN,
    LEAST = 1024, /* switches of a stage in each share: some ten microseconds of work per turn */
    NOBODY = UINT8_MAX,
    MOST = NOBODY /* shares, numbered from 0 */
};

typedef struct {
    swq_net net; /* with its own counters, and lengths of requests */
    int asked[SWQ_FAST_PORTS][SWQ_MAX_PORTS];
    pthread_t thread;
    swq_shares *all;
} helper;

struct swq_shares {
    swq_net *net;
    int helpers;
    helper *helper;
    swq_barrier wake, turn, done;
    uint8_t *owner; /* as in swq_net */
    bool *meets;
    uint64_t cycles;          /* cycles to run; 0: the end */
    pthread_mutex_t starting; /* held until the number of threads is known */
};

int swq_shares_of(const swq_net *net, int threads)
{
    const uint32_t most = net->switches / LEAST;
    /* counts by destination, and state that is looked at between turns, cannot be divided */
    const bool apart = net->fast && net->system.levels > 1 && !net->system.options->detail &&
                       !net->system.node_count && !net->spec->resend;

    if (!apart || most < 2 || threads < 2)
        return 1;
    threads = threads < MOST ? threads : MOST;
    return (uint32_t)threads < most ? threads : (int)most;
}

static uint32_t blocks_of(const swq_net *net)
{
    return (net->system.nodes + GRAIN - 1) / GRAIN;
}

double swq_shares_bytes(const swq_net *net, int shares)
{
    return (shares - 1) * (sizeof(helper) + swq_system_share_bytes(&net->system)) +
           (shares > 1 ? (net->system.levels + 1.0) * blocks_of(net) + net->system.levels : 0);
}

/* ---- owners of switches and sources ---- */

/* Switches of a stage, or sources (-1), and a row of owners. */
static uint32_t members_of(const swq_net *net, int stage)
{
    return stage < 0 ? net->system.nodes : net->switches;
}

static uint8_t *row_of(const swq_shares *s, int stage)
{
    return s->owner + (size_t)(stage + 1) * blocks_of(s->net);
}

/* Gives each share consecutive blocks. */
static void cut(swq_shares *s, int stage, uint32_t shares)
{
    const uint32_t blocks = (members_of(s->net, stage) + GRAIN - 1) / GRAIN;

    for (uint32_t b = 0; b < blocks; b++)
        row_of(s, stage)[b] = (uint8_t)((uint64_t)b * shares / blocks);
}

/* Divides one side of the boundary behind a stage, or the sources, so that no packet comes into
 * another share there: the side behind the boundary, if `forwards`, else the side before it.
 * Returns false if links of a block lead to several shares, or a share would get more than
 * another. */
static bool follow(swq_shares *s, int stage, bool forwards, uint32_t shares)
{
    const swq_net *net = s->net;
    const uint32_t ports = (uint32_t)net->ports, lines = stage < 0 ? 1 : ports;
    const uint32_t *wire = net->wire + (size_t)(stage + 1) * net->system.nodes;
    const uint8_t *known = row_of(s, forwards ? stage : stage + 1);
    uint8_t *row = row_of(s, forwards ? stage + 1 : stage);
    const uint32_t blocks = (members_of(net, forwards ? stage + 1 : stage) + GRAIN - 1) / GRAIN;
    uint32_t count[MOST] = {0};

    memset(row, NOBODY, blocks);
    for (uint32_t line = 0; line < net->system.nodes; line++) {
        const uint32_t before = line / lines / GRAIN, behind = wire[line] / ports / GRAIN;
        const uint8_t owner = known[forwards ? before : behind];
        uint8_t *mine = &row[forwards ? behind : before];
        if (*mine == NOBODY && ++count[owner] > (blocks + shares - 1) / shares)
            return false;
        if (*mine != NOBODY && *mine != owner)
            return false;
        *mine = owner;
    }
    return true;
}

/* Divides all stages and the sources, and finds where shares meet: on both sides of a boundary that
 * packets cross from one share to another. Returns the meetings of a cycle. */
static int divide(swq_shares *s, bool forwards, uint32_t shares)
{
    const int levels = s->net->system.levels;
    int meetings = 0;

    memset(s->meets, 0, sizeof *s->meets * (size_t)levels);
    cut(s, forwards ? -1 : levels - 1, shares);
    for (int k = 0; k < levels; k++) {
        const int stage = forwards ? k - 1 : levels - 2 - k; /* before the boundary */
        if (follow(s, stage, forwards, shares))
            continue;
        cut(s, forwards ? stage + 1 : stage, shares);
        s->meets[stage + 1] = true;
        /* sources are followed by the last stage's turn */
        s->meets[stage < 0 ? levels - 1 : stage] = true;
    }
    for (int k = 0; k < levels; k++)
        meetings += s->meets[k];
    return meetings;
}

/* Some wirings spread packets over the switches before a boundary between stages, others over the
 * switches behind it. */
static void divide_well(swq_shares *s, uint32_t shares)
{
    const int backwards = divide(s, false, shares);

    if (divide(s, true, shares) > backwards)
        divide(s, false, shares);
}

static void give(swq_shares *s, swq_net *net, int k)
{
    net->mine.owner = s->owner;
    net->mine.me = (uint8_t)k;
    net->mine.blocks = blocks_of(net);
    net->mine.meets = s->meets;
    net->mine.meet = &s->turn;
}

/* ---- threads ---- */

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
    h->net = *net;
    h->net.requests[0].length = h->asked;
    h->net.rng.state = &h->net.switch_stream;
    swq_dice_begin_sampling(&h->net.dice, &h->net.rng);
    return swq_system_share(ctx, &h->net.system);
}

static void free_arrays(swq_context *ctx, swq_shares *s)
{
    swq_free(ctx, s->helper);
    swq_free(ctx, s->owner);
    swq_free(ctx, s->meets);
    swq_free(ctx, s);
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
    s->owner = swq_calloc(ctx, (size_t)net->system.levels + 1, blocks_of(net));
    s->meets = swq_calloc(ctx, (size_t)net->system.levels, sizeof *s->meets);
    if (!s->helper || !s->owner || !s->meets)
        status = swq_memory_status(ctx);
    for (int k = 0; k < shares - 1 && !status; k++) {
        status = furnish(ctx, net, &s->helper[k]);
        s->helper[k].all = s;
    }
    if (status) {
        for (int k = 0; k < shares - 1 && s->helper; k++)
            swq_system_free_share(ctx, &s->helper[k].net.system);
        free_arrays(ctx, s);
        return status;
    }
    pthread_mutex_init(&s->starting, NULL);
    pthread_mutex_lock(&s->starting);
    while (s->helpers < shares - 1 &&
           pthread_create(&s->helper[s->helpers].thread, NULL, help, &s->helper[s->helpers]) == 0)
        s->helpers++;
    for (int k = s->helpers; k < shares - 1; k++) /* for threads that could not be had */
        swq_system_free_share(ctx, &s->helper[k].net.system);
    swq_barrier_init(&s->wake, (unsigned)s->helpers + 1);
    swq_barrier_init(&s->turn, (unsigned)s->helpers + 1);
    swq_barrier_init(&s->done, (unsigned)s->helpers + 1);
    divide_well(s, (uint32_t)s->helpers + 1);
    give(s, net, 0);
    for (int k = 0; k < s->helpers; k++)
        give(s, &s->helper[k].net, k + 1);
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
        swq_system_free_share(ctx, &s->helper[k].net.system);
    }
    swq_barrier_clear(&s->wake);
    swq_barrier_clear(&s->turn);
    swq_barrier_clear(&s->done);
    pthread_mutex_destroy(&s->starting);
    free_arrays(ctx, s);
}

void swq_shares_run(swq_shares *s, uint64_t cycles)
{
    s->cycles = cycles;
    swq_barrier_meet(&s->wake);
    swq_barrier_meet(&s->turn);
    run_cycles(s->net, cycles);
    swq_barrier_meet(&s->done);
    for (int k = 0; k < s->helpers; k++)
        swq_system_collect(&s->net->system, &s->helper[k].net.system);
}
