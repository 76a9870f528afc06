/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Words of the field, and what they mean here: a row of a table, an option, or a page of help.
 */
#ifndef SWQ_CLI_FIELD_H
#define SWQ_CLI_FIELD_H

#include <stddef.h>

/* Where a meaning of a word stands. */
typedef enum cli_field_place {
    CLI_FIELD_ROW,    /* a row of `switchq list LIST` */
    CLI_FIELD_OPTION, /* an option of the commands named in `list` */
    CLI_FIELD_PAGE,   /* a page of `switchq help` */
    CLI_FIELD_NOWHERE /* not modelled; `row`: the term in full */
} cli_field_place;

typedef struct cli_field_word {
    const char *word, *list, *row; /* list of CLI_FIELD_NOWHERE: only messages on it; "": all */
    const char *about;             /* why that row, option or page; or what is nearest */
    cli_field_place place;
} cli_field_word;

/* All rows, where rows of the same word are neighbours, ended by a row without a word. */
extern const cli_field_word cli_field_words[];

/* The first row of the word `word`, in upper or lower case, with - or _ between its parts; or
 * NULL. */
const cli_field_word *cli_field_find(const char *word);

/* The meaning of a row in words, such as "option --lanes of 'switchq sim'". Returns `text`. */
const char *cli_field_meaning(const cli_field_word *row, char *text, size_t size);

/* If a message is about an unknown name that is a word of the field, adds the meanings of
 * the word, in `text`; other messages are unchanged. */
const char *cli_field_hint(const char *message, char *text, size_t size);

#endif
