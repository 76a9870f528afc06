/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Quantities; and functions that add curves and points to a figure, and that record the setting
 * with which a point was run.
 */
#include "base/context.h"
#include "validate/figures/figures.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- quantities ---- */

const figure_quantity_row figure_quantities[FIGURE_QUANTITIES] = {
    [MEAN_ALL] = {"latency", "mean latency", 2},
    [MEAN_NORMAL] = {"latency.normal", "mean latency, normal packets", 0},
    [MEAN_HIGH] = {"latency.high", "mean latency, high priority", 1},
    [P99_ALL] = {"p99", "99th percentile", 2},
    [P99_NORMAL] = {"p99.normal", "99th percentile, normal packets", 0},
    [P99_HIGH] = {"p99.high", "99th percentile, high priority", 1},
    [MAX_ALL] = {"maximum", "maximum", 2},
    [THROUGHPUT] = {"throughput", "throughput", 2},
    [BISECTION] = {"bisection", "used bisection", 2},
    [TAIL] = {"tail", "mean latency, tail", 2},
    [MESSAGE_TAIL] = {"message-tail", "mean latency, tail", 2},
    [RECEIVED] = {"received", "received load", 2},
    [PACKETS] = {"packets", "packets in a store", 2},
    [HOT_LINK] = {"hot-link", "use of the hot link", 2},
    [INNOCENT] = {"innocent", "throughput of all but G_NUT", 2},
    [GROUP_THROUGHPUT] = {"throughput.G_NUT", "throughput", 2},
    [GROUP_THROUGHPUT + 1] = {"throughput.G_0", "throughput", 2},
    [GROUP_THROUGHPUT + 2] = {"throughput.G_1", "throughput", 2},
    [GROUP_THROUGHPUT + 3] = {"throughput.G_2", "throughput", 2},
    [GROUP_LATENCY] = {"latency.G_NUT", "mean latency", 2},
    [GROUP_LATENCY + 1] = {"latency.G_0", "mean latency", 2},
    [GROUP_LATENCY + 2] = {"latency.G_1", "mean latency", 2},
    [GROUP_LATENCY + 3] = {"latency.G_2", "mean latency", 2},
};

figure_quantity figure_quantity_of(const char *name, size_t length)
{
    int q = 0;

    while (q < FIGURE_QUANTITIES && (strlen(figure_quantities[q].name) != length ||
                                     strncmp(figure_quantities[q].name, name, length) != 0))
        q++;
    return (figure_quantity)q;
}

/* ---- curves and settings ---- */

swq_status figure_room(figure_work *f, int curves, int points)
{
    f->out->curve = swq_calloc(f->ctx, (size_t)curves, sizeof *f->out->curve);
    f->out->points = swq_calloc(f->ctx, (size_t)points, sizeof *f->out->points);
    return f->out->curve && f->out->points ? SWQ_OK : swq_memory_status(f->ctx);
}

swq_status figure_settings(figure_work *f, int settings)
{
    f->out->setting = swq_calloc(f->ctx, (size_t)settings, sizeof *f->out->setting);
    return f->out->setting ? SWQ_OK : swq_memory_status(f->ctx);
}

void figure_add_curve(figure_work *f, const char *name, const char *quantity, int panel, int colour,
                      int mark, bool dashed)
{
    swq_figure *out = f->out;
    const swq_figure_curve *before = out->curves ? &out->curve[out->curves - 1] : NULL;

    assert(out->curve); /* figure_room must have been called */

    out->curve[out->curves++] =
        (swq_figure_curve){.name = name,
                           .quantity = quantity,
                           .panel = panel,
                           .colour = colour,
                           .mark = mark,
                           .dashed = dashed,
                           .point = before ? before->point + before->points : out->points};
}

void figure_add_point(figure_work *f, swq_figure_point point)
{
    swq_figure_curve *curve = &f->out->curve[f->out->curves - 1];

    f->out->points[(curve->point - f->out->points) + curve->points++] = point;
}

/* ---- notes ---- */

void figure_note(figure_work *f, swq_estimate value, const char *format, ...)
{
    figure_noted *note = &f->note[f->notes++];
    va_list values;

    assert(f->notes <= FIGURE_NOTES);
    note->value = value;
    va_start(values, format);
    vsnprintf(note->name, sizeof note->name, format, values);
    va_end(values);
}

void figure_note_number(figure_work *f, double value, const char *name)
{
    figure_note(f, (swq_estimate){value, 0}, "%s", name);
}
