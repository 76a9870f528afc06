/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options that say how a switch is built: its architecture and the sizes of its parts.
 */
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/spec/async.h"
#include "cli/spec/stages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CIOQ "sim --architecture cioq --engine async"

const cli_owner cli_by_architecture = {"architecture", "", (const void *const *)swq_architectures,
                                       offsetof(cli_async, network.architecture.row), NULL};

CLI_PROPERTY(has_output_stores, swq_architecture, async.output_stores)

static bool has_slow_crossbar(const void *row)
{
    const swq_architecture *architecture = row;
    return architecture->async.output_stores && !architecture->async.at_once;
}

static int most_output_bytes(const void *spec)
{
    const cli_async *n = spec;
    return SWQ_MAX_BUFFER_BLOCKS * n->network.packet.block * n->flit;
}

/* The bytes of an output's memory as answers have them: those of its whole blocks. */
static double said_output_bytes(const void *spec)
{
    const cli_async *n = spec;
    return (double)n->network.architecture.output.blocks * n->network.packet.block * n->flit;
}

static void put_cut_through(cli_record *model, const void *spec)
{
    cli_put_truth(model, "cut_through",
                  !((const cli_async *)spec)->network.architecture.output.store_and_forward);
}

cli_parameter cli_architecture_parameters[] = {
    {CLI_OPTION("output-bytes", "B", SWQ_ENGINE_ASYNC), CLI_AT(CLI_BYTES, cli_async, output_bytes),
     .scale = offsetof(cli_async, flit), .least = 1, .highest = most_output_bytes,
     .takers = {{&cli_by_architecture, has_output_stores}}, .said = said_output_bytes,
     .about = "memory of the buffer before each link", .preset = "default 128; cioq: as --bytes",
     .key = "output_bytes", .unit = "bytes",
     CLI_DEFAULTS({CIOQ, "128", "as --bytes"}, {CLI_RECN_LINE, "(bytes)", "as --bytes"})},
    {CLI_OPTION("crossbar-delay", "N", SWQ_ENGINE_ASYNC),
     CLI_AT(CLI_INT, cli_async, network.architecture.output.crossbar_delay), CLI_FROM(1, 4096),
     .takers = {{&cli_by_architecture, has_output_stores}}, .costless = true,
     .about = "cycles from the start of a transfer through the crossbar until the packet can leave "
              "the output buffer",
     .key = "crossbar_delay", .unit = "cycles", CLI_DEFAULTS({CIOQ, "1", "a cycle to cross"})},
    {CLI_OPTION("cut-through", "on|off", SWQ_ENGINE_ASYNC),
     CLI_AT(CLI_EITHER, cli_async, network.architecture.output.store_and_forward),
     CLI_WORDS_OF("on", "off"), .takers = {{&cli_by_architecture, has_slow_crossbar}},
     .put = put_cut_through,
     .about =
         "a packet leaves while it is still arriving (on), or when all of it has arrived (off); "
         "shared-memory, too",
     .preset = "default on; shared-memory: off", .key = "cut_through",
     CLI_DEFAULTS({CIOQ, "on", "as between switches"},
                  {"sim --architecture shared-memory", "off", "as in simulators of data centres"})},
    CLI_PARAMETERS_END,
};

/* Reads --speedup, such as 2, 1.5 or 3/2, as a fraction. */
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
        n->architecture.output.speedup_bytes = (int)bytes;
        n->architecture.output.speedup_cycles = (int)cycles;
        return SWQ_OK;
    }
    swq_status status = cli_number(ctx, "speedup", speedup, 1, SWQ_MAX_PORTS, &value);
    if (status)
        return status;
    for (n->architecture.output.speedup_cycles = 1; n->architecture.output.speedup_cycles <= 1000;
         n->architecture.output.speedup_cycles++) {
        double bytes = value * n->architecture.output.speedup_cycles;
        n->architecture.output.speedup_bytes = (int)lround(bytes);
        if (fabs(bytes - n->architecture.output.speedup_bytes) < 1e-9 * bytes)
            return SWQ_OK;
    }
    return swq_fail(ctx, SWQ_EINVAL,
                    "--speedup must be a fraction with a denominator of at most 1000, not '%.60s'",
                    speedup);
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

swq_status cli_architecture_find(swq_context *ctx, cli_async *read)
{
    const char *architecture = cli_text(cli_stage_options, "architecture");
    swq_async *n = &read->network;
    swq_status status = architecture ? swq_architecture_find(ctx, architecture, SWQ_ENGINE_ASYNC,
                                                             &n->architecture.row)
                                     : SWQ_OK;

    if (!architecture)
        n->architecture.row = by_management(cli_async_text("management"));
    if (!status)
        status = cli_refuse_idle(ctx, cli_network_options, &cli_by_architecture, read);
    return status ? status : cli_refuse_idle(ctx, cli_async_options, &cli_by_architecture, read);
}

swq_status cli_architecture_read(swq_context *ctx, cli_async *n)
{
    swq_async *net = &n->network;
    const swq_architecture *row = net->architecture.row;
    const char *speedup = cli_text(cli_stage_options, "speedup");
    swq_status status = SWQ_OK;

    if (!row->async.output_stores)
        return SWQ_OK;
    net->architecture.output.speedup_bytes = row->async.at_once ? n->fabric.ports : 2;
    net->architecture.output.speedup_cycles = 1;
    if (net->management.row->needs_output_stores) { /* 1.5, as in the documents */
        net->architecture.output.speedup_bytes = 3;
        net->architecture.output.speedup_cycles = 2;
    }
    if (speedup)
        status = read_speedup(ctx, speedup, net);
    n->output_bytes = row->async.input_buffers ? n->bytes * n->flit : 128;
    if (!status && !cli_async_text("output-bytes"))
        status = cli_in_flits(ctx, n, "output-bytes", &n->output_bytes);
    if (!status)
        status = cli_parameters_read(ctx, cli_architecture_parameters, n);
    net->architecture.output.blocks = n->output_bytes / net->packet.block;
    net->architecture.output.store_and_forward =
        net->architecture.output.store_and_forward || row->async.at_once;
    return status;
}

void cli_put_output_stores(cli_record *model, const cli_async *n)
{
    const swq_async *net = &n->network;

    if (!net->architecture.row->async.output_stores)
        return;
    cli_put_number(model, "speedup",
                   (double)net->architecture.output.speedup_bytes /
                       net->architecture.output.speedup_cycles);
    cli_parameters_put(model, cli_architecture_parameters, n);
    if (net->architecture.row->async.at_once)
        cli_put_truth(model, "cut_through", false);
}
