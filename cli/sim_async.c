/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sim with the asynchronous engine: run, and print.
 * Room: cli.
 */
#include "base/context.h"
#include "cli/async.h"
#include "cli/sim.h"

#include <math.h>
#include <stdlib.h>

#define UNIT " of the links' bandwidth, per node"

/* What a run left, to be printed. */
typedef struct {
    const cli_async *n;
    const cli_run *run;
    const swq_async_result *r;
    const swq_async_peak *peak; /* or NULL */
} report;

/* The links between switches tell a share of the bisection where all of them are alike. */
static bool has_bisection(const cli_async *n)
{
    return n->network.shape.kind->point_to_point;
}

static bool by_group(const report *p)
{
    return p->r->sim.groups > 1 || p->n->grouped;
}

/* ---- JSON ---- */

static void json_async_flow(cJSON *to, const swq_flow_result *f)
{
    cli_json_flow(to, f);
    cli_json_number(to, "bytes", f->bytes);
    cli_json_estimate(to, "hops", f->hops);
}

static void json_levels(cJSON *to, const report *p)
{
    cJSON *levels = cJSON_AddArrayToObject(to, "levels");
    char name[40];

    for (int k = 0; k < p->r->sim.stages; k++) {
        const swq_stage_result *s = &p->r->sim.stage[k];
        cJSON *level = cJSON_CreateObject();
        cJSON_AddItemToArray(levels, level);
        p->n->network.shape.kind->level_name(&p->n->fabric, k, name, sizeof name);
        cJSON_AddStringToObject(level, "name", name);
        cli_json_estimate(level, "occupancy", s->occupancy);
        cli_json_estimate(level, "sent", s->sent);
    }
}

static void json_peak(cJSON *tree, const swq_async_peak *peak)
{
    cJSON *found = cJSON_AddObjectToObject(tree, "saturation");

    cli_json_estimate(found, "throughput", peak->throughput);
    cli_json_number(found, "load", peak->load);
    cli_json_number(found, "load_least", peak->least);
    cli_json_number(found, "load_most", peak->most);
    cli_json_number(found, "deadlock_load", peak->deadlock_load);
    cli_json_estimate(found, "at_full_load", peak->at_full_load.sim.all.throughput);
    cJSON_AddNumberToObject(found, "runs", peak->runs);
}

static cJSON *json_of(swq_context *ctx, const report *p)
{
    const swq_sim_result *r = &p->r->sim;
    cJSON *tree = cJSON_CreateObject();

    cJSON_AddStringToObject(tree, "schema", "switchq/sim/1");
    cJSON_AddItemToObject(tree, "model", cli_json_async(p->n));
    cli_json_run(tree, r, &p->run->options);
    cJSON *check = cJSON_GetObjectItemCaseSensitive(tree, "invariants");
    cJSON_AddNumberToObject(check, "bytes_created", (double)p->r->bytes_created);
    cJSON_AddNumberToObject(check, "bytes_delivered", (double)p->r->bytes_delivered);
    cJSON_AddNumberToObject(check, "bytes_in_flight", (double)p->r->bytes_in_flight);
    cJSON *result = cJSON_AddObjectToObject(tree, "result");
    json_async_flow(result, &r->all);
    cli_json_number(result, "bisection_fraction", has_bisection(p->n) ? p->r->bisection : NAN);
    cli_json_estimate(result, "source_queue", r->source_queue);
    json_levels(result, p);
    cJSON *groups = by_group(p) ? cJSON_AddArrayToObject(result, "groups") : NULL;
    for (int g = 0; g < p->n->network.groups && groups; g++) {
        cJSON *group = cJSON_CreateObject();
        cJSON_AddItemToArray(groups, group);
        json_async_flow(group, r->groups > 1 ? &r->by_group[g] : &r->all);
    }
    cJSON *deadlock = cli_json_deadlock(ctx, p->n, p->r);
    if (!deadlock) {
        cJSON_Delete(tree);
        return NULL;
    }
    cJSON_AddItemToObject(result, "deadlock", deadlock);
    if (p->peak)
        json_peak(tree, p->peak);
    return tree;
}

/* ---- CSV ---- */

static void csv_line(const char *what, const swq_flow_result *f)
{
    cli_csv_flow(what, f);
    printf(",%.15g,%.9g,%.3g\n", f->bytes, f->hops.mean, f->hops.half_width);
}

static void print_csv(const report *p)
{
    const swq_sim_result *r = &p->r->sim;
    const swq_async_peak *peak = p->peak;
    char name[24];

    if (peak) {
        printf("saturation_throughput,half_width,load,load_least,load_most,at_full_load,"
               "at_full_load_half_width,deadlock_load,runs\n"
               "%.9g,%.3g,%.9g,%.9g,%.9g,%.9g,%.3g,%.9g,%d\n",
               peak->throughput.mean, peak->throughput.half_width, peak->load, peak->least,
               peak->most, r->all.throughput.mean, r->all.throughput.half_width,
               peak->deadlock_load, peak->runs);
        return;
    }
    printf("%s,bytes,hops,hops_half_width\n", cli_csv_columns);
    csv_line("all", &r->all);
    for (int g = 0; g < p->n->network.groups && by_group(p); g++) {
        snprintf(name, sizeof name, "group %d", g);
        csv_line(name, r->groups > 1 ? &r->by_group[g] : &r->all);
    }
}

/* ---- text ---- */

static void print_levels(const report *p)
{
    const swq_fabric *f = &p->n->fabric;
    char name[40];

    puts("\n  level           packets/port  bytes/link/cycle");
    for (int k = 0; k < p->r->sim.stages; k++) {
        const swq_stage_result *s = &p->r->sim.stage[k];
        f->shape.kind->level_name(f, k, name, sizeof name);
        printf("  %-12s  %14.5g  %16.5f\n", name, s->occupancy.mean, s->sent.mean);
    }
}

static void print_async_flow(const swq_flow_result *f)
{
    cli_print_flow(f, UNIT, false);
    cli_print_estimate("mean hops", f->hops, " switches");
}

static void print_groups(const report *p)
{
    const swq_sim_result *r = &p->r->sim;
    char members[60], words[500];

    for (int g = 0; g < p->n->network.groups && by_group(p); g++) {
        cli_group_members(p->n, g, members, sizeof members);
        printf("\n  group %d (%s)", g, members);
        if (!p->n->network.trace) {
            cli_group_words(p->n, g, words, sizeof words);
            printf(": %s", words);
        }
        putchar('\n');
        print_async_flow(r->groups > 1 ? &r->by_group[g] : &r->all);
    }
}

static void print_peak(const swq_async_peak *peak)
{
    const swq_estimate full = peak->at_full_load.sim.all.throughput;
    double less = peak->throughput.mean - full.mean;

    if (isnan(peak->throughput.mean)) {
        printf("\n  no load without a deadlock was found (%d runs)\n", peak->runs);
        return;
    }
    printf("\n  highest throughput     %.5g +- %.2g, at a load of %.4g (the next loads tried: %.4g "
           "and %.4g; %d runs)\n",
           peak->throughput.mean, peak->throughput.half_width, peak->load, peak->least, peak->most,
           peak->runs);
    if (peak->at_full_load.sim.stopped_by == SWQ_STOP_DEADLOCK)
        puts("  at full load           nothing, in the end");
    else if (less > peak->throughput.half_width + full.half_width)
        printf("  at full load           %.5g +- %.2g: %.3g%% less\n", full.mean, full.half_width,
               100 * less / peak->throughput.mean);
    else
        printf("  at full load           %.5g +- %.2g: no less, as far as can be told\n", full.mean,
               full.half_width);
    if (!isnan(peak->deadlock_load))
        printf("  DEADLOCKS at loads of %.4g and more\n", peak->deadlock_load);
}

static swq_status print_text(swq_context *ctx, const report *p)
{
    const swq_sim_result *r = &p->r->sim;
    swq_status status = SWQ_OK;

    cli_async_print(p->n);
    print_async_flow(&r->all);
    if (has_bisection(p->n))
        printf("  %-22s %.6g of the bandwidth of the links between switches\n", "bisection",
               p->r->bisection);
    cli_print_estimate("waiting at a sender", r->source_queue, " packets");
    print_groups(p);
    print_levels(p);
    cli_print_run(r, &p->run->options);
    printf("  bytes created %llu = delivered %llu + in flight %llu: %s\n",
           (unsigned long long)p->r->bytes_created, (unsigned long long)p->r->bytes_delivered,
           (unsigned long long)p->r->bytes_in_flight,
           p->r->bytes_created == p->r->bytes_delivered + p->r->bytes_in_flight ? "yes" : "NO");
    if (r->stopped_by == SWQ_STOP_DEADLOCK)
        status = cli_print_deadlock(ctx, p->n, p->r);
    if (p->peak)
        print_peak(p->peak);
    return status;
}

/* ---- the run ---- */

static int show(swq_context *ctx, const report *p)
{
    swq_status status = SWQ_OK;

    cli_clear_progress();
    if (p->run->json) {
        status = cli_json_print(ctx, json_of(ctx, p));
    } else {
        if (p->run->csv)
            print_csv(p);
        else
            status = print_text(ctx, p);
        if (!status)
            status = cli_flush(ctx);
    }
    bool stuck = p->peak && !isnan(p->peak->deadlock_load);
    return status ? cli_fail(ctx, status) : stuck ? CLI_FAILED : cli_sim_status(&p->r->sim);
}

static swq_status simulate(swq_context *ctx, const cli_async *n, const cli_run *run,
                           swq_async_peak *peak, swq_async_result *result)
{
    const char *path = cli_text(cli_async_options, "starts");
    swq_async_watch watch = {0};
    cli_starts *starts = NULL;

    if (run->find_saturation && path)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--starts is of one run: it does not go with --find-saturation");
    if (run->find_saturation) {
        swq_status found =
            swq_async_saturation(ctx, &n->network, &run->options, run->resolution, peak);
        *result = peak->at_full_load;
        return found;
    }
    swq_status status = path ? cli_starts_open(ctx, path, &watch, &starts) : SWQ_OK;
    if (!status)
        status = swq_async_run(ctx, &n->network, &run->options, path ? &watch : NULL, result);
    swq_status kept = cli_starts_close(ctx, starts, !status);
    return status ? status : kept;
}

int cli_sim_async(swq_context *ctx)
{
    static cli_async n;
    static swq_async_result result;
    static swq_async_peak peak;
    cli_run run = {0};
    swq_status status = cli_async_read(ctx, &n, cli_given(cli_run_options, "find-saturation"));
    if (status)
        return cli_fail(ctx, status);
    const cli_run_of what = {n.fabric.nodes, n.network.trace != NULL, 200000};
    status = cli_run_read(ctx, &what, &run);
    if (!status)
        status = simulate(ctx, &n, &run, &peak, &result);
    const report all = {&n, &run, &result, run.find_saturation ? &peak : NULL};
    int end = status ? cli_fail(ctx, status) : show(ctx, &all);
    cli_async_clear(&n);
    return end;
}
