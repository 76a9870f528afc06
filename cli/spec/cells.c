/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options of ATLAS-I: the credits of links and flow groups. Room: cli.
 */
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/spec/async.h"
#include "cli/spec/engine.h"
#include "sim/traffic/multicast.h"

#include <stdio.h>

static struct {
    char *pool, *each, *node, *credit, *multicast;
} given;

const char *const cli_group_credit_words[] = {"queue", "departure", NULL};
const char *const cli_multicast_queue_words[] = {"switch", "output", NULL};

#define TEXT(name, member, help, argument)                                                         \
    {                                                                                              \
        name, '\0', POPT_ARG_STRING, &given.member, SWQ_ENGINE_ASYNC, help, argument               \
    }

struct poptOption cli_cells_options[] = {
    TEXT("pool-cells", pool,
         "atlas: cells for which a link has room in the buffer of the next switch, which has that "
         "many for each port (default 16)",
         "B"),
    TEXT("lane-cells", each,
         "atlas: how many of these cells may belong to one flow group, which is a destination "
         "(default 1)",
         "N"),
    TEXT("node-cells", node,
         "atlas: cells that a node keeps, in a list for each flow group as in switches; 0: it "
         "sends one cell after the other (default 0)",
         "N"),
    TEXT("group-credit", credit,
         "atlas: a cell takes the credit of its flow group as it joins the queue of its output "
         "(default), or as it leaves",
         "queue|departure"),
    TEXT("multicast-queue", multicast,
         "atlas: multicast cells wait in one queue a switch and priority, and only the first of "
         "them "
         "is copied to its outputs (default), or each is copied to the queues of its outputs as it "
         "comes",
         "switch|output"),
    POPT_TABLEEND,
};

swq_status cli_cells_refuse(swq_context *ctx, const swq_architecture *row)
{
    const struct {
        const char *option, *text;
    } owned[] = {{"pool-cells", given.pool},
                 {"lane-cells", given.each},
                 {"node-cells", given.node},
                 {"group-credit", given.credit},
                 {"multicast-queue", given.multicast}};

    for (size_t k = 0; k < sizeof owned / sizeof *owned && !row->flow_groups; k++) {
        if (owned[k].text)
            return swq_fail(ctx, SWQ_EINVAL, "--%s is for --architecture atlas, not for %s",
                            owned[k].option, row->name);
    }
    if (row->flow_groups && cli_text(cli_async_options, "bytes"))
        return swq_fail(ctx, SWQ_EINVAL,
                        "--bytes is not for --architecture %s, which has --pool-cells", row->name);
    return SWQ_OK;
}

swq_status cli_cells_read(swq_context *ctx, cli_async *n)
{
    swq_async *net = &n->network;
    const char *lanes = cli_text(cli_lanes_options, "lanes");
    swq_status status = SWQ_OK;
    int when = 0, where = 0;

    if (!net->architecture->flow_groups)
        return SWQ_OK;
    net->link_rest = 0; /* by default */
    if (given.pool)
        status =
            cli_integer(ctx, "pool-cells", given.pool, 1, SWQ_MAX_POOL_CELLS, &net->pool_cells);
    if (!status && given.each)
        status = cli_integer(ctx, "lane-cells", given.each, 1, net->pool_cells, &net->lane_cells);
    if (!status && given.node)
        status =
            cli_integer(ctx, "node-cells", given.node, 0, SWQ_MAX_POOL_CELLS, &net->node_cells);
    if (!status && given.credit)
        status = cli_word(ctx, "group-credit", given.credit, cli_group_credit_words, &when);
    net->group_credit_at_departure = when == 1;
    if (!status && given.multicast)
        status =
            cli_word(ctx, "multicast-queue", given.multicast, cli_multicast_queue_words, &where);
    net->multicast_at_outputs = where == 1;
    if (!status && lanes)
        status = cli_integer(ctx, "lanes", lanes, 1, SWQ_MAX_FLOW_GROUPS, &net->group_lanes);
    n->bytes = net->pool_cells * net->max_packet;
    return status;
}

swq_status cli_cells_finish(swq_context *ctx, const cli_async *n)
{
    if (given.multicast && !swq_multicast_asked(&n->network))
        return swq_fail(ctx, SWQ_EINVAL,
                        "--multicast-queue %s has no effect: no --traffic is multicast:K or "
                        "all:MASK:VALUE",
                        given.multicast);
    return SWQ_OK;
}

void cli_put_cells(cli_record *model, const swq_async *net)
{
    if (!net->architecture->flow_groups)
        return;
    cli_put_count(model, "pool_cells", (uint64_t)net->pool_cells);
    cli_put_count(model, "lane_cells", (uint64_t)net->lane_cells);
    cli_put_count(model, "lanes", (uint64_t)net->group_lanes);
    cli_put_count(model, "node_cells", (uint64_t)net->node_cells);
    cli_put_word(model, "group_credit", cli_group_credit_words[net->group_credit_at_departure]);
    if (swq_multicast_asked(net))
        cli_put_word(model, "multicast_queue",
                     cli_multicast_queue_words[net->multicast_at_outputs]);
}

void cli_say_cells(cli_record *root, const cli_async *n)
{
    const swq_async *net = &n->network;
    char nodes[80] = "", each[40] = "";
    const bool several = swq_multicast_asked(net);
    const char *copied = net->multicast_at_outputs ? "; multicast cells are copied as they come"
                                                   : "; one multicast queue a switch";
    int priorities = 1;

    if (!net->architecture->flow_groups)
        return;
    if (net->node_cells)
        snprintf(nodes, sizeof nodes, "; nodes keep %d cells, with a list for each flow group",
                 net->node_cells);
    for (int g = 0; g < net->groups; g++)
        priorities = net->group[g].priority >= priorities ? net->group[g].priority + 1 : priorities;
    if (priorities > 1)
        snprintf(each, sizeof each, " for each of %d priorities", priorities);
    cli_say(root,
            "%s: %d cells a switch%s, %d of them for each link, %d of these for a flow group (a "
            "destination%s), of which at most %d use a link at once%s%s; credit delay %d%s",
            net->architecture->name, net->pool_cells * n->fabric.ports, each, net->pool_cells,
            net->lane_cells, several ? ", or a set of them" : "", net->group_lanes,
            net->group_credit_at_departure ? ", with credits taken at departure" : "",
            several ? copied : "", net->credit_delay, nodes);
}
