/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The chain of one queue of a stage, at the start of a cycle: (u, n, h, c).
 *  u: heads of the stage before that are to join this queue (first stage: what the source holds:
 *     nothing, a packet for this queue, for another one)
 *  n: packets in the queue
 *  h: other heads of this switch that are to join the queue which its head is to join
 *  c: room in that queue, 0 .. levels - 1 (the last: so much or more)
 */
#ifndef SWQ_APPROX_PARTITIONED_CHAIN_H
#define SWQ_APPROX_PARTITIONED_CHAIN_H

#include "approx/links/partitioned/heads.h"

enum { CHAIN_MOST_ROOM = 31 };

typedef struct chain_shape {
    int ports, room;
    int before;  /* largest u */
    int levels;  /* levels of the queue's own room, as the heads before the queue see it */
    int ahead;   /* levels of c */
    double load; /* first stage: the load of the source; else 0 */
} chain_shape;

typedef struct chain_tally {
    double sent, accepted, packets, waiting, occupied, blocked;
    double arrives;
    double follows[HEADS_WIDTH][HEADS_MOST_LEVELS];
    double share[HEADS_WIDTH][HEADS_MOST_LEVELS];
    double scale[HEADS_WIDTH][HEADS_MOST_LEVELS];
    double frees[HEADS_WIDTH][HEADS_MOST_LEVELS][2]; /* measured for the heads before the queue */
    double comes[CHAIN_MOST_ROOM + 1][2]; /* P(a packet comes | packets, is the head blocked?) */
    double goes, waits; /* source: P(a held packet can go), P(a new one has to wait) */
} chain_tally;

size_t chain_states(const chain_shape *shape);

/* shares[n]: weight of the probability that its head is sent, by length. */
void chain_share(const chain_shape *shape, const double *p, const double *shares,
                 chain_tally *tally);
/* Each head's part in the probability of its group, from the chain of heads. */
void chain_scale(const chain_shape *shape, const double *p, const double *shares,
                 const heads_reading *ahead, chain_tally *tally);
/* `before`: NULL for a source. */
void chain_read(const chain_shape *shape, const double *p, const double *shares,
                const heads_reading *before, chain_tally *tally);

/* Changes of heads: P(blocked | it is new after one was sent, or in an empty queue), P(a head that
 * stays becomes blocked, or open). */
typedef struct chain_heads {
    double after_win, after_empty, closes, opens;
} chain_heads;

/* Do one cycle. frees: the `frees` measured by the queues ahead. */
void chain_step(const chain_shape *shape, const double *p, const double *shares,
                const heads_reading *before, const heads_reading *ahead, const chain_tally *tally,
                const chain_tally *behind, double *next, chain_heads *fates);

#endif
