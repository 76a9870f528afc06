/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A simulation: replications on threads, in rounds, until length or precision is reached. The
 * rounds end at the same cycles whatever the number of threads, and so does everything else.
 */
#include "sim/measure/run.h"

#include "base/context.h"
#include "base/statistics.h"
#include "sim/measure/results.h"
#include "switchq/detail.h"

#include <math.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

enum {
    FIRST_BATCH = 64,    /* cycles; doubled as the run goes on */
    BEATS = 8,           /* of a batch at first */
    MORE_BATCHES = 8,    /* batches of a round */
    LEAST_PACKETS = 4096 /* delivered by all replications before a precision can end a run */
};

swq_sim_options swq_sim_defaults(void)
{
    return (swq_sim_options){
        .seed = 1,
        .cycles = 20000,
        .warmup = SWQ_WARMUP_AUTO,
        .replications = 1,
        .threads = 1,
        .confidence = 0.95,
        .groups = 1,
    };
}

swq_status swq_run_check(swq_context *ctx, const swq_sim_options *o, uint32_t nodes)
{
    if (o->cycles < 1 || o->cycles > 4000000000)
        return swq_fail(ctx, SWQ_EINVAL, "cycles must be 1 to 4000000000, not %llu",
                        (unsigned long long)o->cycles);
    if (o->warmup != SWQ_WARMUP_AUTO && o->warmup > 200000000)
        return swq_fail(ctx, SWQ_EINVAL, "warmup must be 0 to 200000000, not %llu",
                        (unsigned long long)o->warmup);
    if (o->replications < 1 || o->replications > SWQ_MAX_REPLICATIONS)
        return swq_fail(ctx, SWQ_EINVAL, "replications must be 1 to %d, not %d",
                        SWQ_MAX_REPLICATIONS, o->replications);
    if (o->threads < 1 || o->threads > SWQ_MAX_THREADS)
        return swq_fail(ctx, SWQ_EINVAL, "threads must be 1 to %d, not %d", SWQ_MAX_THREADS,
                        o->threads);
    if (!(o->precision >= 0 && o->precision < 1))
        return swq_fail(ctx, SWQ_EINVAL, "precision must be above 0 and below 1, not %g",
                        o->precision);
    if (!(o->confidence >= 0.5 && o->confidence < 1))
        return swq_fail(ctx, SWQ_EINVAL, "confidence must be 0.5 or more and below 1, not %g",
                        o->confidence);
    if (o->group && (o->groups < 1 || o->groups > SWQ_MAX_GROUPS))
        return swq_fail(ctx, SWQ_EINVAL, "groups must be 1 to %d, not %d", SWQ_MAX_GROUPS,
                        o->groups);
    if (o->detail && o->detail->nodes != nodes)
        return swq_fail(ctx, SWQ_EINVAL, "detail must have room for %u nodes, not %u", nodes,
                        o->detail->nodes);
    for (int p = 0; o->detail && p < o->detail->percentiles; p++) {
        const double level = o->detail->percentile[p].level;
        if (!(level > 0 && level < 1))
            return swq_fail(ctx, SWQ_EINVAL, "percentile level must be above 0 and below 1, not %g",
                            level);
    }
    for (int k = 0; o->detail && k < o->detail->measures; k++) {
        const swq_measured *m = &o->detail->measured[k];
        for (int p = 0; p < m->percentiles; p++) {
            if (!(m->percentile[p].level > 0 && m->percentile[p].level < 1))
                return swq_fail(ctx, SWQ_EINVAL,
                                "percentile level must be above 0 and below 1, not %g",
                                m->percentile[p].level);
        }
    }
    if (o->frames) {
        const swq_status status = swq_frames_check(ctx, o->frames, nodes);
        if (status)
            return status;
    }
    if (o->series > 0 && o->precision > 0)
        return swq_fail(ctx, SWQ_EINVAL, "a series needs cycles, not a precision");
    if (o->series > 0 && o->ignore > 0)
        return swq_fail(ctx, SWQ_EINVAL,
                        "a series needs a warm-up in cycles, not in packets, so that all "
                        "replications have the same windows");
    const uint64_t cycles = swq_windows_cycles(o);
    if (o->series > 0 && (cycles - 1) / o->series >= SWQ_MAX_WINDOWS)
        return swq_fail(ctx, SWQ_EINVAL,
                        "series must be at least %llu for %llu cycles%s, in at most %d windows, "
                        "not %llu",
                        (unsigned long long)(cycles - 1) / SWQ_MAX_WINDOWS + 1,
                        (unsigned long long)cycles,
                        cycles > o->cycles ? " with the longest warm-up" : "", SWQ_MAX_WINDOWS,
                        (unsigned long long)o->series);
    for (uint32_t i = 0; o->group && i < nodes; i++) {
        if (o->group[i] >= o->groups)
            return swq_fail(ctx, SWQ_EINVAL, "group of node %u must be 0 to %d, not %d", i,
                            o->groups - 1, o->group[i]);
    }
    return SWQ_OK;
}

swq_status swq_run_check_memory(swq_context *ctx, double bytes, int replications)
{
    double limit = (double)swq_context_memory_limit(ctx);
    char needed[40], allowed[40];

    if (limit == 0 || bytes <= limit)
        return SWQ_OK;
    return swq_fail(ctx, SWQ_ELIMIT, "%d network%s would take %s; the memory limit is %s",
                    replications, replications > 1 ? "s" : "",
                    swq_bytes_text(bytes, needed, sizeof needed),
                    swq_bytes_text(limit, allowed, sizeof allowed));
}

/* ---- threads ---- */

/* The work of a round, the same for every replication. */
typedef struct {
    swq_context *ctx;
    const swq_sim_options *options;
    swq_replication *replication;
    size_t batches; /* 0: the warm-up */
    atomic_int next;
    double total; /* expected cycles of all replications, for the progress line; 0: unknown */
} round_of_work;

static double cycles_done(const round_of_work *w)
{
    double done = 0;

    for (int k = 0; k < w->options->replications; k++)
        done += (double)atomic_load_explicit(&w->replication[k].done, memory_order_relaxed);
    return done;
}

/* Works in slices, so that the thread that may use the caller's context can report the progress of
 * all. */
static void work_on(round_of_work *w, swq_replication *r, bool tell)
{
    if (w->batches == 0) {
        swq_replication_warm_up(r, w->ctx);
        if (tell)
            swq_progress(w->ctx, "simulating", cycles_done(w), w->total);
        return;
    }
    for (size_t b = r->batches + 1; b <= w->batches; b++) {
        swq_replication_run(r, w->ctx, b, w->options->cycles);
        if (tell)
            swq_progress(w->ctx, "simulating", cycles_done(w), w->total);
    }
}

static void take_work(round_of_work *w, bool tell)
{
    for (int k; (k = atomic_fetch_add(&w->next, 1)) < w->options->replications;)
        work_on(w, &w->replication[k], tell);
}

static void *worker(void *arg)
{
    take_work(arg, false);
    return NULL;
}

static void run_round(round_of_work *w, size_t batches)
{
    pthread_t thread[SWQ_MAX_THREADS];
    int threads = w->options->threads, started = 0;

    if (threads > w->options->replications)
        threads = w->options->replications;
    w->batches = batches;
    atomic_store(&w->next, 0);
    /* if a thread cannot be created, the other threads do its work */
    while (started < threads - 1 && pthread_create(&thread[started], NULL, worker, w) == 0)
        started++;
    take_work(w, true);
    for (int k = 0; k < started; k++)
        pthread_join(thread[k], NULL);
}

/* ---- rounds ---- */

/* Is any replication deadlocked? One deadlock ends all replications after the round. */
static bool any_stuck(const round_of_work *w)
{
    bool stuck = false;

    for (int k = 0; k < w->options->replications; k++)
        stuck = stuck || w->replication[k].stuck;
    return stuck;
}

static bool all_said(const round_of_work *w)
{
    if (any_stuck(w))
        return true;
    for (int k = 0; k < w->options->replications; k++) {
        const swq_replication *r = &w->replication[k];
        if (!r->interrupted && !r->drained && !r->full && r->cycles < w->options->cycles)
            return false;
    }
    return true;
}

static uint64_t packets_delivered(const round_of_work *w)
{
    uint64_t packets = 0;

    for (int k = 0; k < w->options->replications; k++)
        packets += w->replication[k].system->delivered - w->replication[k].delivered_before;
    return packets;
}

/* Looks whether the precision is reached, each time that the run has doubled: a run that looks more
 * often stops at intervals that are narrow by chance. For the same reason, the run stops only if
 * its scatter at half the length was as small as expected, at most sqrt(2) times as wide as wanted.
 * *before: the scatter at half the length; replaced by the present one. */
static bool precise(const round_of_work *w, void *space, double *before)
{
    const double wanted = w->options->precision;
    const swq_precision now = swq_results_precision(w->replication, w->options, space);
    const bool expected = *before <= sqrt(2) * wanted;

    *before = now.scatter;
    return now.trusted && expected && now.known <= wanted && packets_delivered(w) >= LEAST_PACKETS;
}

static void measure(round_of_work *w, void *space, swq_stop *stopped_by)
{
    const swq_sim_options *o = w->options;
    size_t batches = SWQ_BATCHES;
    double before = INFINITY;

    *stopped_by = SWQ_STOP_CYCLES;
    for (int k = 0; k < o->replications; k++) {
        uint64_t even = (o->cycles + SWQ_BATCHES - 1) / SWQ_BATCHES;
        const uint64_t batch = FIRST_BATCH < even ? FIRST_BATCH : even;
        w->replication[k].batch_cycles = batch;
        w->replication[k].beats.span = batch > BEATS ? batch / BEATS : 1;
    }
    while (!all_said(w)) {
        run_round(w, batches);
        if (all_said(w))
            return;
        if (o->precision > 0 && batches % SWQ_BATCHES == 0 && precise(w, space, &before)) {
            *stopped_by = SWQ_STOP_PRECISION;
            return;
        }
        batches += MORE_BATCHES;
        if (batches > SWQ_MOST_BATCHES) {
            for (int k = 0; k < o->replications; k++)
                swq_replication_merge(&w->replication[k]);
            batches = SWQ_BATCHES + MORE_BATCHES;
        }
    }
}

/* A run that ended for a reason other than its precision was not stopped by a look at its
 * intervals, so one look is enough. */
static bool missed(const round_of_work *w, void *space)
{
    const swq_precision now = swq_results_precision(w->replication, w->options, space);

    return !now.trusted || !(now.known <= w->options->precision);
}

static swq_status judge(swq_context *ctx, const round_of_work *w, swq_stop *stopped_by)
{
    bool interrupted = false, drained = true, full = false;
    size_t batches = 0;

    for (int k = 0; k < w->options->replications; k++) {
        const swq_replication *r = &w->replication[k];
        interrupted = interrupted || r->interrupted;
        drained = drained && r->drained;
        full = full || r->full;
        batches += r->batches;
    }
    if (any_stuck(w)) {
        *stopped_by = SWQ_STOP_DEADLOCK;
        return SWQ_OK;
    }
    if (interrupted && batches == 0)
        return swq_fail(ctx, SWQ_ECANCELLED,
                        swq_context_interrupted(ctx) ? "cancelled before anything was measured"
                                                     : "the time was up before anything was "
                                                       "measured");
    if (interrupted)
        *stopped_by = swq_context_interrupted(ctx) ? SWQ_STOP_INTERRUPTED : SWQ_STOP_TIME;
    else if (drained)
        *stopped_by = SWQ_STOP_TRACE_END;
    else if (full && *stopped_by == SWQ_STOP_CYCLES)
        *stopped_by = SWQ_STOP_PACKETS;
    return SWQ_OK;
}

static double seconds(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

swq_status swq_run(swq_context *ctx, const swq_engine *engine, const swq_sim_options *options,
                   swq_sim_result *result)
{
    double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), wall = seconds(CLOCK_MONOTONIC);
    round_of_work work = {.ctx = ctx, .options = options};
    const int replications = options->replications;
    const double bytes = replications * engine->bytes;
    int made = 0;
    swq_stop stopped_by = SWQ_STOP_CYCLES;
    swq_sim_result got;
    swq_series *series = NULL;
    swq_status status = swq_run_check_memory(ctx, bytes, replications);
    if (status)
        return status;

    work.replication = swq_calloc(ctx, (size_t)replications, sizeof *work.replication);
    void *space = swq_calloc(ctx, (size_t)replications, SWQ_RESULTS_SPACE);
    if (!work.replication || !space)
        status = swq_memory_status(ctx);
    if (options->precision == 0)
        work.total = (double)options->cycles * replications;
    for (; !status && made < replications; made += !status) {
        swq_system *system;
        status = engine->make(ctx, engine->arg, options, (uint32_t)made, &system);
        if (!status)
            status = swq_replication_new(ctx, system, &work.replication[made]);
        if (!status && made == 0 && options->frames) {
            status = swq_frames_begin(ctx, options->frames, system);
            work.replication[0].frames = options->frames;
        }
    }
    if (!status) {
        run_round(&work, 0);
        if (work.total > 0)
            work.total += cycles_done(&work);
        measure(&work, space, &stopped_by);
        status = judge(ctx, &work, &stopped_by);
    }
    if (!status)
        status = swq_results_collect(ctx, work.replication, options, space, &got);
    for (int k = 0; k < replications && !status && options->series; k++)
        swq_windows_end(&work.replication[k].windows, work.replication[k].system);
    if (!status && options->series)
        status = swq_results_series(ctx, work.replication, options, space, &series);
    if (!status) {
        got.series = series;
        got.bytes = (size_t)bytes;
        got.stopped_by = stopped_by;
        got.precision_missed =
            options->precision > 0 && stopped_by != SWQ_STOP_PRECISION && missed(&work, space);
        if (engine->read)
            status = engine->read(ctx, engine->arg, work.replication, replications, &got);
    }
    if (!status) {
        got.cpu_seconds = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
        got.wall_seconds = seconds(CLOCK_MONOTONIC) - wall;
        *result = got;
    } else {
        swq_series_free(ctx, series);
    }
    for (int k = 0; k < made; k++)
        swq_replication_free(ctx, &work.replication[k]);
    swq_free(ctx, work.replication);
    swq_free(ctx, space);
    return status;
}
