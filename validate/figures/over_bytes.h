/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures 6.4 and 6.5 of Frazier (1995) but for the lengths of their packets: networks, sizes and
 * curves, and the claims.
 * Room: validate.
 */
#ifndef SWQ_VALIDATE_FIGURES_OVER_BYTES_H
#define SWQ_VALIDATE_FIGURES_OVER_BYTES_H

#include "validate/figures/figures.h"

/* Networks: 4x4 and 64x64, with memory freed as in the simulator, then block by block. */
enum { BYTES_DAMQ, BYTES_SAMQ, BYTES_SAFC, BYTES_BUFFERS };
enum { BYTES_ONE = 0, BYTES_64 = BYTES_BUFFERS, BYTES_BLOCKS = 2 * BYTES_BUFFERS };

#define BYTES_ROW(kind, stages_, partial_, least_, memory_)                                        \
    {                                                                                              \
        .buffer = (kind), .async = {                                                               \
            .stages = (stages_),                                                                   \
            .partial = (partial_),                                                                 \
            .least = (least_),                                                                     \
            .memory = (memory_)                                                                    \
        }                                                                                          \
    }
/* a queue of a partitioned buffer holds whole packets */
#define BYTES_EACH(stages, least, memory)                                                          \
    BYTES_ROW("damq", stages, 32, least, memory), BYTES_ROW("samq", stages, 128, least, memory),   \
        BYTES_ROW("safc", stages, 128, least, memory)
#define BYTES_NETWORKS(least)                                                                      \
    BYTES_EACH(1, least, FIGURE_MEMORY), BYTES_EACH(3, least, FIGURE_MEMORY),                      \
        BYTES_EACH(1, least, FIGURE_MEMORY_BY_BLOCKS),                                             \
        BYTES_EACH(3, least, FIGURE_MEMORY_BY_BLOCKS)

extern const figure_curve_row figure_bytes_curves[];
extern const double figure_bytes_x[];
enum { FIGURE_BYTES_CURVES = 2 * BYTES_BUFFERS + 4, FIGURE_BYTES_XS = 14 };

/* The throughput that no link can exceed: bytes divided by bytes and pause. */
void figure_claim_bytes(figure_work *f, double asymptote);

/* States the claims about the size at which SAFC rises above DAMQ, which the text makes only for
 * constant lengths. */
void figure_claim_overtaking(figure_work *f);

#endif
