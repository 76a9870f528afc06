/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The contestants and scenarios of a comparison: reads them, keeps the ones that the command line
 * names, and finds the options of each for an engine.
 */
#include "base/context.h"
#include "base/names.h"
#include "cli/compare/compare.h"
#include "cli/print/append.h"

#include <stdlib.h>
#include <string.h>

swq_status cli_compare_fail(const cli_comparison *c, int line, const char *what)
{
    return swq_fail(c->ctx, SWQ_EINVAL, "%.150s, line %d: %s", c->path, line, what);
}

/* ---- options of one engine ---- */

bool cli_compare_is_engine(const char *key)
{
    return strcmp(key, "sync") == 0 || strcmp(key, "async") == 0;
}

static const char *text_at(const swq_node *map, const char *key)
{
    const swq_node *node = map ? swq_node_at(map, key) : NULL;

    return node && node->kind == SWQ_NODE_TEXT ? node->text : NULL;
}

const char *cli_compare_engine(const cli_comparison *c, int scenario, int contestant)
{
    const char *own = text_at(c->contestant[contestant].options, "engine");
    const char *there = text_at(c->scenario[scenario].options, "engine");
    const char *common = text_at(c->common, "engine");

    return own ? own : there ? there : common ? common : "sync";
}

/* Does a map have an option, for any engine? */
static bool is_in(const swq_node *map, const char *key)
{
    bool found = map && swq_node_at(map, key);

    for (int k = 0; map && k < map->count; k++)
        found = found || (cli_compare_is_engine(map->key[k]->text) &&
                          map->item[k]->kind == SWQ_NODE_MAP && swq_node_at(map->item[k], key));
    return found;
}

/* Does a map have an option for one engine (NULL: for any)? */
static bool is_in_for(const swq_node *map, const char *key, const char *engine)
{
    const swq_node *part = engine && map ? swq_node_at(map, engine) : NULL;

    if (!engine)
        return is_in(map, key);
    return (map && swq_node_at(map, key)) || (part && swq_node_at(part, key));
}

static swq_status check_key(const cli_comparison *c, const swq_node *key, const char *engine,
                            const swq_node *other, const char *who)
{
    char message[200];

    if (!is_in_for(other, key->text, engine))
        return SWQ_OK;
    snprintf(message, sizeof message, "%.60s is also in %.60s", key->text, who);
    return cli_compare_fail(c, key->line, message);
}

/* An option may be given only once, since it is unclear which of two values would apply. */
static swq_status check_against(const cli_comparison *c, const swq_node *own, const swq_node *other,
                                const char *who)
{
    swq_status status = SWQ_OK;

    for (int k = 0; k < own->count && !status; k++) {
        const char *name = own->key[k]->text;
        const swq_node *part = own->item[k];
        if (!cli_compare_is_engine(name) || part->kind != SWQ_NODE_MAP)
            status = check_key(c, own->key[k], NULL, other, who);
        for (int m = 0; cli_compare_is_engine(name) && m < part->count && !status; m++) {
            if (part->kind == SWQ_NODE_MAP)
                status = check_key(c, part->key[m], name, other, who);
        }
    }
    return status;
}

/* sync and async are keys of maps of options, none of which the surrounding map has as well. */
static swq_status check_engines(const cli_comparison *c, const swq_node *map)
{
    char message[200];

    for (int k = 0; map && k < map->count; k++) {
        const swq_node *part = map->item[k];
        if (!cli_compare_is_engine(map->key[k]->text))
            continue;
        snprintf(message, sizeof message, "%s is a map of options for that engine alone",
                 map->key[k]->text);
        if (part->kind != SWQ_NODE_MAP || part->count < 1)
            return cli_compare_fail(c, part->line, message);
        for (int m = 0; m < part->count; m++) {
            snprintf(message, sizeof message, "%.60s is also outside of %s", part->key[m]->text,
                     map->key[k]->text);
            if (swq_node_at(map, part->key[m]->text))
                return cli_compare_fail(c, part->key[m]->line, message);
            snprintf(message, sizeof message, "engine belongs outside of %s", map->key[k]->text);
            if (strcmp(part->key[m]->text, "engine") == 0)
                return cli_compare_fail(c, part->key[m]->line, message);
        }
    }
    return SWQ_OK;
}

/* Loads and throughputs are fractions of a link's rate, so all links must have the same rate. */
static swq_status check_widths(const cli_comparison *c)
{
    const char *first = NULL;

    for (int m = 0; m < c->contest.contestants; m++) {
        const swq_node *own = c->contestant[m].options, *part = swq_node_at(own, "async");
        const char *flit = text_at(own, "flit");
        if (!flit && part && part->kind == SWQ_NODE_MAP)
            flit = text_at(part, "flit");
        flit = flit ? flit : "1";
        first = first ? first : flit;
        if (strcmp(flit, first) != 0)
            return cli_compare_fail(c, own->line,
                                    "flit must be the same for all contestants, because loads and "
                                    "throughputs are fractions of the rate of a link");
    }
    return SWQ_OK;
}

swq_status cli_compare_check_sets(cli_comparison *c)
{
    char who[100];
    swq_status status = check_engines(c, c->common);

    for (int s = 0; s < c->scenarios && !status; s++) {
        status = check_engines(c, c->scenario[s].options);
        if (!status)
            status = check_against(c, c->scenario[s].options, c->common, "set");
    }
    for (int m = 0; m < c->contest.contestants && !status; m++) {
        const swq_node *own = c->contestant[m].options;
        status = check_engines(c, own);
        if (!status)
            status = check_against(c, own, c->common, "set");
        for (int s = 0; s < c->scenarios && !status; s++) {
            snprintf(who, sizeof who, "the scenario %.40s", c->scenario[s].name);
            status = check_against(c, own, c->scenario[s].options, who);
        }
    }
    return status ? status : check_widths(c);
}

/* ---- contestants and scenarios of the file ---- */

swq_status cli_compare_read_sets(cli_comparison *c, const swq_node *root, const char *key,
                                 int least, int most, cli_option_set *set, int *count)
{
    const swq_node *map = swq_node_at(root, key);
    char message[160];

    snprintf(message, sizeof message, "%s is a map of %d to %d names, each with a map of options",
             key, least, most);
    if (!map || map->kind != SWQ_NODE_MAP || map->count < least || map->count > most)
        return cli_compare_fail(c, map ? map->line : root->line, message);
    for (int k = 0; k < map->count; k++) {
        if (map->item[k]->kind != SWQ_NODE_MAP || map->item[k]->count < 1)
            return cli_compare_fail(c, map->item[k]->line, message);
        set[k] = (cli_option_set){.name = map->key[k]->text, .options = map->item[k]};
    }
    *count = map->count;
    return SWQ_OK;
}

/* The number of the longest name that the list begins with, up to a comma or its end; -1: none.
 * Names may contain commas. */
static int name_at(const cli_option_set *set, int count, const char *list)
{
    size_t longest = 0;
    int found = -1;

    for (int k = 0; k < count; k++) {
        const size_t length = strlen(set[k].name);
        const bool same = strncmp(set[k].name, list, length) == 0;
        if (same && (list[length] == ',' || !list[length]) && length > longest) {
            longest = length;
            found = k;
        }
    }
    return found;
}

static swq_status refuse_name(const cli_comparison *c, const char *option,
                              const cli_option_set *set, int count, const char *list)
{
    const int length = (int)strcspn(list, ",");
    char known[400] = "";
    int best = -1, distance = length < 8 ? length / 2 + 1 : 5;

    for (int k = 0; k < count; k++) {
        char name[60];
        snprintf(name, sizeof name, "%.*s", length, list);
        const int d = swq_name_distance(set[k].name, name);
        best = d < distance ? k : best;
        distance = d < distance ? d : distance;
        cli_append(known, sizeof known, "%s%s", k ? ", " : "", set[k].name);
    }
    return swq_fail(c->ctx, SWQ_EINVAL, "--%s: %.100s has no '%.*s'; %s %s%s", option, c->path,
                    length < 60 ? length : 60, list, best < 0 ? "it has" : "did you mean",
                    best < 0 ? known : set[best].name, best < 0 ? "" : "?");
}

swq_status cli_compare_choose(cli_comparison *c, const char *option, const char *list, int least,
                              cli_option_set *set, int *count)
{
    bool chosen[SWQ_CONTESTANTS + CLI_SCENARIOS] = {false}; /* whichever it is */
    int kept = 0;

    for (const char *at = list; at;) {
        while (*at == ' ')
            at++;
        const int k = name_at(set, *count, at);
        if (k < 0)
            return refuse_name(c, option, set, *count, at);
        chosen[k] = true;
        at += strlen(set[k].name);
        at = *at ? at + 1 : NULL;
    }
    for (int k = 0; k < *count; k++) {
        if (chosen[k])
            set[kept++] = set[k];
    }
    if (kept < least)
        return swq_fail(c->ctx, SWQ_EINVAL, "--%s must name at least %d, not '%.100s'", option,
                        least, list);
    *count = kept;
    return SWQ_OK;
}

/* ---- scenarios that the program has ---- */

swq_node *cli_compare_node(const cli_comparison *c, swq_arena *arena, swq_node_kind kind, int line,
                           int room)
{
    swq_node *node = swq_arena_take(c->ctx, arena, 1, sizeof *node);

    if (!node)
        return NULL;
    *node = (swq_node){.kind = kind, .line = line, .plain = true};
    node->item = swq_arena_take(c->ctx, arena, (size_t)room + 1, sizeof(swq_node *));
    node->key = swq_arena_take(c->ctx, arena, (size_t)room + 1, sizeof(swq_node *));
    return node->item && node->key ? node : NULL;
}

swq_node *cli_compare_text(const cli_comparison *c, swq_arena *arena, int line, const char *text)
{
    swq_node *node = cli_compare_node(c, arena, SWQ_NODE_TEXT, line, 0);

    if (node)
        node->text = swq_arena_text(c->ctx, arena, text, strlen(text));
    return node && node->text ? node : NULL;
}

/* Makes the six congestion benchmarks the scenarios of a comparison. They run at full load unless
 * the file's `set` has another load. */
swq_status cli_compare_take_benchmarks(cli_comparison *c, const cli_measure *measure)
{
    static const char *const name[] = {"I", "II", "III", "IV", "V", "VI"};
    static const char *const title[] = {"benchmark I",  "benchmark II", "benchmark III",
                                        "benchmark IV", "benchmark V",  "benchmark VI"};
    const bool loaded = is_in(c->common, "load"), engine = is_in(c->common, "engine");

    c->scenarios = (int)(sizeof name / sizeof *name);
    for (int s = 0; s < c->scenarios; s++) {
        const char *const word[3][2] = {{"benchmark", name[s]}, {"load", "1"}, {"engine", "async"}};
        const bool wanted[3] = {true, !loaded, !engine};
        swq_node *map = cli_compare_node(c, &c->arena, SWQ_NODE_MAP, 1, 3);
        for (int k = 0; map && k < 3; k++) {
            swq_node *key = cli_compare_text(c, &c->arena, 1, word[k][0]);
            swq_node *item = cli_compare_text(c, &c->arena, 1, word[k][1]);
            if (!key || !item)
                return swq_memory_status(c->ctx);
            if (!wanted[k])
                continue;
            map->key[map->count] = key;
            map->item[map->count++] = item;
        }
        if (!map)
            return swq_memory_status(c->ctx);
        c->scenario[s] = (cli_option_set){.name = title[s], .options = map, .measure = measure};
    }
    return SWQ_OK;
}
