/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Latencies of packets with lengths: alone in the network, and in a torus of others.
 * Source: Kermani and Kleinrock, Computer Networks 3, 1979; Agarwal, IEEE Trans. Parallel
 * Distributed Syst. 2(4), 1991.
 */
#include "base/context.h"
#include "models/formulas/formulas.h"

#include <math.h>

double swq_alone(double switches, double hop_delay, double length, double bandwidth, bool stored)
{
    double transmission = length / bandwidth;

    return stored ? switches * (hop_delay + transmission) : switches * hop_delay + transmission;
}

double swq_agarwal(int dims, double hops, double utilisation, double length)
{
    const double kd = hops / dims, rho = utilisation;

    if (rho >= 1)
        return INFINITY;
    double wait = rho * length / (1 - rho) * (kd - 1) / (kd * kd) * (1 + 1.0 / dims);
    return (1 + (kd > 1 ? wait : 0)) * hops + length;
}

static swq_status alone(swq_context *ctx, const swq_argument *a, double *result)
{
    (void)ctx;
    result[0] = swq_alone(a[0].value, a[1].value, a[2].value, a[3].value, false);
    result[1] = a[0].value * a[1].value;
    result[2] = swq_alone(a[0].value, a[1].value, a[2].value, a[3].value, true);
    return SWQ_OK;
}

static swq_status agarwal(swq_context *ctx, const swq_argument *a, double *result)
{
    swq_grid grid = {.torus = true, .dims = (int)a[1].value, .one_way = a[4].value != 0};
    swq_grid_figures f = {.nodes = 0};

    for (int d = 0; d < grid.dims; d++)
        grid.extent[d] = (int)a[0].value;
    swq_status status = swq_grid_solve(ctx, &grid, &f);
    if (status)
        return status;
    result[1] = a[2].value * f.load;
    result[0] = swq_agarwal(grid.dims, f.mean_hops, result[1], a[3].value);
    result[2] = result[0] - f.mean_hops - a[3].value;
    result[3] = f.mean_hops;
    return SWQ_OK;
}

const swq_formula swq_formula_alone = {
    .name = "zero-load",
    .family = "latencies",
    .summary = "latency of a packet alone in the network",
    .assumptions = "no other packet; every link the same bandwidth",
    .source = "Kermani and Kleinrock (1979), Computer Networks 3",
    .standing = SWQ_STANDS_EXACT,
    .parameter =
        (const swq_formula_parameter[]){
            {.name = "switches",
             .summary = "that it goes through",
             .least = 0,
             .most = 1e6,
             .usual = NAN},
            {.name = "hop-delay",
             .summary = "cycles from the start of a transmission until the next switch can pass "
                        "the packet on",
             .least = 0,
             .most = 1e6,
             .usual = 5},
            {.name = "length", .summary = "bytes", .least = 0, .most = 1e9, .usual = NAN},
            {.name = "bandwidth",
             .summary = "bytes per cycle",
             .least = 1e-6,
             .most = 1e6,
             .usual = 1},
        },
    .parameters = 4,
    .result =
        (const swq_formula_result[]){
            {"latency",
             "cycles until its last byte is there, with virtual cut-through or wormhole "
             "switching",
             "cycles", "latency_tail_cycles"},
            {"first_byte", "cycles until its first byte is there", "cycles", NULL},
            {"stored", "cycles until its last byte is there, if each switch waits for all of it",
             "cycles", NULL},
        },
    .results = 3,
    .evaluate = alone,
};

const swq_formula swq_formula_agarwal = {
    .name = "agarwal",
    .summary = "mean latency in a torus",
    .assumptions = "uniform traffic, dimension order, virtual cut-through with buffers without "
                   "end, a cycle per hop; waiting at the nodes' own links is left out",
    .source = "Agarwal (1991), IEEE Trans. Parallel Distributed Syst. 2(4)",
    .standing = SWQ_STANDS_APPROXIMATION,
    .error =
        "simulated latencies, with waits at the nodes' links: one-way 8x8 and 16x16 of 4 to 64 "
        "bytes 3 to 15% high at utilisations of 0.2 to 0.6, at 0.8 7 to 9% high (8x8) and 2% "
        "low to 1% high (16x16); a ring of 16 nodes 6 to 26% high; at utilisations of 0.2, "
        "0.4, 0.6 and 0.8, both ways, 32 bytes: 16x16 4, 4 and 3% high and 1% low, 11x11 1, "
        "3, 5 and 6% low, 8x8 7, 14, 20 and 26% low; one-way 4x4x4 of 16 bytes, where waits "
        "at the nodes' links matter, 6, 12, 18 and 22% low",
    .parameter =
        (const swq_formula_parameter[]){
            {.name = "extent",
             .summary = "nodes in each dimension",
             .least = 2,
             .most = 1e6,
             .usual = NAN,
             .whole = true},
            {.name = "dims",
             .summary = "dimensions; 4x4 says both",
             .least = 1,
             .most = SWQ_GRID_DIMS,
             .usual = 2,
             .whole = true},
            {.name = "load",
             .summary = "bytes per cycle and node, to all nodes but itself",
             .least = 0,
             .most = 1e6,
             .usual = NAN},
            {.name = "length", .summary = "bytes", .least = 1, .most = 1e9, .usual = NAN},
            {.name = "one-way",
             .summary = "1: links in the positive direction only",
             .least = 0,
             .most = 1,
             .usual = 0,
             .whole = true},
        },
    .parameters = 5,
    .result =
        (const swq_formula_result[]){
            {"latency", "cycles, from the first link between nodes until the last byte is there",
             "cycles", NULL},
            {"utilisation", "of the links between nodes", NULL, "link_use"},
            {"wait", "cycles, of these", "cycles", NULL},
            {"hops", "links between nodes that a packet takes, on average", "links", "link_hops"},
        },
    .results = 4,
    .evaluate = agarwal,
};
