/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the messages of a group go, and how long they are: the words of `traffic`, of --hot-spots
 * and of `length`.
 */
#include "base/context.h"
#include "base/names.h"
#include "base/plugins.h"
#include "cli/options/parse.h"
#include "cli/spec/group.h"
#include "cli/spec/noxim.h"
#include "sim/traffic/spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const cli_group_keys[GROUP_KEYS + 1] = {
    "mask",          "value",   "priority", "from",  "until",   "load", "interval",
    "interval-from", "sources", "length",   "burst", "traffic", NULL};

const char *cli_group_called(cli_group_reader *r, cli_group_key k)
{
    if (r->own[k])
        snprintf(r->label, sizeof r->label, "group %d: %s", r->number, cli_group_keys[k]);
    else
        snprintf(r->label, sizeof r->label, "%s", cli_group_keys[k]);
    return r->label;
}

/* The name of a part of the traffic: "traffic's node". */
static const char *part(cli_group_reader *r, const char *what)
{
    size_t used = strlen(cli_group_called(r, GROUP_TRAFFIC));
    snprintf(r->label + used, sizeof r->label - used, "'s %s", what);
    return r->label;
}

swq_status cli_group_bits(cli_group_reader *r, const char *name, const char *text, uint32_t *value)
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

swq_status cli_group_length(cli_group_reader *r, const char *option, const char *text,
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

/* Destinations that are no patterns, as the list of known names shows them. */
enum { NODE, HOTSPOT, SUBSET, ALL, MULTICAST, LISTED, NOXIM, ADVERSARY, WORST, VALUED };
static const struct {
    const char *name;
} with_value[VALUED] = {{"node:J"},         {"hotspot:F[:J]"},   {"subset:MASK:VALUE"},
                        {"all:MASK:VALUE"}, {"multicast:K[:S]"}, {"file:PATH"},
                        {"noxim:FILE"},     {"adv+I"},           {"worst-case"}};

static bool is_called(const char *shown, const char *text)
{
    size_t length = strcspn(shown, ":");
    return strlen(text) == length && strncmp(shown, text, length) == 0;
}

static swq_status add_type(cli_group_reader *r, swq_sender_group *g, swq_message_type type)
{
    if (g->types == SWQ_MAX_MESSAGE_TYPES)
        return swq_fail(r->ctx, SWQ_EINVAL, "--%s: at most %d types of messages",
                        cli_group_called(r, GROUP_TRAFFIC), SWQ_MAX_MESSAGE_TYPES);
    g->type[g->types++] = type;
    return SWQ_OK;
}

/* Reads the node J of hotspot:F:J and node:J. */
static swq_status read_node(cli_group_reader *r, const char *text, uint32_t *node)
{
    int number;
    swq_status status =
        cli_integer(r->ctx, part(r, "node"), text, 0, (int)r->n->fabric.nodes - 1, &number);
    *node = status ? 0 : (uint32_t)number;
    return status;
}

/* Reads F[:J] of hotspot:F[:J]: the fraction of packets for node J; all others go to a random node.
 */
static swq_status read_hotspot(cli_group_reader *r, char *text, swq_sender_group *g,
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
static swq_status read_subset(cli_group_reader *r, const char *name, char *text,
                              swq_message_type *type)
{
    char *value = strchr(text, ':');
    uint32_t nodes = r->n->fabric.nodes;

    if (!value)
        return swq_fail(r->ctx, SWQ_EINVAL, "--%s: %s needs a mask and a value, not '%.60s'",
                        cli_group_called(r, GROUP_TRAFFIC), name, text);
    *value++ = '\0';
    swq_status status = cli_group_bits(r, part(r, "mask"), text, &type->mask);
    if (!status)
        status = cli_group_bits(r, part(r, "value"), value, &type->value);
    if (!status && ((type->value & type->mask) != type->value || type->value >= nodes))
        status =
            swq_fail(r->ctx, SWQ_EINVAL, "--%s: of %u nodes, none has a number & 0x%x that is 0x%x",
                     cli_group_called(r, GROUP_TRAFFIC), nodes, type->mask, type->value);
    return status;
}

/* K[:S]: S sets of K nodes each, by default as many as there are nodes. */
static swq_status read_sets(cli_group_reader *r, char *text, swq_message_type *type)
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
static swq_status read_matrix(cli_group_reader *r, const char *path, bool noxim,
                              swq_message_type *type)
{
    cli_async *n = r->n;
    const swq_fabric_kind *kind = n->fabric.shape.kind;
    char option[90];
    int k = 0;

    while (k < CLI_MOST_MATRICES && n->matrix[k] && strcmp(n->matrix[k]->path, path) != 0)
        k++;
    snprintf(option, sizeof option, "%s", cli_group_called(r, GROUP_TRAFFIC));
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
                                   .normalise =
                                       noxim || cli_given(cli_network_options, "normalise"),
                                   .noxim = noxim,
                                   .can_normalise = true,
                                   .no_selfs = kind->point_to_point ? kind->name : NULL};
    swq_status status = cli_matrix_read(r->ctx, &as, path, n->matrix[k]);
    if (!status)
        status = cli_matrix_without_zeros(r->ctx, n->matrix[k]);
    type->matrix = &n->matrix[k]->rows;
    return status;
}

/* Reads a table of Noxim, which is about all nodes. */
static swq_status read_noxim(cli_group_reader *r, const char *path, swq_message_type *type)
{
    if (r->number || !cli_is_noxim(r->text[GROUP_TRAFFIC]))
        return swq_fail(
            r->ctx, SWQ_EINVAL,
            "--%s: a table of Noxim is for --traffic alone: it says what all nodes send",
            cli_group_called(r, GROUP_TRAFFIC));
    if (cli_network_text("hot-spots"))
        return swq_fail(r->ctx, SWQ_EINVAL, CLI_NOXIM_SAYS "--hot-spots does not change");
    if (cli_given(cli_network_options, "normalise"))
        return swq_fail(r->ctx, SWQ_EINVAL,
                        "--normalise is for --traffic file:PATH: a table of Noxim has rates");
    return read_matrix(r, path, true, type);
}

static swq_status takes_no_value(cli_group_reader *r, const char *name, const char *value)
{
    return swq_fail(r->ctx, SWQ_EINVAL, "--%s: %.40s takes no value, not '%.60s'",
                    cli_group_called(r, GROUP_TRAFFIC), name, value);
}

static bool is_adversary(const char *text)
{
    return strncmp(text, "adv+", 4) == 0;
}

/* Reads adv+I: to a random node of the group I further. */
static swq_status read_adversary(cli_group_reader *r, const char *text, const char *value,
                                 swq_message_type *type)
{
    const swq_fabric *f = &r->n->fabric;
    int step = 0;

    if (value)
        return takes_no_value(r, text, value);
    if (f->group_ring < 2)
        return swq_fail(r->ctx, SWQ_EINVAL,
                        "--%s %s is for topologies with groups, dragonfly, megafly and hyperx, not "
                        "for %s",
                        cli_group_called(r, GROUP_TRAFFIC), text, swq_shape_name(&f->shape));
    const swq_status status =
        cli_integer(r->ctx, part(r, "groups further"), text + 4, 1, (int)f->group_ring - 1, &step);
    type->aim = SWQ_AIM_GROUP;
    type->value = (uint32_t)step;
    return status;
}

/* Reads worst-case: to a random node of the router that the topology says. */
static swq_status read_worst(cli_group_reader *r, const char *value, swq_message_type *type)
{
    const swq_shape *shape = &r->n->fabric.shape;

    if (value)
        return takes_no_value(r, "worst-case", value);
    if (!shape->kind->worst)
        return swq_fail(r->ctx, SWQ_EINVAL, "--%s worst-case is for topology slim-fly, not for %s",
                        cli_group_called(r, GROUP_TRAFFIC), swq_shape_name(shape));
    type->aim = SWQ_AIM_WORST;
    return SWQ_OK;
}

/* Finds a pattern by name. The words of with_value, which are read before, are only listed. */
static swq_status find_pattern(cli_group_reader *r, const char *name, const swq_pattern **pattern)
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
    snprintf(what, sizeof what, "--%s", cli_group_called(r, GROUP_TRAFFIC));
    *pattern = swq_name_lookup(r->ctx, what, swq_pattern_name(name), rows);
    return *pattern ? SWQ_OK : SWQ_EINVAL;
}

static swq_status read_pattern(cli_group_reader *r, const char *name, swq_message_type *type)
{
    if (strcmp(name, "matrix") == 0)
        return swq_fail(r->ctx, SWQ_EINVAL, "--%s takes a matrix from a file: file:PATH",
                        cli_group_called(r, GROUP_TRAFFIC));
    const swq_places places = swq_fabric_places(&r->n->fabric);
    swq_status status = find_pattern(r, name, &type->pattern);
    const char *objection = status ? NULL : swq_pattern_objection(type->pattern, &places);

    if (objection)
        status = swq_fail(r->ctx, SWQ_EINVAL, "--%s: %s does not fit %u nodes: %s",
                          cli_group_called(r, GROUP_TRAFFIC), name, places.nodes, objection);
    return status;
}

bool cli_is_file(const char *text)
{
    return strncmp(text, "file:", 5) == 0 || cli_is_noxim(text);
}

/* DEST[@LENGTH]; cuts the text into pieces. */
static swq_status read_destination(cli_group_reader *r, char *text, swq_sender_group *g,
                                   swq_message_type type)
{
    char *at = cli_is_file(text) ? strrchr(text, '@') : strchr(text, '@');
    swq_status status = SWQ_OK;
    int which = 0;

    r->some_plain |= !at;
    if (at) {
        *at = '\0';
        status = cli_group_length(r, part(r, "length"), at + 1, &type.length);
    }
    char *value = strchr(text, ':');
    if (value)
        *value++ = '\0';
    while (which < VALUED && !is_called(with_value[which].name, text))
        which++;
    if (is_adversary(text))
        which = ADVERSARY;
    if (status)
        return status;
    if (which < VALUED && which != ADVERSARY && which != WORST && !(value && *value))
        return swq_fail(r->ctx, SWQ_EINVAL, "--%s: %s needs a value: '%s:...'",
                        cli_group_called(r, GROUP_TRAFFIC), text, text);
    if (which == ADVERSARY)
        status = read_adversary(r, text, value, &type);
    else if (which == WORST)
        status = read_worst(r, value, &type);
    else if (which == LISTED)
        status = read_matrix(r, value, false, &type);
    else if (which == NOXIM)
        status = read_noxim(r, value, &type);
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
            status = takes_no_value(r, text, value);
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

swq_status cli_group_traffic(cli_group_reader *r, swq_sender_group *g, swq_spread length)
{
    const char *text = r->text[GROUP_TRAFFIC] ? r->text[GROUP_TRAFFIC] : "uniform";
    char copy[512], *rest = copy, *term;
    double sum = 0;
    swq_status status = SWQ_OK;

    if (strlen(text) >= sizeof copy)
        return swq_fail(r->ctx, SWQ_EINVAL, "--%s is too long: '%.60s...'",
                        cli_group_called(r, GROUP_TRAFFIC), text);
    snprintf(copy, sizeof copy, "%s", text);
    const bool file = cli_is_file(text), mixture = !file && end_of_term(copy) != NULL;
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
                              cli_group_called(r, GROUP_TRAFFIC), term);
        }
        if (!status)
            status = read_destination(r, destination, g, type);
        sum += type.probability;
    }
    if (!status && fabs(sum - 1) > 1e-9)
        status = swq_fail(r->ctx, SWQ_EINVAL, "--%s: probabilities must sum to 1, not %.10g",
                          cli_group_called(r, GROUP_TRAFFIC), sum);
    return status;
}

swq_status cli_group_hot_spots(cli_group_reader *r, swq_sender_group *g)
{
    const char *text = cli_network_text("hot-spots");
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
    if (!status && sum >= 1 && r->text[GROUP_TRAFFIC])
        status = swq_fail(r->ctx, SWQ_EINVAL, "--%s has no effect: --hot-spots take all packets",
                          cli_group_called(r, GROUP_TRAFFIC));
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
