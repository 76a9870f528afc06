/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq approx for asynchronous tori, meshes and hypercubes: run, and compare.
 * Room: cli.
 */
#include "base/context.h"
#include "cli/approx/approx.h"
#include "cli/options/parse.h"
#include "cli/options/words.h"
#include "cli/print/drawing.h"
#include "cli/sim/sim.h"
#include "cli/spec/async.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_CYCLES = 200000 };

typedef struct {
    cli_approx_runs runs;
    bool compare;
    const swq_approx_method *method; /* the one used */
    cli_async n;
    int points;
    double *load;                    /* [points]; NAN: intervals were given */
    swq_approx_torus_result *result; /* [points] */
    swq_async_result *simulated;     /* [points], or NULL */
} torus_run;

static double off_by(double approximated, const swq_async_result *simulated)
{
    return approximated / simulated->sim.all.latency.mean - 1;
}

/* Could some packets never move again? */
static bool stuck(const torus_run *o, int k)
{
    return o->simulated && o->simulated[k].sim.stopped_by == SWQ_STOP_DEADLOCK;
}

/* Is the load in the range for which the model claims to be accurate? */
static bool claimed(const torus_run *o, int k)
{
    return o->result[k].load <= o->result[k].valid;
}

/* Sets the network to a point of a range, at which all output is about the first point. */
static void set_load(torus_run *o, int k)
{
    if (o->points > 1) {
        swq_sender_group_load(&o->n.network, &o->n.group[0], o->load[k]);
        o->n.load[0] = o->load[k];
    }
}

/* ---- the record ---- */

static void put_waits(cli_record *point, const swq_approx_torus_result *r)
{
    cli_record *waits = cli_put_group(point, "wait_cycles", "wait, in cycles, of a packet that");

    cli_in_unit(cli_labelled(cli_put_number(waits, "mean_source_wait_cycles", r->source_wait),
                             "is at its sender"),
                "");
    cli_labelled(cli_put_number(waits, "injection", r->injection_wait), "comes from its host");
    cli_labelled(cli_put_number(waits, "continuing", r->continuing_wait), "goes straight on");
    cli_labelled(cli_put_number(waits, "turning", r->turning_wait), "turns");
    cli_labelled(cli_put_number(waits, "ejection", r->ejection_wait), "has arrived");
}

static void put_simulated(cli_record *point, cli_record *latency, const torus_run *o, int k)
{
    const swq_approx_torus_result *r = &o->result[k];
    const swq_flow_result *s = &o->simulated[k].sim.all;
    const double off = off_by(r->latency, &o->simulated[k]);
    cli_record *simulated = cli_in_columns(cli_quietly(cli_put_group(point, "simulated", NULL)));

    cli_in_full(cli_labelled(cli_put_estimate(simulated, "throughput", s->throughput),
                             "simulated throughput"));
    cli_in_full(cli_labelled(cli_put_estimate(simulated, "latency_cycles", s->latency),
                             "simulated latency"));
    cli_quietly(cli_put_truth(simulated, "deadlocked", stuck(o, k)));
    cli_quietly(cli_put_count(simulated, "seed", o->runs.seed));
    cli_record *by = cli_in_columns(cli_quietly(cli_put_group(point, "off_by", NULL)));
    cli_in_percent(cli_labelled(cli_put_number(by, "latency_cycles", off), "latency off by"));
    if (stuck(o, k))
        cli_titled(point, o->points > 1 ? "  deadlock" : "");
    else if (o->points > 1)
        cli_titled(point, isfinite(off) && !claimed(o, k) ? "  (not claimed)" : "");
    if (stuck(o, k))
        cli_remark(latency, "; simulated: ended in a deadlock, which 'switchq sim' shows");
    else
        cli_remark_simulated(latency, &s->latency, NAN, off);
}

static void put_point(cli_record *points, const torus_run *o, int k)
{
    const swq_approx_torus_result *r = &o->result[k];
    char load[40];

    snprintf(load, sizeof load, "%.10g", o->load[k]);
    cli_record *point = cli_titled(cli_put_item(points, load), "%s", "");
    cli_quietly(cli_put_number(point, "load", r->load));
    cli_in_unit(cli_put_number(point, "throughput", r->throughput),
                "of the links' bandwidth, per node");
    cli_record *latency = cli_put_number(point, "latency_cycles", r->latency);
    cli_record *alone = cli_put_number(point, "alone_cycles", r->alone);
    cli_record *hops = cli_put_number(point, "link_hops", r->hops);
    cli_quietly(cli_put_number(point, "switch_hops", r->hops + 1));
    cli_record *busiest = cli_put_number(point, "busiest_link_use", r->utilisation);
    cli_in_unit(cli_labelled(alone, "alone in the network"), "cycles (exact)");
    cli_in_unit(cli_labelled(hops, "mean hops"), "links between nodes (exact)");
    cli_in_unit(cli_labelled(busiest, "busiest link"), "of the time taken (exact)");
    put_waits(point, r);
    cli_quietly(cli_put_number(point, "knee", r->knee));
    cli_quietly(cli_put_number(point, "valid_up_to", r->valid));
    cli_quietly(cli_put_number(point, "cpu_seconds", r->cpu_seconds));
    if (isinf(r->latency) && o->points == 1)
        cli_say(point, "  no latency: the load is beyond the knee");
    if (o->points > 1) { /* the same for all */
        cli_quietly(alone);
        cli_quietly(hops);
    }
    if (o->simulated)
        put_simulated(point, latency, o, k);
}

static cli_record *record_torus(swq_context *ctx, const void *at)
{
    const torus_run *o = at;
    const swq_approx_torus_result *r = &o->result[0];
    cli_record *root = cli_record_new("switchq/approx/1");

    (void)ctx;
    cli_put_async(root, &o->n);
    cli_put_method(cli_quietly(cli_prefixed(cli_put_group(root, "method", NULL))), o->method);
    cli_record *points = cli_told(cli_put_points(root, "points"), o->points > 1 ? "load" : NULL);
    for (int k = 0; k < o->points; k++)
        put_point(points, o, k);
    cli_say(root, "\n  The model has no answer from load %.4g on (the knee).", r->knee);
    if (!isnan(r->valid))
        cli_say(root, "  Up to %.4g it was within 5%% of simulated latencies.", r->valid);
    if (o->points == 1 && !isnan(r->valid) && !claimed(o, 0))
        cli_say(root, "  This load is beyond that.");
    cli_say(root, "  docs/approximation.md says what it assumes.");
    return root;
}

/* ---- plot ---- */

swq_status cli_approx_draw_torus(swq_context *ctx, const void *at, const cli_record *record,
                                 const char *path)
{
    const torus_run *o = at;
    static const swq_plot like = {.x_label = "throughput (of the links' bandwidth, per node)",
                                  .y_label = "latency (cycles)"};
    char words[CLI_QUESTION_WORDS];
    cli_drawing d = {0};

    cli_draw_panel(&d, &like, "%s", cli_question_of(record, words, sizeof words));
    cli_draw_curve(&d, "approximated");
    for (int k = 0; k < o->points; k++)
        cli_draw_point(&d, o->result[k].throughput, o->result[k].latency, 0);
    cli_draw_curve(&d, "simulated")->printed = true;
    for (int k = 0; k < o->points && o->simulated; k++) {
        const swq_flow_result *s = &o->simulated[k].sim.all;
        cli_draw_point(&d, s->throughput.mean, s->latency.mean, 0);
    }
    return cli_draw(ctx, &d, path);
}

/* ---- the run ---- */

static swq_status simulate(swq_context *ctx, torus_run *o)
{
    const int groups = o->n.network.traffic.groups;
    swq_async_point *point = swq_calloc(ctx, (size_t)o->points, sizeof *point);
    swq_sender_group *group = swq_calloc(ctx, (size_t)o->points * (size_t)groups, sizeof *group);
    swq_status status = SWQ_OK;

    o->simulated = calloc((size_t)o->points, sizeof *o->simulated);
    if (!o->simulated || !point || !group)
        status = swq_fail(ctx, SWQ_ENOMEM, "no memory for %d simulations", o->points);
    for (int k = 0; k < o->points && !status; k++) {
        set_load(o, k);
        point[k] = (swq_async_point){.network = o->n.network, .options = swq_sim_defaults()};
        point[k].options.seed = o->runs.seed;
        point[k].options.cycles = o->runs.cycles;
        point[k].network.traffic.group =
            memcpy(group + k * groups, o->n.network.traffic.group, sizeof *group * (size_t)groups);
    }
    if (!status)
        status = swq_async_points(ctx, point, o->points, o->runs.threads);
    for (int k = 0; k < o->points && !status; k++) {
        o->simulated[k] = point[k].result;
        if (o->simulated[k].sim.stopped_by == SWQ_STOP_INTERRUPTED)
            status = swq_fail(ctx, SWQ_ECANCELLED, "interrupted");
        swq_result_refuse(&o->simulated[k].sim, NULL);
    }
    swq_free(ctx, group);
    swq_free(ctx, point);
    return status;
}

static swq_status approximate(swq_context *ctx, torus_run *o)
{
    swq_status status = SWQ_OK;

    o->result = calloc((size_t)o->points, sizeof *o->result);
    if (!o->result)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for %d loads", o->points);
    for (int k = 0; k < o->points && !status; k++) {
        set_load(o, k);
        status = swq_approx_run_async(ctx, &o->n.network, o->method, &o->result[k]);
        if (!status && !o->method) /* the same for all loads */
            status = swq_approx_find(ctx, o->result[k].method, &o->method);
    }
    return status;
}

static void clear_torus(swq_context *ctx, void *at)
{
    torus_run *o = at;

    (void)ctx;
    free(o->load);
    free(o->result);
    free(o->simulated);
    cli_async_clear(&o->n);
}

static swq_status read_torus(swq_context *ctx, void *at, bool many)
{
    torus_run *o = at;
    swq_status status = cli_approx_read_runs(ctx, USUAL_CYCLES, many, &o->runs);

    if (!status)
        status = cli_async_read(ctx, &o->n, CLI_LOAD_RANGE);
    if (status)
        return status;
    o->compare = cli_given(cli_approx_compare_options, "compare") != NULL;
    status = cli_approx_method_asked(ctx, &o->method);
    if (!status)
        status = cli_approx_loads(ctx, o->n.load[0], &o->load, &o->points);
    if (!status && o->points > 1 && (o->n.grouped || cli_given(cli_async_options, "interval")))
        status = swq_fail(ctx, SWQ_EINVAL, "a range of --load does not go with --%s",
                          o->n.grouped ? "group" : "interval");
    if (status)
        clear_torus(ctx, o);
    return status;
}

static swq_status answer_torus(swq_context *ctx, void *at)
{
    torus_run *o = at;
    swq_status status = approximate(ctx, o);

    if (!status && o->compare)
        status = simulate(ctx, o);
    set_load(o, 0); /* all output is about the first point */
    return status;
}

const cli_question_kind cli_approx_tori = {
    .stage = "networks",
    .size = sizeof(torus_run),
    .read = read_torus,
    .answer = answer_torus,
    .record = record_torus,
    .clear = clear_torus,
};
