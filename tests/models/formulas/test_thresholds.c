/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dynamic thresholds: fractions of the memory, the chain against complete sharing and a queue
 * alone, against all states of three queues, alike or not, stepped until they stand, and against
 * the fluid.
 */
#include "tests/models/formulas/rows.h"

Test(thresholds, fractions)
{
    double unused;

    assert_relative(swq_threshold_fluid(60, 1, 1, 0, &unused), 30, 1e-15, "half");
    cr_assert_eq(unused, 30);
    assert_relative(swq_threshold_fluid(60, 2, 1, 0, NULL), 40, 1e-15, "two thirds");
    assert_relative(swq_threshold_fluid(60, 0.5, 2, 0, &unused), 15, 1e-15, "a quarter each");
    assert_relative(unused, 30, 1e-15, "half idle");
    assert_relative(row_value("dynamic-threshold", "60 1 2 15", "threshold"), 15, 1e-15, "");
    assert_relative(row_value("dynamic-threshold", "60 1 2 15", "unused_fraction"), 0.25, 1e-15,
                    "");
    row_fails("dynamic-threshold", "60 1 2 61", SWQ_EINVAL, "others");
}

/* Without a threshold any free slot will do. A single queue: M/M/1/T. */
Test(thresholds, limits)
{
    for (int n = 1; n <= 4; n++) {
        char text[60], shared[60];
        snprintf(text, sizeof text, "%d 12 100 0.9", n);
        snprintf(shared, sizeof shared, "0.9 - %d 12", n);
        const char *const results[] = {"loss", "throughput", "mean", "delay"};
        for (int k = 0; k < 4; k++)
            assert_relative(row_value("dynamic-threshold-chain", text, results[k]),
                            row_value("complete-sharing", shared, results[k]), 1e-12, "%s %s", text,
                            results[k]);
    }
    /* a queue of n takes one more while n < 20 - n: 10 at most */
    assert_relative(row_value("dynamic-threshold-chain", "1 20 1 1.5", "loss"),
                    row_value("complete-sharing", "1.5 - 1 10", "loss"), 1e-12, "half");
    cr_assert_eq(row_value("dynamic-threshold-chain", "3 20 1 0", "loss"), 0);
}

/* The chain of three distinguishable queues: all alike, two alike with the other in between, all
 * different. */
static void every_state(const char *loads, const double *load, const char *services,
                        const double *service)
{
    enum { B = 7 };
    static double p[B + 2][B + 2][B + 2], next[B + 2][B + 2][B + 2];
    const double alpha = 0.75, step = 0.07;
    double lost[3] = {0}, mean[3] = {0}, busy[3] = {0}, longest = 0, all = 0;
    char text[60];

    memset(p, 0, sizeof p);
    p[0][0][0] = 1;
    for (int t = 0; t < 6000; t++) {
        memset(next, 0, sizeof next);
        memset(lost, 0, sizeof lost);
        memset(mean, 0, sizeof mean);
        memset(busy, 0, sizeof busy);
        longest = 0;
        for (int a = 0; a <= B; a++)
            for (int b = 0; a + b <= B; b++)
                for (int c = 0; a + b + c <= B; c++) {
                    const int n[] = {a, b, c}, total = a + b + c;
                    double out = 0, q = p[a][b][c];
                    longest += q * (a > b ? a > c ? a : c : b > c ? b : c);
                    for (int i = 0; i < 3; i++) {
                        bool takes = n[i] < alpha * (B - total);
                        lost[i] += takes ? 0 : q;
                        mean[i] += q * n[i];
                        busy[i] += n[i] ? q : 0;
                        if (takes)
                            next[a + (i == 0)][b + (i == 1)][c + (i == 2)] += step * load[i] * q;
                        if (n[i])
                            next[a - (i == 0)][b - (i == 1)][c - (i == 2)] += step * service[i] * q;
                        out += step * ((takes ? load[i] : 0) + (n[i] ? service[i] : 0));
                    }
                    next[a][b][c] += q * (1 - out);
                }
        memcpy(p, next, sizeof p);
    }
    snprintf(text, sizeof text, "3 %d %g %s %s", B, alpha, loads, services);
    for (int i = 0; i < 3; i++) {
        char name[8] = {'l', 'o', 's', 's', '_', (char)('1' + i)};
        double through = service[i] * busy[i];
        assert_relative(row_value("dynamic-threshold-chain", text, name), lost[i], 1e-11, "%s %s",
                        text, name);
        memcpy(name, "mean", 4);
        assert_relative(row_value("dynamic-threshold-chain", text, name), mean[i], 1e-11, "%s %s",
                        text, name);
        snprintf(name, sizeof name, "delay_%d", i + 1);
        assert_relative(row_value("dynamic-threshold-chain", text, name), mean[i] / through, 1e-11,
                        "%s %s", text, name);
        all += load[i] * lost[i] / (load[0] + load[1] + load[2]);
    }
    assert_relative(row_value("dynamic-threshold-chain", text, "loss"), all, 1e-11, "%s", text);
    assert_relative(row_value("dynamic-threshold-chain", text, "longest"), longest, 1e-11, "%s",
                    text);
}

Test(thresholds, every_state)
{
    every_state("1.25", (double[]){1.25, 1.25, 1.25}, "1", (double[]){1, 1, 1});
    every_state("0.5,1.25,0.5", (double[]){0.5, 1.25, 0.5}, "1", (double[]){1, 1, 1});
    every_state("0.5,1.25,0.9", (double[]){0.5, 1.25, 0.9}, "1,1,2", (double[]){1, 1, 2});
    every_state("0.5", (double[]){0.5, 0.5, 0.5}, "1,1,0.5", (double[]){1, 1, 0.5});
}

/* Without a threshold, queues with their own loads share as in the product form; a queue without
 * arrivals does not matter. */
Test(thresholds, unequal_queues)
{
    const char *const results[] = {"loss",   "mean",    "delay",   "loss_1",  "loss_2",
                                   "loss_3", "delay_1", "delay_2", "delay_3", "throughput"};

    for (size_t k = 0; k < sizeof results / sizeof *results; k++)
        assert_relative(
            row_value("dynamic-threshold-chain", "0 9 100 0.5,1.5,0.9 1,1,2", results[k]),
            row_value("complete-sharing", "0.5,1.5,0.9 1,1,2 0 9", results[k]), 1e-12, "%s",
            results[k]);
    assert_relative(row_value("dynamic-threshold-chain", "0 20 1 1.5,0", "loss_1"),
                    row_value("dynamic-threshold-chain", "1 20 1 1.5", "loss"), 1e-12, "alone");
    cr_assert(isnan(row_value("dynamic-threshold-chain", "0 20 1 1.5,0", "delay_2")));
    cr_assert(isnan(row_value("dynamic-threshold-chain", "0 20 1 1.5,0", "loss_3")));
    /* the purpose of thresholds: a flood in one queue leaves some room for the other */
    cr_assert(row_value("dynamic-threshold-chain", "0 12 1 5,0.5", "loss_2") <
              0.1 * row_value("complete-sharing", "5,0.5 - 0 12", "loss_2"));
}

/* Overloaded queues stay at the threshold, give or take a packet. */
Test(thresholds, the_fluid)
{
    for (double alpha = 0.5; alpha <= 2; alpha *= 2) {
        char text[60];
        snprintf(text, sizeof text, "2 40 %g 10", alpha);
        double each = row_value("dynamic-threshold-chain", text, "mean") / 2;
        double fluid = swq_threshold_fluid(40, alpha, 2, 0, NULL);
        cr_assert(each > fluid + 0.08 && each < fluid + 0.22, "%g: %g, not %g", alpha, each, fluid);
    }
}

Test(thresholds, bad_input)
{
    row_fails("dynamic-threshold-chain", "9 40 1 1", SWQ_EINVAL, "queues");
    row_fails("dynamic-threshold-chain", "3 10 1 1,2", SWQ_EINVAL, "load has 2 numbers");
    row_fails("dynamic-threshold-chain", "0 10 1 1,1,1,1,1,1,1,1,1", SWQ_EINVAL, "9 queues");
    row_fails("dynamic-threshold-chain", "0 60 4 1,2,3", SWQ_ELIMIT, "2000 states");
    /* far too many states, if queues that are alike but not adjacent were distinguished */
    cr_assert(row_value("dynamic-threshold-chain", "0 10 9 1,2,1,2,1,2", "loss") > 0);
    row_fails("dynamic-threshold-chain", "8 200 4 1", SWQ_ELIMIT, "2000 states");
    cr_assert(row_without_memory("dynamic-threshold-chain", "2 12 1 1") >= 7);
}
