/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the dissertation cites of wormhole networks.
 */
#include "validate/checks/printed_find.h"
#include "validate/figures/figures.h"

#include <math.h>
#include <stdio.h>

enum {
    ROUND_TRIP = 3,    /* cycles from a flit's departure until its credit can be used */
    MESSAGE_BITS = 200 /* Dally (1990) */
};

/* Saturation of a k x k torus with unidirectional links and two lanes, as a fraction of the
 * capacity of its links: k (k - 1) / 2 links lie between a node and the others of its ring. Wires
 * of k / 2 bits follow from equal bisections. Buffers hold enough to keep a link busy, which is as
 * close to Dally's switches without delays as switches with delays come. */
static swq_status saturate(swq_context *ctx, int k, uint64_t seed, double *fraction)
{
    const int flits = (int)ceil(MESSAGE_BITS / (k / 2.0));
    swq_sim_options options = swq_sim_defaults();
    swq_async_result result;
    swq_figure_setting s;
    swq_status status = figure_network(
        ctx, &s,
        "--topology torus --dims %dx%d --one-way --architecture wormhole --lanes 2 --lane-flits %d "
        "--lane-choice dateline --router-delay 0,0,1,0 --credit-delay 0 --sources hold --length %d "
        "--load 1",
        k, k, ROUND_TRIP, flits);

    options.seed = seed;
    options.warmup = 4000;
    options.cycles = 4000;
    if (!status)
        status = swq_async_run(ctx, &s.async, &options, NULL, &result);
    if (!status)
        *fraction = result.sim.all.throughput.mean * (k - 1) / 2;
    return status;
}

swq_status printed_dally(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    static const double print[] = {0.36, 0.35};
    double found[2] = {NAN, NAN};
    int failed = 0;

    (void)effort; /* it takes eight seconds */
    for (int k = 0; k < 2; k++) {
        const swq_status status = saturate(ctx, k ? 64 : 32, seed, &found[k]);
        if (status)
            return status;
        failed += !(fabs(found[k] - print[k]) <= 0.1 * print[k]);
    }
    printed_none(f, failed, 2);
    snprintf(f->text, sizeof f->text, "32x32: %.3f (print %g), 64x64: %.3f (%g), each to 10%%",
             found[0], print[0], found[1], print[1]);
    return SWQ_OK;
}
