/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The spec of a network, said again: in words, and as JSON.
 * Room: cli.
 */
#include "cli/cli.h"

#include <string.h>

void cli_network_print(const cli_network *n, bool load)
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
    else if (load)
        printf("load %.10g, %s traffic", t->load, n->traffic);
    else
        printf("%s traffic", n->traffic);
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

static void add_traffic(cJSON *model, const cli_network *n)
{
    const swq_traffic *t = &n->network.traffic;

    cJSON_AddStringToObject(model, "traffic", n->traffic);
    if (t->kind == SWQ_SOURCE_TRACE)
        cJSON_AddNumberToObject(model, "trace_packets", (double)t->trace_packets);
    else if (t->node_load)
        cJSON_AddItemToObject(model, "load", cli_json_numbers(t->node_load, (int)n->nodes));
    else
        cli_json_number(model, "load", t->load);
    cJSON *hot = t->hot_spots ? cJSON_AddArrayToObject(model, "hot_spots") : NULL;
    for (int k = 0; k < t->hot_spots; k++) {
        cJSON *spot = cJSON_CreateObject();
        cJSON_AddItemToArray(hot, spot);
        cJSON_AddNumberToObject(spot, "node", t->hot[k].node);
        cli_json_number(spot, "fraction", t->hot[k].fraction);
    }
    cJSON_AddStringToObject(model, "sources", cli_source_words[t->kind]);
    if (t->queue_limit)
        cJSON_AddNumberToObject(model, "queue_limit", t->queue_limit);
    if (t->burst > 1)
        cli_json_number(model, "burst", t->burst);
}

cJSON *cli_json_network(const cli_network *n)
{
    const swq_network *net = &n->network;
    cJSON *model = cJSON_CreateObject();

    cJSON_AddStringToObject(model, "topology", net->topology->name);
    cJSON_AddNumberToObject(model, "stages", net->stages);
    cJSON_AddNumberToObject(model, "nodes", n->nodes);
    cJSON_AddStringToObject(model, "buffer", n->spec.buffer);
    cJSON_AddNumberToObject(model, "ports", net->sw.ports);
    cJSON_AddNumberToObject(model, "slots", n->spec.slots);
    cJSON_AddStringToObject(model, "flow", cli_flow_words[net->sw.flow]);
    cJSON_AddStringToObject(model, "credit", cli_credit_words[net->sw.credit]);
    cJSON_AddStringToObject(model, "arbiter", net->sw.arbiter->name);
    if (net->sw.iterations)
        cJSON_AddNumberToObject(model, "iterations", net->sw.iterations);
    add_traffic(model, n);
    cJSON_AddBoolToObject(model, "resend", net->resend);
    cJSON_AddNumberToObject(model, "stale", net->stale);
    cli_json_number(model, "high_fraction", net->traffic.high_fraction);
    cJSON_AddStringToObject(model, "priority", cli_support_words[net->support]);
    if (net->high_slots)
        cJSON_AddNumberToObject(model, "priority_slots", net->high_slots);
    if (net->support == SWQ_SUPPORT_BUFFER)
        cJSON_AddStringToObject(model, "priority_queues", cli_high_queues_words[net->high_queues]);
    cJSON_AddStringToObject(model, "scope", cli_scope_words[net->sw.buffer.scope]);
    cJSON_AddStringToObject(model, "queues", cli_queues_words[net->sw.buffer.queues]);
    cJSON_AddStringToObject(model, "read", cli_read_words[net->sw.buffer.read]);
    cJSON_AddNumberToObject(model, "capacity", net->sw.buffer.capacity);
    cJSON_AddNumberToObject(model, "queue_min", net->sw.buffer.queue_min);
    cJSON_AddNumberToObject(model, "queue_max", net->sw.buffer.queue_max);
    cli_json_number(model, "alpha", net->sw.buffer.alpha);
    cJSON_AddStringToObject(model, "pool_rule", cli_pool_rule_words[net->sw.buffer.pool_rule]);
    return model;
}
