/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A set of states, numbered in the order in which they are added.
 */
#ifndef SWQ_MODELS_INTERN_H
#define SWQ_MODELS_INTERN_H

#include "models/state.h"

typedef struct swq_intern {
    int words;
    int64_t count, room; /* states held, and allocated */
    swq_word *state;     /* [room * words] */
    int32_t *slot;       /* open addressing: state number + 1, 0 when free */
    int64_t slots;       /* a power of two, at least twice room */
} swq_intern;

/* Start an empty set of states of `words` words. Nothing is allocated. */
void swq_intern_init(swq_intern *set, int words);
void swq_intern_clear(swq_context *ctx, swq_intern *set);

/* The number of a state, which is added if it is new; negative on failure, for which the status is
 * swq_memory_status(ctx), or SWQ_ELIMIT if the set has 2^31 - 2 states already. Amortised
 * O(words). */
int64_t swq_intern_number(swq_context *ctx, swq_intern *set, const swq_word *state);

/* The number of a state; -1 if it is not in the set. */
int64_t swq_intern_find(const swq_intern *set, const swq_word *state);

/* The numbers of up to SWQ_INTERN_SOME consecutive states; -1 for those that are not in the set.
 * The function waits for memory once, where several calls of swq_intern_find would wait several
 * times. */
enum { SWQ_INTERN_SOME = 32 };
void swq_intern_find_some(const swq_intern *set, const swq_word *states, int count,
                          int32_t *number);

/* Free unused memory, when no more states are to be added for now. With `for_good`, the hash table
 * is freed too: then swq_intern_find finds no state, and swq_intern_number builds the table again.
 * Errors: SWQ_ENOMEM; the set is unchanged. */
swq_status swq_intern_trim(swq_context *ctx, swq_intern *set, bool for_good);

/* Free everything except the number of states. */
void swq_intern_forget(swq_context *ctx, swq_intern *set);

static inline const swq_word *swq_intern_state(const swq_intern *set, int64_t number)
{
    return set->state + number * set->words;
}

#endif
