/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables that are simulated: the rule of agreement at its edges, the printed data, and one
 * short table run through. That the cells agree is for `switchq table` to say: it takes minutes.
 */
#include "switchq/papers.h"
#include "tests/support/support.h"

#include <math.h>

TestSuite(table_sim, .timeout = 240);

static const swq_paper_column at_load = {"0.70", SWQ_HELD_LOAD, 0.7, SWQ_QUANTITY_NONE};
static const swq_paper_column at_throughput = {"0.40", SWQ_HELD_THROUGHPUT, 0.4, SWQ_QUANTITY_NONE};

/* Is `mean`, known to within `half`, the printed value? */
static bool agrees(swq_quantity quantity, const char *printed, bool knee, double mean, double half)
{
    swq_paper_cell cell = {.column = quantity == SWQ_QUANTITY_DISCARDED ? &at_load : &at_throughput,
                           .printed = printed,
                           .quantity = quantity,
                           .knee = knee,
                           .computed = {mean, half}};
    double allowed;
    return swq_paper_cell_agrees(&cell, (swq_estimate){0.7, 0}, &allowed);
}

/* The edge lies at printed +- (half-width + resolution + tolerance), and belongs to agreement. */
Test(table_sim, rule_at_its_edges)
{
    static const struct {
        swq_quantity quantity;
        const char *printed;
        bool knee;
        double value, half, allowed;
    } cases[] = {
        {SWQ_QUANTITY_LATENCY, "3.14", false, 3.14, 0.02, 0.02 + 0.01 + 0.03 * 3.14},
        {SWQ_QUANTITY_LATENCY, "1.50", false, 1.50, 0, 0.01 + 0.03 * 1.50},
        {SWQ_QUANTITY_LATENCY, "13.1", true, 13.1, 0.1, 0.1 + 0.1 + 1.31},
        {SWQ_QUANTITY_P99, "4.75", false, 4.75, 0.05, 0.05 + 0.01 + 0.3},
        {SWQ_QUANTITY_P99, "23.48", true, 23.48, 0, 0.01 + 2.348},
        {SWQ_QUANTITY_THROUGHPUT, "0.51", true, 0.51, 0.002, 0.002 + 0.01 + 0.03 * 0.51},
        {SWQ_QUANTITY_DISCARDED, "3.9", false, 0.039, 0.001, 0.001 + 0.001 + 0.03 * 0.039},
        {SWQ_QUANTITY_DISCARDED, "9.6", true, 0.096, 0, 0.001 + 0.0096},
        {SWQ_QUANTITY_DISCARDED, "0+", false, 0, 0, 0.001},
        {SWQ_QUANTITY_DISCARDED, "0", false, 0, 0, 0.001},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        for (int side = -1; side <= 1; side += 2) {
            double inside = cases[c].value + side * (cases[c].allowed - 1e-6);
            double outside = cases[c].value + side * (cases[c].allowed + 1e-6);
            cr_expect(
                agrees(cases[c].quantity, cases[c].printed, cases[c].knee, inside, cases[c].half),
                "%s: %g", cases[c].printed, inside);
            cr_expect_not(
                agrees(cases[c].quantity, cases[c].printed, cases[c].knee, outside, cases[c].half),
                "%s: %g", cases[c].printed, outside);
        }
    }
}

/* "Sat.", and a latency at a throughput that full load does not reach. */
Test(table_sim, rule_at_saturation)
{
    swq_paper_cell cell = {.column = &at_throughput,
                           .printed = "Sat.",
                           .quantity = SWQ_QUANTITY_LATENCY,
                           .saturated = true,
                           .computed = {9, 0.1}};
    double allowed = 0;

    cr_expect(swq_paper_cell_agrees(&cell, (swq_estimate){0.30, 0.001}, &allowed));
    cr_expect(isnan(allowed));
    cell.saturated = false; /* delivered after all: agrees up to 0.4 + 0.001 + 0.01 + 0.012 */
    cr_expect(swq_paper_cell_agrees(&cell, (swq_estimate){0.4229, 0.001}, &allowed));
    cr_expect_not(swq_paper_cell_agrees(&cell, (swq_estimate){0.4231, 0.001}, &allowed));

    cell.printed = "9.34";
    cell.saturated = true; /* just missed: compared at full load, by the tolerance of the knee */
    cr_expect(swq_paper_cell_agrees(&cell, (swq_estimate){0.3771, 0.001}, &allowed));
    cr_expect_float_eq(allowed, 0.1 + 0.01 + 0.934, 1e-12);
    cr_expect_not(swq_paper_cell_agrees(&cell, (swq_estimate){0.3769, 0.001}, &allowed));
    cell.computed.mean = 8;
    cr_expect_not(swq_paper_cell_agrees(&cell, (swq_estimate){0.3771, 0.001}, &allowed));
}

Test(table_sim, the_printed_data)
{
    static const struct {
        const char *name;
        int cells;
    } expected[] = {{"4.2", 162}, {"4.3", 161}, {"4.4", 30}, {"5.1", 75}};
    int tables = 0;

    for (; swq_paper_tables[tables]; tables++) {
        const swq_paper_table *t = swq_paper_tables[tables];
        cr_assert_str_eq(t->name, expected[tables].name);
        cr_assert_eq(swq_paper_cells(t), expected[tables].cells);
        cr_assert_eq(swq_paper_table_find(t->name), t);
        for (int row = 0; row < t->rows; row++) {
            for (int c = 0; c < t->columns; c++) {
                const char *printed = t->row[row].printed[c];
                cr_assert(printed, "table %s row %d column %d", t->name, row, c);
                cr_assert(strcmp(printed, "Sat.") == 0 ||
                              strspn(printed, "0123456789.+") == strlen(printed),
                          "%s", printed);
                /* where a table prints the saturation throughput, the knee is taken from it */
                if (t->column[c].quantity == SWQ_QUANTITY_THROUGHPUT)
                    cr_assert_eq(strtod(printed, NULL), t->row[row].saturation);
            }
        }
    }
    cr_assert_eq(tables, 4);
    cr_assert_null(swq_paper_table_find("4.1"));
}

/* A row of the list that names no cell would never be noticed otherwise. */
Test(table_sim, every_exception_is_a_cell)
{
    for (int k = 0; swq_paper_tables[k]; k++) {
        const swq_paper_table *t = swq_paper_tables[k];
        for (const swq_paper_exception *e = t->exception; e->buffer; e++) {
            int rows = 0, ends = 0;
            for (int r = 0; r < t->rows; r++)
                rows += strcmp(t->row[r].buffer, e->buffer) == 0 && t->row[r].slots == e->slots &&
                        t->row[r].quantity == e->quantity;
            for (int c = 0; c < t->columns; c++)
                ends += (strcmp(t->column[c].heading, e->first) == 0) +
                        (strcmp(t->column[c].heading, e->last) == 0);
            cr_expect_eq(rows, 1, "%s: %s %d", t->name, e->buffer, e->slots);
            cr_expect_eq(ends, 2, "%s: %s %d %s", t->name, e->buffer, e->slots, e->first);
            cr_expect(e->verdict == SWQ_VERDICT_KNOWN || e->verdict == SWQ_VERDICT_MISPRINT);
            cr_expect(strlen(e->reason) > 20 && !strchr(e->reason, '"'));
        }
    }
}

enum { CELLS_OF_4_4 = 30 };

static swq_status run_short(swq_context *ctx, int threads, swq_paper_cell *cell, int *count)
{
    swq_paper_options options = swq_paper_defaults();

    options.cycles = 300;
    options.threads = threads;
    return swq_paper_run(ctx, swq_paper_table_find("4.4"), &options, cell, count);
}

Test(table_sim, numbers_do_not_depend_on_threads)
{
    swq_paper_cell one[CELLS_OF_4_4], three[CELLS_OF_4_4];
    int count[SWQ_VERDICTS], again[SWQ_VERDICTS], sum = 0;
    swq_context *ctx = swq_context_new();

    cr_assert_eq(run_short(ctx, 1, one, count), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(run_short(ctx, 3, three, again), SWQ_OK);
    cr_assert_arr_eq(count, again, sizeof count);
    for (int v = 0; v < SWQ_VERDICTS; v++)
        sum += count[v];
    cr_assert_eq(sum, CELLS_OF_4_4);
    for (int c = 0; c < CELLS_OF_4_4; c++) {
        const swq_paper_column *column = one[c].column;
        cr_expect_eq(one[c].computed.mean, three[c].computed.mean);
        cr_expect_eq(one[c].verdict, three[c].verdict);
        cr_expect(isnan(one[c].resent.mean));
        cr_expect_eq(one[c].knee, column->at > 0.9 * 0.24, "%s", column->heading);
        cr_expect(one[c].quantity == SWQ_QUANTITY_THROUGHPUT || one[c].computed.mean >= 3);
        if (column->held == SWQ_HELD_FULL_LOAD)
            cr_expect_eq(one[c].load, 1);
        else
            cr_expect(one[c].load > 0.9 * column->at && one[c].load < 1.3 * column->at);
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

static void cancel_at_once(void *ctx, const char *stage, double done, double total)
{
    (void)stage;
    (void)total;
    if (done >= 1)
        swq_context_cancel(ctx);
}

Test(table_sim, an_interrupted_table_says_what_was_not_run)
{
    swq_paper_cell cell[CELLS_OF_4_4];
    int count[SWQ_VERDICTS], run = 0;
    swq_context *ctx = swq_context_new();

    swq_context_watch(ctx, cancel_at_once, ctx);
    cr_assert_eq(run_short(ctx, 1, cell, count), SWQ_ECANCELLED);
    for (int c = 0; c < CELLS_OF_4_4; c++) {
        run += !isnan(cell[c].computed.mean);
        if (isnan(cell[c].computed.mean)) {
            cr_expect_eq(cell[c].verdict, SWQ_VERDICT_NOT_RUN);
            cr_expect_str_eq(cell[c].reason, "interrupted");
        }
    }
    cr_assert_eq(run, 1, "the first simulation ended before it was cancelled");
    cr_assert_eq(count[SWQ_VERDICT_NOT_RUN], CELLS_OF_4_4 - 1);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(table_sim, no_memory_leaves_nothing_behind)
{
    swq_paper_cell cell[CELLS_OF_4_4];
    int count[SWQ_VERDICTS];

    for (size_t after = 0; after < 2; after++) {
        swq_context *ctx = swq_context_new();
        swq_context_fail_allocations(ctx, after, true);
        cr_expect_eq(run_short(ctx, 1, cell, count), SWQ_ENOMEM, "after %zu", after);
        cr_expect_eq(swq_context_live_blocks(ctx), 0);
        swq_context_free(ctx);
    }
}

Test(table_sim, other_rules_are_not_the_print_s)
{
    swq_paper_options options = swq_paper_defaults();

    cr_assert_str_eq(options.arbiter->name, "rotating");
    cr_expect(swq_paper_as_printed(&options));
    options.seed = 7;
    options.cycles = 1;
    cr_expect(swq_paper_as_printed(&options));
    options.stale = 1;
    cr_expect_not(swq_paper_as_printed(&options));
    options = swq_paper_defaults();
    options.pool_rule = &swq_pool_room;
    cr_expect_not(swq_paper_as_printed(&options));
    options = swq_paper_defaults();
    options.arbiter = swq_arbiters[0];
    cr_expect_not(swq_paper_as_printed(&options));
}

Test(table_sim, hot_spot_bound)
{
    cr_assert_float_eq(swq_hot_spot_bound(0.05, 64), 1 / (1 + 0.05 * 63), 1e-15);
    cr_assert_eq(swq_hot_spot_bound(0, 64), 1);
    cr_assert_float_eq(swq_hot_spot_bound(1, 64), 1.0 / 64, 1e-15);
}
