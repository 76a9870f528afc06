/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figure 4.1 of Frazier (1995): latency over throughput, five buffers of four slots.
 * Room: validate.
 */
#include "validate/figures/figures.h"
#include "validate/table_sim.h"

enum { FIFO, SAMQ, SAFC, DAMQ, CBDA };

static const figure_network networks[] = {
    {.buffer = "fifo", .slots = 4}, {.buffer = "samq", .slots = 4}, {.buffer = "safc", .slots = 4},
    {.buffer = "damq", .slots = 4}, {.buffer = "cbda", .slots = 4},
};

static const figure_curve_row curves[] = {
    {"FIFO 4", 0, FIFO, MEAN_ALL, 0, 0, false}, {"SAMQ 4", 0, SAMQ, MEAN_ALL, 1, 1, false},
    {"SAFC 4", 0, SAFC, MEAN_ALL, 2, 2, false}, {"DAMQ 4", 0, DAMQ, MEAN_ALL, 3, 3, false},
    {"CBDA 4", 0, CBDA, MEAN_ALL, 4, 4, false},
};

/* Table 4.3; at saturation, its latency and its saturation throughput */
#define PRINTED(curve, a, b, c, d, e, thpt, sat)                                                   \
    {curve, 0.1, a, false}, {curve, 0.2, b, false}, {curve, 0.3, c, false},                        \
        {curve, 0.4, d, false}, {curve, 0.5, e, false},                                            \
    {                                                                                              \
        curve, thpt, sat, true                                                                     \
    }

static const figure_printed_row printed[] = {
    PRINTED(FIFO, 3.14, 3.38, 3.79, 4.65, 9.34, 0.51, 13.14),
    PRINTED(SAMQ, 3.24, 3.58, 4.09, 4.90, 6.57, 0.50, 6.68),
    PRINTED(SAFC, 3.22, 3.50, 3.88, 4.42, 5.28, 0.54, 5.88),
    PRINTED(DAMQ, 3.14, 3.36, 3.68, 4.16, 4.91, 0.71, 10.66),
    PRINTED(CBDA, 3.13, 3.29, 3.50, 3.80, 4.19, 0.80, 9.71),
};

static const double x[] = {0.10, 0.15, 0.20, 0.25, 0.30, 0.35, 0.40, 0.45,
                           0.50, 0.55, 0.60, 0.65, 0.70, 0.75, 0.80};

static void claim(figure_work *f)
{
    static const char *const name[] = {"FIFO", "SAMQ", "SAFC", "DAMQ", "CBDA"};
    figure_tally more = {0}, faster = {0}, close = {0}, near = {0}, flat = {0}, equal = {0};
    swq_estimate best = figure_saturation(f, SAFC), damq = figure_saturation(f, DAMQ);

    for (int n = FIFO; n < DAMQ; n++) {
        figure_at_least(&more, figure_ratio(damq, figure_saturation(f, n)), 1.3,
                        figure_where(name[n], figure_saturation(f, n).mean));
        figure_less(&faster, figure_at(f, DAMQ, MEAN_ALL, 0.5), figure_at(f, n, MEAN_ALL, 0.5),
                    figure_where(name[n], 0.5));
        figure_each_same(f, &close, (figure_series){n, MEAN_ALL}, (figure_series){DAMQ, MEAN_ALL},
                         0, 0.5, 0, n == SAMQ ? 0.34 : 0.39, name[n]);
        for (int b = SAMQ; b <= SAFC && n == FIFO; b++) {
            for (int other = 0; other < 3; other++) {
                static const int late[] = {FIFO, DAMQ, CBDA};
                figure_less(&flat, figure_at_full_load(f, b, MEAN_ALL),
                            figure_at_full_load(f, late[other], MEAN_ALL),
                            figure_where(name[b], figure_saturation(f, b).mean));
            }
        }
    }
    for (int n = SAMQ; n <= DAMQ; n++) {
        for (int k = 1; k <= 2; k++) {
            double at = 0.1 * k;
            swq_estimate fifo = figure_at(f, FIFO, MEAN_ALL, at);
            swq_estimate other = figure_at(f, n, MEAN_ALL, at);
            /* as good, or better */
            figure_at_most(&equal, figure_difference(fifo, other),
                           0.03 * other.mean > 0.05 ? 0.03 * other.mean : 0.05,
                           figure_where(name[n], at));
        }
    }
    figure_claim(f, &more,
                 "4.5: with four slots, DAMQ's maximum throughput is at least 30% above that of "
                 "FIFO, SAMQ and SAFC",
                 "the ratio's interval lies at or above 1.3", NULL,
                 "%.4f against SAFC's %.4f: +%.1f%%", damq.mean, best.mean,
                 100 * (damq.mean / best.mean - 1));
    figure_claim(f, &faster, "4.5: at throughput 0.50, DAMQ's latency is below the other three's",
                 figure_lower, NULL, "DAMQ %.3f, FIFO %.3f, SAMQ %.3f, SAFC %.3f",
                 figure_at(f, DAMQ, MEAN_ALL, 0.5).mean, figure_at(f, FIFO, MEAN_ALL, 0.5).mean,
                 figure_at(f, SAMQ, MEAN_ALL, 0.5).mean, figure_at(f, SAFC, MEAN_ALL, 0.5).mean);
    figure_each_same(f, &near, (figure_series){SAMQ, MEAN_ALL}, (figure_series){DAMQ, MEAN_ALL}, 0,
                     0.5, 0.34, 0.39, name[SAMQ]);
    figure_claim(f, &close,
                 "4.5: below throughput 0.40 the average latencies are very close: FIFO, SAFC, and "
                 "SAMQ to 0.34",
                 "within half a cycle of DAMQ (the text gives no number)", NULL, "%s", "");
    figure_claim(f, &near,
                 "4.5: below throughput 0.40 the average latencies are very close: SAMQ above 0.34",
                 "within half a cycle of DAMQ",
                 "half a cycle is our reading of 'very close'; SAMQ's queues of one packet "
                 "begin to delay packets at 0.35",
                 "SAMQ %.2f, DAMQ %.2f at 0.35", figure_at(f, SAMQ, MEAN_ALL, 0.35).mean,
                 figure_at(f, DAMQ, MEAN_ALL, 0.35).mean);
    figure_claim(
        f, &flat,
        "4.5: with one slot a queue, SAMQ's and SAFC's latency does not rise near "
        "saturation as the others' does",
        "latency at full load: the 95% intervals do not overlap, SAMQ and SAFC below "
        "the others",
        NULL, "SAMQ %.2f, SAFC %.2f, FIFO %.2f, DAMQ %.2f, CBDA %.2f",
        figure_at_full_load(f, SAMQ, MEAN_ALL).mean, figure_at_full_load(f, SAFC, MEAN_ALL).mean,
        figure_at_full_load(f, FIFO, MEAN_ALL).mean, figure_at_full_load(f, DAMQ, MEAN_ALL).mean,
        figure_at_full_load(f, CBDA, MEAN_ALL).mean);
    figure_claim(f, &equal,
                 "4.5: at low throughputs (0.1, 0.2) FIFO performs as well as SAMQ, SAFC and DAMQ",
                 "FIFO's latency is above by at most 3% or 0.05 cycle", NULL, "%s", "");
}

static const swq_figure_plan plan = {
    FIGURE_ROWS(networks), FIGURE_ROWS(curves), FIGURE_ROWS(printed),
    FIGURE_ROWS(x),        .claim = claim,      .jointly = swq_paper_blocking,
};

const swq_figure_kind swq_figure_4_1 = {
    .name = "4.1",
    .title = "Latency over throughput: five buffers, four slots an input",
    .section = "4.5",
    .setting = figure_setting_4,
    .panels = 1,
    .panel = {{"", "", "mean latency (cycles)", 15}},
    .x_most = 0.85,
    .plan = &plan,
};
