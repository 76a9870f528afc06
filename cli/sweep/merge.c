/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sweep --merge: when two answers are the same, and a summary of the merge.
 */
#include "study/merge.h"
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/sweep/flat.h"
#include "cli/sweep/views.h"

#include <string.h>

static bool same_value(const cJSON *a, const cJSON *b)
{
    if ((a->type & 0xff) != (b->type & 0xff))
        return false;
    if (cJSON_IsNumber(a))
        return a->valuedouble == b->valuedouble;
    return !cJSON_IsString(a) || strcmp(a->valuestring, b->valuestring) == 0;
}

static bool same_tree(const cJSON *a, const cJSON *b, char *where, size_t room)
{
    char below[100] = "";

    if (!same_value(a, b))
        return false;
    const cJSON *x = a->child, *y = b->child;
    for (; x && y; x = x->next, y = y->next) {
        const bool keyed = x->string && y->string;
        if (keyed && strcmp(x->string, y->string) != 0)
            return false;
        if (keyed && cli_flat_incidental(x->string))
            continue;
        if (!same_tree(x, y, below, sizeof below)) {
            snprintf(where, room, "%s%s%s", keyed ? x->string : "", *below ? "." : "", below);
            return false;
        }
    }
    return !x && !y;
}

static bool same_answer(const char *a, const char *b, char *where, size_t room)
{
    if (strcmp(a, b) == 0)
        return true;
    cJSON *x = cJSON_Parse(a), *y = cJSON_Parse(b);
    const bool same = x && y && same_tree(x, y, where, room);
    cJSON_Delete(x);
    cJSON_Delete(y);
    return same;
}

swq_status cli_sweep_merge(swq_context *ctx, swq_store *store, const char *const *part, int parts,
                           const char *prefer)
{
    static const char *const words[] = {"newest", NULL};
    swq_merge_options options = {.same = same_answer, .prefer_newest = prefer != NULL};
    swq_merge_counts c;
    swq_store_counts all;
    int word;

    swq_status status = prefer ? cli_word(ctx, "prefer", prefer, words, &word) : SWQ_OK;
    if (!status && parts < 1)
        status = swq_fail(ctx, SWQ_EINVAL, "--merge needs the databases to take answers from");
    if (!status)
        status = swq_store_merge(ctx, store, part, parts, &options, &c);
    if (!status)
        status = swq_store_count(ctx, store, &all);
    if (status)
        return status;
    cli_clear_progress();
    printf("%s: %lld points of %d database%s merged: %lld answers taken, %lld there already",
           swq_store_path(store), (long long)c.points, parts, parts == 1 ? "" : "s",
           (long long)c.taken, (long long)c.same);
    if (c.replaced)
        printf(", %lld replaced by newer ones", (long long)c.replaced);
    if (c.failed)
        printf(", %lld failures taken", (long long)c.failed);
    if (c.foreign)
        printf(", %lld points new to it", (long long)c.foreign);
    if (all.wanted) /* a database given instead of the study may have been empty */
        printf("; %lld of %lld points of the study are done", (long long)all.done,
               (long long)all.wanted);
    putchar('\n');
    return cli_flush(ctx);
}
