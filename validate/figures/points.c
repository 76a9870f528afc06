/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A figure's simulations. Synchronous lines: all at full load, then at the throughputs that they
 * can carry, then at a few loads in the bend between the highest of these throughputs and full
 * load; or, where the x axis is an option, at each of its values. Asynchronous lines: at each x, at
 * full load, and in search of the load of saturation.
 */
#include "base/context.h"
#include "sim/frame/net.h"
#include "sim/measure/pile.h"
#include "sim/traffic/groups.h"
#include "switchq/detail.h"
#include "validate/figures/figures.h"

#include <math.h>

enum { MOST_TIMES_LONGER = 10, ALONE = 64 /* packets */, APART = 500 /* cycles */ };

#define RESOLUTION 0.005 /* of a search */

static const swq_estimate none = {NAN, NAN};

/* The setting of a line in a column; bends and full load share the last one. */
static const swq_figure_setting *setting_at(const figure_work *f, int line, int column)
{
    const int xs = f->plan->xs, k = line * (xs + 1) + (column < xs ? column : xs);

    return f->plan->there[k] ? &f->plan->setting[k] : NULL;
}

/* Is the line run at an x, or at full load (column xs + FIGURE_BENDS)? */
static bool is_run(const figure_work *f, int line, int column)
{
    const swq_figure_plan *plan = f->plan;
    const bool at_x = column < plan->xs, end = column == figure_columns(plan) - 1;
    const int only = plan->line[line].only;

    if (!setting_at(f, line, column) || (!at_x && !(end && plan->full)))
        return false;
    return only < 0 || (at_x ? column == only : only == plan->xs);
}

/* Keeps the setting that gave a cell. */
static swq_figure_setting *keep(figure_work *f, int place, const swq_figure_setting *from)
{
    swq_figure_setting *s = &f->out->setting[place];

    *s = *from;
    if (s->asynchronous)
        s->async.traffic.group = s->group;
    return s;
}

/* ---- synchronous ---- */

typedef struct {
    swq_sim_point *point;
    int *to; /* an index of figure_work's cells */
    int points;
} sim_batch;

/* Cycles until a node has received the required number of packets of the rarer class. */
static uint64_t cycles_for(const swq_figure_options *o, double throughput, double high_fraction)
{
    double rare = high_fraction > 0.5 ? 1 - high_fraction : high_fraction;
    double cycles = (double)o->cycles;

    if (rare > 0 && o->least_a_node > 0)
        cycles = fmax(cycles, (double)o->least_a_node / (throughput * rare));
    return (uint64_t)ceil(fmin(cycles, (double)o->cycles * MOST_TIMES_LONGER) - 1e-6);
}

/* throughput 0: run at that load; load 0: at the setting's. */
static void add_sync(const figure_work *f, sim_batch *b, int line, int column, double throughput,
                     double load)
{
    const swq_figure_options *o = &f->out->options;
    swq_sim_point *p = &b->point[b->points];

    p->network = setting_at(f, line, column)->network;
    if (load > 0)
        p->network.traffic.load = load;
    p->throughput = throughput;
    p->options = swq_sim_defaults();
    p->options.seed = o->seed;
    p->options.per_node = true;
    p->options.cycles =
        cycles_for(o, throughput > 0 ? throughput : 0.5, p->network.sw.priority.fraction);
    if (p->options.cycles < FIGURE_LEAST_FOR_AUTO)
        p->options.warmup = p->options.cycles;
    b->to[b->points++] = line * figure_columns(f->plan) + column;
}

/* The percentile of nodes that received enough packets; else without an interval, since the spread
 * over the nodes does not show by how much all are too low. */
static swq_estimate percentile(const swq_flow_result *flow, double a_node)
{
    swq_estimate p99 = flow->node_percentile[2];

    if (a_node < SWQ_FIGURE_LEAST_FOR_P99)
        p99.half_width = INFINITY;
    return p99;
}

static void empty(figure_cell *c)
{
    for (int q = 0; q < FIGURE_QUANTITIES; q++)
        c->value[q] = none;
}

static void read_sync(const swq_sim_point *p, figure_cell *c)
{
    const swq_sim_result *r = &p->result;
    const swq_flow_result *normal = &r->by_class[0], *rare = &r->by_class[1];
    /* without a second class its fields would be zero, not absent */
    const bool high = rare->delivered > 0;

    *c = (figure_cell){.there = true,
                       .load = p->load,
                       .throughput = r->all.throughput,
                       .cycles = r->cycles,
                       .a_node = {(double)normal->delivered / r->nodes,
                                  (double)rare->delivered / r->nodes,
                                  (double)r->all.delivered / r->nodes}};
    empty(c);
    c->value[MEAN_ALL] = r->all.latency;
    c->value[MEAN_NORMAL] = normal->latency;
    c->value[MEAN_HIGH] = high ? rare->latency : none;
    c->value[P99_ALL] = percentile(&r->all, c->a_node[2]);
    c->value[P99_NORMAL] = percentile(normal, c->a_node[0]);
    c->value[P99_HIGH] = high ? percentile(rare, c->a_node[1]) : none;
    c->value[MAX_ALL] = r->all.node_max;
    c->value[THROUGHPUT] = r->all.throughput;
}

/* Keeps what was finished, even if the rest was cancelled. */
static swq_status run_sync(figure_work *f, sim_batch *b)
{
    if (!b->points)
        return SWQ_OK;
    swq_status status = swq_sim_points(f->ctx, b->point, b->points, f->out->options.threads);

    if (status && status != SWQ_ECANCELLED)
        return status;
    for (int k = 0; k < b->points; k++) {
        const swq_sim_point *p = &b->point[k];
        const int place = b->to[k], columns = figure_columns(f->plan);
        const bool whole = !p->status && p->runs && p->result.stopped_by != SWQ_STOP_INTERRUPTED;
        if (!whole) {
            f->out->cut_short = true;
            continue;
        }
        f->out->runs += p->runs;
        f->out->cpu_seconds += p->result.cpu_seconds * p->runs; /* of the last run, approximately */
        /* not met: too close to saturation to know at which throughput it ran */
        if (p->throughput != 0 &&
            (p->saturated || !(fabs(p->result.all.throughput.mean / p->throughput - 1) < 0.01)))
            continue;
        read_sync(p, &f->cell[place]);
        swq_figure_setting *s = keep(f, place, setting_at(f, place / columns, place % columns));
        s->load = s->network.traffic.load = p->load;
        s->warmup = p->result.warmup;
        s->replications = p->result.replications;
    }
    b->points = 0;
    return SWQ_OK;
}

static bool is_sync(const figure_work *f, int line)
{
    const int xs = f->plan->xs;

    for (int k = 0; k <= xs; k++) {
        if (f->plan->there[line * (xs + 1) + k])
            return !f->plan->setting[line * (xs + 1) + k].asynchronous;
    }
    return false;
}

/* The loads of a line's bend: between full load and the highest throughput that was met. */
static void add_bends(const figure_work *f, sim_batch *b, int line)
{
    const swq_figure_plan *plan = f->plan;
    const figure_cell *cell = &f->cell[line * figure_columns(plan)], *last = NULL;
    const figure_cell *full = &cell[figure_columns(plan) - 1];

    for (int k = 0; k < plan->xs; k++)
        last = cell[k].there ? &cell[k] : last;
    if (!last || full->throughput.mean - last->throughput.mean < 0.01)
        return;
    for (int k = 0; k < FIGURE_BENDS; k++) {
        double share = (k + 1.0) / (FIGURE_BENDS + 1);
        double load = 1 / ((1 - share) / last->load + share);
        add_sync(f, b, line, plan->xs + k, 0, load);
    }
}

/* Three rounds: full load; throughputs; bends. Where the x axis is an option, there is one. */
static swq_status run_sync_lines(figure_work *f, sim_batch *b)
{
    const swq_figure_plan *plan = f->plan;
    const int end = figure_columns(plan) - 1;
    const bool found = f->kind->over == SWQ_OVER_THROUGHPUT;
    swq_status status = SWQ_OK;

    for (int round = 0; round < (found ? 3 : 1) && !status && !f->out->cut_short; round++) {
        for (int n = 0; n < plan->lines; n++) {
            const figure_cell *full = &f->cell[n * (end + 1) + end];
            if (!is_sync(f, n))
                continue;
            if (found && round == 0)
                add_sync(f, b, n, end, 0, 0);
            else if (round == 2)
                add_bends(f, b, n);
            for (int k = 0; k < plan->xs && round == (found ? 1 : 0); k++) {
                const bool wanted = found ? plan->x[k] < full->throughput.mean : is_run(f, n, k);
                if (wanted)
                    add_sync(f, b, n, k, found ? plan->x[k] : plan->run.hold, 0);
            }
        }
        status = run_sync(f, b);
    }
    return status;
}

/* ---- asynchronous ---- */

/* Length, warm-up, replications and seed of a line's run at an x, or at full load. */
static swq_sim_options length_of(const figure_work *f, const figure_line *line, bool at_end)
{
    const figure_lengths *run = &f->plan->run;
    const double cycles = (double)f->out->options.cycles * (line ? line->slower : 1);
    swq_sim_options o = swq_sim_defaults();

    o.seed = f->out->options.seed;
    o.cycles = (uint64_t)(cycles * run->measured);
    o.replications = at_end && run->at_end ? run->at_end : run->replications;
    if (run->warmup > 0)
        o.warmup = (uint64_t)(cycles * run->warmup);
    else if (f->out->options.cycles < FIGURE_LEAST_FOR_AUTO)
        o.warmup = o.cycles;
    else if (run->settle)
        o.warmup = run->settle;
    if (run->most_warmup && o.warmup > run->most_warmup)
        o.warmup = run->most_warmup;
    return o;
}

/* A run, or the search for a line's saturation, which has the column SEARCH. */
enum { SEARCH = -1 };

typedef struct {
    int line, column;
    swq_status status;
    double cpu_seconds;
    bool finished;
} async_task;

typedef struct {
    figure_work *f;
    async_task *task;
    int tasks;
} async_batch;

swq_status figure_nodes_a_sender(swq_context *ctx, const swq_async *network, double *each)
{
    swq_group_sizes sizes;
    swq_fabric fabric;
    swq_status status = swq_fabric_count(ctx, &network->shape, &fabric);

    if (status)
        return status;
    swq_sender_groups_count(network, &fabric, &sizes);
    *each = (double)fabric.nodes / (sizes.nodes[0] - sizes.to_self[0]);
    return SWQ_OK;
}

static swq_estimate times(swq_estimate e, double factor)
{
    return (swq_estimate){e.mean * factor, e.half_width * factor};
}

/* A delay in the line's own cycles; 1e9: not all packets arrive, so the mean of those that do says
 * nothing. */
static swq_estimate delay(const figure_work *f, const figure_line *line, swq_estimate e,
                          double carried)
{
    if (carried < f->plan->run.complete)
        return (swq_estimate){INFINITY, 0};
    return (swq_estimate){e.mean / line->slower, e.half_width / line->slower};
}

static void read_async(const figure_work *f, int line, const swq_figure_setting *s,
                       const swq_async_result *result, double each, const swq_detail *detail,
                       figure_cell *c)
{
    const swq_sim_result *r = &result->sim;
    const figure_line *row = &f->plan->line[line];
    const int group = f->plan->run.group;
    const swq_flow_result *flow = group < 0 ? &r->all : &r->by_group[group];
    const bool grouped = s->async.traffic.groups > 1;
    /* the load of the links and the throughput differ by a factor that is almost constant */
    const double per_link = result->bisection / r->all.throughput.mean;

    *c = (figure_cell){.there = true,
                       .load = s->load,
                       .throughput = flow->throughput,
                       .cycles = r->cycles * (uint64_t)r->replications,
                       .a_node = {[SWQ_CLASSES] = (double)flow->delivered / r->nodes}};
    empty(c);
    c->value[MEAN_ALL] = delay(f, row, flow->latency, flow->throughput.mean);
    c->value[TAIL] = delay(f, row, flow->tail_latency, flow->throughput.mean);
    c->value[MESSAGE_TAIL] = isnan(flow->messages)
                                 ? c->value[TAIL]
                                 : delay(f, row, flow->message_tail, flow->throughput.mean);
    c->value[THROUGHPUT] = flow->throughput;
    c->value[RECEIVED] = times(flow->throughput, each);
    c->value[BISECTION] =
        (swq_estimate){result->bisection, per_link * r->all.throughput.half_width};
    for (int g = 0; g < 4 && g < s->async.traffic.groups; g++) {
        const swq_flow_result *own = grouped ? &r->by_group[g] : &r->all;
        c->value[GROUP_THROUGHPUT + g] = own->throughput;
        c->value[GROUP_LATENCY + g] = own->latency;
    }
    if (detail->link)
        c->value[HOT_LINK] = detail->link[s->hot_link].utilisation;
}

swq_estimate figure_innocent(const swq_benchmark_groups *groups, const swq_flow_result *of_group)
{
    double nodes = 0;
    swq_estimate sum = {0, 0};

    for (int g = groups->nut; g < groups->groups; g++) {
        nodes += groups->members[g];
        sum.mean += groups->members[g] * of_group[g].throughput.mean;
        sum.half_width += groups->members[g] * of_group[g].throughput.half_width;
    }
    return (swq_estimate){sum.mean / nodes, sum.half_width / nodes};
}

static swq_status read_innocent(swq_context *ctx, const swq_figure_setting *s,
                                const swq_async_result *result, figure_cell *c)
{
    const swq_benchmark *row;
    swq_benchmark_groups groups;

    if (!s->benchmark || !c->there || s->async.traffic.groups <= 1)
        return SWQ_OK;
    swq_status status = swq_benchmark_find(ctx, s->benchmark, &row);
    if (!status)
        status = swq_benchmark_make(ctx, row, &s->async, 1, &groups);
    if (!status)
        c->value[INNOCENT] = figure_innocent(&groups, result->sim.by_group);
    return status;
}

static swq_status search(swq_context *ctx, const figure_work *f, int line, swq_estimate *found)
{
    const swq_figure_setting *s = setting_at(f, line, f->plan->xs);
    swq_sim_options options = swq_sim_defaults();
    swq_bracket b;

    options.seed = f->out->options.seed;
    options.cycles = (uint64_t)((double)f->out->options.cycles * f->plan->run.search);
    swq_status status = swq_async_bracket(ctx, &s->async, &options, RESOLUTION, &b);
    if (!status && b.interrupted)
        status = swq_fail(ctx, SWQ_ECANCELLED, "interrupted");
    if (!status)
        *found = (swq_estimate){(b.least + b.most) / 2, (b.most - b.least) / 2};
    return status;
}

static swq_status run_point(swq_context *ctx, figure_work *f, async_task *t)
{
    const swq_figure_plan *plan = f->plan;
    const swq_figure_setting *s = setting_at(f, t->line, t->column);
    const int place = t->line * figure_columns(plan) + t->column;
    const bool end = t->column >= plan->xs || (!plan->full && t->column == plan->xs - 1);
    swq_sim_options options = length_of(f, &plan->line[t->line], end);
    swq_async_result result;
    swq_detail detail = {0};
    swq_fabric fabric;
    double each = 1;
    swq_status status = figure_nodes_a_sender(ctx, &s->async, &each);

    if (!status && s->benchmark && s->hot_link != SWQ_NO_WHERE) {
        status = swq_fabric_count(ctx, &s->async.shape, &fabric);
        if (!status)
            status =
                swq_detail_new(ctx, fabric.nodes, (size_t)fabric.switches * (size_t)fabric.ports,
                               SWQ_DETAIL_LINKS, &detail);
        options.detail = &detail;
    }
    if (!status)
        status = swq_async_run(ctx, &s->async, &options, NULL, &result);
    if (!status && result.sim.stopped_by == SWQ_STOP_INTERRUPTED)
        status = swq_fail(ctx, SWQ_ECANCELLED, "interrupted");
    if (!status) {
        swq_figure_setting *kept = keep(f, place, s);
        kept->warmup = result.sim.warmup;
        kept->replications = result.sim.replications;
        t->cpu_seconds = result.sim.cpu_seconds;
        t->finished = true;
        if (result.sim.stopped_by == SWQ_STOP_CYCLES) /* a deadlock gives no number */
            read_async(f, t->line, s, &result, each, &detail, &f->cell[place]);
        status = read_innocent(ctx, s, &result, &f->cell[place]);
    }
    swq_detail_clear(ctx, &detail);
    return status;
}

static swq_status run_task(swq_context *ctx, void *arg, int task)
{
    async_batch *b = arg;
    async_task *t = &b->task[task];

    if (t->column != SEARCH)
        return run_point(ctx, b->f, t);
    swq_status status = search(ctx, b->f, t->line, &b->f->saturation[t->line]);
    t->finished = !status;
    return status;
}

static swq_status *status_of(void *arg, int task)
{
    return &((async_batch *)arg)->task[task].status;
}

/* Searches take longest, and then points near saturation; of large networks. */
static double weight_of(void *arg, int task)
{
    const async_batch *b = arg;
    const async_task *t = &b->task[task];
    const swq_figure_setting *s =
        setting_at(b->f, t->line, t->column == SEARCH ? b->f->plan->xs : t->column);
    swq_fabric fabric;

    if (swq_fabric_count(NULL, &s->async.shape, &fabric))
        return 1;
    return fabric.nodes * (t->column == SEARCH ? 8 : 0.2 + s->load);
}

static double bytes_of(swq_context *ctx, void *arg, int task)
{
    const async_batch *b = arg;
    const async_task *t = &b->task[task];
    const int column = t->column == SEARCH ? b->f->plan->xs : t->column;
    const swq_sim_options options = length_of(b->f, &b->f->plan->line[t->line], false);

    return swq_async_run_bytes(ctx, &setting_at(b->f, t->line, column)->async, &options);
}

static swq_status run_async_lines(figure_work *f)
{
    const swq_figure_plan *plan = f->plan;
    const int columns = figure_columns(plan);
    async_batch b = {.f = f};
    swq_status status = SWQ_OK;

    b.task = swq_calloc(f->ctx, (size_t)plan->lines * (size_t)(columns + 1), sizeof *b.task);
    if (!b.task)
        return swq_memory_status(f->ctx);
    for (int n = 0; n < plan->lines; n++) {
        if (is_sync(f, n))
            continue;
        if (f->saturation && setting_at(f, n, plan->xs))
            b.task[b.tasks++] = (async_task){.line = n, .column = SEARCH};
        for (int k = columns - 1; k >= 0; k--) {
            if (is_run(f, n, k))
                b.task[b.tasks++] = (async_task){.line = n, .column = k};
        }
    }
    const swq_pile pile = {.arg = &b,
                           .tasks = b.tasks,
                           .run = run_task,
                           .status = status_of,
                           .weight = weight_of,
                           .bytes = bytes_of};
    if (b.tasks)
        status = swq_pile_run(f->ctx, &pile, f->out->options.threads);
    for (int k = 0; k < b.tasks; k++) {
        f->out->runs += b.task[k].finished;
        f->out->cpu_seconds += b.task[k].cpu_seconds;
    }
    if (status == SWQ_ECANCELLED && f->out->runs > 0) {
        f->out->cut_short = true;
        status = SWQ_OK;
    }
    swq_free(f->ctx, b.task);
    return status;
}

swq_status figure_run_lines(figure_work *f)
{
    const size_t cells = (size_t)f->plan->lines * (size_t)figure_columns(f->plan);
    sim_batch b = {.point = swq_calloc(f->ctx, cells, sizeof *b.point),
                   .to = swq_calloc(f->ctx, cells, sizeof *b.to)};
    swq_status status = b.point && b.to ? run_async_lines(f) : swq_memory_status(f->ctx);

    if (!status && !f->out->cut_short)
        status = run_sync_lines(f, &b);
    swq_free(f->ctx, b.point);
    swq_free(f->ctx, b.to);
    return status;
}

/* ---- alone ---- */

swq_status figure_alone(swq_context *ctx, const swq_figure_setting *setting, swq_estimate *latency)
{
    const uint32_t bytes = (uint32_t)setting->async.packet.max;
    swq_async_message message[ALONE];
    swq_async network = setting->async;
    swq_async_result result;
    swq_sim_options options = swq_sim_defaults();
    uint32_t nodes;

    swq_status status = swq_async_check(ctx, &network, &nodes);
    if (status)
        return status;
    for (uint32_t k = 0; k < ALONE; k++) {
        uint32_t from = k * 7 % nodes;
        message[k] = (swq_async_message){(uint64_t)k * APART, from, (from + 1 + k) % nodes, bytes};
    }
    network.traffic.trace = message;
    network.traffic.trace_messages = ALONE;
    options.cycles = ALONE * APART;
    options.warmup = 0;
    status = swq_async_run(ctx, &network, &options, NULL, &result);
    if (!status)
        *latency = (swq_estimate){result.sim.all.latency.mean,
                                  result.sim.all.max - result.sim.all.latency.mean};
    return status;
}
