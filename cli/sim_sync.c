/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sim with the synchronous engine: all switches in step.
 * Room: cli.
 */
#include "base/context.h"
#include "cli/sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define UNIT " packets per node and cycle"

static int rest_group = -1; /* of nodes that --groups does not name */

static swq_status bad_groups(swq_context *ctx, const char *text, uint32_t nodes)
{
    return swq_fail(ctx, SWQ_EINVAL,
                    "--groups must be ranges of nodes 0 to %u such as 0-15+40,16-31, each node in "
                    "one group at most and %d groups at most, not '%.60s'",
                    nodes - 1, SWQ_MAX_GROUPS - 1, text);
}

/* 0-15+40,16-31: two groups, and the rest as a third if there is any. */
static swq_status read_groups(swq_context *ctx, const char *text, uint32_t nodes, uint8_t **group,
                              int *groups)
{
    enum { NO_GROUP = UINT8_MAX };
    const char *at = text;
    int current = 0;
    bool rest = false;

    *group = malloc(nodes);
    if (!*group)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for the groups");
    memset(*group, NO_GROUP, nodes);
    for (;;) {
        char *end;
        if (*at < '0' || *at > '9')
            return bad_groups(ctx, text, nodes);
        unsigned long first = strtoul(at, &end, 10), last = first;
        if (*end == '-' && end[1] >= '0' && end[1] <= '9')
            last = strtoul(end + 1, &end, 10);
        if (last < first || last >= nodes || current >= SWQ_MAX_GROUPS - 1)
            return bad_groups(ctx, text, nodes);
        for (unsigned long i = first; i <= last; i++) {
            if ((*group)[i] != NO_GROUP)
                return bad_groups(ctx, text, nodes);
            (*group)[i] = (uint8_t)current;
        }
        if (*end == ',')
            current++;
        else if (*end != '+' && *end)
            return bad_groups(ctx, text, nodes);
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

static bool can_discard(const cli_network *n)
{
    return n->network.sw.flow == SWQ_DISCARD || n->network.traffic.queue_limit;
}

/* ---- JSON ---- */

static cJSON *json_of(const cli_network *n, const swq_sim_options *o, const swq_sim_result *r)
{
    static const char *const class_names[SWQ_CLASSES] = {"normal", "high"};
    const bool discards = can_discard(n);
    cJSON *tree = cJSON_CreateObject();

    cJSON_AddStringToObject(tree, "schema", "switchq/sim/1");
    cJSON_AddItemToObject(tree, "model", cli_json_network(n));
    cli_json_run(tree, r, o);
    cJSON *result = cJSON_AddObjectToObject(tree, "result");
    cli_json_flow(result, &r->all, discards);
    cli_json_estimate(result, "source_queue", r->source_queue);
    cli_json_estimate(result, "refusal", r->refusal);
    cJSON *stages = cJSON_AddArrayToObject(result, "stages");
    for (int s = 0; s < r->stages; s++) {
        cJSON *stage = cJSON_CreateObject();
        cJSON_AddItemToArray(stages, stage);
        cli_json_estimate(stage, "occupancy", r->stage[s].occupancy);
        cli_json_estimate(stage, "sent", r->stage[s].sent);
        cli_json_estimate(stage, "blocked", r->stage[s].blocked);
        cli_json_estimate(stage, "discarded", r->stage[s].discarded);
    }
    if (r->by_class[1].created) {
        cJSON *classes = cJSON_AddObjectToObject(result, "classes");
        for (int k = 0; k < SWQ_CLASSES; k++)
            cli_json_flow(cJSON_AddObjectToObject(classes, class_names[k]), &r->by_class[k],
                          discards);
    }
    cJSON *groups = o->group ? cJSON_AddArrayToObject(result, "groups") : NULL;
    for (int g = 0; g < r->groups && groups; g++) {
        cJSON *group = cJSON_CreateObject();
        cJSON_AddItemToArray(groups, group);
        cli_json_flow(group, &r->by_group[g], discards);
    }
    return tree;
}

/* ---- CSV ---- */

static void csv_line(const char *what, const swq_flow_result *flow, bool discards)
{
    cli_csv_flow(what, flow);
    cli_csv_number(discards ? flow->discard_below : NAN); /* 0,0 alone would say too much */
    putchar('\n');
}

static void print_csv(const swq_sim_result *r, const swq_sim_options *o, bool discards)
{
    char name[24];

    printf("%s,discard_below\n", cli_csv_columns);
    csv_line("all", &r->all, discards);
    if (r->by_class[1].created) {
        csv_line("normal", &r->by_class[0], discards);
        csv_line("high", &r->by_class[1], discards);
    }
    for (int g = 0; g < r->groups && o->group; g++) {
        snprintf(name, sizeof name, "group %d", g);
        csv_line(name, &r->by_group[g], discards);
    }
}

/* ---- text ---- */

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
    const bool discards = can_discard(n);

    cli_network_print(n, true);
    cli_print_flow(&r->all, UNIT, discards);
    if (n->network.sw.flow == SWQ_BLOCK)
        cli_print_estimate("refused", r->refusal, " of the sources' offers");
    cli_print_estimate("waiting at a source", r->source_queue, " packets");
    if (r->by_class[1].created) {
        puts("\n  normal packets:");
        cli_print_flow(&r->by_class[0], UNIT, discards);
        puts("\n  packets of high priority:");
        cli_print_flow(&r->by_class[1], UNIT, discards);
    }
    for (int g = 0; g < r->groups && o->group; g++) {
        printf("\n  group %d%s:\n", g, g == rest_group ? " (the rest)" : "");
        cli_print_flow(&r->by_group[g], UNIT, discards);
    }
    print_stages(r, discards);
    cli_print_run(r, o);
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

static int report(swq_context *ctx, const cli_network *n, const cli_run *run,
                  const swq_sim_result *r, const swq_saturation *s)
{
    const swq_sim_options *o = &run->options;
    swq_status status;

    cli_clear_progress();
    if (run->json) {
        cJSON *tree = json_of(n, o, r);
        if (s) {
            cJSON *found = cJSON_AddObjectToObject(tree, "saturation");
            cli_json_estimate(found, "throughput", s->throughput);
            cli_json_number(found, "load_least", s->least);
            cli_json_number(found, "load_most", s->most);
            cJSON_AddNumberToObject(found, "runs", s->runs);
        }
        status = cli_json_print(ctx, tree);
    } else {
        if (run->csv && s)
            printf("saturation_throughput,half_width,load_least,load_most,runs\n"
                   "%.9g,%.3g,%.9g,%.9g,%d\n",
                   s->throughput.mean, s->throughput.half_width, s->least, s->most, s->runs);
        else if (run->csv)
            print_csv(r, o, can_discard(n));
        else
            print_text(n, o, r);
        if (s && !run->csv)
            print_saturation(n, r, s);
        status = cli_flush(ctx);
    }
    if (status)
        return cli_fail(ctx, status);
    return cli_sim_status(r);
}

int cli_sim_sync(swq_context *ctx)
{
    static swq_sim_result result;
    static swq_saturation saturation;
    const char *groups = cli_text(cli_sim_output_options, "groups");
    cli_run run = {0};
    cli_network n;
    uint8_t *group = NULL;
    bool open = cli_given(cli_run_options, "find-saturation") != NULL;
    swq_status status = cli_network_read(ctx, &n, open ? CLI_LOAD_OPEN : CLI_LOAD_GIVEN);
    if (status)
        return cli_fail(ctx, status);
    const cli_run_of what = {n.nodes, n.network.traffic.kind == SWQ_SOURCE_TRACE, 20000};
    status = cli_run_read(ctx, &what, &run);
    if (!status && groups) {
        status = read_groups(ctx, groups, n.nodes, &group, &run.options.groups);
        run.options.group = group;
    }
    if (!status && run.find_saturation) {
        status = swq_sim_saturation(ctx, &n.network, &run.options, run.resolution, &saturation);
        result = saturation.at_full_load;
        n.network.traffic.load = 1;
    } else if (!status) {
        status = swq_sim_run(ctx, &n.network, &run.options, &result);
    }
    int end = status ? cli_fail(ctx, status)
                     : report(ctx, &n, &run, &result, run.find_saturation ? &saturation : NULL);
    free(group);
    cli_network_clear(&n);
    return end;
}
