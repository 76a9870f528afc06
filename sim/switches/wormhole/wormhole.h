/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Worms in an asynchronous network: what the engine of worms.h asks about the packets that
 * senders send. The engine's number of a packet is its index among the network's packets.
 * Room: sim.
 */
#ifndef SWQ_SIM_SWITCHES_WORMHOLE_WORMHOLE_H
#define SWQ_SIM_SWITCHES_WORMHOLE_WORMHOLE_H

#include "sim/switches/wormhole/worms.h"

typedef struct swq_wormhole {
    swq_worms worms;
    uint8_t *level; /* [worms] the level at which a packet is counted, or SWQ_NO_LEVEL */
    uint32_t *last; /* [worms] cycle in which the worm's header began on its last link */
} swq_wormhole;

enum { SWQ_NO_LEVEL = 255 };

#endif
