/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Network traffic: where packets go, and when sources create them.
 */
#ifndef SWITCHQ_TRAFFIC_H
#define SWITCHQ_TRAFFIC_H

#include "switchq/needs.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum { SWQ_MAX_HOT_SPOTS = 16 };

/* Where the nodes of a network are: in one row, or at the points of a grid. */
typedef struct swq_places {
    uint32_t nodes;
    int dims;          /* of the grid; 0: one row */
    const int *extent; /* [dims] nodes in each dimension: the digits of a node's number are its
                          coordinates, the most significant one first */
} swq_places;

/* `nodes` nodes in one row. */
static inline swq_places swq_places_in_a_row(uint32_t nodes)
{
    swq_places places = {nodes, 0, NULL};
    return places;
}

/* One row of the table of patterns. */
typedef struct swq_pattern {
    const char *name;
    const char *summary;
    const char *source;
    const char *alias; /* another spelling of the name; NULL: none */
    /* The destination of every packet of node `source`, if the pattern is a fixed permutation; NULL
     * if it is random (uniform, matrix, random-permutation). */
    uint32_t (*image)(const swq_places *places, uint32_t source);
    bool shuffled; /* a permutation, drawn at random from the seed */
    bool matrix;   /* destinations have the probabilities in swq_traffic.matrix */
    /* Why the pattern does not fit these nodes ("a power of two is needed"); NULL: it does. The
     * function itself may be NULL: it fits all. */
    const char *(*objection)(const swq_places *places);
    swq_needs needs;
} swq_pattern;

/* All patterns, ended by NULL; the first one is uniform. */
extern const swq_pattern *const swq_patterns[];
extern const swq_pattern swq_pattern_uniform, swq_pattern_random_permutation, swq_pattern_matrix;

/* Why a pattern does not fit these nodes; NULL: it does. */
const char *swq_pattern_objection(const swq_pattern *pattern, const swq_places *places);

/* The name of the row that has the alias `name`; `name` itself if none has. */
const char *swq_pattern_name(const char *name);

/* The row of that name or alias. Errors: SWQ_EINVAL for an unknown name (suggesting the nearest).
 */
swq_status swq_pattern_find(swq_context *ctx, const char *name, const swq_pattern **pattern);

/* A node that gets a fraction of all packets, and of all other packets the share that the pattern
 * gives it. Nodes are distinct, and fractions sum to at most 1. */
typedef struct swq_hot_spot {
    uint32_t node;
    double fraction;
} swq_hot_spot;

/* A matrix of traffic without its zeros: node i sends to the nodes to[k], in ascending order, with
 * probabilities share[k] that sum to one, for k = first[i] .. first[i + 1] - 1. A node without any
 * sends nothing. */
typedef struct swq_destinations {
    uint32_t nodes;
    const uint64_t *first; /* [nodes + 1] */
    const uint32_t *to;    /* [first[nodes]] */
    const double *share;   /* [first[nodes]] */
} swq_destinations;

/* When sources create packets. */
typedef enum swq_source_kind {
    SWQ_SOURCE_HOLD, /* a source holds one packet, and draws the gap to the next one when this
                        packet enters the network (Frazier 1995, section 4.5) */
    SWQ_SOURCE_OPEN, /* creation does not depend on the network; packets queue at the source */
    SWQ_SOURCE_TRACE /* packets are created as a trace says, and queue at the source */
} swq_source_kind;

/* One line of a trace. */
typedef struct swq_trace_packet {
    uint64_t cycle; /* of its creation; must not decrease from line to line */
    uint32_t source, destination;
    uint32_t high; /* 1: high priority */
} swq_trace_packet;

typedef struct swq_traffic {
    const swq_pattern *pattern;
    const double *matrix; /* [nodes * nodes] for pattern matrix, rows by source, each summing to
                             one, or to zero where node_load is 0; owned by the caller */
    swq_hot_spot hot[SWQ_MAX_HOT_SPOTS];
    int hot_spots;
    swq_source_kind kind;
    double load;             /* packets per cycle and source, 0 .. 1 */
    const double *node_load; /* [nodes], or NULL: `load` everywhere; owned by the caller */
    double burst;         /* mean packets of a burst, which follow one another without gaps to one
                             destination; 1: no bursts */
    uint32_t queue_limit; /* SWQ_SOURCE_OPEN: most packets waiting at a source, beyond which they
                             are lost; 0: no limit */
    const swq_trace_packet *trace; /* [trace_packets] for SWQ_SOURCE_TRACE; owned by the caller */
    uint64_t trace_packets;
} swq_traffic;

/* Check a matrix without its zeros. Errors: SWQ_EINVAL naming the node and what is allowed.
 * O(nodes + entries). */
swq_status swq_destinations_check(swq_context *ctx, const swq_destinations *matrix, uint32_t nodes);

/* Does node `from` ever send to node `to`? O(log entries). */
bool swq_destinations_have(const swq_destinations *matrix, uint32_t from, uint32_t to);

/* Uniform destinations, sources that hold one packet, load 1, no bursts. */
swq_traffic swq_traffic_defaults(void);

/* Check the traffic of a network of `nodes` nodes. Errors: SWQ_EINVAL naming the parameter, its
 * value and what is allowed. O(nodes^2) for a matrix. */
swq_status swq_traffic_check(swq_context *ctx, const swq_traffic *traffic, uint32_t nodes);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
