/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Large pools. A switch whose ports all share one memory has no arbiter, and may have more ports
 * than others where single packets are simulated, in the synchronous engine.
 */
#ifndef SWQ_MODELS_LARGE_H
#define SWQ_MODELS_LARGE_H

#include "switchq/arbiter.h"
#include "switchq/buffer.h"

enum { SWQ_MAX_POOL_PORTS = 128 };

/* The most slots per input port of a switch of `ports` ports, 1 .. SWQ_MAX_POOL_PORTS. */
int swq_buffer_most_slots(int ports);

/* A set of input ports, a bit each. */
typedef struct swq_ports {
    uint64_t word[SWQ_MAX_POOL_PORTS / 64];
} swq_ports;

static inline bool swq_ports_has(const swq_ports *set, int port)
{
    return set->word[(unsigned)port / 64] >> (unsigned)port % 64 & 1;
}

/* Draw a random set of `ports` input ports, as many as there are free slots. */
void swq_pool_draw_ports(int free_slots, int ports, swq_dice *dice, swq_ports *open);

#endif
