/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search for the largest ratio cycle: what its parts share. A policy chooses an edge of each
 * node; its value at a node is the weight of the way that it leads to empty memories. An edge
 * weighs denominator * gain - numerator * cost, for the ratio of the best cycle so far. Values are
 * improved until no edge exceeds them: then they are a potential, which proves that no cycle has a
 * larger ratio.
 * Room: worst. Includes models, base.
 */
#ifndef SWQ_WORST_SEARCH_H
#define SWQ_WORST_SEARCH_H

#include "worst/pairs.h"

/* Bits of `step`; the low ones count the packets that the optimum sends. */
enum {
    SWQ_WORST_OPTIMUM = 15, /* packets that the optimum sends along the policy's edge */
    SWQ_WORST_SENDS = 16,   /* the policy's edge is the end of a phase */
    SWQ_WORST_REACHED = 32, /* the node can be reached from empty memories */
    SWQ_WORST_ON_WALK = 64, /* the evaluation is on its way from this node */
    SWQ_WORST_KNOWN = 128   /* the node's value is known */
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
    uint32_t *next;     /* [nodes]: where the policy leads; the empty memories: SWQ_WORST_NONE */
    uint8_t *step;      /* [nodes] */
    uint8_t *rule_sent; /* [nodes]: packets that the rule sends along the policy's edge */
    uint32_t *order;    /* [states]: in which an improvement visits them */
    swq_worst_level *level; /* [levels] */
    uint32_t levels;
    uint32_t *changed; /* [layers * states]: nodes of a state whose policy was improved */
    /* [layers * states]: when a state was last visited, and when values of its nodes last changed;
     * `now` counts levels that were visited */
    uint32_t *visited, *moved, now;
    bool settled;   /* evaluations have stopped to find better cycles */
    bool downwards; /* the next improvement visits emptier memories first */

    int64_t numerator, denominator; /* of the best cycle */
    bool unbounded;
    uint32_t *cycle; /* [cycle_length]: its nodes */
    int64_t cycle_length;
    int64_t reached, edges, rounds;
} swq_worst_search;

/* What packets sent in a phase weigh. */
static inline int64_t swq_worst_weight(const swq_worst_search *s, int rule_sent, int optimum_sent)
{
    const int64_t gain =
        s->spec->objective == SWQ_WORST_EXCESS ? optimum_sent - rule_sent : optimum_sent;
    const int64_t cost = s->spec->objective == SWQ_WORST_EXCESS ? 1 : rule_sent;

    return s->denominator * gain - s->numerator * cost;
}

/* The edges of all nodes of a state with the same number of arrivals so far. */
typedef struct swq_worst_arrival {
    uint64_t base; /* node of place 0 */
    const uint32_t *place, *taken;
} swq_worst_arrival;

enum { SWQ_WORST_MOST_ARRIVALS = SWQ_WORST_QUEUES * (SWQ_WORST_QUEUES + 1) };

typedef struct swq_worst_block {
    uint64_t first; /* its nodes are first .. first + members - 1 */
    uint32_t members;
    const uint32_t *member;
    int rule_sent, arrivals;
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
