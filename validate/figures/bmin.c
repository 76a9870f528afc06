/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The runs of document 003's figures: every line at every load, and the bisection of its
 * saturation, all of them one pile of tasks.
 * Room: validate. Includes base, sim.
 */
#include "validate/figures/bmin.h"
#include "base/context.h"
#include "sim/measure/pile.h"
#include "sim/traffic/groups.h"

#include <math.h>
#include <string.h>

enum {
    CHUNK = BMIN_PORTS,
    HOP = 3, /* cycles from the start of a header until the next switch may send it on: one on the
                link and two in the switch (3.4) */
    ARITY = 4
};

#define RESOLUTION 0.005

/* ---- lengths ---- */

/* By default a million cycles, measured after 350,000 (5.1). */
uint64_t bmin_measured(const swq_figure_options *o)
{
    return o->cycles * 65 / 2;
}

uint64_t bmin_warmup(const swq_figure_options *o)
{
    return o->cycles * 35 / 2;
}

uint64_t bmin_judged(const swq_figure_options *o)
{
    return o->cycles * 25;
}

/* ---- networks ---- */

static const swq_architecture *architecture_of(const bmin_line *line)
{
    static const char *const name[] = {
        [BMIN_FIFO] = "input-queued", [BMIN_HIPIQS] = "hipiqs", [BMIN_CENTRAL] = "central"};
    int k = 0;

    while (swq_architectures[k] && strcmp(swq_architectures[k]->name, name[line->memory]) != 0)
        k++;
    return swq_architectures[k];
}

static swq_status organise(swq_context *ctx, const bmin_line *line, bool equal_all, swq_async *n)
{
    const swq_buffer_kind *kind;
    swq_status status = SWQ_OK;

    n->architecture = architecture_of(line);

    n->block = CHUNK;
    if (line->memory == BMIN_FIFO) {
        if (!status)
            status = swq_buffer_kind_find(ctx, "fifo", &kind);
        return status ? status : swq_async_buffer(ctx, n, kind, line->buffer);
    }
    n->memory = line->buffer;
    n->count_all = equal_all && n->architecture->crosspoints;
    return status ? status : swq_selection_find(ctx, "queue", &n->choice);
}

swq_status bmin_make(swq_context *ctx, const bmin_line *line, bool equal_all, double load,
                     swq_sender_group *group, swq_async *network)
{
    const swq_spread length = {SWQ_CONSTANT, line->message, 0};
    swq_async n = swq_async_defaults();

    n.shape = (swq_shape){
        .kind = &swq_fabric_tree, .levels = line->levels, .routing = &swq_routing_adaptive};
    for (int k = 0; k < line->levels; k++)
        n.shape.arity[k] = ARITY;
    n.max_packet = line->packet ? line->packet : line->message;
    n.hop_delay = HOP;
    n.link_rest = 0;
    swq_status status = organise(ctx, line, equal_all, &n);
    *group = swq_sender_group_uniform(&n, SWQ_SOURCE_OPEN, load, length);
    if (!status && line->pattern)
        status = swq_pattern_find(ctx, line->pattern, &group->type[0].pattern);
    n.group = group;
    n.groups = 1;
    if (!status)
        *network = n;
    return status;
}

swq_status bmin_senders(swq_context *ctx, const swq_async *network, double *nodes_a_sender)
{
    swq_group_sizes sizes;
    swq_fabric fabric;
    swq_status status = swq_fabric_count(ctx, &network->shape, &fabric);

    if (status)
        return status;
    swq_sender_groups_count(network, &fabric, &sizes);
    *nodes_a_sender = (double)fabric.nodes / (sizes.nodes[0] - sizes.to_self[0]);
    return SWQ_OK;
}

/* ---- runs ---- */

/* Tasks of a line, the first being the search for its saturation. */
enum { TASKS = BMIN_LOADS + 1 };

typedef struct {
    const bmin *b;
    swq_status *status; /* [lines * TASKS] */
    double *cpu_seconds;
} bmin_work;

static swq_status search(swq_context *ctx, const bmin *b, const swq_async *network,
                         bmin_result *result)
{
    const swq_figure_options *o = &b->f->out->options;
    swq_sim_options options = swq_sim_defaults();
    swq_bracket bracket;

    options.seed = o->seed;
    options.cycles = bmin_judged(o);
    swq_status status = swq_async_bracket(ctx, network, &options, RESOLUTION, &bracket);
    if (!status && bracket.interrupted)
        status = swq_fail(ctx, SWQ_ECANCELLED, "interrupted");
    if (status)
        return status;
    result->saturation =
        (swq_estimate){(bracket.least + bracket.most) / 2, (bracket.most - bracket.least) / 2};
    result->longest = bracket.longest;
    result->undecided = bracket.undecided;
    return SWQ_OK;
}

static swq_status run_load(swq_context *ctx, const bmin *b, const swq_async *network, bool cut,
                           bmin_cell *cell, double *cpu_seconds)
{
    const swq_figure_options *o = &b->f->out->options;
    swq_sim_options options = swq_sim_defaults();
    swq_async_result result;
    double each = 1;

    options.seed = o->seed;
    options.cycles = bmin_measured(o);
    options.warmup = bmin_warmup(o);
    swq_status status = bmin_senders(ctx, network, &each);
    if (!status)
        status = swq_async_run(ctx, network, &options, NULL, &result);
    if (!status && result.sim.stopped_by == SWQ_STOP_INTERRUPTED)
        status = swq_fail(ctx, SWQ_ECANCELLED, "interrupted");
    if (status)
        return status;
    const swq_flow_result *all = &result.sim.all;
    *cpu_seconds = result.sim.cpu_seconds;
    if (result.sim.stopped_by != SWQ_STOP_CYCLES)
        return SWQ_OK; /* a deadlock gives no number */
    *cell = (bmin_cell){
        .there = true,
        .received = {all->throughput.mean * each, all->throughput.half_width * each},
        .latency = cut ? all->message_tail : all->tail_latency,
        .throughput = all->throughput,
        .cycles = result.sim.cycles,
        .a_node = (double)all->delivered / result.sim.nodes,
    };
    return SWQ_OK;
}

/* Searches come first, as they take longest. */
static swq_status do_task(swq_context *ctx, void *arg, int task)
{
    const bmin_work *w = arg;
    const bmin *b = w->b;
    const int lines = b->row->lines, l = task % lines, k = task / lines;
    const bmin_line *line = &b->row->line[l];
    swq_sender_group group;
    swq_async network;

    if (!architecture_of(line))
        return SWQ_OK;
    swq_status status = bmin_make(ctx, line, b->f->out->options.equal_all,
                                  k ? bmin_loads[k - 1] : 1, &group, &network);
    if (status)
        return status;
    /* the memory left by the crosspoints may be smaller than a message; such a line has no
     * numbers */
    uint32_t nodes;
    if (b->f->out->options.equal_all && swq_async_check(ctx, &network, &nodes) == SWQ_EINVAL)
        return SWQ_OK;
    if (k == 0)
        return search(ctx, b, &network, &b->result[l]);
    figure_set_async(&b->f->out->setting[l * BMIN_LOADS + k - 1], &network,
                     line->memory == BMIN_FIFO ? "fifo" : NULL, line->buffer, bmin_loads[k - 1]);
    b->f->out->setting[l * BMIN_LOADS + k - 1].warmup = bmin_warmup(&b->f->out->options);
    b->f->out->setting[l * BMIN_LOADS + k - 1].replications = 1;
    return run_load(ctx, b, &network, line->packet && line->packet < line->message,
                    &b->result[l].cell[k - 1], &w->cpu_seconds[task]);
}

static swq_status *status_of(void *arg, int task)
{
    return &((const bmin_work *)arg)->status[task];
}

static double weight_of(void *arg, int task)
{
    const bmin_row *row = ((const bmin_work *)arg)->b->row;
    const double nodes = row->line[task % row->lines].levels == 2 ? 1 : 6;

    return task < row->lines ? 8 * nodes : nodes;
}

static swq_status run_all(const bmin *b)
{
    figure_work *f = b->f;
    const size_t tasks = (size_t)b->row->lines * TASKS;
    bmin_work w = {.b = b,
                   .status = swq_calloc(f->ctx, tasks, sizeof *w.status),
                   .cpu_seconds = swq_calloc(f->ctx, tasks, sizeof *w.cpu_seconds)};
    const swq_pile pile = {
        .arg = &w, .tasks = (int)tasks, .run = do_task, .status = status_of, .weight = weight_of};
    swq_status status = w.status && w.cpu_seconds ? SWQ_OK : swq_memory_status(f->ctx);

    for (int l = 0; l < b->row->lines; l++)
        b->result[l].saturation = (swq_estimate){NAN, NAN};
    if (!status)
        status = swq_pile_run(f->ctx, &pile, f->out->options.threads);
    for (size_t k = 0; k < tasks && w.status && w.cpu_seconds; k++) {
        f->out->runs += !w.status[k];
        f->out->cpu_seconds += w.cpu_seconds[k];
    }
    if (status == SWQ_ECANCELLED && f->out->runs > 0) {
        f->out->cut_short = true;
        status = SWQ_OK;
    }
    swq_free(f->ctx, w.status);
    swq_free(f->ctx, w.cpu_seconds);
    return status;
}

/* ---- drawing ---- */

static void draw_line(const bmin *b, int line, int colour, bool latency)
{
    const bmin_line *row = &b->row->line[line];

    figure_add_curve(b->f, row->name, latency ? "mean latency, tail" : "received load",
                     row->panel + latency, colour, colour, row->memory == BMIN_CENTRAL);
    for (int k = 0; k < BMIN_LOADS; k++) {
        const bmin_cell *cell = &b->result[line].cell[k];
        const swq_estimate y = latency ? cell->latency : cell->received;
        if (!cell->there || isnan(y.mean))
            continue;
        figure_add_point(b->f,
                         (swq_figure_point){.origin = SWQ_AT_LOAD,
                                            .x = bmin_loads[k],
                                            .asked = bmin_loads[k],
                                            .y = y.mean,
                                            .half_width = y.half_width,
                                            .load = bmin_loads[k],
                                            .throughput = cell->throughput,
                                            .a_node = cell->a_node,
                                            .cycles = cell->cycles,
                                            .setting = &b->f->out->setting[line * BMIN_LOADS + k]});
    }
}

/* Draws panel by panel, each with its own colours. */
static void draw(const bmin *b)
{
    for (int panel = 0; panel < b->f->kind->panels; panel++) {
        int colour = 0;
        for (int l = 0; l < b->row->drawn; l++) {
            if (b->row->line[l].panel == panel - panel % 2)
                draw_line(b, l, colour++, panel % 2 == 1);
        }
    }
}

swq_status bmin_figure(figure_work *f)
{
    bmin b = {.f = f, .row = bmin_row_of(f->kind->name)};
    const int points = b.row->lines * BMIN_LOADS;

    b.result = swq_calloc(f->ctx, (size_t)b.row->lines, sizeof *b.result);
    swq_status status = b.result ? SWQ_OK : swq_memory_status(f->ctx);
    if (!status)
        status = figure_room(f, 2 * b.row->drawn, 2 * b.row->drawn * BMIN_LOADS);
    if (!status)
        status = figure_settings(f, points);
    if (!status)
        status = run_all(&b);
    if (!status) {
        draw(&b);
        bmin_claim(&b);
    }
    swq_free(f->ctx, b.result);
    return status;
}
