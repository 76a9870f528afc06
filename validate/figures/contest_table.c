/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All flow controls on all congestion benchmarks at equal memory: what the congestion costs the
 * innocent, and how far the congested link is used.
 */
#include "validate/figures/contest_table.h"
#include "base/context.h"

#include <math.h>

swq_estimate contest_innocent(const swq_benchmark_groups *groups, const swq_estimate *throughput)
{
    double nodes = 0, sum = 0, half_width = 0;

    for (int g = groups->nut; g < groups->groups; g++) {
        nodes += groups->members[g];
        sum += groups->members[g] * throughput[g].mean;
        half_width += groups->members[g] * throughput[g].half_width;
    }
    return (swq_estimate){sum / nodes, half_width / nodes};
}

static swq_status read_cell(swq_context *ctx, const figure_grid *grid, int line, int b,
                            contest_score *score)
{
    const swq_figure_setting *setting = figure_grid_setting(grid, line, b + 1);
    const figure_cell *cell = figure_grid_cell(grid, line, b + 1);
    const swq_benchmark *row;
    swq_async network = setting->async;
    swq_benchmark_groups groups;

    score->loss[b] = score->hot[b] = (swq_estimate){NAN, NAN};
    swq_status status = swq_benchmark_find(ctx, setting->benchmark, &row);
    if (!status)
        status = swq_benchmark_make(ctx, row, &network, 1, &groups);
    if (status || !cell->there)
        return status;
    const swq_estimate share =
        figure_ratio(contest_innocent(&groups, &cell->value[GROUP_THROUGHPUT]), score->uniform);
    if (!isnan(score->uniform.mean))
        score->loss[b] = (swq_estimate){1 - share.mean, share.half_width};
    score->hot[b] = cell->value[HOT_LINK];
    return SWQ_OK;
}

static swq_status read_line(swq_context *ctx, const figure_grid *grid, int line,
                            contest_score *score)
{
    const figure_line *of = &grid->kind->plan->line[line];
    const figure_cell *uniform = figure_grid_cell(grid, line, 0);
    swq_status status = SWQ_OK;

    score->name = of->name ? of->name : of->id;
    score->bytes = figure_grid_setting(grid, line, 0)->memory;
    score->uniform = uniform->there ? uniform->value[THROUGHPUT] : (swq_estimate){NAN, NAN};
    for (int b = 0; b < SCORE_BENCHMARKS && !status; b++)
        status = read_cell(ctx, grid, line, b, score);
    return status;
}

swq_status contest_scores_run(swq_context *ctx, const swq_figure_options *options,
                              contest_scores *scores)
{
    *scores = (contest_scores){0};
    swq_status status = figure_grid_run(ctx, "benchmarks", options, &scores->grid);

    if (status)
        return status;
    for (int k = 0; k < scores->grid.kind->plan->lines && k < SCORE_MOST && !status; k++)
        status = read_line(ctx, &scores->grid, k, &scores->score[scores->scores++]);
    if (!status)
        contest_scores_judge(scores);
    return status;
}

/* ---- who wins ---- */

/* The number of `score` in benchmark b, which wins if it is below all other contestants' by more
 * than the intervals. b < 0: the uniform throughput, negated, since the highest one wins. */
static swq_estimate number_of(const contest_score *score, int b)
{
    return b < 0 ? (swq_estimate){-score->uniform.mean, score->uniform.half_width} : score->loss[b];
}

static bool wins(const contest_scores *s, const contest_score *score, int b)
{
    const swq_estimate own = number_of(score, b);

    for (int r = 0; r < s->scores; r++) {
        const contest_score *other = &s->score[r];
        const swq_estimate e = number_of(other, b);
        if (other == score || other->bytes != score->bytes || isnan(e.mean))
            continue;
        if (!(own.mean + own.half_width < e.mean - e.half_width))
            return false;
    }
    return !isnan(own.mean);
}

void contest_scores_judge(contest_scores *s)
{
    for (int r = 0; r < s->scores; r++) {
        s->score[r].best_uniform = wins(s, &s->score[r], -1);
        for (int b = 0; b < SCORE_BENCHMARKS; b++)
            s->score[r].best[b] = wins(s, &s->score[r], b);
    }
}
