/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options that say how a switch is built: its architecture and the sizes of its parts.
 * Room: cli.
 */
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/spec/async.h"
#include "cli/spec/engine.h"
#include "cli/spec/stages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *output_bytes, *crossbar_delay, *cut_through;

#define TEXT(name, member, help, argument)                                                         \
    {                                                                                              \
        name, '\0', POPT_ARG_STRING, &(member), SWQ_ENGINE_ASYNC, help, argument                   \
    }

struct poptOption cli_architecture_options[] = {
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_stage_network_options, 0, NULL, NULL},
    TEXT("output-bytes", output_bytes,
         "memory of the buffer before each link, if the architecture has one (default 128; cioq: "
         "as --bytes)",
         "B"),
    TEXT("crossbar-delay", crossbar_delay,
         "cycles from the start of a transfer through the crossbar until the packet can leave the "
         "output buffer (default 1)",
         "N"),
    TEXT(
        "cut-through", cut_through,
        "cioq: a packet leaves while it is still arriving (default), or when all of it has arrived",
        "on|off"),
    POPT_TABLEEND,
};

/* 2, 1.5 or 3/2 as a fraction. */
static swq_status read_speedup(swq_context *ctx, const char *speedup, swq_async *n)
{
    const char *slash = strchr(speedup, '/');
    double value;

    if (slash) {
        char *end;
        long bytes = strtol(speedup, &end, 10), cycles = strtol(slash + 1, NULL, 10);
        bool fine = end == slash && strspn(speedup, "0123456789/") == strlen(speedup) &&
                    !strchr(slash + 1, '/') && slash[1] && bytes >= cycles && cycles > 0 &&
                    bytes <= 1000000;
        if (!fine)
            return swq_fail(ctx, SWQ_EINVAL,
                            "--speedup must be a number from 1 on, or a fraction such as 3/2, not "
                            "'%.60s'",
                            speedup);
        n->speedup_bytes = (int)bytes;
        n->speedup_cycles = (int)cycles;
        return SWQ_OK;
    }
    swq_status status = cli_number(ctx, "speedup", speedup, 1, SWQ_MAX_FABRIC_PORTS, &value);
    if (status)
        return status;
    for (n->speedup_cycles = 1; n->speedup_cycles <= 1000; n->speedup_cycles++) {
        double bytes = value * n->speedup_cycles;
        n->speedup_bytes = (int)lround(bytes);
        if (fabs(bytes - n->speedup_bytes) < 1e-9 * bytes)
            return SWQ_OK;
    }
    return swq_fail(ctx, SWQ_EINVAL,
                    "--speedup must be a fraction with a denominator of at most 1000, not '%.60s'",
                    speedup);
}

/* Refuses options of other architectures. */
static swq_status refuse(swq_context *ctx, const swq_architecture *row)
{
    const struct {
        const char *option, *text, *what;
        bool has;
    } owned[] = {
        {"speedup", cli_stages_given().speedup, "cioq", row->output_stores && !row->at_once},
        {"cut-through", cut_through, "cioq", row->output_stores && !row->at_once},
        {"output-bytes", output_bytes, "cioq and output-queued", row->output_stores},
        {"crossbar-delay", crossbar_delay, "cioq and output-queued", row->output_stores},
        {"buffer", cli_text(cli_network_options, "buffer"), "input-queued and cioq",
         row->input_buffers},
        {"slots", cli_text(cli_network_options, "slots"), "input-queued and cioq",
         row->input_buffers},
        {"bytes", cli_text(cli_async_options, "bytes"), "input-queued, cioq and those in flits",
         row->input_buffers || row->stores},
        {"last-bytes", cli_text(cli_async_options, "last-bytes"), "input-queued",
         row == &swq_input_queued},
        {"threshold", cli_text(cli_async_options, "threshold"), "input-queued and cioq",
         row->input_buffers},
    };

    static const char *const of_buffers[] = {"queue-min", "queue-max", "alpha",
                                             "scope",     "queues",    "read",
                                             "pool-rule", "admission", NULL};

    for (int k = 0; of_buffers[k] && !row->input_buffers; k++) {
        const bool has = k == 0 && row->crosspoints; /* queue-min */
        if (cli_text(cli_network_options, of_buffers[k]) && !has)
            return swq_fail(ctx, SWQ_EINVAL, "--%s is for --architecture %s, not for %s",
                            of_buffers[k], "input-queued and cioq", row->name);
    }
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) {
        if (owned[k].text && !owned[k].has)
            return swq_fail(ctx, SWQ_EINVAL, "--%s is for --architecture %s, not for %s",
                            owned[k].option, owned[k].what, row->name);
    }
    const swq_status status = cli_stores_refuse(ctx, row);
    if (status)
        return status;
    const swq_status lanes = cli_lanes_refuse(ctx, row);
    return lanes ? lanes : cli_cells_refuse(ctx, row);
}

/* The architecture that the management `name` requires; a later check decides whether the two
 * fit. */
static const swq_architecture *by_management(const char *name)
{
    for (int k = 0; name && swq_managements[k]; k++) {
        if (strcmp(swq_managements[k]->name, name) == 0 && swq_managements[k]->needs_output_stores)
            return &swq_cioq;
    }
    return &swq_input_queued;
}

swq_status cli_architecture_find(swq_context *ctx, swq_async *n)
{
    const char *architecture = cli_stages_given().architecture;
    swq_status status =
        architecture ? swq_architecture_find(ctx, architecture, &n->architecture) : SWQ_OK;

    if (!architecture)
        n->architecture = by_management(cli_text(cli_management_options, "management"));

    return status ? status : refuse(ctx, n->architecture);
}

swq_status cli_architecture_read(swq_context *ctx, const cli_async *n, swq_async *net)
{
    static const char *const words[] = {"on", "off", NULL};
    const swq_architecture *row = net->architecture;
    const char *speedup = cli_stages_given().speedup;
    int bytes = n->bytes, off = 0;
    swq_status status = SWQ_OK;

    if (!row->output_stores)
        return SWQ_OK;
    net->speedup_bytes = row->at_once ? n->fabric.ports : 2;
    net->speedup_cycles = 1;
    if (net->management->needs_output_stores) { /* 1.5, as in the documents */
        net->speedup_bytes = 3;
        net->speedup_cycles = 2;
    }
    if (speedup)
        status = read_speedup(ctx, speedup, net);
    bytes *= n->flit;
    if (!row->input_buffers)
        bytes = 128;
    if (!status && output_bytes)
        status = cli_integer(ctx, "output-bytes", output_bytes, 1,
                             SWQ_MAX_BUFFER_BLOCKS * net->block * n->flit, &bytes);
    if (!status)
        status = cli_in_flits(ctx, n, "output-bytes", &bytes);
    net->output_blocks = bytes / net->block;
    if (!status && crossbar_delay)
        status = cli_integer(ctx, "crossbar-delay", crossbar_delay, 1, 4096, &net->crossbar_delay);
    if (!status && cut_through)
        status = cli_word(ctx, "cut-through", cut_through, words, &off);
    net->store_and_forward = off || row->at_once;
    return status;
}
