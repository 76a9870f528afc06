/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where an asynchronous network delivers most: at full load, or below it if it is reactive. Loads
 * on a grid, refined around the highest throughput, and then downwards to the least load that
 * delivers as much: where throughput is flat, the highest of many runs is noise's choice. So all
 * intervals are wide enough to hold together, whichever load is chosen.
 * Room: sim. Includes base.
 */
#include "base/context.h"
#include "base/statistics.h"
#include "sim/frame/net.h"
#include "sim/measure/replication.h"

#include <math.h>
#include <string.h>

enum { FIRST_STEPS = 8, MOST_AT_ONCE = FIRST_STEPS - 1, MOST_RUNS = 256 };

/* A completed run. */
typedef struct {
    double load;
    swq_estimate throughput;
    bool deadlock;
} tried;

/* The state of the search. */
typedef struct {
    const swq_async *network;
    swq_sim_options options; /* of the runs below full load */
    int threads;
    bool interrupted;
    double wider; /* factor for the intervals' widths, so that all intervals hold together */
    int runs;
    tried run[MOST_RUNS];
    swq_async_point *point;   /* [MOST_AT_ONCE] */
    swq_sender_group *groups; /* [MOST_AT_ONCE * network->groups] */
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

static swq_status try_loads(swq_context *ctx, peak_search *s, const double *load, int count)
{
    const int groups = s->network->groups;

    for (int k = 0; k < count; k++) {
        swq_sender_group *own = s->groups + (size_t)k * (size_t)groups;
        memcpy(own, s->network->group, sizeof *own * (size_t)groups);
        s->point[k] = (swq_async_point){.network = *s->network, .options = s->options};
        s->point[k].network.group = own;
        for (int g = 0; g < groups; g++)
            swq_sender_group_load(s->network, &own[g], load[k]);
    }
    swq_status status = swq_async_points(ctx, s->point, count, s->threads);
    for (int k = 0; k < count; k++) {
        const swq_async_point *p = &s->point[k];
        if (p->status == SWQ_OK)
            note(s, load[k], &p->result.sim);
        else if (p->status == SWQ_ECANCELLED)
            s->interrupted = true;
    }
    return status == SWQ_ECANCELLED ? SWQ_OK : status;
}

static swq_status full_load(swq_context *ctx, peak_search *s, const swq_sim_options *options,
                            swq_async_result *result)
{
    swq_async full = *s->network;

    memcpy(s->groups, full.group, sizeof *s->groups * (size_t)full.groups);
    for (int g = 0; g < full.groups; g++)
        swq_sender_group_load(s->network, &s->groups[g], 1);
    full.group = s->groups;
    swq_status status = swq_async_run(ctx, &full, options, NULL, result);
    if (!status)
        note(s, 1, &result->sim);
    return status;
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

static void conclude(const peak_search *s, swq_async_peak *peak)
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
    if (s->interrupted)
        peak->at_full_load.sim.stopped_by = SWQ_STOP_INTERRUPTED;
}

swq_status swq_async_load_changes(swq_context *ctx, const swq_async *network, double resolution)
{
    uint32_t nodes;
    swq_status status = swq_async_check(ctx, network, &nodes);

    if (!status && network->trace)
        status = swq_fail(ctx, SWQ_EINVAL, "saturation is found by changing the load, not a trace");
    if (!status && swq_async_timed(network))
        status = swq_fail(ctx, SWQ_EINVAL,
                          "saturation is of traffic that does not change with time: groups may not "
                          "begin or end");
    for (int g = 0; !status && g < network->groups; g++) {
        if (network->group[g].from_start)
            status = swq_fail(ctx, SWQ_EINVAL,
                              "saturation is found by changing the load, which needs intervals "
                              "from the link's rest on");
    }
    if (!status && !(resolution > 0 && resolution <= 0.5))
        status = swq_fail(ctx, SWQ_EINVAL, "resolution must be above 0, at most 0.5, not %g",
                          resolution);
    return status;
}

swq_status swq_async_saturation(swq_context *ctx, const swq_async *network,
                                const swq_sim_options *options, double resolution,
                                swq_async_peak *result)
{
    swq_async_peak peak = {.throughput = {NAN, NAN},
                           .highest_load = NAN,
                           .load = NAN,
                           .at_load = {NAN, NAN},
                           .below = NAN,
                           .above = NAN,
                           .deadlock_load = NAN};
    peak_search s = {.network = network, .options = *options, .threads = options->threads};
    swq_status status = swq_async_load_changes(ctx, network, resolution);

    if (status)
        return status;
    s.wider = widening(options->confidence, resolution);
    s.point = swq_calloc(ctx, MOST_AT_ONCE, sizeof *s.point);
    s.groups = swq_calloc(ctx, MOST_AT_ONCE * (size_t)network->groups, sizeof *s.groups);
    status = s.point && s.groups ? full_load(ctx, &s, options, &peak.at_full_load)
                                 : swq_memory_status(ctx);
    /* a run that ended in a deadlock was cut short, so the other runs have to find their length
     * themselves */
    if (!status && peak.at_full_load.sim.stopped_by != SWQ_STOP_DEADLOCK) {
        s.options.precision = 0;
        s.options.detail = NULL; /* the length of the run at full load */
        uint64_t cycles = peak.at_full_load.sim.cycles;
        s.options.cycles = cycles > 0 ? cycles : options->cycles;
    }
    if (goes_on(&s, status))
        status = look_for_highest(ctx, &s, resolution);
    if (goes_on(&s, status))
        status = look_for_least(ctx, &s, resolution);
    if (!status) {
        conclude(&s, &peak);
        *result = peak;
    }
    swq_free(ctx, s.groups);
    swq_free(ctx, s.point);
    return status;
}
