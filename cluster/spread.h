/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A chain spread over ranks. Its cycle is the same product of factors as in a single process; of
 * each factor, a rank has the rows of the nodes that it owns, in two parts: entries that lead to
 * nodes of the same rank, and entries that lead to nodes of other ranks. Both are packed
 * (base/packed.h) where they are large.
 *
 *   factor k       home: own columns           away: columns of other ranks, the halo
 *   own row i      [ entries ............ ]    [ entries, by the order in which they were met ]
 */
#ifndef SWQ_CLUSTER_SPREAD_H
#define SWQ_CLUSTER_SPREAD_H

#include "cluster/owners.h"

/* The nodes of other ranks to which a factor leads, and the own nodes to which other ranks' rows
 * lead. In what is exchanged they are ordered by owner. */
typedef struct swq_halo {
    int64_t nodes;       /* number of nodes in the halo */
    int32_t *place;      /* [nodes] the place of each node in the exchanged array */
    int *from, *from_at; /* [ranks] the number of the nodes that a rank owns, and the place where
                            they begin */
    int64_t shown;       /* number of own nodes in the halos of others, counted for each rank */
    int *to, *to_at;     /* [ranks] the number of these in a rank's halo, and where they begin */
    int32_t *own;        /* [shown] */
} swq_halo;

typedef struct swq_spread_chain {
    swq_fleet *fleet;
    swq_context *ctx;
    swq_share *share;
    swq_chain *chain; /* the chain of the share: the nodes of this rank */
    int levels;
    swq_owners owners;
    int64_t own[SWQ_CHAIN_LEVELS];   /* nodes of this rank */
    int64_t first[SWQ_CHAIN_LEVELS]; /* number of this rank's first node among all nodes */
    int64_t all[SWQ_CHAIN_LEVELS];
    swq_csr home[SWQ_CHAIN_LEVELS], away[SWQ_CHAIN_LEVELS];
    swq_halo halo[SWQ_CHAIN_LEVELS];
    swq_groups groups;     /* of the own nodes */
    double *block;         /* levels between the states, at its two ends in turn */
    int64_t room;          /* numbers for which the block has room, each a double and a float */
    long double *desk;     /* [most columns that are summed at a time] */
    long double *out, *in; /* [nodes], [shown] of the widest halo */
    int64_t entries;       /* of all ranks together */
    int64_t most_entries;  /* largest number of a rank */
    double roundings;      /* of the entries of the product, as in swq_product */
    double summing;        /* number of roundings that one application of the factor in long double
                              adds */
    uint64_t fingerprint;  /* of all transitions, independent of how they are spread */
    double sent;           /* bytes exchanged by all ranks in one application in double */
} swq_spread_chain;

/* Generate, level by level, on all ranks together. The caller frees it with swq_spread_clear, also
 * after a failure. Errors: as swq_chain_generate and swq_share_new, on all ranks. */
swq_status swq_spread_generate(swq_fleet *fleet, const swq_switch *sw, bool reduce,
                               swq_spread_chain *s);

/* Prepare the exchange between ranks: met[k] are the nodes of factor k's halo, by owner (upper 32
 * bits) and number there. Errors: SWQ_ENOMEM, SWQ_ELIMIT, on all ranks. */
swq_status swq_spread_meet(swq_spread_chain *s, int k, const uint64_t *met, int64_t nodes);

/* Room for vectors, and the roundings of sums, once there are factors and halos. The nodes between
 * the states are put into groups and forgotten. Errors: SWQ_ENOMEM, SWQ_ELIMIT, on all ranks. */
swq_status swq_spread_furnish(swq_spread_chain *s);

void swq_spread_clear(swq_spread_chain *s);

/* image = x P, both [own[0]]. `note`, unless it is NULL, is called with the numbers of each level
 * from 0 on, while they are there. */
typedef void swq_spread_note_fn(void *arg, int level, const double *x);
void swq_spread_apply(swq_spread_chain *s, const double *x, double *image, swq_spread_note_fn *note,
                      void *arg);

/* As swq_spread_apply, in long double, without notes; a number of the levels between the states
 * takes 12 bytes. */
void swq_spread_apply_fine(swq_spread_chain *s, const long double *x, long double *image);

/* Mark the nodes of level k + 1 to which marked own nodes of level k lead; `back`: mark the nodes
 * of level k that lead to marked nodes of level k + 1. `from` and `to` are indexed by own node.
 * Errors: SWQ_ENOMEM, on all ranks. */
swq_status swq_spread_mark(swq_spread_chain *s, int k, bool back, const uint8_t *from, uint8_t *to);

/* Send a number own[] of each own node of level k + 1 to the ranks that have the node in the halo
 * of factor k; halo[] receives theirs. Errors: SWQ_ENOMEM, SWQ_ELIMIT, on all ranks. */
swq_status swq_spread_show(swq_spread_chain *s, int k, const int32_t *own, int32_t *halo);

/* Call `each` for all entries of a part of a factor. */
typedef void swq_spread_entry_fn(void *arg, int64_t row, int64_t col, double value);
void swq_spread_entries(const swq_csr *part, swq_spread_entry_fn *each, void *arg);

#endif
