/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The senders of one pool: at each of its inputs, a queue of the switch before (at the first stage
 * a source). What is known of each is a class: it has no packet, has one, or more (or just some);
 * of all together, how many there are of each class. Senders are in different switches, so that
 * they change class independently of each other, but for what the pool does to them. Room: approx.
 * Includes base.
 */
#ifndef SWQ_APPROX_POOL_SENDERS_H
#define SWQ_APPROX_POOL_SENDERS_H

#include "switchq/context.h"

/* What a sender may meet: room for all who offer a packet, or for fewer. */
enum { POOL_FREE, POOL_SHORT, POOL_LEVELS };

/* What a sender of one packet, of more, or of none has seen happen in a cycle. */
enum { POOL_TOOK_ONE, POOL_TOOK_MORE, POOL_LEFT_ONE, POOL_LEFT_MORE, POOL_IDLE, POOL_FATES };

enum { POOL_CLASSES = 3 };

/* What stages measure of one another; all of it is in the vector of the fixed point. */
typedef struct pool_measured {
    /* of the queues of this stage, for the next one: class after, by level and fate */
    double class_after[POOL_LEVELS][POOL_FATES][POOL_CLASSES];
    /* of the links into this stage, for the one before: chance of a sender of that class where
       there is room for fewer than offer a packet; and that it meets this in the next cycle, by
       level and fate in this one and the class in the next */
    double taken[POOL_CLASSES];
    double short_next[POOL_LEVELS][POOL_FATES][POOL_CLASSES];
} pool_measured;

typedef struct pool_senders {
    int ports;
    int classes;     /* 3, or 2: only whether there is a packet */
    int counts;      /* of senders by class: (one, more), one + more <= ports; by their sum */
    int *one, *more; /* [counts] */
    int mixes;       /* of senders by fate, ports of them or fewer */
    int *mix;        /* [mixes * POOL_FATES] */
    int *mix_at;     /* [(ports + 1) ^ POOL_FATES], or ^ 3: its number */
    double *law[POOL_LEVELS]; /* [mixes * counts]: of the counts after the cycle */
    double *choose;           /* [(ports + 1)^2]: binomial coefficients */
} pool_senders;

/* How many counts there are, to be known before anything is taken. */
double pool_senders_counts(int ports, int classes);

/* Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status pool_senders_init(swq_context *ctx, int ports, int classes, pool_senders *s);
void pool_senders_clear(swq_context *ctx, pool_senders *s);

/* First of the counts in which `offering` senders have a packet; the last is before the next one's
 * first. */
int pool_senders_first(const pool_senders *s, int offering);

/* Find the laws for senders that change class as measured. */
void pool_senders_learn(pool_senders *s, const pool_measured *before);

/* Transition matrix of the counts, kernel[counts * counts], where there is room for `room` packets,
 * and each sender that offers one has the same chance. */
void pool_senders_kernel(const pool_senders *s, int room, double *kernel);

/* Numerators and denominators of taken and short_next. */
typedef struct pool_tally {
    double taken[POOL_CLASSES], offered[POOL_CLASSES];
    double shorts[POOL_LEVELS][POOL_FATES][POOL_CLASSES];
    double times[POOL_LEVELS][POOL_FATES][POOL_CLASSES];
} pool_tally;

/* Add what senders see: room for `room` packets in this cycle, when their counts are v, and in the
 * next one for f with probability (and v) free[v * (ports + 1) + f]; f = ports: or more. */
void pool_senders_look(const pool_senders *s, const pool_measured *before, int room,
                       const double *free, pool_tally *tally);

#endif
