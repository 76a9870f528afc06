/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The spec of a network in output: the group `model`, and its words.
 */
#include "cli/options/words.h"
#include "cli/record/inside.h"
#include "cli/spec/network.h"

#include <string.h>

static void put_traffic(cli_record *model, const cli_network *n)
{
    const swq_traffic *t = &n->network.traffic;

    cli_put_word(model, "traffic", n->traffic);
    if (n->normalise)
        cli_put_truth(model, "normalise", true);
    if (t->kind == SWQ_SOURCE_TRACE)
        cli_put_count(model, "trace_packets", t->trace_packets);
    else if (t->node_load)
        cli_put_numbers(model, "load", t->node_load, (int)n->nodes);
    else
        cli_put_number(model, "load", t->load);
    cli_record *hot = t->hot_spots ? cli_not_in_csv(cli_put_list(model, "hot_spots", NULL)) : NULL;
    for (int k = 0; k < t->hot_spots; k++) {
        cli_record *spot = cli_put_item(hot, NULL);
        cli_put_count(spot, "node", t->hot[k].node);
        cli_put_number(spot, "fraction", t->hot[k].fraction);
    }
    cli_put_word(model, "sources", cli_source_words[t->kind]);
    if (t->queue_limit)
        cli_put_count(model, "queue_limit", t->queue_limit);
    if (t->burst > 1)
        cli_put_number(model, "burst", t->burst);
}

void cli_put_buffer(cli_record *model, const swq_buffer *b)
{
    cli_put_word(model, "scope", cli_scope_words[b->scope]);
    cli_put_word(model, "queues", cli_queues_words[b->queues]);
    cli_put_word(model, "read", cli_read_words[b->read]);
    cli_put_count(model, "capacity", (uint64_t)b->capacity);
    cli_put_count(model, "queue_min", (uint64_t)b->queue_min);
    cli_put_count(model, "queue_max", (uint64_t)b->queue_max);
    cli_put_number(model, "alpha", b->alpha);
    if (swq_buffer_admission(b) == &swq_admission_room)
        return;
    cli_put_word(model, "admission", swq_buffer_admission(b)->name);
    const unsigned takes = swq_buffer_admission(b)->takes;
    if (takes & SWQ_ADMISSION_TIES)
        cli_put_word(model, "ties", swq_ties_words[b->ties]);
    if (takes & SWQ_ADMISSION_DROP)
        cli_put_word(model, "drop", b->drop_head ? "head" : "tail");
    if (takes & SWQ_ADMISSION_EXPEL)
        cli_put_number(model, "expel", b->expel);
    if (takes & SWQ_ADMISSION_CONGESTED)
        cli_put_count(model, "congested", (uint64_t)b->congested);
}

void cli_put_defaults(cli_record *model)
{
    static const char *const varying[] = {"flow", "credit", "arbiter"};
    const char *taken[sizeof varying / sizeof *varying + 1];
    int count = 0;

    for (size_t k = 0; k < sizeof varying / sizeof *varying; k++) {
        if (cli_record_child(model, varying[k]) && !cli_given(cli_network_options, varying[k]))
            taken[count++] = varying[k];
    }
    /* wormhole networks have open sources, others not; benchmarks and traces have their own */
    const cli_record *groups = cli_record_child(model, "groups");
    if (cli_record_child(model, "lane_flits") && !cli_record_child(model, "benchmark") && groups &&
        groups->child && !cli_given(cli_network_options, "sources"))
        taken[count++] = "sources";
    cli_put_words(model, "defaults", taken, count);
}

void cli_put_memory(cli_record *model, const char *buffer, int slots, const swq_switch *sw)
{
    if (buffer)
        cli_put_word(model, "buffer", buffer);
    cli_put_count(model, "ports", (uint64_t)sw->ports);
    if (buffer)
        cli_put_count(model, "slots", (uint64_t)slots);
    cli_put_architecture(model, sw);
}

void cli_put_rounds(cli_record *model, const swq_arbiter *arbiter, int rounds)
{
    if (arbiter->iterative)
        cli_put_count(model, "arbiter_iterations", (uint64_t)(rounds ? rounds : 1));
}

void cli_put_rules(cli_record *model, const swq_switch *sw)
{
    cli_put_word(model, "flow", cli_flow_words[sw->flow]);
    cli_put_word(model, "credit", cli_credit_words[sw->credit]);
    if (swq_switch_architecture(sw)->stage.arbitrates)
        cli_put_word(model, "arbiter", sw->arbiter->name);
    if (!swq_switch_architecture(sw)->stage.columns)
        cli_put_rounds(model, sw->arbiter, sw->iterations);
}

static cli_record *put_model(cli_record *to, const cli_network *n)
{
    const swq_network *net = &n->network;
    cli_record *model = cli_quietly(cli_put_group(to, "model", NULL));

    cli_put_word(model, "topology", net->shape.wiring->name);
    cli_put_count(model, "stages", (uint64_t)net->shape.stages);
    cli_put_count(model, "nodes", n->nodes);
    cli_put_memory(model, n->spec.buffer, n->spec.slots, &net->sw);
    cli_put_rules(model, &net->sw);
    put_traffic(model, n);
    cli_put_truth(model, "resend", net->resend);
    cli_put_count(model, "stale", (uint64_t)net->stale);
    cli_put_priority(model, &net->sw.priority);
    if (n->spec.buffer) {
        cli_put_buffer(model, &net->sw.buffer);
        cli_put_word(model, "pool_rule", swq_buffer_pool_rule(&net->sw.buffer)->name);
    }
    return model;
}

void cli_put_network(cli_record *root, const cli_network *n)
{
    cli_put_defaults(put_model(root, n));
    cli_say_question(root, root);
    cli_say(root, "%s",
            cli_given(cli_network_options, "flow")
                ? ""
                : "flow discard: the default of synchronous networks (asynchronous ones block)\n");
}

void cli_put_network_of(cli_record *item, const swq_network *network, const char *buffer, int slots)
{
    const swq_traffic *t = &network->traffic;
    char traffic[40] = "uniform";
    cli_network n = {.spec = {.buffer = buffer, .slots = slots},
                     .network = *network,
                     .nodes = 1,
                     .traffic = traffic};

    for (int k = 0; k < network->shape.stages; k++)
        n.nodes *= (uint32_t)network->sw.ports;

    if (t->hot_spots)
        snprintf(traffic, sizeof traffic, "hotspot:%g", t->hot[0].fraction);
    cli_bare(put_model(item, &n));
}
