/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A figure whose points are answers of the program: exact numbers, each with its proven bounds.
 */
#include "base/context.h"
#include "validate/figures/figures.h"

#include <math.h>

/* The questions that are asked, the quick ones alone if a first look is wanted: [questions]. */
static int choose(const figure_work *f, swq_figure_question *to)
{
    int count = 0;

    for (int k = 0; k < f->plan->questions; k++) {
        if (!f->plan->question[k].slow || !f->out->options.quick)
            to[count++] = f->plan->question[k];
    }
    return count;
}

/* Lays the curves; questions of a curve follow one another. */
static void lay(figure_work *f, const swq_figure_question *asked, int count)
{
    swq_figure *out = f->out;
    int next = 0;

    for (int c = 0; c < f->plan->curves; c++) {
        const figure_curve_row *row = &f->plan->curve[c];
        figure_add_curve(f, row->name, f->plan->quantity[c], row->panel, row->colour, row->mark,
                         row->dashed);
        for (; next < count && asked[next].curve == c; next++) {
            const swq_figure_answer *a = &out->answer[next];
            if (!isnan(a->value))
                figure_add_point(f, (swq_figure_point){.origin = SWQ_AT_LOAD,
                                                       .x = asked[next].x,
                                                       .asked = asked[next].x,
                                                       .y = a->value,
                                                       .half_width = NAN,
                                                       .load = NAN,
                                                       .throughput = {NAN, NAN},
                                                       .question = &asked[next],
                                                       .answer = a});
            else if (*a->why)
                out->gap[out->gaps++] = (swq_figure_gap){c, asked[next].x, a->why};
        }
    }
}

swq_status figure_run_questions(figure_work *f)
{
    const size_t questions = (size_t)f->plan->questions;
    const swq_figure_source *source = swq_context_lent(f->ctx);
    swq_figure *out = f->out;
    swq_status status = figure_room(f, f->plan->curves, f->plan->questions);

    out->question = swq_calloc(f->ctx, questions, sizeof *out->question);
    out->answer = swq_calloc(f->ctx, questions, sizeof *out->answer);
    out->gap = swq_calloc(f->ctx, questions, sizeof *out->gap);
    if (!status && (!out->question || !out->answer || !out->gap))
        status = swq_memory_status(f->ctx);
    if (status)
        return status;
    const int count = out->runs = choose(f, out->question);
    for (int k = 0; k < count; k++)
        out->answer[k] = (swq_figure_answer){.value = NAN, .lower = NAN, .upper = NAN};
    status = source && source->answer
                 ? source->answer(f->ctx, out->question, count, out->options.threads, out->answer)
                 : swq_fail(f->ctx, SWQ_EINVAL, "figure %s: nobody answers its questions",
                            f->kind->name);
    if (status == SWQ_ECANCELLED) {
        out->cut_short = true;
        status = SWQ_OK;
    }
    if (!status)
        lay(f, out->question, count);
    if (!status && !out->cut_short)
        figure_judge_claims(f);
    return status;
}
