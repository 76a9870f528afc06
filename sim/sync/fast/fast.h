/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of the fast engine's functions, one for each instruction set.
 * Room: sim.
 */
#ifndef SWQ_SIM_SYNC_FAST_H
#define SWQ_SIM_SYNC_FAST_H

#include "sim/sync/net.h"

/* The form of a queue: a word of 16 bits, one of 64 bits, or a list. */
enum { SWQ_SHORT_FORM, SWQ_WORD_FORM, SWQ_LIST_FORM, SWQ_FORMS };

typedef struct swq_fast_table {
    swq_stage_fn
        *transmit[SWQ_FORMS][4][5]; /* 2, 4, 8, other ports; fifo, damq, dafc, samq, safc */
} swq_fast_table;

/* For the rotating arbiter, for the random one, and for any other. */
extern const swq_fast_table swq_rotating_portable, swq_rotating_avx2, swq_drawn_portable,
    swq_drawn_avx2, swq_by_row;

typedef struct swq_fast_sources {
    swq_sources_fn *create[SWQ_FORMS][2][3][2]; /* 4, or other ports; one queue, whole, pieces;
                                                   destinations drawn in any way, or all alike */
    swq_sources_fn *redraw;                     /* all alike: draws the next packets again */
    swq_stage_fn *show;                         /* packed buffers: sets seen_room of a stage */
} swq_fast_sources;

extern const swq_fast_sources swq_sources_portable, swq_sources_avx2;

#endif
