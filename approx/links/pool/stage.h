/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One power step of the chain of one stage: one of a pool's queues, the total of the other queues,
 * the senders at its inputs, and how crowded the pool is to which the head of that queue wants to
 * go.
 */
#ifndef SWQ_APPROX_POOL_STAGE_H
#define SWQ_APPROX_POOL_STAGE_H

#include "approx/links/pool/coarse.h"
#include "approx/links/pool/rest.h"
#include "approx/links/pool/senders.h"

#include "switchq/switch.h"

#include <stdbool.h>

/* The turn of a queue: it sent with room ahead for all packets, it sent with room for fewer, it was
 * held, or it was empty. */
enum { POOL_SENT_FREE, POOL_SENT_SHORT, POOL_HELD, POOL_EMPTY, POOL_TURNS };

enum { POOL_LINES = 2 };

/* Working space for one step of any stage. Cells are (total T, followed queue q), q <= T; states
 * are [T][counts of senders][q], so that operations on states with the same T run over consecutive
 * q. */
typedef struct pool_work {
    int ports, capacity;
    bool discard;
    double rare; /* added to divisors: for rarer events, the first guess is good enough */
    int cells;
    pool_rest rest;
    pool_coarse coarse;
    pool_senders sources,
        queues;       /* the senders at the inputs of the first stage, and of other stages */
    double *binomial; /* [(ports + 1)^2]: probability that of n arrivals, k are for the followed
                         queue */
    double *open;     /* [capacity + 1]: probability that another queue can send, given the total */
    double *total;    /* [capacity + 1] */
    double *length;   /* [capacity + 1] */
    double *departs;  /* [ports * cells]: probability that d of the other queues send */
    double *line[POOL_LINES];   /* work space: [capacity + 2] each, by queue length */
    double *group;              /* [2 * (ports + 1) * (capacity + 2)] */
    double *now[POOL_LEVELS];   /* [cells * counts]: at the beginning of the step */
    double *turn[POOL_TURNS];   /* [cells * counts]: after departures */
    double *after[POOL_LEVELS]; /* [cells * counts]: after arrivals */
    double *kernel;             /* [counts^2] */
    double *free;               /* [counts * (ports + 1)] */
} pool_work;

/* A stage at the start of a cycle. */
typedef struct pool_state {
    pool_measured *measured;
    double *weight;             /* [capacity + 1]: see rest.h */
    double *level[POOL_LEVELS]; /* [cells * counts]; an empty queue is in the first */
} pool_state;

/* Expectations per switch and cycle, from one step. */
typedef struct pool_flow {
    /* packets at the inputs, packets that enter, and packets refused, which are few, and summed
     * separately, since a difference would only be rounding */
    double offered, accepted, refused;
    double sent,
        held;       /* by the followed queue; probability that it had a packet and could not send */
    double packets; /* at the start of the cycle */
} pool_flow;

/* The neighbours of a stage. */
typedef struct pool_place {
    pool_senders *senders;       /* the senders at the stage's inputs */
    const pool_measured *before; /* how the classes of these senders change */
    const pool_measured *ahead;  /* chances that the next stage has room for the followed queue's
                                    packet; NULL:  it always has */
    int classes;                 /* classes that the next stage distinguishes */
} pool_place;

/* classes: the most classes of senders of any stage. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status pool_work_init(swq_context *ctx, int ports, int capacity, int classes, bool discard,
                          double load, pool_work *work);
void pool_work_clear(swq_context *ctx, pool_work *work);

/* First guess of the measurements. */
pool_measured pool_measured_guess(double load);

/* next <- `now`, with its lumps scaled (coarse.h), after one cycle. Cost: cells * counts^2. */
void pool_stage_step(pool_work *work, const pool_place *place, const pool_state *now,
                     pool_state *next, pool_flow *flow);

#endif
