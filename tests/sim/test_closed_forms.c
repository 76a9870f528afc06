/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Switches and networks whose figures are known in closed form, or from a chain small enough to be
 * written down here. Exact values are tested by |score| <= 4 (a chance of 6e-5) with an interval
 * that must be as narrow as the test says; what is an approximation has a band in its place.
 */
#include "tests/sim/samples.h"

TestSuite(sim_closed_forms, .timeout = 480);

/* Checks |estimate - exact| within four of its standard errors, and a relative half-width of at
 * most `within`. */
static void expect(const swq_sim_result *r, swq_estimate e, double exact, double within,
                   const char *what)
{
    double score = score_of(&e, exact, r->batches, 0.95);

    cr_assert(fabs(score) <= 4, "%s: %.7g +- %.2g, exact %.7g: off by %.2f", what, e.mean,
              e.half_width, exact, score);
    cr_assert(e.half_width <= within * fabs(exact), "%s: %.7g +- %.2g is not known to %g", what,
              e.mean, e.half_width, within);
}

/* ---- saturation of one switch ---- */

/* Karol, Hluchyj, Morgan 1987: FIFO queues that are never empty, with any choice among contenders
 * that leaves no requested output idle. */
Test(sim_closed_forms, head_of_line_blocking)
{
    const struct {
        int ports;
        uint64_t cycles;
        double saturation;
    } cases[] = {{2, 400000, 0.75}, {4, 100000, 325.0 / 496}, {8, 50000, 0.618389892}};
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 3; k++) {
        swq_switch sw = test_switch(ctx, "fifo", cases[k].ports, 200, 1, "random");
        swq_sim_options options = run_of(1 + (uint64_t)k, 1, 1000, cases[k].cycles);
        sw.flow = SWQ_BLOCK;
        swq_network network = network_of(&sw);
        swq_sim_result r = simulate(ctx, &network, &options);
        expect(&r, r.all.throughput, cases[k].saturation, 3e-3, "saturation");
        /* all inputs are busy: those that do not send are blocked */
        cr_assert_float_eq(r.stage[0].blocked.mean, 1 - r.all.throughput.mean, 1e-12);
        cr_assert_float_eq(r.stage[0].occupancy.mean,
                           cases[k].ports * (200 - r.all.throughput.mean), 1e-9,
                           "full after reception");
    }
    swq_context_free(ctx);
}

Test(sim_closed_forms, head_of_line_blocking_does_not_ask_who_wins)
{
    swq_context *ctx = swq_context_new();

    for (int k = 0; swq_arbiters[k]; k++) {
        swq_switch sw = test_switch(ctx, "fifo", 4, 3, 1, swq_arbiters[k]->name);
        swq_sim_options options = run_of(100 + (uint64_t)k, 2, 100, 16000);
        sw.flow = SWQ_BLOCK;
        swq_network network = network_of(&sw);
        swq_sim_result r = simulate(ctx, &network, &options);
        expect(&r, r.all.throughput, 325.0 / 496, 6e-3, swq_arbiters[k]->name);
    }
    swq_context_free(ctx);
}

/* All queues of all inputs hold packets: two thousand cycles after the start, with some 80 to 500
 * packets in each, none of them is empty for long. */
static swq_sim_result backlogged(swq_context *ctx, const char *arbiter, int ports, int iterations,
                                 uint64_t seed)
{
    swq_switch sw = test_switch(ctx, "samq", ports, 2016, 1, arbiter);
    swq_sim_options options = run_of(seed, 4, 4500, ports > 8 ? 1000 : 3000);

    sw.flow = SWQ_BLOCK;
    sw.iterations = iterations;
    swq_network network = network_of(&sw);
    return simulate(ctx, &network, &options);
}

/* Anderson, Owicki, Saxe, Thacker 1993: an input is matched unless no output chooses it. */
Test(sim_closed_forms, one_round_of_pim)
{
    swq_context *ctx = swq_context_new();

    for (int n = 2; n <= 16; n *= 2) {
        swq_sim_result r = backlogged(ctx, "pim", n, 1, 200 + (uint64_t)n);
        expect(&r, r.all.throughput, 1 - pow(1 - 1.0 / n, n), 8e-3, "one round of PIM");
    }
    swq_context_free(ctx);
}

/* Where all outputs can always send, load 1 builds no backlog, only differences that wander: with
 * two outputs a second round of PIM leaves no one out, and iSLIP's pointers desynchronize (McKeown
 * 1999). One round of PIM would give 0.75 and 0.656. */
Test(sim_closed_forms, nearly_perfect_matchings)
{
    swq_context *ctx = swq_context_new();

    swq_sim_result pim = backlogged(ctx, "pim", 2, 2, 300);
    cr_assert(pim.all.throughput.mean > 0.98, "PIM: %.9g", pim.all.throughput.mean);
    for (int n = 2; n <= 8; n *= 2) {
        swq_sim_result r = backlogged(ctx, "islip", n, 1, 310);
        cr_assert(r.all.throughput.mean > 0.96, "iSLIP, %d ports: %.9g", n, r.all.throughput.mean);
    }
    swq_context_free(ctx);
}

/* ---- output queues ---- */

/* Karol, Hluchyj, Morgan 1987, for any number of ports: mean and variance of the wait. */
Test(sim_closed_forms, output_queues)
{
    const struct {
        int ports;
        double load;
    } cases[] = {{2, 0.5}, {2, 0.8}, {4, 0.5}, {4, 0.8}, {8, 0.8}};
    swq_context *ctx = swq_context_new();

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double n = cases[k].ports, p = cases[k].load;
        swq_switch sw = test_switch(ctx, "cbda", cases[k].ports, 400, p, "random");
        swq_network network = network_of(&sw);
        swq_sim_options options = run_of(400 + k, 2, 2000, cases[k].ports > 2 ? 60000 : 150000);
        swq_sim_result r = simulate(ctx, &network, &options);
        double wait = (n - 1) / n * p / (2 * (1 - p));
        double a2 = p * p * (1 - 1 / n), a3 = p * p * p * (1 - 1 / n) * (1 - 2 / n);
        double a = a2 / (2 * (1 - p)), b = a3 / (6 * (1 - p)), y = a2 / (2 * p), y2 = a3 / (3 * p);
        double variance = 2 * (a * a + b) + 2 * a * y + y2 + wait - wait * wait;
        expect(&r, r.all.latency, 1 + wait, 0.03, "latency");
        expect(&r, r.stage[0].occupancy, n * p * wait, 0.05, "packets");
        expect(&r, r.all.throughput, p, 0.01, "throughput");
        cr_assert_eq(r.all.discarded, 0);
        /* the variance has no interval; its error is a few percent at load 0.8 */
        assert_relative(r.all.variance, variance, p > 0.6 ? 0.1 : 0.03, "variance %g, exact %g",
                        r.all.variance, variance);
    }
    swq_context_free(ctx);
}

/* ---- a latency distribution ---- */

/* Two inputs that always have a packet for one output, one slot each, and a coin that decides which
 * one sends: a packet waits at its source for all but one of the G cycles that the one before it
 * takes, and then takes G cycles itself, G being geometric with mean 2. So P(latency = n) = n /
 * 2^(n+1), and P(latency >= n) = (n+1) / 2^n. */
Test(sim_closed_forms, latencies_of_two_geometric_waits)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "fifo", 2, 1, 1, "random");
    swq_sim_options options = run_of(500, 2, 100, 300000);

    sw.flow = SWQ_BLOCK;
    swq_network network = network_of(&sw);
    network.traffic.hot_spots = 1;
    network.traffic.hot[0] = (swq_hot_spot){1, 1.0};
    options.per_node = true;
    swq_sim_result r = simulate(ctx, &network, &options);
    cr_assert_eq(r.all.throughput.mean, 0.5, "the output always sends");
    expect(&r, r.all.latency, 3, 0.01, "latency");
    assert_relative(r.all.variance, 4, 0.02, "variance %g", r.all.variance);
    /* P(latency >= 3) is 1/2: the median is 2 or 3; the other levels are far from steps */
    cr_assert(r.all.percentile[0] == 2 || r.all.percentile[0] == 3);
    cr_assert_eq(r.all.percentile[1], 6);
    cr_assert_eq(r.all.percentile[2], 10);
    cr_assert_eq(r.all.percentile[3], 13);
    cr_assert(r.all.max >= 18 && r.all.max <= 40, "%g", r.all.max); /* chances 2e-2^6e5, 2e-5 */
    cr_assert_eq(r.all.node_percentile[3].mean, 13, "one node receives anything");
    cr_assert_eq(r.all.node_max.mean, r.all.max);
    swq_context_free(ctx);
}

/* ---- networks ---- */

/* Patel 1981: without buffers, p' = 1 - (1 - p/k)^k at every stage. A FIFO of one slot is
 * different, since an input that loses an arbitration keeps its packet; a pool with one packet per
 * queue is exactly that: every queue sends in every cycle, so that of the packets for one output
 * one is admitted and the others are lost. */
Test(sim_closed_forms, patels_recursion)
{
    const struct {
        int ports, stages;
        double load;
    } cases[] = {{2, 6, 1}, {2, 4, 0.6}, {4, 3, 1}, {3, 3, 0.8}, {8, 2, 1}};
    swq_context *ctx = swq_context_new();
    uint64_t seed = 600;

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        for (int t = 0; swq_topologies[t]; t++) {
            double p = cases[k].load, n = cases[k].ports;
            if (swq_topologies[t]->stages || (k > 0 && t % 4 != (int)k % 4))
                continue;
            swq_switch sw = test_switch(ctx, "cbda", cases[k].ports, 1, p, "random");
            swq_sim_options options = run_of(seed++, 1, 50, 3200);
            sw.buffer.queue_max = 1;
            swq_network network =
                network_in_stages(ctx, swq_topologies[t]->name, cases[k].stages, &sw);
            swq_sim_result r = simulate(ctx, &network, &options);
            for (int s = 0; s < cases[k].stages; s++) {
                double next = 1 - pow(1 - p / n, n);
                expect(&r, r.stage[s].sent, next, 0.01, swq_topologies[t]->name);
                expect(&r, r.stage[s].discarded, 1 - next / p, 0.06, "lost on the way");
                /* a packet from another stage counts once it has been sent */
                if (s > 0)
                    cr_assert_float_eq(r.stage[s].occupancy.mean, n * r.stage[s].sent.mean, 0.01);
                else
                    cr_assert_eq(r.stage[s].occupancy.mean, 0);
                p = next;
            }
            expect(&r, r.all.throughput, p, 0.01, "throughput");
            cr_assert_eq(r.all.latency.mean, cases[k].stages);
            cr_assert_eq(r.all.max, cases[k].stages);
        }
    }
    swq_context_free(ctx);
}

/* Infinite buffers: the first stage's wait is exact; later ones by Kruskal, Snir and Weiss's (1988)
 * approximation, w_i = w_1 (1 + 4p/5k (1 - (2/5)^(i-1))), which is good to about 2%, and by an
 * independent simulation in the project's catalogue (A10) to 1%. Little's law turns the packets
 * held after transmission into waits; in later stages packets that have just arrived are among
 * them. */
Test(sim_closed_forms, waits_in_later_stages)
{
    static const struct {
        int ports, stages;
        double load;
        uint64_t cycles;
        double simulated[6];
    } cases[] = {
        {2, 6, 0.5, 30000, {0.2499, 0.2810, 0.2919, 0.2962, 0.2978, 0.2979}},
        {2, 6, 0.8, 25000, {1.0015, 1.1987, 1.2660, 1.2839, 1.2899, 1.2972}},
        {4, 3, 0.8, 30000, {1.5017, 1.6522, 1.6770}},
    };
    swq_context *ctx = swq_context_new();

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double n = cases[k].ports, p = cases[k].load, total = cases[k].stages;
        double first = (1 - 1 / n) * p / (2 * (1 - p));
        swq_switch sw = test_switch(ctx, "cbda", cases[k].ports, 200, p, "random");
        swq_network network = network_in_stages(ctx, "omega", cases[k].stages, &sw);
        swq_sim_options options = run_of(700 + k, 1, 1000, cases[k].cycles);
        swq_sim_result r = simulate(ctx, &network, &options);
        cr_assert_eq(r.all.discarded, 0);
        expect(&r, r.stage[0].occupancy, n * p * first, 0.02, "the first stage");
        for (int s = 0; s < cases[k].stages; s++) {
            double wait = r.stage[s].occupancy.mean / (n * r.stage[s].sent.mean) - (s > 0);
            double formula = first * (1 + 4 * p / (5 * n) * (1 - pow(0.4, s)));
            assert_relative(wait, formula, 0.03, "%g x %g, stage %d: %g, formula %g", n, n, s + 1,
                            wait, formula);
            assert_relative(wait, cases[k].simulated[s], 0.012, "%g x %g, stage %d: %g, not %g", n,
                            n, s + 1, wait, cases[k].simulated[s]);
            total += wait;
        }
        assert_relative(r.all.latency.mean, total, 2e-3, "latency %g, waits add up to %g",
                        r.all.latency.mean, total);
    }
    swq_context_free(ctx);
}

/* Pfister and Norton 1985: one sink takes one packet a cycle, so throughput is at most 1 / (1 + h
 * (N
 * - 1)); at full load the tree that leads to it is full, the sink hardly ever idle, and the bound
 * is met: to within 3%, three standard errors of the number of hot packets among those that are
 * created. */
Test(sim_closed_forms, hot_spot)
{
    const struct {
        const char *buffer;
        int ports, stages;
        double fraction;
    } cases[] = {{"fifo", 4, 3, 0.05}, {"damq", 4, 3, 0.05}, {"damq", 2, 6, 0.1}};
    static uint8_t group[64];
    swq_context *ctx = swq_context_new();

    group[17] = 1;
    for (int k = 0; k < 3; k++) {
        double bound = 1 / (1 + cases[k].fraction * 63);
        swq_switch sw = test_switch(ctx, cases[k].buffer, cases[k].ports, 4, 1, "rotating");
        sw.flow = SWQ_BLOCK;
        sw.credit = SWQ_CREDIT_NEXT;
        swq_network network = network_in_stages(ctx, "omega", cases[k].stages, &sw);
        swq_sim_options options = run_of(800 + (uint64_t)k, 1, 4000, 12000);
        options.group = group;
        options.groups = 2;
        network.traffic.hot_spots = 1;
        network.traffic.hot[0] = (swq_hot_spot){17, cases[k].fraction};
        swq_sim_result r = simulate(ctx, &network, &options);
        swq_estimate e = r.all.throughput;
        assert_relative(e.mean, bound, 0.03, "%s: %g, bound %g", cases[k].buffer, e.mean, bound);
        cr_assert(e.mean <= bound + 2 * e.half_width, "%s: %g +- %g above %g", cases[k].buffer,
                  e.mean, e.half_width, bound);
        cr_assert(r.by_group[1].throughput.mean > 0.995, "the hot sink gets %g",
                  r.by_group[1].throughput.mean);
        cr_assert(r.by_group[0].throughput.mean < 0.25);
    }
    swq_context_free(ctx);
}

/* Every hot spot gets its fraction and its share of the rest, however many come before it. */
Test(sim_closed_forms, several_hot_spots_get_their_fractions)
{
    static const swq_hot_spot hot[] = {{5, 0.1}, {0, 0.3}, {11, 0.05}, {3, 0.2}, {14, 0.15}};
    enum { SPOTS = sizeof hot / sizeof *hot, NODES = 16 };
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "damq", 4, 4, 0.1, "rotating");
    swq_network network = network_in_stages(ctx, "omega", 2, &sw);
    uint8_t group[NODES] = {0};

    for (int spots = 1; spots <= SPOTS; spots++) {
        swq_sim_options options = run_of(830 + (uint64_t)spots, 1, 0, 100000);
        double rest = 1;
        options.group = group;
        options.groups = spots + 1;
        network.traffic.load = 0.1;
        network.traffic.hot_spots = spots;
        for (int h = 0; h < spots; h++) {
            network.traffic.hot[h] = hot[h];
            group[hot[h].node] = (uint8_t)(h + 1);
            rest -= hot[h].fraction;
        }
        swq_sim_result r = simulate(ctx, &network, &options);
        for (int h = 0; h < spots; h++) {
            const double share = hot[h].fraction + rest / NODES, all = (double)r.all.created;
            const double score =
                ((double)r.by_group[h + 1].created - all * share) / sqrt(all * share * (1 - share));
            cr_assert(fabs(score) < 4.5, "spot %d of %d: %.5f of the packets, not %.5f", h + 1,
                      spots, (double)r.by_group[h + 1].created / all, share);
        }
    }
    swq_context_free(ctx);
}

/* ---- four switches, exactly ---- */

/* Two stages of two 2 x 2 switches with one slot an input, sources that always offer, a fair coin
 * among contenders. What a first-stage buffer holds: a head for output 0 or 1, or (credit next)
 * nothing in the cycle after it has sent; its second digit is drawn when it gets to stage two. So
 * do the second stage's: 0, 1 or empty. Buffer 2a+b of the second stage is behind output a of first
 * switch b. */
enum { GONE = 2, CELLS = 8, STATES = 6561 };

static void digits_of(int state, int *digit)
{
    for (int k = 0; k < CELLS; k++, state /= 3)
        digit[k] = state % 3;
}

static int state_of(const int *digit)
{
    int state = 0;

    for (int k = CELLS - 1; k >= 0; k--)
        state = 3 * state + digit[k];
    return state;
}

/* A transmission by second-stage switch a from the given state: both heads may want one output.
 * Adds the outcomes to `after`. */
static double send_to_sinks(const double *before, double *after)
{
    double sent = 0;

    memset(after, 0, sizeof *after * STATES);
    for (int state = 0; state < STATES; state++) {
        int d[CELLS];
        if (before[state] == 0)
            continue;
        digits_of(state, d);
        for (int coin = 0; coin < 4; coin++) {
            int e[CELLS];
            memcpy(e, d, sizeof e);
            for (int a = 0; a < 2; a++) {
                int *pair = e + 4 + 2 * a;
                if (pair[0] != GONE && pair[0] == pair[1]) {
                    pair[coin >> a & 1] = GONE;
                    sent += before[state] / 4;
                } else {
                    sent += before[state] / 4 * ((pair[0] != GONE) + (pair[1] != GONE));
                    pair[0] = pair[1] = GONE;
                }
            }
            after[state_of(e)] += before[state] / 4;
        }
    }
    return sent;
}

/* From the states d (before) and e (after the second stage has sent): the first stage sends to open
 * buffers, and what it frees is filled at once (same) or marked gone (next), while what was marked
 * is filled. */
static void send_on(const int *d, const int *e, bool next, double weight, double *after)
{
    for (int coins = 0; coins < 1 << 10; coins++) {
        int f[CELLS];
        memcpy(f, e, sizeof f);
        for (int b = 0; b < 2; b++) {
            int won[2] = {-1, -1};
            for (int i = 0; i < 2; i++) {
                int a = d[2 * b + i];
                if (a == GONE || (next ? d : e)[4 + 2 * a + b] != GONE)
                    continue;
                if (won[a] < 0 || (coins >> b & 1))
                    won[a] = 2 * b + i;
            }
            for (int a = 0; a < 2; a++) {
                if (won[a] < 0)
                    continue;
                f[4 + 2 * a + b] = coins >> (2 + 2 * a + b) & 1;
                f[won[a]] = next ? GONE : coins >> (6 + won[a]) & 1;
            }
        }
        for (int k = 0; k < 4; k++) {
            if (d[k] == GONE)
                f[k] = coins >> (6 + k) & 1;
        }
        after[state_of(f)] += weight / (1 << 10);
    }
}

/* Rows of one cycle, as pairs of a target and a probability, computed once for the states
 * reached. */
typedef struct {
    int *target;
    double *chance;
    int entries;
    double sent;
} row_of_chain;

static void make_row(int state, bool next, row_of_chain *row, double *work)
{
    double *before = work, *middle = work + STATES, *after = work + 2 * STATES;
    int d[CELLS];

    memset(work, 0, sizeof *work * 3 * STATES);
    before[state] = 1;
    row->sent = send_to_sinks(before, middle);
    digits_of(state, d);
    for (int m = 0; m < STATES; m++) {
        int e[CELLS];
        if (middle[m] == 0)
            continue;
        digits_of(m, e);
        send_on(d, e, next, middle[m], after);
    }
    row->entries = 0;
    for (int s = 0; s < STATES; s++)
        row->entries += after[s] > 0;
    row->target = calloc((size_t)row->entries, sizeof *row->target);
    row->chance = calloc((size_t)row->entries, sizeof *row->chance);
    for (int s = 0, k = 0; s < STATES; s++) {
        if (after[s] > 0) {
            row->target[k] = s;
            row->chance[k++] = after[s];
        }
    }
}

/* Packets sent per output and cycle, and packets held by the second stage's switch after
 * transmission. */
static void solve_four_switches(bool next, double *throughput, double *occupancy, int *states)
{
    row_of_chain *row = calloc(STATES, sizeof *row);
    double *p = calloc(STATES, sizeof *p), *q = calloc(STATES, sizeof *q);
    double *work = calloc(3 * STATES, sizeof *work), change = 1;

    for (int s = 0; s < 16; s++) { /* empty, and any four heads */
        int d[CELLS] = {s & 1, s >> 1 & 1, s >> 2 & 1, s >> 3 & 1, GONE, GONE, GONE, GONE};
        p[state_of(d)] = 1.0 / 16;
    }
    for (int step = 0; step < 2000 && change > 1e-13; step++) {
        memset(q, 0, sizeof *q * STATES);
        for (int s = 0; s < STATES; s++) {
            if (p[s] == 0)
                continue;
            if (!row[s].target)
                make_row(s, next, &row[s], work);
            for (int k = 0; k < row[s].entries; k++)
                q[row[s].target[k]] += p[s] * row[s].chance[k];
        }
        change = 0;
        for (int s = 0; s < STATES; s++) {
            change += fabs(q[s] - p[s]);
            p[s] = (p[s] + q[s]) / 2; /* longer than any period */
        }
    }
    cr_assert(change <= 1e-13);
    *throughput = *occupancy = *states = 0;
    for (int s = 0; s < STATES; s++) {
        int d[CELLS], held = 0;
        digits_of(s, d);
        for (int k = 4; k < CELLS; k++)
            held += d[k] != GONE;
        *states += p[s] > 0;
        *throughput += p[s] * row[s].sent / 4;
        /* before transmission, which is after that of the cycle before */
        *occupancy += p[s] * held / 2;
        free(row[s].target);
        free(row[s].chance);
    }
    free(row);
    free(p);
    free(q);
    free(work);
}

Test(sim_closed_forms, four_switches)
{
    swq_context *ctx = swq_context_new();
    double throughput[2];

    for (int next = 0; next < 2; next++) {
        double occupancy;
        int states;
        solve_four_switches(next, &throughput[next], &occupancy, &states);
        for (int t = 0; swq_topologies[t]; t++) {
            swq_switch sw = test_switch(ctx, "fifo", 2, 1, 1, "random");
            swq_sim_options options = run_of(900 + (uint64_t)(2 * t + next), 1, 200, 60000);
            if (swq_topologies[t]->stages)
                continue;
            sw.flow = SWQ_BLOCK;
            sw.credit = next ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
            swq_network network = network_in_stages(ctx, swq_topologies[t]->name, 2, &sw);
            swq_sim_result r = simulate(ctx, &network, &options);
            expect(&r, r.all.throughput, throughput[next], 5e-3, swq_topologies[t]->name);
            expect(&r, r.stage[1].occupancy, occupancy, 5e-3, swq_topologies[t]->name);
        }
        if (getenv("SWITCHQ_SCORES"))
            fprintf(stderr, "four switches, credit %d: %.10g, %d states\n", next, throughput[next],
                    states);
    }
    /* Jenq's recursion (1983) is a few percent above the one throughput, and does not cover the
     * other */
    cr_assert(throughput[0] < 0.633308 && throughput[0] > 0.95 * 0.633308);
    assert_relative(throughput[1], 0.375, 1e-10, "%.17g", throughput[1]);
    swq_context_free(ctx);
}
