/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lists of `switchq list`, for help and completion: names come from the tables, never from a
 * second list of them.
 */
#ifndef SWQ_CLI_LIST_H
#define SWQ_CLI_LIST_H

#include <stdbool.h>

/* The kinds of model for which an item can be used. */
typedef enum {
    CLI_FOR_ALL,
    CLI_FOR_SWITCH,
    CLI_FOR_NETWORK,
    CLI_FOR_ASYNC,
    CLI_FOR_STAGE_CYCLES
} cli_use;

/* A name, its meaning, and its source or its guarantees (NULL: neither). */
typedef struct cli_item {
    const char *name, *summary, *more;
    cli_use only;
} cli_item;

/* Item k of a list such as "buffers"; false: there are not that many. */
bool cli_list_item(const char *list, int k, cli_item *item);

/* Prints what a word of the field means here, or the rows of this name; false: nothing is known. */
bool cli_list_print_word(const char *word);

/* Prints the list `list` as `switchq list` does. */
void cli_list_print(const char *list);

#endif
