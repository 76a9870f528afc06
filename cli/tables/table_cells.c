/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq table NAME, or FILE.yaml: a table of which each cell is a run, with the values that its
 * file asks for.
 */
#include "base/context.h"
#include "cli/cli.h"
#include "cli/spec/async.h"
#include "cli/spec/network.h"
#include "cli/tables/table.h"
#include "validate/figures/grid.h"

#include <math.h>
#include <string.h>

enum { CYCLES = 100000, QUICK = 10000 };

/* "0.123+-0.004*"; "-" if there was no run, or the network deadlocked. */
static void show(cli_record *cell, swq_estimate e, bool best)
{
    if (isnan(e.mean))
        cli_show(cell, "", "  -  ");
    else
        cli_show(cell, "", "  %.3f+-%.3f%c", e.mean, e.half_width, best ? '*' : ' ');
}

/* A printed number, with its digits, and whether it agrees. */
static void put_printed(cli_record *cell, const figure_printed_row *p, swq_estimate found)
{
    char text[40];
    double allowed;
    const bool agrees = figure_grid_agrees(p, found, &allowed);

    snprintf(text, sizeof text, "%.*f", (int)lround(-log10(p->unit)), p->y);
    cli_put_word(cell, "paper", text);
    cli_put_number(cell, "allowed", allowed);
    cli_put_truth(cell, "agrees", agrees);
    cli_show(cell, "printed", "  %s%c", text, agrees ? ' ' : '!');
}

static const char *name_of(const figure_grid *g, int line)
{
    const figure_line *of = &g->kind->plan->line[line];

    return of->name ? of->name : of->id;
}

static int width_of(const figure_grid *g)
{
    const swq_figure_plan *plan = g->kind->plan;
    size_t most = 0;

    for (int k = 0; k < (plan->cells_down ? plan->xs : plan->lines); k++) {
        const size_t own = strlen(plan->cells_down ? plan->cell[k] : name_of(g, k));
        most = own > most ? own : most;
    }
    return (int)most;
}

/* An item of a grid, with the headings of its row and its column. */
static cli_record *item_of(cli_record *rows, const figure_grid *g, int line, int k)
{
    const swq_figure_plan *plan = g->kind->plan;
    const swq_figure_setting *of = figure_grid_setting(g, line, k);
    cli_record *item = cli_put_item(rows, plan->cells_down ? name_of(g, line) : plan->cell[k]);

    return plan->cells_down
               ? cli_titled(item, "%-*s", width_of(g) + 1, plan->cell[k])
               : cli_titled(item, "%3d  %-*s", of ? of->memory : 0, width_of(g), name_of(g, line));
}

static void put_cell(cli_record *rows, const figure_grid *g, int line, int k)
{
    const swq_figure_plan *plan = g->kind->plan;
    const swq_figure_setting *of = figure_grid_setting(g, line, k);
    cli_record *cell = item_of(rows, g, line, k);

    if (of && of->benchmark)
        cli_put_count(cell, "bytes", (uint64_t)of->memory);
    cli_put_word(cell, "contestant", name_of(g, line));
    if (of && of->benchmark) {
        cli_put_word(cell, "buffer", of->buffer);
        cli_put_word(cell, "flow", of->async.flow.row->name);
        cli_put_word(cell, "benchmark", of->benchmark);
    }
    /* some buffers cannot hold some packets */
    if (of && of->asynchronous)
        cli_put_async_of(cell, &of->async, of->buffer, of->memory, 1, of->benchmark);
    else if (of)
        cli_put_network_of(cell, &of->network, of->buffer, of->memory);
    for (int v = 0; v < plan->values; v++) {
        const figure_value_row *row = &plan->value[v];
        const size_t place = figure_grid_place(g, v, line, k);
        if (k >= row->first && k <= row->last && (!row->title || !isnan(g->value[place].mean)))
            cli_put_estimate(cell, row->key, g->value[place]);
    }
    for (int v = 0; v < plan->values; v++) {
        const figure_value_row *row = &plan->value[v];
        const size_t place = figure_grid_place(g, v, line, k);
        if (row->title || k < row->first || k > row->last)
            continue;
        cli_put_truth(cell, "winner", g->best[place]);
        show(cell, g->value[place], g->best[place]);
        if (figure_grid_printed(g, v, line, k))
            put_printed(cell, figure_grid_printed(g, v, line, k), g->value[place]);
    }
    cli_put_word(cell, "table_cell", plan->cell[k]);
}

/* Each pair of a line and a cell, row by row. */
static void each(cli_record *rows, const figure_grid *g, int first, int last, int value,
                 void (*put)(cli_record *rows, const figure_grid *g, int line, int k, int value))
{
    const swq_figure_plan *plan = g->kind->plan;
    const int down = plan->cells_down ? last - first + 1 : plan->lines,
              across = plan->cells_down ? plan->lines : last - first + 1;

    for (int n = 0; n < down * across; n++) {
        const int row = n / across, column = n % across;
        put(rows, g, plan->cells_down ? column : row, first + (plan->cells_down ? row : column),
            value);
    }
}

static void put_one(cli_record *rows, const figure_grid *g, int line, int k, int value)
{
    (void)value;
    put_cell(rows, g, line, k);
}

static void show_one(cli_record *rows, const figure_grid *g, int line, int k, int value)
{
    show(item_of(rows, g, line, k), g->value[figure_grid_place(g, value, line, k)], false);
}

/* A value with a title is in a grid of its own, in text alone. */
static void say_own_grid(cli_record *root, const figure_grid *g, int v)
{
    const swq_figure_plan *plan = g->kind->plan;
    const figure_value_row *row = &plan->value[v];
    const int columns = plan->cells_down ? plan->lines : row->last - row->first + 1;

    cli_say(root, "\n%s\n", row->title);
    cli_record *grid = cli_as_grid(cli_not_in_json(cli_not_in_csv(cli_put_points(root, row->key))),
                                   plan->heading, columns);
    each(grid, g, row->first, row->last, v, show_one);
}

static cli_record *record_of(const figure_grid *g)
{
    const swq_figure_plan *plan = g->kind->plan;
    const swq_figure_options *o = &g->figure.options;
    const double warmup =
        plan->run.warmup > 0 ? (double)o->cycles * plan->run.warmup : (double)plan->run.settle;
    cli_record *root = cli_table_record(g->kind->name, g->kind->source, plan->rule);

    cli_quietly(cli_put_count(root, "seed", o->seed));
    cli_quietly(cli_put_count(root, "cycles", o->cycles));
    if (warmup > 0) /* else each run has found its own */
        cli_quietly(cli_put_count(root, "warmup_cycles", (uint64_t)warmup));
    cli_say(root, "%s%s%s\n", plan->says ? plan->says : g->kind->title,
            *g->kind->setting ? "\n" : "", g->kind->setting);
    cli_record *rows = cli_as_grid(cli_put_points(root, "rows"), plan->heading,
                                   plan->cells_down ? plan->lines : plan->xs);
    each(rows, g, 0, plan->xs - 1, 0, put_one);
    for (int v = 0; v < plan->values; v++) {
        if (plan->value[v].title)
            say_own_grid(root, g, v);
    }
    for (int k = 0; k < g->figure.claims; k++) {
        const swq_claim *c = &g->figure.claim[k];
        cli_tell(root, 2, "%sClaim: %s: %s (%s); %s.", k ? "" : "\n", c->text,
                 swq_claim_verdict_text(c->verdict), c->criterion, c->measured);
    }
    cli_tell(root, 2, "%sRule: %s.", g->figure.claims ? "" : "\n", plan->rule);
    cli_say(root, "%d runs of %llu cycles, seed %llu, %.0f s of CPU.", g->figure.runs,
            (unsigned long long)o->cycles, (unsigned long long)o->seed, g->figure.cpu_seconds);
    return root;
}

int cli_table_cells(swq_context *ctx, const char *name)
{
    swq_figure_options options = {.cycles = cli_table_given.quick ? QUICK : CYCLES, .seed = 1};
    figure_grid grid = {0};
    swq_status status =
        cli_table_runs(ctx, 1000, 1e9, &options.cycles, &options.seed, &options.threads);

    if (!status)
        status = figure_grid_run(ctx, name, &options, &grid);
    if (!status)
        status = cli_record_print(ctx, record_of(&grid), cli_table_given.format);
    /* only printed numbers decide on the exit status, and known causes excuse them */
    const bool differs = !status && grid.kind->plan->printeds && !grid.kind->plan->jointly &&
                         grid.figure.claim[0].fails > 0;
    figure_grid_clear(ctx, &grid);
    if (status)
        return cli_fail(ctx, status);
    return differs ? CLI_FAILED : CLI_OK;
}
