/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of buffer presets, how a preset becomes numbers, and the admission rule.
 */
#include "base/context.h"
#include "base/names.h"
#include "models/buffers/buffers.h"
#include "models/buffers/large.h"
#include "switchq/arbiter.h"

#include <math.h>
#include <string.h>

/* Slots of a pool: lists number slots and, behind them, list heads, of which there are up to two
 * for each port, in words of 16 bits. */
static int most_pool_slots(int ports)
{
    return UINT16_MAX - 4 * ports;
}

const swq_buffer_kind *const swq_buffer_kinds[] = {
    &swq_buffer_fifo,
    &swq_buffer_samq,
    &swq_buffer_safc,
    &swq_buffer_damq,
    &swq_buffer_dafc,
    &swq_buffer_cbda,
    NULL,
};

/* Common words for buffers whose rows have the names of their papers. A word that could mean
 * several rows is refused, with an explanation. */
static const struct {
    const char *word;
    const swq_buffer_kind *kind; /* NULL: ambiguous */
    const char *which;
} words[] = {
    {"input-queued", &swq_buffer_fifo, NULL},
    {"crosspoint", &swq_buffer_safc, NULL}, /* memory of its own for each input and output */
    {"crosspoint-queued", &swq_buffer_safc, NULL},
    {"shared-memory", &swq_buffer_cbda, NULL},
    {"complete-sharing", &swq_buffer_cbda, NULL},
    {"voq", NULL,
     "samq (an input's memory is split among its queues) or damq (they share it); safc and dafc, "
     "if "
     "all queues of an input may send at once"},
    {"virtual-output-queues", NULL,
     "samq (an input's memory is split among its queues) or damq (they share it); safc and dafc, "
     "if "
     "all queues of an input may send at once"},
    {"output-queued", NULL,
     "cbda (one memory for the queues of all outputs; --queue-max limits each), or the formulas "
     "output-queue and output-queue-finite"},
};

bool swq_buffer_is_word(const char *name)
{
    size_t k = 0;

    while (k < sizeof words / sizeof *words && strcmp(words[k].word, name) != 0)
        k++;
    return k < sizeof words / sizeof *words;
}

swq_status swq_buffer_kind_find(swq_context *ctx, const char *name, const swq_buffer_kind **kind)
{
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        if (strcmp(words[k].word, name) != 0)
            continue;
        if (!words[k].kind)
            return swq_fail(ctx, SWQ_EINVAL, "buffer '%s' may be one of several: %s", name,
                            words[k].which);
        *kind = words[k].kind;
        return SWQ_OK;
    }
    const void *row = swq_name_lookup(ctx, "buffer", name, (const void *const *)swq_buffer_kinds);
    if (!row)
        return SWQ_EINVAL;
    *kind = row;
    return SWQ_OK;
}

int swq_buffer_least(const swq_buffer_kind *kind, const swq_admission_rule *admission, int ports)
{
    const int queues = kind->queues == SWQ_ONE_QUEUE ? 1 : ports;
    const int sharers = kind->scope == SWQ_POOL ? 1 : queues; /* of the slots of an input port */
    const int reserved = kind->queue_min * sharers;

    if (kind->partitioned)
        return ports;
    if (admission && admission->divides && sharers > reserved)
        return sharers;
    return reserved > 1 ? reserved : 1;
}

int swq_buffer_step(const swq_buffer_kind *kind, const swq_admission_rule *admission, int ports)
{
    const bool several = kind->scope != SWQ_POOL && kind->queues != SWQ_ONE_QUEUE;
    const bool divided = admission && admission->divides && several;

    return kind->partitioned || divided ? ports : 1;
}

int swq_buffer_most_slots(int ports)
{
    return ports <= SWQ_CHAIN_PORTS ? SWQ_MAX_SLOTS : most_pool_slots(ports) / ports;
}

swq_status swq_buffer_preset(swq_context *ctx, const swq_buffer_kind *kind, int ports, int slots,
                             swq_buffer *buffer)
{
    const int most_slots = kind->scope == SWQ_POOL ? swq_buffer_most_slots(ports) : SWQ_MAX_SLOTS;

    if (ports < 1 || ports > SWQ_MAX_PORTS)
        return swq_fail(ctx, SWQ_EINVAL, "ports must be 1 to %d, not %d", SWQ_MAX_PORTS, ports);
    if (slots < 1 || slots > most_slots)
        return swq_fail(ctx, SWQ_EINVAL, "slots must be 1 to %d packets per input port, not %d",
                        most_slots, slots);
    if (kind->partitioned && slots % ports != 0)
        return swq_fail(ctx, SWQ_EINVAL,
                        "slots must be a multiple of the %d ports for %s, which splits them evenly "
                        "among its queues; %d is not",
                        ports, kind->name, slots);
    int capacity = kind->scope == SWQ_POOL ? ports * slots : slots;
    int queues = kind->queues == SWQ_ONE_QUEUE ? 1 : ports,
        least = swq_buffer_least(kind, NULL, ports);
    if (slots < least)
        return swq_fail(ctx, SWQ_EINVAL,
                        "slots must be at least %d for %s, which reserves %d for each of %d "
                        "queue%s, not %d",
                        least, kind->name, kind->queue_min, queues, queues > 1 ? "s" : "", slots);
    swq_buffer_fill(kind, queues, capacity, 1, buffer);
    return SWQ_OK;
}

void swq_buffer_fill(const swq_buffer_kind *kind, int queues, int capacity, int packet,
                     swq_buffer *buffer)
{
    const int share = capacity / queues, allowed = kind->queue_max * packet;
    const int most = allowed > 0 && allowed < capacity ? allowed : capacity;

    *buffer = (swq_buffer){
        .scope = kind->scope,
        .queues = kind->queues,
        .read = kind->read,
        .capacity = capacity,
        .queue_min = kind->partitioned ? share : kind->queue_min * packet,
        .queue_max = kind->partitioned ? share : most,
        .alpha = kind->alpha,
    };
}

swq_status swq_buffer_check(swq_context *ctx, const swq_buffer *b, int ports)
{
    return swq_buffer_check_units(ctx, b, swq_buffer_queues(b, ports),
                                  swq_buffer_most_slots(ports) * ports, "slots");
}

/* The parameters of the buffer's rule of admission. */
static swq_status check_parameters(swq_context *ctx, const swq_buffer *b)
{
    const swq_admission_rule *rule = swq_buffer_admission(b);

    if (rule->fate && !(rule->takes & SWQ_ADMISSION_ALPHA) && b->alpha > 0)
        return swq_fail(ctx, SWQ_EINVAL,
                        "admission %s takes the place of the dynamic threshold: leave out alpha %g",
                        rule->name, b->alpha);
    if (rule->fate && (rule->takes & SWQ_ADMISSION_ALPHA) && b->alpha == 0)
        return swq_fail(ctx, SWQ_EINVAL, "admission %s needs alpha above 0", rule->name);
    if (rule->fate && !(rule->takes & SWQ_ADMISSION_QUEUE_MAX) && b->queue_max < b->capacity)
        return swq_fail(ctx, SWQ_EINVAL,
                        "admission %s is for queues that may take all %d slots, not queue-max %d",
                        rule->name, b->capacity, b->queue_max);
    if (rule->fate && !(rule->takes & SWQ_ADMISSION_QUEUE_MIN) && b->queue_min > 0)
        return swq_fail(ctx, SWQ_EINVAL,
                        "admission %s is for slots of which none is reserved, not queue-min %d",
                        rule->name, b->queue_min);
    if (b->ties < SWQ_TIES_OWN || b->ties > SWQ_TIES_RANDOM)
        return swq_fail(ctx, SWQ_EINVAL, "ties must be a value of its enumeration");
    if ((rule->keeps || rule->expel) && b->scope != SWQ_POOL)
        return swq_fail(ctx, SWQ_EINVAL, "admission %s is for a pool (cbda)", rule->name);
    if (!(b->oracle.flip >= 0 && b->oracle.flip <= 1))
        return swq_fail(ctx, SWQ_EINVAL, "oracle must be wrong with a chance of 0 to 1, not %g",
                        b->oracle.flip);
    if (!(b->expel >= 0 && b->expel <= b->capacity))
        return swq_fail(ctx, SWQ_EINVAL, "expel must be 0 to %d packets a cycle, not %g",
                        b->capacity, b->expel);
    if (b->congested < 0 || b->congested > b->capacity)
        return swq_fail(ctx, SWQ_EINVAL, "congested must be 1 to %d packets, not %d", b->capacity,
                        b->congested);
    return SWQ_OK;
}

swq_status swq_buffer_check_units(swq_context *ctx, const swq_buffer *b, int queues, int most,
                                  const char *slots)
{
    if ((b->scope != SWQ_PER_INPUT && b->scope != SWQ_POOL) ||
        (b->queues != SWQ_ONE_QUEUE && b->queues != SWQ_QUEUE_PER_OUTPUT) ||
        (b->read != SWQ_READ_ONE && b->read != SWQ_READ_EACH_QUEUE))
        return swq_fail(ctx, SWQ_EINVAL,
                        "scope, queues and read must be values of their enumerations");
    if (b->scope == SWQ_POOL && b->queues == SWQ_ONE_QUEUE)
        return swq_fail(ctx, SWQ_EINVAL, "scope pool needs a queue per output, not one queue");
    if (b->scope == SWQ_POOL && b->read == SWQ_READ_ONE)
        return swq_fail(ctx, SWQ_EINVAL,
                        "scope pool reads one packet from each queue, not read one");
    if (b->capacity < 1 || b->capacity > most)
        return swq_fail(ctx, SWQ_EINVAL, "capacity must be 1 to %d %s, not %d", most, slots,
                        b->capacity);
    if (b->queue_min < 0 || b->queue_min > b->capacity / queues)
        return swq_fail(ctx, SWQ_EINVAL, "queue-min must be 0 to %d (%d %s for %d queue%s), not %d",
                        b->capacity / queues, b->capacity, slots, queues, queues > 1 ? "s" : "",
                        b->queue_min);
    if (b->queue_max < 1 || b->queue_max < b->queue_min || b->queue_max > b->capacity)
        return swq_fail(ctx, SWQ_EINVAL, "queue-max must be %d to %d, not %d",
                        b->queue_min > 1 ? b->queue_min : 1, b->capacity, b->queue_max);
    if (!isfinite(b->alpha) || b->alpha < 0)
        return swq_fail(ctx, SWQ_EINVAL, "alpha must be positive, or 0 for no threshold, not %g",
                        b->alpha);
    if (swq_buffer_pool_rule(b) != &swq_pool_room && b->scope != SWQ_POOL)
        return swq_fail(ctx, SWQ_EINVAL, "pool-rule %s is for a pool (cbda) only",
                        swq_buffer_pool_rule(b)->name);
    if (swq_buffer_admission(b)->fate && b->queues == SWQ_ONE_QUEUE)
        return swq_fail(ctx, SWQ_EINVAL,
                        "admission %s compares queues: it is for several queues in a buffer, not "
                        "for one queue",
                        swq_buffer_admission(b)->name);
    if (swq_buffer_admission(b)->fate && queues == 1)
        return swq_fail(ctx, SWQ_EINVAL, "admission %s compares queues: there is only one here",
                        swq_buffer_admission(b)->name);
    if (swq_buffer_admission(b)->fate && swq_buffer_partitioned(b))
        return swq_fail(ctx, SWQ_EINVAL,
                        "admission %s is for queues that share slots: these have %d each, which no "
                        "other queue can take",
                        swq_buffer_admission(b)->name, b->queue_max);
    return check_parameters(ctx, b);
}
