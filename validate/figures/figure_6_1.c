/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figure 6.1 of Frazier (1995): the same buffers in synchronous and in asynchronous omega networks.
 * Room: validate.
 */
#include "validate/figures/figures.h"

enum {
    SYNC,
    SMALL = 4,
    LARGE = 8,
    SMALL_BLOCKS = 12,
    LARGE_BLOCKS = 16,
    SMALL_START = 20,
    LARGE_START = 24,
    BUFFERS = 4
};
enum { FIFO, SAMQ, SAFC, DAMQ };

#define ASYNC(kind, stages_, memory_, once_)                                                       \
    {                                                                                              \
        .buffer = (kind), .once = (once_), .async = {                                              \
            .stages = (stages_),                                                                   \
            .bytes = 128,                                                                          \
            .memory = (memory_)                                                                    \
        }                                                                                          \
    }
#define EACH(stages, memory, once)                                                                 \
    ASYNC("fifo", stages, memory, once), ASYNC("samq", stages, memory, once),                      \
        ASYNC("safc", stages, memory, once), ASYNC("damq", stages, memory, once)

static const figure_network networks[] = {
    {.buffer = "fifo", .slots = 4},         {.buffer = "samq", .slots = 4},
    {.buffer = "safc", .slots = 4},         {.buffer = "damq", .slots = 4},
    EACH(3, FIGURE_MEMORY, false),          EACH(4, FIGURE_MEMORY, false),
    EACH(3, FIGURE_MEMORY_BY_BLOCKS, true), EACH(4, FIGURE_MEMORY_BY_BLOCKS, true),
    EACH(3, FIGURE_MEMORY_AT_START, true),  EACH(4, FIGURE_MEMORY_AT_START, true),
};

#define CURVES(panel, first)                                                                       \
    {"FIFO", panel, (first) + FIFO, MEAN_ALL, 0, 0, false},                                        \
        {"SAMQ", panel, (first) + SAMQ, MEAN_ALL, 1, 1, false},                                    \
        {"SAFC", panel, (first) + SAFC, MEAN_ALL, 2, 2, false},                                    \
    {                                                                                              \
        "DAMQ", panel, (first) + DAMQ, MEAN_ALL, 3, 3, false                                       \
    }

static const figure_curve_row curves[] = {CURVES(0, SYNC), CURVES(1, SMALL), CURVES(2, LARGE)};

static const double x[] = {0.1, 0.2, 0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75};

static const char *const name[] = {"FIFO", "SAMQ", "SAFC", "DAMQ"};

static void claim_least(figure_work *f)
{
    static const struct {
        int first;
        double cycles;
        const char *text;
    } cases[] = {
        {SMALL, 15, "6.2.1: the least latency of the 64x64 network is 15 cycles"},
        {LARGE, 20, "6.2.1: the least latency of the 256x256 network is 20 cycles"},
    };

    for (int c = 0; c < 2 && !f->status && !f->out->cut_short; c++) {
        figure_tally t = {0};
        swq_estimate alone = {0};
        for (int b = 0; b < BUFFERS && !f->status && !f->out->cut_short; b++) {
            f->status = figure_alone(f->ctx, &networks[cases[c].first + b], &alone);
            figure_same(&t, alone, (swq_estimate){cases[c].cycles, 0}, 0, 0,
                        figure_where(name[b], alone.mean));
            figure_at_most(&t, alone, cases[c].cycles, figure_where(name[b], alone.mean));
        }
        figure_claim(f, &t, cases[c].text,
                     "64 packets that are alone in the network take exactly as long, with every "
                     "buffer",
                     NULL, "%g cycles with DAMQ", alone.mean);
    }
}

/* The synchronous network, and the two ways of freeing memory. */
static void claim_saturation(figure_work *f)
{
    figure_tally same = {0}, more = {0};
    double at[3][BUFFERS];

    for (int b = 0; b < BUFFERS; b++) {
        swq_estimate sync = figure_saturation(f, SYNC + b), async = figure_saturation(f, SMALL + b);
        at[0][b] = sync.mean;
        at[1][b] = async.mean;
        at[2][b] = figure_saturation(f, SMALL_BLOCKS + b).mean;
        if (b == FIFO || b == DAMQ)
            figure_same(&same, async, sync, 0.03, 0, figure_where(name[b], async.mean));
        else
            figure_less(&more, sync, async, figure_where(name[b], async.mean));
    }
    figure_claim(f, &same,
                 "6.2.1: FIFO and DAMQ saturate at the same throughput as in synchronous networks",
                 "64x64: apart by no more than 3%", NULL,
                 "FIFO %.4f, synchronous %.4f; DAMQ %.4f, %.4f; block by block %.4f and %.4f",
                 at[1][FIFO], at[0][FIFO], at[1][DAMQ], at[0][DAMQ], at[2][FIFO], at[2][DAMQ]);
    figure_claim(f, &more, "6.2.1: SAMQ and SAFC saturate at a higher throughput",
                 "64x64: the 95% intervals do not overlap, synchronous below asynchronous", NULL,
                 "SAMQ %.4f, synchronous %.4f; SAFC %.4f, %.4f; block by block %.4f and %.4f",
                 at[1][SAMQ], at[0][SAMQ], at[1][SAFC], at[0][SAFC], at[2][SAMQ], at[2][SAFC]);
}

static void claim_latency(figure_work *f)
{
    figure_tally async = {0}, sync = {0};
    double ratio[3][BUFFERS];

    for (int k = 0; k < 3; k++) {
        for (int b = 0; b < BUFFERS; b++) {
            int n = k * BUFFERS + b;
            swq_estimate r =
                figure_ratio(figure_at_full_load(f, n, MEAN_ALL), figure_at(f, n, MEAN_ALL, 0.1));
            figure_place where = figure_where(name[b], r.mean);
            ratio[k][b] = r.mean;
            if (k > 0) {
                figure_at_least(&async, r, 10, where);
            } else {
                figure_at_least(&sync, r, 3, where);
                figure_at_most(&sync, r, 5, where);
            }
        }
    }
    figure_claim(f, &async,
                 "6.2.1: in asynchronous networks latency at saturation is an order of magnitude "
                 "or more above that at low throughputs",
                 "full load over 0.1: the ratio's interval lies at or above 10",
                 "queues of one packet hold little, so SAMQ and SAFC reach only seven to nine "
                 "times",
                 "64x64: FIFO %.1f, SAMQ %.1f, SAFC %.1f, DAMQ %.1f; 256x256: %.1f, %.1f, %.1f, "
                 "%.1f",
                 ratio[1][FIFO], ratio[1][SAMQ], ratio[1][SAFC], ratio[1][DAMQ], ratio[2][FIFO],
                 ratio[2][SAMQ], ratio[2][SAFC], ratio[2][DAMQ]);
    figure_claim(f, &sync, "6.2.1: in synchronous networks only three to five times",
                 "full load over 0.1: the ratio's interval lies at or above 3, and at or below 5",
                 "Table 4.3 itself has 4.2, 2.1, 1.8 and 3.4",
                 "FIFO %.2f, SAMQ %.2f, SAFC %.2f, DAMQ %.2f", ratio[0][FIFO], ratio[0][SAMQ],
                 ratio[0][SAFC], ratio[0][DAMQ]);
}

static void claim(figure_work *f)
{
    static const struct {
        const char *text;
        double quoted;
        int network, start, blocks;
    } quoted[] = {
        {"6.2.1: FIFO, 64x64, saturates at 0.51 (as in Table 4.3)", 0.51, SMALL + FIFO,
         SMALL_START + FIFO, SMALL_BLOCKS + FIFO},
        {"6.2.1: DAMQ, 64x64, saturates at 0.71 (as in Table 4.3)", 0.71, SMALL + DAMQ,
         SMALL_START + DAMQ, SMALL_BLOCKS + DAMQ},
        {"6.2.3: DAMQ, 256x256, saturates at 0.71", 0.71, LARGE + DAMQ, LARGE_START + DAMQ,
         LARGE_BLOCKS + DAMQ},
        {"6.2.3: SAFC, 256x256, saturates at 0.64", 0.64, LARGE + SAFC, LARGE_START + SAFC,
         LARGE_BLOCKS + SAFC},
    };

    claim_least(f);
    for (size_t k = 0; k < sizeof quoted / sizeof *quoted; k++)
        figure_claim_quoted(
            f, quoted[k].text, quoted[k].quoted, figure_saturation(f, quoted[k].network),
            figure_saturation(f, quoted[k].start), figure_saturation(f, quoted[k].blocks));
    claim_saturation(f);
    claim_latency(f);
}

static const swq_figure_plan plan = {
    FIGURE_ROWS(networks), FIGURE_ROWS(curves),         NULL,        0, FIGURE_ROWS(x),
    .claim = claim,        .jointly = figure_chapter_6, .longer = 2,
};

const swq_figure_kind swq_figure_6_1 = {
    .name = "6.1",
    .title = "Latency over throughput, synchronous and asynchronous: four packets an input",
    .section = "6.2.1",
    .setting =
        "omega networks of 4x4 switches; asynchronous: packets of 32 bytes; " FIGURE_SIMULATOR,
    .panels = 3,
    .panel = {{"a", "64x64, synchronous", "mean latency (stage cycles)", 15},
              {"b", "64x64, asynchronous", "mean latency (clock cycles)", 450},
              {"c", "256x256, asynchronous", "mean latency (clock cycles)", 550}},
    .x_most = 0.8,
    .plan = &plan,
};
