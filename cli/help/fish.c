/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Completion for fish: one line for every option.
 * Room: cli.
 */
#include "cli/help/completion.h"
#include "cli/help/help.h"
#include "switchq/formula.h"
#include "switchq/version.h"

#include <string.h>

static void print_text(const char *text)
{
    cli_print_escaped(text, "\\", "\\'");
}

static void print_list(const cli_command *command, const char *list)
{
    char word[64];
    cli_item item;

    printf("function __switchq_%s_%s\n", command->name, list);
    for (int k = 0; cli_list_word(command, list, k, &item, word, sizeof word); k++) {
        printf("    printf '%%s\\t%%s\\n' '%s' '", word);
        print_text(item.summary);
        puts("'");
    }
    puts("end");
}

/* cli_each_option hands on what is not constant. */
typedef struct {
    const cli_command *command;
} fish_part;

static void option_list(void *arg, const struct poptOption *option, const char *section)
{
    char text[CLI_WORDS_ROOM];
    cli_value value = cli_option_value(option, text, sizeof text);

    (void)section;
    if (value.kind == CLI_VALUE_LIST)
        print_list(((const fish_part *)arg)->command, value.list);
}

/* What may follow, for an option or for a command's argument. */
static void print_value(const cli_command *command, const cli_value *value)
{
    switch (value->kind) {
    case CLI_VALUE_NONE:
        break;
    case CLI_VALUE_FILES:
        fputs(" -r -F", stdout);
        break;
    case CLI_VALUE_FOLDERS:
        fputs(" -x -a '(__fish_complete_directories)'", stdout);
        break;
    case CLI_VALUE_WORDS:
        printf(" -x -a '%s'", value->words);
        break;
    case CLI_VALUE_LIST:
        printf(" -x -a '(__switchq_%s_%s)'", command->name, value->list);
        break;
    case CLI_VALUE_TOPICS:
        fputs(" -x -a '(__switchq_topics)'", stdout);
        break;
    default:
        fputs(" -x", stdout);
    }
}

static bool is_parameter(const cli_command *command, const struct poptOption *option)
{
    return !cli_option_applies(command, "", option);
}

static void print_option(void *arg, const struct poptOption *option, const char *section)
{
    const cli_command *command = ((const fish_part *)arg)->command;
    char text[CLI_WORDS_ROOM];
    cli_value value = cli_option_value(option, text, sizeof text);

    (void)section;
    printf("complete -c switchq -n '__switchq_is %s", command->name);
    for (int f = 0; is_parameter(command, option) && swq_formulas[f]; f++) {
        if (cli_option_applies(command, swq_formulas[f]->name, option))
            printf(" %s", swq_formulas[f]->name);
    }
    printf("' -l %s", option->longName);
    if (option->shortName)
        printf(" -s %c", option->shortName);
    print_value(command, &value);
    fputs(" -d '", stdout);
    print_text(option->descrip ? option->descrip : "");
    puts("'");
}

static void print_command(swq_context *ctx, const cli_command *command)
{
    char text[CLI_WORDS_ROOM];
    cli_value value = cli_argument_value(command, text, sizeof text);
    fish_part p = {command};

    cli_each_option(ctx, command, option_list, &p);
    if (value.kind == CLI_VALUE_LIST)
        print_list(command, value.list);
    printf("complete -c switchq -n __switchq_first -a %s -d '", command->name);
    print_text(command->summary);
    puts("'");
    cli_each_option(ctx, command, print_option, &p);
    if (value.kind == CLI_VALUE_NONE)
        return;
    printf("complete -c switchq -n '__switchq_at %s'", command->name);
    print_value(command, &value);
    putchar('\n');
}

void cli_complete_fish(swq_context *ctx)
{
    puts("# fish completion for switchq " SWQ_VERSION
         ", written by 'switchq completion fish' from the tables of its options\n");
    puts("# no command yet; this command (with one of these arguments); its argument is next\n"
         "function __switchq_first\n"
         "    test (count (commandline -opc)) -eq 1\n"
         "end\n"
         "function __switchq_is\n"
         "    set -l words (commandline -opc)\n"
         "    test (count $words) -ge 2; and test $words[2] = $argv[1]; or return 1\n"
         "    test (count $argv) -eq 1; and return 0\n"
         "    test (count $words) -ge 3; and contains -- $words[3] $argv[2..-1]\n"
         "end\n"
         "function __switchq_at\n"
         "    test (count (commandline -opc)) -eq 2; and __switchq_is $argv[1]\n"
         "end\n"
         "function __switchq_topics");
    for (int c = 0; cli_commands[c]; c++) {
        printf("    printf '%%s\\t%%s\\n' %s '", cli_commands[c]->name);
        print_text(cli_commands[c]->summary);
        puts("'");
    }
    for (int k = 0; cli_topics[k].name; k++) {
        printf("    printf '%%s\\t%%s\\n' %s '", cli_topics[k].name);
        print_text(cli_topics[k].title);
        puts("'");
    }
    puts("end\n\ncomplete -c switchq -f\n"
         "complete -c switchq -n __switchq_first -l help -d 'the list of commands'\n"
         "complete -c switchq -n __switchq_first -l version -d 'the version'");
    for (int c = 0; cli_commands[c]; c++)
        print_command(ctx, cli_commands[c]);
}
