/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq table benchmarks: all flow controls on all congestion benchmarks at equal memory, one
 * number each.
 */
#include "base/context.h"
#include "cli/cli.h"
#include "cli/spec/async.h"
#include "cli/tables/table.h"
#include "validate/figures/contest_table.h"

#include <math.h>
#include <string.h>

enum { CYCLES = 100000, QUICK = 10000 };

static const char rule[] =
    "a loss is what the throughput of all senders but G_NUT falls short of that of the same "
    "network "
    "under uniform traffic, as a fraction, all at full load; * marks the least loss, and the "
    "highest uniform throughput, of as much memory, where its interval lies apart from all others'";

/* "0.123 +- 0.004*"; "-" if there was no run, or the network deadlocked. */
static void show(cli_record *row, swq_estimate e, bool best)
{
    if (isnan(e.mean))
        cli_show(row, "", "  -  ");
    else
        cli_show(row, "", "  %.3f+-%.3f%c", e.mean, e.half_width, best ? '*' : ' ');
}

static void put_score(cli_record *rows, const contest_scores *scores, int line)
{
    const contest_score *s = &scores->score[line];

    for (int column = 0; column <= SCORE_BENCHMARKS; column++) {
        const int b = column - 1;
        const bool uniform = column == 0;
        const swq_figure_setting *of = figure_grid_setting(&scores->grid, line, column);
        cli_record *row = cli_put_item(rows, uniform ? "uniform" : of->benchmark);
        cli_titled(row, "%3d  %-28s", s->bytes, s->name);
        cli_put_count(row, "bytes", (uint64_t)s->bytes);
        cli_put_word(row, "contestant", s->name);
        cli_put_word(row, "buffer", of->buffer);
        cli_put_word(row, "flow", of->async.flow.row->name);
        cli_put_word(row, "benchmark", of->benchmark);
        cli_put_async_of(row, &of->async, of->buffer, s->bytes, 1, of->benchmark);
        if (uniform)
            cli_put_estimate(row, "throughput", s->uniform);
        else
            cli_put_estimate(row, "innocent_loss", s->loss[b]);
        if (!uniform && !isnan(s->hot[b].mean))
            cli_put_estimate(row, "hot_link_use", s->hot[b]);
        cli_put_truth(row, "winner", uniform ? s->best_uniform : s->best[b]);
        show(row, uniform ? s->uniform : s->loss[b], uniform ? s->best_uniform : s->best[b]);
    }
}

/* The throughput of the congested link, if one link stays congested: only in text, in a table of
 * its own. */
static void say_hot_links(cli_record *root, const contest_scores *s)
{
    enum { STAYS = 3 };

    cli_say(root, "\nUse of the hot link, as a fraction of its bandwidth:\n");
    cli_record *grid = cli_as_grid(cli_not_in_json(cli_not_in_csv(cli_put_points(root, "hot"))),
                                   "bytes, flow control", STAYS);
    for (int r = 0; r < s->scores; r++) {
        for (int b = 0; b < STAYS; b++) {
            const swq_figure_setting *of = figure_grid_setting(&s->grid, r, b + 1);
            cli_record *row = cli_put_item(grid, of->benchmark);
            cli_titled(row, "%3d  %-28s", s->score[r].bytes, s->score[r].name);
            show(row, s->score[r].hot[b], false);
        }
    }
}

static cli_record *record_of(const contest_scores *s)
{
    const swq_figure_options *o = &s->grid.figure.options;
    cli_record *root = cli_table_record("benchmarks",
                                        "the benchmarks of G. L. Frazier, "
                                        "dissertation, UCLA 1995, 8.5",
                                        rule);

    cli_quietly(cli_put_count(root, "seed", o->seed));
    cli_quietly(cli_put_count(root, "cycles", o->cycles));
    cli_quietly(cli_put_count(root, "warmup_cycles", s->grid.kind->plan->run.settle));
    cli_say(root,
            "Flow controls on congestion benchmarks: loss of the innocent, and use of the hot "
            "link, by memory of an input port\n256-node omega of 4x4 switches, all at full "
            "load; arbiter advancing, memory free when the header is in the next switch\n");
    cli_record *rows = cli_as_grid(cli_put_points(root, "rows"), "bytes, flow control", 6);
    for (int r = 0; r < s->scores; r++)
        put_score(rows, s, r);
    say_hot_links(root, s);
    cli_tell(root, 2, "\nRule: %s.", rule);
    cli_say(root, "%d runs of %llu cycles, seed %llu, %.0f s of CPU.", s->grid.figure.runs,
            (unsigned long long)o->cycles, (unsigned long long)o->seed, s->grid.figure.cpu_seconds);
    return root;
}

int cli_table_benchmarks(swq_context *ctx)
{
    swq_figure_options options = {.cycles = cli_table_given.quick ? QUICK : CYCLES, .seed = 1};
    static contest_scores scores;
    swq_status status =
        cli_table_runs(ctx, 1000, 1e9, &options.cycles, &options.seed, &options.threads);

    if (!status)
        status = contest_scores_run(ctx, &options, &scores);
    if (!status)
        status = cli_record_print(ctx, record_of(&scores), cli_table_given.format);
    figure_grid_clear(ctx, &scores.grid);
    return status ? cli_fail(ctx, status) : CLI_OK;
}
