/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Exact formulas: compared with the chain of the same switch, with another exact formula for it,
 * or with the simulator by p-value.
 */
#include "base/context.h"
#include "switchq/exact.h"
#include "switchq/formula.h"
#include "validate/checks/formulas.h"

#include <math.h>
#include <stdio.h>

#define UNUSED (void)effort, (void)seed

/* Compares relatively; NAN is infinitely far away. */
static void same(swq_finding *finding, double formula, double counterpart)
{
    swq_finding_near(finding, formula, counterpart, 1e-9 * fabs(counterpart));
    if (isnan(finding->off))
        finding->outcome = SWQ_OUTCOME_FAIL;
}

/* ---- against exact chains ---- */

static swq_status solve(swq_context *ctx, const swq_stated *row, int most, swq_answers *answers)
{
    swq_exact_options options = swq_exact_options_defaults();
    const swq_buffer_kind *kind;
    swq_switch sw = {.ports = row->ports, .arbiter = swq_arbiters[0]};
    swq_status status = swq_buffer_kind_find(ctx, row->buffer, &kind);

    if (!status)
        status = swq_buffer_preset(ctx, kind, sw.ports, row->slots, &sw.buffer);
    if (status)
        return status;
    if (most)
        sw.buffer.queue_max = most;
    for (int p = 0; p < sw.ports; p++)
        sw.load[p] = row->load;
    swq_traffic_uniform(&sw);
    status = swq_exact_solve(ctx, &sw, &options, answers);
    if (status == SWQ_ECONVERGE)
        swq_answers_clear(ctx, answers);
    return status;
}

swq_status formula_hol(swq_context *ctx, const swq_stated *row, swq_effort effort, uint64_t seed,
                       swq_finding *finding)
{
    swq_answers a;
    double formula = NAN;

    UNUSED;
    swq_status status = swq_hol_saturation(ctx, row->ports, 1, &formula);
    if (!status)
        status = solve(ctx, row, 0, &a);
    if (status)
        return status;
    same(finding, formula, a.throughput.value);
    swq_answers_clear(ctx, &a);
    return SWQ_OK;
}

/* A pool that is never short, except for a limit on each queue, is a switch with output queues. */
swq_status formula_output_queue_loss(swq_context *ctx, const swq_stated *row, swq_effort effort,
                                     uint64_t seed, swq_finding *finding)
{
    swq_answers a = {0};

    UNUSED;
    const swq_status status = solve(ctx, row, row->slots, &a);
    if (!status)
        same(finding, swq_output_queue_loss(row->ports, row->load, row->slots, NULL),
             a.discard.value);
    swq_answers_clear(ctx, &a);
    return status;
}

/* With so many slots that no packet is ever lost, the simulated switch is a switch with infinite
 * queues. */
swq_status formula_output_queue_wait(swq_context *ctx, const swq_stated *row, swq_effort effort,
                                     uint64_t seed, swq_finding *finding)
{
    swq_answers a = {0};

    UNUSED;
    const swq_status status = solve(ctx, row, 0, &a);
    if (!status)
        same(finding, 1 + swq_output_queue_wait(row->ports, row->load), a.mean_delay);
    swq_answers_clear(ctx, &a);
    return status;
}

swq_status formula_shared_output(swq_context *ctx, const swq_stated *row, swq_effort effort,
                                 uint64_t seed, swq_finding *finding)
{
    swq_answers a;
    double loss = NAN, mean = NAN;

    UNUSED;
    swq_status status =
        swq_shared_output_chain(ctx, row->ports, row->load, row->ports * row->slots, &loss, &mean);
    if (!status)
        status = solve(ctx, row, 0, &a);
    if (status)
        return status;
    same(finding, loss, a.discard.value);
    if (finding->outcome == SWQ_OUTCOME_PASS)
        same(finding, mean, a.mean_packets);
    swq_answers_clear(ctx, &a);
    return SWQ_OK;
}

/* ---- against one another ---- */

swq_status formula_pim(swq_context *ctx, const swq_stated *row, swq_effort effort, uint64_t seed,
                       swq_finding *finding)
{
    swq_pim found = {NAN, NAN};

    UNUSED;
    swq_status status = swq_pim_saturation(ctx, row->ports, 1, &found);
    if (!status)
        same(finding, found.throughput, swq_unbuffered_rate(row->ports, row->ports, 1, 1, NULL));
    return status;
}

swq_status formula_window(swq_context *ctx, const swq_stated *row, swq_effort effort, uint64_t seed,
                          swq_finding *finding)
{
    double one = NAN, hol_ = NAN;

    UNUSED;
    swq_status status = swq_window_saturation(ctx, row->ports, 1, &one);
    if (!status)
        status = swq_hol_saturation(ctx, row->ports, 1, &hol_);
    if (!status)
        same(finding, one, hol_);
    return status;
}

/* With equal loads of 1 every content is equally likely, so that N / (B + N) are lost. */
swq_status formula_complete_sharing(swq_context *ctx, const swq_stated *row, swq_effort effort,
                                    uint64_t seed, swq_finding *finding)
{
    const double load[] = {1, 1, 1, 1};
    swq_sharing sharing = {.queues = row->ports, .slots = row->slots, .load = load};
    swq_sharing_flow all = {.loss = NAN};

    UNUSED;
    swq_status status = swq_sharing_solve(ctx, &sharing, NULL, &all);
    if (!status)
        same(finding, all.loss, (double)row->ports / (row->slots + row->ports));
    return status;
}

/* With a threshold that is never reached: the product form and the chain of packets. */
swq_status formula_threshold(swq_context *ctx, const swq_stated *row, swq_effort effort,
                             uint64_t seed, swq_finding *finding)
{
    const double load[] = {0.5, 0.8, 1.1};
    swq_sharing sharing = {.queues = 3, .slots = row->slots, .load = load};
    swq_sharing_flow product = {.loss = NAN}, chain = {.loss = NAN};

    UNUSED;
    swq_status status = swq_sharing_solve(ctx, &sharing, NULL, &product);
    if (!status)
        status = swq_threshold_chain(ctx, &sharing, 1e6, NULL, &chain, NULL);
    if (!status)
        same(finding, product.loss, chain.loss);
    return status;
}

/* The fewest slots, and one less. */
swq_status formula_fewest_slots(swq_context *ctx, const swq_stated *row, swq_effort effort,
                                uint64_t seed, swq_finding *finding)
{
    int slots = 0;
    double loss = NAN;

    UNUSED;
    swq_status status =
        swq_output_queue_slots(ctx, row->ports, row->load, row->least, &slots, &loss);
    if (status)
        return status;
    swq_finding_near(finding, slots, row->slots, 0);
    if (swq_output_queue_loss(row->ports, row->load, slots, NULL) > row->least ||
        swq_output_queue_loss(row->ports, row->load, slots - 1, NULL) <= row->least)
        finding->outcome = SWQ_OUTCOME_FAIL;
    return SWQ_OK;
}

/* ---- exact ones against the simulator ---- */

swq_status formula_mean_wait(swq_context *ctx, const swq_stated *row, swq_effort effort,
                             uint64_t seed, swq_finding *finding)
{
    swq_sim_result result;
    swq_status status = formula_simulate_waits(ctx, row, effort, seed, &result);

    if (!status)
        swq_stated_p(finding, 1 + swq_output_queue_wait(row->ports, row->load), result.all.latency);
    return status;
}
