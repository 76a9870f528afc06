/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A network as bounds see it: switches, links between them, and what the nodes of one switch send
 * to those of another.
 */
#ifndef SWQ_BOUND_SWITCHES_H
#define SWQ_BOUND_SWITCHES_H

#include "sim/ceiling/demand.h"

typedef struct swq_switches {
    bool minimal;      /* packets take ways with the fewest links */
    swq_fabric fabric; /* laid out */
    swq_demand demand;
    uint32_t switches, links; /* between switches; a link is an output */
    uint32_t *from, *to;      /* [links] switches */
    double *speed;            /* [links] 1 for the fastest */
    uint32_t *number;         /* [outputs] of the link; SWQ_NO_WHERE: none between switches */
    double *wanted;           /* [switches * switches] from, to: cycles of a link of the fastest
                                 speed, at a load of 1 */
    double *row;              /* [nodes] of one node */
    uint32_t *hops;           /* [switches * switches] to, from: links on a way with the fewest, or
                                 SWQ_NO_WHERE; NULL: packets may take any ways */
    double nodes_most;        /* cycles for which the busiest link from or to a node is busy */
    double sent; /* of what links of nodes carry, the part that arrives at a load of 1 */
} swq_switches;

/* Of a network without swq_demand_none; minimal: packets take ways with the fewest links. Clear
 * with swq_switches_clear, also after an error. */
swq_status swq_switches_make(swq_context *ctx, const swq_async *network, uint64_t seed,
                             bool minimal, swq_switches *s);
void swq_switches_clear(swq_context *ctx, swq_switches *s);

/* May packets for a switch take a link? */
static inline bool swq_switches_may_take(const swq_switches *s, uint32_t link, uint32_t to)
{
    if (s->from[link] == to || s->from[link] == s->to[link])
        return false;
    const uint32_t *hops = s->hops ? s->hops + (size_t)to * s->switches : NULL;
    return !hops ||
           (hops[s->to[link]] != SWQ_NO_WHERE && hops[s->to[link]] + 1 == hops[s->from[link]]);
}

/* What must be carried with these lengths of links, by shortest ways: the sum over all pairs of
 * what is wanted times the distance. Errors: SWQ_ENOMEM, SWQ_ELIMIT; SWQ_EINVAL if there is no way
 * for a pair. */
swq_status swq_switches_least(swq_context *ctx, const swq_switches *s, const double *length,
                              double *sum);

#endif
