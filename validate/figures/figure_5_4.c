/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figure 5.4 of Frazier (1995): no support, priority in the arbiter, a dedicated queue.
 * Room: validate.
 */
#include "validate/figures/figures.h"

enum { PLAIN, ARBITER, QUEUE };

static const figure_network networks[] = {
    {.buffer = "damq", .slots = 5, .high = 0.05},
    {.buffer = "damq", .slots = 5, .high = 0.05, .support = SWQ_SUPPORT_ARBITER},
    {.buffer = "damq", .slots = 5, .high = 0.05, .support = SWQ_SUPPORT_QUEUE},
};

static const figure_curve_row curves[] = {
    {"99%, no support", 0, PLAIN, P99_HIGH, 0, 0, false},
    {"99%, arbiter", 0, ARBITER, P99_HIGH, 1, 1, false},
    {"99%, queue", 0, QUEUE, P99_HIGH, 3, 3, false},
    {"normal, mean", 0, PLAIN, MEAN_NORMAL, 7, 2, true},
};

static const double x[] = {0.10, 0.20, 0.30, 0.40, 0.50, 0.55, 0.60, 0.65, 0.70, 0.75};

static void claim(figure_work *f)
{
    figure_tally steps = {0}, stable = {0}, below = {0};
    swq_estimate end = figure_saturation(f, QUEUE);

    figure_each_less(f, &steps, (figure_series){QUEUE, P99_HIGH},
                     (figure_series){ARBITER, P99_HIGH}, 0, 1, "queue, arbiter");
    figure_each_less(f, &steps, (figure_series){ARBITER, P99_HIGH},
                     (figure_series){PLAIN, P99_HIGH}, 0, 1, "arbiter, none");
    for (int k = 0; k < f->plan->xs && x[k] <= 0.8 * end.mean; k++)
        figure_at_most(&stable, figure_at(f, QUEUE, P99_HIGH, x[k]), 4.5, figure_where("", x[k]));
    figure_each_less(f, &below, (figure_series){QUEUE, P99_HIGH},
                     (figure_series){PLAIN, MEAN_NORMAL}, end.mean / 2, 1, "");
    figure_claim(f, &steps, "5.2: each step of support lowers the 99th percentile of high priority",
                 figure_lower, NULL, "at 0.5: none %.2f, arbiter %.2f, queue %.2f",
                 figure_at(f, PLAIN, P99_HIGH, 0.5).mean, figure_at(f, ARBITER, P99_HIGH, 0.5).mean,
                 figure_at(f, QUEUE, P99_HIGH, 0.5).mean);
    figure_claim(
        f, &stable,
        "5.2: with the queue it is stable near the minimum for a wide range of throughputs",
        "rounds to 4 or less (the minimum is 3) up to 80% of the saturation throughput", NULL,
        "%.2f at 0.1, %.2f at 0.5, %.2f at 0.7", figure_at(f, QUEUE, P99_HIGH, 0.1).mean,
        figure_at(f, QUEUE, P99_HIGH, 0.5).mean, figure_at(f, QUEUE, P99_HIGH, 0.7).mean);
    figure_claim(f, &below,
                 "5.2: at medium and high throughputs it is below normal traffic's average without "
                 "support",
                 "the 95% intervals do not overlap, from half the saturation throughput on", NULL,
                 "at 0.5: %.2f against %.2f", figure_at(f, QUEUE, P99_HIGH, 0.5).mean,
                 figure_at(f, PLAIN, MEAN_NORMAL, 0.5).mean);
}

static const swq_figure_plan plan = {
    FIGURE_ROWS(networks), FIGURE_ROWS(curves), NULL, 0, FIGURE_ROWS(x), .claim = claim,
};

const swq_figure_kind swq_figure_5_4 = {
    .name = "5.4",
    .title = "Increasing support for high priority: DAMQ, five slots, 5% high priority",
    .section = "5.2",
    .setting = figure_setting_4,
    .panels = 1,
    .panel = {{"", "", "latency (cycles)", 25}},
    .x_most = 0.85,
    .plan = &plan,
};
