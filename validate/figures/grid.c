/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables whose cells are runs.
 */
#include "validate/figures/grid.h"

#include "base/context.h"
#include "validate/figures/judge.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

size_t figure_grid_place(const figure_grid *grid, int value, int line, int column)
{
    const swq_figure_plan *plan = grid->kind->plan;

    return ((size_t)value * (size_t)plan->lines + (size_t)line) * (size_t)plan->xs + (size_t)column;
}

/* ---- what cells show ---- */

/* A sum with a line's id in place of $line. */
static void name_line(const char *from, const char *id, char to[JUDGE_TEXT])
{
    size_t used = 0;

    for (const char *at; (at = strstr(from, "$line")) && used < JUDGE_TEXT; from = at + 5)
        used +=
            (size_t)snprintf(to + used, JUDGE_TEXT - used, "%.*s%s", (int)(at - from), from, id);
    if (used < JUDGE_TEXT)
        snprintf(to + used, JUDGE_TEXT - used, "%s", from);
}

static void read_values(figure_work *f, figure_judge *j, figure_grid *grid)
{
    const swq_figure_plan *plan = f->plan;
    char text[JUDGE_TEXT];

    for (int v = 0; v < plan->values; v++) {
        const figure_claim_row shown = {.text = plan->value[v].sum};
        *j = (figure_judge){.f = f, .row = &shown, .run = -1};
        for (int line = 0; line < plan->lines; line++) {
            name_line(plan->value[v].sum, plan->line[line].id, text);
            for (int k = 0; k < plan->xs && !f->status; k++) {
                const bool there = k >= plan->value[v].first && k <= plan->value[v].last;
                j->at = text;
                j->x = plan->x[k];
                j->reads = 0;
                grid->value[figure_grid_place(grid, v, line, k)] =
                    there ? figure_judge_sum(j) : (swq_estimate){NAN, NAN};
                figure_judge_skip(j);
                if (there && *j->at)
                    figure_judge_wrong(j, "something is left");
            }
        }
    }
}

static double worst_of(swq_estimate e, int better)
{
    return better * e.mean - e.half_width;
}

static double best_of(swq_estimate e, int better)
{
    return better * e.mean + e.half_width;
}

static bool is_best(const figure_grid *grid, int v, int line, int k)
{
    const swq_figure_plan *plan = grid->kind->plan;
    const swq_figure_setting *own = figure_grid_setting(grid, line, k);
    const swq_estimate e = grid->value[figure_grid_place(grid, v, line, k)];
    const int better = plan->value[v].better;
    bool best = better != 0 && !isnan(e.mean);

    for (int n = 0; n < plan->lines && best; n++) {
        const swq_figure_setting *other = figure_grid_setting(grid, n, k);
        const swq_estimate o = grid->value[figure_grid_place(grid, v, n, k)];
        if (n != line && other && other->memory == own->memory && !isnan(o.mean))
            best = worst_of(e, better) > best_of(o, better);
    }
    return best;
}

void figure_grid_judge(figure_grid *grid)
{
    const swq_figure_plan *plan = grid->kind->plan;

    for (int v = 0; v < plan->values; v++) {
        for (int line = 0; line < plan->lines; line++) {
            for (int k = 0; k < plan->xs; k++)
                grid->best[figure_grid_place(grid, v, line, k)] = is_best(grid, v, line, k);
        }
    }
}

/* ---- printed numbers ---- */

#define RELATIVE 0.03

const char figure_grid_rule[] = "a printed number agrees when it differs from the simulated one by "
                                "at most the half-width of the "
                                "95% interval, one unit of its last digit, and 3%";

const figure_printed_row *figure_grid_printed(const figure_grid *grid, int value, int line,
                                              int column)
{
    const swq_figure_plan *plan = grid->kind->plan;

    for (int k = 0; k < plan->printeds; k++) {
        const figure_printed_row *p = &plan->printed[k];
        if (p->value == value && p->curve == line && p->x == plan->x[column])
            return p;
    }
    return NULL;
}

bool figure_grid_agrees(const figure_printed_row *printed, swq_estimate found, double *allowed)
{
    *allowed = found.half_width + printed->unit + RELATIVE * fabs(printed->y);
    return fabs(found.mean - printed->y) <= *allowed + 1e-9; /* decimals are not exact in binary */
}

/* Claims that the printed numbers are those of the cells; a number without a run, or without an
 * interval, is not compared. */
static void judge_printed(figure_work *f, const figure_grid *grid)
{
    const swq_figure_plan *plan = f->plan;
    figure_tally t = {0};

    for (int v = 0; v < plan->values; v++) {
        for (int n = 0; n < plan->lines * plan->xs; n++) {
            const int line = n / plan->xs, k = n % plan->xs;
            const figure_printed_row *p = figure_grid_printed(grid, v, line, k);
            double allowed;
            if (!p)
                continue;
            const swq_estimate found = grid->value[figure_grid_place(grid, v, line, k)];
            figure_grid_agrees(p, found, &allowed);
            figure_same(&t, (swq_estimate){found.mean, 0}, (swq_estimate){p->y, 0}, 0, allowed,
                        figure_where(plan->line[line].id, p->x));
        }
    }
    if (plan->printeds)
        figure_claim(f, &t, "the printed numbers are those of the cells", figure_grid_rule,
                     plan->jointly, "%s", "");
}

static swq_status evaluate(figure_work *f, figure_grid *grid)
{
    const size_t values = figure_grid_place(grid, f->plan->values, 0, 0);
    figure_judge *j = swq_calloc(f->ctx, 1, sizeof *j);

    grid->value = swq_calloc(f->ctx, values + 1, sizeof *grid->value);
    grid->best = swq_calloc(f->ctx, values + 1, sizeof *grid->best);
    f->out->claim = swq_calloc(f->ctx, FIGURE_CLAIMS, sizeof *f->out->claim);
    if (!j || !grid->value || !grid->best || !f->out->claim)
        f->status = swq_memory_status(f->ctx);
    else
        read_values(f, j, grid);
    swq_free(f->ctx, j);
    if (!f->status)
        figure_grid_judge(grid);
    if (!f->status) {
        judge_printed(f, grid);
        figure_judge_claims(f);
    }
    return f->status;
}

/* ---- all ---- */

swq_status figure_grid_run(swq_context *ctx, const char *table, const swq_figure_options *options,
                           figure_grid *grid)
{
    char name[PATH_MAX];

    *grid = (figure_grid){.figure = {.options = *options}};
    snprintf(name, sizeof name, "table %s", table);
    swq_status status = swq_figure_open(ctx, name, false, &grid->kind);
    if (status)
        return status;
    if (!grid->kind->plan->values)
        return swq_fail(ctx, SWQ_EINVAL, "%.150s is no table: it has no cells and values", table);
    figure_work f = {
        .ctx = ctx, .kind = grid->kind, .plan = grid->kind->plan, .out = &grid->figure};
    const int cells = f.plan->lines * figure_columns(f.plan);
    f.cell = grid->cell = swq_calloc(ctx, (size_t)cells, sizeof *grid->cell);
    status = grid->cell ? figure_settings(&f, cells) : swq_memory_status(ctx);
    if (!status)
        status = figure_run_lines(&f);
    if (!status && grid->figure.cut_short)
        status = swq_fail(ctx, SWQ_ECANCELLED, "interrupted");
    return status ? status : evaluate(&f, grid);
}

void figure_grid_clear(swq_context *ctx, figure_grid *grid)
{
    swq_free(ctx, grid->cell);
    swq_free(ctx, grid->value);
    swq_free(ctx, grid->best);
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
