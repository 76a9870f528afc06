/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq export --format graph: an asynchronous network as a file for --topology graph:FILE; and
 * --format routes: its routes as a file for --routes.
 */
#include "cli/sim/export_graph.h"
#include "base/context.h"
#include "base/names.h"
#include "cli/options/config.h"
#include "cli/options/files.h"
#include "cli/options/parse.h"
#include "cli/options/shared.h"
#include "cli/spec/async.h"
#include "cli/spec/engine.h"
#include "switchq/graph.h"

#include <string.h>

static char *format, *path;

static struct poptOption own_options[] = {
    CLI_TEXT_ROW("format", "graph|routes", &format,
                 "graph: the switches, nodes, links and routes of an asynchronous network; routes: "
                 "its routes alone, as --routes reads them"),
    CLI_OUTPUT_OPTION(&path, "where to write (default: standard output)", "PATH"),
    POPT_TABLEEND,
};

static struct poptOption options[] = {
    CLI_TABLE(own_options, "Output:"),
    CLI_TABLE(cli_network_options, "The network:"),
    CLI_TABLE(cli_async_options, NULL),
    CLI_TABLE(cli_memory_options, NULL),
    POPT_TABLEEND,
};

/* What says how switches and nodes are linked; nothing else changes the file. */
static const char *const shape[] = {"format",      "output", "topology", "dims",        "one-way",
                                    "arity",       "levels", "radix",    "up-ports",    "hosts",
                                    "routers",     "leaves", "spines",   "globals",     "groups",
                                    "arrangement", "width",  "order",    "via",         "routing",
                                    "ways",        "mem",    "config",   "save-config", NULL};

bool cli_export_asks_graph(int argc, const char **argv)
{
    for (int k = 0; k < argc; k++) {
        const char *name = strncmp(argv[k], "--format=", 9) == 0              ? argv[k] + 9
                           : strcmp(argv[k], "--format") == 0 && k + 1 < argc ? argv[k + 1]
                                                                              : "";
        if (strcmp(name, "graph") == 0 || strcmp(name, "routes") == 0)
            return true;
    }
    return false;
}

/* Is the option none of the shape's? Its help leaves out such options. */
static bool is_no_shape(const char *option)
{
    return !swq_name_is_among(option, shape);
}

int cli_export_graph(swq_context *ctx, const cli_command *self, int argc, const char **argv)
{
    cli_command graph = *self;

    graph.summary = "write a network as --topology graph:FILE reads it, or its routes";
    graph.usage = "--format graph|routes --topology NAME [-o PATH] [OPTION...]";
    graph.common = NULL;
    graph.plugins = false;
    graph.examples = "  switchq export --format graph --topology torus --dims 4x4 -o torus.txt\n"
                     "  switchq export --format routes --topology dragonfly --hosts 2 -o r.txt\n"
                     "  switchq sim --topology graph:torus.txt --buffer damq --load 0.5\n";
    graph.refuses = is_no_shape;
    const int end = cli_read_options(ctx, &graph, options, argc, argv, NULL, 0);
    if (end >= 0)
        return end;
    const char *other = cli_given_but(options, shape), *name = cli_text(options, "topology");
    const bool links = strcmp(format, "graph") == 0;
    unsigned engines = SWQ_ENGINE_SYNC;
    cli_async n = {.graph = NULL};
    swq_fabric fabric;
    swq_status status = cli_memory_read(ctx);

    if (!status && other)
        status = swq_fail(ctx, SWQ_EINVAL, "--%s does not go with --format %s, which writes %s",
                          other, format, links ? "switches, nodes, links and routes" : "routes");
    if (!status && name)
        status = cli_topology_engines(ctx, name, &engines);
    if (!status && !(engines & SWQ_ENGINE_ASYNC))
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--format %s needs --topology: torus, mesh, hypercube, tree, fat-tree, "
                          "dragonfly, hyperx, slim-fly, polarfly or megafly",
                          format);
    if (!status)
        status = cli_async_read_shape(ctx, &n);
    if (!status)
        status = swq_fabric_make(ctx, &n.network.shape, &fabric);
    if (!status) {
        status = (links ? swq_graph_write : swq_graph_write_table)(ctx, &fabric, path ? path : "-");
        swq_fabric_clear(ctx, &fabric);
    }
    cli_async_clear(ctx, &n);
    return status ? cli_fail(ctx, status) : CLI_OK;
}
