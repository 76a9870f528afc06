/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shortest ways over the links between switches, by breadth-first search from each destination. Of
 * n outputs with shortest ways to switch number d, the one of place d modulo n is taken, so that
 * ways are spread over equal links.
 */
#ifndef SWQ_SIM_FABRICS_SHORTEST_H
#define SWQ_SIM_FABRICS_SHORTEST_H

#include "base/port_set.h"
#include "switchq/context.h"

#define SWQ_FAR UINT32_MAX /* a distance: there is no way */

typedef struct swq_ways {
    uint32_t switches, ports;
    const uint32_t *link; /* [switches * ports] as swq_fabric.link, the caller's */
    uint32_t *back;       /* [switches * ports] the output that leads to an input port */
    uint32_t *distance;   /* [switches] to the switch that is looked for, in links */
    uint32_t *list;       /* [switches] in the order of their distance */
} swq_ways;

/* Of a search with switches, ports and link set: takes the arrays. Free with swq_ways_clear, also
 * after an error. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_ways_begin(swq_context *ctx, swq_ways *ways);
void swq_ways_clear(swq_context *ctx, swq_ways *ways);

/* Sets the distances of all switches to the switch `to`. O(switches * ports). */
void swq_ways_find(swq_ways *ways, uint32_t to);

/* The output, 0 .. ports-1, of packets at a switch for the switch `to` that was found last;
 * SWQ_UNUSED: there is none. */
uint8_t swq_ways_output(const swq_ways *ways, uint32_t at, uint32_t to);

/* Puts all outputs with a shortest way from a switch to the switch that was found last into an
 * empty set, of swq_port_set_words(ways->ports) words. */
void swq_ways_outputs(const swq_ways *ways, uint32_t at, swq_port_set *set);

#endif
