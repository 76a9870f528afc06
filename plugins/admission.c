/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Trying a rule of admission on small buffers, in all falls of the dice: a packet that is taken
 * must have a slot, and a packet is pushed out only of a queue that holds one.
 * Room: plugins. Includes sim, models, base.
 */
#include "base/context.h"
#include "models/buffers/buffers.h"
#include "plugins/inside.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_QUEUES = 3, MOST_CAPACITY = 4, MOST_PASSES = 100000 };

static swq_status wrong(swq_context *ctx, const swq_buffer *b, const uint16_t *length, int queues,
                        int join, const char *what)
{
    char text[100];
    size_t used = 0;

    for (int q = 0; q < queues && used < sizeof text; q++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%d", q ? " " : "", length[q]);
    return swq_fail(ctx, SWQ_EINVAL,
                    "%s (a packet for queue %d of %d, which hold %s, in a buffer of %d slots, at "
                    "most %d for a queue)",
                    what, join, queues, text, b->capacity, b->queue_max);
}

static swq_status check_fate(swq_context *ctx, const swq_admission_rule *rule, const swq_buffer *b,
                             const uint16_t *length, int queues, int join, swq_fate fate)
{
    uint16_t left[MOST_QUEUES];

    if (fate == SWQ_REFUSE)
        return SWQ_OK;
    if (fate == SWQ_TAKE)
        return swq_buffer_room(b, queues, length, join, 1)
                   ? SWQ_OK
                   : wrong(ctx, b, length, queues, join, "it takes a packet that has no slot");
    if (fate < 0 || fate >= queues)
        return wrong(ctx, b, length, queues, join,
                     "it pushes a packet out of a queue that does not exist");
    if (length[fate] == 0)
        return wrong(ctx, b, length, queues, join, "it pushes a packet out of an empty queue");
    if (!(rule->needs & SWQ_NEEDS(SWQ_NEED_PUSH_OUT)))
        return swq_fail(ctx, SWQ_EINVAL,
                        "it pushes packets out and must declare SWQ_NEED_PUSH_OUT");
    for (int q = 0; q < queues; q++)
        left[q] = (uint16_t)(length[q] - (q == fate));
    return swq_buffer_room(b, queues, left, join, 1)
               ? SWQ_OK
               : wrong(ctx, b, length, queues, join,
                       "it pushes a packet out, and the other one has no slot all the same");
}

static swq_status try_case(swq_context *ctx, const swq_admission_rule *rule, const swq_buffer *b,
                           const uint16_t *length, int queues, int join, swq_dice *dice)
{
    double sum = 0;
    int passes = 0;
    swq_status status;

    swq_dice_begin_enumeration(dice);
    do {
        uint16_t kept[MOST_QUEUES] = {0};
        const swq_fate fate = rule->fate(b, queues, length, rule->keeps ? kept : NULL, join, dice);
        status = check_fate(ctx, rule, b, length, queues, join, fate);
        sum += (double)dice->probability;
        if (++passes > MOST_PASSES && !status)
            status = wrong(ctx, b, length, queues, join, "it throws too many dice");
    } while (!status && swq_dice_next(dice));
    /* written so that a NaN fails it */
    if (!status && !(fabs(sum - 1) < 1e-9))
        status =
            wrong(ctx, b, length, queues, join, "the probabilities of its answers do not sum to 1");
    return status;
}

/* All lengths that fit into the buffer, and all queues that a packet may come to. */
static swq_status try_buffer(swq_context *ctx, const swq_admission_rule *rule, const swq_buffer *b,
                             int queues, swq_dice *dice)
{
    const int base = b->queue_max + 1;
    int all = 1;
    swq_status status = SWQ_OK;

    for (int q = 0; q < queues; q++)
        all *= base;
    for (int number = 0; number < all && !status; number++) {
        uint16_t length[MOST_QUEUES];
        int sum = 0, rest = number;
        for (int q = 0; q < queues; q++, rest /= base) {
            length[q] = (uint16_t)(rest % base);
            sum += length[q];
        }
        for (int join = 0; join < queues && sum <= b->capacity && !status; join++)
            status = try_case(ctx, rule, b, length, queues, join, dice);
    }
    return status;
}

swq_status swq_plugin_try_admission(swq_context *ctx, const void *row)
{
    swq_dice *dice = swq_calloc(ctx, 1, sizeof *dice);
    swq_status status = dice ? SWQ_OK : swq_memory_status(ctx);

    for (int queues = 2; queues <= MOST_QUEUES; queues++) {
        for (int capacity = 1; capacity <= MOST_CAPACITY; capacity++) {
            for (int most = 1; most <= capacity && !status; most++) {
                const swq_buffer b = {.scope = SWQ_PER_INPUT,
                                      .queues = SWQ_QUEUE_PER_OUTPUT,
                                      .read = SWQ_READ_ONE,
                                      .capacity = capacity,
                                      .queue_max = most,
                                      .admission = row};
                status = try_buffer(ctx, row, &b, queues, dice);
            }
        }
    }
    swq_free(ctx, dice);
    return status;
}
