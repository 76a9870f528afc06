/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figure 6.4 of Frazier (1995): saturation throughput over memory, packets of 32 bytes.
 * Room: validate.
 */
#include "validate/figures/over_bytes.h"

static const figure_network networks[] = {BYTES_NETWORKS(0)};

static void claim(figure_work *f)
{
    figure_claim_bytes(f, 32.0 / 34);
    figure_claim_overtaking(f);
}

static const swq_figure_plan plan = {
    FIGURE_ROWS(networks), figure_bytes_curves, FIGURE_BYTES_CURVES, NULL,         0,
    figure_bytes_x,        FIGURE_BYTES_XS,     .claim = claim,      .longer = 32,
};

const swq_figure_kind swq_figure_6_4 = {
    .name = "6.4",
    .title = "Saturation throughput over memory, packets of 32 bytes",
    .section = "6.2.4",
    .setting = "omega networks of 4x4 switches, asynchronous, full load; memory free from a "
               "transmission's start, or by blocks",
    .over = SWQ_OVER_BYTES,
    .panels = 2,
    .panel = {{"a", "4x4", "throughput", 1}, {"b", "64x64", "throughput", 1}},
    .x_most = 2100,
    .plan = &plan,
};
