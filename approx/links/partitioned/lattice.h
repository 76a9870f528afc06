/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The multisets of up to k queues over some classes, and their neighbours with one queue less or
 * more.
 */
#ifndef SWQ_APPROX_PARTITIONED_LATTICE_H
#define SWQ_APPROX_PARTITIONED_LATTICE_H

#include "switchq/context.h"

#include <stddef.h>
#include <stdint.h>

enum { LATTICE_SIZE = 64, LATTICE_CLASSES = 64 };

typedef struct lattice_level { /* all multisets of the same number of elements */
    size_t n;
    int16_t *count; /* [n][classes] */
    int32_t *less;  /* [n][classes]: number, in the level one size smaller, of the multiset without
                       one element of this class; or -1 */
    int32_t *more;  /* [n][classes]: number, in the level one size larger, of the multiset with one
                       element more; not for the last level */
} lattice_level;

typedef struct lattice {
    int size, classes;
    lattice_level *level; /* [size + 1] */
} lattice;

/* Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status lattice_init(swq_context *ctx, int size, int classes, lattice *l);
void lattice_clear(swq_context *ctx, lattice *l);

#endif
