/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables whose cells are runs.
 */
#include "validate/figures/grid.h"

#include "base/context.h"

#include <stdio.h>
#include <string.h>

swq_status figure_grid_run(swq_context *ctx, const char *table, const swq_figure_options *options,
                           figure_grid *grid)
{
    char name[80];

    *grid = (figure_grid){.figure = {.options = *options}};
    snprintf(name, sizeof name, "table %s", table);
    swq_status status = swq_figure_open(ctx, name, false, &grid->kind);
    if (status)
        return status;
    figure_work f = {
        .ctx = ctx, .kind = grid->kind, .plan = grid->kind->plan, .out = &grid->figure};
    const int cells = f.plan->lines * figure_columns(f.plan);
    f.cell = grid->cell = swq_calloc(ctx, (size_t)cells, sizeof *grid->cell);
    status = grid->cell ? figure_settings(&f, cells) : swq_memory_status(ctx);
    if (!status)
        status = figure_run_lines(&f);
    if (!status && grid->figure.cut_short)
        status = swq_fail(ctx, SWQ_ECANCELLED, "interrupted");
    return status;
}

void figure_grid_clear(swq_context *ctx, figure_grid *grid)
{
    swq_free(ctx, grid->cell);
    swq_figure_clear(ctx, &grid->figure);
    swq_figure_close(ctx, grid->kind);
    *grid = (figure_grid){0};
}

const figure_cell *figure_grid_cell(const figure_grid *grid, int line, int column)
{
    return &grid->cell[line * figure_columns(grid->kind->plan) + column];
}

const swq_figure_setting *figure_grid_setting(const figure_grid *grid, int line, int column)
{
    const swq_figure_plan *plan = grid->kind->plan;
    const int place = line * (plan->xs + 1) + column;

    return plan->there[place] ? &plan->setting[place] : NULL;
}

const swq_figure_setting *figure_plan_setting(const swq_figure_kind *kind, const char *line, int x)
{
    const swq_figure_plan *plan = kind->plan;

    for (int k = 0; k < plan->lines; k++) {
        if (strcmp(plan->line[k].id, line) == 0 && plan->there[k * (plan->xs + 1) + x])
            return &plan->setting[k * (plan->xs + 1) + x];
    }
    return NULL;
}

swq_status figure_setting_open(swq_context *ctx, const char *figure, const char *line, int x,
                               swq_figure_setting *setting)
{
    swq_figure_kind *kind;
    swq_status status = swq_figure_open(ctx, figure, false, &kind);

    if (status)
        return status;
    const swq_figure_setting *found = figure_plan_setting(kind, line, x);
    if (found) {
        *setting = *found;
        setting->async.traffic.group = setting->group;
    } else {
        status = swq_fail(ctx, SWQ_EINVAL, "%s has no line '%s' there", figure, line);
    }
    swq_figure_close(ctx, kind);
    return status;
}
