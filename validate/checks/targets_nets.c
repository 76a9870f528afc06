/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Printed numbers about the 64-node network that need more than a figure's quantities: simulated
 * here. papers/frazier1995/figure-text.yaml has the others.
 */
#include "base/context.h"
#include "validate/checks/printed_find.h"
#include "validate/table_sim.h"

#include <math.h>

/* The network of Tables 4.2 to 5.1 with one buffer, at a load or, with throughput > 0, at the load
 * that gives this throughput. */
static swq_status run(swq_context *ctx, const swq_paper_table *table, const char *buffer,
                      double load, double throughput, swq_effort effort, uint64_t seed,
                      swq_sim_result *result)
{
    const swq_paper_options options = swq_paper_defaults();
    const swq_paper_row row = {.buffer = buffer, .slots = 4};
    swq_sim_point point = {.throughput = throughput, .options = swq_sim_defaults()};
    swq_status status = swq_paper_network(ctx, table, &options, &row, &point.network);

    if (status)
        return status;
    point.network.traffic.load = load;
    point.options.seed = seed;
    point.options.cycles = effort == SWQ_EFFORT_QUICK ? 4000 : 20000;
    point.options.per_node = throughput > 0;
    status = swq_sim_points(ctx, &point, 1, 1);
    if (!status && swq_context_cancelled(ctx))
        status = swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
    if (!status && point.saturated)
        status = swq_fail(ctx, SWQ_EINVAL, "%s-4 does not deliver a throughput of %g", buffer,
                          throughput);
    *result = point.result;
    return status;
}

/* 4.4: R (1 - D), from measurements each with its own interval, is the throughput. */
swq_status printed_identity(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    swq_sim_result r;
    const swq_status status = run(ctx, &swq_table_4_2, "fifo", 0.8, 0, effort, seed, &r);

    if (!status) {
        double offered = (double)r.all.created / ((double)r.cycles * r.nodes);
        swq_finding_near(f, r.all.throughput.mean, offered * (1 - r.all.discard_fraction.mean),
                         r.all.throughput.half_width + offered * r.all.discard_fraction.half_width);
    }
    return status;
}

/* 5: CBDA's 99th percentile is twice its mean (1.91 times by Table 5.1). */
swq_status printed_cbda_spread(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    swq_sim_result r;
    const swq_status status = run(ctx, &swq_table_4_3, "cbda", 1, 0.5, effort, seed, &r);

    if (!status)
        swq_finding_near(f, r.all.node_percentile[2].mean / r.all.latency.mean, 2, 0.2);
    return status;
}
