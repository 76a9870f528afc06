/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options of managements with set-aside queues, and their description in words.
 * Room: cli.
 */
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/spec/async.h"
#include "cli/spec/engine.h"

#include <stdio.h>
#include <string.h>

static char *saqs, *detect, *turnpool, *interface, *cold, *inspection, *refused;

const char *const cli_refused_words[] = {"fill", "hold", "repeat", NULL};

#define TEXT(name, member, help, argument)                                                         \
    {                                                                                              \
        name, '\0', POPT_ARG_STRING, &(member), SWQ_ENGINE_ASYNC, help, argument                   \
    }

struct poptOption cli_saqs_options[] = {
    TEXT("saqs", saqs,
         "--management recn-iq, recn, recn-enhanced, fbicm: set-aside queues of each memory; 0: "
         "none, for comparison (default 4 for recn-iq, otherwise 8)",
         "K"),
    TEXT("detect", detect,
         "packets in a queue at which an output counts as congested: recn-iq: in the cold queue of "
         "an input (default 5); recn, recn-enhanced, fbicm: in the queue of an output, or of an "
         "input for one output (default 16); lecn: more than this number in the buffer before a "
         "link (default 2)",
         "P"),
    TEXT("turnpool-bits", turnpool,
         "--management recn-iq, recn, recn-enhanced: bits for the path in a packet's header; a "
         "network that needs more is refused (default 31)",
         "N"),
    TEXT("interface-packets", interface,
         "--management: packets for which the interface of a node has room; packets that open "
         "sources create when it is full are lost; with unbounded they wait at the node, in one "
         "FIFO before the interface (default 64; 1q, 4q, 4q-least, voqsw, dbbm, voqnet: no "
         "interfaces, packets are sent in the order in which they were created)",
         "N|unbounded"),
    TEXT("interface-cold", cold,
         "--management recn-iq: packets in the cold queue of an interface at which it counts as "
         "full, though its set-aside queues may have more, up to --interface-packets in all "
         "(if not given, --interface-packets alone counts)",
         "N"),
    TEXT("inspection-cycles", inspection,
         "--management recn-iq: cycles that the post-processing of an input takes to inspect the "
         "head of a queue (default 1)",
         "N"),
    TEXT("refused", refused,
         "--management recn: what happens when an input has refused the notice of an output's "
         "set-aside queue: packets for that queue fill the output's memory, or are held at the "
         "input while the queue is long, or fill it while each of them that joins the long queue "
         "sends the notice again (default hold)",
         "fill|hold|repeat"),
    POPT_TABLEEND,
};

bool cli_set_aside(const swq_async *n)
{
    return n->management->stores != NULL;
}

bool cli_may_have_interfaces(const swq_async *n)
{
    return cli_set_aside(n) || (n->management->hooks && !n->management->tells_upstream);
}

bool cli_has_interfaces(const swq_async *n)
{
    return cli_set_aside(n) || n->has_interfaces;
}

bool cli_can_lose(const swq_async *n)
{
    bool held = n->groups > 0 && !n->trace;

    for (int g = 0; g < n->groups; g++)
        held = held && n->group[g].kind == SWQ_SOURCE_HOLD;
    return cli_has_interfaces(n) && !n->interface_queued && !held;
}

swq_status cli_saqs_refuse(swq_context *ctx, const swq_async *n)
{
    static const char *const of_buffers[] = {"block", "threshold", "piece", "flit", NULL};
    const struct {
        const char *option, *text;
    } own[] = {{"saqs", saqs},
               {"detect", detect},
               {"turnpool-bits", turnpool},
               {"interface-packets", interface},
               {"refused", refused}};

    for (size_t k = 0; k < sizeof own / sizeof *own; k++) {
        const bool has = cli_set_aside(n) || (k == 1 && n->management->tells_upstream); /* detect */
        if (own[k].text == interface && interface) {
            if (!cli_may_have_interfaces(n))
                return swq_fail(ctx, SWQ_EINVAL,
                                "--%s is for a --management whose nodes can have interfaces (1q, "
                                "4q, 4q-least, voqsw, dbbm, voqnet, recn-iq, recn, recn-enhanced, "
                                "fbicm), not for %s",
                                own[k].option, n->management->name);
            continue;
        }
        if (own[k].text && !has)
            return swq_fail(ctx, SWQ_EINVAL,
                            "--%s is for a --management with set-aside queues (recn-iq, recn, "
                            "recn-enhanced, fbicm), not for "
                            "%s",
                            own[k].option, n->management->name);
    }
    if (inspection && n->management != &swq_management_recn_iq)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--inspection-cycles is for --management recn-iq, whose inputs inspect the "
                        "heads of queues, not for %s",
                        n->management->name);
    if (cold && n->management != &swq_management_recn_iq)
        return swq_fail(
            ctx, SWQ_EINVAL,
            "--interface-cold is for --management recn-iq, whose interfaces have a cold "
            "queue, not for %s",
            n->management->name);
    if (turnpool && n->management->by_flow)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--turnpool-bits is not for --management %s, whose packets carry no path",
                        n->management->name);
    if (refused && !n->management->refuses_some)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--refused is for --management recn, not for %s, which refuses no notice "
                        "while a set-aside queue is free",
                        n->management->name);
    for (int k = 0; of_buffers[k] && cli_set_aside(n); k++) {
        if (cli_given(cli_async_options, of_buffers[k]))
            return swq_fail(ctx, SWQ_EINVAL,
                            "--%s is not for --management %s, whose memory is slots for a packet "
                            "of --max-packet bytes each",
                            of_buffers[k], n->management->name);
    }
    return SWQ_OK;
}

void cli_saqs_defaults(swq_async *n)
{
    const swq_management *row = n->management;

    n->saqs = row->default_saqs;
    n->detect = row->default_detect;
    n->xoff = row->default_xoff;
    n->xon = row->default_xon;
    n->max_packet = n->block = row->default_packet;
    n->link_rest = 0; /* links in the documents do not pause */
}

static swq_status read_if(swq_context *ctx, const char *option, const char *text, int least,
                          int most, int *value)
{
    return text ? cli_integer(ctx, option, text, least, most, value) : SWQ_OK;
}

swq_status cli_saqs_read(swq_context *ctx, cli_async *read, const char *xoff, const char *xon)
{
    swq_async *n = &read->network;
    const int slots = read->bytes / n->max_packet;
    int after = n->management->refuses_some ? SWQ_REFUSED_HOLD : SWQ_REFUSED_FILL;
    swq_status status = read_if(ctx, "saqs", saqs, 0, SWQ_MAX_SAQS_OF_PORT, &n->saqs);

    n->memory = read->bytes;
    n->block = n->max_packet;
    if (!status && ((!detect && slots < n->detect) || (!xoff && slots < n->xoff)))
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--management %s has --detect %d and --xoff %d by default, for which the "
                          "%d slots of --bytes %d are too few",
                          n->management->name, n->detect, n->xoff, slots, read->bytes);
    if (!status)
        status = read_if(ctx, "detect", detect, 1, slots > 1 ? slots : 1, &n->detect);
    if (!status)
        status = read_if(ctx, "xoff", xoff, 1, slots > 1 ? slots : 1, &n->xoff);
    n->xon = n->xon < n->xoff ? n->xon : n->xoff;
    if (!status)
        status = read_if(ctx, "xon", xon, 1, n->xoff, &n->xon);
    if (!status)
        status = read_if(ctx, "turnpool-bits", turnpool, 1, 63, &n->turnpool_bits);
    if (!status)
        status = read_if(ctx, "inspection-cycles", inspection, 1, 4096, &n->inspection);
    if (!status && refused)
        status = cli_word(ctx, "refused", refused, cli_refused_words, &after);
    n->refused = (swq_refused)after;
    return status ? status : cli_interface_read(ctx, n);
}

swq_status cli_interface_read(swq_context *ctx, swq_async *n)
{
    swq_status status = SWQ_OK;

    n->has_interfaces = interface && !cli_set_aside(n);
    n->interface_queued = interface && strcmp(interface, "unbounded") == 0;
    if (interface && !n->interface_queued)
        status =
            cli_integer(ctx, "interface-packets", interface, 1, SWQ_MAX_INTERFACE, &n->interface);
    return status ? status
                  : read_if(ctx, "interface-cold", cold, 1, n->interface, &n->interface_cold);
}

/* ---- output ---- */

void cli_saqs_words(const cli_async *n, char *text, size_t size)
{
    const swq_async *net = &n->network;

    snprintf(text, size, "%s, %d SAQ%s a port, detection at %d packets, Xoff at %d, Xon below %d; ",
             net->management->name, net->saqs, net->saqs == 1 ? "" : "s", net->detect, net->xoff,
             net->xon);
}

void cli_say_interfaces(cli_record *root, const cli_async *n)
{
    const swq_async *net = &n->network;

    if (!cli_has_interfaces(net))
        return;
    if (net->interface_cold)
        cli_say(root, "interfaces of %d packets, full with %d in the cold queue", net->interface,
                net->interface_cold);
    if (net->interface_queued)
        cli_say(root, "interfaces of %d packets, before which what finds no room waits",
                net->interface);
    else
        cli_say(root, "interfaces of %d packets; what open sources create when one is full is lost",
                net->interface);
}

void cli_put_interfaces(cli_record *model, const swq_async *net)
{
    if (!cli_has_interfaces(net))
        return;
    cli_put_count(model, "interface_packets", (uint64_t)net->interface);
    if (net->interface_cold)
        cli_put_count(model, "interface_cold", (uint64_t)net->interface_cold);
    cli_put_truth(model, "interface_unbounded", net->interface_queued);
}

void cli_put_saqs(cli_record *model, const swq_async *net)
{
    cli_put_count(model, "saqs", (uint64_t)net->saqs);
    cli_put_count(model, "detect", (uint64_t)net->detect);
    cli_put_count(model, "xoff", (uint64_t)net->xoff);
    cli_put_count(model, "xon", (uint64_t)net->xon);
    if (net->management == &swq_management_recn_iq)
        cli_put_count(model, "inspection_cycles", (uint64_t)net->inspection);
    if (!net->management->by_flow)
        cli_put_count(model, "turnpool_bits", (uint64_t)net->turnpool_bits);
    if (net->management->refuses_some)
        cli_put_word(model, "refused", cli_refused_words[net->refused]);
    cli_put_interfaces(model, net);
    cli_put_count(model, "credit_delay", (uint64_t)net->credit_delay);
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

/* For switches that also have memory at the outputs. */
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
    const int plain = net->management->detection_queues ? n->fabric.ports : 1;

    return (uint64_t)plain * (uint64_t)net->detect + (uint64_t)net->saqs * (uint64_t)net->xoff;
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
