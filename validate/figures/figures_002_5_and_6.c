/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures 5 and 6 of the survey of congestion trees (Fecheyr-Lippens, section 4.2), from runs: the
 * queues of a store around the cycle in which something becomes of a SAQ there. A run goes until
 * the first such cycle, and once more, from the start, to see what was before and after it.
 */
#include "base/context.h"
#include "sim/frame/net.h"
#include "sim/switches/recn/recn.h"
#include "validate/figures/makers.h"

#include <math.h>

enum { ONSET = 4000, END = 60000, LINES = 3 };
enum { BEFORE = 100, SAMPLES = 300 }; /* before the event; in all */
enum { SHORT = 2, LONG = 15 };        /* cycles from sample to sample */

typedef enum moment { DETECTED, MORE_REFUSED, LESS_TAKEN, MORE_TAKEN } moment;

/* The event that is looked for, and the place where it was found. */
typedef struct {
    const swq_management *management;
    moment what;
    uint32_t each; /* cycles from sample to sample */
    swq_async_net *net;
    bool found;
    uint32_t cycle, store;
    swq_path path;  /* the path that the event is about */
    swq_path other; /* the path of the shorter, or longer, SAQ */
    int saq;        /* the SAQ of the event; < 0: none */
    double y[LINES][SAMPLES];
} scene;

/* ---- observing ---- */

/* Is there another SAQ at the store whose path is a beginning of `path`, or (longer) begins with
 * `path`? */
static bool has_kin(const swq_recn *n, uint32_t s, const swq_path *path, bool longer,
                    swq_path *other)
{
    const swq_path *lines = swq_recn_lines_of(n, s);

    for (uint32_t set = n->store[s].saqs; set; set &= set - 1) {
        const swq_path *line = &lines[__builtin_ctz(set)];
        if (line->mask == path->mask)
            continue;
        if (longer ? swq_path_begins(path, line) : swq_path_begins(line, path)) {
            *other = *line;
            return true;
        }
    }
    return false;
}

static void happened(void *arg, const swq_saq_event *e)
{
    scene *c = arg;
    const swq_recn *n = swq_own_state(c->net);
    const swq_path path = {e->turns, (UINT64_C(1) << e->length * e->bits) - 1};
    const uint32_t store = e->at_output ? n->inputs + e->port : e->port;
    const bool told = e->kind == SWQ_SAQ_TOLD;
    bool is_it = false;

    if (c->found || e->cycle < ONSET || (!e->at_output && e->port >= n->inputs))
        return;
    if (c->what == DETECTED)
        is_it = e->kind == SWQ_SAQ_DETECTED && !e->at_output;
    else if (c->what == MORE_REFUSED)
        is_it = e->kind == SWQ_SAQ_REFUSED && has_kin(n, store, &path, false, &c->other);
    else
        is_it = told && has_kin(n, store, &path, c->what == LESS_TAKEN, &c->other);
    if (!is_it)
        return;
    c->found = true;
    c->cycle = e->cycle;
    c->store = store;
    c->path = path;
    c->saq = e->number - 1;
}

/* The number of packets in a queue: all packets, or only the packets that match a path. */
static int packets_of(const swq_recn *n, const swq_recn_queue *queue, const swq_path *path)
{
    uint32_t record = queue->head;
    int count = 0;

    for (int left = queue->packets + queue->markers; left > 0; left--) {
        const swq_recn_packet *p = &n->packet[record];
        count += p->bytes > 0 && (!path || swq_path_matches(path, p->route));
        record = p->next;
    }
    return count;
}

static const swq_recn_queue *queue_of_line(const swq_recn *n, uint32_t s, const swq_path *path)
{
    const int k = swq_cam_find(swq_recn_lines_of(n, s), n->store[s].saqs, path);

    return k == SWQ_NO_LINE ? NULL : &swq_recn_queues_of(n, s)[swq_recn_plain(n, s) + k];
}

/* The detection queue, the SAQ, and all other detection queues. */
static void sample_detection(scene *c, int at)
{
    const swq_recn *n = swq_own_state(c->net);
    const swq_recn_queue *queue = swq_recn_queues_of(n, c->store),
                         *saq = queue_of_line(n, c->store, &c->path);
    const int plain = swq_recn_plain(n, c->store), mine = (int)c->path.turns;

    c->y[0][at] = queue[mine].packets;
    c->y[1][at] = saq ? saq->packets : 0;
    c->y[2][at] = 0;
    for (int q = 0; q < plain; q++)
        c->y[2][at] += q == mine ? 0 : queue[q].packets;
}

/* Samples, as a notice comes, the SAQ that is there, with its packets for the other point and all
 * its other packets; and the SAQ for which the notice asks. */
static void sample_notice(scene *c, int at)
{
    const swq_recn *n = swq_own_state(c->net);
    const swq_recn_queue *old = queue_of_line(n, c->store, &c->other),
                         *new = queue_of_line(n, c->store, &c->path);
    const int both = old ? packets_of(n, old, &c->path) : 0;

    c->y[0][at] = old ? old->packets - both : 0;
    c->y[1][at] = both;
    c->y[2][at] = new ? new->packets : 0;
}

static swq_status run_once(swq_context *ctx, scene *c, const swq_async *n, const swq_fabric *fabric,
                           uint64_t seed, bool look)
{
    swq_sim_options options = swq_sim_defaults();
    swq_async_watch watch = {.saq = happened, .arg = c};

    options.seed = seed;
    options.warmup = 0;
    swq_status status = swq_async_net_new(ctx, n, &options, fabric, 0, &c->net);
    if (status)
        return status;
    status = swq_watch_new(ctx, c->net, &watch);
    swq_system *system = &c->net->system;
    const uint32_t from = look ? c->cycle - BEFORE * c->each : 0;
    const uint32_t end = look ? from + SAMPLES * c->each : END;
    for (uint32_t t = 0; !status && t < end && (look || !c->found); t++) {
        system->advance(system, 1);
        if (!look || t < from || (t - from) % c->each)
            continue;
        if (c->what == DETECTED)
            sample_detection(c, (int)((t - from) / c->each));
        else
            sample_notice(c, (int)((t - from) / c->each));
    }
    system->release(ctx, system);
    c->net = NULL;
    return status;
}

static swq_status run_scene(figure_work *f, scene *c, int setting)
{
    const uint64_t seed = f->out->options.seed;
    swq_figure_setting *s = &f->out->setting[setting];
    const swq_async *n = &s->async;
    swq_fabric fabric = {0};
    swq_status status = figure_network(
        f->ctx, s,
        "--topology tree --arity 4 --levels 3 --architecture cioq --speedup 3/2 --output-bytes "
        "32768 --management %s --group mask=3,value=0,from=4000,interval=0,traffic=node:33 "
        "--group mask=3,value=0,load=0,traffic=uniform --group interval=0,traffic=uniform",
        c->management->name);

    if (!status)
        status = swq_fabric_make(f->ctx, &n->shape, &fabric);
    if (!status)
        status = run_once(f->ctx, c, n, &fabric, seed, false);
    if (!status && c->found)
        status = run_once(f->ctx, c, n, &fabric, seed, true);
    swq_fabric_clear(f->ctx, &fabric);
    f->out->runs++;
    return status;
}

/* ---- drawing ---- */

static void draw(figure_work *f, const scene *c, int panel, int line, const char *name)
{
    figure_add_curve(f, name, "packets in a queue", panel, line, line, false);
    for (int k = 0; c->found && k < SAMPLES; k++)
        figure_add_point(f, (swq_figure_point){.origin = SWQ_AT_TIME,
                                               .x = k * (int)c->each,
                                               .y = c->y[line][k],
                                               .asked = NAN,
                                               .load = 1,
                                               .throughput = {NAN, NAN},
                                               .a_node = NAN,
                                               .cycles = END,
                                               .setting = &f->out->setting[panel]});
}

static swq_estimate just(double value)
{
    return (swq_estimate){value, 0};
}

/* The sample before the cycle of the event, and the sample of that cycle. */
enum { LAST = BEFORE - 1, FIRST = BEFORE };

static double most(const scene *c, int line, int from, int to)
{
    double all = 0;

    for (int k = from; k < to; k++)
        all = fmax(all, c->y[line][k]);
    return all;
}

/* ---- 002.5 ---- */

static void note_5(figure_work *f, const scene *c)
{
    static const char *const names[] = {"detection queue", "SAQ", "others"};

    for (int line = 0; line < LINES; line++) {
        figure_note(f, just(c->found ? c->y[line][LAST] : NAN), "%s before", names[line]);
        figure_note(f, just(c->found ? c->y[line][FIRST] : NAN), "%s after", names[line]);
    }
    figure_note_number(f, c->cycle, "cycle");
    figure_note_number(f, c->management->default_detect, "threshold");
}

swq_status figure_make_002_5(figure_work *f)
{
    scene c = {.management = &swq_management_recn_enhanced, .what = DETECTED, .each = SHORT};
    swq_status status = figure_settings(f, 1);

    if (!status)
        status = run_scene(f, &c, 0);
    if (!status)
        status = figure_room(f, LINES, LINES * SAMPLES);
    if (status)
        return status;
    draw(f, &c, 0, 0, "detection queue of the output");
    draw(f, &c, 0, 1, "SAQ");
    draw(f, &c, 0, 2, "other detection queues");
    note_5(f, &c);
    return SWQ_OK;
}

/* ---- 002.6 ---- */

enum { REFUSES, LESS, ACCEPTS, SCENES };

/* The most packets after the event of a scene: of other points and of the notice's in the SAQ that
 * was there, and in the SAQ of the notice. */
static void note_6(figure_work *f, const scene *c)
{
    static const char *const scenes[] = {"refused", "less", "accepted"};
    static const char *const names[] = {"others", "mixed", "own"};

    for (int k = 0; k < SCENES; k++) {
        for (int line = 0; line < LINES; line++)
            figure_note(f, just(c[k].found ? most(&c[k], line, FIRST, SAMPLES) : NAN), "%s %s",
                        names[line], scenes[k]);
        figure_note(f, just(c[k].cycle), "cycle %s", scenes[k]);
        figure_note(f, just(c[k].found), "found %s", scenes[k]);
        figure_note(f, just(c[k].y[1][SAMPLES - 1]), "mixed %s at last", scenes[k]);
    }
}

swq_status figure_make_002_6(figure_work *f)
{
    scene c[SCENES] = {
        {.management = &swq_management_recn, .what = MORE_REFUSED, .each = LONG},
        {.management = &swq_management_recn, .what = LESS_TAKEN, .each = LONG},
        {.management = &swq_management_recn_enhanced, .what = MORE_TAKEN, .each = LONG},
    };
    swq_status status = figure_settings(f, SCENES);

    for (int k = 0; k < SCENES && !status; k++)
        status = run_scene(f, &c[k], k);
    if (!status)
        status = figure_room(f, SCENES * LINES, SCENES * LINES * SAMPLES);
    for (int k = 0; k < SCENES && !status; k++) {
        draw(f, &c[k], k, 0, "SAQ that was there: other packets");
        draw(f, &c[k], k, 1, "... of the notice's point");
        draw(f, &c[k], k, 2, "SAQ of the notice");
    }
    if (!status)
        note_6(f, c);
    return status;
}
