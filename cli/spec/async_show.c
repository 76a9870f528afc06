/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The spec of an asynchronous network in output: the group `model`, and lines of words.
 * Room: cli.
 */
#include "cli/spec/async.h"

#include <math.h>
#include <string.h>

/* ---- for people ---- */

static void shape_words(const cli_async *n, char *text, size_t size)
{
    n->network.shape.kind->describe(&n->fabric, text, size);
}

static void release_words(const swq_async *n, char *text, size_t size)
{
    static const char *const says[] = {"", "; memory free when a transmission has started",
                                       "; memory free when a header is in the next switch",
                                       "; memory free when a packet has been sent"};

    if (n->release == SWQ_RELEASE_AFTER)
        snprintf(text, size, "; memory free %d cycle%s after a transmission's start",
                 n->release_cycles, n->release_cycles == 1 ? "" : "s");
    else
        snprintf(text, size, "%s", says[n->release]);
}

/* The limits of a buffer that its row does not imply. */
static void limit_words(const swq_buffer *b, char *text, size_t size)
{
    char threshold[60] = "";

    text[0] = '\0';
    if (b->alpha > 0)
        snprintf(threshold, sizeof threshold, ", dynamic threshold %g", b->alpha);
    if (!swq_buffer_partitioned(b) && (b->queue_min > 0 || b->queue_max < b->capacity))
        snprintf(text, size, ", %d to %d of its %d blocks a queue%s", b->queue_min, b->queue_max,
                 b->capacity, threshold);
    else
        snprintf(text, size, "%s", threshold);
}

/* A torus has a default threshold also where its rings are too short for circles. */
static void say_threshold(cli_record *root, const cli_async *n)
{
    const char *fabric = n->network.shape.kind->name;
    swq_async lifted = n->network;

    lifted.flow = &swq_flow_blocking;
    if (swq_async_may_deadlock(&lifted))
        cli_say(root,
                "threshold %d by default: the largest that keeps this %s from deadlock; "
                "--threshold none lifts it",
                n->network.threshold, fabric);
    else
        cli_say(
            root,
            "threshold %d by default, as in every %s; in rings this short nothing can deadlock, "
            "and --threshold none lifts it",
            n->network.threshold, fabric);
}

static void say_deadlock(cli_record *root, const cli_async *n)
{
    const char *fabric = n->network.shape.kind->name;

    if (n->default_threshold)
        say_threshold(root, n);
    if (n->network.architecture->lanes) {
        if (swq_async_may_deadlock(&n->network))
            cli_say(root,
                    "lanes that packets hold and ask for can form a ring: this %s may deadlock",
                    fabric);
    } else if (n->network.architecture->flow_groups) {
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
                n->network.piece ? "packets in pieces hold links while they pause"
                                 : "one queue may fill a buffer",
                fabric,
                swq_async_safe_threshold(&n->network) < 0
                    ? ", and no threshold would keep it from that"
                    : "");
}

/* Words on buffers that take or refuse a packet. */
static void answer_words(const swq_async *net, char *text, size_t size)
{
    char what[60] = "of the same destination", usage[40] = "", stages[40] = "";

    if (net->flow->by_path)
        snprintf(what, sizeof what, "with the same next %d hop%s", net->path_hops,
                 net->path_hops == 1 ? "" : "s");
    if (net->flow->threshold)
        snprintf(usage, sizeof usage, ", maximum usage %d", net->threshold);
    if (net->answer_stages)
        snprintf(stages, sizeof stages, " in the first %d stage%s", net->answer_stages,
                 net->answer_stages == 1 ? "" : "s");
    snprintf(text, size, "a packet %s is refused%s%s%s%s%s%s", what, stages, usage,
             net->no_abort ? ", sent to its end" : "",
             net->no_restrict ? ", sent again at once" : "",
             net->no_requeue ? ", not requeued" : "",
             net->no_preroute ? ", or if there is no room for it" : "");
}

/* "two counters (H): above 8 blocks up, below 4 down, in every cycle; closed from 1 of 1" */
static void counter_words(const swq_two_counter *c, char *text, size_t size)
{
    char every[40] = "in every cycle", name[8] = "";

    if (c->sigma > 1)
        snprintf(every, sizeof every, "every %d cycles", c->sigma);
    if (c->name)
        snprintf(name, sizeof name, " %s", c->name);
    snprintf(text, size,
             "two-counter%s: above %d blocks up, below %d down, %s; closed from %d of at most %d",
             name, c->x_inc, c->x_dec, every, c->y, c->y_max);
}

/* "virtual clocks, rates from 'x', at most 100 cycles ahead, 8320 bytes of state at a switch" */
static void clock_words(const cli_async *n, char *text, size_t size)
{
    char from[120] = "", ahead[60] = "";

    if (n->circuits_path)
        snprintf(from, sizeof from, ", rates from '%.100s'", n->circuits_path);
    if (n->network.clock_holds)
        snprintf(ahead, sizeof ahead, ", at most %d cycles ahead", n->network.clock_ahead);
    snprintf(text, size, "virtual clocks%s%s, %.0f bytes of state at each switch", from, ahead,
             swq_circuit_state_bytes(&n->network, &n->fabric));
}

static void flow_words(const cli_async *n, char *text, size_t size)
{
    static const char *const units[] = {"channel", "queue", "pool"};
    const swq_async *net = &n->network;
    const char *s = net->credit_delay == 1 ? "" : "s";

    if (net->flow->clocks)
        clock_words(n, text, size);
    else if (net->flow->by_destination || net->flow->by_path)
        answer_words(net, text, size);
    else if (net->flow->threshold)
        snprintf(text, size, "maximum usage, threshold %d", net->threshold);
    else if (net->flow->credits)
        snprintf(text, size, "credits for each %s, back after %d cycle%s", units[net->credit_unit],
                 net->credit_delay, s);
    else if (net->flow->stop_go)
        snprintf(text, size, "stop at %d blocks, go at %d, heard after %d cycle%s", net->stop,
                 net->go, net->credit_delay, s);
    else if (net->flow->counters)
        counter_words(&net->counters, text, size);
    else
        snprintf(text, size, "%s", net->flow == &swq_flow_blocking ? "blocking" : net->flow->name);
}

bool cli_own_stores(const swq_async *net)
{
    return net->architecture->stores || cli_set_aside(net);
}

static void trace_words(const cli_async *n, char *text, size_t size)
{
    char waits[80] = "";

    if (n->network.dependencies > 0)
        snprintf(waits, sizeof waits, ", with %llu dependencies among them",
                 (unsigned long long)n->network.dependencies);
    snprintf(text, size, "%s, %llu messages%s", n->trace_path,
             (unsigned long long)n->network.trace_messages, waits);
}

static void say_async(cli_record *root, const cli_async *n)
{
    const swq_async *net = &n->network;
    char words[400], flow[300], limits[160], queues[200] = "", blocks[80] = "";

    shape_words(n, words, sizeof words);
    flow_words(n, flow, sizeof flow);
    limits[0] = '\0';
    if (!cli_own_stores(net))
        limit_words(&net->buffer, limits, sizeof limits);
    if (!cli_own_stores(net))
        snprintf(blocks, sizeof blocks, " in blocks of %d", net->block * n->flit);
    if (cli_managed(net) || cli_set_aside(net))
        cli_management_words(n, queues, sizeof queues);
    cli_say(root, "%s; %s%s%s%d bytes per input port%s, packets of at most %d%s; %s", words, queues,
            n->buffer ? n->buffer : "", n->buffer ? ", " : "", n->bytes * n->flit, blocks,
            net->max_packet * n->flit, limits, flow);
    if (net->last_blocks)
        cli_say(root, "%d bytes per input port in the last stage",
                net->last_blocks * net->block * n->flit);
    cli_say_stores(root, n);
    cli_say_lanes(root, net);
    cli_say_cells(root, n);
    cli_say_interfaces(root, n);
    cli_say_grown(root, n);
    if (net->piece > 0 && net->piece < net->max_packet)
        cli_say(root, "packets go in pieces of %d bytes", net->piece * n->flit);
    if (net->architecture->output_stores)
        cli_say(root, "%s: speedup %g, crossbar delay %d, %d bytes before each link%s",
                net->architecture->name, (double)net->speedup_bytes / net->speedup_cycles,
                net->crossbar_delay, net->output_blocks * net->block * n->flit,
                net->store_and_forward ? ", store and forward" : "");
    if (net->trace)
        trace_words(n, words, sizeof words);
    else if (n->benchmark)
        snprintf(words, sizeof words, "benchmark %s, load %.10g%s", n->benchmark->name, n->share,
                 n->grouped ? " of all but G_NUT" : "");
    else if (n->grouped)
        snprintf(words, sizeof words, "%d group%s of senders", net->groups,
                 net->groups > 1 ? "s" : "");
    else
        cli_group_words(n, 0, words, sizeof words);
    release_words(net, blocks, sizeof blocks);
    if (net->architecture->lanes) /* cli_say_lanes tells its delays */
        cli_say(root, "%s", words);
    else
        cli_say(root, "%s; arbiter %s; hop delay %d, link rest %d%s", words, net->arbiter->name,
                net->hop_delay, net->link_rest, blocks);
    if (!cli_given(cli_network_options, "flow") && !cli_given(cli_async_options, "threshold") &&
        !net->flow->threshold)
        cli_say(root,
                "flow block: the default of asynchronous networks (synchronous ones discard)");
    cli_say_routing(root, n);
    cli_sender_say(root, n);
    say_deadlock(root, n);
    cli_say(root, "%s", "");
}

/* ---- for programs ---- */

static void put_group(cli_record *groups, const cli_async *n, int g)
{
    const swq_sender_group *group = &n->group[g];
    cli_record *to = cli_put_item(groups, NULL);
    char words[400];

    cli_put_count(to, "mask", group->mask);
    cli_put_count(to, "value", group->value);
    if (n->network.architecture->flow_groups)
        cli_put_count(to, "cell_priority", (uint64_t)group->priority);
    if (n->network.trace)
        return;
    if (swq_async_timed(&n->network)) {
        cli_put_count(to, "from_cycle", group->from);
        cli_put_number(to, "until_cycle", group->until ? group->until : NAN);
    }
    cli_put_number(to, "load", n->load[g]);
    cli_put_word(to, "sources", cli_source_words[group->kind]);
    cli_interval_words(n, g, words, sizeof words);
    if (!group->silent)
        cli_put_word(to, "interval", words);
    cli_put_word(to, "interval_from", group->from_start ? "start" : "rest");
    if (group->burst > 1)
        cli_put_number(to, "burst", group->burst);
    cli_traffic_words(n, g, words, sizeof words);
    cli_put_word(to, "traffic", words);
}

enum { SENDER_WORDS = 700 };

/* A group as a line that --group would accept, for a cell of CSV. */
static void line_of_group(const cli_async *n, int g, char *line, size_t size)
{
    const swq_sender_group *group = &n->group[g];
    char interval[200] = "none", traffic[400], load[40];

    if (!group->silent)
        cli_interval_words(n, g, interval, sizeof interval);
    cli_traffic_words(n, g, traffic, sizeof traffic);
    int used = snprintf(line, size, "mask=%u,value=%u,load=%s,sources=%s,interval=%s,traffic=%s",
                        group->mask, group->value, cli_number_text(n->load[g], load),
                        cli_source_words[group->kind], interval, traffic);
    if (group->priority)
        used += snprintf(line + used, size - (size_t)used, ",priority=%d", group->priority);
    if (group->burst > 1)
        used += snprintf(line + used, size - (size_t)used, ",burst=%g", group->burst);
    if (swq_async_timed(&n->network))
        used += snprintf(line + used, size - (size_t)used, ",from=%u", group->from);
    if (group->until)
        snprintf(line + used, size - (size_t)used, ",until=%u", group->until);
}

static void put_senders(cli_record *model, const cli_async *n)
{
    char line[SWQ_MAX_SENDER_GROUPS][SENDER_WORDS];
    const char *lines[SWQ_MAX_SENDER_GROUPS];

    for (int g = 0; g < n->network.groups; g++) {
        line_of_group(n, g, line[g], sizeof line[g]);
        lines[g] = line[g];
    }
    cli_not_in_json(cli_put_words(model, "sender_groups", lines, n->network.groups));
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

    cli_put_word(model, "architecture", net->architecture->name);
    cli_parameters_put(model, cli_stores_parameters, n);
    cli_parameters_put(model, cli_lanes_parameters, n);
    cli_parameters_put(model, cli_cells_parameters, n);
    cli_put_output_stores(model, n);
}

static void put_shape(cli_record *model, const cli_async *n)
{
    const swq_shape *s = &n->network.shape;
    double extent[SWQ_MAX_DIMS];

    cli_put_word(model, "topology", swq_shape_name(s));
    if (s->wiring)
        cli_put_count(model, "stages", (uint64_t)s->stages);
    for (int k = 0; k < s->dims; k++)
        extent[k] = s->kind->grid ? s->extent[k] : 2;
    if (s->dims)
        cli_put_numbers(model, "dims", extent, s->dims);
    if (s->kind->tree)
        put_tree(model, n);
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

    put_shape(model, n);
    put_architecture(model, n);
    cli_put_routing(model, net);
    cli_put_word(model, "buffer", n->buffer);
    const uint64_t flit = (uint64_t)n->flit;
    cli_put_count(model, "buffer_bytes", (uint64_t)n->bytes * flit);
    if (net->last_blocks)
        cli_put_count(model, "last_bytes", (uint64_t)(net->last_blocks * net->block) * flit);
    if (!cli_managed(net) && !cli_own_stores(net))
        cli_put_buffer(model, &net->buffer);
    cli_put_management(model, n);
    cli_parameters_put(model, cli_flit_parameters, n);
    cli_parameters_put(model, cli_packets_parameters, n);
    cli_put_hop_flow(model, n);
    cli_sender_put(model, n);
    if (net->flow->threshold)
        cli_put_count(model, "threshold", (uint64_t)net->threshold);
    else
        cli_put_word(model, "threshold", NULL);
    cli_put_truth(model, "threshold_by_default", n->default_threshold);
    cli_parameter_put(model, cli_links_parameters, "release", n);
    cli_put_truth(model, "may_deadlock", swq_async_may_deadlock(net));
    cli_put_word(model, "arbiter", net->arbiter->name);
    if (net->arbiter->iterative)
        cli_put_count(model, "arbiter_iterations",
                      (uint64_t)(net->iterations ? net->iterations : 1));
    cli_parameter_put(model, cli_links_parameters, "hop-delay", n);
    cli_parameter_put(model, cli_links_parameters, "link-rest", n);
    if (net->trace)
        cli_put_count(model, "trace_messages", net->trace_messages);
    else if (n->benchmark)
        put_benchmark(model, n);
    else if (!n->grouped)
        cli_put_number(model, "load", n->load[0]);
    if (net->dependencies > 0)
        cli_put_count(model, "trace_dependencies", net->dependencies);
    cli_record *groups = cli_not_in_csv(cli_put_list(model, "groups", NULL));
    for (int g = 0; g < net->groups; g++)
        put_group(groups, n, g);
    if (!net->trace)
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
                   .grouped = network->groups > 1,
                   .share = load};

    swq_fabric_count(NULL, &network->shape, &n.fabric);
    if (benchmark)
        swq_benchmark_find(NULL, benchmark, &n.benchmark);
    for (int g = 0; g < network->groups; g++) {
        n.group[g] = network->group[g];
        n.load[g] = benchmark && n.grouped && g == 0 ? 1 : load; /* G_NUT's */
    }
    cli_bare(put_model(item, &n));
}
