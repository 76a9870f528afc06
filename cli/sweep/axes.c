/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sweep --plot: the words that say what to draw.
 */
#include "base/context.h"
#include "cli/print/append.h"
#include "cli/sweep/views.h"

#include <string.h>

static const char usage[] = "x=KEY y=KEY [by=KEY,...] [logx] [logy] [where KEY=VALUE ...]";

static swq_status wrong(swq_context *ctx, const char *word, const char *why)
{
    return swq_fail(ctx, SWQ_EINVAL, "--plot: '%.60s'%s; it takes %s", word, why, usage);
}

/* "a,b,c"; cuts the text in place. */
static swq_status read_by(swq_context *ctx, char *text, cli_sweep_axes *axes)
{
    for (char *rest, *key = strtok_r(text, ",", &rest); key; key = strtok_r(NULL, ",", &rest)) {
        if (axes->bys == CLI_SWEEP_MOST_BY)
            return swq_fail(ctx, SWQ_EINVAL, "--plot: by takes at most %d keys", CLI_SWEEP_MOST_BY);
        axes->by[axes->bys++] = key;
    }
    return SWQ_OK;
}

/* Reads a word KEY=VALUE, and cuts it in place at the =. */
static swq_status read_word(swq_context *ctx, char *word, bool *where, cli_sweep_axes *axes)
{
    char *value = strchr(word, '=');

    if (strcmp(word, "where") == 0) {
        *where = true;
        return SWQ_OK;
    }
    if (strcmp(word, "logx") == 0)
        axes->logx = true;
    else if (strcmp(word, "logy") == 0)
        axes->logy = true;
    else if (!value || value == word || !value[1])
        return wrong(ctx, word, " is none of its words");
    if (!value)
        return SWQ_OK;
    *value++ = '\0';
    const char **axis = strcmp(word, "x") == 0   ? &axes->x
                        : strcmp(word, "y") == 0 ? &axes->y
                                                 : NULL;
    const bool by = strcmp(word, "by") == 0; /* no option has this name, nor x or y */
    if (*where && !axis && !by) {
        if (axes->wheres == CLI_SWEEP_MOST_WHERE)
            return swq_fail(ctx, SWQ_EINVAL, "--plot: where takes at most %d conditions",
                            CLI_SWEEP_MOST_WHERE);
        axes->where[axes->wheres].key = word;
        axes->where[axes->wheres++].value = value;
        return SWQ_OK;
    }
    if (by)
        return axes->bys ? wrong(ctx, "by", " is there twice") : read_by(ctx, value, axes);
    if (!axis)
        return wrong(ctx, word, " before 'where' is neither x, y nor by");
    if (*axis)
        return wrong(ctx, word, " is there twice");
    *axis = value;
    return SWQ_OK;
}

swq_status cli_sweep_axes_read(swq_context *ctx, const char *const *word, int words,
                               cli_sweep_axes *axes)
{
    size_t length = 1;
    bool where = false;

    *axes = (cli_sweep_axes){0};
    for (int k = 0; k < words; k++)
        length += strlen(word[k]) + 1;
    axes->words = swq_calloc(ctx, length, 1);
    if (!axes->words)
        return swq_memory_status(ctx);
    for (int k = 0; k < words; k++)
        cli_append(axes->words, length, "%s ", word[k]);
    swq_status status = SWQ_OK;
    for (char *rest, *one = strtok_r(axes->words, " ", &rest); one && !status;
         one = strtok_r(NULL, " ", &rest))
        status = read_word(ctx, one, &where, axes);
    if (!status && (!axes->x || !axes->y))
        status = swq_fail(ctx, SWQ_EINVAL, "--plot needs %s: it takes %s",
                          !axes->x ? "x=KEY" : "y=KEY", usage);
    return status;
}

void cli_sweep_axes_clear(swq_context *ctx, cli_sweep_axes *axes)
{
    swq_free(ctx, axes->words);
    *axes = (cli_sweep_axes){0};
}
