/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figure 4.2 of Frazier (1995): FIFO and DAMQ buffers of several sizes.
 * Room: validate.
 */
#include "validate/figures/figures.h"
#include "validate/table_sim.h"

enum { FIFO_2, FIFO_4, FIFO_8, DAMQ_2, DAMQ_3, DAMQ_4, DAMQ_8 };

static const figure_network networks[] = {
    {.buffer = "fifo", .slots = 2}, {.buffer = "fifo", .slots = 4}, {.buffer = "fifo", .slots = 8},
    {.buffer = "damq", .slots = 2}, {.buffer = "damq", .slots = 3}, {.buffer = "damq", .slots = 4},
    {.buffer = "damq", .slots = 8},
};

static const figure_curve_row curves[] = {
    {"FIFO 2", 0, FIFO_2, MEAN_ALL, 0, 0, false}, {"FIFO 4", 0, FIFO_4, MEAN_ALL, 0, 1, false},
    {"FIFO 8", 0, FIFO_8, MEAN_ALL, 0, 2, false}, {"DAMQ 2", 0, DAMQ_2, MEAN_ALL, 3, 0, false},
    {"DAMQ 3", 0, DAMQ_3, MEAN_ALL, 3, 3, false}, {"DAMQ 4", 0, DAMQ_4, MEAN_ALL, 3, 1, false},
    {"DAMQ 8", 0, DAMQ_8, MEAN_ALL, 3, 2, false},
};

/* Table 4.3 */
#define PRINTED(curve, a, b, c, d, thpt, sat)                                                      \
    {curve, 0.1, a, false}, {curve, 0.2, b, false}, {curve, 0.3, c, false},                        \
        {curve, 0.4, d, false},                                                                    \
    {                                                                                              \
        curve, thpt, sat, true                                                                     \
    }

static const figure_printed_row printed[] = {
    PRINTED(FIFO_2, 3.14, 3.39, 3.88, 5.41, 0.44, 7.95),
    PRINTED(FIFO_4, 3.14, 3.38, 3.79, 4.65, 0.51, 13.14),
    PRINTED(FIFO_8, 3.14, 3.38, 3.79, 4.60, 0.57, 23.03),
    PRINTED(DAMQ_2, 3.14, 3.36, 3.74, 4.48, 0.50, 7.19),
    PRINTED(DAMQ_4, 3.14, 3.36, 3.68, 4.16, 0.71, 10.66),
    PRINTED(DAMQ_8, 3.14, 3.36, 3.68, 4.17, 0.84, 19.10),
    {FIFO_4, 0.5, 9.34, false},
    {FIFO_8, 0.5, 6.90, false},
    {DAMQ_4, 0.5, 4.91, false},
    {DAMQ_8, 0.5, 4.89, false},
};

static const double x[] = {0.10, 0.20, 0.30, 0.40, 0.45, 0.50, 0.55, 0.60, 0.65, 0.70, 0.75, 0.80};

static void claim(figure_work *f)
{
    figure_tally carries = {0}, faster = {0}, returns = {0}, far = {0}, gain = {0};
    swq_estimate fifo[3] = {figure_saturation(f, FIFO_2), figure_saturation(f, FIFO_4),
                            figure_saturation(f, FIFO_8)};
    swq_estimate damq_3 = figure_saturation(f, DAMQ_3), damq_4 = figure_saturation(f, DAMQ_4);
    swq_estimate damq_8 = figure_saturation(f, DAMQ_8);
    swq_estimate first = figure_difference(fifo[1], fifo[0]);
    swq_estimate second = figure_difference(fifo[2], fifo[1]);

    figure_less(&carries, fifo[2], damq_3, figure_where("saturation", damq_3.mean));
    figure_each_less(f, &faster, (figure_series){DAMQ_3, MEAN_ALL},
                     (figure_series){FIFO_8, MEAN_ALL}, 0, 1, "");
    figure_less(&returns, second, first, figure_where("saturation", fifo[2].mean));
    figure_less(&far, fifo[2], damq_4, figure_where("saturation", damq_4.mean));
    figure_less(&gain, second, figure_difference(damq_8, damq_4),
                figure_where("saturation", damq_8.mean));
    figure_claim(f, &carries, "4.5: DAMQ with three slots carries more than FIFO with eight",
                 figure_lower, NULL, "%.4f against %.4f: +%.1f%% (chapter 7: 10%%)", damq_3.mean,
                 fifo[2].mean, 100 * (damq_3.mean / fifo[2].mean - 1));
    figure_claim(f, &faster, "4.5: ... and has the lower latency at every throughput of both",
                 figure_lower, "far below saturation the size and kind of buffer hardly matter",
                 "at 0.5: %.3f against %.3f", figure_at(f, DAMQ_3, MEAN_ALL, 0.5).mean,
                 figure_at(f, FIFO_8, MEAN_ALL, 0.5).mean);
    figure_claim(f, &returns,
                 "4.5: diminishing returns: from four to eight slots FIFO's maximum throughput "
                 "gains less than from two to four",
                 figure_lower, NULL, "+%.4f, +%.4f", first.mean, second.mean);
    figure_claim(f, &far, "4.5: DAMQ with four slots carries far more than FIFO with eight",
                 figure_lower, NULL, "%.4f against %.4f", damq_4.mean, fifo[2].mean);
    figure_claim(f, &gain, "4.5: doubling four slots gives DAMQ more than FIFO", figure_lower, NULL,
                 "+%.4f against +%.4f", damq_8.mean - damq_4.mean, second.mean);
}

static const swq_figure_plan plan = {
    FIGURE_ROWS(networks), FIGURE_ROWS(curves), FIGURE_ROWS(printed),
    FIGURE_ROWS(x),        .claim = claim,      .jointly = swq_paper_blocking,
};

const swq_figure_kind swq_figure_4_2 = {
    .name = "4.2",
    .title = "FIFO and DAMQ buffers of several sizes",
    .section = "4.5",
    .setting = figure_setting_4,
    .panels = 1,
    .panel = {{"", "", "mean latency (cycles)", 25}},
    .x_most = 0.9,
    .plan = &plan,
};
