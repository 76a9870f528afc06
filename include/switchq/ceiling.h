/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ceiling that links set on the throughput of an asynchronous network: under one pattern of
 * traffic and one routing some link is the busiest, and it can be busy in every cycle at most.
 */
#ifndef SWITCHQ_CEILING_H
#define SWITCHQ_CEILING_H

#include "switchq/async.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* With flits, a byte is a flit. Where links have several speeds, loads and throughput are parts of
 * what links of nodes carry, and a link is busy as a part of its own speed. */
typedef struct swq_ceiling {
    const char *none;  /* why there is no ceiling, in words; NULL: there is one. Else the
                          numbers are NAN or 0, and the words are empty */
    double load;       /* bytes per node and cycle: no higher load of all senders alike can be
                          served in full */
    double throughput; /* bytes per node and cycle that arrive at that load: less than `load` if
                          some nodes send nothing, or would send to themselves. A network in which
                          some senders get more of the busiest links than others may deliver more at
                          loads above the ceiling */
    double most;       /* cycles for which the busiest link is busy for each byte that a node sends,
                          with the rest behind packets: 1 / load */
    uint64_t link;  /* the busiest link, the first of several: 0 .. nodes - 1 is the link from that
                       node into the network, nodes + k output k of the fabric */
    uint64_t links; /* links that are as busy as this one, to a part in 10^9 */
    char from[80], to[80]; /* its ends in words: "node 5", "switch 3" */
} swq_ceiling;

/* Walks the routes of all pairs of nodes as the simulation does, with the probability of each pair
 * and, where a packet goes by way of a place that is drawn for it, of each place, and adds up how
 * busy they keep every link. All groups of senders have the same load, as in swq_async_saturation;
 * their loads and intervals are ignored. `seed`: of the run, on which random permutations depend.
 * The answer has no ceiling (`none`) with routing that decides by the state of the network
 * (adaptive, unguarded, ugal, par, dal), multicast messages, a trace, groups that begin or end, and
 * where the walk would take more than SWQ_MOST_CEILING_STEPS steps. Nothing is looked at but the
 * shape, the packets, the rest of links and the traffic. Errors: SWQ_EINVAL for one of these;
 * SWQ_ENOMEM, SWQ_ELIMIT, SWQ_ECANCELLED. Cost: O(nodes^2 x hops), by way of another place that
 * times the places. Source: Dally and Towles (2004), 3.3.1. */
swq_status swq_async_ceiling(swq_context *ctx, const swq_async *network, uint64_t seed,
                             swq_ceiling *ceiling);
#define SWQ_MOST_CEILING_STEPS 4e9

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
