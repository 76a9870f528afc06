/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * RECN-IQ in one switch, exactly: two inputs, two outputs to nodes, one of them congested, one SAQ
 * an input and an interface, memories of a few packets. Packets are a byte long, so that every
 * cycle is a slot; each node creates one with a chance, independently of all else. What is there
 * between two cycles is then a Markov chain of some thousand states, which is built here from
 * docs/congestion.md, solved, and held against simulations by the scatter of these.
 */
#include "switchq/async.h"
#include "tests/ref/networks.h"
#include "tests/ref/ref_async.h"
#include "tests/ref/ref_recn_iq.h"
#include "tests/sim/async_cases.h"
#include "tests/support/support.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

TestSuite(saq_chain, .timeout = 120);

enum { ROOM = 4, HASH = 1 << 20 };

typedef struct saq_parameters {
    int slots, interface, detect, xoff, xon;
    double load, hot; /* packets per node and cycle; the fraction of them that goes to node 0 */
} saq_parameters;

/* An input, or an interface. A SAQ's path is one output, so all its packets go there. */
typedef struct saq_port {
    uint8_t cold[ROOM], colds, cold_settled;
    uint8_t valid, path, stopped, sent, used, set_aside, saq_settled;
    uint8_t inspected_saq; /* the queue inspected last was the SAQ */
    uint8_t first_saq;     /* arbitration begins with the SAQ */
} saq_port;

typedef struct saq_state {
    saq_port in[2], source[2];
    uint8_t line[2], line_path[2]; /* of the interfaces' outputs */
    /* 0: none; 1 + the destination of the packet that arrives in the next cycle */
    uint8_t flight[2];
    uint8_t unknown[2]; /* an input has sent a packet whose credit is not back */
    /* 1 + the path of the notice that arrives in the next cycle, Xoff first */
    uint8_t xoff[2], xon[2];
    uint8_t first[2]; /* of the outputs */
} saq_state;

enum { SAQS, SOURCE_SAQS, WAITING, INSIDE, HOT, OTHER, DELIVERED, LOST, MEASURES };

static const char *const measure_name[MEASURES] = {
    "SAQs at inputs",  "SAQs at interfaces", "packets at inputs", "with those on the way",
    "to the hot node", "to the other",       "delivered",         "lost"};

/* ---- a cycle ---- */

static void allocate(saq_port *p, int path, int stopped)
{
    p->valid = 1;
    p->path = (uint8_t)path;
    p->stopped = (uint8_t)stopped;
    p->sent = p->used = 0;
    if (p->colds && p->cold[0] == path)
        p->cold_settled = 0;
}

static void join(saq_port *p, int to)
{
    if (!p->colds)
        p->cold_settled = 0;
    p->cold[p->colds++] = (uint8_t)to;
}

static int leave_cold(saq_port *p)
{
    const int to = p->cold[0];

    p->colds--;
    memmove(p->cold, p->cold + 1, p->colds);
    p->cold[p->colds] = 0;
    p->cold_settled = 0;
    return to;
}

static void hear(saq_state *s, int i)
{
    saq_port *source = &s->source[i];

    s->unknown[i] = (uint8_t)(s->unknown[i] << 1 & 3); /* 1 as it leaves, 2 in the next cycle */
    if (s->xoff[i] && !s->line[i]) {
        s->line[i] = 1;
        s->line_path[i] = s->xoff[i] - 1;
    }
    if (s->xon[i] && s->line[i] && s->line_path[i] == s->xon[i] - 1) {
        s->line[i] = s->line_path[i] = 0;
        if (source->valid && source->path == s->xon[i] - 1) {
            source->stopped = 0;
            source->used = 1;
        }
    }
    s->xoff[i] = s->xon[i] = 0;
}

static void arrive(const saq_parameters *n, saq_state *s, int i)
{
    saq_port *in = &s->in[i];

    if (!s->flight[i])
        return;
    join(in, s->flight[i] - 1);
    s->flight[i] = 0;
    if (in->colds >= n->detect && !in->valid)
        allocate(in, in->cold[0], 0);
}

/* Post-processing. Returns 1 if the SAQ got a packet. */
static int inspect(saq_port *p)
{
    for (int k = 0; k < 2; k++) {
        const int saq = p->inspected_saq ^ !k;

        if (saq ? !p->set_aside || p->saq_settled : !p->colds || p->cold_settled)
            continue;
        p->inspected_saq = (uint8_t)saq;
        if (saq) {
            p->saq_settled = 1;
        } else if (p->valid && p->cold[0] == p->path) {
            (void)leave_cold(p);
            if (!p->set_aside++)
                p->saq_settled = 0;
            p->used = 1;
            return 1;
        } else {
            p->cold_settled = 1;
        }
        return 0;
    }
    return 0;
}

/* 0: the cold queue; 1: the SAQ; -1: none. */
static int pick(const saq_port *p)
{
    for (int k = 0; k < 2; k++) {
        const int saq = p->first_saq ^ k;

        if (saq ? p->set_aside && p->saq_settled && !p->stopped : p->colds && p->cold_settled)
            return saq;
    }
    return -1;
}

static int send(saq_port *p, int saq)
{
    p->first_saq = !saq;
    if (!saq)
        return leave_cold(p);
    p->set_aside--;
    p->saq_settled = 0;
    return p->path;
}

static void from_source(const saq_parameters *n, saq_state *s, int i)
{
    saq_port *p = &s->source[i];
    const saq_port *in = &s->in[i];
    const int saq = pick(p);
    int to;

    /* with packets that have left but whose credits are not back */
    if (saq < 0 || in->colds + in->set_aside + (s->unknown[i] > 1) >= n->slots)
        return;
    to = send(p, saq);
    s->flight[i] = (uint8_t)(1 + to);
    if (!s->line[i] || s->line_path[i] != to)
        return;
    if (!p->valid)
        allocate(p, to, 1);
    else if (p->path == to)
        p->stopped = 1;
}

static void through_switch(const saq_parameters *n, saq_state *s, double measure[MEASURES])
{
    int saq[2], to[2];

    for (int i = 0; i < 2; i++) {
        saq[i] = pick(&s->in[i]);
        to[i] = saq[i] < 0 ? -1 : saq[i] ? s->in[i].path : s->in[i].cold[0];
    }
    for (int o = 0; o < 2; o++)
        for (int k = 0; k < 2; k++) {
            const int i = s->first[o] ^ k;
            saq_port *in = &s->in[i];

            if (to[i] != o)
                continue;
            (void)send(in, saq[i]);
            if (saq[i] && in->sent && in->set_aside < n->xon) {
                in->sent = 0;
                s->xon[i] = in->path + 1;
            }
            s->unknown[i] |= 1;
            s->first[o] = !i;
            measure[o ? OTHER : HOT]++;
            measure[DELIVERED]++;
            to[i] = -1;
            break;
        }
}

static void free_saq(saq_port *p)
{
    if (p->valid && !p->set_aside && !p->stopped && (p->used || !p->colds || p->cold[0] != p->path))
        p->valid = p->path = p->used = p->saq_settled = 0;
}

/* One cycle in which node i creates a packet for created[i] - 1, if that is not 0. */
static void cycle(const saq_parameters *n, saq_state *s, const int created[2],
                  double measure[MEASURES])
{
    memset(measure, 0, MEASURES * sizeof *measure);
    for (int i = 0; i < 2; i++) {
        hear(s, i);
        if (created[i] && s->source[i].colds + s->source[i].set_aside == n->interface)
            measure[LOST]++;
        else if (created[i])
            join(&s->source[i], created[i] - 1);
        arrive(n, s, i);
        (void)inspect(&s->source[i]);
        if (inspect(&s->in[i]) && s->in[i].set_aside >= n->xoff && !s->in[i].sent) {
            s->in[i].sent = 1;
            s->xoff[i] = s->in[i].path + 1;
        }
    }
    for (int i = 0; i < 2; i++)
        from_source(n, s, i);
    through_switch(n, s, measure);
    for (int i = 0; i < 2; i++) {
        free_saq(&s->in[i]);
        free_saq(&s->source[i]);
        measure[SAQS] += s->in[i].valid;
        measure[SOURCE_SAQS] += s->source[i].valid;
        measure[WAITING] += s->in[i].colds + s->in[i].set_aside;
        measure[INSIDE] += s->in[i].colds + s->in[i].set_aside + (s->flight[i] > 0);
    }
}

/* ---- the chain ---- */

typedef struct saq_chain {
    saq_state *state;
    int states, room;
    int *place; /* [HASH] 1 + the number of the state */
    int (*next)[9];
    double (*measure)[9][MEASURES];
} saq_chain;

static int number_of(saq_chain *c, const saq_state *s)
{
    const uint8_t *byte = (const uint8_t *)s;
    uint32_t h = 2166136261u;

    for (size_t i = 0; i < sizeof *s; i++)
        h = (h ^ byte[i]) * 16777619u;
    for (h %= HASH; c->place[h]; h = (h + 1) % HASH)
        if (memcmp(&c->state[c->place[h] - 1], s, sizeof *s) == 0)
            return c->place[h] - 1;
    if (c->states == c->room) {
        c->room = 2 * c->room + 1024;
        c->state = realloc(c->state, (size_t)c->room * sizeof *c->state);
        c->next = realloc(c->next, (size_t)c->room * sizeof *c->next);
        c->measure = realloc(c->measure, (size_t)c->room * sizeof *c->measure);
        cr_assert(c->state && c->next && c->measure && c->states < HASH / 2);
    }
    c->state[c->states] = *s;
    c->place[h] = ++c->states;
    return c->states - 1;
}

static saq_chain reachable(const saq_parameters *n)
{
    saq_chain c = {.place = calloc(HASH, sizeof *c.place)};
    saq_state empty;

    cr_assert(c.place);
    memset(&empty, 0, sizeof empty);
    for (int i = 0; i < 2; i++)
        empty.in[i].inspected_saq = empty.source[i].inspected_saq = 1;
    (void)number_of(&c, &empty);
    for (int from = 0; from < c.states; from++)
        for (int k = 0; k < 9; k++) {
            const int created[2] = {k / 3, k % 3};
            saq_state s = c.state[from];
            double measure[MEASURES];

            cycle(n, &s, created, measure);
            const int to = number_of(&c, &s);

            c.next[from][k] = to;
            memcpy(c.measure[from][k], measure, sizeof measure);
        }
    return c;
}

static void chain_clear(saq_chain *c)
{
    free(c->state);
    free(c->place);
    free(c->next);
    free(c->measure);
}

/* Means in the steady state. */
static void solve(const saq_parameters *n, double exact[MEASURES], int *states)
{
    saq_chain c = reachable(n);
    const double of[3] = {1 - n->load, n->load * n->hot, n->load * (1 - n->hot)};
    double *pi = calloc((size_t)c.states, sizeof *pi), *next = calloc((size_t)c.states, sizeof *pi);
    double change = 1;

    cr_assert(pi && next);
    pi[0] = 1;
    for (int turn = 0; change > 1e-9 && turn < 20000; turn++) {
        memset(next, 0, (size_t)c.states * sizeof *next);
        for (int s = 0; s < c.states; s++)
            for (int k = 0; k < 9; k++)
                next[c.next[s][k]] += pi[s] * of[k / 3] * of[k % 3];
        change = 0;
        for (int s = 0; s < c.states; s++)
            change += fabs(next[s] - pi[s]);
        memcpy(pi, next, (size_t)c.states * sizeof *pi);
    }
    cr_assert_leq(change, 1e-9);
    for (int m = 0; m < MEASURES; m++) {
        exact[m] = 0;
        for (int s = 0; s < c.states; s++)
            for (int k = 0; k < 9; k++)
                exact[m] += pi[s] * of[k / 3] * of[k % 3] * c.measure[s][k][m];
    }
    *states = c.states;
    free(pi);
    free(next);
    chain_clear(&c);
}

/* ---- simulated ---- */

enum { FROM = 500, UNTIL = 20500, RUNS = 12 };

/* The mean of each measure in cycles FROM .. UNTIL - 1 of a run. */
static void measure_run(const ref_trees *n, const ref_trees_outcome *o, double mean[MEASURES])
{
    long sum[MEASURES] = {0};

    for (long e = 0; e < o->events; e++) {
        const ref_tree_event *v = &o->event[e];
        const int what = v->place ? SOURCE_SAQS : SAQS;
        const long at = v->cycle < FROM ? FROM : v->cycle > UNTIL ? UNTIL : v->cycle;

        if (v->kind == REF_SAQ_DETECTED || v->kind == REF_SAQ_TOLD)
            sum[what] += UNTIL - at;
        else if (v->kind == REF_SAQ_FREED)
            sum[what] -= UNTIL - at;
    }
    for (long i = 0; i < o->starts; i++) {
        const ref_start *s = &o->start[i];
        const long arrives = s->cycle + (s->switch_ == REF_SENDER);
        const long at = arrives < FROM ? FROM : arrives > UNTIL ? UNTIL : arrives;

        const long leaves = s->cycle < FROM ? FROM : s->cycle > UNTIL ? UNTIL : s->cycle;

        sum[INSIDE] += s->switch_ == REF_SENDER ? UNTIL - leaves : leaves - UNTIL;
        sum[WAITING] += s->switch_ == REF_SENDER ? UNTIL - at : at - UNTIL;
        if (s->switch_ != REF_SENDER && s->cycle >= FROM && s->cycle < UNTIL)
            sum[s->to ? OTHER : HOT]++;
    }
    sum[DELIVERED] = sum[HOT] + sum[OTHER];
    for (int m = 0; m < n->messages; m++)
        sum[LOST] += o->delivered[m] == -2 && n->message[m].cycle >= FROM;
    for (int m = 0; m < MEASURES; m++)
        mean[m] = (double)sum[m] / (UNTIL - FROM);
}

static double uniform(uint64_t *x)
{
    *x = *x * 6364136223846793005u + 1442695040888963407u;
    return (double)(*x >> 11) / 9007199254740992.0;
}

static void simulate(const saq_parameters *p, uint64_t seed, double mean[MEASURES])
{
    static ref_message message[2 * UNTIL];
    ref_plan *plan = ref_omega(2, 1);
    ref_trees n = {.wiring = plan->wiring,
                   .slots = p->slots,
                   .interface = p->interface,
                   .saqs = 1,
                   .detect = p->detect,
                   .xoff = p->xoff,
                   .xon = p->xon,
                   .hop_delay = 1,
                   .credit_delay = 1,
                   .message = message,
                   .cycles = UNTIL};
    ref_trees_outcome o;

    for (long t = 0; t < UNTIL; t++)
        for (int node = 0; node < 2; node++)
            if (uniform(&seed) < p->load)
                message[n.messages++] = (ref_message){t, node, uniform(&seed) >= p->hot, 1};
    ref_recn_iq_run(&n, &o);
    cr_expect_eq(o.broken, 0);
    measure_run(&n, &o, mean);
    ref_trees_outcome_clear(&o);
    ref_plan_free(plan);
}

/* From the engine; NAN where it reports none. */
static void run_engine(const saq_parameters *p, uint64_t seed, double mean[MEASURES])
{
    swq_context *ctx = swq_context_new();
    swq_sender_group group = {
        .kind = SWQ_SOURCE_OPEN, .interval = {SWQ_GEOMETRIC, 1 / p->load, 1}, .types = 2};
    swq_async n = swq_async_defaults();
    swq_sim_options options = swq_sim_defaults();
    swq_async_result r;

    for (int to = 0; to < 2; to++)
        group.type[to] = (swq_message_type){.probability = to ? 1 - p->hot : p->hot,
                                            .aim = SWQ_AIM_NODE,
                                            .mask = 1,
                                            .value = (uint32_t)to,
                                            .length = {SWQ_CONSTANT, 1, 1}};
    n.shape = case_omega(ctx, 2, 1);
    n.management.row = &swq_management_recn_iq;
    n.packet.block = n.packet.max = 1;
    n.memory.bytes = p->slots;
    n.management.saqs = 1;
    n.management.detect = p->detect;
    n.management.xoff = p->xoff;
    n.management.xon = p->xon;
    n.management.turnpool_bits = 31;
    n.interface.packets = p->interface;
    n.link.hop_delay = n.flow.credit_delay = 1;
    n.link.rest = 0;
    n.traffic.group = &group;
    n.traffic.groups = 1;
    options.seed = seed;
    options.warmup = FROM;
    options.cycles = UNTIL - FROM;
    cr_assert_eq(swq_async_run(ctx, &n, &options, NULL, &r), SWQ_OK, "%s",
                 swq_context_message(ctx));
    mean[SAQS] = 2 * r.saqs.in_use;
    mean[SOURCE_SAQS] = 2 * r.saqs.interface_in_use;
    mean[INSIDE] = 2 * r.sim.stage[0].occupancy.mean;
    mean[DELIVERED] = 2 * r.sim.all.throughput.mean;
    mean[LOST] = (double)r.sim.all.discarded / (UNTIL - FROM);
    mean[WAITING] = mean[HOT] = mean[OTHER] = NAN;
    swq_context_free(ctx);
}

typedef void saq_simulation(const saq_parameters *p, uint64_t seed, double mean[MEASURES]);

/* The means of runs compared with the chain's, by the scatter of the runs. */
static void hold(const char *what, int c, const saq_parameters *p, const double exact[MEASURES],
                 saq_simulation *run)
{
    double sum[MEASURES] = {0}, squares[MEASURES] = {0};

    for (int r = 0; r < RUNS; r++) {
        double mean[MEASURES];

        run(p, 1000 * (uint64_t)c + (uint64_t)r + 1, mean);
        for (int m = 0; m < MEASURES; m++) {
            sum[m] += mean[m];
            squares[m] += mean[m] * mean[m];
        }
    }
    for (int m = 0; m < MEASURES; m++) {
        const double mean = sum[m] / RUNS;
        const double error = sqrt(fmax(squares[m] / RUNS - mean * mean, 0) / (RUNS - 1));
        const double off = fabs(mean - exact[m]), z = error > 0 ? off / error : off > 1e-9 ? 99 : 0;

        if (isnan(mean))
            continue;
        if (getenv("SWITCHQ_SCORES"))
            fprintf(stderr, "%s, case %d, %s: exact %.6f, simulated %.6f, z %.2f\n", what, c,
                    measure_name[m], exact[m], mean, z);
        cr_expect_lt(z, 4.5, "%s, case %d, %s: exact %.6f, simulated %.6f, z %.2f", what, c,
                     measure_name[m], exact[m], mean, z);
    }
}

Test(saq_chain, recn_iq_of_one_switch)
{
    static const saq_parameters all[] = {
        {2, 1, 2, 2, 1, .6, .7},
        {2, 1, 1, 1, 1, .5, .5},
        {2, 1, 2, 2, 2, .9, .6},
        /* to run larger ones: SWITCHQ_SCORES=1 */
        {3, 1, 2, 2, 1, .6, .8},
        {3, 1, 2, 3, 1, .7, .9},
    };
    const int cases = getenv("SWITCHQ_SCORES") ? (int)(sizeof all / sizeof *all) : 3;

    for (int c = 0; c < cases; c++) {
        double exact[MEASURES];
        int states;

        solve(&all[c], exact, &states);
        if (getenv("SWITCHQ_SCORES"))
            fprintf(stderr, "case %d has %d states\n", c, states);
        hold("reference", c, &all[c], exact, simulate);
        hold("engine", c, &all[c], exact, run_engine);
    }
}
