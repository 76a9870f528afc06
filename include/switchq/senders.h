/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the nodes of an asynchronous network send: groups of senders, their messages and intervals,
 * and traces.
 */
#ifndef SWITCHQ_SENDERS_H
#define SWITCHQ_SENDERS_H

#include "switchq/sim.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum {
    SWQ_MAX_SENDER_GROUPS = SWQ_MAX_GROUPS,
    SWQ_MAX_MESSAGE_TYPES = 8,
    SWQ_MAX_NODE_SETS = 4096, /* of one type of messages */
    SWQ_MAX_SET_MEMBERS = 1 << 20,
    SWQ_MAX_MESSAGE = 1 << 24 /* bytes */
};

#define SWQ_MAX_BURST 1e6 /* messages, on average */
#define SWQ_MAX_SHAPE 20  /* of a Pareto distribution: lighter tails are geometric */

/* A distribution of whole numbers. */
typedef enum swq_spread_kind {
    SWQ_CONSTANT,
    SWQ_UNIFORM,
    SWQ_GEOMETRIC,
    SWQ_PARETO /* heavy tails: P(number > k) = (1 + k / s)^-shape, with the s that gives the mean;
                  numbers above SWQ_MAX_MESSAGE become SWQ_MAX_MESSAGE */
} swq_spread_kind;
typedef struct swq_spread {
    swq_spread_kind kind;
    double first, second; /* constant: the number. uniform: least and most, both possible.
                             geometric: the mean, and the least number (0 or 1). Pareto: the mean,
                             1 .. SWQ_MAX_MESSAGE / 2, and the shape, > 1 .. SWQ_MAX_SHAPE */
} swq_spread;

/* Where messages go. SWQ_AIM_ALL and SWQ_AIM_SETS are multicast: each message is for several nodes.
 */
typedef enum swq_aim {
    SWQ_AIM_PATTERN,
    SWQ_AIM_NODE,
    SWQ_AIM_SUBSET, /* to one node of a subset */
    SWQ_AIM_ALL,    /* to all nodes of a subset */
    SWQ_AIM_SETS,   /* to all nodes of a set, one of several that were drawn for the run */
    SWQ_AIM_GROUP,  /* to one node of another group: traffic against the routing, ADV+I */
    SWQ_AIM_WORST   /* to one node of the group that swq_fabric_kind.worst gives */
} swq_aim;

/* One type of traffic of a group of senders. */
typedef struct swq_message_type {
    double probability; /* of a message being of this type; a group's sum to one */
    swq_aim aim;
    const swq_pattern *pattern; /* SWQ_AIM_PATTERN: uniform (in point-to-point fabrics to all other
                                   nodes), a permutation, or matrix */
    const swq_destinations *matrix; /* for pattern matrix, else NULL; owned by the caller. Messages
                                       of a node without destinations are not sent */
    /* SWQ_AIM_SUBSET: uniform over the nodes d with (d & mask) == value; SWQ_AIM_ALL: to each of
     * these nodes; SWQ_AIM_NODE: all to node `value`; SWQ_AIM_GROUP: uniform over the
     * nodes of the group `value` further in its ring, 1 .. swq_fabric.group_ring - 1 */
    uint32_t mask, value;
    int members, sets; /* SWQ_AIM_SETS: nodes of a set, 1 .. all, and sets, 1 ..
                          SWQ_MAX_NODE_SETS; members x sets at most SWQ_MAX_SET_MEMBERS */
    swq_spread length; /* of a message, bytes, >= 1; a message longer than max_packet is split into
                          packets, and the last packet takes the rest */
} swq_message_type;

/* A group of senders: those with (sender & mask) == value, while the group is active. In each cycle
 * a sender belongs to the first such group; a sender that changes its group begins anew. */
typedef struct swq_sender_group {
    uint32_t mask, value;
    /* the group is active in cycles from .. until - 1, counted from the run's first cycle: only
     * then are messages created; until 0: the group has no end */
    uint32_t from, until;
    swq_source_kind
        kind; /* hold: the interval to the next message begins when the last packet of the previous
                 message has been sent and the link has rested. open: the interval begins with the
                 creation of the previous message; messages wait at the source. */
    bool from_start; /* hold: the interval begins when the transmission of the last packet begins */
    bool silent;     /* sends nothing */
    int priority;    /* 0 .. SWQ_CELL_PRIORITIES - 1, 0 the first, in an architecture with flow
                        groups; else 0 */
    swq_spread interval; /* cycles; >= 0 (hold), >= 1 (open) */
    bool by_load; /* `interval` is that of a load: where links have several speeds, a sender's own
                     intervals are longer by as much as its link is slower than the fastest */
    const double *node_load; /* [nodes] the load of each sender, as swq_sender_group_load would set
                                it, in place of `interval`; not for from_start. NULL: all senders
                                have `interval`. Owned by the caller */
    double burst; /* mean messages of a burst, geometric; 0 or 1: no bursts. The messages of a burst
                     are of one type and go to one destination. Each is begun when the link can take
                     it (hold), or created when the link could have carried the message before
                     (open). `interval` is then the interval before a burst */
    swq_message_type type[SWQ_MAX_MESSAGE_TYPES];
    int types;
} swq_sender_group;

/* One line of a trace. */
typedef struct swq_async_message {
    uint64_t cycle; /* of its creation; may not decrease from line to line */
    uint32_t source, destination, bytes;
} swq_async_message;

enum { SWQ_MAX_DEPENDENCY_DELAY = 100000000 };

/* A message of a trace that waits for another message: it is created `delay` cycles after the last
 * byte of the other message has arrived at its node, or later, if its own cycle or another
 * dependency is later. Messages are numbered by their lines in the trace, from 0 on. */
typedef struct swq_async_dependency {
    uint64_t message, on;
    uint32_t delay; /* 1 .. SWQ_MAX_DEPENDENCY_DELAY */
} swq_async_dependency;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
