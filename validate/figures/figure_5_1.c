/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figure 5.1 of Frazier (1995): maximum, 99th percentile and mean of the latency, FIFO buffers.
 * Room: validate.
 */
#include "validate/figures/figures.h"
#include "validate/table_sim.h"

enum { FIFO_4, FIFO_8 };

static const figure_network networks[] = {
    {.buffer = "fifo", .slots = 4},
    {.buffer = "fifo", .slots = 8},
};

static const figure_curve_row curves[] = {
    {"maximum", 0, FIFO_4, MAX_ALL, 0, 0, false},
    {"99th percentile", 0, FIFO_4, P99_ALL, 3, 1, false},
    {"mean", 0, FIFO_4, MEAN_ALL, 2, 2, false},
    {"maximum", 1, FIFO_8, MAX_ALL, 0, 0, false},
    {"99th percentile", 1, FIFO_8, P99_ALL, 3, 1, false},
    {"mean", 1, FIFO_8, MEAN_ALL, 2, 2, false},
};

/* Table 5.1 for four slots; Table 4.3 for the means with eight */
static const figure_printed_row printed[] = {
    {0, 0.1, 8.10, false},  {0, 0.2, 11.11, false}, {0, 0.3, 15.03, false}, {0, 0.4, 23.77, false},
    {0, 0.5, 45.08, false}, {1, 0.1, 4.75, false},  {1, 0.2, 5.95, false},  {1, 0.3, 7.78, false},
    {1, 0.4, 10.97, false}, {1, 0.5, 23.48, false}, {2, 0.1, 3.14, false},  {2, 0.2, 3.38, false},
    {2, 0.3, 3.79, false},  {2, 0.4, 4.65, false},  {2, 0.5, 9.34, false},  {2, 0.51, 13.14, true},
    {5, 0.1, 3.14, false},  {5, 0.2, 3.38, false},  {5, 0.3, 3.79, false},  {5, 0.4, 4.60, false},
    {5, 0.5, 6.90, false},  {5, 0.57, 23.03, true},
};

static const double x[] = {0.10, 0.15, 0.20, 0.25, 0.30, 0.35, 0.37, 0.40, 0.45, 0.50, 0.55};

static swq_estimate over_mean(const figure_work *f, int network, figure_quantity q, double at)
{
    return figure_ratio(figure_at(f, network, q, at), figure_at(f, network, MEAN_ALL, at));
}

static void claim(figure_work *f)
{
    figure_tally many = {0}, max = {0}, p99 = {0};

    for (int k = 0; k < f->plan->xs; k++) {
        double at = x[k];
        for (int n = FIFO_4; n <= FIFO_8; n++)
            figure_at_least(&many, over_mean(f, n, MAX_ALL, at), 2,
                            figure_where(n == FIFO_4 ? "4 slots" : "8 slots", at));
        /* not improved: the ratio with eight slots is not below that with four */
        figure_at_least(
            &max,
            figure_ratio(over_mean(f, FIFO_8, MAX_ALL, at), over_mean(f, FIFO_4, MAX_ALL, at)), 0.9,
            figure_where("", at));
        figure_at_least(
            &p99,
            figure_ratio(over_mean(f, FIFO_8, P99_ALL, at), over_mean(f, FIFO_4, P99_ALL, at)), 0.9,
            figure_where("", at));
    }
    figure_claim(f, &many, "5: the maximum latency may be many times the average",
                 "at least twice, at every throughput",
                 "the text says only that it may be so; it is so as the load grows",
                 "four slots: %.1f at 0.1, %.1f at 0.5", over_mean(f, FIFO_4, MAX_ALL, 0.1).mean,
                 over_mean(f, FIFO_4, MAX_ALL, 0.5).mean);
    figure_claim(f, &max,
                 "5: from four to eight slots the ratio of maximum to average is not improved",
                 "at the same throughput, eight slots' ratio is not below 90% of four slots'", NULL,
                 "at 0.4: %.2f and %.2f; at 0.5: %.2f and %.2f",
                 over_mean(f, FIFO_4, MAX_ALL, 0.4).mean, over_mean(f, FIFO_8, MAX_ALL, 0.4).mean,
                 over_mean(f, FIFO_4, MAX_ALL, 0.5).mean, over_mean(f, FIFO_8, MAX_ALL, 0.5).mean);
    figure_claim(f, &p99, "5: ... nor is that of the 99th percentile to the average",
                 "at the same throughput, eight slots' ratio is not below 90% of four slots'", NULL,
                 "at 0.4: %.2f and %.2f; at 0.5: %.2f and %.2f",
                 over_mean(f, FIFO_4, P99_ALL, 0.4).mean, over_mean(f, FIFO_8, P99_ALL, 0.4).mean,
                 over_mean(f, FIFO_4, P99_ALL, 0.5).mean, over_mean(f, FIFO_8, P99_ALL, 0.5).mean);
    figure_claim_number(f, "5.3: at a throughput of 0.37 FIFO's 99th percentile is 10 cycles", 10,
                        figure_at(f, FIFO_4, P99_ALL, 0.37), 0.1, NULL);
}

static const swq_figure_plan plan = {
    FIGURE_ROWS(networks), FIGURE_ROWS(curves), FIGURE_ROWS(printed),
    FIGURE_ROWS(x),        .claim = claim,      .jointly = swq_paper_blocking,
};

const swq_figure_kind swq_figure_5_1 = {
    .name = "5.1",
    .title = "Variance of latency, FIFO: maximum, 99th percentile and mean",
    .section = "5",
    .setting = figure_setting_4,
    .panels = 2,
    .panel = {{"a", "four slots an input", "latency (cycles)", 60},
              {"b", "eight slots an input", "latency (cycles)", 80}},
    .x_most = 0.6,
    .plan = &plan,
};
