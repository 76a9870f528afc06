/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Longest-queue drop: a full buffer takes a packet all the same, and drops one of its longest
 * queue. The packet that comes counts as one of its own queue, which may then be a longest one; it
 * is dropped itself, if the last packets of queues are dropped and its queue is chosen. Source:
 * Wei, Coyle and Hsiao, "An optimal buffer management policy for high-performance packet switching"
 * (GLOBECOM 1991).
 */
#include "models/buffers/longest.h"

static swq_fate drop_longest(const swq_buffer *b, int queues, const uint16_t *length,
                             uint16_t *kept, int join, swq_dice *dice)
{
    (void)kept;
    if (swq_buffer_room(b, queues, length, join, 1))
        return SWQ_TAKE;
    if (length[join] + 1 > b->queue_max)
        return SWQ_REFUSE; /* the queue is at its own limit, for which a packet pushed out of
                              another queue makes no room */
    const int longest = swq_longest(queues, length, join, b->ties, dice);
    if (longest == join)
        return b->drop_head && length[join] > 0 ? join : SWQ_REFUSE;
    /* a queue that holds no more than its reserved slots has none that the packet could take */
    return length[longest] <= b->queue_min ? SWQ_REFUSE : longest;
}

const swq_admission_rule swq_admission_longest_queue_drop = {
    .name = "lqd",
    .summary =
        "longest-queue drop: a full buffer drops a packet of its longest queue, the one that "
        "comes counted (--ties, --drop)",
    .source = "Wei, Coyle and Hsiao (1991)",
    .needs = SWQ_NEEDS(SWQ_NEED_PUSH_OUT),
    .takes =
        SWQ_ADMISSION_QUEUE_MIN | SWQ_ADMISSION_QUEUE_MAX | SWQ_ADMISSION_TIES | SWQ_ADMISSION_DROP,
    .fate = drop_longest,
    .takes_while_room = true,
};
