/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The values of an option, or the arguments of a command, as far as they can be listed: for
 * completion and manual pages.
 */
#ifndef SWQ_CLI_VALUES_H
#define SWQ_CLI_VALUES_H

#include "cli/help/list.h"
#include "cli/options/options.h"

enum { CLI_WORDS_ROOM = 512 }; /* for the words of an option */

typedef enum cli_value_kind {
    CLI_VALUE_NONE,    /* the option takes no value */
    CLI_VALUE_ANY,     /* a number or text: nothing to offer */
    CLI_VALUE_WORDS,   /* one of a few words */
    CLI_VALUE_LIST,    /* one of a list of `switchq list` */
    CLI_VALUE_TOPICS,  /* a topic or command, of `switchq help` */
    CLI_VALUE_FILES,   /* an existing or a new file */
    CLI_VALUE_FOLDERS, /* a folder */
} cli_value_kind;

typedef struct cli_value {
    cli_value_kind kind;
    const char *words; /* WORDS: separated by blanks */
    const char *list;  /* LIST: its name */
} cli_value;

/* The kind of value that an option takes, found from the option's name and the description of its
 * argument, such as discard|block or FILE. Words are written to text[size]. */
cli_value cli_option_value(const struct poptOption *option, char *text, size_t size);

/* The kind of argument that a command takes besides options, found from the command's name and
 * usage. */
cli_value cli_argument_value(const cli_command *command, char *text, size_t size);

/* Word k of a list that a command can use. A word that something must follow, as in file:PATH, ends
 * in ':'; items that are not words are skipped. False: there are not that many. */
bool cli_list_word(const cli_command *command, const char *list, int k, cli_item *item, char *word,
                   size_t size);

#endif
