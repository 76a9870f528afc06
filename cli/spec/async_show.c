/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The spec of an asynchronous network in output: the group `model`, and lines of words.
 */
#include "base/text.h"
#include "cli/options/words.h"
#include "cli/print/append.h"
#include "cli/spec/async.h"
#include "sim/traffic/collectives.h"
#include "switchq/graph.h"

#include <math.h>
#include <string.h>

/* ---- for people ---- */

/* A torus has a default threshold also where its rings are too short for circles. */
static void say_threshold(cli_record *root, const cli_async *n)
{
    const char *fabric = n->network.shape.kind->name;
    swq_async lifted = n->network;

    lifted.flow.row = &swq_flow_blocking;
    if (swq_async_may_deadlock(&lifted))
        cli_say(root,
                "threshold %d by default: the largest that keeps this %s from deadlock; "
                "--threshold none lifts it",
                n->network.flow.threshold, fabric);
    else
        cli_say(
            root,
            "threshold %d by default, as in every %s; in rings this short nothing can deadlock, "
            "and --threshold none lifts it",
            n->network.flow.threshold, fabric);
}

static void say_deadlock(cli_record *root, const cli_async *n)
{
    const char *fabric = n->network.shape.kind->name;

    if (n->default_threshold)
        say_threshold(root, n);
    if (n->network.architecture.row->async.lanes) {
        if (swq_async_may_deadlock(&n->network))
            cli_say(root,
                    "lanes that packets hold and ask for can form a ring: this %s may deadlock",
                    fabric);
    } else if (n->network.architecture.row->async.flow_groups) {
        if (swq_async_may_deadlock(&n->network))
            cli_say(root,
                    "cells that fill pools can wait for each other around a ring: this %s may "
                    "deadlock",
                    fabric);
    } else if (swq_shape_adaptive(&n->network.shape) && swq_async_may_deadlock(&n->network))
        cli_say(root, "%s: this %s may deadlock, and no threshold would keep it from that",
                n->fabric.escapes ? "the stores before links are no escape queues"
                                  : "there are no escape queues",
                fabric);
    else if (swq_async_may_deadlock(&n->network))
        cli_say(root, "%s: this %s may deadlock%s",
                n->network.packet.piece ? "packets in pieces hold links while they pause"
                                        : "one queue may fill a buffer",
                fabric,
                swq_async_safe_threshold(&n->network) < 0
                    ? ", and no threshold would keep it from that"
                    : "");
}

bool cli_own_stores(const swq_async *net)
{
    return net->architecture.row->async.stores || cli_set_aside(net);
}

/* The memory that virtual clocks take, if packets have any. */
static void say_clocks(cli_record *root, const cli_async *n)
{
    if (n->network.flow.row->clocks)
        cli_say(root, "virtual clocks take %.0f bytes of state at each switch",
                swq_circuit_state_bytes(&n->network, &n->fabric));
}

/* What a cycle, a load and a part of a link are where links have several speeds. */
static void say_speeds(cli_record *root, const cli_async *n)
{
    const swq_graph *g = n->network.shape.graph;

    if (g && g->speed_of)
        cli_say(root,
                "links of %d speeds, %g to %g: a cycle is a %s on the fastest, and loads are parts "
                "of nodes' own links",
                g->speeds, g->speed[g->speeds - 1].given, g->speed[0].given,
                n->network.architecture.row->async.lanes ? "flit" : "byte");
}

static void say_async(cli_record *root, const cli_async *n)
{
    const swq_async *net = &n->network;

    cli_say_question(root, root);
    if (!net->traffic.trace && !n->benchmark && !n->grouped)
        cli_say_overload(root, n, 0);
    cli_say_grown(root, n);
    say_clocks(root, n);
    if (!cli_given(cli_network_options, "flow") && !cli_given(cli_async_options, "threshold") &&
        !net->flow.row->threshold)
        cli_say(root,
                "flow block: the default of asynchronous networks (synchronous ones discard)");
    if (net->architecture.row->async.lanes && !net->traffic.trace && !n->benchmark &&
        !cli_given(cli_network_options, "sources"))
        cli_say(root, "open sources: the default of wormhole networks (others hold)");
    say_speeds(root, n);
    cli_say_routing(root, n);
    cli_sender_say(root, n);
    say_deadlock(root, n);
    cli_say(root, "%s", "");
}

/* ---- for programs ---- */

static void put_load(cli_record *to, const cli_async *n, int g)
{
    if (n->node_load[g])
        cli_put_numbers(to, "load", n->node_load[g], (int)n->fabric.nodes);
    else
        cli_put_number(to, "load", n->load[g]);
}

static bool has_matrix(const swq_sender_group *group)
{
    bool any = false;

    for (int t = 0; t < group->types; t++)
        any = any || group->type[t].matrix;
    return any;
}

static void put_group(cli_record *groups, const cli_async *n, int g)
{
    const swq_sender_group *group = &n->group[g];
    cli_record *to = cli_put_item(groups, NULL);
    char words[400];

    cli_put_count(to, "mask", group->mask);
    cli_put_count(to, "value", group->value);
    if (n->network.architecture.row->async.flow_groups)
        cli_put_count(to, "cell_priority", (uint64_t)group->priority);
    if (n->network.traffic.trace)
        return;
    if (swq_async_timed(&n->network)) {
        cli_put_count(to, "from_cycle", group->from);
        cli_put_number(to, "until_cycle", group->until ? group->until : NAN);
    }
    put_load(to, n, g);
    cli_put_word(to, "sources", cli_source_words[group->kind]);
    cli_interval_words(n, g, words, sizeof words);
    if (!group->silent && !group->node_load)
        cli_put_word(to, "interval", words);
    cli_put_word(to, "interval_from", group->from_start ? "start" : "rest");
    if (group->burst > 1)
        cli_put_number(to, "burst", group->burst);
    cli_traffic_words(n, g, words, sizeof words);
    cli_put_word(to, "traffic", words);
    if (has_matrix(group) && cli_given(cli_network_options, "normalise"))
        cli_put_truth(to, "normalise", true);
}

enum { SENDER_WORDS = 1000 };

/* A group as a line that --group would accept, for a cell of CSV. */
static void line_of_group(const cli_async *n, int g, char *line, size_t size)
{
    const swq_sender_group *group = &n->group[g];
    char interval[200] = "none", traffic[400], load[240];

    if (!group->silent && !group->node_load)
        cli_interval_words(n, g, interval, sizeof interval);
    cli_traffic_words(n, g, traffic, sizeof traffic);
    if (group->node_load)
        snprintf(load, sizeof load, "%s", n->load_file[g]);
    else
        swq_number_text(n->load[g], load);
    snprintf(line, size, "mask=%u,value=%u,load=%s,sources=%s,interval=%s,traffic=%s", group->mask,
             group->value, load, cli_source_words[group->kind], interval, traffic);
    if (group->priority)
        cli_append(line, size, ",priority=%d", group->priority);
    if (group->burst > 1)
        cli_append(line, size, ",burst=%g", group->burst);
    if (swq_async_timed(&n->network))
        cli_append(line, size, ",from=%u", group->from);
    if (group->until)
        cli_append(line, size, ",until=%u", group->until);
}

static void put_senders(cli_record *model, const cli_async *n)
{
    char line[SWQ_MAX_SENDER_GROUPS][SENDER_WORDS];
    const char *lines[SWQ_MAX_SENDER_GROUPS];

    for (int g = 0; g < n->network.traffic.groups; g++) {
        line_of_group(n, g, line[g], sizeof line[g]);
        lines[g] = line[g];
    }
    cli_not_in_json(cli_put_words(model, "sender_groups", lines, n->network.traffic.groups));
}

static void put_tree(cli_record *model, const cli_async *n)
{
    double down[SWQ_MAX_TREE_LEVELS], up[SWQ_MAX_TREE_LEVELS];
    const int levels = n->network.shape.levels;

    for (int l = 0; l < levels; l++)
        down[l] = n->fabric.tree[l].down, up[l] = n->fabric.tree[l].up;
    cli_put_count(model, "tree_levels", (uint64_t)levels);
    cli_put_numbers(model, "down_ports", down, levels);
    cli_put_numbers(model, "up_ports", up, levels);
}

static void put_architecture(cli_record *model, const cli_async *n)
{
    const swq_async *net = &n->network;

    cli_put_word(model, "architecture", net->architecture.row->name);
    cli_parameters_put(model, cli_stores_parameters, n);
    cli_parameters_put(model, cli_lanes_parameters, n);
    cli_parameters_put(model, cli_cells_parameters, n);
    cli_put_output_stores(model, n);
}

static void put_speeds(cli_record *model, const swq_graph *g)
{
    double speed[SWQ_MOST_SPEEDS];

    for (int k = 0; k < g->speeds; k++)
        speed[k] = g->speed[k].given;
    cli_put_numbers(model, "link_speeds", speed, g->speeds);
}

void cli_put_shape(cli_record *model, const cli_async *n)
{
    const swq_shape *s = &n->network.shape;
    double extent[SWQ_MAX_DIMS];
    char text[300];

    if (s->graph)
        snprintf(text, sizeof text, "%s:%s", s->kind->name, s->graph->name);
    cli_put_word(model, "topology", s->graph ? text : swq_shape_name(s));
    if (s->wiring)
        cli_put_count(model, "stages", (uint64_t)s->stages);
    for (int k = 0; k < s->dims; k++)
        extent[k] = s->kind->parameters & SWQ_HAS_EXTENTS ? s->extent[k] : 2;
    if (s->dims)
        cli_put_numbers(model, "dims", extent, s->dims);
    if (s->kind->tree)
        put_tree(model, n);
    if (s->graph && cli_async_text("fail"))
        cli_put_word(model, "fail", cli_async_text("fail"));
    if (s->graph && s->graph->table)
        cli_put_word(model, "routes", cli_async_text("routes"));
    if (s->graph && s->graph->speed_of)
        put_speeds(model, s->graph);
    cli_put_sizes(model, &n->fabric.shape);
    cli_put_truth(model, "one_way", s->one_way);
    cli_put_truth(model, "chained", s->chained);
    cli_put_count(model, "nodes", n->fabric.nodes);
    cli_put_count(model, "switches", n->fabric.switches);
    cli_put_count(model, "ports", (uint64_t)n->fabric.ports);
}

static void put_benchmark(cli_record *model, const cli_async *n)
{
    cli_put_word(model, "benchmark", n->benchmark->name);
    cli_put_number(model, "load", n->share);
}

static cli_record *put_model(cli_record *to, const cli_async *n)
{
    const swq_async *net = &n->network;
    cli_record *model = cli_quietly(cli_put_group(to, "model", NULL));

    cli_put_shape(model, n);
    put_architecture(model, n);
    cli_put_routing(model, net);
    cli_put_word(model, "buffer", n->buffer);
    const uint64_t flit = (uint64_t)n->flit;
    cli_put_count(model, "buffer_bytes", (uint64_t)n->bytes * flit);
    if (net->memory.last_blocks)
        cli_put_count(model, "last_bytes",
                      (uint64_t)(net->memory.last_blocks * net->packet.block) * flit);
    if (!cli_managed(net) && !cli_own_stores(net))
        cli_put_buffer(model, &net->memory.buffer);
    cli_put_management(model, n);
    cli_parameters_put(model, cli_flit_parameters, n);
    cli_parameters_put(model, cli_packets_parameters, n);
    cli_put_hop_flow(model, n);
    cli_sender_put(model, n);
    if (net->flow.row->threshold)
        cli_put_count(model, "threshold", (uint64_t)net->flow.threshold);
    else
        cli_put_word(model, "threshold", NULL);
    cli_put_truth(model, "threshold_by_default", n->default_threshold);
    cli_parameter_put(model, cli_links_parameters, "release", n);
    cli_put_truth(model, "may_deadlock", swq_async_may_deadlock(net));
    cli_put_word(model, "arbiter", net->arbiter.row->name);
    cli_put_rounds(model, net->arbiter.row, net->arbiter.iterations);
    cli_parameter_put(model, cli_links_parameters, "hop-delay", n);
    cli_parameter_put(model, cli_links_parameters, "link-rest", n);
    if (n->collective) {
        cli_put_word(model, "collective", n->collective->name);
        cli_put_count(model, "collective_bytes", n->collective_bytes);
    } else if (net->traffic.trace)
        cli_put_count(model, "trace_messages", net->traffic.trace_messages);
    else if (n->benchmark)
        put_benchmark(model, n);
    else if (!n->grouped)
        put_load(model, n, 0);
    if (net->traffic.dependencies > 0 && !n->collective)
        cli_put_count(model, "trace_dependencies", net->traffic.dependencies);
    cli_record *groups = cli_not_in_csv(cli_put_list(model, "groups", NULL));
    for (int g = 0; g < net->traffic.groups; g++)
        put_group(groups, n, g);
    if (!net->traffic.trace)
        put_senders(model, n);
    return model;
}

void cli_put_async(cli_record *root, const cli_async *n)
{
    cli_put_defaults(put_model(root, n));
    say_async(root, n);
}

void cli_put_async_of(cli_record *item, const swq_async *network, const char *buffer, int bytes,
                      double load, const char *benchmark)
{
    cli_async n = {.network = *network,
                   .buffer = buffer,
                   .bytes = bytes,
                   .flit = 1,
                   .grouped = network->traffic.groups > 1,
                   .share = load};

    swq_fabric_count(NULL, &network->shape, &n.fabric);
    if (benchmark)
        swq_benchmark_find(NULL, benchmark, &n.benchmark);
    for (int g = 0; g < network->traffic.groups; g++) {
        n.group[g] = network->traffic.group[g];
        n.load[g] = benchmark && n.grouped && g == 0 ? 1 : load; /* G_NUT's */
    }
    cli_bare(put_model(item, &n));
}
