/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making and freeing a timing wheel.
 */
#include "sim/frame/wheel.h"

#include "base/context.h"

static uint32_t slots_for(uint32_t ahead)
{
    uint32_t slots = 64;

    while (slots <= ahead)
        slots *= 2;
    return slots;
}

/* Words for a set of numbers 0 .. count-1. */
static uint32_t words_for(uint32_t count)
{
    return count / 64 + (count % 64 != 0);
}

double swq_wheel_bytes(uint32_t count, uint32_t ahead)
{
    const size_t words = words_for(count) + (size_t)words_for(words_for(count));
    return (double)slots_for(ahead) * (double)(words * sizeof(uint64_t));
}

void swq_wheel_lay_out(uint32_t count, uint32_t ahead, swq_wheel *wheel)
{
    wheel->slots = slots_for(ahead);
    wheel->heads = words_for(words_for(count));
    wheel->words = wheel->heads + words_for(count);
}

void swq_wheel_list(swq_wheel *wheel, swq_arrays *list)
{
    SWQ_ARRAY(list, wheel->bits, (double)wheel->slots * wheel->words);
}

swq_status swq_wheel_new(swq_context *ctx, uint32_t count, uint32_t ahead, swq_wheel *wheel)
{
    swq_wheel_lay_out(count, ahead, wheel);
    wheel->bits = swq_calloc(ctx, (size_t)wheel->slots * wheel->words, sizeof *wheel->bits);
    return wheel->bits ? SWQ_OK : swq_memory_status(ctx);
}

void swq_wheel_free(swq_context *ctx, swq_wheel *wheel)
{
    swq_free(ctx, wheel->bits);
    wheel->bits = NULL;
}
