/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The symmetry of a network's chain. The sources that reach a switch are a block of k^(stage + 1)
 * nodes, and blocks are nested; so are those of the sinks. This gives two trees. Every pair of
 * automorphisms of these trees renames the whole network, (k!)^(2 (N - 1) / (k - 1)) in total; the
 * group consists of those that preserve loads, destinations and the arbiter's rule.
 */
#ifndef SWQ_NETS_RENAMINGS_H
#define SWQ_NETS_RENAMINGS_H

#include "nets/plan.h"

typedef struct swq_netrenamings {
    int count;      /* the identity is the first */
    int words;      /* of a node */
    int values;     /* values of a word that is renamed: 0 .. values - 1 */
    int16_t *from;  /* [count * words]: word w of the image is word from[w], with its value renamed
                       by ... */
    uint8_t *value; /* [count * words * values] */
    bool *renamed;  /* [words]: whether the value of a word is renamed */
} swq_netrenamings;

/* Find the group; only the identity without `reduce`, or if there are too many renamings. Errors:
 * SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_netrenamings_find(swq_context *ctx, const swq_netplan *plan, bool reduce,
                                 swq_netrenamings *renamings);
void swq_netrenamings_clear(swq_context *ctx, swq_netrenamings *renamings);

/* Replace a node by the least of its images; work[words]. O(count * words) at most, and often
 * little more than O(count). */
void swq_netrenamings_canonical(const swq_netrenamings *renamings, swq_word *words, swq_word *work);

#endif
