/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results of windows, from the first to the last.
 */
#include "base/context.h"
#include "sim/measure/results.h"
#include "sim/measure/streams.h"
#include "sim/measure/sums.h"

#include <math.h>

/* Packets in flight at the end of windows, from counters first, first + step, ... of the windows'
 * vectors. */
static swq_estimate in_flight(const swq_collector *c, int first, int step, int count)
{
    const swq_sum what = {.first = first, .step = step, .count = count, .factor = 1};

    swq_sum_fill(c, &what, c->above);
    return swq_filled_ratio(c, NULL);
}

/* The stream of packets in cells first, first + step, ..., and those in flight. */
static void collect_in_window(const swq_collector *c, int first, int step, int count, double lines,
                              swq_flow_result *f)
{
    const swq_windows *w = &c->replication->windows;
    bool known = true; /* losses of a cell are unknown if packets are sent again */

    swq_collect_rates(c, first, step, count, lines, f);
    for (int k = 0; k < c->options->replications; k++)
        known =
            known && !(c->replication[k].system->resends && c->replication[k].system->discarded);
    if (known)
        f->in_flight = in_flight(c, w->counters + 1 + first, step, count);
}

/* Collects window `at`: each replication that has it is viewed as having a single batch. */
static void collect_window(swq_collector *c, swq_replication *view, size_t at, swq_window *w)
{
    const swq_system *system = view->system;

    for (int k = 0; k < c->options->replications; k++) {
        swq_replication *r = &view[k];
        const swq_windows *windows = &r->windows;
        r->batches = at < windows->count;
        r->batch = windows->vector + at * (size_t)windows->stride;
        r->length = windows->length + at;
        if (r->batches && *r->length > w->cycles)
            w->cycles = *r->length;
    }
    swq_collector_merge(c, 1);
    w->replications = (int)c->batches;
    swq_collect_rates(c, 0, 1, system->cells, swq_lines(system), &w->all);
    w->all.in_flight = in_flight(c, view->windows.counters, 1, 1);
    for (int k = 0; k < SWQ_CLASSES && system->classes > 1; k++)
        collect_in_window(c, k, system->classes, system->groups, swq_lines(system),
                          &w->by_class[k]);
    for (int g = 0; g < system->groups && system->group; g++)
        collect_in_window(c, g * system->classes, 1, system->classes, swq_lines_in_group(system, g),
                          &w->by_group[g]);
    swq_collect_stages(c, w->stage);
    w->source_queue = swq_collect_source_queue(c, &w->source_queue_below);
    w->saqs = swq_collect_saqs(c);
    if (c->batches == 1) {
        /* one replication says nothing about the scatter between replications */
        swq_widen_intervals(system->groups, system->levels, (swq_widening){NAN, NAN}, &w->all,
                            w->by_class, w->by_group, w->stage);
        swq_widen_interval(&w->saqs, NAN);
        swq_widen_interval(&w->source_queue, NAN);
        w->source_queue_below = NAN;
    }
}

void swq_series_free(swq_context *ctx, swq_series *series)
{
    if (!series)
        return;
    swq_free(ctx, series->window);
    swq_free(ctx, series->groups);
    swq_free(ctx, series->stages);
    swq_free(ctx, series);
}

static swq_status new_series(swq_context *ctx, const swq_system *system, size_t windows,
                             swq_series **made)
{
    swq_series *s = swq_calloc(ctx, 1, sizeof *s);
    const size_t least = windows ? windows : 1;

    if (s) {
        s->windows = windows;
        s->window = swq_calloc(ctx, least, sizeof *s->window);
        s->groups = swq_calloc(ctx, least * (size_t)system->groups, sizeof *s->groups);
        s->stages = swq_calloc(ctx, least * (size_t)system->levels, sizeof *s->stages);
    }
    if (!s || !s->window || !s->groups || !s->stages) {
        swq_series_free(ctx, s);
        return swq_memory_status(ctx);
    }
    for (size_t k = 0; k < windows; k++) {
        s->window[k].by_group = s->groups + k * (size_t)system->groups;
        s->window[k].stage = s->stages + k * (size_t)system->levels;
    }
    *made = s;
    return SWQ_OK;
}

swq_status swq_results_series(swq_context *ctx, const swq_replication *replication,
                              const swq_sim_options *options, void *space, swq_series **made)
{
    const size_t replications = (size_t)options->replications;
    swq_collector c;
    size_t windows = 0;
    swq_replication *view = swq_calloc(ctx, replications, sizeof *view);
    if (!view)
        return swq_memory_status(ctx);
    for (size_t k = 0; k < replications; k++) {
        const swq_windows *w = &replication[k].windows;
        view[k] = (swq_replication){
            .system = replication[k].system, .windows = *w, .counters = w->stride};
        windows = w->count > windows ? w->count : windows;
    }
    c = swq_collector_of(view, options, space);
    c.windows = true;
    swq_status status = new_series(ctx, view->system, windows, made);
    for (size_t k = 0; k < windows && !status; k++) {
        swq_window *w = &(*made)->window[k];
        w->first = (replication->windows.whole ? 0 : replication->warmup) + k * options->series;
        collect_window(&c, view, k, w);
    }
    swq_free(ctx, view);
    return status;
}
