/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How schemes come through traffic that changes: their runs, curves and means.
 * Room: validate. Includes base, sim.
 */
#include "validate/figures/over_time.h"
#include "base/context.h"
#include "base/statistics.h"
#include "sim/measure/pile.h"

#include <math.h>

enum { SLOT = 64 /* bytes */, CYCLES_A_RUN = 4000 };

static size_t windows_of(const over_time_line *line)
{
    return (size_t)((line->scene->end + line->scene->window - 1) / line->scene->window);
}

static double nodes_of(const over_time_scene *scene)
{
    return pow(scene->arity, scene->levels);
}

/* ---- one run ---- */

static void set_aside(const over_time_line *line, swq_async *n)
{
    const swq_management *row = line->management;

    n->memory = line->slots * SLOT;
    n->saqs = line->saqs < 0 ? row->default_saqs : line->saqs;
    n->detect = row->default_detect;
    n->xoff = row->default_xoff;
    n->xon = row->default_xon;
    if (line->interface > 0)
        n->interface = line->interface;
    n->interface_cold = line->cold;
    n->refused = line->refused;
}

static swq_status network_of(swq_context *ctx, const over_time_line *line, swq_sender_group *group,
                             swq_async *n)
{
    const over_time_scene *scene = line->scene;
    swq_status status = SWQ_OK;

    *n = swq_async_defaults();
    n->shape = (swq_shape){.levels = scene->levels};
    for (int l = 0; l < scene->levels; l++)
        n->shape.arity[l] = scene->arity;
    status = swq_fabric_find(ctx, "tree", &n->shape);
    n->block = n->max_packet = SLOT;
    n->link_rest = scene->link_rest;
    n->management = line->management;
    if (line->speed_bytes > 0) {
        n->architecture = &swq_cioq;
        n->speedup_bytes = (int)line->speed_bytes;
        n->speedup_cycles = (int)line->speed_cycles;
        n->output_blocks = line->slots;
    }
    n->group = group;
    n->groups = scene->groups;
    for (int g = 0; g < scene->groups; g++)
        group[g] = scene->group[g];
    if (status)
        return status;
    if (line->management->stores) {
        set_aside(line, n);
        return SWQ_OK;
    }
    if (line->management->tells_upstream) {
        n->detect = line->management->default_detect;
        n->xon = line->management->default_xon;
    }
    n->queues = line->management->default_queues;
    if (line->xoff > 0) {
        n->xoff = line->xoff;
        n->xon = line->xoff / 2;
    }
    n->has_interfaces = line->interface > 0;
    if (n->has_interfaces)
        n->interface = line->interface;
    return swq_async_memory(ctx, n, line->slots * SLOT);
}

static double *throughput_at(const over_time *t, int line, size_t window, int run)
{
    return &t->throughput[line][window * (size_t)t->runs + (size_t)run];
}

static void read_off(over_time *t, int line, int run, const swq_series *series)
{
    const over_time_scene *scene = t->line[line].scene;
    const double nodes = nodes_of(scene);

    for (size_t w = 0; w < series->windows && w < windows_of(&t->line[line]); w++)
        *throughput_at(t, line, w, run) =
            series->window[w].all.throughput.mean * (scene->in_bytes ? nodes : 1);
}

static void keep_setting(over_time *t, int line, const swq_async *network)
{
    swq_figure_setting *s = &t->f->out->setting[line];

    figure_set_async(s, network, NULL, t->line[line].slots * SLOT, 1);
    s->replications = t->runs;
}

static swq_status run_one(swq_context *ctx, void *arg, int task)
{
    over_time *t = arg;
    const int line = task / t->runs, run = task % t->runs;
    const over_time_scene *scene = t->line[line].scene;
    swq_async_result *result = &t->result[task];
    swq_sim_options options = swq_sim_defaults();
    swq_sender_group group[OVER_TIME_GROUPS];
    swq_async network;

    options.seed = t->f->out->options.seed + (uint64_t)run;
    options.cycles = scene->end;
    options.series = scene->window;
    options.warmup = 0; /* congestion is to be seen as it grows */
    swq_status status = network_of(ctx, &t->line[line], group, &network);
    if (!status)
        status = swq_async_run(ctx, &network, &options, NULL, result);
    if (!status && result->sim.stopped_by == SWQ_STOP_INTERRUPTED)
        status = swq_fail(ctx, SWQ_ECANCELLED, "interrupted");
    if (!status)
        read_off(t, line, run, result->sim.series);
    if (!status && run == 0)
        keep_setting(t, line, &network);
    swq_series_free(ctx, result->sim.series);
    result->sim.series = NULL;
    return status;
}

static swq_status *status_of(void *arg, int task)
{
    return &((over_time *)arg)->status[task];
}

static double weight_of(void *arg, int task)
{
    const over_time *t = arg;
    const over_time_scene *scene = t->line[task / t->runs].scene;

    return (double)scene->end * nodes_of(scene) * scene->levels;
}

/* ---- drawing ---- */

static swq_estimate window_mean(const over_time *t, int line, size_t window)
{
    swq_estimate e;

    swq_ratio_interval(throughput_at(t, line, window, 0), NULL, (size_t)t->runs, 0.95, &e.mean,
                       &e.half_width);
    return e;
}

static int panel_colour(const over_time *t, int line)
{
    int colour = 0;

    for (int k = 0; k < line; k++)
        colour += t->line[k].panel == t->line[line].panel;
    return colour;
}

static void draw(over_time *t, int line)
{
    const over_time_line *of = &t->line[line];

    figure_add_curve(t->f, of->name, "throughput of a window, mean of all runs", of->panel,
                     panel_colour(t, line), panel_colour(t, line), false);
    for (size_t w = 0; w < windows_of(of); w++) {
        swq_figure_point point = {.origin = SWQ_AT_TIME,
                                  .x = ((double)w + 0.5) * (double)of->scene->window,
                                  .asked = NAN,
                                  .load = 1,
                                  .throughput = {NAN, NAN},
                                  .a_node = NAN,
                                  .cycles = of->scene->end,
                                  .setting = &t->f->out->setting[line]};
        const swq_estimate y = window_mean(t, line, w);
        point.y = y.mean;
        point.half_width = y.half_width;
        figure_add_point(t->f, point);
    }
}

/* ---- all runs ---- */

static swq_status take_memory(over_time *t)
{
    const size_t tasks = (size_t)t->lines * (size_t)t->runs;
    swq_context *ctx = t->f->ctx;

    t->throughput = swq_calloc(ctx, (size_t)t->lines, sizeof *t->throughput);
    t->result = swq_calloc(ctx, tasks, sizeof *t->result);
    t->status = swq_calloc(ctx, tasks, sizeof *t->status);
    if (!t->throughput || !t->result || !t->status)
        return swq_memory_status(ctx);
    for (int k = 0; k < t->lines; k++) {
        t->throughput[k] =
            swq_calloc(ctx, windows_of(&t->line[k]) * (size_t)t->runs, sizeof **t->throughput);
        if (!t->throughput[k])
            return swq_memory_status(ctx);
    }
    return SWQ_OK;
}

static void give_back(over_time *t)
{
    swq_context *ctx = t->f->ctx;

    for (int k = 0; t->throughput && k < t->lines; k++)
        swq_free(ctx, t->throughput[k]);
    swq_free(ctx, t->throughput);
    swq_free(ctx, t->result);
    swq_free(ctx, t->status);
}

swq_status over_time_make(figure_work *f, const over_time_line *line, int lines,
                          void (*claim)(const over_time *t))
{
    const uint64_t wanted = f->out->options.cycles / CYCLES_A_RUN;
    over_time t = {.f = f,
                   .line = line,
                   .lines = lines,
                   .runs = wanted < 2                ? 2
                           : wanted > OVER_TIME_RUNS ? OVER_TIME_RUNS
                                                     : (int)wanted};
    const swq_pile pile = {.arg = &t,
                           .tasks = lines * t.runs,
                           .run = run_one,
                           .status = status_of,
                           .weight = weight_of};
    size_t points = 0;

    for (int k = 0; k < lines; k++)
        points += windows_of(&line[k]);
    swq_status status = take_memory(&t);
    if (!status)
        status = figure_settings(f, lines);
    if (!status)
        status = swq_pile_run(f->ctx, &pile, f->out->options.threads);
    if (!status)
        status = figure_room(f, lines, (int)points);
    if (!status) {
        f->out->runs = pile.tasks;
        /* the requested cycles determine the number of runs instead */
        f->out->options.cycles = line->scene->end;
        for (int k = 0; k < lines; k++)
            draw(&t, k);
        claim(&t);
    }
    give_back(&t);
    return status;
}

/* ---- reading off ---- */

swq_estimate over_time_mean(const over_time *t, int line, over_time_part part)
{
    const over_time_scene *scene = t->line[line].scene;
    const uint64_t begin = part == OVER_TIME_BEFORE   ? 0
                           : part == OVER_TIME_DURING ? scene->onset
                                                      : scene->over;
    const uint64_t left_out = part == OVER_TIME_END ? 3 : 1; /* quarters */
    const uint64_t end = part == OVER_TIME_BEFORE   ? scene->onset
                         : part == OVER_TIME_DURING ? scene->over
                                                    : scene->end;
    const size_t first = (size_t)((begin + (end - begin) * left_out / 4) / scene->window),
                 last = (size_t)(end / scene->window);
    double mean[OVER_TIME_RUNS] = {0};
    swq_estimate all = {NAN, NAN};

    for (int run = 0; run < t->runs; run++) {
        for (size_t w = first; w < last; w++)
            mean[run] += *throughput_at(t, line, w, run) / (double)(last - first);
    }
    if (last > first)
        swq_ratio_interval(mean, NULL, (size_t)t->runs, 0.95, &all.mean, &all.half_width);
    return all;
}

swq_estimate over_time_lowest(const over_time *t, int line)
{
    const over_time_scene *scene = t->line[line].scene;
    swq_estimate lowest = {INFINITY, NAN};

    for (size_t w = (size_t)(scene->onset / scene->window); w < scene->over / scene->window; w++) {
        const swq_estimate here = window_mean(t, line, w);
        if (here.mean < lowest.mean)
            lowest = here;
    }
    return lowest;
}

uint64_t over_time_below(const over_time *t, int line, double level)
{
    const over_time_scene *scene = t->line[line].scene;
    uint64_t cycles = 0;

    for (size_t w = (size_t)(scene->onset / scene->window); w < scene->over / scene->window; w++)
        cycles += window_mean(t, line, w).mean < level ? scene->window : 0;
    return cycles;
}
