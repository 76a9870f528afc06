/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq table 4.1: solved, beside the print.
 * Room: cli.
 */
#include "base/context.h"
#include "base/plot.h"
#include "cli/table.h"

#include <string.h>

static const char rule[] =
    "a cell agrees when the printed percentage equals the exact one truncated "
    "or rounded to one decimal; 0+ means above 0 and below 0.1";

static bool as_printed(const swq_table_4_1_options *o)
{
    return o->arbiter == swq_arbiters[0] && o->pool_rule == SWQ_POOL_PORTS;
}

static cJSON *json_of(const swq_table_4_1_options *o, const swq_table_4_1_cell *cell, int agree)
{
    cJSON *tree = cJSON_CreateObject();

    cJSON_AddStringToObject(tree, "schema", "switchq/table/1");
    cJSON_AddStringToObject(tree, "table", "4.1");
    cJSON_AddStringToObject(tree, "source", "G. L. Frazier, dissertation, UCLA 1995, Table 4.1");
    cJSON_AddStringToObject(tree, "rule", rule);
    cJSON_AddStringToObject(tree, "arbiter", o->arbiter->name);
    cJSON_AddStringToObject(tree, "pool_rule", cli_pool_rule_words[o->pool_rule]);
    cJSON *rows = cJSON_AddArrayToObject(tree, "rows");
    for (int c = 0; c < SWQ_TABLE_4_1_CELLS; c++) {
        cJSON *row = cJSON_CreateObject();
        cJSON_AddItemToArray(rows, row);
        cJSON_AddStringToObject(row, "buffer", cell[c].buffer);
        cJSON_AddNumberToObject(row, "slots", cell[c].slots);
        cli_json_number(row, "load", cell[c].load);
        cJSON_AddStringToObject(row, "paper", cell[c].printed);
        cJSON_AddStringToObject(row, "paper_unit", "percent");
        cli_json_number(row, "computed", cell[c].computed.value);
        cli_json_number(row, "lower", cell[c].computed.lower);
        cli_json_number(row, "upper", cell[c].computed.upper);
        cJSON_AddBoolToObject(row, "agrees", cell[c].agreement != SWQ_DIFFERS);
        cJSON_AddStringToObject(row, "agreement", swq_agreement_text(cell[c].agreement));
    }
    cJSON_AddNumberToObject(tree, "agree", agree);
    cJSON_AddNumberToObject(tree, "differ", SWQ_TABLE_4_1_CELLS - agree);
    return tree;
}

static void print_csv(const swq_table_4_1_cell *cell)
{
    puts("buffer,slots,load,paper_percent,computed,lower,upper,agreement");
    for (int c = 0; c < SWQ_TABLE_4_1_CELLS; c++)
        printf("%s,%d,%.2f,%s,%.17g,%.17g,%.17g,%s\n", cell[c].buffer, cell[c].slots, cell[c].load,
               cell[c].printed, cell[c].computed.value, cell[c].computed.lower,
               cell[c].computed.upper, swq_agreement_text(cell[c].agreement));
}

static void print_percent(const swq_table_4_1_cell *cell)
{
    double percent = 100 * cell->computed.value;
    const char *mark = cell->agreement == SWQ_DIFFERS ? "*" : "";
    char text[32];

    snprintf(text, sizeof text, percent >= 0.001 ? "%.3f%s" : "%.0e%s", percent, mark);
    printf("%8s", text);
}

static void print_text(const swq_table_4_1_options *o, const swq_table_4_1_cell *cell, int agree)
{
    char name[16];

    puts("Table 4.1 (Frazier 1995): packets discarded by one 2x2 switch, in percent of those "
         "created");
    printf("arbiter %s; pool rule %s\n\n%-16s", o->arbiter->name, cli_pool_rule_words[o->pool_rule],
           "buffer slots");
    for (int l = 0; l < SWQ_TABLE_4_1_LOADS; l++)
        printf("%8.2f", cell[l].load);
    for (int row = 0; row < SWQ_TABLE_4_1_ROWS; row++) {
        const swq_table_4_1_cell *c = cell + row * SWQ_TABLE_4_1_LOADS;
        cli_capitals(c->buffer, name, sizeof name);
        printf("\n%-5s%2d %s", name, c->slots, " printed");
        for (int l = 0; l < SWQ_TABLE_4_1_LOADS; l++)
            printf("%8s", c[l].printed);
        printf("\n%-7s %s", "", "   exact");
        for (int l = 0; l < SWQ_TABLE_4_1_LOADS; l++)
            print_percent(&c[l]);
    }
    printf("\n\n%d of %d cells agree", agree, SWQ_TABLE_4_1_CELLS);
    if (agree < SWQ_TABLE_4_1_CELLS)
        printf("; * marks the %d that differ", SWQ_TABLE_4_1_CELLS - agree);
    puts(
        ".\nRule: a cell agrees when the print equals the exact value truncated or rounded to one\n"
        "decimal; 0+ means above 0 and below 0.1.");
}

static swq_status draw(swq_context *ctx, const swq_table_4_1_options *o,
                       const swq_table_4_1_cell *cell)
{
    double load[SWQ_TABLE_4_1_LOADS], percent[SWQ_TABLE_4_1_CELLS];
    swq_curve curve[SWQ_TABLE_4_1_ROWS];
    char title[160], name[16];
    int colour = 0;

    for (int l = 0; l < SWQ_TABLE_4_1_LOADS; l++)
        load[l] = cell[l].load;
    for (int c = 0; c < SWQ_TABLE_4_1_CELLS; c++)
        percent[c] = 100 * cell[c].computed.value;
    for (int row = 0; row < SWQ_TABLE_4_1_ROWS; row++) {
        const swq_table_4_1_cell *first = cell + row * SWQ_TABLE_4_1_LOADS;
        if (row > 0 && strcmp(first->buffer, first[-1].buffer) != 0)
            colour++;
        cli_capitals(first->buffer, name, sizeof name);
        curve[row] = (swq_curve){.x = load,
                                 .y = percent + row * SWQ_TABLE_4_1_LOADS,
                                 .points = SWQ_TABLE_4_1_LOADS,
                                 .colour = colour,
                                 .mark = first->slots - 1};
        snprintf(curve[row].name, sizeof curve[row].name, "%s %d", name, first->slots);
    }
    snprintf(title, sizeof title, "Packets discarded by one 2x2 switch (Table 4.1; arbiter %s)",
             o->arbiter->name);
    swq_plot plot = {.title = title,
                     .x_label = "load (packets per cycle and input)",
                     .y_label = "discarded (percent)",
                     .log_y = true,
                     .y_least = 1e-4,
                     .y_most = 40,
                     .curve = curve,
                     .curves = SWQ_TABLE_4_1_ROWS};
    return swq_plot_write(ctx, &plot, cli_table_given.plot);
}

static swq_status read_settings(swq_context *ctx, swq_table_4_1_options *o)
{
    int pool_rule = SWQ_POOL_PORTS;
    *o = swq_table_4_1_defaults();
    swq_status status = cli_solver_read(ctx, &o->exact);
    if (!status)
        status = cli_table_rules(ctx, &o->arbiter, &pool_rule);
    o->pool_rule = (swq_pool_rule)pool_rule;
    return status;
}

int cli_table_4_1(swq_context *ctx)
{
    static swq_table_4_1_cell cell[SWQ_TABLE_4_1_CELLS];
    swq_table_4_1_options settings;
    int agree = 0;
    swq_status status = read_settings(ctx, &settings);
    if (!status)
        status = swq_table_4_1(ctx, &settings, cell, &agree);
    if (!status && cli_table_given.plot)
        status = draw(ctx, &settings, cell);
    if (status)
        return cli_fail(ctx, status);
    if (cli_table_given.json) {
        status = cli_json_print(ctx, json_of(&settings, cell, agree));
    } else {
        if (cli_table_given.csv)
            print_csv(cell);
        else
            print_text(&settings, cell, agree);
        status = cli_flush(ctx);
    }
    if (status)
        return cli_fail(ctx, status);
    /* under other rules than the print's, differences are what was asked for */
    return agree < SWQ_TABLE_4_1_CELLS && as_printed(&settings) ? CLI_FAILED : CLI_OK;
}
