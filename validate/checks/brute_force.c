/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dynamic programming over all sequences up to a length. best[pair] is the most that a sequence of
 * k steps, which leads from empty memories to the pair, can have gained; step k + 1 goes on along
 * all edges. A content is a number with a digit for each queue.
 * Room: validate. Includes models.
 */
#include "validate/checks/brute_force.h"

#include "base/context.h"
#include "models/buffers/buffers.h"

#define NEVER INT64_MIN /* no sequence of this length leads to the pair */

typedef struct {
    const swq_buffer *memory;
    int queues;
    size_t contents, pairs; /* numbers, also of contents that no memory holds */
    int64_t numerator, denominator;
    int64_t *best, *next; /* [pairs] */
    int *content;         /* [count]: the contents that fit into the memory */
    int count;
} brute;

static int side(const brute *b)
{
    return b->memory->capacity + 1;
}

static int unpack(const brute *b, int number, uint16_t *held)
{
    int sum = 0;

    for (int q = 0; q < b->queues; q++, number /= side(b)) {
        held[q] = (uint16_t)(number % side(b));
        sum += held[q];
    }
    return sum;
}

/* The number of a content with one packet more in queue q. */
static int digit(const brute *b, int q)
{
    int one = 1;

    while (q-- > 0)
        one *= side(b);
    return one;
}

static void reach(brute *b, int rule, int optimum, int64_t value)
{
    int64_t *at = &b->next[(size_t)rule * b->contents + (size_t)optimum];

    if (value > *at)
        *at = value;
}

/* A packet for queue q: all that the rule may do, and both answers of the optimum. */
static void arrive(brute *b, int rule, int optimum, int q, int64_t value)
{
    uint16_t held[SWQ_WORST_QUEUES], other[SWQ_WORST_QUEUES];
    const bool room = unpack(b, optimum, other) < b->memory->capacity;
    swq_dice dice;

    unpack(b, rule, held);
    swq_dice_begin_enumeration(&dice);
    do {
        const swq_fate fate = swq_buffer_fate(b->memory, b->queues, held, NULL, q, &dice);
        const int after =
            rule + (fate == SWQ_REFUSE ? 0 : digit(b, q)) - (fate >= 0 ? digit(b, (int)fate) : 0);
        reach(b, after, optimum, value);
        if (room)
            reach(b, after, optimum + digit(b, q), value);
    } while (swq_dice_next(&dice));
}

/* The end of a phase: both send one packet of each queue that is not empty. */
static void send(brute *b, int rule, int optimum, int64_t value)
{
    uint16_t held[SWQ_WORST_QUEUES], other[SWQ_WORST_QUEUES];

    unpack(b, rule, held);
    unpack(b, optimum, other);
    for (int q = 0; q < b->queues; q++) {
        rule -= held[q] > 0 ? digit(b, q) : 0;
        optimum -= other[q] > 0 ? digit(b, q) : 0;
        value += (other[q] > 0) * b->denominator - (held[q] > 0) * b->numerator;
    }
    reach(b, rule, optimum, value);
}

static void step(brute *b)
{
    for (size_t k = 0; k < b->pairs; k++)
        b->next[k] = NEVER;
    for (int i = 0; i < b->count; i++) {
        for (int k = 0; k < b->count; k++) {
            const int rule = b->content[i], optimum = b->content[k];
            const int64_t value = b->best[(size_t)rule * b->contents + (size_t)optimum];
            if (value == NEVER)
                continue;
            for (int q = 0; q < b->queues; q++)
                arrive(b, rule, optimum, q, value);
            send(b, rule, optimum, value);
        }
    }
    int64_t *kept = b->best;
    b->best = b->next;
    b->next = kept;
}

static swq_status make(swq_context *ctx, brute *b)
{
    uint16_t held[SWQ_WORST_QUEUES];

    b->contents = (size_t)digit(b, b->queues);
    b->pairs = b->contents * b->contents;
    b->best = swq_calloc(ctx, b->pairs, sizeof *b->best);
    b->next = swq_calloc(ctx, b->pairs, sizeof *b->next);
    b->content = swq_calloc(ctx, b->contents, sizeof *b->content);
    if (!b->best || !b->next || !b->content)
        return swq_memory_status(ctx);
    for (size_t k = 0; k < b->contents; k++) {
        if (unpack(b, (int)k, held) <= b->memory->capacity)
            b->content[b->count++] = (int)k;
    }
    for (size_t k = 1; k < b->pairs; k++)
        b->best[k] = NEVER;
    return SWQ_OK;
}

swq_status swq_brute_force_gain(swq_context *ctx, const swq_buffer *memory, int queues,
                                int64_t numerator, int64_t denominator, int steps, int64_t *gain)
{
    brute b = {
        .memory = memory, .queues = queues, .numerator = numerator, .denominator = denominator};

    if (swq_buffer_admission(memory)->keeps)
        return swq_fail(ctx, SWQ_EINVAL, "brute force knows no words that admission %s keeps",
                        swq_buffer_admission(memory)->name);
    swq_status status = make(ctx, &b);
    *gain = 0;
    for (int k = 0; k < steps && !status && *gain == 0; k++) {
        step(&b);
        if (b.best[0] > 0)
            *gain = b.best[0];
    }
    swq_free(ctx, b.best);
    swq_free(ctx, b.next);
    swq_free(ctx, b.content);
    return status;
}
