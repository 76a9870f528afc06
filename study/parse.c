/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A study's file: documents, or lists of them, each a block of a command with options.
 */
#include "base/context.h"
#include "study/plan.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BLOCKS = 1000, MOST_BYTES = 16 << 20 };

static bool is_one_of(const char *word, const char *const *words)
{
    while (*words && strcmp(*words, word) != 0)
        words++;
    return *words != NULL;
}

/* ---- keys of points that are not options ---- */

static swq_status text_of(const swq_plan_reader *r, const swq_node *node, const char *key)
{
    if (node->kind == SWQ_NODE_TEXT && *node->text)
        return SWQ_OK;
    return swq_plan_fail(r, node->line, "%s is one word", key);
}

static swq_status whole_number(const swq_plan_reader *r, const swq_node *map, const char *key,
                               uint64_t least, uint64_t most, uint64_t *value)
{
    const swq_node *node = swq_node_at(map, key);

    if (!node)
        return SWQ_OK;
    const char *text = node->kind == SWQ_NODE_TEXT ? node->text : "";
    const bool digits = *text && strspn(text, "0123456789") == strlen(text) && strlen(text) < 20;
    const uint64_t number = digits ? strtoull(text, NULL, 10) : 0;
    if (!digits || number < least || number > most)
        return swq_plan_fail(r, node->line,
                             "%s must be a whole number from %llu to %llu, not '%.60s'", key,
                             (unsigned long long)least, (unsigned long long)most,
                             node->kind == SWQ_NODE_TEXT ? text : "a list");
    *value = number;
    return SWQ_OK;
}

/* A file for a single command line: only that command, with its argument where a formula's name
 * would be. */
static swq_status check_single(const swq_plan_reader *r, int line, const char *command,
                               const swq_node *argument)
{
    const char *known = r->language->commands[0];

    if (!r->language->single || strcmp(command, known) == 0)
        return argument ? text_of(r, argument, "argument") : SWQ_OK;
    return swq_plan_fail(r, line, "command: the file is for '%.40s', not for '%s'", command, known);
}

static swq_status read_command(const swq_plan_reader *r, const swq_node *map)
{
    const swq_node *command = swq_node_at(map, "command"), *formula = swq_node_at(map, "formula");
    const swq_node *argument = r->language->single ? swq_node_at(map, "argument") : NULL;
    const swq_node *first = command ? command : formula;
    const char *const *known = r->language->commands;
    swq_block *block = r->block;
    char all[120];
    swq_status status = command ? text_of(r, command, "command") : SWQ_OK;

    swq_plan_join(known, all, sizeof all);
    if (!status && formula)
        status = text_of(r, formula, "formula");
    if (!status && !first)
        status = swq_plan_fail(r, map->line, "command is missing; known: %s", all);
    if (status)
        return status;
    assert(first);
    block->command = command ? command->text : "formula";
    status = check_single(r, first->line, block->command, argument);
    if (status)
        return status;
    while (*known && strcmp(*known, block->command) != 0)
        known++;
    if (!*known) {
        const char *best = swq_plan_nearest(block->command, r->language->commands);
        return swq_plan_fail(r, first->line, "command '%.40s' cannot be studied%s%s%s; known: %s",
                             block->command, best ? "; did you mean '" : "", best ? best : "",
                             best ? "'?" : "", all);
    }
    if (!formula && !r->language->single && strcmp(block->command, "formula") == 0)
        return swq_plan_fail(
            r, first->line,
            "command formula needs one: formula: NAME; 'switchq formula' lists them");
    if (formula && strcmp(block->command, "formula") != 0)
        return swq_plan_fail(r, formula->line,
                             "formula names one for the command formula, not for %s",
                             block->command);
    if (formula && r->language->formula(r->language->arg, r->ctx, formula->text)) {
        char why[480];
        snprintf(why, sizeof why, "%s", swq_context_message(r->ctx));
        return swq_plan_fail(r, formula->line, "%s", why);
    }
    formula = formula ? formula : argument;
    block->formula = formula ? formula->text : NULL;
    const size_t room = strlen(block->command) + (formula ? strlen(formula->text) : 0) + 2;
    block->full = swq_arena_take(r->ctx, r->arena, room, 1);
    if (!block->full)
        return swq_memory_status(r->ctx);
    snprintf(block->full, room, "%s%s%s", block->command, formula ? " " : "",
             formula ? formula->text : "");
    return SWQ_OK;
}

/* The base consists of `set` and, if there is one, `precision`. */
static swq_status read_base(const swq_plan_reader *r, const swq_node *map)
{
    const swq_node *set = swq_node_at(map, "set"), *precision = swq_node_at(map, "precision");
    swq_choice *base = &r->block->base;
    swq_setting *more;
    swq_status status = set ? swq_plan_choice(r, set, "set", base) : SWQ_OK;

    if (status || !precision)
        return status;
    const swq_node key = {.kind = SWQ_NODE_TEXT, .line = precision->line, .text = "precision"};
    if (set && swq_node_at(set, "precision"))
        return swq_plan_fail(r, precision->line, "precision is given twice, also in set");
    more = swq_arena_take(r->ctx, r->arena, (size_t)base->count + 1, sizeof *more);
    if (!more)
        return swq_memory_status(r->ctx);
    if (base->count)
        memcpy(more, base->setting, (size_t)base->count * sizeof *more);
    base->setting = more;
    status = swq_plan_value(r, &key, precision, &more[base->count]);
    more[base->count++].option = "precision"; /* the text outlives the key */
    return status;
}

static bool sets(const swq_choice *choice, const char *option)
{
    for (int s = 0; s < choice->count; s++) {
        if (strcmp(choice->setting[s].option, option) == 0)
            return true;
    }
    return false;
}

static bool seed_is_set(const swq_block *block)
{
    bool set = sets(&block->base, "seed");

    for (int a = 0; a < block->axes; a++) {
        for (int c = 0; c < block->axis[a].count && !set; c++)
            set = sets(&block->axis[a].choice[c], "seed");
    }
    return set;
}

/* Points with random numbers get seeds, unless the study sets the seed as an option. */
static swq_status read_seeds(const swq_plan_reader *r, const swq_node *map)
{
    const bool draws = strcmp(r->block->command, "sim") == 0, given = seed_is_set(r->block);
    const swq_node *odd = swq_node_at(map, "repeats");
    uint64_t repeats = 1, seed = 1;
    swq_status status = whole_number(r, map, "repeats", 1, SWQ_PLAN_REPEATS, &repeats);

    if (!odd)
        odd = swq_node_at(map, "seed");
    if (!status)
        status = whole_number(r, map, "seed", 0, UINT64_C(9200000000000000000), &seed);
    if (!status && odd && !draws)
        status = swq_plan_fail(r, odd->line, "repeats and seed are for sim: %s draws no numbers",
                               r->block->command);
    if (!status && odd && given)
        status = swq_plan_fail(
            r, odd->line,
            "repeats and seed give every point a seed of its own; the option seed is one already");
    r->block->repeats = (int)repeats;
    r->block->seed = seed;
    r->block->seeds = draws && !given;
    return status;
}

/* ---- blocks ---- */

static swq_status read_block(swq_plan_reader *r, const swq_node *map)
{
    static const char *const keys[] = {"command", "formula", "set",  "over",      "zip", "cases",
                                       "without", "repeats", "seed", "precision", NULL};
    static const char *const single[] = {"command",   "formula", "argument",
                                         "precision", "set",     NULL};
    const swq_node *without;
    swq_status status = SWQ_OK;

    if (map->kind != SWQ_NODE_MAP)
        return swq_plan_fail(
            r, map->line, "a study is a map (command: solve, over: ...), or a list of such maps");
    for (int k = 0; r->language->single && k < map->count && !status; k++) {
        if (is_one_of(map->key[k]->text, keys) && !is_one_of(map->key[k]->text, single))
            status = swq_plan_fail(r, map->key[k]->line,
                                   "%s is for 'switchq sweep', which runs several points; this is "
                                   "to be one, with its options in set",
                                   map->key[k]->text);
    }
    if (!status)
        status = swq_plan_keys(r, map, r->language->single ? "a command line" : "a study",
                               r->language->single ? single : keys);
    if (!status)
        status = read_command(r, map);
    if (!status)
        status = read_base(r, map);
    if (!status)
        status = swq_plan_axes(r, swq_node_at(map, "cases"), swq_node_at(map, "zip"),
                               swq_node_at(map, "over"));
    if (!status)
        status = read_seeds(r, map);
    without = swq_node_at(map, "without");
    return status || !without ? status : swq_plan_without(r, without);
}

static swq_status add_block(swq_plan_reader *r, swq_study *study, const swq_node *map)
{
    if (study->blocks == 1 && r->language->single)
        return swq_plan_fail(r, map->line, "a second block: the file is to be one command line");
    if (study->blocks == study->room)
        return swq_plan_fail(r, map->line, "more than %d blocks", study->room);
    r->tally->options = 0;
    r->block = swq_arena_take(r->ctx, r->arena, 1, sizeof *r->block);
    if (!r->block)
        return swq_memory_status(r->ctx);
    study->block[study->blocks++] = r->block;
    return read_block(r, map);
}

static swq_status read_documents(swq_plan_reader *r, swq_study *study, swq_node *const *document,
                                 int documents)
{
    swq_status status = SWQ_OK;

    /* a program may construct more */
    study->room = documents > MOST_BLOCKS ? documents : MOST_BLOCKS;
    study->block = swq_arena_take(r->ctx, r->arena, (size_t)study->room, sizeof(swq_block *));
    if (!study->block)
        return swq_memory_status(r->ctx);
    for (int d = 0; d < documents && !status; d++) {
        const swq_node *root = document[d];
        if (root->kind != SWQ_NODE_LIST)
            status = add_block(r, study, root);
        for (int k = 0; root->kind == SWQ_NODE_LIST && k < root->count && !status; k++)
            status = add_block(r, study, root->item[k]);
    }
    if (!status && study->blocks == 0)
        status = swq_fail(r->ctx, SWQ_EINVAL, "%.150s: an empty study", r->path);
    return status;
}

/* Makes a study from text, or from documents that have been read already. */
static swq_status make(swq_context *ctx, const char *path, const char *text, size_t size,
                       swq_node **document, int documents, const swq_study_language *language,
                       swq_study **study)
{
    swq_study *made = swq_calloc(ctx, 1, sizeof *made);
    int64_t points = 0;

    if (!made)
        return swq_memory_status(ctx);
    swq_plan_tally tally = {0};
    swq_plan_reader r = {
        .ctx = ctx, .path = path, .language = language, .arena = &made->arena, .tally = &tally};
    made->path = swq_arena_text(ctx, &made->arena, path, strlen(path));
    swq_status status = made->path ? SWQ_OK : swq_memory_status(ctx);
    if (!status && text)
        status = swq_yaml_read(ctx, path, text, size, &made->arena, &document, &documents);
    if (!status)
        status = read_documents(&r, made, document, documents);
    if (!status)
        status = swq_study_count(ctx, made, &points);
    if (!status && points == 0)
        status = swq_fail(ctx, SWQ_EINVAL, "%.150s: nothing is left by 'without'", path);
    if (status)
        swq_study_free(ctx, made);
    else
        *study = made;
    return status;
}

swq_status swq_study_parse(swq_context *ctx, const char *path, const char *text, size_t size,
                           const swq_study_language *language, swq_study **study)
{
    return make(ctx, path, text, size, NULL, 0, language, study);
}

swq_status swq_study_make(swq_context *ctx, const char *path, swq_node **document, int documents,
                          const swq_study_language *language, swq_study **study)
{
    return make(ctx, path, NULL, 0, document, documents, language, study);
}

static swq_status read_whole(swq_context *ctx, const char *path, FILE *file, char **text,
                             size_t *size)
{
    size_t room = 0, got = 1;

    *text = NULL;
    for (*size = 0; got > 0; *size += got) {
        if (*size == room) {
            room = room ? 4 * room : 16 << 10;
            char *grown = room > MOST_BYTES ? NULL : swq_resize(ctx, *text, room, 1);
            if (room > MOST_BYTES)
                return swq_fail(ctx, SWQ_EINVAL, "'%.150s' is longer than the %d MB of a study",
                                path, MOST_BYTES >> 20);
            if (!grown)
                return swq_memory_status(ctx);
            *text = grown;
        }
        got = fread(*text + *size, 1, room - *size, file);
        if (swq_context_cancelled(ctx)) /* also if it interrupted a wait for input */
            return swq_fail(ctx, SWQ_ECANCELLED, "interrupted while reading '%.150s'", path);
    }
    if (ferror(file))
        return swq_fail(ctx, SWQ_EIO, "cannot read '%.200s': %s", path, strerror(errno));
    return SWQ_OK;
}

swq_status swq_study_read(swq_context *ctx, const char *path, const swq_study_language *language,
                          swq_study **study)
{
    const bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "r");
    char *text;
    size_t size;

    if (!file)
        return swq_fail(ctx, SWQ_EIO, "cannot read '%.200s': %s", path, strerror(errno));
    const char *name = standard ? "standard input" : path;
    swq_status status = read_whole(ctx, name, file, &text, &size);
    if (!standard)
        fclose(file);
    if (!status)
        status = swq_study_parse(ctx, name, text, size, language, study);
    swq_free(ctx, text);
    return status;
}

void swq_study_free(swq_context *ctx, swq_study *study)
{
    if (!study)
        return;
    swq_arena_clear(ctx, &study->arena);
    swq_free(ctx, study);
}
