/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figure 6.3 of Frazier (1995): packets of 6 to 32 bytes.
 * Room: validate.
 */
#include "validate/figures/figures.h"

enum {
    VARIABLE,
    CONSTANT = 4,
    VARIABLE_BLOCKS = 8,
    CONSTANT_BLOCKS = 12,
    VARIABLE_START = 16,
    CONSTANT_START = 20
};
enum { FIFO, SAMQ, SAFC, DAMQ, BUFFERS };

#define ROW(kind, least_, memory_, once_)                                                          \
    {                                                                                              \
        .buffer = (kind), .once = (once_), .async = {                                              \
            .stages = 4,                                                                           \
            .bytes = 128,                                                                          \
            .least = (least_),                                                                     \
            .memory = (memory_)                                                                    \
        }                                                                                          \
    }
#define EACH(least, memory, once)                                                                  \
    ROW("fifo", least, memory, once), ROW("samq", least, memory, once),                            \
        ROW("safc", least, memory, once), ROW("damq", least, memory, once)

static const figure_network networks[] = {
    EACH(6, FIGURE_MEMORY, false),          EACH(0, FIGURE_MEMORY, true),
    EACH(6, FIGURE_MEMORY_BY_BLOCKS, true), EACH(0, FIGURE_MEMORY_BY_BLOCKS, true),
    EACH(6, FIGURE_MEMORY_AT_START, true),  EACH(0, FIGURE_MEMORY_AT_START, true),
};

static const figure_curve_row curves[] = {
    {"FIFO", 0, FIFO, MEAN_ALL, 0, 0, false},
    {"SAMQ", 0, SAMQ, MEAN_ALL, 1, 1, false},
    {"SAFC", 0, SAFC, MEAN_ALL, 2, 2, false},
    {"DAMQ", 0, DAMQ, MEAN_ALL, 3, 3, false},
};

static const double x[] = {0.1, 0.2, 0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7};

static void claim(figure_work *f)
{
    static const struct {
        const char *text;
        double quoted;
        int network, start, blocks;
    } quoted[] = {
        {"6.2.3: DAMQ, 32 bytes, saturates at 0.71", 0.71, CONSTANT + DAMQ, CONSTANT_START + DAMQ,
         CONSTANT_BLOCKS + DAMQ},
        {"6.2.3: DAMQ, 6 to 32 bytes, saturates at 0.68", 0.68, VARIABLE + DAMQ,
         VARIABLE_START + DAMQ, VARIABLE_BLOCKS + DAMQ},
        {"6.2.3: SAFC, 32 bytes, saturates at 0.64 (8.5.9: 0.63)", 0.64, CONSTANT + SAFC,
         CONSTANT_START + SAFC, CONSTANT_BLOCKS + SAFC},
        {"6.2.3: SAFC, 6 to 32 bytes, saturates at 0.57", 0.57, VARIABLE + SAFC,
         VARIABLE_START + SAFC, VARIABLE_BLOCKS + SAFC},
    };
    static const char *const name[] = {"FIFO", "SAMQ", "SAFC", "DAMQ"};
    swq_estimate left[BUFFERS], blocks[BUFFERS];
    figure_tally less = {0};

    for (size_t k = 0; k < sizeof quoted / sizeof *quoted; k++)
        figure_claim_quoted(
            f, quoted[k].text, quoted[k].quoted, figure_saturation(f, quoted[k].network),
            figure_saturation(f, quoted[k].start), figure_saturation(f, quoted[k].blocks));
    for (int b = 0; b < BUFFERS; b++) {
        left[b] =
            figure_ratio(figure_saturation(f, VARIABLE + b), figure_saturation(f, CONSTANT + b));
        blocks[b] = figure_ratio(figure_saturation(f, VARIABLE_BLOCKS + b),
                                 figure_saturation(f, CONSTANT_BLOCKS + b));
    }
    for (int b = SAMQ; b <= SAFC; b++) {
        figure_less(&less, left[b], left[FIFO], figure_where(name[b], left[b].mean));
        figure_less(&less, left[b], left[DAMQ], figure_where(name[b], left[b].mean));
    }
    figure_claim(f, &less,
                 "6.2.3: lengths that vary reduce the saturation throughput less of FIFO and "
                 "DAMQ than from that of SAMQ and SAFC",
                 "ratios to 32 bytes: the intervals do not overlap, SAMQ and SAFC below FIFO "
                 "and DAMQ",
                 NULL,
                 "FIFO %.3f, SAMQ %.3f, SAFC %.3f, DAMQ %.3f; block by block %.3f, %.3f, %.3f, "
                 "%.3f",
                 left[FIFO].mean, left[SAMQ].mean, left[SAFC].mean, left[DAMQ].mean,
                 blocks[FIFO].mean, blocks[SAMQ].mean, blocks[SAFC].mean, blocks[DAMQ].mean);
}

static const swq_figure_plan plan = {
    FIGURE_ROWS(networks), FIGURE_ROWS(curves),         NULL,        0, FIGURE_ROWS(x),
    .claim = claim,        .jointly = figure_chapter_6, .longer = 4,
};

const swq_figure_kind swq_figure_6_3 = {
    .name = "6.3",
    .title = "Latency over throughput, packets of 6 to 32 bytes",
    .section = "6.2.3",
    .setting = "256x256 omega of 4x4 switches, asynchronous, 128 bytes an input; " FIGURE_SIMULATOR,
    .panels = 1,
    .panel = {{"", "", "mean latency (clock cycles)", 400}},
    .x_most = 0.75,
    .plan = &plan,
};
