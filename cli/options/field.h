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

/* All, those of one word one after another, ended by one without a word. */
extern const cli_field_word cli_field_words[];

/* The first one of that word, in capitals or not, or NULL. */
const cli_field_word *cli_field_find(const char *word);

/* A message about a name that is unknown: where the name is a word of the field, with where that
 * leads behind it, in text; else as it is. */
const char *cli_field_hint(const char *message, char *text, size_t size);

#endif
