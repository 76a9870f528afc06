/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq approx --table: printed, simulated and approximated, side by side.
 * Room: cli.
 */
#include "base/context.h"
#include "base/plot.h"
#include "cli/approx.h"
#include "cli/table.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const cli_approx_table *given;
    swq_paper_table table;
    swq_paper_options options;
    swq_paper_cell *cell;           /* [cells] */
    swq_paper_approximation *value; /* [cells] */
    int cells, judged, within;
} outcome;

/* ---- text ---- */

static void print_value(const outcome *o, int c, double value, bool saturated)
{
    const swq_paper_cell *cell = &o->cell[c];
    bool percent = cell->quantity == SWQ_QUANTITY_DISCARDED;
    int decimals = percent ? 2 : cell->quantity == SWQ_QUANTITY_THROUGHPUT ? 4 : 3;

    if (saturated)
        printf("%9s", "Sat.");
    else if (isfinite(value))
        printf("%9.*f", decimals, (percent ? 100 : 1) * value);
    else
        printf("%9s", "-");
}

static void print_row(const outcome *o, int first)
{
    static const char *const names[] = {"printed", "simulated", "approx.", "off %"};
    const swq_paper_row *row = o->cell[first].row;
    char name[16];

    cli_capitals(row->buffer, name, sizeof name);
    for (int line = 0; line < 4; line++) {
        if (line)
            printf("%-7s", "");
        else
            printf("%-4s %2d", name, row->slots);
        printf(" %9s", names[line]);
        for (int c = first; c < first + o->table.columns; c++) {
            const swq_paper_cell *cell = &o->cell[c];
            const swq_paper_approximation *a = &o->value[c];
            char mark = ' ';
            if (line == 0)
                printf("%9s", cell->printed);
            else if (line == 1)
                print_value(o, c, cell->computed.mean, cell->saturated);
            else if (line == 2)
                print_value(o, c, a->value, a->saturated);
            else if (isfinite(a->off)) {
                printf("%+9.2f", 100 * a->off);
                mark = !a->judged ? ' ' : a->within ? '.' : '*';
            } else
                printf("%9s", "");
            putchar(mark);
        }
        putchar('\n');
    }
}

static void print_text(const outcome *o)
{
    char text[1200];
    double cpu = 0, most = 0;

    printf("%-7s %9s", "", "");
    for (int k = 0; k < o->table.columns; k++)
        printf("%9s ", o->table.column[k].heading);
    putchar('\n');
    for (int c = 0; c < o->cells; c += o->table.columns)
        print_row(o, c);
    for (int c = 0; c < o->cells; c++) {
        cpu += o->value[c].cpu_seconds;
        most = fmax(most, o->value[c].cpu_seconds);
    }
    snprintf(text, sizeof text,
             "%d of %d judged cells are within (.), %d are not (*); the rest is shown only. CPU "
             "time of one approximation: mean %.3g s, most %.3g s.",
             o->within, o->judged, o->judged - o->within, cpu / o->cells, most);
    putchar('\n');
    cli_print_wrapped(text, 2);
}

static void print_head(const outcome *o)
{
    char text[1600];

    assert(o->options.arbiter);
    snprintf(text, sizeof text, "Table %s (Frazier 1995), approximated: %s", o->table.name,
             o->table.title);
    cli_print_wrapped(text, 2);
    snprintf(text, sizeof text, "Model: %s; arbiter %s", o->table.model, o->options.arbiter->name);
    cli_print_wrapped(text, 2);
    snprintf(text, sizeof text, "Simulations: %llu cycles behind an automatic warm-up, seed %llu",
             (unsigned long long)o->options.cycles, (unsigned long long)o->options.seed);
    cli_print_wrapped(text, 2);
    snprintf(text, sizeof text, "Rule: %s.", swq_paper_approximation_rule);
    cli_print_wrapped(text, 2);
    putchar('\n');
    fflush(stdout);
}

/* ---- JSON and CSV ---- */

static const char *const quantity_keys[] = {"", "discarded", "throughput", "latency", "p99", "max"};

static swq_status print_json(swq_context *ctx, const outcome *o)
{
    cJSON *tree = cJSON_CreateObject();

    cJSON_AddStringToObject(tree, "schema", "switchq/approx-table/1");
    cJSON_AddStringToObject(tree, "table", o->table.name);
    cJSON_AddStringToObject(tree, "rule", swq_paper_approximation_rule);
    cJSON_AddNumberToObject(tree, "cycles", (double)o->options.cycles);
    cJSON_AddNumberToObject(tree, "seed", (double)o->options.seed);
    cJSON *rows = cJSON_AddArrayToObject(tree, "rows");
    for (int c = 0; c < o->cells; c++) {
        const swq_paper_cell *cell = &o->cell[c];
        const swq_paper_approximation *a = &o->value[c];
        cJSON *row = cJSON_CreateObject();
        cJSON_AddItemToArray(rows, row);
        cJSON_AddStringToObject(row, "buffer", cell->row->buffer);
        cJSON_AddNumberToObject(row, "slots", cell->row->slots);
        cJSON_AddStringToObject(row, "quantity", quantity_keys[cell->quantity]);
        cJSON_AddStringToObject(row, "at", cell->column->heading);
        cJSON_AddStringToObject(row, "paper", cell->printed);
        cli_json_number(row, "simulated", cell->computed.mean);
        cli_json_number(row, "half_width", cell->computed.half_width);
        cJSON_AddBoolToObject(row, "simulated_saturated", cell->saturated);
        cli_json_number(row, "approximated", a->value);
        cJSON_AddBoolToObject(row, "saturated", a->saturated);
        cli_json_number(row, "load", a->load);
        cli_json_number(row, "off_by", a->off);
        cJSON_AddBoolToObject(row, "judged", a->judged);
        cJSON_AddBoolToObject(row, "within", a->within);
        cli_json_number(row, "cpu_seconds", a->cpu_seconds);
    }
    cJSON_AddNumberToObject(tree, "judged", o->judged);
    cJSON_AddNumberToObject(tree, "within", o->within);
    return cli_json_print(ctx, tree);
}

static void print_csv(const outcome *o)
{
    puts("buffer,slots,quantity,at,paper,simulated,half_width,approximated,off_by,judged,within");
    for (int c = 0; c < o->cells; c++) {
        const swq_paper_cell *cell = &o->cell[c];
        const swq_paper_approximation *a = &o->value[c];
        printf("%s,%d,%s,%s,%s", cell->row->buffer, cell->row->slots, quantity_keys[cell->quantity],
               cell->column->heading, cell->printed);
        cli_csv_number(cell->computed.mean);
        cli_csv_number(cell->computed.half_width);
        cli_csv_number(a->value);
        cli_csv_number(a->off);
        printf(",%d,%d\n", a->judged, a->within);
    }
}

/* ---- plot: a panel for each kind of buffer, approximated lines under simulated marks ---- */

enum { MOST_PANELS = 8, MOST_CURVES = 32, MOST_MARKS = 16 * SWQ_PAPER_COLUMNS };

typedef struct {
    swq_curve curve[MOST_CURVES];
    double x[MOST_CURVES][MOST_MARKS], y[MOST_CURVES][MOST_MARKS];
    swq_plot plot[MOST_PANELS];
    char title[MOST_PANELS][80];
    size_t curves, panels;
} drawing;

/* A row's points behind those that the curve has. Latency stands over throughput, which at full
 * load is the next column; discards over load. */
static void add_points(const outcome *o, int first, bool simulated, drawing *d, size_t curve)
{
    swq_curve *c = &d->curve[curve];
    bool discards = o->table.flow == SWQ_DISCARD;

    for (int k = first; k < first + o->table.columns && c->points < MOST_MARKS; k++) {
        const swq_paper_cell *cell = &o->cell[k];
        bool full = cell->column->held == SWQ_HELD_FULL_LOAD;
        double x = cell->column->at, y = simulated ? cell->computed.mean : o->value[k].value;
        if (cell->quantity == SWQ_QUANTITY_THROUGHPUT || !(y > 0) || (simulated && cell->saturated))
            continue;
        if (full)
            x = simulated ? o->cell[k + 1].computed.mean : o->value[k + 1].value;
        d->x[curve][c->points] = x;
        d->y[curve][c->points++] = (discards ? 100 : 1) * y;
    }
}

static void begin_curve(drawing *d, swq_curve with)
{
    with.x = d->x[d->curves];
    with.y = d->y[d->curves];
    d->curve[d->curves] = with;
}

static void end_curve(drawing *d)
{
    if (d->curve[d->curves].points > 0 && d->curves + 1 < MOST_CURVES)
        d->curves++;
}

/* A curve for each row, and the simulated points of all as one. */
static void add_panel(const outcome *o, int first, int rows, drawing *d)
{
    bool discards = o->table.flow == SWQ_DISCARD;
    size_t curves = d->curves;
    char name[16];

    if (d->panels == MOST_PANELS)
        return;
    cli_capitals(o->cell[first].row->buffer, name, sizeof name);
    for (int r = 0; r < rows; r++) {
        begin_curve(d, (swq_curve){.colour = r});
        snprintf(d->curve[d->curves].name, sizeof d->curve->name, "%s %d", name,
                 o->cell[first + r * o->table.columns].row->slots);
        add_points(o, first + r * o->table.columns, false, d, d->curves);
        end_curve(d);
    }
    begin_curve(d, (swq_curve){.name = "simulated", .printed = true});
    for (int r = 0; r < rows; r++)
        add_points(o, first + r * o->table.columns, true, d, d->curves);
    end_curve(d);
    if (d->curves == curves)
        return;
    snprintf(d->title[d->panels], sizeof *d->title, "%s: lines approximated, marks simulated",
             name);
    d->plot[d->panels] = (swq_plot){
        .title = d->title[d->panels],
        .x_label = discards ? "load (packets per cycle and source)"
                            : "throughput (packets per cycle and node)",
        .y_label = discards ? "discarded (percent)" : "latency (cycles)",
        .log_y = true,
        .x_most = o->table.hot_fraction > 0 ? 0.3 : 1,
        .y_least = discards ? 1e-3 : 3,
        .y_most = 50,
        .curve = d->curve + curves,
        .curves = d->curves - curves,
    };
    d->panels++;
}

static swq_status draw(swq_context *ctx, const outcome *o)
{
    static drawing d;
    int columns = o->table.columns;

    d.curves = d.panels = 0;
    for (int c = 0, rows; c < o->cells; c += rows * columns) {
        for (rows = 1; c + rows * columns < o->cells; rows++) {
            if (strcmp(o->cell[c].row->buffer, o->cell[c + rows * columns].row->buffer) != 0)
                break;
        }
        add_panel(o, c, rows, &d);
    }
    return swq_plot_write_panels(ctx, d.plot, d.panels, o->given->plot);
}

/* ---- the command ---- */

static swq_status find(swq_context *ctx, outcome *o)
{
    const swq_paper_table *table = swq_paper_table_find(o->given->name);

    if (!table || table->per_node)
        return swq_fail(ctx, SWQ_EINVAL, "--table must be 4.2, 4.3 or 4.4, not '%.60s'",
                        o->given->name);
    o->table = *table;
    o->table.resent = false; /* nothing is approximated that they could be held against */
    if (o->given->plot && swq_plot_check(ctx, o->given->plot))
        return SWQ_EINVAL;
    o->options = swq_paper_defaults();
    o->options.cycles = o->given->runs.cycles;
    o->options.seed = o->given->runs.seed;
    o->options.threads = o->given->runs.threads;
    o->cells = swq_paper_cells(&o->table);
    o->cell = calloc((size_t)o->cells, sizeof *o->cell);
    o->value = calloc((size_t)o->cells, sizeof *o->value);
    if (!o->cell || !o->value)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for the table's cells");
    return cli_memory_read(ctx);
}

int cli_approx_as_printed(swq_context *ctx, const cli_approx_table *given)
{
    outcome o = {.given = given};
    int count[SWQ_VERDICTS];
    swq_status status = find(ctx, &o);

    if (!status && !given->json && !given->csv)
        print_head(&o);
    if (!status)
        status = swq_paper_run(ctx, &o.table, &o.options, o.cell, count);
    if (!status)
        status = swq_paper_approximate(ctx, &o.table, &o.options, given->method, o.cell, o.value,
                                       &o.judged, &o.within);
    cli_clear_progress();
    if (!status && given->json)
        status = print_json(ctx, &o);
    else if (!status && given->csv)
        print_csv(&o);
    else if (!status)
        print_text(&o);
    if (!status)
        status = cli_flush(ctx);
    if (!status && given->plot)
        status = draw(ctx, &o);
    free(o.cell);
    free(o.value);
    if (status)
        return cli_fail(ctx, status);
    return o.within < o.judged ? CLI_FAILED : CLI_OK;
}
