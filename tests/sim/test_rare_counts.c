/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fractions of rare events in short runs, by their intervals or bounds, against the chain: they are
 * to hold its value about as often as they say. With SWITCHQ_SCORES in the environment how often
 * they do is printed.
 */
#include "tests/sim/samples.h"

TestSuite(sim_rare_counts, .timeout = 480);

enum { RUNS = 600, WARM_UP = 100, CYCLES = 2000 };

typedef struct point {
    const char *buffer;
    int slots;
    double load;
    swq_flow flow;
} point;

/* Events per run, on average: 0.3 to 40. */
static const point points[] = {
    {"damq", 2, 0.28, SWQ_BLOCK},   {"damq", 2, 0.33, SWQ_BLOCK},   {"damq", 2, 0.38, SWQ_BLOCK},
    {"damq", 2, 0.42, SWQ_BLOCK},   {"damq", 2, 0.46, SWQ_BLOCK},   {"damq", 2, 0.5, SWQ_BLOCK},
    {"damq", 1, 0.07, SWQ_BLOCK},   {"damq", 1, 0.1, SWQ_BLOCK},    {"damq", 1, 0.14, SWQ_BLOCK},
    {"fifo", 2, 0.12, SWQ_BLOCK},   {"fifo", 2, 0.18, SWQ_BLOCK},   {"fifo", 2, 0.25, SWQ_BLOCK},
    {"samq", 2, 0.1, SWQ_BLOCK},    {"samq", 2, 0.15, SWQ_BLOCK},   {"cbda", 2, 0.5, SWQ_BLOCK},
    {"damq", 1, 0.1, SWQ_DISCARD},  {"damq", 2, 0.3, SWQ_DISCARD},  {"damq", 2, 0.4, SWQ_DISCARD},
    {"damq", 2, 0.45, SWQ_DISCARD}, {"fifo", 2, 0.25, SWQ_DISCARD}, {"samq", 2, 0.15, SWQ_DISCARD},
};

static bool holds(const swq_estimate *e, double below, double value)
{
    return isnan(below) ? fabs(e->mean - value) <= e->half_width : value <= below;
}

/* Of RUNS runs of a point, the fraction whose interval or bound holds the chain's value. */
static double coverage(swq_context *ctx, const point *p)
{
    swq_switch sw = test_switch(ctx, p->buffer, 2, p->slots, p->load, "random");
    swq_exact_options exact = swq_exact_options_defaults();
    swq_answers a;
    int covered = 0, bounds = 0;

    sw.flow = p->flow;
    cr_assert_eq(swq_exact_solve(ctx, &sw, &exact, &a), SWQ_OK, "%s", swq_context_message(ctx));
    const swq_network network = network_of(&sw);
    const bool block = p->flow == SWQ_BLOCK;
    const double value = block ? a.refusal : a.discard.value;
    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        const swq_sim_options options = run_of(seed, 1, WARM_UP, CYCLES);
        const swq_sim_result r = simulate(ctx, &network, &options);
        const swq_estimate *e = block ? &r.refusal : &r.all.discard_fraction;
        const double below = block ? r.refusal_below : r.all.discard_below;
        covered += holds(e, below, value);
        bounds += !isnan(below);
    }
    swq_answers_clear(ctx, &a);
    if (getenv("SWITCHQ_SCORES"))
        printf("%s, %d slots, load %g, %s: %.2g, %.3f covered, %.2f by bounds\n", p->buffer,
               p->slots, p->load, block ? "refused" : "discarded", value, (double)covered / RUNS,
               (double)bounds / RUNS);
    return (double)covered / RUNS;
}

/* No point may have fewer than the required 95% beyond chance. */
Test(sim_rare_counts, short_runs_hold_the_chain_s_value)
{
    swq_context *ctx = swq_context_new();
    const size_t count = sizeof points / sizeof *points;
    const double slack = 3.1 * sqrt(0.05 * 0.95 / RUNS);
    double all = 0;

    for (size_t k = 0; k < count; k++) {
        const double share = coverage(ctx, &points[k]);
        cr_expect(share >= 0.95 - slack, "%s, %d slots, load %g: only %.3f covered",
                  points[k].buffer, points[k].slots, points[k].load, share);
        all += share / (double)count;
    }
    cr_expect(all >= 0.95 - slack / sqrt((double)count), "only %.3f covered", all);
    swq_context_free(ctx);
}
