/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Printed tables, approximated: loads for throughputs, saturation, and the rule, on cells that are
 * filled in by hand in place of simulations.
 */
#include "switchq/papers.h"
#include "tests/support/support.h"

TestSuite(table_approx, .timeout = 240);

enum { MOST = 200 };

static const swq_approx_method *method(swq_context *ctx, const char *name)
{
    const swq_approx_method *m;

    cr_assert_eq(swq_approx_find(ctx, name, &m), SWQ_OK);
    return m;
}

/* As if simulated: throughput 0.5 at full load, latencies 4, discards 0.1, all +- 0.001. */
static void fill(const swq_paper_table *table, swq_paper_cell *cell)
{
    for (int c = 0; c < swq_paper_cells(table); c++) {
        const swq_paper_column *column = &table->column[c % table->columns];
        cell[c] = (swq_paper_cell){.row = &table->row[c / table->columns], .column = column};
        cell[c].quantity = column->quantity ? column->quantity : cell[c].row->quantity;
        double value = cell[c].quantity == SWQ_QUANTITY_THROUGHPUT  ? 0.5
                       : cell[c].quantity == SWQ_QUANTITY_DISCARDED ? 0.1
                                                                    : 4;
        cell[c].computed = (swq_estimate){value, 0.001};
    }
}

Test(table_approx, latencies_are_at_the_columns_throughput)
{
    swq_context *ctx = swq_context_new();
    const swq_paper_table *table = swq_paper_table_find("4.3");
    const swq_approx_method *small_cycle = method(ctx, "small-cycle");
    static swq_paper_cell cell[MOST];
    static swq_paper_approximation a[MOST];
    swq_paper_options options = swq_paper_defaults();
    int judged, within, met = 0, saturated = 0;

    fill(table, cell);
    cr_assert_eq(
        swq_paper_approximate(ctx, table, &options, small_cycle, cell, a, &judged, &within), SWQ_OK,
        "%s", swq_context_message(ctx));
    for (int c = 0; c < swq_paper_cells(table); c++) {
        const swq_paper_column *column = cell[c].column;
        if (strcmp(cell[c].row->buffer, "fifo") != 0) {
            cr_assert(isnan(a[c].value) && !a[c].judged, "small-cycle is for FIFOs");
            continue;
        }
        swq_network n = {
            .shape = {.kind = &swq_fabric_multistage, .wiring = swq_topologies[0], .stages = 3}};
        n.sw = test_switch(ctx, "fifo", 4, cell[c].row->slots, 1, "rotating");
        n.sw.flow = SWQ_BLOCK;
        n.sw.credit = SWQ_CREDIT_NEXT;
        n.traffic = swq_traffic_defaults();
        n.traffic.load = a[c].load;
        swq_approx_result r;
        cr_assert_eq(swq_approx_run(ctx, &n, small_cycle, &r), SWQ_OK);
        if (a[c].saturated) {
            cr_assert(r.throughput < column->at && isnan(a[c].value) && !a[c].judged);
            saturated++;
            continue;
        }
        if (column->held == SWQ_HELD_THROUGHPUT) {
            assert_relative(r.throughput, column->at, 2e-5, "%d: %g", c, r.throughput);
            met++;
        }
        double value = cell[c].quantity == SWQ_QUANTITY_THROUGHPUT ? r.throughput : r.latency;
        assert_relative(a[c].value, value, 1e-9, "%d: %g, %g", c, a[c].value, value);
        assert_relative(a[c].off, value / cell[c].computed.mean - 1, 1e-9, "%d", c);
        bool latency = cell[c].quantity == SWQ_QUANTITY_LATENCY;
        cr_assert_eq(a[c].judged,
                     !latency || (column->held == SWQ_HELD_THROUGHPUT && column->at < 0.4),
                     "%d: below 80%% of 0.5", c);
        double simulated = cell[c].computed.mean;
        cr_assert_eq(a[c].within,
                     a[c].judged && fabs(value - simulated) <= 0.05 * simulated + 0.001, "%d", c);
    }
    cr_assert(met > 15 && saturated >= 3, "%d met, %d saturated", met, saturated);
    swq_context_free(ctx);
}

Test(table_approx, discards_are_judged_by_what_they_leave)
{
    swq_context *ctx = swq_context_new();
    const swq_paper_table *table = swq_paper_table_find("4.2");
    static swq_paper_cell cell[MOST];
    static swq_paper_approximation a[MOST];
    swq_paper_options options = swq_paper_defaults();
    int judged, within, counted = 0;

    fill(table, cell);
    /* by hand: load 0.1 without buffers loses 10.302% */
    cell[0].computed.mean = 0.105;
    cell[table->columns].computed.mean = 0.094;
    cr_assert_eq(swq_paper_approximate(ctx, table, &options, method(ctx, "patel"), cell, a, &judged,
                                       &within),
                 SWQ_OK);
    cr_assert_float_eq(a[0].value, 0.10302, 1e-4, "%g", a[0].value);
    assert_relative(a[0].off, (1 - a[0].value) / (1 - 0.105) - 1, 1e-12, "%g", a[0].off);
    cr_assert(a[0].within);
    cr_assert(a[table->columns].judged && a[table->columns].within, "0.9%% and the half-width");
    cell[table->columns].computed.mean = 0.092;
    cr_assert_eq(swq_paper_approximate(ctx, table, &options, method(ctx, "patel"), cell, a, &judged,
                                       &within),
                 SWQ_OK);
    cr_assert_not(a[table->columns].within, "1.2%% with a half-width of 0.11%%");
    for (int c = 0; c < swq_paper_cells(table); c++)
        counted += a[c].within;
    cr_assert_eq(counted, within);
    cr_assert_eq(judged, swq_paper_cells(table));
    swq_context_free(ctx);
}

Test(table_approx, what_cannot_be_is_refused)
{
    swq_context *ctx = swq_context_new();
    static swq_paper_cell cell[MOST];
    static swq_paper_approximation a[MOST];
    swq_paper_options options = swq_paper_defaults();
    int judged, within;

    fill(swq_paper_table_find("5.1"), cell);
    cr_assert_eq(swq_paper_approximate(ctx, swq_paper_table_find("5.1"), &options, NULL, cell, a,
                                       &judged, &within),
                 SWQ_EINVAL);
    fill(swq_paper_table_find("4.2"), cell);
    cr_assert_eq(swq_paper_approximate(ctx, swq_paper_table_find("4.2"), &options,
                                       method(ctx, "jenq"), cell, a, &judged, &within),
                 SWQ_EINVAL, "it is for none of the cells");
    swq_context_free(ctx);
}
