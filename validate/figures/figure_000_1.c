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

/* ---- drawing, and claims ---- */

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

static void claim(iq_tree *t)
{
    figure_tally detected = {0}, told = {0}, spread = {0}, gone = {0};
    const iq_depth *d = t->depth;

    figure_less(&detected, cycle_of(d[1].first_detected), cycle_of(d[1].first_told),
                figure_where("turns", 1));
    figure_less(&detected, cycle_of(d[1].first_detected), cycle_of(d[2].first_told),
                figure_where("turns", 2));
    figure_claim(t->f, &detected,
                 "2.6, steps 1 and 2: the first SAQ is at an input of the congested link's switch",
                 "a SAQ of one turn is detected before any notice for that link is sent", NULL,
                 "detected in cycle %.0f; %d allocated there, at most %d at a time",
                 cycle_of(d[1].first_detected).mean, d[1].allocated, d[1].most);
    for (int k = 1; k <= 2; k++) {
        figure_less(&told, cycle_of(d[k].first_xoff), cycle_of(d[k].first_line),
                    figure_where("turns", k));
        if (k < 2)
            figure_less(&told, cycle_of(d[k].first_line), cycle_of(d[k + 1].first_told),
                        figure_where("turns", k + 1));
    }
    figure_claim(
        t->f, &told,
        "2.6, steps 3 and 4: Xoff, a CAM line at the output upstream, and then a SAQ there",
        "in this order at one turn and at two", NULL,
        "1 turn: Xoff in cycle %.0f, line in %.0f; 2 turns: SAQ in %.0f, Xoff in %.0f, "
        "line in %.0f",
        cycle_of(d[1].first_xoff).mean, cycle_of(d[1].first_line).mean,
        cycle_of(d[2].first_told).mean, cycle_of(d[2].first_xoff).mean,
        cycle_of(d[2].first_line).mean);
    figure_less(&spread, cycle_of(d[2].first_told), cycle_of(d[3].first_told),
                figure_where("turns", 3));
    figure_claim(t->f, &spread, "2.6: and so on backwards",
                 "the first SAQ of three turns is notified after the first of two", NULL,
                 "2 turns: cycle %.0f, 3 turns: %.0f, at an interface: %.0f",
                 cycle_of(d[2].first_told).mean, cycle_of(d[3].first_told).mean,
                 cycle_of(d[0].first_told).mean);
    for (int k = 0; k <= 3; k++)
        figure_at_most(&gone, (swq_estimate){d[k].saqs, 0}, 0, figure_where(names[k], k));
    figure_claim(t->f, &gone, "2.2.1: SAQs are freed when they are empty and not stopped",
                 "none is left for that link in the end", NULL,
                 "the last one is freed in cycle %.0f; %d SAQs were detected for other points",
                 cycle_of(d[1].last_freed).mean, t->elsewhere);
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
        claim(t);
    swq_free(f->ctx, t);
    return status;
}
