/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The queues Q1+ and Q1- of all host input ports of an 11x11 torus, in many runs: the first one's
 * map, and how far the switches of a ring agree on the direction that has more, in all of them.
 */
#include "validate/figures/map.h"
#include "base/context.h"
#include "sim/measure/pile.h"
#include "validate/figures/makers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    EXTENT = FIGURE_RING,
    NODES = EXTENT * EXTENT,
    CLASSES = 5, /* at an input port; at the host's */
    UP = 0,      /* Q1+ */
    DOWN = 1,    /* and Q1- */
    FRAMES = 50,
    RUNS = 16,
    LONGER = 2 /* times the cycles of the options */
};

typedef enum { MARKED, MAJORITY, UNANIMOUS, UP_SHARE, UPWARD, APART } measure;

/* The results of a run; the last frame is the whole run. */
typedef struct {
    int frames;
    figure_unevenness frame[FRAMES + 1];
} map_run;

typedef struct {
    figure_work *f;
    double load;
    int threshold;
    uint32_t frame_cycles;
    swq_figure_setting *setting; /* [2]: memory freed from the start; then block by block */
    map_run outcome[2 * RUNS];   /* of either network */
    swq_status status[2 * RUNS];
    double *difference; /* of the first run: [(FRAMES + 1) * NODES] */
    int frames;         /* of the first run */
} map_work;

double figure_torus_load(int extent, double fraction)
{
    return fmin(1, fraction * 4 / (0.5 * extent));
}

/* ---- one run ---- */

/* blocks: [NODES * CLASSES] by node. difference: [NODES], with rings as rows: nodes of a ring in
 * the first dimension, the more significant coordinate of a number, are EXTENT apart. */
static void subtract(const double *blocks, double *difference)
{
    for (int ring = 0; ring < EXTENT; ring++) {
        for (int place = 0; place < EXTENT; place++) {
            const double *queue = blocks + (size_t)(place * EXTENT + ring) * CLASSES;
            difference[ring * EXTENT + place] = queue[UP] - queue[DOWN];
        }
    }
}

figure_unevenness figure_look_at_rings(const double *difference)
{
    figure_unevenness u = {0};

    for (int ring = 0; ring < EXTENT; ring++) {
        int up = 0, down = 0, marked_up = 0, marked_down = 0;
        for (int place = 0; place < EXTENT; place++) {
            double d = difference[ring * EXTENT + place];
            up += d > 0;
            down += d < 0;
            marked_up += d >= 1;
            marked_down += d <= -1;
            u.apart += fabs(d) / NODES;
        }
        u.marked += (double)(marked_up + marked_down) / NODES;
        u.majority += (double)(up > down ? up : down) / NODES;
        u.up += (double)up / NODES;
        u.upward += (double)(up > down) / EXTENT;
        u.unanimous += (double)(marked_up == EXTENT || marked_down == EXTENT) / EXTENT;
    }
    return u;
}

static swq_status run_one(swq_context *ctx, void *arg, int task)
{
    map_work *w = arg;
    const swq_async *network = &w->setting[task / RUNS].async;
    map_run *o = &w->outcome[task];
    swq_sim_options options = swq_sim_defaults();
    swq_async_result result;
    const size_t frame = (size_t)NODES * CLASSES;
    double *blocks = swq_calloc(ctx, (FRAMES + 1) * frame, sizeof *blocks);
    double difference[NODES];

    if (!blocks)
        return swq_memory_status(ctx);
    swq_async_watch watch = {
        .queue_blocks = blocks, .frame_cycles = w->frame_cycles, .frames = FRAMES};
    options.seed = w->f->out->options.seed + (uint64_t)(task % RUNS);
    options.cycles = (uint64_t)w->frame_cycles * FRAMES;
    options.warmup = 0; /* the pattern is to be seen as it grows */
    swq_status status = swq_async_run(ctx, network, &options, &watch, &result);
    if (!status && result.sim.stopped_by == SWQ_STOP_INTERRUPTED)
        status = swq_fail(ctx, SWQ_ECANCELLED, "interrupted");
    for (int k = 0; k <= FRAMES && !status; k++) {
        subtract(blocks + (size_t)k * frame, difference);
        o->frame[k] = figure_look_at_rings(difference);
        if (task == 0)
            memcpy(w->difference + (size_t)k * NODES, difference, sizeof difference);
    }
    o->frames = watch.frames_seen;
    swq_free(ctx, blocks);
    return status;
}

static swq_status *status_of(void *arg, int task)
{
    return &((map_work *)arg)->status[task];
}

/* ---- over the runs ---- */

static double read_frame(const figure_unevenness *u, measure what)
{
    return what == MARKED      ? u->marked
           : what == MAJORITY  ? u->majority
           : what == UNANIMOUS ? u->unanimous
           : what == UP_SHARE  ? u->up
           : what == UPWARD    ? u->upward
                               : u->apart;
}

/* The mean over RUNS runs from `first` on. */
static swq_estimate mean_of(const map_work *w, int first, int frame, measure what)
{
    double sum = 0, squares = 0;

    for (int k = first; k < first + RUNS; k++)
        sum += read_frame(&w->outcome[k].frame[frame], what);
    const double mean = sum / RUNS;
    for (int k = first; k < first + RUNS; k++) {
        double off = read_frame(&w->outcome[k].frame[frame], what) - mean;
        squares += off * off;
    }
    /* 2.13: Student's t for 15 degrees of freedom */
    return (swq_estimate){mean, 2.13 * sqrt(squares / (RUNS - 1) / RUNS)};
}

double figure_ring_chance(double up)
{
    double ways = 1, sum = 0; /* of `heads` among EXTENT */

    for (int heads = 0; heads <= EXTENT; heads++) {
        double probability = ways * pow(up, heads) * pow(1 - up, EXTENT - heads);
        sum += probability * (heads > EXTENT - heads ? heads : EXTENT - heads);
        ways *= (double)(EXTENT - heads) / (heads + 1);
    }
    return sum / EXTENT;
}

/* The share of a ring's nodes that agree by chance, if nodes go up with the probability seen over
 * all runs: a preference that all rings have is no agreement within a ring. */
static double chance(const map_work *w)
{
    return figure_ring_chance(mean_of(w, 0, FRAMES, UP_SHARE).mean);
}

static double unanimous_by_chance(const map_work *w)
{
    double up = mean_of(w, 0, FRAMES, UP_SHARE).mean;

    return pow(up, EXTENT) + pow(1 - up, EXTENT);
}

/* ---- curves ---- */

static swq_figure_point point_at(const map_work *w, int frame, swq_estimate y)
{
    return (swq_figure_point){.origin = SWQ_AT_TIME,
                              .x = (frame + 0.5) * w->frame_cycles,
                              .asked = NAN,
                              .y = y.mean,
                              .half_width = y.half_width,
                              .load = w->load,
                              .throughput = {NAN, NAN},
                              .a_node = NAN,
                              .cycles = w->frame_cycles,
                              .setting = w->f->out->setting};
}

static void draw(map_work *w)
{
    static const struct {
        const char *name, *quantity;
        measure what;
        int panel, colour;
    } curves[] = {
        {"of a ring's majority", "share of the switches", MAJORITY, 0, 3},
        {"marked", "share of the switches", MARKED, 0, 1},
        {"rings of one direction", "share of the rings", UNANIMOUS, 0, 2},
        {"difference", "mean difference of the queues", APART, 1, 3},
    };

    for (size_t c = 0; c < sizeof curves / sizeof *curves; c++) {
        figure_add_curve(w->f, curves[c].name, curves[c].quantity, curves[c].panel,
                         curves[c].colour, (int)c, false);
        for (int k = 0; k < FRAMES; k++)
            figure_add_point(w->f, point_at(w, k, mean_of(w, 0, k, curves[c].what)));
    }
    figure_add_curve(w->f, "independent", "share of switches that follow their ring's majority", 0,
                     7, 6, true);
    for (int k = 0; k < FRAMES; k += FRAMES - 1)
        figure_add_point(w->f, point_at(w, k, (swq_estimate){chance(w), 0}));
}

/* ---- what claims read ---- */

static void note(map_work *w)
{
    static const char *const names[] = {
        [MARKED] = "marked", [MAJORITY] = "majority", [UNANIMOUS] = "rings",
        [UP_SHARE] = "up",   [UPWARD] = "upward",     [APART] = "apart"};
    for (size_t what = 0; what < sizeof names / sizeof *names; what++) {
        figure_note(w->f, mean_of(w, 0, FRAMES, (measure)what), "%s", names[what]);
        figure_note(w->f, mean_of(w, RUNS, FRAMES, (measure)what), "%s by blocks", names[what]);
    }
    for (int k = 0; k < RUNS; k++)
        figure_note(w->f, (swq_estimate){w->outcome[k].frame[FRAMES].marked * NODES, 0},
                    "marked of run %d", k + 1);
    figure_note_number(w->f, chance(w), "majority by chance");
    figure_note_number(w->f, unanimous_by_chance(w), "rings by chance");
}

/* ---- all ---- */

static void keep_map(map_work *w)
{
    /* the run's mean follows the last frame */
    memmove(w->difference + (size_t)w->outcome[0].frames * NODES,
            w->difference + (size_t)FRAMES * NODES, NODES * sizeof *w->difference);
    w->f->out->blocks = w->difference;
    w->f->out->map = (swq_figure_map){.rows = EXTENT,
                                      .columns = EXTENT,
                                      .frames = w->outcome[0].frames,
                                      .frame_cycles = w->frame_cycles,
                                      .threshold = w->threshold,
                                      .load = w->load,
                                      .difference = w->difference,
                                      .setting = w->f->out->setting};
    w->difference = NULL;
}

static swq_status make_map(figure_work *f, const figure_map *map)
{
    const swq_figure_options *o = &f->out->options;
    const int threshold = o->threshold ? o->threshold : 26;
    map_work *w = NULL;
    swq_status status = SWQ_OK;

    w = swq_calloc(f->ctx, 1, sizeof *w);
    if (!w)
        return swq_memory_status(f->ctx);
    w->f = f;
    w->threshold = threshold;
    w->load = figure_torus_load(EXTENT, threshold == 26 ? map->load_26 : map->load_10);
    w->frame_cycles = (uint32_t)(o->cycles * LONGER / FRAMES);
    w->frame_cycles += w->frame_cycles == 0;
    w->difference = swq_calloc(f->ctx, (FRAMES + 1) * NODES, sizeof *w->difference);
    if (!w->difference)
        status = swq_memory_status(f->ctx);
    const swq_pile pile = {.arg = w, .tasks = 2 * RUNS, .run = run_one, .status = status_of};
    if (!status)
        status = figure_settings(f, 2);
    w->setting = f->out->setting;
    for (int k = 0; k < 2 && !status; k++)
        status = figure_network(f->ctx, &w->setting[k],
                                "--topology torus --dims %dx%d --buffer damq --bytes 256 --flow "
                                "maximum-usage --threshold %d --arbiter advancing --release %s "
                                "--load %.17g",
                                EXTENT, EXTENT, threshold, k ? "blocks" : "hop", w->load);
    if (!status)
        w->setting->replications = RUNS;
    if (!status) /* half a minute at most: either all or none */
        status = swq_pile_run(f->ctx, &pile, o->threads);
    if (!status)
        status = figure_room(f, 5, 4 * FRAMES + 2);
    if (!status) {
        f->out->runs = 2 * RUNS;
        f->out->options.cycles = (uint64_t)w->frame_cycles * FRAMES;
        draw(w);
        note(w);
        keep_map(w);
    }
    swq_free(f->ctx, w->difference);
    swq_free(f->ctx, w);
    return status;
}

/* Loads of Figure 6.8, by its sweep: the second-to-last one below the maximum; the first load with
 * less throughput than the one before; and far beyond the maximum. */
swq_status figure_make_6_10(figure_work *f)
{
    return make_map(f, &(figure_map){.load_26 = 0.68, .load_10 = 0.64});
}

swq_status figure_make_6_11(figure_work *f)
{
    return make_map(f, &(figure_map){.load_26 = 0.74, .load_10 = 0.70});
}

swq_status figure_make_6_12(figure_work *f)
{
    return make_map(f, &(figure_map){.load_26 = 1.00, .load_10 = 1.00});
}
