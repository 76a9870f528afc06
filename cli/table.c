/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq table: a printed table, regenerated beside the print.
 * Room: cli.
 */
#include "base/context.h"
#include "base/plot.h"
#include "cli/cli.h"
#include "switchq/papers.h"

#include <ctype.h>
#include <string.h>

static int as_json, as_csv;
static char *arbiter_name, *pool_rule_name, *plot_path;

static struct poptOption own_options[] = {
    {"arbiter", '\0', POPT_ARG_STRING, &arbiter_name, 0,
     "another arbiter than the one that reproduces the print (random)", "NAME"},
    {"pool-rule", '\0', POPT_ARG_STRING, &pool_rule_name, 0,
     "another admission rule for cbda than the one that does (ports)", "room|ports"},
    {"plot", '\0', POPT_ARG_STRING, &plot_path, 0, "also draw discards over load",
     "FILE.svg|FILE.png"},
    {"json", '\0', POPT_ARG_NONE, &as_json, 0, "print JSON (computed values as fractions)", NULL},
    {"csv", '\0', POPT_ARG_NONE, &as_csv, 0, "print CSV, a line per cell", NULL},
    POPT_TABLEEND,
};

static struct poptOption options[] = {
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, own_options, 0, "The table:", NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_solver_options, 0, "The solver:", NULL},
    POPT_TABLEEND,
};

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
    cJSON_AddStringToObject(tree, "source", "W. Frazier, dissertation, UCLA 1995, Table 4.1");
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

static void capitals(const char *word, char *out, size_t size)
{
    size_t k = 0;

    for (; word[k] && k + 1 < size; k++)
        out[k] = (char)toupper((unsigned char)word[k]);
    out[k] = '\0';
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
        capitals(c->buffer, name, sizeof name);
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
        capitals(first->buffer, name, sizeof name);
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
    return swq_plot_write(ctx, &plot, plot_path);
}

static swq_status read_settings(swq_context *ctx, swq_table_4_1_options *o)
{
    int pool_rule = SWQ_POOL_PORTS;
    *o = swq_table_4_1_defaults();
    swq_status status = cli_solver_read(ctx, &o->exact);
    if (!status && arbiter_name)
        status = swq_arbiter_find(ctx, arbiter_name, &o->arbiter);
    if (!status && pool_rule_name)
        status = cli_word(ctx, "pool-rule", pool_rule_name, cli_pool_rule_words, &pool_rule);
    if (!status && plot_path)
        status = swq_plot_check(ctx, plot_path);
    if (!status && as_json && as_csv)
        status = swq_fail(ctx, SWQ_EINVAL, "--json and --csv cannot both be given");
    o->pool_rule = (swq_pool_rule)pool_rule;
    return status;
}

static int run(swq_context *ctx, const cli_command *self, int argc, const char **argv)
{
    static swq_table_4_1_cell cell[SWQ_TABLE_4_1_CELLS];
    swq_table_4_1_options settings;
    const char *name = NULL;
    int agree = 0;
    int end = cli_read_options(ctx, self, options, argc, argv, &name, 1);
    if (end >= 0)
        return end;
    swq_status status = SWQ_OK;
    if (!name)
        status = swq_fail(ctx, SWQ_EINVAL, "which table? known: 4.1");
    else if (strcmp(name, "4.1") != 0)
        status = swq_fail(ctx, SWQ_EINVAL, "table '%.40s' is not known; known: 4.1", name);
    if (!status)
        status = read_settings(ctx, &settings);
    if (!status)
        status = swq_table_4_1(ctx, &settings, cell, &agree);
    if (!status && plot_path)
        status = draw(ctx, &settings, cell);
    if (status)
        return cli_fail(ctx, status);
    if (as_json) {
        status = cli_json_print(ctx, json_of(&settings, cell, agree));
    } else {
        if (as_csv)
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

const cli_command cli_table = {
    .name = "table",
    .usage = "4.1 [OPTION...]",
    .summary = "regenerate a printed table beside the print",
    .examples = "  switchq table 4.1\n"
                "  switchq table 4.1 --plot table-4.1.svg\n"
                "  switchq table 4.1 --arbiter maximum-longest\n",
    .run = run,
};
