/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq bound: what the links of a network can carry under a pattern of traffic, by its routing
 * and by any routing.
 */
#include "switchq/bound.h"
#include "base/context.h"
#include "base/names.h"
#include "cli/options/parameter.h"
#include "cli/options/parse.h"
#include "cli/options/shared.h"
#include "cli/record/format.h"
#include "cli/spec/async.h"
#include "switchq/ceiling.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A question, and its answer. */
typedef struct {
    cli_async n;
    swq_bound_options how;
    swq_ceiling ceiling;
    swq_bound bound;
} bound_question;

static cli_format format;

static const char *const path_words[] = {"any", "minimal+valiant", "minimal", NULL};

static cli_parameter own_parameters[] = {
    {CLI_OPTION("paths", "any|minimal+valiant|minimal", 0),
     CLI_AT(CLI_CHOICE, bound_question, how.paths), .words = path_words, .axis = CLI_AXIS_NONE,
     .about =
         "any: packets may take any ways; minimal+valiant: each packet its straight way or the "
         "one by way of the place that is drawn for it, as with --routing ugal; minimal: any ways "
         "with the fewest links, as with --routing adaptive",
     .preset = "default any", .key = "paths"},
    CLI_SEED_ROW(bound_question, how.seed),
    CLI_PARAMETERS_END,
};

static struct poptOption options[] = {
    CLI_TABLE(cli_network_options, "The network and its traffic:"),
    CLI_TABLE(cli_async_options, "Its shape:"),
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, own_parameters, CLI_IS_PARAMETER, "The bound:", NULL},
    CLI_TABLE(cli_format_options, "Output:"),
    CLI_TABLE(cli_memory_options, NULL),
    POPT_TABLEEND,
};

/* Links, routes and destinations; nothing else changes the answer. */
static const char *const asked[] = {
    "topology", "ports",       "stages",    "dims",  "one-way", "chained",  "arity",   "levels",
    "radix",    "fail",        "routes",    "hosts", "routers", "leaves",   "spines",  "globals",
    "groups",   "arrangement", "width",     "order", "via",     "up-ports", "routing", "ways",
    "traffic",  "hot-spots",   "normalise", "paths", "seed",    "json",     "csv",     "mem",
    "config",   "save-config", "plugin",    NULL};

/* Is it an option of networks that says nothing about links, routes and destinations? */
static bool refuses(const char *option)
{
    const struct poptOption *const tables[] = {cli_network_options, cli_async_options};

    for (int k = 0; k < 2 && !swq_name_is_among(option, asked); k++) {
        if (cli_option_named(tables[k], option, strlen(option)))
            return true;
    }
    return false;
}

static swq_status refuse_others(swq_context *ctx)
{
    for (int k = 0; k < 2; k++) {
        const char *other = cli_given_but(k ? cli_async_options : cli_network_options, asked);
        if (other)
            return swq_fail(ctx, SWQ_EINVAL,
                            "--%s changes nothing about what links can carry: bound is for a "
                            "topology, a routing and --traffic",
                            other);
    }
    return SWQ_OK;
}

/* ---- reading ---- */

/* Messages of one byte, so that a load is a share of a link's bandwidth; without the rest of a link
 * behind packets. */
static swq_status read_question(swq_context *ctx, bound_question *q)
{
    const char *traffic = cli_network_text("traffic");

    q->how = swq_bound_defaults();
    swq_status status = cli_memory_read(ctx);
    if (!status && !cli_network_text("topology"))
        status =
            swq_fail(ctx, SWQ_EINVAL, "--topology is required, such as --topology mesh --dims 4x4");
    if (!status && traffic && cli_is_trace(traffic))
        status = swq_fail(
            ctx, SWQ_EINVAL,
            "--traffic must be a pattern or a mixture of patterns for bound, not '%.60s'", traffic);
    if (!status)
        status = cli_async_read_shape(ctx, &q->n);
    if (status)
        return status;
    q->n.network.link.rest = 0;
    q->n.flit = 1;
    status = cli_async_traffic(ctx, &q->n, CLI_LOAD_OPEN);
    return status ? status : cli_parameters_read(ctx, own_parameters, q);
}

/* ---- the answer ---- */

static swq_status answer(swq_context *ctx, bound_question *q)
{
    swq_status status = swq_async_ceiling(ctx, &q->n.network, q->how.seed, &q->ceiling);

    if (!status)
        status = swq_bound_run(ctx, &q->n.network, &q->how, &q->bound);
    if (status == SWQ_EINVAL && strncmp(swq_context_message(ctx), "paths ", 6) == 0) {
        char message[300];
        snprintf(message, sizeof message, "%s", swq_context_message(ctx));
        status = swq_fail(ctx, status, "--%s", message);
    }
    if (!status && q->bound.none)
        status = swq_fail(ctx, SWQ_EINVAL, "--traffic: there is no bound: %s", q->bound.none);
    return status;
}

static void put_model(cli_record *root, const bound_question *q)
{
    cli_record *model = cli_quietly(cli_put_group(root, "model", NULL));
    const char *pattern = cli_network_text("traffic"), *hot = cli_network_text("hot-spots");
    const swq_routing *routing = q->n.network.shape.routing;
    char shape[300], traffic[700];

    snprintf(traffic, sizeof traffic, "%s%s%s", pattern ? pattern : "uniform",
             hot ? ", hot spots " : "", hot ? hot : "");
    cli_put_shape(model, &q->n);
    cli_put_routing(model, &q->n.network);
    cli_put_word(model, "traffic", traffic);
    cli_parameters_put(model, own_parameters, q);
    q->n.network.shape.kind->describe(&q->n.fabric, shape, sizeof shape);
    const char *fail = cli_async_text("fail");
    const char *routes = cli_async_text("routes"), *changed = fail ? fail : routes;
    const char *via = cli_async_text("via");
    const bool any = q->how.paths == SWQ_PATHS_ANY;
    cli_say(root, "%s%s%s; routing %s%s%s, traffic %s%s%s", shape,
            fail     ? ", fail "
            : routes ? ", routes "
                     : "",
            changed ? changed : "", routing ? routing->name : swq_routing_deterministic.name,
            via ? " via " : "", via ? via : "", traffic, any ? "" : ", paths ",
            any ? "" : path_words[q->how.paths]);
    cli_say(root, "%s", "");
}

static void put_ceiling(cli_record *result, const swq_ceiling *c)
{
    cli_labelled(cli_put_number(result, "ceiling", c->throughput), "ceiling by the routing");
    cli_quietly(cli_put_number(result, "ceiling_load", c->load));
    cli_quietly(cli_put_word(result, "ceiling_from", c->none ? NULL : c->from));
    cli_quietly(cli_put_word(result, "ceiling_to", c->none ? NULL : c->to));
    cli_quietly(cli_put_word(result, "no_ceiling", c->none));
    if (c->none)
        cli_say(result, "  no ceiling by the routing: %s", c->none);
    else
        cli_say(result,
                "                         (at a load of %.6g, when the link from %s to %s is "
                "always busy)",
                c->load, c->from, c->to);
}

static void put_bound(cli_record *result, const swq_bound *b, bool any)
{
    const double links = isinf(b->links_load) ? NAN : b->links_load;

    cli_labelled(cli_put_number(result, "throughput_bound", b->throughput),
                 any ? "bound for any routing" : "bound for these ways");
    cli_quietly(cli_put_number(result, "load_bound", b->load));
    cli_quietly(cli_put_number(result, "links_bound", links));
    cli_quietly(cli_put_number(result, "nodes_bound", b->nodes_load));
    cli_quietly(cli_put_number(result, "flow_load", b->flow_load));
    cli_say(result,
            "                         (at a load of %.6g: links of nodes %.6g, others %.6g)",
            b->load, b->nodes_load, b->links_load);
    if (!isnan(b->flow_load))
        cli_say(result, "                         (a flow that the others carry: load %.6g)",
                b->flow_load);
    else if (!isnan(links))
        cli_say(result,
                "                         (proven; how much less can be carried is not known)");
}

static cli_record *record_of(const bound_question *q)
{
    const swq_bound *b = &q->bound;
    cli_record *root = cli_record_new("switchq/bound/1");

    put_model(root, q);
    cli_record *result = cli_the_result(cli_put_group(root, "result", NULL));
    put_ceiling(result, &q->ceiling);
    put_bound(result, b, q->how.paths == SWQ_PATHS_ANY);
    cli_record *program = cli_quietly(cli_put_group(root, "program", NULL));
    cli_put_count(program, "program_columns", b->columns);
    cli_put_count(program, "program_rows", b->rows);
    cli_put_count(program, "program_bytes", b->bytes);
    cli_put_count(program, "switch_links", b->links);
    return root;
}

static int run(swq_context *ctx, const cli_command *self, int argc, const char **argv)
{
    bound_question q = {.n = {.graph = NULL}};
    cli_record *root = NULL;
    const int end = cli_read_options(ctx, self, options, argc, argv, NULL, 0);

    if (end >= 0)
        return end;
    swq_status status = cli_format_read(ctx, &format);
    if (!status)
        status = refuse_others(ctx);
    if (!status)
        status = read_question(ctx, &q);
    if (!status)
        status = answer(ctx, &q);
    if (!status) {
        root = record_of(&q);
        status = cli_record_print(ctx, root, format);
    }
    cli_async_clear(ctx, &q.n);
    return status ? cli_fail(ctx, status) : CLI_OK;
}

const cli_command cli_bound = {
    .name = "bound",
    .plugins = true,
    .usage = "--topology NAME [OPTION...]",
    .common = "topology dims hosts routing traffic paths json",
    .summary = "what a network's links can carry, by its routing and by any routing",
    .notes =
        "Links carry a byte a cycle, and loads are bytes per node and cycle. The ceiling is of "
        "the routing itself, the bound of any ways, by linear programming and proven. "
        "docs/bound.md says what each is.\n",
    .examples = "  switchq bound --topology mesh --dims 4x4\n"
                "  switchq bound --topology dragonfly --hosts 2 --traffic tornado\n"
                "  switchq bound --topology dragonfly --hosts 1 --traffic tornado --routing ugal "
                "--paths minimal+valiant\n"
                "  switchq bound --topology hyperx --dims 4x4 --hosts 2 --routing valiant --json\n",
    .refuses = refuses,
    .run = run,
};
