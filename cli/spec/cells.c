/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options of ATLAS-I: the credits of links and flow groups.
 */
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/spec/async.h"
#include "sim/traffic/multicast.h"

#include <stdio.h>

CLI_PROPERTY(has_groups, swq_architecture, async.flow_groups)
static int pool_cells(const void *spec)
{
    return ((const cli_async *)spec)->network.architecture.cells.pool;
}

static bool is_multicast(const void *spec)
{
    return swq_multicast_asked(&((const cli_async *)spec)->network);
}

/* Puts the cells of a lane, and the number of flow groups, which --lanes gives. */
static void put_lane_cells(cli_record *model, const void *spec)
{
    const swq_async *net = &((const cli_async *)spec)->network;

    cli_put_count(model, "lane_cells", (uint64_t)net->architecture.cells.lane);
    cli_put_count(model, "lanes", (uint64_t)net->architecture.cells.groups);
}

#define CELLS               .takers = {{&cli_by_architecture, has_groups}}
#define FIELD(kind, member) CLI_AT(kind, cli_async, network.member)

cli_parameter cli_cells_parameters[] = {
    {CLI_OPTION("pool-cells", "B", SWQ_ENGINE_ASYNC), FIELD(CLI_INT, architecture.cells.pool),
     CLI_FROM(1, SWQ_MAX_POOL_CELLS), CELLS,
     .about = "cells for which a link has room in the buffer of the next switch, which has that "
              "many for each port",
     .key = "pool_cells", .unit = "cells",
     CLI_DEFAULTS({CLI_ATLAS_LINE, "16", "of the chip's 256 cells, for each of its 16 ports"})},
    {CLI_OPTION("lane-cells", "N", SWQ_ENGINE_ASYNC), FIELD(CLI_INT, architecture.cells.lane),
     .least = 1, .highest = pool_cells, CELLS, .put = put_lane_cells,
     .about = "how many of these cells may belong to one flow group, which is a destination",
     .key = "lane_cells", .unit = "cells",
     CLI_DEFAULTS({CLI_ATLAS_LINE, "1", "the chip's round trip is shorter than a cell"})},
    {CLI_OPTION("node-cells", "N", SWQ_ENGINE_ASYNC), FIELD(CLI_INT, architecture.cells.node),
     CLI_FROM(0, SWQ_MAX_POOL_CELLS), CELLS,
     .about = "cells that a node keeps, in a list for each flow group as in switches; 0: it sends "
              "one cell after the other",
     .key = "node_cells", .unit = "cells",
     CLI_DEFAULTS({CLI_ATLAS_LINE, "0", "senders work as with other architectures"})},
    {CLI_OPTION("group-credit", "queue|departure", SWQ_ENGINE_ASYNC),
     FIELD(CLI_EITHER, architecture.cells.credit_at_departure), CLI_WORDS_OF("queue", "departure"),
     CELLS,
     .about = "a cell takes the credit of its flow group as it joins the queue of its output "
              "(queue), or as it leaves (departure)",
     .key = "group_credit",
     CLI_DEFAULTS({CLI_ATLAS_LINE, "queue", "Fig. 9 of document 001 comes out so"})},
    {CLI_OPTION("multicast-queue", "switch|output", SWQ_ENGINE_ASYNC),
     FIELD(CLI_EITHER, architecture.cells.copied_at_arrival), CLI_WORDS_OF("switch", "output"),
     CELLS,
     .about = "multicast cells wait in one queue a switch and priority, and only the first of them "
              "is copied to its outputs (switch), or each is copied to the queues of its outputs "
              "as it comes (output)",
     .key = "multicast_queue", .shown = is_multicast,
     CLI_DEFAULTS({CLI_ATLAS_LINE " --traffic multicast:2", "switch",
                   "of the chip's 54 queues one in each priority is for multicast"})},
    CLI_PARAMETERS_END,
};

swq_status cli_cells_read(swq_context *ctx, cli_async *n)
{
    swq_async *net = &n->network;

    if (!net->architecture.row->async.flow_groups)
        return SWQ_OK;
    net->link.rest = 0; /* by default */
    swq_status status = cli_parameters_read(ctx, cli_cells_parameters, n);
    if (!status)
        status = cli_parameter_read(ctx, cli_lanes_parameters, "lanes", n);
    n->bytes = net->architecture.cells.pool * net->packet.max;
    return status;
}

swq_status cli_cells_finish(swq_context *ctx, const cli_async *n)
{
    const char *queue = cli_async_text("multicast-queue");

    if (queue && !swq_multicast_asked(&n->network))
        return swq_fail(ctx, SWQ_EINVAL,
                        "--multicast-queue %s has no effect: no --traffic is multicast:K or "
                        "all:MASK:VALUE",
                        queue);
    return SWQ_OK;
}
