/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Abbreviated long options: --buf is --buffer if no other option begins with it. popt knows only
 * exact names, so this file completes the words that popt does not know, and hands them back to
 * popt in full.
 */
#include "base/context.h"
#include "cli/options/arguments.h"
#include "cli/print/append.h"

#include <stdlib.h>
#include <string.h>

/* The result of a search through a command's table: the option with the very name, or all options
 * that begin with it. */
typedef struct {
    const cli_command *command;
    const char *argument; /* the name of a formula, of which only parameters count; NULL: all
                             options count */
    const char *begin;
    size_t length;
    const struct poptOption *exact, *begins;
    int count;
    char names[160]; /* names of the options that begin with the abbreviation */
} search;

static void look(search *s, const struct poptOption *table)
{
    cli_options_walk w = cli_walk_options(table);

    for (const struct poptOption *o; (o = cli_next_option(&w));) {
        if (strncmp(o->longName, s->begin, s->length) != 0)
            continue;
        if (!o->longName[s->length]) {
            s->exact = o;
        } else if (cli_option_applies(s->command, s->argument, o)) {
            cli_append(s->names, sizeof s->names, "%s--%s", *s->names ? ", " : "", o->longName);
            s->begins = o;
            s->count++;
        }
    }
}

static bool takes_value(const struct poptOption *o)
{
    return cli_option_kind(o) != POPT_ARG_NONE;
}

/* Is the word after "-abc" the value of its last letter? */
static bool letters_want_next(const struct poptOption *table, const char *letters)
{
    bool wanted = false;

    for (; *letters && !wanted; letters++) {
        cli_options_walk w = cli_walk_options(table);
        const struct poptOption *o = cli_next_option(&w);
        while (o && o->shortName != *letters)
            o = cli_next_option(&w);
        wanted = o && takes_value(o);
    }
    return wanted && !*letters;
}

/* Handles a word that begins with "--"; *next: whether the following word is its value. */
static swq_status add_option(swq_context *ctx, const cli_command *command,
                             const struct poptOption *table, const char *argument, const char *word,
                             cli_arguments *to, bool *next, bool *left_out)
{
    search s = {.command = command, .argument = argument, .begin = word + 2};

    s.length = strcspn(s.begin, "=");
    look(&s, table);
    const struct poptOption *o = s.exact ? s.exact : s.count == 1 ? s.begins : NULL;
    const char *rest = s.begin + s.length;
    if (!s.exact && s.count > 1)
        return swq_fail(ctx, SWQ_EINVAL, "option %.60s is ambiguous: %s", word, s.names);
    *next = o && takes_value(o) && !*rest;
    *left_out = o && to->without && strcmp(o->longName, to->without) == 0;
    if (*left_out)
        return SWQ_OK;
    return o && !s.exact ? cli_arguments_option(ctx, to, o->longName, rest)
                         : cli_arguments_add(ctx, to, word);
}

swq_status cli_arguments_in_full(swq_context *ctx, const cli_command *command,
                                 const struct poptOption *table, int argc, const char *const *argv,
                                 cli_arguments *to)
{
    const char *argument = argc > 0 && *argv[0] != '-' ? argv[0] : NULL;
    bool value = false, options = true, left_out = false;
    swq_status status = SWQ_OK;

    for (int k = 0; k < argc && !status; k++) {
        const char *word = argv[k];
        const bool is_value = value, of_left_out = is_value && left_out;
        value = left_out = false;
        options = options && (is_value || strcmp(word, "--") != 0);
        if (of_left_out)
            continue;
        if (is_value || !options || word[0] != '-' || !word[1]) {
            status = cli_arguments_add(ctx, to, word);
        } else if (word[1] != '-') {
            value = letters_want_next(table, word + 1);
            status = cli_arguments_add(ctx, to, word);
        } else {
            status = add_option(ctx, command, table, argument, word, to, &value, &left_out);
        }
    }
    return status;
}

/* ---- lists of words ---- */

swq_status cli_arguments_add(swq_context *ctx, cli_arguments *words, const char *word)
{
    if (words->count == CLI_MOST_ARGUMENTS)
        return swq_fail(ctx, SWQ_EINVAL, "more than %d arguments", CLI_MOST_ARGUMENTS);
    words->own[words->count] = NULL;
    words->word[words->count++] = word;
    return SWQ_OK;
}

/* Adds a text that the words own from here on; NULL: there was no memory for it. */
static swq_status own(swq_context *ctx, cli_arguments *words, char *text)
{
    if (!text)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for the options");
    const swq_status status = cli_arguments_add(ctx, words, text);
    if (status)
        free(text);
    else
        words->own[words->count - 1] = text;
    return status;
}

swq_status cli_arguments_own(swq_context *ctx, cli_arguments *words, const char *word)
{
    return own(ctx, words, strdup(word));
}

swq_status cli_arguments_option(swq_context *ctx, cli_arguments *words, const char *name,
                                const char *rest)
{
    const size_t room = strlen(name) + strlen(rest) + 3;
    char *text = malloc(room);

    if (text)
        snprintf(text, room, "--%s%s", name, rest);
    return own(ctx, words, text);
}

void cli_arguments_clear(cli_arguments *words)
{
    for (int k = 0; k < words->count; k++)
        free(words->own[k]);
    words->count = 0;
}
