/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Printed numbers about the 64-node network that need more than a figure's quantities: simulated
 * here. papers/frazier1995/figure-text.yaml has the others.
 */
#include "base/context.h"
#include "validate/checks/losses.h"
#include "validate/checks/printed_find.h"

#include <math.h>
#include <stdio.h>

enum { STAGES = 3, QUICK = 4000, FULL = 20000 };

static uint64_t cycles_of(swq_effort effort)
{
    return effort == SWQ_EFFORT_QUICK ? QUICK : FULL;
}

/* ---- 4.3, 4.4: the model itself ---- */

/* At a load so light that packets hardly meet, half of them have the least latency; none has less
 * if the mean is not below it. */
swq_status printed_least_latency(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    swq_claimed_net net = {
        .buffer = "damq", .slots = 4, .load = 0.001, .cycles = cycles_of(effort)};
    swq_sim_result result;
    swq_status status = swq_claimed_run(ctx, &net, seed, &result);

    if (!status)
        swq_finding_near(
            f, result.all.percentile[0], STAGES,
            result.all.latency.mean >= STAGES && result.all.latency.mean < STAGES + 0.01 ? 0 : -1);
    return status;
}

/* R (1 - D), from measurements each with its own interval, is the throughput. */
swq_status printed_identity(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    swq_claimed_net net = {
        .buffer = "fifo", .slots = 4, .load = 0.8, .discard = true, .cycles = cycles_of(effort)};
    swq_sim_result r;
    swq_status status = swq_claimed_run(ctx, &net, seed, &r);

    if (!status) {
        double offered = (double)r.all.created / ((double)r.cycles * r.nodes);
        swq_finding_near(f, r.all.throughput.mean, offered * (1 - r.all.discard_fraction.mean),
                         r.all.throughput.half_width + offered * r.all.discard_fraction.half_width);
    }
    return status;
}

/* ---- 5: CBDA's 99th percentile is twice its mean (1.91 times by Table 5.1) ---- */

swq_status printed_cbda_spread(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    swq_claimed_net net = {.buffer = "cbda",
                           .slots = 4,
                           .throughput = 0.5,
                           .per_node = true,
                           .cycles = cycles_of(effort)};
    swq_sim_result r;
    swq_status status = swq_claimed_run(ctx, &net, seed, &r);

    if (!status)
        swq_finding_near(f, r.all.node_percentile[2].mean / r.all.latency.mean, 2, 0.2);
    return status;
}
