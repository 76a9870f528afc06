/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Approximate formulas: do they have the errors that their rows state?
 */
#include "base/context.h"
#include "switchq/exact.h"
#include "switchq/formula.h"
#include "validate/checks/formulas.h"

#include <math.h>
#include <stdio.h>

#define UNUSED (void)effort, (void)seed

/* Waits in a later stage: packets in the stage over packets sent (Little), less the cycle in which
 * a packet arrives, as packets are counted after their transmission to the stage. */
swq_status formula_later_stage(swq_context *ctx, const swq_stated *row, swq_effort effort,
                               uint64_t seed, swq_finding *finding)
{
    swq_sim_result result;
    swq_status status = formula_simulate_waits(ctx, row, effort, seed, &result);

    if (status)
        return status;
    const swq_stage_result *stage = &result.stage[row->other_slots - 1];
    double sent = row->ports * stage->sent.mean;
    swq_estimate wait = {stage->occupancy.mean / sent - 1, stage->occupancy.half_width / sent};
    swq_stated_off(finding, row, swq_stage_wait(row->ports, row->load, row->other_slots), wait);
    return SWQ_OK;
}

static swq_status recursion(swq_context *ctx, const swq_stated *row, swq_credit credit,
                            swq_effort effort, uint64_t seed, swq_finding *finding)
{
    swq_network network;
    swq_sim_result result;
    double throughput = NAN, delay;
    swq_status status = swq_blocking_delta(ctx, row->ports, row->stages, row->slots,
                                           credit == SWQ_CREDIT_SAME, 1, &throughput, &delay);

    if (!status)
        status = swq_stated_network(ctx, row, SWQ_BLOCK, credit, &network);
    if (!status)
        status = swq_stated_simulate(ctx, &network, formula_cycles(effort) / 2, seed, &result);
    if (!status)
        swq_stated_off(finding, row, throughput, result.all.throughput);
    return status;
}

swq_status formula_yoon_lee_liu(swq_context *ctx, const swq_stated *row, swq_effort effort,
                                uint64_t seed, swq_finding *finding)
{
    return recursion(ctx, row, SWQ_CREDIT_SAME, effort, seed, finding);
}

swq_status formula_small_cycle(swq_context *ctx, const swq_stated *row, swq_effort effort,
                               uint64_t seed, swq_finding *finding)
{
    return recursion(ctx, row, SWQ_CREDIT_NEXT, effort, seed, finding);
}

swq_status formula_jenq(swq_context *ctx, const swq_stated *row, swq_effort effort, uint64_t seed,
                        swq_finding *finding)
{
    swq_network network;
    swq_sim_result result;
    double throughput = NAN, delay;
    swq_status status = swq_jenq(ctx, row->stages, 1, &throughput, &delay);

    if (!status)
        status = swq_stated_network(ctx, row, SWQ_BLOCK, SWQ_CREDIT_SAME, &network);
    if (!status)
        status = swq_stated_simulate(ctx, &network, formula_cycles(effort) / 2, seed, &result);
    if (!status)
        swq_stated_off(finding, row, throughput, result.all.throughput);
    return status;
}

/* The bound is where a network of DAMQ buffers saturates. */
swq_status formula_hot_spot(swq_context *ctx, const swq_stated *row, swq_effort effort,
                            uint64_t seed, swq_finding *finding)
{
    swq_network network;
    swq_sim_result result;
    swq_status status = swq_stated_network(ctx, row, SWQ_BLOCK, SWQ_CREDIT_NEXT, &network);

    if (status)
        return status;
    network.traffic.load = 1;
    network.traffic.hot[network.traffic.hot_spots++] = (swq_hot_spot){0, row->load};
    status = swq_stated_simulate(ctx, &network, formula_cycles(effort), seed, &result);
    if (!status)
        swq_stated_off(finding, row, swq_hotspot_bound(64, row->load, 1), result.all.throughput);
    return status;
}

/* Limits for infinitely many ports: in a simulated switch with fewer ports, waits are shorter. */
swq_status formula_random_heads(swq_context *ctx, const swq_stated *row, swq_effort effort,
                                uint64_t seed, swq_finding *finding)
{
    swq_sim_result result;
    swq_status status = formula_simulate_waits(ctx, row, effort, seed, &result);

    if (!status) {
        swq_estimate wait = {result.all.latency.mean - 1, result.all.latency.half_width};
        double limit = swq_input_queue_wait(row->load, SWQ_HEADS_RANDOM);
        /* the statement is about the simulated value as a fraction of the limit */
        swq_stated_off(finding, row, wait.mean, (swq_estimate){limit, wait.half_width});
    }
    return status;
}

/* Compared with an exact formula, so without an interval. */
swq_status formula_hui_arthurs(swq_context *ctx, const swq_stated *row, swq_effort effort,
                               uint64_t seed, swq_finding *finding)
{
    (void)ctx, UNUSED;
    swq_stated_off(finding, row, swq_input_queue_wait_hui_arthurs(row->load),
                   (swq_estimate){swq_input_queue_wait(row->load, SWQ_HEADS_RANDOM), 0});
    return SWQ_OK;
}

swq_status formula_kruskal_snir(swq_context *ctx, const swq_stated *row, swq_effort effort,
                                uint64_t seed, swq_finding *finding)
{
    double exact = swq_unbuffered_rate(row->ports, row->ports, row->stages, 1, NULL);

    (void)ctx, UNUSED;
    swq_stated_off(finding, row, swq_unbuffered_asymptote(row->ports, row->stages, 1),
                   (swq_estimate){exact, 0});
    return SWQ_OK;
}

/* `slots` slots have a tail below 1e-6, one fewer do not; the exact loss needs only
 * `other_slots`. */
swq_status formula_shared_independent(swq_context *ctx, const swq_stated *row, swq_effort effort,
                                      uint64_t seed, swq_finding *finding)
{
    double tail[2] = {NAN, NAN}, loss[2] = {NAN, NAN}, mean;
    swq_status status = SWQ_OK;

    UNUSED;
    for (int k = 0; k < 2 && !status; k++) {
        status = swq_shared_output_tail(ctx, row->ports, row->load, row->slots - k, &tail[k]);
        if (!status)
            status = swq_shared_output_chain(ctx, row->ports, row->load, row->other_slots - k,
                                             &loss[k], &mean);
    }
    if (status)
        return status;
    bool right = tail[0] < 1e-6 && tail[1] >= 1e-6 && loss[0] < 1e-6 && loss[1] >= 1e-6;
    swq_finding_near(finding, row->slots, row->other_slots, right ? row->slots : -1);
    snprintf(finding->text, sizeof finding->text, "tails %.3g, %.3g; losses %.3g, %.3g", tail[1],
             tail[0], loss[1], loss[0]);
    return SWQ_OK;
}

/* The means of the chain are 0.1 to 0.2 packets above those of the fluid. */
swq_status formula_threshold_fluid(swq_context *ctx, const swq_stated *row, swq_effort effort,
                                   uint64_t seed, swq_finding *finding)
{
    const double load[] = {10, 10};
    swq_sharing sharing = {.queues = 2, .slots = 40, .load = load};
    swq_sharing_flow each[2];

    UNUSED;
    swq_status status = swq_threshold_chain(ctx, &sharing, row->load, each, NULL, NULL);
    if (status)
        return status;
    double fluid = swq_threshold_fluid(40, row->load, 2, 0, NULL);
    double above = each[0].mean - fluid;
    swq_finding_near(finding, each[0].mean, fluid, 0.25);
    if (above < 0.05 || above >= 0.25)
        finding->outcome = SWQ_OUTCOME_FAIL;
    return SWQ_OK;
}

/* The loss of the rule relative to the least possible. */
swq_status formula_square_root(swq_context *ctx, const swq_stated *row, swq_effort effort,
                               uint64_t seed, swq_finding *finding)
{
    const double load[] = {1, 1, 1, 1};
    const int rule = (int)lround(row->slots / sqrt(row->ports));
    const int most[] = {rule, rule, rule, rule};
    swq_sharing sharing = {.queues = row->ports, .slots = row->slots, .load = load, .most = most};
    swq_sharing_flow all = {.loss = NAN};
    int best;
    double least;

    UNUSED;
    swq_status status = swq_sharing_best(ctx, row->ports, row->slots, 1, &best, &least);
    if (!status)
        status = swq_sharing_solve(ctx, &sharing, NULL, &all);
    if (!status)
        swq_stated_off(finding, row, all.loss, (swq_estimate){least, 0});
    return status;
}
