/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figure 1 of the RECN-IQ paper (Mora, Garcia, Flich and Duato, section 2.6), from a run: one
 * congestion tree, and when its ports allocated SAQs. All nodes but one send to node 0 for a while;
 * SAQs at the same number of turns from the link to node 0 are on one curve.
 */
#include "base/context.h"
#include "validate/figures/makers.h"

#include <math.h>
#include <string.h>

enum { UNTIL = 6000, END = 24000, DEEP = 4 };
enum { MOST_POINTS = 4000 };

/* Observations at a distance, in turns: 0 is the interfaces', 1 the inputs of the last switch. */
typedef struct {
    uint32_t first_detected, first_told, first_xoff, first_line, last_freed;
    int saqs, most, allocated;
    double x[MOST_POINTS], y[MOST_POINTS];
    int points;
} iq_depth;

typedef struct {
    figure_work *f;
    swq_fabric fabric;
    uint32_t inputs;
    iq_depth depth[DEEP + 1];
    int elsewhere; /* SAQs for other points */
} iq_tree;

/* Does the path of an event, whose turns begin at its port, end at the link to node 0? */
static bool to_the_node(const iq_tree *t, const swq_saq_event *e)
{
    const swq_fabric *f = &t->fabric;
    const uint32_t ports = (uint32_t)f->ports;
    const bool at_output = e->kind == SWQ_SAQ_LINE_TAKEN || e->kind == SWQ_SAQ_LINE_FREED;
    uint32_t port = e->port;

    if (port >= t->inputs)
        port = f->entry[port - t->inputs];
    else if (at_output)
        port = f->link[port];
    for (int k = 0; k < e->length; k++) {
        if (port & SWQ_TO_NODE)
            return false;
        const uint32_t turn = (uint32_t)(e->turns >> (k * e->bits)) & ((1u << e->bits) - 1);
        port = f->link[port / ports * ports + turn];
    }
    return port == (SWQ_TO_NODE | 0);
}

static void earlier(uint32_t *first, uint32_t cycle)
{
    if (cycle < *first)
        *first = cycle;
}

static void changed(iq_depth *d, uint32_t cycle, int more)
{
    d->saqs += more;
    d->allocated += more > 0;
    d->most = d->saqs > d->most ? d->saqs : d->most;
    if (d->points < MOST_POINTS) {
        d->x[d->points] = cycle;
        d->y[d->points++] = d->saqs;
    }
}

static void happened(void *arg, const swq_saq_event *e)
{
    iq_tree *t = arg;
    const bool interface = e->port >= t->inputs;

    if (e->length > DEEP || !to_the_node(t, e)) {
        t->elsewhere += e->kind == SWQ_SAQ_DETECTED;
        return;
    }
    iq_depth *d = &t->depth[interface ? 0 : e->length];
    if (e->kind == SWQ_SAQ_DETECTED)
        earlier(&d->first_detected, e->cycle);
    else if (e->kind == SWQ_SAQ_TOLD)
        earlier(&d->first_told, e->cycle);
    else if (e->kind == SWQ_SAQ_XOFF)
        earlier(&d->first_xoff, e->cycle);
    else if (e->kind == SWQ_SAQ_LINE_TAKEN) /* at the depth of the input that sent the notice */
        earlier(&t->depth[e->length].first_line, e->cycle);
    else if (e->kind == SWQ_SAQ_FREED)
        d->last_freed = e->cycle;
    if (e->kind == SWQ_SAQ_DETECTED || e->kind == SWQ_SAQ_TOLD || e->kind == SWQ_SAQ_FREED)
        changed(d, e->cycle, e->kind == SWQ_SAQ_FREED ? -1 : 1);
}

static swq_status run_tree(iq_tree *t)
{
    swq_figure_setting *s = t->f->out->setting;
    swq_sim_options options = swq_sim_defaults();
    swq_async_watch watch = {.saq = happened, .arg = t};
    swq_async_result r;
    swq_status status =
        figure_network(t->f->ctx, s,
                       "--topology tree --arity 4 --levels 2 --management recn-iq --group "
                       "until=%d,sources=open,load=0.5,traffic=node:0",
                       UNTIL);

    options.cycles = 4 * END;
    options.warmup = 0;
    options.seed = t->f->out->options.seed;
    if (!status)
        status = swq_fabric_make(t->f->ctx, &s->async.shape, &t->fabric);
    if (status)
        return status;
    t->inputs = t->fabric.switches * (uint32_t)t->fabric.ports;
    status = swq_async_run(t->f->ctx, &s->async, &options, &watch, &r);
    swq_fabric_clear(t->f->ctx, &t->fabric);
    if (!status && r.sim.stopped_by == SWQ_STOP_INTERRUPTED)
        status = swq_fail(t->f->ctx, SWQ_ECANCELLED, "interrupted");
    if (status)
        return status;
    t->f->out->runs = 1;
    t->f->out->cpu_seconds = r.sim.cpu_seconds;
    return SWQ_OK;
}

/* ---- drawing, and what claims read ---- */

static const char *const names[DEEP + 1] = {"interfaces", "1 turn away", "2 turns away",
                                            "3 turns away", "4 turns away"};

static void draw(iq_tree *t, int k)
{
    const iq_depth *d = &t->depth[k];

    figure_add_curve(t->f, names[k], "SAQs in use", 0, k, k, false);
    for (int p = 0; p < d->points; p++)
        figure_add_point(t->f, (swq_figure_point){.origin = SWQ_AT_TIME,
                                                  .x = d->x[p],
                                                  .y = d->y[p],
                                                  .asked = NAN,
                                                  .load = 0.5,
                                                  .throughput = {NAN, NAN},
                                                  .a_node = NAN,
                                                  .cycles = 4 * END,
                                                  .setting = &t->f->out->setting[0]});
}

static swq_estimate cycle_of(uint32_t cycle)
{
    return (swq_estimate){cycle == UINT32_MAX ? NAN : cycle, 0};
}

/* Of each number of turns to the congested link, 0 for interfaces: when SAQs are first detected and
 * told of, when they first send Xoff and get a CAM line, and how many are left. */
static void note(iq_tree *t)
{
    for (int k = 0; k <= DEEP; k++) {
        const iq_depth *d = &t->depth[k];
        figure_note(t->f, cycle_of(d->first_detected), "detected %d", k);
        figure_note(t->f, cycle_of(d->first_told), "told %d", k);
        figure_note(t->f, cycle_of(d->first_xoff), "xoff %d", k);
        figure_note(t->f, cycle_of(d->first_line), "line %d", k);
        figure_note(t->f, cycle_of(d->last_freed), "freed %d", k);
        figure_note(t->f, (swq_estimate){d->saqs, 0}, "left %d", k);
        figure_note(t->f, (swq_estimate){d->allocated, 0}, "allocated %d", k);
        figure_note(t->f, (swq_estimate){d->most, 0}, "most %d", k);
    }
    figure_note_number(t->f, t->elsewhere, "elsewhere");
}

swq_status figure_make_000_1(figure_work *f)
{
    iq_tree *t = swq_calloc(f->ctx, 1, sizeof *t);
    int points = 0;

    if (!t)
        return swq_memory_status(f->ctx);
    t->f = f;
    for (int k = 0; k <= DEEP; k++)
        t->depth[k].first_detected = t->depth[k].first_told = t->depth[k].first_xoff =
            t->depth[k].first_line = UINT32_MAX;
    swq_status status = figure_settings(f, 1);
    if (!status)
        status = run_tree(t);
    for (int k = 0; k < DEEP; k++)
        points += t->depth[k].points;
    if (!status)
        status = figure_room(f, DEEP, points);
    for (int k = 0; k < DEEP && !status; k++)
        draw(t, k);
    if (!status)
        note(t);
    swq_free(f->ctx, t);
    return status;
}
