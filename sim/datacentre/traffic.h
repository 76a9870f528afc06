/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Flows that a network of a data centre is asked to carry: at random times to random nodes, as
 * answers to queries (incast), or as the steps of a collective operation. Each flow is a function
 * of the seed and its number, so that networks that are compared carry the same flows, and a higher
 * load brings the same flows earlier.
 */
#ifndef SWQ_SIM_DATACENTRE_TRAFFIC_H
#define SWQ_SIM_DATACENTRE_TRAFFIC_H

#include "sim/datacentre/flow_list.h"
#include "sim/datacentre/sizes.h"
#include "sim/stream.h"

/* ---- at random times ---- */

/* A Poisson process of flows or queries, of all nodes together: times between them are exponential.
 * Nodes come in racks of `rack` consecutive numbers, and partners are drawn evenly from the nodes
 * of other racks; with racks of 1, from all other nodes. `rack` divides `nodes`, and there are at
 * least two racks. Of several processes in a run, each has its own `who`. Begins with number and
 * time 0. */
typedef struct swq_flow_process {
    swq_streams streams; /* of the replication */
    uint32_t who, nodes, rack;
    double gap;            /* ps between two flows, or queries, on average; at least 1 */
    const uint64_t *rates; /* [nodes] of nodes 0 to k together; a node begins flows in proportion to
                              its own; NULL: all alike */
    uint8_t traffic_class; /* of flows and answers; of flows, if there are no shares */
    int classes;           /* of flows, in these shares; 0: no shares */
    const double *class_share; /* [classes] sum 1 */
    uint64_t number;           /* of the next one, from 0 */
    uint64_t time;             /* ps: of the last one */
} swq_flow_process;

/* Mean ps between flows of a mean size in bytes that load links of `capacity` bit/s together: all
 * nodes' links for the load of hosts; for a load of the core, its capacity divided by the share of
 * flows that pass it. */
double swq_flow_gap(double load, double mean, double capacity);

/* Mean ps between queries of all nodes, of which each asks `rate` times a second. */
double swq_query_gap(double rate, uint32_t nodes);

/* The next flow of a node that is drawn: its start (UINT64_MAX if beyond SWQ_MOST_FLOW_START),
 * source, destination and size. */
void swq_flow_poisson(swq_flow_process *process, const swq_flow_sizes *sizes,
                      swq_listed_flow *flow);

/* The same of a process of one node's flows, which draws no source: the next of them begins after
 * an exponential pause, `gap` on average. */
void swq_flow_from(swq_flow_process *process, uint32_t source, const swq_flow_sizes *sizes,
                   swq_listed_flow *flow);

/* The next query: a node asks `fan_in` different nodes, which is at most nodes - rack, and each of
 * them sends its part of `bytes`, at least one byte each, at once; flow: [fan_in]. Time
 * O(fan_in^2). */
void swq_flow_incast(swq_flow_process *process, uint64_t bytes, uint32_t fan_in,
                     swq_listed_flow *flow);

/* Part k (from 0) of bytes that are split evenly; the first parts have the remainder. */
uint64_t swq_flow_part(uint64_t bytes, uint64_t parts, uint64_t k);

/* ---- patterns ---- */

/* A random permutation of nodes (at least 2) without a node that sends to itself, each equally
 * likely; to: [nodes]. Time O(nodes), on average. */
void swq_flow_permutation(const swq_streams *streams, uint32_t who, uint32_t nodes, uint32_t *to);

/* All-to-all: each of `nodes` nodes sends `bytes` bytes, split among all others, in nodes - 1
 * rounds; in round r, from 1, node i sends to (i + r) mod nodes, so that each receives from one
 * node in a round. With `in_turn`, a node begins a round when what it receives in the one
 * before has arrived; else all start at time 0. There are nodes (nodes - 1) flows; this is flow k,
 * from 0. bytes: at least nodes - 1. */
uint64_t swq_all_to_all_flows(uint32_t nodes);
void swq_all_to_all_flow(uint32_t nodes, uint64_t bytes, bool in_turn, uint64_t k,
                         swq_listed_flow *flow);

/* Ring all-reduce of `bytes` bytes (Patarasuk and Yuan 2009), cut into `nodes` chunks, in
 * 2 (nodes - 1) phases: in phase p, from 0, node i sends chunk (i - p) mod nodes to node i + 1,
 * once it has received this chunk in the phase before. There are 2 nodes (nodes - 1) flows; this is
 * flow k, from 0, of phase k / nodes and node k mod nodes. nodes: at least 2; bytes: at least
 * nodes. */
uint64_t swq_ring_flows(uint32_t nodes);
void swq_ring_flow(uint32_t nodes, uint64_t bytes, uint64_t k, swq_listed_flow *flow);

#endif
