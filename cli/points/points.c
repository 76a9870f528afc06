/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All points of a command's ranges: reading, computing on threads, printing.
 * Room: cli.
 */
#include "cli/points/points.h"
#include "base/context.h"
#include "sim/measure/pile.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
    const cli_points_kind *kind;
    char *point; /* [points * kind->size] */
    swq_status *status;
    int read; /* points read so far */
} work;

static void *at(const work *w, int k)
{
    return w->point + (size_t)k * w->kind->size;
}

static swq_status answer(swq_context *ctx, void *arg, int k)
{
    work *w = arg;
    return w->kind->answer(ctx, at(w, k));
}

static swq_status *status_of(void *arg, int k)
{
    return &((work *)arg)->status[k];
}

static swq_status read_all(swq_context *ctx, const cli_axes *axes, work *w)
{
    swq_status status = SWQ_OK;

    w->point = calloc((size_t)axes->points, w->kind->size);
    w->status = calloc((size_t)axes->points, sizeof *w->status);
    if (!w->point || !w->status)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for %d points", axes->points);
    for (; w->read < axes->points && !status; w->read += !status) {
        cli_axes_set(axes, w->read);
        status = w->kind->read(ctx, at(w, w->read), axes->points > 1);
    }
    return status;
}

/* Prints, or hands over, the records of the points that have an answer. */
static swq_status tell(swq_context *ctx, const cli_axes *axes, const work *w,
                       const cli_points_how *how)
{
    // NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
    cli_record **record = calloc((size_t)axes->points, sizeof *record);
    int *point = calloc((size_t)axes->points, sizeof *point), count = 0;
    swq_status status = SWQ_OK;

    if (!record || !point) {
        free(record);
        free(point);
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for the answers");
    }
    for (int k = 0; k < axes->points && !status; k++) {
        if (w->status[k])
            continue;
        cli_axes_set(axes, k);
        point[count] = k;
        record[count] = w->kind->record(ctx, at(w, k));
        status = record[count++] ? SWQ_OK : SWQ_ENOMEM;
    }
    cli_clear_progress();
    if (!status && axes->points > 1)
        cli_points_tell_unlike(axes, record, point, count);
    if (!status && how->plot && count && axes->points > 1)
        status = cli_points_plot(ctx, axes, w->kind->panel, record, point, count, how->plot);
    else if (!status && how->plot && count)
        status = w->kind->plot(ctx, at(w, point[0]), record[0], how->plot);
    if (!status && axes->points > 1 && how->format == CLI_TEXT && count) {
        cli_points_text(axes, record, point, count);
        for (int k = 0; k < count; k++)
            cli_record_free(record[k]);
        status = cli_flush(ctx);
    } else if (!status && axes->points > 1) {
        status = cli_records_print(ctx, record, count, how->format);
    } else if (!status && count) {
        status = cli_record_print(ctx, record[0], how->format);
    } else {
        for (int k = 0; k < count; k++)
            cli_record_free(record[k]);
    }
    free(record);
    free(point);
    return status;
}

/* "buffer damq, load 0.4: ", or nothing where there is one point. */
static const char *name_of(const cli_axes *axes, int point, char *text, size_t size)
{
    size_t used = 0;

    *text = '\0';
    for (int a = 0; a < axes->axes && used < size; a++)
        used += (size_t)snprintf(text + used, size - used, "%s %s%s", axes->axis[a].option,
                                 axes->axis[a].value[cli_axes_place(axes, point, a)],
                                 a + 1 < axes->axes ? ", " : ": ");
    return text;
}

int cli_points_run(swq_context *ctx, const cli_axes *axes, const cli_points_kind *kind,
                   const cli_points_how *how)
{
    work w = {.kind = kind};
    char where[200];
    int end = CLI_OK;
    swq_status status = read_all(ctx, axes, &w), told = SWQ_OK;

    if (!status && axes->points == 1) {
        status = w.status[0] = kind->answer(ctx, at(&w, 0));
    } else if (!status) {
        const swq_pile pile = {.arg = &w,
                               .tasks = axes->points,
                               .run = answer,
                               .status = status_of,
                               .stage = kind->stage};
        status = swq_pile_run(ctx, &pile, how->threads);
    }
    if (w.read == axes->points && (!status || status == SWQ_ECANCELLED || axes->points > 1)) {
        if (status) /* the message goes first, since printing may produce another one */
            end = cli_fail(ctx, status);
        told = tell(ctx, axes, &w, how);
        status = SWQ_OK;
    }
    for (int k = 0; k < axes->points && !status && !told; k++) {
        cli_axes_set(axes, k);
        int own =
            w.status[k] ? CLI_OK : kind->end(ctx, at(&w, k), name_of(axes, k, where, sizeof where));
        end = own > end ? own : end;
    }
    for (int k = 0; k < w.read; k++)
        kind->clear(ctx, at(&w, k));
    free(w.point);
    free(w.status);
    return status ? cli_fail(ctx, status) : told ? cli_fail(ctx, told) : end;
}
