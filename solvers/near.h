/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The coarse factor of a packed factor: the groups of nodes to which each group leads, with their
 * weights. A group leads to few others, so that a byte per entry is enough to name the other group.
 */
#ifndef SWQ_SOLVERS_NEAR_H
#define SWQ_SOLVERS_NEAR_H

#include "base/scratch.h"
#include "switchq/csr.h"

/* For each word of the factor (for each entry, if it is in rows), in order: the entry of its
 * group's row in the coarse factor to which it adds. */
typedef struct swq_near {
    uint8_t *byte;   /* places in bytes; NULL: in words */
    int32_t *word;   /* places in words, if some row is too long for a byte */
    swq_shelf shelf; /* holds it if the factor is in a file */
} swq_near;

/* The pattern of the coarse factor: *into, groups x next_groups, whose values are zero, and `near`.
 * group[rows] and next[cols] are the groups of the factor's nodes and of those that it leads to.
 * Errors: SWQ_ENOMEM, SWQ_ELIMIT; the caller clears both even then. O(entries). */
swq_status swq_near_find(swq_context *ctx, const swq_csr *factor, const int32_t *group,
                         int64_t groups, const int32_t *next, int64_t next_groups, swq_csr *into,
                         swq_near *near);

/* Make `near` for a known pattern, of which this factor may have only a part; the factor may be in
 * rows. Errors: SWQ_ENOMEM, SWQ_ELIMIT. O(entries), times the logarithm of a row of the pattern.
 */
swq_status swq_near_place(swq_context *ctx, const swq_csr *factor, const int32_t *group,
                          const int32_t *next, const swq_csr *into, swq_near *near);
void swq_near_clear(swq_context *ctx, swq_near *near);

/* Adds to `value` the weight that the nodes of each group send to each other group if node i has
 * weight x[i], in part `part` of `parts` of the factor's strips; a factor in rows has one part.
 * value[entries of into]. */
void swq_near_weigh(const swq_csr *factor, const int32_t *group, const double *x,
                    const swq_near *near, const swq_csr *into, int64_t part, int64_t parts,
                    double *value);

/* Call when all parts are done: arrays in a scratch file need not stay in memory. */
void swq_near_let_go(const swq_near *near);

#endif
