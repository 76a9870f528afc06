/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq help: commands, and pages on other topics.
 */
#include "cli/help/help.h"
#include "base/context.h"
#include "base/names.h"
#include "cli/help/list.h"
#include "cli/help/pages.inc"
#include "cli/help/tree.h"
#include "cli/options/field.h"
#include "cli/print/output.h"
#include "cli/print/words.h"
#include "switchq/version.h"

#include <string.h>

enum { COLUMNS = 80, MOST_ROWS = 100 };

static int as_man, as_json;

static struct poptOption options[] = {
    CLI_FLAG_ROW("man", &as_man, "print the manual page in roff ('man -l -' shows it)"),
    CLI_FLAG_ROW("json", &as_json, "print JSON"),
    POPT_TABLEEND,
};

/* Names separated by commas, broken before the last column. */
static void print_names(FILE *stream)
{
    int at = fprintf(stream, "\nTopics of 'switchq help TOPIC':");

    for (int k = 0; cli_topics[k].name; k++) {
        int length = (int)strlen(cli_topics[k].name) + (cli_topics[k + 1].name != NULL);
        if (k == 0 || at + 1 + length > COLUMNS - 1)
            at = fprintf(stream, "\n ") - 1;
        at += fprintf(stream, " %s%s", cli_topics[k].name, cli_topics[k + 1].name ? "," : "");
    }
    fputc('\n', stream);
}

static void print_commands(FILE *stream)
{
    fputs("switchq " SWQ_VERSION " - what a buffer organisation and a flow control buy a packet "
          "switch\n\nUsage: switchq COMMAND [OPTION...]\n\n",
          stream);
    for (int k = 0; cli_commands[k]; k++)
        fprintf(stream, "  %-10s %s\n", cli_commands[k]->name, cli_commands[k]->summary);
}

void cli_usage(FILE *stream)
{
    print_commands(stream);
    print_names(stream);
    fputs("\n"
          "'switchq COMMAND --help' lists common options, and --help-all lists all of them.\n"
          "'switchq version' (-V, --version) prints the version. Commands and options may be "
          "abbreviated.\n"
          "Exit status: 0, 1 (a check failed), 2 (bad input), 3 (memory or size limit).\n",
          stream);
}

static void print_index(void)
{
    print_commands(stdout);
    puts(
        "\n'switchq help COMMAND' tells a command's options. 'switchq help TOPIC' is a page on:\n");
    for (int k = 0; cli_topics[k].name; k++)
        printf("  %-16s %s\n", cli_topics[k].name, cli_topics[k].title);
    puts("\nExit status: 0, 1 (a check failed), 2 (bad input), 3 (memory or size limit).");
}

/* The names of all topics and commands. */
static cJSON *index_tree(void)
{
    cJSON *tree = cJSON_CreateObject();

    cJSON_AddStringToObject(tree, "schema", "switchq/help/1");
    cJSON *commands = cJSON_AddObjectToObject(tree, "commands");
    for (int k = 0; cli_commands[k]; k++)
        cJSON_AddStringToObject(commands, cli_commands[k]->name, cli_commands[k]->summary);
    cJSON *topics = cJSON_AddObjectToObject(tree, "topics");
    for (int k = 0; cli_topics[k].name; k++)
        cJSON_AddStringToObject(topics, cli_topics[k].name, cli_topics[k].title);
    return tree;
}

static void print_topic(const cli_topic *topic)
{
    printf("%s - %s\n\n%s", topic->name, topic->title, cli_topic_text(topic));
    if (topic->list) {
        printf("\n'switchq list %s' prints\n\n", topic->list);
        cli_list_print(topic->list);
    }
}

/* Looks among commands, then topics; rows of both begin with their name. */
static const void *find(swq_context *ctx, const char *name, int *place, int *commands)
{
    const void *rows[MOST_ROWS + 1] = {0};
    int count = 0;

    for (int k = 0; cli_commands[k] && count < MOST_ROWS; k++)
        rows[count++] = cli_commands[k];
    *commands = count;
    for (int k = 0; cli_topics[k].name && count < MOST_ROWS; k++)
        rows[count++] = &cli_topics[k];
    const void *found = swq_name_lookup(ctx, "command or topic", name, rows);
    for (*place = 0; found && rows[*place] != found;)
        ++*place;
    return found;
}

/* For a word that is neither a command nor a topic, such as damq or deadlock: names the pages that
 * contain this word. */
static void suggest_pages(swq_context *ctx, const char *word)
{
    char pages[160] = "";
    size_t used = 0;

    for (int k = 0; cli_topics[k].name && strlen(word) > 3; k++) {
        const bool fits = used + strlen(cli_topics[k].name) + 3 < sizeof pages;
        if (fits &&
            (strstr(cli_topic_text(&cli_topics[k]), word) || strstr(cli_topics[k].title, word)))
            used += (size_t)snprintf(pages + used, sizeof pages - used, "%s%s", used ? ", " : "",
                                     cli_topics[k].name);
    }
    if (used)
        swq_fail(ctx, SWQ_EINVAL, "command or topic '%.40s' is unknown; topics that mention it: %s",
                 word, pages);
}

/* Is the name of a command or topic so similar to the word that it was surely meant? */
static bool is_misspelt(const char *word)
{
    const int most = (int)(strlen(word) + 2) / 3;
    bool found = false;

    for (int k = 0; cli_commands[k]; k++)
        found = found || swq_name_distance(cli_commands[k]->name, word) <= most;
    for (int k = 0; cli_topics[k].name; k++)
        found = found || swq_name_distance(cli_topics[k].name, word) <= most;
    return found;
}

/* 'switchq help COMMAND --help-all' is about that command: the command, or NULL. */
static const cli_command *asked_for_all_of(swq_context *ctx, int argc, const char **argv)
{
    int place, commands;

    for (int k = 0; argc == 2 && k < 2; k++) {
        if (strcmp(argv[k], "--help-all") == 0 && *argv[1 - k] != '-' &&
            find(ctx, argv[1 - k], &place, &commands) && place < commands)
            return cli_commands[place];
    }
    return NULL;
}

static int end_print(swq_context *ctx)
{
    const swq_status status = cli_flush(ctx);

    return status ? cli_fail(ctx, status) : CLI_OK;
}

/* A word of the field: the page that has its only meaning, or a line for each meaning. */
static int explain(swq_context *ctx, const cli_field_word *word)
{
    const cli_field_word *next = word + 1;
    int place, commands;

    if (word->place == CLI_FIELD_PAGE && !(next->word && strcmp(next->word, word->word) == 0) &&
        find(ctx, word->row, &place, &commands))
        print_topic(&cli_topics[place - commands]);
    else
        cli_list_print_word(word->word);
    return end_print(ctx);
}

/* The option of that name in the help of a command, or NULL. */
static const cJSON *option_in(const cJSON *tree, const char *name)
{
    const cJSON *option;

    cJSON_ArrayForEach(option, cJSON_GetObjectItem(tree, "options"))
    {
        if (strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(option, "name")), name) == 0)
            return option;
    }
    return NULL;
}

/* The name of an option: what it does in each command, of several with one text once. Returns
 * whether there is such an option. */
static bool print_option(swq_context *ctx, const char *name)
{
    char said[400] = "";
    bool found = false;

    for (int k = 0; cli_commands[k]; k++) {
        cJSON *tree = cli_help_of_command(ctx, cli_commands[k]);
        const cJSON *option = option_in(tree, name);
        const char *text = cJSON_GetStringValue(cJSON_GetObjectItem(option, "text"));
        const char *argument = cJSON_GetStringValue(cJSON_GetObjectItem(option, "argument"));
        if (text && found && strncmp(said, text, sizeof said - 1) == 0) {
            printf("    (and of %s)\n", cli_commands[k]->name);
        } else if (text) {
            printf("option --%s%s%s of %s:\n", name, argument ? " " : "", argument ? argument : "",
                   cli_commands[k]->name);
            fputs("    ", stdout);
            cli_print_wrapped(text, 4);
            snprintf(said, sizeof said, "%s", text);
            found = true;
        }
        cJSON_Delete(tree);
    }
    return found;
}

/* "virtual channel": words without options are one name. Returns argc. */
static int join_words(int argc, const char **argv, char *text, size_t size)
{
    size_t used = 0;

    for (int k = 0; k < argc; k++) {
        if (*argv[k] == '-' || used + strlen(argv[k]) + 2 > size)
            return argc;
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? " " : "", argv[k]);
    }
    if (argc < 2)
        return argc;
    argv[0] = text;
    return 1;
}

static int run(swq_context *ctx, const cli_command *self, int argc, const char **argv)
{
    char words[80];

    argc = join_words(argc, argv, words, sizeof words);
    const char *name = NULL, *help[] = {"--help"}, *all[] = {"--help-all"};
    const cli_command *whole = asked_for_all_of(ctx, argc, argv);

    if (whole)
        return whole->run(ctx, whole, 1, all);
    const cli_command *command = NULL;
    const cli_topic *topic = NULL;
    int place, commands, end = cli_read_options(ctx, self, options, argc, argv, &name, 1);

    if (end >= 0)
        return end;
    if (name && !find(ctx, name, &place, &commands)) {
        if (!as_json && !as_man && cli_field_find(name))
            return explain(ctx, cli_field_find(name));
        if (!as_json && !as_man && print_option(ctx, name))
            return end_print(ctx);
        if (!is_misspelt(name))
            suggest_pages(ctx, name);
        return cli_fail(ctx, SWQ_EINVAL);
    }
    if (name && place < commands)
        command = cli_commands[place];
    else if (name)
        topic = &cli_topics[place - commands];
    if (as_json && as_man) {
        swq_fail(ctx, SWQ_EINVAL, "--json and --man cannot both be given");
        return cli_fail(ctx, SWQ_EINVAL);
    }
    swq_status status = SWQ_OK;
    if (as_json)
        status = cli_json_print(ctx, command ? cli_help_of_command(ctx, command)
                                     : topic ? cli_help_of_topic(topic)
                                             : index_tree());
    else if (as_man)
        status = cli_help_write(ctx,
                                command ? text_command
                                : topic ? text_topic
                                        : text_all,
                                command ? cli_help_of_command(ctx, command)
                                : topic ? cli_help_of_topic(topic)
                                        : cli_help_of_all(ctx),
                                "roff");
    else if (command)
        return command->run(ctx, command, 1, help);
    else if (topic)
        print_topic(topic);
    else
        print_index();
    return status ? cli_fail(ctx, status) : end_print(ctx);
}

const cli_command cli_help = {
    .name = "help",
    .no_file = true,
    .usage = "[COMMAND|TOPIC|WORD]",
    .summary = "show the options of a command, a page on a topic, or what a word means",
    .examples = "  switchq help\n"
                "  switchq help buffers\n"
                "  switchq help solve\n"
                "  switchq help solve --man\n"
                "  switchq help lanes\n",
    .run = run,
};
