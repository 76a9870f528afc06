/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The file of a comparison, and the study that it comes to: a block for each scenario, its cases
 * the contestants, all of them over the same seeds.
 * Room: cli.
 */
#include "base/context.h"
#include "base/names.h"
#include "cli/compare/compare.h"
#include "cli/options/parse.h"
#include "cli/sweep/sweep.h"

#include <stdlib.h>
#include <string.h>

static const cli_measure latency = {"latency", "mean latency of a packet, in cycles",
                                    "result.latency_cycles.mean", false};
static const cli_measure throughput = {"throughput", "throughput, a fraction of the links' rate",
                                       "result.throughput.mean", true};
static const cli_measure discards = {"discards", "fraction of packets that are lost",
                                     "result.discard_probability.mean", false};
const cli_measure *const cli_measures[] = {&latency, &throughput, &discards, NULL};

static const cli_equal memory = {"memory", "packet memory of a switch, all of it counted",
                                 "bytes an input", offsetof(swq_cost, packet_bytes)};
static const cli_equal wires = {"wires", "wires of a link", "wires a link",
                                offsetof(swq_cost, total) + SWQ_COST_WIRES * sizeof(double)};
static const cli_equal area = {"area", "weighed area of a switch (docs/cost.md)", "cells",
                               offsetof(swq_cost, area)};
static const cli_equal none = {"none", "nothing need be equal", "", SIZE_MAX};
const cli_equal *const cli_equals[] = {&memory, &wires, &area, &none, NULL};

static swq_status fail_at(const cli_comparison *c, int line, const char *what)
{
    return swq_fail(c->ctx, SWQ_EINVAL, "%.150s, line %d: %s", c->path, line, what);
}

/* A row of a table by its name in the file; *found stays if the file has none. */
static swq_status read_row(cli_comparison *c, const swq_node *root, const char *key,
                           const void *const *rows, const void **found)
{
    const swq_node *node = swq_node_at(root, key);
    char message[300];

    if (!node)
        return SWQ_OK;
    if (node->kind != SWQ_NODE_TEXT)
        return fail_at(c, node->line, "measure and equal are one word each");
    const void *row = swq_name_lookup(c->ctx, key, node->text, rows);
    *found = row ? row : *found;
    if (!row) {
        snprintf(message, sizeof message, "%s", swq_context_message(c->ctx));
        return fail_at(c, node->line, message);
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
    return fail_at(c, node->line, message);
}

/* contestants or scenarios: a map of names to maps of options. */
static swq_status read_sets(cli_comparison *c, const swq_node *root, const char *key, int least,
                            int most, cli_option_set *set, int *count)
{
    const swq_node *map = swq_node_at(root, key);
    char message[160];

    snprintf(message, sizeof message,
             "%s is a map of %d to %d names, each with a map of options behind it", key, least,
             most);
    if (!map || map->kind != SWQ_NODE_MAP || map->count < least || map->count > most)
        return fail_at(c, map ? map->line : root->line, message);
    for (int k = 0; k < map->count; k++) {
        if (map->item[k]->kind != SWQ_NODE_MAP || map->item[k]->count < 1)
            return fail_at(c, map->item[k]->line, message);
        set[k] = (cli_option_set){map->key[k]->text, map->item[k]};
    }
    *count = map->count;
    return SWQ_OK;
}

/* ---- the study ---- */

static swq_node *take_node(cli_comparison *c, swq_node_kind kind, int line, int room)
{
    swq_node *node = swq_arena_take(c->ctx, &c->arena, 1, sizeof *node);

    if (!node)
        return NULL;
    *node = (swq_node){.kind = kind, .line = line, .plain = true};
    node->item = swq_arena_take(c->ctx, &c->arena, (size_t)room + 1, sizeof(swq_node *));
    node->key = swq_arena_take(c->ctx, &c->arena, (size_t)room + 1, sizeof(swq_node *));
    return node->item && node->key ? node : NULL;
}

static swq_node *take_text(cli_comparison *c, int line, const char *text)
{
    swq_node *node = take_node(c, SWQ_NODE_TEXT, line, 0);

    if (node)
        node->text = swq_arena_text(c->ctx, &c->arena, text, strlen(text));
    return node && node->text ? node : NULL;
}

static void put(swq_node *map, swq_node *key, swq_node *item)
{
    map->key[map->count] = key;
    map->item[map->count++] = item;
}

/* The common options and a scenario's. */
static swq_status merge(cli_comparison *c, const cli_option_set *scenario, swq_node **merged)
{
    const swq_node *common = c->common, *own = scenario->options;
    const int shared = common ? common->count : 0;
    char message[160];

    *merged = take_node(c, SWQ_NODE_MAP, own->line, shared + own->count);
    if (!*merged)
        return swq_memory_status(c->ctx);
    for (int k = 0; k < shared; k++)
        put(*merged, common->key[k], common->item[k]);
    for (int k = 0; k < own->count; k++) {
        snprintf(message, sizeof message, "%.60s is in set, too", own->key[k]->text);
        if (common && swq_node_at(common, own->key[k]->text))
            return fail_at(c, own->key[k]->line, message);
        put(*merged, own->key[k], own->item[k]);
    }
    return SWQ_OK;
}

static swq_status add_block(cli_comparison *c, const cli_option_set *scenario, swq_node *cases,
                            swq_node *over, swq_node **block)
{
    const int line = scenario->options->line;
    swq_node *set = NULL, *text[5];
    static const char *const word[5] = {"command", "sim", "set", "cases", "over"};
    swq_status status = merge(c, scenario, &set);

    *block = take_node(c, SWQ_NODE_MAP, line, 4);
    for (int k = 0; k < 5 && !status; k++) {
        text[k] = take_text(c, line, word[k]);
        if (!text[k] || !*block)
            status = swq_memory_status(c->ctx);
    }
    if (status)
        return status;
    put(*block, text[0], text[1]);
    put(*block, text[2], set);
    put(*block, text[3], cases);
    put(*block, text[4], over);
    return SWQ_OK;
}

static swq_status make_study(cli_comparison *c, int line)
{
    swq_study_language language;
    const swq_comparison *t = &c->contest;
    swq_node *cases = take_node(c, SWQ_NODE_LIST, line, t->contestants);
    swq_node *over = take_node(c, SWQ_NODE_MAP, line, 1);
    swq_node *seeds = take_node(c, SWQ_NODE_LIST, line, t->repeats), *block[SWQ_SCENARIOS];
    swq_node *name = take_text(c, line, "seed");
    swq_status status = SWQ_OK;
    char number[24];

    if (!cases || !over || !seeds || !name)
        return swq_memory_status(c->ctx);
    for (int k = 0; k < t->contestants; k++) {
        swq_node *mine = take_node(c, SWQ_NODE_MAP, line, c->contestant[k].options->count);
        if (!mine)
            return swq_memory_status(c->ctx);
        *mine = *c->contestant[k].options;
        cases->item[cases->count++] = mine;
    }
    for (int r = 0; r < t->repeats; r++) {
        snprintf(number, sizeof number, "%llu", (unsigned long long)c->seed + (unsigned)r);
        swq_node *seed = take_text(c, line, number);
        if (!seed)
            return swq_memory_status(c->ctx);
        seeds->item[seeds->count++] = seed;
    }
    put(over, name, seeds);
    for (int s = 0; s < t->scenarios && !status; s++)
        status = add_block(c, &c->scenario[s], cases, over, &block[s]);
    cli_sweep_language(c->ctx, &language);
    return status ? status
                  : swq_study_make(c->ctx, c->path, block, t->scenarios, &language, &c->study);
}

static swq_status read_root(cli_comparison *c, const swq_node *root)
{
    static const char *const keys = "set contestants scenarios repeats seed measure equal";
    const void *measure = &latency, *equal = &memory;
    long repeats = 8, seed = 1;
    swq_status status = SWQ_OK;

    if (root->kind != SWQ_NODE_MAP)
        return fail_at(c, root->line, "a comparison is a map with contestants and scenarios");
    for (int k = 0; k < root->count; k++) {
        char message[160];
        const char *name = root->key[k]->text, *at = strstr(keys, name);
        const size_t length = strlen(name);
        snprintf(message, sizeof message, "unknown key '%.40s'; known: %s", name, keys);
        if (!length || !at || (at != keys && at[-1] != ' ') || (at[length] && at[length] != ' '))
            return fail_at(c, root->key[k]->line, message);
    }
    c->common = swq_node_at(root, "set");
    if (c->common && c->common->kind != SWQ_NODE_MAP)
        return fail_at(c, c->common->line, "set is a map of options that all points share");
    status = read_sets(c, root, "contestants", 2, SWQ_CONTESTANTS, c->contestant,
                       &c->contest.contestants);
    if (!status)
        status =
            read_sets(c, root, "scenarios", 1, SWQ_SCENARIOS, c->scenario, &c->contest.scenarios);
    if (!status)
        status = read_number(c, root, "repeats", 2, SWQ_CONTEST_REPEATS, &repeats);
    if (!status)
        status = read_number(c, root, "seed", 0, 1000000000, &seed);
    if (!status)
        status = read_row(c, root, "measure", (const void *const *)cli_measures, &measure);
    if (!status)
        status = read_row(c, root, "equal", (const void *const *)cli_equals, &equal);
    c->measure = measure;
    c->equal = equal;
    c->seed = (uint64_t)seed;
    c->file_repeats = (int)repeats;
    c->contest.repeats =
        c->quick && repeats > 3 ? (repeats < 12 ? 3 : (int)repeats / 4) : (int)repeats;
    c->contest.more_is_better = c->measure->more_is_better;
    c->contest.confidence = 0.95;
    return status;
}

static swq_status keep_words(void *arg, const swq_point *point)
{
    cli_comparison *c = arg;
    const size_t length = strlen(point->words);

    c->words[c->points] = swq_arena_text(c->ctx, &c->arena, point->words, length);
    return c->words[c->points++] ? SWQ_OK : swq_memory_status(c->ctx);
}

swq_status cli_compare_read(cli_comparison *c)
{
    swq_node **document = NULL;
    int documents = 0;
    int64_t points = 0;
    swq_comparison *t = &c->contest;
    swq_status status = cli_read_file(c->ctx, c->path, 1, &c->text);

    if (!status)
        status = swq_yaml_read(c->ctx, c->path, c->text, strlen(c->text), &c->arena, &document,
                               &documents);
    if (!status && documents != 1)
        status = swq_fail(c->ctx, SWQ_EINVAL, "%.150s: a comparison is one document, not %d",
                          c->path, documents);
    if (!status)
        status = read_root(c, document[0]);
    if (!status)
        status = make_study(c, document[0]->line);
    if (!status)
        status = swq_study_count(c->ctx, c->study, &points);
    if (status)
        return status;
    const size_t cells = (size_t)t->scenarios * (size_t)t->contestants;
    if (points != (int64_t)cells * t->repeats)
        return swq_fail(c->ctx, SWQ_EINVAL,
                        "%.150s: the points are not one for each contestant, "
                        "scenario and repeat",
                        c->path);
    c->words = swq_arena_take(c->ctx, &c->arena, (size_t)points, sizeof *c->words);
    c->value = swq_arena_take(c->ctx, &c->arena, (size_t)points, sizeof *c->value);
    c->reason = swq_arena_take(c->ctx, &c->arena, cells, CLI_REASON);
    t->standing = swq_arena_take(c->ctx, &c->arena, cells, sizeof *t->standing);
    t->value = c->value;
    if (!c->words || !c->value || !c->reason || !t->standing)
        return swq_memory_status(c->ctx);
    return swq_study_points(c->ctx, c->study, keep_words, c);
}

char *cli_compare_reason(cli_comparison *c, int scenario, int contestant)
{
    return c->reason +
           CLI_REASON * ((size_t)scenario * (size_t)c->contest.contestants + (size_t)contestant);
}

void cli_compare_clear(cli_comparison *c)
{
    swq_study_free(c->ctx, c->study);
    swq_arena_clear(c->ctx, &c->arena);
    free(c->text);
}
