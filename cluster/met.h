/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nodes of other ranks, in the order in which they were met.
 */
#ifndef SWQ_CLUSTER_MET_H
#define SWQ_CLUSTER_MET_H

#include "switchq/context.h"

#include <stdint.h>

typedef struct swq_met {
    int64_t count, room;
    uint64_t *node; /* [room] the rank in the upper 32 bits, the number there in the lower */
    int32_t *slot;  /* open addressing: place + 1, 0 when free */
    int64_t slots;  /* a power of two */
} swq_met;

/* The place of a node, which is added if it is new; negative if there is no memory for it. */
int64_t swq_met_number(swq_context *ctx, swq_met *met, uint64_t node);
void swq_met_clear(swq_context *ctx, swq_met *met);

#endif
