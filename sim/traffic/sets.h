/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sets of nodes that multicast messages are for. A message for set s has the destination nodes + s;
 * a message for a single node has the node's number as destination.
 *
 *      start:    0         3      5            the members of set 0 are 2, 5, 6
 *      member: | 2 | 5 | 6 | 0 | 4 |           those of set 1 are 0, 4
 */
#ifndef SWQ_SIM_TRAFFIC_SETS_H
#define SWQ_SIM_TRAFFIC_SETS_H

#include <stdint.h>

typedef struct swq_node_sets {
    uint32_t nodes;   /* of the network */
    uint32_t sets;    /* 0: no message is multicast */
    uint32_t members; /* of all sets */
    uint32_t most;    /* members of the largest set; 1 without sets */
    uint32_t *start;  /* [sets + 1] the first member of each set, and the end of the last */
    uint32_t *member; /* [members] the nodes of the sets, in ascending order within a set */
} swq_node_sets;

/* How many nodes is a message for? */
static inline uint32_t swq_copies_to(const swq_node_sets *s, uint32_t to)
{
    return to < s->nodes ? 1 : s->start[to - s->nodes + 1] - s->start[to - s->nodes];
}

/* The node that a message is for, or the first node of its set. */
static inline uint32_t swq_first_node(const swq_node_sets *s, uint32_t to)
{
    return to < s->nodes ? to : s->member[s->start[to - s->nodes]];
}

#endif
