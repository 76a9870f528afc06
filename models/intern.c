/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbering states: open addressing with linear probing over one flat array of words.
 * Room: models. Includes base.
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

/* Multiply-and-fold over the words, four at a time; the final fold brings the high bits down to the
 * mask. */
static uint64_t hash(const swq_word *state, int words)
{
    uint64_t h = 0x9e3779b97f4a7c15u;

    for (int w = 0; w < words; w += 4) {
        uint64_t part = 0;
        size_t left = (size_t)(words - w < 4 ? words - w : 4);
        memcpy(&part, state + w, left * sizeof *state);
        h = (h ^ part) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    return h ^ h >> 15;
}

static uint64_t four_words(const swq_word *state)
{
    uint64_t words;

    memcpy(&words, state, sizeof words);
    return words;
}

/* The slot where the state is, or where it belongs. Switches of four ports are compared at once. */
static int64_t place_of(const swq_intern *set, const swq_word *state)
{
    int64_t mask = set->slots - 1;
    int64_t at = (int64_t)(hash(state, set->words) & (uint64_t)mask);
    size_t bytes = sizeof *state * (size_t)set->words;

    if (set->words == 4) {
        const uint64_t words = four_words(state);
        while (set->slot[at] && four_words(swq_intern_state(set, set->slot[at] - 1)) != words)
            at = (at + 1) & mask;
        return at;
    }
    while (set->slot[at] && memcmp(swq_intern_state(set, set->slot[at] - 1), state, bytes) != 0)
        at = (at + 1) & mask;
    return at;
}

/* Where a state that is not there belongs. */
static int64_t free_place(const swq_intern *set, const swq_word *state)
{
    int64_t mask = set->slots - 1;
    int64_t at = (int64_t)(hash(state, set->words) & (uint64_t)mask);

    while (set->slot[at])
        at = (at + 1) & mask;
    return at;
}

static bool grow(swq_context *ctx, swq_intern *set)
{
    int64_t room = set->room ? 2 * set->room : 64;
    if (set->room >= 1 << 30) {
        if (set->room == INT32_MAX - 1) {
            swq_fail(ctx, SWQ_ELIMIT, "more than %d states of one kind", INT32_MAX - 1);
            return false;
        }
        room = INT32_MAX - 1;
    }
    swq_word *state = swq_resize(ctx, set->state, (size_t)room, sizeof *state * (size_t)set->words);
    if (!state)
        return false;
    set->state = state;
    int64_t slots = 128;
    while (slots < 2 * room)
        slots *= 2;
    swq_free(ctx, set->slot); /* made anew from the states, so the old one need not live on */
    set->slot = swq_calloc(ctx, (size_t)slots, sizeof *set->slot);
    if (!set->slot) {
        set->slots = 0;
        return false;
    }
    set->slots = slots;
    set->room = room;
    for (int64_t i = 0; i < set->count; i++)
        set->slot[free_place(set, swq_intern_state(set, i))] = (int32_t)(i + 1);
    return true;
}

int64_t swq_intern_number(swq_context *ctx, swq_intern *set, const swq_word *state)
{
    if (set->count == set->room && !grow(ctx, set))
        return -1;
    int64_t at = place_of(set, state);
    if (!set->slot[at]) {
        memcpy(set->state + set->count * set->words, state, sizeof *state * (size_t)set->words);
        set->slot[at] = (int32_t)++set->count;
    }
    return set->slot[at] - 1;
}

int64_t swq_intern_find(const swq_intern *set, const swq_word *state)
{
    return set->slots ? set->slot[place_of(set, state)] - 1 : -1;
}
