/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An iterate in a file, each entry with the words of its state: whatever ranks read it find their
 * own. Room: cluster.
 */
#ifndef SWQ_CLUSTER_CHECKPOINT_H
#define SWQ_CLUSTER_CHECKPOINT_H

#include "cluster/spread.h"

typedef struct swq_checkpoint {
    const char *path; /* NULL: none is kept */
    double seconds;   /* between writings */
    double written;   /* when it last was, by MPI's clock */
} swq_checkpoint;

/* Write x[own[0]] and the root (own number, or -1) once `seconds` have gone by since the last
 * writing, or when `now`: whole, or not at all. Errors: SWQ_EIO, agreed on. */
swq_status swq_checkpoint_write(swq_checkpoint *c, swq_spread_chain *s, const double *x,
                                int64_t root, int64_t cycles, bool now);

/* Read x and the root if there is a file; *found says so. Errors: SWQ_EINVAL if it is no
 * checkpoint, or another chain's; SWQ_EIO, SWQ_ENOMEM; agreed on. */
swq_status swq_checkpoint_read(const swq_checkpoint *c, swq_spread_chain *s, double *x,
                               int64_t *root, int64_t *cycles, bool *found);

#endif
