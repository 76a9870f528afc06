/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A figure from its plan: runs, curves, claims; and where figures come from.
 */
#include "base/context.h"
#include "validate/figures/figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

swq_figure_options swq_figure_defaults(bool quick)
{
    return (swq_figure_options){.cycles = quick ? 3000 : 20000,
                                .least_a_node = quick ? 0 : 200,
                                .seed = 1,
                                .threads = 1,
                                .quick = quick};
}

/* ---- where figures come from ---- */

void swq_figures_from(swq_context *ctx, const swq_figure_source *source)
{
    swq_context_lend(ctx, source);
}

swq_status swq_figure_open(swq_context *ctx, const char *name, bool equal_all,
                           swq_figure_kind **kind)
{
    const swq_figure_source *source = swq_context_lent(ctx);

    *kind = NULL;
    return source ? source->open(ctx, name, equal_all, kind)
                  : swq_fail(ctx, SWQ_EINVAL, "no figures: swq_figures_from says where they are");
}

void swq_figure_close(swq_context *ctx, swq_figure_kind *kind)
{
    const swq_figure_source *source = swq_context_lent(ctx);

    if (kind && source)
        source->close(ctx, kind);
}

/* ---- curves ---- */

static double place_on_axis(const figure_work *f, const figure_cell *c, int column)
{
    switch (f->kind->over) {
    case SWQ_OVER_THROUGHPUT:
        return c->throughput.mean;
    case SWQ_OVER_BISECTION:
        return c->value[BISECTION].mean;
    default:
        return f->plan->x[column];
    }
}

static swq_figure_origin origin_of(const figure_work *f, const swq_figure_setting *s, int column)
{
    const swq_figure_axis over = f->kind->over;

    if (column == figure_columns(f->plan) - 1 || over == SWQ_OVER_BYTES || over == SWQ_OVER_CELLS ||
        over == SWQ_OVER_PORTS)
        return SWQ_AT_FULL_LOAD;
    return s->asynchronous || column >= f->plan->xs || over == SWQ_OVER_LOAD ? SWQ_AT_LOAD
                                                                             : SWQ_AT_THROUGHPUT;
}

/* Writes the points of a curve at *point, by load, which is the order of the columns; returns their
 * number. */
static int lay_curve(const figure_work *f, const figure_curve_row *row, swq_figure_point *point)
{
    const int columns = figure_columns(f->plan), xs = f->plan->xs;
    int points = 0;

    for (int k = 0; k < columns; k++) {
        const int place = row->line * columns + k;
        const figure_cell *c = &f->cell[place];
        const swq_estimate y = c->value[row->quantity];
        if (!c->there || !isfinite(y.mean))
            continue;
        point[points++] =
            (swq_figure_point){.origin = origin_of(f, &f->out->setting[place], k),
                               .x = place_on_axis(f, c, k),
                               .asked = k < xs ? f->plan->x[k] : NAN,
                               .y = y.mean,
                               .half_width = isinf(y.half_width) ? NAN : y.half_width,
                               .load = c->load,
                               .throughput = c->throughput,
                               .a_node = c->a_node[figure_quantities[row->quantity].of_class],
                               .cycles = c->cycles,
                               .setting = &f->out->setting[place]};
    }
    return points;
}

static void lay_curves(figure_work *f)
{
    swq_figure *out = f->out;
    swq_figure_point *next = out->points;

    for (int k = 0; k < f->plan->curves; k++) {
        const figure_curve_row *row = &f->plan->curve[k];
        out->curve[k] = (swq_figure_curve){.name = row->name,
                                           .quantity = figure_quantities[row->quantity].text,
                                           .panel = row->panel,
                                           .colour = row->colour,
                                           .mark = row->mark,
                                           .dashed = row->dashed,
                                           .point = next,
                                           .points = lay_curve(f, row, next)};
        next += out->curve[k].points;
    }
    out->curves = f->plan->curves;
}

static bool anything_there(const figure_work *f)
{
    bool any = false;

    for (int k = 0; k < f->plan->lines * figure_columns(f->plan); k++)
        any = any || f->cell[k].there;
    return any;
}

/* ---- all ---- */

/* Runs the plan's lines at the plan's x. */
static swq_status run_plan(figure_work *f)
{
    const swq_figure_plan *plan = f->plan;
    const size_t columns = (size_t)figure_columns(plan), cells = (size_t)plan->lines * columns;
    swq_figure *out = f->out;
    swq_status status = figure_room(f, plan->curves, plan->curves * (int)columns);

    if (!status)
        status = figure_settings(f, (int)cells);
    f->cell = swq_calloc(f->ctx, cells, sizeof *f->cell);
    if (plan->run.search > 0)
        f->saturation = swq_calloc(f->ctx, (size_t)plan->lines, sizeof *f->saturation);
    out->printed = swq_calloc(f->ctx, (size_t)plan->printeds + 1, sizeof *out->printed);
    if (!f->cell || !out->printed || (plan->run.search > 0 && !f->saturation))
        status = swq_memory_status(f->ctx);
    for (int n = 0; n < plan->lines && f->saturation; n++)
        f->saturation[n] = (swq_estimate){NAN, NAN};
    if (!status)
        status = figure_run_lines(f);
    if (!status && !anything_there(f))
        status = swq_fail(f->ctx, out->cut_short ? SWQ_ECANCELLED : SWQ_EINVAL,
                          out->cut_short ? "interrupted before the first run was finished"
                                         : "no run reached its throughput: more cycles are needed");
    if (!status) {
        lay_curves(f);
        figure_judge_printed(f);
        figure_judge_claims(f);
        status = f->status;
    }
    swq_free(f->ctx, f->cell);
    swq_free(f->ctx, f->saturation);
    return status;
}

static swq_status run_series(figure_work *f)
{
    swq_status status = figure_run_series(f);

    if (!status) {
        figure_judge_claims(f);
        status = f->status;
    }
    figure_end_series(f);
    return status;
}

static swq_status check_threshold(swq_context *ctx, const swq_figure_kind *kind, int threshold)
{
    char having[80] = "";
    size_t length = 0;

    for (const figure_maker *m = figure_makers; m->name; m++) {
        if (m->thresholds)
            length += (size_t)snprintf(having + length, sizeof having - length, "%s%s",
                                       length ? ", " : "", m->name);
    }
    if (threshold != 0 && !(kind->plan->maker && kind->plan->maker->thresholds))
        return swq_fail(ctx, SWQ_EINVAL,
                        "figure %s has no choice of threshold; figures with one: %s", kind->name,
                        having);
    if (threshold != 0 && threshold != 26 && threshold != 10)
        return swq_fail(ctx, SWQ_EINVAL, "threshold must be 26 or 10, not %d", threshold);
    return SWQ_OK;
}

swq_status swq_figure_run(swq_context *ctx, const swq_figure_kind *kind,
                          const swq_figure_options *options, swq_figure *figure)
{
    swq_figure made = {.kind = kind, .options = *options};
    figure_work f = {.ctx = ctx, .kind = kind, .plan = kind->plan, .out = &made};

    if (options->cycles == 0)
        return swq_fail(ctx, SWQ_EINVAL, "cycles must be positive");
    if (options->threads < 1 || options->threads > SWQ_MAX_THREADS)
        return swq_fail(ctx, SWQ_EINVAL, "threads must be 1 to %d, not %d", SWQ_MAX_THREADS,
                        options->threads);
    swq_status status = check_threshold(ctx, kind, options->threshold);
    if (!status && options->equal_all && !kind->plan->equal)
        status = swq_fail(ctx, SWQ_EINVAL, "figure %s does not compare switches with equal memory",
                          kind->name);
    if (status)
        return status;
    made.claim = swq_calloc(ctx, FIGURE_CLAIMS, sizeof *made.claim);
    status = made.claim ? SWQ_OK : swq_memory_status(ctx);
    if (!status)
        status = kind->plan->maker        ? kind->plan->maker->make(&f)
                 : kind->plan->questions  ? figure_run_questions(&f)
                 : kind->plan->run.window ? run_series(&f)
                                          : run_plan(&f);
    if (!status && kind->plan->maker) {
        figure_judge_claims(&f);
        status = f.status;
    }
    made.joint = swq_joint_judge(f.number, f.numbers, kind->plan->jointly);
    if (!status)
        *figure = made;
    else
        swq_figure_clear(ctx, &made);
    return status;
}

swq_joint_verdict swq_figure_verdict(const swq_figure *figure)
{
    swq_joint_verdict verdict = figure->joint.verdict;

    for (int k = 0; k < figure->claims; k++) {
        const swq_claim *c = &figure->claim[k];
        if (c->fails > 0 && verdict != SWQ_JOINT_DIFFERS)
            verdict = c->known ? SWQ_JOINT_KNOWN : SWQ_JOINT_DIFFERS;
        else if (c->holds > 0 && verdict == SWQ_JOINT_NONE)
            verdict = SWQ_JOINT_AGREES;
    }
    return verdict;
}

void swq_figure_clear(swq_context *ctx, swq_figure *figure)
{
    swq_free(ctx, figure->curve);
    swq_free(ctx, figure->points);
    swq_free(ctx, figure->setting);
    swq_free(ctx, figure->printed);
    swq_free(ctx, figure->claim);
    swq_free(ctx, figure->blocks);
    swq_free(ctx, figure->question);
    swq_free(ctx, figure->answer);
    swq_free(ctx, figure->gap);
    *figure = (swq_figure){0};
}
