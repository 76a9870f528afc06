/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The structure of a spread chain, as seen from one state.
 */
#ifndef SWQ_CLUSTER_STRUCTURE_H
#define SWQ_CLUSTER_STRUCTURE_H

#include "cluster/spread.h"

/* Find a recurrent root and the states that it leads to, recurrent[own[0]]; x[own[0]] says which
 * states are more frequent. *root is the root's number on this rank, or -1. Errors: SWQ_EREDUCIBLE
 * if there are two closed classes of states; SWQ_EIO. Cost: as many applications of the chain as
 * the largest distance between states in cycles, forwards and backwards. */
swq_status swq_spread_recurrent(swq_spread_chain *s, const double *x, int64_t *root,
                                bool *recurrent);

/* The period of the root's class, from the distances from the root: the greatest common divisor of
 * distance(i) + 1 - distance(j) over the transitions i -> j. Errors: SWQ_EIO, SWQ_ENOMEM. Cost: at
 * most as many applications of the chain as the largest distance in cycles. Source: as
 * swq_structure_find. */
swq_status swq_spread_period(swq_spread_chain *s, int64_t root, int64_t *period);

/* The own number of the state with the greatest x among those in `among` (NULL: all states), or -1
 * if another rank has it. */
int64_t swq_spread_greatest(const swq_spread_chain *s, const double *x, const bool *among);

#endif
