/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options of architectures with stores of their own, and of the width of links: chunks,
 * crosspoints, the FIFOs and modules of a shared memory. Room: cli.
 */
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/spec/async.h"
#include "cli/spec/engine.h"

#include <string.h>

enum { MOST_FLIT = 64, MOST_CHUNK = 1024 };

static struct {
    char *flit, *chunk, *equal, *crosspoint, *crosspoint_chunks, *banks, *fifos, *fifo, *module;
} given;

#define TEXT(name, member, help, argument)                                                         \
    {                                                                                              \
        name, '\0', POPT_ARG_STRING, &given.member, SWQ_ENGINE_ASYNC, help, argument               \
    }

struct poptOption cli_stores_options[] = {
    TEXT("flit", flit,
         "width of a link: bytes that it carries in a cycle; all lengths in bytes must be "
         "multiples of it (default 1)",
         "W"),
    TEXT("chunk", chunk,
         "hipiqs, central: flits in a chunk, the unit in which memory is allocated (default, and "
         "least: the number of ports of a switch)",
         "FLITS"),
    TEXT("equal", equal,
         "hipiqs: --bytes counts only the input buffer, as in the paper (default), or also the "
         "FIFOs at the crosspoints and all registers",
         "paper|all"),
    TEXT("crosspoint", crosspoint,
         "hipiqs: the FIFO at a crosspoint is made of registers (default), or is a RAM, in which "
         "packets behind others take another cycle",
         "registers|ram"),
    TEXT("crosspoint-chunks", crosspoint_chunks,
         "hipiqs: chunks that the FIFO at a crosspoint holds, 2 or more (default 2)", "N"),
    TEXT("banks", banks,
         "hipiqs: the banks of an input buffer serve all outputs at once (free, default), or one "
         "output a cycle begins to read a chunk (turns)",
         "free|turns"),
    TEXT("fifos", fifos,
         "multi-buffer: FIFOs of an input, which divide --bytes equally (default: the number of "
         "ports of a switch)",
         "K"),
    TEXT("fifo-bytes", fifo,
         "central, prizma: bytes of the small FIFO of an input before the shared memory, counted "
         "as part of --bytes (default 32 flits)",
         "B"),
    TEXT("module", module,
         "prizma: bytes of a module of the shared memory; each module holds one packet (default: "
         "as --max-packet)",
         "BYTES"),
    POPT_TABLEEND,
};

/* ---- flits ---- */

swq_status cli_flit_read(swq_context *ctx, cli_async *n)
{
    n->flit = 1;
    return given.flit ? cli_integer(ctx, "flit", given.flit, 1, MOST_FLIT, &n->flit) : SWQ_OK;
}

swq_status cli_in_flits(swq_context *ctx, const cli_async *n, const char *option, int *bytes)
{
    if (*bytes % n->flit)
        return swq_fail(ctx, SWQ_EINVAL, "--%s must be a multiple of --flit %d, not %d", option,
                        n->flit, *bytes);
    *bytes /= n->flit;
    return SWQ_OK;
}

/* ---- stores ---- */

swq_status cli_stores_refuse(swq_context *ctx, const swq_architecture *row)
{
    const struct {
        const char *option, *text, *what;
        bool has;
    } owned[] = {
        {"chunk", given.chunk, "hipiqs and central", row->chunks},
        {"equal", given.equal, "hipiqs", row->crosspoints},
        {"crosspoint", given.crosspoint, "hipiqs", row->crosspoints},
        {"crosspoint-chunks", given.crosspoint_chunks, "hipiqs", row->crosspoints},
        {"banks", given.banks, "hipiqs", row->crosspoints},
        {"fifos", given.fifos, "multi-buffer", row->several},
        {"fifo-bytes", given.fifo, "central and prizma", row->input_fifos},
        {"module", given.module, "prizma", row->modules},
    };

    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) {
        if (owned[k].text && !owned[k].has)
            return swq_fail(ctx, SWQ_EINVAL, "--%s is for --architecture %s, not for %s",
                            owned[k].option, owned[k].what, row->name);
    }
    if (row->stores && cli_text(cli_async_options, "block"))
        return swq_fail(ctx, SWQ_EINVAL, "--block is for buffers, not for --architecture %s%s",
                        row->name, row->chunks ? ", whose memory goes by --chunk" : "");
    return SWQ_OK;
}

/* A length in bytes, with a default in flits. */
static swq_status read_length(swq_context *ctx, const cli_async *n, const char *option,
                              const char *text, int *flits)
{
    if (!text)
        return SWQ_OK;
    const swq_status status = cli_integer(ctx, option, text, 0, 1 << 30, flits);
    return status ? status : cli_in_flits(ctx, n, option, flits);
}

swq_status cli_stores_read(swq_context *ctx, cli_async *n)
{
    static const char *const counts[] = {"paper", "all", NULL};
    static const char *const makes[] = {"registers", "ram", NULL};
    static const char *const banks[] = {"free", "turns", NULL};
    swq_async *net = &n->network;
    int all = 0, make = 0, turns = 0;
    swq_status status = SWQ_OK;

    net->memory = n->bytes;
    net->block = net->architecture->chunks ? n->fabric.ports : 1;
    if (given.chunk)
        status = cli_integer(ctx, "chunk", given.chunk, 1, MOST_CHUNK, &net->block);
    if (!status && given.equal)
        status = cli_word(ctx, "equal", given.equal, counts, &all);
    if (!status && given.crosspoint)
        status = cli_word(ctx, "crosspoint", given.crosspoint, makes, &make);
    if (!status && given.crosspoint_chunks)
        status = cli_integer(ctx, "crosspoint-chunks", given.crosspoint_chunks, 2, MOST_CHUNK,
                             &net->crosspoint_chunks);
    if (!status && given.banks)
        status = cli_word(ctx, "banks", given.banks, banks, &turns);
    if (!status && given.fifos)
        status = cli_integer(ctx, "fifos", given.fifos, 1, SWQ_MAX_FABRIC_PORTS, &net->fifos);
    if (!status)
        status = read_length(ctx, n, "queue-min", cli_text(cli_network_options, "queue-min"),
                             &net->queue_min);
    if (!status)
        status = read_length(ctx, n, "fifo-bytes", given.fifo, &net->fifo);
    if (!status)
        status = read_length(ctx, n, "module", given.module, &net->module);
    net->count_all = all == 1;
    net->bank_turns = turns == 1;
    net->crosspoint = make == 1 ? SWQ_CROSSPOINT_RAM : SWQ_CROSSPOINT_REGISTERS;
    return status;
}

/* ---- output ---- */

void cli_put_stores(cli_record *model, const cli_async *n)
{
    const swq_async *net = &n->network;
    const swq_architecture *row = net->architecture;
    const uint64_t flit = (uint64_t)n->flit;

    if (row->chunks)
        cli_put_count(model, "chunk_flits", (uint64_t)net->block);
    if (row->crosspoints) {
        cli_put_word(model, "equal", net->count_all ? "all" : "paper");
        cli_put_word(model, "crosspoint",
                     net->crosspoint == SWQ_CROSSPOINT_RAM ? "ram" : "registers");
        cli_put_count(model, "crosspoint_chunks", (uint64_t)net->crosspoint_chunks);
        cli_put_word(model, "banks", net->bank_turns ? "turns" : "free");
        cli_put_count(model, "queue_min_bytes", (uint64_t)net->queue_min * flit);
    }
    if (row->several)
        cli_put_count(model, "input_fifos", (uint64_t)(net->fifos ? net->fifos : n->fabric.ports));
    if (row->input_fifos)
        cli_put_count(model, "fifo_bytes", (uint64_t)net->fifo * flit);
    if (row->modules)
        cli_put_count(model, "module_bytes",
                      (uint64_t)(net->module ? net->module : net->max_packet) * flit);
}

void cli_say_stores(cli_record *root, const cli_async *n)
{
    const swq_async *net = &n->network;
    const swq_architecture *row = net->architecture;
    char reserved[60] = "";

    if (n->flit > 1)
        cli_say(root, "links carry a flit of %d bytes a cycle", n->flit);
    if (net->queue_min > 0)
        snprintf(reserved, sizeof reserved, ", %d bytes reserved for each queue",
                 net->queue_min * n->flit);
    if (row->crosspoints)
        cli_say(root, "%s: chunks of %d flits, FIFOs of %d at the crosspoints (%s%s)%s%s",
                row->name, net->block, net->crosspoint_chunks * net->block,
                net->crosspoint == SWQ_CROSSPOINT_RAM ? "ram" : "registers",
                net->count_all ? ", part of the memory" : "", reserved,
                net->bank_turns ? ", turns at the banks" : "");
    else if (row->several)
        cli_say(root, "%s: %d FIFOs an input", row->name,
                net->fifos ? net->fifos : n->fabric.ports);
    else if (row->modules)
        cli_say(root, "%s: modules of %d bytes, FIFOs of %d before them", row->name,
                (net->module ? net->module : net->max_packet) * n->flit, net->fifo * n->flit);
    else if (row->input_fifos)
        cli_say(root, "%s: chunks of %d flits, FIFOs of %d bytes before the memory", row->name,
                net->block, net->fifo * n->flit);
    else if (row->stores && !row->lanes && !row->flow_groups)
        cli_say(root, "%s: %d bytes for each of an input's %d outputs", row->name,
                n->bytes / n->fabric.ports * n->flit, n->fabric.ports);
}
