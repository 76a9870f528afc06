/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Completion for zsh, by its _arguments and _describe.
 * Room: cli.
 */
#include "cli/help/completion.h"
#include "cli/help/help.h"
#include "switchq/formula.h"
#include "switchq/version.h"

#include <string.h>

/* The function that offers a list to a command. */
static void list_function(const cli_command *command, const char *list)
{
    printf("_switchq_%s_%s", command->name, list);
}

static void print_described(const char *name, const char *summary)
{
    fputs("        '", stdout);
    cli_print_escaped(name, ":\\", "");
    putchar(':');
    cli_print_escaped(summary, "\\", "'\\''");
    puts("'");
}

/* Words that something must follow go apart, with no blank put behind them. */
static void print_list(const cli_command *command, const char *list)
{
    char word[64];
    cli_item item;

    list_function(command, list);
    puts("() {\n    local -a words=(");
    for (int k = 0; cli_list_word(command, list, k, &item, word, sizeof word); k++) {
        if (word[strlen(word) - 1] != ':')
            print_described(word, item.summary);
    }
    puts("    ) begins=(");
    for (int k = 0; cli_list_word(command, list, k, &item, word, sizeof word); k++) {
        if (word[strlen(word) - 1] == ':')
            print_described(word, item.summary);
    }
    printf("    )\n"
           "    if compset -P '(file|trace):'; then\n"
           "        _files\n"
           "    else\n"
           "        _describe -t %s '%s' words -- begins -S ''\n"
           "    fi\n}\n\n",
           list, list);
}

typedef struct {
    const cli_command *command;
    const char *argument;
} zsh_part;

static void option_list(void *arg, const struct poptOption *option, const char *section)
{
    const zsh_part *p = arg;
    char text[CLI_WORDS_ROOM];
    cli_value value = cli_option_value(option, text, sizeof text);

    (void)section;
    if (value.kind == CLI_VALUE_LIST)
        print_list(p->command, value.list);
}

/* ':message:action' for _arguments. */
static void print_action(const cli_command *command, const char *message, const cli_value *value)
{
    putchar(':');
    cli_print_escaped(message ? message : "value", ":\\", "");
    putchar(':');
    switch (value->kind) {
    case CLI_VALUE_FILES:
        fputs("_files", stdout);
        break;
    case CLI_VALUE_FOLDERS:
        fputs("_files -/", stdout);
        break;
    case CLI_VALUE_WORDS:
        printf("(%s)", value->words);
        break;
    case CLI_VALUE_LIST:
        list_function(command, value->list);
        break;
    case CLI_VALUE_TOPICS:
        fputs("_switchq_topics", stdout);
        break;
    default:
        putchar(' ');
    }
}

static void print_option(void *arg, const struct poptOption *option, const char *section)
{
    const zsh_part *p = arg;
    char text[CLI_WORDS_ROOM];
    cli_value value = cli_option_value(option, text, sizeof text);
    bool repeats = (option->argInfo & POPT_ARG_MASK) == POPT_ARG_ARGV;
    const char *takes = value.kind == CLI_VALUE_NONE ? "" : "=";

    (void)section;
    if (!cli_option_applies(p->command, p->argument, option))
        return;
    fputs(" \\\n        ", stdout);
    if (option->shortName)
        printf("'(-%c --%s)'{-%c%s,--%s%s}'", option->shortName, option->longName,
               option->shortName, *takes ? "+" : "", option->longName, takes);
    else
        printf("'%s--%s%s", repeats ? "*" : "", option->longName, takes);
    putchar('[');
    cli_print_escaped(option->descrip ? option->descrip : "", "[]:\\", "'\\''");
    putchar(']');
    if (*takes)
        print_action(p->command, option->argDescrip, &value);
    putchar('\'');
}

static void print_arguments(swq_context *ctx, const cli_command *command, const char *argument)
{
    zsh_part p = {command, argument};
    char text[CLI_WORDS_ROOM];
    cli_value value = cli_argument_value(command, text, sizeof text);

    fputs("_arguments -s :", stdout);
    if (value.kind != CLI_VALUE_NONE) {
        fputs(" \\\n        '1", stdout);
        print_action(command, command->name, &value);
        putchar('\'');
    }
    cli_each_option(ctx, command, print_option, &p);
    puts(" ;;");
}

static void print_command(swq_context *ctx, const cli_command *command)
{
    printf("    %s) ", command->name);
    if (command != &cli_formula) {
        print_arguments(ctx, command, NULL);
        return;
    }
    puts("case $words[2] in");
    for (int f = 0; swq_formulas[f]; f++) {
        printf("    %s) ", swq_formulas[f]->name);
        print_arguments(ctx, command, swq_formulas[f]->name);
    }
    fputs("    *) ", stdout);
    print_arguments(ctx, command, NULL);
    puts("    esac ;;");
}

static void print_commands(const char *name)
{
    printf("    local -a %s=(\n", name);
    for (int c = 0; cli_commands[c]; c++)
        print_described(cli_commands[c]->name, cli_commands[c]->summary);
    puts("    )");
}

void cli_complete_zsh(swq_context *ctx)
{
    char text[CLI_WORDS_ROOM];

    puts("#compdef switchq\n# zsh completion for switchq " SWQ_VERSION
         ", written by 'switchq completion zsh' from the tables of its options\n");
    for (int c = 0; cli_commands[c]; c++) {
        zsh_part p = {cli_commands[c], NULL};
        cli_value value = cli_argument_value(cli_commands[c], text, sizeof text);
        cli_each_option(ctx, cli_commands[c], option_list, &p);
        if (value.kind == CLI_VALUE_LIST)
            print_list(cli_commands[c], value.list);
    }
    puts("_switchq_topics() {");
    print_commands("commands");
    puts("    local -a topics=(");
    for (int k = 0; cli_topics[k].name; k++)
        print_described(cli_topics[k].name, cli_topics[k].title);
    puts("    )\n    _describe -t commands command commands\n"
         "    _describe -t topics topic topics\n}\n");
    puts("_switchq() {");
    print_commands("commands");
    puts("    if ((CURRENT == 2)); then\n"
         "        _describe -t commands command commands\n"
         "        [[ $PREFIX != -* ]] || compadd -- --help --version\n"
         "        return\n"
         "    fi\n"
         "    shift words\n"
         "    ((CURRENT--))\n"
         "    case $words[1] in");
    for (int c = 0; cli_commands[c]; c++)
        print_command(ctx, cli_commands[c]);
    puts("    esac\n}\n\n"
         "# loaded by compinit it is the function itself; sourced, it is told what it is for\n"
         "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n"
         "    _switchq \"$@\"\n"
         "else\n"
         "    compdef _switchq switchq\n"
         "fi");
}
