/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Table 4.1 for other switches: its rows, exact values that are known from elsewhere, the rule of
 * agreement at its edges, and that a wrong exact value is found out.
 */
#include "switchq/papers.h"
#include "tests/support/support.h"

TestSuite(table_4_1_ports, .timeout = 480);

enum { MOST = 64 };

/* A small table for that many ports. */
static swq_ports_options small(int ports)
{
    swq_ports_options o = swq_ports_defaults(ports);

    o.loads = 3;
    o.load[0] = 0.5;
    o.load[1] = 0.8;
    o.load[2] = 0.95;
    o.most_slots = ports;
    o.cycles = 50000;
    return o;
}

static swq_ports_summary run(const swq_ports_options *o, swq_ports_cell *cell)
{
    swq_context *ctx = swq_context_new();
    swq_ports_summary s;

    cr_assert_leq(swq_ports_cells(o), MOST);
    cr_assert_eq(swq_ports_plan(ctx, o, cell), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(swq_ports_run(ctx, o, cell, &s), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
    return s;
}

Test(table_4_1_ports, rows_of_four_ports)
{
    static const struct {
        const char *buffer;
        int slots;
    } rows[] = {
        {"fifo", 1}, {"fifo", 2}, {"fifo", 3}, {"fifo", 4}, {"fifo", 5}, {"fifo", 6},
        {"fifo", 8}, {"samq", 4}, {"samq", 8}, {"safc", 4}, {"safc", 8}, {"damq", 2},
        {"damq", 3}, {"damq", 4}, {"damq", 5}, {"damq", 6}, {"damq", 8}, {"cbda", 2},
        {"cbda", 3}, {"cbda", 4}, {"cbda", 5}, {"cbda", 6}, {"cbda", 8},
    };
    enum { ROWS = sizeof rows / sizeof *rows };
    swq_ports_options o = swq_ports_defaults(4);
    static swq_ports_cell cell[SWQ_PORTS_SEEDS];
    swq_context *ctx = swq_context_new();

    o.seed = 7;
    cr_assert_eq(swq_ports_cells(&o), 8 * ROWS);
    cr_assert_eq(swq_ports_plan(ctx, &o, cell), SWQ_OK);
    for (int c = 0; c < 8 * ROWS; c++) {
        swq_switch sw = test_switch(ctx, rows[c / 8].buffer, 4, rows[c / 8].slots, 0.5, "random");
        swq_chain_size size;
        cr_assert_str_eq(cell[c].buffer, rows[c / 8].buffer);
        cr_assert_eq(cell[c].slots, rows[c / 8].slots);
        cr_assert_eq(cell[c].load, o.load[c % 8]);
        cr_assert_eq(cell[c].seed, 7000 + (uint64_t)c, "a seed of its own");
        cr_assert_eq(swq_chain_foresee(ctx, &sw, true, &size), SWQ_OK);
        cr_assert_eq(cell[c].foreseen, size.states);
        cr_assert_eq(cell[c].too_large, size.states > 100000);
    }
    swq_context_free(ctx);
}

Test(table_4_1_ports, rows_of_many_slots)
{
    static const int sizes[] = {1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 48, 64, 96};
    static swq_ports_cell cell[SWQ_PORTS_SEEDS];
    swq_ports_options o = swq_ports_defaults(32);
    swq_context *ctx = swq_context_new();

    o.loads = 1;
    o.most_slots = 127;
    cr_assert_eq(swq_ports_cells(&o), 14 + 3 + 3 + 13 + 13);
    cr_assert_eq(swq_ports_plan(ctx, &o, cell), SWQ_OK);
    for (int row = 0; row < 14; row++)
        cr_assert_eq(cell[row].slots, sizes[row]);
    for (int row = 14; row < 20; row++)
        cr_assert_eq(cell[row].slots, 32 * sizes[(row - 14) % 3]);
    for (int row = 20; row < 46; row++)
        cr_assert_eq(cell[row].slots, sizes[1 + (row - 20) % 13]);
    swq_context_free(ctx);
}

Test(table_4_1_ports, cells_have_different_seeds_however_many_they_are)
{
    for (int ports = 2; ports <= SWQ_CHAIN_PORTS; ports++) {
        swq_ports_options o = swq_ports_defaults(ports);
        o.most_slots = SWQ_MAX_SLOTS;
        cr_assert_lt(swq_ports_cells(&o), SWQ_PORTS_SEEDS, "%d ports", ports);
    }
}

/* For the printed cells: the same numbers, and the simulator agrees with them. */
Test(table_4_1_ports, two_ports_are_table_4_1)
{
    static swq_table_4_1_cell print[SWQ_TABLE_4_1_CELLS];
    static swq_ports_cell cell[MOST];
    swq_table_4_1_options as_printed = swq_table_4_1_defaults();
    swq_context *ctx = swq_context_new();
    swq_ports_options o = small(2);
    int agree, same = 0;

    o.load[1] = 0.75;
    o.most_slots = 4;
    o.pool_rule = &swq_pool_ports;
    swq_ports_summary s = run(&o, cell);
    cr_assert(s.agrees);
    cr_assert_eq(swq_table_4_1(ctx, &as_printed, print, &agree), SWQ_OK);
    for (int c = 0; c < swq_ports_cells(&o); c++) {
        for (int p = 0; p < SWQ_TABLE_4_1_CELLS; p++) {
            if (strcmp(print[p].buffer, cell[c].buffer) != 0 || print[p].slots != cell[c].slots ||
                print[p].load != cell[c].load)
                continue;
            assert_relative(print[p].computed.value, cell[c].exact.value, 1e-12, "%s %d at %g",
                            cell[c].buffer, cell[c].slots, cell[c].load);
            same++;
        }
    }
    cr_assert_eq(same, swq_ports_cells(&o), "every row is one of the print's");
    swq_context_free(ctx);
}

/* Compared with direct calls of the solver; and values that are wrong on purpose are detected. */
Test(table_4_1_ports, three_ports_agree_and_wrong_values_are_found_out)
{
    static swq_ports_cell cell[MOST], wrong[MOST];
    swq_ports_options o = small(3);
    int cells = swq_ports_cells(&o);
    swq_ports_summary s = run(&o, cell);

    cr_assert(s.agrees);
    cr_assert_eq(s.compared, cells);
    cr_assert_eq(s.beyond_chance, 0);
    cr_assert_float_eq(s.expected_outside, 0.001 * cells, 1e-12);
    cr_assert(s.furthest >= 0 && fabs(cell[s.furthest].off) < 4);
    for (int c = 0; c < cells; c++) {
        swq_context *ctx = swq_context_new();
        swq_switch sw = test_switch(ctx, cell[c].buffer, 3, cell[c].slots, cell[c].load, "random");
        if (sw.buffer.scope == SWQ_POOL)
            sw.buffer.pool_rule = &swq_pool_ports;
        assert_relative(test_discard(&sw), cell[c].exact.value, 1e-12, "cell %d", c);
        swq_context_free(ctx);
        cr_assert(cell[c].states > 1 && cell[c].states <= cell[c].foreseen);
        cr_assert_float_eq((double)cell[c].lost / (double)cell[c].offered, cell[c].simulated.mean,
                           1e-12);
        cr_assert_float_eq((double)cell[c].offered, 3 * cell[c].load * 50000, 3000);
    }
    /* all of them 10% too large, or too small */
    for (int sign = -1; sign <= 1; sign += 2) {
        memcpy(wrong, cell, sizeof wrong);
        for (int c = 0; c < cells; c++) {
            double by = 1 + 0.1 * sign;
            wrong[c].exact.value *= by;
            wrong[c].exact.lower *= by;
            wrong[c].exact.upper *= by;
        }
        swq_ports_judge(wrong, cells, &s);
        cr_assert(!s.agrees && s.beyond_chance > 3, "%d beyond chance", s.beyond_chance);
        cr_assert(wrong[s.furthest].off * sign < -6, "%g", wrong[s.furthest].off);
    }
    /* any single cell: a pivot that went wrong would not spare the others, but a mistyped row
     * might */
    for (int c = 0; c < cells; c++) {
        memcpy(wrong, cell, sizeof wrong);
        wrong[c].exact.value *= 3;
        wrong[c].exact.lower *= 3;
        wrong[c].exact.upper *= 3;
        swq_ports_judge(wrong, cells, &s);
        bool seen = wrong[c].exact.value * (double)cell[c].offered >= 100;
        cr_assert_eq(s.agrees, !seen, "%s %d at %g", cell[c].buffer, cell[c].slots, cell[c].load);
        cr_assert_eq(wrong[c].beyond_chance, seen);
        cr_assert_eq(s.count[SWQ_PORTS_OUTSIDE], seen);
    }
}

/* An invented cell: that many lost of 1e6, 41 batches, standard error 5% of the simulated value. */
static swq_ports_cell made_up(double exact, uint64_t lost)
{
    const double t = 2.0210753903; /* Student's t, 40 degrees of freedom, 95% */
    double seen = (double)lost / 1e6;

    return (swq_ports_cell){.exact = {exact, exact, exact},
                            .simulated = {seen, t * 0.05 * seen},
                            .offered = 1000000,
                            .lost = lost,
                            .batches = 41};
}

static swq_ports_verdict verdict_of(swq_ports_cell cell, double *off)
{
    swq_ports_summary s;

    swq_ports_judge(&cell, 1, &s);
    *off = cell.off;
    cr_assert_eq(s.count[cell.verdict], 1);
    cr_assert_eq(cell.reason == NULL,
                 cell.verdict == SWQ_PORTS_AGREES || cell.verdict == SWQ_PORTS_OUTSIDE);
    return cell.verdict;
}

Test(table_4_1_ports, rule_of_agreement)
{
    /* t of 99.9% with 40 degrees of freedom is 3.551; exact above seen counts by its own error */
    const struct {
        double exact;
        uint64_t lost;
        swq_ports_verdict verdict;
        double off; /* NAN: none */
    } cases[] = {
        {0.01, 10000, SWQ_PORTS_AGREES, 0},
        {0.008, 10000, SWQ_PORTS_OUTSIDE, 4},
        {0.0083, 10000, SWQ_PORTS_AGREES, 3.4},
        {0.0122, 10000, SWQ_PORTS_OUTSIDE, -0.22 / 0.05 / sqrt(1.22)},
        {0.0118, 10000, SWQ_PORTS_AGREES, -0.18 / 0.05 / sqrt(1.18)},
        {1e-3, 0, SWQ_PORTS_OUTSIDE, -INFINITY},
        {1.01e-4, 0, SWQ_PORTS_OUTSIDE, -INFINITY},
        {0.99e-4, 0, SWQ_PORTS_RARE, NAN},
        {1e-30, 0, SWQ_PORTS_RARE, NAN},
        {1e-6, 99, SWQ_PORTS_RARE, NAN},
        {1e-6, 100, SWQ_PORTS_OUTSIDE, 19.8},
        {1.01e-8, 10, SWQ_PORTS_RARE, NAN},
        {0.99e-8, 10, SWQ_PORTS_OUTSIDE, NAN},
        {1e-30, 1, SWQ_PORTS_OUTSIDE, NAN},
        {0, 0, SWQ_PORTS_RARE, NAN},
        {0, 1, SWQ_PORTS_OUTSIDE, NAN},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double off;
        swq_ports_verdict verdict = verdict_of(made_up(cases[c].exact, cases[c].lost), &off);
        cr_expect_eq(verdict, cases[c].verdict, "case %zu: %s", c, swq_ports_verdict_text(verdict));
        cr_expect(isfinite(cases[c].off)
                      ? fabs(off - cases[c].off) < 1e-5
                      : off == cases[c].off || (isnan(off) && isnan(cases[c].off)),
                  "case %zu: %g", c, off);
    }
}

Test(table_4_1_ports, what_cannot_be_judged_is_not)
{
    swq_ports_cell cell = made_up(0.5, 10000);
    double off;

    cr_assert_eq(verdict_of(cell, &off), SWQ_PORTS_OUTSIDE);
    cell.exact = (swq_mean){0.5, 0.009, 0.6};
    cr_assert_eq(verdict_of(cell, &off), SWQ_PORTS_NOT_JUDGED, "bounds that say nothing");
    cell.exact = (swq_mean){0.5, 0, INFINITY};
    cr_assert_eq(verdict_of(cell, &off), SWQ_PORTS_NOT_JUDGED);
    cell.exact = (swq_mean){0.0101, 0.0101 - 2e-6, 0.0101 + 2e-6};
    cr_assert_eq(verdict_of(cell, &off), SWQ_PORTS_AGREES);
    cr_assert_float_eq(off, (0.01 - (0.0101 - 2e-6)) / 0.0005 / sqrt(1.0098), 1e-6, "%g", off);
    cell.correlated = true;
    cr_assert_eq(verdict_of(cell, &off), SWQ_PORTS_NOT_JUDGED);
    cell.correlated = false;
    cell.batches = 1;
    cr_assert_eq(verdict_of(cell, &off), SWQ_PORTS_NOT_JUDGED);
    cell.simulated.mean = NAN;
    cr_assert_eq(verdict_of(cell, &off), SWQ_PORTS_NOT_RUN);
    cell.too_large = true;
    cr_assert_eq(verdict_of(cell, &off), SWQ_PORTS_TOO_LARGE);
}

/* A few outside at 99.9% are chance, more are not; a single one far outside never is. */
Test(table_4_1_ports, rule_of_the_table)
{
    static const struct {
        int cells, allowed;
    } cases[] = {{2, 1}, {36, 1}, {50, 2}, {184, 2}, {200, 3}, {999, 5}};
    static swq_ports_cell cell[1000];
    swq_ports_summary s;

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double exactly = pow(0.999, cases[k].cells), more = 1;
        /* the binomial distribution, computed once more independently */
        for (int m = 0; m <= cases[k].allowed; m++) {
            cr_assert(more >= 0.001, "%d cells: %d need not be allowed", cases[k].cells, m);
            more -= exactly *
                    exp(lgamma(cases[k].cells + 1.0) - lgamma(m + 1.0) -
                        lgamma(cases[k].cells - m + 1.0)) *
                    pow(1 / 999.0, m);
        }
        cr_assert(more < 0.001);
        for (int outside = 0; outside <= cases[k].allowed + 1 && outside <= cases[k].cells;
             outside++) {
            for (int c = 0; c < cases[k].cells; c++)
                cell[c] = made_up(c < outside ? 0.0082 : 0.01, 10000); /* 3.6 errors off */
            swq_ports_judge(cell, cases[k].cells, &s);
            cr_assert_eq(s.count[SWQ_PORTS_OUTSIDE], outside);
            cr_assert_eq(s.allowed_outside, cases[k].allowed, "%d cells: %d allowed, not %d",
                         cases[k].cells, s.allowed_outside, cases[k].allowed);
            cr_assert_eq(s.beyond_chance, 0);
            cr_assert_eq(s.agrees, outside <= cases[k].allowed);
        }
    }
    for (int c = 0; c < 100; c++)
        cell[c] = made_up(c == 17 ? 0.005 : 0.01, 10000);
    swq_ports_judge(cell, 100, &s);
    cr_assert(!s.agrees);
    cr_assert_eq(s.furthest, 17);
    cr_assert_eq(s.beyond_chance, 1);
    for (int c = 0; c < 100; c++)
        cell[c] = made_up(c == 17 ? 1e-9 : 0.01, c == 17 ? 2 : 10000);
    swq_ports_judge(cell, 100, &s);
    cr_assert_eq(cell[17].verdict, SWQ_PORTS_OUTSIDE, "two losses where 0.001 are expected");
    cr_assert(s.agrees && !cell[17].beyond_chance, "which happens once in so many cells");
    swq_ports_judge(cell, 0, &s);
    cr_assert(s.agrees && s.compared == 0 && s.furthest == -1);
}

/* The same numbers whatever the threads, and others with another seed. */
Test(table_4_1_ports, a_seed_is_a_seed)
{
    static swq_ports_cell one[MOST], other[MOST];
    swq_ports_options o = small(3);

    o.cycles = 2000;
    o.most_slots = 1;
    run(&o, one);
    o.threads = 3;
    run(&o, other);
    for (int c = 0; c < swq_ports_cells(&o); c++)
        cr_assert(one[c].lost == other[c].lost &&
                  one[c].simulated.half_width == other[c].simulated.half_width);
    o.seed = 2;
    run(&o, other);
    for (int c = 0; c < swq_ports_cells(&o); c++)
        cr_assert_neq(one[c].lost, other[c].lost);
}

Test(table_4_1_ports, what_is_too_large_is_simulated_alone)
{
    static swq_ports_cell cell[MOST];
    swq_ports_options o = small(4);
    int large = 0;

    o.cycles = 5000;
    o.most_states = 100;
    swq_ports_summary s = run(&o, cell);
    for (int c = 0; c < swq_ports_cells(&o); c++) {
        bool too_large = cell[c].foreseen > 100;
        cr_assert_eq(cell[c].too_large, too_large);
        cr_assert_eq(cell[c].verdict == SWQ_PORTS_TOO_LARGE, too_large);
        cr_assert_eq(isnan(cell[c].exact.value), too_large);
        cr_assert(cell[c].simulated.mean >= 0 && cell[c].offered > 0);
        large += too_large;
    }
    cr_assert(large > 0 && large < swq_ports_cells(&o));
    cr_assert_eq(s.count[SWQ_PORTS_TOO_LARGE], large);
    cr_assert_eq(s.compared, swq_ports_cells(&o) - large);
}

/* Memory for a simulation, and not for the larger chains. */
Test(table_4_1_ports, a_memory_limit_is_met_row_by_row)
{
    static swq_ports_cell cell[MOST];
    swq_context *ctx = swq_context_new();
    swq_ports_options o = small(3);
    swq_ports_summary s;

    o.cycles = 2000;
    swq_context_limit_memory(ctx, 800000);
    cr_assert_eq(swq_ports_plan(ctx, &o, cell), SWQ_OK);
    cr_assert_eq(swq_ports_run(ctx, &o, cell, &s), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert(s.count[SWQ_PORTS_TOO_LARGE] > 0, "nothing was too large");
    cr_assert(s.count[SWQ_PORTS_TOO_LARGE] < swq_ports_cells(&o), "everything was");
    for (int c = 0; c < swq_ports_cells(&o); c++)
        cr_assert(cell[c].simulated.mean >= 0);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* ---- failure ---- */

typedef struct {
    swq_context *ctx;
    double at;
} interruption;

static void interrupt(void *arg, const char *stage, double done, double total)
{
    interruption *i = arg;

    (void)total;
    if (stage == swq_ports_stage && done >= i->at)
        swq_context_cancel(i->ctx);
}

Test(table_4_1_ports, what_was_finished_when_it_was_cancelled_is_judged)
{
    static swq_ports_cell cell[MOST];
    swq_context *ctx = swq_context_new();
    swq_ports_options o = small(3);
    interruption at = {ctx, 7}; /* the second cell of the third row */
    swq_ports_summary s;

    swq_context_watch(ctx, interrupt, &at);
    cr_assert_eq(swq_ports_plan(ctx, &o, cell), SWQ_OK);
    cr_assert_eq(swq_ports_run(ctx, &o, cell, &s), SWQ_ECANCELLED);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    for (int c = 0; c < swq_ports_cells(&o); c++) {
        cr_assert_eq(cell[c].verdict, c < 6 ? SWQ_PORTS_AGREES : SWQ_PORTS_NOT_RUN, "cell %d", c);
        cr_assert_eq(isnan(cell[c].exact.value), c >= 7, "cell %d", c);
    }
    cr_assert_eq(s.count[SWQ_PORTS_NOT_RUN], swq_ports_cells(&o) - 6);
    swq_context_free(ctx);
}

Test(table_4_1_ports, bad_options_are_named)
{
    static const struct {
        int ports, slots, loads;
        double load;
        const swq_pool_rule *rule;
        const char *name;
    } cases[] = {
        {1, 2, 1, 0.5, &swq_pool_ports, "ports"}, {33, 2, 1, 0.5, &swq_pool_ports, "ports"},
        {3, 0, 1, 0.5, &swq_pool_ports, "slots"}, {3, 2048, 1, 0.5, &swq_pool_ports, "slots"},
        {3, 2, 0, 0.5, &swq_pool_ports, "loads"}, {3, 2, 9, 0.5, &swq_pool_ports, "loads"},
        {3, 2, 1, 0, &swq_pool_ports, "load"},    {3, 2, 1, 1.1, &swq_pool_ports, "load"},
        {3, 2, 1, NAN, &swq_pool_ports, "load"},  {3, 2, 1, 0.5, &swq_pool_oldest, "oldest"},
    };
    swq_context *ctx = swq_context_new();
    swq_ports_cell cell[1];
    swq_ports_summary s;

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        swq_ports_options o = swq_ports_defaults(3);
        o.ports = cases[c].ports;
        o.most_slots = cases[c].slots;
        o.loads = cases[c].loads;
        o.load[0] = cases[c].load;
        o.pool_rule = cases[c].rule;
        cr_assert_eq(swq_ports_plan(ctx, &o, cell), SWQ_EINVAL);
        cr_assert(strstr(swq_context_message(ctx), cases[c].name), "%s", swq_context_message(ctx));
        cr_assert_eq(swq_ports_run(ctx, &o, cell, &s), SWQ_EINVAL);
    }
    swq_context_free(ctx);
}

Test(table_4_1_ports, no_failing_allocation_leaks)
{
    static swq_ports_cell cell[MOST];
    swq_ports_options o = small(3);
    swq_status status = SWQ_ENOMEM;

    o.loads = 1;
    o.most_slots = 1;
    o.cycles = 1000;
    for (int good = 0; good < 2; good++) {
        size_t after = 0;
        for (status = SWQ_ENOMEM; status; after++) {
            swq_context *ctx = swq_context_new();
            swq_ports_summary s;
            swq_context_fail_allocations(ctx, after, good);
            status = swq_ports_plan(ctx, &o, cell);
            if (!status)
                status = swq_ports_run(ctx, &o, cell, &s);
            cr_assert(status == SWQ_OK || status == SWQ_ENOMEM, "%zu: %s", after,
                      swq_context_message(ctx));
            cr_assert_eq(swq_context_live_blocks(ctx), 0, "%zu", after);
            swq_context_free(ctx);
            cr_assert_lt(after, 10000);
        }
        cr_assert_gt(after, 5);
    }
}
