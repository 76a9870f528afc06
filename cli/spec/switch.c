/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options that describe a switch, its traffic and its solver, turned into typed specs.
 */
#include "cli/spec/switch.h"
#include "base/context.h"
#include "base/machine.h"
#include "base/names.h"
#include "base/plugins.h"
#include "cli/options/parse.h"
#include "cli/record/inside.h"
#include "cli/spec/async.h"
#include "cli/spec/oracle.h"
#include "cli/spec/priority.h"
#include "cli/spec/solver.h"
#include "models/arbiters/arbiters.h"
#include "models/buffers/large.h"
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

const char *const cli_reduce_words[] = {"none", "auto", NULL};

/* ---- who has buffers at the inputs, of any organisation ---- */

CLI_PROPERTY(has_buffers, swq_architecture, async.input_buffers)
CLI_PROPERTY(has_stage_buffers, swq_architecture, stage.input_buffers)

static bool may_reserve(const void *row)
{
    return has_buffers(row) || ((const swq_architecture *)row)->async.crosspoints;
}

static bool has_no_queues(const void *row)
{
    const swq_management *management = row;
    return !management->hooks && !management->stores;
}

static bool may_have_queues(const void *row)
{
    return has_no_queues(row) || ((const swq_management *)row)->default_queues > 0;
}

static int capacity(const void *buffer)
{
    return ((const swq_buffer *)buffer)->capacity;
}

#define BUFFERS(architecture, management)                                                          \
    .general = true, .takers = {{&cli_by_stage, has_stage_buffers},                                \
                                {&cli_by_architecture, architecture},                              \
                                {&cli_by_management, management}}
#define SOLVE "solve, export"
#define SIM   "sim, approx"
#define LONE  "sim --topology switch"
#define ASYNC "sim --engine async"

/* What of a row of --buffer is replaced. */
static cli_parameter kind_parameters[] = {
    {CLI_OPTION("scope", "input|pool", 0), .plain = "", CLI_AT(CLI_CHOICE, swq_buffer_kind, scope),
     .words = cli_scope_words, BUFFERS(has_buffers, has_no_queues),
     .about = "override: a buffer per input, or one pool", .key = "scope"},
    {CLI_OPTION("queues", "one|output|Q", 0), .plain = "",
     CLI_AT(CLI_CHOICE, swq_buffer_kind, queues), .axis = CLI_AXIS_NONE, .words = cli_queues_words,
     BUFFERS(has_buffers, may_have_queues),
     .about = "override: one queue per buffer, or one per output; --management dbbm: its queues",
     .preset = "", .key = "queues",
     CLI_DEFAULTS({"sim --engine async --management dbbm --xoff 4", "8",
                   "the number of ports of switches in the literature"})},
    {CLI_OPTION("read", "one|queue", 0), .plain = "", CLI_AT(CLI_CHOICE, swq_buffer_kind, read),
     .words = cli_read_words, BUFFERS(has_buffers, has_no_queues),
     .about = "override: one packet a cycle from a buffer, or from each queue", .key = "read"},
    CLI_PARAMETERS_END,
};

cli_parameter cli_limit_parameters[] = {
    {CLI_OPTION("queue-min", "N", 0), .says = "queue min %", .plain = "0",
     CLI_AT(CLI_INT, swq_buffer, queue_min), .highest = capacity,
     BUFFERS(may_reserve, has_no_queues),
     .about = "slots (asynchronous: blocks) reserved for each queue", .key = "queue_min",
     .unit = "slots"},
    {CLI_OPTION("queue-max", "N", 0), .says = "queue max %", .plain = "",
     CLI_AT(CLI_INT, swq_buffer, queue_max), .least = 1, .highest = capacity,
     BUFFERS(has_buffers, has_no_queues),
     .about = "slots (asynchronous: blocks) that one queue may take", .key = "queue_max",
     .unit = "slots"},
    {CLI_OPTION("alpha", "A", 0), .plain = "0", CLI_AT(CLI_REAL, swq_buffer, alpha),
     CLI_FROM(0, 1e6), BUFFERS(has_buffers, has_no_queues),
     .about =
         "dynamic threshold: of the shared slots (blocks), a queue may take fewer than A times "
         "the free ones; 0 for none",
     .key = "alpha"},
    CLI_PARAMETERS_END,
};

/* ---- parameters of rules of admission ---- */

static const char *const drop_words[] = {"tail", "head", NULL};

static bool takes(const void *buffer, swq_admission_parameter parameter)
{
    return swq_buffer_admission(buffer)->takes & parameter;
}

static bool breaks_ties(const void *buffer)
{
    return takes(buffer, SWQ_ADMISSION_TIES);
}

static bool drops(const void *buffer)
{
    return takes(buffer, SWQ_ADMISSION_DROP);
}

static bool expels(const void *buffer)
{
    return takes(buffer, SWQ_ADMISSION_EXPEL);
}

static bool congests(const void *buffer)
{
    return takes(buffer, SWQ_ADMISSION_CONGESTED);
}

static bool asks(const void *buffer)
{
    return takes(buffer, SWQ_ADMISSION_ORACLE);
}

static cli_parameter pool_parameters[] = {
    {CLI_OPTION("pool-rule", "room|ports|oldest|in-order", SWQ_ENGINE_SYNC), .plain = "room",
     CLI_AT(CLI_NAMED, swq_buffer, pool_rule), CLI_ROWS_OF(swq_pool_rules),
     BUFFERS(has_buffers, has_no_queues),
     .about =
         "a pool short of slots takes packets while there is room (room), opens as many random "
         "ports as it has slots (ports), or takes the oldest packets (oldest, simulation only), or "
         "those at the lowest input ports (in-order, simulation only)",
     .key = "pool_rule",
     CLI_DEFAULTS({SOLVE, "room", "a pool takes what fits; Table 4.1 needs 'ports'"},
                  {SIM, "room", "as for one switch; the tables need 'oldest'"},
                  {LONE, "room", "as for solve"})},
    {CLI_OPTION("admission", "NAME", SWQ_ENGINE_SYNC), CLI_AT(CLI_NAMED, swq_buffer, admission),
     CLI_ROWS_OF(swq_admission_rules), .list = "admission", BUFFERS(has_buffers, has_no_queues),
     .about = "the rule that says whether a packet that comes to a buffer is stored ('switchq list "
              "admission')",
     .key = "admission",
     CLI_DEFAULTS({SOLVE, "room", "a packet is stored if there is room for it"},
                  {SIM, "room", "as for one switch"}, {LONE, "room", "as for solve"})},
    {CLI_OPTION("ties", "own|other|low|high|random", SWQ_ENGINE_SYNC),
     CLI_AT(CLI_CHOICE, swq_buffer, ties), .words = swq_ties_words,
     BUFFERS(has_buffers, has_no_queues), .shown = breaks_ties, .costless = true,
     .about = "lqd, followlqd, credence: of several longest queues, the packet that comes counted, "
              "its own (own) "
              "loses a packet, another one, that with the lowest or the highest number, or any",
     .key = "ties"},
    {CLI_OPTION("drop", "tail|head", SWQ_ENGINE_SYNC), CLI_AT(CLI_EITHER, swq_buffer, drop_head),
     .words = drop_words, BUFFERS(has_buffers, has_no_queues), .shown = drops, .costless = true,
     .about = "lqd: the longest queue loses its last packet (tail) or its first", .key = "drop"},
    {CLI_OPTION("expel", "R", SWQ_ENGINE_SYNC), CLI_AT(CLI_REAL, swq_buffer, expel),
     CLI_FROM(0, SWQ_MAX_SLOTS), BUFFERS(has_buffers, has_no_queues), .shown = expels,
     .costless = true,
     .about = "occamy: packets that may be expelled a cycle; a fraction is the chance of one more",
     .key = "expel", .unit = "packets"},
    {CLI_OPTION("congested", "C", SWQ_ENGINE_SYNC), CLI_AT(CLI_INT, swq_buffer, congested),
     .least = 1, .highest = capacity, BUFFERS(has_buffers, has_no_queues), .shown = congests,
     .costless = true,
     .about = "abm: packets from which a queue counts as congested; shorter queues count in "
              "proportion",
     .key = "congested", .unit = "packets"},
    {CLI_OPTION("oracle", "perfect|flip:P|file:PATH", SWQ_ENGINE_SYNC),
     CLI_AT(CLI_OWN, swq_buffer, oracle), .axis = CLI_AXIS_WORDS,
     BUFFERS(has_buffers, has_no_queues), .read = cli_oracle_read, .shown = asks,
     .put = cli_oracle_put, .costless = true,
     .about = "credence: what says whether longest-queue drop would lose a packet: the truth "
              "(perfect), the truth turned round with chance P, or a file, with 0 or 1 for each "
              "packet of a trace",
     .key = "oracle"},
    CLI_PARAMETERS_END,
};

/* Does the switch have a pool? In a pool every queue sends, so that no arbiter decides. */
static bool has_pool(const cli_record *model)
{
    const cli_record *scope = cli_record_child(model, "scope");
    char word[CLI_RECORD_VALUE];

    return scope && cli_record_value(scope, word) && strcmp(word, "pool") == 0;
}

static cli_parameter switch_parameters[] = {
    {CLI_OPTION("buffer", "KIND", 0), .says = "%", .axis = CLI_AXIS_WORDS, .list = "buffers",
     BUFFERS(has_buffers, has_no_queues), .about = "buffer organisation ('switchq list buffers')",
     .key = "buffer"},
    {CLI_OPTION("slots", "B", 0), .says = "% slot~ per input port", .axis = CLI_AXIS_SIZES,
     .general = true,
     .takers = {{&cli_by_stage, has_stage_buffers}, {&cli_by_architecture, has_buffers}},
     .about = "packet slots per input port (a pool has N times as many)", .key = "slots",
     .unit = "slots"},
    {CLI_OPTION("ports", "N", 0), .says = "% x %", CLI_AT(CLI_INT, cli_spec, sw.ports),
     CLI_FROM(1, SWQ_MAX_POOL_PORTS), .axis = CLI_AXIS_SIZES,
     .about = "inputs and outputs of a switch: up to 32, and 128 of a pool (cbda) in sim",
     .preset = "default 2 for one switch, 4 in a network", .key = "ports",
     CLI_DEFAULTS({SOLVE, "2", "the switch of Table 4.1"},
                  {"solve --topology omega --stages 1", "4",
                   "as for sim, so that both give the same numbers; likewise below"},
                  {SIM, "4", "its switches"},
                  {LONE, "2", "as for solve, so that both give the same numbers; likewise below"},
                  {"approx --topology switch", "2", "as for sim"},
                  {"sim --rare --topology switch", "2", "as for solve"},
                  {ASYNC, "4", "as with sync; 2 for one switch"})},
    {CLI_OPTION("arbiter", "NAME", 0), .idle = has_pool, .axis = CLI_AXIS_WORDS, .list = "arbiters",
     .about = "which input sends ('switchq list arbiters')",
     .preset = "default random for one switch, rotating in a network", .key = "arbiter",
     CLI_DEFAULTS({SOLVE, "random", "reproduces Table 4.1; other arbiters are compared with it"},
                  {"solve --topology omega --stages 1", "rotating", "as for sim"},
                  {SIM, "rotating", "its arbiter (4.3)"}, {LONE, "random", "as for solve"},
                  {"approx --topology switch", "rotating",
                   "the arbiter of most approximations; 'switchq solve' solves one switch exactly"},
                  {"sim --rare --topology switch", "random", "as for solve"},
                  {ASYNC, "rotating", "as in chapter 6, for one switch too"},
                  {"sim --topology torus --dims 4", "rotating", "as above"})},
    {CLI_OPTION("iterations", "N", 0), .says = "% iteration~", .axis = CLI_AXIS_WHOLE,
     .about = "number of rounds of the arbiters islip and pim", .key = "arbiter_iterations",
     .unit = "rounds",
     CLI_DEFAULTS({"solve --arbiter islip, sim --arbiter islip", "1",
                   "the fewest: more rounds cost time in hardware"})},
    {CLI_OPTION("flow", "discard|block", 0), CLI_AT(CLI_CHOICE, cli_spec, sw.flow),
     .words = cli_flow_words,
     .about = "a refused packet is lost (discard) or held by its source (block; others: 'switchq "
              "list flow')",
     .preset = "default discard; asynchronous: block", .key = "flow",
     CLI_DEFAULTS({SOLVE, "discard", "for one switch, the question is usually its loss"},
                  {SIM, "discard", "as for one switch; asynchronous networks block"},
                  {LONE, "discard", "as for solve"},
                  {ASYNC, "block",
                   "nothing is lost in asynchronous networks (6.1.1): there is no 'discard'"},
                  {"sim --topology torus --dims 4", "maximum-usage",
                   "a torus with unlimited queues may deadlock"})},
    {CLI_OPTION("credit", "same|next", SWQ_ENGINE_SYNC), CLI_AT(CLI_CHOICE, cli_spec, sw.credit),
     .words = cli_credit_words,
     .about = "a freed slot can be refilled in the same cycle or the next",
     .preset = "default same for discard, next for block", .key = "credit",
     CLI_DEFAULTS({SOLVE, "same",
                   "a departing packet makes room in the same cycle; --flow block has a default of "
                   "its own"},
                  {"solve --flow block, sim --flow block, approx --flow block", "next",
                   "a source, or the switch before, hears of a freed slot a cycle later"},
                  {SIM, "same", "as for one switch; --flow block has a default of its own"},
                  {LONE, "same", "as for solve"})},
    CLI_PARAMETERS_END,
};

struct poptOption cli_switch_options[] = {
    CLI_PARAMETERS(switch_parameters),
    CLI_PARAMETERS(cli_limit_parameters),
    CLI_PARAMETERS(kind_parameters),
    CLI_PARAMETERS(pool_parameters),
    POPT_TABLEEND,
};

static cli_parameter traffic_parameters[] = {
    {CLI_OPTION("load", "R[,R]", 0), .axis = CLI_AXIS_LOADS,
     .about = "packets created per cycle and input: one number, or one per input", .key = "load"},
    {CLI_OPTION("traffic", "PATTERN", 0), .says = "% traffic", .as_given = true, .list = "traffic",
     .about = "uniform, hotspot:F[:J] (the fraction F goes to output J in addition), "
              "matrix:P,P/P,P (a row per input), file:PATH (such a matrix from a file)",
     .key = "traffic", CLI_DEFAULTS({SOLVE, "uniform", "the traffic of most tables and formulas"})},
    {CLI_OPTION("burst", "B", 0), .says = "bursts of %", .axis = CLI_AXIS_NUMBERS,
     .about = "mean number of packets in a burst, which arrive in consecutive cycles for one "
              "destination",
     .key = "burst", .unit = "packets", CLI_DEFAULTS({SOLVE, "1", "independent packets"})},
    CLI_PARAMETERS_END,
};

struct poptOption cli_spec_options[] = {
    CLI_PARAMETERS(traffic_parameters),
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_switch_options, 0, NULL, NULL},
    CLI_PARAMETERS(cli_stage_parameters),
    CLI_PARAMETERS(cli_priority_parameters),
    POPT_TABLEEND,
};

static cli_parameter memory_parameters[] = {
    {CLI_OPTION("mem", "SIZE", 0), .aside = true, .about = "memory limit, e.g. 2G",
     .preset = "default 80% of the machine's memory, or of what ulimit allows",
     CLI_DEFAULTS(
         {"solve", "(80%)",
          "of the machine's memory, as for all commands: refuse rather than swap"},
         {"export, sim, worst, approx --compare, table 4.1, figure", "(80%)", "as for solve"})},
    CLI_PARAMETERS_END,
};

struct poptOption cli_memory_options[] = {
    CLI_PARAMETERS(memory_parameters),
    POPT_TABLEEND,
};

static swq_status read_solver(swq_context *ctx, const char *text, void *spec)
{
    return swq_solver_find(ctx, text, &((swq_exact_options *)spec)->solver);
}

static swq_status read_max_iterations(swq_context *ctx, const char *text, void *spec)
{
    int iterations = 0;
    const swq_status status = cli_integer(ctx, "max-iterations", text, 1, 2000000000, &iterations);

    ((swq_exact_options *)spec)->solving.max_iterations = iterations;
    return status;
}

static cli_parameter solver_parameters[] = {
    {CLI_OPTION("reduce", "none|auto", 0), .aside = true,
     CLI_AT(CLI_EITHER, swq_exact_options, reduce), .words = cli_reduce_words,
     .axis = CLI_AXIS_NONE,
     .about = "merge states that differ only by a renaming of ports, where the switch allows it",
     CLI_DEFAULTS({"solve", "auto", "gives a smaller chain with the same answers"},
                  {"export", "none", "other tools see the original states"},
                  {"table 4.1", "auto", "as for solve"})},
    {CLI_OPTION("solver", "NAME", 0), .aside = true, .list = "solvers", .read = read_solver,
     .about = "method ('switchq list solvers')",
     CLI_DEFAULTS({"solve", "auto", "the quickest for the chain's size and kind"},
                  {"table 4.1", "auto", "as for solve"})},
    {CLI_OPTION("tol", "T", 0), .aside = true,
     CLI_AT(CLI_REAL, swq_exact_options, solving.enclosure), CLI_FROM(1e-15, 0.1),
     .axis = CLI_AXIS_NONE,
     .about = "relative precision of the discard probability (block: of the throughput): its "
              "interval is proven to be within T of it, or the run says that it is not",
     CLI_DEFAULTS({"solve", "1e-10", "more digits than papers print, at little cost"},
                  {"table 4.1", "1e-10", "as for solve"})},
    {CLI_OPTION("max-iterations", "N", 0), .aside = true, .read = read_max_iterations,
     .about = "largest number of iterations",
     CLI_DEFAULTS({"solve", "100000", "an iteration that takes more would hardly ever end"},
                  {"table 4.1", "100000", "as for solve"})},
    CLI_PARAMETERS_END,
};

struct poptOption cli_solver_options[] = {
    CLI_PARAMETERS(solver_parameters),
    CLI_PARAMETERS(memory_parameters),
    POPT_TABLEEND,
};

static const char *given(const char *option)
{
    return cli_text(cli_spec_options, option);
}

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

/* Adds a word to a list, which frees the word later. False: no memory, and the caller still owns
 * the word. */
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
    swq_status status = spec->load_open ? SWQ_OK : required(ctx, "load", given("load"));
    if (spec->load_open)
        spec->sw.load[0] = 1;
    else if (!status)
        status = read_list(ctx, "load", given("load"), ",", spec->sw.load, ports, &count);
    if (status)
        return status;
    if (keeper)
        keeper->loads = count;
    if (count != 1 && count != ports)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--load must be one number or one for each of the %d inputs, not '%.60s'",
                        ports, given("load"));
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
    const char *text = given("traffic") ? given("traffic") : "uniform", *colon = strchr(text, ':');

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
    spec->burst_word = given("burst");
    if (!given("burst"))
        return SWQ_OK;
    if (!keeper)
        return cli_number(ctx, "burst", given("burst"), 1, SWQ_MOST_BURST, burst);
    if (swq_rational_value(given("burst"), burst) && *burst >= 1 && *burst <= SWQ_MOST_BURST)
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL,
                    "--burst must be a number from 1 to %g, or a fraction such as 5/2, not '%.60s'",
                    SWQ_MOST_BURST, given("burst"));
}

swq_status cli_buffer_choices(swq_context *ctx, swq_buffer_kind *kind)
{
    const swq_buffer_kind *row = NULL;
    swq_status status = required(ctx, "buffer", given("buffer"));

    if (!status)
        status = swq_buffer_kind_find(ctx, given("buffer"), &row);
    if (status)
        return status;
    *kind = *row;
    return cli_parameters_read(ctx, kind_parameters, kind);
}

/* The rule of admission, with the parameters that were given. */
static swq_status set_admission(swq_context *ctx, int ports, swq_buffer *b)
{
    static const struct {
        const char *option;
        swq_admission_parameter bit;
    } parameter[] = {
        {"queue-min", SWQ_ADMISSION_QUEUE_MIN}, {"queue-max", SWQ_ADMISSION_QUEUE_MAX},
        {"alpha", SWQ_ADMISSION_ALPHA},         {"ties", SWQ_ADMISSION_TIES},
        {"drop", SWQ_ADMISSION_DROP},           {"expel", SWQ_ADMISSION_EXPEL},
        {"congested", SWQ_ADMISSION_CONGESTED}, {"oracle", SWQ_ADMISSION_ORACLE},
    };
    unsigned bits = 0;

    for (size_t k = 0; k < sizeof parameter / sizeof *parameter; k++)
        bits |= given(parameter[k].option) ? parameter[k].bit : 0;
    return swq_buffer_set_admission(ctx, swq_buffer_admission(b), bits, ports, b);
}

/* A switch of a network may have more ports if all share one memory. */
static swq_status check_ports(swq_context *ctx, int ports, bool pool)
{
    if (ports <= SWQ_MAX_PORTS || pool)
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL,
                    "--ports must be 1 to %d, not '%d'; a pool (cbda) may have %d ports in sim",
                    SWQ_MAX_PORTS, ports, SWQ_MAX_POOL_PORTS);
}

/* The slots of an input port: as given, or the fewest, from which others are sought. */
static swq_status read_slots(swq_context *ctx, cli_spec *spec)
{
    if (!spec->slots_open) {
        swq_status status = required(ctx, "slots", given("slots"));
        return status ? status
                      : cli_integer(ctx, "slots", given("slots"), 1, SWQ_MAX_SLOTS, &spec->slots);
    }
    if (given("queue-min") || given("queue-max"))
        return swq_fail(ctx, SWQ_EINVAL,
                        "--queue-min and --queue-max need --slots: they are numbers of slots");
    swq_buffer choices = {.admission = NULL};
    swq_status status = cli_parameter_read(ctx, pool_parameters, "admission", &choices);
    spec->slots = swq_buffer_least(&spec->kind, choices.admission, spec->sw.ports);
    return status;
}

/* extra_slots: the part of --slots that does not belong to the buffer. */
static swq_status read_buffer(swq_context *ctx, cli_spec *spec, int extra_slots)
{
    swq_buffer *b = &spec->sw.buffer;
    swq_status status = cli_buffer_choices(ctx, &spec->kind);

    if (!status)
        status = check_ports(ctx, spec->sw.ports, spec->kind.scope == SWQ_POOL);
    if (!status)
        status = read_slots(ctx, spec);
    if (!status)
        status = swq_buffer_preset(ctx, &spec->kind, spec->sw.ports, spec->slots - extra_slots, b);
    if (!status)
        status = cli_parameters_read(ctx, cli_limit_parameters, b);
    b->pool_rule = &swq_pool_room;
    if (!status)
        status = cli_parameters_read(ctx, pool_parameters, b);
    if (!status)
        status = set_admission(ctx, spec->sw.ports, b);
    spec->buffer = spec->kind.name;
    return status;
}

/* Reads only --buffer and --ports, on which other options depend. */
swq_status cli_buffer_kind_read(swq_context *ctx, cli_spec *spec)
{
    const swq_buffer_kind *row = NULL;
    swq_status status = required(ctx, "buffer", given("buffer"));
    if (!status)
        status = swq_buffer_kind_find(ctx, given("buffer"), &row);
    if (!status)
        status = cli_parameter_read(ctx, switch_parameters, "ports", spec);
    if (!status)
        status = check_ports(ctx, spec->sw.ports, row->scope == SWQ_POOL || given("scope"));
    if (!status)
        spec->kind = *row;
    return status;
}

swq_status cli_slots_besides(swq_context *ctx, int ports, int extra)
{
    int slots;
    swq_status status = required(ctx, "slots", given("slots"));
    if (!status)
        status = cli_integer(ctx, "slots", given("slots"), 1, SWQ_MAX_SLOTS, &slots);
    if (!status && (slots <= extra || (slots - extra) % ports != 0))
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--slots must be a multiple of the %d ports, and %d more for high "
                          "priority, such as %d, not %d",
                          ports, extra, (slots / ports ? slots / ports : 1) * ports + extra, slots);
    return status;
}

/* The names of the arbiters that work in iterations, "islip or pim". */
static const char *iterative_names(swq_context *ctx, char *text, size_t size)
{
    const void *const *rows = swq_rows(ctx, (const void *const *)swq_arbiters);
    size_t used = 0;

    *text = '\0';
    for (int k = 0; rows[k]; k++) {
        const swq_arbiter *row = rows[k];
        if (row->iterative && used < size)
            used +=
                (size_t)snprintf(text + used, size - used, "%s%s", used ? " or " : "", row->name);
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
                          iterative_names(ctx, names, sizeof names), arbiter->name);
    return status;
}

/* An arbiter decides where packets compete for the only read port of a buffer, or buffers for an
 * output; each queue of a pool sends on its own. */
static swq_status read_arbiter(swq_context *ctx, swq_switch *sw)
{
    const swq_architecture *a = swq_switch_architecture(sw);
    const char *idle = given("arbiter") ? "arbiter" : given("iterations") ? "iterations" : NULL;

    if (idle && !a->stage.arbitrates)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--%s is for architectures that arbitrate; in %s every "
                        "queue sends",
                        idle, a->name);
    if (given("iterations") && a->stage.columns)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--iterations is for matchings; in --architecture %s "
                        "outputs choose by themselves",
                        a->name);
    if (given("arbiter") && a->stage.columns && strcmp(given("arbiter"), "round-robin") == 0) {
        sw->arbiter = &swq_arbiter_islip;
        return SWQ_OK;
    }
    if (idle && sw->buffer.scope == SWQ_POOL)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--%s is for buffers at the inputs; in a pool (--%s %s) every queue sends",
                        idle, given("scope") ? "scope" : "buffer",
                        given("scope") ? given("scope") : given("buffer"));
    swq_status status =
        given("arbiter") ? swq_arbiter_find(ctx, given("arbiter"), &sw->arbiter) : SWQ_OK;
    return status ? status
                  : cli_iterations_read(ctx, given("iterations"), sw->arbiter, &sw->iterations);
}

swq_status cli_buffer_idle(swq_context *ctx, const swq_buffer *b, int ports)
{
    const int queues = swq_buffer_queues(b, ports);
    const bool shares = b->capacity > queues * b->queue_min || b->queue_max < b->queue_min;
    const char *shared = given("queue-max") ? "queue-max" : given("alpha") ? "alpha" : NULL;

    if (given("pool-rule") && b->scope != SWQ_POOL)
        return swq_fail(ctx, SWQ_EINVAL, "--pool-rule %s is for a pool (cbda), not for %s",
                        given("pool-rule"), given("buffer"));
    if (given("alpha") && swq_buffer_partitioned(b))
        return swq_fail(
            ctx, SWQ_EINVAL,
            "--alpha limits the shared slots that queues take; a queue of %s takes only "
            "those that are reserved for it (--queue-min %d, --queue-max %d)",
            given("buffer"), b->queue_min, b->queue_max);
    if (given("read") && b->read == SWQ_READ_EACH_QUEUE && queues == 1)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--read queue is for a queue per output; %s has one queue a buffer",
                        given("buffer"));
    if (shared && !shares)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--%s limits the shared slots that queues take; all slots of %s are "
                        "reserved (--queue-min %d)",
                        shared, given("buffer"), b->queue_min);
    /* with all other queues full, could a queue be left with so few slots that a reservation
     * matters? */
    if (given("queue-min") && b->queue_max >= b->queue_min &&
        (queues - 1) * b->queue_max + b->capacity / queues <= b->capacity)
        return swq_fail(ctx, SWQ_EINVAL, "--queue-min keeps slots from other queues: %s",
                        queues == 1 ? "here there is one queue a buffer"
                                    : "here --queue-max, or the buffer's own limit, does so");
    return SWQ_OK;
}

/* Reads the architecture, and the buffers of the inputs if the architecture has any. One of the
 * sizes may be missing. */
static swq_status read_memory(swq_context *ctx, cli_spec *spec, int extra_slots)
{
    const bool open = spec->slots_open;
    swq_status status = cli_stages_read(ctx, &spec->sw, open ? &spec->open : NULL);

    if (status)
        return status;
    const swq_architecture *a = swq_switch_architecture(&spec->sw);
    spec->slots_open = spec->open != CLI_SIZE_NONE;
    if (!a->stage.input_buffers)
        return SWQ_OK;
    spec->slots_open = open && spec->open == CLI_SIZE_NONE && !given("slots");
    if (spec->open != CLI_SIZE_NONE && !given("slots")) /* only one size can be found at a time */
        return required(ctx, "slots", given("slots"));
    status = read_buffer(ctx, spec, extra_slots);
    if (!status && spec->sw.buffer.scope == SWQ_POOL && !a->stage.pools)
        status = swq_fail(
            ctx, SWQ_EINVAL,
            "--%s %s is a pool, behind which there is no crossbar: --architecture %s needs "
            "buffers at the inputs",
            given("scope") ? "scope" : "buffer", given("scope") ? given("scope") : spec->buffer,
            a->name);
    if (spec->slots_open)
        spec->open = CLI_SIZE_SLOTS;
    spec->slots_open = spec->open != CLI_SIZE_NONE;
    return status;
}

swq_status cli_switch_read(swq_context *ctx, cli_spec *spec, int extra_slots)
{
    swq_switch *sw = &spec->sw;
    swq_status status = cli_parameter_read(ctx, switch_parameters, "ports", spec);

    if (!status && !given("buffer"))
        status = check_ports(ctx, sw->ports, false);
    if (!status)
        status = read_memory(ctx, spec, extra_slots);
    sw->flow = SWQ_DISCARD;
    if (!status)
        status = cli_parameter_read(ctx, switch_parameters, "flow", spec);
    sw->credit = sw->flow == SWQ_BLOCK ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
    if (!status)
        status = cli_parameter_read(ctx, switch_parameters, "credit", spec);
    if (!status && given("credit") && sw->credit == SWQ_CREDIT_NEXT && sw->flow == SWQ_DISCARD &&
        !swq_switch_architecture(sw)->stage.input_buffers)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--credit next with --flow discard is for buffers at the inputs, not for "
                          "--architecture %s",
                          swq_switch_architecture(sw)->name);
    if (!status && swq_switch_architecture(sw)->stage.input_buffers)
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
    const swq_architecture *a;

    if (!cli_given(cli_priority_options, NULL))
        return SWQ_OK;
    swq_status status = cli_stages_architecture(ctx, &a);
    if (!status && a != swq_architectures[0])
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--high and the options of --priority are for --architecture %s, not for "
                          "%s",
                          swq_architectures[0]->name, a->name);
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
                       .slots_open = open && given("load"),
                       .load_open = open && !given("load")};
    swq_priority priority = {.fraction = 0};
    int extra = 0;
    swq_status status = read_priority(ctx, spec, &priority, &extra);
    if (!status)
        status = cli_switch_read(ctx, spec, extra);
    if (!status)
        status = check_ports(ctx, spec->sw.ports, false);
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
    const char *memory = cli_parameter_text(memory_parameters);
    size_t limit = swq_usual_memory();
    swq_status status = memory ? cli_bytes(ctx, "mem", memory, &limit) : SWQ_OK;
    if (!status)
        swq_context_limit_memory(ctx, limit);
    return status;
}

bool cli_solver_given(void)
{
    static const char *const others[] = {"reduce", "mem", NULL};

    return cli_given_but(cli_solver_options, others) != NULL;
}

swq_status cli_solver_read(swq_context *ctx, swq_exact_options *options)
{
    *options = swq_exact_options_defaults();
    options->reduce = true;
    const swq_status status = cli_parameters_read(ctx, solver_parameters, options);
    return status ? status : cli_memory_read(ctx);
}
