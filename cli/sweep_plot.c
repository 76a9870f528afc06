/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sweep --plot: means to a picture.
 * Room: cli.
 */
#include "base/context.h"
#include "base/plot.h"
#include "cli/sweep_samples.h"

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

static swq_status draw(const cli_samples *d, const char *title, const char *path)
{
    double *x = swq_calloc(d->ctx, 3 * d->count, sizeof *x);
    swq_curve *curve = swq_calloc(d->ctx, (size_t)d->curves, sizeof *curve);
    char heading[400];
    swq_status status = x && curve ? SWQ_OK : swq_memory_status(d->ctx);

    if (!status) {
        double *y = x + d->count, *half = y + d->count;
        for (size_t k = 0; k < d->count; k++) {
            x[k] = d->sample[k].x;
            y[k] = d->sample[k].y;
            half[k] = d->sample[k].half;
        }
        for (int c = 0; c < d->curves; c++) {
            const cli_sample_curve *its = &d->curve[c];
            curve[c] = (swq_curve){.x = x + its->first,
                                   .y = y + its->first,
                                   .half = its->barred ? half + its->first : NULL,
                                   .points = its->count,
                                   .colour = c,
                                   .mark = c,
                                   .dashed = c >= 8};
            name_curve(d, its, curve[c].name, sizeof curve[c].name);
        }
        size_t used = (size_t)snprintf(heading, sizeof heading, "%.120s: %.80s over %.80s", title,
                                       d->axes->y, d->axes->x);
        for (int k = 0; k < d->axes->wheres && used < sizeof heading; k++)
            used +=
                (size_t)snprintf(heading + used, sizeof heading - used, "%s%s %s", k ? ", " : "\n",
                                 d->axes->where[k].key, d->axes->where[k].value);
        swq_plot plot = {.title = heading,
                         .x_label = d->axes->x,
                         .y_label = d->axes->y,
                         .log_x = d->axes->logx,
                         .log_y = d->axes->logy,
                         .curve = curve,
                         .curves = (size_t)d->curves};
        status = swq_plot_write(d->ctx, &plot, path);
    }
    swq_free(d->ctx, x);
    swq_free(d->ctx, curve);
    return status;
}

static size_t count_off_axis(const cli_samples *d)
{
    size_t off = 0;

    for (size_t k = 0; k < d->count; k++)
        off += (d->axes->logy && d->sample[k].y <= 0) || (d->axes->logx && d->sample[k].x <= 0);
    return off;
}

/* What the picture does not show. */
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
    swq_status status = swq_plot_check(ctx, path);
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
