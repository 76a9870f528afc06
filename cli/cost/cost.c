/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq cost: what a switch costs, from the options that describe it to a simulation.
 */
#include "cli/cost/cost.h"
#include "base/context.h"
#include "cli/datacentre/datacentre.h"
#include "cli/options/parameter.h"
#include "cli/options/parse.h"
#include "cli/options/words.h"
#include "cli/record/format.h"
#include "cli/sim/sim.h"
#include "cli/spec/async.h"
#include "cli/spec/engine.h"

#include <string.h>

static cli_format format;
static char *terms_path;
static int whole_network;

static struct poptOption cost_options[] = {
    CLI_TEXT_ROW("cost-file", "FILE", &terms_path,
                 "terms of the cost that differ from the default, by name (YAML or JSON)"),
    CLI_FLAG_ROW(
        "network", &whole_network,
        "also what the network costs: its switches, and its cables by length between racks"),
    CLI_TABLE(cli_engine_options, NULL),
    POPT_TABLEEND,
};

static struct poptOption options[] = {
    CLI_TABLE(cli_network_options, "The switch, and its network (traffic does not matter):"),
    CLI_TABLE(cli_async_options,
              "Only asynchronous networks (--engine async; torus, mesh, hypercube):"),
    CLI_TABLE(cli_datacentre_options, "Switches of data centres (--architecture shared-memory):"),
    CLI_TABLE(cost_options, "The cost:"),
    CLI_TABLE(cli_format_options, "Output:"),
    POPT_TABLEEND,
};

/* Is the option about traffic, time or which packets are lost, which do not affect cost? */
static bool is_costless(const struct poptOption *option)
{
    const cli_parameter *parameter = cli_parameter_of(option);
    return parameter && parameter->costless;
}

bool cli_cost_refuses(const char *option)
{
    const struct poptOption *o = cli_option_named(options, option, strlen(option));

    return o && is_costless(o);
}

static swq_status refuse_what_has_no_say(swq_context *ctx)
{
    cli_options_walk w = cli_walk_options(options);

    for (const struct poptOption *o; (o = cli_next_option(&w));) {
        if (is_costless(o) && cli_is_given(o))
            return swq_fail(ctx, SWQ_EINVAL,
                            "--%s is about traffic, time or which packets are lost, which do not "
                            "affect what a switch costs",
                            o->longName);
    }
    return SWQ_OK;
}

/* The switch, for programs: as a simulation's model, without its traffic. */
static cli_record *put_spec(cli_record *root)
{
    return cli_not_in_csv(cli_quietly(cli_put_group(root, "costed", NULL)));
}

static void drop_traffic(cli_record *spec)
{
    static const char *const fields[] = {"load",    "traffic", "groups",
                                         "senders", "sources", "burst"};
    cli_record *model = cli_record_child(spec, "model");

    for (size_t k = 0; model && k < sizeof fields / sizeof *fields; k++)
        cli_record_drop(model, fields[k]);
}

static swq_status cost_of_stages(swq_context *ctx, const swq_cost_terms *terms, cli_record *root)
{
    cli_network n;
    swq_cost cost;

    if (whole_network)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--network is for asynchronous networks whose nodes send to and receive "
                        "from one switch, such as --topology dragonfly");
    swq_status status = cli_network_read(ctx, &n, CLI_LOAD_NONE);

    if (status)
        return status;
    status = swq_cost_stages(ctx, &n.network, n.nodes, terms, &cost);
    if (!status) {
        cli_record *spec = put_spec(root);
        cli_put_network(spec, &n);
        drop_traffic(spec);
        cli_say_question(root, spec);
        cli_say(root, "%s", "");
        cli_put_cost(root, &cost);
    }
    cli_network_clear(&n);
    return status;
}

static swq_status cost_of_async(swq_context *ctx, const swq_cost_terms *terms, cli_record *root)
{
    cli_async n;
    swq_cost cost;
    swq_status status = cli_async_read(ctx, &n, CLI_LOAD_NONE);

    if (status)
        return status;
    swq_cost_network_sums sums;
    status = swq_cost_async(ctx, &n.network, n.flit, terms, &cost);
    if (!status && whole_network)
        status = swq_cost_of_network(ctx, &n.network.shape, terms, &sums);
    if (!status) {
        cli_record *spec = put_spec(root);
        cli_put_async(spec, &n);
        drop_traffic(spec);
        cli_say_question(root, spec);
        cli_say(root, "%s", "");
        cli_put_cost(root, &cost);
        if (whole_network)
            cli_put_network_cost(root, &n.fabric, &sums);
    }
    cli_async_clear(ctx, &n);
    return status;
}

static swq_status cost_of_datacentre(swq_context *ctx, const swq_cost_terms *terms,
                                     cli_record *root)
{
    cli_datacentre d;
    swq_cost cost;

    if (whole_network)
        return swq_fail(
            ctx, SWQ_EINVAL,
            "--network is for networks whose nodes send to and receive from one switch, such as "
            "--topology dragonfly; of shared memories there is a cost of one switch alone");
    swq_status status = cli_datacentre_read_switch(ctx, &d);

    if (!status && d.dc.memory.cell == 1)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--cell must be 2 bytes or more: a list of cells of a byte, the default, "
                          "has pointers larger than its data (chips have 80 to 256 bytes)");
    if (!status)
        status = swq_cost_datacentre(ctx, &d.dc, terms, &cost);
    if (!status) {
        cli_record *spec = put_spec(root);
        cli_datacentre_put_switch(spec, &d);
        cli_say_question(root, spec);
        cli_say(root, "%s", "");
        cli_put_cost(root, &cost);
    }
    cli_datacentre_clear(ctx, &d);
    return status;
}

static int run(swq_context *ctx, const cli_command *self, int argc, const char **argv)
{
    const cli_engine *engine = NULL;
    swq_cost_terms terms;
    int end = cli_read_options(ctx, self, options, argc, argv, NULL, 0);

    if (end >= 0)
        return end;
    swq_status status = cli_format_read(ctx, &format);
    if (!status)
        status = refuse_what_has_no_say(ctx);
    const bool timed = cli_datacentre_asked();
    if (!status && !timed)
        status = cli_engine_choose(ctx, options, &engine);
    if (!status)
        status = cli_cost_terms_read(ctx, terms_path, &terms);
    if (status)
        return cli_fail(ctx, status);
    cli_record *root = cli_record_new("switchq/cost/1");
    status = timed                             ? cost_of_datacentre(ctx, &terms, root)
             : engine->bit == SWQ_ENGINE_ASYNC ? cost_of_async(ctx, &terms, root)
                                               : cost_of_stages(ctx, &terms, root);
    if (status) {
        cli_record_free(root);
        return cli_fail(ctx, status);
    }
    cli_put_cost_terms(root, &terms);
    status = cli_record_print(ctx, root, format);
    return status ? cli_fail(ctx, status) : CLI_OK;
}

const cli_command cli_cost = {
    .name = "cost",
    .plugins = true,
    .usage = "--buffer KIND --slots B [OPTION...]",
    .common = "topology ports buffer slots bytes architecture flow management cost-file json",
    .summary = "what a switch costs: bits of memory, crosspoints, wires",
    .notes = "Bits of memory, crosspoints and requests are counted for a switch, wires for a link. "
             "Each part has its rule and its source; docs/cost.md lists them all.\n",
    .examples = "  switchq cost --buffer damq --slots 4\n"
                "  switchq cost --engine async --buffer damq --bytes 96 --flow destination\n"
                "  switchq cost --engine async --ports 16 --stages 2 --management recn-iq\n"
                "  switchq cost --engine async --architecture hipiqs --bytes 1024 --json\n"
                "  switchq cost --topology dragonfly --hosts 4 --architecture wormhole --network\n"
                "  switchq cost --architecture shared-memory --ports 32 --memory 4MB --cell 208 "
                "--admission abm\n",
    .refuses = cli_cost_refuses,
    .run = run,
};
