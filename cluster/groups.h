/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Groups of nodes over all ranks: those of models/grouping.c, halved until a level has at most some
 * thousands. They have the same numbers on all ranks.
 */
#ifndef SWQ_CLUSTER_GROUPS_H
#define SWQ_CLUSTER_GROUPS_H

#include "cluster/fleet.h"
#include "models/share.h"

enum {
    SWQ_KEY_WORDS = 2 * SWQ_CHAIN_PORTS * SWQ_CHAIN_PORTS + 2,
    SWQ_MOST_GROUPS = 16384 /* of a level: the pattern of a factor is found in a square of bits */
};

typedef struct swq_groups {
    int words;                         /* of a key */
    int halvings[SWQ_CHAIN_LEVELS];    /* of the keys of a level */
    swq_intern keys[SWQ_CHAIN_LEVELS]; /* by group, in lexicographic order */
    int32_t *of[SWQ_CHAIN_LEVELS];     /* [own nodes] group of a node */
} swq_groups;

/* Group the own nodes of all levels of a share. The caller clears *g, also after a failure. Errors:
 * SWQ_ENOMEM, SWQ_ELIMIT, on all ranks. */
swq_status swq_groups_find(swq_fleet *fleet, const swq_chain *chain, swq_groups *g);
void swq_groups_clear(swq_context *ctx, swq_groups *g);

/* The group of any node by its words; -1 if there is none. */
int64_t swq_groups_of(const swq_groups *g, const swq_chain *chain, int level, const swq_word *node);

/* Halve the lengths of a key. */
void swq_groups_halve(swq_word *key, int words);

#endif
