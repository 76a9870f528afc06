/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a share of a network (shares.h) runs of a stage, or of the sources. A network without
 * shares runs all.
 */
#ifndef SWQ_SIM_STAGES_SPANS_H
#define SWQ_SIM_STAGES_SPANS_H

#include "sim/stages/net.h"

/* Consecutive switches of a stage, or sources. */
typedef struct swq_span {
    uint32_t first, end;
} swq_span;

enum { SWQ_SHARE_GRAIN = 64 };

/* Finds the next span of this share among the `all` switches of a stage, or among all sources if
 * `stage` is -1: at most `most` switches or sources from span->end on. `most` is a multiple of
 * SWQ_SHARE_GRAIN. */
static inline bool swq_next_span(const swq_net *net, int stage, uint32_t all, uint32_t most,
                                 swq_span *span)
{
    const uint8_t *owner = net->mine.owner;
    uint32_t k = span->end;

    if (owner) {
        owner += (size_t)(stage + 1) * net->mine.blocks;
        while (k < all && owner[k / SWQ_SHARE_GRAIN] != net->mine.me)
            k += SWQ_SHARE_GRAIN;
    }
    if (k >= all)
        return false;
    span->first = k;
    if (!owner) {
        span->end = all - k < most ? all : k + most;
        return true;
    }
    do
        k += SWQ_SHARE_GRAIN;
    while (k < all && k - span->first < most && owner[k / SWQ_SHARE_GRAIN] == net->mine.me);
    span->end = k < all ? k : all;
    return true;
}

#endif
