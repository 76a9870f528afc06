/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How mistakes in a study's file are told: where they are, and what was probably meant.
 */
#include "base/context.h"
#include "base/names.h"
#include "study/plan.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

swq_status swq_plan_fail(const swq_plan_reader *r, int line, const char *format, ...)
{
    char text[560];
    va_list arguments;

    va_start(arguments, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start is above
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return swq_fail(r->ctx, SWQ_EINVAL, "%.100s, line %d: %s", r->path, line, text);
}

const char *swq_plan_nearest(const char *name, const char *const *known)
{
    const char *best = NULL;
    int distance = INT_MAX;

    for (; *known; known++) {
        const int d = swq_name_distance(name, *known);
        if (d < distance) {
            distance = d;
            best = *known;
        }
    }
    return distance <= (int)(strlen(name) + 2) / 3 ? best : NULL;
}

void swq_plan_join(const char *const *words, char *text, size_t room)
{
    *text = '\0';
    for (int k = 0; words[k]; k++) {
        const size_t used = strlen(text);
        snprintf(text + used, room - used, "%s%s", k ? ", " : "", words[k]);
    }
}

swq_status swq_plan_keys(const swq_plan_reader *r, const swq_node *map, const char *what,
                         const char *const *known)
{
    for (int k = 0; k < map->count; k++) {
        const char *key = map->key[k]->text, *best = swq_plan_nearest(key, known);
        char all[120];
        int at = 0;
        while (known[at] && strcmp(known[at], key) != 0)
            at++;
        if (known[at])
            continue;
        swq_plan_join(known, all, sizeof all);
        return swq_plan_fail(r, map->key[k]->line, "%s has no key '%.40s'%s%s%s; known: %s", what,
                             key, best ? "; did you mean '" : "", best ? best : "",
                             best ? "'?" : "", all);
    }
    return SWQ_OK;
}
