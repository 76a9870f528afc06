/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq table 4.1: solved, beside the printed values.
 */
#include "base/context.h"
#include "cli/print/words.h"
#include "cli/spec/solver.h"
#include "cli/spec/switch.h"
#include "cli/tables/table.h"

#include <string.h>

static const char rule[] =
    "a cell agrees when the printed percentage equals the exact one truncated "
    "or rounded to one decimal; 0+ means above 0 and below 0.1";

static bool as_printed(const swq_table_4_1_options *o)
{
    return o->arbiter == swq_arbiters[0] && o->pool_rule == &swq_pool_ports;
}

static cli_solved_cell solved(const swq_table_4_1_options *o, const swq_table_4_1_cell *cell)
{
    return (cli_solved_cell){cell->buffer, 2, cell->slots, cell->load, o->arbiter, o->pool_rule};
}

static void put_cell(cli_record *rows, const swq_table_4_1_options *o,
                     const swq_table_4_1_cell *cell)
{
    const double percent = 100 * cell->computed.value;
    const cli_solved_cell alone = solved(o, cell);
    char command[CLI_COMMAND], load[16];

    snprintf(load, sizeof load, "%.2f ", cell->load);
    cli_record *row = cli_table_cell(rows, load, cell->buffer, cell->slots);
    cli_put_number(row, "load", cell->load);
    cli_put_word(row, "paper", cell->printed);
    cli_put_word(row, "paper_unit", "percent");
    cli_put_number(row, "computed", cell->computed.value);
    cli_put_number(row, "lower", cell->computed.lower);
    cli_put_number(row, "upper", cell->computed.upper);
    cli_put_truth(row, "agrees", cell->agreement != SWQ_DIFFERS);
    cli_put_word(row, "agreement", swq_agreement_text(cell->agreement));
    cli_solve_command(&alone, command);
    cli_put_word(row, "command", command);
    cli_put_solved(row, &alone);
    cli_show(row, "printed", "%s ", cell->printed);
    cli_show(row, "exact", percent >= 0.001 ? "%.3f%c" : "%.0e%c", percent,
             cell->agreement == SWQ_DIFFERS ? '*' : ' ');
}

/* The first cell of a pool at 0.90, since its rule is not the default of `solve`. */
static void say_command(cli_record *root, const swq_table_4_1_options *o,
                        const swq_table_4_1_cell *cell)
{
    char what[60], name[16], command[CLI_COMMAND];
    int c = 0;

    while (!cli_table_pool(cell[c].buffer) || cell[c].load < 0.9)
        c++;
    cli_capitals(cell[c].buffer, name, sizeof name);
    snprintf(what, sizeof what, "%s %d at %.2f", name, cell[c].slots, cell[c].load);
    const cli_solved_cell alone = solved(o, &cell[c]);
    cli_solve_command(&alone, command);
    cli_say_command(root, what, command);
}

/* Counts a cell whose printed number follows from one rule for the last digit: for all cells
   together, only one of the rules can be right.
 */
static int by_one_rule(const swq_table_4_1_cell *cell, swq_agreement rule_alone)
{
    int count = 0;

    for (int c = 0; c < SWQ_TABLE_4_1_CELLS; c++)
        count += cell[c].agreement == rule_alone || cell[c].agreement == SWQ_TRUNCATED_OR_ROUNDED;
    return count;
}

static cli_record *record_of(const swq_table_4_1_options *o, const swq_table_4_1_cell *cell,
                             int agree)
{
    const int differ = SWQ_TABLE_4_1_CELLS - agree, truncated = by_one_rule(cell, SWQ_TRUNCATED),
              rounded = by_one_rule(cell, SWQ_ROUNDED);
    cli_record *root =
        cli_table_record("4.1", "G. L. Frazier, dissertation, UCLA 1995, Table 4.1", rule);
    char marked[60] = "";

    cli_table_mark(root, o->arbiter, o->pool_rule);
    cli_say(root,
            "Table 4.1 (Frazier 1995): packets discarded by one 2x2 switch, in percent of those "
            "created\narbiter %s; pool rule %s\n",
            o->arbiter->name, o->pool_rule->name);
    cli_record *rows =
        cli_as_grid(cli_put_points(root, "rows"), "buffer, slots", SWQ_TABLE_4_1_LOADS);
    for (int c = 0; c < SWQ_TABLE_4_1_CELLS; c++)
        put_cell(rows, o, &cell[c]);
    cli_put_count(root, "agree", (uint64_t)agree);
    cli_put_count(root, "differ", (uint64_t)differ);
    cli_put_count(root, "agree_truncated", (uint64_t)truncated);
    cli_put_count(root, "agree_rounded", (uint64_t)rounded);
    if (differ)
        snprintf(marked, sizeof marked, "; * marks the %d that differ", differ);
    cli_say(root, "\n%d of %d cells agree%s.", agree, SWQ_TABLE_4_1_CELLS, marked);
    cli_tell(root, 2, "Jointly: truncation alone gives %d of the cells, rounding alone %d.",
             truncated, rounded);
    cli_tell(root, 2, "Rule: %s.", rule);
    say_command(root, o, cell);
    return root;
}

static swq_status draw(swq_context *ctx, const swq_table_4_1_options *o,
                       const swq_table_4_1_cell *cell)
{
    static const swq_plot like = {.x_label = "load (packets per cycle and input)",
                                  .y_label = "discarded (percent)",
                                  .log_y = true,
                                  .y_least = 1e-4,
                                  .y_most = 40};
    cli_drawing curves = {0};

    cli_draw_panel(&curves, &like, "Packets discarded by one 2x2 switch (Table 4.1; arbiter %s)",
                   o->arbiter->name);
    for (int c = 0; c < SWQ_TABLE_4_1_CELLS; c++) {
        if (c % SWQ_TABLE_4_1_LOADS == 0)
            cli_table_curve(&curves, cell[c].buffer, cell[c].slots, "");
        cli_draw_point(&curves, cell[c].load, 100 * cell[c].computed.value, 0);
    }
    return cli_draw(ctx, &curves, cli_table_given.plot);
}

int cli_table_4_1(swq_context *ctx)
{
    static swq_table_4_1_cell cell[SWQ_TABLE_4_1_CELLS];
    swq_table_4_1_options settings = swq_table_4_1_defaults();
    int agree = 0;

    swq_status status = cli_solver_read(ctx, &settings.exact);
    if (!status)
        status = cli_table_rules(ctx, &settings.arbiter, &settings.pool_rule);
    if (!status)
        status = swq_table_4_1(ctx, &settings, cell, &agree);
    if (!status && cli_table_given.plot)
        status = draw(ctx, &settings, cell);
    if (!status)
        status = cli_record_print(ctx, record_of(&settings, cell, agree), cli_table_given.format);
    if (status)
        return cli_fail(ctx, status);
    /* under other rules than the print's, differences are expected */
    return agree < SWQ_TABLE_4_1_CELLS && as_printed(&settings) ? CLI_FAILED : CLI_OK;
}
