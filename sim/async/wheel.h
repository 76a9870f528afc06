/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is due when: a timing wheel whose slots are sets of numbers, one bit each. Setting a bit
 * twice is setting it once, and a set is taken in order, so nothing depends on who set it first. A
 * slot begins with a bit for each of its words that is not 0, so that empty ones are passed over:
 *
 *     slot:  | which words | numbers 0 .. 63 | numbers 64 .. 127 | ...
 *
 * Room: sim. Includes base.
 */
#ifndef SWQ_SIM_ASYNC_WHEEL_H
#define SWQ_SIM_ASYNC_WHEEL_H

#include "base/arrays.h"

#include <stddef.h>
#include <stdint.h>

typedef struct swq_wheel {
    uint64_t *bits; /* [slots * words] */
    uint32_t slots; /* a power of two: a number may be due up to slots - 1 cycles ahead */
    uint32_t words; /* words of a slot, ... */
    uint32_t heads; /* ... the first of which say which of the others are not 0 */
} swq_wheel;

/* For numbers 0 .. count-1, which are due up to `ahead` cycles ahead. */
swq_status swq_wheel_new(swq_context *ctx, uint32_t count, uint32_t ahead, swq_wheel *wheel);
void swq_wheel_free(swq_context *ctx, swq_wheel *wheel);
double swq_wheel_bytes(uint32_t count, uint32_t ahead);

/* The same in two steps, for a wheel whose bits are taken together with other arrays: its sizes,
 * and its bits on the list. */
void swq_wheel_lay_out(uint32_t count, uint32_t ahead, swq_wheel *wheel);
void swq_wheel_list(swq_wheel *wheel, swq_arrays *list);

static inline uint64_t *swq_wheel_slot(const swq_wheel *wheel, uint32_t cycle)
{
    return wheel->bits + (size_t)(cycle & (wheel->slots - 1)) * wheel->words;
}

/* The word with the bit of a number. */
static inline uint64_t *swq_wheel_word(const swq_wheel *wheel, uint32_t cycle, uint32_t number)
{
    return swq_wheel_slot(wheel, cycle) + wheel->heads + (number >> 6);
}

static inline void swq_wheel_set(swq_wheel *wheel, uint32_t cycle, uint32_t number)
{
    uint64_t *slot = swq_wheel_slot(wheel, cycle);
    const uint32_t word = number >> 6;

    slot[word >> 6] |= UINT64_C(1) << (word & 63);
    slot[wheel->heads + word] |= UINT64_C(1) << (number & 63);
}

/* Takes the first set of 64 numbers of a slot that has a member, and sets *word: the numbers begin
 * at 64 * word. 0: there are no more. *head is 0 at first. */
static inline uint64_t swq_wheel_take(const swq_wheel *wheel, uint64_t *slot, uint32_t *head,
                                      uint32_t *word)
{
    while (*head < wheel->heads && !slot[*head])
        ++*head;
    if (*head == wheel->heads)
        return 0;
    *word = *head * 64 + (uint32_t)__builtin_ctzll(slot[*head]);
    slot[*head] &= slot[*head] - 1;
    const uint64_t set = slot[wheel->heads + *word];
    slot[wheel->heads + *word] = 0;
    return set;
}

#endif
