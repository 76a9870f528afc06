/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Does the backlog at open sources grow? Bisection finds the load up to which it does not. There
 * are two signs: the slope of the queues, which shows growth early, but sometimes mistakes the
 * slow waves of a network near saturation for growth; and the throughput, which does not. If they
 * disagree, the run is continued to twice its length.
 * Room: sim. Includes base.
 */
#include "sim/measure/bracket.h"
#include "base/context.h"
#include "base/statistics.h"
#include "sim/measure/pile.h"

#include <math.h>
#include <string.h>

enum {
    STEP = 64,                       /* cycles between checks for cancellation */
    DOUBLINGS = 3,                   /* times that the length of a run may double */
    SLICES = 3 * SWQ_GROWTH_BATCHES, /* of the shortest run; its first third is not judged */
    FIRST_CLEAR = SLICES / 4,        /* slices before a clear decision */
    ALL_SLICES = SLICES << DOUBLINGS /* slices of the longest run */
};

#define ONE_SIDED_99  0.98 /* two-sided confidence level */
#define CLEAR_SLOPE   8    /* standard errors above 0 for a decision before the run is over */
#define CLEAR_BEHIND  4    /* half-widths by which throughput must then be below the load */
#define MOST_RESIDUAL 0.95 /* largest correlation of consecutive residuals to correct for */

/* ---- the decision ---- */

/* Least squares over the numbers of the batches. Residuals of consecutive batches may be
 * correlated: the standard error is widened as for a first-order autoregression. */
static void fit_slope(const double *y, double cycles, swq_growth *g)
{
    const double n = SWQ_GROWTH_BATCHES, middle = (n - 1) / 2;
    double mean = 0, xy = 0, xx = 0, rest = 0, pairs = 0, before = 0;

    for (int b = 0; b < SWQ_GROWTH_BATCHES; b++)
        mean += y[b] / n;
    for (int b = 0; b < SWQ_GROWTH_BATCHES; b++) {
        xy += (b - middle) * (y[b] - mean);
        xx += (b - middle) * (b - middle);
    }
    const double slope = xy / xx;
    for (int b = 0; b < SWQ_GROWTH_BATCHES; b++) {
        const double r = y[b] - mean - slope * (b - middle);
        rest += r * r;
        pairs += r * before;
        before = r;
    }
    const double alike = rest > 0 ? fmin(fmax(pairs / rest, 0), MOST_RESIDUAL) : 0;
    g->slope = slope / cycles;
    g->error = sqrt(rest / (n - 2) / xx * (1 + alike) / (1 - alike)) / cycles;
}

bool swq_growth_decide(const double *waiting, const double *created, const double *delivered,
                       double cycles, double confidence, bool clear, swq_growth *g)
{
    double mean, half_width, offered = 0;

    fit_slope(waiting, cycles, g);
    for (int b = 0; b < SWQ_GROWTH_BATCHES; b++)
        offered += created[b] / SWQ_GROWTH_BATCHES;
    swq_ratio_interval(delivered, NULL, SWQ_GROWTH_BATCHES, confidence, &mean, &half_width);
    g->offered = offered / cycles;
    g->delivered = (swq_estimate){mean / cycles, half_width / cycles};
    if (clear)
        return g->slope > CLEAR_SLOPE * g->error && mean + CLEAR_BEHIND * half_width < offered;
    const bool grows = g->slope > swq_student_t(ONE_SIDED_99, SWQ_GROWTH_BATCHES - 2) * g->error;
    const bool behind = mean + half_width < offered;
    g->below = !grows && !behind;
    return grows == behind;
}

/* ---- a run ---- */

/* Sums over a slice. */
typedef struct {
    double waiting, created, delivered;
} slice;

typedef struct {
    swq_system *system;
    slice *slices; /* [ALL_SLICES] */
    int count;
    uint64_t cycles; /* of a slice */
} growth_run;

static double discarded_or_delivered(const swq_system *s)
{
    return (double)(s->delivered + s->discarded);
}

/* Runs a slice. Returns false if a deadlock or a cancellation ended it early. */
static bool run_slice(swq_context *ctx, growth_run *w)
{
    swq_system *s = w->system;
    const double waited = (double)s->tally[SWQ_NET_WAITING], created = (double)s->created,
                 gone = discarded_or_delivered(s);
    uint64_t done = 1;

    for (uint64_t k = 0; k < w->cycles && done > 0 && !s->stuck; k += done) {
        if (swq_context_cancelled(ctx))
            return false;
        done = s->advance(s, w->cycles - k < STEP ? w->cycles - k : STEP);
    }
    if (s->look && !s->stuck)
        s->look(s);
    if (s->stuck || done == 0)
        return false;
    w->slices[w->count++] = (slice){
        .waiting = ((double)s->tally[SWQ_NET_WAITING] - waited) / (double)w->cycles,
        .created = (double)s->created - created,
        .delivered = discarded_or_delivered(s) - gone,
    };
    return true;
}

/* Judges the last two thirds of all slices, cut to a whole number of slices per batch. */
static bool decide(const growth_run *w, double confidence, bool clear, swq_growth *g)
{
    const int each = w->count * 2 / 3 / SWQ_GROWTH_BATCHES;
    const slice *from = w->slices + w->count - (ptrdiff_t)each * SWQ_GROWTH_BATCHES;
    double waiting[SWQ_GROWTH_BATCHES] = {0}, created[SWQ_GROWTH_BATCHES] = {0},
           delivered[SWQ_GROWTH_BATCHES] = {0};

    if (each == 0)
        return false;
    for (int k = 0; k < each * SWQ_GROWTH_BATCHES; k++) {
        waiting[k / each] += from[k].waiting / each;
        created[k / each] += from[k].created;
        delivered[k / each] += from[k].delivered;
    }
    return swq_growth_decide(waiting, created, delivered, (double)w->cycles * each, confidence,
                             clear, g);
}

static swq_status judge_system(swq_context *ctx, const swq_sim_options *o, growth_run *w,
                               swq_growth *g)
{
    int length = SLICES;

    while (w->count < length) {
        if (!run_slice(ctx, w)) {
            g->deadlock = w->system->stuck;
            if (!g->deadlock)
                return swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
            break;
        }
        swq_progress(ctx, "simulating", (double)w->count, length);
        if (w->system->overflow)
            break;
        if (w->count == length && decide(w, o->confidence, false, g))
            break;
        if (w->count == length && length < ALL_SLICES)
            length *= 2;
        else if (w->count == length)
            g->undecided = true;
        else if (w->count >= FIRST_CLEAR && decide(w, o->confidence, true, g))
            break;
    }
    g->below = g->below && !g->undecided;
    g->cycles = w->cycles * (uint64_t)w->count;
    return SWQ_OK;
}

swq_status swq_growth_judge(swq_context *ctx, const swq_engine *engine,
                            const swq_sim_options *options, swq_growth *growth)
{
    growth_run w = {.cycles = (options->cycles + SLICES - 1) / SLICES};
    swq_growth g = {0};
    swq_status status = swq_run_check_memory(ctx, engine->bytes, 1);

    if (status)
        return status;
    w.slices = swq_calloc(ctx, ALL_SLICES, sizeof *w.slices);
    status =
        w.slices ? engine->make(ctx, engine->arg, options, 0, &w.system) : swq_memory_status(ctx);
    if (!status)
        status = judge_system(ctx, options, &w, &g);
    if (w.system)
        w.system->release(ctx, w.system);
    swq_free(ctx, w.slices);
    if (!status)
        *growth = g;
    return status;
}

/* ---- bisection ---- */

enum { AT_ONCE = 3, MOST_STEPS = 32 };

/* A load that has been, or is being, judged. */
typedef struct {
    double load;
    swq_growth growth;
    swq_status status;
} trial;

typedef struct {
    swq_growth_fn *judge;
    void *arg;
    trial trial[AT_ONCE * MOST_STEPS];
    int trials, first; /* those in progress: their number and the first */
} bisection;

static swq_status judge_one(swq_context *ctx, void *arg, int task)
{
    bisection *b = arg;
    trial *t = &b->trial[b->first + task];

    return b->judge(ctx, b->arg, t->load, &t->growth);
}

static swq_status *status_of(void *arg, int task)
{
    bisection *b = arg;

    return &b->trial[b->first + task].status;
}

static const trial *tried(const bisection *b, double load)
{
    for (int k = 0; k < b->trials; k++) {
        if (b->trial[k].load == load)
            return &b->trial[k];
    }
    return NULL;
}

/* Picks the middle of the interval and, with more threads, the loads that may come next: the upper
 * quarter first, since a load above saturation is recognized quickly. */
static swq_status look_at(swq_context *ctx, bisection *b, double least, double most, int threads)
{
    const double middle = (least + most) / 2,
                 load[AT_ONCE] = {middle, (middle + most) / 2, (least + middle) / 2};
    const int tasks = threads < AT_ONCE ? threads : AT_ONCE;
    const swq_pile pile = {.arg = b, .tasks = tasks, .run = judge_one, .status = status_of};

    b->first = b->trials;
    for (int k = 0; k < tasks; k++)
        b->trial[b->trials++] = (trial){.load = load[k]};
    return swq_pile_run(ctx, &pile, threads);
}

static void note(swq_bracket *found, const trial *t)
{
    const swq_growth *g = &t->growth;

    *(g->below ? &found->least : &found->most) = t->load;
    found->undecided += g->undecided;
    if (g->deadlock)
        found->deadlock_load = fmin(found->deadlock_load, t->load); /* fmin ignores NAN */
    if (g->cycles > found->longest)
        found->longest = g->cycles;
    found->runs++;
}

swq_status swq_bracket_find(swq_context *ctx, swq_growth_fn *judge, void *arg,
                            const swq_sim_options *options, double resolution, swq_bracket *bracket)
{
    swq_bracket found = {.most = 1, .cycles = options->cycles, .deadlock_load = NAN};
    bisection *b = swq_calloc(ctx, 1, sizeof *b);
    swq_status status = b ? SWQ_OK : swq_memory_status(ctx);

    if (b)
        *b = (bisection){.judge = judge, .arg = arg};
    for (int k = 0; k < MOST_STEPS && !status && found.most - found.least > resolution; k++) {
        const double middle = (found.least + found.most) / 2;
        if (!tried(b, middle))
            status = look_at(ctx, b, found.least, found.most, options->threads);
        const trial *t = tried(b, middle);
        if (!status || (status == SWQ_ECANCELLED && t && !t->status)) {
            note(&found, t);
        }
    }
    found.interrupted = status == SWQ_ECANCELLED;
    swq_free(ctx, b);
    if (!status || found.interrupted) {
        *bracket = found;
        return SWQ_OK;
    }
    return status;
}
