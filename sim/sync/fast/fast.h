/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of the fast engine's functions, one for each instruction set.
 * Room: sim.
 */
#ifndef SWQ_SIM_SYNC_FAST_H
#define SWQ_SIM_SYNC_FAST_H

#include "sim/sync/net.h"

typedef struct swq_fast_table {
    swq_stage_fn *transmit[6][5];    /* form and ports; fifo, damq, dafc, samq, safc */
    swq_sources_fn *create[3][3][2]; /* form and ports; one queue, whole, pieces; destinations
                                        drawn anyhow, all alike */
} swq_fast_table;

extern const swq_fast_table swq_fast_portable, swq_fast_avx2;

#endif
