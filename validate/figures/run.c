/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A figure's simulations: all networks at full load, then at the throughputs that they can carry,
 * then at a few loads in the bend between the highest of these throughputs and full load. If the x
 * axis is a percentage, all points have the same throughput.
 * Room: validate. Includes base, sim.
 */
#include "base/context.h"
#include "validate/figures/work.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_TIMES_LONGER = 10 };

static const double percent_throughput = 0.5; /* of figures over percentages */

swq_figure_options swq_figure_defaults(bool quick)
{
    return (swq_figure_options){
        .cycles = quick ? 3000 : 20000, .least_a_node = quick ? 0 : 200, .seed = 1, .threads = 1};
}

/* The simulations of a step, and where their results go. */
typedef struct {
    swq_sim_point *point;
    int *to; /* an index of figure_work's cells */
    int points;
} sim_batch;

static swq_status make_network(swq_context *ctx, const figure_network *row, swq_network *n)
{
    const swq_buffer_kind *kind;

    *n = (swq_network){.stages = 3,
                       .sw = {.ports = 4, .flow = SWQ_BLOCK, .credit = SWQ_CREDIT_NEXT},
                       .support = row->support,
                       .high_slots = row->high_slots,
                       .high_queues = row->high_queues,
                       .traffic = swq_traffic_defaults()};
    swq_status status = swq_topology_find(ctx, "omega", &n->topology);
    if (!status)
        status = swq_arbiter_find(ctx, "rotating", &n->sw.arbiter);
    if (!status)
        status = swq_buffer_kind_find(ctx, row->buffer, &kind);
    if (!status)
        status = swq_buffer_preset(ctx, kind, n->sw.ports, row->slots, &n->sw.buffer);
    if (!status && n->sw.buffer.scope == SWQ_POOL)
        n->sw.buffer.pool_rule = &swq_pool_oldest;
    swq_traffic_uniform(&n->sw);
    n->traffic.high_fraction = row->high;
    return status;
}

/* Cycles until a node has received the required number of packets of the rarer class. */
static uint64_t cycles_for(const swq_figure_options *o, double throughput, double high_fraction)
{
    double rare = high_fraction > 0.5 ? 1 - high_fraction : high_fraction;
    double cycles = (double)o->cycles;

    if (rare > 0 && o->least_a_node > 0)
        cycles = fmax(cycles, (double)o->least_a_node / (throughput * rare));
    return (uint64_t)ceil(fmin(cycles, (double)o->cycles * MOST_TIMES_LONGER) - 1e-6);
}

/* x matters only for figures over percentages. throughput 0: run at that load. */
static swq_status add(const figure_work *f, sim_batch *b, int network, int column,
                      double throughput, double load)
{
    const figure_network *row = &f->plan->network[network];
    const swq_figure_options *o = &f->out->options;
    swq_sim_point *p = &b->point[b->points];
    swq_status status = make_network(f->ctx, row, &p->network);

    if (f->kind->over == SWQ_OVER_PERCENT)
        p->network.traffic.high_fraction = row->once ? 0 : f->plan->x[column] / 100;
    p->network.traffic.load = load;
    p->throughput = throughput;
    p->options = swq_sim_defaults();
    p->options.seed = o->seed;
    p->options.per_node = true;
    p->options.cycles =
        cycles_for(o, throughput > 0 ? throughput : 0.5, p->network.traffic.high_fraction);
    if (p->options.cycles < FIGURE_LEAST_FOR_AUTO)
        p->options.warmup = p->options.cycles;
    b->to[b->points++] = network * figure_columns(f->plan) + column;
    return status;
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

static void read_off(const swq_sim_point *p, figure_cell *c)
{
    const swq_sim_result *r = &p->result;
    const swq_flow_result *normal = &r->by_class[0], *rare = &r->by_class[1];
    /* without a second class its fields would be zero, not absent */
    const swq_estimate none = {NAN, NAN};
    bool high = rare->delivered > 0;

    *c = (figure_cell){.there = true,
                       .load = p->load,
                       .throughput = r->all.throughput,
                       .cycles = r->cycles,
                       .a_node = {(double)normal->delivered / r->nodes,
                                  (double)rare->delivered / r->nodes,
                                  (double)r->all.delivered / r->nodes}};
    c->value[MEAN_ALL] = r->all.latency;
    c->value[MEAN_NORMAL] = normal->latency;
    c->value[MEAN_HIGH] = high ? rare->latency : none;
    c->value[P99_ALL] = percentile(&r->all, c->a_node[2]);
    c->value[P99_NORMAL] = percentile(normal, c->a_node[0]);
    c->value[P99_HIGH] = high ? percentile(rare, c->a_node[1]) : none;
    c->value[MAX_ALL] = r->all.node_max;
    c->value[THROUGHPUT] = r->all.throughput;
    c->value[BISECTION] = none;
}

static void keep_setting(figure_work *f, const swq_sim_point *p, int place)
{
    const figure_network *row = &f->plan->network[place / figure_columns(f->plan)];
    swq_figure_setting *s = &f->out->setting[place];

    *s = (swq_figure_setting){.buffer = row->buffer,
                              .memory = row->slots,
                              .network = p->network,
                              .load = p->load,
                              .warmup = p->result.warmup,
                              .replications = p->result.replications};
    s->network.traffic.load = p->load;
}

/* Keeps what was finished, even if the rest was cancelled. */
static swq_status simulate(figure_work *f, sim_batch *b)
{
    swq_status status = swq_sim_points(f->ctx, b->point, b->points, f->out->options.threads);

    if (status && status != SWQ_ECANCELLED)
        return status;
    for (int k = 0; k < b->points; k++) {
        const swq_sim_point *p = &b->point[k];
        bool whole = !p->status && p->runs && p->result.stopped_by != SWQ_STOP_INTERRUPTED;
        if (!whole) {
            f->out->cut_short = true;
            continue;
        }
        f->out->runs += p->runs;
        f->out->cpu_seconds += p->result.cpu_seconds * p->runs; /* of the last run, approximately */
        /* not met: too close to saturation to know at which throughput it ran */
        bool met =
            p->throughput == 0 ||
            (!p->saturated && fabs(p->result.all.throughput.mean / p->throughput - 1) < 0.01);
        if (!met)
            continue;
        read_off(p, &f->cell[b->to[k]]);
        keep_setting(f, p, b->to[k]);
    }
    b->points = 0;
    return SWQ_OK;
}

static swq_status over_throughput(figure_work *f, sim_batch *b)
{
    const swq_figure_plan *plan = f->plan;
    const int columns = figure_columns(plan), end = columns - 1;
    swq_status status = SWQ_OK;

    for (int n = 0; n < plan->networks && !status; n++) {
        if (!figure_is_async(&plan->network[n]))
            status = add(f, b, n, end, 0, 1);
    }
    if (!status && b->points)
        status = simulate(f, b);
    for (int n = 0; n < plan->networks && !status && !f->out->cut_short; n++) {
        const figure_cell *full = &f->cell[n * columns + end];
        if (figure_is_async(&plan->network[n]))
            continue;
        for (int k = 0; k < plan->xs && !status; k++) {
            if (plan->x[k] < full->throughput.mean)
                status = add(f, b, n, k, plan->x[k], 1);
        }
    }
    if (!status && !f->out->cut_short && b->points)
        status = simulate(f, b);
    for (int n = 0; n < plan->networks && !status && !f->out->cut_short; n++) {
        const figure_cell *full = &f->cell[n * columns + end], *last = NULL;
        if (figure_is_async(&plan->network[n]))
            continue;
        for (int k = 0; k < plan->xs; k++)
            last = f->cell[n * columns + k].there ? &f->cell[n * columns + k] : last;
        if (!last || full->throughput.mean - last->throughput.mean < 0.01)
            continue;
        for (int k = 0; k < FIGURE_BENDS && !status; k++) {
            double share = (k + 1.0) / (FIGURE_BENDS + 1);
            double load = 1 / ((1 - share) / last->load + share);
            status = add(f, b, n, plan->xs + k, 0, load);
        }
    }
    if (!status && !f->out->cut_short && b->points)
        status = simulate(f, b);
    return status;
}

static swq_status over_percent(figure_work *f, sim_batch *b)
{
    swq_status status = SWQ_OK;

    for (int n = 0; n < f->plan->networks; n++) {
        for (int k = 0; k < f->plan->xs && !status; k++) {
            if (k == 0 || !f->plan->network[n].once)
                status = add(f, b, n, k, percent_throughput, 1);
        }
    }
    return status ? status : simulate(f, b);
}

/* ---- curves ---- */

static const char *const quantity_text[FIGURE_QUANTITIES] = {"mean latency",
                                                             "mean latency, normal packets",
                                                             "mean latency, high priority",
                                                             "99th percentile",
                                                             "99th percentile, normal packets",
                                                             "99th percentile, high priority",
                                                             "maximum",
                                                             "throughput",
                                                             "used bisection"};

static const int class_of_quantity[FIGURE_QUANTITIES] = {2, 0, 1, 2, 0, 1, 2, 2, 2};

static double place_on_axis(const figure_work *f, const figure_cell *c, int column)
{
    switch (f->kind->over) {
    case SWQ_OVER_THROUGHPUT:
        return c->throughput.mean;
    case SWQ_OVER_BISECTION:
        return c->value[BISECTION].mean;
    default:
        return f->plan->x[column];
    }
}

static swq_figure_origin origin_of(const figure_work *f, const figure_curve_row *row, int column)
{
    const bool async = figure_is_async(&f->plan->network[row->network]);

    if (column == figure_columns(f->plan) - 1 || f->kind->over == SWQ_OVER_BYTES)
        return SWQ_AT_FULL_LOAD;
    return async || column >= f->plan->xs ? SWQ_AT_LOAD : SWQ_AT_THROUGHPUT;
}

/* Writes the points of a curve at *point, by load, which is the order of the columns; returns their
 * number. */
static int lay_curve(const figure_work *f, const figure_curve_row *row, swq_figure_point *point)
{
    const int columns = figure_columns(f->plan), xs = f->plan->xs;
    int points = 0;

    for (int k = 0; k < columns; k++) {
        const int place = row->network * columns + k;
        const figure_cell *c = &f->cell[place];
        const double half_width = c->value[row->quantity].half_width;
        if (!c->there || isnan(c->value[row->quantity].mean))
            continue;
        point[points++] = (swq_figure_point){.origin = origin_of(f, row, k),
                                             .x = place_on_axis(f, c, k),
                                             .asked = k < xs ? f->plan->x[k] : NAN,
                                             .y = c->value[row->quantity].mean,
                                             .half_width = isinf(half_width) ? NAN : half_width,
                                             .load = c->load,
                                             .throughput = c->throughput,
                                             .a_node = c->a_node[class_of_quantity[row->quantity]],
                                             .cycles = c->cycles,
                                             .setting = &f->out->setting[place]};
    }
    return points;
}

static void lay_curves(figure_work *f)
{
    swq_figure *out = f->out;
    swq_figure_point *next = out->points;

    for (int k = 0; k < f->plan->curves; k++) {
        const figure_curve_row *row = &f->plan->curve[k];
        out->curve[k] = (swq_figure_curve){.name = row->name,
                                           .quantity = quantity_text[row->quantity],
                                           .panel = row->panel,
                                           .colour = row->colour,
                                           .mark = row->mark,
                                           .dashed = row->dashed,
                                           .point = next,
                                           .points = lay_curve(f, row, next)};
        next += out->curve[k].points;
    }
    out->curves = f->plan->curves;
}

static bool anything_there(const figure_work *f)
{
    bool any = false;

    for (int k = 0; k < f->plan->networks * figure_columns(f->plan); k++)
        any = any || f->cell[k].there;
    return any;
}

/* Runs the plan's networks at the plan's x. */
static swq_status run_plan(figure_work *f)
{
    const swq_figure_plan *plan = f->plan;
    const size_t columns = (size_t)figure_columns(plan), cells = (size_t)plan->networks * columns;
    swq_figure *out = f->out;
    sim_batch b = {.point = swq_calloc(f->ctx, cells, sizeof *b.point),
                   .to = swq_calloc(f->ctx, cells, sizeof *b.to)};
    swq_status status = figure_room(f, plan->curves, plan->curves * (int)columns);

    if (!status)
        status = figure_settings(f, (int)cells);
    f->cell = swq_calloc(f->ctx, cells, sizeof *f->cell);
    out->printed = swq_calloc(f->ctx, (size_t)plan->printeds + 1, sizeof *out->printed);
    if (!b.point || !b.to || !f->cell || !out->printed)
        status = swq_memory_status(f->ctx);
    if (!status)
        status = figure_run_async(f);
    if (!status && !out->cut_short)
        status = f->kind->over == SWQ_OVER_PERCENT ? over_percent(f, &b) : over_throughput(f, &b);
    if (!status && !anything_there(f))
        status = swq_fail(f->ctx, out->cut_short ? SWQ_ECANCELLED : SWQ_EINVAL,
                          out->cut_short ? "interrupted before the first run was finished"
                                         : "no run reached its throughput: more cycles are needed");
    if (!status) {
        lay_curves(f);
        figure_judge_printed(f);
        plan->claim(f);
        status = f->status;
    }
    swq_free(f->ctx, b.point);
    swq_free(f->ctx, b.to);
    swq_free(f->ctx, f->cell);
    return status;
}

static swq_status check_threshold(swq_context *ctx, const swq_figure_kind *kind, int threshold)
{
    char having[80] = "";
    size_t length = 0;

    for (int k = 0; swq_figures[k]; k++) {
        if (swq_figures[k]->plan->thresholds)
            length += (size_t)snprintf(having + length, sizeof having - length, "%s%s",
                                       length ? ", " : "", swq_figures[k]->name);
    }
    if (threshold != 0 && !kind->plan->thresholds)
        return swq_fail(ctx, SWQ_EINVAL,
                        "figure %s has no choice of threshold; figures with one: %s", kind->name,
                        having);
    if (threshold != 0 && threshold != 26 && threshold != 10)
        return swq_fail(ctx, SWQ_EINVAL, "threshold must be 26 or 10, not %d", threshold);
    return SWQ_OK;
}

swq_status swq_figure_run(swq_context *ctx, const swq_figure_kind *kind,
                          const swq_figure_options *options, swq_figure *figure)
{
    swq_figure made = {.kind = kind, .options = *options};
    figure_work f = {.ctx = ctx, .kind = kind, .plan = kind->plan, .out = &made};

    if (options->cycles == 0)
        return swq_fail(ctx, SWQ_EINVAL, "cycles must be positive");
    if (options->threads < 1 || options->threads > SWQ_MAX_THREADS)
        return swq_fail(ctx, SWQ_EINVAL, "threads must be 1 to %d, not %d", SWQ_MAX_THREADS,
                        options->threads);
    swq_status status = check_threshold(ctx, kind, options->threshold);
    if (!status && options->equal_all && !kind->plan->equal)
        status = swq_fail(ctx, SWQ_EINVAL, "figure %s does not compare switches with equal memory",
                          kind->name);
    if (status)
        return status;
    made.claim = swq_calloc(ctx, FIGURE_CLAIMS, sizeof *made.claim);
    status = made.claim ? SWQ_OK : swq_memory_status(ctx);
    if (!status)
        status = kind->plan->make ? kind->plan->make(&f) : run_plan(&f);
    made.joint = swq_joint_judge(f.number, f.numbers, kind->plan->jointly);
    if (!status)
        *figure = made;
    else
        swq_figure_clear(ctx, &made);
    return status;
}

swq_joint_verdict swq_figure_verdict(const swq_figure *figure)
{
    swq_joint_verdict verdict = figure->joint.verdict;

    for (int k = 0; k < figure->claims; k++) {
        const swq_claim *c = &figure->claim[k];
        if (c->fails > 0 && verdict != SWQ_JOINT_DIFFERS)
            verdict = c->known ? SWQ_JOINT_KNOWN : SWQ_JOINT_DIFFERS;
        else if (c->holds > 0 && verdict == SWQ_JOINT_NONE)
            verdict = SWQ_JOINT_AGREES;
    }
    return verdict;
}

void swq_figure_clear(swq_context *ctx, swq_figure *figure)
{
    swq_free(ctx, figure->curve);
    swq_free(ctx, figure->points);
    swq_free(ctx, figure->setting);
    swq_free(ctx, figure->printed);
    swq_free(ctx, figure->claim);
    swq_free(ctx, figure->blocks);
    *figure = (swq_figure){0};
}
