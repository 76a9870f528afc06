/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Longest-queue drop: a full buffer takes a packet all the same, and drops the last one of its
 * longest queue. The packet that comes counts as one of its own queue, and is the one dropped if
 * that queue is then among the longest. Source: Wei, Coyle and Hsiao, "An optimal buffer management
 * policy for high-performance packet switching" (GLOBECOM 1991).
 * Room: models.
 */
#include "models/buffers/buffers.h"

static swq_fate drop_longest(const swq_buffer *b, int queues, const uint16_t *length, int join,
                             swq_dice *dice)
{
    int most = length[join] + 1, ties = 0, longest = join;

    if (swq_buffer_room(b, queues, length, join, 1))
        return SWQ_TAKE;
    if (length[join] + 1 > b->queue_max)
        return SWQ_REFUSE; /* the queue is at its own limit, for which a packet pushed out of
                              another queue makes no room */
    for (int q = 0; q < queues; q++) {
        if (length[q] <= most)
            continue;
        most = length[q];
        longest = q;
        ties = 0;
    }
    for (int q = 0; q < queues; q++)
        ties += length[q] == most;
    if (longest == join || most <= b->queue_min)
        return SWQ_REFUSE; /* no other queue holds a slot that the packet could take */
    for (int which = ties > 1 ? swq_dice_fair(dice, ties) : 0, q = longest;; q++) {
        if (length[q] == most && which-- == 0)
            return q;
    }
}

const swq_admission_rule swq_admission_longest_queue_drop = {
    .name = "lqd",
    .summary =
        "a full buffer drops the last packet of its longest queue, the one that comes counted",
    .source = "Wei, Coyle and Hsiao (1991)",
    .needs = SWQ_NEEDS(SWQ_NEED_PUSH_OUT),
    .fate = drop_longest,
};
