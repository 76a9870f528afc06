/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The study that a comparison comes to: a block for each cell, over the seeds that all cells share.
 */
#include "base/context.h"
#include "base/names.h"
#include "cli/compare/compare.h"
#include "cli/options/plugins.h"
#include "cli/sweep/sweep.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool cli_compare_of_runs(const char *option)
{
    static const char *const runs[] = {
        "cycles",      "time",         "warmup",       "packets",         "ignore",
        "precision",   "seed",         "replications", "confidence",      "percentiles",
        "node-groups", "group-by",     "series",       "onset",           "starts",
        "saq-log",     "messages-out", "watch",        "find-saturation", "resolution",
        "per-node",    "per-link",     "histogram",    "measure",         NULL};

    return swq_name_is_among(option, runs);
}

static void put(swq_node *map, swq_node *key, swq_node *item)
{
    map->key[map->count] = key;
    map->item[map->count++] = item;
}

/* ---- memory ---- */

/* Bounds of a size on the way to its value: a further factor stays within 64 bits. */
static const long most_bytes = 1000000000000, most_factor = 1000000;

/* Evaluates a text such as "memory/2-32" from left to right, where "memory" stands for `bytes`.
 * *value is -1 if the result is no whole number above 0. False: the text has another form, or a
 * number is too large. */
static bool read_memory(const char *text, long bytes, long *value)
{
    static const char word[] = "memory";
    bool whole = true;

    if (strncmp(text, word, sizeof word - 1) != 0)
        return false;
    *value = bytes;
    for (text += sizeof word - 1; *text;) {
        const char what = *text++;
        char *end;
        const long by = strtol(text, &end, 10);
        if (!strchr("+-*/", what) || end == text || *text < '0' || *text > '9' ||
            by > most_factor || (what == '/' && by == 0))
            return false;
        whole = whole && (what != '/' || *value % by == 0);
        *value = what == '+'   ? *value + by
                 : what == '-' ? *value - by
                 : what == '*' ? *value * by
                               : *value / by;
        text = end;
        if (*value > most_bytes || *value < -most_bytes)
            return false;
    }
    if (!whole || *value < 1)
        *value = -1;
    return true;
}

/* Puts an option's value into a map, with "memory" in the value replaced by its bytes. */
static swq_status put_value(cli_comparison *c, swq_node *map, swq_node *key, swq_node *item,
                            long bytes, char *reason)
{
    long value = 0;
    char text[24];
    swq_node *made = item;

    if (c->sized && item->kind == SWQ_NODE_TEXT && item->plain &&
        read_memory(item->text, bytes, &value)) {
        if (value < 0)
            snprintf(reason, CLI_REASON, "%.40s: %.40s of %ld bytes is no whole number above 0",
                     key->text, item->text, bytes);
        snprintf(text, sizeof text, "%ld", value);
        made = cli_compare_text(c, &c->plan, item->line, text);
        if (!made)
            return swq_memory_status(c->ctx);
    }
    put(map, key, made);
    return SWQ_OK;
}

/* ---- a cell ---- */

/* Is the option's value the only one that a chain models, so that it can be left out? */
static bool goes_without_saying(const swq_node *set, const char *option, const char *value)
{
    const swq_node *flow = swq_node_at(set, "flow");
    const bool discards = !flow || (flow->kind == SWQ_NODE_TEXT && !strcmp(flow->text, "discard"));

    if (strcmp(option, "topology") == 0)
        return strcmp(value, "switch") == 0;
    if (strcmp(option, "sources") == 0)
        return discards || strcmp(value, "hold") == 0;
    return false;
}

/* Options that a chain or an approximation does not know and need not are taken out; others make
 * the cell blank. */
static void suit(const swq_study_language *language, const cli_by *by, swq_node *set, char *reason)
{
    const swq_node whole = *set;
    const char *nearest = NULL;
    int kept = 0;

    for (int k = 0; k < set->count; k++) {
        const char *option = set->key[k]->text;
        const char *value = set->item[k]->kind == SWQ_NODE_TEXT ? set->item[k]->text : "";
        const bool known =
            language->option(language->arg, by->command, option, &nearest) != SWQ_OPTION_UNKNOWN;
        const bool of_run = cli_compare_of_runs(option) || strcmp(option, "engine") == 0;
        if (!of_run && !known && !goes_without_saying(&whole, option, value) && !*reason)
            snprintf(reason, CLI_REASON, "by %s: switchq %s has no --%.40s", by->name, by->command,
                     option);
        if (known && !of_run) {
            set->key[kept] = set->key[k];
            set->item[kept++] = set->item[k];
        }
    }
    set->count = kept;
}

/* Is this key among the options of a contestant or a scenario an option? */
static bool is_option(const char *key)
{
    return strcmp(key, "measure") != 0 && strcmp(key, "by") != 0 && strcmp(key, "gain") != 0;
}

/* Put the options of `from` for any engine, and its options for the cell's engine, into `set`. own:
 * the options belong to a contestant or a scenario. */
static swq_status put_all(cli_comparison *c, swq_node *set, const swq_node *from, bool own,
                          const char *engine, long bytes, char *reason)
{
    swq_status status = SWQ_OK;

    for (int m = 0; from && m < from->count && !status; m++) {
        swq_node *item = from->item[m];
        const char *key = from->key[m]->text;
        const bool parted = cli_compare_is_engine(key) && item->kind == SWQ_NODE_MAP;
        for (int n = 0; parted && !strcmp(key, engine) && n < item->count && !status; n++)
            status = put_value(c, set, item->key[n], item->item[n], bytes, reason);
        if (!parted && !status && (!own || is_option(key)))
            status = put_value(c, set, from->key[m], item, bytes, reason);
    }
    return status;
}

static int count_all(const swq_node *from)
{
    int count = from ? from->count : 0;

    for (int m = 0; from && m < from->count; m++)
        count += from->item[m]->kind == SWQ_NODE_MAP ? from->item[m]->count : 0;
    return count;
}

/* Plug-ins of the command line are an option of all runs. */
static swq_status put_plugins(cli_comparison *c, swq_node *set, int line)
{
    char *files = cli_plugins_given(c->ctx);
    swq_node *key = NULL, *value = NULL;

    if (!files)
        return SWQ_OK;
    key = cli_compare_text(c, &c->plan, line, "plugin");
    value = cli_compare_text(c, &c->plan, line, files);
    swq_free(c->ctx, files);
    if (!key || !value)
        return swq_memory_status(c->ctx);
    put(set, key, value);
    return SWQ_OK;
}

static swq_status make_set(cli_comparison *c, int field, int k, swq_node **set, char *reason)
{
    const cli_option_set *scenario = &c->scenario[field % c->scenarios], *who = &c->contestant[k];
    const swq_node *own = who->options, *part[3] = {c->common, scenario->options, own};
    const char *engine = cli_compare_engine(c, field % c->scenarios, k);
    const long bytes = c->memory[field / c->scenarios][k];
    swq_status status = SWQ_OK;
    int room = 1;

    for (int p = 0; p < 3; p++)
        room += count_all(part[p]);
    *set = cli_compare_node(c, &c->plan, SWQ_NODE_MAP, own ? own->line : 0, room);
    if (!*set)
        return swq_memory_status(c->ctx);
    status = put_plugins(c, *set, own ? own->line : 0);
    for (int p = 0; p < 3 && !status; p++)
        status = put_all(c, *set, part[p], p > 0, engine, bytes, reason);
    return status;
}

static swq_status make_seeds(cli_comparison *c, int line, int repeats, swq_node **over)
{
    swq_node *name = cli_compare_text(c, &c->plan, line, "seed"),
             *seeds = cli_compare_node(c, &c->plan, SWQ_NODE_LIST, line, repeats);
    char number[24];

    *over = cli_compare_node(c, &c->plan, SWQ_NODE_MAP, line, 1);
    if (!name || !seeds || !*over)
        return swq_memory_status(c->ctx);
    for (int r = 0; r < repeats; r++) {
        snprintf(number, sizeof number, "%llu", (unsigned long long)c->seed + (unsigned)r);
        swq_node *seed = cli_compare_text(c, &c->plan, line, number);
        if (!seed)
            return swq_memory_status(c->ctx);
        seeds->item[seeds->count++] = seed;
    }
    put(*over, name, seeds);
    return SWQ_OK;
}

/* A block of the study, or a reason why there is none. */
static swq_status make_block(cli_comparison *c, const swq_study_language *language, size_t cell,
                             swq_node **block)
{
    const int field = (int)(cell / (size_t)c->contest.contestants);
    const int k = (int)(cell % (size_t)c->contest.contestants);
    const cli_by *by = c->contestant[k].by;
    const int line = c->contestant[k].options->line;
    const char *const word[3] = {"command", "set", "over"};
    char *reason = cli_compare_reason(c, field, k);
    swq_node *set, *over = NULL, *text[3],
                   *command = cli_compare_text(c, &c->plan, line, by->command);
    swq_status status = make_set(c, field, k, &set, reason);

    if (!status && by->known != SWQ_BY_SIMULATION)
        suit(language, by, set, reason);
    if (!status && by->known == SWQ_BY_SIMULATION)
        status = make_seeds(c, line, c->asked[cell], &over);
    *block = cli_compare_node(c, &c->plan, SWQ_NODE_MAP, line, 3);
    for (int n = 0; n < 3 && !status; n++) {
        text[n] = cli_compare_text(c, &c->plan, line, word[n]);
        if (!text[n] || !command || !*block)
            status = swq_memory_status(c->ctx);
    }
    if (status)
        return status;
    put(*block, text[0], command);
    put(*block, text[1], set);
    if (over)
        put(*block, text[2], over);
    return SWQ_OK;
}

/* ---- all of them ---- */

static swq_status keep_words(void *arg, const swq_point *point)
{
    cli_comparison *c = arg;

    c->words[c->points] = swq_arena_text(c->ctx, &c->plan, point->words, strlen(point->words));
    return c->words[c->points++] ? SWQ_OK : swq_memory_status(c->ctx);
}

static swq_status make_points(cli_comparison *c, size_t cells, int64_t points)
{
    swq_comparison *t = &c->contest;
    size_t expected = 0;

    t->repeats = 1;
    for (size_t cell = 0; cell < cells; cell++) {
        t->repeats = c->asked[cell] > t->repeats ? c->asked[cell] : t->repeats;
        c->first[cell] = expected;
        expected += (size_t)c->asked[cell];
    }
    if (points != (int64_t)expected)
        return swq_fail(c->ctx, SWQ_EINVAL,
                        "%.150s: the points are not one for each contestant, scenario and repeat",
                        c->path);
    c->words = swq_arena_take(c->ctx, &c->plan, expected, sizeof *c->words);
    c->cell = swq_arena_take(c->ctx, &c->plan, expected, sizeof *c->cell);
    c->value = swq_arena_take(c->ctx, &c->plan, cells * (size_t)t->repeats, sizeof *c->value);
    c->width = swq_arena_take(c->ctx, &c->plan, cells, sizeof *c->width);
    c->version = swq_arena_take(c->ctx, &c->plan, expected, sizeof *c->version);
    if (!c->words || !c->cell || !c->version || !c->value || !c->width)
        return swq_memory_status(c->ctx);
    t->value = c->value;
    t->width = c->width;
    for (size_t cell = 0; cell < cells; cell++) {
        for (int r = 0; r < c->asked[cell]; r++)
            c->cell[c->first[cell] + (size_t)r] = (int)cell;
    }
    return swq_study_points(c->ctx, c->study, keep_words, c);
}

swq_status cli_compare_plan(cli_comparison *c)
{
    const size_t cells = (size_t)cli_compare_fields(c) * (size_t)c->contest.contestants;
    swq_study_language language;
    int64_t points = 0;
    int blocks = 0;

    swq_study_free(c->ctx, c->study);
    c->study = NULL;
    swq_arena_clear(c->ctx, &c->plan);
    c->points = 0;
    cli_sweep_language(c->ctx, &language);
    swq_node **block = swq_arena_take(c->ctx, &c->plan, cells, sizeof(swq_node *));
    swq_status status = block ? SWQ_OK : swq_memory_status(c->ctx);
    for (size_t cell = 0; cell < cells && !status; cell++) {
        if (c->asked[cell] == 0)
            continue;
        status = make_block(c, &language, cell, &block[blocks]);
        if (*(c->reason + CLI_REASON * cell))
            c->asked[cell] = 0;
        blocks += c->asked[cell] > 0;
    }
    if (!status && blocks == 0) {
        assert(c->fitting); /* cli_compare_check_blanks has refused it else */
        return SWQ_OK;
    }
    if (!status)
        status = swq_study_make(c->ctx, c->path, block, blocks, &language, &c->study);
    if (!status)
        status = swq_study_count(c->ctx, c->study, &points);
    return status ? status : make_points(c, cells, points);
}
