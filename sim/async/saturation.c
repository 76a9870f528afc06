/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where an asynchronous network delivers most: at full load, or below it if it is reactive. Loads
 * on a grid, refined around the highest throughput.
 * Room: sim. Includes base.
 */
#include "base/context.h"
#include "switchq/async.h"

#include <math.h>
#include <string.h>

enum { FIRST_STEPS = 8, MOST_AT_ONCE = FIRST_STEPS - 1 };

/* What the search keeps. */
typedef struct {
    const swq_async *network;
    swq_sim_options options; /* of the runs below full load */
    int threads;
    swq_async_peak *peak;
    swq_async_point *point;   /* [MOST_AT_ONCE] */
    swq_sender_group *groups; /* [MOST_AT_ONCE * network->groups] */
} search;

static void note(swq_async_peak *peak, double load, const swq_sim_result *r)
{
    peak->runs++;
    if (r->stopped_by == SWQ_STOP_DEADLOCK) {
        peak->deadlock_load = fmin(peak->deadlock_load, load); /* fmin skips NAN */
    } else if (!(r->all.throughput.mean <= peak->throughput.mean)) {
        peak->throughput = r->all.throughput;
        peak->load = load;
    }
}

/* Run at these loads. *interrupted: not all were. */
static swq_status try_loads(swq_context *ctx, search *s, const double *load, int count,
                            bool *interrupted)
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
        if (p->status == SWQ_OK && p->result.sim.stopped_by != SWQ_STOP_INTERRUPTED)
            note(s->peak, load[k], &p->result.sim);
        else if (p->status == SWQ_OK || p->status == SWQ_ECANCELLED)
            *interrupted = true;
    }
    return status == SWQ_ECANCELLED ? SWQ_OK : status;
}

static swq_status look(swq_context *ctx, search *s, double resolution)
{
    swq_async_peak *peak = s->peak;
    double step = 1.0 / FIRST_STEPS, load[MOST_AT_ONCE];
    bool interrupted = false;

    for (int k = 0; k < MOST_AT_ONCE; k++)
        load[k] = (k + 1) * step;
    swq_status status = try_loads(ctx, s, load, MOST_AT_ONCE, &interrupted);
    while (!status && !interrupted && step > resolution && !isnan(peak->throughput.mean)) {
        double at = peak->load;
        step /= 2;
        load[0] = at - step;
        load[1] = at + step;
        status = try_loads(ctx, s, load, at < 1 ? 2 : 1, &interrupted);
    }
    peak->least = peak->load - step;
    peak->most = fmin(peak->load + step, 1);
    if (interrupted)
        peak->at_full_load.sim.stopped_by = SWQ_STOP_INTERRUPTED;
    return status;
}

static swq_status full_load(swq_context *ctx, search *s, const swq_sim_options *options)
{
    swq_async full = *s->network;
    swq_async_peak *peak = s->peak;

    memcpy(s->groups, full.group, sizeof *s->groups * (size_t)full.groups);
    for (int g = 0; g < full.groups; g++)
        swq_sender_group_load(s->network, &s->groups[g], 1);
    full.group = s->groups;
    swq_status status = swq_async_run(ctx, &full, options, NULL, &peak->at_full_load);
    if (!status)
        note(peak, 1, &peak->at_full_load.sim);
    return status;
}

swq_status swq_async_saturation(swq_context *ctx, const swq_async *network,
                                const swq_sim_options *options, double resolution,
                                swq_async_peak *result)
{
    uint32_t nodes;
    swq_async_peak peak = {.throughput = {NAN, NAN}, .load = NAN, .deadlock_load = NAN};
    search s = {
        .network = network, .options = *options, .threads = options->threads, .peak = &peak};
    swq_status status = swq_async_check(ctx, network, &nodes);

    if (!status && network->trace)
        status = swq_fail(ctx, SWQ_EINVAL, "saturation is found by changing the load, not a trace");
    for (int g = 0; !status && g < network->groups; g++) {
        if (network->group[g].from_start)
            status = swq_fail(ctx, SWQ_EINVAL,
                              "saturation is found by changing the load, which needs intervals "
                              "from the link's rest on");
    }
    if (!status && !(resolution > 0 && resolution <= 0.5))
        status = swq_fail(ctx, SWQ_EINVAL, "resolution must be above 0, at most 0.5, not %g",
                          resolution);
    if (status)
        return status;
    s.point = swq_calloc(ctx, MOST_AT_ONCE, sizeof *s.point);
    s.groups = swq_calloc(ctx, MOST_AT_ONCE * (size_t)network->groups, sizeof *s.groups);
    status = s.point && s.groups ? full_load(ctx, &s, options) : swq_memory_status(ctx);
    /* a run that ended in a deadlock was cut short */
    bool stuck = peak.at_full_load.sim.stopped_by == SWQ_STOP_DEADLOCK;
    s.options.precision = 0;
    if (!stuck && peak.at_full_load.sim.cycles > 0)
        s.options.cycles = peak.at_full_load.sim.cycles;
    peak.least = peak.most = peak.load;
    if (!status && peak.at_full_load.sim.stopped_by != SWQ_STOP_INTERRUPTED)
        status = look(ctx, &s, resolution);
    if (!status)
        *result = peak;
    swq_free(ctx, s.groups);
    swq_free(ctx, s.point);
    return status;
}
