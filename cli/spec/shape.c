/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fabric of an asynchronous network: --topology, its sizes, files of graphs, and failures.
 */
#include "base/context.h"
#include "cli/booksim/booksim.h"
#include "cli/options/parse.h"
#include "cli/spec/async.h"
#include "cli/spec/stages.h"
#include "switchq/graph.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TREE "sim --topology tree --arity 2 --levels 3"

static const char *shape_name(const void *spec)
{
    return swq_shape_name(&((const cli_async *)spec)->network.shape);
}

const cli_owner cli_by_topology = {"topology", "", (const void *const *)swq_fabric_kinds,
                                   offsetof(cli_async, network.shape.kind), shape_name};

CLI_PROPERTY(has_dims, swq_fabric_kind, parameters &SWQ_HAS_DIMS)
CLI_PROPERTY(has_one_way, swq_fabric_kind, parameters &SWQ_HAS_ONE_WAY)
CLI_PROPERTY(has_chained, swq_fabric_kind, parameters &SWQ_HAS_CHAINED)
CLI_PROPERTY(has_arity, swq_fabric_kind, parameters &SWQ_HAS_ARITY)
CLI_PROPERTY(has_levels, swq_fabric_kind, parameters &SWQ_HAS_LEVELS)
CLI_PROPERTY(has_radix, swq_fabric_kind, parameters &SWQ_HAS_RADIX)
CLI_PROPERTY(has_up_ports, swq_fabric_kind, parameters &SWQ_HAS_UP_PORTS)
CLI_PROPERTY(has_file, swq_fabric_kind, file)

#define TAKEN(by, has)      .takers = {{&cli_by_##by, has}}
#define SHAPE(kind, member) CLI_AT(kind, cli_async, network.shape.member)

cli_parameter cli_shape_parameters[] = {
    {CLI_OPTION("dims", "11x11|4x4x8|6", SWQ_ENGINE_ASYNC), .as_given = true,
     TAKEN(topology, has_dims),
     .about = "nodes of a torus or mesh, routers of a hyperx in each dimension, in the order in "
              "which packets take the dimensions; number of dimensions of a hypercube",
     .key = "dims"},
    {CLI_FLAG_OPTION("one-way", SWQ_ENGINE_ASYNC), SHAPE(CLI_FLAG, one_way),
     TAKEN(topology, has_one_way), .about = "links in the positive direction only",
     .key = "one_way"},
    {CLI_FLAG_OPTION("chained", SWQ_ENGINE_ASYNC), SHAPE(CLI_FLAG, chained),
     TAKEN(topology, has_chained),
     .about =
         "a node has a chain of 5 x 5 switches with two dimensions each, instead of one larger "
         "switch",
     .key = "chained"},
    {CLI_OPTION("arity", "K|K,K,...", SWQ_ENGINE_ASYNC), TAKEN(topology, has_arity),
     .about = "links down of each switch, which also has as many links up; K,K,... for each level, "
              "from the nodes up"},
    {CLI_OPTION("levels", "N|T:R[,T:R]|none", SWQ_ENGINE_ASYNC | CLI_WITH_RARE),
     TAKEN(topology, has_levels), .axis = CLI_AXIS_NONE,
     .about = "levels of switches; --rare: thresholds T of the importance, each with the factor R "
              "by which copies multiply there, or none",
     .preset = "--rare: default found by a pilot run",
     CLI_DEFAULTS({"sim --rare", "(pilot)", "found by a pilot run"})},
    {CLI_OPTION("radix", "R", SWQ_ENGINE_ASYNC), SHAPE(CLI_INT, ports),
     CLI_FROM(4, SWQ_MAX_WORM_PORTS), TAKEN(topology, has_radix), .about = "ports of a switch"},
    {CLI_OPTION("up-ports", "U", SWQ_ENGINE_ASYNC), SHAPE(CLI_INT, up_ports),
     CLI_FROM(1, SWQ_MAX_WORM_PORTS), TAKEN(topology, has_up_ports), .axis = CLI_AXIS_NONE,
     .about = "links up from each switch below the top", .preset = "default: as many as down",
     CLI_DEFAULTS({TREE, "(arity)", "as much bandwidth up as down"})},
    {CLI_OPTION("fail", "N:SEED|FILE", SWQ_ENGINE_ASYNC), TAKEN(topology, has_file),
     .about =
         "links between switches that have failed, N drawn by SEED or those of a file's lines "
         "'link SWITCH SWITCH' and 'switch SWITCH'; packets take the shortest ways around them",
     .as_given = true, .key = "fail"},
    {CLI_OPTION("routes", "FILE", SWQ_ENGINE_ASYNC), TAKEN(topology, has_file),
     .about =
         "a table of all routes in place of the file's and of shortest ways, with lines 'route "
         "SWITCH HOST PORT[,PORT...][/PART]': several ports are for --ways drawn, a part is one of "
         "the lanes of the link with --lane-choice phase",
     .axis = CLI_AXIS_NONE, .as_given = true, .key = "routes"},
    CLI_PARAMETERS_END,
};

/* Reads --dims, such as 11x11: the extents of the dimensions. */
static swq_status read_dims(swq_context *ctx, swq_shape *shape)
{
    const char *dims = cli_async_text("dims"), *at = dims, *name = shape->kind->name;

    if (!dims)
        return swq_fail(ctx, SWQ_EINVAL, "--dims is required for a %s, such as --dims %s", name,
                        shape->kind->parameters & SWQ_HAS_EXTENTS ? "8x8" : "6");
    if (!(shape->kind->parameters & SWQ_HAS_EXTENTS)) {
        if (strchr(dims, 'x'))
            return swq_fail(ctx, SWQ_EINVAL,
                            "--dims of a hypercube is the number of dimensions, such as 6 for 64 "
                            "nodes, not '%.60s'",
                            dims);
        return cli_integer(ctx, "dims", dims, 1, SWQ_MAX_DIMS, &shape->dims);
    }
    for (;;) {
        size_t digits = strspn(at, "0123456789");
        bool fits = digits > 0 && digits < 7 && (at[digits] == 'x' || !at[digits]);
        if (!fits || shape->dims == SWQ_MAX_DIMS)
            return swq_fail(ctx, SWQ_EINVAL,
                            "--dims must be 1 to %d numbers of nodes joined by x, such as 8x8, not "
                            "'%.60s'",
                            SWQ_MAX_DIMS, dims);
        shape->extent[shape->dims++] = atoi(at);
        if (!at[digits])
            return SWQ_OK;
        at += digits + 1;
    }
}

/* Reads --arity: one number for all levels of --levels, such as 4, or a number for each level, such
 * as 4,4,2. */
static swq_status read_arity(swq_context *ctx, swq_shape *shape)
{
    const char *arity = cli_async_text("arity"), *levels = cli_async_text("levels"), *at = arity;
    int count = 0;

    if (!arity)
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
                            SWQ_MAX_TREE_LEVELS, arity);
        shape->arity[count++] = atoi(at);
        if (!at[digits])
            break;
        at += digits + 1;
    }
    if (!levels && count == 1)
        return swq_fail(ctx, SWQ_EINVAL, "--levels is required with one --arity, such as 3");
    shape->levels = count;
    swq_status status =
        !levels ? SWQ_OK
                : cli_integer(ctx, "levels", levels, 2, SWQ_MAX_TREE_LEVELS, &shape->levels);
    if (!status && count > 1 && shape->levels != count)
        return swq_fail(ctx, SWQ_EINVAL, "--arity %s is of %d levels, --levels %s is not", arity,
                        count, levels);
    for (int l = 1; count == 1 && l < shape->levels; l++)
        shape->arity[l] = shape->arity[0];
    return status;
}

static swq_status read_radix(swq_context *ctx, swq_shape *shape)
{
    if (!cli_async_text("radix") || !cli_async_text("levels"))
        return swq_fail(ctx, SWQ_EINVAL,
                        "--radix and --levels are required for a fat-tree, such as --radix 8 "
                        "--levels 3 for 128 nodes");
    return cli_integer(ctx, "levels", cli_async_text("levels"), 2, 3, &shape->levels);
}

static swq_status read_stages(swq_context *ctx, swq_shape *shape)
{
    shape->ports = cli_switch_defaults(shape->wiring->lone).ports;
    swq_status status = cli_stages_of(ctx, cli_network_text("stages"), shape);
    if (status || !cli_network_text("ports"))
        return status;
    return cli_integer(ctx, "ports", cli_network_text("ports"), 2, SWQ_MAX_WORM_PORTS,
                       &shape->ports);
}

/* --fail N:SEED, or else the name of a file. */
static swq_status read_failures(swq_context *ctx, const char *text, swq_graph_failures *failures)
{
    int end = 0;

    *failures = (swq_graph_failures){0};
    if (!text || (strspn(text, "0123456789:") == strlen(text) &&
                  sscanf(text, "%9" SCNu32 ":%19" SCNu64 "%n", &failures->links, &failures->seed,
                         &end) == 2 &&
                  !text[end]))
        return SWQ_OK;
    if (access(text, F_OK) != 0 && strspn(text, "-+.0123456789:") == strlen(text))
        return swq_fail(ctx, SWQ_EINVAL,
                        "--fail must be N:SEED, two whole numbers of up to 9 and 19 digits, or a "
                        "file, not '%.60s'",
                        text);
    *failures = (swq_graph_failures){.path = text};
    return SWQ_OK;
}

/* --topology NAME:FILE */
static swq_status read_graph(swq_context *ctx, cli_async *n)
{
    const char *name = cli_network_text("topology"), *colon = strchr(name, ':');

    if (!colon || !colon[1])
        return swq_fail(ctx, SWQ_EINVAL,
                        "--topology %s needs a file, %s:FILE ('switchq export' writes one, and "
                        "docs/graphs.md has the format)",
                        name, n->network.shape.kind->name);
    n->graph = calloc(1, sizeof *n->graph);
    if (!n->graph)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for the graph");
    n->network.shape.graph = n->graph;
    swq_graph_failures failures;
    const char *fail = cli_async_text("fail"), *routes = cli_async_text("routes");
    const swq_status status = read_failures(ctx, fail, &failures);
    if (status)
        return status;
    if (fail && routes)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--routes is a table for all links, and with --fail packets take the "
                        "shortest ways: only one of them");
    if (routes)
        return swq_graph_read_table(ctx, colon + 1, routes, n->graph);
    return cli_booksim_hint(ctx, colon + 1,
                            swq_graph_read(ctx, colon + 1, fail ? &failures : NULL, n->graph));
}

/* With lanes the delay of a graph's links is --link-delay. */
swq_status cli_graph_follow(swq_context *ctx, cli_async *n)
{
    int *cycles = &n->network.architecture.lanes.link_delay;

    if (!n->graph)
        return SWQ_OK;
    const double delay = n->graph->delay;
    if (delay == 1 || !n->network.architecture.row->async.lanes)
        return SWQ_OK;
    if (delay == 0 && (cli_async_text("link-delay") || cli_async_text("level-delay")))
        return swq_fail(ctx, SWQ_EINVAL, "--%s is not for %s, whose links have delays of their own",
                        cli_async_text("link-delay") ? "link-delay" : "level-delay",
                        n->graph->name);
    if (delay == 0)
        return SWQ_OK;
    if (delay > SWQ_MAX_LINK_DELAY || delay != floor(delay))
        return swq_fail(ctx, SWQ_EINVAL,
                        "links of %s have a delay of %g: it must be a whole number from 1 to %d",
                        n->graph->name, delay, SWQ_MAX_LINK_DELAY);
    if (cli_async_text("link-delay") && *cycles != (int)delay)
        return swq_fail(ctx, SWQ_EINVAL, "--link-delay %d is not the delay %g of links of %s",
                        *cycles, delay, n->graph->name);
    *cycles = (int)delay;
    return SWQ_OK;
}

swq_status cli_shape_read(swq_context *ctx, cli_async *n)
{
    const char *name = cli_network_text("topology");
    swq_shape *shape = &n->network.shape;
    swq_status status = swq_fabric_find(ctx, name ? name : "omega", shape);

    if (!status && shape->kind->file)
        status = read_graph(ctx, n);
    if (!status)
        status = cli_refuse_idle(ctx, cli_async_options, &cli_by_topology, n);
    if (!status && cli_network_text("stages"))
        status = swq_shape_must_have(ctx, shape, SWQ_HAS_STAGES, "--stages");
    if (!status && cli_network_text("ports"))
        status = swq_shape_must_have(ctx, shape, SWQ_HAS_PORTS, "--ports");
    if (!status)
        status = cli_parameters_read(ctx, cli_shape_parameters, n);
    if (!status && shape->one_way && shape->chained)
        return swq_fail(ctx, SWQ_EINVAL, "--one-way and --chained cannot both be given");
    if (!status)
        status = cli_parameters_read(ctx, cli_routing_parameters, n);
    if (!status)
        status = cli_refuse_idle(ctx, cli_async_options, &cli_by_routing, n);
    if (!status)
        status = cli_sizes_read(ctx, shape);
    if (!status && shape->kind->parameters & SWQ_HAS_STAGES)
        status = read_stages(ctx, shape);
    if (!status && shape->kind->parameters & SWQ_HAS_DIMS)
        status = read_dims(ctx, shape);
    if (!status && shape->kind->parameters & SWQ_HAS_ARITY)
        status = read_arity(ctx, shape);
    if (!status && shape->kind->parameters & SWQ_HAS_RADIX)
        status = read_radix(ctx, shape);
    if (!status && shape->chained && shape->dims < 3)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--chained is for --dims of 3 or more: each switch of a chain has two "
                          "dimensions, and %s has no more",
                          cli_async_text("dims"));
    return status;
}
