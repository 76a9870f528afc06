/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Many simulations on threads, each in a context of its own; and the load that gives a throughput.
 * Room: sim. Includes base.
 */
#include "base/context.h"
#include "sim/net.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { MOST_RUNS = 10, MESSAGE = 400 };

/* A source that holds one packet has a mean cycle of 1/load + w, w being the mean wait that the
 * network imposes; w changes slowly with the load, so 1/throughput - w is nearly the next 1/load.
 */
static double next_load(double load, double got, double wanted, double low, double high)
{
    double wait = 1 / got - 1 / load, next = 1 / wanted - wait;

    next = next > 1 ? 1 / next : 1;
    return next > low && next < high ? next : (low + high) / 2;
}

static swq_status run_point(swq_context *ctx, swq_sim_point *p)
{
    const double wanted = p->throughput;
    double low = 0, high = 1;
    swq_traffic *t = &p->network.traffic;

    p->options.threads = 1;
    if (!(wanted >= 0 && wanted < 1))
        return swq_fail(ctx, SWQ_EINVAL, "throughput must be 0 to below 1, not %g", wanted);
    if (wanted > 0)
        t->load = wanted;
    for (;;) {
        swq_status status = swq_sim_run(ctx, &p->network, &p->options, &p->result);
        if (status)
            return status;
        p->runs++;
        p->load = t->load;
        swq_estimate got = p->result.all.throughput;
        bool close = fabs(got.mean - wanted) <= fmin(got.half_width, 0.001 * wanted);
        if (wanted == 0 || close || p->runs == MOST_RUNS ||
            p->result.stopped_by == SWQ_STOP_INTERRUPTED)
            return SWQ_OK;
        if (got.mean < wanted)
            low = t->load;
        else
            high = t->load;
        if (low >= 1) {
            p->saturated = got.mean + got.half_width < wanted;
            return SWQ_OK;
        }
        t->load =
            got.mean > 0 ? next_load(t->load, got.mean, wanted, low, high == 1 ? 1.01 : high) : 1;
        t->load = t->load > 1 ? 1 : t->load;
    }
}

typedef struct {
    swq_context *ctx; /* the caller's: memory limit, cancelling; told by one thread alone */
    swq_sim_point *point;
    int points;
    atomic_int next, done;
    atomic_int first_failed; /* lowest number of a point that failed, or `points` */
    pthread_mutex_t lock;    /* of message */
    char message[MESSAGE];
} pile;

static void note_failure(pile *all, int number, const swq_context *ctx)
{
    pthread_mutex_lock(&all->lock);
    if (number < atomic_load(&all->first_failed)) {
        atomic_store(&all->first_failed, number);
        snprintf(all->message, sizeof all->message, "%s", swq_context_message(ctx));
    }
    pthread_mutex_unlock(&all->lock);
}

/* A context is one thread's: cancelling has to be passed on. */
static void pass_on(void *arg, const char *stage, double done, double total)
{
    void **both = arg;

    (void)stage;
    (void)done;
    (void)total;
    if (swq_context_cancelled(both[0]))
        swq_context_cancel(both[1]);
}

static void take_points(pile *all, bool tell)
{
    swq_context *own = swq_context_new();
    void *both[2] = {all->ctx, own};

    if (own) {
        swq_context_limit_memory(own, swq_context_memory_limit(all->ctx));
        swq_context_watch(own, pass_on, both);
    }
    for (int k; (k = atomic_fetch_add(&all->next, 1)) < all->points;) {
        swq_sim_point *p = &all->point[k];
        p->runs = 0;
        p->saturated = false;
        p->status = !own                              ? SWQ_ENOMEM
                    : swq_context_cancelled(all->ctx) ? SWQ_ECANCELLED
                                                      : run_point(own, p);
        if (p->status && own && p->status != SWQ_ECANCELLED)
            note_failure(all, k, own);
        atomic_fetch_add(&all->done, 1);
        if (tell)
            swq_progress(all->ctx, "simulating", atomic_load(&all->done), all->points);
    }
    swq_context_free(own);
}

static void *worker(void *arg)
{
    take_points(arg, false);
    return NULL;
}

swq_status swq_sim_points(swq_context *ctx, swq_sim_point *point, int points, int threads)
{
    pile all = {.ctx = ctx, .point = point, .points = points};
    pthread_t thread[SWQ_MAX_THREADS];
    int started = 0;

    if (threads < 1 || threads > SWQ_MAX_THREADS)
        return swq_fail(ctx, SWQ_EINVAL, "threads must be 1 to %d, not %d", SWQ_MAX_THREADS,
                        threads);
    pthread_mutex_init(&all.lock, NULL);
    atomic_init(&all.first_failed, points);
    while (started < threads - 1 && started < points - 1 &&
           pthread_create(&thread[started], NULL, worker, &all) == 0)
        started++;
    take_points(&all, true);
    for (int k = 0; k < started; k++)
        pthread_join(thread[k], NULL);
    pthread_mutex_destroy(&all.lock);
    int failed = atomic_load(&all.first_failed);
    if (failed < points)
        return swq_fail(ctx, point[failed].status, "%s", all.message);
    for (int k = 0; k < points; k++) {
        if (point[k].status)
            return swq_fail(ctx, point[k].status,
                            point[k].status == SWQ_ENOMEM ? "no memory" : "cancelled");
    }
    return SWQ_OK;
}
