/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cells in an asynchronous network: what the engine of cells.h asks about the packets that
 * senders send. The engine's number of a cell is the index of its packet among the network's
 * packets.
 * Room: sim.
 */
#ifndef SWQ_SIM_SWITCHES_ATLAS_ATLAS_H
#define SWQ_SIM_SWITCHES_ATLAS_ATLAS_H

#include "sim/switches/atlas/cells.h"

typedef struct swq_atlas {
    swq_cells cells;
    uint8_t *level; /* [cells] the level at which a cell is counted, or SWQ_NO_LEVEL */
} swq_atlas;

#endif
