/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The file of a comparison.
 */
#include "base/context.h"
#include "base/names.h"
#include "cli/booksim/booksim.h"
#include "cli/compare/compare.h"
#include "cli/options/parse.h"
#include "cli/print/json_path.h"

#include "cli/compare/studies.inc"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bytes per cycle of all groups except the one that congests the network; of all senders if there
 * are no groups. */
static double innocent_of(const cJSON *answer)
{
    const cJSON *result = cJSON_GetObjectItemCaseSensitive(answer, "result"), *group;
    const cJSON *run = cJSON_GetObjectItemCaseSensitive(answer, "run");
    const cJSON *cycles = cJSON_GetObjectItemCaseSensitive(run, "cycles");
    const cJSON *groups = cJSON_GetObjectItemCaseSensitive(result, "groups");
    const cJSON *all = cJSON_GetObjectItemCaseSensitive(result, "delivered_bytes");
    double bytes = 0;

    if (!cJSON_IsNumber(cycles) || !cJSON_IsNumber(all))
        return NAN;
    cJSON_ArrayForEach(group, groups)
    {
        const cJSON *name = cJSON_GetObjectItemCaseSensitive(group, "name");
        const cJSON *mine = cJSON_GetObjectItemCaseSensitive(group, "delivered_bytes");
        const bool guilty = cJSON_IsString(name) && strcmp(name->valuestring, "G_NUT") == 0;
        bytes += cJSON_IsNumber(mine) && !guilty ? mine->valuedouble : 0;
    }
    return (cJSON_GetArraySize(groups) > 0 ? bytes : all->valuedouble) / cycles->valuedouble;
}

static const cli_measure latency = {
    .name = "latency",
    .summary = "mean latency of a packet, in cycles",
    .path = {"result.latency_cycles.mean", "result.latency_cycles", "result.latency_cycles.mean"},
    .waits = true};
static const cli_measure tail = {.name = "latency-tail",
                                 .summary =
                                     "mean latency until a packet's last byte arrives, in cycles",
                                 .path = {"result.latency_tail_cycles.mean"},
                                 .waits = true};
static const cli_measure throughput = {
    .name = "throughput",
    .summary = "throughput, a fraction of the links' rate",
    .path = {"result.throughput.mean", "result.throughput", "result.throughput.mean"},
    .more_is_better = true};
static const cli_measure discards = {.name = "discards",
                                     .summary = "fraction of packets that are lost",
                                     .path = {"result.discard_probability.mean",
                                              "result.discard_probability",
                                              "result.discard_probability.mean"}};
static const cli_measure innocent = {
    .name = "innocent",
    .summary = "bytes per cycle of all senders except those that congest the network",
    .more_is_better = true,
    .of = innocent_of};

/* The 99th percentile of the flows up to 100 KB, the first of the sizes. */
static double slowdown_of(const cJSON *answer)
{
    const cJSON *result = cJSON_GetObjectItemCaseSensitive(answer, "result");
    const cJSON *sizes = cJSON_GetObjectItemCaseSensitive(result, "by_size");
    const cJSON *value = cli_json_at(cJSON_GetArrayItem(sizes, 0), "slowdown.p99.mean");

    return cJSON_IsNumber(value) ? value->valuedouble : NAN;
}

static const cli_measure slowdown = {
    .name = "slowdown",
    .summary = "99% of the flows up to 100 KB take at most so many times their time alone",
    .of = slowdown_of};
static const cli_measure query_time = {.name = "query-time",
                                       .summary = "mean time of a query, in ns",
                                       .path = {"result.queries.completion_ns.mean"}};
static const cli_measure goodput = {.name = "goodput",
                                    .summary = "payload that comes, a fraction of hosts' lines",
                                    .path = {"result.goodput_fraction.mean"},
                                    .more_is_better = true};
const cli_measure *const cli_measures[] = {
    &latency, &tail, &throughput, &discards, &innocent, &slowdown, &query_time, &goodput, NULL};

static const cli_by simulation = {"simulation", "replications", "sim", SWQ_BY_SIMULATION};
static const cli_by chain = {"chain", "exact, within a proven width", "solve", SWQ_BY_CHAIN};
static const cli_by approximation = {"approximation", "of unknown error", "approx",
                                     SWQ_BY_APPROXIMATION};
const cli_by *const cli_bys[] = {&simulation, &chain, &approximation, NULL};

static const cli_equal memory = {"memory", "packet memory of a switch, all of it counted",
                                 "bytes an input", offsetof(swq_cost, packet_bytes)};
static const cli_equal wires = {"wires", "wires of a link", "wires a link",
                                offsetof(swq_cost, total) + SWQ_COST_WIRES * sizeof(double)};
static const cli_equal area = {"area", "weighted area of a switch (docs/cost.md)", "cells",
                               offsetof(swq_cost, area)};
static const cli_equal none = {"none", "nothing has to be equal", "", SIZE_MAX};
const cli_equal *const cli_equals[] = {&memory, &wires, &area, &none, NULL};

/* Finds a row of a table by its name in the file; *found is unchanged if the file gives no name. */
static swq_status read_row(cli_comparison *c, const swq_node *root, const char *key,
                           const void *const *rows, const void **found)
{
    const swq_node *node = swq_node_at(root, key);
    char message[300];

    if (!node)
        return SWQ_OK;
    if (node->kind != SWQ_NODE_TEXT)
        return cli_compare_fail(c, node->line, "measure and equal take one word each");
    const void *row = swq_name_lookup(c->ctx, key, node->text, rows);
    *found = row ? row : *found;
    if (!row) {
        snprintf(message, sizeof message, "%s", swq_context_message(c->ctx));
        return cli_compare_fail(c, node->line, message);
    }
    return SWQ_OK;
}

static swq_status read_number(cli_comparison *c, const swq_node *root, const char *key, long least,
                              long most, long *value)
{
    const swq_node *node = swq_node_at(root, key);
    char *end = NULL, message[120];

    if (!node)
        return SWQ_OK;
    *value = node->kind == SWQ_NODE_TEXT ? strtol(node->text, &end, 10) : least - 1;
    if (end && *node->text && !*end && *value >= least && *value <= most)
        return SWQ_OK;
    snprintf(message, sizeof message, "%s must be a whole number from %ld to %ld", key, least,
             most);
    return cli_compare_fail(c, node->line, message);
}

/* ---- the whole file ---- */

static swq_status read_keys(cli_comparison *c, const swq_node *root)
{
    static const char *const keys =
        "set contestants scenarios memory area repeats precision seed measure equal beside";

    if (root->kind != SWQ_NODE_MAP)
        return cli_compare_fail(c, root->line,
                                "a comparison is a map with contestants and scenarios");
    for (int k = 0; k < root->count; k++) {
        char message[200];
        const char *name = root->key[k]->text, *at = strstr(keys, name);
        const size_t length = strlen(name);
        snprintf(message, sizeof message, "unknown key '%.40s'; known: %s", name, keys);
        if (!length || !at || (at != keys && at[-1] != ' ') || (at[length] && at[length] != ' '))
            return cli_compare_fail(c, root->key[k]->line, message);
    }
    c->common = swq_node_at(root, "set");
    if (c->common && c->common->kind != SWQ_NODE_MAP)
        return cli_compare_fail(c, c->common->line,
                                "set is a map of options that all points share");
    return SWQ_OK;
}

enum { MOST_MEMORY = 1 << 30 };

static swq_status add_size(cli_comparison *c, const char *what, const char *text)
{
    char *end;
    const long size = strtol(text, &end, 10);

    if (*end || end == text || size < 1 || size > MOST_MEMORY || c->sizes == CLI_SIZES)
        return swq_fail(c->ctx, SWQ_EINVAL,
                        "%s: %s is 1 to %d whole numbers of %s, each from 1 to %d", what,
                        c->by_area ? "area" : "memory", CLI_SIZES,
                        c->by_area ? "cells" : "bytes an input", MOST_MEMORY);
    c->size[c->sizes++] = size;
    return SWQ_OK;
}

/* An option's numbers, separated by commas. */
static swq_status add_given(cli_comparison *c, const char *option, const char *text)
{
    swq_status status = SWQ_OK;
    char what[120], one[24];

    snprintf(what, sizeof what, "%s %.60s", option, text);
    for (const char *rest = text; rest && !status; rest = *rest ? rest + 1 : NULL) {
        snprintf(one, sizeof one, "%.*s", (int)strcspn(rest, ","), rest);
        status = add_size(c, what, one);
        rest += strcspn(rest, ",");
    }
    return status;
}

/* Reads memory or area: one number or a list, from --bytes or --area if given, else from the
 * file. */
static swq_status read_sizes(cli_comparison *c, const swq_node *root,
                             const cli_compare_given *given)
{
    const swq_node *bytes = swq_node_at(root, "memory"), *cells = swq_node_at(root, "area");
    const swq_node *node = bytes ? bytes : cells;
    const bool list = node && node->kind == SWQ_NODE_LIST;
    const char *option = given->bytes ? "--bytes" : "--area";
    const char *text = given->bytes ? given->bytes : given->area;
    swq_status status = SWQ_OK;
    char what[200];

    if (bytes && cells)
        return cli_compare_fail(c, cells->line, "memory and area cannot both be given");
    c->sized = node != NULL;
    c->by_area = given->area || (cells && !given->bytes);
    if (text && !node)
        return swq_fail(c->ctx, SWQ_EINVAL,
                        "%s %.40s: %.100s has neither memory nor area, so its contestants have a "
                        "fixed size (docs/compare.md)",
                        option, text, c->path);
    if (text)
        status = add_given(c, option, text);
    snprintf(what, sizeof what, "%.150s, line %d", c->path, node ? node->line : 0);
    for (int k = 0; node && !text && !status && k < (list ? node->count : 1); k++) {
        const swq_node *item = list ? node->item[k] : node;
        status = add_size(c, what, item->kind == SWQ_NODE_TEXT ? item->text : "");
    }
    if (!status && node && c->sizes == 0)
        status = add_size(c, what, "");
    c->sizes = c->sizes ? c->sizes : 1;
    for (int size = 0; size < c->sizes; size++) {
        for (int k = 0; k < SWQ_CONTESTANTS; k++)
            c->memory[size][k] = c->size[size];
    }
    return status;
}

const char *const cli_beside_commands[CLI_BESIDE + 1] = {"worst", "solve", "cost", NULL};

enum { MOST_BESIDE = 15 }; /* options of one of them */

static swq_status read_beside(cli_comparison *c, const swq_node *root)
{
    const swq_node *beside = swq_node_at(root, "beside");

    if (!beside)
        return SWQ_OK;
    if (beside->kind != SWQ_NODE_MAP)
        return cli_compare_fail(c, beside->line, "beside is a map of worst, solve and cost");
    for (int k = 0; k < beside->count; k++) {
        int command = 0;
        while (command < CLI_BESIDE &&
               strcmp(cli_beside_commands[command], beside->key[k]->text) != 0)
            command++;
        const swq_node *options = beside->item[k];
        bool maps = command < CLI_BESIDE && options->kind == SWQ_NODE_MAP;
        for (int o = 0; maps && o < options->count; o++)
            maps = options->item[o]->kind == SWQ_NODE_TEXT;
        if (!maps || options->count > MOST_BESIDE)
            return cli_compare_fail(c, beside->key[k]->line,
                                    "beside has worst, solve and cost, each a map of options of "
                                    "that command");
        c->beside[command] = options;
    }
    return SWQ_OK;
}

static swq_status read_precision(cli_comparison *c, const swq_node *root)
{
    const swq_node *node = swq_node_at(root, "precision");
    char *end = NULL;

    if (!node)
        return SWQ_OK;
    c->precision = node->kind == SWQ_NODE_TEXT ? strtod(node->text, &end) : 0;
    if (!end || !*node->text || *end || !(c->precision > 0 && c->precision < 1))
        return cli_compare_fail(c, node->line, "precision is a number between 0 and 1");
    return SWQ_OK;
}

static swq_status read_gain(const cli_comparison *c, cli_option_set *scenario)
{
    const swq_node *node = swq_node_at(scenario->options, "gain");
    const char *text = node && node->kind == SWQ_NODE_TEXT ? node->text : "";

    scenario->no_gain = strcmp(text, "no") == 0;
    if (node && !scenario->no_gain && strcmp(text, "yes") != 0)
        return cli_compare_fail(c, node->line, "gain is yes, or no where gains are not over it");
    return SWQ_OK;
}

/* The keys among the options of a contestant or a scenario that are not options. */
static swq_status read_words(cli_comparison *c, const void *usual)
{
    swq_status status = SWQ_OK;

    for (int k = 0; k < c->contest.contestants && !status; k++) {
        const void *by = &simulation;
        status = read_row(c, c->contestant[k].options, "by", (const void *const *)cli_bys, &by);
        c->contestant[k].by = by;
        c->by[k] = c->contestant[k].by->known;
    }
    for (int s = 0; s < c->scenarios && !status && !c->benchmarks; s++) {
        const void *measure = usual;
        status = read_row(c, c->scenario[s].options, "measure", (const void *const *)cli_measures,
                          &measure);
        c->scenario[s].measure = measure;
        if (!status)
            status = read_gain(c, &c->scenario[s]);
    }
    return status;
}

/* With fewer repeats all intervals are wide: Student's t with 2 degrees of freedom is 4.3. */
enum { QUICK = 6 };

static swq_status read_root(cli_comparison *c, const swq_node *root, const cli_compare_given *given)
{
    const void *measure = &latency, *equal = &memory;
    long repeats = 8, seed = 1;
    swq_status status = read_keys(c, root);

    if (!status)
        status = cli_compare_read_sets(c, root, "contestants", 2, SWQ_CONTESTANTS, c->contestant,
                                       &c->contest.contestants);
    if (!status && c->benchmarks)
        status = cli_compare_take_benchmarks(c, &innocent);
    else if (!status)
        status = cli_compare_read_sets(c, root, "scenarios", 1, CLI_SCENARIOS, c->scenario,
                                       &c->scenarios);
    if (!status && given->contestants)
        status = cli_compare_choose(c, "contestants", given->contestants, 2, c->contestant,
                                    &c->contest.contestants);
    if (!status && given->scenarios)
        status =
            cli_compare_choose(c, "scenarios", given->scenarios, 1, c->scenario, &c->scenarios);
    if (!status)
        status = cli_compare_check_sets(c);
    if (!status)
        status = read_sizes(c, root, given);
    if (!status)
        status = read_number(c, root, "repeats", 2, SWQ_CONTEST_REPEATS, &repeats);
    if (!status)
        status = read_precision(c, root);
    if (!status)
        status = read_number(c, root, "seed", 0, 1000000000, &seed);
    if (!status)
        status = read_row(c, root, "measure", (const void *const *)cli_measures, &measure);
    if (!status)
        status = read_row(c, root, "equal", (const void *const *)cli_equals, &equal);
    equal = c->by_area ? &area : equal;
    if (!status)
        status = read_beside(c, root);
    if (!status)
        status = read_words(c, measure);
    c->equal = equal;
    c->bytes = given->bytes;
    c->area_given = given->area;
    c->chosen[0] = given->contestants;
    c->chosen[1] = given->scenarios;
    c->seed = (uint64_t)(given->seed >= 0 ? given->seed : seed);
    c->precision = given->precision > 0 ? given->precision : c->quick ? 0 : c->precision;
    c->file_repeats = (int)repeats;
    c->repeats =
        (int)(c->quick && repeats > QUICK ? (repeats < 4 * QUICK ? QUICK : repeats / 4) : repeats);
    return status;
}

static swq_status make_room(cli_comparison *c)
{
    swq_comparison *t = &c->contest;
    const size_t fields = (size_t)cli_compare_fields(c);
    const size_t cells = fields * (size_t)t->contestants;

    c->more_better = swq_arena_take(c->ctx, &c->arena, fields, sizeof *c->more_better);
    c->no_gain = swq_arena_take(c->ctx, &c->arena, fields, sizeof *c->no_gain);
    c->shared = swq_arena_take(c->ctx, &c->arena, (size_t)c->sizes, sizeof *c->shared);
    c->reason = swq_arena_take(c->ctx, &c->arena, cells, CLI_REASON);
    c->asked = swq_arena_take(c->ctx, &c->arena, cells, sizeof *c->asked);
    c->count = swq_arena_take(c->ctx, &c->arena, cells, sizeof *c->count);
    c->first = swq_arena_take(c->ctx, &c->arena, cells, sizeof *c->first);
    c->unsettled = swq_arena_take(c->ctx, &c->arena, cells, sizeof *c->unsettled);
    c->area = swq_arena_take(c->ctx, &c->arena, cells, sizeof *c->area);
    t->standing = swq_arena_take(c->ctx, &c->arena, cells, sizeof *t->standing);
    t->mark = swq_arena_take(c->ctx, &c->arena, cells * (size_t)t->contestants, sizeof *t->mark);
    if (!c->more_better || !c->no_gain || !c->shared || !c->reason || !c->asked || !c->count ||
        !c->first || !c->unsettled || !c->area || !t->standing || !t->mark)
        return swq_memory_status(c->ctx);
    t->scenarios = (int)fields;
    t->confidence = 0.95;
    t->by = c->by;
    t->more_better = c->more_better;
    t->no_gain = c->no_gain;
    t->count = c->count;
    for (size_t f = 0; f < fields; f++) {
        c->more_better[f] = c->scenario[f % (size_t)c->scenarios].measure->more_is_better;
        c->no_gain[f] = c->scenario[f % (size_t)c->scenarios].no_gain;
    }
    for (size_t cell = 0; cell < cells; cell++)
        c->area[cell] = NAN;
    for (size_t cell = 0; cell < cells; cell++)
        c->asked[cell] = c->by[cell % (size_t)t->contestants] == SWQ_BY_SIMULATION ? c->repeats : 1;
    return SWQ_OK;
}

/* The text of a study that is part of the program; NULL: there is none of that name. */
static const char *built_in(const char *name)
{
    static const struct {
        const char *name, *text;
    } study[] = {{"league", text_compare_league},
                 {"buffers", text_compare_buffers},
                 {"1000-hosts", text_compare_1000_hosts}};

    for (size_t k = 0; k < sizeof study / sizeof *study; k++)
        if (strcmp(name, study[k].name) == 0)
            return study[k].text;
    return NULL;
}

static swq_status read_text(cli_comparison *c)
{
    const char *text = built_in(c->path);

    if (!text)
        return cli_read_file(c->ctx, c->path, 1, &c->text);
    c->text = strdup(text);
    return c->text ? SWQ_OK : swq_fail(c->ctx, SWQ_ENOMEM, "no memory for %s", c->path);
}

swq_status cli_compare_read(cli_comparison *c, const cli_compare_given *given)
{
    swq_node **document = NULL;
    int documents = 0;
    swq_status status = read_text(c);

    if (!status)
        status = swq_yaml_read(c->ctx, c->path, c->text, strlen(c->text), &c->arena, &document,
                               &documents);
    if (!status && documents != 1)
        status = swq_fail(c->ctx, SWQ_EINVAL, "%.150s: a comparison is one document, not %d",
                          c->path, documents);
    if (!status)
        status = read_root(c, document[0], given);
    return status ? cli_booksim_hint(c->ctx, c->path, status) : make_room(c);
}

int cli_compare_fields(const cli_comparison *c)
{
    return c->sizes * c->scenarios;
}

size_t cli_compare_cell(const cli_comparison *c, int field, int contestant)
{
    return (size_t)field * (size_t)c->contest.contestants + (size_t)contestant;
}

char *cli_compare_reason(const cli_comparison *c, int field, int contestant)
{
    return c->reason + CLI_REASON * cli_compare_cell(c, field, contestant);
}

const char *cli_compare_size(const cli_comparison *c, int field, char text[40])
{
    *text = '\0';
    if (c->sized)
        snprintf(text, 40, " at %ld %s", c->size[field / c->scenarios],
                 c->by_area ? "cells of area" : "bytes an input");
    return text;
}

void cli_compare_clear(cli_comparison *c)
{
    swq_study_free(c->ctx, c->study);
    swq_arena_clear(c->ctx, &c->plan);
    swq_arena_clear(c->ctx, &c->arena);
    free(c->first_marks);
    free(c->text);
}
