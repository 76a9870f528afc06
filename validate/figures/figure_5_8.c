/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figure 5.8 of Frazier (1995): a varying percentage of high priority at throughput 0.5.
 * Room: validate.
 */
#include "validate/figures/figures.h"

enum { FIVE, EIGHT, CBDA, PLAIN, ONE };

static const figure_network networks[] = {
    {.buffer = "damq", .slots = 4, .support = SWQ_SUPPORT_QUEUE},
    {.buffer = "damq", .slots = 4, .support = SWQ_SUPPORT_QUEUES},
    {.buffer = "cbda", .slots = 4, .support = SWQ_SUPPORT_QUEUE},
    {.buffer = "damq", .slots = 4, .once = true},
    {.buffer = "fifo", .slots = 4, .support = SWQ_SUPPORT_QUEUES},
};

#define CURVES(panel, high, normal)                                                                \
    {"5 queues, high", panel, FIVE, high, 3, 3, false},                                            \
        {"8 queues, high", panel, EIGHT, high, 5, 1, false},                                       \
        {"CBDA, high", panel, CBDA, high, 4, 4, false},                                            \
        {"1 + 4 queues, high", panel, ONE, high, 1, 2, false},                                     \
        {"5 queues, normal", panel, FIVE, normal, 3, 3, true},                                     \
        {"8 queues, normal", panel, EIGHT, normal, 5, 1, true},                                    \
        {"CBDA, normal", panel, CBDA, normal, 4, 4, true},                                         \
    {                                                                                              \
        "1 + 4 queues, normal", panel, ONE, normal, 1, 2, true                                     \
    }

static const figure_curve_row curves[] = {CURVES(0, P99_HIGH, P99_NORMAL),
                                          CURVES(1, MEAN_HIGH, MEAN_NORMAL)};

static const double x[] = {0,  2,  5,  10, 15, 18, 20, 25, 30, 40,
                           50, 55, 60, 65, 70, 75, 80, 85, 90, 95};

/* "A better solution might be to use five-queue DAMQ buffers with a single queue dedicated to the
 * low-priority traffic and four queues dedicated to high-priority traffic". */
static void claim_one_normal(figure_work *f)
{
    static const char known[] =
        "from 75% on; at 55% to 70% high priority waits longer than with eight queues, and at 55% "
        "than with one for high priority; normal packets take a third longer at 60%";
    figure_tally as_eight = {0}, below_five = {0};

    figure_each_same(f, &as_eight, (figure_series){ONE, P99_HIGH}, (figure_series){EIGHT, P99_HIGH},
                     SAME_P99, 51, 100, "");
    figure_each_less(f, &below_five, (figure_series){ONE, P99_HIGH},
                     (figure_series){FIVE, P99_HIGH}, 51, 100, "");
    figure_claim(f, &as_eight,
                 "5.3: if most packets have high priority, one normal queue and four of high "
                 "priority serve these as well as eight queues",
                 figure_same_p99, known,
                 "99th percentile at 60%%: %.2f against %.2f; at 80%%: %.2f against %.2f; mean of "
                 "normal packets there %.2f against %.2f, %.2f against %.2f",
                 figure_at(f, ONE, P99_HIGH, 60).mean, figure_at(f, EIGHT, P99_HIGH, 60).mean,
                 figure_at(f, ONE, P99_HIGH, 80).mean, figure_at(f, EIGHT, P99_HIGH, 80).mean,
                 figure_at(f, ONE, MEAN_NORMAL, 60).mean, figure_at(f, EIGHT, MEAN_NORMAL, 60).mean,
                 figure_at(f, ONE, MEAN_NORMAL, 80).mean,
                 figure_at(f, EIGHT, MEAN_NORMAL, 80).mean);
    figure_claim(f, &below_five,
                 "5.3: ... and better than four normal queues and one of high priority",
                 "the 95% intervals of the 99th percentiles lie apart", known,
                 "at 60%%: %.2f against %.2f; at 80%%: %.2f against %.2f",
                 figure_at(f, ONE, P99_HIGH, 60).mean, figure_at(f, FIVE, P99_HIGH, 60).mean,
                 figure_at(f, ONE, P99_HIGH, 80).mean, figure_at(f, FIVE, P99_HIGH, 80).mean);
}

static void claim(figure_work *f)
{
    figure_tally little = {0}, beats = {0}, no_gain = {0}, no_cost = {0};
    swq_estimate mean = figure_at(f, PLAIN, MEAN_ALL, 0), p99 = figure_at(f, PLAIN, P99_ALL, 0);

    for (int percent = 5; percent <= 10; percent += 5)
        figure_same(&little, figure_at(f, FIVE, MEAN_NORMAL, percent),
                    figure_at(f, FIVE, MEAN_NORMAL, 0), SAME_MEAN, figure_where("", percent));
    figure_each_less(f, &beats, (figure_series){EIGHT, P99_HIGH}, (figure_series){FIVE, P99_HIGH},
                     51, 100, "");
    figure_each_same(f, &no_gain, (figure_series){EIGHT, P99_HIGH}, (figure_series){FIVE, P99_HIGH},
                     SAME_P99, 0, 49, "");
    /* not at the expense of: no higher with eight */
    for (int k = 0; k < f->plan->xs; k++) {
        swq_estimate five = figure_at(f, FIVE, MEAN_NORMAL, x[k]);
        figure_at_most(&no_cost, figure_difference(figure_at(f, EIGHT, MEAN_NORMAL, x[k]), five),
                       0.03 * five.mean > 0.05 ? 0.03 * five.mean : 0.05, figure_where("", x[k]));
    }
    figure_claim_number(f, "5.3: without support, DAMQ's average at 0.5 is 4.9 cycles", 4.9, mean,
                        0.03, NULL);
    figure_claim_number(
        f, "5.3: ... and its 99th percentile is 11.1 cycles", 11.1, p99, 0.03,
        "latencies are whole cycles: here slightly more than 1% of the packets take 12 "
        "cycles or more at nearly every node, whereas most nodes of the dissertation "
        "have 11");
    figure_claim_number(
        f, "5.3: up to 18% the 99th percentile of high priority is below that average (percent)",
        18, figure_crossing(f, FIVE, P99_HIGH, mean.mean), 0.1, NULL);
    figure_claim(f, &little, "5.3: from 0 to 10% the average of normal packets hardly changes",
                 figure_same_mean, "3% is our reading of 'hardly'; long runs have 3.7% more",
                 "%.3f at 0%%, %.3f at 10%%", figure_at(f, FIVE, MEAN_NORMAL, 0).mean,
                 figure_at(f, FIVE, MEAN_NORMAL, 10).mean);
    figure_claim_number(
        f,
        "5.3: beyond 75% five queues' 99th percentile of high priority is above that "
        "without support (percent)",
        75, figure_crossing(f, FIVE, P99_HIGH, p99.mean), 0.1, NULL);
    figure_claim(
        f, &beats,
        "5.3: above 50%, eight queues are significantly better than five for high priority",
        "the 95% intervals of the 99th percentiles lie apart", NULL,
        "at 60%%: %.2f against %.2f; at 80%%: %.2f against %.2f",
        figure_at(f, EIGHT, P99_HIGH, 60).mean, figure_at(f, FIVE, P99_HIGH, 60).mean,
        figure_at(f, EIGHT, P99_HIGH, 80).mean, figure_at(f, FIVE, P99_HIGH, 80).mean);
    figure_claim(f, &no_gain, "5.3: below 50% there is no benefit of eight queues", figure_same_p99,
                 NULL, "at 40%%: %.2f against %.2f", figure_at(f, EIGHT, P99_HIGH, 40).mean,
                 figure_at(f, FIVE, P99_HIGH, 40).mean);
    figure_claim(f, &no_cost, "5.3: eight queues' gain is not at the expense of normal packets",
                 "their average is above five queues' by at most 3% or 0.05 cycle", NULL,
                 "at 80%%: %.2f against %.2f", figure_at(f, EIGHT, MEAN_NORMAL, 80).mean,
                 figure_at(f, FIVE, MEAN_NORMAL, 80).mean);
    claim_one_normal(f);
}

static const swq_figure_plan plan = {
    FIGURE_ROWS(networks),
    FIGURE_ROWS(curves),
    NULL,
    0,
    FIGURE_ROWS(x),
    .claim = claim,
    .jointly =
        "a stale count of 1, with which the 99th percentile without support is the printed 11.1",
};

const swq_figure_kind swq_figure_5_8 = {
    .name = "5.8",
    .title = "Varying percentage of high priority at throughput 0.5, four slots an input",
    .section = "5.3",
    .setting = figure_setting_4,
    .over = SWQ_OVER_PERCENT,
    .panels = 2,
    .panel = {{"a", "99th percentile", "99th percentile (cycles)", 30},
              {"b", "mean", "mean latency (cycles)", 12}},
    .x_most = 100,
    .plan = &plan,
};
