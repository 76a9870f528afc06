/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq table 4.2, 4.3, 4.4, 5.1: simulated, beside the print.
 * Room: cli.
 */
#include "base/context.h"
#include "base/plot.h"
#include "cli/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    QUICK_CYCLES = 2500,
    /* the spread over nodes, which their percentiles' intervals come from, leaves out what all
       nodes have in common in a short run */
    QUICK_PERCENTILES = 20000,
    PERCENTILES = 100000,
    LEAST_CYCLES = 100,
    NODES = 64
};

/* A table that has been run. */
typedef struct {
    const swq_paper_table *table;
    swq_paper_options options;
    swq_paper_cell *cell;
    int cells, count[SWQ_VERDICTS];
    bool interrupted;
} outcome;

static const struct {
    const char *key, *label; /* in JSON and CSV, in text */
    int decimals;
    double scale; /* of the text and the print */
    const char *unit;
} quantities[] = {
    [SWQ_QUANTITY_DISCARDED] = {"discarded", "", 2, 100, "percent"},
    [SWQ_QUANTITY_THROUGHPUT] = {"throughput", "", 4, 1, "packets per node and cycle"},
    [SWQ_QUANTITY_LATENCY] = {"latency", "mean", 3, 1, "cycles"},
    [SWQ_QUANTITY_P99] = {"p99", "99%", 3, 1, "cycles"},
    [SWQ_QUANTITY_MAXIMUM] = {"max", "max", 2, 1, "cycles"},
};

static const char *const held_words[] = {"load", "throughput", "full load"};
static const char verdict_marks[SWQ_VERDICTS] = {' ', '*', 'k', 'm', '-', '?'};

/* ---- JSON ---- */

static cJSON *json_of_cell(const outcome *o, const swq_paper_cell *c)
{
    cJSON *row = cJSON_CreateObject();

    cJSON_AddStringToObject(row, "buffer", c->row->buffer);
    cJSON_AddNumberToObject(row, "slots", c->row->slots);
    cJSON_AddStringToObject(row, "quantity", quantities[c->quantity].key);
    cJSON_AddStringToObject(row, "at", held_words[c->column->held]);
    cli_json_number(row, "at_value", c->column->at);
    cJSON_AddStringToObject(row, "paper", c->printed);
    cJSON_AddStringToObject(row, "paper_unit", quantities[c->quantity].unit);
    cli_json_number(row, "computed", c->computed.mean);
    cli_json_number(row, "half_width", c->computed.half_width);
    if (o->table->resent) {
        cli_json_number(row, "resent", c->resent.mean);
        cli_json_number(row, "resent_half_width", c->resent.half_width);
    }
    cli_json_number(row, "allowed", c->allowed);
    cJSON_AddBoolToObject(row, "knee", c->knee);
    cli_json_number(row, "load", c->load);
    cJSON_AddBoolToObject(row, "saturated", c->saturated);
    cJSON_AddBoolToObject(row, "correlated", c->correlated);
    cJSON_AddStringToObject(row, "verdict", swq_verdict_text(c->verdict));
    cJSON_AddBoolToObject(row, "agrees", c->verdict == SWQ_VERDICT_AGREES);
    cJSON_AddStringToObject(row, "note", c->reason ? c->reason : "");
    return row;
}

/* The highest saturation throughput of a table with a hot spot, which a bound limits. */
static const swq_paper_cell *highest(const outcome *o)
{
    const swq_paper_cell *best = NULL;

    for (int c = 0; c < o->cells; c++) {
        const swq_paper_cell *cell = &o->cell[c];
        if (cell->quantity == SWQ_QUANTITY_THROUGHPUT && isfinite(cell->computed.half_width) &&
            (!best || cell->computed.mean > best->computed.mean))
            best = cell;
    }
    return o->table->hot_fraction > 0 ? best : NULL;
}

/* Two half-widths are four standard deviations: a bound that is reached must not fail by chance. */
static bool bound_holds(const outcome *o)
{
    const swq_paper_cell *c = highest(o);

    return !c || c->computed.mean - 2 * c->computed.half_width <=
                     swq_hot_spot_bound(o->table->hot_fraction, NODES);
}

static cJSON *json_of(const outcome *o)
{
    cJSON *tree = cJSON_CreateObject();
    const swq_paper_cell *most = highest(o);

    cJSON_AddStringToObject(tree, "schema", "switchq/table/1");
    cJSON_AddStringToObject(tree, "table", o->table->name);
    cJSON_AddStringToObject(tree, "source", "G. L. Frazier, dissertation, UCLA 1995");
    cJSON_AddStringToObject(tree, "title", o->table->title);
    cJSON_AddStringToObject(tree, "rule", swq_paper_rule);
    cJSON_AddStringToObject(tree, "model", o->table->model);
    cJSON_AddStringToObject(tree, "arbiter", o->options.arbiter->name);
    cJSON_AddStringToObject(tree, "pool_rule", cli_pool_rule_words[o->options.pool_rule]);
    cJSON_AddNumberToObject(tree, "stale", o->options.stale);
    cJSON_AddNumberToObject(tree, "seed", (double)o->options.seed);
    cJSON_AddNumberToObject(tree, "cycles", (double)o->options.cycles);
    cJSON *rows = cJSON_AddArrayToObject(tree, "rows");
    for (int c = 0; c < o->cells; c++)
        cJSON_AddItemToArray(rows, json_of_cell(o, &o->cell[c]));
    if (most) {
        cJSON *bound = cJSON_AddObjectToObject(tree, "hot_spot_bound");
        cli_json_number(bound, "bound", swq_hot_spot_bound(o->table->hot_fraction, NODES));
        cli_json_number(bound, "highest", most->computed.mean);
        cli_json_number(bound, "half_width", most->computed.half_width);
        cJSON_AddBoolToObject(bound, "holds", bound_holds(o));
    }
    cJSON_AddNumberToObject(tree, "agree", o->count[SWQ_VERDICT_AGREES]);
    cJSON_AddNumberToObject(tree, "differ", o->count[SWQ_VERDICT_DIFFERS]);
    cJSON_AddNumberToObject(tree, "known", o->count[SWQ_VERDICT_KNOWN]);
    cJSON_AddNumberToObject(tree, "misprints", o->count[SWQ_VERDICT_MISPRINT]);
    cJSON_AddNumberToObject(tree, "not_comparable", o->count[SWQ_VERDICT_NOT_COMPARABLE]);
    cJSON_AddNumberToObject(tree, "not_run", o->count[SWQ_VERDICT_NOT_RUN]);
    cJSON_AddBoolToObject(tree, "interrupted", o->interrupted);
    return tree;
}

/* ---- CSV ---- */

static void print_csv(const outcome *o)
{
    puts("buffer,slots,quantity,at,at_value,paper,paper_unit,computed,half_width,resent,"
         "resent_half_width,allowed,knee,load,saturated,correlated,verdict,note");
    for (int k = 0; k < o->cells; k++) {
        const swq_paper_cell *c = &o->cell[k];
        printf("%s,%d,%s,%s,%.2f,%s,%s,%.9g,%.3g,%.9g,%.3g,%.4g,%d,%.9g,%d,%d,%s,\"%s\"\n",
               c->row->buffer, c->row->slots, quantities[c->quantity].key,
               held_words[c->column->held], c->column->at, c->printed, quantities[c->quantity].unit,
               c->computed.mean, c->computed.half_width, c->resent.mean, c->resent.half_width,
               c->allowed, c->knee, c->load, c->saturated, c->correlated,
               swq_verdict_text(c->verdict), c->reason ? c->reason : "");
    }
}

/* ---- text ---- */

/* Said before anything is simulated. */
static void print_head(const swq_paper_table *table, const swq_paper_options *o)
{
    char text[1600], stale[40] = "";

    snprintf(text, sizeof text, "Table %s (Frazier 1995): %s", table->name, table->title);
    cli_print_wrapped(text, 2);
    if (o->stale)
        snprintf(stale, sizeof stale, ", stale after %d", o->stale);
    snprintf(text, sizeof text, "Model: %s; arbiter %s%s; pool rule %s (cbda)", table->model,
             o->arbiter->name, stale, cli_pool_rule_words[o->pool_rule]);
    cli_print_wrapped(text, 2);
    snprintf(text, sizeof text, "Runs: %llu cycles behind an automatic warm-up, seed %llu",
             (unsigned long long)o->cycles, (unsigned long long)o->seed);
    cli_print_wrapped(text, 2);
    snprintf(text, sizeof text, "Rule: %s.", swq_paper_rule);
    cli_print_wrapped(text, 2);
    if (table->resent)
        cli_print_wrapped(
            "Rows 'resent': a discarded packet returns to its source and is sent again, as "
            "the text says; the load is that of new packets, and percentages are of all "
            "that is sent. Not judged",
            2);
    putchar('\n');
    fflush(stdout);
}

static int width_of(const swq_paper_table *table)
{
    return table->columns > 7 ? 9 : 11;
}

static void print_value(const swq_paper_cell *c, double value, const char *marks, int width)
{
    char text[40];

    if (isfinite(value))
        snprintf(text, sizeof text, "%.*f", quantities[c->quantity].decimals,
                 quantities[c->quantity].scale * value);
    else
        snprintf(text, sizeof text, "%s", isnan(value) ? "" : "inf");
    printf("%*s%-2s", width - 2, text, marks);
}

static void print_marked(const swq_paper_cell *c, int width)
{
    char marks[3] = {verdict_marks[c->verdict], ' ', '\0'};

    if (c->saturated && strcmp(c->printed, "Sat.") == 0) {
        printf("%*s%-2s", width - 2, "Sat.", marks);
        return;
    }
    if (c->saturated || c->correlated)
        marks[marks[0] == ' ' ? 0 : 1] = c->saturated ? 's' : 'c';
    print_value(c, c->computed.mean, marks, width);
}

static void print_row(const outcome *o, int row)
{
    const swq_paper_cell *c = o->cell + row * o->table->columns;
    int columns = o->table->columns, width = width_of(o->table);
    bool apart = o->table->per_node; /* several quantities: say which */
    bool again = row > 0 && c[-1].row->slots == c->row->slots &&
                 strcmp(c[-1].row->buffer, c->row->buffer) == 0;
    char name[16] = "", label[24] = "";

    if (!again) {
        cli_capitals(c->row->buffer, name, sizeof name);
        snprintf(label, sizeof label, "%-4s %2d", name, c->row->slots);
    }
    printf("%-7s%4s %7s", label, apart ? quantities[c->quantity].label : "", "printed");
    for (int k = 0; k < columns; k++)
        printf("%*s  ", width - 2, c[k].printed);
    printf("\n%19s", o->table->resent ? "lost" : "simulated");
    for (int k = 0; k < columns; k++)
        print_marked(&c[k], width);
    printf("\n%19s", "+-");
    for (int k = 0; k < columns; k++) {
        bool none = c[k].saturated && strcmp(c[k].printed, "Sat.") == 0;
        print_value(&c[k], none ? NAN : c[k].computed.half_width, "", width);
    }
    if (o->table->resent) {
        printf("\n%19s", "resent");
        for (int k = 0; k < columns; k++)
            print_value(&c[k], c[k].resent.mean, "", width);
    }
    putchar('\n');
}

/* Cells with a reason, those with the same one together. */
static void print_reasons(const outcome *o)
{
    for (int k = 0; k < o->cells; k++) {
        const swq_paper_cell *c = &o->cell[k];
        char text[1200], name[16];
        bool listed = c->verdict == SWQ_VERDICT_KNOWN || c->verdict == SWQ_VERDICT_MISPRINT;
        for (int before = 0; before < k && listed; before++)
            listed = o->cell[before].reason != c->reason;
        if (!listed)
            continue;
        int length = snprintf(text, sizeof text, "%c", verdict_marks[c->verdict]);
        for (int also = k, row = -1; also < o->cells; also++) {
            const swq_paper_cell *a = &o->cell[also];
            if (a->reason != c->reason || length > 500)
                continue;
            cli_capitals(a->row->buffer, name, sizeof name);
            if (also / o->table->columns != row)
                length +=
                    snprintf(text + length, sizeof text - (size_t)length, "%s %s %d %s",
                             row >= 0 ? ";" : "", name, a->row->slots, quantities[a->quantity].key);
            length +=
                snprintf(text + length, sizeof text - (size_t)length, ", %s", a->column->heading);
            row = also / o->table->columns;
        }
        snprintf(text + length, sizeof text - (size_t)length, ": %s.", c->reason);
        cli_print_wrapped(text, 2);
    }
}

static void print_legend(const outcome *o)
{
    bool saturated = false, correlated = false;

    for (int k = 0; k < o->cells; k++) {
        const swq_paper_cell *c = &o->cell[k];
        bool shown = !c->saturated || strcmp(c->printed, "Sat.") != 0;
        saturated = saturated || (shown && c->saturated);
        correlated = correlated || (shown && !c->saturated && c->correlated);
    }
    if (saturated)
        puts("s: full load does not deliver that throughput; measured at full load.");
    if (correlated)
        puts("c: too few cycles for independent batches, so the interval is too narrow.");
}

/* How many cells came to each verdict. */
static void print_counts(const outcome *o)
{
    static const struct {
        swq_verdict verdict;
        const char *words;
    } rest[] = {
        {SWQ_VERDICT_KNOWN, "differ as known (k)"},
        {SWQ_VERDICT_MISPRINT, "misprinted (m)"},
        {SWQ_VERDICT_NOT_COMPARABLE, "not comparable (-)"},
        {SWQ_VERDICT_NOT_RUN, "not run or too short (?)"},
    };
    char text[300];
    int length = snprintf(text, sizeof text, "%d of %d cells agree; %d differ (*)",
                          o->count[SWQ_VERDICT_AGREES], o->cells, o->count[SWQ_VERDICT_DIFFERS]);

    for (size_t k = 0; k < sizeof rest / sizeof *rest; k++) {
        if (o->count[rest[k].verdict])
            length += snprintf(text + length, sizeof text - (size_t)length, "; %d %s",
                               o->count[rest[k].verdict], rest[k].words);
    }
    snprintf(text + length, sizeof text - (size_t)length, ".");
    putchar('\n');
    cli_print_wrapped(text, 2);
}

static void print_text(const outcome *o)
{
    const swq_paper_cell *most = highest(o);
    char text[200];

    printf("%-19s", "buffer, slots");
    for (int k = 0; k < o->table->columns; k++)
        printf("%*s  ", width_of(o->table) - 2, o->table->column[k].heading);
    putchar('\n');
    for (int row = 0; row < o->table->rows; row++)
        print_row(o, row);
    print_counts(o);
    print_legend(o);
    print_reasons(o);
    if (most) {
        snprintf(text, sizeof text,
                 "Hot-spot bound on throughput: %.6f; highest simulated %.4f +- %.4f: %s",
                 swq_hot_spot_bound(o->table->hot_fraction, NODES), most->computed.mean,
                 most->computed.half_width,
                 bound_holds(o) ? "not above, by two half-widths" : "ABOVE");
        cli_print_wrapped(text, 2);
    }
    if (o->interrupted)
        puts("CUT SHORT: interrupted before all was simulated.");
}

/* ---- plot ---- */

static bool on_curve(const swq_paper_table *table, const swq_paper_cell *c)
{
    bool right =
        table->per_node ? c->quantity == SWQ_QUANTITY_P99 : c->quantity != SWQ_QUANTITY_THROUGHPUT;

    return right && !c->saturated && c->computed.mean > 0;
}

static swq_status draw(swq_context *ctx, const outcome *o)
{
    enum { MOST_ROWS = 32 };
    static swq_curve curve[MOST_ROWS];
    static double x[MOST_ROWS][SWQ_PAPER_COLUMNS], y[MOST_ROWS][SWQ_PAPER_COLUMNS];
    const swq_paper_table *t = o->table;
    bool discards = t->flow == SWQ_DISCARD;
    char title[160], name[16];
    size_t curves = 0;
    int colour = 0, mark = 0;

    for (int row = 0; row < t->rows && curves < MOST_ROWS; row++) {
        const swq_paper_cell *c = o->cell + row * t->columns;
        swq_curve *this = &curve[curves];
        size_t points = 0;
        bool next = row > 0 && strcmp(c->row->buffer, c[-1].row->buffer) != 0;
        colour += next;
        mark = next ? 0 : mark;
        for (int k = 0; k < t->columns; k++) {
            if (!on_curve(t, &c[k]))
                continue;
            /* latency at full load stands over the throughput there, the next column */
            bool full = c[k].column->held == SWQ_HELD_FULL_LOAD;
            x[curves][points] = full ? c[k + 1].computed.mean : c[k].column->at;
            y[curves][points++] = quantities[c[k].quantity].scale * c[k].computed.mean;
        }
        if (points == 0)
            continue;
        cli_capitals(c->row->buffer, name, sizeof name);
        *this = (swq_curve){
            .x = x[curves], .y = y[curves], .points = points, .colour = colour, .mark = mark};
        mark++;
        snprintf(this->name, sizeof this->name, "%s %d", name, c->row->slots);
        curves++;
    }
    snprintf(title, sizeof title, "%s (Table %s, simulated)",
             discards      ? "Packets discarded, 64x64 omega network"
             : t->per_node ? "99th percentile of latency, 64x64 omega network"
                           : "Latency, 64x64 omega network",
             t->name);
    swq_plot plot = {.title = title,
                     .x_label = discards ? "load (packets per cycle and source)"
                                         : "throughput (packets per cycle and node)",
                     .y_label = discards ? "discarded (percent)" : "latency (cycles)",
                     .log_y = true,
                     .y_least = discards ? 1e-3 : 3,
                     .y_most = 50,
                     .curve = curve,
                     .curves = curves};
    return swq_plot_write(ctx, &plot, cli_table_given.plot);
}

/* ---- the command ---- */

static swq_status read_options(swq_context *ctx, const swq_paper_table *table, swq_paper_options *o)
{
    int pool_rule, cycles = 0;

    *o = swq_paper_defaults();
    pool_rule = o->pool_rule;
    swq_status status = cli_table_rules(ctx, &o->arbiter, &pool_rule);
    o->pool_rule = (swq_pool_rule)pool_rule;
    if (!status && cli_table_given.quick && cli_table_given.cycles)
        status = swq_fail(ctx, SWQ_EINVAL, "--quick and --cycles cannot both be given");
    if (!status && cli_table_given.cycles)
        status =
            cli_integer(ctx, "cycles", cli_table_given.cycles, LEAST_CYCLES, 1000000000, &cycles);
    if (table->per_node)
        o->cycles = cli_table_given.quick ? QUICK_PERCENTILES : PERCENTILES;
    else if (cli_table_given.quick)
        o->cycles = QUICK_CYCLES;
    if (cycles)
        o->cycles = (uint64_t)cycles;
    if (!status)
        status = cli_table_seed(ctx, 999999999999999, &o->seed);
    if (!status)
        status = cli_table_threads(ctx, &o->threads);
    if (!status && cli_table_given.stale)
        status = cli_integer(ctx, "stale", cli_table_given.stale, 0, 1000000, &o->stale);
    return status ? status : cli_memory_read(ctx);
}

static swq_status print(swq_context *ctx, const outcome *o)
{
    cli_clear_progress();
    if (cli_table_given.json)
        return cli_json_print(ctx, json_of(o));
    if (cli_table_given.csv)
        print_csv(o);
    else
        print_text(o);
    return cli_flush(ctx);
}

int cli_table_simulated(swq_context *ctx, const swq_paper_table *table)
{
    outcome o = {.table = table, .cells = swq_paper_cells(table)};
    swq_status status = read_options(ctx, table, &o.options);
    if (status)
        return cli_fail(ctx, status);
    o.cell = calloc((size_t)o.cells, sizeof *o.cell);
    if (!o.cell)
        return cli_fail(ctx, swq_fail(ctx, SWQ_ENOMEM, "no memory for the table's cells"));
    if (!cli_table_given.json && !cli_table_given.csv)
        print_head(table, &o.options);
    status = swq_paper_run(ctx, table, &o.options, o.cell, o.count);
    o.interrupted = status == SWQ_ECANCELLED;
    if (!status || o.interrupted)
        status = print(ctx, &o);
    if (!status && cli_table_given.plot && !o.interrupted)
        status = draw(ctx, &o);
    /* under other rules than the print's, differences are what was asked for */
    bool differs = o.count[SWQ_VERDICT_DIFFERS] > 0 && swq_paper_as_printed(&o.options);
    bool failed = !status && (o.interrupted || differs || !bound_holds(&o));
    free(o.cell);
    if (status)
        return cli_fail(ctx, status);
    return failed ? CLI_FAILED : CLI_OK;
}
