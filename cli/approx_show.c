/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq approx: text, CSV, JSON and plots.
 * Room: cli.
 */
#include "base/context.h"
#include "base/plot.h"
#include "cli/approx.h"
#include "cli/sim.h"
#include "cli/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool discards(const cli_approximation *a)
{
    return a->n.network.sw.flow == SWQ_DISCARD;
}

static const swq_sim_result *simulation_of(const cli_approximation *a, int k)
{
    return a->simulated ? &a->simulated[k].result : NULL;
}

/* A fraction of the simulated value; NAN where there is nothing to compare. */
static double off_by(double approximated, double simulated)
{
    return simulated > 0 ? approximated / simulated - 1 : NAN;
}

/* ---- text ---- */

static void print_labelled(const char *label, const char *text)
{
    char line[1200];

    if (!text || !*text)
        return;
    snprintf(line, sizeof line, "%s: %s", label, text);
    printf("  ");
    cli_print_wrapped(line, 4);
}

/* Losses below this are next to the iteration's rounding: whether there are any is not known. */
#define LEAST_LOSS 1e-12

/* Whether so many packets are discarded that there is a number to be shown; without any there is
 * nothing to discard. */
static bool worth_showing(const swq_approx_result *r)
{
    return r->load == 0 || !(r->discard_fraction < LEAST_LOSS);
}

/* One figure, and the simulated one beside it. */
static void print_figure(const char *name, double value, const swq_estimate *simulated,
                         const char *unit)
{
    printf("  %-20s", name);
    if (isnan(value))
        printf("%12s", "none");
    else
        printf("%12.5g", value);
    if (simulated) {
        double off = off_by(value, simulated->mean);
        printf("  %12.5g +- %-9.2g", simulated->mean, simulated->half_width);
        if (isnan(off))
            printf("%9s", "");
        else
            printf("%+8.2f%%", 100 * off);
    }
    printf("  %s\n", unit);
}

static void print_discarded(const swq_approx_result *r, const swq_sim_result *s)
{
    const swq_estimate *simulated = s ? &s->all.discard_fraction : NULL;

    if (worth_showing(r)) {
        print_figure("discarded", r->discard_fraction, simulated, "of the packets");
        return;
    }
    printf("  %-20s below %g", "discarded", LEAST_LOSS);
    if (simulated)
        printf("  %12.5g +- %-9.2g%9s", simulated->mean, simulated->half_width, "");
    puts("  of the packets");
}

/* A dash where the method does not say. */
static void print_column(int width, int decimals, double value)
{
    if (isnan(value))
        printf("  %*s", width, "-");
    else
        printf("  %*.*f", width, decimals, value);
}

static void print_stages(const cli_approximation *a, const swq_approx_result *r,
                         const swq_sim_result *s)
{
    printf("\n  stage  packets/switch%s  sent/output  blocked%s\n", s ? "   simulated" : "",
           discards(a) ? "  discarded" : "");
    for (int k = 0; k < r->stages; k++) {
        const swq_approx_stage *stage = &r->stage[k];
        printf("  %5d", k + 1);
        print_column(14, 4, stage->occupancy);
        if (s)
            print_column(10, 4, s->stage[k].occupancy.mean);
        print_column(11, 5, stage->sent);
        print_column(7, 4, stage->blocked);
        if (discards(a))
            print_column(9, 6, stage->discarded);
        putchar('\n');
    }
}

/* By class of switch: on the tree of the ways to the hot node, and off it. */
static void print_hot_spot(const swq_approx_result *r, bool lossless)
{
    const swq_approx_hot_spot *h = &r->hot;

    if (lossless)
        print_figure("bound", h->bound, NULL, "packets per node and cycle, at most");
    print_figure("latency, hot", h->hot_latency, NULL, "cycles, of packets to the hot node");
    print_figure("latency, others", h->cold_latency, NULL, "cycles");
    puts("\n         packets per switch      sent per output       cycles there");
    puts("  stage  on tree  off tree       hot     other       hot     other");
    for (int k = 0; k < r->stages; k++) {
        const swq_approx_hot_stage *s = &h->stage[k];
        printf("  %5d", k + 1);
        print_column(7, 4, s->on_tree);
        print_column(8, 4, s->off_tree);
        print_column(8, 5, s->hot_sent);
        print_column(8, 5, s->cold_sent);
        print_column(8, 3, s->hot_delay);
        print_column(8, 3, s->cold_delay);
        putchar('\n');
    }
}

static void print_point(const cli_approximation *a)
{
    const swq_approx_result *r = &a->result[0];
    const swq_sim_result *s = simulation_of(a, 0);

    if (s)
        printf("  %-20s%12s  %12s    %-9s%8s\n", "", "approximated", "simulated", "", "off by");
    print_figure(a->saturation ? "saturation" : "throughput", r->throughput,
                 s ? &s->all.throughput : NULL, "packets per node and cycle");
    print_figure("latency", r->latency, s ? &s->all.latency : NULL, "cycles");
    if (discards(a)) {
        print_discarded(r, s);
    } else {
        print_figure("refused", r->refusal, s ? &s->refusal : NULL, "of the sources' offers");
        print_figure("waiting at a source", r->source_queue, s ? &s->source_queue : NULL,
                     "packets");
    }
    print_stages(a, r, s);
    if (r->hot.bound > 0) {
        putchar('\n');
        print_hot_spot(r, !discards(a));
    }
    printf("\n  ");
    if (r->steps)
        printf("%d steps, %s%.1e; ", r->steps, r->converged ? "to " : "NOT SETTLED, still changes ",
               r->change);
    printf("%.3g s\n", r->cpu_seconds);
}

static void print_range(const cli_approximation *a)
{
    const char *third = discards(a) ? "discarded" : "refused";

    if (a->simulated)
        printf("%8s%34s%40s\n", "", "throughput", "latency");
    printf("%8s", "load");
    for (int k = 0; k < 2; k++)
        printf(a->simulated ? "  %10s  %10s +- %-8s%6s" : "  %10s",
               a->simulated ? "approx."
               : k          ? "latency"
                            : "throughput",
               "simulated", "", "off");
    printf("  %10s\n", third);
    for (int k = 0; k < a->points; k++) {
        const swq_approx_result *r = &a->result[k];
        const swq_sim_result *s = simulation_of(a, k);
        const double value[2] = {r->throughput, r->latency};
        printf("%8.10g", a->load[k]);
        for (int v = 0; v < 2; v++) {
            printf("  %10.5g", value[v]);
            const swq_estimate *e = !s ? NULL : v ? &s->all.latency : &s->all.throughput;
            if (e)
                printf("  %10.5g +- %-7.2g%+6.2f%%", e->mean, e->half_width,
                       100 * off_by(value[v], e->mean));
        }
        if (discards(a) && !worth_showing(r))
            printf("     < %5g", LEAST_LOSS);
        else
            printf("  %10.4g", discards(a) ? r->discard_fraction : r->refusal);
        puts(r->converged ? "" : "  NOT SETTLED");
    }
}

swq_status cli_approx_print(swq_context *ctx, const cli_approximation *a)
{
    cli_network_print(&a->n, a->points == 1);
    if (a->points == 1)
        print_point(a);
    else
        print_range(a);
    putchar('\n');
    print_labelled("method", a->method->name);
    print_labelled("assumes", a->method->assumptions);
    print_labelled("off by", a->method->error);
    print_labelled("source", a->method->source);
    return cli_flush(ctx);
}

/* ---- CSV ---- */

swq_status cli_approx_csv(swq_context *ctx, const cli_approximation *a)
{
    printf("load,throughput,latency,discard_fraction,source_queue,refusal,converged%s\n",
           a->simulated ? ",simulated_throughput,throughput_half_width,simulated_latency,"
                          "latency_half_width,throughput_off,latency_off"
                        : "");
    for (int k = 0; k < a->points; k++) {
        const swq_approx_result *r = &a->result[k];
        const swq_sim_result *s = simulation_of(a, k);
        printf("%.10g", a->load[k]);
        cli_csv_number(r->throughput);
        cli_csv_number(r->latency);
        cli_csv_number(r->discard_fraction);
        cli_csv_number(r->source_queue);
        cli_csv_number(r->refusal);
        printf(",%d", r->converged);
        if (s) {
            cli_csv_number(s->all.throughput.mean);
            cli_csv_number(s->all.throughput.half_width);
            cli_csv_number(s->all.latency.mean);
            cli_csv_number(s->all.latency.half_width);
            cli_csv_number(off_by(r->throughput, s->all.throughput.mean));
            cli_csv_number(off_by(r->latency, s->all.latency.mean));
        }
        putchar('\n');
    }
    return cli_flush(ctx);
}

/* ---- JSON ---- */

static void json_method(cJSON *tree, const swq_approx_method *m)
{
    cJSON_AddStringToObject(tree, "name", m->name);
    cJSON_AddStringToObject(tree, "summary", m->summary);
    cJSON_AddStringToObject(tree, "assumptions", m->assumptions);
    cJSON_AddStringToObject(tree, "source", m->source);
    cJSON_AddStringToObject(tree, "off_by", m->error);
}

static cJSON *json_stages(const swq_approx_result *r)
{
    cJSON *stages = cJSON_CreateArray();

    for (int k = 0; k < r->stages; k++) {
        cJSON *stage = cJSON_CreateObject();
        cJSON_AddItemToArray(stages, stage);
        cli_json_number(stage, "occupancy", r->stage[k].occupancy);
        cli_json_number(stage, "sent", r->stage[k].sent);
        cli_json_number(stage, "blocked", r->stage[k].blocked);
        cli_json_number(stage, "discarded", r->stage[k].discarded);
    }
    return stages;
}

static cJSON *json_hot_spot(const swq_approx_result *r, bool lossless)
{
    const swq_approx_hot_spot *h = &r->hot;
    cJSON *hot = cJSON_CreateObject();

    if (lossless)
        cli_json_number(hot, "bound", h->bound);
    cli_json_number(hot, "hot_latency_cycles", h->hot_latency);
    cli_json_number(hot, "other_latency_cycles", h->cold_latency);
    cJSON *stages = cJSON_AddArrayToObject(hot, "stages");
    for (int k = 0; k < r->stages; k++) {
        const swq_approx_hot_stage *s = &h->stage[k];
        cJSON *stage = cJSON_CreateObject();
        cJSON_AddItemToArray(stages, stage);
        cli_json_number(stage, "occupancy_on_tree", s->on_tree);
        cli_json_number(stage, "occupancy_off_tree", s->off_tree);
        cli_json_number(stage, "sent_hot", s->hot_sent);
        cli_json_number(stage, "sent_other", s->cold_sent);
        cli_json_number(stage, "cycles_hot", s->hot_delay);
        cli_json_number(stage, "cycles_other", s->cold_delay);
    }
    return hot;
}

static cJSON *json_point(const cli_approximation *a, int k)
{
    const swq_approx_result *r = &a->result[k];
    const swq_sim_result *s = simulation_of(a, k);
    cJSON *point = cJSON_CreateObject();

    cli_json_number(point, "load", a->load[k]);
    cli_json_number(point, "throughput", r->throughput);
    cli_json_number(point, "latency_cycles", r->latency);
    cli_json_number(point, "discard_fraction", r->discard_fraction);
    cli_json_number(point, "source_queue", r->source_queue);
    cli_json_number(point, "refusal", r->refusal);
    cJSON_AddItemToObject(point, "stages", json_stages(r));
    if (r->hot.bound > 0)
        cJSON_AddItemToObject(point, "hot_spot", json_hot_spot(r, !discards(a)));
    cJSON_AddNumberToObject(point, "steps", r->steps);
    cli_json_number(point, "change", r->change);
    cJSON_AddBoolToObject(point, "converged", r->converged);
    cJSON_AddNumberToObject(point, "cpu_seconds", r->cpu_seconds);
    if (s) {
        cJSON *simulated = cJSON_AddObjectToObject(point, "simulated");
        cli_json_estimate(simulated, "throughput", s->all.throughput);
        cli_json_estimate(simulated, "latency_cycles", s->all.latency);
        cli_json_estimate(simulated, "discard_fraction", s->all.discard_fraction);
        cli_json_estimate(simulated, "source_queue", s->source_queue);
        cli_json_estimate(simulated, "refusal", s->refusal);
        cJSON_AddNumberToObject(simulated, "cycles", (double)s->cycles);
        cJSON_AddNumberToObject(simulated, "seed", (double)s->seed);
        cJSON *off = cJSON_AddObjectToObject(point, "off_by");
        cli_json_number(off, "throughput", off_by(r->throughput, s->all.throughput.mean));
        cli_json_number(off, "latency_cycles", off_by(r->latency, s->all.latency.mean));
        cli_json_number(off, "discard_fraction",
                        off_by(r->discard_fraction, s->all.discard_fraction.mean));
    }
    return point;
}

swq_status cli_approx_json(swq_context *ctx, const cli_approximation *a)
{
    cJSON *tree = cJSON_CreateObject();

    cJSON_AddStringToObject(tree, "schema", "switchq/approx/1");
    cJSON *model = cli_json_network(&a->n);
    if (a->points > 1)
        cJSON_DeleteItemFromObject(model, "load");
    cJSON_AddItemToObject(tree, "model", model);
    json_method(cJSON_AddObjectToObject(tree, "method"), a->method);
    cJSON *points = cJSON_AddArrayToObject(tree, "points");
    for (int k = 0; k < a->points; k++)
        cJSON_AddItemToArray(points, json_point(a, k));
    return cli_json_print(ctx, tree);
}

/* ---- the methods ---- */

swq_status cli_approx_methods(swq_context *ctx, bool json)
{
    if (json) {
        cJSON *tree = cJSON_CreateObject();
        cJSON_AddStringToObject(tree, "schema", "switchq/approx/1");
        cJSON *rows = cJSON_AddArrayToObject(tree, "methods");
        for (int k = 0; swq_approx_methods[k]; k++) {
            cJSON *row = cJSON_CreateObject();
            cJSON_AddItemToArray(rows, row);
            json_method(row, swq_approx_methods[k]);
        }
        return cli_json_print(ctx, tree);
    }
    for (int k = 0; swq_approx_methods[k]; k++) {
        const swq_approx_method *m = swq_approx_methods[k];
        printf("%s%s: ", k ? "\n" : "", m->name);
        cli_print_wrapped(m->summary, 2);
        print_labelled("assumes", m->assumptions);
        print_labelled("off by", m->error);
        print_labelled("source", m->source);
    }
    puts("\nFor tori, meshes and hypercubes (--topology) there is one more, without a name: "
         "waiting times "
         "at\n  every output; its range is printed with each answer, and docs/approximation.md has "
         "its "
         "errors.");
    return cli_flush(ctx);
}

/* ---- plot ---- */

swq_status cli_approx_draw(swq_context *ctx, const cli_approximation *a, const char *path)
{
    const size_t points = (size_t)a->points;
    double *value = calloc(4 * points, sizeof *value);
    char title[120];

    if (!value)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for the plot");
    swq_curve curve[2] = {
        {.name = "approximated", .x = value, .y = value + points, .points = points},
        {.name = "simulated",
         .x = value + 2 * points,
         .y = value + 3 * points,
         .points = points,
         .printed = true},
    };
    for (size_t k = 0; k < points; k++) {
        const swq_sim_result *s = simulation_of(a, (int)k);
        value[k] = a->result[k].throughput;
        value[points + k] = a->result[k].latency;
        value[2 * points + k] = s ? s->all.throughput.mean : NAN;
        value[3 * points + k] = s ? s->all.latency.mean : NAN;
    }
    snprintf(title, sizeof title, "%s, %d slots: %d stages of %d x %d switches (method %s)",
             a->n.spec.buffer, a->n.spec.slots, a->n.network.stages, a->n.network.sw.ports,
             a->n.network.sw.ports, a->method->name);
    swq_plot plot = {.title = title,
                     .x_label = "throughput (packets per node and cycle)",
                     .y_label = "latency (cycles)",
                     .curve = curve,
                     .curves = a->simulated ? 2 : 1};
    swq_status status = swq_plot_write(ctx, &plot, path);
    free(value);
    return status;
}
