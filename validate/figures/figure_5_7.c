/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figure 5.7 of Frazier (1995): one queue for high priority, or one per output.
 * Room: validate.
 */
#include "validate/figures/figures.h"

enum { FIVE, EIGHT, CBDA };

static const figure_network networks[] = {
    {.buffer = "damq", .slots = 4, .high = 0.05, .support = SWQ_SUPPORT_QUEUE},
    {.buffer = "damq", .slots = 4, .high = 0.05, .support = SWQ_SUPPORT_QUEUES},
    {.buffer = "cbda", .slots = 4, .high = 0.05, .support = SWQ_SUPPORT_QUEUE},
};

static const figure_curve_row curves[] = {
    {"DAMQ, 5 queues", 0, FIVE, P99_HIGH, 3, 3, false},
    {"DAMQ, 8 queues", 0, EIGHT, P99_HIGH, 5, 1, false},
    {"CBDA", 0, CBDA, P99_HIGH, 4, 4, false},
};

static const double x[] = {0.10, 0.20, 0.30, 0.40, 0.45, 0.50, 0.55, 0.60, 0.65, 0.70, 0.75};

static void claim(figure_work *f)
{
    figure_tally same = {0}, reference = {0};

    figure_each_same(f, &same, (figure_series){EIGHT, P99_HIGH}, (figure_series){FIVE, P99_HIGH},
                     SAME_P99, 0, 1, "");
    figure_each_less(f, &reference, (figure_series){CBDA, P99_HIGH},
                     (figure_series){FIVE, P99_HIGH}, 0.5, 1, "");
    figure_claim(f, &same, "5.3: with 5% high priority, five and eight queues behave almost alike",
                 figure_same_p99, NULL, "at 0.5: %.2f and %.2f; at 0.65: %.2f and %.2f",
                 figure_at(f, FIVE, P99_HIGH, 0.5).mean, figure_at(f, EIGHT, P99_HIGH, 0.5).mean,
                 figure_at(f, FIVE, P99_HIGH, 0.65).mean, figure_at(f, EIGHT, P99_HIGH, 0.65).mean);
    figure_claim(f, &reference, "5.3: CBDA shows what can be achieved at most",
                 "CBDA below DAMQ from throughput 0.5 on; intervals do not overlap",
                 "up to 0.6 both are at or near the minimum", "at 0.65: %.2f and %.2f",
                 figure_at(f, CBDA, P99_HIGH, 0.65).mean, figure_at(f, FIVE, P99_HIGH, 0.65).mean);
}

static const swq_figure_plan plan = {
    FIGURE_ROWS(networks), FIGURE_ROWS(curves), NULL, 0, FIGURE_ROWS(x), .claim = claim,
};

const swq_figure_kind swq_figure_5_7 = {
    .name = "5.7",
    .title = "Five and eight queues: 99th percentile of high priority (5%), four slots",
    .section = "5.3",
    .setting = figure_setting_4,
    .panels = 1,
    .panel = {{"", "", "99th percentile (cycles)", 12}},
    .x_most = 0.85,
    .plan = &plan,
};
