/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The asynchronous networks of chapter 6's figures: from a row to a spec, and from runs to cells.
 * Room: validate. Includes base, sim.
 */
#include "switchq/async.h"
#include "base/context.h"
#include "validate/figures/work.h"

#include <math.h>

enum {
    SWITCH_PORTS = 4,
    MESSAGE = 32, /* bytes at most */
    ALONE = 64,   /* cycles between packets that travel alone */
    APART = 500
};

static swq_shape shape_of(const figure_async *a)
{
    if (a->stages > 0)
        return (swq_shape){
            .kind = &swq_fabric_multistage, .ports = SWITCH_PORTS, .stages = a->stages};
    return (swq_shape){.kind = &swq_fabric_torus, .dims = 2, .extent = {a->extent, a->extent}};
}

swq_status figure_make_async(swq_context *ctx, const figure_network *row, double load,
                             swq_sender_group *group, swq_async *network)
{
    const figure_async *a = &row->async;
    const swq_spread length = {a->least ? SWQ_UNIFORM : SWQ_CONSTANT, a->least ? a->least : MESSAGE,
                               MESSAGE};
    const swq_shape shape = shape_of(a);
    swq_async n;
    swq_status status = figure_simulator(ctx, &shape, row->buffer, a->bytes, a->memory, &n);

    if (status)
        return status;
    if (a->threshold)
        n.flow = &swq_flow_maximum_usage;
    n.threshold = a->threshold;
    *group = swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, load, length);
    n.group = group;
    n.groups = 1;
    *network = n;
    return SWQ_OK;
}

double figure_torus_load(int extent, double fraction)
{
    return fmin(1, fraction * 4 / (0.5 * extent));
}

/* ---- runs ---- */

swq_sim_options figure_async_options(const figure_work *f)
{
    const swq_figure_plan *plan = f->plan;
    swq_sim_options o = swq_sim_defaults();

    o.seed = f->out->options.seed;
    o.cycles = f->out->options.cycles * (uint64_t)(plan->longer ? plan->longer : 1);
    o.replications = plan->replications ? plan->replications : 1;
    if (f->out->options.cycles < FIGURE_LEAST_FOR_AUTO)
        o.warmup = o.cycles;
    return o;
}

typedef struct {
    swq_async_point *point;
    swq_sender_group *group; /* of every point */
    int *to;                 /* index among the cells */
    int points;
} async_batch;

/* Is the network run in that column? */
static bool is_run(const figure_work *f, const figure_network *row, int column)
{
    const bool end = column == figure_columns(f->plan) - 1, at_x = column < f->plan->xs;

    if (f->kind->over == SWQ_OVER_BYTES)
        return at_x && fmod(f->plan->x[column], row->async.partial) == 0;
    return end || (at_x && !row->once);
}

static double load_of(const figure_work *f, const figure_network *row, int column)
{
    if (f->kind->over == SWQ_OVER_BYTES || column >= f->plan->xs)
        return 1;
    return row->async.extent ? figure_torus_load(row->async.extent, f->plan->x[column])
                             : f->plan->x[column];
}

static swq_status add(const figure_work *f, async_batch *b, int network, int column)
{
    figure_network row = f->plan->network[network];
    swq_async_point *p = &b->point[b->points];

    if (f->kind->over == SWQ_OVER_BYTES)
        row.async.bytes = (int)f->plan->x[column];
    p->options = figure_async_options(f);
    b->to[b->points] = network * figure_columns(f->plan) + column;
    swq_status status = figure_make_async(f->ctx, &row, load_of(f, &row, column),
                                          &b->group[b->points], &p->network);
    b->points += !status;
    return status;
}

static void read_off(const figure_work *f, const swq_async_point *p, int place)
{
    const swq_sim_result *r = &p->result.sim;
    const int column = place % figure_columns(f->plan);
    const figure_network *row = &f->plan->network[place / figure_columns(f->plan)];
    figure_cell *c = &f->cell[place];
    /* the load of the links and the throughput differ by a factor that is almost constant */
    const double per_link = p->result.bisection / r->all.throughput.mean;

    *c = (figure_cell){.there = true,
                       .load = load_of(f, row, column),
                       .throughput = r->all.throughput,
                       .cycles = r->cycles * (uint64_t)r->replications,
                       .a_node = {[SWQ_CLASSES] = (double)r->all.delivered / r->nodes}};
    for (int q = 0; q < FIGURE_QUANTITIES; q++)
        c->value[q] = (swq_estimate){NAN, NAN};
    c->value[MEAN_ALL] = r->all.latency;
    c->value[THROUGHPUT] = r->all.throughput;
    c->value[BISECTION] =
        (swq_estimate){p->result.bisection, per_link * r->all.throughput.half_width};
}

static void keep_setting(figure_work *f, const swq_async_point *p, int place)
{
    const int column = place % figure_columns(f->plan);
    const figure_network *row = &f->plan->network[place / figure_columns(f->plan)];
    swq_figure_setting *s = &f->out->setting[place];
    const bool over = f->kind->over == SWQ_OVER_BYTES;

    figure_set_async(s, &p->network, row->buffer, over ? (int)f->plan->x[column] : row->async.bytes,
                     load_of(f, row, column));
    s->warmup = p->result.sim.warmup;
    s->replications = p->result.sim.replications;
}

static swq_status simulate(figure_work *f, async_batch *b)
{
    swq_status status = swq_async_points(f->ctx, b->point, b->points, f->out->options.threads);

    if (status && status != SWQ_ECANCELLED)
        return status;
    for (int k = 0; k < b->points; k++) {
        const swq_async_point *p = &b->point[k];
        if (p->status || p->result.sim.stopped_by == SWQ_STOP_INTERRUPTED) {
            f->out->cut_short = true;
            continue;
        }
        f->out->runs++;
        f->out->cpu_seconds += p->result.sim.cpu_seconds;
        if (p->result.sim.stopped_by == SWQ_STOP_DEADLOCK)
            continue;
        read_off(f, p, b->to[k]);
        keep_setting(f, p, b->to[k]);
    }
    return SWQ_OK;
}

swq_status figure_run_async(figure_work *f)
{
    const swq_figure_plan *plan = f->plan;
    const int columns = figure_columns(plan);
    const size_t cells = (size_t)plan->networks * (size_t)columns;
    swq_status status = SWQ_OK;
    async_batch b = {.point = swq_calloc(f->ctx, cells, sizeof *b.point),
                     .group = swq_calloc(f->ctx, cells, sizeof *b.group),
                     .to = swq_calloc(f->ctx, cells, sizeof *b.to)};

    if (!b.point || !b.group || !b.to)
        status = swq_memory_status(f->ctx);
    for (int n = 0; n < plan->networks && !status; n++) {
        const figure_network *row = &plan->network[n];
        for (int k = columns - 1; k >= 0 && !status; k--) {
            if (figure_is_async(row) && is_run(f, row, k))
                status = add(f, &b, n, k);
        }
    }
    if (!status && b.points)
        status = simulate(f, &b);
    swq_free(f->ctx, b.point);
    swq_free(f->ctx, b.group);
    swq_free(f->ctx, b.to);
    return status;
}

/* ---- alone ---- */

swq_status figure_alone(swq_context *ctx, const figure_network *row, swq_estimate *latency)
{
    swq_async_message message[ALONE];
    swq_sender_group group;
    swq_async network;
    swq_async_result result;
    swq_sim_options options = swq_sim_defaults();
    uint32_t nodes;

    swq_status status = figure_make_async(ctx, row, 1, &group, &network);
    if (!status)
        status = swq_async_check(ctx, &network, &nodes);
    if (status)
        return status;
    for (uint32_t k = 0; k < ALONE; k++) {
        uint32_t from = k * 7 % nodes;
        message[k] =
            (swq_async_message){(uint64_t)k * APART, from, (from + 1 + k) % nodes, MESSAGE};
    }
    network.trace = message;
    network.trace_messages = ALONE;
    options.cycles = ALONE * APART;
    options.warmup = 0;
    status = swq_async_run(ctx, &network, &options, NULL, &result);
    if (!status)
        *latency = (swq_estimate){result.sim.all.latency.mean,
                                  result.sim.all.max - result.sim.all.latency.mean};
    return status;
}
