/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures 6.10 to 6.12 of Frazier (1995): host queues of a torus about saturation, at three
 * of 6.8's loads. Room: validate.
 */
#include "validate/figures/map.h"

/* The row of one of the figures 6.10 to 6.12: its number, its load, and the claims about the map at
 * this load. */
#define HOST_QUEUES(number, name_, where, ...)                                                     \
    static swq_status make_##number(figure_work *f)                                                \
    {                                                                                              \
        static const figure_map map = {__VA_ARGS__};                                               \
        return figure_make_map(f, &map);                                                           \
    }                                                                                              \
    static const swq_figure_plan plan_##number = {.make = make_##number, .thresholds = true};      \
    const swq_figure_kind swq_figure_##number = {                                                  \
        .name = (name_),                                                                           \
        .title = "Host queues of an 11x11 torus " where,                                           \
        .section = "6.3.2",                                                                        \
        .setting = figure_map_setting,                                                             \
        .over = SWQ_OVER_CYCLES,                                                                   \
        .panels = 2,                                                                               \
        .panel = {{"a", "agreement", "share", 1.05},                                               \
                  {"b", "mean difference of Q1+ and Q1-", "blocks", 0}},                           \
        .plan = &plan_##number,                                                                    \
    }

/* loads of Figure 6.8, by its sweep: the second-to-last one below the maximum */
HOST_QUEUES(6_10, "6.10", "just below saturation", .load_26 = 0.68, .load_10 = 0.64,
            .all_equal = true);

/* the first load with less throughput than the one before */
HOST_QUEUES(6_11, "6.11", "just beyond saturation", .load_26 = 0.74, .load_10 = 0.70,
            .diverging = true, .aligned = true);

/* far beyond the maximum */
HOST_QUEUES(6_12, "6.12", "well in the reactive range", .load_26 = 1.00, .load_10 = 1.00,
            .aligned = true, .dominated = true);
