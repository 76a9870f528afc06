/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Quantities with two names: the fraction of packets that a simulation lost, which is the estimate
 * of a probability; and options whose key in an answer is longer.
 */
#include "cli/record/inside.h"

#include <stdio.h>
#include <string.h>

bool cli_also_named(const cli_record *field, cli_record *same)
{
    if (!field->key || strcmp(field->key, "discard_fraction") != 0 || field->kind != CLI_NUMBER)
        return false;
    *same = *field;
    same->key = "discard_probability";
    if (same->known == CLI_PROVEN)
        same->stem = same->key;
    return true;
}

/* Options and their longer keys. */
static const char *const longer[][2] = {
    {"bytes", "buffer_bytes"}, {"iterations", "arbiter_iterations"}, {"levels", "tree_levels"}};

/* Take the name in column `to` of the row that has `name` in column `from`, or the name itself, and
 * replace a character by another. */
static void translate(const char *name, int from, int to, char replaced, char other, char *text,
                      size_t size)
{
    for (size_t k = 0; k < sizeof longer / sizeof *longer; k++)
        name = strcmp(longer[k][from], name) == 0 ? longer[k][to] : name;
    snprintf(text, size, "%s", name);
    for (char *c = text; *c; c++)
        *c = *c == replaced ? other : *c;
}

void cli_key_of_option(const char *option, char *key, size_t size)
{
    translate(option, 0, 1, '-', '_', key, size);
}

void cli_option_of_key(const char *key, char *option, size_t size)
{
    translate(key, 1, 0, '_', '-', option, size);
}

static const char *meaning_of(const char *option)
{
    char key[60];

    cli_key_of_option(option, key, sizeof key);
    const cli_quantity *row = cli_quantity_of(key);
    if (!row)
        return NULL;
    return row->unit && !strstr(row->about, row->unit) ? row->unit : row->about;
}

void cli_option_meaning(const char *option, bool async, char *text, size_t size)
{
    static const char asynchronous[] = " (asynchronous: ";
    const char *means = meaning_of(option), *inner = means ? strstr(means, asynchronous) : NULL;
    const char *end = inner ? strchr(inner, ')') : NULL;

    if (!end)
        snprintf(text, size, "%s", means ? means : "");
    else if (async)
        snprintf(text, size, "%.*s", (int)(end - inner - (long)strlen(asynchronous)),
                 inner + strlen(asynchronous));
    else
        snprintf(text, size, "%.*s%s", (int)(inner - means), means, end + 1);
}
