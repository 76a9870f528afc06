/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figure 6.2 of Frazier (1995): packets per arbitration of a single switch over time, and how soon
 * its buffers arbitrate together; the print shows one run, here are many.
 */
#include "base/context.h"
#include "sim/measure/pile.h"
#include "validate/figures/arbitrations.h"
#include "validate/figures/makers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    END = ARBITRATIONS_END,
    SOON = 320,  /* the cycle at which the print's run is synchronized */
    PACKET = 32, /* bytes: cycles */
    WINDOW = 96, /* cycles of the windows of means over time */
    WINDOWS = END / WINDOW,
    MOST_REST = ARBITRATIONS_MOST_REST,
    RESTS = 2
};
enum { FIFO, SAMQ, SAFC, DAMQ, BUFFERS };
/* sets of runs: the buffers with either rest, and DAMQ without rest, with memory freed block by
 * block */
enum { BLOCKS = BUFFERS * RESTS, SETS };

static const char *const buffer_name[BUFFERS] = {"FIFO", "SAMQ", "SAFC", "DAMQ"};
static const char *const buffer_kind[BUFFERS] = {"fifo", "samq", "safc", "damq"};

/* The results of a run. */
typedef struct {
    double synchronised; /* the cycle; END: not before the end */
    int late, threes; /* logical arbitrations from SOON on, and how many of them have three or more
                         packets */
    double sum[WINDOWS];       /* packets of the arbitrations that begin in a window */
    int arbitrations[WINDOWS]; /* and their number */
} figure_6_2_run;

typedef struct {
    figure_work *f;
    int runs;                /* of each set */
    figure_6_2_run *outcome; /* [SETS * runs] */
    swq_status *status;
    figure_course *shown; /* [RESTS] the first DAMQ run of each rest */
} figure_6_2_work;

/* ---- observing ---- */

static void started(void *arg, const swq_start *start)
{
    if (start->switch_ != SWQ_NO_WHERE)
        figure_course_add(arg, start->cycle);
}

static void judge(const figure_course *c, figure_6_2_run *o)
{
    *o = (figure_6_2_run){.synchronised = figure_course_synchronised(c, PACKET)};
    for (int k = 0; k < c->count; k++) {
        const figure_arbitration *a = &c->list[k];
        uint32_t window = a->first / WINDOW;
        if (a->first >= SOON && a->first <= END) {
            o->late++;
            o->threes += a->packets >= 3;
        }
        if (window < WINDOWS) {
            o->sum[window] += a->packets;
            o->arbitrations[window]++;
        }
    }
}

static swq_status run_one(swq_context *ctx, void *arg, int task)
{
    figure_6_2_work *w = arg;
    const int set = task / w->runs;
    const swq_async *network = &w->f->out->setting[set].async;
    swq_sim_options options = swq_sim_defaults();
    swq_async_result result;
    figure_course *c = swq_calloc(ctx, 1, sizeof *c);

    if (!c)
        return swq_memory_status(ctx);
    c->rest = network->link.rest;
    swq_async_watch watch = {.started = started, .arg = c};
    options.seed = w->f->out->options.seed + (uint64_t)(task % w->runs);
    options.cycles = END + 1;
    options.warmup = 0;
    const swq_status status = swq_async_run(ctx, network, &options, &watch, &result);
    if (!status) {
        judge(c, &w->outcome[task]);
        if (set % BUFFERS == DAMQ && task % w->runs == 0)
            w->shown[set / BUFFERS] = *c;
    }
    swq_free(ctx, c);
    return status;
}

/* One 4x4 switch for each set. FIFO, SAMQ and SAFC buffers count bytes, DAMQ buffers blocks. */
static swq_status read_networks(figure_6_2_work *w)
{
    swq_status status = figure_settings(w->f, SETS);

    for (int set = 0; set < SETS && !status; set++) {
        const int buffer = set == BLOCKS ? DAMQ : set % BUFFERS;
        swq_figure_setting *s = &w->f->out->setting[set];
        status =
            figure_network(w->f->ctx, s,
                           "--engine async --stages 1 --buffer %s --bytes 128 --block %d "
                           "--arbiter advancing --release %s --link-rest %d --load 1",
                           buffer_kind[buffer], buffer == DAMQ ? 8 : 1,
                           set == BLOCKS ? "blocks" : "hop", set / BUFFERS == 1 ? MOST_REST : 0);
        s->replications = w->runs;
    }
    return status;
}

static swq_status *status_of(void *arg, int task)
{
    return &((figure_6_2_work *)arg)->status[task];
}

/* ---- over the runs ---- */

static swq_estimate mean_of(const double *value, int count)
{
    double sum = 0, squares = 0;

    for (int k = 0; k < count; k++)
        sum += value[k];
    double mean = sum / count;
    for (int k = 0; k < count; k++)
        squares += (value[k] - mean) * (value[k] - mean);
    return (swq_estimate){mean, count > 1 ? 1.96 * sqrt(squares / (count - 1) / count) : INFINITY};
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The range of most runs, and their median. */
typedef struct {
    double least, median, most; /* 2.5%, 50%, 97.5% */
    swq_estimate mean;
    double share_below_end;
} spread;

static spread spread_of(double *value, int count)
{
    spread s = {.mean = mean_of(value, count)};
    int below = 0;

    qsort(value, (size_t)count, sizeof *value, by_size);
    for (int k = 0; k < count; k++)
        below += value[k] < END;
    s.least = value[(int)(0.025 * (count - 1) + 0.5)];
    s.median = value[(count - 1) / 2];
    s.most = value[(int)(0.975 * (count - 1) + 0.5)];
    s.share_below_end = (double)below / count;
    return s;
}

typedef enum { SYNCHRONISED, LATE, THREES, SHARE } reading;

static spread read_set(const figure_6_2_work *w, int set, reading what, double *scratch)
{
    for (int k = 0; k < w->runs; k++) {
        const figure_6_2_run *o = &w->outcome[set * w->runs + k];
        scratch[k] = what == SYNCHRONISED ? o->synchronised
                     : what == LATE       ? o->late
                     : what == THREES     ? o->threes
                     : o->late            ? (double)o->threes / o->late
                                          : 0;
    }
    return spread_of(scratch, w->runs);
}

/* ---- curves ---- */

static swq_figure_point point_at(const figure_6_2_work *w, int set, double x, swq_estimate y)
{
    return (swq_figure_point){.origin = SWQ_AT_TIME,
                              .x = x,
                              .asked = NAN,
                              .y = y.mean,
                              .half_width = y.half_width,
                              .load = 1,
                              .throughput = {NAN, NAN},
                              .a_node = NAN,
                              .cycles = END + 1,
                              .setting = &w->f->out->setting[set]};
}

static void draw_run(figure_6_2_work *w, int rest)
{
    const figure_course *c = &w->shown[rest];
    const int set = rest * BUFFERS + DAMQ;

    figure_add_curve(w->f, rest ? "rest 2" : "rest 0", "packets of an arbitration, one run", 0,
                     rest ? 0 : 3, rest ? 7 : 0, rest > 0);
    for (int k = 0; k < c->count; k++) {
        const figure_arbitration *a = &c->list[k];
        figure_add_point(w->f, point_at(w, set, a->first, (swq_estimate){a->packets, 0}));
        if (a->last > a->first)
            figure_add_point(w->f, point_at(w, set, a->last, (swq_estimate){a->packets, 0}));
    }
}

static void draw_means(figure_6_2_work *w, int set, double *scratch)
{
    const int buffer = set % BUFFERS;

    figure_add_curve(w->f, buffer_name[buffer], "packets of an arbitration, mean",
                     1 + set / BUFFERS, buffer, buffer, false);
    for (int at = 0; at < WINDOWS; at++) {
        int count = 0;
        for (int k = 0; k < w->runs; k++) {
            const figure_6_2_run *o = &w->outcome[set * w->runs + k];
            if (o->arbitrations[at])
                scratch[count++] = o->sum[at] / o->arbitrations[at];
        }
        if (count)
            figure_add_point(w->f, point_at(w, set, (at + 0.5) * WINDOW, mean_of(scratch, count)));
    }
}

static int points_needed(const figure_6_2_work *w)
{
    return 2 * (w->shown[0].count + w->shown[1].count) + BLOCKS * WINDOWS;
}

/* ---- what claims read ---- */

/* Of each set, such as "DAMQ 2" with a rest of two cycles: NAME SET is the mean over runs. */
static void note(figure_6_2_work *w, double *scratch)
{
    static const char *const names[] = {
        [SYNCHRONISED] = "synchronised", [LATE] = "late", [THREES] = "threes", [SHARE] = "share"};
    for (int set = 0; set < SETS; set++) {
        char name[20];
        snprintf(name, sizeof name, "%s %s", buffer_name[set == BLOCKS ? DAMQ : set % BUFFERS],
                 set == BLOCKS   ? "blocks"
                 : set < BUFFERS ? "0"
                                 : "2");
        for (reading what = SYNCHRONISED; what <= SHARE; what++) {
            const spread s = read_set(w, set, what, scratch);
            figure_note(w->f, s.mean, "%s %s", names[what], name);
            if (what == SYNCHRONISED)
                figure_note(w->f, (swq_estimate){s.share_below_end, 0}, "runs %s", name);
            if (set % BUFFERS != DAMQ && set != BLOCKS)
                continue;
            figure_note(w->f, (swq_estimate){s.least, 0}, "%s %s least", names[what], name);
            figure_note(w->f, (swq_estimate){s.median, 0}, "%s %s median", names[what], name);
            figure_note(w->f, (swq_estimate){s.most, 0}, "%s %s most", names[what], name);
        }
    }
}

swq_status figure_make_6_2(figure_work *f)
{
    const uint64_t wanted = f->out->options.cycles / 100;
    figure_6_2_work w = {.f = f, .runs = wanted < 2 ? 2 : wanted > 2000 ? 2000 : (int)wanted};
    const size_t tasks = (size_t)w.runs * SETS;
    const swq_pile pile = {.arg = &w, .tasks = (int)tasks, .run = run_one, .status = status_of};
    double *scratch = swq_calloc(f->ctx, (size_t)w.runs, sizeof *scratch);
    swq_status status = SWQ_OK;

    w.outcome = swq_calloc(f->ctx, tasks, sizeof *w.outcome);
    w.status = swq_calloc(f->ctx, tasks, sizeof *w.status);
    w.shown = swq_calloc(f->ctx, RESTS, sizeof *w.shown);
    if (!scratch || !w.outcome || !w.status || !w.shown)
        status = swq_memory_status(f->ctx);
    if (!status)
        status = read_networks(&w);
    if (!status) /* these runs take a second or two: either all or none */
        status = swq_pile_run(f->ctx, &pile, f->out->options.threads);
    if (!status)
        status = figure_room(f, RESTS + BLOCKS, points_needed(&w));
    if (!status) {
        f->out->runs = (int)tasks;
        /* the requested cycles determine the number of runs instead */
        f->out->options.cycles = END + 1;
        for (int rest = 0; rest < RESTS; rest++)
            draw_run(&w, rest);
        for (int set = 0; set < BLOCKS; set++)
            draw_means(&w, set, scratch);
        note(&w, scratch);
    }
    swq_free(f->ctx, scratch);
    swq_free(f->ctx, w.outcome);
    swq_free(f->ctx, w.status);
    swq_free(f->ctx, w.shown);
    return status;
}
