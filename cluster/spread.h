/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A chain spread over ranks. Its cycle is the product of factors that one process would have; of
 * each factor a rank has the rows of the nodes that it owns, whichever rank owns the nodes that
 * they lead to. A node belongs to the rank that a hash of its words gives, so the ranks need no
 * table of who has what, and have equal shares whatever the switch.
 *
 *   factor k       own columns (level k + 1)   columns of other ranks, the halo
 *   own row i      [ entries ............ ]    [ entries, by place in the halo ]
 *
 * Room: cluster.
 */
#ifndef SWQ_CLUSTER_SPREAD_H
#define SWQ_CLUSTER_SPREAD_H

#include "cluster/fleet.h"
#include "models/share.h"

#include <petscmat.h>

/* Who else's nodes a factor leads to, and which own nodes others lead to. */
typedef struct swq_halo {
    int64_t nodes;       /* in the halo, by owner and then by number */
    int *from, *from_at; /* [ranks] how many belong to a rank, and where they begin */
    int64_t shown;       /* own nodes that others have in their halos, with repetition */
    int *to, *to_at;     /* [ranks] how many of these are a rank's, and where they begin */
    int32_t *own;        /* [shown] */
} swq_halo;

/* Rows of a factor as they come into being: each entry by the rank that owns its column, and its
 * number there. */
typedef struct swq_spread_rows {
    int64_t rows, rows_room, entries, room;
    int64_t *start;
    uint16_t *owner;
    int32_t *number;
    double *value;
} swq_spread_rows;

typedef struct swq_spread_chain {
    swq_fleet *fleet;
    swq_context *ctx;
    swq_share *share;
    swq_chain *chain; /* the share's */
    int levels;
    int64_t own[SWQ_CHAIN_LEVELS];   /* nodes of this rank */
    int64_t first[SWQ_CHAIN_LEVELS]; /* number of the first of them among all */
    int64_t all[SWQ_CHAIN_LEVELS];
    swq_spread_rows rows[SWQ_CHAIN_LEVELS]; /* until they are matrices */
    Mat factor[SWQ_CHAIN_LEVELS];
    Mat diagonal[SWQ_CHAIN_LEVELS], beside[SWQ_CHAIN_LEVELS]; /* its parts: own columns, halo */
    Vec level[SWQ_CHAIN_LEVELS + 1];                          /* the last is level 0 again */
    swq_halo halo[SWQ_CHAIN_LEVELS];
    long double *out, *in; /* [nodes], [shown] of the widest halo, under way */
    int64_t most_met[SWQ_CHAIN_LEVELS];
    bool inexact[SWQ_CHAIN_LEVELS];
    int64_t entries;      /* of all ranks */
    int64_t most_entries; /* of a rank */
    double roundings;     /* of the entries of the product, as swq_product has them */
    double summing;       /* what one application in long double adds to that */
    uint64_t fingerprint; /* of all transitions, however they are spread */
    double sent;          /* bytes exchanged by all ranks in one application in double */
} swq_spread_chain;

/* Generate, level by level, on all ranks together. Then the caller frees it with swq_spread_clear,
 * also after a failure. Errors: as swq_chain_generate and swq_share_new, agreed on. */
swq_status swq_spread_generate(swq_fleet *fleet, const swq_switch *sw, bool reduce,
                               swq_spread_chain *s);

/* Give all nodes numbers, rank by rank, and make matrices of the rows. Errors: SWQ_ELIMIT when a
 * level has more nodes than PETSc's integers can number; SWQ_ENOMEM. */
swq_status swq_spread_assemble(swq_spread_chain *s);

void swq_spread_clear(swq_spread_chain *s);

/* x[own[0]] into level[0], and level[levels] into x. Errors: SWQ_EIO. */
swq_status swq_spread_put(swq_spread_chain *s, const double *x);
swq_status swq_spread_take(swq_spread_chain *s, double *x);

/* level[0] P into level[levels], by way of all other levels. Errors: SWQ_EIO. */
swq_status swq_spread_apply(swq_spread_chain *s);

/* out = in F for factor k, in long double: in[own[k]], out[own[k + 1]]. */
void swq_spread_fine(swq_spread_chain *s, int k, const long double *in, long double *out);

/* Numbers of own nodes of level k + 1 for those who have them in the halo of factor k. Errors:
 * SWQ_ENOMEM, SWQ_ELIMIT, agreed on. */
swq_status swq_spread_show(swq_spread_chain *s, int k, const int32_t *own, int32_t *halo);

/* The owner of a node. */
int swq_spread_owner(const swq_fleet *fleet, const swq_word *node, int words);

/* An entry's rows and columns, of either part of factor k; released in reverse order. */
typedef struct swq_spread_part {
    Mat matrix;
    const PetscInt *start, *col;
    const PetscScalar *value;
    PetscInt rows;
} swq_spread_part;
swq_status swq_spread_open_part(swq_context *ctx, Mat matrix, swq_spread_part *part);
void swq_spread_close_part(swq_spread_part *part);

/* SWQ_OK, or what PETSc could not do. */
swq_status swq_petsc(swq_context *ctx, PetscErrorCode error, const char *what);

#endif
