/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures 6.4 and 6.5 of Frazier (1995): saturation throughput over memory, packets of 32 bytes,
 * and of 6 to 32. Room: validate.
 */
#include "validate/figures/over_bytes.h"

static const figure_network constant[] = {BYTES_NETWORKS(0)};
static const figure_network mixed[] = {BYTES_NETWORKS(6)};

static void claim_constant(figure_work *f)
{
    figure_claim_bytes(f, 32.0 / 34);
    figure_claim_overtaking(f);
}

static void claim_mixed(figure_work *f)
{
    figure_claim_bytes(f, 19.0 / 21);
}

#define OVER_BYTES(number, name_, lengths, networks, claim_)                                       \
    static const swq_figure_plan plan_##number = {                                                 \
        FIGURE_ROWS(networks), figure_bytes_curves, FIGURE_BYTES_CURVES, NULL,         0,          \
        figure_bytes_x,        FIGURE_BYTES_XS,     .claim = (claim_),   .longer = 32,             \
    };                                                                                             \
    const swq_figure_kind swq_figure_##number = {                                                  \
        .name = (name_),                                                                           \
        .title = "Saturation throughput over memory, packets of " lengths,                         \
        .section = "6.2.4",                                                                        \
        .setting = "omega networks of 4x4 switches, asynchronous, full load; " FIGURE_SIMULATOR    \
                   ", or by blocks",                                                               \
        .over = SWQ_OVER_BYTES,                                                                    \
        .panels = 2,                                                                               \
        .panel = {{"a", "4x4", "throughput", 1}, {"b", "64x64", "throughput", 1}},                 \
        .x_most = 2100,                                                                            \
        .plan = &plan_##number,                                                                    \
    }

OVER_BYTES(6_4, "6.4", "32 bytes", constant, claim_constant);
OVER_BYTES(6_5, "6.5", "6 to 32 bytes", mixed, claim_mixed);
