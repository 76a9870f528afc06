/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The chain of one stage: one of a pool's queues, the total of its others, the senders at its
 * inputs, and how crowded it is where the head of that queue wants to go. One power step.
 * Room: approx. Includes base.
 */
#ifndef SWQ_APPROX_POOL_STAGE_H
#define SWQ_APPROX_POOL_STAGE_H

#include "approx/links/pool/coarse.h"
#include "approx/links/pool/rest.h"
#include "approx/links/pool/senders.h"

#include "switchq/switch.h"

#include <stdbool.h>

/* Packets that a queue has sent, or not, when there was room ahead for all, or for fewer. */
enum { POOL_SENT_FREE, POOL_SENT_SHORT, POOL_HELD, POOL_EMPTY, POOL_TURNS };

enum { POOL_LINES = 2 };

/* Room for one step, for any stage in turn. Cells are (total T, followed queue q), q <= T; states
 * are [T][counts of senders][q], so that all that is done to a state with so many packets in the
 * pool is done to a stretch of queues. */
typedef struct pool_work {
    int ports, capacity;
    bool discard;
    double rare; /* added to what is divided by: where less than this happens, a guess is as good */
    int cells;
    pool_rest rest;
    pool_coarse coarse;
    pool_senders sources, queues; /* what is at the inputs of the first stage, and of others */
    double *binomial; /* [(ports + 1)^2]: of n arrivals, so many for the followed queue */
    double *open;     /* [capacity + 1]: chance that another queue can send, given the total */
    double *total;    /* [capacity + 1] */
    double *length;   /* [capacity + 1] */
    double *departs;  /* [ports * cells]: chance that so many of the other queues send */
    double *line[POOL_LINES];   /* [capacity + 2]: of queues */
    double *group;              /* [2 * (ports + 1) * (capacity + 2)] */
    double *now[POOL_LEVELS];   /* [cells * counts]: what the step begins with */
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

/* Of one step: expectations per switch and cycle. */
typedef struct pool_flow {
    /* packets at the inputs; those that enter, and the others, which are few: added up by
       themselves, for a difference would be rounding */
    double offered, accepted, refused;
    double sent, held; /* by the followed queue; that it had a packet and could not send */
    double packets;    /* at the start of the cycle */
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
                          double load, pool_work *work);
void pool_work_clear(swq_context *ctx, pool_work *work);

/* How senders begin: nothing has been seen yet. */
pool_measured pool_measured_guess(double load);

/* next <- now, its lumps scaled (coarse.h), after one cycle. Costs about cells * counts^2. */
void pool_stage_step(pool_work *work, const pool_place *place, const pool_state *now,
                     pool_state *next, pool_flow *flow);

#endif
