/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search for saturation, for any engine: where a network delivers most, which is below full
 * load if it is reactive, and the loads between which open sources cease to be served in full. The
 * first has loads on a grid, refined around the highest throughput, and then downwards to the least
 * load that delivers as much: where throughput is flat, the highest of many runs is noise's choice.
 * So all intervals are wide enough to hold together, whichever load is chosen. measure/bracket.c
 * has the second.
 */
#include "sim/measure/saturation.h"
#include "base/context.h"
#include "base/statistics.h"
#include "sim/measure/pile.h"
#include "sim/measure/replication.h"

#include <math.h>

enum { FIRST_STEPS = 8, MOST_AT_ONCE = FIRST_STEPS - 1, MOST_RUNS = 256 };

/* A completed run. */
typedef struct {
    double load;
    swq_estimate throughput;
    bool deadlock;
} tried;

/* A run on some thread. */
typedef struct {
    double load;
    swq_status status;
    swq_sim_result result;
} peak_run;

/* The state of the search. */
typedef struct {
    const swq_loaded *network;
    swq_sim_options options; /* of the runs below full load */
    int threads;
    bool interrupted;
    double wider; /* factor for the intervals' widths, so that all intervals hold together */
    int runs;
    tried run[MOST_RUNS];
    peak_run *now; /* [MOST_AT_ONCE] */
} peak_search;

/* ---- runs ---- */

/* The factor that turns intervals of `confidence` into Bonferroni's intervals for as many runs as
 * the search may need. */
static double widening(double confidence, double resolution)
{
    const double runs = FIRST_STEPS + 3 * fmax(ceil(log2(1 / (FIRST_STEPS * resolution))), 0),
                 degrees = SWQ_BATCHES - 1;

    return swq_student_t(1 - (1 - confidence) / runs, degrees) / swq_student_t(confidence, degrees);
}

static void note(peak_search *s, double load, const swq_sim_result *r)
{
    if (r->stopped_by == SWQ_STOP_INTERRUPTED)
        s->interrupted = true;
    else if (s->runs < MOST_RUNS)
        s->run[s->runs++] =
            (tried){load,
                    {r->all.throughput.mean, s->wider * r->all.throughput.half_width},
                    r->stopped_by == SWQ_STOP_DEADLOCK};
}

static swq_status run_one(swq_context *ctx, void *arg, int task)
{
    const peak_search *s = arg;
    peak_run *r = &s->now[task];

    return s->network->run(ctx, s->network->arg, r->load, &s->options, &r->result);
}

static swq_status *status_of(void *arg, int task)
{
    return &((peak_search *)arg)->now[task].status;
}

static swq_status try_loads(swq_context *ctx, peak_search *s, const double *load, int count)
{
    const swq_pile pile = {.arg = s, .tasks = count, .run = run_one, .status = status_of};

    for (int k = 0; k < count; k++)
        s->now[k].load = load[k];
    const swq_status status = swq_pile_run(ctx, &pile, s->threads);
    for (int k = 0; k < count; k++) {
        if (s->now[k].status == SWQ_OK)
            note(s, load[k], &s->now[k].result);
        else if (s->now[k].status == SWQ_ECANCELLED)
            s->interrupted = true;
    }
    return status == SWQ_ECANCELLED ? SWQ_OK : status;
}

/* ---- results of the runs ---- */

/* The lowest load with a deadlock; NAN: none. */
static double first_deadlock(const peak_search *s)
{
    double first = NAN;

    for (int k = 0; k < s->runs; k++) {
        if (s->run[k].deadlock)
            first = fmin(first, s->run[k].load); /* fmin ignores NAN */
    }
    return first;
}

/* A completed run at a higher load than one with a deadlock was lucky, and does not count. */
static bool counts(const tried *t, double deadlock)
{
    return !t->deadlock && !(t->load >= deadlock);
}

static const tried *highest(const peak_search *s)
{
    const double deadlock = first_deadlock(s);
    const tried *best = NULL;

    for (int k = 0; k < s->runs; k++) {
        const tried *t = &s->run[k];
        if (counts(t, deadlock) && (!best || t->throughput.mean > best->throughput.mean))
            best = t;
    }
    return best;
}

/* An unknown interval makes no difference significant and excuses none. */
static double known(double half_width)
{
    return isfinite(half_width) ? half_width : 0;
}

/* The lowest load whose throughput the intervals cannot distinguish from the highest. */
static const tried *reached(const peak_search *s, const tried *best)
{
    const double deadlock = first_deadlock(s);
    const tried *least = best;

    for (int k = 0; k < s->runs; k++) {
        const tried *t = &s->run[k];
        double less = best->throughput.mean - t->throughput.mean;
        bool alike = less <= known(best->throughput.half_width) + known(t->throughput.half_width);
        if (counts(t, deadlock) && alike && t->load < least->load)
            least = t;
    }
    return least;
}

/* The nearest load tried below; above. NAN: none. */
static double next_below(const peak_search *s, double load)
{
    double next = NAN;

    for (int k = 0; k < s->runs; k++) {
        if (s->run[k].load < load)
            next = fmax(next, s->run[k].load);
    }
    return next;
}

static double next_above(const peak_search *s, double load)
{
    double next = NAN;

    for (int k = 0; k < s->runs; k++) {
        if (s->run[k].load > load)
            next = fmin(next, s->run[k].load);
    }
    return next;
}

/* ---- the search ---- */

static bool goes_on(const peak_search *s, swq_status status)
{
    return !status && !s->interrupted && s->runs < MOST_RUNS - MOST_AT_ONCE;
}

static swq_status look_for_highest(swq_context *ctx, peak_search *s, double resolution)
{
    double step = 1.0 / FIRST_STEPS, load[MOST_AT_ONCE];

    for (int k = 0; k < MOST_AT_ONCE; k++)
        load[k] = (k + 1) * step;
    swq_status status = try_loads(ctx, s, load, MOST_AT_ONCE);
    while (goes_on(s, status) && step > resolution) {
        const tried *best = highest(s);
        double at = best ? best->load : 0, most = fmin(1, first_deadlock(s));
        int count = 0;
        step /= 2;
        if (at > 0)
            load[count++] = at - step;
        if (at + step < most)
            load[count++] = at + step;
        status = try_loads(ctx, s, load, count);
    }
    return status;
}

static swq_status look_for_least(swq_context *ctx, peak_search *s, double resolution)
{
    swq_status status = SWQ_OK;
    const tried *best;

    while (goes_on(s, status) && (best = highest(s))) {
        double at = reached(s, best)->load, below = fmax(next_below(s, at), 0);
        double middle = (below + at) / 2;
        if (at - below <= resolution)
            break;
        status = try_loads(ctx, s, &middle, 1);
    }
    return status;
}

static void conclude(const peak_search *s, swq_peak *peak)
{
    const tried *best = highest(s);

    peak->runs = s->runs;
    peak->deadlock_load = first_deadlock(s);
    if (best) {
        const tried *least = reached(s, best);
        peak->throughput = best->throughput;
        peak->highest_load = best->load;
        peak->load = least->load;
        peak->at_load = least->throughput;
        peak->below = next_below(s, peak->load);
        peak->above = next_above(s, peak->load);
    }
}

/* The search below full load, after the run there. */
static swq_status look_below(swq_context *ctx, peak_search *s, const swq_sim_result *full,
                             double resolution)
{
    swq_status status = SWQ_OK;

    s->options.threads = 1;
    s->options.series = 0;
    /* a run that ended in a deadlock was cut short, so the other runs have to find their length
     * themselves */
    if (full->stopped_by != SWQ_STOP_DEADLOCK) {
        s->options.precision = 0;
        s->options.detail = NULL; /* the length of the run at full load */
        s->options.cycles = full->cycles > 0 ? full->cycles : s->options.cycles;
    }
    s->now = swq_calloc(ctx, MOST_AT_ONCE, sizeof *s->now);
    if (!s->now)
        return swq_memory_status(ctx);
    if (goes_on(s, status))
        status = look_for_highest(ctx, s, resolution);
    if (goes_on(s, status))
        status = look_for_least(ctx, s, resolution);
    swq_free(ctx, s->now);
    return status;
}

/* ---- both ---- */

swq_sim_options swq_judging_options(const swq_sim_options *options)
{
    swq_sim_options look = *options;

    look.precision = 0;
    look.detail = NULL;
    look.per_node = false;
    look.series = 0;
    look.frames = NULL;
    look.started = NULL;
    look.started_arg = NULL;
    return look;
}

swq_status swq_saturation_check(swq_context *ctx, double resolution)
{
    if (!(resolution > 0 && resolution <= 0.5))
        return swq_fail(ctx, SWQ_EINVAL, "resolution must be above 0, at most 0.5, not %g",
                        resolution);
    return SWQ_OK;
}

swq_status swq_saturation_find(swq_context *ctx, const swq_loaded *network,
                               const swq_sim_options *options, const swq_search *search,
                               swq_saturation *saturation)
{
    swq_saturation found = {
        .peak = {.throughput = {NAN, NAN},
                 .highest_load = NAN,
                 .load = NAN,
                 .at_load = {NAN, NAN},
                 .below = NAN,
                 .above = NAN,
                 .deadlock_load = NAN},
        .bracket = {.most = 1,
                    .worst_most = 1,
                    .worst_sender = SWQ_NO_SENDER,
                    .deadlock_load = NAN,
                    .interrupted = true},
    };
    peak_search s = {.network = network, .options = *options, .threads = options->threads};
    swq_sim_options look = *options;
    swq_sim_result *full;
    swq_status status = network->full(ctx, network->arg, options, &full);

    if (status)
        return status;
    s.wider = network->falls ? widening(options->confidence, search->resolution) : 1;
    note(&s, 1, full);
    if (network->falls && !s.interrupted)
        status = look_below(ctx, &s, full, search->resolution);
    conclude(&s, &found.peak);
    look.cycles = search->judged;
    if (!status && !s.interrupted && search->judged)
        status = network->bracket(ctx, network->arg, &look, search->resolution, &found.bracket);
    if (status)
        return status;
    found.interrupted = s.interrupted || (search->judged && found.bracket.interrupted);
    if (found.interrupted)
        full->stopped_by = SWQ_STOP_INTERRUPTED;
    *saturation = found;
    return SWQ_OK;
}
