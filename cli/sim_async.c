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
    cli_json_flow(to, f, false);
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

/* The first run is that at full load. */
static swq_estimate at_full_load(const swq_async_peak *peak)
{
    const swq_estimate none = {NAN, NAN};
    return peak->runs > 0 ? peak->at_full_load.sim.all.throughput : none;
}

static bool search_interrupted(const swq_async_peak *peak)
{
    return peak->at_full_load.sim.stopped_by == SWQ_STOP_INTERRUPTED;
}

static const char *search_ended(const swq_async_peak *peak)
{
    return search_interrupted(peak) ? "interrupted" : "resolution";
}

static void json_peak(cJSON *tree, const swq_async_peak *peak)
{
    cJSON *found = cJSON_AddObjectToObject(tree, "saturation");

    cli_json_estimate(found, "throughput", peak->throughput);
    cli_json_number(found, "load", peak->load);
    cli_json_number(found, "load_least", peak->least);
    cli_json_number(found, "load_most", peak->most);
    cli_json_number(found, "deadlock_load", peak->deadlock_load);
    cli_json_estimate(found, "at_full_load", at_full_load(peak));
    cJSON_AddStringToObject(found, "stopped_by", search_ended(peak));
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
    cli_json_number(result, "link_use", has_bisection(p->n) ? p->r->bisection : NAN);
    cli_json_number(result, "bisection_fraction", has_bisection(p->n) ? p->r->bisection : NAN);
    cli_json_estimate(result, "source_queue", r->source_queue);
    json_levels(result, p);
    cJSON *groups = by_group(p) ? cJSON_AddArrayToObject(result, "groups") : NULL;
    for (int g = 0; g < p->n->network.groups && groups; g++) {
        cJSON *group = cJSON_CreateObject();
        cJSON_AddItemToArray(groups, group);
        json_async_flow(group, &r->by_group[g]);
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

static void warn_peak(const swq_async_peak *peak)
{
    if (search_interrupted(peak))
        fprintf(stderr, "switchq: interrupted: the search was not finished, after %d runs\n",
                peak->runs);
    if (!isnan(peak->deadlock_load))
        fprintf(stderr, "switchq: deadlock at a load of %.4g\n", peak->deadlock_load);
}

static void print_csv(const report *p)
{
    const swq_sim_result *r = &p->r->sim;
    const swq_async_peak *peak = p->peak;
    char name[24];

    if (peak) {
        const swq_estimate full = at_full_load(peak);
        printf("saturation_throughput,half_width,load,load_least,load_most,at_full_load,"
               "at_full_load_half_width,deadlock_load,runs,stopped_by\n"
               "%.9g,%.3g,%.9g,%.9g,%.9g,%.9g,%.3g,%.9g,%d,%s\n",
               peak->throughput.mean, peak->throughput.half_width, peak->load, peak->least,
               peak->most, full.mean, full.half_width, peak->deadlock_load, peak->runs,
               search_ended(peak));
        warn_peak(peak);
        return;
    }
    printf("%s,bytes,hops,hops_half_width\n", cli_csv_columns);
    csv_line("all", &r->all);
    for (int g = 0; g < p->n->network.groups && by_group(p); g++) {
        snprintf(name, sizeof name, "group %d", g);
        csv_line(name, &r->by_group[g]);
    }
    cli_warn_run(r);
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
    cli_group_sizes sizes;

    cli_group_count(p->n, &sizes);
    const uint32_t outside = p->n->network.trace ? 0 : sizes.nodes[p->n->network.groups];

    for (int g = 0; g < p->n->network.groups && by_group(p); g++) {
        cli_group_members(p->n, g, members, sizeof members);
        printf("\n  group %d (%s; %u node%s", g, members, sizes.nodes[g],
               sizes.nodes[g] == 1 ? "" : "s");
        if (sizes.to_self[g])
            printf(", of which %u send%s nothing, as all would be to themselves", sizes.to_self[g],
                   sizes.to_self[g] == 1 ? "s" : "");
        putchar(')');
        if (!p->n->network.trace) {
            cli_group_words(p->n, g, words, sizeof words);
            printf(": %s", words);
        }
        putchar('\n');
        print_async_flow(&r->by_group[g]);
    }
    if (outside)
        printf("\n  %u node%s in no group, and silent\n", outside, outside == 1 ? " is" : "s are");
}

/* " (tried next to it: 0.5 and 0.75; 12 runs)" */
static void print_neighbours(const swq_async_peak *peak)
{
    const char *word = " (tried next to it: ";

    if (!isnan(peak->least)) {
        printf("%s%.4g", word, peak->least);
        word = " and ";
    }
    if (!isnan(peak->most))
        printf("%s%.4g", word, peak->most);
    printf("%s%d run%s)\n", isnan(peak->least) && isnan(peak->most) ? " (" : "; ", peak->runs,
           peak->runs == 1 ? "" : "s");
}

static void print_full_load(const swq_async_peak *peak)
{
    const swq_estimate full = at_full_load(peak);
    const double less = peak->throughput.mean - full.mean;

    if (peak->at_full_load.waiting_count > 0)
        puts("  at full load           a deadlock");
    else if (less > peak->throughput.half_width + full.half_width)
        printf("  at full load           %.5g +- %.2g: %.3g%% less\n", full.mean, full.half_width,
               100 * less / peak->throughput.mean);
    else
        printf("  at full load           %.5g +- %.2g: no less, as far as can be told\n", full.mean,
               full.half_width);
}

static void print_peak(const swq_async_peak *peak)
{
    const bool cut = search_interrupted(peak), stuck = !isnan(peak->deadlock_load);

    if (cut)
        puts("\n  INTERRUPTED: the search for the highest throughput was not finished");
    else
        putchar('\n');
    if (peak->runs == 0) {
        puts("  not even the first run, at full load, was finished: nothing was found");
        return;
    }
    if (isnan(peak->throughput.mean)) {
        printf("  no load without a deadlock was found (%d run%s)\n", peak->runs,
               peak->runs == 1 ? "" : "s");
    } else {
        printf("  %-22s %.5g +- %.2g, reached at a load of %.4g",
               cut ? "highest found so far" : "highest throughput", peak->throughput.mean,
               peak->throughput.half_width, peak->load);
        print_neighbours(peak);
        print_full_load(peak);
    }
    if (stuck)
        printf("  DEADLOCKS at a load of %.4g; only lower ones count, and longer runs may deadlock "
               "there too\n",
               peak->deadlock_load);
}

/* Of a mesh and a hypercube the links in the middle do more, or less, than the mean. */
static void print_link_use(const report *p)
{
    if (p->n->network.shape.kind == &swq_fabric_torus)
        printf("  %-22s %.6g of the bandwidth of the links between switches\n", "bisection",
               p->r->bisection);
    else if (has_bisection(p->n))
        printf("  mean use of the links between switches: %.6g of their bandwidth\n",
               p->r->bisection);
}

static swq_status print_text(swq_context *ctx, const report *p)
{
    const swq_sim_result *r = &p->r->sim;
    swq_status status = SWQ_OK;

    cli_async_print(p->n);
    if (r->stopped_by == SWQ_STOP_DEADLOCK && r->all.delivered == 0) {
        const unsigned long long warmup = r->warmup, all = r->warmup + r->cycles;
        printf("  deadlocked after %llu cycles (warm-up %llu): nothing was measured; seed %llu\n",
               all, warmup, (unsigned long long)r->seed);
        status = cli_print_deadlock(ctx, p->n, p->r);
        if (p->peak)
            print_peak(p->peak);
        return status;
    }
    print_async_flow(&r->all);
    print_link_use(p);
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

/* A trace is run once, and nothing of it is drawn: batches of it are no sample. */
static void drop_intervals(swq_sim_result *r)
{
    swq_flow_result *flow[1 + SWQ_MAX_GROUPS] = {&r->all};

    for (int g = 0; g < SWQ_MAX_GROUPS; g++)
        flow[1 + g] = &r->by_group[g];
    for (int k = 0; k <= SWQ_MAX_GROUPS; k++) {
        flow[k]->throughput.half_width = flow[k]->latency.half_width = NAN;
        flow[k]->hops.half_width = flow[k]->discard_fraction.half_width = NAN;
    }
    for (int k = 0; k < SWQ_MAX_STAGES; k++)
        r->stage[k].occupancy.half_width = r->stage[k].sent.half_width = NAN;
    r->source_queue.half_width = NAN;
    r->correlated = false;
}

static swq_status simulate(swq_context *ctx, const cli_async *n, const cli_run *run,
                           swq_async_peak *peak, swq_async_result *result)
{
    const char *path = cli_text(cli_async_options, "starts");
    swq_async_watch watch = {0};
    cli_starts *starts = NULL;

    if (run->csv && run->options.per_node)
        return swq_fail(ctx, SWQ_EINVAL, "--per-node is not for --csv, which has no room for it");
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
    if (!status && n->network.trace)
        drop_intervals(&result->sim);
    swq_status kept = cli_starts_close(ctx, starts, !status);
    return status ? status : kept;
}

int cli_sim_async(swq_context *ctx)
{
    static cli_async n;
    static swq_async_result result;
    static swq_async_peak peak;
    cli_run run = {0};
    bool open = cli_given(cli_run_options, "find-saturation") != NULL;
    swq_status status = cli_async_read(ctx, &n, open ? CLI_LOAD_OPEN : CLI_LOAD_GIVEN);
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
