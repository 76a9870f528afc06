/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The throughput that the link to a hot spot allows.
 *
 * A source of a group with hot fraction h sends to the hot node with h + (1 - h) / N of its packets
 * (the rest is uniform, the hot node among them); the link there carries no more than e.
 * Source: Pfister and Norton, IEEE Trans. Comput. C-34(10), 1985; groups of unlike senders:
 * Frazier (1995), 8.5.
 */
#include "base/context.h"
#include "models/formulas/formulas.h"

#include <math.h>

double swq_hotspot_bound(double nodes, double fraction, double efficiency)
{
    return fmin(1, efficiency / (1 + fraction * (nodes - 1)));
}

double swq_hotspot_load(double nodes, int groups, const double *size, const double *fraction,
                        const double *load)
{
    double sum = 0;

    for (int g = 0; g < groups; g++)
        sum += size[g] * load[g] * (fraction[g] + (1 - fraction[g]) / nodes);
    return sum;
}

static swq_status one(swq_context *ctx, const swq_argument *argument, double *result)
{
    const double nodes = argument[0].value, fraction = argument[1].value;

    (void)ctx;
    result[0] = swq_hotspot_bound(nodes, fraction, argument[2].value);
    result[1] = result[0] * nodes;
    result[2] = argument[2].value / (fraction + (1 - fraction) / nodes);
    return SWQ_OK;
}

static swq_status groups(swq_context *ctx, const swq_argument *argument, double *result)
{
    const double nodes = argument[0].value, efficiency = argument[4].value;
    double list[3][SWQ_FORMULA_LIST], senders = 0, sent = 0, greatest = 0;
    int count = 0;

    for (int k = 0; k < 3; k++)
        count = argument[1 + k].count > count ? argument[1 + k].count : count;
    for (int k = 0; k < 3; k++) {
        const swq_argument *a = &argument[1 + k];
        if (a->count != 1 && a->count != count)
            return swq_fail(ctx, SWQ_EINVAL, "sizes, fractions and loads of the groups: %d and %d",
                            count, a->count);
        for (int g = 0; g < count; g++)
            list[k][g] = a->list[a->count == 1 ? 0 : g];
    }
    for (int g = 0; g < count; g++) {
        senders += list[0][g];
        sent += list[0][g] * list[2][g];
        greatest = fmax(greatest, list[2][g]);
    }
    if (senders > nodes)
        return swq_fail(ctx, SWQ_EINVAL, "the groups have %g senders, more than %g nodes", senders,
                        nodes);
    result[0] = swq_hotspot_load(nodes, count, list[0], list[1], list[2]);
    result[1] = result[0] > 0 ? efficiency / result[0] : INFINITY;
    /* a source cannot send more than its own link carries */
    double factor = fmin(result[1], greatest > 0 ? efficiency / greatest : INFINITY);
    result[2] = sent > 0 ? factor * sent / nodes : 0;
    for (int g = 0; g < SWQ_FORMULA_CLASSES; g++) {
        result[3 + g] = g < count ? (sent > 0 ? factor * list[2][g] : 0) : NAN;
        /* the load that one group can send while the other groups send their loads */
        double own = g < count ? list[0][g] * (list[1][g] + (1 - list[1][g]) / nodes) : NAN;
        double left = g < count ? efficiency - result[0] + own * list[2][g] : NAN;
        result[3 + SWQ_FORMULA_CLASSES + g] =
            g < count ? (own > 0 ? fmin(efficiency, fmax(0, left) / own) : efficiency) : NAN;
    }
    return SWQ_OK;
}

#define NODES                                                                                      \
    {                                                                                              \
        .name = "nodes", .summary = "of the network, each a source and a destination", .least = 1, \
        .most = 1e9, .usual = NAN, .whole = true                                                   \
    }
#define EFFICIENCY                                                                                 \
    {                                                                                              \
        .name = "efficiency", .summary = "fraction of the time that a link can be busy",           \
        .least = 0, .most = 1, .usual = 1                                                          \
    }

const swq_formula swq_formula_hotspot_bound = {
    .name = "hotspot-bound",
    .family = "hot spots",
    .summary = "throughput when all nodes send a fraction of their packets to one node",
    .assumptions = "the rest is uniform; every network, every buffer",
    .source = "Pfister and Norton (1985), IEEE Trans. Comput. C-34(10)",
    .standing = SWQ_STANDS_BOUND,
    .error = "64 nodes, 4 x 4 DAMQ switches, 5 and 10% hot: simulated saturation is at the bound, "
             "to 0.5%",
    .parameter =
        (const swq_formula_parameter[]){
            NODES,
            {.name = "fraction",
             .summary = "of the packets that are sent to the hot node",
             .least = 0,
             .most = 1,
             .usual = NAN},
            EFFICIENCY,
        },
    .parameters = 3,
    .result =
        (const swq_formula_result[]){
            {"throughput", "packets per cycle and node, at most", "packets per node and cycle",
             "throughput"},
            {"bandwidth", "packets per cycle, all nodes together", "packets per cycle", NULL},
            {"senders", "number of senders, sending all the time, that fill the hot link",
             "senders", "senders"},
        },
    .results = 3,
    .evaluate = one,
};

const swq_formula swq_formula_hotspot_groups = {
    .name = "hotspot-groups",
    .summary = "throughput to a hot spot when groups of senders differ in load and hot fraction",
    .assumptions = "what is not for the hot node is uniform; every network, every buffer",
    .source = "Pfister and Norton's bound (1985), IEEE Trans. Comput. C-34(10), with groups as in "
              "Frazier (1995), 8.5",
    .standing = SWQ_STANDS_BOUND,
    .parameter =
        (const swq_formula_parameter[]){
            NODES,
            {.name = "senders",
             .summary = "in each group",
             .least = 0,
             .most = 1e9,
             .usual = NAN,
             .whole = true,
             .list = true},
            {.name = "fraction",
             .summary = "of each group's packets that are sent to the hot node",
             .least = 0,
             .most = 1,
             .usual = NAN,
             .list = true},
            {.name = "load",
             .summary = "packets per cycle and sender of each group",
             .least = 0,
             .most = 1,
             .usual = 1,
             .list = true},
            EFFICIENCY,
        },
    .parameters = 5,
    .result =
        (const swq_formula_result[]){
            {"hot_load", "packets per cycle for the hot node, at these loads", "packets per cycle",
             NULL},
            {"factor", "the hot link is full at this multiple of the loads", NULL, "load_factor"},
            {"throughput", "packets per cycle and node at the greatest multiple possible",
             "packets per node and cycle", "throughput"},
            SWQ_RESULTS_BY_CLASS("throughput", "packets per cycle and sender of this group, there",
                                 "packets per cycle and sender"),
            SWQ_RESULTS_BY_CLASS("alone", "... that it can send while the others send their loads",
                                 "packets per cycle and sender"),
        },
    .results = 3 + 2 * SWQ_FORMULA_CLASSES,
    .evaluate = groups,
};
