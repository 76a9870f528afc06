/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq approx for asynchronous tori, meshes and hypercubes: run, and compare.
 */
#include "base/context.h"
#include "cli/approx/approx.h"
#include "cli/options/parse.h"
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
    swq_approx_torus_result result;
    swq_async_result simulated; /* if it is to be compared */
} torus_run;

static double off_by(double approximated, const swq_async_result *simulated)
{
    return approximated / simulated->sim.all.latency.mean - 1;
}

/* Could some packets never move again? */
static bool stuck(const torus_run *o)
{
    return o->compare && o->simulated.sim.stopped_by == SWQ_STOP_DEADLOCK;
}

/* Is the load in the range for which the model claims to be accurate? */
static bool claimed(const torus_run *o)
{
    return o->result.load <= o->result.valid;
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

static void put_simulated(cli_record *point, cli_record *latency, const torus_run *o)
{
    const swq_flow_result *s = &o->simulated.sim.all;
    const double off = off_by(o->result.latency, &o->simulated);
    cli_record *simulated = cli_in_columns(cli_quietly(cli_put_group(point, "simulated", NULL)));

    cli_in_full(cli_labelled(cli_put_estimate(simulated, "throughput", s->throughput),
                             "simulated throughput"));
    cli_in_full(cli_labelled(cli_put_estimate(simulated, "latency_cycles", s->latency),
                             "simulated latency"));
    cli_quietly(cli_put_truth(simulated, "deadlocked", stuck(o)));
    cli_quietly(cli_put_count(simulated, "seed", o->runs.seed));
    cli_record *by = cli_in_columns(cli_quietly(cli_put_group(point, "off_by", NULL)));
    cli_in_percent(cli_labelled(cli_put_number(by, "latency_cycles", off), "latency off by"));
    if (stuck(o))
        cli_titled(point, "  deadlock");
    else if (isfinite(off) && !claimed(o))
        cli_titled(point, "  (not claimed)");
    if (stuck(o))
        cli_remark(latency, "; simulated: ended in a deadlock, which 'switchq sim' shows");
    else
        cli_remark_simulated(latency, &s->latency, NAN, off);
}

static void put_result(cli_record *root, const torus_run *o)
{
    const swq_approx_torus_result *r = &o->result;
    cli_record *point = cli_the_result(cli_put_group(root, "result", NULL));

    const double load = o->n.load[0]; /* as asked: that of the model is rounded by its intervals */
    cli_not_in_csv(cli_quietly(cli_put_number(point, "load", isnan(load) ? r->load : load)));
    cli_in_unit(cli_put_mean(point, "throughput", r->throughput),
                "of the links' bandwidth, per node");
    cli_record *latency = cli_put_mean(point, "latency_cycles", r->latency);
    cli_record *alone = cli_put_number(point, "alone_cycles", r->alone);
    cli_record *hops = cli_put_number(point, "link_hops", r->hops);
    cli_quietly(cli_put_mean(point, "switch_hops", r->hops + 1));
    cli_record *busiest = cli_put_number(point, "busiest_link_use", r->utilisation);
    cli_in_unit(cli_labelled(alone, "alone in the network"), "cycles (exact)");
    cli_in_unit(cli_labelled(hops, "mean hops"), "links between nodes (exact)");
    cli_in_unit(cli_labelled(busiest, "busiest link"), "of the time taken (exact)");
    put_waits(point, r);
    cli_quietly(cli_put_truth(point, "saturated", isinf(r->latency)));
    cli_quietly(cli_put_number(point, "knee", r->knee));
    cli_quietly(cli_put_number(point, "valid_up_to", r->valid));
    if (isinf(r->latency))
        cli_say(point, "  no latency: the load is beyond the knee");
    if (o->compare)
        put_simulated(point, latency, o);
}

static cli_record *record_torus(swq_context *ctx, const void *at)
{
    const torus_run *o = at;
    const swq_approx_torus_result *r = &o->result;
    cli_record *root = cli_record_new("switchq/approx/2");

    (void)ctx;
    cli_put_async(root, &o->n);
    cli_put_method(cli_quietly(cli_prefixed(cli_put_group(root, "method", NULL))), o->method);
    put_result(root, o);
    cli_put_number(cli_quietly(cli_put_group(root, "run", NULL)), "cpu_seconds", r->cpu_seconds);
    cli_say(root, "\n  The model has no answer from load %.4g on (the knee).", r->knee);
    if (!isnan(r->valid))
        cli_say(root, "  Up to %.4g it was within 5%% of simulated latencies.", r->valid);
    if (!isnan(r->valid) && !claimed(o))
        cli_say(root, "  This load is beyond that.");
    cli_say(root, "  docs/approximation.md says what it assumes.");
    return root;
}

/* ---- the run ---- */

static swq_status simulate(swq_context *ctx, torus_run *o)
{
    swq_async_point point = {.network = o->n.network, .options = swq_sim_defaults()};

    point.options.seed = o->runs.seed;
    point.options.cycles = o->runs.cycles;
    const swq_status status = swq_async_points(ctx, &point, 1, o->runs.threads);
    o->simulated = point.result;
    swq_result_refuse(&o->simulated.sim, NULL);
    return !status && o->simulated.sim.stopped_by == SWQ_STOP_INTERRUPTED
               ? swq_fail(ctx, SWQ_ECANCELLED, "interrupted")
               : status;
}

static void clear_torus(swq_context *ctx, void *at)
{
    torus_run *o = at;

    cli_async_clear(ctx, &o->n);
}

static swq_status read_torus(swq_context *ctx, void *at, bool many)
{
    torus_run *o = at;
    swq_status status = cli_approx_read_runs(ctx, USUAL_CYCLES, many, &o->runs);

    if (!status)
        status = cli_async_read(ctx, &o->n, CLI_LOAD_GIVEN);
    if (status)
        return status;
    o->compare = cli_given(cli_approx_compare_options, "compare") != NULL;
    status = cli_approx_method_asked(ctx, &o->method);
    if (status)
        clear_torus(ctx, o);
    return status;
}

static swq_status answer_torus(swq_context *ctx, void *at)
{
    torus_run *o = at;
    swq_status status = swq_approx_run_async(ctx, &o->n.network, o->method, &o->result);

    if (!status && !o->method)
        status = swq_approx_find(ctx, o->result.method, &o->method);
    return status || !o->compare ? status : simulate(ctx, o);
}

const cli_question_kind cli_approx_tori = {
    .stage = "networks",
    .size = sizeof(torus_run),
    .read = read_torus,
    .answer = answer_torus,
    .record = record_torus,
    .clear = clear_torus,
};
