/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which rank owns a node. Neighbours should have the same owner, since each node of another rank
 * costs memory and an exchange, and ranks should have equally many entries. So a rank owns whole
 * groups of nodes (cluster/groups.h), whose keys lie in a box: the longest queues of some range,
 * say. All groups are cut in two by the length that varies most, then both halves in the same way,
 * until there is a box for each rank. A group that a cut would divide is divided by a hash.
 */
#ifndef SWQ_CLUSTER_OWNERS_H
#define SWQ_CLUSTER_OWNERS_H

#include "cluster/groups.h"

/* The rank that owns the nodes of a group from a hash on. */
typedef struct swq_owner_piece {
    uint32_t from;
    int32_t rank;
} swq_owner_piece;

typedef struct swq_owners {
    swq_groups groups; /* without the groups of nodes; no words: only a hash decides */
    int32_t *first[SWQ_CHAIN_LEVELS]; /* [groups + 1] where a group's pieces begin */
    swq_owner_piece *piece[SWQ_CHAIN_LEVELS];
} swq_owners;

uint64_t swq_mix_bits(uint64_t x);
uint64_t swq_node_hash(const swq_word *node, int words);

/* Share the nodes out that all ranks have now, with weights weight[level][own node]. The caller
 * clears *o, also after a failure. Errors: SWQ_ENOMEM, SWQ_ELIMIT, on all ranks. Cost: groups times
 * the words of a key times the logarithm of the ranks. */
swq_status swq_owners_divide(swq_fleet *fleet, const swq_chain *chain, int32_t *const *weight,
                             swq_owners *o);
void swq_owners_clear(swq_context *ctx, swq_owners *o);

/* The rank that owns a node of a level, of which `hash` is swq_node_hash. */
int swq_owners_find(const swq_owners *o, const swq_fleet *fleet, const swq_chain *chain, int level,
                    const swq_word *node, uint64_t hash);

#endif
