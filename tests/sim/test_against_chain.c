/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One switch, simulated, against its Markov chain solved exactly: every buffer, arbiter, flow and
 * credit, by normal scores. Each cell of the grid has a seed of its own, so that cells are
 * independent; the quantities of one cell are not, so each has its tests to itself. What is asked
 * of the scores is written in samples.h. Not pinned: the random numbers themselves. With
 * SWITCHQ_SCORES in the environment the statistics of the scores are printed.
 *
 * The chain's rules and the simulator's are the same code in models/; what is independent here is
 * everything around them: sources, queues, wiring, credits, clocks, counting, intervals.
 */
#include "tests/sim/samples.h"

#include <gsl/gsl_cdf.h>

TestSuite(sim_chain, .timeout = 480);

enum {
    REPLICATIONS = 2,
    WARM_UP = 500, /* the slowest of these switches forgets its state in about fifty cycles */
    CYCLES = 8192,
    FEW = 300 /* events; fewer have too skewed a distribution for a t-test */
};

enum { THROUGHPUT, LATENCY, OCCUPANCY, LOSS, REFUSAL, HELD, BLOCKED, CREATED, QUANTITIES };

static scores *new_scores(void)
{
    static const char *const name[QUANTITIES] = {
        [THROUGHPUT] = "throughput", [LATENCY] = "latency", [OCCUPANCY] = "occupancy",
        [LOSS] = "discards",         [REFUSAL] = "refusal", [HELD] = "held packets",
        [BLOCKED] = "blocked",       [CREATED] = "created"};
    scores *all = calloc(QUANTITIES, sizeof *all);

    for (int q = 0; q < QUANTITIES; q++)
        all[q].quantity = name[q];
    return all;
}

typedef struct cell {
    swq_switch sw;
    swq_network network;
    double matrix[4 * 4];
    char what[160];
} cell;

enum { UNIFORM, HOT_SPOT, UNEQUAL_LOADS, MATRIX, TRAFFICS };

static void set_traffic(swq_context *ctx, cell *c, int traffic, double load)
{
    int n = c->sw.ports;

    for (int i = 0; i < n; i++)
        c->sw.load[i] = load;
    swq_traffic_uniform(&c->sw);
    c->network = network_of(&c->sw);
    switch (traffic) {
    case HOT_SPOT:
        cr_assert_eq(swq_traffic_hotspot(ctx, &c->sw, 0.2, 1), SWQ_OK);
        c->network.traffic.hot[0] = (swq_hot_spot){1, 0.2};
        c->network.traffic.hot_spots = 1;
        break;
    case UNEQUAL_LOADS:
        for (int i = 0; i < n; i++)
            c->sw.load[i] = load * (1 - 0.25 * i);
        c->network.traffic.node_load = c->sw.load;
        break;
    case MATRIX:
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++)
                c->matrix[i * n + j] = (1 + i + 2 * j * (i + 1) % 5) / 16.0;
            double rest = 1;
            for (int j = 1; j < n; j++)
                rest -= c->matrix[i * n + j] = c->matrix[i * n + j] / n;
            c->matrix[i * n] = rest;
        }
        cr_assert_eq(swq_traffic_matrix(ctx, &c->sw, c->matrix), SWQ_OK, "%s",
                     swq_context_message(ctx));
        cr_assert_eq(swq_pattern_find(ctx, "matrix", &c->network.traffic.pattern), SWQ_OK);
        c->network.traffic.matrix = c->matrix;
        break;
    }
}

static void add(scores *all, const cell *c, const swq_sim_result *r, const swq_estimate *e,
                double exact)
{
    char what[256];

    snprintf(what, sizeof what, "%s: %.6g +- %.2g, exact %.6g", c->what, e->mean, e->half_width,
             exact);
    scores_add(all, score_of(e, exact, r->batches, 0.95), what);
}

/* If few events occur, only checks that there are not very many more or fewer of them. */
static void add_fraction(scores *all, const cell *c, const swq_sim_result *r, const swq_estimate *e,
                         double exact, double trials)
{
    if (exact > 0 && exact * trials < FEW)
        cr_assert(fabs(e->mean - exact) * trials <= 20 * sqrt(exact * trials) + 20,
                  "%s: %s %g, exact %g", c->what, all->quantity, e->mean, exact);
    else
        add(all, c, r, e, exact);
}

/* Sources that create in every cycle with their load whatever happens. */
static void add_created(scores *all, const cell *c, const swq_sim_result *r, double cycles)
{
    double expected = 0, variance = 0;

    for (int i = 0; i < c->sw.ports; i++) {
        expected += cycles * c->sw.load[i];
        variance += cycles * c->sw.load[i] * (1 - c->sw.load[i]);
    }
    if (variance == 0)
        cr_assert_eq((double)r->all.created, expected, "%s: created", c->what);
    else
        scores_add(all, ((double)r->all.created - expected) / sqrt(variance), c->what);
}

/* For buffers that read one queue and lose what they refuse: a buffer is busy unless it was empty
 * and no packet arrived, and of the busy ones exactly those that send are not blocked. */
static double blocked(const cell *c, const swq_answers *a)
{
    double busy = 0;

    for (int b = 0; b < a->buffers; b++)
        busy += 1 - a->occupancy[b * (a->capacity + 1)] * (1 - c->sw.load[b]);
    return 1 - c->sw.ports * a->throughput.value / busy;
}

static void compare(const cell *c, const swq_answers *a, const swq_sim_result *r, scores *all)
{
    const swq_stage_result *stage = &r->stage[0];
    double cycles = (double)r->replications * (double)r->cycles;
    double accepted = cycles * c->sw.ports * a->throughput.value;

    cr_assert_eq(r->cycles, CYCLES);
    cr_assert_eq(stage->sent.mean, r->all.throughput.mean, "%s: sent is delivered", c->what);
    add(&all[THROUGHPUT], c, r, &r->all.throughput, a->throughput.value);
    add(&all[LATENCY], c, r, &r->all.latency,
        a->mean_delay + (c->sw.flow == SWQ_BLOCK ? a->mean_source_wait : 0));
    add(&all[OCCUPANCY], c, r, &stage->occupancy, a->mean_packets);
    add_fraction(&all[REFUSAL], c, r, &r->refusal, a->refusal, accepted / (1 - a->refusal));
    if (c->sw.flow == SWQ_BLOCK) {
        cr_assert_eq(r->all.discarded, 0);
        add_fraction(&all[HELD], c, r, &r->source_queue, a->mean_held / c->sw.ports,
                     cycles * c->sw.ports);
        return;
    }
    cr_assert_eq(r->source_queue.mean, 0, "%s: packets wait at sources", c->what);
    cr_assert_eq(stage->discarded.mean, r->all.discard_fraction.mean, "%s", c->what);
    add_fraction(&all[LOSS], c, r, &r->all.discard_fraction, a->discard.value,
                 accepted / (1 - a->discard.value));
    add_created(&all[CREATED], c, r, cycles);
    if (c->sw.credit == SWQ_CREDIT_SAME && c->sw.buffer.scope == SWQ_PER_INPUT &&
        c->sw.buffer.read == SWQ_READ_ONE)
        add(&all[BLOCKED], c, r, &stage->blocked, blocked(c, a));
}

/* False if the chain has several stationary distributions. */
static bool compare_cell(swq_context *ctx, const cell *c, uint64_t seed, scores *all)
{
    swq_answers a;
    swq_exact_options exact = swq_exact_options_defaults();
    swq_sim_options options = run_of(seed, REPLICATIONS, WARM_UP, CYCLES);
    swq_status status = swq_exact_solve(ctx, &c->sw, &exact, &a);

    if (status == SWQ_EREDUCIBLE)
        return false;
    cr_assert_eq(status, SWQ_OK, "%s: %s", c->what, swq_context_message(ctx));
    swq_sim_result r = simulate(ctx, &c->network, &options);
    compare(c, &a, &r, all);
    swq_answers_clear(ctx, &a);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    return true;
}

static const double loads[] = {0.3, 0.7, 0.95, 1};

/* All arbiters, flows, credits and loads; slots, traffic and iterations vary from cell to cell. */
static void compare_preset(const char *buffer, int ports, const int *slots, size_t sizes,
                           uint64_t seed, scores *all)
{
    swq_context *ctx = swq_context_new();
    int done = 0, left_out = 0;
    cell *c = calloc(1, sizeof *c);

    for (int arbiter = 0; swq_arbiters[arbiter]; arbiter++) {
        for (int k = 0; k < 16; k++) {
            size_t turn = (size_t)(arbiter + k + k / 4);
            double load = loads[k % 4];
            int traffic = (int)((turn + turn / 4) % TRAFFICS);
            c->sw = test_switch(ctx, buffer, ports, slots[turn % sizes], load,
                                swq_arbiters[arbiter]->name);
            c->sw.flow = k / 4 % 2 ? SWQ_BLOCK : SWQ_DISCARD;
            c->sw.credit = k / 8 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
            c->sw.iterations = 1 + (int)turn % 2;
            if (c->sw.buffer.scope == SWQ_POOL && arbiter % 2)
                c->sw.buffer.pool_rule = &swq_pool_ports;
            snprintf(c->what, sizeof c->what,
                     "%s %d x %d, %d slots, %s, %d iterations, flow %d, credit %d, load %g, "
                     "traffic %d, seed %llu",
                     buffer, ports, ports, c->sw.buffer.capacity, c->sw.arbiter->name,
                     c->sw.iterations, c->sw.flow, c->sw.credit, load, traffic,
                     (unsigned long long)seed);
            set_traffic(ctx, c, traffic, load);
            bool compared = compare_cell(ctx, c, seed++, all);
            done += compared;
            left_out += !compared;
        }
    }
    cr_assert(done >= 150 && left_out <= 10, "%d cells compared, %d without an answer", done,
              left_out);
    free(c);
    swq_context_free(ctx);
}

/* `least` scores of quantities that every cell has; a few of the others, which some cells lack or
 * have too few events of. */
static void check_all(scores *all, size_t least)
{
    for (int q = 0; q < QUANTITIES; q++) {
        if (all[q].count > 0 || q < BLOCKED)
            scores_check(&all[q], q <= OCCUPANCY ? least : 8);
    }
    free(all);
}

static void grid(const char *buffer, const int *slots, size_t sizes, uint64_t seed)
{
    scores *all = new_scores();

    compare_preset(buffer, 2, slots, sizes, seed, all);
    check_all(all, 120);
}

Test(sim_chain, fifo)
{
    const int slots[] = {1, 2, 3};
    grid("fifo", slots, 3, 1000);
}

Test(sim_chain, samq)
{
    const int slots[] = {2, 4};
    grid("samq", slots, 2, 2000);
}

Test(sim_chain, safc)
{
    const int slots[] = {2, 4};
    grid("safc", slots, 2, 3000);
}

Test(sim_chain, damq)
{
    const int slots[] = {1, 2, 3};
    grid("damq", slots, 3, 4000);
}

Test(sim_chain, dafc)
{
    const int slots[] = {1, 2, 3};
    grid("dafc", slots, 3, 5000);
}

Test(sim_chain, cbda)
{
    const int slots[] = {1, 2, 3};
    grid("cbda", slots, 3, 6000);
}

/* ---- beyond the presets, and beyond two ports ---- */

/* Solves, simulates and keeps the scores of one spec under both flow controls and credits. */
static void compare_flows(swq_context *ctx, cell *c, int traffic, double load, uint64_t seed,
                          scores *all)
{
    const swq_switch sw = c->sw;

    for (int k = 0; k < 4; k++) {
        c->sw = sw;
        c->sw.flow = k % 2 ? SWQ_BLOCK : SWQ_DISCARD;
        c->sw.credit = k / 2 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
        snprintf(c->what, sizeof c->what,
                 "%d ports, %d slots, queues %d to %d, alpha %g, %s, flow %d, credit %d, load %g, "
                 "traffic %d, seed %llu",
                 sw.ports, sw.buffer.capacity, sw.buffer.queue_min, sw.buffer.queue_max,
                 sw.buffer.alpha, sw.arbiter->name, c->sw.flow, c->sw.credit, load, traffic,
                 (unsigned long long)seed);
        set_traffic(ctx, c, traffic, load);
        cr_assert(compare_cell(ctx, c, seed++, all));
    }
}

/* Reserved slots, caps, dynamic thresholds, both rules of a pool. */
Test(sim_chain, admission)
{
    static const struct {
        const char *buffer;
        int slots, least, most;
        double alpha;
        const swq_pool_rule *rule;
    } cases[] = {
        {"damq", 4, 0, 3, 0, &swq_pool_room},  {"damq", 4, 1, 3, 0, &swq_pool_room},
        {"damq", 4, 0, 4, 1, &swq_pool_room},  {"dafc", 3, 1, 2, 0, &swq_pool_room},
        {"fifo", 3, 0, 3, 2, &swq_pool_room},  {"cbda", 3, 0, 4, 0, &swq_pool_room},
        {"cbda", 3, 1, 4, 0, &swq_pool_ports}, {"cbda", 3, 1, 6, 0.75, &swq_pool_room},
        {"cbda", 2, 0, 1, 0, &swq_pool_room},  {"cbda", 2, 0, 3, 0.75, &swq_pool_ports},
    };
    swq_context *ctx = swq_context_new();
    scores *all = new_scores();
    cell *c = calloc(1, sizeof *c);

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        c->sw =
            test_switch(ctx, cases[k].buffer, 2, cases[k].slots, 0, k % 2 ? "longest" : "rotating");
        c->sw.buffer.queue_min = cases[k].least;
        c->sw.buffer.queue_max = cases[k].most;
        c->sw.buffer.alpha = cases[k].alpha;
        c->sw.buffer.pool_rule = cases[k].rule;
        compare_flows(ctx, c, (int)k % TRAFFICS, 0.9, 7000 + 8 * k, all);
        compare_flows(ctx, c, (int)(k + 1) % TRAFFICS, 0.75, 7004 + 8 * k, all);
    }
    check_all(all, 60);
    free(c);
    swq_context_free(ctx);
}

Test(sim_chain, more_ports)
{
    static const struct {
        const char *buffer;
        int ports, slots;
        const char *arbiter;
        double load;
    } cases[] = {
        {"fifo", 3, 1, "random", 0.9},        {"fifo", 3, 2, "fixed", 0.8},
        {"damq", 3, 1, "max-weight", 0.7},    {"damq", 3, 2, "random", 0.8},
        {"samq", 3, 3, "pim", 0.8},           {"safc", 3, 3, "random-outputs", 0.9},
        {"dafc", 3, 2, "longest", 0.9},       {"cbda", 3, 1, "random", 0.9},
        {"cbda", 3, 2, "random", 1},          {"fifo", 3, 1, "rotating", 0.8},
        {"damq", 3, 1, "rotating", 0.9},      {"fifo", 4, 1, "random", 0.9},
        {"damq", 3, 2, "maximum-longest", 1}, {"cbda", 4, 1, "random", 0.8},
        {"samq", 3, 3, "maximum", 0.9},       {"fifo", 4, 1, "fixed", 1},
        {"dafc", 3, 1, "random", 0.8},        {"damq", 4, 1, "pim", 0.9},
    };
    swq_context *ctx = swq_context_new();
    scores *all = new_scores();
    cell *c = calloc(1, sizeof *c);

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        c->sw =
            test_switch(ctx, cases[k].buffer, cases[k].ports, cases[k].slots, 0, cases[k].arbiter);
        compare_flows(ctx, c, k % 3 ? UNIFORM : HOT_SPOT, cases[k].load, 8000 + 4 * k, all);
    }
    check_all(all, 60);
    free(c);
    swq_context_free(ctx);
}

/* Groups by source: what each input loses, and gets through. */
Test(sim_chain, inputs_apart)
{
    static const uint8_t group[] = {0, 1, 2};
    const char *const buffers[] = {"fifo", "damq", "dafc", "cbda"};
    swq_context *ctx = swq_context_new();
    scores *all = new_scores();
    cell *c = calloc(1, sizeof *c);

    for (int k = 0; k < 40; k++) {
        int ports = k % 8 == 7 ? 3 : 2;
        swq_answers a;
        swq_exact_options exact = swq_exact_options_defaults();
        swq_sim_options options = run_of(9000 + (uint64_t)k, 2, WARM_UP, 16384);
        c->sw =
            test_switch(ctx, buffers[k % 4], ports, 1 + k / 4 % 2, 0, k % 3 ? "fixed" : "longest");
        snprintf(c->what, sizeof c->what, "case %d", k);
        set_traffic(ctx, c, k % 2 ? UNEQUAL_LOADS : MATRIX, 0.9);
        cr_assert_eq(swq_exact_solve(ctx, &c->sw, &exact, &a), SWQ_OK);
        options.group = group;
        options.groups = ports;
        options.group_by_source = true;
        swq_sim_result r = simulate(ctx, &c->network, &options);
        for (int i = 0; i < ports; i++) {
            const swq_flow_result *f = &r.by_group[i];
            /* one score per case for each quantity, since the inputs are not independent */
            scores ignored = {.quantity = "another input's"};
            scores *loss = i == k % ports ? &all[LOSS] : &ignored;
            scores *throughput = i == k % ports ? &all[THROUGHPUT] : &ignored;
            add(loss, c, &r, &f->discard_fraction, a.discard_input[i]);
            add(throughput, c, &r, &f->throughput, c->sw.load[i] * (1 - a.discard_input[i]));
        }
        swq_answers_clear(ctx, &a);
    }
    scores_check(&all[LOSS], 20); /* the fixed arbiter's first input loses nothing */
    scores_check(&all[THROUGHPUT], 36);
    free(all);
    free(c);
    swq_context_free(ctx);
}

/* A buffer for high priority alone makes a switch of its own, whatever the others do: its packets
 * are served first and occupy only its slots. */
Test(sim_chain, high_priority_has_its_own_switch)
{
    const char *const buffers[] = {"fifo", "damq", "samq", "safc", "dafc"};
    const char *const arbiters[] = {"random", "longest", "maximum", "pim"};
    swq_context *ctx = swq_context_new();
    scores *all = new_scores();
    cell *c = calloc(1, sizeof *c);

    for (int k = 0; k < 40; k++) {
        bool fans = k / 5 % 2;
        double load = k % 3 ? 0.9 : 0.6, high = k % 4 ? 0.5 : 0.3;
        swq_sim_options options = run_of(9500 + (uint64_t)k, 2, WARM_UP, CYCLES);
        c->sw = test_switch(ctx, buffers[k % 5], 2, 2, load, arbiters[k % 4]);
        c->sw.credit = k / 10 % 2 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
        c->network = network_of(&c->sw);
        c->network.sw.priority.support = SWQ_SUPPORT_BUFFER;
        c->network.sw.priority.slots = 1 + k / 20 % 2;
        c->network.sw.priority.queues = fans ? SWQ_QUEUE_PER_OUTPUT : SWQ_ONE_QUEUE;
        c->network.sw.priority.fraction = high;
        swq_sim_result r = simulate(ctx, &c->network, &options);

        swq_read read = c->sw.buffer.read;
        swq_switch own = test_switch(ctx, fans ? "damq" : "fifo", 2, c->network.sw.priority.slots,
                                     load * high, c->sw.arbiter->name);
        own.buffer.read = read;
        own.credit = c->sw.credit;
        swq_answers a = test_solve(ctx, &own, "auto");
        snprintf(c->what, sizeof c->what, "%s, %s, load %g, high %g, %d slots, fans %d, credit %d",
                 buffers[k % 5], c->sw.arbiter->name, load, high, c->network.sw.priority.slots,
                 fans, c->sw.credit);
        add(&all[THROUGHPUT], c, &r, &r.by_class[1].throughput, a.throughput.value);
        add(&all[LATENCY], c, &r, &r.by_class[1].latency, a.mean_delay);
        add(&all[LOSS], c, &r, &r.by_class[1].discard_fraction, a.discard.value);
        swq_answers_clear(ctx, &a);
    }
    scores_check(&all[THROUGHPUT], 40);
    scores_check(&all[LATENCY], 40);
    scores_check(&all[LOSS], 40);
    free(all);
    free(c);
    swq_context_free(ctx);
}

/* A source that queues, in front of a FIFO that refuses while it is full, just extends the FIFO.
 * Packets queue up before the first is offered, when the one that has just left still counts, so it
 * is a FIFO that grants credit in the next cycle; with 30 slots it loses almost nothing. */
Test(sim_chain, queues_at_sources_lengthen_fifos)
{
    swq_context *ctx = swq_context_new();
    scores *all = new_scores();
    cell *c = calloc(1, sizeof *c);

    for (int k = 0; k < 48; k++) {
        int slots = 1 + k % 3, limit = k / 3 % 4;
        double load = limit ? 0.7 + 0.1 * (k % 4) : 0.3 + 0.1 * (k % 3);
        swq_sim_options options = run_of(9700 + (uint64_t)k, 2, WARM_UP, CYCLES);
        c->sw = test_switch(ctx, "fifo", 2, slots, load, k % 5 ? "random" : "rotating");
        c->sw.flow = SWQ_BLOCK;
        c->network = network_of(&c->sw);
        c->network.traffic.kind = SWQ_SOURCE_OPEN;
        c->network.traffic.queue_limit = (uint32_t)limit;
        swq_sim_result r = simulate(ctx, &c->network, &options);

        swq_switch own =
            test_switch(ctx, "fifo", 2, limit ? slots + limit : 30, load, c->sw.arbiter->name);
        own.credit = SWQ_CREDIT_NEXT;
        swq_answers a = test_solve(ctx, &own, "auto");
        snprintf(c->what, sizeof c->what, "%d slots, limit %d, load %g, %s", slots, limit, load,
                 c->sw.arbiter->name);
        add(&all[THROUGHPUT], c, &r, &r.all.throughput, a.throughput.value);
        add(&all[LATENCY], c, &r, &r.all.latency, a.mean_delay);
        if (limit)
            add(&all[LOSS], c, &r, &r.all.discard_fraction, a.discard.value);
        else
            cr_assert_eq(r.all.discarded, 0);
        swq_answers_clear(ctx, &a);
    }
    scores_check(&all[THROUGHPUT], 48);
    scores_check(&all[LATENCY], 48);
    scores_check(&all[LOSS], 30);
    free(all);
    free(c);
    swq_context_free(ctx);
}

/* ---- coverage ---- */

enum { RUNS = 400 };

/* The number of covering intervals, if each covers with a probability between the two, lies in the
 * range where it lies but once in a thousand times. */
static void check_coverage(const char *what, unsigned covered, double least, double most)
{
    if (getenv("SWITCHQ_SCORES"))
        fprintf(stderr, "%s: %.4f (%g to %g)\n", what, covered / (double)RUNS, least, most);
    cr_assert(gsl_cdf_binomial_P(covered, least, RUNS) > 0.0005 &&
                  gsl_cdf_binomial_Q(covered, most, RUNS) > 0.0005,
              "%s: %u of %d intervals cover, where %g to %g of them should", what, covered, RUNS,
              least, most);
}

/* Intervals at `confidence` must cover with a probability between the two. */
static void coverage(swq_flow flow, swq_sim_options options, double least, double most)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "damq", 2, 2, 0.8, "longest");
    sw.flow = flow;
    swq_network network = network_of(&sw);
    swq_answers a = test_solve(ctx, &sw, "auto");
    double latency = a.mean_delay + (flow == SWQ_BLOCK ? a.mean_source_wait : 0);
    unsigned covered[4] = {0};

    for (int k = 0; k < RUNS; k++) {
        options.seed++;
        swq_sim_result r = simulate(ctx, &network, &options);
        const swq_flow_result *f = &r.all;
        covered[0] += fabs(f->throughput.mean - a.throughput.value) <= f->throughput.half_width;
        covered[1] += fabs(f->latency.mean - latency) <= f->latency.half_width;
        covered[2] +=
            fabs(r.stage[0].occupancy.mean - a.mean_packets) <= r.stage[0].occupancy.half_width;
        covered[3] += flow == SWQ_BLOCK ? fabs(r.refusal.mean - a.refusal) <= r.refusal.half_width
                                        : fabs(f->discard_fraction.mean - a.discard.value) <=
                                              f->discard_fraction.half_width;
    }
    check_coverage("throughput", covered[0], least, most);
    check_coverage("latency", covered[1], least, most);
    check_coverage("occupancy", covered[2], least, most);
    check_coverage("discards or refusals", covered[3], least, most);
    swq_answers_clear(ctx, &a);
    swq_context_free(ctx);
}

/* Slack: batches of a hundred cycles are slightly correlated, which makes intervals too narrow. */
Test(sim_chain, coverage_of_replications)
{
    coverage(SWQ_DISCARD, run_of(20000, 4, 200, 2048), 0.93, 0.96);
}

Test(sim_chain, coverage_of_batches)
{
    coverage(SWQ_DISCARD, run_of(30000, 1, 200, 8192), 0.93, 0.96);
}

/* Half of them, which says more about the width. */
Test(sim_chain, coverage_of_halves)
{
    swq_sim_options options = run_of(40000, 2, 200, 4096);

    options.confidence = 0.5;
    coverage(SWQ_BLOCK, options, 0.47, 0.52);
}

/* With the end of the warm-up found by the simulator itself. */
Test(sim_chain, coverage_with_automatic_warm_up)
{
    coverage(SWQ_BLOCK, run_of(50000, 1, SWQ_WARMUP_AUTO, 8192), 0.93, 0.96);
}
