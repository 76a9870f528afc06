/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options of architectures with stores of their own, and of the width of links: chunks,
 * crosspoints, the FIFOs and modules of a shared memory.
 */
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/spec/async.h"

#include <stdio.h>

enum { MOST_FLIT = 64, MOST_CHUNK = 1024 };

#define HIPIQS "sim --engine async --architecture hipiqs"

CLI_PROPERTY(has_chunks, swq_architecture, async.chunks)
CLI_PROPERTY(has_crosspoints, swq_architecture, async.crosspoints)
CLI_PROPERTY(has_fifos, swq_architecture, async.several)
CLI_PROPERTY(has_input_fifos, swq_architecture, async.input_fifos)
CLI_PROPERTY(has_modules, swq_architecture, async.modules)
CLI_PROPERTY(has_no_saqs, swq_management, stores == NULL)
static double said_fifos(const void *spec)
{
    const cli_async *n = spec;
    return n->network.architecture.stores.fifos ? n->network.architecture.stores.fifos
                                                : n->fabric.ports;
}

static double said_module(const void *spec)
{
    const cli_async *n = spec;
    return (n->network.architecture.stores.module ? n->network.architecture.stores.module
                                                  : n->network.packet.max) *
           n->flit;
}

static void put_banks(cli_record *model, const void *spec)
{
    const cli_async *n = spec;

    cli_put_word(model, "banks", n->network.architecture.stores.bank_turns ? "turns" : "free");
    cli_put_count(model, "queue_min_bytes",
                  (uint64_t)n->network.architecture.stores.queue_min * (uint64_t)n->flit);
}

#define FIELD(kind, member) CLI_AT(kind, cli_async, network.member)
#define IN_FLITS            .scale = offsetof(cli_async, flit)
#define CROSSPOINTS         .takers = {{&cli_by_architecture, has_crosspoints}}

/* The width of links, which is read before any length. */
cli_parameter cli_flit_parameters[] = {
    {CLI_OPTION("flit", "W", SWQ_ENGINE_ASYNC), .plain = "1", CLI_AT(CLI_INT, cli_async, flit),
     CLI_FROM(1, MOST_FLIT), .general = true, .takers = {{&cli_by_management, has_no_saqs}},
     .about = "width of a link: bytes that it carries in a cycle; all lengths in bytes must be "
              "multiples of it",
     .key = "flit", .unit = "bytes", CLI_DEFAULTS({"sim --engine async", "1", "byte-wide links"})},
    CLI_PARAMETERS_END,
};

cli_parameter cli_stores_parameters[] = {
    {CLI_OPTION("chunk", "FLITS", SWQ_ENGINE_ASYNC), FIELD(CLI_INT, packet.block),
     CLI_FROM(1, MOST_CHUNK), .takers = {{&cli_by_architecture, has_chunks}},
     .about = "flits in a chunk, the unit in which memory is allocated",
     .preset = "default, and least: the number of ports of a switch", .key = "chunk_flits",
     .unit = "flits",
     CLI_DEFAULTS({HIPIQS, "(ports)", "filled while each port has the memory once"})},
    {CLI_OPTION("equal", "paper|all", SWQ_ENGINE_ASYNC),
     FIELD(CLI_EITHER, architecture.stores.count_all), CLI_WORDS_OF("paper", "all"), CROSSPOINTS,
     .about = "--bytes counts only the input buffer, as in the paper, or also (all) the FIFOs at "
              "the crosspoints and all registers",
     .key = "equal",
     CLI_DEFAULTS({HIPIQS, "paper", "memory is counted as in section 5.1 of the paper"})},
    {CLI_OPTION("crosspoint", "registers|ram", SWQ_ENGINE_ASYNC),
     FIELD(CLI_CHOICE, architecture.stores.crosspoint), CLI_WORDS_OF("registers", "ram"),
     CROSSPOINTS,
     .about = "the FIFO at a crosspoint is made of registers, or is a RAM, in which packets behind "
              "others take another cycle",
     .key = "crosspoint",
     CLI_DEFAULTS({HIPIQS, "registers", "the shorter pipeline of its Fig. 5"})},
    {CLI_OPTION("crosspoint-chunks", "N", SWQ_ENGINE_ASYNC),
     FIELD(CLI_INT, architecture.stores.crosspoint_chunks), CLI_FROM(2, MOST_CHUNK), CROSSPOINTS,
     .about = "chunks that the FIFO at a crosspoint holds", .key = "crosspoint_chunks",
     .unit = "chunks",
     CLI_DEFAULTS({HIPIQS, "2", "enough to send without gaps, according to the paper"})},
    {CLI_OPTION("banks", "free|turns", SWQ_ENGINE_ASYNC),
     FIELD(CLI_EITHER, architecture.stores.bank_turns), CLI_WORDS_OF("free", "turns"), CROSSPOINTS,
     .put = put_banks, .costless = true,
     .about =
         "the banks of an input buffer serve all outputs at once (free), or one output a cycle "
         "begins to read a chunk (turns)",
     .key = "banks", CLI_DEFAULTS({HIPIQS, "free", "turns were not seen to change a number"})},
    {CLI_OPTION("fifos", "K", SWQ_ENGINE_ASYNC), FIELD(CLI_INT, architecture.stores.fifos),
     CLI_FROM(1, SWQ_MAX_PORTS), .takers = {{&cli_by_architecture, has_fifos}}, .said = said_fifos,
     .about = "FIFOs of an input, which divide --bytes equally",
     .preset = "default: the number of ports of a switch", .key = "input_fifos", .unit = "FIFOs",
     CLI_DEFAULTS(
         {"sim --engine async --architecture multi-buffer", "(ports)", "as in PaRC and Arctic"})},
    {CLI_OPTION("fifo-bytes", "B", SWQ_ENGINE_ASYNC), FIELD(CLI_BYTES, architecture.stores.fifo),
     IN_FLITS, CLI_FROM(0, 1 << 30), .takers = {{&cli_by_architecture, has_input_fifos}},
     .about = "bytes of the small FIFO of an input before the shared memory, counted as part of "
              "--bytes",
     .preset = "default 32 flits", .key = "fifo_bytes", .unit = "bytes",
     CLI_DEFAULTS({"sim --engine async --architecture central", "(32)",
                   "flits: the SP2's have about this size"})},
    {CLI_OPTION("module", "BYTES", SWQ_ENGINE_ASYNC), FIELD(CLI_BYTES, architecture.stores.module),
     IN_FLITS, CLI_FROM(0, 1 << 30), .takers = {{&cli_by_architecture, has_modules}},
     .said = said_module,
     .about = "bytes of a module of the shared memory; each module holds one packet",
     .preset = "default: as --max-packet", .key = "module_bytes", .unit = "bytes",
     CLI_DEFAULTS({"sim --engine async --architecture prizma", "(max)",
                   "as --max-packet: any packet fits"})},
    CLI_PARAMETERS_END,
};

swq_status cli_in_flits(swq_context *ctx, const cli_async *n, const char *option, int *bytes)
{
    if (*bytes % n->flit)
        return swq_fail(ctx, SWQ_EINVAL, "--%s must be a multiple of --flit %d, not %d", option,
                        n->flit, *bytes);
    *bytes /= n->flit;
    return SWQ_OK;
}

swq_status cli_stores_read(swq_context *ctx, cli_async *n)
{
    swq_async *net = &n->network;
    const char *queue_min = cli_network_text("queue-min");
    swq_status status = SWQ_OK;

    net->memory.bytes = n->bytes;
    net->packet.block = net->architecture.row->async.chunks ? n->fabric.ports : 1;
    if (queue_min)
        status = cli_integer(ctx, "queue-min", queue_min, 0, 1 << 30,
                             &net->architecture.stores.queue_min);
    if (!status && queue_min)
        status = cli_in_flits(ctx, n, "queue-min", &net->architecture.stores.queue_min);
    return status ? status : cli_parameters_read(ctx, cli_stores_parameters, n);
}
