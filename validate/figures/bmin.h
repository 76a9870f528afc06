/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Networks of document 003 (Sivaram, Stunkel and Panda 1997, HIPIQS), for checks: switches of one
 * memory on bidirectional multistage networks. Its figures and its table are in papers/hipiqs1997.
 * Lengths are in flits, of which a link carries one a cycle: they are the engine's bytes.
 */
#ifndef SWQ_VALIDATE_FIGURES_BMIN_H
#define SWQ_VALIDATE_FIGURES_BMIN_H

#include "validate/figures/figures.h"

enum {
    BMIN_PORTS = 8 /* of a switch: four up, four down; also flits of a chunk */
};

typedef struct bmin_line {
    const swq_architecture *architecture; /* of one memory: HIPIQS, or the central queue */
    int levels;                           /* of switches: 2 for 16 nodes, 3 for 64 nodes */
    int buffer, message;                  /* flits of an input port; of a message */
} bmin_line;

/* The network of a line, with open sources at that load, whose FIFOs at crosspoints and registers
 * do not count as memory. group: the caller's. */
swq_status bmin_make(swq_context *ctx, const bmin_line *line, double load, swq_sender_group *group,
                     swq_async *network);

#endif
