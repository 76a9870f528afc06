/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A chain spread over ranks. Its cycle is the same product of factors as in a single process; of
 * each factor, a rank has the rows of the nodes that it owns, whichever ranks own the nodes that
 * they lead to. A hash of a node's words determines the rank that owns it, so the ranks need no
 * table of owners, and have nearly equal shares for every switch.
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

/* The nodes of other ranks to which a factor leads, and the own nodes to which other ranks' rows
 * lead. */
typedef struct swq_halo {
    int64_t nodes; /* number of nodes in the halo, which are ordered by owner and then by number */
    int *from, *from_at; /* [ranks] the number of those that a rank owns, and where they begin */
    int64_t shown;       /* number of own nodes in the halos of others, counted for each rank */
    int *to, *to_at;     /* [ranks] the number of these in a rank's halo, and where they begin */
    int32_t *own;        /* [shown] */
} swq_halo;

/* Rows of a factor under construction: each entry has the rank that owns its column, and the
 * column's number there. */
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
    swq_chain *chain; /* that of the share */
    int levels;
    int64_t own[SWQ_CHAIN_LEVELS];   /* nodes of this rank */
    int64_t first[SWQ_CHAIN_LEVELS]; /* number of the first of them among all */
    int64_t all[SWQ_CHAIN_LEVELS];
    swq_spread_rows rows[SWQ_CHAIN_LEVELS]; /* until matrices are made of them */
    Mat factor[SWQ_CHAIN_LEVELS];
    Mat diagonal[SWQ_CHAIN_LEVELS], beside[SWQ_CHAIN_LEVELS]; /* its parts: own columns, halo */
    Vec level[SWQ_CHAIN_LEVELS + 1];                          /* the last is level 0 again */
    swq_halo halo[SWQ_CHAIN_LEVELS];
    long double *out, *in; /* [nodes], [shown] of the widest halo: buffers for the exchange */
    int64_t most_met[SWQ_CHAIN_LEVELS];
    bool inexact[SWQ_CHAIN_LEVELS];
    int64_t entries;      /* of all ranks together */
    int64_t most_entries; /* largest number of a rank */
    double roundings;     /* of the entries of the product, as in swq_product */
    double summing;       /* roundings that one application in long double adds */
    uint64_t fingerprint; /* of all transitions, independent of how they are spread */
    double sent;          /* bytes exchanged by all ranks in one application in double */
} swq_spread_chain;

/* Generate, level by level, on all ranks together. The caller frees it with swq_spread_clear, also
 * after a failure. Errors: as swq_chain_generate and swq_share_new, on all ranks. */
swq_status swq_spread_generate(swq_fleet *fleet, const swq_switch *sw, bool reduce,
                               swq_spread_chain *s);

/* Number all nodes, rank by rank, and make matrices of the rows. Errors: SWQ_ELIMIT if a level has
 * more nodes than PETSc's integers can number; SWQ_ENOMEM. */
swq_status swq_spread_assemble(swq_spread_chain *s);

void swq_spread_clear(swq_spread_chain *s);

/* Copy x[own[0]] to level[0], and level[levels] to x. Errors: SWQ_EIO. */
swq_status swq_spread_put(swq_spread_chain *s, const double *x);
swq_status swq_spread_take(swq_spread_chain *s, double *x);

/* level[levels] = level[0] P, through all other levels. Errors: SWQ_EIO. */
swq_status swq_spread_apply(swq_spread_chain *s);

/* out = in F for factor k, in long double: in[own[k]], out[own[k + 1]]. */
void swq_spread_fine(swq_spread_chain *s, int k, const long double *in, long double *out);

/* Send a number own[] of each own node of level k + 1 to the ranks that have the node in the halo
 * of factor k; halo[] receives theirs. Errors: SWQ_ENOMEM, SWQ_ELIMIT, on all ranks. */
swq_status swq_spread_show(swq_spread_chain *s, int k, const int32_t *own, int32_t *halo);

/* The rank that owns a node. */
int swq_spread_owner(const swq_fleet *fleet, const swq_word *node, int words);

/* Rows, columns and entries of either part of factor k; parts must be closed in reverse order. */
typedef struct swq_spread_part {
    Mat matrix;
    const PetscInt *start, *col;
    const PetscScalar *value;
    PetscInt rows;
} swq_spread_part;
swq_status swq_spread_open_part(swq_context *ctx, Mat matrix, swq_spread_part *part);
void swq_spread_close_part(swq_spread_part *part);

/* Convert a PETSc error to a status, with a message that says what PETSc could not do. */
swq_status swq_petsc(swq_context *ctx, PetscErrorCode error, const char *what);

#endif
