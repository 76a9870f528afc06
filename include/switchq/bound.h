/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Upper bounds of the load that the links of a network can carry under one pattern of traffic, for
 * any routing or for a set of ways: by linear programming, and proven by the lengths of links that
 * it returns.
 */
#ifndef SWITCHQ_BOUND_H
#define SWITCHQ_BOUND_H

#include "switchq/async.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The ways that packets may take. */
typedef enum swq_bound_paths {
    SWQ_PATHS_ANY,             /* any way, of any length, and any shares of several */
    SWQ_PATHS_MINIMAL_VALIANT, /* for each packet its straight way, or the one by way of the place
                                 that was drawn for it, all places alike; whichever a rule at its
                                 source decides for: UGAL */
    SWQ_PATHS_MINIMAL /* any ways with the fewest links between switches, and any shares of several:
                         minimal adaptive routing */
} swq_bound_paths;

typedef struct swq_bound_options {
    swq_bound_paths paths;
    uint64_t seed; /* of random permutations */
} swq_bound_options;

/* Loads are bytes (flits) per node and cycle, of all senders alike; where links have several
 * speeds, parts of what each node's own link carries. */
typedef struct swq_bound {
    const char *none;  /* why there is no bound, in words: multicast, a trace, groups that begin or
                          end; NULL: there is one. Else the numbers are NAN or 0 */
    double load;       /* no load above this is served in full: the least of the two that follow */
    double links_load; /* what links between switches allow, proven: with the lengths found by the
                          program the links have this many times the length of what must be carried,
                          computed apart from the program. INFINITY: they carry nothing */
    double nodes_load; /* what the links from and to nodes allow */
    double throughput; /* bytes per node and cycle that arrive at `load` */
    double flow_load;  /* the load that the shares of ways found by the program carry, which is no
                          more than links_load up to rounding, and as much up to the program's
                          precision; NAN: they do not send what is wanted */
    uint32_t switches;
    uint64_t links;         /* between switches */
    uint64_t columns, rows; /* of the program */
    uint64_t bytes;         /* that the program was foreseen to take */
} swq_bound;

swq_bound_options swq_bound_defaults(void);

/* Computes a bound for the shape, the packets, the rest of links and the traffic of a network; all
 * groups send the same load, whatever their intervals. Nothing else of the spec is looked at.
 *
 * For any ways it is the maximum concurrent flow (Shahrokhi and Matula 1990): flows to one switch
 * are one commodity, and the busiest link is made as little busy as possible. Its dual are lengths
 * of links: whatever the ways, a load L keeps links busy for at least L times the demand along
 * shortest ways, so that L <= (sum of lengths x speeds) / (demand x distance). The bound is this
 * quotient, from distances by Dijkstra's algorithm, and holds however exact the program's answer
 * was. For minimal ways both have only links that lead nearer, by the number of links, to the
 * destination.
 *
 * Errors: SWQ_EINVAL for the shape or traffic, or minimal+valiant where the routing is not valiant
 * or ugal; SWQ_ELIMIT naming the bytes foreseen if they exceed the context's limit, or if the
 * program would have more than SWQ_MOST_BOUND_COLUMNS columns, or if GLPK cannot be loaded;
 * SWQ_ENOMEM, SWQ_ECANCELLED. Cost: columns are switches x links (any, minimal), or the pairs of
 * switches times places; minutes at 10^5 columns. */
swq_status swq_bound_run(swq_context *ctx, const swq_async *network,
                         const swq_bound_options *options, swq_bound *bound);
#define SWQ_MOST_BOUND_COLUMNS 300000

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
