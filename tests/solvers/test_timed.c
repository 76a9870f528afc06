/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chains in discrete and continuous time: closed forms, and random chains against dense linear
 * algebra in long double. The exact value must lie within the proven bounds, and the bounds must be
 * narrow.
 */
#include "solvers/timed.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

enum { MOST = 40 };

static swq_context *ctx;

static void setup(void)
{
    ctx = swq_context_new();
}

static void teardown(void)
{
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

TestSuite(timed, .init = setup, .fini = teardown, .timeout = 120);

/* A dense chain. In continuous time `a` holds rates. */
typedef struct {
    int n;
    double a[MOST][MOST], hold[MOST];
    bool stays[MOST];
    swq_csr p;
} dense;

static swq_timed make(dense *d, bool rates)
{
    int64_t at = 0;

    d->p = (swq_csr){.rows = d->n, .cols = d->n};
    d->p.start = swq_calloc(ctx, (size_t)d->n + 1, sizeof *d->p.start);
    d->p.col = swq_calloc(ctx, (size_t)(d->n * d->n), sizeof *d->p.col);
    d->p.value = swq_calloc(ctx, (size_t)(d->n * d->n), sizeof *d->p.value);
    for (int i = 0; i < d->n; i++) {
        double sum = 0;
        for (int j = 0; j < d->n; j++)
            sum += rates && i == j ? 0 : d->a[i][j];
        d->stays[i] = sum == 0;
        d->hold[i] = sum == 0 ? 1 : 1 / sum;
        for (int j = 0; j < d->n; j++) {
            double value = sum == 0 ? i == j : rates && i == j ? 0 : d->a[i][j] / sum;
            if (value == 0)
                continue;
            d->p.col[at] = j;
            d->p.value[at++] = value;
        }
        d->p.start[i + 1] = at;
    }
    return (swq_timed){&d->p, rates ? d->hold : NULL, rates ? d->stays : NULL, 2 + d->n + 3};
}

static const swq_solver *solver(void)
{
    return swq_solvers[0];
}

static swq_solver_options options(void)
{
    return swq_solver_options_defaults();
}

static void expect_mean(const swq_mean *mean, long double truth, double width, const char *what)
{
    /* the truth of a test is itself rounded */
    cr_assert(mean->lower <= truth * (1 + 4e-16L) && truth * (1 - 4e-16L) <= mean->upper,
              "%s: %.17Lg is not in %.17g to %.17g", what, truth, mean->lower, mean->upper);
    cr_assert(mean->upper - mean->lower <= width * (double)truth, "%s: %.3g wide", what,
              mean->upper - mean->lower);
    cr_assert(mean->lower <= mean->value && mean->value <= mean->upper, "%s", what);
}

/* M/M/1/K by rates: pi_k is proportional to rho^k. */
Test(timed, queue_with_places)
{
    static const double rho[] = {0.01, 0.5, 1, 1.75, 40};
    enum { PLACES = 20 };

    for (size_t r = 0; r < sizeof rho / sizeof *rho; r++) {
        dense d = {.n = PLACES + 1};
        double reward[MOST], mu = 3;
        long double sum = 0, mean = 0, power = 1;
        for (int k = 0; k < PLACES; k++) {
            d.a[k][k + 1] = rho[r] * mu;
            d.a[k + 1][k] = mu;
        }
        for (int k = 0; k <= PLACES; k++, power *= rho[r]) {
            reward[k] = k;
            sum += power;
            mean += k * power;
        }
        swq_timed chain = make(&d, true);
        swq_solver_options o = options();
        swq_solution s;
        cr_assert_eq(swq_timed_solve(ctx, &chain, reward, solver(), &o, &s), SWQ_OK);
        expect_mean(&s.mean[0], mean / sum, 1e-11, "packets");
        power = 1;
        for (int k = 0; k <= PLACES; k++, power *= rho[r])
            cr_assert(fabsl(s.pi[k] - power / sum) <= (s.pi_error + 1e-15) * s.pi[k], "%d", k);
        cr_assert_lt(s.pi_error, 1e-11);
        swq_solution_clear(ctx, &s);
        swq_csr_clear(ctx, &d.p);
    }
}

/* Gambler's ruin: from i, up with p and down with q = 1 - p; r = q / p. The probability of ruin is
 * (r^i - r^n) / (1 - r^n), the mean duration (i - n (1 - r^i) / (1 - r^n)) / (q - p). */
Test(timed, gamblers_ruin)
{
    static const double up[] = {0.25, 0.5, 0.75, 0.625};
    enum { GOAL = 20 };

    for (int rates = 0; rates < 2; rates++) {
        for (size_t u = 0; u < sizeof up / sizeof *up; u++) {
            for (int i = 1; i < GOAL; i += 6) {
                dense d = {.n = GOAL + 1};
                const double p = up[u], q = 1 - p;
                /* in continuous time all at 4 times the pace: a step takes 1/4 */
                const double pace = rates ? 4 : 1;
                for (int k = 1; k < GOAL; k++) {
                    d.a[k][k + 1] = p * pace;
                    d.a[k][k - 1] = q * pace;
                }
                if (!rates)
                    d.a[0][0] = d.a[GOAL][GOAL] = 1;
                const long double r = (long double)q / p, ri = powl(r, i), rn = powl(r, GOAL);
                const long double ruin =
                    p == 0.5 ? 1 - (long double)i / GOAL : (ri - rn) / (1 - rn);
                const long double goal = p == 0.5 ? (long double)i / GOAL : (1 - ri) / (1 - rn);
                const long double steps = p == 0.5 ? (long double)i * (GOAL - i)
                                                   : (i - GOAL * (1 - ri) / (1 - rn)) / (q - p);
                double reward[MOST] = {7};
                swq_timed chain = make(&d, rates);
                swq_solver_options o = options();
                swq_long_run run;
                cr_assert_eq(swq_long_run_solve(ctx, &chain, i, reward, solver(), &o, &run), SWQ_OK,
                             "%s", swq_context_message(ctx));
                cr_assert_eq(run.classes, 2);
                cr_assert(run.ending[0].first == 0 && run.ending[1].first == GOAL);
                expect_mean(&run.ending[0].probability, ruin, 1e-10, "ruin");
                expect_mean(&run.ending[1].probability, goal, 1e-10, "goal");
                expect_mean(&run.time, steps / pace, 1e-10, "time");
                expect_mean(&run.reward, 7 * ruin, 1e-10, "reward");
                cr_assert_eq(run.transient, GOAL - 1);
                swq_long_run_clear(ctx, &run);
                swq_csr_clear(ctx, &d.p);
            }
        }
    }
}

/* Two states, left with a and b: the first has the probability b / (a + b) + a / (a + b) z, with
 * z = (1 - a - b)^n after n steps and exp(-(a + b) t) at time t. */
Test(timed, two_states)
{
    static const double times[] = {0, 1, 2, 17, 1000, 100000};
    const double a = 0.375, b = 0.0625;

    for (int rates = 0; rates < 2; rates++) {
        for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
            dense d = {.n = 2, .a = {{rates ? 0 : 1 - a, a}, {b, rates ? 0 : 1 - b}}};
            const long double z =
                rates ? expl(-(a + b) * (long double)times[k]) : powl(1 - a - b, times[k]);
            const long double first = b / (a + b) + a / (a + b) * z;
            swq_timed chain = make(&d, rates);
            swq_transient at;
            cr_assert_eq(swq_transient_solve(ctx, &chain, 0, times[k], &at), SWQ_OK);
            cr_assert(fabsl(at.x[0] - first) <=
                          at.relative * at.x[0] + at.absolute + 2e-16L * first,
                      "at %g: %.17g, not %.17Lg", times[k], at.x[0], first);
            cr_assert(fabsl(at.x[0] + at.x[1] - 1) <= at.relative + at.absolute + 1e-15L);
            cr_assert_lt(at.relative, 1e-14 * (1 + times[k]) * 4);
            cr_assert_lt(at.absolute, 1e-30);
            swq_transient_clear(ctx, &at);
            swq_csr_clear(ctx, &d.p);
        }
    }
}

/* Far from the start a distribution has tiny entries, which keep their relative accuracy: after a
 * short time t, state k of a Poisson process has exp(-t) t^k / k!. */
Test(timed, tiny_probabilities)
{
    dense d = {.n = MOST};
    long double truth = expl(-0.25L);
    swq_transient at;

    for (int k = 0; k + 1 < MOST; k++)
        d.a[k][k + 1] = 1;
    swq_timed chain = make(&d, true);
    cr_assert_eq(swq_transient_solve(ctx, &chain, 0, 0.25, &at), SWQ_OK);
    for (int k = 0; k < 20; k++) {
        cr_assert(fabsl(at.x[k] - truth) <= at.relative * at.x[k] + at.absolute, "%d: %g, %Lg", k,
                  at.x[k], truth);
        truth *= 0.25L / (k + 1);
    }
    swq_transient_clear(ctx, &at);
    swq_csr_clear(ctx, &d.p);
}

/* x (I - A) = b by elimination, for the leading n x n part of a substochastic A. */
static void solve_dense(int n, long double a[MOST][MOST], long double *x)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            best = fabsl(a[i][k]) > fabsl(a[best][k]) ? i : best;
        for (int j = 0; j < n; j++) {
            long double t = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = t;
        }
        long double t = x[k];
        x[k] = x[best];
        x[best] = t;
        for (int i = k + 1; i < n; i++) {
            const long double f = a[i][k] / a[k][k];
            for (int j = k; j < n; j++)
                a[i][j] -= f * a[k][j];
            x[i] -= f * x[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++)
            x[k] -= a[k][j] * x[j];
        x[k] /= a[k][k];
    }
}

static uint32_t seed;

static double draw(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 16777216.0;
}

/* Random chains with absorbing states at the end: probabilities and times of absorption, and the
 * distribution after some steps, against dense elimination and multiplication. */
Test(timed, random_chains_against_dense_algebra)
{
    for (int trial = 0; trial < 30; trial++) {
        dense d = {.n = 6 + trial % 20};
        const int sets = 1 + trial % 3, inner = d.n - sets;
        const bool rates = trial % 2;
        int32_t set[MOST];
        double reward[MOST];
        seed = 100 + (uint32_t)trial;
        for (int i = 0; i < d.n; i++) {
            double sum = 0;
            reward[i] = draw();
            set[i] = i < inner ? -1 : i - inner;
            for (int j = 0; j < d.n && i < inner; j++) {
                d.a[i][j] = draw() < 0.4 || j == (i + 1) % d.n ? draw() + 0.01 : 0;
                d.a[i][j] *= j >= inner ? 0.05 : 1;
                d.a[i][j] *= rates && i == j ? 0 : 1;
                sum += d.a[i][j];
            }
            for (int j = 0; j < d.n && i < inner && !rates; j++)
                d.a[i][j] /= sum;
            if (i >= inner)
                d.a[i][i] = 1;
        }
        swq_timed chain = make(&d, rates);
        long double p[MOST][MOST] = {{0}}, a[MOST][MOST], x[MOST];
        for (int i = 0; i < d.n; i++) {
            for (int64_t e = d.p.start[i]; e < d.p.start[i + 1]; e++)
                p[i][d.p.col[e]] = d.p.value[e];
        }
        swq_solver_options o = options();
        swq_passage passage;
        cr_assert_eq(swq_passage_solve(ctx, &chain, 0, set, sets, reward, solver(), &o, &passage),
                     SWQ_OK, "%s", swq_context_message(ctx));
        for (int what = 0; what < sets + 2; what++) { /* each set; time; reward */
            for (int i = 0; i < inner; i++) {
                const long double hold = rates ? d.hold[i] : 1;
                for (int j = 0; j < inner; j++)
                    a[i][j] = (i == j) - p[i][j];
                x[i] = what < sets ? p[i][inner + what] : what == sets ? hold : hold * reward[i];
            }
            solve_dense(inner, a, x);
            if (sets == 1 && what == 0) { /* every path ends, whatever the rounding of its rows */
                cr_assert(passage.arrives[0].lower == 1 && passage.arrives[0].upper == 1);
                continue;
            }
            expect_mean(what < sets    ? &passage.arrives[what]
                        : what == sets ? &passage.time
                                       : &passage.reward,
                        x[0], 1e-9, what < sets ? "arrives" : "time or reward");
        }
        swq_passage_clear(ctx, &passage);
        if (!rates) {
            long double now[MOST] = {1}, next[MOST];
            swq_transient at;
            for (int step = 0; step < 37; step++) {
                memset(next, 0, sizeof next);
                for (int i = 0; i < d.n; i++) {
                    for (int j = 0; j < d.n; j++)
                        next[j] += now[i] * p[i][j];
                }
                memcpy(now, next, sizeof now);
            }
            cr_assert_eq(swq_transient_solve(ctx, &chain, 0, 37, &at), SWQ_OK);
            for (int j = 0; j < d.n; j++)
                cr_assert(fabsl(at.x[j] - now[j]) <= at.relative * at.x[j] + at.absolute);
            cr_assert_lt(at.relative, 1e-12);
            swq_transient_clear(ctx, &at);
        }
        swq_csr_clear(ctx, &d.p);
    }
}

/* Two closed classes of two states each beside one state that stays: long-run averages by hand. */
Test(timed, long_run_of_several_classes)
{
    dense d = {.n = 7};
    double reward[MOST] = {100, 1, 3, 5, 7, 11, 1000};
    swq_solver_options o = options();
    swq_long_run run;

    d.a[0][0] = 0.5;
    d.a[0][1] = 0.25; /* of what leaves: half to {1, 2}, a quarter to {3, 4}, a quarter to {5} */
    d.a[0][4] = 0.125;
    d.a[0][5] = 0.125;
    d.a[1][2] = d.a[2][1] = 1;        /* mean 2, period 2 */
    d.a[3][3] = 0.5, d.a[3][4] = 0.5; /* pi 2/3, 1/3: mean 17/3 */
    d.a[4][3] = 1;
    d.a[5][5] = 1;
    d.a[6][6] = 1; /* not reached */
    swq_timed chain = make(&d, false);
    cr_assert_eq(swq_long_run_solve(ctx, &chain, 0, reward, solver(), &o, &run), SWQ_OK);
    cr_assert_eq(run.classes, 3);
    cr_assert(run.ending[0].states == 2 && run.ending[0].first == 1 && run.ending[0].period == 2);
    cr_assert(run.ending[1].first == 3 && run.ending[2].states == 1);
    expect_mean(&run.ending[0].probability, 0.5L, 1e-13, "first");
    expect_mean(&run.ending[1].probability, 0.25L, 1e-13, "second");
    expect_mean(&run.ending[1].reward, 17 / 3.0L, 1e-13, "reward of the second");
    expect_mean(&run.reward, 1 + 17 / 12.0L + 11 / 4.0L, 1e-13, "reward");
    expect_mean(&run.time, 2, 1e-13, "time");
    assert_relative(run.pi[3], 1 / 6.0, 1e-14, "pi");
    cr_assert(run.pi[0] == 0 && run.pi[6] == 0);
    swq_long_run_clear(ctx, &run);
    /* from within a class nothing else is reached */
    cr_assert_eq(swq_long_run_solve(ctx, &chain, 4, reward, solver(), &o, &run), SWQ_OK);
    cr_assert(run.classes == 1 && run.time.value == 0 && run.ending[0].probability.lower == 1);
    swq_long_run_clear(ctx, &run);
    swq_csr_clear(ctx, &d.p);
}

Test(timed, every_allocation_failing)
{
    double reward[MOST] = {1, 2, 3, 4, 5};
    swq_solver_options o = options();

    for (int what = 0; what < 4; what++) {
        dense d = {.n = 5};
        d.a[0][1] = d.a[0][3] = d.a[0][4] = d.a[1][2] = d.a[2][1] = 1;
        const int32_t set[] = {-1, -1, 0, 0, 0};
        swq_timed chain = make(&d, true);
        const size_t live = swq_context_live_blocks(ctx);
        swq_status status = SWQ_ENOMEM;
        for (size_t after = 0; status; after++) {
            swq_long_run run = {0};
            swq_passage passage = {0};
            swq_transient at = {0};
            int32_t of[MOST];
            int64_t classes;
            cr_assert_lt(after, 400);
            swq_context_fail_allocations(ctx, after, true);
            status = what == 0 ? swq_long_run_solve(ctx, &chain, 0, reward, solver(), &o, &run)
                     : what == 1
                         ? swq_passage_solve(ctx, &chain, 0, set, 1, reward, solver(), &o, &passage)
                     : what == 2 ? swq_transient_solve(ctx, &chain, 0, 3, &at)
                                 : swq_classes_find(ctx, chain.p, of, &classes);
            swq_context_fail_allocations(ctx, SIZE_MAX, false);
            cr_assert(!status || status == SWQ_ENOMEM, "%d after %zu: %s", what, after,
                      swq_context_message(ctx));
            swq_long_run_clear(ctx, &run);
            swq_passage_clear(ctx, &passage);
            swq_transient_clear(ctx, &at);
            cr_assert_eq(swq_context_live_blocks(ctx), live, "%d leaked after %zu", what, after);
        }
        swq_csr_clear(ctx, &d.p);
    }
}
