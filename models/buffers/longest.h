/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The longest queue of a buffer, with the ways to break ties.
 */
#ifndef SWQ_MODELS_LONGEST_H
#define SWQ_MODELS_LONGEST_H

#include "models/buffers/buffers.h"

/* The longest of the queues, if a packet that comes to queue `join` is counted with it. Throws dice
 * only if several queues are left to choose from. */
static inline int swq_longest(int queues, const uint16_t *length, int join, swq_ties ties,
                              swq_dice *dice)
{
    int most = 0, equal = 0, chosen = -1;

    for (int q = 0; q < queues; q++) {
        const int now = length[q] + (q == join);
        equal = now > most ? 1 : equal + (now == most);
        most = now > most ? now : most;
    }
    const bool own = length[join] + 1 == most;
    if (own && (ties == SWQ_TIES_OWN || equal == 1))
        return join;
    const bool others = own && ties == SWQ_TIES_OTHER;
    const int among = equal - others;
    int which = ties == SWQ_TIES_LOW                 ? 0
                : ties == SWQ_TIES_HIGH || among < 2 ? among - 1
                                                     : swq_dice_fair(dice, among);
    for (int q = 0; q < queues && chosen < 0; q++) {
        if (length[q] + (q == join) == most && !(others && q == join) && which-- == 0)
            chosen = q;
    }
    return chosen;
}

#endif
