/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figure 6.10 of Frazier (1995): host queues of a torus just below saturation.
 * Room: validate.
 */
#include "validate/figures/map.h"

/* of 6.8's loads: the last but one below the maximum */
static const figure_map map = {.load_26 = 0.70, .load_10 = 0.62, .all_equal = true};

static swq_status make(figure_work *f)
{
    return figure_make_map(f, &map);
}

static const swq_figure_plan plan = {.make = make};

const swq_figure_kind swq_figure_6_10 = {
    .name = "6.10",
    .title = "Host queues of an 11x11 torus just below saturation",
    .section = "6.3.2",
    .setting = figure_map_setting,
    .over = SWQ_OVER_CYCLES,
    .panels = 2,
    .panel = {{"a", "agreement", "share", 1.05},
              {"b", "mean difference of Q1+ and Q1-", "blocks", 0}},
    .plan = &plan,
};
