/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options of congestion management, and their description in words.
 * Room: cli.
 */
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/spec/async.h"
#include "cli/spec/engine.h"

#include <math.h>

static char *management, *xoff, *xon;

#define TEXT(name, member, help, argument)                                                         \
    {                                                                                              \
        name, '\0', POPT_ARG_STRING, &(member), SWQ_ENGINE_ASYNC, help, argument                   \
    }

struct poptOption cli_management_options[] = {
    TEXT("management", management,
         "queues in each buffer that keep congested packets away from others, in place of "
         "--buffer: 'switchq list managements' (default none)",
         "NAME"),
    TEXT("xoff", xoff,
         "--management: a queue that holds P packets of the greatest length, or as many bytes, "
         "tells its sender to stop",
         "P"),
    TEXT("xon", xon,
         "--management: a queue lets its sender go on when at most P packets are left (default "
         "half of --xoff); with set-aside queues (default 5, or --xoff where that is less) and "
         "lecn (default 1), fewer than P",
         "P"),
    POPT_TABLEEND,
};

static const char *text_of(const char *option)
{
    return cli_text(cli_network_options, option);
}

bool cli_managed(const swq_async *n)
{
    return n->management->hooks != NULL;
}

/* Refuses options that describe the queues of ordinary buffers. */
static swq_status refuse(swq_context *ctx, const swq_management *row)
{
    static const char *const of_buffers[] = {"buffer", "queue-min", "queue-max", "alpha", "scope",
                                             "read",   "pool-rule", "admission", NULL};

    for (int k = 0; of_buffers[k]; k++) {
        if (text_of(of_buffers[k]))
            return swq_fail(ctx, SWQ_EINVAL,
                            "--%s describes the buffers of --management none: %s has queues of its "
                            "own, which share --bytes",
                            of_buffers[k], row->name);
    }
    if (text_of("queues") && !row->default_queues)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--queues is for --management dbbm, not for %s, which has a number of its "
                        "own",
                        row->name);
    return SWQ_OK;
}

swq_status cli_management_find(swq_context *ctx, swq_async *n)
{
    swq_status status = management ? swq_management_find(ctx, management, &n->management) : SWQ_OK;

    if (!status)
        status = cli_saqs_refuse(ctx, n);
    if (status)
        return status;
    if (cli_set_aside(n))
        cli_saqs_defaults(n);
    else if (!cli_managed(n)) {
        if (xoff || xon)
            return swq_fail(ctx, SWQ_EINVAL,
                            "--%s is for the queues of a --management, not for none",
                            xoff ? "xoff" : "xon");
        return SWQ_OK;
    }
    if (!n->architecture->input_buffers)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--management %s is for --architecture input-queued and cioq, not for %s",
                        n->management->name, n->architecture->name);
    return refuse(ctx, n->management);
}

/* Thresholds of stores before links, whose memory is read later. */
static swq_status read_upstream(swq_context *ctx, swq_async *n)
{
    const char *detect = cli_text(cli_saqs_options, "detect");
    swq_status status = SWQ_OK;

    if (xoff)
        return swq_fail(ctx, SWQ_EINVAL, "--xoff is not for --management %s, which has --detect",
                        n->management->name);
    n->detect = n->management->default_detect;
    n->xon = n->management->default_xon;
    if (detect)
        status = cli_integer(ctx, "detect", detect, 1, SWQ_MAX_BUFFER_BLOCKS, &n->detect);
    if (!status && xon)
        status = cli_integer(ctx, "xon", xon, 1, n->detect, &n->xon);
    return status;
}

/* Suggests fewer, longer blocks, which may suffice: a packet takes whole blocks. */
static swq_status too_many_blocks(swq_context *ctx, const cli_async *read, int least)
{
    const swq_async *n = &read->network;
    const int queues = swq_management_queues(n, &read->fabric, false);

    if (n->block >= n->max_packet)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--management %s has %d queues in each memory here, which would need %d "
                        "blocks; at most %d are possible",
                        n->management->name, queues, least, SWQ_MAX_BUFFER_BLOCKS);
    return swq_fail(ctx, SWQ_EINVAL,
                    "--block %d is too short for --management %s here: %d packets for each of %d "
                    "queues would take %d blocks, and a memory has at most %d; %s --block %d",
                    n->block * read->flit, n->management->name, SWQ_LEAST_PART, queues, least,
                    SWQ_MAX_BUFFER_BLOCKS,
                    queues > SWQ_MAX_BUFFER_BLOCKS / SWQ_LEAST_PART ? "not even enough is"
                                                                    : "long enough is",
                    n->max_packet * read->flit);
}

/* If each queue has its own part of the memory, enlarges the memory to the size that the parts
 * need; the output says so. */
static swq_status grow(swq_context *ctx, cli_async *read)
{
    swq_async *n = &read->network;
    const int least = swq_management_least(n, &read->fabric, false);

    if (n->buffer.capacity >= least)
        return SWQ_OK;
    if (least > SWQ_MAX_BUFFER_BLOCKS)
        return too_many_blocks(ctx, read, least);
    read->grown_inputs = read->bytes;
    read->bytes = least * n->block;
    return swq_async_memory(ctx, n, read->bytes);
}

void cli_management_grow_outputs(cli_async *read)
{
    swq_async *n = &read->network;
    const int least = cli_managed(n) ? swq_management_least(n, &read->fabric, true) : 0;

    if (!n->architecture->output_stores || n->output_blocks >= least)
        return;
    read->grown_outputs = n->output_blocks * n->block;
    n->output_blocks = least;
}

swq_status cli_management_read(swq_context *ctx, cli_async *read)
{
    swq_async *n = &read->network;
    const char *queues = text_of("queues");

    if (cli_set_aside(n))
        return cli_saqs_read(ctx, read, xoff, xon);
    swq_status status = swq_async_memory(ctx, n, read->bytes);
    if (!status)
        status = grow(ctx, read);
    const int most = status ? 1 : n->buffer.capacity / ((n->max_packet + n->block - 1) / n->block);

    if (!status && n->management->tells_upstream)
        return read_upstream(ctx, n);
    if (!status)
        status = cli_interface_read(ctx, n);
    n->queues = n->management->default_queues;
    if (!status && queues)
        status = cli_integer(ctx, "queues", queues, 1, SWQ_MAX_STORE_QUEUES, &n->queues);
    if (!status && xoff)
        status = cli_integer(ctx, "xoff", xoff, 1, most > 1 ? most : 1, &n->xoff);
    if (!status && xon && !xoff)
        status = swq_fail(ctx, SWQ_EINVAL, "--xon needs --xoff, the packets at which to stop");
    n->xon = n->xoff / 2;
    if (!status && xon)
        status = cli_integer(ctx, "xon", xon, 0, n->xoff - 1, &n->xon);
    return status;
}

/* ---- output ---- */

void cli_say_grown(cli_record *root, const cli_async *n)
{
    const swq_management *row = n->network.management;

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

void cli_management_words(const cli_async *n, char *text, size_t size)
{
    const swq_async *net = &n->network;

    if (cli_set_aside(net)) {
        cli_saqs_words(n, text, size);
        return;
    }
    const int inputs = queues_of(n, false), outputs = queues_of(n, true);
    char at_outputs[60] = "", notices[80] = "";

    if (net->architecture->output_stores)
        snprintf(at_outputs, sizeof at_outputs, " and %d before each link", outputs);
    if (net->management->tells_upstream)
        snprintf(notices, sizeof notices, ", congested above %d packets, relieved below %d",
                 net->detect, net->xon);
    if (net->xoff)
        snprintf(notices, sizeof notices, ", Xoff at %d packets, Xon at %d", net->xoff, net->xon);
    snprintf(text, size, "%s, %d queue%s per input port%s%s; ", net->management->name, inputs,
             inputs == 1 ? "" : "s", at_outputs, notices);
}

void cli_put_management(cli_record *model, const cli_async *n)
{
    const swq_async *net = &n->network;

    cli_put_word(model, "management", net->management->name);
    if (cli_set_aside(net))
        cli_put_saqs(model, net);
    if (!cli_managed(net))
        return;
    cli_put_count(model, "input_queues", (uint64_t)queues_of(n, false));
    if (net->architecture->output_stores)
        cli_put_count(model, "output_queues", (uint64_t)queues_of(n, true));
    cli_put_number(model, "xoff", net->xoff ? net->xoff : NAN);
    cli_put_number(model, "xon", net->xoff || net->management->tells_upstream ? net->xon : NAN);
    if (net->management->tells_upstream)
        cli_put_count(model, "detect", (uint64_t)net->detect);
    cli_put_interfaces(model, net);
}
