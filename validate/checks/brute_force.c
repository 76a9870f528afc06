/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dynamic programming over all sequences up to a length. best[pair] is the most that a sequence of
 * k steps, which leads from empty memories to the pair, can have gained; step k + 1 goes on along
 * all edges. A content is a number with a digit for each queue, and a digit is a list of packets.
 */
#include "validate/checks/brute_force.h"

#include "base/context.h"
#include "models/buffers/buffers.h"

#include <string.h>

#define NEVER INT64_MIN /* no sequence of this length leads to the pair */

enum { MOST_PACKETS = 8 };

/* What a queue holds: the classes of its packets, the first one first. */
typedef struct {
    int length;
    char class[MOST_PACKETS];
} packets;

typedef struct {
    const swq_buffer *memory;
    int queues, classes;
    int value[2]; /* of a packet of each class */
    int64_t numerator, denominator;
    packets *digit; /* [digits] */
    int digits;
    int *number;  /* [all]: the number among the contents that fit into the memory; -1: too many */
    int *content; /* [count]: the contents that fit */
    int all, count;
    int64_t *best, *next; /* [count * count] */
} brute;

static int digit_of(const brute *b, const packets *p)
{
    int d = 0;

    while (b->digit[d].length != p->length ||
           memcmp(b->digit[d].class, p->class, (size_t)p->length) != 0)
        d++;
    return d;
}

/* All lists of packets, each made of a shorter one. */
static swq_status list_digits(swq_context *ctx, brute *b)
{
    int most = 1;

    if (b->memory->capacity > MOST_PACKETS)
        return swq_fail(ctx, SWQ_EINVAL, "brute force is for at most %d slots, not %d",
                        MOST_PACKETS, b->memory->capacity);
    for (int k = 0, power = 1; k < b->memory->capacity; k++)
        most += power *= b->classes;
    b->digit = swq_calloc(ctx, (size_t)most, sizeof *b->digit);
    if (!b->digit)
        return swq_memory_status(ctx);
    b->digits = 1;
    for (int d = 0; b->digits < most; d++) {
        for (int c = 0; c < b->classes; c++) {
            packets *longer = &b->digit[b->digits++];
            *longer = b->digit[d];
            longer->class[longer->length++] = (char)c;
        }
    }
    return SWQ_OK;
}

static int unpack(const brute *b, int content, packets *held)
{
    int sum = 0;

    for (int q = 0; q < b->queues; q++, content /= b->digits) {
        held[q] = b->digit[content % b->digits];
        sum += held[q].length;
    }
    return sum;
}

static int pack(const brute *b, const packets *held)
{
    int content = 0;

    for (int q = b->queues; q-- > 0;)
        content = content * b->digits + digit_of(b, &held[q]);
    return b->number[content];
}

static void append(packets *queue, int class)
{
    queue->class[queue->length++] = (char)class;
}

static void lose(packets *queue, int k)
{
    queue->length--;
    for (; k < queue->length; k++)
        queue->class[k] = queue->class[k + 1];
}

static void reach(brute *b, int rule, int optimum, int64_t value)
{
    int64_t *at = &b->next[(size_t)rule * (size_t)b->count + (size_t)optimum];

    if (value > *at)
        *at = value;
}

/* A packet for queue q: all that the rule may do, and both answers of the optimum. */
static void arrive(brute *b, int rule, int optimum, int q, int class, int64_t value)
{
    packets held[SWQ_WORST_QUEUES], other[SWQ_WORST_QUEUES], after[SWQ_WORST_QUEUES];
    uint16_t length[SWQ_WORST_QUEUES];
    int taken = -1;
    swq_dice dice;

    unpack(b, b->content[rule], held);
    if (unpack(b, b->content[optimum], other) < b->memory->capacity) {
        append(&other[q], class);
        taken = pack(b, other);
    }
    for (int k = 0; k < b->queues; k++)
        length[k] = (uint16_t)held[k].length;
    swq_dice_begin_enumeration(&dice);
    do {
        const swq_fate fate = swq_buffer_fate(b->memory, b->queues, length, NULL, q, &dice);
        memcpy(after, held, sizeof after);
        if (fate >= 0)
            lose(&after[fate], b->memory->drop_head ? 0 : after[fate].length - 1);
        if (fate != SWQ_REFUSE)
            append(&after[q], class);
        const int then = pack(b, after);
        reach(b, then, optimum, value);
        if (taken >= 0)
            reach(b, then, taken, value);
    } while (swq_dice_next(&dice));
}

/* Both send one packet of each queue that is not empty. Returns what these are worth. */
static int send(const brute *b, packets *held)
{
    int worth = 0;

    for (int q = 0; q < b->queues; q++) {
        if (held[q].length == 0)
            continue;
        worth += b->value[(int)held[q].class[0]];
        lose(&held[q], 0);
    }
    return worth;
}

static void end_phase(brute *b, int rule, int optimum, int64_t value)
{
    packets held[SWQ_WORST_QUEUES], other[SWQ_WORST_QUEUES];

    unpack(b, b->content[rule], held);
    unpack(b, b->content[optimum], other);
    value -= send(b, held) * b->numerator;
    value += send(b, other) * b->denominator;
    reach(b, pack(b, held), pack(b, other), value);
}

static void step(brute *b)
{
    for (int k = 0; k < b->count * b->count; k++)
        b->next[k] = NEVER;
    for (int rule = 0; rule < b->count; rule++) {
        for (int optimum = 0; optimum < b->count; optimum++) {
            const int64_t value = b->best[(size_t)rule * (size_t)b->count + (size_t)optimum];
            if (value == NEVER)
                continue;
            for (int q = 0; q < b->queues; q++)
                for (int class = 0; class < b->classes; class ++)
                    arrive(b, rule, optimum, q, class, value);
            end_phase(b, rule, optimum, value);
        }
    }
    int64_t *kept = b->best;
    b->best = b->next;
    b->next = kept;
}

static swq_status make(swq_context *ctx, brute *b)
{
    packets held[SWQ_WORST_QUEUES];
    swq_status status = list_digits(ctx, b);

    if (status)
        return status;
    b->all = 1;
    for (int q = 0; q < b->queues; q++)
        b->all *= b->digits;
    b->number = swq_calloc(ctx, (size_t)b->all, sizeof *b->number);
    b->content = swq_calloc(ctx, (size_t)b->all, sizeof *b->content);
    if (!b->number || !b->content)
        return swq_memory_status(ctx);
    for (int k = 0; k < b->all; k++) {
        const bool fits = unpack(b, k, held) <= b->memory->capacity;
        b->number[k] = fits ? b->count : -1;
        if (fits)
            b->content[b->count++] = k;
    }
    const size_t pairs = (size_t)b->count * (size_t)b->count;
    b->best = swq_calloc(ctx, pairs, sizeof *b->best);
    b->next = swq_calloc(ctx, pairs, sizeof *b->next);
    if (!b->best || !b->next)
        return swq_memory_status(ctx);
    for (size_t k = 1; k < pairs; k++)
        b->best[k] = NEVER;
    return SWQ_OK;
}

swq_status swq_brute_force_gain(swq_context *ctx, const swq_worst_spec *spec, int64_t numerator,
                                int64_t denominator, int steps, int64_t *gain)
{
    const bool valued = spec->value[0] > 0;
    brute b = {.memory = spec->buffer,
               .queues = spec->queues,
               .classes = valued ? 2 : 1,
               .value = {valued ? spec->value[0] : 1, spec->value[1]},
               .numerator = numerator,
               .denominator = denominator};

    if (swq_buffer_admission(spec->buffer)->keeps)
        return swq_fail(ctx, SWQ_EINVAL, "brute force knows no words that admission %s keeps",
                        swq_buffer_admission(spec->buffer)->name);
    swq_status status = make(ctx, &b);
    *gain = 0;
    for (int k = 0; k < steps && !status && *gain == 0; k++) {
        step(&b);
        if (b.best[0] > 0)
            *gain = b.best[0];
    }
    swq_free(ctx, b.digit);
    swq_free(ctx, b.number);
    swq_free(ctx, b.content);
    swq_free(ctx, b.best);
    swq_free(ctx, b.next);
    return status;
}
