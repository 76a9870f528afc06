/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figure 5.9 of Frazier (1995): dedicated buffers against a dedicated queue in a shared one.
 * Room: validate.
 */
#include "validate/figures/figures.h"

enum { FIFO_1, FIFO_2, DAMQ_2, SHARED_4, SHARED_5, SHARED_6 };

#define BESIDE(slots_, queues_)                                                                    \
    {                                                                                              \
        .buffer = "damq", .slots = 4, .support = SWQ_SUPPORT_BUFFER, .high_slots = (slots_),       \
        .high_queues = (queues_)                                                                   \
    }
#define SHARED(slots_)                                                                             \
    {                                                                                              \
        .buffer = "damq", .slots = (slots_), .support = SWQ_SUPPORT_QUEUE                          \
    }

static const figure_network networks[] = {
    BESIDE(1, SWQ_ONE_QUEUE),
    BESIDE(2, SWQ_ONE_QUEUE),
    BESIDE(2, SWQ_QUEUE_PER_OUTPUT),
    SHARED(4),
    SHARED(5),
    SHARED(6),
};

#define CURVES(panel, quantity)                                                                    \
    {"DAMQ 4 + FIFO 1", panel, FIFO_1, quantity, 0, 0, false},                                     \
        {"DAMQ 4 + FIFO 2", panel, FIFO_2, quantity, 1, 1, false},                                 \
        {"DAMQ 4 + DAMQ 2", panel, DAMQ_2, quantity, 2, 2, false},                                 \
        {"shared DAMQ 4", panel, SHARED_4, quantity, 3, 3, true},                                  \
        {"shared DAMQ 5", panel, SHARED_5, quantity, 5, 4, true},                                  \
    {                                                                                              \
        "shared DAMQ 6", panel, SHARED_6, quantity, 4, 5, true                                     \
    }

static const figure_curve_row curves[] = {CURVES(0, P99_HIGH), CURVES(1, P99_NORMAL)};

static const double x[] = {1, 2, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50};

static void claim(figure_work *f)
{
    static const char *const name[] = {"FIFO 1",   "FIFO 2",   "DAMQ 2",
                                       "shared 4", "shared 5", "shared 6"};
    figure_tally alike = {0}, poor = {0}, equal = {0}, normal = {0};
    const figure_series shared = {SHARED_4, P99_HIGH};

    for (int n = FIFO_1; n <= SHARED_6; n++) {
        if (n != SHARED_4)
            figure_each_same(f,
                             n > SHARED_4 ? &alike
                             : n > FIFO_1 ? &equal
                                          : &(figure_tally){0},
                             (figure_series){n, P99_HIGH}, shared, SAME_P99, 0, 29, name[n]);
        if (n != SHARED_4)
            figure_each_same(f, &normal, (figure_series){n, P99_NORMAL},
                             (figure_series){SHARED_4, P99_NORMAL}, SAME_P99, 0, 29, name[n]);
    }
    figure_each_less(f, &poor, shared, (figure_series){FIFO_1, P99_HIGH}, 0, 29, "");
    figure_claim(
        f, &alike, "5.4: the three shared DAMQ buffers (four, five, six slots) perform identically",
        "99th percentile of high priority below 30%: apart by no more than 3% or 0.3 cycle", NULL,
        "at 20%%: %.2f, %.2f, %.2f", figure_at(f, SHARED_4, P99_HIGH, 20).mean,
        figure_at(f, SHARED_5, P99_HIGH, 20).mean, figure_at(f, SHARED_6, P99_HIGH, 20).mean);
    figure_claim(f, &poor,
                 "5.4: a dedicated buffer of one slot handles high priority poorly, against the "
                 "shared four",
                 "the 95% intervals of the 99th percentiles lie apart, below 30%", NULL,
                 "at 20%%: %.2f against %.2f", figure_at(f, FIFO_1, P99_HIGH, 20).mean,
                 figure_at(f, SHARED_4, P99_HIGH, 20).mean);
    figure_claim(f, &equal,
                 "5.4: below 30%, the shared buffer performs as the dedicated ones of two slots do",
                 figure_same_p99, NULL, "at 20%%: FIFO %.2f, DAMQ %.2f, shared %.2f",
                 figure_at(f, FIFO_2, P99_HIGH, 20).mean, figure_at(f, DAMQ_2, P99_HIGH, 20).mean,
                 figure_at(f, SHARED_4, P99_HIGH, 20).mean);
    figure_claim(
        f, &normal, "5.4: below 30%, normal packets fare identically with all schemes",
        figure_same_p99, NULL, "at 20%%: %.2f, %.2f, %.2f; shared %.2f, %.2f, %.2f",
        figure_at(f, FIFO_1, P99_NORMAL, 20).mean, figure_at(f, FIFO_2, P99_NORMAL, 20).mean,
        figure_at(f, DAMQ_2, P99_NORMAL, 20).mean, figure_at(f, SHARED_4, P99_NORMAL, 20).mean,
        figure_at(f, SHARED_5, P99_NORMAL, 20).mean, figure_at(f, SHARED_6, P99_NORMAL, 20).mean);
}

static const swq_figure_plan plan = {
    FIGURE_ROWS(networks), FIGURE_ROWS(curves), NULL, 0, FIGURE_ROWS(x), .claim = claim,
};

const swq_figure_kind swq_figure_5_9 = {
    .name = "5.9",
    .title = "Dedicated buffers and dedicated queues at throughput 0.5",
    .section = "5.4",
    .setting = figure_setting_4,
    .over = SWQ_OVER_PERCENT,
    .panels = 2,
    .panel = {{"a", "high priority", "99th percentile (cycles)", 20},
              {"b", "normal packets", "99th percentile (cycles)", 25}},
    .x_most = 50,
    .plan = &plan,
};
