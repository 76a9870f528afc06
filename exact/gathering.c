/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sparse vectors of rationals under construction.
 */
#include "exact/gathering.h"

#include "base/context.h"

void swq_gathering_clear(swq_context *ctx, swq_gathering *g)
{
    for (int64_t k = 0; k < g->made; k++)
        mpq_clear(g->value[k]);
    swq_free(ctx, g->value);
    swq_free(ctx, g->col);
    swq_free(ctx, g->place);
}

static swq_status make_room(swq_context *ctx, swq_gathering *g, int32_t col)
{
    if (col >= g->places) {
        int64_t places = 2 * (int64_t)col + 64;
        int32_t *place = swq_resize(ctx, g->place, (size_t)places, sizeof *place);
        if (!place)
            return swq_memory_status(ctx);
        g->place = place;
        g->places = places;
    }
    if (g->count == g->room) {
        int64_t room = 2 * g->room + 64;
        int32_t *cols = swq_resize(ctx, g->col, (size_t)room, sizeof *cols);
        if (!cols)
            return swq_memory_status(ctx);
        g->col = cols;
        mpq_t *value = swq_resize(ctx, g->value, (size_t)room, sizeof *value);
        if (!value)
            return swq_memory_status(ctx);
        g->value = value;
        for (g->room = room; g->made < room; g->made++)
            mpq_init(g->value[g->made]);
    }
    return SWQ_OK;
}

swq_status swq_gathering_add(swq_context *ctx, swq_gathering *g, int32_t col, const mpq_t value)
{
    swq_status status = make_room(ctx, g, col);
    if (status)
        return status;
    if (g->place[col]) {
        mpq_t *at = &g->value[g->place[col] - 1];
        mpq_add(*at, *at, value);
    } else {
        g->col[g->count] = col;
        mpq_set(g->value[g->count], value);
        g->place[col] = (int32_t)++g->count;
    }
    return SWQ_OK;
}

void swq_gathering_empty(swq_gathering *g)
{
    for (int64_t k = 0; k < g->count; k++)
        g->place[g->col[k]] = 0;
    g->count = 0;
}
