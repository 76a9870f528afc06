/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figure 5.3 of Frazier (1995): a dedicated queue for 1, 5 and 10% of the packets.
 * Room: validate.
 */
#include "validate/figures/figures.h"

#include <stdio.h>

enum { FIFO, SAMQ, SAFC, DAMQ, CBDA, BUFFERS, PLAIN = 3 * BUFFERS, PLAIN_SAMQ, PLAIN_SAFC };

/* five slots per input; a buffer with a single queue cannot have a second one, so its arbiter
 * helps */
#define WITH(share)                                                                                \
    {.buffer = "fifo", .slots = 5, .high = (share), .support = SWQ_SUPPORT_ARBITER},               \
        {.buffer = "samq",                                                                         \
         .slots = 4,                                                                               \
         .high = (share),                                                                          \
         .support = SWQ_SUPPORT_QUEUE,                                                             \
         .high_slots = 1},                                                                         \
        {.buffer = "safc",                                                                         \
         .slots = 4,                                                                               \
         .high = (share),                                                                          \
         .support = SWQ_SUPPORT_QUEUE,                                                             \
         .high_slots = 1},                                                                         \
        {.buffer = "damq", .slots = 5, .high = (share), .support = SWQ_SUPPORT_QUEUE},             \
    {                                                                                              \
        .buffer = "cbda", .slots = 5, .high = (share), .support = SWQ_SUPPORT_QUEUE                \
    }

static const figure_network networks[] = {
    WITH(0.01),
    WITH(0.05),
    WITH(0.10),
    {.buffer = "damq", .slots = 5},
    {.buffer = "samq", .slots = 4},
    {.buffer = "safc", .slots = 4},
};

#define CURVES(panel)                                                                              \
    {"FIFO, arbiter", panel, (panel)*BUFFERS + FIFO, P99_HIGH, 0, 0, false},                       \
        {"SAMQ 4+1", panel, (panel)*BUFFERS + SAMQ, P99_HIGH, 1, 1, false},                        \
        {"SAFC 4+1", panel, (panel)*BUFFERS + SAFC, P99_HIGH, 2, 2, false},                        \
        {"DAMQ 5", panel, (panel)*BUFFERS + DAMQ, P99_HIGH, 3, 3, false},                          \
        {"CBDA 20", panel, (panel)*BUFFERS + CBDA, P99_HIGH, 4, 4, false},                         \
        {"DAMQ 5 without", panel, PLAIN, P99_ALL, 3, 3, true},                                     \
    {                                                                                              \
        "... its mean", panel, PLAIN, MEAN_ALL, 7, 6, true                                         \
    }

static const figure_curve_row curves[] = {CURVES(0), CURVES(1), CURVES(2)};

static const double x[] = {0.10, 0.20, 0.30, 0.40, 0.50, 0.60, 0.70};

static void claim(figure_work *f)
{
    static const char *const name[] = {"FIFO", "SAMQ", "SAFC", "DAMQ", "CBDA"};
    static const char *const share[] = {"1%", "5%", "10%"};
    static const int plain[] = {0, PLAIN_SAMQ, PLAIN_SAFC, PLAIN};
    figure_tally better = {0}, below_mean = {0}, best = {0};
    char label[40];

    for (int s = 0; s < 3; s++) {
        for (int b = SAMQ; b <= DAMQ; b++) {
            figure_series mine = {s * BUFFERS + b, P99_HIGH};
            snprintf(label, sizeof label, "%s %s", name[b], share[s]);
            figure_each_less(f, &better, mine, (figure_series){PLAIN, P99_ALL}, 0, 1, label);
            figure_each_less(f, &below_mean, mine, (figure_series){plain[b], MEAN_ALL}, 0, 1,
                             label);
            if (b != DAMQ)
                figure_each_less(f, &best, (figure_series){s * BUFFERS + DAMQ, P99_HIGH}, mine, 0,
                                 1, label);
        }
    }
    figure_claim(f, &better,
                 "5.2: with a dedicated queue, high priority's 99th percentile is below that of "
                 "DAMQ without support (SAMQ, SAFC, DAMQ)",
                 figure_lower, NULL, "at 0.5, 5%%: SAMQ %.2f, SAFC %.2f, DAMQ %.2f against %.2f",
                 figure_at(f, BUFFERS + SAMQ, P99_HIGH, 0.5).mean,
                 figure_at(f, BUFFERS + SAFC, P99_HIGH, 0.5).mean,
                 figure_at(f, BUFFERS + DAMQ, P99_HIGH, 0.5).mean,
                 figure_at(f, PLAIN, P99_ALL, 0.5).mean);
    figure_claim(
        f, &below_mean,
        "5.2: ... and below the average of the same buffer without support (SAMQ and SAFC "
        "of four slots, DAMQ of five)",
        figure_lower,
        "at light load averages are 3.1 cycles, and a percentile of whole cycles is 3 only "
        "if fewer than one packet in a hundred meets another",
        "at 0.5, 5%%: DAMQ %.2f against %.2f", figure_at(f, BUFFERS + DAMQ, P99_HIGH, 0.5).mean,
        figure_at(f, PLAIN, MEAN_ALL, 0.5).mean);
    figure_claim(f, &best, "5.2: DAMQ with a dedicated queue is better than SAMQ and SAFC with one",
                 figure_lower, NULL, "%s", "");
}

static const swq_figure_plan plan = {
    FIGURE_ROWS(networks), FIGURE_ROWS(curves), NULL, 0, FIGURE_ROWS(x), .claim = claim,
};

const swq_figure_kind swq_figure_5_3 = {
    .name = "5.3",
    .title = "A dedicated queue for high priority, five slots an input",
    .section = "5.2",
    .setting = figure_setting_4,
    .panels = 3,
    .panel = {{"a", "1% high priority", "99th percentile (cycles)", 20},
              {"b", "5% high priority", "99th percentile (cycles)", 20},
              {"c", "10% high priority", "99th percentile (cycles)", 20}},
    .x_most = 0.9,
    .plan = &plan,
};
