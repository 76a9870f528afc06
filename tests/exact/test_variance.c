/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The asymptotic variance of refusals: against a rational derived by hand, against dense linear
 * algebra on whole switches run through all falls of the dice, reduced against unreduced, by all
 * ways of solving; and the scores of simulations, which it must make standard normal.
 */
#include "tests/sim/samples.h"

#include "models/cycle.h"
#include "models/reception.h"

#include <gsl/gsl_linalg.h>

TestSuite(variance, .timeout = 480);

static swq_answers solve(swq_context *ctx, const swq_switch *sw, bool reduce, const char *solver)
{
    swq_exact_options options = swq_exact_options_defaults();
    swq_answers a;

    options.reduce = reduce;
    options.variance = true;
    cr_assert_eq(swq_solver_find(ctx, solver, &options.solver), SWQ_OK);
    cr_assert_eq(swq_exact_solve(ctx, sw, &options, &a), SWQ_OK, "%s", swq_context_message(ctx));
    return a;
}

/* One slot, two ports. A packet is left behind (state 1) from state 0 with probability a = p^2 / 2,
 * and again with b = p / 2; in state 1 one input refuses with probability p, whatever the
 * transition. So with q the probability of state 1, the refusals are p X, where X is a chain of two
 * states whose correlation falls by a factor b - a per cycle: sigma^2 = mu - mu^2 + 2 p^2 q (1 - q)
 * (b - a) / (1 - b + a). At 1/2: 13/196 + 3/343. */
Test(variance, fifo_of_one_slot_by_hand)
{
    swq_context *ctx = swq_context_new();

    for (double p = 0x1p-20; p <= 1; p *= 2) {
        swq_switch sw = test_switch(ctx, "fifo", 2, 1, p, "random");
        swq_answers s = solve(ctx, &sw, true, "auto");
        double a = p * p / 2, b = p / 2, q = a / (a + 1 - b), mu = p * q;
        double expected = mu - mu * mu + 2 * p * p * q * (1 - q) * (b - a) / (1 - b + a);
        assert_relative(s.variance.value, expected, 1e-13, "p %g: %.17g not %.17g", p,
                        s.variance.value, expected);
        cr_assert(fabs(s.variance.value - expected) <= s.variance.error + 1e-15 * expected);
        cr_assert(s.variance.error < 1e-11 * expected, "p %g", p);
        assert_relative(s.refusals, mu, 1e-13, "mean");
        if (p == 0.5)
            assert_relative(s.variance.value, 13.0 / 196 + 3.0 / 343, 1e-13, "one half");
        swq_answers_clear(ctx, &s);
    }
    swq_context_free(ctx);
}

/* ---- dense linear algebra on all states ---- */

typedef struct {
    int64_t n;
    double *p, *first, *second; /* [n * n] P, and with E[r], E[r^2] of each transition */
} dense_chain;

static int64_t find(swq_context *ctx, swq_chain *chain, const swq_word *words)
{
    int64_t at = swq_chain_find(ctx, chain, words);
    cr_assert(at >= 0, "a state that the chain does not know");
    return at;
}

/* Applies the rules themselves, a whole cycle at a time. */
static dense_chain whole_cycles(swq_context *ctx, swq_chain *chain, const swq_switch *sw)
{
    int64_t n = swq_chain_states(chain);
    dense_chain d = {.n = n};
    swq_layout layout;
    swq_word state[256], start[256];
    swq_reception what;
    swq_dice *dice = malloc(sizeof *dice);

    d.p = calloc((size_t)(n * n), sizeof(double));
    d.first = calloc((size_t)(n * n), sizeof(double));
    d.second = calloc((size_t)(n * n), sizeof(double));
    swq_layout_init(&layout, sw);
    for (int64_t s = 0; s < n; s++) {
        swq_chain_state(chain, s, start);
        swq_dice_begin_enumeration(dice);
        do {
            double r = 0;
            memcpy(state, start, sizeof state);
            swq_receive(sw, &layout, state, dice, &what);
            for (int i = 0; i < sw->ports; i++)
                r += what.refused[i];
            swq_transmit(sw, &layout, state, dice);
            int64_t at = s * n + find(ctx, chain, state);
            d.p[at] += (double)dice->probability;
            d.first[at] += (double)dice->probability * r;
            d.second[at] += (double)dice->probability * r * r;
        } while (swq_dice_next(dice));
    }
    free(dice);
    return d;
}

/* x (I - P) = b with sum x = total, which replaces the equation of state 0. */
static void solve_left(const dense_chain *d, const double *b, double total, double *x)
{
    size_t n = (size_t)d->n;
    gsl_matrix *m = gsl_matrix_alloc(n, n);
    gsl_permutation *swap = gsl_permutation_alloc(n);
    gsl_vector *right = gsl_vector_alloc(n);
    gsl_vector_view out = gsl_vector_view_array(x, n);
    int sign;

    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < n; i++)
            gsl_matrix_set(m, j, i, j == 0 ? 1 : (i == j) - d->p[i * n + j]);
        gsl_vector_set(right, j, j == 0 ? total : b[j]);
    }
    gsl_linalg_LU_decomp(m, swap, &sign);
    gsl_linalg_LU_solve(m, swap, right, &out.vector);
    gsl_matrix_free(m);
    gsl_permutation_free(swap);
    gsl_vector_free(right);
}

static double dense_variance(const dense_chain *d)
{
    int64_t n = d->n;
    double *pi = calloc((size_t)n, sizeof *pi), *u = calloc((size_t)n, sizeof *u);
    double *z = calloc((size_t)n, sizeof *z), mean = 0, square = 0, covariance = 0;

    solve_left(d, pi, 1, pi);
    for (int64_t k = 0; k < n * n; k++) {
        mean += pi[k / n] * d->first[k];
        square += pi[k / n] * d->second[k];
    }
    for (int64_t k = 0; k < n * n; k++)
        u[k % n] += pi[k / n] * (d->first[k] - mean * d->p[k]);
    solve_left(d, u, 0, z);
    for (int64_t k = 0; k < n * n; k++)
        covariance += z[k / n] * (d->first[k] - mean * d->p[k]);
    free(pi);
    free(u);
    free(z);
    return square - mean * mean + 2 * covariance;
}

static void compare(swq_context *ctx, const swq_switch *sw, const char *what)
{
    swq_chain *chain;
    cr_assert_eq(swq_chain_generate_whole(ctx, sw, false, &chain), SWQ_OK);
    dense_chain d = whole_cycles(ctx, chain, sw);
    double expected = dense_variance(&d);
    static const char *const solvers[] = {"auto", "aggregation", "lu", "sparse-gth"};

    for (int k = 0; k < 8; k++) {
        swq_answers a = solve(ctx, sw, k % 2, solvers[k / 2]);
        assert_relative(a.variance.value, expected, 1e-10, "%s %s: %.17g not %.17g", what,
                        solvers[k / 2], a.variance.value, expected);
        cr_assert(fabs(a.variance.value - expected) <= a.variance.error + 1e-11 * expected,
                  "%s %s: off by %g, bound %g", what, solvers[k / 2], a.variance.value - expected,
                  a.variance.error);
        cr_assert(a.variance.error <= 1e-6 * expected, "%s %s: bound %g", what, solvers[k / 2],
                  a.variance.error / expected);
        swq_answers_clear(ctx, &a);
    }
    free(d.p);
    free(d.first);
    free(d.second);
    swq_chain_free(ctx, chain);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
}

Test(variance, dense_algebra)
{
    static const struct {
        const char *buffer, *arbiter;
        int ports, slots;
    } cases[] = {{"fifo", "random", 2, 2},  {"samq", "longest", 2, 2}, {"safc", "random", 2, 2},
                 {"damq", "random", 2, 2},  {"dafc", "fixed", 2, 2},   {"cbda", "random", 2, 2},
                 {"damq", "islip", 2, 1},   {"fifo", "random", 3, 1},  {"cbda", "random", 3, 1},
                 {"damq", "rotating", 2, 1}};
    swq_context *ctx = swq_context_new();
    char what[120];

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        for (int variant = 0; variant < 6; variant++) {
            const swq_arbiter *arbiter;
            if (swq_arbiter_find(ctx, cases[c].arbiter, &arbiter) != SWQ_OK)
                continue;
            swq_switch sw = test_switch(ctx, cases[c].buffer, cases[c].ports, cases[c].slots,
                                        variant == 5 ? 1 : 0.8, cases[c].arbiter);
            if (variant >= 2 && cases[c].ports == 3)
                continue; /* many states */
            sw.flow = variant == 1 || variant == 3 ? SWQ_BLOCK : SWQ_DISCARD;
            sw.credit = variant >= 3 && variant < 5 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
            if (variant == 2 || variant == 3)
                sw.load[1] = 0.5;
            if (variant == 4)
                cr_assert_eq(swq_traffic_hotspot(ctx, &sw, 0.3, 1), SWQ_OK);
            snprintf(what, sizeof what, "%s %s %d slots %d variant %d", cases[c].buffer,
                     cases[c].arbiter, cases[c].ports, cases[c].slots, variant);
            compare(ctx, &sw, what);
        }
    }
    swq_context_free(ctx);
}

/* If nothing is refused, nothing varies; a steady loss does not vary either. */
Test(variance, none)
{
    swq_context *ctx = swq_context_new();
    const double straight[] = {1, 0, 0, 1}, crossing[] = {1, 0, 1, 0};
    swq_switch sw = test_switch(ctx, "fifo", 2, 2, 0.7, "random");
    cr_assert_eq(swq_traffic_matrix(ctx, &sw, straight), SWQ_OK);
    swq_answers a = solve(ctx, &sw, true, "auto");
    cr_assert(a.variance.value == 0 && a.variance.error == 0 && a.refusals == 0);
    swq_answers_clear(ctx, &a);

    sw.load[0] = sw.load[1] = 1;
    cr_assert_eq(swq_traffic_matrix(ctx, &sw, crossing), SWQ_OK);
    a = solve(ctx, &sw, true, "auto");
    assert_relative(a.refusals, 1, 1e-14, "one sent, one lost");
    cr_assert(fabs(a.variance.value) <= a.variance.error && a.variance.error < 1e-10, "%g +- %g",
              a.variance.value, a.variance.error);
    swq_answers_clear(ctx, &a);
    swq_context_free(ctx);
}

/* Not computed unless requested. */
Test(variance, only_if_asked)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "fifo", 2, 2, 0.7, "random");
    swq_answers a = test_solve(ctx, &sw, "auto");

    cr_assert(isnan(a.variance.value) && isnan(a.refusals) && isnan(a.slope.value));
    swq_answers_clear(ctx, &a);
    swq_context_free(ctx);
}

/* ---- simulations ---- */

enum { RUNS = 250, CYCLES = 6000, WARM_UP = 500 };

/* (estimate - exact) / sqrt(sigma^2 / T) of many short runs is a standard normal sample. */
static void scores_of_runs(const char *buffer, int ports, int slots, double load, uint64_t seed)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, buffer, ports, slots, load, "random");
    swq_answers a = solve(ctx, &sw, true, "auto");
    swq_network network = network_of(&sw);
    scores *all = calloc(1, sizeof *all);

    all->quantity = buffer;
    for (uint64_t k = 0; k < RUNS; k++) {
        swq_sim_options options = run_of(seed + k, 1, WARM_UP, CYCLES);
        swq_sim_result r = simulate(ctx, &network, &options);
        double mean = (double)r.all.discarded / CYCLES;
        scores_add(all, (mean - a.refusals) / sqrt(a.variance.value / CYCLES), buffer);
    }
    scores_check(all, RUNS);
    free(all);
    swq_answers_clear(ctx, &a);
    swq_context_free(ctx);
}

Test(variance, simulated_fifo)
{
    scores_of_runs("fifo", 2, 2, 0.8, 910000);
}

Test(variance, simulated_damq)
{
    scores_of_runs("damq", 2, 4, 0.95, 920000);
}

Test(variance, simulated_pool)
{
    scores_of_runs("cbda", 3, 2, 0.95, 930000);
}
