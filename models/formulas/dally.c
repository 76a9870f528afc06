/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Latency of worms in k-ary n-cubes: tori with links one way, compared at equal bisection.
 *
 * All of a worm's links are its own until its tail has passed: a link that it takes in dimension i
 * for T_i, what it needs from there to its end. Two worms that come over different inputs block
 * each other in pairs: with rate l for the others, one waits l T_i^2 / 2. A worm that is in the
 * dimension waits so for those that enter (rate e a node) at each of k/2 - 1 links; one that enters
 * waits for those that pass, (k/2 - 1) e, and those that enter from another input. These are, with
 * probability k^-m (1 - 1/k), worms that have skipped m dimensions, or come from the node; so two
 * that enter come from the same input with probability s_i, the sum of the squares. Together
 *     T_i = V_i + (k - 1 - s_i) e T_i^2 / 2,  V_(i-1) = V_i / k + (1 - 1/k) T_i,  V_n = L/W,
 * from the last dimension back; the smaller root. Where there is none, worms pile up.
 * Source: the model of Dally, IEEE Trans. Comput. 39(6), 1990 (T = D + L/W, W = k/2, D = n(k-1)/2,
 * blocking in pairs from the last dimension back); the equations are derived here for switches that
 * are crossbars, and are not the paper's in every term.
 */
#include "base/context.h"
#include "models/formulas/formulas.h"

#include <math.h>

/* V_0 in units of L/W, for links of the given utilisation; INFINITY if there is no solution. */
static double holding(double k, int dims, double utilisation)
{
    const double entering = utilisation / (k / 2);
    double beyond = 1;

    for (int i = dims; i >= 1; i--) {
        /* the probability that both messages come from the node itself, or both from the same
         * earlier dimension */
        double same = pow(k, -2.0 * (i - 1));
        for (int m = 0; m < i - 1; m++)
            same += (1 - 1 / k) * (1 - 1 / k) * pow(k, -2.0 * m);
        double root = 1 - 2 * (k - 1 - same) * entering * beyond;
        if (root < 0)
            return INFINITY;
        beyond = beyond / k + (1 - 1 / k) * 2 * beyond / (1 + sqrt(root));
    }
    return beyond;
}

/* Utilisation of a node's link into its switch: a node sends 2 / (k - 1) of what a link carries. */
static double source_busy(double k, int dims, double utilisation)
{
    return utilisation * 2 / (k - 1) * holding(k, dims, utilisation);
}

static double most_utilisation(double k, int dims)
{
    double low = 0, high = 1;

    for (double mid = 0.5; mid > low && mid < high; mid = (low + high) / 2) {
        if (source_busy(k, dims, mid) < 1)
            low = mid;
        else
            high = mid;
    }
    return low;
}

void swq_dally_solve(int extent, int dims, double load, double length, double width,
                     swq_dally *dally)
{
    const double k = extent, w = width > 0 ? width : k / 2, body = length / w;
    const double stay =
        pow(k, -dims); /* the fraction sent to the node itself, which takes no time */
    swq_dally d = {.width = w, .hops = dims * (k - 1) / 2, .capacity = w / ((k - 1) / 2)};

    d.utilisation = load / d.capacity;
    d.saturation = most_utilisation(k, dims) * d.capacity;
    d.alone = d.hops / (1 - stay) + body;
    d.wait = d.source_wait = INFINITY;
    if (d.utilisation < 1) {
        double held = holding(k, dims, d.utilisation);
        double busy = source_busy(k, dims, d.utilisation);
        d.wait = (held - 1) * body / (1 - stay);
        d.source_wait = busy < 1 ? busy * held * body / (2 * (1 - busy)) : INFINITY;
    }
    d.latency = d.alone + d.wait;
    *dally = d;
}

static swq_status evaluate(swq_context *ctx, const swq_argument *a, double *result)
{
    swq_dally d;

    (void)ctx;
    swq_dally_solve((int)a[0].value, (int)a[1].value, a[2].value, a[3].value, a[4].value, &d);
    result[0] = d.latency;
    result[1] = d.alone;
    result[2] = d.wait;
    result[3] = d.source_wait;
    result[4] = d.saturation;
    result[5] = d.capacity;
    result[6] = d.utilisation;
    result[7] = d.hops;
    result[8] = d.width;
    return SWQ_OK;
}

const swq_formula swq_formula_dally = {
    .name = "dally",
    .summary = "latency of wormhole routing in a k-ary n-cube, at equal bisection",
    .assumptions = "uniform traffic in a torus with links one way, dimension order, a cycle per "
                   "hop, a message holds its links until its tail has passed, blocked ones wait "
                   "for each other in pairs, nodes take all that comes",
    .source = "after Dally (1990), IEEE Trans. Comput. 39(6); the equations are derived here, from "
              "what the paper assumes",
    .standing = SWQ_STANDS_APPROXIMATION,
    .error =
        "worms simulated flit by flit, two lanes of two flits a link, 16 or 32 flits: latencies "
        "in 8x8, 16x16, 4x4x4, 4x4x4x4 and a ring of 16 from 5% low to 1% high at utilisations of "
        "0.1 and 0.15, from 13% low to 2% high at 0.2; saturation of 2- and 4-ary cubes within 7%, "
        "of 8x8 to 32x32 30 to 40% low, of a ring of 16 by half (Dally reports 0.36 and 0.35 of "
        "capacity for 1K and 4K nodes). Virtual cut-through with room for a message in each queue: "
        "1% low to 4% high at 0.1, up to 26% high at 0.2",
    .parameter =
        (const swq_formula_parameter[]){
            {.name = "extent",
             .summary = "nodes in each dimension, k",
             .least = 2,
             .most = 1e6,
             .usual = NAN,
             .whole = true},
            {.name = "dims",
             .summary = "dimensions, n; 4x4 says both",
             .least = 1,
             .most = SWQ_GRID_DIMS,
             .usual = 2,
             .whole = true},
            {.name = "load",
             .summary = "bits per cycle and node, to all nodes alike",
             .least = 0,
             .most = 1e6,
             .usual = NAN},
            {.name = "length",
             .summary = "bits of a message",
             .least = 1e-6,
             .most = 1e9,
             .usual = NAN},
            {.name = "width",
             .summary = "bits per cycle of a link; 0: half the extent, so that all n-cubes of as "
                        "many nodes have the bisection of the binary one with links of 1",
             .least = 0,
             .most = 1e9,
             .usual = 0},
        },
    .parameters = 5,
    .result =
        (const swq_formula_result[]){
            {"latency", "cycles from the first link until the last bit is there", "cycles", NULL},
            {"alone", "the same with no other message in the network", "cycles", NULL},
            {"wait", "cycles blocked", "cycles", NULL},
            {"source_wait", "cycles, before that, at the sender", "cycles",
             "mean_source_wait_cycles"},
            {"saturation", "load from which on worms pile up", "messages per node and cycle",
             "saturation_load"},
            {"capacity", "load that keeps all links busy", "messages per node and cycle",
             "full_load"},
            {"utilisation", "of the links between nodes", NULL, "link_use"},
            {"hops",
             "links between nodes that a message takes, those to the node itself among "
             "the messages",
             "links", "link_hops"},
            {"width", "bits per cycle of a link", "bits per cycle", NULL},
        },
    .results = 9,
    .evaluate = evaluate,
};
