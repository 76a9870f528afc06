/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The heads that meet at one output of a switch, grouped by the queue behind the output that they
 * are to join: the chain of the group sizes, with the room in each of those queues. One head is
 * sent a cycle, an open one; all that wait for a full queue wait together. The switch's own output
 * without a switch behind it is one group that is always open.
 * Room: approx. Includes base.
 */
#ifndef SWQ_APPROX_PARTITIONED_HEADS_H
#define SWQ_APPROX_PARTITIONED_HEADS_H

#include "switchq/context.h"

#include <stdbool.h>

enum {
    HEADS_MOST_PORTS = 16,
    HEADS_WIDTH = HEADS_MOST_PORTS + 1,
    HEADS_MOST_LEVELS = 3, /* of room in a queue: none, a slot, more */
    HEADS_MOST_CLASSES = HEADS_WIDTH * HEADS_MOST_LEVELS
};

/* A group's class is heads * levels + room. States: how many groups there are of each. */
typedef struct heads_chain {
    int ports, groups, levels, classes;
    int states, empty; /* empty: no heads, all room */
    int *count;        /* [states][classes] */
    int *joined;       /* [states][classes]: the state after a head more in such a group */
    int *left;         /* the states after one was sent and room has changed, in a step's order */
    int *start;        /* [states]: into left */
} heads_chain;

/* What the queues before and behind say. By heads in the group u, and room c. */
typedef struct heads_moves {
    double arrives;                                  /* P(a packet comes | a queue is empty) */
    double follows[HEADS_WIDTH][HEADS_MOST_LEVELS];  /* P(who has sent has a next head) */
    double frees[HEADS_WIDTH][HEADS_MOST_LEVELS][2]; /* P(room is one more than it would be
                                                        | did one join the queue?) */
    double share[HEADS_WIDTH][HEADS_MOST_LEVELS];    /* weight of an open head's chance */
    double sends[HEADS_WIDTH];                       /* P(the output sends | open heads) */
    double mean_share; /* of open heads: those for whom sends[] is right */
} heads_moves;

/* What a queue meets, before it and behind it. */
typedef struct heads_reading {
    double sent;
    double served[HEADS_WIDTH][HEADS_MOST_LEVELS]; /* P(one of the group is sent) */
    double follows[HEADS_WIDTH][HEADS_MOST_LEVELS];
    /* P(j heads join the group | was one of it sent?), but the sender's own next */
    double fresh[HEADS_WIDTH][HEADS_MOST_LEVELS][2][HEADS_WIDTH];
    double met[HEADS_WIDTH][HEADS_MOST_LEVELS]; /* rivals and room that a new head finds, which does
                                                   not go where its queue's last one went */
    double same;                                /* P(a next head wants the same queue) */
    int levels;
} heads_reading;

/* How many states there are; stops counting above `most`. */
int heads_states(int ports, int groups, int levels, int most);

/* Errors: SWQ_ENOMEM. */
swq_status heads_init(swq_context *ctx, int ports, int groups, int levels, heads_chain *chain);
void heads_clear(swq_context *ctx, heads_chain *chain);
/* Numbers that heads_step works with. */
size_t heads_work(const heads_chain *chain);

/* What is sent: needs moves->share and sends. */
void heads_serve(const heads_chain *chain, const heads_moves *moves, const double *p,
                 heads_reading *reading);
/* And what follows; needs all moves but frees. */
void heads_read(const heads_chain *chain, const heads_moves *moves, const double *p,
                heads_reading *reading);
/* One cycle; fills in reading->met as well. */
void heads_step(const heads_chain *chain, const heads_moves *moves, const double *p, double *next,
                double *work, heads_reading *reading);

#endif
