/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks of the management of an asynchronous network: its queues, and the notices between them.
 */
#include "base/context.h"
#include "sim/async/checks.h"
#include "sim/frame/interfaces.h"
#include "sim/frame/rule.h"
#include "sim/switches/check.h"

int swq_management_queues(const swq_async *n, const swq_fabric *f, bool output)
{
    return n->management.row->hooks->queues(n, f, output);
}

int swq_management_least(const swq_async *n, const swq_fabric *f, bool output)
{
    return n->management.row->apart
               ? SWQ_LEAST_PART * swq_async_packet(n) * swq_management_queues(n, f, output)
               : 0;
}

/* Does each queue of a store have its own part of the memory? */
static swq_status check_parts(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    const int blocks[2] = {n->memory.buffer.capacity, n->architecture.output.blocks};

    for (int k = 0; k < (n->architecture.row->async.output_stores ? 2 : 1); k++) {
        const int least = swq_management_least(n, f, k == 1);
        if (blocks[k] < least)
            return swq_fail(
                ctx, SWQ_EINVAL,
                "management %s needs %d bytes in %s, for %d packets of %d bytes in each "
                "of %d queues, not %d",
                n->management.row->name, least * n->packet.block,
                k ? "an output store" : "an input", SWQ_LEAST_PART, n->packet.max,
                swq_management_queues(n, f, k == 1), blocks[k] * n->packet.block);
    }
    return SWQ_OK;
}

/* Checks stores whose queues share a memory. */
static swq_status check_queues(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    const swq_buffer *b = &n->memory.buffer;

    if (n->management.row &&
        n->management.row->stores) /* the management's own hooks have checked it */
        return SWQ_OK;
    if (!swq_async_managed(n))
        return n->management.xoff || n->management.xon || n->management.queues
                   ? swq_fail(ctx, SWQ_EINVAL, "queues, xoff and xon are for a management")
                   : SWQ_OK;
    const char *name = n->management.row->name;
    if (!n->architecture.row->async.input_buffers && !n->architecture.row->async.stores)
        return swq_fail(ctx, SWQ_EINVAL,
                        "management %s is for architectures input-queued and cioq, not for %s",
                        name, n->architecture.row->name);
    if (n->flow.row->credits || n->flow.row->stop_go)
        return swq_fail(ctx, SWQ_EINVAL,
                        "flow %s is not for management %s, whose stores tell their senders by "
                        "xoff and xon",
                        n->flow.row->name, name);
    if (b->read != SWQ_READ_ONE || b->queue_min > 0 || b->queue_max < b->capacity || b->alpha > 0)
        return swq_fail(ctx, SWQ_EINVAL,
                        "management %s has queues that share one memory and one read port: it has "
                        "no queue-min, queue-max, alpha or read",
                        name);
    if (n->management.row->default_queues)
        return swq_check_whole(ctx, "queues", n->management.queues, 1, SWQ_MAX_STORE_QUEUES);
    if (n->management.queues)
        return swq_fail(ctx, SWQ_EINVAL, "management %s has its own number of queues, not %d", name,
                        n->management.queues);
    const int queues = n->management.row->hooks->queues(n, f, false);
    if (queues > SWQ_MAX_STORE_QUEUES)
        return swq_fail(ctx, SWQ_EINVAL,
                        "management %s would need %d queues in a store, which has at most %d", name,
                        queues, SWQ_MAX_STORE_QUEUES);
    return check_parts(ctx, n, f);
}

swq_status swq_check_management(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    swq_status status = check_queues(ctx, n, f);

    if (!status && swq_async_managed(n) && n->management.row->to_shortest &&
        (n->management.xoff || n->management.xon || n->flow.row->threshold))
        status = swq_fail(ctx, SWQ_EINVAL,
                          "management %s has no xoff, xon or threshold: which queue a packet will "
                          "join is not known before it comes",
                          n->management.row->name);
    if (!status && n->interface.present)
        status = swq_interfaces_check(ctx, n);
    return status;
}

/* Checks the parameters of a management that detects congestion in the stores before links: the
 * architecture has such stores, and the thresholds fit into them. */
static swq_status check_upstream(swq_context *ctx, const swq_async *n)
{
    const int most = n->architecture.output.blocks / swq_async_packet(n);

    if (!n->architecture.row->async.output_stores || n->architecture.row->async.at_once)
        return swq_fail(ctx, SWQ_EINVAL,
                        "management %s is for architecture cioq, which has stores before links, "
                        "not for %s",
                        n->management.row->name, n->architecture.row->name);
    if (n->management.xoff)
        return swq_fail(ctx, SWQ_EINVAL,
                        "xoff must not be given with management %s, which has "
                        "detect and xon",
                        n->management.row->name);
    if (n->management.detect < 1 || n->management.detect >= most)
        return swq_fail(ctx, SWQ_EINVAL,
                        "detect must be 1 to %d with management %s, less than the %d packets that "
                        "a store before a link has room for, not %d",
                        most - 1, n->management.row->name, most, n->management.detect);
    return swq_check_whole(ctx, "xon", n->management.xon, 1, n->management.detect);
}

swq_status swq_check_notices(swq_context *ctx, const swq_async *n)
{
    const int most = n->memory.buffer.capacity / swq_async_packet(n);

    if (swq_async_managed(n) && n->management.row->tells_upstream)
        return check_upstream(ctx, n);
    if (!swq_async_managed(n) || (!n->management.xoff && !n->management.xon))
        return SWQ_OK;
    if (n->management.xoff < 1 || n->management.xoff > most)
        return swq_fail(ctx, SWQ_EINVAL,
                        "xoff must be 1 to %d, the packets of %d bytes that an input has room for, "
                        "not %d",
                        most, n->packet.max, n->management.xoff);
    return swq_check_whole(ctx, "xon", n->management.xon, 0, n->management.xoff - 1);
}
