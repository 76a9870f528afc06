/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Allocation of lanes to the packets in front.
 */
#ifndef SWQ_SIM_SWITCHES_WORMHOLE_ALLOCATION_H
#define SWQ_SIM_SWITCHES_WORMHOLE_ALLOCATION_H

#include "sim/switches/wormhole/worms.h"

/* Gives lanes of outputs to packets of a switch that wait for one. */
void swq_worms_allocate(swq_worms *w, uint32_t sw);

#endif
