/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Family "approximations-direct": models of tori, meshes and hypercubes have the stated errors
 * against the asynchronous simulator: ours (method grid-waits, docs/approximation.md), and the
 * formulas of Agarwal and after Dally. Rows are in direct.yaml. Worms are not simulated here:
 * tests/models/formulas/test_dally.c checks "dally" for them, flit by flit.
 */
#include "base/context.h"
#include "switchq/approx.h"
#include "switchq/formula.h"
#include "validate/checks/families.h"
#include "validate/checks/stated.h"
#include "validate/figures/figures.h"

#include <math.h>
#include <stdio.h>

/* Cycles times nodes, so that all runs cost about the same and see about as many packets. */
enum { QUICK = 20000000, LONGER = 3 };

typedef struct {
    swq_figure_setting setting;
    uint32_t nodes;
} direct;

swq_stated_fn swq_stated_grid_waits, swq_stated_knee, swq_stated_agarwal_ends, swq_stated_agarwal,
    swq_stated_dally;

static swq_status make(swq_context *ctx, const swq_stated *row, direct *d)
{
    const swq_status status =
        figure_network(ctx, &d->setting, "--engine async --load 0.01 %s", row->network);

    return status ? status : swq_async_check(ctx, &d->setting.async, &d->nodes);
}

static void set_load(direct *d, double load)
{
    swq_sender_group_load(&d->setting.async, &d->setting.group[0], load);
}

static swq_status simulate(swq_context *ctx, const direct *d, swq_effort effort, uint64_t seed,
                           swq_estimate *latency)
{
    swq_sim_options options = swq_sim_defaults();
    swq_async_result result;

    options.seed = seed;
    options.confidence = SWQ_STATED_CONFIDENCE;
    options.cycles = (uint64_t)QUICK * (effort == SWQ_EFFORT_FULL ? LONGER : 1) / d->nodes;
    swq_status status = swq_async_run(ctx, &d->setting.async, &options, NULL, &result);
    if (!status && result.sim.stopped_by == SWQ_STOP_INTERRUPTED)
        status = swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
    if (!status && result.sim.stopped_by == SWQ_STOP_DEADLOCK)
        status = swq_fail(ctx, SWQ_ECONVERGE, "the network deadlocked");
    if (!status)
        *latency = result.sim.all.latency;
    return status;
}

/* ---- grid-waits ---- */

/* The approximation's answer at the fraction `part` of the knee (0: at the highest load at which it
 * claims to be accurate); sets the network to that load. */
static swq_status answer_at(swq_context *ctx, double part, direct *d, swq_approx_torus_result *a)
{
    swq_status status = swq_approx_run_async(ctx, &d->setting.async, NULL, a);

    if (!status) {
        set_load(d, part > 0 ? part * a->knee : a->valid);
        status = swq_approx_run_async(ctx, &d->setting.async, NULL, a);
    }
    return status;
}

/* The model's answer, and the simulation at the same load. */
static swq_status both(swq_context *ctx, const swq_stated *row, swq_effort effort, uint64_t seed,
                       direct *d, swq_approx_torus_result *a, swq_estimate *latency)
{
    swq_status status = make(ctx, row, d);

    if (!status)
        status = answer_at(ctx, row->load, d, a);
    return status ? status : simulate(ctx, d, effort, seed, latency);
}

swq_status swq_stated_grid_waits(swq_context *ctx, const swq_stated *row, swq_effort effort,
                                 uint64_t seed, swq_finding *finding)
{
    direct d;
    swq_approx_torus_result a = {0};
    swq_estimate latency = {0};
    swq_status status = both(ctx, row, effort, seed, &d, &a, &latency);

    if (!status)
        swq_stated_off(finding, row, a.latency, latency);
    return status;
}

/* Runs are as long as the runs on which the statement rests: near its highest throughput a torus
 * may fall back or, without a threshold, deadlock, and eventually does; so longer runs find lower
 * throughputs. */
swq_status swq_stated_knee(swq_context *ctx, const swq_stated *row, swq_effort effort,
                           uint64_t seed, swq_finding *finding)
{
    direct d;
    swq_approx_torus_result a = {0};
    static const swq_search search = {.resolution = 1.0 / 256};
    swq_async_result full;
    swq_saturation found = {.interrupted = false};
    swq_sim_options options = swq_sim_defaults();
    swq_status status = make(ctx, row, &d);

    options.seed = seed;
    options.confidence = SWQ_STATED_CONFIDENCE;
    options.cycles = effort == SWQ_EFFORT_FULL ? 20000 : 5000;
    /* throughput equals the load up to its maximum, so loads must be closer than the statement */
    if (!status)
        status = swq_approx_run_async(ctx, &d.setting.async, NULL, &a);
    if (!status)
        status = swq_async_saturation(ctx, &d.setting.async, &options, &search, &full, &found);
    if (!status && swq_context_cancelled(ctx))
        status = swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
    if (!status)
        swq_stated_off(finding, row, a.knee, found.peak.throughput);
    return status;
}

/* ---- formulas ---- */

/* Agarwal's waits, plus the hop delays and the waits of senders. */
swq_status swq_stated_agarwal_ends(swq_context *ctx, const swq_stated *row, swq_effort effort,
                                   uint64_t seed, swq_finding *finding)
{
    direct d;
    swq_approx_torus_result a = {0};
    swq_estimate latency = {0};
    swq_status status = both(ctx, row, effort, seed, &d, &a, &latency);

    if (status)
        return status;
    const double time = 32 + d.setting.async.link.rest;
    const double utilisation = a.load / 32 * time * a.hops / (2 * d.setting.async.shape.dims);
    const double waits =
        swq_agarwal(d.setting.async.shape.dims, a.hops, utilisation, time) - a.hops - time;
    swq_stated_off(finding, row, a.alone + a.source_wait + waits, latency);
    return SWQ_OK;
}

/* `self`: do nodes also send to themselves? */
static swq_status torus_figures(swq_context *ctx, const direct *d, bool self,
                                swq_grid_figures *figures)
{
    const swq_shape *shape = &d->setting.async.shape;
    swq_grid grid = {.torus = true, .one_way = shape->one_way, .self = self, .dims = shape->dims};

    for (int k = 0; k < shape->dims; k++)
        grid.extent[k] = shape->extent[k];
    return swq_grid_solve(ctx, &grid, figures);
}

/* The row's torus, and its latency at a utilization. The simulator counts one switch more, and not
 * the last byte. */
static swq_status measure(swq_context *ctx, const swq_stated *row, swq_effort effort, uint64_t seed,
                          direct *d, swq_grid_figures *figures, swq_estimate *latency)
{
    swq_status status = make(ctx, row, d);

    if (!status)
        status = torus_figures(ctx, d, false, figures);
    if (status)
        return status;
    set_load(d, row->load / figures->load);
    status = simulate(ctx, d, effort, seed, latency);
    latency->mean += row->slots - 1;
    return status;
}

swq_status swq_stated_agarwal(swq_context *ctx, const swq_stated *row, swq_effort effort,
                              uint64_t seed, swq_finding *finding)
{
    direct d;
    swq_grid_figures figures = {.nodes = 0};
    swq_estimate latency = {0};
    const swq_status status = measure(ctx, row, effort, seed, &d, &figures, &latency);

    if (!status)
        swq_stated_off(
            finding, row,
            swq_agarwal(d.setting.async.shape.dims, figures.mean_hops, row->load, row->slots),
            latency);
    return status;
}

/* Virtual cut-through, one way. */
swq_status swq_stated_dally(swq_context *ctx, const swq_stated *row, swq_effort effort,
                            uint64_t seed, swq_finding *finding)
{
    direct d;
    swq_grid_figures figures = {.nodes = 0}, with_self = {.nodes = 0};
    swq_estimate latency = {0};
    swq_dally formula;
    swq_status status = measure(ctx, row, effort, seed, &d, &figures, &latency);

    if (!status)
        status = torus_figures(ctx, &d, true, &with_self);
    if (status)
        return status;
    const swq_shape *shape = &d.setting.async.shape;
    swq_dally_solve(shape->extent[0], shape->dims, row->load / with_self.load, row->slots, 1,
                    &formula);
    swq_stated_off(finding, row, formula.latency + formula.source_wait, latency);
    return SWQ_OK;
}

SWQ_STATED_FUNCTIONS(swq_rows_direct, "approximations-direct", LONGER)

const swq_family swq_family_direct = {
    .name = "approximations-direct",
    .title = "Approximations of tori, meshes and hypercubes: is their error the stated one?",
    .legs = "approximation, formula; asynchronous simulator",
    .criterion = "value / simulated - 1 lies within what docs/approximation.md states "
                 "(grid-waits), or `switchq formula` (agarwal, dally), including the sign, to "
                 "the digits stated, within the half-width of the simulation's 99.9% interval "
                 "plus 0.05%",
    .count = count,
    .describe = describe,
    .run = run,
};
