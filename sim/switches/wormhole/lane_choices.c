/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of lane choices. What a row means is in sim/switches/wormhole/lanes.c.
 */
#include "base/names.h"
#include "switchq/async.h"

const swq_lane_choice swq_lane_choice_any = {
    .name = "any",
    .summary = "all lanes of a link",
    .source = "Dally (1992)",
    .lanes = SWQ_LANES_ANY,
};

const swq_lane_choice swq_lane_choice_dateline = {
    .name = "dateline",
    .summary =
        "in a ring, the lower half of the lanes before the dateline, the upper half behind it",
    .source = "Dally and Seitz (1987)",
    .lanes = SWQ_LANES_DATELINE,
};

static const swq_lane_choice crossing = {
    .name = "crossing",
    .summary = "in a ring, the upper half of the lanes if the path crosses the dateline, else the "
               "lower half",
    .source = "Dally and Seitz (1987), with both halves used more evenly",
    .lanes = SWQ_LANES_CROSSING,
};

static const swq_lane_choice destination = {
    .name = "destination",
    .summary = "the lane of the destination's number, modulo the number of lanes",
    .source = "Katevenis, Serpanos and Spyridakis (1998)",
    .lanes = SWQ_LANES_DESTINATION,
};

const swq_lane_choice swq_lane_choice_phase = {
    .name = "phase",
    .summary = "lanes for each phase of a way: in a dragonfly before, between and behind global "
               "links; in a "
               "slim-fly, polarfly or graph for each link of a way",
    .source = "Kim, Dally, Scott and Abts (2008)",
    .lanes = SWQ_LANES_PHASE,
};

static const swq_lane_choice hop = {
    .name = "hop",
    .summary = "lane 0 of the first link between switches, lane 1 of the next and so on; all "
               "further links in the last lane",
    .source = "Guenther (1981); Besta and Hoefler (2014)",
    .lanes = SWQ_LANES_HOP,
};

const swq_lane_choice *const swq_lane_choices[] = {&swq_lane_choice_any,
                                                   &swq_lane_choice_dateline,
                                                   &crossing,
                                                   &destination,
                                                   &swq_lane_choice_phase,
                                                   &hop,
                                                   NULL};

swq_status swq_lane_choice_find(swq_context *ctx, const char *name, const swq_lane_choice **row)
{
    const void *found =
        swq_name_lookup(ctx, "lane-choice", name, (const void *const *)swq_lane_choices);

    if (!found)
        return SWQ_EINVAL;
    *row = found;
    return SWQ_OK;
}
