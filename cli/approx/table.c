/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq approx --table: printed, simulated and approximated, side by side.
 */
#include "cli/tables/table.h"
#include "base/context.h"
#include "base/plot.h"
#include "cli/approx/approx.h"
#include "cli/options/parse.h"
#include "cli/print/words.h"
#include "cli/spec/switch.h"

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
} approx_table_run;

/* ---- the record ---- */

static const char *const quantity_keys[] = {"", "discarded", "throughput", "latency", "p99", "max"};

static void show_value(cli_record *row, const char *line, const swq_paper_cell *cell, double value,
                       bool saturated)
{
    const bool percent = cell->quantity == SWQ_QUANTITY_DISCARDED;
    const int decimals = percent ? 2 : cell->quantity == SWQ_QUANTITY_THROUGHPUT ? 4 : 3;

    if (saturated)
        cli_show(row, line, "Sat. ");
    else if (isfinite(value))
        cli_show(row, line, "%.*f ", decimals, (percent ? 100 : 1) * value);
    else
        cli_show(row, line, "- ");
}

static void put_cell(cli_record *rows, const swq_paper_cell *cell, const swq_paper_approximation *a)
{
    char heading[24];

    snprintf(heading, sizeof heading, "%s ", cell->column->heading);
    cli_record *row = cli_table_cell(rows, heading, cell->row->buffer, cell->row->slots);
    cli_put_word(row, "quantity", quantity_keys[cell->quantity]);
    cli_put_word(row, "at", cell->column->heading);
    cli_put_word(row, "paper", cell->printed);
    cli_put_number(row, "simulated", cell->computed.mean);
    cli_put_number(row, "half_width", cell->computed.half_width);
    cli_put_truth(row, "simulated_saturated", cell->saturated);
    cli_put_number(row, "approximated", a->value);
    cli_put_truth(row, "saturated", a->saturated);
    cli_put_number(row, "load", a->load);
    cli_put_number(row, "off_by", a->off);
    cli_put_truth(row, "judged", a->judged);
    cli_put_truth(row, "within", a->within);
    cli_put_number(row, "cpu_seconds", a->cpu_seconds);
    cli_show(row, "printed", "%s ", cell->printed);
    show_value(row, "simulated", cell, cell->computed.mean, cell->saturated);
    show_value(row, "approx.", cell, a->value, a->saturated);
    if (isfinite(a->off))
        cli_show(row, "off %", "%+.2f%c", 100 * a->off, !a->judged ? ' ' : a->within ? '.' : '*');
    else
        cli_show(row, "off %", "%s", "");
}

static void say_head(cli_record *root, const approx_table_run *o)
{
    assert(o->options.arbiter);
    cli_tell(root, 2, "Table %s (Frazier 1995), approximated: %s", o->table.name, o->table.title);
    cli_tell(root, 2, "Model: %s; arbiter %s", o->table.model, o->options.arbiter->name);
    cli_tell(root, 2, "Simulations: %llu cycles behind an automatic warm-up, seed %llu",
             (unsigned long long)o->options.cycles, (unsigned long long)o->options.seed);
    cli_tell(root, 2, "Rule: %s.\n", swq_paper_approximation_rule);
}

static cli_record *record_of(const approx_table_run *o)
{
    cli_record *root = cli_in_words(cli_record_new("switchq/approx-table/1"));
    double cpu = 0, most = 0;

    cli_put_word(root, "table", o->table.name);
    cli_not_in_csv(cli_put_word(root, "rule", swq_paper_approximation_rule));
    cli_put_count(root, "cycles", o->options.cycles);
    cli_put_count(root, "seed", o->options.seed);
    cli_record *rows = cli_as_grid(cli_put_points(root, "rows"), "buffer, slots", o->table.columns);
    for (int c = 0; c < o->cells; c++) {
        put_cell(rows, &o->cell[c], &o->value[c]);
        cpu += o->value[c].cpu_seconds;
        most = fmax(most, o->value[c].cpu_seconds);
    }
    cli_put_count(root, "cells_judged", (uint64_t)o->judged);
    cli_put_count(root, "cells_within", (uint64_t)o->within);
    cli_say(root, "%s", "");
    cli_tell(root, 2,
             "%d of %d judged cells are within (.), %d are not (*); the rest is shown only. CPU "
             "time of one approximation: mean %.3g s, most %.3g s.",
             o->within, o->judged, o->judged - o->within, cpu / o->cells, most);
    return root;
}

/* ---- plot: a panel for each kind of buffer, approximated curves and simulated marks ---- */

/* The points of a row. Latency is drawn over throughput, which at full load is the next column;
 * discards are drawn over load. */
static void draw_points(const approx_table_run *o, int first, bool simulated, cli_drawing *d)
{
    const bool discards = o->table.flow == SWQ_DISCARD;

    for (int k = first; k < first + o->table.columns; k++) {
        const swq_paper_cell *cell = &o->cell[k];
        const bool full = cell->column->held == SWQ_HELD_FULL_LOAD;
        const double y = simulated ? cell->computed.mean : o->value[k].value;
        double x = cell->column->at;
        if (cell->quantity == SWQ_QUANTITY_THROUGHPUT || !(y > 0) || (simulated && cell->saturated))
            continue;
        if (full)
            x = simulated ? cell[1].computed.mean : o->value[k + 1].value;
        cli_draw_point(d, x, (discards ? 100 : 1) * y, 0);
    }
}

/* A curve for each row, and the simulated points of all rows as one curve. */
static void draw_panel(const approx_table_run *o, int first, int rows, cli_drawing *d)
{
    const int columns = o->table.columns;
    const bool discards = o->table.flow == SWQ_DISCARD;
    const swq_plot like = {.x_label = discards ? "load (packets per cycle and source)"
                                               : "throughput (packets per cycle and node)",
                           .y_label = discards ? "discarded (percent)" : "latency (cycles)",
                           .log_y = true,
                           .x_most = o->table.hot_fraction > 0 ? 0.3 : 1,
                           .y_least = discards ? 1e-3 : 3,
                           .y_most = 50};
    char name[16];

    cli_capitals(o->cell[first].row->buffer, name, sizeof name);
    cli_draw_panel(d, &like, "%s: lines approximated, marks simulated", name);
    for (int r = 0; r < rows; r++) {
        cli_draw_curve(d, "%s %d", name, o->cell[first + r * columns].row->slots);
        draw_points(o, first + r * columns, false, d);
    }
    cli_draw_curve(d, "simulated")->printed = true;
    for (int r = 0; r < rows; r++)
        draw_points(o, first + r * columns, true, d);
}

static swq_status draw(swq_context *ctx, const approx_table_run *o)
{
    const int columns = o->table.columns;
    cli_drawing d = {0};

    for (int c = 0, rows; c < o->cells; c += rows * columns) {
        for (rows = 1; c + rows * columns < o->cells; rows++) {
            if (strcmp(o->cell[c].row->buffer, o->cell[c + rows * columns].row->buffer) != 0)
                break;
        }
        draw_panel(o, c, rows, &d);
    }
    return cli_draw(ctx, &d, o->given->plot);
}

/* ---- the command ---- */

static swq_status find(swq_context *ctx, approx_table_run *o)
{
    const swq_paper_table *table = swq_paper_table_find(o->given->name);

    if (!table || table->per_node)
        return swq_fail(ctx, SWQ_EINVAL, "--table must be 4.2, 4.3 or 4.4, not '%.60s'",
                        o->given->name);
    o->table = *table;
    o->table.resent = false; /* no approximation could be compared with resending */
    if (o->given->plot && cli_plot_check(ctx, o->given->plot))
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
    approx_table_run o = {.given = given};
    int count[SWQ_VERDICTS];
    swq_status status = find(ctx, &o);

    if (!status && given->format == CLI_TEXT) {
        cli_record *head = cli_record_new("");
        say_head(head, &o);
        status = cli_record_print(ctx, head, CLI_TEXT);
    }
    if (!status)
        status = swq_paper_run(ctx, &o.table, &o.options, o.cell, count);
    if (!status)
        status = swq_paper_approximate(ctx, &o.table, &o.options, given->method, o.cell, o.value,
                                       &o.judged, &o.within);
    if (!status)
        status = cli_record_print(ctx, record_of(&o), given->format);
    if (!status && given->plot)
        status = draw(ctx, &o);
    free(o.cell);
    free(o.value);
    if (status)
        return cli_fail(ctx, status);
    return o.within < o.judged ? CLI_FAILED : CLI_OK;
}
