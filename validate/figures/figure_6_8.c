/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figure 6.8 of Frazier (1995): latency over throughput in an 11x11 torus.
 * Room: validate.
 */
#include "validate/figures/torus.h"

enum { DAMQ_160, SAFC_160, MU_10, MU_26, SAFC_320, MU_10_BLOCKS, MU_26_BLOCKS };

#define START FIGURE_MEMORY
static const figure_network networks[] = {
    TORUS("damq", 11, 160, 14, START),
    TORUS("safc", 11, 160, 0, START),
    TORUS("damq", 11, 256, 10, START),
    TORUS("damq", 11, 256, 26, START),
    TORUS("safc", 11, 320, 0, START),
    TORUS("damq", 11, 256, 10, FIGURE_MEMORY_BY_BLOCKS),
    TORUS("damq", 11, 256, 26, FIGURE_MEMORY_BY_BLOCKS),
};

static const figure_curve_row curves[] = {
    {"DAMQ 160, MU-14", 0, DAMQ_160, MEAN_ALL, 3, 3, false},
    {"SAFC 160", 0, SAFC_160, MEAN_ALL, 2, 2, false},
    {"DAMQ 256, MU-10", 1, MU_10, MEAN_ALL, 5, 1, false},
    {"DAMQ 256, MU-26", 1, MU_26, MEAN_ALL, 3, 3, false},
    {"SAFC 320", 1, SAFC_320, MEAN_ALL, 2, 2, false},
    {"MU-10, by blocks", 1, MU_10_BLOCKS, MEAN_ALL, 5, 5, true},
    {"MU-26, by blocks", 1, MU_26_BLOCKS, MEAN_ALL, 3, 5, true},
};

static const figure_torus torus[] = {
    {"DAMQ 160 MU-14", DAMQ_160, -1}, {"SAFC 160", SAFC_160, -1}, {"MU-10", MU_10, MU_10_BLOCKS},
    {"MU-26", MU_26, MU_26_BLOCKS},   {"SAFC 320", SAFC_320, -1},
};

static void claim(figure_work *f)
{
    figure_tally small = {0}, large = {0};

    figure_torus_less(f, &small, &torus[SAFC_160], &torus[DAMQ_160]);
    figure_torus_less(f, &large, &torus[SAFC_320], &torus[MU_10]);
    figure_torus_less(f, &large, &torus[SAFC_320], &torus[MU_26]);
    figure_claim_torus_most(f, "6.3.2: DAMQ with 256 bytes achieves a maximum of 0.72", 0.72,
                            &torus[MU_10], &torus[MU_26]);
    figure_claim_torus_loss(f, torus, (int)(sizeof torus / sizeof *torus));
    figure_claim(f, &small, "6.3.2: with 160 bytes DAMQ carries more than SAFC",
                 "maxima over the load: the 95% intervals do not overlap", NULL,
                 "%.4f against %.4f", figure_most(f, DAMQ_160, BISECTION).mean,
                 figure_most(f, SAFC_160, BISECTION).mean);
    figure_claim(f, &large, "6.3.3: DAMQ with 256 bytes carries more than SAFC with 320",
                 "maxima over the load, both thresholds: the 95% intervals do not overlap", NULL,
                 "MU-10 %.4f, MU-26 %.4f, SAFC %.4f", figure_most(f, MU_10, BISECTION).mean,
                 figure_most(f, MU_26, BISECTION).mean, figure_most(f, SAFC_320, BISECTION).mean);
}

static const swq_figure_plan plan = {
    FIGURE_ROWS(networks), FIGURE_ROWS(curves), NULL,           0,
    figure_torus_x,        FIGURE_TORUS_XS,     .claim = claim, .longer = 4,
    .replications = 4,
};

const swq_figure_kind swq_figure_6_8 = {
    .name = "6.8",
    .title = "Latency over throughput, 11x11 torus",
    .section = "6.3.2",
    .setting =
        "121-node torus of 5x5 switches, asynchronous, packets of 32 bytes; " FIGURE_SIMULATOR,
    .over = SWQ_OVER_BISECTION,
    .panels = 2,
    .panel = {{"a", "160 bytes an input", "mean latency (clock cycles)", 900},
              {"b", "256 bytes (SAFC: 320)", "mean latency (clock cycles)", 1400}},
    .x_most = 0.8,
    .plan = &plan,
};
