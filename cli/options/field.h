/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Words of the field, and the rows of our tables that they mean.
 * Room: cli.
 */
#ifndef SWQ_CLI_FIELD_H
#define SWQ_CLI_FIELD_H

#include <stddef.h>

typedef struct cli_field_word {
    const char *word, *list, *row; /* row: of 'switchq list LIST' */
    const char *about;             /* why that row */
} cli_field_word;

/* All rows, where rows of the same word are neighbours, ended by a row without a word. */
extern const cli_field_word cli_field_words[];

/* The first row of the word `word`, in upper or lower case; or NULL. */
const cli_field_word *cli_field_find(const char *word);

/* If a message is about an unknown name that is a word of the field, adds the row of `switchq list`
 * to which the word leads, in `text`; other messages are unchanged. */
const char *cli_field_hint(const char *message, char *text, size_t size);

#endif
