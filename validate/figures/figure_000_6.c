/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figure 6 of the RECN-IQ paper (Mora, Garcia, Flich and Duato, section 4.1): throughput and
 * latency of uniform traffic, with 0, 2, 4 and 8 set-aside queues a port, on 64 and on 256 nodes.
 * One SAQ is run at full load besides, to compare with. Room: validate. Includes base, sim.
 */
#include "base/context.h"
#include "sim/measure/pile.h"
#include "validate/figures/makers.h"

#include <math.h>
#include <string.h>

enum {
    SLOT = 64 /* bytes */,
    SLOTS = 64,
    ARITY = 4,
    LOADS = 9,
    MOST_WARMUP = 40000,
    REPLICATIONS = 5,
    SIZES = 2,
    LINES = 5
};

static const double loads[LOADS] = {0.3, 0.5, 0.6, 0.65, 0.7, 0.8, 0.9, 0.95, 1};

/* Lines of a network; the last one is not drawn. */
enum { NONE, TWO, FOUR, EIGHT, ONE };
static const struct {
    const char *name;
    int saqs;
} lines[LINES] = {{"no SAQs", 0}, {"2 SAQs", 2}, {"4 SAQs", 4}, {"8 SAQs", 8}, {"1 SAQ", 1}};

typedef struct {
    bool there;
    swq_estimate throughput, latency;
    uint64_t cycles;
    double a_node, cpu_seconds;
} iq_cell;

enum { TASKS = SIZES * LINES * LOADS };

typedef struct {
    figure_work *f;
    iq_cell cell[TASKS]; /* [sizes][lines][loads] */
    swq_status status[TASKS];
} iq_figure;

static int task_of(int size, int line, int load)
{
    return (size * LINES + line) * LOADS + load;
}

/* ---- runs ---- */

static swq_status network_of(swq_context *ctx, int size, int line, double load,
                             swq_sender_group *group, swq_async *n)
{
    const swq_management *row = &swq_management_recn_iq;

    *n = swq_async_defaults();
    n->shape = (swq_shape){.levels = 3 + size};
    for (int l = 0; l < n->shape.levels; l++)
        n->shape.arity[l] = ARITY;
    n->block = n->max_packet = SLOT;
    n->link_rest = 0;
    n->management = row;
    n->memory = SLOTS * SLOT;
    n->saqs = lines[line].saqs;
    n->detect = row->default_detect;
    n->xoff = row->default_xoff;
    n->xon = row->default_xon;
    *group =
        swq_sender_group_uniform(n, SWQ_SOURCE_OPEN, load, (swq_spread){SWQ_CONSTANT, SLOT, 0});
    n->group = group;
    n->groups = 1;
    return swq_fabric_find(ctx, "tree", &n->shape);
}

/* By default 40,000 cycles are measured after as many, in which SAQs and interfaces fill up.
 * Filling takes longer than measuring needs, so shorter runs skip a larger part of theirs. */
static uint64_t warmup_of(const swq_figure_options *o)
{
    return 4 * o->cycles < MOST_WARMUP ? 4 * o->cycles : MOST_WARMUP;
}

static swq_status run_one(swq_context *ctx, void *arg, int task)
{
    iq_figure *t = arg;
    const int load = task % LOADS, line = task / LOADS % LINES, size = task / LOADS / LINES;
    swq_figure_setting *setting = &t->f->out->setting[task];
    swq_sim_options options = swq_sim_defaults();
    swq_sender_group group;
    swq_async network;
    swq_async_result r;

    if (line == ONE && load < LOADS - 1)
        return SWQ_OK;
    options.seed = t->f->out->options.seed;
    options.cycles = 2 * t->f->out->options.cycles;
    options.replications = load == LOADS - 1 ? REPLICATIONS : 1; /* claims are made of full load */
    options.warmup = warmup_of(&t->f->out->options);
    swq_status status = network_of(ctx, size, line, loads[load], &group, &network);
    if (!status)
        status = swq_async_run(ctx, &network, &options, NULL, &r);
    if (!status && r.sim.stopped_by == SWQ_STOP_INTERRUPTED)
        status = swq_fail(ctx, SWQ_ECANCELLED, "interrupted");
    if (status)
        return status;
    figure_set_async(setting, &network, NULL, SLOTS * SLOT, loads[load]);
    setting->warmup = options.warmup;
    setting->replications = options.replications;
    t->cell[task] = (iq_cell){.there = true,
                              .throughput = r.sim.all.throughput,
                              .latency = r.sim.all.tail_latency,
                              .cycles = r.sim.cycles,
                              .a_node = (double)r.sim.all.delivered / r.sim.nodes,
                              .cpu_seconds = r.sim.cpu_seconds};
    return SWQ_OK;
}

static swq_status *status_of(void *arg, int task)
{
    return &((iq_figure *)arg)->status[task];
}

static double weight_of(void *arg, int task)
{
    (void)arg;
    return loads[task % LOADS] * (task / LOADS / LINES ? 5 : 1);
}

/* ---- drawing ---- */

static void draw_line(iq_figure *t, int size, int line, bool latency)
{
    figure_add_curve(t->f, lines[line].name, latency ? "mean latency, tail" : "throughput",
                     2 * size + latency, line, line, false);
    for (int k = 0; k < LOADS; k++) {
        const int task = task_of(size, line, k);
        const iq_cell *c = &t->cell[task];
        const swq_estimate y = latency ? c->latency : c->throughput;
        if (c->there)
            figure_add_point(t->f, (swq_figure_point){.origin = SWQ_AT_LOAD,
                                                      .x = loads[k],
                                                      .y = y.mean,
                                                      .half_width = y.half_width,
                                                      .asked = loads[k],
                                                      .load = loads[k],
                                                      .throughput = c->throughput,
                                                      .a_node = c->a_node,
                                                      .cycles = c->cycles,
                                                      .setting = &t->f->out->setting[task]});
    }
}

/* ---- claims ---- */

static swq_estimate most(const iq_figure *t, int size, int line)
{
    const iq_cell *c = &t->cell[task_of(size, line, LOADS - 1)];
    return c->there ? c->throughput : (swq_estimate){NAN, NAN};
}

static figure_place at(int size)
{
    return figure_where("nodes", size ? 256 : 64);
}

static void claim_small(iq_figure *t)
{
    figure_tally none = {0}, two = {0}, four = {0};

    figure_same(&none, most(t, 0, NONE), (swq_estimate){0.65, 0}, 0.05, 0, at(0));
    figure_claim(t->f, &none, "4.1, Fig. 6.a: without SAQs efficiency is at most about 65%",
                 "within 5% of 0.65 at full load, 64 nodes", NULL, "%.3f", most(t, 0, NONE).mean);
    figure_at_least(&two, most(t, 0, TWO), 0.8, at(0));
    figure_claim(t->f, &two, "4.1, Fig. 6.a: with only 2 SAQs efficiency is above 80%",
                 "at least 0.8 at full load, 64 nodes", NULL, "%.3f; with one SAQ %.3f",
                 most(t, 0, TWO).mean, most(t, 0, ONE).mean);
    figure_less(&four, most(t, 0, TWO), most(t, 0, FOUR), at(0));
    figure_same(&four, most(t, 0, FOUR), most(t, 0, EIGHT), 0.01, 0, at(0));
    figure_claim(t->f, &four, "4.1, Fig. 6.a: at least 4 SAQs are needed for the most",
                 "at full load, 64 nodes: 4 SAQs above 2, and within 1% of 8", NULL,
                 "2: %.3f, 4: %.3f, 8: %.3f", most(t, 0, TWO).mean, most(t, 0, FOUR).mean,
                 most(t, 0, EIGHT).mean);
}

static void claim_large(iq_figure *t)
{
    figure_tally none = {0}, two = {0}, four = {0}, eight = {0}, less = {0};

    figure_same(&none, most(t, 1, NONE), (swq_estimate){0.65, 0}, 0.05, 0, at(1));
    figure_claim(t->f, &none, "4.1, Fig. 6.c: without SAQs 65% (256 nodes)",
                 "within 5% of 0.65 at full load", NULL, "%.3f", most(t, 1, NONE).mean);
    figure_same(&two, most(t, 1, TWO), (swq_estimate){0.8, 0}, 0.05, 0, at(1));
    figure_claim(
        t->f, &two, "4.1, Fig. 6.c: with 2 SAQs almost 80% (256 nodes)",
        "within 5% of 0.8 at full load",
        "open: one SAQ has .82; a slower post-processing was tried, which takes 4 SAQs below "
        ".90 before it takes 2 to .80 (docs/congestion.md)",
        "%.3f; with one SAQ %.3f", most(t, 1, TWO).mean, most(t, 1, ONE).mean);
    figure_at_least(&four, most(t, 1, FOUR), 0.9, at(1));
    figure_claim(t->f, &four, "4.1, Fig. 6.c: with 4 SAQs above 90% (256 nodes)",
                 "at least 0.9 at full load", NULL, "%.3f", most(t, 1, FOUR).mean);
    figure_less(&eight, most(t, 1, NONE), most(t, 1, EIGHT), at(1));
    figure_less(&eight, most(t, 1, TWO), most(t, 1, EIGHT), at(1));
    figure_at_least(&eight, figure_ratio(most(t, 1, EIGHT), most(t, 1, FOUR)), 1.01, at(1));
    figure_claim(
        t->f, &eight, "4.1, Fig. 6.c: 8 SAQs are needed for the maximum (256 nodes)",
        "at full load: 8 SAQs above 0 and 2, by more than the intervals, and above 4 by 1%",
        "with uniform traffic four SAQs are as good as eight", "2: %.3f, 4: %.3f, 8: %.3f",
        most(t, 1, TWO).mean, most(t, 1, FOUR).mean, most(t, 1, EIGHT).mean);
    for (int line = NONE; line <= FOUR; line++)
        figure_less(&less, most(t, 1, line), most(t, 0, line), figure_where(lines[line].name, 256));
    figure_at_least(&less, figure_ratio(most(t, 1, EIGHT), most(t, 0, EIGHT)), 0.995,
                    figure_where(lines[EIGHT].name, 256));
    figure_claim(t->f, &less, "4.1: with 256 nodes slightly less, unless there are 8 SAQs",
                 "less than with 64 nodes at full load with 0, 2 and 4 SAQs, by more than the "
                 "intervals, and with 8 at least 99.5% of it",
                 "with 8 SAQs 256 nodes carry as much less as with 4",
                 "4 SAQs: %.3f and %.3f; 8: %.3f and %.3f", most(t, 1, FOUR).mean,
                 most(t, 0, FOUR).mean, most(t, 1, EIGHT).mean, most(t, 0, EIGHT).mean);
}

swq_status figure_make_000_6(figure_work *f)
{
    iq_figure *t = swq_calloc(f->ctx, 1, sizeof *t);

    if (!t)
        return swq_memory_status(f->ctx);
    t->f = f;
    const swq_pile pile = {
        .arg = t, .tasks = TASKS, .run = run_one, .status = status_of, .weight = weight_of};
    swq_status status = figure_settings(f, TASKS);
    if (!status)
        status = swq_pile_run(f->ctx, &pile, f->out->options.threads);
    for (int k = 0; k < TASKS; k++) {
        f->out->runs += t->cell[k].there;
        f->out->cpu_seconds += t->cell[k].cpu_seconds;
    }
    if (status == SWQ_ECANCELLED && f->out->runs > 0) {
        f->out->cut_short = true;
        status = SWQ_OK;
    }
    if (!status)
        status = figure_room(f, 2 * SIZES * ONE, 2 * SIZES * ONE * LOADS);
    for (int k = 0; k < 2 * SIZES * ONE && !status; k++)
        draw_line(t, k / 2 / ONE, k / 2 % ONE, k % 2);
    if (!status) {
        claim_small(t);
        claim_large(t);
    }
    swq_free(f->ctx, t);
    return status;
}
