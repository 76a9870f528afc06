/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dynamic thresholds: fractions of the memory, the chain against complete sharing and a queue
 * alone, against all states of two and three queues stepped until they stand, and against the
 * fluid.
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

/* No threshold: any free slot will do. One queue alone: M/M/1/T. */
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

/* Three queues with their names, stepped. */
Test(thresholds, every_state)
{
    enum { B = 7 };
    static double p[B + 2][B + 2][B + 2], next[B + 2][B + 2][B + 2];
    const double alpha = 0.75, load = 1.25, step = 0.14;
    double lost = 0, mean = 0, longest = 0;
    char text[60];

    p[0][0][0] = 1;
    for (int t = 0; t < 3000; t++) {
        memset(next, 0, sizeof next);
        lost = mean = longest = 0;
        for (int a = 0; a <= B; a++)
            for (int b = 0; a + b <= B; b++)
                for (int c = 0; a + b + c <= B; c++) {
                    const int n[] = {a, b, c}, total = a + b + c;
                    double out = 0, q = p[a][b][c];
                    mean += q * total;
                    longest += q * (a > b ? a > c ? a : c : b > c ? b : c);
                    for (int i = 0; i < 3; i++) {
                        bool takes = n[i] < alpha * (B - total);
                        lost += takes ? 0 : q / 3;
                        if (takes)
                            next[a + (i == 0)][b + (i == 1)][c + (i == 2)] += step * load * q;
                        if (n[i])
                            next[a - (i == 0)][b - (i == 1)][c - (i == 2)] += step * q;
                        out += step * ((takes ? load : 0) + (n[i] > 0));
                    }
                    next[a][b][c] += q * (1 - out);
                }
        memcpy(p, next, sizeof p);
    }
    snprintf(text, sizeof text, "3 %d %g %g", B, alpha, load);
    assert_relative(row_value("dynamic-threshold-chain", text, "loss"), lost, 1e-11, "%.15g", lost);
    assert_relative(row_value("dynamic-threshold-chain", text, "mean"), mean, 1e-11, "%.15g", mean);
    assert_relative(row_value("dynamic-threshold-chain", text, "longest"), longest, 1e-11, "%.15g",
                    longest);
}

/* Overloaded queues stay at the threshold, but for a packet. */
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
    row_fails("dynamic-threshold-chain", "8 200 4 1", SWQ_ELIMIT, "2000 states");
    cr_assert(row_without_memory("dynamic-threshold-chain", "2 12 1 1") >= 7);
}
