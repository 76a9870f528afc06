/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq help --json: commands, options and pages as data, for what wraps the program.
 * Room: cli.
 */
#include "cli/help/help.h"
#include "cli/options/values.h"
#include "cli/print/output.h"

#include <string.h>

typedef struct {
    const cli_command *command;
    cJSON *options;
} json_part;

/* Those of a list of `switchq list`. */
static void add_listed(cJSON *row, const cli_command *command, const char *list)
{
    char word[64];
    cli_item item;
    cJSON *words = cJSON_AddArrayToObject(row, "words");

    for (int k = 0; cli_list_word(command, list, k, &item, word, sizeof word); k++)
        cJSON_AddItemToArray(words, cJSON_CreateString(item.name));
}

/* Those that stand apart by blanks. */
static void add_words(cJSON *row, const char *text)
{
    char word[64];
    cJSON *words = cJSON_AddArrayToObject(row, "words");

    for (const char *at = text; *at; at += strspn(at, " ")) {
        snprintf(word, sizeof word, "%.*s", (int)strcspn(at, " "), at);
        cJSON_AddItemToArray(words, cJSON_CreateString(word));
        at += strcspn(at, " ");
    }
}

static void add_option(void *arg, const struct poptOption *option, const char *section)
{
    const json_part *p = arg;
    char text[512];
    cli_value value = cli_option_value(option, text, sizeof text);
    cJSON *row = cJSON_CreateObject();

    cJSON_AddStringToObject(row, "name", option->longName);
    if (value.kind != CLI_VALUE_NONE)
        cJSON_AddStringToObject(row, "argument", option->argDescrip ? option->argDescrip : "X");
    cJSON_AddStringToObject(row, "text", option->descrip ? option->descrip : "");
    if (section)
        cJSON_AddStringToObject(row, "section", section);
    if (value.kind == CLI_VALUE_LIST)
        add_listed(row, p->command, value.list);
    if (value.kind == CLI_VALUE_WORDS)
        add_words(row, value.words);
    cJSON_AddItemToArray(p->options, row);
}

static void add_text(cJSON *tree, const char *key, const char *text)
{
    if (text)
        cJSON_AddStringToObject(tree, key, text);
}

static void add_command(swq_context *ctx, cJSON *tree, const cli_command *command)
{
    cJSON_AddStringToObject(tree, "command", command->name);
    add_text(tree, "usage", command->usage);
    add_text(tree, "summary", command->summary);
    add_text(tree, "notes", command->notes);
    add_text(tree, "examples", command->examples);
    json_part p = {command, cJSON_AddArrayToObject(tree, "options")};
    cli_each_option(ctx, command, add_option, &p);
}

swq_status cli_help_json(swq_context *ctx, const cli_command *command, const cli_topic *topic)
{
    cJSON *tree = cJSON_CreateObject();

    cJSON_AddStringToObject(tree, "schema", "switchq/help/1");
    if (command) {
        add_command(ctx, tree, command);
    } else if (topic) {
        cJSON_AddStringToObject(tree, "topic", topic->name);
        cJSON_AddStringToObject(tree, "title", topic->title);
        cJSON_AddStringToObject(tree, "text", topic->text);
    } else {
        cJSON *commands = cJSON_AddObjectToObject(tree, "commands");
        cJSON *topics = cJSON_AddObjectToObject(tree, "topics");
        for (int k = 0; cli_commands[k]; k++)
            cJSON_AddStringToObject(commands, cli_commands[k]->name, cli_commands[k]->summary);
        for (int k = 0; cli_topics[k].name; k++)
            cJSON_AddStringToObject(topics, cli_topics[k].name, cli_topics[k].title);
    }
    return cli_json_print(ctx, tree);
}
