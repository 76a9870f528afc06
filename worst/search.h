/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search for the largest ratio cycle: what its parts share. A policy chooses an edge of each
 * node; its value at a node is the weight of the way that it leads to empty memories, where it may
 * end. An edge
 * weighs denominator * gain - numerator * cost, for the ratio of the best cycle so far. Values are
 * improved until no edge exceeds them: then they are a potential, which proves that no cycle has a
 * larger ratio.
 */
#ifndef SWQ_WORST_SEARCH_H
#define SWQ_WORST_SEARCH_H

#include "worst/pairs.h"

/* Bits of `step`. */
enum {
    SWQ_WORST_PHASES = 1 << 12,
    SWQ_WORST_PHASE = SWQ_WORST_PHASES - 1, /* what both send along the policy's edge */
    SWQ_WORST_SENDS = 1 << 12,              /* the policy's edge is the end of a phase */
    SWQ_WORST_REACHED = 1 << 13,            /* the node can be reached from empty memories */
    SWQ_WORST_ON_WALK = 1 << 14,            /* the evaluation is on its way from this node */
    SWQ_WORST_KNOWN = 1 << 15               /* the node's value is known */
};

/* States of the rule that hold the same number of packets. */
typedef struct swq_worst_level {
    uint32_t first, count; /* in the order of visits */
    bool apart;            /* none of them leads to another one */
} swq_worst_level;

typedef struct swq_worst_search {
    swq_context *ctx;
    const swq_worst_spec *spec;
    swq_worst_rule rule;
    swq_worst_pairs pairs;
    int layers;                 /* arrivals of the phase so far are counted from 0 to layers - 1 */
    uint64_t pair_count, nodes; /* of a layer, of all */
    int64_t *value;             /* [nodes] */
    uint32_t *next;             /* [nodes]: where the policy leads; SWQ_WORST_NONE: it ends */
    uint16_t *step;             /* [nodes] */
    uint32_t *order;            /* [states]: in which an improvement visits them */
    swq_worst_level *level;     /* [levels] */
    uint32_t levels;
    uint32_t *changed; /* [layers * states]: nodes of a state whose policy was improved */
    /* [layers * states]: when a state was last visited, and when values of its nodes last changed;
     * `now` counts levels that were visited */
    uint32_t *visited, *moved, now;
    bool settled;   /* evaluations have stopped to find better cycles */
    bool downwards; /* the next improvement visits emptier memories first */

    /* What both send in a phase is number s * shipments + o, if the rule's shipment is s, and the
     * optimum's is o, one of so many. What the phase gains, costs and weighs by this number: */
    int shipments;
    int32_t gain[SWQ_WORST_PHASES], cost[SWQ_WORST_PHASES];
    int64_t weight[SWQ_WORST_PHASES];

    int64_t numerator, denominator; /* of the best cycle */
    bool unbounded;
    uint32_t *cycle; /* [cycle_length]: its nodes */
    int64_t cycle_length;
    int64_t reached, edges, rounds;
} swq_worst_search;

/* What a phase gains and costs in which the packets sent have this worth. */
static inline int swq_worst_gain(const swq_worst_spec *spec, int rule, int optimum)
{
    return spec->objective == SWQ_WORST_EXCESS ? optimum - rule : optimum;
}
static inline int swq_worst_cost(const swq_worst_spec *spec, int rule)
{
    return spec->objective == SWQ_WORST_EXCESS ? swq_worst_worth(spec, 0) : rule;
}

/* Numbers of phases of which a policy may consist; more than SWQ_WORST_PHASES are too many. */
int swq_worst_phases(const swq_worst_spec *spec);

/* Sets what all phases gain and cost, by their numbers. */
void swq_worst_number_phases(swq_worst_search *s);

/* Sets the ratio of the best cycle, and the weights. */
void swq_worst_set_ratio(swq_worst_search *s, int64_t numerator, int64_t denominator);

/* The edges of all nodes of a state with the same number of arrivals so far. */
typedef struct swq_worst_arrival {
    uint64_t base; /* node of place 0 */
    const uint32_t *place, *taken;
} swq_worst_arrival;

enum { SWQ_WORST_MOST_ARRIVALS = 2 * SWQ_WORST_QUEUES * (SWQ_WORST_QUEUES + 1) };

typedef struct swq_worst_block {
    uint64_t first; /* its nodes are first .. first + members - 1 */
    uint32_t members;
    const uint32_t *member;
    int phase; /* number of the phase of the block in which the optimum sends nothing */
    int arrivals;
    uint64_t send_base;
    const uint32_t *send_place;
    swq_worst_arrival arrival[SWQ_WORST_MOST_ARRIVALS];
} swq_worst_block;

/* Block layer * states + state. */
void swq_worst_block_of(const swq_worst_search *s, int64_t block, swq_worst_block *b);

/* The block of a node, and the node's content in it. */
uint32_t swq_worst_locate(const swq_worst_search *s, uint64_t node, swq_worst_block *b);

/* Finds the nodes that can be reached from empty memories, and sets the policy that only sends.
 * Errors: SWQ_ECANCELLED. */
swq_status swq_worst_reach(swq_worst_search *s);

/* Sorts the states of the rule for improvements. */
swq_status swq_worst_order(swq_worst_search *s);

/* Improves the policy of the states from which an edge leads to a value that has changed since they
 * were last visited. When the ratio is settled, the order of visits is reversed every second time:
 * arrivals carry values from fuller memories to emptier ones, ends of phases the other way. Returns
 * the number of nodes whose policy changed; 0: no edge of any node exceeds the values. */
int64_t swq_worst_improve(swq_worst_search *s);

/* To be told when values have changed other than by an improvement. */
void swq_worst_all_moved(swq_worst_search *s);

/* Finds the cycles of the policy, keeps the one with the largest ratio, breaks all, and computes
 * the values. Errors: SWQ_ELIMIT (numbers too large), SWQ_ENOMEM, SWQ_ECANCELLED. */
swq_status swq_worst_evaluate(swq_worst_search *s);

/* Checks the values against every edge, independently of the tables that the search uses. Errors:
 * SWQ_EINTERNAL if an edge exceeds them, SWQ_ECANCELLED. */
swq_status swq_worst_prove(swq_worst_search *s);

/* Writes the worst sequence into *worst. */
swq_status swq_worst_sequence(swq_worst_search *s, swq_worst *worst);

/* Writes the certificate. Errors: SWQ_EIO, SWQ_ECANCELLED. */
swq_status swq_worst_certify(const swq_worst_search *s, const swq_worst *worst);

#endif
