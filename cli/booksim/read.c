/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The words of a BookSim configuration (its config.l and config.y): NAME = VALUE; with comments
 * that begin with // and end with their line.
 */
#include "base/context.h"
#include "cli/booksim/settings.h"
#include "cli/options/parse.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A place in the text of a file. */
typedef struct booksim_reader {
    swq_context *ctx;
    const char *path;
    char *at;
    int line;
} booksim_reader;

static void skip_blanks(booksim_reader *r)
{
    for (;;) {
        if (r->at[0] == '/' && r->at[1] == '/')
            r->at += strcspn(r->at, "\n");
        else if (isspace((unsigned char)*r->at))
            r->line += *r->at++ == '\n';
        else
            return;
    }
}

/* Takes a word that ends with a blank or one of `ends`; *length may be 0. */
static char *take_word(booksim_reader *r, const char *ends, size_t *length)
{
    skip_blanks(r);
    char *word = r->at;

    while (*r->at && !isspace((unsigned char)*r->at) && !strchr(ends, *r->at))
        r->at++;
    *length = (size_t)(r->at - word);
    return word;
}

/* Takes the sign `sign`. */
static bool take_sign(booksim_reader *r, char sign)
{
    skip_blanks(r);
    const bool there = *r->at == sign;

    r->at += there;
    return there;
}

static swq_status malformed(const booksim_reader *r, int line)
{
    return swq_fail(r->ctx, SWQ_EINVAL,
                    "%.200s, line %d: a setting of BookSim is NAME = VALUE; and a comment begins "
                    "with //",
                    r->path, line);
}

static int find(const char *name)
{
    int place = 0;

    while (booksim_rows[place].name && strcmp(booksim_rows[place].name, name) != 0)
        place++;
    return booksim_rows[place].name ? place : -1;
}

static swq_status read_setting(booksim_reader *r, booksim_values *values)
{
    size_t name_length, length;
    char *name = take_word(r, "=;", &name_length);
    const int line = r->line;
    const bool equals = take_sign(r, '=');
    char *text = take_word(r, ";", &length);

    if (!name_length || !equals || !length || length >= BOOKSIM_VALUE || !take_sign(r, ';'))
        return malformed(r, line);
    name[name_length] = text[length] = '\0';
    const int place = find(name);
    if (place < 0)
        return swq_fail(r->ctx, SWQ_EINVAL,
                        "%.200s, line %d: BookSim 2 has no setting '%.60s' (at commit 28f4329)",
                        r->path, line, name);
    values->value[place].text = text;
    values->value[place].line = line;
    return SWQ_OK;
}

swq_status booksim_read(swq_context *ctx, const char *path, booksim_values *values)
{
    *values = (booksim_values){.text = NULL};
    swq_status status = cli_read_file(ctx, path, 1, &values->text);
    booksim_reader r = {ctx, path, values->text, 1};
    int count = 0;

    if (status)
        return status;
    for (int k = 0; booksim_rows[k].name; k++)
        values->value[k].text = booksim_rows[k].preset;
    for (skip_blanks(&r); *r.at && !status; skip_blanks(&r), count++)
        status = read_setting(&r, values);
    if (!status && count == 0)
        status = swq_fail(ctx, SWQ_EINVAL, "%.200s: there is no setting of BookSim in it", path);
    return status;
}
