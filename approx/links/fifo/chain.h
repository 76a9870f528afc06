/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The chain of one FIFO buffer of a stage: (u, n, h, c) at the start of a cycle.
 *  u: heads in the stage before that contend for the link into the buffer (stage 1, blocking: does
 *     the source hold a packet?)
 *  n: packets in the buffer
 *  h: other heads of this switch that want what its head wants
 *  c: room behind that output, 0 .. levels - 1 (the last: so much or more); one level: always open
 */
#ifndef SWQ_APPROX_FIFO_CHAIN_H
#define SWQ_APPROX_FIFO_CHAIN_H

#include "approx/links/fifo/heads.h"
#include "approx/links/links.h"
#include "approx/lumps.h"

typedef struct fifo_shape {
    int ports, slots;
    int contenders; /* u at most */
    int levels;
    bool discard;
    bool first; /* fed by a source, of this load */
    double load;
} fifo_shape;

/* A link between two stages (or the last stage and the sinks), as both ends see it. */
typedef struct fifo_link {
    int levels;
    fifo_others fresh; /* P(j others' heads are new at the link | room, u are there) */
    fifo_moves moves;  /* transitions of the heads before the link */
    double met[FIFO_WIDTH][FIFO_MOST_LEVELS]; /* distribution of the rivals and the room that a
                                                 fresh head meets */
    double scale; /* factor of a fresh head's chance 1/k to want this link, for the conservation of
                     flow */
} fifo_link;

/* The side of the link that feeds the buffer: P(u', a packet is offered | room, u). */
typedef double fifo_feed[FIFO_MOST_LEVELS][FIFO_WIDTH][2][FIFO_WIDTH];

/* Sums over a cycle of a stage's chain. */
typedef struct fifo_tally {
    /* [contenders + 1][slots + 1][2]: u, n at the start; has the buffer sent a packet? */
    double *at;
    double won[FIFO_WIDTH], next[FIFO_WIDTH]; /* P(a packet is sent by a head of a group of this
                                                 size); P(the buffer then has a next head) */
    double sent, accepted, offered, packets, waiting, busy;
    double tried; /* offers, including packets that are not let in (`offered`: only packets that are
                     let in, or lost) */
    double arrives; /* P(a packet comes in | the buffer was empty) */
} fifo_tally;

size_t fifo_chain_states(const fifo_shape *shape);
size_t fifo_chain_at(const fifo_shape *shape, int u, int n, int h, int c);

void fifo_chain_tally(const fifo_shape *shape, const double *p, fifo_tally *tally);

/* Do one cycle, and then balance the lengths of the buffer: slots + 1 lumps, whose length changes
 * by one at most. work: [2][states], and slots + 1 more. */
void fifo_chain_step(const fifo_shape *shape, fifo_feed feed, const fifo_link *ahead,
                     const double *p, double *next, double *work, approx_lumps *lumps);

/* Free slots, at most two. */
int fifo_chain_room(const fifo_shape *shape, int n);

/* From a source; from a link (its fresh heads, and what follows). */
void fifo_feed_source(const fifo_shape *shape, fifo_feed feed);
void fifo_feed_link(const fifo_shape *shape, const fifo_link *link, fifo_feed feed);

#endif
