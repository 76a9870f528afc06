/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dynamic thresholds as a fluid: by hand, packet by packet, and what marks make of them.
 */
#include "tests/models/formulas/rows.h"

#include <math.h>

TestSuite(formula_threshold_classes, .timeout = 60);

#define CLASSES "dynamic-threshold-classes"
#define TURN    "dynamic-threshold-in-turn"
#define MARKS   "ecn-below-threshold"

/* A memory of 2 MB: one queue of alpha 8 beside 7 of alpha 1, and one of alpha 1 alone, have 1 MB
 * each (Occamy's first experiment). With one class it is dynamic-threshold. */
Test(formula_threshold_classes, by_hand)
{
    cr_expect_eq(row_value(CLASSES, "2000000 8,1 1,7", "threshold_1"), 1e6);
    cr_expect_eq(row_value(CLASSES, "2000000 8,1 1,7", "threshold_2"), 125000);
    cr_expect_eq(row_value(CLASSES, "2000000 8,1 1,7", "together_2"), 875000);
    cr_expect_eq(row_value(CLASSES, "2000000 1 1", "threshold_1"), 1e6);
    cr_expect_eq(row_value(CLASSES, "100 0.5 4 10", "threshold_1"),
                 row_value("dynamic-threshold", "100 0.5 4 10", "threshold"));
    cr_expect_eq(row_value(CLASSES, "100 0.5,2 4,0 10", "unused"),
                 row_value("dynamic-threshold", "100 0.5 4 10", "unused"));
    row_fails(CLASSES, "100 1,2 1", SWQ_EINVAL, "overloaded must have as many numbers as alpha, 2");
    row_fails(CLASSES, "100 1 1 101", SWQ_EINVAL, "others hold 101 slots");
}

/* Queues that always have more to take, of which each sends a packet a cycle: after many cycles
 * they have their shares, up to a packet of the memory's free part and one of their own. */
Test(formula_threshold_classes, packet_by_packet)
{
    const double alpha[5] = {8, 1, 1, 0.5, 0.5};
    const char *const share[5] = {"threshold_1", "threshold_2", "threshold_2", "threshold_3",
                                  "threshold_3"};
    const int slots = 12000;
    int length[5] = {0}, total = 0;

    for (int cycle = 0; cycle < 30000; cycle++) {
        for (int k = 0; k < 5; k++)
            if (length[k] > 0)
                length[k]--, total--;
        for (bool more = true; more;) {
            more = false;
            for (int k = 0; k < 5; k++)
                if (length[k] < alpha[k] * (slots - total))
                    length[k]++, total++, more = true;
        }
    }
    cr_expect_eq(row_value(CLASSES, "12000 8,1,0.5 1,2,2", "unused"), 1000);
    for (int k = 0; k < 5; k++) {
        const double fluid = row_value(CLASSES, "12000 8,1,0.5 1,2,2", share[k]);
        cr_expect(fabs(length[k] - fluid) <= alpha[k] + 1, "%d: %d, %g", k, length[k], fluid);
    }
}

/* A queue is filled until it refuses a packet, then the next one. */
Test(formula_threshold_classes, in_turn)
{
    static const double alphas[] = {0.125, 0.5, 1, 2, 8};

    for (int a = 0; a < 5; a++)
        for (int slots = 0; slots < 300; slots += 7)
            for (int queues = 1; queues <= 5; queues++) {
                int total = 0, first = 0, last = 0;
                char asked[60];
                for (int q = 0; q < queues; q++) {
                    for (last = 0; last < alphas[a] * (slots - total); last++)
                        total++;
                    first = q == 0 ? last : first;
                }
                snprintf(asked, sizeof asked, "%d %g %d", slots, alphas[a], queues);
                cr_assert_eq(row_value(TURN, asked, "first_whole"), first, "%s", asked);
                cr_assert_eq(row_value(TURN, asked, "last_whole"), last, "%s", asked);
            }
    /* four groups of a port, filled with the count that is right for one alone: the last one takes
     * an eighth of that with alpha 1 */
    cr_expect_eq(row_value(TURN, "1600 1 4", "first"), 800);
    cr_expect_eq(row_value(TURN, "1600 1 4", "last"), 100);
    cr_expect_eq(row_value(TURN, "1600 1 4", "short"), 700);
    cr_expect_eq(row_value(TURN, "1600 1 4", "alike"), 320);
}

/* most_queues is the largest number of queues with a mark, and least_slots just enough. */
Test(formula_threshold_classes, marks)
{
    for (int mark = 5; mark < 200; mark += 13) {
        char asked[80];
        snprintf(asked, sizeof asked, "1000 0.5 %d 1", mark);
        const double most = row_value(MARKS, asked, "most_queues");
        for (int queues = 1; queues < 200; queues++) {
            snprintf(asked, sizeof asked, "1000 0.5 %d %d", mark, queues);
            cr_assert_eq(row_value(MARKS, asked, "marks"), queues <= most, "%s: %g", asked, most);
            const double least = row_value(MARKS, asked, "least_slots");
            snprintf(asked, sizeof asked, "%.17g 0.5 %d %d", least * (1 - 1e-9), mark, queues);
            cr_assert_eq(row_value(MARKS, asked, "marks"), 0);
            snprintf(asked, sizeof asked, "%.17g 0.5 %d %d", least * (1 + 1e-9), mark, queues);
            cr_assert_eq(row_value(MARKS, asked, "marks"), 1);
        }
    }
}

/* With the least mark by the rule, the queue is never empty, and empty just with the worst number
 * of flows; with a smaller mark it is empty with that number. */
Test(formula_threshold_classes, dctcp)
{
    double least = INFINITY;

    for (int flows = 1; flows < 40; flows++) {
        char asked[60];
        snprintf(asked, sizeof asked, "11.2 100 1000 %d", flows); /* 140 packets in flight */
        least = fmin(least, row_value("dctcp-mark", asked, "queue_least"));
    }
    cr_expect_float_eq(least, 0, 1e-12);
    cr_expect_float_eq(row_value("dctcp-mark", "11.2 100 1000 20", "queue_least"), 0, 1e-12);
    cr_expect_float_eq(row_value("dctcp-mark", "11.2 100 1000 1", "least_mark"), 20, 1e-12);
    cr_expect_float_eq(row_value("dctcp-mark", "11.2 100 1000 1", "queue_least_ever"), 0, 1e-12);
    cr_expect(row_value("dctcp-mark", "11.2 100 1000 20 19", "queue_least") < 0);
    /* C RTT / 7 at 10 Gb/s and 100 us: 125,000 / 1500 / 7 */
    assert_relative(row_value("dctcp-mark", "10 100", "least_mark"), 125000.0 / 1500 / 7, 1e-14,
                    "10 Gb/s");
}
