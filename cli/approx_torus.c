/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq approx for asynchronous tori, meshes and hypercubes: run, compare, and print.
 * Room: cli.
 */
#include "switchq/approx_torus.h"
#include "base/context.h"
#include "base/plot.h"
#include "cli/approx.h"
#include "cli/async.h"
#include "cli/sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const cli_approx_torus *given;
    cli_async *n;
    int points;
    double *load;                    /* [points]; NAN: intervals were given */
    swq_approx_torus_result *result; /* [points] */
    swq_async_result *simulated;     /* [points], or NULL */
} outcome;

static double off_by(double approximated, const swq_async_result *simulated)
{
    return approximated / simulated->sim.all.latency.mean - 1;
}

/* Packets that could never move again. */
static bool stuck(const outcome *o, int k)
{
    return o->simulated && o->simulated[k].sim.stopped_by == SWQ_STOP_DEADLOCK;
}

/* Is the simulated latency one that the model claims to be near? */
static bool claimed(const outcome *o, int k)
{
    return o->result[k].load <= o->result[k].valid;
}

/* The network as it is at a point of a range; what is said of all of them is said at the first. */
static void set_load(const outcome *o, int k)
{
    if (o->points > 1) {
        swq_sender_group_load(&o->n->network, &o->n->group[0], o->load[k]);
        o->n->load[0] = o->load[k];
    }
}

/* ---- text ---- */

static void print_figure(const char *name, double value, const char *unit)
{
    if (isnan(value))
        return;
    if (isinf(value))
        printf("  %-22s none: beyond the knee\n", name);
    else
        printf("  %-22s %.6g %s\n", name, value, unit);
}

static void print_point(const outcome *o)
{
    const swq_approx_torus_result *r = &o->result[0];

    print_figure("throughput", r->throughput, "of the links' bandwidth, per node");
    print_figure("latency", r->latency, "cycles");
    if (stuck(o, 0)) {
        printf("  %-22s ended in a deadlock; 'switchq sim' shows it\n", "simulated");
    } else if (o->simulated) {
        const swq_flow_result *s = &o->simulated[0].sim.all;
        if (isinf(r->latency))
            printf("  %-22s %.6g +- %.2g cycles\n", "simulated", s->latency.mean,
                   s->latency.half_width);
        else
            printf("  %-22s %.6g +- %.2g cycles: off by %+.2f%%\n", "simulated", s->latency.mean,
                   s->latency.half_width, 100 * off_by(r->latency, &o->simulated[0]));
        printf("  %-22s %.6g +- %.2g\n", "simulated throughput", s->throughput.mean,
               s->throughput.half_width);
    }
    print_figure("alone in the network", r->alone, "cycles (exact)");
    print_figure("mean hops", r->hops, "links between nodes (exact)");
    print_figure("busiest link", r->utilisation, "of the time taken (exact)");
    print_figure("wait at the sender", r->source_wait, "cycles");
    puts("\n  wait at a switch, in cycles, of a packet that");
    print_figure("  comes from its host", r->injection_wait, "cycles");
    print_figure("  goes straight on", r->continuing_wait, "cycles");
    print_figure("  turns", r->turning_wait, "cycles");
    print_figure("  has arrived", r->ejection_wait, "cycles");
}

static void print_range(const outcome *o)
{
    printf("%8s  %10s  %10s  %12s%s\n", "load", "throughput", "latency", "busiest link",
           o->simulated ? "   simulated               off by" : "");
    for (int k = 0; k < o->points; k++) {
        const swq_approx_torus_result *r = &o->result[k];
        printf("%8.10g  %10.5g", o->load[k], r->throughput);
        if (isfinite(r->latency))
            printf("  %10.5g", r->latency);
        else
            printf("  %10s", "none");
        printf("  %12.5f", r->utilisation);
        if (stuck(o, k)) {
            printf("  deadlock");
        } else if (o->simulated) {
            const swq_estimate *e = &o->simulated[k].sim.all.latency;
            printf("  %10.5g +- %-8.2g", e->mean, e->half_width);
            if (isfinite(r->latency) && isfinite(e->mean))
                printf("%+8.2f%%%s", 100 * off_by(r->latency, &o->simulated[k]),
                       claimed(o, k) ? "" : " (not claimed)");
        }
        putchar('\n');
    }
}

static swq_status print_text(swq_context *ctx, const outcome *o)
{
    const swq_approx_torus_result *r = &o->result[0];

    set_load(o, 0);
    cli_async_print(o->n);
    if (o->points == 1)
        print_point(o);
    else
        print_range(o);
    printf("\n  The model has no answer from load %.4g on (the knee)", r->knee);
    if (isnan(r->valid))
        puts(".");
    else
        printf(";\n  up to %.4g it was within 5%% of simulated latencies.\n", r->valid);
    if (o->points == 1 && !isnan(r->valid) && !claimed(o, 0))
        puts("  This load is beyond that.");
    puts("  docs/approximation.md says what it assumes.");
    return cli_flush(ctx);
}

/* ---- CSV and JSON ---- */

static void print_csv(const outcome *o)
{
    printf("load,throughput,latency,alone,hops,utilisation,knee,valid%s\n",
           o->simulated ? ",simulated_throughput,simulated_latency,latency_half_width,latency_off"
                        : "");
    for (int k = 0; k < o->points; k++) {
        const swq_approx_torus_result *r = &o->result[k];
        printf("%.10g", r->load);
        cli_csv_number(r->throughput);
        cli_csv_number(r->latency);
        cli_csv_number(r->alone);
        cli_csv_number(r->hops);
        cli_csv_number(r->utilisation);
        cli_csv_number(r->knee);
        cli_csv_number(r->valid);
        if (o->simulated) {
            const swq_flow_result *s = &o->simulated[k].sim.all;
            cli_csv_number(s->throughput.mean);
            cli_csv_number(s->latency.mean);
            cli_csv_number(s->latency.half_width);
            cli_csv_number(off_by(r->latency, &o->simulated[k]));
        }
        putchar('\n');
    }
}

static cJSON *json_point(const outcome *o, int k)
{
    const swq_approx_torus_result *r = &o->result[k];
    cJSON *point = cJSON_CreateObject(), *waits;

    cli_json_number(point, "load", r->load);
    cli_json_number(point, "throughput", r->throughput);
    cli_json_number(point, "latency_cycles", r->latency);
    cli_json_number(point, "alone_cycles", r->alone);
    cli_json_number(point, "hops", r->hops);
    cli_json_number(point, "utilisation", r->utilisation);
    waits = cJSON_AddObjectToObject(point, "wait_cycles");
    cli_json_number(waits, "source", r->source_wait);
    cli_json_number(waits, "injection", r->injection_wait);
    cli_json_number(waits, "continuing", r->continuing_wait);
    cli_json_number(waits, "turning", r->turning_wait);
    cli_json_number(waits, "ejection", r->ejection_wait);
    cli_json_number(point, "knee", r->knee);
    cli_json_number(point, "valid_up_to", r->valid);
    cli_json_number(point, "cpu_seconds", r->cpu_seconds);
    if (o->simulated) {
        const swq_flow_result *s = &o->simulated[k].sim.all;
        cJSON *simulated = cJSON_AddObjectToObject(point, "simulated");
        cli_json_estimate(simulated, "throughput", s->throughput);
        cli_json_estimate(simulated, "latency_cycles", s->latency);
        cJSON_AddBoolToObject(simulated, "deadlock", stuck(o, k));
        cJSON_AddNumberToObject(simulated, "seed", (double)o->given->runs.seed);
        cli_json_number(cJSON_AddObjectToObject(point, "off_by"), "latency_cycles",
                        off_by(r->latency, &o->simulated[k]));
    }
    return point;
}

static swq_status print_json(swq_context *ctx, const outcome *o)
{
    cJSON *tree = cJSON_CreateObject();

    cJSON_AddStringToObject(tree, "schema", "switchq/approx/1");
    set_load(o, 0);
    cJSON_AddItemToObject(tree, "model", cli_json_async(o->n));
    cJSON *method = cJSON_AddObjectToObject(tree, "method");
    cJSON_AddStringToObject(method, "name", "grid-waits");
    cJSON_AddStringToObject(method, "summary",
                            "waiting times at every output of a torus, mesh or "
                            "hypercube");
    cJSON_AddStringToObject(method, "source", "ours; docs/approximation.md");
    cJSON_AddStringToObject(method, "off_by", "within 5% of the simulator up to valid_up_to");
    cJSON *points = cJSON_AddArrayToObject(tree, "points");
    for (int k = 0; k < o->points; k++)
        cJSON_AddItemToArray(points, json_point(o, k));
    return cli_json_print(ctx, tree);
}

/* ---- plot ---- */

static swq_status draw(swq_context *ctx, const outcome *o)
{
    const size_t points = (size_t)o->points;
    double *value = calloc(4 * points, sizeof *value);

    if (!value)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for the plot");
    swq_curve curve[2] = {
        {.name = "approximated", .x = value, .y = value + points},
        {.name = "simulated", .x = value + 2 * points, .y = value + 3 * points, .printed = true},
    };
    for (size_t k = 0; k < points; k++) {
        const swq_flow_result *s = o->simulated ? &o->simulated[k].sim.all : NULL;
        if (isfinite(o->result[k].latency)) {
            value[curve[0].points] = o->result[k].throughput;
            value[points + curve[0].points++] = o->result[k].latency;
        }
        if (s && isfinite(s->latency.mean)) {
            value[2 * points + curve[1].points] = s->throughput.mean;
            value[3 * points + curve[1].points++] = s->latency.mean;
        }
    }
    const char *dims = cli_text(cli_async_options, "dims");
    char title[80];
    snprintf(title, sizeof title, "%s %s, %s", o->n->network.shape.kind->name, dims ? dims : "",
             o->n->network.buffer->name);
    swq_plot plot = {.title = title,
                     .x_label = "throughput (of the links' bandwidth, per node)",
                     .y_label = "latency (cycles)",
                     .curve = curve,
                     .curves = o->simulated ? 2 : 1};
    swq_status status = swq_plot_write(ctx, &plot, o->given->plot);
    free(value);
    return status;
}

/* ---- the run ---- */

static swq_status simulate(swq_context *ctx, outcome *o)
{
    swq_sim_options options = swq_sim_defaults();
    swq_status status = SWQ_OK;

    o->simulated = calloc((size_t)o->points, sizeof *o->simulated);
    if (!o->simulated)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for %d simulations", o->points);
    options.seed = o->given->runs.seed;
    options.cycles = o->given->runs.cycles;
    for (int k = 0; k < o->points && !status; k++) {
        set_load(o, k);
        status = swq_async_run(ctx, &o->n->network, &options, NULL, &o->simulated[k]);
        if (!status && o->simulated[k].sim.stopped_by == SWQ_STOP_INTERRUPTED)
            status = swq_fail(ctx, SWQ_ECANCELLED, "interrupted");
    }
    return status;
}

static swq_status approximate(swq_context *ctx, outcome *o)
{
    swq_status status = SWQ_OK;

    o->result = calloc((size_t)o->points, sizeof *o->result);
    if (!o->result)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for %d loads", o->points);
    for (int k = 0; k < o->points && !status; k++) {
        set_load(o, k);
        status = swq_approx_torus(ctx, &o->n->network, &o->result[k]);
    }
    return status;
}

static swq_status read(swq_context *ctx, outcome *o)
{
    swq_status status = cli_async_read(ctx, o->n, CLI_LOAD_RANGE);

    if (!status)
        status = cli_network_loads(ctx, o->n->load[0], &o->load, &o->points);
    if (!status && o->points > CLI_APPROX_LOADS)
        status = swq_fail(ctx, SWQ_EINVAL, "--load has %d points, of at most %d", o->points,
                          CLI_APPROX_LOADS);
    for (int k = 0; k < o->points && !status; k++) {
        if (o->load[k] == 0)
            status = swq_fail(ctx, SWQ_EINVAL, "--load must be above 0 in such networks");
    }
    if (!status && o->points > 1 && (o->n->grouped || cli_given(cli_async_options, "interval")))
        status = swq_fail(ctx, SWQ_EINVAL, "a range of --load does not go with --%s",
                          o->n->grouped ? "group" : "interval");
    if (!status && cli_given(cli_async_options, "starts"))
        status = swq_fail(ctx, SWQ_EINVAL, "--starts is for switchq sim");
    if (!status && o->given->plot)
        status = swq_plot_check(ctx, o->given->plot);
    if (!status && o->given->plot && o->points < 2)
        status = swq_fail(ctx, SWQ_EINVAL, "--plot needs a range: --load FROM:TO:STEP");
    return status;
}

int cli_approx_grid(swq_context *ctx, const cli_approx_torus *given)
{
    static cli_async n;
    outcome o = {.given = given, .n = &n};
    swq_status status = read(ctx, &o);

    if (!status)
        status = approximate(ctx, &o);
    if (!status && given->compare)
        status = simulate(ctx, &o);
    cli_clear_progress();
    if (!status && given->json)
        status = print_json(ctx, &o);
    else if (!status && given->csv)
        print_csv(&o);
    else if (!status)
        status = print_text(ctx, &o);
    if (!status)
        status = cli_flush(ctx);
    if (!status && given->plot)
        status = draw(ctx, &o);
    free(o.load);
    free(o.result);
    free(o.simulated);
    cli_async_clear(&n);
    return status ? cli_fail(ctx, status) : CLI_OK;
}
