/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The symmetry of a network's chain. The sources that reach a switch are a block of k^(stage + 1)
 * nodes, blocks lie within larger ones, and so do those of the sinks: two trees. Every pair of
 * automorphisms of these trees renames the whole network, (k!)^(2 (N - 1) / (k - 1)) in all; those
 * that leave loads, destinations and the arbiter's rule as they are make up the group.
 * Room: nets. Includes sim, models.
 */
#ifndef SWQ_NETS_RENAMINGS_H
#define SWQ_NETS_RENAMINGS_H

#include "nets/plan.h"

typedef struct swq_netrenamings {
    int count;      /* the identity is the first */
    int words;      /* of a node */
    int values;     /* of a word that is renamed: 0 .. values - 1 */
    int16_t *from;  /* [count * words]: word w of the image is word from[w], renamed by ... */
    uint8_t *value; /* [count * words * values] */
    bool *renamed;  /* [words]: else it is taken as it is */
} swq_netrenamings;

/* The identity alone without `reduce`, or where there are too many. Errors: SWQ_ENOMEM,
 * SWQ_ELIMIT. */
swq_status swq_netrenamings_find(swq_context *ctx, const swq_netplan *plan, bool reduce,
                                 swq_netrenamings *renamings);
void swq_netrenamings_clear(swq_context *ctx, swq_netrenamings *renamings);

/* Replace a node by the least of its images; work[words]. O(count) words at best. */
void swq_netrenamings_canonical(const swq_netrenamings *renamings, swq_word *words, swq_word *work);

#endif
