/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the heads of one switch are distributed over its outputs: the chain of the group sizes, with
 * the room behind each output. It is exact for FIFO buffers whose next heads come with
 * probabilities that depend only on the group, and so for saturated buffers. The chain gives the
 * number of fresh heads that the other inputs bring while u heads contend for a link.
 */
#ifndef SWQ_APPROX_FIFO_HEADS_H
#define SWQ_APPROX_FIFO_HEADS_H

#include "switchq/context.h"

enum {
    FIFO_MOST_PORTS = 16,
    FIFO_WIDTH = FIFO_MOST_PORTS + 1,
    FIFO_MOST_LEVELS = 3, /* of room behind an output: none, one slot, more */
    FIFO_MOST_CLASSES = FIFO_WIDTH * FIFO_MOST_LEVELS
};

/* An output's class is heads * levels + room. States: how many outputs there are of each. With one
 * level, the room is not part of the state, and outputs are open with a probability. */
typedef struct fifo_heads {
    int ports, levels, classes, states;
    int *count;  /* [states][classes] */
    int *joined; /* [states][classes]: the state after one more head at such an output */
    int *left;  /* the states after all outputs have sent or not, and their room has changed, in the
                   order in which a step visits them */
    int *start; /* [states]: index into `left` */
    int empty;  /* the state without heads, with room everywhere */
} fifo_heads;

/* The probabilities of a cycle's events. */
typedef struct fifo_moves {
    double open[FIFO_WIDTH];    /* P(an output is open | u heads want it), for one level */
    double follows[FIFO_WIDTH]; /* P(the input that sent a head has a next head | the sent head was
                                   one of u) */
    double arrives;             /* P(a head comes | the buffer was empty) */
    /* P(room c -> c' | is there a head for the output?); not used for one level */
    double room[2][FIFO_MOST_LEVELS][FIFO_MOST_LEVELS];
} fifo_moves;

/* fresh[c][u][j]: P(j of the inputs without a head for an output bring one | room c, u heads for
 * it). */
typedef double fifo_others[FIFO_MOST_LEVELS][FIFO_WIDTH][FIFO_WIDTH];

/* Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status fifo_heads_init(swq_context *ctx, int ports, int levels, fifo_heads *heads);
void fifo_heads_clear(swq_context *ctx, fifo_heads *heads);

/* Move the distribution p by one cycle. work: [states][ports + 1]. */
void fifo_heads_step(const fifo_heads *heads, const fifo_moves *moves, const double *p,
                     double *next, double *work);

void fifo_heads_others(const fifo_heads *heads, const fifo_moves *moves, const double *p,
                       fifo_others fresh);

#endif
