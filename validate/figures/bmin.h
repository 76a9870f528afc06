/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Networks of document 003 (Sivaram, Stunkel and Panda 1997, HIPIQS), for the table of its switches
 * at equal memory and for checks: switches of one memory on bidirectional multistage networks. Its
 * figures are in papers/hipiqs1997. Lengths are in flits, of which a link carries one a cycle: they
 * are the engine's bytes.
 * Room: validate. Includes sim.
 */
#ifndef SWQ_VALIDATE_FIGURES_BMIN_H
#define SWQ_VALIDATE_FIGURES_BMIN_H

#include "validate/figures/figures.h"

typedef enum bmin_switch { BMIN_FIFO, BMIN_HIPIQS, BMIN_CENTRAL } bmin_switch;

enum {
    BMIN_PORTS = 8 /* of a switch: four up, four down; also flits of a chunk */
};

typedef struct bmin_line {
    bmin_switch memory;  /* how the memory is organized */
    int levels;          /* of switches: 2 for 16 nodes, 3 for 64 nodes */
    int buffer, message; /* flits of an input port; of a message */
    int packet;          /* flits, at most; 0: messages are not cut */
    const char *pattern; /* of traffic; NULL: uniform */
} bmin_line;

/* The network of a line, with open sources at that load. equal_all: crosspoint FIFOs and registers
 * count as part of the memory. group: the caller's. */
swq_status bmin_make(swq_context *ctx, const bmin_line *line, bool equal_all, double load,
                     swq_sender_group *group, swq_async *network);

#endif
