/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options that describe an asynchronous network, turned into a typed spec, and the spec in
 * words. Options that the synchronous engine has too are looked up in its table.
 * Room: cli.
 */
#include "cli/spec/async.h"
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/spec/engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct {
    char *dims, *bytes, *last_bytes, *block, *max_packet, *piece, *threshold, *release, *hop_delay,
        *link_rest;
    char *length, *interval, *interval_from;
    char **group;
    char *arity, *levels, *radix, *up_ports, *shape;
    int one_way, chained;
} given;

const char *const cli_release_words[] = {"blocks", "start", "hop", "end", NULL};

#define TEXT(name, member, help, argument)                                                         \
    {                                                                                              \
        name, '\0', POPT_ARG_STRING, &given.member, SWQ_ENGINE_ASYNC, help, argument               \
    }

struct poptOption cli_async_options[] = {
    TEXT("dims", dims,
         "nodes of a torus or mesh in each dimension, in the order in which packets take the "
         "dimensions; number of dimensions of a hypercube",
         "11x11|4x4x8|6"),
    {"one-way", '\0', POPT_ARG_NONE, &given.one_way, SWQ_ENGINE_ASYNC,
     "torus: links in the positive direction only", NULL},
    {"chained", '\0', POPT_ARG_NONE, &given.chained, SWQ_ENGINE_ASYNC,
     "torus, mesh: a node has a chain of 5 x 5 switches with two dimensions each, instead of one "
     "larger switch",
     NULL},
    TEXT("arity", arity,
         "tree: links down of each switch, which also has as many links up; K,K,... for each "
         "level, from the nodes up",
         "K|K,K,..."),
    {"levels", '\0', POPT_ARG_STRING, &given.levels, SWQ_ENGINE_ASYNC | CLI_WITH_RARE,
     "tree, fat-tree: levels of switches; --rare: thresholds T of the importance, each with the "
     "factor R by which copies multiply there, or none (default: found by a pilot run)",
     "N|T:R[,T:R]|none"},
    TEXT("radix", radix, "fat-tree: ports of a switch", "R"),
    TEXT("up-ports", up_ports,
         "tree, fat-tree: links up from each switch below the top (default: as many as down)", "U"),
    TEXT("shape", shape,
         "dragonfly: p nodes at a router, a routers in a group (2 p unless given), h global links "
         "of a router (p), and the arrangement of global links, consecutive or palmtree "
         "(consecutive)",
         "p=N[,a=N][,h=N][,arrangement=WORD]"),
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_architecture_options, 0, NULL, NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_stores_options, 0, NULL, NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_lanes_options, 0, NULL, NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_cells_options, 0, NULL, NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_flow_options, 0, NULL, NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_sender_options, 0, NULL, NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_management_options, 0, NULL, NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_saqs_options, 0, NULL, NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_routing_options, 0, NULL, NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_benchmark_options, 0, NULL, NULL},
    TEXT("bytes", bytes,
         "memory of an input port (default 128); can also be given as --slots for packets of the "
         "greatest length",
         "B"),
    TEXT("last-bytes", last_bytes,
         "memory of an input port in the last stage of a multistage network, --flow block and "
         "buffers whose queues share all memory; as --bytes if it is not given",
         "B"),
    TEXT("block", block, "bytes of a block, the unit in which memory is allocated (default 8)",
         "B"),
    TEXT("max-packet", max_packet, "bytes of the longest packet; messages are split (default 32)",
         "B"),
    TEXT("piece", piece,
         "packets move in pieces of B bytes, and pause between two pieces while the next buffer "
         "has no room for one; a buffer may then be smaller than a packet (default: packets are "
         "not cut)",
         "B"),
    TEXT(
        "threshold", threshold,
        "--flow maximum-usage: a queue of more than T blocks is sent nothing; none: queues have no "
        "limit, as with --flow block (default none; in a torus the largest that prevents deadlock)",
        "T|none"),
    TEXT("release", release,
         "when the memory of a departing packet becomes free: block by block (default), at the "
         "start of its transmission, when its header is in the next switch, at the end of its "
         "transmission, or N cycles after the start if that is sooner than the end",
         "blocks|start|hop|end|N"),
    TEXT("hop-delay", hop_delay,
         "cycles from the start of a transmission until the next switch can pass the packet on "
         "(default 5)",
         "N"),
    TEXT("link-rest", link_rest, "cycles that a link is idle after a packet (default 2)", "N"),
    TEXT("length", length,
         "bytes of a message: a number (default 32), from-to, geometric:MEAN, or with heavy tails "
         "pareto:MEAN:SHAPE",
         "L"),
    TEXT("interval", interval,
         "cycles between the messages of a sender, instead of --load: N, A-B, geometric:MEAN or "
         "pareto:MEAN:SHAPE",
         "I"),
    TEXT("interval-from", interval_from,
         "intervals of hold sources begin when the link has rested after the previous message "
         "(default), or when the transmission of its last packet starts",
         "rest|start"),
    {"group", '\0', POPT_ARG_ARGV, &given.group, SWQ_ENGINE_ASYNC,
     "a group of senders, measured separately: the nodes whose number & mask is value (default "
     "all) and that are in no earlier group. KEY is mask, value, load, interval, interval-from, "
     "sources, length, burst or traffic; a key that is left out is taken from the option of that "
     "name. Or KEY is from or until: the group's first cycle, and the first cycle after it. Or it "
     "is priority: of its cells with --architecture atlas, 0 (default), 1 or 2, of which 0 goes "
     "first. The option may be repeated.  traffic, here and as an option: DEST or a mixture of "
     "P*DEST joined by +, where P is the probability and DEST is uniform, a pattern, node:J, "
     "subset:MASK:VALUE or hotspot:F[:J], with @L behind it for a length of its own: "
     "0.1*node:0@8+0.9*uniform; with --architecture atlas also multicast, to several nodes at "
     "once: "
     "multicast:K[:S] to one of S sets (default: as many as nodes) of K nodes drawn for the run, "
     "or "
     "all:MASK:VALUE to every node whose number & MASK is VALUE; or, as an option alone, "
     "trace:FILE (lines of cycle, source, "
     "destination, bytes, and pairs of a message that it waits for and a delay), netrace:FILE "
     "(.tra, .tra.bz2)",
     "KEY=VALUE[,KEY=VALUE]"},
    POPT_TABLEEND,
};

static const char *text_of(const char *option)
{
    return cli_text(cli_network_options, option);
}

static swq_status integer_if(swq_context *ctx, const char *option, const char *text, int least,
                             int most, int *value)
{
    return text ? cli_integer(ctx, option, text, least, most, value) : SWQ_OK;
}

/* ---- the shape ---- */

/* 11x11: numbers joined by x. */
static swq_status read_dims(swq_context *ctx, swq_shape *shape)
{
    const char *at = given.dims, *name = shape->kind->name;

    if (!given.dims)
        return swq_fail(ctx, SWQ_EINVAL, "--dims is required for a %s, such as --dims %s", name,
                        shape->kind->parameters & SWQ_HAS_EXTENTS ? "8x8" : "6");
    if (!(shape->kind->parameters & SWQ_HAS_EXTENTS)) {
        if (strchr(given.dims, 'x'))
            return swq_fail(ctx, SWQ_EINVAL,
                            "--dims of a hypercube is the number of dimensions, such as 6 for 64 "
                            "nodes, not '%.60s'",
                            given.dims);
        return cli_integer(ctx, "dims", given.dims, 1, SWQ_MAX_DIMS, &shape->dims);
    }
    for (;;) {
        size_t digits = strspn(at, "0123456789");
        bool fits = digits > 0 && digits < 7 && (at[digits] == 'x' || !at[digits]);
        if (!fits || shape->dims == SWQ_MAX_DIMS)
            return swq_fail(ctx, SWQ_EINVAL,
                            "--dims must be 1 to %d numbers of nodes joined by x, such as 8x8, not "
                            "'%.60s'",
                            SWQ_MAX_DIMS, given.dims);
        shape->extent[shape->dims++] = atoi(at);
        if (!at[digits])
            return SWQ_OK;
        at += digits + 1;
    }
}

/* 4, for each of --levels; or 4,4,2. */
static swq_status read_arity(swq_context *ctx, swq_shape *shape)
{
    const char *at = given.arity;
    int count = 0;

    if (!given.arity)
        return swq_fail(
            ctx, SWQ_EINVAL,
            "--arity is required for a tree, such as --arity 4 --levels 3 for 64 nodes");
    for (;;) {
        size_t digits = strspn(at, "0123456789");
        bool fits = digits > 0 && digits < 4 && (at[digits] == ',' || !at[digits]);
        if (!fits || count == SWQ_MAX_TREE_LEVELS)
            return swq_fail(ctx, SWQ_EINVAL,
                            "--arity must be a number, or up to %d joined by commas, one for each "
                            "level from the nodes up, not '%.60s'",
                            SWQ_MAX_TREE_LEVELS, given.arity);
        shape->arity[count++] = atoi(at);
        if (!at[digits])
            break;
        at += digits + 1;
    }
    if (!given.levels && count == 1)
        return swq_fail(ctx, SWQ_EINVAL, "--levels is required with one --arity, such as 3");
    shape->levels = count;
    swq_status status =
        integer_if(ctx, "levels", given.levels, 2, SWQ_MAX_TREE_LEVELS, &shape->levels);
    if (!status && count > 1 && shape->levels != count)
        return swq_fail(ctx, SWQ_EINVAL, "--arity %s is of %d levels, --levels %s is not",
                        given.arity, count, given.levels);
    for (int l = 1; count == 1 && l < shape->levels; l++)
        shape->arity[l] = shape->arity[0];
    return status;
}

static swq_status read_radix(swq_context *ctx, swq_shape *shape)
{
    if (!given.radix || !given.levels)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--radix and --levels are required for a fat-tree, such as --radix 8 "
                        "--levels 3 for 128 nodes");
    swq_status status = cli_integer(ctx, "levels", given.levels, 2, 3, &shape->levels);
    return status ? status
                  : cli_integer(ctx, "radix", given.radix, 4, SWQ_MAX_FABRIC_PORTS, &shape->ports);
}

static swq_status read_stages(swq_context *ctx, swq_shape *shape)
{
    shape->stages = shape->wiring->stages ? shape->wiring->stages : 3;
    shape->ports = cli_switch_defaults(shape->wiring->lone).ports;
    swq_status status =
        integer_if(ctx, "stages", text_of("stages"), 1, SWQ_MAX_STAGES, &shape->stages);
    return status ? status
                  : integer_if(ctx, "ports", text_of("ports"), 2, SWQ_MAX_PORTS, &shape->ports);
}

static swq_status read_up_ports(swq_context *ctx, swq_shape *shape)
{
    return integer_if(ctx, "up-ports", given.up_ports, 1, SWQ_MAX_FABRIC_PORTS, &shape->up_ports);
}

/* The options of parameters that several fabrics have; what reads one may read others with it. */
static const struct {
    swq_shape_parameter parameter;
    const char *option;
    swq_status (*read)(swq_context *ctx, swq_shape *shape);
} parameters[] = {
    {SWQ_HAS_STAGES, "stages", read_stages},
    {SWQ_HAS_PORTS, "ports", NULL},
    {SWQ_HAS_DIMS, "dims", read_dims},
    {SWQ_HAS_ARITY, "arity", read_arity},
    {SWQ_HAS_RADIX, "radix", read_radix},
    {SWQ_HAS_LEVELS, "levels", NULL},
    {SWQ_HAS_UP_PORTS, "up-ports", read_up_ports},
    {SWQ_HAS_ONE_WAY, "one-way", NULL},
    {SWQ_HAS_CHAINED, "chained", NULL},
};
enum { PARAMETERS = sizeof parameters / sizeof *parameters };

static bool is_given(const char *option)
{
    return cli_given(cli_async_options, option) || cli_given(cli_network_options, option);
}

/* Refuses options of parameters that the fabric does not have. */
static swq_status refuse_parameters(swq_context *ctx, const swq_shape *shape)
{
    swq_status status = SWQ_OK;
    char option[24];

    for (int k = 0; k < PARAMETERS && !status; k++) {
        snprintf(option, sizeof option, "--%s", parameters[k].option);
        if (is_given(parameters[k].option))
            status = swq_shape_must_have(ctx, shape, parameters[k].parameter, option);
    }
    return status;
}

static swq_status read_parameters(swq_context *ctx, swq_shape *shape)
{
    swq_status status = cli_sizes_read(ctx, shape, given.shape);

    for (int k = 0; k < PARAMETERS && !status; k++) {
        if (parameters[k].read && shape->kind->parameters & parameters[k].parameter)
            status = parameters[k].read(ctx, shape);
    }
    return status;
}

static swq_status read_shape(swq_context *ctx, swq_shape *shape)
{
    const char *name = text_of("topology");
    swq_status status = swq_fabric_find(ctx, name ? name : "omega", shape);

    if (!status)
        status = refuse_parameters(ctx, shape);
    shape->one_way = given.one_way != 0;
    shape->chained = given.chained != 0;
    if (!status && shape->one_way && shape->chained)
        return swq_fail(ctx, SWQ_EINVAL, "--one-way and --chained cannot both be given");
    if (!status)
        status = cli_routing_read(ctx, shape);
    if (!status)
        status = read_parameters(ctx, shape);
    if (!status && shape->chained && shape->dims < 3)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--chained is for --dims of 3 or more: each switch of a chain has two "
                          "dimensions, and %s has no more",
                          given.dims);
    return status;
}

/* ---- switches ---- */

/* Does --bytes say how large the memory of an input is? Lanes and cells have sizes of their own,
 * and without input buffers packets only pass through. */
static bool has_bytes(const swq_architecture *row)
{
    return row->input_buffers || (row->stores && !row->lanes && !row->flow_groups);
}

/* Converts lengths given in bytes to flits. */
static swq_status in_flits(swq_context *ctx, cli_async *n)
{
    swq_async *net = &n->network;
    swq_status status = cli_in_flits(ctx, n, "max-packet", &net->max_packet);

    if (!status && !net->architecture->stores)
        status = cli_in_flits(ctx, n, "block", &net->block);
    if (!status)
        status = cli_in_flits(ctx, n, "piece", &net->piece);
    return status || !has_bytes(net->architecture) ? status
                                                   : cli_in_flits(ctx, n, "bytes", &n->bytes);
}

static swq_status read_memory(swq_context *ctx, cli_async *n)
{
    const char *slots_text = text_of("slots");
    swq_async *net = &n->network;
    const int flit = n->flit;
    int slots = 0, last = 0;
    swq_status status =
        integer_if(ctx, "max-packet", given.max_packet, 1, SWQ_MAX_PACKET * flit, &net->max_packet);

    if (!status)
        status = integer_if(ctx, "block", given.block, 1, SWQ_MAX_PACKET * flit, &net->block);
    if (!status)
        status = integer_if(ctx, "piece", given.piece, 1, net->max_packet, &net->piece);
    n->bytes = net->management->default_bytes ? net->management->default_bytes : 128;
    if (!status && slots_text && given.bytes)
        status = swq_fail(ctx, SWQ_EINVAL, "--bytes and --slots cannot both be given");
    if (!status && slots_text) {
        status = cli_integer(ctx, "slots", slots_text, 1, SWQ_MAX_SLOTS, &slots);
        n->bytes = slots * net->max_packet;
    }
    if (!status)
        status =
            integer_if(ctx, "bytes", given.bytes, 1, SWQ_MAX_BUFFER_BLOCKS * net->block, &n->bytes);
    if (!status)
        status = integer_if(ctx, "last-bytes", given.last_bytes, net->block,
                            SWQ_MAX_BUFFER_BLOCKS * net->block, &last);
    if (!status)
        status = in_flits(ctx, n);
    if (!status)
        status = cli_in_flits(ctx, n, "last-bytes", &last);
    net->last_blocks = last / net->block;
    return status;
}

/* Input stores that packets only pass through: room for the packets that arrive before the first
 * has left. */
static swq_status passing_store(swq_context *ctx, cli_async *n)
{
    swq_async *net = &n->network;
    const swq_buffer_kind *row;
    swq_status status = swq_buffer_kind_find(ctx, "fifo", &row);

    if (!status)
        status = read_memory(ctx, n);
    if (status)
        return status;
    n->buffer = row->name;
    n->bytes = net->max_packet * (4 + net->hop_delay / net->max_packet) + net->block;
    return swq_async_buffer(ctx, net, row, n->bytes);
}

/* The row of --buffer, with the overrides of other options. */
static swq_status read_buffer(swq_context *ctx, cli_async *n)
{
    swq_buffer *b = &n->network.buffer;
    swq_buffer_kind kind;

    if (n->network.architecture->stores) {
        swq_status stores = read_memory(ctx, n);
        if (!stores)
            stores = cli_lanes_read(ctx, n);
        if (!stores)
            stores = cli_cells_read(ctx, n);
        return stores ? stores : cli_stores_read(ctx, n);
    }
    if (!n->network.architecture->input_buffers)
        return passing_store(ctx, n);
    if (cli_managed(&n->network) || cli_set_aside(&n->network)) {
        swq_status managed = read_memory(ctx, n);
        return managed ? managed : cli_management_read(ctx, n);
    }
    swq_status status = cli_buffer_choices(ctx, &kind);

    if (!status && kind.scope == SWQ_POOL)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--%s %s: an asynchronous network has a buffer at each input port (fifo, "
                          "samq, safc, damq, dafc), no pools",
                          text_of("scope") ? "scope" : "buffer",
                          text_of("scope") ? text_of("scope") : kind.name);
    if (!status)
        status = read_memory(ctx, n);
    if (!status)
        status = swq_async_buffer(ctx, &n->network, &kind, n->bytes);
    if (!status) {
        n->buffer = kind.name;
        status = integer_if(ctx, "queue-min", text_of("queue-min"), 0, b->capacity, &b->queue_min);
    }
    if (!status)
        status = integer_if(ctx, "queue-max", text_of("queue-max"), 1, b->capacity, &b->queue_max);
    if (!status && text_of("alpha"))
        status = cli_number(ctx, "alpha", text_of("alpha"), 0, 1e6, &b->alpha);
    return status ? status : cli_buffer_idle(ctx, b, n->fabric.ports);
}

/* "maximum-usage, destination+maximum-usage" */
static const char *threshold_flows(char *text, size_t size)
{
    size_t used = 0;

    *text = '\0';
    for (int k = 0; swq_hop_flows[k]; k++) {
        if (swq_hop_flows[k]->threshold && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
                                     swq_hop_flows[k]->name);
    }
    return text;
}

static swq_status read_flow(swq_context *ctx, swq_async *n)
{
    char text[200];
    const char *flow = text_of("flow"), *threshold = given.threshold;
    const bool lifted = threshold && strcmp(threshold, "none") == 0;
    swq_status status = flow ? swq_hop_flow_find(ctx, flow, &n->flow) : SWQ_OK;

    if (status)
        return status;
    if (n->flow != &swq_flow_blocking && !n->architecture->input_buffers)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--flow %s is for --architecture input-queued and cioq, "
                        "not for %s",
                        flow, n->architecture->name);
    if (!flow && threshold && !lifted)
        n->flow = &swq_flow_maximum_usage;
    if (threshold && !lifted && !n->flow->threshold)
        return swq_fail(ctx, SWQ_EINVAL, "--threshold is for --flow %s, not %s",
                        threshold_flows(text, sizeof text), n->flow->name);
    if (lifted && n->flow->threshold)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--flow %s needs --threshold, in blocks; without one it is --flow %s",
                        n->flow->name, swq_flow_blocking.name);
    return integer_if(ctx, "threshold", lifted ? NULL : threshold, 0, SWQ_MAX_BUFFER_BLOCKS,
                      &n->threshold);
}

/* Without --threshold, in a fabric that may deadlock: the largest threshold with which it cannot.
 * The senders are known, since packets of equal length allow a larger one. */
static swq_status choose_threshold(swq_context *ctx, cli_async *n)
{
    const char *flow = text_of("flow");
    swq_async *net = &n->network;
    const bool asked = flow && net->flow->threshold;

    if (given.threshold || net->architecture->stores || cli_set_aside(net) || (flow && !asked))
        return SWQ_OK;
    const int safe = swq_async_safe_threshold(net), none = net->buffer.capacity;
    if (asked && (safe < 0 || (safe == none && !net->shape.kind->rings)))
        return swq_fail(ctx, SWQ_EINVAL, "--flow %s needs --threshold, in blocks", flow);
    if (safe < 0 || (safe == none && !asked))
        return SWQ_OK;
    net->flow = &swq_flow_maximum_usage;
    net->threshold = safe;
    n->default_threshold = true;
    return SWQ_OK;
}

/* A word, or a number of cycles. */
static swq_status read_release(swq_context *ctx, swq_async *n)
{
    int which = SWQ_RELEASE_BLOCKS;
    char message[200];

    if (given.release && strspn(given.release, "+-0123456789")) {
        n->release = SWQ_RELEASE_AFTER;
        return cli_integer(ctx, "release", given.release, 1, 4096, &n->release_cycles);
    }
    const swq_status status =
        given.release ? cli_word(ctx, "release", given.release, cli_release_words, &which) : SWQ_OK;
    n->release = (swq_release)which;
    if (status != SWQ_EINVAL)
        return status;
    snprintf(message, sizeof message, "%s", swq_context_message(ctx));
    return swq_fail(ctx, status, "%s, or a number of cycles from 1 to 4096", message);
}

static swq_status read_switch(swq_context *ctx, cli_async *read)
{
    const char *arbiter = text_of("arbiter"), *iterations = text_of("iterations");
    swq_async *n = &read->network;
    swq_status status = cli_flit_read(ctx, read);

    if (!status)
        status = cli_architecture_find(ctx, n);
    if (!status)
        status = cli_management_find(ctx, n);
    if (!status)
        status = read_buffer(ctx, read);
    if (!status)
        status = cli_architecture_read(ctx, read, n);
    if (!status)
        cli_management_grow_outputs(read);
    if (!status)
        status = read_flow(ctx, n);
    if (!status)
        status = cli_flow_read(ctx, n);
    if (!status)
        status = cli_sender_read(ctx, n);
    if (!status)
        status = read_release(ctx, n);
    if (!status && arbiter)
        status = swq_arbiter_find(ctx, arbiter, &n->arbiter);
    if (!status)
        status = cli_choice_read(ctx, n);
    if (!status)
        status = cli_iterations_read(ctx, iterations, n->arbiter, &n->iterations);
    if (!status)
        status = integer_if(ctx, "hop-delay", given.hop_delay, 1, 4096, &n->hop_delay);
    if (!status)
        status = integer_if(ctx, "link-rest", given.link_rest, 0, 4096, &n->link_rest);
    return status;
}

/* Names that begin messages of sim/, and are those of options. */
static const char *const option_names[] = {"topology",
                                           "shape",
                                           "sender",
                                           "traffic",
                                           "stages",
                                           "buffer",
                                           "bytes",
                                           "last-bytes",
                                           "block",
                                           "flow",
                                           "max-packet",
                                           "arbiter",
                                           "threshold",
                                           "release",
                                           "hop-delay",
                                           "link-rest",
                                           "queue-min",
                                           "queue-max",
                                           "alpha",
                                           "scope",
                                           "levels",
                                           "arity",
                                           "radix",
                                           "up-ports",
                                           "output-bytes",
                                           "speedup",
                                           "crossbar-delay",
                                           "cut-through",
                                           "credit-unit",
                                           "credit-delay",
                                           "stop",
                                           "go",
                                           "management",
                                           "xoff",
                                           "xon",
                                           "queues",
                                           "routing",
                                           "choice",
                                           "escape-use",
                                           "escape-exit",
                                           "path-hops",
                                           "destination-stages",
                                           "no-abort",
                                           "no-restrict",
                                           "no-requeue",
                                           "no-preroute",
                                           "two-counter",
                                           "piece",
                                           "clock-ahead",
                                           "circuits",
                                           "chunk",
                                           "fifos",
                                           "fifo-bytes",
                                           "module",
                                           "crosspoint-chunks",
                                           "banks",
                                           "group-credit",
                                           "pool-cells",
                                           "lane-cells",
                                           "lanes",
                                           "node-lanes",
                                           "saqs",
                                           "detect",
                                           "turnpool-bits",
                                           "interface-packets",
                                           "interface-cold",
                                           "inspection-cycles",
                                           NULL};

/* Writes these names as the options that they are. */
static swq_status with_option(swq_context *ctx, swq_status status, const swq_shape *shape)
{
    const char *option = "shape";
    char text[600];

    if (status != SWQ_EINVAL)
        return status;
    snprintf(text, sizeof text, "%s", swq_context_message(ctx));
    for (int k = 0; option_names[k]; k++) {
        size_t length = strlen(option_names[k]);
        if (strncmp(text, option_names[k], length) == 0 && text[length] == ' ')
            return swq_fail(ctx, SWQ_EINVAL, "--%s", text);
    }
    for (int k = PARAMETERS - 1; k >= 0; k--) {
        if (parameters[k].read && shape->kind->parameters & parameters[k].parameter)
            option = parameters[k].option;
    }
    if (strncmp(text, "extent ", 7) == 0 || strncmp(text, "nodes ", 6) == 0)
        return swq_fail(ctx, SWQ_EINVAL, "--%s: %s", option, text);
    return status;
}

swq_status cli_async_read(swq_context *ctx, cli_async *n, cli_load load)
{
    uint32_t nodes;

    *n = (cli_async){.network = swq_async_defaults()};
    swq_status status = read_shape(ctx, &n->network.shape);
    if (!status)
        status = swq_fabric_count(ctx, &n->network.shape, &n->fabric);
    if (!status)
        status = read_switch(ctx, n);
    status = with_option(ctx, status, &n->network.shape);
    if (!status && n->flit > 1 && cli_given(cli_async_options, "benchmark"))
        status = swq_fail(
            ctx, SWQ_EINVAL,
            "--benchmark is for links of a byte a cycle: it does not go with --flit %d", n->flit);
    if (!status && n->flit > 1 && cli_given(cli_async_options, "sender"))
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--sender is for links of a byte a cycle: it does not go with --flit %d",
                          n->flit);
    if (!status)
        status = cli_benchmark_read(ctx, n, load);
    if (!status && !n->benchmark)
        status = cli_async_traffic(ctx, n, given.group, load);
    if (!status)
        status = cli_flow_finish(ctx, n);
    if (!status)
        status = cli_cells_finish(ctx, n);
    if (!status)
        status = with_option(ctx, swq_async_check(ctx, &n->network, &nodes), &n->network.shape);
    if (!status)
        status = choose_threshold(ctx, n);
    if (status)
        cli_async_clear(n);
    return status;
}

void cli_async_clear(cli_async *n)
{
    swq_trace_messages_clear(&n->trace);
    free(n->circuit);
    n->circuit = NULL;
}
