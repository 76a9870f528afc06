/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A point where threads wait for one another. A thread that arrives early polls for some
 * microseconds, and then sleeps, so that waiting on busy cores costs no CPU time.
 */
#ifndef SWQ_BASE_BARRIER_H
#define SWQ_BASE_BARRIER_H

#include <pthread.h>
#include <stdatomic.h>

typedef struct swq_barrier {
    unsigned members;
    atomic_uint arrived, round;
    pthread_mutex_t mutex;
    pthread_cond_t next_round;
} swq_barrier;

/* Prepare a barrier for `members` threads, at least 1. */
void swq_barrier_init(swq_barrier *b, unsigned members);
void swq_barrier_clear(swq_barrier *b);

/* Wait until all members have arrived. Everything that a member wrote before is then visible to
 * all. */
void swq_barrier_meet(swq_barrier *b);

#endif
