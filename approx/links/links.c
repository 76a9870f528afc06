/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The method "links": which family a spec belongs to, and what is beyond all of them.
 * Room: approx. Includes base, models.
 */
#include "approx/links/links.h"

#include "approx/methods.h"
#include "base/context.h"

#include <stdio.h>

/* Slots split evenly and for good among the queues. */
static bool partitioned(const swq_buffer *b)
{
    return b->queue_min > 0 && b->queue_min == b->queue_max;
}

static swq_status run(swq_context *ctx, const swq_network *network, swq_approx_result *result)
{
    const swq_switch *sw = &network->sw;
    const swq_buffer *b = &sw->buffer;
    links_spec spec = {.ports = sw->ports,
                       .stages = network->stages,
                       .slots = b->scope == SWQ_POOL ? b->capacity / sw->ports : b->capacity,
                       .discard = sw->flow == SWQ_DISCARD,
                       .load = network->traffic.load,
                       .buffer = *b};

    if (b->scope == SWQ_POOL)
        return links_pool(ctx, &spec, result);
    if (b->queues == SWQ_ONE_QUEUE)
        return links_fifo(ctx, &spec, result);
    if (partitioned(b))
        return links_partitioned(ctx, &spec, result);
    return links_shared(ctx, &spec, result);
}

static const char *objection(const swq_network *network, char *text, size_t size)
{
    const swq_switch *sw = &network->sw;
    const swq_buffer *b = &sw->buffer;
    bool limited = b->queue_min > 0 || b->queue_max < b->capacity || b->alpha > 0;
    bool shared = b->scope == SWQ_PER_INPUT && b->queues == SWQ_QUEUE_PER_OUTPUT && !partitioned(b);

    if (sw->flow == SWQ_BLOCK && sw->credit == SWQ_CREDIT_SAME)
        return "credit same: full buffers block by their state at the start of the cycle here";
    if (b->scope == SWQ_POOL && b->pool_rule == SWQ_POOL_PORTS)
        return "pool rule ports: room and oldest are what there is here";
    if (b->scope == SWQ_POOL && limited)
        return "a pool with limits for its queues: only shared ones are approximated";
    if (shared && limited && sw->flow == SWQ_BLOCK)
        return "limits of queues and flow block: a full queue would close its buffer's link for "
               "some packets only";
    if (network->traffic.hot_spots)
        return "traffic must be uniform";
    (void)text, (void)size;
    return NULL;
}

const swq_approx_method approx_links = {
    .name = "links",
    .ours = true,
    .summary = "one chain a stage: a buffer, the link that feeds it and the links it wants",
    .assumptions = "uniform traffic",
    .source = "ours; docs/approximation.md",
    .error = "-",
    .objection = objection,
    .run = run,
};
