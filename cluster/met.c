/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A set of numbers, numbered as they come.
 */
#ifdef SWQ_HAVE_PETSC

#include "cluster/met.h"

#include "base/context.h"

enum { FIRST_SLOTS = 1024 };

static int64_t slot_of(const swq_met *met, uint64_t node)
{
    int64_t at = (int64_t)(node * 0x9e3779b97f4a7c15u >> 20) & (met->slots - 1);

    while (met->slot[at] && met->node[met->slot[at] - 1] != node)
        at = (at + 1) & (met->slots - 1);
    return at;
}

static bool grow(swq_context *ctx, swq_met *met)
{
    const int64_t slots = met->slots ? 2 * met->slots : FIRST_SLOTS;
    int32_t *slot = swq_calloc(ctx, (size_t)slots, sizeof *slot);

    if (!slot)
        return false;
    swq_free(ctx, met->slot);
    met->slot = slot;
    met->slots = slots;
    for (int64_t k = 0; k < met->count; k++)
        slot[slot_of(met, met->node[k])] = (int32_t)k + 1;
    return true;
}

int64_t swq_met_number(swq_context *ctx, swq_met *met, uint64_t node)
{
    if (4 * (met->count + 1) > 3 * met->slots && !grow(ctx, met))
        return -1;
    const int64_t at = slot_of(met, node);
    if (met->slot[at])
        return met->slot[at] - 1;
    if (met->count == met->room) {
        const int64_t room = met->room + met->room / 2 + 256;
        if (!swq_resize_array(ctx, &met->node, room, sizeof *met->node))
            return -1;
        met->room = room;
    }
    if (met->count >= INT32_MAX - 1)
        return -1;
    met->node[met->count] = node;
    met->slot[at] = (int32_t)++met->count;
    return met->count - 1;
}

void swq_met_clear(swq_context *ctx, swq_met *met)
{
    swq_free(ctx, met->node);
    swq_free(ctx, met->slot);
    *met = (swq_met){0};
}

#endif
