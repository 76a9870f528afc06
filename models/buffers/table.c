/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of buffer presets, how a preset becomes numbers, and the admission rule.
 * Room: models.
 */
#include "base/context.h"
#include "base/names.h"
#include "models/buffers/buffers.h"
#include "switchq/arbiter.h"

#include <math.h>

const swq_buffer_kind *const swq_buffer_kinds[] = {
    &swq_buffer_fifo,
    &swq_buffer_samq,
    &swq_buffer_safc,
    &swq_buffer_damq,
    &swq_buffer_dafc,
    &swq_buffer_cbda,
    NULL,
};

swq_status swq_buffer_kind_find(swq_context *ctx, const char *name, const swq_buffer_kind **kind)
{
    const void *row = swq_name_lookup(ctx, "buffer", name, (const void *const *)swq_buffer_kinds);
    if (!row)
        return SWQ_EINVAL;
    *kind = row;
    return SWQ_OK;
}

swq_status swq_buffer_preset(swq_context *ctx, const swq_buffer_kind *kind, int ports, int slots,
                             swq_buffer *buffer)
{
    if (ports < 1 || ports > SWQ_MAX_PORTS)
        return swq_fail(ctx, SWQ_EINVAL, "ports must be 1 to %d, not %d", SWQ_MAX_PORTS, ports);
    if (slots < 1 || slots > SWQ_MAX_SLOTS)
        return swq_fail(ctx, SWQ_EINVAL, "slots must be 1 to %d packets per input port, not %d",
                        SWQ_MAX_SLOTS, slots);
    if (kind->partitioned && slots % ports != 0)
        return swq_fail(ctx, SWQ_EINVAL,
                        "slots must be a multiple of the %d ports for %s, which splits them evenly "
                        "among its queues; %d is not",
                        ports, kind->name, slots);
    int capacity = kind->scope == SWQ_POOL ? ports * slots : slots;
    int share = kind->partitioned ? slots / ports : 0;
    *buffer = (swq_buffer){
        .scope = kind->scope,
        .queues = kind->queues,
        .read = kind->read,
        .capacity = capacity,
        .queue_min = share,
        .queue_max = kind->partitioned ? share : capacity,
    };
    return SWQ_OK;
}

swq_status swq_buffer_check(swq_context *ctx, const swq_buffer *b, int ports)
{
    int queues = swq_buffer_queues(b, ports);

    if ((b->scope != SWQ_PER_INPUT && b->scope != SWQ_POOL) ||
        (b->queues != SWQ_ONE_QUEUE && b->queues != SWQ_QUEUE_PER_OUTPUT) ||
        (b->read != SWQ_READ_ONE && b->read != SWQ_READ_EACH_QUEUE) ||
        (b->pool_rule != SWQ_POOL_ROOM && b->pool_rule != SWQ_POOL_PORTS &&
         b->pool_rule != SWQ_POOL_OLDEST))
        return swq_fail(ctx, SWQ_EINVAL,
                        "scope, queues, read and pool-rule must be values of their enumerations");
    if (b->scope == SWQ_POOL && b->queues == SWQ_ONE_QUEUE)
        return swq_fail(ctx, SWQ_EINVAL, "a pool needs a queue per output, not one queue");
    if (b->scope == SWQ_POOL && b->read == SWQ_READ_ONE)
        return swq_fail(ctx, SWQ_EINVAL, "a pool reads one packet from each queue, not one in all");
    if (b->capacity < 1 || b->capacity > SWQ_MAX_SLOTS * ports)
        return swq_fail(ctx, SWQ_EINVAL, "capacity must be 1 to %d slots, not %d",
                        SWQ_MAX_SLOTS * ports, b->capacity);
    if (b->queue_min < 0 || b->queue_min > b->capacity / queues)
        return swq_fail(ctx, SWQ_EINVAL,
                        "queue-min must be 0 to %d (%d slots for %d queues), not %d",
                        b->capacity / queues, b->capacity, queues, b->queue_min);
    if (b->queue_max < 1 || b->queue_max < b->queue_min || b->queue_max > b->capacity)
        return swq_fail(ctx, SWQ_EINVAL, "queue-max must be %d to %d, not %d",
                        b->queue_min > 1 ? b->queue_min : 1, b->capacity, b->queue_max);
    if (!isfinite(b->alpha) || b->alpha < 0)
        return swq_fail(ctx, SWQ_EINVAL, "alpha must be positive, or 0 for no threshold, not %g",
                        b->alpha);
    if (b->pool_rule != SWQ_POOL_ROOM && b->scope != SWQ_POOL)
        return swq_fail(ctx, SWQ_EINVAL, "pool-rule ports or oldest is for a pool (cbda) only");
    return SWQ_OK;
}

bool swq_buffer_admits(const swq_buffer *b, int queues, const uint16_t *length, int join)
{
    int shared = b->capacity - queues * b->queue_min, used = 0;

    if (length[join] >= b->queue_max)
        return false;
    if (length[join] < b->queue_min)
        return true;
    for (int q = 0; q < queues; q++)
        used += length[q] > b->queue_min ? length[q] - b->queue_min : 0;
    if (used >= shared)
        return false;
    return b->alpha == 0 || length[join] - b->queue_min < b->alpha * (shared - used);
}
