/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tori and meshes: every pair of nodes enumerated along the ways that packets take, and what the
 * sources print.
 */
#include "tests/models/formulas/rows.h"

#include "switchq/fabric.h"

static swq_grid_figures solve(const swq_grid *grid)
{
    swq_context *ctx = swq_context_new();
    swq_grid_figures f;

    cr_assert_eq(swq_grid_solve(ctx, grid, &f), SWQ_OK, "%s", swq_context_message(ctx));
    swq_context_free(ctx);
    return f;
}

static void against_enumeration(swq_grid grid, const char *what)
{
    swq_context *ctx = swq_context_new();
    swq_shape shape = {.dims = grid.dims, .one_way = grid.one_way};
    swq_fabric fabric;
    swq_fabric_loads loads;
    swq_grid_figures f = solve(&grid);

    cr_assert_eq(swq_fabric_find(ctx, grid.torus ? "torus" : "mesh", &shape), SWQ_OK);
    for (int d = 0; d < grid.dims; d++)
        shape.extent[d] = grid.extent[d];
    cr_assert_eq(swq_fabric_make(ctx, &shape, &fabric), SWQ_OK, "%s", swq_context_message(ctx));
    double *weight = NULL;
    if (grid.self) {
        weight = malloc(sizeof *weight * fabric.nodes * fabric.nodes);
        for (size_t k = 0; k < (size_t)fabric.nodes * fabric.nodes; k++)
            weight[k] = 1.0 / fabric.nodes;
    }
    cr_assert_eq(swq_fabric_enumerate(ctx, &fabric, weight, &loads), SWQ_OK);
    cr_assert_eq(f.nodes, fabric.nodes);
    /* means in the simulator are over packets sent, so without those to the node itself */
    double sent = grid.self ? 1 - 1 / f.nodes : 1;
    assert_relative(f.mean_hops, loads.mean_hops * sent, 1e-12, "%s: %g, not %g hops", what,
                    f.mean_hops, loads.mean_hops);
    for (int d = 0; d < grid.dims; d++) {
        const int k = grid.extent[d];
        /* there, all packets of a node go the same way halfway round */
        double uneven = grid.torus && !grid.one_way && k % 4 == 2
                            ? 0.5 / k * (grid.self ? 1 : f.nodes / (f.nodes - 1))
                            : 0;
        assert_relative(f.mean_load[d], loads.level_load[d], 1e-12, "%s, dimension %d: %g, not %g",
                        what, d, f.mean_load[d], loads.level_load[d]);
        assert_relative(f.most_load[d] + uneven, loads.level_most[d], 1e-12,
                        "%s, dimension %d: %g, not %g", what, d, f.most_load[d],
                        loads.level_most[d]);
    }
    free(weight);
    swq_fabric_clear(ctx, &fabric);
    swq_context_free(ctx);
}

Test(grids, every_pair)
{
    const int extents[][3] = {{2, 0, 0}, {3, 0, 0}, {6, 0, 0}, {7, 0, 0}, {8, 0, 0},
                              {4, 4, 0}, {5, 8, 0}, {9, 6, 0}, {3, 4, 5}, {2, 10, 2}};

    for (size_t e = 0; e < sizeof extents / sizeof *extents; e++) {
        for (int way = 0; way < 6; way++) {
            swq_grid grid = {
                .torus = way % 3 > 0, .one_way = way % 3 == 2, .self = way >= 3, .dims = 0};
            char what[60];
            for (int d = 0; d < 3 && extents[e][d]; d++)
                grid.extent[grid.dims++] = extents[e][d];
            snprintf(what, sizeof what, "%dx%dx%d, way %d", extents[e][0], extents[e][1],
                     extents[e][2], way);
            against_enumeration(grid, what);
        }
    }
}

Test(grids, printed)
{
    /* odd extents, two dimensions: k / 2 hops exactly */
    assert_relative(row_value("torus", "11 2", "hops"), 5.5, 1e-14, "11 x 11");
    assert_relative(row_value("torus", "21,21", "hops"), 10.5, 1e-14, "21 x 21");
    assert_relative(row_value("torus", "8 3 1", "hops"), 6, 1e-14, "n k / 4");
    assert_relative(row_value("torus", "8 3 1", "load"), 1, 1e-14, "k / 8");
    assert_relative(row_value("torus", "7 1 1", "load"), 7.0 / 8 - 1.0 / 56, 1e-14, "odd");
    assert_relative(row_value("mesh", "8 2 1", "load"), 2, 1e-14, "k / 4");
    assert_relative(row_value("mesh", "8 2 1", "throughput"), 0.5, 1e-14, "4 / k");
    assert_relative(row_value("mesh", "7 1 1", "load"), 7.0 / 4 - 1.0 / 28, 1e-14, "odd");
    assert_relative(row_value("mesh", "8 2 1", "hops"), 2 * (8.0 / 3 - 1.0 / 24), 1e-14, "even");
    cr_assert_eq(row_value("torus", "3 1 1", "throughput"), 1); /* the nodes' own links */
    cr_assert_eq(row_value("torus", "11 2", "diameter"), 10);
    cr_assert_eq(row_value("torus", "8 2 0 1", "diameter"), 14);
    cr_assert(isnan(row_value("torus", "8 2", "load_3")));
}

Test(grids, bad_input)
{
    swq_context *ctx = swq_context_new();
    swq_grid_figures f;
    swq_grid grid = {.dims = 2, .extent = {4, 1}};

    cr_assert_eq(swq_grid_solve(ctx, &grid, &f), SWQ_EINVAL);
    grid.extent[1] = 4;
    grid.one_way = true;
    cr_assert_eq(swq_grid_solve(ctx, &grid, &f), SWQ_EINVAL);
    grid = (swq_grid){.torus = true, .dims = 16};
    cr_assert_eq(swq_grid_solve(ctx, &grid, &f), SWQ_EINVAL);
    swq_context_free(ctx);
    row_fails("torus", "4,5 3", SWQ_EINVAL, "extent has 2 numbers for 3 dimensions");
    row_fails("mesh", "1", SWQ_EINVAL, "extent");
    row_fails("mesh", "2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2", SWQ_EINVAL, "dimensions");
}
