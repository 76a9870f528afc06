/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq report: tree saturation, recorded. A 64-node omega network is given the same packets with
 * each buffer organisation; for a while part of them go to one node on top of its even share. What
 * the buffers hold is recorded as text, one or two characters a buffer and frame.
 * Room: cli.
 */
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
    ON = 200,  /* the hot spot, from this cycle ... */
    OFF = 500, /* ... until that one */
    CYCLES = 1200,
    EVERY = 2
};
static const double load = 0.35, fraction = 0.05;
static const uint64_t seed = 1;

static const char *const buffers[] = {"fifo", "samq", "safc", "damq", "cbda", NULL};

/* 64 signs that need no escaping in JSON or HTML. */
static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

static swq_status network_of(swq_context *ctx, const char *buffer, swq_network *n)
{
    const swq_buffer_kind *kind;

    *n = (swq_network){
        .topology = swq_topologies[0],
        .stages = STAGES,
        .sw = {.ports = PORTS, .flow = SWQ_BLOCK, .credit = SWQ_CREDIT_NEXT},
        .traffic = swq_traffic_defaults(),
    };
    swq_status status = swq_topology_find(ctx, "omega", &n->topology);
    if (!status)
        status = swq_arbiter_find(ctx, "rotating", &n->sw.arbiter);
    if (!status)
        status = swq_buffer_kind_find(ctx, buffer, &kind);
    if (!status)
        status = swq_buffer_preset(ctx, kind, PORTS, SLOTS, &n->sw.buffer);
    n->traffic.kind = SWQ_SOURCE_TRACE;
    return status;
}

/* Packets p of which h are marked: the number of such pairs before it. */
static int pair_of(int packets, int marked)
{
    return packets * (packets + 1) / 2 + marked;
}

/* One digit where all pairs fit in, else two. */
static cJSON *cells_text(const swq_recording *r)
{
    const size_t cells = (size_t)r->frames * (size_t)r->stages * r->buffers;
    const int width = pair_of(r->slots, r->slots) < 64 ? 1 : 2;
    char *text = malloc(cells * (size_t)width + 1), *at = text;

    if (!text)
        return NULL;
    for (size_t k = 0; k < cells; k++) {
        const int pair = pair_of(r->packets[k], r->marked[k]);
        if (width == 2)
            *at++ = digits[pair >> 6 & 63];
        *at++ = digits[pair & 63];
    }
    *at = '\0';
    cJSON *item = cJSON_CreateString(text);
    free(text);
    return item;
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

static cJSON *json_of(const char *buffer, const swq_recording *r)
{
    cJSON *tree = cJSON_CreateObject();

    cJSON_AddStringToObject(tree, "buffer", buffer);
    cJSON_AddNumberToObject(tree, "slots", r->slots);
    cJSON_AddNumberToObject(tree, "buffers", r->buffers);
    cJSON_AddItemToObject(tree, "cells", cells_text(r));
    cJSON_AddItemToObject(tree, "delivered", whole_numbers(r->delivered, r->frames));
    cJSON_AddItemToObject(tree, "hot_delivered", whole_numbers(r->marked_delivered, r->frames));
    cJSON_AddItemToObject(tree, "latency", sums(r->latency, r->frames));
    cJSON_AddItemToObject(tree, "hot_latency", sums(r->marked_latency, r->frames));
    cJSON_AddItemToObject(tree, "waiting", whole_numbers(r->waiting, r->frames));
    return tree;
}

/* The lines that packets to the hot node leave stage `stage` by, as [from line, to line] pairs: a
 * line is switch * PORTS + port, on both sides. Stage -1: from the sources. */
static cJSON *links_of(const swq_topology *t, int stage)
{
    cJSON *links = cJSON_CreateArray();
    int port = HOT;

    for (int d = stage >= 0 ? t->digit(STAGES, stage) : 0; d > 0; d--)
        port /= PORTS;
    for (uint32_t line = 0; line < NODES; line++) {
        const uint32_t to = t->wire(PORTS, STAGES, stage + 1, line);
        if (stage >= 0 && (int)(line % PORTS) != port % PORTS)
            continue;
        cJSON *pair = cJSON_CreateArray();
        cJSON_AddItemToArray(pair, cJSON_CreateNumber(line));
        cJSON_AddItemToArray(pair, cJSON_CreateNumber(to));
        cJSON_AddItemToArray(links, pair);
    }
    return links;
}

/* Of those links, the ones that belong to the tree: whose end can be reached by the last stage's
 * switch. */
static bool in_tree(const swq_topology *t, int stage, uint32_t line)
{
    for (int s = stage; s < STAGES; s++) {
        uint32_t digit = HOT;
        for (int d = t->digit(STAGES, s); d > 0; d--)
            digit /= PORTS;
        line = t->wire(PORTS, STAGES, s + 1, line - line % PORTS + digit % PORTS);
    }
    return line == HOT;
}

static cJSON *tree_of(const swq_topology *t)
{
    cJSON *stages = cJSON_CreateArray();

    for (int s = -1; s < STAGES; s++) {
        cJSON *links = links_of(t, s), *pair, *next;
        for (pair = links->child; pair; pair = next) {
            const uint32_t to = (uint32_t)cJSON_GetArrayItem(pair, 1)->valueint;
            next = pair->next;
            if (s == STAGES - 1 ? to != HOT : !in_tree(t, s + 1, to))
                cJSON_Delete(cJSON_DetachItemViaPointer(links, pair));
        }
        cJSON_AddItemToArray(stages, links);
    }
    return stages;
}

static cJSON *head_of(const swq_topology *topology)
{
    cJSON *tree = cJSON_CreateObject();

    cJSON_AddStringToObject(tree, "schema", "switchq/explorer/1");
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
    cJSON_AddItemToObject(tree, "tree", tree_of(topology));
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
            *tree = head_of(network.topology);
        if (!status)
            cJSON_AddItemToArray(cJSON_GetObjectItem(*tree, "runs"),
                                 json_of(buffers[b], &recording));
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

/* What can be read without scripts: before, under and after the hot spot. */
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

    fprintf(
        to,
        "<p>Every source of a %.0f-node %s network (%.0f stages of %.0f\xc3\x97%.0f switches, "
        "%.0f slots an input port, blocking) creates a packet with probability %.2g in a cycle. "
        "From cycle %.0f to cycle %.0f, %.0f%% of the packets go to node %.0f on top of its even "
        "share: more than its link carries. The switch before it fills up, then those before "
        "that, and so on back to the sources: a <em>tree</em> of full buffers, which holds up "
        "packets that go elsewhere. All organisations are given the very same packets; what cannot "
        "enter waits at its source. SAMQ and SAFC look emptier because a slot there belongs to "
        "one output: a buffer refuses a packet while its other slots are free.</p>\n",
        cli_number_of(answer, "nodes"), cli_string_of(answer, "topology"),
        cli_number_of(answer, "stages"), cli_number_of(answer, "ports"),
        cli_number_of(answer, "ports"), cli_number_of(answer, "slots"),
        cli_number_of(answer, "load"), cli_number_of(answer, "on"), cli_number_of(answer, "off"),
        100 * cli_number_of(answer, "fraction"), cli_number_of(answer, "hot"));
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
