/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions that add curves and points to a figure, and that record the setting with which a point
 * was run.
 * Room: validate. Includes base, sim.
 */
#include "base/context.h"
#include "validate/figures/figures.h"

#include <assert.h>

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

void figure_set_async(swq_figure_setting *s, const swq_async *network, const char *buffer,
                      int bytes, double load)
{
    *s = (swq_figure_setting){.buffer = buffer,
                              .memory = bytes,
                              .asynchronous = true,
                              .async = *network,
                              .load = load,
                              .replications = 1};
    assert(network->groups <= SWQ_FIGURE_GROUPS);
    for (int g = 0; g < network->groups; g++)
        s->group[g] = network->group[g];
    s->async.group = s->group;
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
