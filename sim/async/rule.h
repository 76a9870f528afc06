/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The room rule of an asynchronous network: a buffer is open to a queue when that has room for a
 * packet of the greatest length, by the rule that all engines share, in blocks.
 * Room: sim. Includes models.
 */
#ifndef SWQ_SIM_ASYNC_RULE_H
#define SWQ_SIM_ASYNC_RULE_H

#include "models/buffers/buffers.h"
#include "sim/async/management.h"
#include "switchq/async.h"

/* Blocks of a packet of the greatest length. */
static inline int swq_async_packet(const swq_async *n)
{
    return (n->max_packet + n->block - 1) / n->block;
}

/* Has it a management that does anything? */
static inline bool swq_async_managed(const swq_async *n)
{
    return n->management && n->management->hooks;
}

/* Queues of one buffer. */
static inline int swq_async_queues(const swq_async *n, const swq_fabric *f)
{
    if (swq_async_managed(n))
        return n->management->hooks->queues(n, f, false);
    return swq_buffer_queues(&n->buffer, f->classes);
}

/* Bytes of the shortest packet that there can be. O(lines of the trace). */
int swq_async_shortest(const swq_async *n);

/* Flow controls that go by what has come back (credit_rules.c). The buffer as its senders treat it:
 * with credits for each queue its blocks are split among the queues. */
swq_buffer swq_async_as_sent(const swq_async *n, int queues);

/* Is it one of them? */
static inline bool swq_credits_ask(const swq_async *n)
{
    return n->flow->credits || n->flow->stop_go;
}

/* Blocks that have one signal under stop and go: a queue's part, or the whole buffer. */
int swq_stop_go_room(const swq_async *n);

/* Errors: SWQ_EINVAL for what the flow control cannot do with this buffer. */
swq_status swq_credits_check(swq_context *ctx, const swq_async *n, int queues);

#endif
