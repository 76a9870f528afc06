/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options that describe a switch, its traffic and its solver, turned into typed specs.
 * Room: cli.
 */
#include "cli/spec/switch.h"
#include "base/context.h"
#include "base/machine.h"
#include "base/names.h"
#include "cli/options/parse.h"
#include "cli/spec/priority.h"
#include "cli/spec/solver.h"
#include "models/arbiters/arbiters.h"
#include "switchq/rational.h"
#include "switchq/topology.h"

#include <stdlib.h>
#include <string.h>

/* The least fraction that a double still holds with full precision. */
#define LEAST_FRACTION 1e-300

const char *const cli_flow_words[] = {"discard", "block", NULL};
const char *const cli_credit_words[] = {"same", "next", NULL};
const char *const cli_scope_words[] = {"input", "pool", NULL};
const char *const cli_queues_words[] = {"one", "output", NULL};
const char *const cli_read_words[] = {"one", "queue", NULL};

static struct {
    char *ports, *buffer, *slots, *load, *flow, *credit, *arbiter, *iterations, *traffic, *burst;
    char *scope, *queues, *read, *queue_min, *queue_max, *alpha, *pool_rule, *admission;
} given;

const char *const cli_reduce_words[] = {"none", "auto", NULL};

static struct {
    char *reduce, *solver, *tolerance, *iterations, *memory;
} solving;

#define TEXT_OF(engines, name, member, help, argument)                                             \
    {                                                                                              \
        name, '\0', POPT_ARG_STRING, &given.member, engines, help, argument                        \
    }
#define TEXT(name, member, help, argument) TEXT_OF(0, name, member, help, argument)
#define SYNC(name, member, help, argument) TEXT_OF(SWQ_ENGINE_SYNC, name, member, help, argument)

struct poptOption cli_switch_options[] = {
    TEXT("buffer", buffer, "buffer organisation ('switchq list buffers')", "KIND"),
    TEXT("slots", slots, "packet slots per input port (a pool has N times as many)", "B"),
    TEXT("ports", ports,
         "inputs and outputs of a switch (default 2 for one switch, 4 in a network)", "N"),
    TEXT("arbiter", arbiter,
         "which input sends ('switchq list arbiters'; default random for one switch, rotating in a "
         "network)",
         "NAME"),
    TEXT("iterations", iterations, "number of rounds of the arbiters islip and pim (default 1)",
         "N"),
    TEXT("flow", flow,
         "a refused packet is lost (default) or held by its source (asynchronous: default; others: "
         "'switchq list flow')",
         "discard|block"),
    SYNC("credit", credit,
         "a freed slot can be refilled in the same cycle (default for discard) or "
         "the next (default for block)",
         "same|next"),
    TEXT("queue-min", queue_min, "slots (asynchronous: blocks) reserved for each queue", "N"),
    TEXT("queue-max", queue_max, "slots (asynchronous: blocks) that one queue may take", "N"),
    TEXT("alpha", alpha,
         "dynamic threshold: of the shared slots (blocks), a queue may take fewer than A times the "
         "free ones; 0 for none",
         "A"),
    TEXT("scope", scope, "override: a buffer per input, or one pool", "input|pool"),
    TEXT("queues", queues,
         "override: one queue per buffer, or one per output; --management dbbm: its queues",
         "one|output|Q"),
    TEXT("read", read, "override: one packet a cycle from a buffer, or from each queue",
         "one|queue"),
    SYNC("pool-rule", pool_rule,
         "a pool short of slots takes packets while there is room (default), opens as many random "
         "ports as it has slots, or takes the oldest packets (simulation only)",
         "room|ports|oldest"),
    SYNC("admission", admission,
         "whether a packet that comes to a buffer is stored: if there is room for it (default), or "
         "always, in place of the last packet of the longest queue ('switchq list admission')",
         "room|lqd"),
    POPT_TABLEEND,
};

struct poptOption cli_spec_options[] = {
    TEXT("load", load, "packets created per cycle and input: one number, or one per input",
         "R[,R]"),
    TEXT("traffic", traffic,
         "uniform (default), hotspot:F[:J] (the fraction F goes to output J in addition), "
         "matrix:P,P/P,P (a row per input), file:PATH (such a matrix from a file)",
         "PATTERN"),
    TEXT("burst", burst,
         "mean number of packets in a burst, which arrive in consecutive cycles for one "
         "destination (default 1)",
         "B"),
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_switch_options, 0, NULL, NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_stage_options, 0, NULL, NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_priority_options, 0, NULL, NULL},
    POPT_TABLEEND,
};

struct poptOption cli_memory_options[] = {
    {"mem", '\0', POPT_ARG_STRING, &solving.memory, 0,
     "memory limit, e.g. 2G (default 80% of the machine's memory, or of what ulimit allows)",
     "SIZE"},
    POPT_TABLEEND,
};

struct poptOption cli_solver_options[] = {
    {"reduce", '\0', POPT_ARG_STRING, &solving.reduce, 0,
     "merge states that differ only by a renaming of ports, where the switch allows it (default "
     "auto)",
     "none|auto"},
    {"solver", '\0', POPT_ARG_STRING, &solving.solver, 0,
     "method (default auto; 'switchq list solvers')", "NAME"},
    {"tol", '\0', POPT_ARG_STRING, &solving.tolerance, 0,
     "relative precision of the discard probability (block: of the throughput): its interval is "
     "proven to be within T of it (default 1e-10), or the run says that it is not",
     "T"},
    {"max-iterations", '\0', POPT_ARG_STRING, &solving.iterations, 0,
     "largest number of iterations (default 100000)", "N"},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_memory_options, 0, NULL, NULL},
    POPT_TABLEEND,
};

static cli_words *keeper;

void cli_keep_words(cli_words *words)
{
    keeper = words;
}

void cli_words_clear(cli_words *words)
{
    for (int k = 0; k < words->count; k++)
        free(words->word[k]);
    free(words->word);
    *words = (cli_words){0};
}

/* Takes ownership of the word; false: no memory. */
static bool keep_word(cli_words *words, char *word)
{
    if (words->count == words->room) {
        int room = 2 * words->room + 16;
        char **grown = realloc(words->word, (size_t)room * sizeof *grown);
        if (!grown)
            return false;
        words->word = grown;
        words->room = room;
    }
    words->word[words->count++] = word;
    return true;
}

static swq_status required(swq_context *ctx, const char *option, const char *text)
{
    if (text)
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL, "--%s is required", option);
}

swq_status cli_fraction(swq_context *ctx, const char *option, const char *word, double *value)
{
    if (!swq_rational_value(word, value) || *value > 1)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--%s must be a number from 0 to 1, or a fraction such as 9/10, not "
                        "'%.60s'",
                        option, word);
    if (*value > 0 && *value < LEAST_FRACTION)
        return swq_fail(ctx, SWQ_EINVAL, "--%s must be 0 or at least %g, not '%.60s'", option,
                        LEAST_FRACTION, word);
    return SWQ_OK;
}

/* The first `length` characters of the text as a number from 0 to 1. */
static swq_status read_part(swq_context *ctx, const char *option, const char *text, size_t length,
                            double *value)
{
    char *word = strndup(text, length);
    if (!word)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory to read --%s", option);
    swq_status status = SWQ_OK;
    if (!keeper)
        status = cli_number(ctx, option, word, 0, 1, value);
    else
        status = cli_fraction(ctx, option, word, value);
    if (keeper && !status) {
        if (keep_word(keeper, word))
            return SWQ_OK;
        status = swq_fail(ctx, SWQ_ENOMEM, "no memory to read --%s", option);
    }
    free(word);
    return status;
}

/* Splits the text at any of `separators` into *count numbers from 0 to 1, at most `most`. */
static swq_status read_list(swq_context *ctx, const char *option, const char *text,
                            const char *separators, double *value, int most, int *count)
{
    *count = 0;
    for (const char *at = text;;) {
        size_t length = strcspn(at, separators);
        if (*count == most)
            return swq_fail(ctx, SWQ_EINVAL, "--%s has more than %d numbers: '%.60s'", option, most,
                            text);
        swq_status status = read_part(ctx, option, at, length, &value[(*count)++]);
        if (status)
            return status;
        at += length;
        if (!*at)
            return SWQ_OK;
        at++;
    }
}

static swq_status read_load(swq_context *ctx, cli_spec *spec)
{
    int count = 1, ports = spec->sw.ports;
    swq_status status = spec->load_open ? SWQ_OK : required(ctx, "load", given.load);
    if (spec->load_open)
        spec->sw.load[0] = 1;
    else if (!status)
        status = read_list(ctx, "load", given.load, ",", spec->sw.load, ports, &count);
    if (status)
        return status;
    if (keeper)
        keeper->loads = count;
    if (count != 1 && count != ports)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--load must be one number or one for each of the %d inputs, not '%.60s'",
                        ports, given.load);
    for (int i = count; i < ports; i++)
        spec->sw.load[i] = spec->sw.load[0];
    spec->same_load = true;
    for (int i = 1; i < ports; i++)
        spec->same_load = spec->same_load && spec->sw.load[i] == spec->sw.load[0];
    return SWQ_OK;
}

static swq_status read_hotspot(swq_context *ctx, cli_spec *spec, const char *text)
{
    const char *output = strchr(text, ':');
    size_t length = output ? (size_t)(output - text) : strlen(text);

    swq_status status = read_part(ctx, "traffic hotspot", text, length, &spec->hot_fraction);
    if (!status && output)
        status = cli_integer(ctx, "traffic hotspot output", output + 1, 0, spec->sw.ports - 1,
                             &spec->hot_output);
    spec->traffic = "hotspot";
    return status ? status
                  : swq_traffic_hotspot(ctx, &spec->sw, spec->hot_fraction, spec->hot_output);
}

static swq_status read_matrix(swq_context *ctx, cli_spec *spec, const char *text,
                              const char *separators)
{
    double matrix[SWQ_MAX_PORTS * SWQ_MAX_PORTS];
    int count, n = spec->sw.ports;
    swq_status status = read_list(ctx, "traffic", text, separators, matrix, n * n, &count);
    if (status)
        return status;
    if (count != n * n)
        return swq_fail(ctx, SWQ_EINVAL, "--traffic matrix must have %d x %d numbers, not %d", n, n,
                        count);
    spec->traffic = "matrix";
    return swq_traffic_matrix(ctx, &spec->sw, matrix);
}

/* A matrix in a file: numbers separated by blanks, commas or line ends; # starts a comment. */
static swq_status read_matrix_file(swq_context *ctx, cli_spec *spec, const char *path)
{
    char *text;
    size_t out = 0;
    swq_status status = cli_read_file(ctx, path, 1, &text);
    if (status)
        return status;
    for (const char *in = text; *in;) {
        if (*in == '#') {
            in += strcspn(in, "\n");
        } else if (strchr(" \t\r\n,", *in)) {
            in += strspn(in, " \t\r\n,");
            if (out > 0 && text[out - 1] != ',')
                text[out++] = ',';
        } else {
            text[out++] = *in++;
        }
    }
    out -= out > 0 && text[out - 1] == ',';
    text[out] = '\0';
    status = read_matrix(ctx, spec, text, keeper ? "," : ",/");
    free(text);
    return status;
}

static swq_status read_traffic(swq_context *ctx, cli_spec *spec)
{
    static const char *const words[] = {"uniform", "hotspot", "matrix", "file", NULL};
    char name[32];
    int which = 0;
    const char *text = given.traffic ? given.traffic : "uniform", *colon = strchr(text, ':');

    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
    swq_status status = cli_word(ctx, "traffic", name, words, &which);
    if (status)
        return status;
    if (which > 0 && !(colon && colon[1]))
        return swq_fail(ctx, SWQ_EINVAL, "--traffic %s needs a value: '%s:...'", name, name);
    if (which == 0 && colon)
        return swq_fail(ctx, SWQ_EINVAL, "--traffic uniform takes no value, not '%.60s'", text);
    switch (which) {
    case 1:
        return read_hotspot(ctx, spec, colon + 1);
    case 2:
        /* rows separated by ';' leave '/' for fractions, which --exact takes */
        return read_matrix(ctx, spec, colon + 1, keeper && strchr(colon, ';') ? ",;" : ",/");
    case 3:
        return read_matrix_file(ctx, spec, colon + 1);
    default:
        spec->traffic = "uniform";
        swq_traffic_uniform(&spec->sw);
        return SWQ_OK;
    }
}

static swq_status read_burst(swq_context *ctx, cli_spec *spec)
{
    double *burst = &spec->sw.burst;

    *burst = 1;
    spec->burst_word = given.burst;
    if (!given.burst)
        return SWQ_OK;
    if (!keeper)
        return cli_number(ctx, "burst", given.burst, 1, SWQ_MOST_BURST, burst);
    if (swq_rational_value(given.burst, burst) && *burst >= 1 && *burst <= SWQ_MOST_BURST)
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL,
                    "--burst must be a number from 1 to %g, or a fraction such as 5/2, not '%.60s'",
                    SWQ_MOST_BURST, given.burst);
}

static swq_status optional_word(swq_context *ctx, const char *option, const char *text,
                                const char *const *words, int *value)
{
    return text ? cli_word(ctx, option, text, words, value) : SWQ_OK;
}

swq_status cli_buffer_choices(swq_context *ctx, swq_buffer_kind *kind)
{
    const swq_buffer_kind *row = NULL;
    swq_status status = required(ctx, "buffer", given.buffer);

    if (!status)
        status = swq_buffer_kind_find(ctx, given.buffer, &row);
    if (status)
        return status;
    int scope = row->scope, queues = row->queues, read = row->read;
    status = optional_word(ctx, "scope", given.scope, cli_scope_words, &scope);
    if (!status)
        status = optional_word(ctx, "queues", given.queues, cli_queues_words, &queues);
    if (!status)
        status = optional_word(ctx, "read", given.read, cli_read_words, &read);
    *kind = *row;
    kind->scope = (swq_scope)scope;
    kind->queues = (swq_queues)queues;
    kind->read = (swq_read)read;
    return status;
}

swq_status cli_pool_rule_read(swq_context *ctx, const char *text, const swq_pool_rule **rule)
{
    const void *row =
        text ? swq_name_lookup(ctx, "--pool-rule", text, (const void *const *)swq_pool_rules)
             : *rule;
    if (!row && text)
        return SWQ_EINVAL;
    *rule = row;
    return SWQ_OK;
}

/* extra_slots: the part of --slots that does not belong to the buffer. */
static swq_status read_buffer(swq_context *ctx, cli_spec *spec, int extra_slots)
{
    swq_buffer *b = &spec->sw.buffer;
    swq_status status = cli_buffer_choices(ctx, &spec->kind);

    if (!status && !spec->slots_open)
        status = required(ctx, "slots", given.slots);
    if (!status && spec->slots_open && (given.queue_min || given.queue_max))
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--queue-min and --queue-max need --slots: they are numbers of slots");
    if (spec->slots_open)
        spec->slots = swq_buffer_least(&spec->kind, spec->sw.ports);
    else if (!status)
        status = cli_integer(ctx, "slots", given.slots, 1, SWQ_MAX_SLOTS, &spec->slots);
    if (!status)
        status = swq_buffer_preset(ctx, &spec->kind, spec->sw.ports, spec->slots - extra_slots, b);
    if (!status && given.queue_min)
        status = cli_integer(ctx, "queue-min", given.queue_min, 0, b->capacity, &b->queue_min);
    if (!status && given.queue_max)
        status = cli_integer(ctx, "queue-max", given.queue_max, 1, b->capacity, &b->queue_max);
    if (!status && given.alpha)
        status = cli_number(ctx, "alpha", given.alpha, 0, 1e6, &b->alpha);
    b->pool_rule = &swq_pool_room;
    if (!status)
        status = cli_pool_rule_read(ctx, given.pool_rule, &b->pool_rule);
    if (!status && given.admission) {
        b->admission = swq_name_lookup(ctx, "--admission", given.admission,
                                       (const void *const *)swq_admission_rules);
        status = b->admission ? SWQ_OK : SWQ_EINVAL;
    }
    spec->buffer = spec->kind.name;
    return status;
}

/* Reads only --buffer and --ports, on which other options depend. */
swq_status cli_buffer_kind_read(swq_context *ctx, cli_spec *spec)
{
    const swq_buffer_kind *row = NULL;
    swq_status status = required(ctx, "buffer", given.buffer);
    if (!status)
        status = swq_buffer_kind_find(ctx, given.buffer, &row);
    if (!status && given.ports)
        status = cli_integer(ctx, "ports", given.ports, 1, SWQ_MAX_PORTS, &spec->sw.ports);
    if (!status)
        spec->kind = *row;
    return status;
}

swq_status cli_slots_besides(swq_context *ctx, int ports, int extra)
{
    int slots;
    swq_status status = required(ctx, "slots", given.slots);
    if (!status)
        status = cli_integer(ctx, "slots", given.slots, 1, SWQ_MAX_SLOTS, &slots);
    if (!status && (slots <= extra || (slots - extra) % ports != 0))
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--slots must be a multiple of the %d ports, and %d more for high "
                          "priority, such as %d, not %d",
                          ports, extra, (slots / ports ? slots / ports : 1) * ports + extra, slots);
    return status;
}

/* The names of the arbiters that work in iterations, "islip or pim". */
static const char *iterative_names(char *text, size_t size)
{
    size_t used = 0;

    *text = '\0';
    for (int k = 0; swq_arbiters[k]; k++) {
        if (swq_arbiters[k]->iterative && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? " or " : "",
                                     swq_arbiters[k]->name);
    }
    return text;
}

swq_status cli_iterations_read(swq_context *ctx, const char *text, const swq_arbiter *arbiter,
                               int *iterations)
{
    char names[100];

    if (!text)
        return SWQ_OK;
    swq_status status = cli_integer(ctx, "iterations", text, 1, SWQ_MAX_PORTS, iterations);
    if (!status && !arbiter->iterative)
        status = swq_fail(ctx, SWQ_EINVAL, "--iterations is for --arbiter %s, not %s",
                          iterative_names(names, sizeof names), arbiter->name);
    return status;
}

/* An arbiter decides where packets compete for the only read port of a buffer, or buffers for an
 * output; each queue of a pool sends on its own. */
static swq_status read_arbiter(swq_context *ctx, swq_switch *sw)
{
    const swq_stage_architecture *a = swq_switch_architecture(sw);
    const char *idle = given.arbiter ? "arbiter" : given.iterations ? "iterations" : NULL;

    if (idle && !a->arbitrates)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--%s is for architectures that arbitrate; in %s every "
                        "queue sends",
                        idle, a->name);
    if (given.iterations && a->columns)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--iterations is for matchings; in --architecture %s "
                        "outputs choose by themselves",
                        a->name);
    if (given.arbiter && a->columns && strcmp(given.arbiter, "round-robin") == 0) {
        sw->arbiter = &swq_arbiter_islip;
        return SWQ_OK;
    }
    if (idle && sw->buffer.scope == SWQ_POOL)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--%s is for buffers at the inputs; in a pool (--%s %s) every queue sends",
                        idle, given.scope ? "scope" : "buffer",
                        given.scope ? given.scope : given.buffer);
    swq_status status = given.arbiter ? swq_arbiter_find(ctx, given.arbiter, &sw->arbiter) : SWQ_OK;
    return status ? status
                  : cli_iterations_read(ctx, given.iterations, sw->arbiter, &sw->iterations);
}

swq_status cli_buffer_idle(swq_context *ctx, const swq_buffer *b, int ports)
{
    const int queues = swq_buffer_queues(b, ports);
    const bool shares = b->capacity > queues * b->queue_min || b->queue_max < b->queue_min;
    const char *shared = given.queue_max ? "queue-max" : given.alpha ? "alpha" : NULL;

    if (given.pool_rule && b->scope != SWQ_POOL)
        return swq_fail(ctx, SWQ_EINVAL, "--pool-rule %s is for a pool (cbda), not for %s",
                        given.pool_rule, given.buffer);
    if (given.alpha && swq_buffer_partitioned(b))
        return swq_fail(
            ctx, SWQ_EINVAL,
            "--alpha limits the shared slots that queues take; a queue of %s takes only "
            "those that are reserved for it (--queue-min %d, --queue-max %d)",
            given.buffer, b->queue_min, b->queue_max);
    if (given.read && b->read == SWQ_READ_EACH_QUEUE && queues == 1)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--read queue is for a queue per output; %s has one queue a buffer",
                        given.buffer);
    if (shared && !shares)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--%s limits the shared slots that queues take; all slots of %s are "
                        "reserved (--queue-min %d)",
                        shared, given.buffer, b->queue_min);
    /* with all other queues full, could a queue be left with so few slots that a reservation
     * matters? */
    if (given.queue_min && b->queue_max >= b->queue_min &&
        (queues - 1) * b->queue_max + b->capacity / queues <= b->capacity)
        return swq_fail(ctx, SWQ_EINVAL, "--queue-min keeps slots from other queues: %s",
                        queues == 1 ? "here there is one queue a buffer"
                                    : "here --queue-max, or the buffer's own limit, does so");
    return SWQ_OK;
}

/* Refuses options of input buffers for an architecture without any. */
static swq_status refuse_buffer(swq_context *ctx, const swq_stage_architecture *a)
{
    const struct {
        const char *option, *text;
    } row[] = {{"buffer", given.buffer},       {"slots", given.slots},
               {"queue-min", given.queue_min}, {"queue-max", given.queue_max},
               {"alpha", given.alpha},         {"scope", given.scope},
               {"queues", given.queues},       {"read", given.read},
               {"pool-rule", given.pool_rule}, {"admission", given.admission}};

    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        if (row[k].text)
            return swq_fail(ctx, SWQ_EINVAL,
                            "--%s is for architectures with buffers at the inputs; %s brings its "
                            "own memory: --%s",
                            row[k].option, a->name,
                            a->crosspoints ? "crosspoint-slots" : "output-slots");
    }
    return SWQ_OK;
}

/* Reads the architecture, and the buffers of the inputs if the architecture has any. One of the
 * sizes may be missing. */
static swq_status read_memory(swq_context *ctx, cli_spec *spec, int extra_slots)
{
    const bool open = spec->slots_open;
    swq_status status = cli_stages_read(ctx, &spec->stages, &spec->sw, open ? &spec->open : NULL);

    if (status)
        return status;
    const swq_stage_architecture *a = swq_switch_architecture(&spec->sw);
    spec->slots_open = spec->open != CLI_SIZE_NONE;
    if (!a->input_buffers)
        return refuse_buffer(ctx, a);
    spec->slots_open = open && spec->open == CLI_SIZE_NONE && !given.slots;
    if (spec->open != CLI_SIZE_NONE && !given.slots) /* only one size can be found at a time */
        return required(ctx, "slots", given.slots);
    status = read_buffer(ctx, spec, extra_slots);
    if (!status && spec->sw.buffer.scope == SWQ_POOL && !a->pools)
        status = swq_fail(
            ctx, SWQ_EINVAL,
            "--%s %s is a pool, behind which there is no crossbar: --architecture %s needs "
            "buffers at the inputs",
            given.scope ? "scope" : "buffer", given.scope ? given.scope : spec->buffer, a->name);
    if (spec->slots_open)
        spec->open = CLI_SIZE_SLOTS;
    spec->slots_open = spec->open != CLI_SIZE_NONE;
    return status;
}

swq_status cli_switch_read(swq_context *ctx, cli_spec *spec, int extra_slots)
{
    int flow = SWQ_DISCARD, credit;
    swq_switch *sw = &spec->sw;
    swq_status status =
        given.ports ? cli_integer(ctx, "ports", given.ports, 1, SWQ_MAX_PORTS, &sw->ports) : SWQ_OK;
    if (!status)
        status = read_memory(ctx, spec, extra_slots);
    if (!status)
        status = optional_word(ctx, "flow", given.flow, cli_flow_words, &flow);
    credit = flow == SWQ_BLOCK ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
    if (!status)
        status = optional_word(ctx, "credit", given.credit, cli_credit_words, &credit);
    sw->flow = (swq_flow)flow;
    sw->credit = (swq_credit)credit;
    if (!status && given.credit && sw->credit == SWQ_CREDIT_NEXT && sw->flow == SWQ_DISCARD &&
        !swq_switch_architecture(sw)->input_buffers)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--credit next with --flow discard is for buffers at the inputs, not for "
                          "--architecture %s",
                          swq_switch_architecture(sw)->name);
    if (!status && swq_switch_architecture(sw)->input_buffers)
        status = cli_buffer_idle(ctx, &sw->buffer, sw->ports);
    return status ? status : read_arbiter(ctx, sw);
}

swq_switch cli_switch_defaults(bool lone)
{
    return (swq_switch){.ports = lone ? 2 : 4,
                        .arbiter = lone ? swq_arbiters[0] : &swq_arbiter_rotating};
}

/* Must come first, since the part of --slots that belongs to high priority depends on the kind of
 * buffer. */
static swq_status read_priority(swq_context *ctx, cli_spec *spec, swq_priority *priority,
                                int *extra)
{
    const swq_stage_architecture *a;

    if (!cli_given(cli_priority_options, NULL))
        return SWQ_OK;
    swq_status status = cli_stages_architecture(ctx, &spec->stages, &a);
    if (!status && a != swq_stage_architectures[0])
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--high and the options of --priority are for --architecture %s, not for "
                          "%s",
                          swq_stage_architectures[0]->name, a->name);
    if (!status)
        status = cli_buffer_kind_read(ctx, spec);
    if (!status)
        status = cli_priority_read(ctx, &spec->kind, spec->sw.ports, priority, extra);
    if (!status && *extra)
        status = cli_slots_besides(ctx, spec->sw.ports, *extra);
    spec->classes = true;
    return status ? status : cli_priority_needs_high(ctx, priority->support);
}

swq_status cli_spec_read(swq_context *ctx, cli_spec *spec, bool open)
{
    *spec = (cli_spec){.sw = cli_switch_defaults(true),
                       .stages = cli_stages_given(),
                       .slots_open = open && given.load,
                       .load_open = open && !given.load};
    swq_priority priority = {.fraction = 0};
    int extra = 0;
    swq_status status = read_priority(ctx, spec, &priority, &extra);
    if (!status)
        status = cli_switch_read(ctx, spec, extra);
    spec->sw.priority = priority;
    if (!status)
        status = read_load(ctx, spec);
    if (!status)
        status = read_traffic(ctx, spec);
    if (!status)
        status = read_burst(ctx, spec);
    return status ? status : swq_switch_check(ctx, &spec->sw);
}

swq_status cli_memory_read(swq_context *ctx)
{
    size_t limit = swq_usual_memory();
    swq_status status = solving.memory ? cli_bytes(ctx, "mem", solving.memory, &limit) : SWQ_OK;
    if (!status)
        swq_context_limit_memory(ctx, limit);
    return status;
}

bool cli_solver_given(void)
{
    return solving.solver || solving.tolerance || solving.iterations;
}

swq_status cli_solver_read(swq_context *ctx, swq_exact_options *options)
{
    int iterations, reduce = 1;
    swq_status status = SWQ_OK;

    *options = swq_exact_options_defaults();
    if (solving.reduce)
        status = cli_word(ctx, "reduce", solving.reduce, cli_reduce_words, &reduce);
    options->reduce = reduce == 1;
    if (!status && solving.solver)
        status = swq_solver_find(ctx, solving.solver, &options->solver);
    if (!status && solving.tolerance)
        status = cli_number(ctx, "tol", solving.tolerance, 1e-15, 0.1, &options->solving.enclosure);
    if (!status && solving.iterations) {
        status = cli_integer(ctx, "max-iterations", solving.iterations, 1, 2000000000, &iterations);
        options->solving.max_iterations = status ? 0 : iterations;
    }
    return status ? status : cli_memory_read(ctx);
}
