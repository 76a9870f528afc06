/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options of congestion management, and their description in words.
 */
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/spec/async.h"

#include <math.h>

#define DBBM "sim --engine async --management dbbm --xoff 4"
#define LECN "sim --engine async --architecture cioq --management lecn"

const cli_owner cli_by_management = {"management", "--management ",
                                     (const void *const *)swq_managements,
                                     offsetof(cli_async, network.management.row), NULL};

/* Has the row queues of its own, in place of buffers? */
static bool has_queues(const void *row)
{
    const swq_management *management = row;
    return management->hooks || management->stores;
}

static bool has_stop(const void *row)
{
    return has_queues(row) && !((const swq_management *)row)->tells_upstream;
}

cli_parameter cli_management_parameters[] = {
    {CLI_OPTION("management", "NAME", SWQ_ENGINE_ASYNC), .plain = "none",
     CLI_AT(CLI_NAMED, cli_async, network.management.row), CLI_ROWS_OF(swq_managements),
     .list = "managements",
     .about = "queues in each buffer that keep congested packets away from others, in place of "
              "--buffer: 'switchq list managements'",
     .key = "management", CLI_DEFAULTS({"sim --engine async --buffer damq", "none", "likewise"})},
    {CLI_OPTION("xoff", "P", SWQ_ENGINE_ASYNC), .axis = CLI_AXIS_WHOLE,
     .takers = {{&cli_by_management, has_stop}},
     .about = "a queue that holds P packets of the greatest length, or as many bytes, tells its "
              "sender to stop",
     .key = "xoff", .unit = "packets",
     .preset = "default: no such limit; recn-iq, recn, "
               "recn-enhanced, fbicm: 10",
     CLI_DEFAULTS({CLI_RECN_IQ_LINE, "10", "as in document 000"},
                  {CLI_RECN_LINE, "10", "as in document 000"})},
    {CLI_OPTION("xon", "P", SWQ_ENGINE_ASYNC), .axis = CLI_AXIS_WHOLE,
     .takers = {{&cli_by_management, has_queues}},
     .about =
         "a queue lets its sender go on when at most P packets are left; with set-aside queues "
         "and lecn, fewer than P",
     .preset = "default half of --xoff; with set-aside queues 5, or --xoff where that is less; "
               "lecn: 1",
     .key = "xon", .unit = "packets",
     CLI_DEFAULTS({DBBM, "(2)", "half of --xoff"}, {LECN, "1", "empty"},
                  {CLI_RECN_IQ_LINE, "5", "as in document 000"},
                  {CLI_RECN_LINE, "5", "as in document 000"})},
    CLI_PARAMETERS_END,
};

bool cli_managed(const swq_async *n)
{
    return n->management.row->hooks != NULL;
}

swq_status cli_management_find(swq_context *ctx, cli_async *read)
{
    swq_async *n = &read->network;
    swq_status status = cli_parameter_read(ctx, cli_management_parameters, "management", read);

    if (!status)
        status = cli_refuse_idle(ctx, cli_async_options, &cli_by_management, read);
    if (!status)
        status = cli_refuse_idle(ctx, cli_network_options, &cli_by_management, read);
    if (!status && has_queues(n->management.row) && !n->architecture.row->async.input_buffers)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--management %s is for --architecture input-queued and cioq, not for %s",
                          n->management.row->name, n->architecture.row->name);
    if (!status && cli_set_aside(n))
        cli_saqs_defaults(n);
    return status;
}

/* Reads the thresholds of a management that detects congestion in the stores before links. The
 * memory of these stores is read later, so the thresholds are not compared with it here. */
static swq_status read_upstream(swq_context *ctx, swq_async *n)
{
    const char *detect = cli_async_text("detect"), *xon = cli_async_text("xon");
    swq_status status = SWQ_OK;

    n->management.detect = n->management.row->default_detect;
    n->management.xon = n->management.row->default_xon;
    if (detect)
        status =
            cli_integer(ctx, "detect", detect, 1, SWQ_MAX_BUFFER_BLOCKS, &n->management.detect);
    if (!status && xon)
        status = cli_integer(ctx, "xon", xon, 1, n->management.detect, &n->management.xon);
    return status;
}

/* Suggests fewer, longer blocks, which may suffice: a packet takes whole blocks. */
static swq_status too_many_blocks(swq_context *ctx, const cli_async *read, int least)
{
    const swq_async *n = &read->network;
    const int queues = swq_management_queues(n, &read->fabric, false);

    if (n->packet.block >= n->packet.max)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--management %s has %d queues in each memory here, which would need %d "
                        "blocks; at most %d are possible",
                        n->management.row->name, queues, least, SWQ_MAX_BUFFER_BLOCKS);
    return swq_fail(ctx, SWQ_EINVAL,
                    "--block %d is too short for --management %s here: %d packets for each of %d "
                    "queues would take %d blocks, and a memory has at most %d; %s --block %d",
                    n->packet.block * read->flit, n->management.row->name, SWQ_LEAST_PART, queues,
                    least, SWQ_MAX_BUFFER_BLOCKS,
                    queues > SWQ_MAX_BUFFER_BLOCKS / SWQ_LEAST_PART ? "not even enough is"
                                                                    : "long enough is",
                    n->packet.max * read->flit);
}

/* If each queue has its own part of the memory, enlarges the memory to the size that the parts
 * need; the output says so. */
static swq_status grow(swq_context *ctx, cli_async *read)
{
    swq_async *n = &read->network;
    const int least = swq_management_least(n, &read->fabric, false);

    if (n->memory.buffer.capacity >= least)
        return SWQ_OK;
    if (least > SWQ_MAX_BUFFER_BLOCKS)
        return too_many_blocks(ctx, read, least);
    read->grown_inputs = read->bytes;
    read->bytes = least * n->packet.block;
    return swq_async_memory(ctx, n, read->bytes);
}

void cli_management_grow_outputs(cli_async *read)
{
    swq_async *n = &read->network;
    const int least = cli_managed(n) ? swq_management_least(n, &read->fabric, true) : 0;

    if (!n->architecture.row->async.output_stores || n->architecture.output.blocks >= least)
        return;
    read->grown_outputs = n->architecture.output.blocks * n->packet.block;
    n->architecture.output.blocks = least;
}

swq_status cli_management_read(swq_context *ctx, cli_async *read)
{
    swq_async *n = &read->network;
    const char *queues = cli_network_text("queues"), *xoff = cli_async_text("xoff"),
               *xon = cli_async_text("xon");

    if (cli_set_aside(n))
        return cli_saqs_read(ctx, read);
    swq_status status = swq_async_memory(ctx, n, read->bytes);
    if (!status)
        status = grow(ctx, read);
    const int most = status ? 1
                            : n->memory.buffer.capacity /
                                  ((n->packet.max + n->packet.block - 1) / n->packet.block);

    if (!status && n->management.row->tells_upstream)
        return read_upstream(ctx, n);
    if (!status)
        status = cli_parameters_read(ctx, cli_interface_parameters, read);
    n->management.queues = n->management.row->default_queues;
    if (!status && queues)
        status = cli_integer(ctx, "queues", queues, 1, SWQ_MAX_STORE_QUEUES, &n->management.queues);
    if (!status && xoff)
        status = cli_integer(ctx, "xoff", xoff, 1, most > 1 ? most : 1, &n->management.xoff);
    if (!status && xon && !xoff)
        status = swq_fail(ctx, SWQ_EINVAL, "--xon needs --xoff, the packets at which to stop");
    n->management.xon = n->management.xoff / 2;
    if (!status && xon)
        status = cli_integer(ctx, "xon", xon, 0, n->management.xoff - 1, &n->management.xon);
    return status;
}

/* ---- output ---- */

void cli_say_grown(cli_record *root, const cli_async *n)
{
    const swq_management *row = n->network.management.row;

    if (n->grown_inputs)
        cli_say(
            root,
            "%s: the memory of an input port is grown from %d bytes, to hold %d packets of each "
            "queue",
            row->name, n->grown_inputs, SWQ_LEAST_PART);
    if (n->grown_outputs)
        cli_say(root,
                "%s: the memory before a link is grown from %d bytes, to hold %d packets of each "
                "queue",
                row->name, n->grown_outputs, SWQ_LEAST_PART);
}

static int queues_of(const cli_async *n, bool output)
{
    return swq_management_queues(&n->network, &n->fabric, output);
}

void cli_put_management(cli_record *model, const cli_async *n)
{
    const swq_async *net = &n->network;

    cli_put_word(model, "management", net->management.row->name);
    if (cli_set_aside(net))
        cli_put_saqs(model, n);
    if (!cli_managed(net))
        return;
    cli_put_count(model, "input_queues", (uint64_t)queues_of(n, false));
    if (net->architecture.row->async.output_stores)
        cli_put_count(model, "output_queues", (uint64_t)queues_of(n, true));
    cli_put_number(model, "xoff", net->management.xoff ? net->management.xoff : NAN);
    cli_put_number(model, "xon",
                   net->management.xoff || net->management.row->tells_upstream ? net->management.xon
                                                                               : NAN);
    if (net->management.row->tells_upstream)
        cli_put_count(model, "detect", (uint64_t)net->management.detect);
    cli_put_interfaces(model, n);
}
