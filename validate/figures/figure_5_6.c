/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figure 5.6 of Frazier (1995): DAMQ buffers of two, four and six slots, with and without a
 * dedicated queue. Room: validate.
 */
#include "validate/figures/figures.h"

enum { QUEUE_2, QUEUE_4, QUEUE_6, PLAIN };

static const figure_network networks[] = {
    {.buffer = "damq", .slots = 2, .high = 0.05, .support = SWQ_SUPPORT_QUEUE},
    {.buffer = "damq", .slots = 4, .high = 0.05, .support = SWQ_SUPPORT_QUEUE},
    {.buffer = "damq", .slots = 6, .high = 0.05, .support = SWQ_SUPPORT_QUEUE},
    {.buffer = "damq", .slots = 2, .high = 0.05},
    {.buffer = "damq", .slots = 4, .high = 0.05},
    {.buffer = "damq", .slots = 6, .high = 0.05},
};

#define CURVES(panel)                                                                              \
    {"99%, no support", panel, PLAIN + (panel), P99_HIGH, 0, 0, false},                            \
        {"mean, no support", panel, PLAIN + (panel), MEAN_HIGH, 0, 0, true},                       \
        {"99%, queue", panel, panel, P99_HIGH, 3, 3, false},                                       \
    {                                                                                              \
        "mean, queue", panel, panel, MEAN_HIGH, 3, 3, true                                         \
    }

static const figure_curve_row curves[] = {CURVES(QUEUE_2), CURVES(QUEUE_4), CURVES(QUEUE_6)};

static const double x[] = {0.10, 0.20, 0.30, 0.35, 0.40, 0.45, 0.50, 0.55, 0.60, 0.65, 0.70, 0.75};

static void claim(figure_work *f)
{
    static const char *const name[] = {"2 slots", "4 slots", "6 slots"};
    figure_tally better = {0}, rises = {0}, above = {0}, stays = {0}, below = {0}, more = {0};

    for (int n = QUEUE_2; n <= QUEUE_6; n++) {
        figure_each_less(f, &better, (figure_series){n, P99_HIGH},
                         (figure_series){PLAIN + n, P99_HIGH}, 0, 1, name[n]);
        if (n == QUEUE_2)
            continue;
        figure_less(&more, figure_saturation(f, n - 1), figure_saturation(f, n),
                    figure_where(name[n], figure_saturation(f, n).mean));
        figure_each_less(f, &below, (figure_series){n, P99_HIGH},
                         (figure_series){PLAIN + n, MEAN_ALL}, 0, 1, name[n]);
        for (int k = 0; k < f->plan->xs && x[k] < 0.601; k++)
            figure_at_most(&stays, figure_at(f, n, P99_HIGH, x[k]), 4.5,
                           figure_where(name[n], x[k]));
    }
    figure_less(&rises, figure_at(f, QUEUE_2, P99_HIGH, 0.3), figure_at(f, QUEUE_2, P99_HIGH, 0.4),
                figure_where("", 0.4));
    figure_each_less(f, &above, (figure_series){PLAIN, MEAN_ALL},
                     (figure_series){QUEUE_2, P99_HIGH}, 0, 1, "");
    figure_claim(f, &better,
                 "5.2: for all sizes, the queue lowers high priority's 99th percentile against no "
                 "support",
                 figure_lower, NULL, "at 0.4: %.2f, %.2f, %.2f against %.2f, %.2f, %.2f",
                 figure_at(f, QUEUE_2, P99_HIGH, 0.4).mean,
                 figure_at(f, QUEUE_4, P99_HIGH, 0.4).mean,
                 figure_at(f, QUEUE_6, P99_HIGH, 0.4).mean,
                 figure_at(f, PLAIN + QUEUE_2, P99_HIGH, 0.4).mean,
                 figure_at(f, PLAIN + QUEUE_4, P99_HIGH, 0.4).mean,
                 figure_at(f, PLAIN + QUEUE_6, P99_HIGH, 0.4).mean);
    figure_claim(
        f, &rises, "5.2: with two slots it rises significantly as the throughput goes above 0.3",
        "higher at 0.4 than at 0.3; intervals do not overlap", NULL,
        "%.2f at 0.2, %.2f at 0.3, %.2f "
        "at 0.4, %.2f at 0.45",
        figure_at(f, QUEUE_2, P99_HIGH, 0.2).mean, figure_at(f, QUEUE_2, P99_HIGH, 0.3).mean,
        figure_at(f, QUEUE_2, P99_HIGH, 0.4).mean, figure_at(f, QUEUE_2, P99_HIGH, 0.45).mean);
    figure_claim(f, &above, "5.2: with two slots it is always above the average without the queue",
                 figure_lower, NULL, "at 0.4: %.2f against %.2f",
                 figure_at(f, QUEUE_2, P99_HIGH, 0.4).mean,
                 figure_at(f, PLAIN, MEAN_ALL, 0.4).mean);
    figure_claim(
        f, &stays, "5.2: with four and six slots it stays at 4 cycles up to a throughput of 0.6",
        "rounds to 4 or less", NULL, "at 0.6: %.2f and %.2f",
        figure_at(f, QUEUE_4, P99_HIGH, 0.6).mean, figure_at(f, QUEUE_6, P99_HIGH, 0.6).mean);
    figure_claim(
        f, &below, "5.2: with four and six slots it is always below the average without the queue",
        figure_lower,
        "at light load averages are 3.1 cycles, and a percentile of whole cycles is 3 only "
        "if fewer than one packet in a hundred meets another",
        "at 0.6: %.2f against %.2f, %.2f against %.2f", figure_at(f, QUEUE_4, P99_HIGH, 0.6).mean,
        figure_at(f, PLAIN + QUEUE_4, MEAN_ALL, 0.6).mean,
        figure_at(f, QUEUE_6, P99_HIGH, 0.6).mean,
        figure_at(f, PLAIN + QUEUE_6, MEAN_ALL, 0.6).mean);
    figure_claim(f, &more, "5.2: the maximum throughput rises from two to four to six slots",
                 figure_lower, NULL, "%.3f, %.3f, %.3f", figure_saturation(f, QUEUE_2).mean,
                 figure_saturation(f, QUEUE_4).mean, figure_saturation(f, QUEUE_6).mean);
}

static const swq_figure_plan plan = {
    FIGURE_ROWS(networks), FIGURE_ROWS(curves), NULL, 0, FIGURE_ROWS(x), .claim = claim,
};

const swq_figure_kind swq_figure_5_6 = {
    .name = "5.6",
    .title = "DAMQ buffers of several sizes: high priority (5%) with and without a queue",
    .section = "5.2",
    .setting = figure_setting_4,
    .panels = 3,
    .panel = {{"a", "two slots an input", "latency (cycles)", 25},
              {"b", "four slots an input", "latency (cycles)", 25},
              {"c", "six slots an input", "latency (cycles)", 25}},
    .x_most = 0.85,
    .plan = &plan,
};
