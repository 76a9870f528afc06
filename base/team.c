/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads that wait for jobs. A thread that wakes up late finds the job closed and goes back to
 * sleep. No thread waits for one that has not begun, so busy cores cost nothing.
 */
#include "base/team.h"

#include "base/context.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct {
    pthread_mutex_t mutex;
    pthread_cond_t begun, ended;
    bool open, over; /* a job can be joined; the team is being ended */
    unsigned jobs;   /* number of jobs so far: a thread joins each job at most once */
    int active;      /* threads that work on the job, not counting the caller's */
    swq_task_fn *run;
    void *arg;
    int64_t tasks;
    atomic_llong next;
    int threads;
    pthread_t thread[];
} team;

static void do_tasks(team *t)
{
    for (;;) {
        int64_t task = atomic_fetch_add(&t->next, 1);
        if (task >= t->tasks)
            return;
        t->run(t->arg, task);
    }
}

static void *help(void *arg)
{
    team *t = arg;
    unsigned seen = 0;

    pthread_mutex_lock(&t->mutex);
    for (;;) {
        while (!t->over && !(t->open && t->jobs != seen))
            pthread_cond_wait(&t->begun, &t->mutex);
        if (t->over)
            break;
        seen = t->jobs;
        t->active++;
        pthread_mutex_unlock(&t->mutex);
        do_tasks(t);
        pthread_mutex_lock(&t->mutex);
        if (--t->active == 0)
            pthread_cond_signal(&t->ended);
    }
    pthread_mutex_unlock(&t->mutex);
    return NULL;
}

/* A team with threads - 1 helpers, since the caller works too; NULL: no memory. */
static team *new_team(int threads)
{
    team *t = calloc(1, sizeof *t + sizeof *t->thread * (size_t)threads);

    if (!t)
        return NULL;
    pthread_mutex_init(&t->mutex, NULL);
    pthread_cond_init(&t->begun, NULL);
    pthread_cond_init(&t->ended, NULL);
    atomic_init(&t->next, 0);
    while (t->threads < threads - 1 && pthread_create(&t->thread[t->threads], NULL, help, t) == 0)
        t->threads++;
    return t;
}

static void release(void *kept)
{
    team *t = kept;

    pthread_mutex_lock(&t->mutex);
    t->over = true;
    pthread_cond_broadcast(&t->begun);
    pthread_mutex_unlock(&t->mutex);
    for (int k = 0; k < t->threads; k++)
        pthread_join(t->thread[k], NULL);
    pthread_cond_destroy(&t->ended);
    pthread_cond_destroy(&t->begun);
    pthread_mutex_destroy(&t->mutex);
    free(t);
}

void swq_team_run(swq_context *ctx, int64_t tasks, swq_task_fn *run, void *arg)
{
    void **kept = swq_context_kept(ctx, release);

    if (swq_context_threads(ctx) > 1 && tasks > 1 && !*kept)
        *kept = new_team(swq_context_threads(ctx));
    team *t = *kept;
    if (!t || t->threads == 0 || tasks < 2) {
        for (int64_t k = 0; k < tasks; k++)
            run(arg, k);
        return;
    }
    pthread_mutex_lock(&t->mutex);
    t->run = run;
    t->arg = arg;
    t->tasks = tasks;
    atomic_store(&t->next, 0);
    t->open = true;
    t->jobs++;
    pthread_cond_broadcast(&t->begun);
    pthread_mutex_unlock(&t->mutex);
    do_tasks(t);
    pthread_mutex_lock(&t->mutex);
    t->open = false;
    while (t->active > 0)
        pthread_cond_wait(&t->ended, &t->mutex);
    pthread_mutex_unlock(&t->mutex);
}
