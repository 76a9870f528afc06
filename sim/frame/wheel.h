/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A timing wheel, which says which units are due in which cycle: a slot for each cycle, with a set
 * of numbers, one bit each. Setting a bit twice is setting it once, and a set is read in the order
 * of its numbers, so nothing depends on the order in which bits were set. A slot begins with a bit
 * for each of its words that is not 0, so that empty words are passed over:
 *
 *     slot:  | which words | numbers 0 .. 63 | numbers 64 .. 127 | ...
 */
#ifndef SWQ_SIM_FRAME_WHEEL_H
#define SWQ_SIM_FRAME_WHEEL_H

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

/* Makes a wheel in two steps, if its bits are taken together with other arrays: sets the wheel's
 * sizes; and puts its bits on the list. */
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

/* The numbers that are due in a cycle, taken from the wheel word by word. */
typedef struct swq_wheel_due {
    uint64_t *slot;
    uint64_t which; /* words that have a member and have yet to be taken, of 64 */
    uint32_t head, heads;
    uint32_t word; /* of the set taken last, whose numbers begin at 64 * word */
} swq_wheel_due;

static inline swq_wheel_due swq_wheel_begin(const swq_wheel *wheel, uint32_t cycle)
{
    return (swq_wheel_due){.slot = swq_wheel_slot(wheel, cycle), .heads = wheel->heads};
}

/* Takes the next set of 64 numbers that has a member. 0: there are no more. */
static inline uint64_t swq_wheel_take(swq_wheel_due *due)
{
    while (!due->which) {
        if (due->head == due->heads)
            return 0;
        due->which = due->slot[due->head];
        due->slot[due->head] = 0;
        due->head += !due->which;
    }
    due->word = due->head * 64 + (uint32_t)__builtin_ctzll(due->which);
    due->which &= due->which - 1;
    uint64_t *word = &due->slot[due->heads + due->word];
    const uint64_t set = *word;
    *word = 0;
    return set;
}

#endif
