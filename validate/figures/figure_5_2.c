/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figure 5.2 of Frazier (1995): what priority in the arbiter does for packets of high priority.
 * Room: validate.
 */
#include "validate/figures/figures.h"

enum { FIFO, SAMQ, SAFC, DAMQ, CBDA, PLAIN };

#define ARBITER(name)                                                                              \
    {                                                                                              \
        .buffer = (name), .slots = 4, .high = 0.05, .support = SWQ_SUPPORT_ARBITER                 \
    }
#define WITHOUT(name)                                                                              \
    {                                                                                              \
        .buffer = (name), .slots = 4                                                               \
    }

static const figure_network networks[] = {
    ARBITER("fifo"), ARBITER("samq"), ARBITER("safc"), ARBITER("damq"), ARBITER("cbda"),
    WITHOUT("fifo"), WITHOUT("samq"), WITHOUT("safc"), WITHOUT("damq"), WITHOUT("cbda"),
};

static const figure_curve_row curves[] = {
    {"FIFO 99%", 0, FIFO, P99_HIGH, 0, 0, false},
    {"SAMQ 99%", 0, SAMQ, P99_HIGH, 1, 1, false},
    {"SAFC 99%", 0, SAFC, P99_HIGH, 2, 2, false},
    {"DAMQ 99%", 0, DAMQ, P99_HIGH, 3, 3, false},
    {"CBDA 99%", 0, CBDA, P99_HIGH, 4, 4, false},
    {"FIFO mean", 0, FIFO, MEAN_HIGH, 0, 0, true},
    {"SAMQ mean", 0, SAMQ, MEAN_HIGH, 1, 1, true},
    {"SAFC mean", 0, SAFC, MEAN_HIGH, 2, 2, true},
    {"DAMQ mean", 0, DAMQ, MEAN_HIGH, 3, 3, true},
    {"CBDA mean", 0, CBDA, MEAN_HIGH, 4, 4, true},
    {"FIFO arbiter", 1, FIFO, P99_HIGH, 0, 0, false},
    {"SAMQ arbiter", 1, SAMQ, P99_HIGH, 1, 1, false},
    {"SAFC arbiter", 1, SAFC, P99_HIGH, 2, 2, false},
    {"DAMQ arbiter", 1, DAMQ, P99_HIGH, 3, 3, false},
    {"CBDA arbiter", 1, CBDA, P99_HIGH, 4, 4, false},
    {"FIFO without", 1, PLAIN + FIFO, P99_ALL, 0, 0, true},
    {"SAMQ without", 1, PLAIN + SAMQ, P99_ALL, 1, 1, true},
    {"SAFC without", 1, PLAIN + SAFC, P99_ALL, 2, 2, true},
    {"DAMQ without", 1, PLAIN + DAMQ, P99_ALL, 3, 3, true},
    {"CBDA without", 1, PLAIN + CBDA, P99_ALL, 4, 4, true},
};

/* The table inside Figure 5.2(b) */
#define PRINTED(curve, a, b, c, d, e)                                                              \
    {10 + (curve), 0.1, a, false}, {10 + (curve), 0.2, b, false}, {10 + (curve), 0.3, c, false},   \
        {10 + (curve), 0.4, d, false},                                                             \
    {                                                                                              \
        10 + (curve), 0.5, e, false                                                                \
    }

static const figure_printed_row printed[] = {
    PRINTED(FIFO, 4.00, 5.00, 5.89, 9.34, 21.08),
    PRINTED(PLAIN + FIFO, 4.75, 5.95, 7.78, 10.97, 23.46),
    PRINTED(SAMQ, 4.55, 5.13, 7.05, 8.65, 12.25),
    PRINTED(PLAIN + SAMQ, 5.76, 6.75, 9.00, 12.00, 17.88),
    PRINTED(SAFC, 4.27, 5.15, 6.06, 7.78, 10.21),
    PRINTED(PLAIN + SAFC, 5.38, 6.73, 8.16, 11.00, 14.38),
    PRINTED(DAMQ, 3.59, 4.00, 4.89, 6.09, 7.63),
    PRINTED(PLAIN + DAMQ, 4.76, 5.67, 7.00, 8.88, 11.11),
    PRINTED(CBDA, 3.81, 4.13, 5.00, 6.00, 7.37),
    PRINTED(PLAIN + CBDA, 4.37, 5.00, 6.00, 7.00, 8.00),
};

static const double x[] = {0.10, 0.20, 0.30, 0.40, 0.50, 0.60, 0.70, 0.80};

/* The relative reduction of the 99th percentile by the arbiter. */
static swq_estimate gain(const figure_work *f, int buffer, double at)
{
    swq_estimate left =
        figure_ratio(figure_at(f, buffer, P99_HIGH, at), figure_at(f, PLAIN + buffer, P99_ALL, at));
    return (swq_estimate){1 - left.mean, left.half_width};
}

static void claim(figure_work *f)
{
    static const char *const name[] = {"FIFO", "SAMQ", "SAFC", "DAMQ", "CBDA"};
    figure_tally better = {0}, especially = {0}, worse = {0}, heavy = {0};

    for (int b = FIFO; b <= CBDA; b++) {
        figure_each_less(f, &better, (figure_series){b, P99_HIGH},
                         (figure_series){PLAIN + b, P99_ALL}, 0, 0.5, name[b]);
        figure_each_less(f, &worse, (figure_series){b, MEAN_HIGH}, (figure_series){b, P99_HIGH}, 0,
                         0.5, name[b]);
        figure_less(
            &heavy,
            figure_difference(figure_at(f, b, P99_HIGH, 0.1), figure_at(f, b, MEAN_HIGH, 0.1)),
            figure_difference(figure_at(f, b, P99_HIGH, 0.5), figure_at(f, b, MEAN_HIGH, 0.5)),
            figure_where(name[b], 0.5));
        if (b != FIFO)
            figure_less(&especially, gain(f, FIFO, 0.5), gain(f, b, 0.5),
                        figure_where(name[b], 0.5));
    }
    figure_claim(f, &better,
                 "5.1: priority in the arbiter lowers the 99th percentile of high priority against "
                 "a network without support",
                 "the 95% intervals do not overlap, up to throughput 0.5", NULL,
                 "at 0.5, DAMQ: %.2f against %.2f", figure_at(f, DAMQ, P99_HIGH, 0.5).mean,
                 figure_at(f, PLAIN + DAMQ, P99_ALL, 0.5).mean);
    figure_claim(
        f, &especially, "5.1: ... especially with buffers other than FIFO",
        "at throughput 0.5 they gain the larger share; intervals do not overlap", NULL,
        "less by %.0f%% (FIFO), %.0f%% (SAMQ), %.0f%% (SAFC), %.0f%% (DAMQ), %.0f%% (CBDA)",
        100 * gain(f, FIFO, 0.5).mean, 100 * gain(f, SAMQ, 0.5).mean, 100 * gain(f, SAFC, 0.5).mean,
        100 * gain(f, DAMQ, 0.5).mean, 100 * gain(f, CBDA, 0.5).mean);
    figure_claim(f, &worse,
                 "5.1: the 99th percentile of high priority is still worse than its average",
                 "the 95% intervals do not overlap, up to throughput 0.5", NULL,
                 "at 0.5, DAMQ: %.2f against %.2f", figure_at(f, DAMQ, P99_HIGH, 0.5).mean,
                 figure_at(f, DAMQ, MEAN_HIGH, 0.5).mean);
    figure_claim(f, &heavy, "5.1: ... much worse under high load",
                 "further above it at throughput 0.5 than at 0.1; intervals do not overlap", NULL,
                 "%s", "");
}

static const swq_figure_plan plan = {
    FIGURE_ROWS(networks),
    FIGURE_ROWS(curves),
    FIGURE_ROWS(printed),
    FIGURE_ROWS(x),
    .claim = claim,
    .jointly = "a stale count of 1, with which the 99th percentiles of DAMQ with the arbiter are "
               "5.7 and 7.3 at 0.4 and 0.5 (printed 6.09, 7.63), and what is listed of Table 5.1",
};

const swq_figure_kind swq_figure_5_2 = {
    .name = "5.2",
    .title = "Priority arbitration, 5% high priority, four slots an input",
    .section = "5.1",
    .setting = figure_setting_4,
    .panels = 2,
    .panel = {{"a", "high priority: 99th percentile and mean", "latency (cycles)", 30},
              {"b", "99th percentile: high priority with the arbiter, all without",
               "99th percentile (cycles)", 30}},
    .x_most = 0.85,
    .plan = &plan,
};
