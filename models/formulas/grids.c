/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tori and meshes under uniform traffic, a dimension at a time along a shortest way.
 *
 * In a dimension of k nodes a packet moves |i - j| (mesh), the shorter way round (torus), or up
 * (one-way torus), i and j uniform and independent. All sums are over these.
 * Source: Dally and Towles, Principles and Practices of Interconnection Networks, 2004; for meshes
 * of even extent it rounds (k^2 - 1) / (3k) to k / 3.
 */
#include "base/context.h"
#include "models/formulas/formulas.h"

#include <math.h>

swq_status swq_grid_solve(swq_context *ctx, const swq_grid *grid, swq_grid_figures *figures)
{
    swq_grid_figures f = {.nodes = 1};

    if (grid->dims < 1 || grid->dims > SWQ_GRID_DIMS || (grid->one_way && !grid->torus))
        return swq_fail(ctx, SWQ_EINVAL, "1 .. %d dimensions, not %d; a mesh has links both ways",
                        SWQ_GRID_DIMS, grid->dims);
    for (int d = 0; d < grid->dims; d++) {
        const double k = grid->extent[d], odd = grid->extent[d] % 2;
        if (grid->extent[d] < 2)
            return swq_fail(ctx, SWQ_EINVAL, "a dimension must have 2 nodes or more, not %d",
                            grid->extent[d]);
        f.nodes *= k;
        if (!grid->torus) {
            f.hops[d] = (k * k - 1) / (3 * k);
            f.mean_load[d] = f.hops[d] * k / (2 * (k - 1)); /* 2 (k - 1) links for k nodes */
            f.most_load[d] = (k * k - odd) / (4 * k);       /* across the middle */
            f.diameter += k - 1;
        } else if (grid->one_way) {
            f.hops[d] = f.mean_load[d] = f.most_load[d] = (k - 1) / 2;
            f.diameter += k - 1;
        } else { /* halfway round, half of the packets take either direction */
            f.hops[d] = (k * k - odd) / (4 * k);
            f.mean_load[d] = f.most_load[d] = f.hops[d] / 2;
            f.diameter += (k - odd) / 2;
        }
    }
    /* without packets to itself, a node sends more of all others */
    double more = grid->self ? 1 : f.nodes / (f.nodes - 1);
    for (int d = 0; d < grid->dims; d++) {
        f.hops[d] *= more;
        f.mean_load[d] *= more;
        f.most_load[d] *= more;
        f.mean_hops += f.hops[d];
        f.load = fmax(f.load, f.most_load[d]);
    }
    f.throughput = fmin(1, 1 / f.load);
    *figures = f;
    return SWQ_OK;
}

static swq_status evaluate(swq_context *ctx, const swq_argument *a, bool torus, double *result)
{
    swq_grid grid = {.torus = torus, .dims = a[0].count};
    swq_grid_figures f = {.nodes = 0};

    /* one number with a number of dimensions: all extents are equal */
    if (a[1].value > 0) {
        if (a[0].count != 1 && a[0].count != (int)a[1].value)
            return swq_fail(ctx, SWQ_EINVAL, "extent has %d numbers for %g dimensions", a[0].count,
                            a[1].value);
        grid.dims = (int)a[1].value;
    }
    for (int d = 0; d < grid.dims && d < SWQ_GRID_DIMS; d++)
        grid.extent[d] = (int)a[0].list[a[0].count == 1 ? 0 : d];
    grid.self = a[2].value != 0;
    grid.one_way = torus && a[3].value != 0;
    swq_status status = swq_grid_solve(ctx, &grid, &f);
    if (status)
        return status;
    result[0] = f.nodes;
    result[1] = f.mean_hops;
    result[2] = f.diameter;
    result[3] = f.load;
    result[4] = f.throughput;
    for (int d = 0; d < SWQ_FORMULA_CLASSES; d++)
        result[5 + d] = d < grid.dims ? f.most_load[d] : NAN;
    return SWQ_OK;
}

static swq_status torus(swq_context *ctx, const swq_argument *a, double *result)
{
    return evaluate(ctx, a, true, result);
}

static swq_status mesh(swq_context *ctx, const swq_argument *a, double *result)
{
    return evaluate(ctx, a, false, result);
}

#define EXTENT                                                                                     \
    {.name = "extent",                                                                             \
     .summary = "nodes in each dimension",                                                         \
     .least = 2,                                                                                   \
     .most = 1e6,                                                                                  \
     .usual = NAN,                                                                                 \
     .whole = true,                                                                                \
     .list = true},                                                                                \
    {                                                                                              \
        .name = "dims",                                                                            \
        .summary =                                                                                 \
            "dimensions, with one extent for all, or all extents, such as 4x4; 0: as many as "     \
            "there are extents",                                                                   \
        .least = 0, .most = SWQ_GRID_DIMS, .usual = 0, .whole = true                               \
    }
#define SELF                                                                                       \
    {                                                                                              \
        .name = "self",                                                                            \
        .summary =                                                                                 \
            "1: a node sends to itself as to any other, which takes no link; 0: it does not",      \
        .least = 0, .most = 1, .usual = 0, .whole = true                                           \
    }
#define RESULTS                                                                                    \
    (const swq_formula_result[])                                                                   \
    {                                                                                              \
        {"nodes", "of the network", NULL, "nodes"},                                                \
            {"hops", "links between nodes that a packet takes, on average", "links", "link_hops"}, \
            {"diameter", "links on the longest way", "links", NULL},                               \
            {"load", "of the busiest links, for one packet per cycle and node",                    \
             "packets per cycle", "busiest_link_load"},                                            \
            {"throughput", "packets per cycle and node, at most", "packets per node and cycle",    \
             "throughput"},                                                                        \
            SWQ_RESULTS_BY_CLASS("load", "of the busiest links of this dimension",                 \
                                 "packets per cycle"),                                             \
    }

const swq_formula swq_formula_torus = {
    .name = "torus",
    .family = "tori and meshes",
    .summary = "hops, loads of links and the throughput that they allow",
    .assumptions = "uniform traffic; shortest ways, dimension by dimension; halfway round, half "
                   "of the packets go either way (with all of a node's one way and k = 2 mod 4, "
                   "some links have 1 / (2k) more)",
    .source = "Dally and Towles (2004), Principles and Practices of Interconnection Networks",
    .standing = SWQ_STANDS_EXACT,
    .parameter =
        (const swq_formula_parameter[]){
            EXTENT,
            SELF,
            {.name = "one-way",
             .summary = "1: links in the positive direction only",
             .least = 0,
             .most = 1,
             .usual = 0,
             .whole = true},
        },
    .parameters = 4,
    .result = RESULTS,
    .results = 5 + SWQ_FORMULA_CLASSES,
    .evaluate = torus,
};

const swq_formula swq_formula_mesh = {
    .name = "mesh",
    .summary = "hops, loads of links and the throughput that they allow",
    .assumptions = "uniform traffic; shortest ways, dimension by dimension",
    .source = "Dally and Towles (2004), Principles and Practices of Interconnection Networks",
    .standing = SWQ_STANDS_EXACT,
    .parameter = (const swq_formula_parameter[]){EXTENT, SELF},
    .parameters = 3,
    .result = RESULTS,
    .results = 5 + SWQ_FORMULA_CLASSES,
    .evaluate = mesh,
};
