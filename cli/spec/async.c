/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options that describe an asynchronous network, turned into a typed spec, and the spec in
 * words. Options that the synchronous engine has too are looked up in its table.
 */
#include "cli/spec/async.h"
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/print/append.h"
#include "cli/spec/buffer.h"
#include "sim/traffic/spread.h"
#include "switchq/graph.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const cli_release_words[] = {"blocks", "start", "hop", "end", NULL};

/* ---- memory and packets ---- */

CLI_PROPERTY(is_input_queued, swq_architecture, async.input_buffers &&row == &swq_input_queued)
CLI_PROPERTY(has_no_saqs, swq_management, stores == NULL)

static bool has_no_stores(const void *row)
{
    const swq_architecture *a = row;
    return (a->engines & SWQ_ENGINE_ASYNC) && !a->async.stores;
}

static bool has_no_lanes(const void *row)
{
    const swq_architecture *a = row;
    return (a->engines & SWQ_ENGINE_ASYNC) && !a->async.lanes;
}

/* Does --bytes say how large the memory of an input is? Lanes and cells have sizes of their own,
 * and without input buffers packets only pass through. */
static bool has_bytes(const void *row)
{
    const swq_architecture *a = row;
    return a->async.input_buffers || (a->async.stores && !a->async.lanes && !a->async.flow_groups);
}

static int most_packet(const void *spec)
{
    return SWQ_MAX_PACKET * ((const cli_async *)spec)->flit;
}

static int longest_packet(const void *spec)
{
    const cli_async *n = spec;
    return n->network.packet.max * n->flit;
}

/* The largest --bytes: as many bytes as the most blocks of a buffer have. Architectures with
 * buffers of blocks count bytes of a link of one byte, so that a wider link multiplies the limit.
 */
static int most_bytes(const void *spec)
{
    const cli_async *n = spec;
    return SWQ_MAX_BUFFER_BLOCKS * n->network.packet.block *
           (n->network.architecture.row->async.stores ? 1 : n->flit);
}

static bool is_in_pieces(const void *spec)
{
    const swq_async *n = &((const cli_async *)spec)->network;
    return n->packet.piece > 0 && n->packet.piece < n->packet.max;
}

static bool has_blocks(const void *spec)
{
    return !cli_own_stores(&((const cli_async *)spec)->network);
}

static swq_status read_last_bytes(swq_context *ctx, const char *text, void *spec);
static swq_status read_release(swq_context *ctx, const char *text, void *spec);
static void put_release(cli_record *model, const void *spec);

#define TAKEN(by, has)      .takers = {{&cli_by_##by, has}}
#define FIELD(kind, member) CLI_AT(kind, cli_async, network.member)
#define IN_FLITS            .scale = offsetof(cli_async, flit)

cli_parameter cli_packets_parameters[] = {
    {CLI_OPTION("block", "B", SWQ_ENGINE_ASYNC), .says = "blocks of % byte~",
     FIELD(CLI_BYTES, packet.block), IN_FLITS, .least = 1, .highest = most_packet,
     .takers = {{&cli_by_architecture, has_no_stores}, {&cli_by_management, has_no_saqs}},
     .general = true, .about = "bytes of a block, the unit in which memory is allocated",
     .key = "block", .unit = "bytes", .shown = has_blocks,
     CLI_DEFAULTS({ASYNC, "8", "the DAMQ chip's blocks (chapter 7)"})},
    {CLI_OPTION("max-packet", "B", SWQ_ENGINE_ASYNC), .says = "packets of at most % bytes",
     FIELD(CLI_BYTES, packet.max), IN_FLITS, .least = 1, .highest = most_packet,
     .about = "bytes of the longest packet; longer messages are split",
     .preset = "default 32, or --length if that is less (wormhole); recn-iq, recn, recn-enhanced, "
               "fbicm: 64",
     .key = "max_packet", .unit = "bytes",
     CLI_DEFAULTS({ASYNC, "32", "the chip's longest packet"},
                  {CLI_RECN_IQ_LINE, "64", "a slot, as in document 000"},
                  {CLI_RECN_LINE, "64", "a slot, as in document 000"})},
    {CLI_OPTION("piece", "B", SWQ_ENGINE_ASYNC), .says = "pieces of % bytes",
     FIELD(CLI_BYTES, packet.piece), IN_FLITS, .least = 1, .highest = longest_packet,
     TAKEN(management, has_no_saqs), .general = true,
     .about = "packets move in pieces of B bytes, and pause between two pieces while the next "
              "buffer has no room for one; a buffer may then be smaller than a packet",
     .preset = "default: packets are not cut", .key = "piece", .unit = "bytes",
     .shown = is_in_pieces, CLI_DEFAULTS({ASYNC, "32", "as --max-packet: packets are not cut"})},
    CLI_PARAMETERS_END,
};

cli_parameter cli_memory_parameters[] = {
    {CLI_OPTION("bytes", "B", SWQ_ENGINE_ASYNC), .says = "% bytes per input port",
     CLI_AT(CLI_BYTES, cli_async, bytes), IN_FLITS, .least = 1, .highest = most_bytes,
     TAKEN(architecture, has_bytes), .axis = CLI_AXIS_SIZES, .general = true,
     .about = "memory of an input port; can also be given as --slots for packets of the greatest "
              "length",
     .preset = "default 128; recn-iq: 4096; recn, recn-enhanced, fbicm: 32768",
     .key = "buffer_bytes", .unit = "bytes",
     CLI_DEFAULTS({ASYNC, "128", "4 packets of the greatest length, as --slots 4"},
                  {CLI_RECN_IQ_LINE, "4096", "64 slots, as in document 000"},
                  {CLI_RECN_LINE, "32768", "512 slots"})},
    {CLI_OPTION("last-bytes", "B", SWQ_ENGINE_ASYNC), .says = "% bytes in the last stage",
     TAKEN(architecture, is_input_queued), .axis = CLI_AXIS_SIZES, .read = read_last_bytes,
     .general = true,
     .about = "memory of an input port in the last stage of a multistage network, --flow block and "
              "buffers whose queues share all memory; as --bytes if it is not given",
     .key = "last_bytes", .unit = "bytes"},
    CLI_PARAMETERS_END,
};

/* ---- links ---- */

cli_parameter cli_links_parameters[] = {
    {CLI_OPTION("threshold", "T|none", SWQ_ENGINE_ASYNC), .axis = CLI_AXIS_WHOLE,
     .takers = {{&cli_by_architecture, cli_has_buffers}, {&cli_by_management, has_no_saqs}},
     .general = true,
     .about = "--flow maximum-usage: a queue of more than T blocks is sent nothing; none: queues "
              "have no limit, as with --flow block",
     .preset = "default none; in a torus the largest that prevents deadlock", .key = "threshold",
     .unit = "blocks",
     CLI_DEFAULTS({"sim --topology torus --dims 4", "(safe)",
                   "the largest that prevents deadlock; if none does, --flow is block"})},
    {CLI_OPTION("release", "blocks|start|hop|end|N", SWQ_ENGINE_ASYNC), .plain = "blocks",
     .axis = CLI_AXIS_WORDS, .read = read_release, .put = put_release, .costless = true,
     .about = "when the memory of a departing packet becomes free: block by block, at the start of "
              "its transmission, when its header is in the next switch, at the end of its "
              "transmission, or N cycles after the start if that is sooner than the end",
     .key = "release",
     CLI_DEFAULTS({ASYNC, "blocks", "the chip frees a block when it has been sent"})},
    {CLI_OPTION("hop-delay", "N", SWQ_ENGINE_ASYNC), FIELD(CLI_INT, link.hop_delay),
     CLI_FROM(1, 4096), TAKEN(architecture, has_no_lanes), .instead = "--router-delay",
     .general = true, .costless = true,
     .about =
         "cycles from the start of a transmission until the next switch can pass the packet on",
     .key = "hop_delay", .unit = "cycles",
     CLI_DEFAULTS({ASYNC, "5", "four cycles to cut through a buffer, and one on the wire"})},
    {CLI_OPTION("link-rest", "N", SWQ_ENGINE_ASYNC), FIELD(CLI_INT, link.rest), CLI_FROM(0, 4096),
     TAKEN(architecture, has_no_lanes), .instead = "--link-delay", .general = true,
     .costless = true, .about = "cycles that a link is idle after a packet",
     .preset = "default 2; atlas, recn-iq, recn, recn-enhanced, fbicm: 0", .key = "link_rest",
     .unit = "cycles",
     CLI_DEFAULTS({ASYNC, "2", "the next input port gets ready"},
                  {CLI_ATLAS_LINE, "0", "cells follow one another"},
                  {CLI_RECN_IQ_LINE, "0", "its document has no such pause"},
                  {CLI_RECN_LINE, "0", "its document has no such pause"})},
    CLI_PARAMETERS_END,
};

struct poptOption cli_async_options[] = {
    CLI_PARAMETERS(cli_shape_parameters),     CLI_PARAMETERS(cli_size_parameters),
    CLI_PARAMETERS(cli_stage_parameters),     CLI_PARAMETERS(cli_architecture_parameters),
    CLI_PARAMETERS(cli_flit_parameters),      CLI_PARAMETERS(cli_stores_parameters),
    CLI_PARAMETERS(cli_lanes_parameters),     CLI_PARAMETERS(cli_cells_parameters),
    CLI_PARAMETERS(cli_flow_parameters),      CLI_PARAMETERS(cli_late_flow_parameters),
    CLI_PARAMETERS(cli_sender_parameters),    CLI_PARAMETERS(cli_management_parameters),
    CLI_PARAMETERS(cli_saqs_parameters),      CLI_PARAMETERS(cli_interface_parameters),
    CLI_PARAMETERS(cli_routing_parameters),   CLI_PARAMETERS(cli_choice_parameters),
    CLI_PARAMETERS(cli_benchmark_parameters), CLI_PARAMETERS(cli_memory_parameters),
    CLI_PARAMETERS(cli_packets_parameters),   CLI_PARAMETERS(cli_links_parameters),
    CLI_PARAMETERS(cli_senders_parameters),   POPT_TABLEEND,
};

/* ---- switches ---- */

/* Reads --last-bytes, which is at least a block. */
static swq_status read_last_bytes(swq_context *ctx, const char *text, void *spec)
{
    cli_async *n = spec;
    swq_async *net = &n->network;
    int last = 0;
    swq_status status = cli_integer(ctx, "last-bytes", text, net->packet.block * n->flit,
                                    SWQ_MAX_BUFFER_BLOCKS * net->packet.block * n->flit, &last);

    if (!status)
        status = cli_in_flits(ctx, n, "last-bytes", &last);
    net->memory.last_blocks = last / net->packet.block;
    return status;
}

/* Turns the default of an option that was not given from bytes into flits. A value that was given
 * is left as it is. */
static swq_status preset(swq_context *ctx, const cli_async *n, const char *option, int *bytes)
{
    return cli_async_text(option) ? SWQ_OK : cli_in_flits(ctx, n, option, bytes);
}

/* The largest packet of a wormhole network where --max-packet is not given: the longest message of
 * --length, if that is known and less, and no part of the traffic has a length of its own. */
static swq_status follow_length(swq_context *ctx, cli_async *n)
{
    const char *length = cli_async_text("length"), *traffic = cli_network_text("traffic");
    swq_spread spread;

    if (!n->network.architecture.row->async.lanes || !length || cli_async_text("max-packet") ||
        cli_given(cli_async_options, "group") || (traffic && strchr(traffic, '@')))
        return SWQ_OK;
    swq_status status = swq_spread_parse(ctx, "length", length, 1, &spread);
    if (status || (spread.kind != SWQ_CONSTANT && spread.kind != SWQ_UNIFORM))
        return status;
    const double longest =
        ceil((spread.kind == SWQ_UNIFORM ? spread.second : spread.first) / n->flit);
    if (longest >= 1 && longest < n->network.packet.max)
        n->network.packet.max = (int)longest;
    return SWQ_OK;
}

static swq_status read_memory(swq_context *ctx, cli_async *n)
{
    const char *slots_text = cli_network_text("slots");
    swq_async *net = &n->network;
    int slots = 0;
    swq_status status = preset(ctx, n, "max-packet", &net->packet.max);

    if (!status)
        status = follow_length(ctx, n);
    if (!status && !net->architecture.row->async.stores)
        status = preset(ctx, n, "block", &net->packet.block);
    if (!status)
        status = cli_parameters_read(ctx, cli_packets_parameters, n);
    n->bytes = net->management.row->default_bytes ? net->management.row->default_bytes : 128;
    if (!status && slots_text && cli_async_text("bytes"))
        status = swq_fail(ctx, SWQ_EINVAL, "--bytes and --slots cannot both be given");
    if (!status && slots_text) {
        status = cli_integer(ctx, "slots", slots_text, 1, SWQ_MAX_SLOTS, &slots);
        n->bytes = slots * net->packet.max;
    } else if (!status && has_bytes(net->architecture.row)) {
        status = preset(ctx, n, "bytes", &n->bytes);
    }
    return status ? status : cli_parameters_read(ctx, cli_memory_parameters, n);
}

/* Input stores that packets only pass through: room for the packets that arrive before the first
 * has left. */
static swq_status passing_store(swq_context *ctx, cli_async *n)
{
    swq_async *net = &n->network;
    const swq_buffer_kind *row;
    swq_status status = swq_buffer_kind_find(ctx, "fifo", &row);

    if (!status)
        status = read_memory(ctx, n);
    if (status)
        return status;
    n->buffer = row->name;
    n->bytes = net->packet.max * (4 + net->link.hop_delay / net->packet.max) + net->packet.block;
    return swq_async_buffer(ctx, net, row, n->bytes);
}

/* The row of --buffer, with the overrides of other options. */
static swq_status read_buffer(swq_context *ctx, cli_async *n)
{
    swq_buffer *b = &n->network.memory.buffer;
    swq_buffer_kind kind;

    if (n->network.architecture.row->async.stores) {
        swq_status stores = read_memory(ctx, n);
        if (!stores)
            stores = cli_lanes_read(ctx, n);
        if (!stores)
            stores = cli_cells_read(ctx, n);
        return stores ? stores : cli_stores_read(ctx, n);
    }
    if (!n->network.architecture.row->async.input_buffers)
        return passing_store(ctx, n);
    if (cli_managed(&n->network) || cli_set_aside(&n->network)) {
        swq_status managed = read_memory(ctx, n);
        return managed ? managed : cli_management_read(ctx, n);
    }
    swq_status status = cli_buffer_choices(ctx, &kind);

    if (!status && kind.scope == SWQ_POOL)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--%s %s: an asynchronous network has a buffer at each input port (fifo, "
                          "samq, safc, damq, dafc), no pools",
                          cli_network_text("scope") ? "scope" : "buffer",
                          cli_network_text("scope") ? cli_network_text("scope") : kind.name);
    if (!status)
        status = read_memory(ctx, n);
    if (!status)
        status = swq_async_buffer(ctx, &n->network, &kind, n->bytes);
    if (!status) {
        n->buffer = kind.name;
        status = cli_parameters_read(ctx, cli_limit_parameters, b);
    }
    return status ? status : cli_buffer_idle(ctx, b, n->fabric.ports);
}

/* "maximum-usage, destination+maximum-usage" */
static const char *threshold_flows(char *text, size_t size)
{
    *text = '\0';
    for (int k = 0; swq_hop_flows[k]; k++) {
        if (swq_hop_flows[k]->threshold)
            cli_append(text, size, "%s%s", *text ? ", " : "", swq_hop_flows[k]->name);
    }
    return text;
}

static swq_status read_flow(swq_context *ctx, swq_async *n)
{
    char text[200];
    const char *flow = cli_network_text("flow"), *threshold = cli_async_text("threshold");
    const bool lifted = threshold && strcmp(threshold, "none") == 0;
    swq_status status = flow ? swq_hop_flow_find(ctx, flow, &n->flow.row) : SWQ_OK;

    if (status)
        return status;
    if (n->flow.row != &swq_flow_blocking && !n->architecture.row->async.input_buffers)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--flow %s is for --architecture input-queued and cioq, "
                        "not for %s",
                        flow, n->architecture.row->name);
    if (!flow && threshold && !lifted)
        n->flow.row = &swq_flow_maximum_usage;
    if (threshold && !lifted && !n->flow.row->threshold)
        return swq_fail(ctx, SWQ_EINVAL, "--threshold is for --flow %s, not %s",
                        threshold_flows(text, sizeof text), n->flow.row->name);
    if (lifted && n->flow.row->threshold)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--flow %s needs --threshold, in blocks; without one it is --flow %s",
                        n->flow.row->name, swq_flow_blocking.name);
    return threshold && !lifted ? cli_integer(ctx, "threshold", threshold, 0, SWQ_MAX_BUFFER_BLOCKS,
                                              &n->flow.threshold)
                                : SWQ_OK;
}

/* Without --threshold, in a fabric that may deadlock: the largest threshold with which the fabric
 * cannot deadlock. The senders have been read before, since packets of equal length allow a larger
 * threshold. */
static swq_status choose_threshold(swq_context *ctx, cli_async *n)
{
    const char *flow = cli_network_text("flow");
    swq_async *net = &n->network;
    const bool asked = flow && net->flow.row->threshold;

    if (cli_async_text("threshold") || net->architecture.row->async.stores || cli_set_aside(net) ||
        (flow && !asked))
        return SWQ_OK;
    const int safe = swq_async_safe_threshold(net), none = net->memory.buffer.capacity;
    if (asked && (safe < 0 || (safe == none && !net->shape.kind->rings)))
        return swq_fail(ctx, SWQ_EINVAL, "--flow %s needs --threshold, in blocks", flow);
    if (safe < 0 || (safe == none && !asked))
        return SWQ_OK;
    net->flow.row = &swq_flow_maximum_usage;
    net->flow.threshold = safe;
    n->default_threshold = true;
    return SWQ_OK;
}

/* Reads --release: one of its words, or the number of cycles after which a packet's memory is free.
 */
static swq_status read_release(swq_context *ctx, const char *text, void *spec)
{
    swq_async *n = &((cli_async *)spec)->network;
    int which = SWQ_RELEASE_BLOCKS;
    char message[200];

    if (strspn(text, "+-0123456789")) {
        n->memory.release = SWQ_RELEASE_AFTER;
        return cli_integer(ctx, "release", text, 1, 4096, &n->memory.release_cycles);
    }
    const swq_status status = cli_word(ctx, "release", text, cli_release_words, &which);
    n->memory.release = (swq_release)which;
    if (status != SWQ_EINVAL)
        return status;
    snprintf(message, sizeof message, "%s", swq_context_message(ctx));
    return swq_fail(ctx, status, "%s, or a number of cycles from 1 to 4096", message);
}

/* Puts --release in the words of the option. */
static void put_release(cli_record *model, const void *spec)
{
    const swq_async *net = &((const cli_async *)spec)->network;
    char cycles[16];

    snprintf(cycles, sizeof cycles, "%d", net->memory.release_cycles);
    cli_put_word(model, "release",
                 net->memory.release == SWQ_RELEASE_AFTER ? cycles
                                                          : cli_release_words[net->memory.release]);
}

static swq_status read_switch(swq_context *ctx, cli_async *read)
{
    const char *arbiter = cli_network_text("arbiter"), *iterations = cli_network_text("iterations");
    swq_async *n = &read->network;
    swq_status status = SWQ_OK;

    read->flit = 1;
    status = cli_parameters_read(ctx, cli_flit_parameters, read);
    if (!status)
        status = cli_architecture_find(ctx, read);
    if (!status)
        status = cli_management_find(ctx, read);
    if (!status)
        status = read_buffer(ctx, read);
    if (!status)
        status = cli_architecture_read(ctx, read);
    if (!status)
        cli_management_grow_outputs(read);
    if (!status)
        status = read_flow(ctx, n);
    if (!status)
        status = cli_flow_read(ctx, read);
    if (!status)
        status = cli_parameters_read(ctx, cli_sender_parameters, read);
    if (!status && arbiter)
        status = swq_arbiter_find(ctx, arbiter, &n->arbiter.row);
    if (!status)
        status = cli_parameters_read(ctx, cli_choice_parameters, read);
    if (!status)
        status = cli_iterations_read(ctx, iterations, n->arbiter.row, &n->arbiter.iterations);
    return status ? status : cli_parameters_read(ctx, cli_links_parameters, read);
}

/* The options that say how large a shape is, for messages about its nodes. */
static const char *size_option(const swq_shape *shape)
{
    const unsigned has = shape->kind->parameters;

    return has & SWQ_HAS_STAGES  ? "stages"
           : has & SWQ_HAS_DIMS  ? "dims"
           : has & SWQ_HAS_ARITY ? "arity"
           : has & SWQ_HAS_RADIX ? "radix"
           : shape->kind->sizes  ? shape->kind->sizes[0].name
                                 : "topology";
}

static bool is_option(const char *text, size_t length)
{
    const struct poptOption *const tables[] = {cli_async_options, cli_network_options};

    for (int k = 0; k < 2; k++) {
        cli_options_walk w = cli_walk_options(tables[k]);
        for (const struct poptOption *o; (o = cli_next_option(&w));) {
            if (strlen(o->longName) == length && strncmp(o->longName, text, length) == 0)
                return true;
        }
    }
    return false;
}

/* Rewrites an error message of the library: names of parameters become the options that set
 * them. */
static swq_status with_option(swq_context *ctx, swq_status status, const swq_shape *shape)
{
    char text[600];

    if (status != SWQ_EINVAL)
        return status;
    snprintf(text, sizeof text, "%s", swq_context_message(ctx));
    if (is_option(text, strcspn(text, " ")))
        return swq_fail(ctx, SWQ_EINVAL, "--%s", text);
    if (strncmp(text, "extent ", 7) == 0 || strncmp(text, "nodes ", 6) == 0)
        return swq_fail(ctx, SWQ_EINVAL, "--%s: %s", size_option(shape), text);
    return status;
}

swq_status cli_async_read_shape(swq_context *ctx, cli_async *n)
{
    *n = (cli_async){.network = swq_async_defaults()};
    swq_status status = cli_shape_read(ctx, n);
    if (!status)
        status = swq_fabric_count(ctx, &n->network.shape, &n->fabric);
    return with_option(ctx, status, &n->network.shape);
}

swq_status cli_async_read(swq_context *ctx, cli_async *n, cli_load load)
{
    uint32_t nodes;

    *n = (cli_async){.network = swq_async_defaults()};
    swq_status status = cli_shape_read(ctx, n);
    if (!status)
        status = swq_fabric_count(ctx, &n->network.shape, &n->fabric);
    if (!status)
        status = read_switch(ctx, n);
    if (!status)
        status = cli_graph_follow(ctx, n);
    status = with_option(ctx, status, &n->network.shape);
    if (!status && n->flit > 1 && cli_given(cli_async_options, "benchmark"))
        status = swq_fail(
            ctx, SWQ_EINVAL,
            "--benchmark is for links of a byte a cycle: it does not go with --flit %d", n->flit);
    if (!status && n->flit > 1 && cli_given(cli_async_options, "sender"))
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--sender is for links of a byte a cycle: it does not go with --flit %d",
                          n->flit);
    if (!status)
        status = cli_benchmark_read(ctx, n, load);
    if (!status && !n->benchmark)
        status = cli_async_traffic(ctx, n, load);
    if (!status)
        status = cli_flow_finish(ctx, n);
    if (!status)
        status = cli_cells_finish(ctx, n);
    if (!status)
        status = with_option(ctx, swq_async_check(ctx, &n->network, &nodes), &n->network.shape);
    if (!status && load != CLI_LOAD_NONE && !n->deadlock_allowed)
        status = cli_lanes_refuse_circle(ctx, &n->network);
    if (!status)
        status = choose_threshold(ctx, n);
    if (status)
        cli_async_clear(ctx, n);
    return status;
}

void cli_async_clear(swq_context *ctx, cli_async *n)
{
    swq_trace_messages_clear(&n->trace);
    free(n->phase);
    for (int k = 0; k < CLI_MOST_MATRICES && n->matrix[k]; k++) {
        cli_matrix_clear(n->matrix[k]);
        free(n->matrix[k]);
        n->matrix[k] = NULL;
    }
    for (int g = 0; g < SWQ_MAX_SENDER_GROUPS; g++) {
        free(n->node_load[g]);
        free(n->load_file[g]);
        n->node_load[g] = NULL;
        n->load_file[g] = NULL;
    }
    free(n->circuit);
    n->circuit = NULL;
    if (n->graph)
        swq_graph_clear(ctx, n->graph);
    free(n->graph);
    n->graph = NULL;
}
