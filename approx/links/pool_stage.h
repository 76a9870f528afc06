/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The chain of one stage: one of a pool's queues, the total of its others, the senders at its
 * inputs, and how crowded it is where the head of that queue wants to go. One power step.
 * Room: approx. Includes base.
 */
#ifndef SWQ_APPROX_POOL_STAGE_H
#define SWQ_APPROX_POOL_STAGE_H

#include "approx/links/pool_rest.h"
#include "approx/links/pool_senders.h"

#include "switchq/switch.h"

#include <stdbool.h>

/* Packets that a queue has sent, or not, when there was room ahead for all, or for fewer. */
enum { POOL_SENT_FREE, POOL_SENT_SHORT, POOL_HELD, POOL_EMPTY, POOL_TURNS };

/* Room for one step, for any stage in turn. */
typedef struct pool_work {
    int ports, capacity;
    bool discard;
    int cells; /* (queue q, rest r), q + r <= capacity */
    int *row;  /* [capacity + 1]: cell (q, 0) */
    pool_rest rest;
    pool_senders sources, queues; /* what is at the inputs of the first stage, and of others */
    double *binomial; /* [(ports + 1)^2]: of n arrivals, so many for the followed queue */
    double *open;   /* [capacity + 1]: chance that another queue can send, given the pool's total */
    double *total;  /* [capacity + 1] */
    double *length; /* [capacity + 1] */
    double *turn[POOL_TURNS];   /* [cells * counts]: after departures */
    double *after[POOL_LEVELS]; /* [cells * counts]: after arrivals */
    double *kernel;             /* [counts^2] */
    double *free;               /* [counts * (ports + 1)] */
} pool_work;

/* A stage at the start of a cycle. */
typedef struct pool_state {
    pool_measured *measured;
    double *weight;             /* [capacity + 1]: see pool_rest.h */
    double *level[POOL_LEVELS]; /* [cells * counts]; an empty queue is in the first */
} pool_state;

/* Of one step: expectations per switch and cycle. */
typedef struct pool_flow {
    double offered, accepted; /* packets at the inputs; those that enter */
    double sent, nonempty;    /* by the followed queue; that it had a packet */
    double packets;           /* at the start of the cycle */
} pool_flow;

/* The neighbours of a stage. */
typedef struct pool_place {
    pool_senders *senders;       /* at its inputs */
    const pool_measured *before; /* how they change class */
    const pool_measured *ahead;  /* what the followed queue meets; NULL: always room */
    int classes;                 /* that the next stage tells apart */
} pool_place;

/* Largest number of counts: of the senders of any stage. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status pool_work_init(swq_context *ctx, int ports, int capacity, int classes, bool discard,
                          pool_work *work);
void pool_work_clear(swq_context *ctx, pool_work *work);

/* How senders begin: nothing has been seen yet. */
pool_measured pool_measured_guess(double load);

/* One cycle: next <- step of now. Costs about cells * counts^2. */
void pool_stage_step(pool_work *work, const pool_place *place, const pool_state *now,
                     pool_state *next, pool_flow *flow);

#endif
