/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq report: tree saturation, recorded. A 64-node omega network is given the same packets with
 * each buffer organisation; for a while part of them go to one node on top of its even share. The
 * contents of the buffers are recorded, and the explorer shows them side by side.
 */
#include "cli/explorer/explorer.h"
#include "base/context.h"
#include "cli/print/words.h"
#include "cli/report/report.h"
#include "switchq/record.h"

#include <stdlib.h>
#include <string.h>

enum {
    PORTS = 4,
    STAGES = 3,
    NODES = 64,
    SLOTS = 4,
    HOT = 0,
    ON = 200,  /* the hot spot begins in this cycle ... */
    OFF = 500, /* ... and ends in this one */
    CYCLES = 1200,
    EVERY = 2
};
static const double load = 0.35, fraction = 0.05;
static const uint64_t seed = 1;

static const char *const buffers[] = {"fifo", "samq", "safc", "damq", "cbda", NULL};

static swq_status network_of(swq_context *ctx, const char *buffer, swq_network *n)
{
    const swq_buffer_kind *kind;

    *n = (swq_network){
        .shape = {.ports = PORTS, .stages = STAGES},
        .sw = {.ports = PORTS, .flow = SWQ_BLOCK, .credit = SWQ_CREDIT_NEXT},
        .traffic = swq_traffic_defaults(),
    };
    swq_status status = swq_fabric_find(ctx, "omega", &n->shape);
    if (!status)
        status = swq_arbiter_find(ctx, "rotating", &n->sw.arbiter);
    if (!status)
        status = swq_buffer_kind_find(ctx, buffer, &kind);
    if (!status)
        status = swq_buffer_preset(ctx, kind, PORTS, SLOTS, &n->sw.buffer);
    n->traffic.kind = SWQ_SOURCE_TRACE;
    return status;
}

static cJSON *whole_numbers(const uint32_t *value, uint32_t count)
{
    cJSON *array = cJSON_CreateArray();

    for (uint32_t k = 0; k < count; k++)
        cJSON_AddItemToArray(array, cJSON_CreateNumber(value[k]));
    return array;
}

static cJSON *sums(const uint64_t *value, uint32_t count)
{
    cJSON *array = cJSON_CreateArray();

    for (uint32_t k = 0; k < count; k++)
        cJSON_AddItemToArray(array, cJSON_CreateNumber((double)value[k]));
    return array;
}

/* The drawing of the buffers, and their contents. */
static swq_status add_drawing(swq_context *ctx, const swq_network *n, const swq_recording *r,
                              cJSON *tree)
{
    cli_layout layout = {0};
    swq_fabric fabric;
    int digits = 0;
    swq_status status = swq_fabric_make(ctx, &n->shape, &fabric);

    if (status)
        return status;
    status = cli_layout_make(ctx,
                             &(cli_layout_of){.fabric = &fabric,
                                              .pools = n->sw.buffer.scope == SWQ_POOL,
                                              .marked = HOT,
                                              .narrow = true},
                             &layout);
    if (!status) {
        const cli_cells_of of = {.held = r->packets,
                                 .marked = r->marked,
                                 .frames = r->frames,
                                 .stores = layout.stores,
                                 .store = layout.store,
                                 .shown = layout.stores,
                                 .most = (uint32_t)r->slots};
        cJSON_AddItemToObject(tree, "cells", cli_explorer_cells(&of, &digits));
        cJSON_AddNumberToObject(tree, "digits", digits);
        cJSON_AddItemToObject(tree, "layout", layout.json);
        layout.json = NULL;
    }
    cli_layout_clear(&layout);
    swq_fabric_clear(ctx, &fabric);
    return status;
}

static swq_status add_run(swq_context *ctx, const char *buffer, const swq_network *n,
                          const swq_recording *r, cJSON *runs)
{
    cJSON *tree = cJSON_CreateObject();

    cJSON_AddItemToArray(runs, tree);
    cJSON_AddStringToObject(tree, "buffer", buffer);
    cJSON_AddNumberToObject(tree, "slots", r->slots);
    cJSON_AddNumberToObject(tree, "buffers", r->buffers);
    cJSON_AddItemToObject(tree, "delivered", whole_numbers(r->delivered, r->frames));
    cJSON_AddItemToObject(tree, "hot_delivered", whole_numbers(r->marked_delivered, r->frames));
    cJSON_AddItemToObject(tree, "latency", sums(r->latency, r->frames));
    cJSON_AddItemToObject(tree, "hot_latency", sums(r->marked_latency, r->frames));
    cJSON_AddItemToObject(tree, "waiting", whole_numbers(r->waiting, r->frames));
    return add_drawing(ctx, n, r, tree);
}

static cJSON *head_of(const swq_topology *topology)
{
    cJSON *tree = cJSON_CreateObject();

    cJSON_AddStringToObject(tree, "schema", "switchq/explorer/2");
    cJSON_AddStringToObject(tree, "topology", topology->name);
    cJSON_AddNumberToObject(tree, "ports", PORTS);
    cJSON_AddNumberToObject(tree, "stages", STAGES);
    cJSON_AddNumberToObject(tree, "nodes", NODES);
    cJSON_AddNumberToObject(tree, "slots", SLOTS);
    cJSON_AddItemToObject(tree, "load", cli_rounded(load));
    cJSON_AddItemToObject(tree, "fraction", cli_rounded(fraction));
    cJSON_AddNumberToObject(tree, "hot", HOT);
    cJSON_AddNumberToObject(tree, "on", ON);
    cJSON_AddNumberToObject(tree, "off", OFF);
    cJSON_AddNumberToObject(tree, "cycles", CYCLES);
    cJSON_AddNumberToObject(tree, "every", EVERY);
    cJSON_AddNumberToObject(tree, "seed", (double)seed);
    cJSON *bands = cJSON_AddArrayToObject(tree, "bands");
    cli_explorer_band(bands, 0, ON, "uniform traffic", false);
    cli_explorer_band(bands, ON, OFF, "hot spot on", true);
    cli_explorer_band(bands, OFF, CYCLES, "hot spot off again", false);
    cli_explorer_units(tree, false);
    cJSON_AddArrayToObject(tree, "runs");
    return tree;
}

static swq_status record_all(swq_context *ctx, const swq_trace_packet *trace, uint64_t packets,
                             cJSON **tree)
{
    swq_status status = SWQ_OK;

    *tree = NULL;
    for (int b = 0; buffers[b] && !status; b++) {
        swq_recording recording = {0};
        swq_network network;
        status = network_of(ctx, buffers[b], &network);
        network.traffic.trace = trace;
        network.traffic.trace_packets = packets;
        if (!status)
            status = swq_sim_record(ctx, &network, seed, CYCLES / EVERY, EVERY, HOT, &recording);
        if (!status && !*tree)
            *tree = head_of(network.shape.wiring);
        if (!status)
            status =
                add_run(ctx, buffers[b], &network, &recording, cJSON_GetObjectItem(*tree, "runs"));
        swq_recording_clear(ctx, &recording);
    }
    return status;
}

swq_status cli_explorer_record(swq_context *ctx, cJSON **tree)
{
    const swq_phase phase[] = {
        {.from = 0, .load = load},
        {.from = ON, .load = load, .fraction = fraction, .hot = HOT},
        {.from = OFF, .load = load},
    };
    swq_trace_packet *trace = NULL;
    uint64_t packets;
    cJSON *made = NULL;
    swq_status status = swq_trace_of_phases(ctx, phase, 3, NODES, CYCLES, seed, &trace, &packets);

    if (!status)
        status = record_all(ctx, trace, packets, &made);
    swq_trace_free(ctx, trace);
    if (status) {
        cJSON_Delete(made);
        return status;
    }
    *tree = made;
    return SWQ_OK;
}

/* ---- the section ---- */

/* Packets per node and cycle, and their mean latency, over the cycles from .. until. */
static void write_means(FILE *to, const cJSON *answer, const cJSON *run, double from, double until)
{
    const double every = cli_number_of(answer, "every"), nodes = cli_number_of(answer, "nodes");
    const cJSON *delivered = cJSON_GetObjectItemCaseSensitive(run, "delivered")->child;
    const cJSON *latency = cJSON_GetObjectItemCaseSensitive(run, "latency")->child;
    double packets = 0, cycles = 0;

    for (int f = 0; delivered && latency;
         f++, delivered = delivered->next, latency = latency->next) {
        if (f * every >= from && f * every < until) {
            packets += delivered->valuedouble;
            cycles += latency->valuedouble;
        }
    }
    fprintf(to, "<td>%.3f</td><td>%.1f</td>", packets / nodes / (until - from),
            packets > 0 ? cycles / packets : 0);
}

/* A summary for readers without scripts: before, during and after the hot spot. */
static void write_summary(FILE *to, const cJSON *answer)
{
    const double on = cli_number_of(answer, "on"), off = cli_number_of(answer, "off");
    const struct {
        const char *words;
        double from, until;
    } spans[] = {
        {"before", on / 2, on}, {"hot spot on", (on + off) / 2, off}, {"after", off, 2 * off - on}};
    enum { SPANS = sizeof spans / sizeof *spans };
    const cJSON *run;

    fputs("<details class=\"data\"><summary>Means before, under and after the hot spot</summary>"
          "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Means\">"
          "<table class=\"plain\"><thead><tr><th scope=\"col\" rowspan=\"2\">Buffer</th>",
          to);
    for (int k = 0; k < SPANS; k++)
        fprintf(to, "<th scope=\"colgroup\" colspan=\"2\">%s, cycles %.0f\xe2\x80\x93%.0f</th>",
                spans[k].words, spans[k].from, spans[k].until);
    fputs("</tr>\n<tr>", to);
    for (int k = 0; k < SPANS; k++)
        fputs("<th scope=\"col\">delivered per node and cycle</th>"
              "<th scope=\"col\">latency, cycles</th>",
              to);
    fputs("</tr></thead><tbody>\n", to);
    cJSON_ArrayForEach(run, cJSON_GetObjectItemCaseSensitive(answer, "runs"))
    {
        char name[16];
        cli_capitals(cli_string_of(run, "buffer"), name, sizeof name);
        fputs("<tr><th scope=\"row\">", to);
        cli_html(to, name);
        fputs("</th>", to);
        for (int k = 0; k < SPANS; k++)
            write_means(to, answer, run, spans[k].from, spans[k].until);
        fputs("</tr>\n", to);
    }
    fputs("</tbody></table></div></details>\n", to);
}

static swq_status write(swq_context *ctx, FILE *to, const cli_block *block)
{
    const cJSON *answer = cli_block_answer(block);

    fprintf(to,
            "<p>Every source of a %.0f-node %s network (%.0f stages of %.0f\xc3\x97%.0f "
            "switches, %.0f slots per input port, blocking) creates a packet with "
            "probability %.2g in each cycle. From cycle %.0f to cycle %.0f, %.0f%% of the "
            "packets go to node %.0f on top of its even share: more than its link carries. "
            "The switch before it fills up, then those before that, and so on back to the "
            "sources: a <em>tree</em> of full buffers, which holds up packets that go "
            "elsewhere. All organisations get exactly the same packets; packets that "
            "cannot enter wait at their sources. SAMQ and SAFC look emptier because a slot "
            "there belongs to one output: a buffer refuses a packet even if other slots "
            "are free.</p>\n",
            cli_number_of(answer, "nodes"), cli_string_of(answer, "topology"),
            cli_number_of(answer, "stages"), cli_number_of(answer, "ports"),
            cli_number_of(answer, "ports"), cli_number_of(answer, "slots"),
            cli_number_of(answer, "load"), cli_number_of(answer, "on"),
            cli_number_of(answer, "off"), 100 * cli_number_of(answer, "fraction"),
            cli_number_of(answer, "hot"));
    fputs("<div class=\"explorer\">\n", to);
    swq_status status = cli_html_json(ctx, to, "explorer-data", answer);
    fputs("</div>\n", to);
    write_summary(to, answer);
    return status;
}

const cli_section_writer cli_section_explorer = {
    .title = "Tree saturation",
    .lead = NULL,
    .write = write,
};
