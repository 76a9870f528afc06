/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The heads that meet at one output of a switch, grouped by the queue behind the output that they
 * are to join: the chain of the group sizes, with the room in each of those queues. One open head
 * is sent per cycle; all heads for a full queue wait. An output without a switch behind it has one
 * group, which is always open.
 */
#ifndef SWQ_APPROX_PARTITIONED_HEADS_H
#define SWQ_APPROX_PARTITIONED_HEADS_H

#include "switchq/context.h"

#include <stdbool.h>

enum {
    HEADS_MOST_PORTS = 16,
    HEADS_WIDTH = HEADS_MOST_PORTS + 1,
    HEADS_MOST_LEVELS = 3, /* of room in a queue: none, one slot, more */
    HEADS_MOST_CLASSES = HEADS_WIDTH * HEADS_MOST_LEVELS
};

/* A group's class is heads * levels + room. States: how many groups there are of each. */
typedef struct heads_chain {
    int ports, groups, levels, classes;
    int states, empty; /* empty: the state without heads, with room everywhere */
    int *count;        /* [states][classes] */
    int *joined;       /* [states][classes]: the state after one more head in such a group */
    int *left;  /* the states after a head was sent and room has changed, in the order in which a
                   step visits them */
    int *start; /* [states]: index into `left` */
} heads_chain;

/* Measurements of the queues before and behind, by heads u in the group and room c. */
typedef struct heads_moves {
    double arrives;                                 /* P(a packet comes | a queue is empty) */
    double follows[HEADS_WIDTH][HEADS_MOST_LEVELS]; /* P(the input that has sent has a next head) */
    /* P(room is one slot more than it would be | did a packet join the queue?) */
    double frees[HEADS_WIDTH][HEADS_MOST_LEVELS][2];
    double share[HEADS_WIDTH][HEADS_MOST_LEVELS]; /* weight of an open head's probability */
    double sends[HEADS_WIDTH];                    /* P(the output sends | open heads) */
    double mean_share; /* mean share of open heads, for which sends[] is right */
} heads_moves;

/* Measurements for the neighbours of a group of heads: the queue before (how its heads are served)
 * and the queue behind (how packets join it). */
typedef struct heads_reading {
    double sent;
    double served[HEADS_WIDTH][HEADS_MOST_LEVELS]; /* P(a head of the group is sent) */
    double follows[HEADS_WIDTH][HEADS_MOST_LEVELS];
    /* P(j heads join the group | was a head of the group sent?), without the sender's own next
     * head */
    double fresh[HEADS_WIDTH][HEADS_MOST_LEVELS][2][HEADS_WIDTH];
    double met[HEADS_WIDTH][HEADS_MOST_LEVELS]; /* rivals and room that a new head finds, if it goes
                                                   to another queue than its predecessor */
    double same;                                /* P(a next head goes to the same queue) */
    int levels;
} heads_reading;

/* The number of states; counting stops above `most`. */
int heads_states(int ports, int groups, int levels, int most);

/* Errors: SWQ_ENOMEM. */
swq_status heads_init(swq_context *ctx, int ports, int groups, int levels, heads_chain *chain);
void heads_clear(swq_context *ctx, heads_chain *chain);
/* The size of the working space of heads_step, in numbers. */
size_t heads_work(const heads_chain *chain);

/* Fill in reading->sent and reading->served, the probabilities that heads are sent. Of `moves`,
 * share and sends must be known. */
void heads_serve(const heads_chain *chain, const heads_moves *moves, const double *p,
                 heads_reading *reading);
/* Fill in the distribution of the heads that follow sent ones. All of `moves` but `frees` must be
 * known. */
void heads_read(const heads_chain *chain, const heads_moves *moves, const double *p,
                heads_reading *reading);
/* Do one cycle; also fills in reading->met. */
void heads_step(const heads_chain *chain, const heads_moves *moves, const double *p, double *next,
                double *work, heads_reading *reading);

#endif
