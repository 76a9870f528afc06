/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The words of a question, from the rows of its parameters.
 */
#include "cli/options/words.h"
#include "cli/options/parameter.h"
#include "cli/print/append.h"
#include "cli/record/inside.h"

#include <stdlib.h>
#include <string.h>

/* Facts of a model that no option sets. */
static const char *const facts[][2] = {
    {"nodes", "% node~"},
    {"trace_packets", "% packet~ in the trace"},
    {"trace_messages", "% message~ in the trace"},
    {"trace_dependencies", "% dependenc~ among them"},
};

static const struct poptOption *asked;

void cli_question_table(const struct poptOption *table)
{
    asked = table;
}

/* ---- phrases ---- */

static void add_text(char *text, size_t size, const char *more, size_t length)
{
    cli_append(text, size, "%.*s", (int)length, more);
}

/* A template: % is the value, ~ the end of a plural: queue~, polic~, lea~. */
static void fill(const char *says, const char *value, char *text, size_t size)
{
    const bool one = strcmp(value, "1") == 0;

    *text = '\0';
    for (const char *at = says; *at; at++) {
        if (*at == '%')
            add_text(text, size, value, strlen(value));
        else if (*at != '~')
            add_text(text, size, at, 1);
        else if (at > says && at[-1] == 'c')
            add_text(text, size, one ? "y" : "ies", 3);
        else if (at > says && at[-1] == 'a')
            add_text(text, size, one ? "f" : "ves", 3);
        else if (!one)
            add_text(text, size, "s", 1);
    }
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);

    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* "hop delay 5 cycles": the option's name, the value and, behind a number, the unit. */
static void name_value(const cli_parameter *row, const char *value, char *text, size_t size)
{
    const bool number = *value >= '0' && *value <= '9' && !value[strspn(value, "0123456789.e+-")];
    const char *unit = number && row->unit ? row->unit : "";

    snprintf(text, size, "%s", row->option.longName);
    for (char *c = text; *c; c++)
        *c = *c == '-' ? ' ' : *c;
    if (ends_with(text, unit)) /* lane flits 8 */
        unit = "";
    if (*value)
        add_text(text, size, " ", 1);
    add_text(text, size, value, strlen(value));
    if (*unit)
        add_text(text, size, " ", 1);
    const bool one = strcmp(value, "1") == 0 && ends_with(unit, "s");
    add_text(text, size, unit, strlen(unit) - one);
}

static bool has(const cli_question_words *w, const char *option)
{
    for (int k = 0; k < w->count; k++) {
        if (w->option[k] && strcmp(w->option[k], option) == 0)
            return true;
    }
    return false;
}

static void add_phrase(cli_question_words *w, const char *option, const char *phrase)
{
    if (w->count == CLI_MOST_PHRASES)
        return;
    w->option[w->count] = option;
    snprintf(w->phrase[w->count++], CLI_PHRASE, "%s", phrase);
}

static void add_value(cli_question_words *w, const cli_parameter *row, const char *value)
{
    char phrase[CLI_PHRASE];

    if (row->says && *value)
        fill(row->says, value, phrase, sizeof phrase);
    else
        name_value(row, value, phrase, sizeof phrase);
    add_phrase(w, row->option.longName, phrase);
}

/* An option as it was given, unless it was not. */
static void add_given(cli_question_words *w, const cli_parameter *row)
{
    const struct poptOption *o = &row->option;

    if (!cli_is_given(o) || has(w, o->longName))
        return;
    if (cli_option_kind(o) == POPT_ARG_NONE)
        add_value(w, row, "");
    else if (cli_option_kind(o) == POPT_ARG_STRING)
        add_value(w, row, cli_parameter_text(row));
    else
        for (char **text = *(char ***)o->arg; *text; text++)
            add_value(w, row, *text);
}

/* ---- the model ---- */

/* The row that makes a field; NULL: none. */
static const cli_parameter *row_of(const char *key)
{
    cli_options_walk walk = cli_walk_options(asked);
    char option[60];

    cli_option_of_key(key, option, sizeof option);
    for (const struct poptOption *o; (o = cli_next_option(&walk));) {
        const cli_parameter *p = cli_parameter_of(o);
        if (p && (strcmp(o->longName, option) == 0 || (p->key && strcmp(p->key, key) == 0)))
            return p;
    }
    return NULL;
}

static void add_fact(cli_question_words *w, const cli_record *f)
{
    char value[CLI_RECORD_VALUE], phrase[CLI_PHRASE];

    for (size_t k = 0; k < sizeof facts / sizeof *facts; k++) {
        if (strcmp(facts[k][0], f->key) == 0 && cli_record_value(f, value)) {
            fill(facts[k][1], value, phrase, sizeof phrase);
            add_phrase(w, NULL, phrase);
        }
    }
}

/* A field with a row: its value, unless the value goes without saying or the option's own words say
 * more. */
static void add_field(cli_question_words *w, const cli_record *model, const cli_record *f,
                      const cli_parameter *row)
{
    char value[CLI_RECORD_VALUE];
    const bool given = cli_is_given(&row->option);

    if (has(w, row->option.longName) || cli_has_unit(row) || (row->idle && row->idle(model)))
        return;
    if (f->kind == CLI_TRUTH && f->count && row->kind != CLI_UNFLAG)
        add_value(w, row, "");
    else if ((given && row->as_given) || f->kind == CLI_TRUTH ||
             (f->kind == CLI_WORD && !f->text) || !cli_record_value(f, value))
        add_given(w, row);
    else if (given || !row->plain || (*row->plain && strcmp(row->plain, value) != 0))
        add_value(w, row, value);
}

static void add_fields(cli_question_words *w, const cli_record *model)
{
    for (const cli_record *f = model ? model->child : NULL; f; f = f->next) {
        const cli_parameter *row = f->key ? row_of(f->key) : NULL;
        const bool alone = f->kind == CLI_LIST && f->child && !f->child->next;
        if (f->key && alone && strcmp(f->key, "groups") == 0)
            add_fields(w, f->child); /* all senders send alike */
        else if (row)
            add_field(w, model, f, row);
        else if (f->key)
            add_fact(w, f);
    }
}

void cli_question_phrases(const cli_record *root, cli_question_words *words)
{
    *words = (cli_question_words){.count = 0};
    if (!asked)
        return;
    add_fields(words, root ? cli_record_child(root, "model") : NULL);
    cli_options_walk walk = cli_walk_options(asked);
    for (const struct poptOption *o; (o = cli_next_option(&walk));) {
        const cli_parameter *p = cli_parameter_of(o);
        if (p && !p->aside)
            add_given(words, p);
    }
}

/* ---- several questions ---- */

static void drop(cli_question_words *w, int k)
{
    w->count--;
    memmove(&w->option[k], &w->option[k + 1], (size_t)(w->count - k) * sizeof *w->option);
    memmove(&w->phrase[k], &w->phrase[k + 1], (size_t)(w->count - k) * sizeof *w->phrase);
}

static bool says(const cli_question_words *w, const char *phrase)
{
    for (int k = 0; k < w->count; k++) {
        if (strcmp(w->phrase[k], phrase) == 0)
            return true;
    }
    return false;
}

void cli_question_keep(cli_question_words *words, const cli_question_words *other)
{
    for (int k = words->count - 1; k >= 0; k--) {
        if (!says(other, words->phrase[k]))
            drop(words, k);
    }
}

void cli_question_drop(cli_question_words *words, const char *option)
{
    for (int k = words->count - 1; k >= 0; k--) {
        if (words->option[k] && strcmp(words->option[k], option) == 0)
            drop(words, k);
    }
}

const char *cli_question_text(const cli_question_words *w, char *text, size_t size)
{
    *text = '\0';
    for (int k = 0; k < w->count; k++) {
        if (k)
            add_text(text, size, ", ", 2);
        add_text(text, size, w->phrase[k], strlen(w->phrase[k]));
    }
    return text;
}

const char *cli_question_of(const cli_record *root, char *text, size_t size)
{
    cli_question_words *words = malloc(sizeof *words);

    *text = '\0';
    if (!words)
        return text;
    cli_question_phrases(root, words);
    cli_question_text(words, text, size);
    free(words);
    return text;
}

void cli_say_question(cli_record *to, const cli_record *of)
{
    char text[CLI_QUESTION_WORDS];

    cli_tell(to, 2, "%s", cli_question_of(of, text, sizeof text));
}
