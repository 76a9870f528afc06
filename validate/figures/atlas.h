/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures 9 and 10 of document 001 (a survey, after Katevenis, Serpanos and Spyridakis 1998):
 * ATLAS I and multi-lane wormhole switching on 64x64 butterflies. A figure is a row of lines, each
 * a network that is run at all x.
 * Room: validate. Includes sim.
 */
#ifndef SWQ_VALIDATE_FIGURES_ATLAS_H
#define SWQ_VALIDATE_FIGURES_ATLAS_H

#include "validate/figures/figures.h"

/* The time of a cell in cycles: longer than a credit's round trip, as on the chip; or 1, as for
 * flits, whose round trip is three. */
enum { ATLAS_CELL = 8, ATLAS_ROUND_TRIP = 3 };

enum {
    ATLAS_XS = 7,
    ATLAS_LINES = 18,
    ATLAS_GROUPS = 3,
    ATLAS_BUFFER = 16,      /* cells of a link, in Fig. 10 */
    ATLAS_MESSAGE = 20,     /* cells, or flits */
    ATLAS_NODE_CELLS = 4096 /* of nodes with lists */
};

typedef enum atlas_kind {
    ATLAS_CHIP,     /* cells of ATLAS_CELL cycles, and nodes with a list for each flow group */
    ATLAS_SLOW,     /* the same with cells of one cycle: a round trip is ATLAS_ROUND_TRIP cells */
    ATLAS_FIFO,     /* as ATLAS_CHIP, with nodes that send one cell after another */
    ATLAS_LATE,     /* as ATLAS_CHIP, with the credits of flow groups taken at departure */
    ATLAS_WORMHOLE, /* flits of one cycle, packets of ATLAS_MESSAGE */
} atlas_kind;

typedef struct atlas_line {
    const char *name;
    int panel;
    int ports; /* of a switch: 4 ports need three stages, 8 need two */
    atlas_kind kind;
    int lanes; /* of wormhole links, in Fig. 9 */
    int hot;   /* hot spots, in Fig. 10 */
} atlas_line;

typedef struct atlas_row {
    const char *figure;
    int lines, xs;
    double x[ATLAS_XS];
    atlas_line line[ATLAS_LINES];
} atlas_row;

typedef struct atlas_cell {
    bool there;
    swq_estimate y; /* throughput, or the delay of innocent cells, in cells; NAN: not all arrive */
    swq_estimate throughput;
    uint64_t cycles;
    double a_node;
} atlas_cell;

typedef struct atlas_work {
    figure_work *f;
    const atlas_row *row;
    atlas_cell *cell; /* [lines * xs] */
} atlas_work;

enum { ATLAS_FIGURES = 2 };
extern const atlas_row atlas_rows[ATLAS_FIGURES];

/* The network of a line at an x; false: there is none. group: [ATLAS_GROUPS], the caller's. */
swq_status atlas_make(swq_context *ctx, const atlas_row *row, const atlas_line *line, double x,
                      swq_sender_group *group, swq_async *network, bool *there);

/* States the figure's claims. */
void atlas_claim(const atlas_work *w);

#endif
