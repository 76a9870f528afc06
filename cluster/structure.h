/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a spread chain hangs together, seen from one state. Room: cluster.
 */
#ifndef SWQ_CLUSTER_STRUCTURE_H
#define SWQ_CLUSTER_STRUCTURE_H

#include "cluster/spread.h"

/* Find a recurrent root, x[own[0]] saying which states are more frequent, and the states that it
 * leads to: recurrent[own[0]]. *root is an own number, or -1. Errors: SWQ_EREDUCIBLE when there are
 * two closed classes of states; SWQ_EIO. Cost: an application of the chain for each cycle that
 * states are apart, forwards and backwards. */
swq_status swq_spread_recurrent(swq_spread_chain *s, const double *x, int64_t *root,
                                bool *recurrent);

/* The period of the class that the root leads to, from distances from it: the greatest common
 * divisor of what distances differ by along transitions from one. Errors: SWQ_EIO, SWQ_ENOMEM.
 * Cost: an application of the chain for each cycle that states are apart, or fewer. Source: as
 * swq_structure_find. */
swq_status swq_spread_period(swq_spread_chain *s, int64_t root, int64_t *period);

/* The own number of the state with the greatest x of those that `among` holds (NULL: all), or -1
 * if it is another rank's. */
int64_t swq_spread_greatest(const swq_spread_chain *s, const double *x, const bool *among);

#endif
