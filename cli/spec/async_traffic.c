/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Groups of senders on the command line: --load, --length, --traffic and so on describe one group,
 * of all nodes; with --group they are the defaults of all groups. Words in, typed groups out.
 */
#include "base/context.h"
#include "base/names.h"
#include "base/plugins.h"
#include "cli/options/parse.h"
#include "cli/spec/async.h"
#include "sim/traffic/netrace.h"
#include "sim/traffic/spread.h"
#include "sim/traffic/trace_files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The keys of a --group; from LOAD on, the keys are also options. */
typedef enum {
    MASK,
    VALUE,
    PRIORITY,
    SINCE,
    UNTIL,
    LOAD,
    INTERVAL,
    FROM,
    SOURCES,
    LENGTH,
    BURST,
    TRAFFIC,
    KEYS
} key;
static const char *const key_names[KEYS + 1] = {
    "mask",          "value",   "priority", "from",  "until",   "load", "interval",
    "interval-from", "sources", "length",   "burst", "traffic", NULL};

static const char *const hold_or_open[] = {"hold", "open", NULL};
static const char *const rest_or_start[] = {"rest", "start", NULL};

static char **given_groups;

cli_parameter cli_senders_parameters[] = {
    {CLI_OPTION("length", "L", SWQ_ENGINE_ASYNC), .costless = true,
     .about = "bytes of a message: a number, from-to, geometric:MEAN, or with heavy tails "
              "pareto:MEAN:SHAPE",
     .preset = "default 32; recn-iq, recn, recn-enhanced, fbicm: 64",
     CLI_DEFAULTS({"sim --engine async", "32", "one packet per message"},
                  {CLI_RECN_IQ_LINE, "64", "a slot, as in document 000"},
                  {CLI_RECN_LINE, "64", "a slot, as in document 000"})},
    {CLI_OPTION("interval", "I", SWQ_ENGINE_ASYNC), .plain = "", .costless = true,
     .about = "cycles between the messages of a sender, instead of --load: N, A-B, geometric:MEAN "
              "or pareto:MEAN:SHAPE",
     .key = "interval", .unit = "cycles"},
    {CLI_OPTION("interval-from", "rest|start", SWQ_ENGINE_ASYNC), .plain = "rest", .costless = true,
     .about = "intervals of hold sources begin when the link has rested after the previous message "
              "(rest), or when the transmission of its last packet starts (start)",
     .key = "interval_from",
     CLI_DEFAULTS({"sim --engine async", "rest", "so that a load of 1 leaves no pause"})},
    {.option = {"group", '\0', POPT_ARG_ARGV, &given_groups,
                (int)SWQ_ENGINE_ASYNC | CLI_IS_PARAMETER, NULL, "KEY=VALUE[,KEY=VALUE]"},
     .costless = true,
     .about =
         "a group of senders, measured separately: the nodes whose number & mask is value (default "
         "all) and that are in no earlier group. KEY is mask, value, load, interval, "
         "interval-from, sources, length, burst or traffic; a key that is left out is taken from "
         "the option of that name. Or KEY is from or until: the group's first cycle, and the first "
         "cycle after it. Or it is priority: of its cells with --architecture atlas, 0 (default), "
         "1 or 2, of which 0 goes first. The option may be repeated.  traffic, here and as an "
         "option: DEST or a mixture of P*DEST joined by +, where P is the probability and DEST is "
         "uniform, a pattern, file:PATH, adv+I, node:J, subset:MASK:VALUE or hotspot:F[:J], with "
         "@L "
         "behind it for a "
         "length of its own: 0.1*node:0@8+0.9*uniform; with --architecture atlas also multicast, "
         "to several nodes at once: multicast:K[:S] to one of S sets (default: as many as nodes) "
         "of K nodes drawn for the run, or all:MASK:VALUE to every node whose number & MASK is "
         "VALUE; or, as an option alone, trace:FILE (lines of cycle, source, destination, bytes, "
         "and pairs of a message that it waits for and a delay), netrace:FILE (.tra, .tra.bz2)",
     .preset = "",
     CLI_DEFAULTS({"sim --topology torus --dims 4", "(all)", "one group of all nodes"})},
    CLI_PARAMETERS_END,
};

/* A group as it was written. */
typedef struct {
    swq_context *ctx;
    cli_async *n;
    const char *text[KEYS];
    bool own[KEYS];    /* given by its --group, not by an option */
    int number;        /* number of the --group, from 1; 0: there are no groups */
    swq_spread length; /* length of messages that give no length themselves */
    bool some_plain;   /* there are such messages */
    char label[80];    /* room for names in error messages */
} group_reader;

/* What error messages call a key, after "--": the key of a group, such as "group 2: load", or the
 * option. */
static const char *called(group_reader *r, key k)
{
    if (r->own[k])
        snprintf(r->label, sizeof r->label, "group %d: %s", r->number, key_names[k]);
    else
        snprintf(r->label, sizeof r->label, "%s", key_names[k]);
    return r->label;
}

/* The name of a part of the traffic: "traffic's node". */
static const char *part(group_reader *r, const char *what)
{
    size_t used = strlen(called(r, TRAFFIC));
    snprintf(r->label + used, sizeof r->label - used, "'s %s", what);
    return r->label;
}

/* Cuts off the next piece, up to the separator; NULL: there is none. Unlike strtok, it returns
 * empty pieces. */
static char *next_piece(char **rest, char separator)
{
    char *piece = *rest;

    if (!piece)
        return NULL;
    char *end = strchr(piece, separator);
    *rest = end ? end + 1 : NULL;
    if (end)
        *end = '\0';
    return piece;
}

/* ---- numbers ---- */

/* Reads a whole number of at most 32 bits, decimal or (0x...) hexadecimal. Errors: SWQ_EINVAL. */
static swq_status read_bits(group_reader *r, const char *name, const char *text, uint32_t *value)
{
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *digits = hex ? text + 2 : text;
    size_t length = strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789");
    unsigned long long number = strtoull(digits, NULL, hex ? 16 : 10);

    if (length == 0 || digits[length] || length > 10 || number > UINT32_MAX)
        return swq_fail(r->ctx, SWQ_EINVAL,
                        "--%s must be a whole number of at most 32 bits such as 12 or 0xc, not "
                        "'%.60s'",
                        name, text);
    *value = (uint32_t)number;
    return SWQ_OK;
}

/* The length of a message, in flits. A random length has a mean, and is a whole number of flits. */
static swq_status read_message_length(group_reader *r, const char *option, const char *text,
                                      swq_spread *length)
{
    const int flit = r->n->flit;
    char what[90];

    if (flit == 1)
        return swq_spread_read(r->ctx, option, text, 1, SWQ_MAX_MESSAGE, length);
    swq_status status = swq_spread_parse(r->ctx, option, text, 1, length);
    if (status)
        return status;
    const bool drawn = length->kind == SWQ_GEOMETRIC || length->kind == SWQ_PARETO;
    if (!drawn && (fmod(length->first, flit) != 0 || fmod(length->second, flit) != 0))
        return swq_fail(r->ctx, SWQ_EINVAL, "--%s must be a multiple of --flit %d, not '%.60s'",
                        option, flit, text);
    length->first /= flit;
    if (length->kind == SWQ_UNIFORM)
        length->second /= flit;
    snprintf(what, sizeof what, "--%s in flits of %d bytes", option, flit);
    return swq_spread_check(r->ctx, what, length, 1, SWQ_MAX_MESSAGE);
}

/* ---- where messages go ---- */

/* Destinations that need a value, as the list of known names shows them. */
enum { NODE, HOTSPOT, SUBSET, ALL, MULTICAST, LISTED, ADVERSARY, VALUED };
static const struct {
    const char *name;
} with_value[VALUED] = {{"node:J"},         {"hotspot:F[:J]"},   {"subset:MASK:VALUE"},
                        {"all:MASK:VALUE"}, {"multicast:K[:S]"}, {"file:PATH"},
                        {"adv+I"}};

static bool is_called(const char *shown, const char *text)
{
    size_t length = strcspn(shown, ":");
    return strlen(text) == length && strncmp(shown, text, length) == 0;
}

static swq_status add_type(group_reader *r, swq_sender_group *g, swq_message_type type)
{
    if (g->types == SWQ_MAX_MESSAGE_TYPES)
        return swq_fail(r->ctx, SWQ_EINVAL, "--%s: at most %d types of messages",
                        called(r, TRAFFIC), SWQ_MAX_MESSAGE_TYPES);
    g->type[g->types++] = type;
    return SWQ_OK;
}

/* Reads the node J of hotspot:F:J and node:J. */
static swq_status read_node(group_reader *r, const char *text, uint32_t *node)
{
    int number;
    swq_status status =
        cli_integer(r->ctx, part(r, "node"), text, 0, (int)r->n->fabric.nodes - 1, &number);
    *node = status ? 0 : (uint32_t)number;
    return status;
}

/* Reads F[:J] of hotspot:F[:J]: the fraction of packets for node J; all others go to a random node.
 */
static swq_status read_hotspot(group_reader *r, char *text, swq_sender_group *g,
                               swq_message_type type)
{
    char *node = strchr(text, ':');
    double fraction, all = type.probability;

    if (node)
        *node++ = '\0';
    type.aim = SWQ_AIM_NODE;
    swq_status status = cli_number(r->ctx, part(r, "fraction"), text, 0, 1, &fraction);
    if (!status && node)
        status = read_node(r, node, &type.value);
    type.probability = all * fraction;
    if (!status)
        status = add_type(r, g, type);
    type.aim = SWQ_AIM_PATTERN;
    type.value = 0;
    type.probability = all - all * fraction;
    return status ? status : add_type(r, g, type);
}

/* MASK:VALUE, of a subset of nodes; name: the word before it. */
static swq_status read_subset(group_reader *r, const char *name, char *text, swq_message_type *type)
{
    char *value = strchr(text, ':');
    uint32_t nodes = r->n->fabric.nodes;

    if (!value)
        return swq_fail(r->ctx, SWQ_EINVAL, "--%s: %s needs a mask and a value, not '%.60s'",
                        called(r, TRAFFIC), name, text);
    *value++ = '\0';
    swq_status status = read_bits(r, part(r, "mask"), text, &type->mask);
    if (!status)
        status = read_bits(r, part(r, "value"), value, &type->value);
    if (!status && ((type->value & type->mask) != type->value || type->value >= nodes))
        status =
            swq_fail(r->ctx, SWQ_EINVAL, "--%s: of %u nodes, none has a number & 0x%x that is 0x%x",
                     called(r, TRAFFIC), nodes, type->mask, type->value);
    return status;
}

/* K[:S]: S sets of K nodes each, by default as many as there are nodes. */
static swq_status read_sets(group_reader *r, char *text, swq_message_type *type)
{
    const int nodes = (int)r->n->fabric.nodes;
    char *sets = strchr(text, ':');

    if (sets)
        *sets++ = '\0';
    type->aim = SWQ_AIM_SETS;
    type->sets = nodes < SWQ_MAX_NODE_SETS ? nodes : SWQ_MAX_NODE_SETS;
    swq_status status =
        cli_integer(r->ctx, part(r, "nodes of a set"), text, 1, nodes, &type->members);
    if (!status && sets)
        status = cli_integer(r->ctx, part(r, "sets"), sets, 1, SWQ_MAX_NODE_SETS, &type->sets);
    return status;
}

/* Finds the matrix of a file, or reads it. */
static swq_status read_matrix(group_reader *r, const char *path, swq_message_type *type)
{
    cli_async *n = r->n;
    const swq_fabric_kind *kind = n->fabric.shape.kind;
    char option[90];
    int k = 0;

    while (k < CLI_MOST_MATRICES && n->matrix[k] && strcmp(n->matrix[k]->path, path) != 0)
        k++;
    snprintf(option, sizeof option, "%s", called(r, TRAFFIC));
    if (k == CLI_MOST_MATRICES)
        return swq_fail(r->ctx, SWQ_EINVAL, "--%s: at most %d files of destinations", option,
                        CLI_MOST_MATRICES);
    type->pattern = &swq_pattern_matrix;
    if (n->matrix[k]) {
        type->matrix = &n->matrix[k]->rows;
        return SWQ_OK;
    }
    n->matrix[k] = calloc(1, sizeof *n->matrix[k]);
    if (!n->matrix[k])
        return swq_fail(r->ctx, SWQ_ENOMEM, "no memory for a matrix");
    const cli_matrix_reading as = {.option = option,
                                   .nodes = n->fabric.nodes,
                                   .normalise = cli_given(cli_network_options, "normalise"),
                                   .can_normalise = true,
                                   .no_selfs = kind->point_to_point ? kind->name : NULL};
    swq_status status = cli_matrix_read(r->ctx, &as, path, n->matrix[k]);
    if (!status)
        status = cli_matrix_without_zeros(r->ctx, n->matrix[k]);
    type->matrix = &n->matrix[k]->rows;
    return status;
}

static bool is_adversary(const char *text)
{
    return strncmp(text, "adv+", 4) == 0;
}

/* Reads adv+I: to a random node of the group I further. */
static swq_status read_adversary(group_reader *r, const char *text, swq_message_type *type)
{
    const swq_fabric *f = &r->n->fabric;
    int step = 0;

    if (f->group_ring < 2)
        return swq_fail(r->ctx, SWQ_EINVAL,
                        "--%s %s is for topologies with groups, dragonfly, megafly and hyperx, not "
                        "for %s",
                        called(r, TRAFFIC), text, swq_shape_name(&f->shape));
    const swq_status status =
        cli_integer(r->ctx, part(r, "groups further"), text + 4, 1, (int)f->group_ring - 1, &step);
    type->aim = SWQ_AIM_GROUP;
    type->value = (uint32_t)step;
    return status;
}

/* Finds a pattern by name; those in with_value are only listed. */
static swq_status find_pattern(group_reader *r, const char *name, const swq_pattern **pattern)
{
    enum { MOST = 200 };
    const void *const *row = swq_rows(r->ctx, (const void *const *)swq_patterns);
    const void *rows[MOST + 1] = {NULL};
    char what[90];
    int count = 0;

    for (int k = 0; row[k] && count < MOST - VALUED; k++) {
        if (!((const swq_pattern *)row[k])->matrix)
            rows[count++] = row[k];
    }
    for (int k = 0; k < VALUED; k++)
        rows[count++] = &with_value[k];
    snprintf(what, sizeof what, "--%s", called(r, TRAFFIC));
    *pattern = swq_name_lookup(r->ctx, what, swq_pattern_name(name), rows);
    return *pattern ? SWQ_OK : SWQ_EINVAL;
}

static swq_status read_pattern(group_reader *r, const char *name, swq_message_type *type)
{
    if (strcmp(name, "matrix") == 0)
        return swq_fail(r->ctx, SWQ_EINVAL, "--%s takes a matrix from a file: file:PATH",
                        called(r, TRAFFIC));
    const swq_places places = swq_fabric_places(&r->n->fabric);
    swq_status status = find_pattern(r, name, &type->pattern);
    const char *objection = status ? NULL : swq_pattern_objection(type->pattern, &places);

    if (objection)
        status = swq_fail(r->ctx, SWQ_EINVAL, "--%s: %s does not fit %u nodes: %s",
                          called(r, TRAFFIC), name, places.nodes, objection);
    return status;
}

/* Does the text begin with file:, so that what follows is a path? */
static bool is_file(const char *text)
{
    return strncmp(text, "file:", 5) == 0;
}

/* DEST[@LENGTH]; cuts the text into pieces. */
static swq_status read_destination(group_reader *r, char *text, swq_sender_group *g,
                                   swq_message_type type)
{
    char *at = is_file(text) ? strrchr(text, '@') : strchr(text, '@');
    swq_status status = SWQ_OK;
    int which = 0;

    r->some_plain |= !at;
    if (at) {
        *at = '\0';
        status = read_message_length(r, part(r, "length"), at + 1, &type.length);
    }
    char *value = strchr(text, ':');
    if (value)
        *value++ = '\0';
    while (which < VALUED && !is_called(with_value[which].name, text))
        which++;
    if (status)
        return status;
    if (which < VALUED && which != ADVERSARY && !(value && *value))
        return swq_fail(r->ctx, SWQ_EINVAL, "--%s: %s needs a value: '%s:...'", called(r, TRAFFIC),
                        text, text);
    if (is_adversary(text) && !value)
        status = read_adversary(r, text, &type);
    else if (which == LISTED)
        status = read_matrix(r, value, &type);
    else if (which == HOTSPOT)
        return read_hotspot(r, value, g, type);
    else if (which == NODE) {
        type.aim = SWQ_AIM_NODE;
        status = read_node(r, value, &type.value);
    } else if (which == SUBSET || which == ALL) {
        type.aim = which == ALL ? SWQ_AIM_ALL : SWQ_AIM_SUBSET;
        status = read_subset(r, text, value, &type);
    } else if (which == MULTICAST) {
        status = read_sets(r, value, &type);
    } else {
        status = read_pattern(r, text, &type);
        if (!status && value)
            status = swq_fail(r->ctx, SWQ_EINVAL, "--%s: %.40s takes no value, not '%.60s'",
                              called(r, TRAFFIC), text, value);
    }
    return status ? status : add_type(r, g, type);
}

/* The + behind a part of a mixture, as opposed to that of adv+I; NULL: the part is the last one. */
static char *end_of_term(char *term)
{
    char *plus = term;

    while ((plus = strchr(plus, '+'))) {
        const bool adversary = plus - term >= 3 && strncmp(plus - 3, "adv", 3) == 0 &&
                               (plus - 3 == term || plus[-4] == '*');
        if (!adversary)
            break;
        plus++;
    }
    return plus;
}

/* Cuts off the next part of a mixture, or the whole text. */
static char *next_term(char **rest, bool whole)
{
    char *term = *rest;

    if (!term)
        return NULL;
    char *end = whole ? NULL : end_of_term(term);
    *rest = end ? end + 1 : NULL;
    if (end)
        *end = '\0';
    return term;
}

/* DEST, or P*DEST+P*DEST. */
static swq_status read_traffic(group_reader *r, swq_sender_group *g, swq_spread length)
{
    const char *text = r->text[TRAFFIC] ? r->text[TRAFFIC] : "uniform";
    char copy[512], *rest = copy, *term;
    double sum = 0;
    swq_status status = SWQ_OK;

    if (strlen(text) >= sizeof copy)
        return swq_fail(r->ctx, SWQ_EINVAL, "--%s is too long: '%.60s...'", called(r, TRAFFIC),
                        text);
    snprintf(copy, sizeof copy, "%s", text);
    const bool file = is_file(text), mixture = !file && end_of_term(copy) != NULL;
    while (!status && (term = next_term(&rest, file))) {
        swq_message_type type = {
            .probability = 1, .pattern = &swq_pattern_uniform, .length = length};
        char *star = file ? NULL : strchr(term, '*'), *destination = term;
        if (star) {
            *star = '\0';
            destination = star + 1;
            status = cli_number(r->ctx, part(r, "probability"), term, 0, 1, &type.probability);
        } else if (mixture) {
            status = swq_fail(r->ctx, SWQ_EINVAL,
                              "--%s: each part of a mixture is PROBABILITY*DESTINATION, not "
                              "'%.60s'",
                              called(r, TRAFFIC), term);
        }
        if (!status)
            status = read_destination(r, destination, g, type);
        sum += type.probability;
    }
    if (!status && fabs(sum - 1) > 1e-9)
        status = swq_fail(r->ctx, SWQ_EINVAL, "--%s: probabilities must sum to 1, not %.10g",
                          called(r, TRAFFIC), sum);
    return status;
}

/* Adds --hot-spots to a group, which it must be compatible with. */
static swq_status add_hot_spots(group_reader *r, swq_sender_group *g)
{
    const char *text = cli_text(cli_network_options, "hot-spots");
    swq_hot_spot hot[SWQ_MAX_HOT_SPOTS];
    int spots = 0;
    double sum = 0;
    swq_status status =
        text ? cli_hot_spots(r->ctx, "hot-spots", text, r->n->fabric.nodes, hot, &spots) : SWQ_OK;

    for (int k = 0; k < spots && !status; k++)
        sum += hot[k].fraction;
    if (!status && sum > 1)
        status = swq_fail(r->ctx, SWQ_EINVAL,
                          "--hot-spots: fractions must sum to at most 1, not %.10g", sum);
    if (!status && sum >= 1 && r->text[TRAFFIC])
        status = swq_fail(r->ctx, SWQ_EINVAL, "--%s has no effect: --hot-spots take all packets",
                          called(r, TRAFFIC));
    r->some_plain |= spots > 0;
    for (int t = 0; t < g->types && spots > 0; t++)
        g->type[t].probability *= 1 - sum;
    for (int k = 0; k < spots && !status; k++)
        status = add_type(r, g,
                          (swq_message_type){.probability = hot[k].fraction,
                                             .aim = SWQ_AIM_NODE,
                                             .value = hot[k].node,
                                             .pattern = &swq_pattern_uniform,
                                             .length = r->length});
    return status;
}

/* ---- a group ---- */

/* Reads a file with a load for each node. */
static swq_status read_loads(group_reader *r, swq_sender_group *g, double *load)
{
    cli_async *n = r->n;
    const int k = (int)(g - n->group);
    const uint32_t nodes = n->fabric.nodes;
    uint32_t loaded = 0;
    char option[80];

    snprintf(option, sizeof option, "%s", called(r, LOAD));
    n->load_path[k] = strdup(r->text[LOAD] + 5);
    if (!n->load_path[k])
        return swq_fail(r->ctx, SWQ_ENOMEM, "no memory to read --load");
    const swq_status status =
        cli_numbers_read(r->ctx, option, n->load_path[k], nodes, &n->node_load[k]);
    if (status)
        return status;
    for (uint32_t i = 0; i < nodes; i++)
        loaded += n->node_load[k][i] > 0;
    n->some_load = true;
    g->node_load = n->node_load[k];
    *load = NAN;
    swq_sender_group_load(&n->network, g, loaded > 0);
    return SWQ_OK;
}

static swq_status read_pace(group_reader *r, swq_sender_group *g, double *load, bool load_open)
{
    bool open = g->kind == SWQ_SOURCE_OPEN;

    if (r->text[LOAD] && r->text[INTERVAL])
        return swq_fail(r->ctx, SWQ_EINVAL, "--%s and interval cannot both be given",
                        called(r, LOAD));
    if (g->from_start && open)
        return swq_fail(r->ctx, SWQ_EINVAL, "--%s is for --sources hold", called(r, FROM));
    *load = NAN;
    if (r->text[INTERVAL])
        return swq_spread_read(r->ctx, called(r, INTERVAL), r->text[INTERVAL], open, SWQ_MAX_DRAWN,
                               &g->interval);
    if (g->from_start)
        return swq_fail(r->ctx, SWQ_EINVAL,
                        "--%s start is for --interval: a load is met by intervals from the link's "
                        "rest on",
                        called(r, FROM));
    if (r->text[LOAD] && is_file(r->text[LOAD]))
        return read_loads(r, g, load);
    *load = 1;
    if (!r->text[LOAD] && !load_open)
        return swq_fail(r->ctx, SWQ_EINVAL,
                        r->number ? "--group %d needs load or interval"
                                  : "--load or --interval is required",
                        r->number);
    swq_status status =
        r->text[LOAD] ? cli_number(r->ctx, called(r, LOAD), r->text[LOAD], 0, 1, load) : SWQ_OK;
    if (status)
        return status;
    swq_sender_group_load(&r->n->network, g, *load);
    char what[400];
    snprintf(what, sizeof what, "--%s %.9g: the interval between messages", called(r, LOAD), *load);
    return g->silent ? SWQ_OK : swq_spread_check(r->ctx, what, &g->interval, open, SWQ_MAX_DRAWN);
}

/* A cycle, counted from the beginning of the run. */
static swq_status read_cycle(group_reader *r, key k, uint32_t least, uint32_t *cycle)
{
    uint64_t number;
    swq_status status = cli_big(r->ctx, called(r, k), r->text[k], least, 4.2e9, &number);

    *cycle = status ? 0 : (uint32_t)number;
    return status;
}

static swq_status read_group(group_reader *r, swq_sender_group *g, double *load, bool load_open)
{
    const int slot = r->n->network.management.row->default_packet;
    swq_spread length = {SWQ_CONSTANT, slot ? slot : 32.0 / r->n->flit, 0};
    /* open sources are what is usual for wormhole networks */
    int kind = r->n->network.architecture.row->async.lanes, from = 0;
    swq_status status = SWQ_OK;

    *g = (swq_sender_group){0};
    if (r->text[MASK])
        status = read_bits(r, called(r, MASK), r->text[MASK], &g->mask);
    if (!status && r->text[VALUE])
        status = read_bits(r, called(r, VALUE), r->text[VALUE], &g->value);
    if (!status && (g->value & g->mask) != g->value)
        status = swq_fail(r->ctx, SWQ_EINVAL, "--%s 0x%x has bits that the mask 0x%x lacks",
                          called(r, VALUE), g->value, g->mask);
    if (!status && r->text[PRIORITY])
        status = cli_integer(r->ctx, called(r, PRIORITY), r->text[PRIORITY], 0,
                             SWQ_CELL_PRIORITIES - 1, &g->priority);
    if (!status && r->text[SINCE])
        status = read_cycle(r, SINCE, 0, &g->from);
    if (!status && r->text[UNTIL])
        status = read_cycle(r, UNTIL, g->from + 1, &g->until);
    if (!status && r->text[SOURCES])
        status = cli_word(r->ctx, called(r, SOURCES), r->text[SOURCES], hold_or_open, &kind);
    if (!status && r->text[FROM])
        status = cli_word(r->ctx, called(r, FROM), r->text[FROM], rest_or_start, &from);
    g->kind = kind ? SWQ_SOURCE_OPEN : SWQ_SOURCE_HOLD;
    g->from_start = from == 1;
    if (!status && r->text[LENGTH])
        status = read_message_length(r, called(r, LENGTH), r->text[LENGTH], &length);
    if (!status && r->text[BURST])
        status = cli_number(r->ctx, called(r, BURST), r->text[BURST], 1, SWQ_MAX_BURST, &g->burst);
    r->length = length;
    if (!status)
        status = read_traffic(r, g, length);
    if (!status && !r->n->network.traffic.trace)
        status = add_hot_spots(r, g);
    if (!status && r->text[LENGTH] && !r->some_plain && (r->own[LENGTH] || !r->number))
        status = swq_fail(r->ctx, SWQ_EINVAL,
                          "--%s has no effect: each part of the traffic has a length of its own",
                          called(r, LENGTH));
    if (!status && !r->text[LENGTH] && r->some_plain && !r->n->network.traffic.trace &&
        32 % r->n->flit)
        status = swq_fail(r->ctx, SWQ_EINVAL, "--length must be a multiple of --flit %d, not 32",
                          r->n->flit);
    return status ? status : read_pace(r, g, load, load_open);
}

/* Does the traffic come from a file, of either kind? */
static bool is_trace(const char *traffic)
{
    const size_t word = strcspn(traffic, ":");

    return (word == 5 && strncmp(traffic, "trace", 5) == 0) ||
           (word == 7 && strncmp(traffic, "netrace", 7) == 0);
}

/* The key with which a group overrides an option; KEYS if it takes the option. Messages whose
 * traffic says how long they are override --length; that is known once the traffic has been read.
 */
static key overrides(const group_reader *r, key option)
{
    if (r->own[option])
        return option;
    if (option == LOAD && r->own[INTERVAL])
        return INTERVAL;
    if ((option == INTERVAL || option == FROM) && r->own[LOAD])
        return LOAD;
    if (option == LENGTH && !r->some_plain)
        return TRAFFIC;
    return KEYS;
}

/* mask=1,value=0,load=0.5: cuts the text into pieces. */
static swq_status cut_group(group_reader *r, char *text)
{
    char *rest = text, *word;
    swq_status status = SWQ_OK;

    while ((word = next_piece(&rest, ','))) {
        char *equals = strchr(word, '=');
        int k = 0;
        if (!equals)
            return swq_fail(r->ctx, SWQ_EINVAL, "--group %d must be KEY=VALUE,..., not '%.60s'",
                            r->number, word);
        *equals = '\0';
        while (key_names[k] && strcmp(key_names[k], word) != 0)
            k++;
        if (k == KEYS)
            return swq_fail(
                r->ctx, SWQ_EINVAL,
                "--group %d: key '%.40s' is unknown; known: mask, value, priority, from, until, "
                "load, interval, interval-from, sources, length, burst, traffic",
                r->number, word);
        if (r->own[k])
            return swq_fail(r->ctx, SWQ_EINVAL, "--group %d: %s is given twice", r->number, word);
        r->text[k] = equals + 1;
        r->own[k] = true;
    }
    /* a group's own key of pacing, such as load, overrides other keys of pacing that come from
     * options */
    for (key k = LOAD; k <= FROM; k++) {
        if (overrides(r, k) != KEYS && !r->own[k])
            r->text[k] = NULL;
    }
    if (r->own[TRAFFIC] && is_trace(r->text[TRAFFIC]))
        status = swq_fail(r->ctx, SWQ_EINVAL,
                          "--group %d: a trace is for --traffic: it defines what all nodes send",
                          r->number);
    return status;
}

/* With a trace, a group is only a set of nodes. */
static swq_status read_members(group_reader *r, swq_sender_group *g)
{
    for (int k = SINCE; k < KEYS; k++) {
        if (r->own[k])
            return swq_fail(r->ctx, SWQ_EINVAL,
                            "--%s does not go with a trace, which defines all traffic",
                            called(r, (key)k));
        r->text[k] = NULL;
    }
    double load;
    return read_group(r, g, &load, true);
}

/* Does the group have a node that is in no group before it? */
static bool has_members(const cli_async *n, int g)
{
    for (uint32_t i = 0; i < n->fabric.nodes; i++) {
        if (swq_sender_group_has(&n->network, g, i))
            return true;
    }
    return false;
}

/* Refuses an option that every group overrides: by[g][k] is the key with which group g overrides
 * the option k. */
static swq_status refuse_overridden(const group_reader *common, key by[][KEYS])
{
    const int groups = common->n->network.traffic.groups;

    for (key k = LOAD; k < KEYS; k++) {
        char text[300] = "";
        int g = 0;
        for (size_t used = 0; g < groups && by[g][k] != KEYS; g++) {
            if (used < sizeof text)
                used += (size_t)snprintf(text + used, sizeof text - used, "%sgroup %d by %s",
                                         g ? ", " : "", g + 1, key_names[by[g][k]]);
        }
        if (common->text[k] && g == groups)
            return swq_fail(common->ctx, SWQ_EINVAL,
                            "--%s has no effect: every --group overrides it: %s", key_names[k],
                            text);
    }
    return SWQ_OK;
}

static swq_status read_groups(group_reader *common, char *const *groups, bool trace)
{
    key by[SWQ_MAX_SENDER_GROUPS][KEYS] = {{LOAD}};
    cli_async *n = common->n;
    swq_status status = SWQ_OK;

    for (int k = 0; groups[k] && !status; k++) {
        group_reader r = *common;
        char *copy = strdup(groups[k]);
        r.number = k + 1;
        if (!copy)
            return swq_fail(r.ctx, SWQ_ENOMEM, "no memory to read --group");
        if (k == SWQ_MAX_SENDER_GROUPS)
            status =
                swq_fail(r.ctx, SWQ_EINVAL, "--group: at most %d groups", SWQ_MAX_SENDER_GROUPS);
        else
            status = cut_group(&r, copy);
        if (!status && trace)
            status = read_members(&r, &n->group[k]);
        else if (!status)
            status = read_group(&r, &n->group[k], &n->load[k], false);
        n->network.traffic.groups = k + 1;
        if (!status && !has_members(n, k))
            status =
                swq_fail(r.ctx, SWQ_EINVAL,
                         "--group %d: of %u nodes, none outside the groups before has a number "
                         "& 0x%x that is 0x%x",
                         r.number, n->fabric.nodes, n->group[k].mask, n->group[k].value);
        for (key o = LOAD; o < KEYS && !status; o++)
            by[k][o] = overrides(&r, o);
        free(copy);
    }
    return status || trace ? status : refuse_overridden(common, by);
}

/* The value of an option of either table. */
static const char *option_text(const char *name)
{
    const char *text = cli_text(cli_network_options, name);
    return text ? text : cli_async_text(name);
}

static swq_status read_trace(group_reader *r, char *const *groups)
{
    for (int k = LOAD; k < TRAFFIC; k++) {
        if (r->text[k])
            return swq_fail(r->ctx, SWQ_EINVAL,
                            "--%s does not go with a trace, which defines all traffic",
                            key_names[k]);
    }
    if (cli_text(cli_network_options, "hot-spots"))
        return swq_fail(r->ctx, SWQ_EINVAL,
                        "--hot-spots does not go with a trace, which defines all traffic");
    const bool netrace = strncmp(r->text[TRAFFIC], "netrace", 7) == 0;
    const char *word = netrace ? "netrace" : "trace", *path = r->text[TRAFFIC] + strlen(word);
    if (path[0] != ':' || !path[1])
        return swq_fail(r->ctx, SWQ_EINVAL, "--traffic %s needs a value: '%s:...'", word, word);
    swq_async *net = &r->n->network;
    swq_trace_messages *trace = &r->n->trace;
    swq_status status = netrace ? swq_netrace_read(r->ctx, path + 1, &r->n->fabric, trace)
                                : swq_trace_messages_read(r->ctx, "--traffic trace", path + 1,
                                                          &r->n->fabric, trace);
    for (uint64_t k = 0; k < trace->messages && !status && r->n->flit > 1; k++) {
        int bytes = (int)trace->message[k].bytes;
        status = cli_in_flits(r->ctx, r->n, "traffic: bytes of a message", &bytes);
        trace->message[k].bytes = (uint32_t)bytes;
    }
    net->traffic.trace = trace->message;
    net->traffic.trace_messages = trace->messages;
    net->traffic.dependency = trace->dependency;
    net->traffic.dependencies = trace->dependencies;
    r->n->trace_path = r->text[TRAFFIC];
    return status || !groups ? status : read_groups(r, groups, true);
}

static swq_status read_senders(swq_context *ctx, cli_async *n, cli_load load)
{
    char *const *groups = given_groups;
    group_reader r = {.ctx = ctx, .n = n};
    bool load_open = load == CLI_LOAD_OPEN || load == CLI_LOAD_NONE;
    char length[24];

    for (int k = LOAD; k < KEYS; k++)
        r.text[k] = option_text(key_names[k]);
    n->grouped = groups != NULL;
    n->network.traffic.group = n->group;
    const bool trace = r.text[TRAFFIC] && is_trace(r.text[TRAFFIC]);
    if (load_open && (trace || groups || r.text[INTERVAL] || r.text[LOAD]))
        return swq_fail(ctx, SWQ_EINVAL,
                        "--find-saturation changes the load of all senders: it does not go with "
                        "--%s",
                        trace              ? "traffic trace"
                        : groups           ? "group"
                        : r.text[INTERVAL] ? "interval"
                                           : "load");
    if (trace)
        return read_trace(&r, groups);
    if (groups)
        return read_groups(&r, groups, false);
    n->network.traffic.groups = 1;
    if (load == CLI_LOAD_NONE) {
        snprintf(length, sizeof length, "%d", n->network.packet.max * n->flit);
        r.text[LENGTH] = length;
    }
    return read_group(&r, &n->group[0], &n->load[0], load_open);
}

swq_status cli_async_traffic(swq_context *ctx, cli_async *n, cli_load load)
{
    const swq_status status = read_senders(ctx, n, load);

    if (!status && !n->matrix[0] && cli_given(cli_network_options, "normalise"))
        return swq_fail(ctx, SWQ_EINVAL,
                        "--normalise is for --traffic file:PATH, and no traffic is from such a "
                        "file");
    return status;
}
