/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Looking up option tables: their options, and which of them were given.
 */
#include "base/names.h"
#include "cli/options/parameter.h"
#include "switchq/formula.h"

#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

cli_options_walk cli_walk_options(const struct poptOption *table)
{
    return (cli_options_walk){.at = {table}, .stride = {sizeof *table}};
}

const struct poptOption *cli_next_option(cli_options_walk *w)
{
    w->heading = NULL;
    while (w->depth >= 0) {
        const struct poptOption *o = w->at[w->depth];
        w->at[w->depth] = (const void *)((const char *)o + w->stride[w->depth]);
        if (!o->longName && !o->shortName && !o->arg) {
            w->depth--;
        } else if ((o->argInfo & POPT_ARG_MASK) == POPT_ARG_INCLUDE_TABLE) {
            assert(w->depth + 1 < CLI_DEEPEST_TABLE);
            if (o->descrip)
                w->heading = o->descrip;
            const char *section = o->descrip ? o->descrip : w->section[w->depth];
            w->at[++w->depth] = o->arg;
            w->stride[w->depth] =
                o->val & CLI_IS_PARAMETER ? sizeof(cli_parameter) : sizeof(struct poptOption);
            w->section[w->depth] = section;
        } else if (o->longName) {
            return o;
        }
    }
    return NULL;
}

int cli_option_kind(const struct poptOption *o)
{
    return (int)(o->argInfo & POPT_ARG_MASK);
}

/* For every option type that the tables use. */
bool cli_is_given(const struct poptOption *o)
{
    switch (cli_option_kind(o)) {
    case POPT_ARG_STRING:
        return *(char **)o->arg != NULL;
    case POPT_ARG_ARGV:
        return *(char ***)o->arg != NULL;
    case POPT_ARG_NONE:
        return *(int *)o->arg != 0;
    default:
        return false;
    }
}

/* ---- the words of options that were forgotten ---- */

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER, tables = PTHREAD_MUTEX_INITIALIZER;
static char **held; /* words that are no option's any more; the lists of several too */
static size_t held_words, held_most;
static int holders;

void cli_begin_options(void)
{
    pthread_mutex_lock(&tables);
}

void cli_end_options(void)
{
    pthread_mutex_unlock(&tables);
}

void cli_hold_words(void)
{
    pthread_mutex_lock(&turn);
    holders++;
    pthread_mutex_unlock(&turn);
}

void cli_free_held_words(void)
{
    pthread_mutex_lock(&turn);
    if (--holders == 0) {
        while (held_words)
            free(held[--held_words]);
        free(held);
        held = NULL;
        held_most = 0;
    }
    pthread_mutex_unlock(&turn);
}

/* Frees a word, or keeps the word for as long as words are held. Without memory for the list of
 * held words, the word stays in memory for good. */
static void let_go(void *word)
{
    pthread_mutex_lock(&turn);
    if (holders && held_words == held_most) {
        char **grown = realloc(held, (2 * held_most + 64) * sizeof *grown);
        if (grown) {
            held = grown;
            held_most = 2 * held_most + 64;
        }
    }
    if (!holders)
        free(word);
    else if (held_words < held_most)
        held[held_words++] = word;
    pthread_mutex_unlock(&turn);
}

void cli_forget_options(const struct poptOption *table)
{
    cli_options_walk w = cli_walk_options(table);

    for (const struct poptOption *o; (o = cli_next_option(&w));) {
        if (!cli_is_given(o))
            continue;
        if (cli_option_kind(o) == POPT_ARG_NONE) {
            *(int *)o->arg = 0;
            continue;
        }
        for (char **word = cli_option_kind(o) == POPT_ARG_ARGV ? *(char ***)o->arg : NULL;
             word && *word; word++)
            let_go(*word);
        let_go(*(void **)o->arg);
        *(void **)o->arg = NULL;
    }
}

const struct poptOption *cli_option_named(const struct poptOption *table, const char *name,
                                          size_t length)
{
    cli_options_walk w = cli_walk_options(table);
    const struct poptOption *o;

    while ((o = cli_next_option(&w)) &&
           (strlen(o->longName) != length || strncmp(o->longName, name, length) != 0))
        ;
    return o;
}

static const struct poptOption *find_given(const struct poptOption *table, const char *name,
                                           const char *const *but)
{
    cli_options_walk w = cli_walk_options(table);
    const struct poptOption *o;

    while ((o = cli_next_option(&w))) {
        if (cli_is_given(o) && (!name || strcmp(name, o->longName) == 0) &&
            (!but || !swq_name_is_among(o->longName, but)))
            break;
    }
    return o;
}

const char *cli_given(const struct poptOption *table, const char *name)
{
    const struct poptOption *o = find_given(table, name, NULL);
    return o ? o->longName : NULL;
}

const char *cli_given_but(const struct poptOption *table, const char *const *names)
{
    const struct poptOption *o = find_given(table, NULL, names);
    return o ? o->longName : NULL;
}

const struct poptOption *cli_given_lacking(const struct poptOption *table, unsigned mark)
{
    cli_options_walk w = cli_walk_options(table);
    const struct poptOption *o;

    while ((o = cli_next_option(&w))) {
        const unsigned marks = (unsigned)o->val & ~(unsigned)CLI_IS_PARAMETER;
        if (marks && !(marks & mark) && cli_is_given(o))
            break;
    }
    return o;
}

const char *cli_text(const struct poptOption *table, const char *name)
{
    const struct poptOption *o = find_given(table, name, NULL);
    return o ? *(char **)o->arg : NULL;
}

const char *cli_nearest_option(const struct poptOption *table, const char *name,
                               bool (*counts)(void *arg, const struct poptOption *o), void *arg)
{
    cli_options_walk w = cli_walk_options(table);
    const char *best = NULL;
    int distance = INT_MAX;

    for (const struct poptOption *o; (o = cli_next_option(&w));) {
        const int d = swq_name_distance(o->longName, name);
        if (d < distance && (!counts || counts(arg, o))) {
            distance = d;
            best = o->longName;
        }
    }
    return distance <= (int)(strlen(name) + 2) / 3 ? best : NULL;
}

static bool has_parameter(const swq_formula *f, const char *name)
{
    for (int k = 0; k < f->parameters; k++) {
        if (strcmp(f->parameter[k].name, name) == 0)
            return true;
    }
    return false;
}

bool cli_option_applies(const cli_command *command, const char *argument,
                        const struct poptOption *option)
{
    bool parameter = false;

    if (strcmp(command->name, "formula") != 0 || !argument)
        return true;
    for (int f = 0; swq_formulas[f]; f++) {
        bool has = has_parameter(swq_formulas[f], option->longName);
        if (strcmp(swq_formulas[f]->name, argument) == 0 && has)
            return true;
        parameter = parameter || has;
    }
    return !parameter;
}
