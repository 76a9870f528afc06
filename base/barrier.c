/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads that wait for one another.
 */
#include "base/barrier.h"

enum {
    LOOKS = 400 /* at the barrier before a thread sleeps: about ten microseconds */
};

void swq_barrier_init(swq_barrier *b, unsigned members)
{
    b->members = members;
    atomic_init(&b->arrived, 0);
    atomic_init(&b->round, 0);
    pthread_mutex_init(&b->mutex, NULL);
    pthread_cond_init(&b->next_round, NULL);
}

void swq_barrier_clear(swq_barrier *b)
{
    pthread_mutex_destroy(&b->mutex);
    pthread_cond_destroy(&b->next_round);
}

static void pause_briefly(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

void swq_barrier_meet(swq_barrier *b)
{
    const unsigned round = atomic_load(&b->round);

    if (atomic_fetch_add(&b->arrived, 1) + 1 == b->members) {
        atomic_store(&b->arrived, 0);
        pthread_mutex_lock(&b->mutex);
        atomic_store(&b->round, round + 1);
        pthread_cond_broadcast(&b->next_round);
        pthread_mutex_unlock(&b->mutex);
        return;
    }
    for (int k = 0; k < LOOKS; k++) {
        if (atomic_load_explicit(&b->round, memory_order_acquire) != round)
            return;
        pause_briefly();
    }
    pthread_mutex_lock(&b->mutex);
    while (atomic_load(&b->round) == round)
        pthread_cond_wait(&b->next_round, &b->mutex);
    pthread_mutex_unlock(&b->mutex);
}
