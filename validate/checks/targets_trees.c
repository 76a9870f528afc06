/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A claim of document 002 on congestion trees that no figure has: the enhancements of RECN matter
 * more in a large network.
 */
#include "base/context.h"
#include "validate/checks/printed_find.h"
#include "validate/figures/figures.h"

#include <stdio.h>

enum {
    HOT = 21,
    ONSET = 100000,
    OVER = 200000,
    WINDOW = 25000,
    RUNS = 3,      /* of the small network */
    MOST_BITS = 33 /* of the large network's ways */
};

static const char small[] = "4,4,4", large[] = "4,4,4,4,4,2";

/* As in figure 002.7: three of four nodes send as much as they can to all nodes; the other nodes
 * send nothing, except for 100 microseconds, in which they send as much as they can to one node.
 * The throughput in the last three quarters of the congestion, as a fraction of that in the last
 * three quarters of the time before. */
static swq_status kept(swq_context *ctx, const char *arity, const swq_management *row,
                       uint64_t seed, double *fraction)
{
    swq_sim_options options = swq_sim_defaults();
    swq_async_result result;
    swq_figure_setting s;

    options.seed = seed;
    options.warmup = 0;
    options.cycles = OVER;
    options.series = WINDOW;
    swq_status status = figure_network(
        ctx, &s,
        "--topology tree --arity %s --architecture cioq --speedup 3/2 --output-bytes 32768 "
        "--link-rest 2 --management %s --turnpool-bits %d "
        "--group mask=3,value=0,from=%d,until=%d,interval=0,traffic=node:%d "
        "--group mask=3,value=0,load=0 --group interval=0",
        arity, row->name, MOST_BITS, ONSET, OVER, HOT);
    if (!status)
        status = swq_async_run(ctx, &s.async, &options, NULL, &result);
    if (!status && result.sim.stopped_by == SWQ_STOP_INTERRUPTED)
        status = swq_fail(ctx, SWQ_ECANCELLED, "interrupted");
    if (status)
        return status;
    const swq_window *w = result.sim.series->window;
    double before = 0, during = 0;
    for (int k = 1; k < ONSET / WINDOW; k++) {
        before += w[k].all.throughput.mean;
        during += w[ONSET / WINDOW + k].all.throughput.mean;
    }
    swq_series_free(ctx, result.sim.series);
    *fraction = during / before;
    return SWQ_OK;
}

/* The fraction of the throughput that basic RECN keeps, and how much more enhanced RECN keeps. */
static swq_status gain(swq_context *ctx, const char *arity, uint64_t seed, double *basic,
                       double *difference)
{
    double enhanced = 0;
    swq_status status = kept(ctx, arity, &swq_management_recn, seed, basic);

    if (!status)
        status = kept(ctx, arity, &swq_management_recn_enhanced, seed, &enhanced);
    if (!status)
        *difference = enhanced - *basic;
    return status;
}

swq_status printed_larger_effect(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    double most = 0, basic = 0, of_large = 0, here = 0, gained = 0;

    if (effort == SWQ_EFFORT_QUICK) {
        f->outcome = SWQ_OUTCOME_SKIPPED;
        snprintf(f->text, sizeof f->text, "a minute: --full");
        return SWQ_OK;
    }
    swq_status status = gain(ctx, large, seed, &basic, &of_large);
    for (int run = 0; run < RUNS && !status; run++) {
        status = gain(ctx, small, seed + (uint64_t)run, &here, &gained);
        most = gained > most ? gained : most;
    }
    if (status)
        return status;
    printed_less(f, most, of_large);
    snprintf(f->text, sizeof f->text,
             "enhanced RECN keeps %.2f more than basic RECN, which keeps %.2f; with 64 nodes at "
             "most %.2f more",
             of_large, basic, most);
    return SWQ_OK;
}
