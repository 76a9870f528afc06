/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The senders of one pool: at each of its inputs, a queue of the switch before (at the first stage
 * a source). Each has a class: no packet, one, or more (or just at least one); the state has the
 * number of senders of each class. Senders are in different switches, so that they change class
 * independently, apart from the pool's effect on them.
 */
#ifndef SWQ_APPROX_POOL_SENDERS_H
#define SWQ_APPROX_POOL_SENDERS_H

#include "switchq/context.h"

/* The room that a sender may meet: room for all senders that offer a packet, or for fewer. */
enum { POOL_FREE, POOL_SHORT, POOL_LEVELS };

/* The fate of a sender in a cycle, by whether it has one packet, more, or none. */
enum { POOL_TOOK_ONE, POOL_TOOK_MORE, POOL_LEFT_ONE, POOL_LEFT_MORE, POOL_IDLE, POOL_FATES };

enum { POOL_CLASSES = 3 };

/* Measurements that stages make for one another; all are part of the fixed point. */
typedef struct pool_measured {
    /* of the queues of this stage, for the next one: class after, by level and fate */
    double class_after[POOL_LEVELS][POOL_FATES][POOL_CLASSES];
    /* of the links into this stage, for the stage before: the probability that a sender of a class
     * is accepted if there is room for fewer than offer a packet; and the probability that the
     * sender meets such a shortage in the next cycle, by level and fate in this cycle and class in
     * the next */
    double taken[POOL_CLASSES];
    double short_next[POOL_LEVELS][POOL_FATES][POOL_CLASSES];
} pool_measured;

typedef struct pool_senders {
    int ports;
    int classes; /* 3; or 2, which only say whether there is a packet */
    int counts;  /* number of pairs (one, more) of senders by class, one + more <= ports, ordered by
                    their sum */
    int *one, *more;          /* [counts] */
    int mixes;                /* number of ways to divide up to `ports` senders among fates */
    int *mix;                 /* [mixes * POOL_FATES] */
    int *mix_at;              /* [(ports + 1) ^ POOL_FATES], or ^ 3: the number of a mix */
    double *law[POOL_LEVELS]; /* [mixes * counts]: distribution of the counts after the cycle */
    double *choose;           /* [(ports + 1)^2]: binomial coefficients */
} pool_senders;

/* The number of counts, needed before memory is allocated. */
double pool_senders_counts(int ports, int classes);

/* Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status pool_senders_init(swq_context *ctx, int ports, int classes, pool_senders *s);
void pool_senders_clear(swq_context *ctx, pool_senders *s);

/* First of the counts in which `offering` senders have a packet; the last is before the next one's
 * first. */
int pool_senders_first(const pool_senders *s, int offering);

/* Compute the distributions for senders that change class as measured. */
void pool_senders_learn(pool_senders *s, const pool_measured *before);

/* Transition matrix of the counts, kernel[counts * counts], if there is room for `room` packets,
 * and all senders that offer one are equally likely to be accepted. */
void pool_senders_kernel(const pool_senders *s, int room, double *kernel);

/* Numerators and denominators of taken and short_next. */
typedef struct pool_tally {
    double taken[POOL_CLASSES], offered[POOL_CLASSES];
    double shorts[POOL_LEVELS][POOL_FATES][POOL_CLASSES];
    double times[POOL_LEVELS][POOL_FATES][POOL_CLASSES];
} pool_tally;

/* Add the room that senders meet: room for `room` packets in this cycle with counts v, and for f
 * packets in the next one, with the joint probability free[v * (ports + 1) + f] of v and f; f =
 * ports means at least `ports`. */
void pool_senders_look(const pool_senders *s, const pool_measured *before, int room,
                       const double *free, pool_tally *tally);

#endif
