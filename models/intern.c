/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbering states: open addressing with linear probing over one flat array of words.
 * Room: models.
 */
#include "models/intern.h"

#include "base/context.h"

#include <string.h>

void swq_intern_init(swq_intern *set, int words)
{
    *set = (swq_intern){.words = words};
}

void swq_intern_clear(swq_context *ctx, swq_intern *set)
{
    swq_free(ctx, set->state);
    swq_free(ctx, set->slot);
    *set = (swq_intern){0};
}

/* Multiply-and-fold over the words; the final fold brings the high bits down to the mask. */
static uint64_t hash(const swq_word *state, int words)
{
    uint64_t h = 0x9e3779b97f4a7c15u;

    for (int w = 0; w < words; w++) {
        h = (h ^ state[w]) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    return h;
}

/* The slot where the state is, or where it belongs. */
static int64_t find(const swq_intern *set, const swq_word *state)
{
    int64_t mask = set->slots - 1;
    int64_t at = (int64_t)(hash(state, set->words) & (uint64_t)mask);
    size_t bytes = sizeof *state * (size_t)set->words;

    while (set->slot[at] && memcmp(swq_intern_state(set, set->slot[at] - 1), state, bytes) != 0)
        at = (at + 1) & mask;
    return at;
}

static bool grow(swq_context *ctx, swq_intern *set)
{
    int64_t room = set->room ? 2 * set->room : 64;
    swq_word *state = swq_resize(ctx, set->state, (size_t)room, sizeof *state * (size_t)set->words);
    if (!state)
        return false;
    set->state = state;
    int64_t *slot = swq_calloc(ctx, (size_t)room * 4, sizeof *slot);
    if (!slot)
        return false;
    swq_free(ctx, set->slot);
    set->slot = slot;
    set->slots = room * 4;
    set->room = room;
    for (int64_t i = 0; i < set->count; i++)
        set->slot[find(set, swq_intern_state(set, i))] = i + 1;
    return true;
}

int64_t swq_intern_number(swq_context *ctx, swq_intern *set, const swq_word *state)
{
    if (set->count == set->room && !grow(ctx, set))
        return -1;
    int64_t at = find(set, state);
    if (!set->slot[at]) {
        memcpy(set->state + set->count * set->words, state, sizeof *state * (size_t)set->words);
        set->slot[at] = ++set->count;
    }
    return set->slot[at] - 1;
}
