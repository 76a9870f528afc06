/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Completion for bash, which shows words alone.
 * Room: cli.
 */
#include "cli/help/completion.h"
#include "cli/help/help.h"
#include "switchq/formula.h"
#include "switchq/version.h"

#include <string.h>

static void print_words(const cli_command *command, const cli_value *value)
{
    char word[64];
    cli_item item;

    if (value->kind == CLI_VALUE_WORDS)
        fputs(value->words, stdout);
    for (int k = 0; value->kind == CLI_VALUE_LIST &&
                    cli_list_word(command, value->list, k, &item, word, sizeof word);
         k++)
        printf("%s%s", k ? " " : "", word);
    if (value->kind == CLI_VALUE_TOPICS) {
        for (int k = 0; cli_commands[k]; k++)
            printf("%s ", cli_commands[k]->name);
        for (int k = 0; cli_topics[k].name; k++)
            printf("%s%s", k ? " " : "", cli_topics[k].name);
    }
}

/* What one case sets, or nothing where nothing can be offered. */
static void print_value(const cli_command *command, const cli_value *value)
{
    switch (value->kind) {
    case CLI_VALUE_FILES:
        fputs("kind=files", stdout);
        break;
    case CLI_VALUE_FOLDERS:
        fputs("kind=folders", stdout);
        break;
    case CLI_VALUE_WORDS:
    case CLI_VALUE_LIST:
    case CLI_VALUE_TOPICS:
        fputs("words='", stdout);
        print_words(command, value);
        putchar('\'');
        break;
    default:
        putchar(':');
    }
}

/* Options of a command, those for one of its arguments alone. */
typedef struct {
    const cli_command *command;
    const char *argument;
    int printed;
} bash_part;

static void option_value(void *arg, const struct poptOption *option, const char *section)
{
    const cli_command *command = ((const bash_part *)arg)->command;
    char text[CLI_WORDS_ROOM];
    cli_value value = cli_option_value(option, text, sizeof text);

    (void)section;
    if (value.kind == CLI_VALUE_NONE)
        return;
    printf("        --%s", option->longName);
    if (option->shortName)
        printf(" | -%c", option->shortName);
    fputs(") ", stdout);
    print_value(command, &value);
    puts(" ;;");
}

static void option_name(void *arg, const struct poptOption *option, const char *section)
{
    bash_part *n = arg;

    (void)section;
    if (cli_option_applies(n->command, n->argument, option))
        printf("%s--%s", n->printed++ ? " " : "", option->longName);
}

static void print_names(swq_context *ctx, const cli_command *command, const char *argument)
{
    bash_part n = {command, argument, 0};

    fputs("options='", stdout);
    cli_each_option(ctx, command, option_name, &n);
    puts("' ;;");
}

static void print_options(swq_context *ctx)
{
    puts("_switchq_options() {\n    case $1 in");
    for (int c = 0; cli_commands[c]; c++) {
        const cli_command *command = cli_commands[c];
        printf("    %s) ", command->name);
        if (command == &cli_formula) {
            puts("\n        case $2 in");
            for (int f = 0; swq_formulas[f]; f++) {
                printf("        %s) ", swq_formulas[f]->name);
                print_names(ctx, command, swq_formulas[f]->name);
            }
            fputs("        *) ", stdout);
            print_names(ctx, command, NULL);
            puts("        esac ;;");
        } else {
            print_names(ctx, command, NULL);
        }
    }
    puts("    esac\n}\n");
}

static void print_values(swq_context *ctx)
{
    puts("_switchq_value() {\n    case $1 in");
    for (int c = 0; cli_commands[c]; c++) {
        printf("    %s)\n        case $2 in\n", cli_commands[c]->name);
        cli_each_option(ctx, cli_commands[c], option_value, &(bash_part){cli_commands[c], NULL, 0});
        puts("        *) return 1 ;;\n        esac ;;");
    }
    puts("    *) return 1 ;;\n    esac\n}\n");
}

static void print_arguments(void)
{
    char text[CLI_WORDS_ROOM];

    puts("_switchq_argument() {\n    case $1 in");
    for (int c = 0; cli_commands[c]; c++) {
        cli_value value = cli_argument_value(cli_commands[c], text, sizeof text);
        if (value.kind == CLI_VALUE_NONE)
            continue;
        printf("    %s) ", cli_commands[c]->name);
        print_value(cli_commands[c], &value);
        puts(" ;;");
    }
    puts("    esac\n}\n");
}

/* bash gives --option=value and hotspot:0.2 in three words, since '=' and ':' break words. */
static const char body[] =
    "_switchq() {\n"
    "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "    local command=${COMP_WORDS[1]} words='' options='' kind=words\n"
    "    COMPREPLY=()\n"
    "    if [[ $current == [=:] ]]; then\n"
    "        local sign=$current\n"
    "        current=''\n"
    "    elif [[ $before == [=:] ]] && ((COMP_CWORD > 2)); then\n"
    "        local sign=$before\n"
    "        before=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    fi\n"
    "    if [[ ${sign-} == : ]]; then\n"
    "        [[ $before == file || $before == trace ]] || return\n"
    "        kind=files\n"
    "    elif ((COMP_CWORD == 1)); then\n"
    "        words=$commands\n"
    "    elif [[ $before == -* ]] && _switchq_value \"$command\" \"$before\"; then\n"
    "        :\n"
    "    elif [[ $current == -* ]]; then\n"
    "        _switchq_options \"$command\" \"${COMP_WORDS[2]}\"\n"
    "        words=$options\n"
    "    elif ((COMP_CWORD == 2)); then\n"
    "        _switchq_argument \"$command\"\n"
    "        if [[ ! $words && $kind == words ]]; then\n"
    "            _switchq_options \"$command\" ''\n"
    "            words=$options\n"
    "        fi\n"
    "    else\n"
    "        _switchq_options \"$command\" \"${COMP_WORDS[2]}\"\n"
    "        words=$options\n"
    "    fi\n"
    "    case $kind in\n"
    "    files) mapfile -t COMPREPLY < <(compgen -f -- \"$current\") ;;\n"
    "    folders) mapfile -t COMPREPLY < <(compgen -d -- \"$current\") ;;\n"
    "    *) mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\") ;;\n"
    "    esac\n"
    "    [[ $kind == words ]] || compopt -o filenames 2>/dev/null\n"
    "    [[ ${COMPREPLY[0]-} != *: ]] || compopt -o nospace 2>/dev/null\n"
    "}\n"
    "complete -F _switchq switchq\n";

void cli_complete_bash(swq_context *ctx)
{
    puts("# bash completion for switchq " SWQ_VERSION
         ", written by 'switchq completion bash' from the tables of its options\n");
    print_options(ctx);
    print_values(ctx);
    print_arguments();
    const char *at = strstr(body, "$commands");
    printf("%.*s'", (int)(at - body), body);
    for (int c = 0; cli_commands[c]; c++)
        printf("%s ", cli_commands[c]->name);
    printf("--help --version'%s", at + strlen("$commands"));
}
