/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq table small-packets: the switches of document 003 at equal memory, under messages of many
 * lengths and hot spots, one number each.
 */
#include "base/context.h"
#include "cli/cli.h"
#include "cli/spec/async.h"
#include "cli/tables/table.h"
#include "validate/figures/bmin_table.h"

#include <math.h>
#include <string.h>

enum { CYCLES = 100000, QUICK = 10000 };

static const char rule[] =
    "received load at an applied load of 1; * marks the highest of a row, where its interval lies "
    "apart from all others'";

static void show(cli_record *cell, swq_estimate e, bool best)
{
    if (isnan(e.mean))
        cli_show(cell, "", "  -  ");
    else
        cli_show(cell, "", "  %.3f+-%.3f%c", e.mean, e.half_width, best ? '*' : ' ');
}

static void put_cell(cli_record *rows, const bmin_scores *s, int m, int k)
{
    const swq_figure_plan *plan = s->grid.kind->plan;
    const swq_figure_setting *of = figure_grid_setting(&s->grid, k, m);
    cli_record *cell = cli_put_item(rows, plan->line[k].id);

    cli_titled(cell, "%-18s", plan->cell[m]);
    cli_put_word(cell, "contestant", plan->line[k].id);
    if (of) /* some buffers cannot hold some packets */
        cli_put_async_of(cell, &of->async, of->buffer, of->memory, 1, NULL);
    cli_put_estimate(cell, "throughput", s->received[m][k]);
    cli_put_truth(cell, "winner", s->best[m][k]);
    show(cell, s->received[m][k], s->best[m][k]);
}

static cli_record *record_of(const bmin_scores *s)
{
    const swq_figure_options *o = &s->grid.figure.options;
    cli_record *root = cli_table_record(
        "small-packets", "the switches of Sivaram, Stunkel and Panda, TR45, 1997", rule);

    cli_quietly(cli_put_count(root, "seed", o->seed));
    cli_quietly(cli_put_count(root, "cycles", o->cycles));
    cli_quietly(cli_put_count(root, "warmup_cycles", o->cycles / 2));
    cli_say(root,
            "Messages of many lengths, and hot spots, at equal memory: received load at full load\n"
            "16-node tree of 8-port switches, adaptive on the way up, %d flits a port with all "
            "packet memory counted (FIFOs at crosspoints and registers, too)\n",
            figure_grid_setting(&s->grid, 0, 0)->memory);
    cli_record *rows = cli_as_grid(cli_put_points(root, "rows"), "messages", BMIN_KINDS);
    for (int m = 0; m < BMIN_MIXES; m++) {
        for (int k = 0; k < BMIN_KINDS; k++)
            put_cell(rows, s, m, k);
    }
    char less[60] = "less nowhere";
    if (s->loses_from)
        snprintf(less, sizeof less, "less from %d on", s->loses_from);
    cli_say(root,
            "\nOf messages of one length, HIPIQS receives more than the central queue up to %d "
            "flits, and %s, by more than the intervals.",
            s->leads_to, less);
    cli_tell(root, 2, "Rule: %s.", rule);
    cli_say(root, "%d runs of %llu cycles, seed %llu, %.0f s of CPU.", s->grid.figure.runs,
            (unsigned long long)o->cycles, (unsigned long long)o->seed, s->grid.figure.cpu_seconds);
    return root;
}

int cli_table_small_packets(swq_context *ctx)
{
    swq_figure_options options = {.cycles = cli_table_given.quick ? QUICK : CYCLES, .seed = 1};
    static bmin_scores scores;
    swq_status status =
        cli_table_runs(ctx, 1000, 1e9, &options.cycles, &options.seed, &options.threads);

    if (!status)
        status = bmin_scores_run(ctx, &options, &scores);
    if (!status)
        status = cli_record_print(ctx, record_of(&scores), cli_table_given.format);
    figure_grid_clear(ctx, &scores.grid);
    return status ? cli_fail(ctx, status) : CLI_OK;
}
