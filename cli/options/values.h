/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What may stand behind an option, or as a command's argument, as far as words can be listed: for
 * completion and manual pages.
 * Room: cli.
 */
#ifndef SWQ_CLI_VALUES_H
#define SWQ_CLI_VALUES_H

#include "cli/help/list.h"
#include "cli/options/options.h"

typedef enum cli_value_kind {
    CLI_VALUE_NONE,    /* the option takes nothing */
    CLI_VALUE_ANY,     /* a number or text: nothing to offer */
    CLI_VALUE_WORDS,   /* one of a few words */
    CLI_VALUE_LIST,    /* one of a list of `switchq list` */
    CLI_VALUE_TOPICS,  /* a topic or command, of `switchq help` */
    CLI_VALUE_FILES,   /* an existing or a new file */
    CLI_VALUE_FOLDERS, /* a folder */
} cli_value_kind;

typedef struct cli_value {
    cli_value_kind kind;
    const char *words; /* WORDS: apart by blanks */
    const char *list;  /* LIST: its name */
} cli_value;

/* What an option of a command takes, by the option's name and the description of its argument, such
 * as discard|block or FILE. Words are written to text[size]. */
cli_value cli_option_value(const struct poptOption *option, char *text, size_t size);

/* What a command takes besides options, by its name and its usage. */
cli_value cli_argument_value(const cli_command *command, char *text, size_t size);

/* Is the option for this argument of the command? A formula has its own parameters alone; with any
 * other command, and without an argument, the answer is yes. */
bool cli_option_applies(const cli_command *command, const char *argument,
                        const struct poptOption *option);

/* The k-th word, from 0 on, of a list that a command can use. A word that something must follow, as
 * in file:PATH, ends in ':'; items that are no word are passed over. False: there
 * are not so many. */
bool cli_list_word(const cli_command *command, const char *list, int k, cli_item *item, char *word,
                   size_t size);

/* All options of a command in the order of its help, one by one; `section` is the heading that they
 * stand under, or NULL. */
typedef void (*cli_option_fn)(void *arg, const struct poptOption *option, const char *section);
void cli_each_option(swq_context *ctx, const cli_command *command, cli_option_fn each, void *arg);

#endif
