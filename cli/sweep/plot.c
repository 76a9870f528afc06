/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sweep --plot: means to a picture.
 */
#include "base/plot.h"
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/print/append.h"
#include "cli/print/drawing.h"
#include "cli/record/inside.h"
#include "cli/sweep/samples.h"

#include <math.h>
#include <string.h>

static void name_curve(const cli_samples *d, const cli_sample_curve *its, char *name, size_t size)
{
    char bars[40] = "";

    if (its->repeats > 1)
        snprintf(bars, sizeof bars, " (%u repeats, 95%%)", (unsigned)its->repeats);
    else if (its->barred)
        snprintf(bars, sizeof bars, " (95%%)");
    snprintf(name, size - strlen(bars), "%s", d->axes->bys ? its->text : d->axes->y);
    memcpy(name + strlen(name), bars, strlen(bars) + 1);
}

enum { LABEL = 200 };

/* "mean latency", or its key; an axis also has the unit or, of an option, its meaning. */
static const char *name_of(const cli_samples *d, int axis)
{
    return *d->label[axis] ? d->label[axis] : axis ? d->axes->y : d->axes->x;
}

static void label_axis(const cli_samples *d, int axis, char *label)
{
    const char *name = name_of(d, axis);
    char unit[LABEL];

    snprintf(unit, sizeof unit, "%s", d->unit[axis]);
    if (axis == 0 && d->x_is_option && !(d->synchronous && d->asynchronous))
        cli_option_meaning(d->axes->x, d->asynchronous, unit, sizeof unit);
    snprintf(label, LABEL, *unit && strcmp(unit, name) != 0 ? "%.60s (%.130s)" : "%.60s", name,
             unit);
}

/* Does the title say the value of this option already? */
static bool is_said(const cli_question_words *words, const char *option)
{
    bool said = false;

    for (int k = 0; k < words->count && !said; k++)
        said = words->option[k] && strcmp(words->option[k], option) == 0;
    return said;
}

/* The words of the question that all points share, without what the axes and the legend say, and
 * what else was chosen. */
static void write_question(const cli_samples *d, char *text, size_t size)
{
    cli_question_words *words = &d->common->words;

    cli_question_drop(words, d->axes->x);
    for (int k = 0; k < d->axes->bys; k++)
        cli_question_drop(words, d->axes->by[k]);
    cli_question_text(words, text, size);
    for (int k = 0; k < d->axes->wheres; k++) {
        const char *key = d->axes->where[k].key;
        if (!is_said(words, key))
            cli_append(text, size, "%s%s %s", *text ? ", " : "", key, d->axes->where[k].value);
    }
}

/* Does y grow with the length of a run, past saturation: a time, or what waits at sources? */
static bool grows(const cli_samples *d)
{
    return strcmp(d->unit[1], "cycles") == 0 || strstr(d->axes->y, "source_queue");
}

/* With few repeats a bar may be longer than all the rest is high, and reach below zero where
 * nothing can be: then the bars, not the axis, are cut. */
static void limit_axis(const cli_samples *d, swq_plot *like)
{
    double least = INFINITY, most = 0, end = 0;
    bool below = false, hollow = false;

    for (int c = 0; c < d->curves; c++) {
        const cli_sample_curve *its = &d->curve[c];
        for (size_t k = its->first; k < its->first + its->count; k++) {
            const cli_sample *s = &d->sample[k];
            const double half = its->barred ? s->half : 0;
            least = fmin(least, s->y);
            most = fmax(most, s->y);
            end = fmax(end, s->y + half);
            below |= s->y - half < 0;
            hollow |= s->saturated;
        }
    }
    if (like->y_of_solid && hollow)
        return; /* points below saturation set the axis, and limit the bars */
    if (below && least >= 0 && most > 0 && !like->log_y)
        like->y_most = fmin(1.05 * end, 1.5 * most);
}

static swq_status draw(const cli_samples *d, const char *title, const char *path)
{
    char x_label[LABEL], y_label[LABEL], question[CLI_QUESTION_WORDS];
    swq_plot like = {.x_label = x_label,
                     .y_label = y_label,
                     .log_x = d->axes->logx,
                     .log_y = d->axes->logy,
                     .y_of_solid = grows(d)};
    char name[sizeof((swq_curve *)0)->name];
    cli_drawing to = {0};

    label_axis(d, 0, x_label);
    label_axis(d, 1, y_label);
    limit_axis(d, &like);
    write_question(d, question, sizeof question);
    cli_draw_panel(&to, &like, "%.120s: %.80s over %.80s%s%s", title, name_of(d, 1), name_of(d, 0),
                   *question ? "\n" : "", question);
    for (int c = 0; c < d->curves; c++) {
        const cli_sample_curve *its = &d->curve[c];
        name_curve(d, its, name, sizeof name);
        cli_draw_curve(&to, "%s", name);
        for (size_t k = its->first; k < its->first + its->count; k++) {
            cli_draw_point(&to, d->sample[k].x, d->sample[k].y,
                           its->barred ? d->sample[k].half : 0);
            if (d->sample[k].saturated)
                cli_draw_hollow(&to);
        }
    }
    return cli_draw(d->ctx, &to, path);
}

static size_t count_off_axis(const cli_samples *d)
{
    size_t off = 0;

    for (size_t k = 0; k < d->count; k++)
        off += (d->axes->logy && d->sample[k].y <= 0) || (d->axes->logx && d->sample[k].x <= 0);
    return off;
}

/* Reports the points that the picture does not show. */
static void tell_missing(const cli_samples *d)
{
    const size_t off = count_off_axis(d);

    cli_clear_progress();
    if (d->undone)
        fprintf(stderr, "switchq: not done, and not drawn: %lld of the points\n",
                (long long)d->undone);
    if (d->without)
        fprintf(stderr, "switchq: without %s or %s, and not drawn: %lld of the points\n",
                d->axes->x, d->axes->y, (long long)d->without);
    if (off)
        fprintf(stderr, "switchq: without a place on a logarithmic axis: %zu of the points\n", off);
}

swq_status cli_sweep_plot(swq_context *ctx, swq_store *store, const char *title,
                          const cli_sweep_axes *axes, const char *path)
{
    cli_samples *d = swq_calloc(ctx, 1, sizeof *d);

    if (!d)
        return swq_memory_status(ctx);
    swq_status status = cli_plot_check(ctx, path);
    if (!status)
        status = cli_samples_find(ctx, store, axes, d);
    if (!status && count_off_axis(d) == d->count)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--plot: no point is above 0, so none has a place on a logarithmic axis");
    if (!status)
        status = draw(d, title, path);
    if (!status)
        tell_missing(d);
    cli_samples_clear(ctx, d);
    swq_free(ctx, d);
    return status;
}
