/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Large pools. A switch whose ports all share one memory has no arbiter, and may have more ports
 * than others where single packets are simulated, in the synchronous engine.
 */
#ifndef SWQ_MODELS_LARGE_H
#define SWQ_MODELS_LARGE_H

#include "base/port_set.h"
#include "switchq/arbiter.h"
#include "switchq/buffer.h"

/* The most slots per input port of a switch of `ports` ports, 1 .. SWQ_MAX_PORTS. */
int swq_buffer_most_slots(int ports);

/* Draw a random set of `ports` input ports, as many as there are free slots; open:
 * [SWQ_PORT_SET_WIDE]. */
void swq_pool_draw_ports(int free_slots, int ports, swq_dice *dice, swq_port_set *open);

#endif
