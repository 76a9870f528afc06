/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables as a tree.
 */
#include "cli/help/tree.h"
#include "base/context.h"
#include "cli/help/values.h"
#include "cli/options/parameter.h"
#include "cli/print/template.h"
#include "switchq/formula.h"
#include "switchq/version.h"

#include <string.h>

static void add_text(cJSON *tree, const char *key, const char *text)
{
    if (text)
        cJSON_AddStringToObject(tree, key, text);
}

/* Splits words at blanks. */
static void add_words(cJSON *words, const char *text)
{
    char word[64];

    for (const char *at = text; *at; at += strspn(at, " ")) {
        snprintf(word, sizeof word, "%.*s", (int)strcspn(at, " "), at);
        cJSON_AddItemToArray(words, cJSON_CreateString(word));
        at += strcspn(at, " ");
    }
}

static void add_value(cJSON *to, const cli_command *command, const cli_value *value)
{
    static const char *const kinds[] = {
        [CLI_VALUE_ANY] = "any",     [CLI_VALUE_WORDS] = "words",
        [CLI_VALUE_LIST] = "list",   [CLI_VALUE_TOPICS] = "topics",
        [CLI_VALUE_FILES] = "files", [CLI_VALUE_FOLDERS] = "folders"};
    char word[64];
    cli_item item;

    if (value->kind == CLI_VALUE_NONE)
        return;
    cJSON *tree = cJSON_AddObjectToObject(to, "value");
    cJSON_AddStringToObject(tree, "kind", kinds[value->kind]);
    cJSON_AddStringToObject(tree, "command", command->name);
    add_text(tree, "list", value->list);
    if (value->kind != CLI_VALUE_WORDS && value->kind != CLI_VALUE_LIST)
        return;
    cJSON *words = cJSON_AddArrayToObject(to, "words");
    if (value->kind == CLI_VALUE_WORDS)
        add_words(words, value->words);
    if (value->kind != CLI_VALUE_LIST)
        return;
    cJSON *items = cJSON_AddArrayToObject(tree, "items");
    for (int k = 0; cli_list_word(command, value->list, k, &item, word, sizeof word); k++) {
        cJSON *row = cJSON_CreateObject();
        cJSON_AddItemToArray(words, cJSON_CreateString(item.name));
        cJSON_AddItemToArray(items, row);
        cJSON_AddStringToObject(row, "name", item.name);
        cJSON_AddStringToObject(row, "word", word);
        cJSON_AddStringToObject(row, "summary", item.summary);
        cJSON_AddBoolToObject(row, "begins", word[strlen(word) - 1] == ':');
    }
}

/* If the option is a parameter of formulas, lists these. */
static void add_formulas(cJSON *row, const cli_command *command, const struct poptOption *option)
{
    if (cli_option_applies(command, "", option))
        return;
    cJSON *formulas = cJSON_AddArrayToObject(row, "formulas");
    for (int f = 0; swq_formulas[f]; f++) {
        if (cli_option_applies(command, swq_formulas[f]->name, option))
            cJSON_AddItemToArray(formulas, cJSON_CreateString(swq_formulas[f]->name));
    }
}

/* For manual pages: adds the heading of an option if it differs from the heading of the option
 * before. */
static void add_heading(cJSON *row, const char *section, const char *before)
{
    char text[200];

    if (section && section != before) {
        const size_t length = strlen(section);
        snprintf(text, sizeof text, "%.*s", (int)(length - (section[length - 1] == ':')), section);
        cJSON_AddStringToObject(row, "heading", text);
    } else if (!section && before) {
        cJSON_AddStringToObject(row, "heading", "Other options");
    }
}

/* What the row of a parameter says beyond its text: its field in answers, its unit, its range, its
 * words and its defaults. */
static void add_parameter(cJSON *to, const cli_parameter *p)
{
    const bool whole = p->kind == CLI_INT || p->kind == CLI_BYTES, real = p->kind == CLI_REAL;

    cJSON_AddBoolToObject(to, "question", !p->aside);
    add_text(to, "key", p->key);
    add_text(to, "unit", p->unit);
    if ((whole && !p->read) || real) {
        cJSON_AddStringToObject(to, "type", whole ? "integer" : "number");
        cJSON_AddNumberToObject(to, "least", p->least);
        if (!p->highest)
            cJSON_AddNumberToObject(to, "most", p->most);
    }
    cJSON_AddBoolToObject(to, "axis", cli_axis_of(p) != CLI_AXIS_NONE);
    cJSON *defaults = cJSON_AddArrayToObject(to, "defaults");
    for (const cli_default *d = p->defaults; d && d->lines; d++) {
        cJSON *row = cJSON_CreateObject();
        cJSON_AddStringToObject(row, "lines", d->lines);
        cJSON_AddStringToObject(row, "value", d->value);
        cJSON_AddStringToObject(row, "why", d->why);
        cJSON_AddItemToArray(defaults, row);
    }
}

static void add_option(cJSON *options, const cli_command *command, const struct poptOption *option,
                       const char *section, const char *before)
{
    char text[CLI_WORDS_ROOM], help[CLI_HELP_ROOM];
    const cli_value value = cli_option_value(option, text, sizeof text);
    cJSON *row = cJSON_CreateObject();

    cJSON_AddItemToArray(options, row);
    cJSON_AddStringToObject(row, "name", option->longName);
    if (option->shortName)
        cJSON_AddStringToObject(row, "short", (const char[]){option->shortName, '\0'});
    add_text(row, "argument", option->argDescrip);
    cJSON_AddStringToObject(row, "text", cli_option_help(option, help, sizeof help));
    add_text(row, "section", section);
    add_heading(row, section, before);
    if (cli_option_kind(option) == POPT_ARG_ARGV)
        cJSON_AddTrueToObject(row, "repeats");
    if (value.kind == CLI_VALUE_NONE)
        cJSON_AddTrueToObject(row, "flag");
    if (cli_parameter_of(option))
        add_parameter(row, cli_parameter_of(option));
    add_formulas(row, command, option);
    add_value(row, command, &value);
}

/* Adds the options of a command. argument: only options that apply to this word after the command,
 * such as the name of a formula; NULL: the options of all words. */
static void add_options(swq_context *ctx, cJSON *tree, const cli_command *command,
                        const char *argument)
{
    cli_options_walk w = cli_walk_options(cli_options_of(ctx, command));
    cJSON *options = cJSON_AddArrayToObject(tree, "options");
    const char *before = NULL;

    for (const struct poptOption *o; (o = cli_next_option(&w));) {
        const bool refused = command->refuses && command->refuses(o->longName);
        if (refused || !cli_option_applies(command, argument, o))
            continue;
        add_option(options, command, o, w.section[w.depth], before);
        before = w.section[w.depth];
    }
}

cJSON *cli_help_of_command(swq_context *ctx, const cli_command *command)
{
    cJSON *tree = cJSON_CreateObject();
    char text[CLI_WORDS_ROOM];
    const cli_value value = cli_argument_value(command, text, sizeof text);

    cJSON_AddStringToObject(tree, "schema", "switchq/help/1");
    cJSON_AddStringToObject(tree, "command", command->name);
    add_text(tree, "usage", command->usage);
    add_text(tree, "summary", command->summary);
    add_text(tree, "notes", command->notes);
    add_text(tree, "examples", command->examples);
    add_value(tree, command, &value);
    if (command->examples) { /* its first line */
        snprintf(text, sizeof text, "%.*s", (int)strcspn(command->examples, "\n"),
                 command->examples);
        cJSON_AddStringToObject(tree, "example", text);
    }
    add_options(ctx, tree, command, NULL);
    return tree;
}

static void add_forms(swq_context *ctx, cJSON *tree, const cli_command *command)
{
    cJSON *formulas = cJSON_AddArrayToObject(tree, "forms");

    for (int f = 0, more = 1; more; f++) {
        cJSON *row = cJSON_CreateObject();
        more = swq_formulas[f] != NULL;
        cJSON_AddStringToObject(row, "form", more ? swq_formulas[f]->name : "*");
        add_options(ctx, row, command, more ? swq_formulas[f]->name : NULL);
        cJSON_AddItemToArray(formulas, row);
    }
}

cJSON *cli_help_of_topic(const cli_topic *topic)
{
    cJSON *tree = cJSON_CreateObject();

    cJSON_AddStringToObject(tree, "schema", "switchq/help/1");
    cJSON_AddStringToObject(tree, "topic", topic->name);
    cJSON_AddStringToObject(tree, "title", topic->title);
    cJSON_AddStringToObject(tree, "text", cli_topic_text(topic));
    return tree;
}

cJSON *cli_help_of_all(swq_context *ctx)
{
    cJSON *tree = cJSON_CreateObject();
    cJSON *commands = cJSON_AddArrayToObject(tree, "commands");
    cJSON *topics = cJSON_AddArrayToObject(tree, "topics");

    for (int k = 0; cli_commands[k]; k++) {
        cJSON *command = cli_help_of_command(ctx, cli_commands[k]);
        cJSON_AddItemToArray(commands, command);
        if (cli_commands[k] == &cli_formula)
            add_forms(ctx, command, cli_commands[k]);
    }
    for (int k = 0; cli_topics[k].name; k++)
        cJSON_AddItemToArray(topics, cli_help_of_topic(&cli_topics[k]));
    return tree;
}

swq_status cli_help_write(swq_context *ctx, const char *text, cJSON *tree, const char *escape)
{
    cJSON_AddStringToObject(tree, "version", SWQ_VERSION);
    cJSON_AddStringToObject(tree, "date", SWQ_VERSION_DATE);
    if (!tree)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for the page");
    cli_template(stdout, text, tree, escape);
    cJSON_Delete(tree);
    return cli_flush(ctx);
}
