/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Words of the field: other books' and tools' names for things that have another name here.
 */
#include "cli/options/field.h"
#include "cli/print/append.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

const cli_field_word cli_field_words[] = {
#include "cli/options/field.inc"
    {NULL, NULL, NULL, NULL, CLI_FIELD_NOWHERE},
};

const cli_field_word *cli_field_find(const char *word)
{
    char dashed[60];
    size_t length = 0;

    for (; word[length] && length + 1 < sizeof dashed; length++)
        dashed[length] = word[length] == '_' || word[length] == ' ' ? '-' : word[length];
    dashed[length] = '\0';
    for (const cli_field_word *row = cli_field_words; row->word; row++) {
        if (strcasecmp(row->word, dashed) == 0)
            return row;
    }
    return NULL;
}

const char *cli_field_meaning(const cli_field_word *row, char *text, size_t size)
{
    switch (row->place) {
    case CLI_FIELD_ROW:
        snprintf(text, size, "'%s' of 'switchq list %s'", row->row, row->list);
        break;
    case CLI_FIELD_OPTION:
        snprintf(text, size, "option %s of %s", row->row, row->list);
        break;
    case CLI_FIELD_PAGE:
        snprintf(text, size, "the page 'switchq help %s'", row->row);
        break;
    case CLI_FIELD_NOWHERE:
        snprintf(text, size, "%s", row->row);
        break;
    }
    return text;
}

const char *cli_field_hint(const char *message, char *text, size_t size)
{
    const char *end = strstr(message, "' is unknown");
    const char *begin = end;
    char word[48];

    while (begin && begin > message && begin[-1] != '\'')
        begin--;
    if (!begin || begin == message || (size_t)(end - begin) >= sizeof word)
        return message;
    memcpy(word, begin, (size_t)(end - begin));
    word[end - begin] = '\0';
    const cli_field_word *row = cli_field_find(word);
    if (!row || (row->place == CLI_FIELD_NOWHERE && !strstr(message, row->list)))
        return message;
    snprintf(text, size, "%.*s' is unknown; in the field it is ", (int)(end - message), message);
    for (const cli_field_word *r = row; r->word && strcmp(r->word, row->word) == 0; r++) {
        char meaning[120];
        cli_append(text, size, "%s%s (%s)", r == row ? "" : ", or ",
                   cli_field_meaning(r, meaning, sizeof meaning), r->about);
    }
    return text;
}
