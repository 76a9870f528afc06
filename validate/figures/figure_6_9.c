/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figure 6.9 of Frazier (1995): latency over throughput in a 21x21 torus.
 * Room: validate.
 */
#include "validate/figures/torus.h"

enum { MU_10, MU_26, SAFC_320, MU_10_BLOCKS, MU_26_BLOCKS };

static const figure_network networks[] = {
    TORUS("damq", 21, 256, 10, FIGURE_MEMORY),
    TORUS("damq", 21, 256, 26, FIGURE_MEMORY),
    TORUS("safc", 21, 320, 0, FIGURE_MEMORY),
    TORUS("damq", 21, 256, 10, FIGURE_MEMORY_BY_BLOCKS),
    TORUS("damq", 21, 256, 26, FIGURE_MEMORY_BY_BLOCKS),
};

static const figure_curve_row curves[] = {
    {"DAMQ 256, MU-10", 0, MU_10, MEAN_ALL, 5, 1, false},
    {"DAMQ 256, MU-26", 0, MU_26, MEAN_ALL, 3, 3, false},
    {"SAFC 320", 0, SAFC_320, MEAN_ALL, 2, 2, false},
    {"MU-10, by blocks", 0, MU_10_BLOCKS, MEAN_ALL, 5, 5, true},
    {"MU-26, by blocks", 0, MU_26_BLOCKS, MEAN_ALL, 3, 5, true},
};

static const figure_torus torus[] = {
    {"MU-10", MU_10, MU_10_BLOCKS}, {"MU-26", MU_26, MU_26_BLOCKS}, {"SAFC 320", SAFC_320, -1}};

static void claim(figure_work *f)
{
    figure_tally large = {0};

    figure_torus_less(f, &large, &torus[SAFC_320], &torus[MU_10]);
    figure_torus_less(f, &large, &torus[SAFC_320], &torus[MU_26]);
    figure_claim_torus_most(f, "6.3.2: DAMQ with 256 bytes achieves 0.73", 0.73, &torus[MU_10],
                            &torus[MU_26]);
    figure_claim_torus_loss(f, torus, (int)(sizeof torus / sizeof *torus));
    figure_claim(f, &large, "6.3.3: DAMQ with 256 bytes carries more than SAFC with 320",
                 "maxima over the load, both thresholds: the 95% intervals do not overlap", NULL,
                 "MU-10 %.4f, MU-26 %.4f, SAFC %.4f", figure_most(f, MU_10, BISECTION).mean,
                 figure_most(f, MU_26, BISECTION).mean, figure_most(f, SAFC_320, BISECTION).mean);
}

static const swq_figure_plan plan = {
    FIGURE_ROWS(networks), FIGURE_ROWS(curves), NULL,           0,
    figure_torus_x,        FIGURE_TORUS_XS,     .claim = claim, .longer = 4,
    .replications = 2,
};

const swq_figure_kind swq_figure_6_9 = {
    .name = "6.9",
    .title = "Latency over throughput, 21x21 torus",
    .section = "6.3.2",
    .setting =
        "441-node torus of 5x5 switches, asynchronous, packets of 32 bytes; " FIGURE_SIMULATOR,
    .over = SWQ_OVER_BISECTION,
    .panels = 1,
    .panel = {{"", "", "mean latency (clock cycles)", 2600}},
    .x_most = 0.8,
    .plan = &plan,
};
