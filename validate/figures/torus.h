/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What Figs. 6.8 and 6.9 of Frazier (1995) share: the rows of a torus, the loads, and claims.
 * Room: validate.
 */
#ifndef SWQ_VALIDATE_FIGURES_TORUS_H
#define SWQ_VALIDATE_FIGURES_TORUS_H

#include "validate/figures/figures.h"

#define TORUS(kind, extent_, bytes_, threshold_, memory_)                                          \
    {                                                                                              \
        .buffer = (kind), .async = {                                                               \
            .extent = (extent_),                                                                   \
            .bytes = (bytes_),                                                                     \
            .threshold = (threshold_),                                                             \
            .memory = (memory_)                                                                    \
        }                                                                                          \
    }

extern const double figure_torus_x[];
enum { FIGURE_TORUS_XS = 26 };

/* A network: its name, its row, and the row of the same network with memory freed block by
 * block. */
typedef struct figure_torus {
    const char *name;
    int network, blocks; /* blocks: -1: not run */
} figure_torus;

/* "6.3.2: ... achieve a maximum of ...": the higher one of two thresholds. */
void figure_claim_torus_most(figure_work *f, const char *text, double quoted, const figure_torus *a,
                             const figure_torus *b);

/* "networks can lose 20%-50%". */
void figure_claim_torus_loss(figure_work *f, const figure_torus *torus, int count);

/* Compares the higher maxima of two pairs, and counts the result. */
void figure_torus_less(const figure_work *f, figure_tally *t, const figure_torus *low,
                       const figure_torus *high);

#endif
