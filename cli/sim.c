/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sim: a network, simulated.
 * Room: cli.
 */
#include "base/context.h"
#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int as_json, as_csv, per_node, find_saturation;
static char *seed_text, *cycles_text, *warmup_text, *replications_text, *threads_text;
static char *precision_text, *confidence_text, *groups_text, *group_by_text, *engine_text;
static char *resolution_text;

static struct poptOption run_options[] = {
    {"cycles", '\0', POPT_ARG_STRING, &cycles_text, 0,
     "cycles measured, in each replication (default 20000, fewer for more than 1024 nodes); with a "
     "precision, the most (default 10000000)",
     "N"},
    {"warmup", '\0', POPT_ARG_STRING, &warmup_text, 0,
     "cycles before that (default auto: until MSER-5 finds the packets in the system settled)",
     "N|auto"},
    {"precision", '\0', POPT_ARG_STRING, &precision_text, 0,
     "go on until mean latency and throughput are known to within this fraction", "P"},
    {"replications", '\0', POPT_ARG_STRING, &replications_text, 0,
     "independent runs, taken together (default 1)", "R"},
    {"threads", '\0', POPT_ARG_STRING, &threads_text, 0,
     "replications at a time (default 1); the numbers do not depend on it", "T"},
    {"seed", '\0', POPT_ARG_STRING, &seed_text, 0, "of all random streams (default 1)", "S"},
    {"confidence", '\0', POPT_ARG_STRING, &confidence_text, 0, "of the intervals (default 0.95)",
     "C"},
    {"find-saturation", '\0', POPT_ARG_NONE, &find_saturation, 0,
     "find the saturation throughput, and the load at which it is reached (needs no load)", NULL},
    {"resolution", '\0', POPT_ARG_STRING, &resolution_text, 0, "of that load (default 0.01)", "L"},
    {"engine", '\0', POPT_ARG_STRING, &engine_text, 0,
     "sync (default), or plain: the same rules without short cuts, to check it by", "sync|plain"},
    POPT_TABLEEND,
};

static struct poptOption output_options[] = {
    {"per-node", '\0', POPT_ARG_NONE, &per_node, 0,
     "also percentiles and maxima of each node, averaged over nodes", NULL},
    {"groups", '\0', POPT_ARG_STRING, &groups_text, 0,
     "measure groups of nodes apart: ranges joined by + within a group; the rest is a group too",
     "A-B+C,D-E"},
    {"group-by", '\0', POPT_ARG_STRING, &group_by_text, 0,
     "a packet belongs to its destination's group (default), or its source's",
     "destination|source"},
    {"json", '\0', POPT_ARG_NONE, &as_json, 0, "print JSON", NULL},
    {"csv", '\0', POPT_ARG_NONE, &as_csv, 0, "print CSV: a line for all, each class and group",
     NULL},
    POPT_TABLEEND,
};

static struct poptOption options[] = {
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_network_options, 0, "The network:", NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, run_options, 0, "The run:", NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, output_options, 0, "Output:", NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_memory_options, 0, NULL, NULL},
    POPT_TABLEEND,
};

static int rest_group = -1; /* of nodes that --groups does not name */

static const char *const stop_words[] = {"cycles", "precision", "trace end", "deadlock",
                                         "interrupted"};
static const char *const engine_words[] = {"sync", "plain", NULL};
static const char *const group_by_words[] = {"destination", "source", NULL};

/* A whole number that may need more than 31 bits. */
static swq_status read_big(swq_context *ctx, const char *option, const char *text, double least,
                           double most, uint64_t *value)
{
    char *end;
    unsigned long long number = strtoull(text, &end, 10);
    bool digits = *text && strspn(text, "0123456789") == strlen(text) && strlen(text) < 20;

    if (!digits || (double)number < least || (double)number > most)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--%s must be a whole number from %.0f to %.0f, not '%.60s'", option, least,
                        most, text);
    *value = number;
    return SWQ_OK;
}

static swq_status bad_groups(swq_context *ctx, uint32_t nodes)
{
    return swq_fail(ctx, SWQ_EINVAL,
                    "--groups must be ranges of nodes 0 to %u such as 0-15+40,16-31, each node in "
                    "one group at most and %d groups at most, not '%.60s'",
                    nodes - 1, SWQ_MAX_GROUPS - 1, groups_text);
}

/* 0-15+40,16-31: two groups, and the rest as a third if there is any. */
static swq_status read_groups(swq_context *ctx, uint32_t nodes, uint8_t **group, int *groups)
{
    enum { NO_GROUP = UINT8_MAX };
    const char *at = groups_text;
    int current = 0;
    bool rest = false;

    *group = malloc(nodes);
    if (!*group)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for the groups");
    memset(*group, NO_GROUP, nodes);
    for (;;) {
        char *end;
        if (*at < '0' || *at > '9')
            return bad_groups(ctx, nodes);
        unsigned long first = strtoul(at, &end, 10), last = first;
        if (*end == '-' && end[1] >= '0' && end[1] <= '9')
            last = strtoul(end + 1, &end, 10);
        if (last < first || last >= nodes || current >= SWQ_MAX_GROUPS - 1)
            return bad_groups(ctx, nodes);
        for (unsigned long i = first; i <= last; i++) {
            if ((*group)[i] != NO_GROUP)
                return bad_groups(ctx, nodes);
            (*group)[i] = (uint8_t)current;
        }
        if (*end == ',')
            current++;
        else if (*end != '+' && *end)
            return bad_groups(ctx, nodes);
        if (!*end)
            break;
        at = end + 1;
    }
    for (uint32_t i = 0; i < nodes; i++) {
        if ((*group)[i] == NO_GROUP) {
            (*group)[i] = (uint8_t)(current + 1);
            rest = true;
        }
    }
    *groups = current + 1 + rest;
    rest_group = rest ? current + 1 : -1;
    return SWQ_OK;
}

static swq_status read_run(swq_context *ctx, const cli_network *n, swq_sim_options *o)
{
    swq_status status = SWQ_OK;
    int word = 0;

    *o = swq_sim_defaults();
    if (n->nodes > 1024)
        o->cycles = n->nodes < 20480 ? 20000u * 1024 / n->nodes : 1000;
    if (n->network.traffic.kind == SWQ_SOURCE_TRACE) {
        o->warmup = 0;
        o->cycles = 4000000000;
    }
    if (precision_text) {
        status = cli_number(ctx, "precision", precision_text, 1e-6, 0.5, &o->precision);
        o->cycles = 10000000;
    }
    if (!status && cycles_text)
        status = read_big(ctx, "cycles", cycles_text, 1, 4e9, &o->cycles);
    if (!status && warmup_text && strcmp(warmup_text, "auto") != 0)
        status = read_big(ctx, "warmup", warmup_text, 0, 2e8, &o->warmup);
    if (!status && replications_text)
        status = cli_integer(ctx, "replications", replications_text, 1, SWQ_MAX_REPLICATIONS,
                             &o->replications);
    if (!status && threads_text)
        status = cli_integer(ctx, "threads", threads_text, 1, SWQ_MAX_THREADS, &o->threads);
    if (!status && seed_text)
        status = read_big(ctx, "seed", seed_text, 0, 9.2e18, &o->seed);
    if (!status && confidence_text)
        status = cli_number(ctx, "confidence", confidence_text, 0.5, 0.9999, &o->confidence);
    if (!status && engine_text)
        status = cli_word(ctx, "engine", engine_text, engine_words, &word);
    o->plain = word == 1;
    word = 0;
    if (!status && group_by_text)
        status = cli_word(ctx, "group-by", group_by_text, group_by_words, &word);
    o->group_by_source = word == 1;
    if (!status && group_by_text && !groups_text)
        status = swq_fail(ctx, SWQ_EINVAL, "--group-by needs --groups");
    o->per_node = per_node != 0;
    if (!status && as_json && as_csv)
        status = swq_fail(ctx, SWQ_EINVAL, "--json and --csv cannot both be given");
    if (!status && n->network.traffic.kind == SWQ_SOURCE_TRACE &&
        (replications_text || precision_text))
        status =
            swq_fail(ctx, SWQ_EINVAL,
                     "--replications and --precision do not go with a trace, which is one run");
    if (!status && resolution_text && !find_saturation)
        status = swq_fail(ctx, SWQ_EINVAL, "--resolution is for --find-saturation");
    return status ? status : cli_memory_read(ctx);
}

/* ---- JSON ---- */

static cJSON *json_estimate(cJSON *to, const char *key, swq_estimate e)
{
    cJSON *object = cJSON_AddObjectToObject(to, key);

    cli_json_number(object, "mean", e.mean);
    cli_json_number(object, "half_width", e.half_width);
    return object;
}

static const char *const percentile_keys[SWQ_PERCENTILES] = {"p50", "p90", "p99", "p999"};

static void add_flow(cJSON *to, const swq_flow_result *f)
{
    json_estimate(to, "throughput", f->throughput);
    cJSON *latency = json_estimate(to, "latency_cycles", f->latency);
    cli_json_number(latency, "variance", f->variance);
    for (int p = 0; p < SWQ_PERCENTILES; p++)
        cli_json_number(latency, percentile_keys[p], f->percentile[p]);
    cli_json_number(latency, "max", f->max);
    if (per_node && isfinite(f->node_max.mean)) {
        cJSON *node = cJSON_AddObjectToObject(latency, "mean_of_nodes");
        for (int p = 0; p < SWQ_PERCENTILES; p++)
            json_estimate(node, percentile_keys[p], f->node_percentile[p]);
        json_estimate(node, "max", f->node_max);
    }
    json_estimate(to, "discard_fraction", f->discard_fraction);
    cJSON_AddNumberToObject(to, "created", (double)f->created);
    cJSON_AddNumberToObject(to, "delivered", (double)f->delivered);
    cJSON_AddNumberToObject(to, "discarded", (double)f->discarded);
}

static void add_run(cJSON *tree, const swq_sim_result *r, const swq_sim_options *o)
{
    cJSON *run = cJSON_AddObjectToObject(tree, "run");

    /* a seed may have more digits than a JSON number keeps */
    if (r->seed < UINT64_C(1) << 53)
        cJSON_AddNumberToObject(run, "seed", (double)r->seed);
    else {
        char text[24];
        snprintf(text, sizeof text, "%llu", (unsigned long long)r->seed);
        cJSON_AddStringToObject(run, "seed", text);
    }
    cJSON_AddNumberToObject(run, "cycles", (double)r->cycles);
    cJSON_AddNumberToObject(run, "warmup_cycles", (double)r->warmup);
    cJSON_AddStringToObject(run, "warmup_method",
                            o->warmup == SWQ_WARMUP_AUTO ? "MSER-5 on packets in the system"
                                                         : "given");
    cJSON_AddBoolToObject(run, "stationary", r->stationary);
    cJSON_AddNumberToObject(run, "replications", r->replications);
    cJSON_AddNumberToObject(run, "packets", (double)r->all.delivered);
    cJSON_AddNumberToObject(run, "packet_hops", (double)r->packet_hops);
    cli_json_number(run, "cpu_seconds", r->cpu_seconds);
    cli_json_number(run, "wall_seconds", r->wall_seconds);
    cJSON_AddNumberToObject(run, "bytes", (double)r->bytes);
    cJSON_AddStringToObject(run, "stopped_by", stop_words[r->stopped_by]);
    cJSON_AddStringToObject(run, "engine", r->engine);
    cli_json_number(run, "confidence", o->confidence);
    cJSON_AddNumberToObject(run, "batches", (double)r->batches);
    cli_json_number(run, "batch_correlation", r->correlation);
    cJSON_AddBoolToObject(run, "batches_correlated", r->correlated);
    cJSON *check = cJSON_AddObjectToObject(tree, "invariants");
    cJSON_AddNumberToObject(check, "created", (double)r->total_created);
    cJSON_AddNumberToObject(check, "delivered", (double)r->total_delivered);
    cJSON_AddNumberToObject(check, "discarded", (double)r->total_discarded);
    cJSON_AddNumberToObject(check, "in_flight", (double)r->total_in_flight);
    cJSON_AddBoolToObject(check, "conserved", r->conserved);
    cJSON_AddBoolToObject(check, "little_exact", r->little_exact);
    cli_json_number(check, "little_relative_difference", r->little);
}

static cJSON *json_of(const cli_network *n, const swq_sim_options *o, const swq_sim_result *r)
{
    static const char *const class_names[SWQ_CLASSES] = {"normal", "high"};
    cJSON *tree = cJSON_CreateObject();

    cJSON_AddStringToObject(tree, "schema", "switchq/sim/1");
    cJSON_AddItemToObject(tree, "model", cli_json_network(n));
    add_run(tree, r, o);
    cJSON *result = cJSON_AddObjectToObject(tree, "result");
    add_flow(result, &r->all);
    json_estimate(result, "source_queue", r->source_queue);
    json_estimate(result, "refusal", r->refusal);
    cJSON *stages = cJSON_AddArrayToObject(result, "stages");
    for (int s = 0; s < r->stages; s++) {
        cJSON *stage = cJSON_CreateObject();
        cJSON_AddItemToArray(stages, stage);
        json_estimate(stage, "occupancy", r->stage[s].occupancy);
        json_estimate(stage, "sent", r->stage[s].sent);
        json_estimate(stage, "blocked", r->stage[s].blocked);
        json_estimate(stage, "discarded", r->stage[s].discarded);
    }
    if (r->by_class[1].created) {
        cJSON *classes = cJSON_AddObjectToObject(result, "classes");
        for (int k = 0; k < SWQ_CLASSES; k++)
            add_flow(cJSON_AddObjectToObject(classes, class_names[k]), &r->by_class[k]);
    }
    cJSON *groups = o->group ? cJSON_AddArrayToObject(result, "groups") : NULL;
    for (int g = 0; g < r->groups && groups; g++) {
        cJSON *group = cJSON_CreateObject();
        cJSON_AddItemToArray(groups, group);
        add_flow(group, &r->by_group[g]);
    }
    return tree;
}

/* ---- CSV ---- */

static void csv_line(const char *what, const swq_flow_result *f)
{
    printf("%s,%llu,%llu,%llu,%.9g,%.3g,%.9g,%.3g,%.9g,%g,%g,%g,%g,%g,%.9g,%.3g\n", what,
           (unsigned long long)f->created, (unsigned long long)f->delivered,
           (unsigned long long)f->discarded, f->throughput.mean, f->throughput.half_width,
           f->latency.mean, f->latency.half_width, f->variance, f->percentile[0], f->percentile[1],
           f->percentile[2], f->percentile[3], f->max, f->discard_fraction.mean,
           f->discard_fraction.half_width);
}

static void print_csv(const swq_sim_result *r, const swq_sim_options *o)
{
    char name[24];

    puts("packets,created,delivered,discarded,throughput,throughput_half_width,latency,"
         "latency_half_width,latency_variance,p50,p90,p99,p999,max,discard_fraction,"
         "discard_half_width");
    csv_line("all", &r->all);
    if (r->by_class[1].created) {
        csv_line("normal", &r->by_class[0]);
        csv_line("high", &r->by_class[1]);
    }
    for (int g = 0; g < r->groups && o->group; g++) {
        snprintf(name, sizeof name, "group %d", g);
        csv_line(name, &r->by_group[g]);
    }
}

/* ---- text ---- */

static void print_head(const cli_network *n)
{
    const swq_network *net = &n->network;
    const swq_traffic *t = &net->traffic;

    printf("%s, %d stage%s of %d x %d switches, %u nodes; %s, %d slot%s per input port%s\n",
           net->topology->name, net->stages, net->stages > 1 ? "s" : "", net->sw.ports,
           net->sw.ports, n->nodes, n->spec.buffer, n->spec.slots, n->spec.slots > 1 ? "s" : "",
           net->sw.buffer.scope == SWQ_POOL ? " in one pool a switch" : "");
    if (t->kind == SWQ_SOURCE_TRACE)
        printf("%s, %llu packets", n->traffic, (unsigned long long)t->trace_packets);
    else if (t->node_load)
        printf("loads by node, %s traffic", n->traffic);
    else
        printf("load %.10g, %s traffic", t->load, n->traffic);
    for (int k = 0; k < t->hot_spots && strncmp(n->traffic, "hotspot", 7) != 0; k++)
        printf("%s %g to node %u", k ? "," : ", hot spots:", t->hot[k].fraction, t->hot[k].node);
    printf(", %s sources", cli_source_words[t->kind]);
    if (t->queue_limit)
        printf(" of up to %u packets", t->queue_limit);
    if (t->burst > 1)
        printf(", bursts of %g", t->burst);
    printf("; %s%s, credit %s", cli_flow_words[net->sw.flow], net->resend ? " and resend" : "",
           cli_credit_words[net->sw.credit]);
    if (net->sw.buffer.scope == SWQ_POOL)
        printf("; pool rule %s", cli_pool_rule_words[net->sw.buffer.pool_rule]);
    else
        printf("; arbiter %s", net->sw.arbiter->name);
    if (net->stale)
        printf(", stale after %d", net->stale);
    if (!n->spec.kind.partitioned &&
        (net->sw.buffer.queue_max < net->sw.buffer.capacity || net->sw.buffer.queue_min > 0))
        printf("; %d to %d slots a queue", net->sw.buffer.queue_min, net->sw.buffer.queue_max);
    if (net->sw.buffer.alpha > 0)
        printf("; threshold %g", net->sw.buffer.alpha);
    if (t->high_fraction > 0 || net->support)
        printf("; %g high priority, support: %s", t->high_fraction,
               cli_support_words[net->support]);
    puts("\n");
}

static void print_estimate(const char *name, swq_estimate e, const char *unit)
{
    if (isnan(e.mean))
        return;
    if (isfinite(e.half_width))
        printf("  %-22s %.6g +- %.2g%s\n", name, e.mean, e.half_width, unit);
    else
        printf("  %-22s %.6g (too little to tell how exactly)%s\n", name, e.mean, unit);
}

static void print_flow(const swq_flow_result *f, bool discards)
{
    print_estimate("throughput", f->throughput, " packets per node and cycle");
    print_estimate("mean latency", f->latency, " cycles");
    if (isfinite(f->max)) {
        if (isnan(f->variance))
            printf("  %-22s ", "latency");
        else
            printf("  %-22s variance %.4g; ", "latency", f->variance);
        printf("50%% %g, 90%% %g, 99%% %g, 99.9%% %g, max %g\n", f->percentile[0], f->percentile[1],
               f->percentile[2], f->percentile[3], f->max);
    }
    if (isfinite(f->node_max.mean))
        printf("  %-22s 50%% %.2f, 90%% %.2f, 99%% %.2f, 99.9%% %.2f, max %.2f\n", "mean of nodes",
               f->node_percentile[0].mean, f->node_percentile[1].mean, f->node_percentile[2].mean,
               f->node_percentile[3].mean, f->node_max.mean);
    if (discards)
        print_estimate("discarded", f->discard_fraction, " of the packets offered");
}

/* A dash where there was nothing to take a fraction of. */
static void print_fraction(int width, double value)
{
    if (isnan(value))
        printf("  %*s", width, "-");
    else
        printf("  %*.4f", width, value);
}

static void print_stages(const swq_sim_result *r, bool discards)
{
    printf("\n  stage  packets/switch  sent/output  blocked%s\n", discards ? "  discarded" : "");
    for (int s = 0; s < r->stages; s++) {
        printf("  %5d  %14.5g  %11.5f", s + 1, r->stage[s].occupancy.mean, r->stage[s].sent.mean);
        print_fraction(7, r->stage[s].blocked.mean);
        if (discards)
            print_fraction(9, r->stage[s].discarded.mean);
        putchar('\n');
    }
}

static void print_text(const cli_network *n, const swq_sim_options *o, const swq_sim_result *r)
{
    bool discards = n->network.sw.flow == SWQ_DISCARD || n->network.traffic.queue_limit;

    print_head(n);
    print_flow(&r->all, discards);
    if (n->network.sw.flow == SWQ_BLOCK)
        print_estimate("refused", r->refusal, " of the sources' offers");
    print_estimate("waiting at a source", r->source_queue, " packets");
    if (r->by_class[1].created) {
        puts("\n  normal packets:");
        print_flow(&r->by_class[0], discards);
        puts("\n  packets of high priority:");
        print_flow(&r->by_class[1], discards);
    }
    for (int g = 0; g < r->groups && o->group; g++) {
        printf("\n  group %d%s:\n", g, g == rest_group ? " (the rest)" : "");
        print_flow(&r->by_group[g], discards);
    }
    print_stages(r, discards);
    printf("\n  %llu cycles after %llu of warm-up (%s), %d replication%s, seed %llu, engine %s\n",
           (unsigned long long)r->cycles, (unsigned long long)r->warmup,
           o->warmup == SWQ_WARMUP_AUTO ? "MSER-5" : "given", r->replications,
           r->replications > 1 ? "s" : "", (unsigned long long)r->seed, r->engine);
    printf("  stopped by: %s; %.4g packet-hops in %.3f s of CPU, %.3g million a second\n",
           stop_words[r->stopped_by], (double)r->packet_hops, r->cpu_seconds,
           (double)r->packet_hops / r->cpu_seconds / 1e6);
    printf("  intervals: %g%%, from %zu batches%s\n", 100 * o->confidence, r->batches,
           r->correlated ? "; THE BATCHES ARE CORRELATED, so the intervals are too narrow" : "");
    if (!r->stationary)
        puts("  NOT STATIONARY: no end of the warm-up was found; is the load beyond saturation?");
    printf("  created %llu = delivered %llu + discarded %llu + in flight %llu: %s; Little's law "
           "exact: %s\n",
           (unsigned long long)r->total_created, (unsigned long long)r->total_delivered,
           (unsigned long long)r->total_discarded, (unsigned long long)r->total_in_flight,
           r->conserved ? "yes" : "NO", r->little_exact ? "yes" : "NO");
    if (n->network.traffic.kind == SWQ_SOURCE_TRACE &&
        r->total_created < n->network.traffic.trace_packets)
        printf("  %llu packets of the trace come after the last cycle\n",
               (unsigned long long)(n->network.traffic.trace_packets - r->total_created));
}

static void print_saturation(const cli_network *n, const swq_sim_result *r, const swq_saturation *s)
{
    printf("\n  saturation throughput  %.5g +- %.2g, at full load\n", s->throughput.mean,
           s->throughput.half_width);
    if (n->network.sw.flow == SWQ_BLOCK)
        printf(
            "  as far as %llu cycles can tell, open sources are served in full at a load of %.4g, "
            "and not at %.4g (%d runs)\n",
            (unsigned long long)r->cycles, s->least, s->most, s->runs);
}

static int report(swq_context *ctx, const cli_network *n, const swq_sim_options *o,
                  const swq_sim_result *r, const swq_saturation *s)
{
    swq_status status;

    cli_clear_progress();
    if (as_json) {
        cJSON *tree = json_of(n, o, r);
        if (s) {
            cJSON *found = cJSON_AddObjectToObject(tree, "saturation");
            json_estimate(found, "throughput", s->throughput);
            cli_json_number(found, "load_least", s->least);
            cli_json_number(found, "load_most", s->most);
            cJSON_AddNumberToObject(found, "runs", s->runs);
        }
        status = cli_json_print(ctx, tree);
    } else {
        if (as_csv && s)
            printf("saturation_throughput,half_width,load_least,load_most,runs\n"
                   "%.9g,%.3g,%.9g,%.9g,%d\n",
                   s->throughput.mean, s->throughput.half_width, s->least, s->most, s->runs);
        else if (as_csv)
            print_csv(r, o);
        else
            print_text(n, o, r);
        if (s && !as_csv)
            print_saturation(n, r, s);
        status = cli_flush(ctx);
    }
    if (status)
        return cli_fail(ctx, status);
    return r->conserved && r->little_exact && r->stopped_by != SWQ_STOP_INTERRUPTED ? CLI_OK
                                                                                    : CLI_FAILED;
}

static int run(swq_context *ctx, const cli_command *self, int argc, const char **argv)
{
    static swq_sim_result result;
    static swq_saturation saturation;
    swq_sim_options o;
    cli_network n;
    uint8_t *group = NULL;
    double resolution = 0.01;
    int end = cli_read_options(ctx, self, options, argc, argv, NULL, 0);
    if (end >= 0)
        return end;
    swq_status status = cli_network_read(ctx, &n, find_saturation != 0);
    if (status)
        return cli_fail(ctx, status);
    status = read_run(ctx, &n, &o);
    if (!status && groups_text) {
        status = read_groups(ctx, n.nodes, &group, &o.groups);
        o.group = group;
    }
    if (!status && resolution_text)
        status = cli_number(ctx, "resolution", resolution_text, 1e-4, 0.5, &resolution);
    if (!status && find_saturation) {
        status = swq_sim_saturation(ctx, &n.network, &o, resolution, &saturation);
        result = saturation.at_full_load;
        n.network.traffic.load = 1;
    } else if (!status) {
        status = swq_sim_run(ctx, &n.network, &o, &result);
    }
    end = status ? cli_fail(ctx, status)
                 : report(ctx, &n, &o, &result, find_saturation ? &saturation : NULL);
    free(group);
    cli_network_clear(&n);
    return end;
}

const cli_command cli_sim = {
    .name = "sim",
    .usage = "--buffer KIND --slots B --load R [OPTION...]",
    .summary = "simulate a network of switches",
    .examples =
        "  switchq sim --buffer damq --slots 4 --load 0.5 --flow block\n"
        "  switchq sim --topology switch --buffer damq --slots 4 --load 0.9 --arbiter random\n"
        "  switchq sim --buffer fifo --slots 4 --load 0.2 --flow block --traffic hotspot:0.05\n"
        "  switchq sim --buffer damq --slots 4 --load 0.5 --flow block --high 0.05 --priority "
        "queue\n"
        "  switchq sim --ports 2 --stages 6 --buffer samq --slots 4 --flow block "
        "--find-saturation --json\n",
    .run = run,
};
