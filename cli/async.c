/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options that describe an asynchronous network, turned into a typed spec, and the spec in
 * words. Options that the synchronous engine has too are looked up in its table.
 * Room: cli.
 */
#include "cli/async.h"
#include "base/context.h"
#include "models/arbiters/arbiters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct {
    char *dims, *bytes, *block, *max_packet, *threshold, *release, *hop_delay, *link_rest;
    char *length, *interval, *interval_from, *starts;
    char **group;
    int one_way, chained;
} given;

static const char *const release_words[] = {"blocks", "start", "hop", "end", NULL};

#define TEXT(name, member, help, argument)                                                         \
    {                                                                                              \
        name, '\0', POPT_ARG_STRING, &given.member, 0, help, argument                              \
    }

/* Of the network's and the output's options, those that both engines have. */
const char *const cli_async_shared[] = {"topology", "stages", "load",  "traffic",  "sources",
                                        "buffer",   "slots",  "ports", "arbiter",  "iterations",
                                        "flow",     "json",   "csv",   "per-node", NULL};

struct poptOption cli_async_options[] = {
    TEXT("dims", dims,
         "nodes of a torus or mesh in each dimension, the one that packets take first in front; "
         "dimensions of a hypercube",
         "11x11|4x4x8|6"),
    {"one-way", '\0', POPT_ARG_NONE, &given.one_way, 0,
     "torus: links in the positive direction only", NULL},
    {"chained", '\0', POPT_ARG_NONE, &given.chained, 0,
     "torus, mesh: a node has a chain of 5 x 5 switches, two dimensions each, not one larger "
     "switch",
     NULL},
    TEXT("bytes", bytes,
         "memory of an input port (default 128), which can also be given as slots for packets of "
         "the greatest length",
         "B"),
    TEXT("block", block, "memory is given away in blocks of so many bytes (default 8)", "B"),
    TEXT("max-packet", max_packet, "bytes of the longest packet; messages are split (default 32)",
         "B"),
    TEXT("threshold", threshold,
         "--flow maximum-usage: a queue of more blocks than T is sent to no more (--flow block, "
         "the default: none has a limit)",
         "T"),
    TEXT(
        "release", release,
        "when a departing packet's memory is free: block by block (default), when its transmission "
        "has started, when its header is in the next switch, or when it has been sent",
        "blocks|start|hop|end"),
    TEXT("hop-delay", hop_delay,
         "cycles from the start of a transmission until the next switch can pass the packet on "
         "(default 5)",
         "N"),
    TEXT("link-rest", link_rest, "cycles that a link is idle after a packet (default 2)", "N"),
    TEXT("length", length, "bytes of a message: a number (default 32), from-to, or geometric:MEAN",
         "L"),
    TEXT("interval", interval,
         "cycles between a sender's messages, instead of --load: N, A-B, or geometric:MEAN", "I"),
    TEXT("interval-from", interval_from,
         "intervals of hold sources begin when the link has rested after the message before "
         "(default), or when its last packet's transmission starts",
         "rest|start"),
    {"group", '\0', POPT_ARG_ARGV, &given.group, 0,
     "a group of senders, measured apart: the nodes, in no group before, whose number & mask is "
     "value (default all). KEY is mask, value, load, interval, interval-from, sources, length or "
     "traffic; what is not said is taken from the option of that name. May be repeated. "
     "traffic, here and as an option: DEST or a mixture of P*DEST joined by +, where P is the "
     "probability and DEST is uniform, a pattern, node:J, subset:MASK:VALUE or hotspot:F[:J], with "
     "@L behind it for a length of its own: 0.1*node:0@8+0.9*uniform; or, as an option "
     "alone, trace:FILE (lines of cycle, source, destination, bytes)",
     "KEY=VALUE[,KEY=VALUE]"},
    TEXT("starts", starts,
         "write the start of every transmission in the first replication as CSV: cycle, switch, "
         "input, output (none: from its sender), from, to, birth, bytes",
         "FILE"),
    POPT_TABLEEND,
};

static const char *text_of(const char *option)
{
    return cli_text(cli_network_options, option);
}

static swq_status integer_if(swq_context *ctx, const char *option, const char *text, int least,
                             int most, int *value)
{
    return text ? cli_integer(ctx, option, text, least, most, value) : SWQ_OK;
}

/* ---- the shape ---- */

/* 11x11: numbers joined by x. */
static swq_status read_dims(swq_context *ctx, swq_shape *shape)
{
    const char *at = given.dims, *name = shape->kind->name;

    if (!given.dims)
        return swq_fail(ctx, SWQ_EINVAL, "--dims is required for a %s, such as --dims %s", name,
                        shape->kind == &swq_fabric_hypercube ? "6" : "8x8");
    if (shape->kind == &swq_fabric_hypercube) {
        if (strchr(given.dims, 'x'))
            return swq_fail(ctx, SWQ_EINVAL,
                            "--dims of a hypercube is how many there are, such as 6 for 64 nodes, "
                            "not '%.60s'",
                            given.dims);
        return cli_integer(ctx, "dims", given.dims, 1, SWQ_MAX_DIMS, &shape->dims);
    }
    for (;;) {
        size_t digits = strspn(at, "0123456789");
        bool fits = digits > 0 && digits < 7 && (at[digits] == 'x' || !at[digits]);
        if (!fits || shape->dims == SWQ_MAX_DIMS)
            return swq_fail(ctx, SWQ_EINVAL,
                            "--dims must be 1 to %d numbers of nodes joined by x, such as 8x8, not "
                            "'%.60s'",
                            SWQ_MAX_DIMS, given.dims);
        shape->extent[shape->dims++] = atoi(at);
        if (!at[digits])
            return SWQ_OK;
        at += digits + 1;
    }
}

static swq_status not_for(swq_context *ctx, const char *option, const char *what, const char *name)
{
    return swq_fail(ctx, SWQ_EINVAL, "--%s is for %s, not for %s", option, what, name);
}

static swq_status read_shape(swq_context *ctx, swq_shape *shape)
{
    static const char *const of_stages[] = {"stages", "ports"};
    const char *name = text_of("topology");
    swq_status status = swq_fabric_find(ctx, name ? name : "omega", shape);

    shape->one_way = given.one_way != 0;
    shape->chained = given.chained != 0;
    if (status)
        return status;
    if (shape->one_way && shape->kind != &swq_fabric_torus)
        return not_for(ctx, "one-way", "a torus", name ? name : "omega");
    if (shape->chained && shape->kind != &swq_fabric_torus && shape->kind != &swq_fabric_mesh)
        return not_for(ctx, "chained", "a torus or mesh", name ? name : "omega");
    if (shape->one_way && shape->chained)
        return swq_fail(ctx, SWQ_EINVAL, "--one-way and --chained cannot both be given");
    if (shape->kind == &swq_fabric_multistage) {
        if (given.dims)
            return not_for(ctx, "dims", "a torus, mesh or hypercube", shape->wiring->name);
        shape->stages = shape->wiring->stages ? shape->wiring->stages : 3;
        shape->ports = shape->stages == 1 ? 2 : 4;
        status = integer_if(ctx, "stages", text_of("stages"), 1, SWQ_MAX_STAGES, &shape->stages);
        if (!status)
            status = integer_if(ctx, "ports", text_of("ports"), 2, SWQ_MAX_PORTS, &shape->ports);
        return status;
    }
    for (int k = 0; k < 2; k++) {
        if (text_of(of_stages[k]))
            return not_for(ctx, of_stages[k], "multistage networks", shape->kind->name);
    }
    return read_dims(ctx, shape);
}

/* ---- switches ---- */

static swq_status read_memory(swq_context *ctx, swq_async *n)
{
    const char *slots_text = text_of("slots");
    int slots = 0;
    swq_status status =
        integer_if(ctx, "max-packet", given.max_packet, 1, SWQ_MAX_PACKET, &n->max_packet);

    if (!status)
        status = integer_if(ctx, "block", given.block, 1, SWQ_MAX_PACKET, &n->block);
    n->bytes = 128;
    if (!status && slots_text && given.bytes)
        status = swq_fail(ctx, SWQ_EINVAL, "--bytes and --slots cannot both be given");
    if (!status && slots_text) {
        status = cli_integer(ctx, "slots", slots_text, 1, SWQ_MAX_SLOTS, &slots);
        n->bytes = slots * n->max_packet;
    }
    if (!status)
        status =
            integer_if(ctx, "bytes", given.bytes, 1, SWQ_MAX_BUFFER_BLOCKS * n->block, &n->bytes);
    return status;
}

static swq_status read_flow(swq_context *ctx, swq_async *n)
{
    const char *flow = text_of("flow");
    swq_status status = flow ? swq_hop_flow_find(ctx, flow, &n->flow) : SWQ_OK;

    if (status)
        return status;
    if (!flow && given.threshold)
        n->flow = &swq_flow_maximum_usage;
    if (given.threshold && !n->flow->threshold)
        return swq_fail(ctx, SWQ_EINVAL, "--threshold is for --flow maximum-usage, not %s",
                        n->flow->name);
    if (!given.threshold && n->flow->threshold)
        return swq_fail(ctx, SWQ_EINVAL, "--flow %s needs --threshold, in blocks", n->flow->name);
    return integer_if(ctx, "threshold", given.threshold, 0, SWQ_MAX_BUFFER_BLOCKS, &n->threshold);
}

static swq_status read_switch(swq_context *ctx, swq_async *n)
{
    const char *buffer = text_of("buffer"), *arbiter = text_of("arbiter");
    const char *iterations = text_of("iterations");
    int release = SWQ_RELEASE_BLOCKS;
    swq_status status = buffer ? swq_buffer_kind_find(ctx, buffer, &n->buffer)
                               : swq_fail(ctx, SWQ_EINVAL, "--buffer is required");

    if (!status && n->buffer->scope == SWQ_POOL)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--buffer must be one at each input port (fifo, samq, safc, damq, dafc) "
                          "in an asynchronous network, not %s",
                          n->buffer->name);
    if (!status)
        status = read_memory(ctx, n);
    if (!status)
        status = read_flow(ctx, n);
    if (!status && given.release)
        status = cli_word(ctx, "release", given.release, release_words, &release);
    n->release = (swq_release)release;
    if (!status && arbiter)
        status = swq_arbiter_find(ctx, arbiter, &n->arbiter);
    if (!status && iterations && n->arbiter != &swq_arbiter_islip && n->arbiter != &swq_arbiter_pim)
        status = swq_fail(ctx, SWQ_EINVAL, "--iterations is for --arbiter islip or pim, not %s",
                          n->arbiter->name);
    if (!status)
        status = integer_if(ctx, "iterations", iterations, 1, SWQ_MAX_PORTS, &n->iterations);
    if (!status)
        status = integer_if(ctx, "hop-delay", given.hop_delay, 1, 4096, &n->hop_delay);
    if (!status)
        status = integer_if(ctx, "link-rest", given.link_rest, 0, 4096, &n->link_rest);
    return status;
}

/* What the room below calls by their names, of which many are those of options. */
static swq_status with_option(swq_context *ctx, swq_status status, const swq_shape *shape)
{
    static const char *const names[] = {
        "topology", "stages",    "buffer",  "bytes",     "block",     "flow", "max-packet",
        "arbiter",  "threshold", "release", "hop-delay", "link-rest", NULL};
    char text[600];

    if (status != SWQ_EINVAL)
        return status;
    snprintf(text, sizeof text, "%s", swq_context_message(ctx));
    for (int k = 0; names[k]; k++) {
        size_t length = strlen(names[k]);
        if (strncmp(text, names[k], length) == 0 && text[length] == ' ')
            return swq_fail(ctx, SWQ_EINVAL, "--%s", text);
    }
    if (strncmp(text, "extent ", 7) == 0 || strncmp(text, "nodes ", 6) == 0)
        return swq_fail(ctx, SWQ_EINVAL, "--%s: %s",
                        shape->kind == &swq_fabric_multistage ? "stages" : "dims", text);
    return status;
}

swq_status cli_async_read(swq_context *ctx, cli_async *n, cli_load load)
{
    uint32_t nodes;

    *n = (cli_async){.network = swq_async_defaults()};
    swq_status status = read_shape(ctx, &n->network.shape);
    if (!status)
        status = swq_fabric_count(ctx, &n->network.shape, &n->fabric);
    if (!status)
        status = read_switch(ctx, &n->network);
    status = with_option(ctx, status, &n->network.shape);
    if (!status)
        status = cli_async_traffic(ctx, n, given.group, load);
    if (!status)
        status = with_option(ctx, swq_async_check(ctx, &n->network, &nodes), &n->network.shape);
    if (status)
        cli_async_clear(n);
    return status;
}

void cli_async_clear(cli_async *n)
{
    free(n->trace);
    n->trace = NULL;
}

/* ---- the spec again, for people ---- */

static void print_shape(const cli_async *n)
{
    const swq_shape *s = &n->network.shape;

    if (s->kind == &swq_fabric_multistage) {
        printf("%s, %d stage%s of %d x %d switches, %u nodes", s->wiring->name, s->stages,
               s->stages > 1 ? "s" : "", s->ports, s->ports, n->fabric.nodes);
        return;
    }
    printf("%s%s ", s->one_way ? "one-way " : "", s->kind->name);
    if (s->kind == &swq_fabric_hypercube)
        printf("of %d dimension%s", s->dims, s->dims > 1 ? "s" : "");
    for (int k = 0; k < s->dims && s->kind != &swq_fabric_hypercube; k++)
        printf("%s%d", k ? "x" : "", s->extent[k]);
    printf(", %u nodes, ", n->fabric.nodes);
    if (s->chained)
        printf("each %u chained ", n->fabric.switches / n->fabric.nodes);
    printf("%d x %d switches", n->fabric.ports, n->fabric.ports);
}

static const char *const release_says[] = {"", "; memory free when a transmission has started",
                                           "; memory free when a header is in the next switch",
                                           "; memory free when a packet has been sent"};

void cli_async_print(const cli_async *n)
{
    const swq_async *net = &n->network;
    char words[400];

    print_shape(n);
    printf("; %s, %d bytes per input port in blocks of %d, packets of at most %d; ",
           net->buffer->name, net->bytes, net->block, net->max_packet);
    if (net->flow->threshold)
        printf("maximum usage, threshold %d\n", net->threshold);
    else
        puts("blocking");
    if (net->trace)
        printf("trace:%s, %llu messages", n->trace_path, (unsigned long long)net->trace_messages);
    else if (n->grouped)
        printf("%d group%s of senders", net->groups, net->groups > 1 ? "s" : "");
    else {
        cli_group_words(n, 0, words, sizeof words);
        fputs(words, stdout);
    }
    printf("; arbiter %s; hop delay %d, link rest %d%s\n", net->arbiter->name, net->hop_delay,
           net->link_rest, release_says[net->release]);
    if (swq_async_may_deadlock(net))
        puts("one queue may fill a buffer: this torus may deadlock");
    putchar('\n');
}

/* ---- and for programs ---- */

static cJSON *json_group(const cli_async *n, int g)
{
    const swq_sender_group *group = &n->group[g];
    cJSON *object = cJSON_CreateObject();
    char words[400];

    cJSON_AddNumberToObject(object, "mask", group->mask);
    cJSON_AddNumberToObject(object, "value", group->value);
    if (n->network.trace)
        return object;
    cli_json_number(object, "load", n->load[g]);
    cJSON_AddStringToObject(object, "sources", cli_source_words[group->kind]);
    cli_interval_words(n, g, words, sizeof words);
    if (!group->silent)
        cJSON_AddStringToObject(object, "interval", words);
    cJSON_AddStringToObject(object, "interval_from", group->from_start ? "start" : "rest");
    cli_traffic_words(n, g, words, sizeof words);
    cJSON_AddStringToObject(object, "traffic", words);
    return object;
}

static void add_shape(cJSON *model, const cli_async *n)
{
    const swq_shape *s = &n->network.shape;

    cJSON_AddStringToObject(model, "topology", s->wiring ? s->wiring->name : s->kind->name);
    if (s->wiring)
        cJSON_AddNumberToObject(model, "stages", s->stages);
    cJSON *dims = s->wiring ? NULL : cJSON_AddArrayToObject(model, "dims");
    for (int k = 0; k < s->dims && dims; k++)
        cJSON_AddItemToArray(
            dims, cJSON_CreateNumber(s->kind == &swq_fabric_hypercube ? 2 : s->extent[k]));
    cJSON_AddBoolToObject(model, "one_way", s->one_way);
    cJSON_AddBoolToObject(model, "chained", s->chained);
    cJSON_AddNumberToObject(model, "nodes", n->fabric.nodes);
    cJSON_AddNumberToObject(model, "switches", n->fabric.switches);
    cJSON_AddNumberToObject(model, "ports", n->fabric.ports);
}

cJSON *cli_json_async(const cli_async *n)
{
    const swq_async *net = &n->network;
    cJSON *model = cJSON_CreateObject();

    add_shape(model, n);
    cJSON_AddStringToObject(model, "buffer", net->buffer->name);
    cJSON_AddNumberToObject(model, "bytes", net->bytes);
    cJSON_AddNumberToObject(model, "block", net->block);
    cJSON_AddNumberToObject(model, "max_packet", net->max_packet);
    cJSON_AddStringToObject(model, "flow", net->flow->name);
    if (net->flow->threshold)
        cJSON_AddNumberToObject(model, "threshold", net->threshold);
    else
        cJSON_AddNullToObject(model, "threshold");
    cJSON_AddStringToObject(model, "release", release_words[net->release]);
    cJSON_AddBoolToObject(model, "may_deadlock", swq_async_may_deadlock(net));
    cJSON_AddStringToObject(model, "arbiter", net->arbiter->name);
    if (net->iterations)
        cJSON_AddNumberToObject(model, "iterations", net->iterations);
    cJSON_AddNumberToObject(model, "hop_delay", net->hop_delay);
    cJSON_AddNumberToObject(model, "link_rest", net->link_rest);
    if (net->trace)
        cJSON_AddNumberToObject(model, "trace_messages", (double)net->trace_messages);
    else if (!n->grouped)
        cli_json_number(model, "load", n->load[0]);
    cJSON *groups = cJSON_AddArrayToObject(model, "groups");
    for (int g = 0; g < net->groups; g++)
        cJSON_AddItemToArray(groups, json_group(n, g));
    return model;
}
