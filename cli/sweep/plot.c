/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sweep --plot: means to a picture.
 * Room: cli.
 */
#include "base/plot.h"
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/print/drawing.h"
#include "cli/record/inside.h"
#include "cli/sweep/samples.h"

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

/* "result.latency_cycles.mean (cycles)", with the unit of the last part that has one: [200]. */
static void label_axis(const char *key, char *label)
{
    char part[80];
    const char *unit = NULL;

    for (const char *rest = key; *rest;) {
        const size_t length = strcspn(rest, ".");
        snprintf(part, sizeof part, "%.*s", (int)length, rest);
        const cli_quantity *row = cli_quantity_of(part);
        unit = row && row->unit ? row->unit : unit;
        rest += length + (rest[length] == '.');
    }
    snprintf(label, 200, unit && strcmp(unit, key) != 0 ? "%.100s (%.90s)" : "%.100s", key, unit);
}

static swq_status draw(const cli_samples *d, const char *title, const char *path)
{
    char x_label[200], y_label[200];
    const swq_plot like = {
        .x_label = x_label, .y_label = y_label, .log_x = d->axes->logx, .log_y = d->axes->logy};
    char where[240] = "", name[sizeof((swq_curve *)0)->name];
    cli_drawing to = {0};
    size_t used = 0;

    label_axis(d->axes->x, x_label);
    label_axis(d->axes->y, y_label);
    for (int k = 0; k < d->axes->wheres && used < sizeof where; k++)
        used += (size_t)snprintf(where + used, sizeof where - used, "%s%s %s", k ? ", " : "\n",
                                 d->axes->where[k].key, d->axes->where[k].value);
    cli_draw_panel(&to, &like, "%.120s: %.80s over %.80s%s", title, d->axes->y, d->axes->x, where);
    for (int c = 0; c < d->curves; c++) {
        const cli_sample_curve *its = &d->curve[c];
        name_curve(d, its, name, sizeof name);
        swq_curve *curve = cli_draw_curve(&to, "%s", name);
        curve->colour = curve->mark = c;
        curve->dashed = c >= 8;
        for (size_t k = its->first; k < its->first + its->count; k++)
            cli_draw_point(&to, d->sample[k].x, d->sample[k].y,
                           its->barred ? d->sample[k].half : 0);
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

/* Reports what the picture does not show. */
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
