/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options of managements with set-aside queues, and their description in words.
 */
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/spec/async.h"

#include <stdio.h>
#include <string.h>

#define LECN "sim --engine async --architecture cioq --management lecn"

CLI_PROPERTY(has_saqs, swq_management, stores != NULL)
CLI_PROPERTY(refuses_some, swq_management, refuses_some)

static bool detects(const void *row)
{
    return has_saqs(row) || ((const swq_management *)row)->tells_upstream;
}

static bool carries_path(const void *row)
{
    return has_saqs(row) && !((const swq_management *)row)->by_flow;
}

static bool may_have_interfaces(const void *row)
{
    const swq_management *management = row;
    return has_saqs(row) || (management->hooks && !management->tells_upstream);
}

static bool is_recn_iq(const void *row)
{
    return row == &swq_management_recn_iq;
}

static int interface(const void *spec)
{
    return ((const cli_async *)spec)->network.interface.packets;
}

static int slots(const void *spec)
{
    const cli_async *n = spec;
    const int packets = n->bytes / n->network.packet.max;
    return packets > 1 ? packets : 1;
}

#define FIELD(kind, member) CLI_AT(kind, cli_async, network.member)

/* Puts the threshold of detection, and the two limits (xoff, xon) that all managements with queues
 * have. */
static void put_detect(cli_record *model, const void *spec)
{
    const swq_async *net = &((const cli_async *)spec)->network;

    cli_put_count(model, "detect", (uint64_t)net->management.detect);
    cli_put_count(model, "xoff", (uint64_t)net->management.xoff);
    cli_put_count(model, "xon", (uint64_t)net->management.xon);
}

cli_parameter cli_saqs_parameters[] = {
    {CLI_OPTION("saqs", "K", SWQ_ENGINE_ASYNC), FIELD(CLI_INT, management.saqs),
     CLI_FROM(0, SWQ_MAX_SAQS_OF_PORT), .takers = {{&cli_by_management, has_saqs}},
     .about = "set-aside queues of each memory; 0: none, for comparison",
     .preset = "default 4 for recn-iq, otherwise 8", .key = "saqs", .unit = "SAQs",
     CLI_DEFAULTS({CLI_RECN_IQ_LINE, "4", "enough for 64 nodes, according to document 000"},
                  {CLI_RECN_LINE, "8", "as in documents 001 and 002"})},
    {CLI_OPTION("detect", "P", SWQ_ENGINE_ASYNC), FIELD(CLI_INT, management.detect), .least = 1,
     .highest = slots, .takers = {{&cli_by_management, detects}}, .put = put_detect,
     .about = "packets in a queue at which an output counts as congested: recn-iq: in the cold "
              "queue of an input (default 5); recn, recn-enhanced, fbicm: in the queue of an "
              "output, or of an input for one output (default 16); lecn: more than this number in "
              "the buffer before a link (default 2)",
     .preset = "", .key = "detect", .unit = "packets",
     CLI_DEFAULTS({LECN, "2", "half of what --output-bytes holds"},
                  {CLI_RECN_IQ_LINE, "5", "as in document 000"},
                  {CLI_RECN_LINE, "16", "not given in the documents; a few of 512 slots"})},
    {CLI_OPTION("inspection-cycles", "N", SWQ_ENGINE_ASYNC), FIELD(CLI_INT, management.inspection),
     CLI_FROM(1, 4096), .takers = {{&cli_by_management, is_recn_iq}},
     .about = "cycles that the post-processing of an input takes to inspect the head of a queue",
     .key = "inspection_cycles", .unit = "cycles",
     CLI_DEFAULTS({CLI_RECN_IQ_LINE, "1", "so the post-processing is no bottleneck"})},
    {CLI_OPTION("turnpool-bits", "N", SWQ_ENGINE_ASYNC), FIELD(CLI_INT, management.turnpool_bits),
     CLI_FROM(1, 63), .takers = {{&cli_by_management, carries_path}},
     .about = "bits for the path in a packet's header; a network that needs more is refused",
     .preset = "default 31", .key = "turnpool_bits", .unit = "bits",
     CLI_DEFAULTS({CLI_RECN_IQ_LINE, "31", "as in document 000 and in Advanced Switching"},
                  {CLI_RECN_LINE, "31", "as in document 000 and in Advanced Switching"})},
    {CLI_OPTION("refused", "fill|hold|repeat", SWQ_ENGINE_ASYNC),
     FIELD(CLI_CHOICE, management.refused), CLI_WORDS_OF("fill", "hold", "repeat"),
     .takers = {{&cli_by_management, refuses_some}},
     .about = "what happens when an input has refused the notice of an output's set-aside queue: "
              "packets for that queue fill the output's memory, or are held at the input while the "
              "queue is long, or fill it while each of them that joins the long queue sends the "
              "notice again",
     .key = "refused",
     CLI_DEFAULTS(
         {CLI_RECN_LINE, "hold", "as the figures of documents 001 and 002 want together"})},
    CLI_PARAMETERS_END,
};

static swq_status read_packets(swq_context *ctx, const char *text, void *spec)
{
    swq_async *n = &((cli_async *)spec)->network;

    n->interface.present = !cli_set_aside(n);
    n->interface.queued = strcmp(text, "unbounded") == 0;
    if (n->interface.queued)
        return SWQ_OK;
    return cli_integer(ctx, "interface-packets", text, 1, SWQ_MAX_INTERFACE, &n->interface.packets);
}

static bool has_interfaces(const void *spec)
{
    return cli_has_interfaces(&((const cli_async *)spec)->network);
}

static bool has_cold_limit(const void *spec)
{
    return ((const cli_async *)spec)->network.interface.cold > 0;
}

cli_parameter cli_interface_parameters[] = {
    {CLI_OPTION("interface-packets", "N|unbounded", SWQ_ENGINE_ASYNC),
     FIELD(CLI_INT, interface.packets), .axis = CLI_AXIS_NONE,
     .takers = {{&cli_by_management, may_have_interfaces}}, .read = read_packets,
     .shown = has_interfaces,
     .about =
         "packets for which the interface of a node has room; packets that open sources create "
         "when it is full are lost; with unbounded they wait at the node, in one FIFO before "
         "the interface",
     .preset = "default 64; 1q, 4q, 4q-least, voqsw, dbbm, voqnet: no interfaces, packets are sent "
               "in the order in which they were created",
     .key = "interface_packets", .unit = "packets",
     CLI_DEFAULTS({CLI_RECN_IQ_LINE, "64", "as the memory of an input"},
                  {CLI_RECN_LINE, "64", "as with RECN-IQ"})},
    {CLI_OPTION("interface-cold", "N", SWQ_ENGINE_ASYNC), FIELD(CLI_INT, interface.cold),
     .least = 1, .highest = interface, .takers = {{&cli_by_management, is_recn_iq}},
     .shown = has_cold_limit,
     .about = "packets in the cold queue of an interface at which it counts as full, though its "
              "set-aside queues may have more, up to --interface-packets in all (if not given, "
              "--interface-packets alone counts)",
     .key = "interface_cold", .unit = "packets"},
    CLI_PARAMETERS_END,
};

bool cli_set_aside(const swq_async *n)
{
    return n->management.row->stores != NULL;
}

bool cli_has_interfaces(const swq_async *n)
{
    return cli_set_aside(n) || n->interface.present;
}

bool cli_can_lose(const swq_async *n)
{
    bool held = n->traffic.groups > 0 && !n->traffic.trace;

    for (int g = 0; g < n->traffic.groups; g++)
        held = held && n->traffic.group[g].kind == SWQ_SOURCE_HOLD;
    return cli_has_interfaces(n) && !n->interface.queued && !held;
}

void cli_saqs_defaults(swq_async *n)
{
    const swq_management *row = n->management.row;

    n->management.saqs = row->default_saqs;
    n->management.detect = row->default_detect;
    n->management.xoff = row->default_xoff;
    n->management.xon = row->default_xon;
    n->packet.max = n->packet.block = row->default_packet;
    n->link.rest = 0; /* links in the documents do not pause */
}

swq_status cli_saqs_read(swq_context *ctx, cli_async *read)
{
    const char *detect = cli_async_text("detect");
    const char *stop = cli_async_text("xoff");
    const char *go = cli_async_text("xon");
    swq_async *n = &read->network;
    const int room = read->bytes / n->packet.max;
    swq_status status = SWQ_OK;

    n->management.refused = n->management.row->refuses_some ? SWQ_REFUSED_HOLD : SWQ_REFUSED_FILL;
    n->memory.bytes = read->bytes;
    n->packet.block = n->packet.max;
    if ((!detect && room < n->management.detect) || (!stop && room < n->management.xoff))
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--management %s has --detect %d and --xoff %d by default, for which the "
                          "%d slots of --bytes %d are too few",
                          n->management.row->name, n->management.detect, n->management.xoff, room,
                          read->bytes);
    if (!status)
        status = cli_parameters_read(ctx, cli_saqs_parameters, read);
    if (!status && stop)
        status = cli_integer(ctx, "xoff", stop, 1, slots(read), &n->management.xoff);
    n->management.xon =
        n->management.xon < n->management.xoff ? n->management.xon : n->management.xoff;
    if (!status && go)
        status = cli_integer(ctx, "xon", go, 1, n->management.xoff, &n->management.xon);
    return status ? status : cli_parameters_read(ctx, cli_interface_parameters, read);
}

/* ---- output ---- */

void cli_put_interfaces(cli_record *model, const cli_async *n)
{
    if (!cli_has_interfaces(&n->network))
        return;
    cli_parameters_put(model, cli_interface_parameters, n);
    cli_put_truth(model, "interface_unbounded", n->network.interface.queued);
}

void cli_put_saqs(cli_record *model, const cli_async *n)
{
    cli_parameters_put(model, cli_saqs_parameters, n);
    cli_put_interfaces(model, n);
    cli_put_count(model, "credit_delay", (uint64_t)n->network.flow.credit_delay);
}

/* ---- results ---- */

static void put_counts(cli_record *result, const swq_saq_use *u)
{
    cli_labelled(cli_put_count(result, "saq_allocations", u->allocated), "SAQs allocated, in all");
    cli_labelled(cli_put_count(result, "congestion_detections", u->detections),
                 "congestion detected");
    cli_labelled(cli_put_count(result, "false_detections", u->false_detections),
                 "... of a free output");
    cli_labelled(cli_put_count(result, "xoffs", u->xoffs), "Xoff sent, in all");
    cli_quietly(cli_put_count(result, "xons", u->xons));
    cli_quietly(cli_put_count(result, "saqs_stopped", u->stops));
    cli_labelled(cli_put_count(result, "lost_notices", u->lost_notices), "messages lost");
    cli_labelled(cli_put_count(result, "unserved_detections", u->unserved_detections),
                 "detected, no SAQ free");
    cli_labelled(cli_put_count(result, "unserved_stops", u->unserved_stops),
                 "to be stopped, none free");
}

/* Puts the use of set-aside queues at outputs, for switches that also have memory there. */
static void put_outputs(cli_record *result, const swq_saq_use *u)
{
    cli_labelled(cli_put_number(result, "saqs_per_output", u->output_in_use), "... of an output");
    cli_labelled(cli_put_count(result, "saqs_most_at_output", u->most_at_output),
                 "... the most of one");
    cli_labelled(cli_put_count(result, "congestion_notices", u->notices), "notices of congestion");
    cli_labelled(cli_put_count(result, "congestion_notices_specific", u->refused_specific),
                 "... more specific, refused");
    cli_labelled(cli_put_count(result, "congestion_notices_full", u->refused_full),
                 "... no SAQ free, refused");
    cli_labelled(cli_put_count(result, "slots_most_output", (uint64_t)u->most_output_slots),
                 "most slots of an output");
}

/* The slots of an input as document 000 (2.1) counts them: the threshold of detection for each
 * plain queue of the input, and the threshold of Xoff for each set-aside queue. */
static uint64_t formula_slots(const cli_async *n)
{
    const swq_async *net = &n->network;
    const int plain = net->management.row->detection_queues ? n->fabric.ports : 1;

    return (uint64_t)plain * (uint64_t)net->management.detect +
           (uint64_t)net->management.saqs * (uint64_t)net->management.xoff;
}

void cli_put_saq_use(cli_record *result, const cli_async *n, const swq_async_result *r)
{
    const swq_saq_use *u = &r->saqs;
    const double hops = u->hops ? (double)u->hops : 1;

    cli_labelled(cli_put_estimate(result, "saqs_in_use", r->sim.saqs), "SAQs in use");
    cli_labelled(cli_put_number(result, "saqs_per_input", u->in_use), "... of an input");
    cli_labelled(cli_put_count(result, "saqs_most", u->most), "... the most of one");
    cli_quietly(cli_put_number(result, "saqs_mean_most", u->mean_most));
    cli_quietly(cli_put_number(result, "saqs_per_interface", u->interface_in_use));
    cli_labelled(cli_put_count(result, "saqs_most_in_network", u->most_in_network),
                 "... the most at a time");
    put_counts(result, u);
    if (u->at_outputs)
        put_outputs(result, u);
    cli_quietly(cli_put_number(result, "inspections_per_hop", (double)u->inspections / hops));
    cli_quietly(cli_put_number(result, "moves_per_hop", (double)u->moves / hops));
    cli_labelled(cli_put_count(result, "slots_most", (uint64_t)u->most_slots),
                 "most slots of an input");
    cli_quietly(cli_put_count(result, "slots_by_formula", formula_slots(n)));
}
