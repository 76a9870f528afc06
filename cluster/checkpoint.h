/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An iterate in a file, each entry with the words of its state, so that any number of ranks can
 * read it.
 */
#ifndef SWQ_CLUSTER_CHECKPOINT_H
#define SWQ_CLUSTER_CHECKPOINT_H

#include "cluster/spread.h"

typedef struct swq_checkpoint {
    const char *path; /* NULL: none is kept */
    double seconds;   /* between two writes */
    double written;   /* time of the last write, by MPI's clock */
} swq_checkpoint;

/* Write x[own[0]] and the root (its own number, or -1) if `seconds` have passed since the last
 * write, or if `now`. The file appears whole or not at all. Errors: SWQ_EIO, on all ranks. */
swq_status swq_checkpoint_write(swq_checkpoint *c, swq_spread_chain *s, const double *x,
                                int64_t root, int64_t cycles, bool now);

/* Read x and the root if there is a file; *found says whether there is. Errors: SWQ_EINVAL if it is
 * not a checkpoint, or belongs to another chain; SWQ_EIO, SWQ_ENOMEM; on all ranks. */
swq_status swq_checkpoint_read(const swq_checkpoint *c, swq_spread_chain *s, double *x,
                               int64_t *root, int64_t *cycles, bool *found);

#endif
