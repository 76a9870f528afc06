/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figure 5.5 of Frazier (1995): small DAMQ buffers against five slots of the others.
 * Room: validate.
 */
#include "validate/figures/figures.h"

enum { FIFO, SAMQ, SAFC, DAMQ_4, DAMQ_3, DAMQ_2 };

static const figure_network networks[] = {
    {.buffer = "fifo", .slots = 5, .high = 0.05, .support = SWQ_SUPPORT_ARBITER},
    {.buffer = "samq", .slots = 4, .high = 0.05, .support = SWQ_SUPPORT_QUEUE, .high_slots = 1},
    {.buffer = "safc", .slots = 4, .high = 0.05, .support = SWQ_SUPPORT_QUEUE, .high_slots = 1},
    {.buffer = "damq", .slots = 4, .high = 0.05, .support = SWQ_SUPPORT_QUEUE},
    {.buffer = "damq", .slots = 3, .high = 0.05, .support = SWQ_SUPPORT_QUEUE},
    {.buffer = "damq", .slots = 2, .high = 0.05, .support = SWQ_SUPPORT_QUEUE},
};

static const figure_curve_row curves[] = {
    {"FIFO 5, arbiter", 0, FIFO, P99_HIGH, 0, 0, false},
    {"SAMQ 4+1", 0, SAMQ, P99_HIGH, 1, 1, false},
    {"SAFC 4+1", 0, SAFC, P99_HIGH, 2, 2, false},
    {"DAMQ 4", 0, DAMQ_4, P99_HIGH, 3, 1, false},
    {"DAMQ 3", 0, DAMQ_3, P99_HIGH, 3, 3, false},
    {"DAMQ 2", 0, DAMQ_2, P99_HIGH, 3, 0, false},
};

static const double x[] = {0.10, 0.20, 0.30, 0.35, 0.40, 0.45, 0.50, 0.55, 0.60, 0.65, 0.70};

static void claim(figure_work *f)
{
    figure_tally two = {0}, three = {0};

    figure_each_less(f, &two, (figure_series){DAMQ_2, P99_HIGH}, (figure_series){FIFO, P99_HIGH}, 0,
                     1, "");
    figure_each_less(f, &three, (figure_series){DAMQ_3, P99_HIGH}, (figure_series){SAMQ, P99_HIGH},
                     0, 1, "SAMQ");
    figure_each_less(f, &three, (figure_series){DAMQ_3, P99_HIGH}, (figure_series){SAFC, P99_HIGH},
                     0, 1, "SAFC");
    figure_claim(f, &two, "5.2: DAMQ with two slots outperforms FIFO with five", figure_lower, NULL,
                 "at 0.4: %.2f against %.2f", figure_at(f, DAMQ_2, P99_HIGH, 0.4).mean,
                 figure_at(f, FIFO, P99_HIGH, 0.4).mean);
    figure_claim(f, &three, "5.2: DAMQ with three slots outperforms SAMQ and SAFC with five",
                 figure_lower, NULL, "at 0.4: %.2f against %.2f and %.2f",
                 figure_at(f, DAMQ_3, P99_HIGH, 0.4).mean, figure_at(f, SAMQ, P99_HIGH, 0.4).mean,
                 figure_at(f, SAFC, P99_HIGH, 0.4).mean);
}

static const swq_figure_plan plan = {
    FIGURE_ROWS(networks), FIGURE_ROWS(curves), NULL, 0, FIGURE_ROWS(x), .claim = claim,
};

const swq_figure_kind swq_figure_5_5 = {
    .name = "5.5",
    .title = "DAMQ's efficiency: 99th percentile of high priority, dedicated queues, 5%",
    .section = "5.2",
    .setting = figure_setting_4,
    .panels = 1,
    .panel = {{"", "", "99th percentile (cycles)", 20}},
    .x_most = 0.75,
    .plan = &plan,
};
