/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --shape: sizes that the row of one topology has for itself, KEY=N or KEY=WORD joined by commas.
 */
#include "base/context.h"
#include "cli/print/append.h"
#include "cli/spec/async.h"

#include <stdlib.h>
#include <string.h>

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(text, word, length) == 0;
}

/* The place of a key among the sizes of a row; -1: it is none of them. */
static int place_of(const swq_fabric_size *sizes, const char *key, size_t length)
{
    for (int k = 0; sizes[k].name; k++) {
        if (is_word(key, length, sizes[k].name))
            return k;
    }
    return -1;
}

/* A value as the row has it: a number of at least 1, or the place of a word; -1: it is neither. */
static int value_of(const swq_fabric_size *size, const char *text, size_t length)
{
    for (int k = 0; size->words && size->words[k]; k++) {
        if (is_word(text, length, size->words[k]))
            return k;
    }
    if (size->words || length == 0 || length > 6 || strspn(text, "0123456789") < length ||
        atoi(text) == 0)
        return -1;
    return atoi(text);
}

/* "p=N, a=N, h=N, arrangement=consecutive|palmtree": what --shape of a topology may have. */
static void say_sizes(const swq_fabric_size *sizes, char *text, size_t size)
{
    *text = '\0';
    for (int k = 0; sizes[k].name; k++) {
        cli_append(text, size, "%s%s=%s", k ? "," : "", sizes[k].name, sizes[k].words ? "" : "N");
        for (int w = 0; sizes[k].words && sizes[k].words[w]; w++)
            cli_append(text, size, "%s%s", w ? "|" : "", sizes[k].words[w]);
    }
}

static swq_status refuse(swq_context *ctx, const swq_shape *shape, const char *text)
{
    char sizes[300];

    say_sizes(shape->kind->sizes, sizes, sizeof sizes);
    return swq_fail(ctx, SWQ_EINVAL,
                    "--shape of topology %s must be of %s, each once and numbers at least 1, not "
                    "'%.60s'",
                    shape->kind->name, sizes, text);
}

swq_status cli_sizes_read(swq_context *ctx, swq_shape *shape, const char *text)
{
    const swq_fabric_size *sizes = shape->kind->sizes;
    bool given[SWQ_MAX_SIZES] = {false};

    if (!sizes && text)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--shape is for topologies with sizes of their own (dragonfly, hyperx, "
                        "slimfly, polarfly, megafly), not for %s",
                        swq_shape_name(shape));
    for (const char *at = text ? text : ""; *at;) {
        const size_t key = strcspn(at, "=,"),
                     length = at[key] == '=' ? strcspn(at + key + 1, ",") : 0;
        const char *end = at + key + (at[key] == '=') + length;
        const int place = place_of(sizes, at, key);
        const int value = place < 0 ? -1 : value_of(&sizes[place], at + key + 1, length);
        if (value < 0 || given[place] || (*end == ',' && !end[1]))
            return refuse(ctx, shape, text);
        given[place] = true;
        shape->size[place] = value;
        at = end + (*end == ',');
    }
    for (int k = 0; sizes && sizes[k].name; k++) {
        if (!given[k] && sizes[k].needed)
            return swq_fail(ctx, SWQ_EINVAL, "--shape %s=N is required for topology %s: %s",
                            sizes[k].name, shape->kind->name, sizes[k].summary);
    }
    return SWQ_OK;
}

void cli_put_sizes(cli_record *model, const swq_shape *counted)
{
    const swq_fabric_size *sizes = counted->kind->sizes;
    char text[200] = "";

    for (int k = 0; sizes && sizes[k].name; k++) {
        cli_append(text, sizeof text, "%s%s=", k ? "," : "", sizes[k].name);
        if (sizes[k].words)
            cli_append(text, sizeof text, "%s", sizes[k].words[counted->size[k]]);
        else
            cli_append(text, sizeof text, "%d", counted->size[k]);
    }
    if (sizes)
        cli_put_word(model, "shape", text);
}
