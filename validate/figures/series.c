/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines over time: throughput, or packets in stores, in windows of several runs, from a start
 * without packets, through a time of congestion, and after it.
 */
#include "base/context.h"
#include "base/statistics.h"
#include "sim/frame/net.h"
#include "sim/measure/pile.h"
#include "validate/figures/figures.h"

#include <math.h>
#include <string.h>

enum { MOST_RUNS = 50 };

/* The windows of all runs, and what the runs say of set-aside queues. */
struct figure_series {
    int runs;
    double *
        *value; /* [lines * FIGURE_STORES] [windows * runs]: throughput, or packets in a store */
    swq_async_result *result; /* [lines * runs] */
    swq_status *status;
};

static const figure_times *times_of(const figure_work *f, int line)
{
    return &f->plan->line[line].times;
}

static size_t windows_of(const figure_work *f, int line)
{
    return (size_t)((times_of(f, line)->end + f->plan->run.window - 1) / f->plan->run.window);
}

static const swq_figure_setting *setting_of(const figure_work *f, int line)
{
    return &f->plan->setting[line * (f->plan->xs + 1) + f->plan->xs];
}

static double nodes_of(const figure_work *f, int line)
{
    swq_fabric fabric;

    return swq_fabric_count(NULL, &setting_of(f, line)->async.shape, &fabric) ? NAN : fabric.nodes;
}

static double *value_at(const figure_work *f, int line, int store, size_t window, int run)
{
    return &f->series->value[line * FIGURE_STORES + store]
                            [window * (size_t)f->series->runs + (size_t)run];
}

static double *throughput_at(const figure_work *f, int line, size_t window, int run)
{
    return value_at(f, line, 0, window, run);
}

/* ---- runs ---- */

static swq_status run_one(swq_context *ctx, void *arg, int task)
{
    figure_work *f = arg;
    const int line = task / f->series->runs, run = task % f->series->runs;
    swq_async_result *result = &f->series->result[task];
    swq_sim_options options = swq_sim_defaults();
    const double scale = f->plan->run.whole ? nodes_of(f, line) : 1;

    options.seed = f->out->options.seed + (uint64_t)run;
    options.cycles = times_of(f, line)->end;
    options.warmup = 0; /* congestion is to be seen as it grows */
    const figure_line *of = &f->plan->line[line];
    double *mean[FIGURE_STORES];
    for (int s = 0; s < of->stores; s++)
        mean[s] = value_at(f, line, s, 0, run);
    options.series = of->stores ? 0 : f->plan->run.window;
    swq_status status =
        of->stores ? figure_run_stores(ctx, &setting_of(f, line)->async, &options,
                                       (uint32_t)f->plan->run.window, (uint32_t)windows_of(f, line),
                                       of->store, of->stores, mean, (size_t)f->series->runs, result)
                   : swq_async_run(ctx, &setting_of(f, line)->async, &options, NULL, result);
    if (!status && result->sim.stopped_by == SWQ_STOP_INTERRUPTED)
        status = swq_fail(ctx, SWQ_ECANCELLED, "interrupted");
    const swq_series *series = status ? NULL : result->sim.series;
    for (size_t w = 0; series && w < series->windows && w < windows_of(f, line); w++)
        *throughput_at(f, line, w, run) = series->window[w].all.throughput.mean * scale;
    swq_series_free(ctx, result->sim.series);
    result->sim.series = NULL;
    return status;
}

static swq_status *status_of(void *arg, int task)
{
    return &((figure_work *)arg)->series->status[task];
}

static double weight_of(void *arg, int task)
{
    const figure_work *f = arg;
    const int line = task / f->series->runs;

    return (double)times_of(f, line)->end * nodes_of(f, line) *
           setting_of(f, line)->async.shape.levels;
}

static double bytes_of(swq_context *ctx, void *arg, int task)
{
    const figure_work *f = arg;
    const swq_sim_options options = swq_sim_defaults();

    return swq_async_run_bytes(ctx, &setting_of(f, task / f->series->runs)->async, &options);
}

static swq_status take_memory(figure_work *f)
{
    const size_t lines = (size_t)f->plan->lines, tasks = lines * (size_t)f->series->runs;
    figure_series *s = f->series;

    s->value = swq_calloc(f->ctx, lines * FIGURE_STORES, sizeof *s->value);
    s->result = swq_calloc(f->ctx, tasks, sizeof *s->result);
    s->status = swq_calloc(f->ctx, tasks, sizeof *s->status);
    bool taken = s->value && s->result && s->status;
    for (int k = 0; k < f->plan->lines * FIGURE_STORES && taken; k++) {
        const int line = k / FIGURE_STORES, stores = f->plan->line[line].stores;
        if (k % FIGURE_STORES >= (stores ? stores : 1))
            continue;
        s->value[k] = swq_calloc(f->ctx, windows_of(f, line) * (size_t)s->runs, sizeof **s->value);
        taken = s->value[k];
    }
    return taken ? SWQ_OK : swq_memory_status(f->ctx);
}

void figure_end_series(figure_work *f)
{
    figure_series *s = f->series;

    for (int k = 0; s && s->value && k < f->plan->lines * FIGURE_STORES; k++)
        swq_free(f->ctx, s->value[k]);
    if (s) {
        swq_free(f->ctx, s->value);
        swq_free(f->ctx, s->result);
        swq_free(f->ctx, s->status);
    }
    swq_free(f->ctx, s);
    f->series = NULL;
}

/* ---- curves ---- */

static swq_estimate mean_at(const figure_work *f, int line, int store, size_t window)
{
    swq_estimate e;

    swq_ratio_interval(value_at(f, line, store, window, 0), NULL, (size_t)f->series->runs, 0.95,
                       &e.mean, &e.half_width);
    return e;
}

static swq_estimate window_mean(const figure_work *f, int line, size_t window)
{
    return mean_at(f, line, 0, window);
}

static void draw(figure_work *f, const figure_curve_row *row)
{
    const bool packets = row->quantity == PACKETS;

    figure_add_curve(f, row->name,
                     packets ? "packets in a store, mean of all runs"
                             : "throughput of a window, mean of all runs",
                     row->panel, row->colour, row->mark, row->dashed);
    for (size_t w = 0; w < windows_of(f, row->line); w += packets ? 2 : 1) {
        const swq_estimate y = mean_at(f, row->line, packets ? row->store : 0, w);
        figure_add_point(f, (swq_figure_point){.origin = SWQ_AT_TIME,
                                               .x = ((double)w + 0.5) * (double)f->plan->run.window,
                                               .asked = NAN,
                                               .y = y.mean,
                                               .half_width = y.half_width,
                                               .load = 1,
                                               .throughput = {NAN, NAN},
                                               .a_node = NAN,
                                               .cycles = times_of(f, row->line)->end,
                                               .setting = &f->out->setting[row->line]});
    }
}

static void keep_settings(figure_work *f)
{
    for (int k = 0; k < f->plan->lines; k++) {
        const swq_figure_setting *from = setting_of(f, k);
        swq_figure_setting *to = &f->out->setting[k];
        *to = *from;
        to->async.traffic.group = to->group;
        to->load = 1;
        to->replications = f->series->runs;
    }
}

swq_status figure_run_series(figure_work *f)
{
    const uint64_t wanted = f->out->options.cycles / f->plan->run.each;
    size_t points = 0;

    f->series = swq_calloc(f->ctx, 1, sizeof *f->series);
    if (!f->series)
        return swq_memory_status(f->ctx);
    f->series->runs = (int)fmin((double)wanted, fmin(f->plan->run.most_runs, MOST_RUNS));
    if (f->series->runs < 2)
        f->series->runs = 2;
    const swq_pile pile = {.arg = f,
                           .tasks = f->plan->lines * f->series->runs,
                           .run = run_one,
                           .status = status_of,
                           .weight = weight_of,
                           .bytes = bytes_of};
    for (int c = 0; c < f->plan->curves; c++)
        points += windows_of(f, f->plan->curve[c].line);
    swq_status status = take_memory(f);
    if (!status)
        status = figure_settings(f, f->plan->lines);
    if (!status)
        status = swq_pile_run(f->ctx, &pile, f->out->options.threads);
    if (!status)
        status = figure_room(f, f->plan->curves, (int)points);
    if (status)
        return status;
    f->out->runs = pile.tasks;
    /* the requested cycles determine the number of runs instead */
    f->out->options.cycles = times_of(f, 0)->end;
    keep_settings(f);
    for (int c = 0; c < f->plan->curves; c++)
        draw(f, &f->plan->curve[c]);
    return SWQ_OK;
}

/* ---- reading off ---- */

/* The mean from the share `left_out` of a time on; its interval is over runs. */
static swq_estimate mean_of(const figure_work *f, int line, uint64_t begin, uint64_t end,
                            uint64_t quarters_left_out)
{
    const uint64_t window = f->plan->run.window;
    const size_t first = (size_t)((begin + (end - begin) * quarters_left_out / 4) / window),
                 last = (size_t)(end / window);
    double mean[MOST_RUNS] = {0};
    swq_estimate all = {NAN, NAN};

    for (int run = 0; run < f->series->runs; run++) {
        for (size_t w = first; w < last; w++)
            mean[run] += *throughput_at(f, line, w, run) / (double)(last - first);
    }
    if (last > first)
        swq_ratio_interval(mean, NULL, (size_t)f->series->runs, 0.95, &all.mean, &all.half_width);
    return all;
}

static swq_estimate lowest(const figure_work *f, int line)
{
    const figure_times *t = times_of(f, line);
    const uint64_t window = f->plan->run.window;
    swq_estimate all = {INFINITY, NAN};

    for (size_t w = (size_t)(t->onset / window); w < t->over / window; w++) {
        const swq_estimate here = window_mean(f, line, w);
        if (here.mean < all.mean)
            all = here;
    }
    return all;
}

static double cycles_below(const figure_work *f, int line, double level)
{
    const figure_times *t = times_of(f, line);
    const uint64_t window = f->plan->run.window;
    uint64_t cycles = 0;

    for (size_t w = (size_t)(t->onset / window); w < t->over / window; w++)
        cycles += window_mean(f, line, w).mean < level ? window : 0;
    return (double)cycles;
}

static double most_saqs(const figure_work *f, int line, bool at_output)
{
    uint32_t most = 0;

    for (int run = 0; run < f->series->runs; run++) {
        const swq_saq_use *use = &f->series->result[line * f->series->runs + run].saqs;
        const uint32_t here = at_output ? use->most_at_output : use->most;
        most = here > most ? here : most;
    }
    return most;
}

static const char *const words[] = {"before", "during", "after", "end",
                                    "lowest", "below",  "saqs",  "saqs-out"};
enum { BEFORE, DURING, AFTER, AT_END, LOWEST, BELOW, SAQS, SAQS_OUT, WORDS };

static int word_of(const char *word)
{
    int k = 0;

    while (k < WORDS && strcmp(words[k], word) != 0)
        k++;
    return k;
}

bool figure_series_word(const char *word)
{
    return word_of(word) < WORDS;
}

swq_estimate figure_read_series(const figure_work *f, const char *word, int line, double level)
{
    const figure_times *t = times_of(f, line);
    const int which = word_of(word);

    switch (which) {
    case BEFORE:
        return mean_of(f, line, 0, t->onset, 1);
    case DURING:
        return mean_of(f, line, t->onset, t->over, 1);
    case AFTER:
    case AT_END:
        return mean_of(f, line, t->over, t->end, which == AT_END ? 3 : 1);
    case LOWEST:
        return lowest(f, line);
    case BELOW:
        return (swq_estimate){cycles_below(f, line, level), 0};
    default:
        return (swq_estimate){most_saqs(f, line, which == SAQS_OUT), 0};
    }
}

/* ---- stores ---- */

int figure_runs(const figure_work *f)
{
    return f->series ? f->series->runs : 0;
}

/* The first window in which a store holds `packets` packets, or the number of windows. */
static size_t first_window(const figure_work *f, int run, int line, int store, double packets)
{
    size_t w = 0;

    while (w < windows_of(f, line) && *value_at(f, line, store, w, run) < packets)
        w++;
    return w;
}

double figure_since(const figure_work *f, int run, int line, int store, double packets)
{
    double mean = 0;

    if (run >= 0)
        return (double)first_window(f, run, line, store, packets) * (double)f->plan->run.window;
    for (int k = 0; k < f->series->runs; k++)
        mean += figure_since(f, k, line, store, packets) / f->series->runs;
    return mean;
}

double figure_then(const figure_work *f, int run, int line, int store, double packets, int other)
{
    double mean = 0;

    if (run >= 0) {
        const size_t w = first_window(f, run, line, store, packets);
        return w < windows_of(f, line) ? *value_at(f, line, other, w, run) : NAN;
    }
    for (int k = 0; k < f->series->runs; k++)
        mean += figure_then(f, k, line, store, packets, other) / f->series->runs;
    return mean;
}

double figure_most_packets(const figure_work *f, int run, int line, int store)
{
    double mean = 0;

    for (size_t w = 0; w < windows_of(f, line) && run >= 0; w++)
        mean = fmax(mean, *value_at(f, line, store, w, run));
    for (int k = 0; k < f->series->runs && run < 0; k++)
        mean += figure_most_packets(f, k, line, store) / f->series->runs;
    return mean;
}

double figure_root(const figure_work *f, int run, int line, double cycle, double packets)
{
    const double windows = floor(cycle / (double)f->plan->run.window);
    double root = 0;

    if (!(windows >= 1 && windows <= (double)windows_of(f, line)))
        return NAN;
    const size_t window = (size_t)windows - 1;

    for (int s = 0; s < f->plan->line[line].stores && run >= 0; s++) {
        if (*value_at(f, line, s, window, run) >= packets)
            root = s + 1;
    }
    for (int k = 0; k < f->series->runs && run < 0; k++)
        root += figure_root(f, k, line, cycle, packets) / f->series->runs;
    return root;
}
