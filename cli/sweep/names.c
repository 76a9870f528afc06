/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The names of what the points of a study have: their options and their results.
 */
#include "base/context.h"
#include "cli/sweep/flat.h"
#include "cli/sweep/views.h"

#include <string.h>

/* The index of a name or, if it is not there, the index at which it would be inserted. */
static int place(const cli_names *names, const char *name, bool *there)
{
    int low = 0, high = names->count;

    *there = false;
    while (low < high && !*there) {
        const int middle = low + (high - low) / 2;
        const int order = strcmp(names->name[middle], name);
        if (order == 0) {
            *there = true;
            return middle;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int cli_names_find(const cli_names *names, const char *name)
{
    bool there;
    const int at = place(names, name, &there);

    return there ? at : -1;
}

swq_status cli_names_add(swq_context *ctx, cli_names *names, const char *name)
{
    bool there;
    const int at = place(names, name, &there);
    const size_t length = strlen(name);

    if (there)
        return SWQ_OK;
    if (names->count == names->room) {
        const int room = names->room ? 2 * names->room : 32;
        char **more = swq_resize(ctx, names->name, (size_t)room, sizeof *more);
        if (!more)
            return swq_memory_status(ctx);
        names->name = more;
        names->room = room;
    }
    char *copy = swq_calloc(ctx, length + 1, 1);
    if (!copy)
        return swq_memory_status(ctx);
    memcpy(copy, name, length + 1);
    memmove(names->name + at + 1, names->name + at,
            (size_t)(names->count - at) * sizeof *names->name);
    names->name[at] = copy;
    names->count++;
    return SWQ_OK;
}

void cli_names_clear(swq_context *ctx, cli_names *names)
{
    for (int k = 0; k < names->count; k++)
        swq_free(ctx, names->name[k]);
    swq_free(ctx, names->name);
    *names = (cli_names){0};
}

swq_status cli_sweep_option_names(swq_context *ctx, const cJSON *options, cli_names *names)
{
    swq_status status = SWQ_OK;

    for (const cJSON *o = options ? options->child : NULL; o && !status; o = o->next) {
        if (strcmp(o->string, "seed") != 0)
            status = cli_names_add(ctx, names, o->string);
    }
    return status;
}

typedef struct {
    swq_context *ctx;
    cli_names *names;
    bool numbers;
} names_collector;

static swq_status collect(void *arg, const char *key, const cJSON *value)
{
    names_collector *c = arg;

    return c->numbers && !cJSON_IsNumber(value) ? SWQ_OK : cli_names_add(c->ctx, c->names, key);
}

swq_status cli_sweep_result_names(swq_context *ctx, const cJSON *answer, bool numbers,
                                  cli_names *names)
{
    names_collector c = {ctx, names, numbers};

    return cli_flat_walk(answer, collect, &c);
}

swq_status cli_sweep_parse(swq_context *ctx, const swq_row *row, const char *text, cJSON **tree)
{
    *tree = text ? cJSON_Parse(text) : NULL;
    if (text && !*tree)
        return swq_fail(ctx, SWQ_EIO, "what is stored for point '%.200s' is not JSON", row->point);
    return SWQ_OK;
}
