/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Family "formulas": formulas are compared with their counterparts. An exact formula is compared
 * with the chain of the same switch, with another exact formula for that switch, or with the
 * simulator by p-value; an approximate formula must have the error that its row states. Here are
 * comparisons of more than answers of commands; all others are in formulas.yaml.
 */
#include "base/context.h"
#include "switchq/formula.h"
#include "validate/checks/families.h"
#include "validate/checks/stated.h"
#include "validate/figures/figures.h"

#include <math.h>
#include <stdio.h>

enum { LONGER = 10, QUICK = 20000, FULL = 200000 };

#define UNUSED (void)effort, (void)seed

/* Waits in a later stage, whose number is `slots`: packets in the stage over packets sent (Little),
 * less the cycle in which a packet arrives, as packets are counted after their transmission to the
 * stage. */
swq_stated_fn swq_stated_later_stage, swq_stated_shared_independent, swq_stated_threshold_fluid;

swq_status swq_stated_later_stage(swq_context *ctx, const swq_stated *row, swq_effort effort,
                                  uint64_t seed, swq_finding *finding)
{
    swq_sim_result result;
    swq_figure_setting s;
    swq_status status = figure_network(ctx, &s, "%s", row->network);

    if (!status)
        status = swq_stated_simulate(ctx, &s.network, effort == SWQ_EFFORT_QUICK ? QUICK : FULL,
                                     seed, &result);
    if (status)
        return status;
    const int ports = s.network.sw.ports;
    const swq_stage_result *stage = &result.stage[row->slots - 1];
    double sent = ports * stage->sent.mean;
    swq_estimate wait = {stage->occupancy.mean / sent - 1, stage->occupancy.half_width / sent};
    swq_stated_off(finding, row, swq_stage_wait(ports, s.network.traffic.load, row->slots), wait);
    return SWQ_OK;
}

/* `slots` slots have a tail below 1e-6, one fewer do not; the exact loss needs only
 * `other_slots`. */
swq_status swq_stated_shared_independent(swq_context *ctx, const swq_stated *row, swq_effort effort,
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
swq_status swq_stated_threshold_fluid(swq_context *ctx, const swq_stated *row, swq_effort effort,
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

SWQ_STATED_FUNCTIONS(swq_rows_formulas, "formulas", LONGER)

const swq_family swq_family_formulas = {
    .name = "formulas",
    .title = "Formulas against their counterparts",
    .legs = "formula; exact chain, other formula, synchronous simulator",
    .criterion = "exact ones: 1e-9 of the chain's or the other formula's value, or the "
                 "simulator by its p-value; approximations: the error that `switchq formula` "
                 "states, to the digits stated, within the half-width of the simulation's 99.9% "
                 "interval plus 0.05%",
    .count = count,
    .describe = describe,
    .run = run,
};
