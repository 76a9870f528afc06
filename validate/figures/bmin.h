/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The figures of document 003 (Sivaram, Stunkel and Panda 1997, HIPIQS): switches of one memory on
 * bidirectional multistage networks. A figure is a row of lines (bmin_rows.c), a line a switch on a
 * network with messages; each is run at loads, and its saturation is bisected (bmin.c). Claims are
 * stated over the lines (bmin_claims.c).
 * Lengths are in flits, of which a link carries one a cycle: they are the engine's bytes.
 * Room: validate. Includes sim.
 */
#ifndef SWQ_VALIDATE_FIGURES_BMIN_H
#define SWQ_VALIDATE_FIGURES_BMIN_H

#include "validate/figures/figures.h"

typedef enum bmin_switch { BMIN_FIFO, BMIN_HIPIQS, BMIN_CENTRAL } bmin_switch;

enum {
    BMIN_PORTS = 8, /* of a switch: four up, four down; also flits of a chunk */
    BMIN_LINES = 36,
    BMIN_LOADS = 11
};

typedef struct bmin_line {
    const char *name;    /* in the legend */
    int panel;           /* of the received load; latency is in the next one */
    bmin_switch memory;  /* how the memory is organized */
    int levels;          /* of switches: 2 for 16 nodes, 3 for 64 nodes */
    int buffer, message; /* flits of an input port; of a message */
    int packet;          /* flits, at most; 0: messages are not cut */
    const char *pattern; /* of traffic; NULL: uniform */
} bmin_line;

extern const double bmin_loads[BMIN_LOADS]; /* ascending; the last one is 1 */

/* A figure as a row: the first `drawn` lines are drawn, and the others are only for comparison. */
typedef struct bmin_row {
    const char *figure;
    int drawn, lines;
    bmin_line line[BMIN_LINES];
} bmin_row;

/* The row of a figure; NULL: the figure is from another document. */
const bmin_row *bmin_row_of(const char *figure);

typedef struct bmin_cell {
    bool there;
    swq_estimate received, latency; /* per sending node; until a message's last flit has arrived */
    swq_estimate throughput;        /* per node */
    uint64_t cycles;
    double a_node;
} bmin_cell;

typedef struct bmin_result {
    bmin_cell cell[BMIN_LOADS];
    swq_estimate saturation; /* the middle of the bracket and half its width; NAN: not found */
    uint64_t longest;        /* cycles of the longest run of the search */
    int undecided;
} bmin_result;

typedef struct bmin {
    figure_work *f;
    const bmin_row *row;
    bmin_result *result; /* [lines] */
} bmin;

/* The network of a line, with open sources at that load. equal_all: crosspoint FIFOs and registers
 * count as part of the memory. group: the caller's. */
swq_status bmin_make(swq_context *ctx, const bmin_line *line, bool equal_all, double load,
                     swq_sender_group *group, swq_async *network);

/* The number of the network's nodes divided by the number of nodes that send; fixed points of a
 * permutation send nothing. */
swq_status bmin_senders(swq_context *ctx, const swq_async *network, double *nodes_a_sender);

/* The result of the figure's line that equals this one except in name and panel; NULL: there is
 * none. */
const bmin_result *bmin_result_of(const bmin *b, const bmin_line *line);

/* States the figure's claims. Returns their number. */
int bmin_claim(const bmin *b);

/* Makes the figure whose row has its name. */
swq_status bmin_figure(figure_work *f);

/* The length of a figure's runs, from its options; the search for saturation begins with
 * `judged`. */
uint64_t bmin_measured(const swq_figure_options *options);
uint64_t bmin_warmup(const swq_figure_options *options);
uint64_t bmin_judged(const swq_figure_options *options);

enum { BMIN_FIGURES = 6 };
extern const swq_figure_kind swq_figures_003[BMIN_FIGURES];

#endif
