/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads that take numbered tasks until there are none left.
 */
#include "sim/measure/pile.h"

#include "base/context.h"
#include "switchq/sim.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { MESSAGE = 400 };

typedef struct {
    swq_context *ctx; /* the caller's context, for its memory limit and cancellation; only one
                         thread reports progress to it */
    const swq_pile *pile;
    atomic_int next;
    double done, total;      /* weights; done under the lock */
    atomic_int first_failed; /* lowest number of a failed task, or `tasks` */
    pthread_mutex_t lock;    /* of message, done and the caller's blocks */
    char message[MESSAGE];
} work_on_pile;

static void note_failure(work_on_pile *w, int number, const swq_context *ctx)
{
    pthread_mutex_lock(&w->lock);
    if (number < atomic_load(&w->first_failed)) {
        atomic_store(&w->first_failed, number);
        snprintf(w->message, sizeof w->message, "%s", swq_context_message(ctx));
    }
    pthread_mutex_unlock(&w->lock);
}

static double weight_of(const swq_pile *pile, int task)
{
    return pile->weight ? pile->weight(pile->arg, task) : 1;
}

static double note_done(work_on_pile *w, int task)
{
    pthread_mutex_lock(&w->lock);
    w->done += weight_of(w->pile, task);
    double done = w->done;
    pthread_mutex_unlock(&w->lock);
    return done;
}

static void tell_done(work_on_pile *w, double done)
{
    swq_progress(w->ctx, w->pile->stage ? w->pile->stage : "simulating", done, w->total);
}

/* State of one thread. */
typedef struct {
    work_on_pile *work;
    swq_context *own;
    bool tells; /* this thread reports progress to the caller's context */
} taker;

/* The progress callback of a thread's own context: passes cancellation on to the thread and, during
 * a long task, reports the progress of the other threads' tasks. */
static void pass_on(void *arg, const char *stage, double done, double total)
{
    const taker *t = arg;
    work_on_pile *w = t->work;

    (void)stage;
    (void)done;
    (void)total;
    if (swq_context_cancelled(w->ctx))
        swq_context_cancel(t->own);
    if (!t->tells)
        return;
    pthread_mutex_lock(&w->lock);
    const double all = w->done;
    pthread_mutex_unlock(&w->lock);
    tell_done(w, all);
}

static void take_tasks(work_on_pile *w, bool tells)
{
    const swq_pile *pile = w->pile;
    taker t = {w, swq_context_new(), tells};

    if (t.own) {
        swq_context_limit_memory(t.own, swq_context_memory_limit(w->ctx));
        swq_context_serve(t.own, w->ctx);
        swq_context_watch(t.own, pass_on, &t);
    }
    for (int k; (k = atomic_fetch_add(&w->next, 1)) < pile->tasks;) {
        swq_status status = !t.own                          ? SWQ_ENOMEM
                            : swq_context_cancelled(w->ctx) ? SWQ_ECANCELLED
                                                            : pile->run(t.own, pile->arg, k);
        *pile->status(pile->arg, k) = status;
        if (status && t.own && status != SWQ_ECANCELLED)
            note_failure(w, k, t.own);
        double done = note_done(w, k);
        if (tells)
            tell_done(w, done);
    }
    if (t.own) {
        pthread_mutex_lock(&w->lock);
        swq_context_take_blocks(w->ctx, t.own);
        pthread_mutex_unlock(&w->lock);
    }
    swq_context_free(t.own);
}

static void *worker(void *arg)
{
    take_tasks(arg, false);
    return NULL;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x < y) - (x > y);
}

/* The most threads, up to `threads`, on which any tasks fit into the memory beside one another. */
static int fitting(swq_context *ctx, const swq_pile *pile, int threads)
{
    const double limit = (double)swq_context_memory_limit(ctx);
    double *bytes = NULL, sum = 0;
    int fit = 0;

    if (limit > 0 && threads > 1 && pile->bytes && pile->tasks > 1)
        bytes = calloc((size_t)pile->tasks, sizeof *bytes);
    if (!bytes)
        return threads;
    for (int k = 0; k < pile->tasks; k++)
        bytes[k] = pile->bytes(ctx, pile->arg, k);
    qsort(bytes, (size_t)pile->tasks, sizeof *bytes, by_size);
    while (fit < threads && fit < pile->tasks && sum + bytes[fit] <= limit)
        sum += bytes[fit++];
    free(bytes);
    return fit > 0 ? fit : 1;
}

swq_status swq_pile_run(swq_context *ctx, const swq_pile *pile, int threads)
{
    work_on_pile w = {.ctx = ctx, .pile = pile};
    pthread_t thread[SWQ_MAX_THREADS];
    int started = 0;

    if (threads < 1 || threads > SWQ_MAX_THREADS)
        return swq_fail(ctx, SWQ_EINVAL, "threads must be 1 to %d, not %d", SWQ_MAX_THREADS,
                        threads);
    threads = fitting(ctx, pile, threads);
    for (int k = 0; k < pile->tasks; k++)
        w.total += weight_of(pile, k);
    pthread_mutex_init(&w.lock, NULL);
    atomic_init(&w.first_failed, pile->tasks);
    /* if a thread cannot be created, the other threads do its work */
    while (started < threads - 1 && started < pile->tasks - 1 &&
           pthread_create(&thread[started], NULL, worker, &w) == 0)
        started++;
    take_tasks(&w, true);
    for (int k = 0; k < started; k++)
        pthread_join(thread[k], NULL);
    pthread_mutex_destroy(&w.lock);
    int failed = atomic_load(&w.first_failed);
    if (failed < pile->tasks)
        return swq_fail(ctx, *pile->status(pile->arg, failed), "%s", w.message);
    for (int k = 0; k < pile->tasks; k++) {
        swq_status status = *pile->status(pile->arg, k);
        if (status)
            return swq_fail(ctx, status, status == SWQ_ENOMEM ? "no memory" : "cancelled");
    }
    return SWQ_OK;
}
