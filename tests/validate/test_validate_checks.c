/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the families of checks are made of: grids, anchors (which tests/ref finds too), exact
 * variances (by the fundamental matrix, dense), what is left of an empty start behind the warm-up,
 * the test of Kolmogorov and Smirnov.
 */
#include "tests/support/support.h"
#include "tests/support/to_reference.h"
#include "validate/checks/anchors/anchors.h"
#include "validate/checks/compare.h"
#include "validate/checks/grids.h"
#include "validate/checks/kolmogorov.h"
#include "validate/checks/scores.h"

TestSuite(checks, .timeout = 480);

/* ---- grids ---- */

static int kinds(void)
{
    int n = 0;

    while (swq_buffer_kinds[n])
        n++;
    return n;
}

/* Every buffer with every arbiter, all modes, and two, three and four ports; all are valid
 * switches. */
Test(checks, the_quick_grid_leaves_nothing_out)
{
    swq_context *ctx = swq_context_new();
    unsigned modes = 0, ports = 0, traffic = 0;
    bool pair[8][16] = {{false}};

    for (int k = 0; k < swq_grid_count(swq_one_switch, SWQ_EFFORT_QUICK); k++) {
        swq_case c;
        swq_switch sw;
        swq_grid_case(swq_one_switch, SWQ_EFFORT_QUICK, k, &c);
        cr_assert_eq(swq_case_switch(ctx, &c, &sw), SWQ_OK, "%s", swq_context_message(ctx));
        modes |= (unsigned)c.mode;
        ports |= 1u << c.ports;
        traffic |= 1u << c.traffic;
        for (int b = 0; b < kinds(); b++) {
            for (int a = 0; swq_arbiters[a]; a++)
                pair[b][a] |= strcmp(c.buffer, swq_buffer_kinds[b]->name) == 0 &&
                              strcmp(c.arbiter, swq_arbiters[a]->name) == 0;
        }
    }
    for (int b = 0; b < kinds(); b++) {
        for (int a = 0; swq_arbiters[a] && swq_buffer_kinds[b]->scope == SWQ_PER_INPUT; a++)
            cr_assert(pair[b][a], "%s with %s", swq_buffer_kinds[b]->name, swq_arbiters[a]->name);
    }
    cr_assert_eq(modes, SWQ_ALL_MODES);
    cr_assert_eq(ports, 1u << 2 | 1u << 3 | 1u << 4);
    cr_assert_eq(traffic, 1u << SWQ_CASE_UNIFORM | 1u << SWQ_CASE_HOT | 1u << SWQ_CASE_UNEQUAL |
                              1u << SWQ_CASE_BURSTS | 1u << SWQ_CASE_BURSTS_HOT |
                              1u << SWQ_CASE_BURSTS_LOPSIDED);
    swq_context_free(ctx);
}

static const swq_case_block block[] = {{.buffer = SWQ_WORDS("fifo", "samq"),
                                        .arbiter = SWQ_WORDS("random"),
                                        .ports = SWQ_NUMBERS(2, 3),
                                        .slots = SWQ_NUMBERS(2),
                                        .load = SWQ_LOADS(0.5, 0.9),
                                        .modes = SWQ_DISCARD_SAME | SWQ_BLOCK_NEXT,
                                        .quick = 5,
                                        .full = 1},
                                       {0}};

Test(checks, grids_are_all_combinations_or_every_so_many)
{
    swq_case c;
    char text[128];

    cr_assert_eq(swq_grid_count(block, SWQ_EFFORT_FULL), 16);
    cr_assert_eq(swq_grid_count(block, SWQ_EFFORT_QUICK), 4); /* 0, 5, 10, 15 */
    swq_grid_case(block, SWQ_EFFORT_FULL, 15, &c);
    cr_assert_str_eq(swq_case_name(&c, text, sizeof text),
                     "buffer=samq-6,ports=3,load=0.9,arbiter=random,flow=block-next");
    swq_grid_case(block, SWQ_EFFORT_QUICK, 1, &c);
    cr_assert_str_eq(swq_case_words(&c, text, sizeof text),
                     "3x3 fifo-2, load 0.5, random, block, credit next");
}

/* ---- anchors ---- */

/* Two independent implementations of the rules agree: the script's and that of tests/ref, as far as
 * the latter has the arbiter and is fast. */
Test(checks, anchors_are_the_references_too)
{
    static const char *const remembering[] = {"rotating", "advancing", "islip", "pim"};
    static ref_answer expected;
    swq_context *ctx = swq_context_new();
    int done = 0;

    for (int k = 0; k < swq_anchor_count; k++) {
        const swq_anchor *anchor = &swq_anchors[k];
        const double *value = anchor->value;
        bool there = anchor->what.ports == 2;
        swq_switch sw;
        char text[128];
        for (int a = 0; a < 4; a++)
            there = there && strcmp(anchor->what.arbiter, remembering[a]) != 0;
        swq_case_name(&anchor->what, text, sizeof text);
        cr_assert_eq(swq_case_switch(ctx, &anchor->what, &sw), SWQ_OK);
        ref_switch r = to_reference(&sw);
        if (!there || ref_solve(&r, &expected) != 0)
            continue;
        done++;
        assert_relative(expected.throughput_output[1], value[SWQ_ANCHOR_OUTPUT], 1e-11, "%s", text);
        assert_relative(expected.mean_packets, value[SWQ_ANCHOR_PACKETS], 1e-11, "%s", text);
        if (sw.flow == SWQ_BLOCK)
            continue; /* refusals by input exist only when discarding */
        assert_relative(expected.discard_input[0], value[SWQ_ANCHOR_FIRST], 1e-11, "%s", text);
        assert_relative(expected.discard_input[1], value[SWQ_ANCHOR_LAST], 1e-11, "%s", text);
    }
    cr_assert(done >= 60, "%d", done);
    swq_context_free(ctx);
}

/* ---- scores ---- */

/* x (I - P + 1 pi) = b by elimination with pivots. */
static void solve_dense(double *a, double *x, int n)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            pivot = fabs(a[i * n + k]) > fabs(a[pivot * n + k]) ? i : pivot;
        for (int j = 0; j < n; j++) {
            double turn = a[k * n + j];
            a[k * n + j] = a[pivot * n + j];
            a[pivot * n + j] = turn;
        }
        double turn = x[k];
        x[k] = x[pivot];
        x[pivot] = turn;
        for (int i = k + 1; i < n; i++) {
            double by = a[i * n + k] / a[k * n + k];
            for (int j = k; j < n; j++)
                a[i * n + j] -= by * a[k * n + j];
            x[i] -= by * x[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++)
            x[k] -= a[k * n + j] * x[j];
        x[k] /= a[k * n + k];
    }
}

/* The asymptotic variance of the packets in a state: sum pi h (2 Z h - h), Z h by solving (I - P +
 * 1 pi) z = h. */
static double variance_of_packets(swq_context *ctx, const swq_switch *sw)
{
    swq_chain *chain;
    swq_csr p = {0};
    swq_solution s;

    cr_assert_eq(swq_chain_generate(ctx, sw, false, &chain), SWQ_OK);
    cr_assert_eq(swq_chain_matrix(ctx, chain, &p, NULL), SWQ_OK);
    swq_solver_options how = swq_solver_options_defaults();
    cr_assert_eq(swq_solve(ctx, &p, 100, swq_solvers[0], &how, NULL, 0, &s), SWQ_OK);
    const int n = (int)p.rows;
    double *a = calloc((size_t)n * (size_t)n, sizeof *a), *h = calloc((size_t)n, sizeof *h);
    double *z = calloc((size_t)n, sizeof *z), mean = 0, variance = 0;
    for (int i = 0; i < n; i++) {
        for (int b = 0; b < swq_chain_buffers(chain); b++)
            h[i] += swq_chain_occupancy(chain, i, b);
        mean += s.pi[i] * h[i];
        a[i * n + i] += 1;
        for (int j = 0; j < n; j++)
            a[i * n + j] += s.pi[j];
        for (int64_t e = p.start[i]; e < p.start[i + 1]; e++)
            a[i * n + p.col[e]] -= p.value[e];
    }
    for (int i = 0; i < n; i++)
        z[i] = h[i] -= mean;
    solve_dense(a, z, n);
    for (int i = 0; i < n; i++)
        variance += s.pi[i] * h[i] * (2 * z[i] - h[i]);
    free(a);
    free(h);
    free(z);
    swq_solution_clear(ctx, &s);
    swq_csr_clear(ctx, &p);
    swq_chain_free(ctx, chain);
    return variance;
}

Test(checks, variances_of_packets)
{
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 6; k++) {
        const char *const buffers[] = {"fifo", "samq", "safc", "damq", "dafc", "cbda"};
        swq_switch sw = test_switch(ctx, buffers[k], 2, 2, k % 2 ? 0.9 : 0.6, "longest");
        swq_expected e;
        sw.flow = k / 3 ? SWQ_BLOCK : SWQ_DISCARD;
        cr_assert_eq(swq_expect(ctx, &sw, &e), SWQ_OK, "%s", swq_context_message(ctx));
        double variance = variance_of_packets(ctx, &sw);
        assert_relative(e.variance[SWQ_SCORE_PACKETS], variance, 1e-9, "%s: %.15g, not %.15g",
                        buffers[k], e.variance[SWQ_SCORE_PACKETS], variance);
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* After the warm-up, what the empty start still contributes to a mean over 200,000 cycles is far
 * below its standard deviation: the chain is followed from the empty switch. */
Test(checks, the_warm_up_is_long_enough)
{
    swq_context *ctx = swq_context_new();
    enum { PERIODS = 12 }; /* with a rotating pointer, this may go on for ever */

    for (int k = 0; k < swq_grid_count(swq_one_switch, SWQ_EFFORT_QUICK); k += 3) {
        swq_case c;
        swq_switch sw;
        swq_chain *chain;
        swq_expected e;
        char text[128];
        swq_grid_case(swq_one_switch, SWQ_EFFORT_QUICK, k, &c);
        cr_assert_eq(swq_case_switch(ctx, &c, &sw), SWQ_OK);
        cr_assert_eq(swq_chain_generate(ctx, &sw, true, &chain), SWQ_OK);
        if (swq_chain_states(chain) > 300 || swq_expect(ctx, &sw, &e) != SWQ_OK) {
            swq_chain_free(ctx, chain);
            continue;
        }
        swq_csr p = {0};
        cr_assert_eq(swq_chain_matrix(ctx, chain, &p, NULL), SWQ_OK);
        double *x = calloc((size_t)p.rows, 2 * sizeof *x), *y = x + p.rows, before = 0;
        x[0] = 1;
        for (int t = 0; t < SWQ_SCORE_WARM_UP + PERIODS; t++) {
            for (int64_t state = 0; state < p.rows && t >= SWQ_SCORE_WARM_UP; state++) {
                for (int b = 0; b < swq_chain_buffers(chain); b++)
                    before += x[state] * swq_chain_occupancy(chain, state, b) / PERIODS;
            }
            swq_csr_vector_times(x, &p, y);
            memcpy(x, y, sizeof *x * (size_t)p.rows);
        }
        /* the sum of an excess that fades no more slowly than it did on average until now */
        double left = fabs(before - e.mean[SWQ_SCORE_PACKETS]) * SWQ_SCORE_WARM_UP;
        double deviation = sqrt(200000 * e.variance[SWQ_SCORE_PACKETS]);
        cr_assert(left <= 1e-6 * deviation + 1e-8, "%s: %g of %g",
                  swq_case_name(&c, text, sizeof text), left, deviation);
        free(x);
        swq_csr_clear(ctx, &p);
        swq_chain_free(ctx, chain);
    }
    swq_context_free(ctx);
}

/* A simulator that is slightly wrong is detected: the score of a wrong load. */
Test(checks, a_wrong_load_has_a_high_score)
{
    swq_context *ctx = swq_context_new();
    swq_case c = {.buffer = "damq",
                  .arbiter = "random",
                  .ports = 2,
                  .slots = 3,
                  .load = 0.9,
                  .mode = SWQ_DISCARD_SAME,
                  .iterations = 1};
    swq_switch sw;
    swq_expected e;
    double observed[SWQ_SCORES], score[SWQ_SCORES];

    cr_assert_eq(swq_case_switch(ctx, &c, &sw), SWQ_OK);
    cr_assert_eq(swq_expect(ctx, &sw, &e), SWQ_OK);
    cr_assert_eq(swq_score_case(ctx, &c, 1, 200000, &sw, &e, observed, score), SWQ_OK);
    cr_assert(fabs(score[0]) < 4 && fabs(score[1]) < 4, "%g %g", score[0], score[1]);
    c.load = 0.89;
    cr_assert_eq(swq_case_switch(ctx, &c, &sw), SWQ_OK);
    cr_assert_eq(swq_score_case(ctx, &c, 1, 200000, &sw, &e, observed, score), SWQ_OK);
    cr_assert(score[0] < -7 && score[1] < -7, "%g %g", score[0], score[1]);
    swq_context_free(ctx);
}

/* ---- comparing ---- */

Test(checks, the_pair_that_is_furthest_apart_is_kept)
{
    swq_finding f = {.off = NAN};

    swq_compare(&f, "a", 1, 1);
    cr_assert_str_eq(f.text, "a");
    swq_compare(&f, "b", 1, 1.5);
    swq_compare(&f, "c", 1, 1.25);
    cr_assert_str_eq(f.text, "b");
    cr_assert_float_eq(f.off, 1 / 3.0, 1e-15);
    swq_judge(&f, 0.4);
    cr_assert_eq(f.outcome, SWQ_OUTCOME_PASS);
    swq_judge(&f, 0.3);
    cr_assert_eq(f.outcome, SWQ_OUTCOME_FAIL);
    swq_compare(&f, "d", NAN, NAN);
    swq_compare(&f, "e", NAN, 1);
    cr_assert_str_eq(f.text, "e");
    swq_judge(&f, 1);
    cr_assert_eq(f.outcome, SWQ_OUTCOME_FAIL, "a missing number is no agreement");
}

/* ---- Kolmogorov and Smirnov ---- */

/* Percentage points of D, M. Stephens, J. Am. Stat. Ass. 69, 1974, table 1: (sqrt n + 0.12 + 0.11 /
 * sqrt n) D of 1.224, 1.358, 1.628 at 10, 5, 1 percent. */
Test(checks, kolmogorov)
{
    const double point[] = {1.224, 1.358, 1.628}, percent[] = {0.10, 0.05, 0.01};
    const size_t n[] = {10, 100, 1000};
    double three[] = {1.2, -0.5, 0.3};

    for (int k = 0; k < 3; k++) {
        double root = sqrt((double)n[k]);
        double p = swq_kolmogorov_p(point[k] / (root + 0.12 + 0.11 / root), n[k]);
        assert_relative(p, percent[k], 5e-3, "%g, not %g", p, percent[k]);
    }
    cr_assert_eq(swq_kolmogorov_p(0, 50), 1);
    cr_assert(swq_kolmogorov_p(1, 50) < 1e-40);
    /* Phi(-0.5) = 0.30854 is furthest above the step to 0, 0.61791 - 1/3, 0.88493 - 2/3 */
    cr_assert_float_eq(swq_kolmogorov_distance(three, 3), 0.308538, 1e-6);
}
