/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is due when: a timing wheel whose slots are sets of numbers, one bit each. Setting a bit
 * twice is setting it once, and a set is taken in order, so nothing depends on who set it first.
 * Room: sim. Includes base.
 */
#ifndef SWQ_SIM_ASYNC_WHEEL_H
#define SWQ_SIM_ASYNC_WHEEL_H

#include "switchq/context.h"

#include <stddef.h>
#include <stdint.h>

typedef struct swq_wheel {
    uint64_t *bits; /* [slots * words] */
    uint32_t slots; /* a power of two: a number may be due up to slots - 1 cycles ahead */
    uint32_t words; /* of a slot */
} swq_wheel;

/* For numbers 0 .. count-1, due up to `ahead` cycles ahead. */
swq_status swq_wheel_new(swq_context *ctx, uint32_t count, uint32_t ahead, swq_wheel *wheel);
void swq_wheel_free(swq_context *ctx, swq_wheel *wheel);
double swq_wheel_bytes(uint32_t count, uint32_t ahead);

static inline uint64_t *swq_wheel_slot(const swq_wheel *wheel, uint32_t cycle)
{
    return wheel->bits + (size_t)(cycle & (wheel->slots - 1)) * wheel->words;
}

static inline void swq_wheel_set(swq_wheel *wheel, uint32_t cycle, uint32_t number)
{
    swq_wheel_slot(wheel, cycle)[number >> 6] |= UINT64_C(1) << (number & 63);
}

#endif
