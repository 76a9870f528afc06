/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which words an option or a command takes.
 */
#include "cli/help/values.h"
#include "cli/options/parameter.h"

#include <ctype.h>
#include <string.h>

/* Options that are no parameters, and whose words are in the tables or are not in their
 * description. */
static const struct {
    const char *option;
    cli_value value;
} known_options[] = {
    {"arbiter", {.kind = CLI_VALUE_LIST, .list = "arbiters"}},
    {"measure", {.kind = CLI_VALUE_LIST, .list = "measures"}},
    {"policy", {.kind = CLI_VALUE_LIST, .list = "policies"}},
    {"format", {.kind = CLI_VALUE_LIST, .list = "formats"}},
    {"importance", {.kind = CLI_VALUE_LIST, .list = "importances"}},
    {"method", {.kind = CLI_VALUE_LIST, .list = "approximations"}},
    {"export", {.kind = CLI_VALUE_WORDS, .words = "csv json"}},
    {"prefer", {.kind = CLI_VALUE_WORDS, .words = "newest"}},
};

static const struct {
    const char *command;
    cli_value value;
} known_commands[] = {
    {"formula", {.kind = CLI_VALUE_LIST, .list = "formulas"}},
    {"table", {.kind = CLI_VALUE_LIST, .list = "tables"}},
    {"figure", {.kind = CLI_VALUE_LIST, .list = "figures"}},
    {"help", {.kind = CLI_VALUE_TOPICS}},
};

/* "a|b|c" as "a b c". Parts in capitals are placeholders. False: no part is a word. */
static bool split_words(const char *from, size_t length, char *text, size_t size)
{
    size_t used = 0;

    *text = '\0';
    for (const char *at = from; at < from + length;) {
        size_t part = strcspn(at, "|"), k = 0;
        if (at + part > from + length)
            part = (size_t)(from + length - at);
        while (k < part && (islower((unsigned char)at[k]) || isdigit((unsigned char)at[k]) ||
                            strchr("-.", at[k])))
            k++;
        if (k == part && part > 0 && used + part + 2 < size)
            used += (size_t)snprintf(text + used, size - used, "%s%.*s", used ? " " : "", (int)part,
                                     at);
        at += part + 1;
    }
    return used > 0;
}

static bool names_a_file(const char *argument)
{
    static const char *const begins[] = {"FILE", "PATH", "STUDY"};

    for (size_t k = 0; k < sizeof begins / sizeof *begins; k++) {
        if (strncmp(argument, begins[k], strlen(begins[k])) == 0)
            return true;
    }
    return false;
}

cli_value cli_option_value(const struct poptOption *option, char *text, size_t size)
{
    const char *argument = option->argDescrip;
    const cli_parameter *parameter = cli_parameter_of(option);

    if ((option->argInfo & POPT_ARG_MASK) == POPT_ARG_NONE)
        return (cli_value){.kind = CLI_VALUE_NONE};
    if (parameter && parameter->list)
        return (cli_value){.kind = CLI_VALUE_LIST, .list = parameter->list};
    for (size_t k = 0; k < sizeof known_options / sizeof *known_options; k++) {
        if (option->longName && strcmp(option->longName, known_options[k].option) == 0)
            return known_options[k].value;
    }
    if (!argument)
        return (cli_value){.kind = CLI_VALUE_ANY};
    if (names_a_file(argument))
        return (cli_value){.kind = CLI_VALUE_FILES};
    if (strncmp(argument, "DIR", 3) == 0)
        return (cli_value){.kind = CLI_VALUE_FOLDERS};
    if (split_words(argument, strlen(argument), text, size))
        return (cli_value){.kind = CLI_VALUE_WORDS, .words = text};
    return (cli_value){.kind = CLI_VALUE_ANY};
}

cli_value cli_argument_value(const cli_command *command, char *text, size_t size)
{
    const char *usage = command->usage;

    for (size_t k = 0; k < sizeof known_commands / sizeof *known_commands; k++) {
        if (strcmp(command->name, known_commands[k].command) == 0)
            return known_commands[k].value;
    }
    if (names_a_file(usage))
        return (cli_value){.kind = CLI_VALUE_FILES};
    /* the first word of the usage, in brackets or not: bash|zsh|fish, [buffers|arbiters] */
    usage += strspn(usage, "[");
    size_t length = strcspn(usage, "] ");
    if (*usage != '-' && memchr(usage, '|', length) && split_words(usage, length, text, size))
        return (cli_value){.kind = CLI_VALUE_WORDS, .words = text};
    return (cli_value){.kind = CLI_VALUE_NONE};
}

/* Can `command` use it? solve and export work on one switch, sim and approx on networks. */
static bool usable(const cli_command *command, cli_use only)
{
    bool one_switch = strcmp(command->name, "solve") == 0 || strcmp(command->name, "export") == 0;
    bool network = strcmp(command->name, "sim") == 0 || strcmp(command->name, "approx") == 0;

    if (only == CLI_FOR_ALL || only == CLI_FOR_STAGE_CYCLES || (!one_switch && !network))
        return true;
    return one_switch == (only == CLI_FOR_SWITCH);
}

bool cli_list_word(const cli_command *command, const char *list, int k, cli_item *item, char *word,
                   size_t size)
{
    for (int at = 0; cli_list_item(list, at, item); at++) {
        /* up to the first bracket, or the first capital, which begins a placeholder */
        size_t length = strcspn(item->name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ[ ");
        if (length == 0 || item->name[0] == '-' || !usable(command, item->only) || k-- > 0)
            continue;
        snprintf(word, size, "%.*s", (int)length, item->name);
        return true;
    }
    return false;
}
