/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbering states: open addressing with linear probing over one flat array of words.
 */
#include "models/intern.h"

#include "base/context.h"

#include <string.h>

enum { LARGE = 1 << 20 /* states */ };

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

/* Multiply and fold, four words at a time; the final fold moves the high bits down to where the
 * mask is. */
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

static int64_t first_place(const swq_intern *set, const swq_word *state)
{
    return (int64_t)(hash(state, set->words) & (uint64_t)(set->slots - 1));
}

/* The slot of the state, or the free slot where it belongs, searching from `at` on. States of four
 * words are compared as one number. */
static int64_t place_from(const swq_intern *set, const swq_word *state, int64_t at)
{
    int64_t mask = set->slots - 1;
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

static int64_t place_of(const swq_intern *set, const swq_word *state)
{
    return place_from(set, state, first_place(set, state));
}

/* Rebuild the table of slots for `room` states, so that the old table need not exist meanwhile. */
static bool rehash(swq_context *ctx, swq_intern *set, int64_t room)
{
    enum { AHEAD = 16 }; /* states whose slots are prefetched */
    int64_t slots = 128, ahead[AHEAD] = {0};

    while (slots < 2 * room)
        slots *= 2;
    swq_free(ctx, set->slot);
    set->slots = 0;
    set->slot = swq_calloc(ctx, (size_t)slots, sizeof *set->slot);
    if (!set->slot)
        return false;
    set->slots = slots;
    for (int64_t i = 0; i < set->count + AHEAD; i++) {
        int64_t at = ahead[i % AHEAD];
        if (i < set->count) {
            ahead[i % AHEAD] = first_place(set, swq_intern_state(set, i));
            __builtin_prefetch(&set->slot[ahead[i % AHEAD]], 1);
        }
        if (i < AHEAD)
            continue;
        while (set->slot[at]) /* no comparison is needed: all states are different */
            at = (at + 1) & (slots - 1);
        set->slot[at] = (int32_t)(i - AHEAD + 1);
    }
    return true;
}

static bool grow(swq_context *ctx, swq_intern *set)
{
    /* a large array grows by less, since the system only remaps its pages */
    int64_t room = set->room < LARGE ? 2 * set->room : set->room + set->room / 4;
    if (set->room == INT32_MAX - 1) {
        swq_fail(ctx, SWQ_ELIMIT, "more than %d states of one kind", INT32_MAX - 1);
        return false;
    }
    if (room < 64)
        room = 64;
    if (room > INT32_MAX - 1)
        room = INT32_MAX - 1;
    swq_word *state = swq_resize(ctx, set->state, (size_t)room, sizeof *state * (size_t)set->words);
    if (!state)
        return false;
    set->state = state;
    set->room = room;
    return set->slots >= 2 * room || rehash(ctx, set, room);
}

int64_t swq_intern_number(swq_context *ctx, swq_intern *set, const swq_word *state)
{
    if (!set->slots && !(set->room ? rehash(ctx, set, set->room) : grow(ctx, set)))
        return -1;
    int64_t at = place_of(set, state);
    if (set->slot[at])
        return set->slot[at] - 1;
    if (set->count == set->room) {
        if (!grow(ctx, set))
            return -1;
        at = place_of(set, state);
    }
    memcpy(set->state + set->count * set->words, state, sizeof *state * (size_t)set->words);
    set->slot[at] = (int32_t)++set->count;
    return set->count - 1;
}

int64_t swq_intern_find(const swq_intern *set, const swq_word *state)
{
    return set->slots ? set->slot[place_of(set, state)] - 1 : -1;
}

void swq_intern_find_some(const swq_intern *set, const swq_word *states, int count, int32_t *number)
{
    int64_t at[SWQ_INTERN_SOME] = {0};

    for (int k = 0; k < count; k++)
        number[k] = -1;
    if (!set->slots)
        return;
    for (int k = 0; k < count; k++) {
        at[k] = first_place(set, states + (int64_t)k * set->words);
        __builtin_prefetch(&set->slot[at[k]]);
    }
    for (int k = 0; k < count; k++) {
        if (set->slot[at[k]])
            __builtin_prefetch(swq_intern_state(set, set->slot[at[k]] - 1));
    }
    for (int k = 0; k < count; k++)
        number[k] = set->slot[place_from(set, states + (int64_t)k * set->words, at[k])] - 1;
}

void swq_intern_forget(swq_context *ctx, swq_intern *set)
{
    swq_free(ctx, set->state);
    swq_free(ctx, set->slot);
    *set = (swq_intern){.words = set->words, .count = set->count};
}

swq_status swq_intern_trim(swq_context *ctx, swq_intern *set, bool for_good)
{
    if (for_good) {
        swq_free(ctx, set->slot);
        set->slot = NULL;
        set->slots = 0;
    }
    if (set->count == 0 || set->count == set->room)
        return SWQ_OK;
    swq_word *state =
        swq_resize(ctx, set->state, (size_t)set->count, sizeof *state * (size_t)set->words);
    if (!state)
        return swq_memory_status(ctx);
    set->state = state;
    set->room = set->count;
    return SWQ_OK;
}
