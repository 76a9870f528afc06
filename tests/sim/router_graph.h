/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The routers and links of a fabric as a matrix, with searches of their own: what tests of
 * topologies that are known by their graphs share.
 */
#ifndef SWQ_TESTS_SIM_ROUTER_GRAPH_H
#define SWQ_TESTS_SIM_ROUTER_GRAPH_H

#include "switchq/async.h"

typedef struct router_graph {
    int routers;
    uint8_t *linked; /* [routers * routers] number of links from one to the other */
} router_graph;

/* Of a fabric that is laid out. Asserts that the link at an output leads to a port whose own link
 * leads back. Free with router_graph_clear. */
router_graph router_graph_of(const swq_fabric *fabric, const char *what);
void router_graph_clear(router_graph *graph);

int router_links(const router_graph *graph, int router);

/* Links from each of the first `ends` routers to each other of these: the most, and the mean. */
typedef struct router_distances {
    int most;
    double mean;
} router_distances;
router_distances router_graph_distances(const router_graph *graph, int ends);

/* Of pairs of different routers with `links` links between them, which must be 0 or 1: how many
 * have k routers that are linked to both, in count[k], k below `most`. */
void router_graph_common(const router_graph *graph, int links, int most, int *count);

/* Asserts that packets of all pairs of nodes take the same outputs in two fabrics of the same
 * ports. */
void expect_same_routes(const swq_fabric *f, const swq_fabric *g, const char *what);

/* May a wormhole network of that shape deadlock, at these lanes? Asserts that it is accepted. */
bool lanes_may_deadlock(swq_context *ctx, const swq_shape *shape, const swq_routing *routing,
                        const swq_lane_choice *choice, int lanes);

/* Asserts that a short run of a wormhole network gives the same numbers, to the last bit, as one of
 * the file as which the fabric is written. */
void expect_run_of_file(swq_context *ctx, const swq_shape *shape, const swq_lane_choice *choice,
                        int lanes);

#endif
