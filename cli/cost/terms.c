/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The terms of a cost, read from a file of numbers by name, and printed as a table.
 */
#include "base/context.h"
#include "cli/cost/cost.h"
#include "cli/options/parse.h"
#include "study/tree.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20 };

/* Reads a whole file. The caller frees *text with swq_free. */
static swq_status read_text(swq_context *ctx, const char *path, char **text, size_t *size)
{
    FILE *file = fopen(path, "r");

    if (!file)
        return cli_cannot_read(ctx, path);
    *text = swq_calloc(ctx, MOST_BYTES + 1, 1);
    if (!*text) {
        fclose(file);
        return swq_memory_status(ctx);
    }
    *size = fread(*text, 1, MOST_BYTES + 1, file);
    swq_status status = ferror(file) ? cli_cannot_read(ctx, path) : SWQ_OK;
    fclose(file);
    if (!status && *size > MOST_BYTES)
        status = swq_fail(ctx, SWQ_EINVAL, "'%.150s' is larger than a megabyte", path);
    return status;
}

static swq_status set_term(swq_context *ctx, const char *path, const swq_node *name,
                           const swq_node *value, swq_cost_terms *terms)
{
    char *end = NULL, message[240];
    const double number = value->kind == SWQ_NODE_TEXT ? strtod(value->text, &end) : NAN;

    if (value->kind != SWQ_NODE_TEXT || end == value->text || *end || !isfinite(number))
        return swq_fail(ctx, SWQ_EINVAL, "%.150s, line %d: the term %.40s must be a number", path,
                        value->line, name->text);
    swq_status status = swq_cost_term_set(ctx, terms, name->text, number);
    if (!status)
        return SWQ_OK;
    snprintf(message, sizeof message, "%s", swq_context_message(ctx));
    return swq_fail(ctx, status, "%.150s, line %d: %s", path, name->line, message);
}

static swq_status set_all(swq_context *ctx, const char *path, const char *text, size_t size,
                          swq_arena *arena, swq_cost_terms *terms)
{
    swq_node **document = NULL;
    int documents = 0;
    swq_status status = swq_yaml_read(ctx, path, text, size, arena, &document, &documents);

    if (!status && (documents != 1 || document[0]->kind != SWQ_NODE_MAP))
        return swq_fail(ctx, SWQ_EINVAL,
                        "%.150s: a file of terms is one map of names to numbers, such as "
                        "\"cam-cells: 3\"",
                        path);
    for (int k = 0; !status && k < document[0]->count; k++)
        status = set_term(ctx, path, document[0]->key[k], document[0]->item[k], terms);
    return status;
}

swq_status cli_cost_terms_read(swq_context *ctx, const char *path, swq_cost_terms *terms)
{
    swq_arena arena = {0};
    char *text = NULL;
    size_t size = 0;

    *terms = swq_cost_terms_defaults();
    if (!path)
        return SWQ_OK;
    swq_status status = read_text(ctx, path, &text, &size);
    if (!status)
        status = set_all(ctx, path, text, size, &arena, terms);
    swq_arena_clear(ctx, &arena);
    swq_free(ctx, text);
    return status;
}

void cli_put_cost_terms(cli_record *to, const swq_cost_terms *terms)
{
    cli_record *list = cli_not_in_csv(cli_put_named(to, "terms", NULL));

    for (const swq_cost_term *row = swq_cost_term_rows; row->name; row++) {
        const double value = *(const double *)(const void *)((const char *)terms + row->offset);
        cli_record *item = cli_put_item(list, row->name);
        cli_put_number(item, "value", value);
        cli_put_word(item, "summary", row->summary);
        cli_put_word(item, "source", value == row->usual ? row->source : "--cost-file");
    }
}
