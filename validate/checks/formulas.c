/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Family "formulas": those that have a counterpart, held against it: exact ones against the chain
 * of the same switch, or another exact formula for it, or the simulator by p-value; approximate
 * ones are as far off as their rows say.
 * Room: validate. Includes models, exact, sim.
 */
#include "base/context.h"
#include "switchq/exact.h"
#include "switchq/formula.h"
#include "validate/checks/families.h"
#include "validate/checks/stated.h"

#include <math.h>
#include <stdio.h>

enum { QUICK = 20000, FULL = 200000, LONGER = 10 };

#define UNUSED (void)effort, (void)seed

static uint64_t cycles_of(swq_effort effort)
{
    return effort == SWQ_EFFORT_QUICK ? QUICK : FULL;
}

/* Relative, and NAN is infinitely far. */
static void same(swq_finding *finding, double formula, double counterpart)
{
    swq_stated_near(finding, formula, counterpart, 1e-9 * fabs(counterpart));
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

static swq_status hol(swq_context *ctx, const swq_stated *row, swq_effort effort, uint64_t seed,
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

/* A pool that is never short but for a limit on each queue is a switch with output queues. */
static swq_status output_queue_loss(swq_context *ctx, const swq_stated *row, swq_effort effort,
                                    uint64_t seed, swq_finding *finding)
{
    swq_answers a;

    UNUSED;
    swq_status status = solve(ctx, row, row->slots, &a);
    if (status)
        return status;
    same(finding, swq_output_queue_loss(row->ports, row->load, row->slots, NULL), a.discard.value);
    swq_answers_clear(ctx, &a);
    return SWQ_OK;
}

/* ... and with so many slots that nothing is ever lost, one with queues without end. */
static swq_status output_queue_wait(swq_context *ctx, const swq_stated *row, swq_effort effort,
                                    uint64_t seed, swq_finding *finding)
{
    swq_answers a;

    UNUSED;
    swq_status status = solve(ctx, row, 0, &a);
    if (status)
        return status;
    same(finding, 1 + swq_output_queue_wait(row->ports, row->load), a.mean_delay);
    swq_answers_clear(ctx, &a);
    return SWQ_OK;
}

static swq_status shared_output(swq_context *ctx, const swq_stated *row, swq_effort effort,
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

static swq_status pim(swq_context *ctx, const swq_stated *row, swq_effort effort, uint64_t seed,
                      swq_finding *finding)
{
    swq_pim found = {NAN, NAN};

    UNUSED;
    swq_status status = swq_pim_saturation(ctx, row->ports, 1, &found);
    if (!status)
        same(finding, found.throughput, swq_unbuffered_rate(row->ports, row->ports, 1, 1, NULL));
    return status;
}

static swq_status window(swq_context *ctx, const swq_stated *row, swq_effort effort, uint64_t seed,
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

/* Equal loads of 1: every content is equally likely, so N / (B + N) are lost. */
static swq_status complete_sharing(swq_context *ctx, const swq_stated *row, swq_effort effort,
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

/* A threshold that is never reached: the product form and the chain packet by packet. */
static swq_status threshold(swq_context *ctx, const swq_stated *row, swq_effort effort,
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
static swq_status fewest_slots(swq_context *ctx, const swq_stated *row, swq_effort effort,
                               uint64_t seed, swq_finding *finding)
{
    int slots = 0;
    double loss = NAN;

    UNUSED;
    swq_status status =
        swq_output_queue_slots(ctx, row->ports, row->load, row->least, &slots, &loss);
    if (status)
        return status;
    swq_stated_near(finding, slots, row->slots, 0);
    if (swq_output_queue_loss(row->ports, row->load, slots, NULL) > row->least ||
        swq_output_queue_loss(row->ports, row->load, slots - 1, NULL) <= row->least)
        finding->outcome = SWQ_OUTCOME_FAIL;
    return SWQ_OK;
}

/* ---- exact ones against the simulator ---- */

/* Waits in the first stage of a network whose buffers never fill. */
static swq_status simulate_waits(swq_context *ctx, const swq_stated *row, swq_effort effort,
                                 uint64_t seed, swq_sim_result *result)
{
    swq_network network;
    swq_status status = swq_stated_network(ctx, row, SWQ_BLOCK, SWQ_CREDIT_SAME, &network);

    if (!status)
        status = swq_stated_simulate(ctx, &network, cycles_of(effort), seed, result);
    return status;
}

static swq_status mean_wait(swq_context *ctx, const swq_stated *row, swq_effort effort,
                            uint64_t seed, swq_finding *finding)
{
    swq_sim_result result;
    swq_status status = simulate_waits(ctx, row, effort, seed, &result);

    if (!status)
        swq_stated_p(finding, 1 + swq_output_queue_wait(row->ports, row->load), result.all.latency);
    return status;
}

/* ---- approximations, as far off as they say ---- */

/* Waits in a later stage: packets in it over packets sent (Little), less the cycle in which a
 * packet comes, which is seen after its transmission to this stage. */
static swq_status later_stage(swq_context *ctx, const swq_stated *row, swq_effort effort,
                              uint64_t seed, swq_finding *finding)
{
    swq_sim_result result;
    swq_status status = simulate_waits(ctx, row, effort, seed, &result);

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
        status = swq_stated_simulate(ctx, &network, cycles_of(effort) / 2, seed, &result);
    if (!status)
        swq_stated_off(finding, row, throughput, result.all.throughput);
    return status;
}

static swq_status yoon_lee_liu(swq_context *ctx, const swq_stated *row, swq_effort effort,
                               uint64_t seed, swq_finding *finding)
{
    return recursion(ctx, row, SWQ_CREDIT_SAME, effort, seed, finding);
}

static swq_status small_cycle(swq_context *ctx, const swq_stated *row, swq_effort effort,
                              uint64_t seed, swq_finding *finding)
{
    return recursion(ctx, row, SWQ_CREDIT_NEXT, effort, seed, finding);
}

static swq_status jenq(swq_context *ctx, const swq_stated *row, swq_effort effort, uint64_t seed,
                       swq_finding *finding)
{
    swq_network network;
    swq_sim_result result;
    double throughput = NAN, delay;
    swq_status status = swq_jenq(ctx, row->stages, 1, &throughput, &delay);

    if (!status)
        status = swq_stated_network(ctx, row, SWQ_BLOCK, SWQ_CREDIT_SAME, &network);
    if (!status)
        status = swq_stated_simulate(ctx, &network, cycles_of(effort) / 2, seed, &result);
    if (!status)
        swq_stated_off(finding, row, throughput, result.all.throughput);
    return status;
}

/* Its bound is where a network of DAMQ buffers saturates. */
static swq_status hot_spot(swq_context *ctx, const swq_stated *row, swq_effort effort,
                           uint64_t seed, swq_finding *finding)
{
    swq_network network;
    swq_sim_result result;
    swq_status status = swq_stated_network(ctx, row, SWQ_BLOCK, SWQ_CREDIT_NEXT, &network);

    if (status)
        return status;
    network.traffic.load = 1;
    network.traffic.hot[network.traffic.hot_spots++] = (swq_hot_spot){0, row->load};
    status = swq_stated_simulate(ctx, &network, cycles_of(effort), seed, &result);
    if (!status)
        swq_stated_off(finding, row, swq_hotspot_bound(64, row->load, 1), result.all.throughput);
    return status;
}

/* Limits for infinitely many ports: a simulated switch of fewer waits less. */
static swq_status random_heads(swq_context *ctx, const swq_stated *row, swq_effort effort,
                               uint64_t seed, swq_finding *finding)
{
    swq_sim_result result;
    swq_status status = simulate_waits(ctx, row, effort, seed, &result);

    if (!status) {
        swq_estimate wait = {result.all.latency.mean - 1, result.all.latency.half_width};
        double limit = swq_input_queue_wait(row->load, SWQ_HEADS_RANDOM);
        /* stated is what is simulated, as a fraction of the limit */
        swq_stated_off(finding, row, wait.mean, (swq_estimate){limit, wait.half_width});
    }
    return status;
}

/* Against an exact formula: no interval. */
static swq_status hui_arthurs(swq_context *ctx, const swq_stated *row, swq_effort effort,
                              uint64_t seed, swq_finding *finding)
{
    (void)ctx, UNUSED;
    swq_stated_off(finding, row, swq_input_queue_wait_hui_arthurs(row->load),
                   (swq_estimate){swq_input_queue_wait(row->load, SWQ_HEADS_RANDOM), 0});
    return SWQ_OK;
}

static swq_status kruskal_snir(swq_context *ctx, const swq_stated *row, swq_effort effort,
                               uint64_t seed, swq_finding *finding)
{
    double exact = swq_unbuffered_rate(row->ports, row->ports, row->stages, 1, NULL);

    (void)ctx, UNUSED;
    swq_stated_off(finding, row, swq_unbuffered_asymptote(row->ports, row->stages, 1),
                   (swq_estimate){exact, 0});
    return SWQ_OK;
}

/* `slots` have a tail below 1e-6, one fewer do not; the exact loss needs only `other_slots`. */
static swq_status shared_independent(swq_context *ctx, const swq_stated *row, swq_effort effort,
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
    swq_stated_near(finding, row->slots, row->other_slots, right ? row->slots : -1);
    snprintf(finding->text, sizeof finding->text, "tails %.3g, %.3g; losses %.3g, %.3g", tail[1],
             tail[0], loss[1], loss[0]);
    return SWQ_OK;
}

/* The chain's means lie 0.1 to 0.2 packets above the fluid's. */
static swq_status threshold_fluid(swq_context *ctx, const swq_stated *row, swq_effort effort,
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
    swq_stated_near(finding, each[0].mean, fluid, 0.25);
    if (above < 0.05 || above >= 0.25)
        finding->outcome = SWQ_OUTCOME_FAIL;
    return SWQ_OK;
}

/* The rule's loss over the least. */
static swq_status square_root(swq_context *ctx, const swq_stated *row, swq_effort effort,
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

/* ---- rows ---- */

#define HOL(n, full_)                                                                              \
    {                                                                                              \
        .name = "hol-saturation/ports=" #n,                                                        \
        .claim = "hol-saturation is the chain's throughput with FIFO buffers at full load",        \
        .level = SWQ_LEVEL_EXACT, .find = hol, .buffer = "fifo", .ports = (n), .slots = 2,         \
        .load = 1, .full = (full_), .weight = 0.02                                                 \
    }
#define OUTPUT_LOSS(n, size, at)                                                                   \
    {                                                                                              \
        .name = "output-queue-finite/ports=" #n ",slots=" #size ",load=" #at,                      \
        .claim = "output-queue-finite loses what a pool does whose queues are limited",            \
        .level = SWQ_LEVEL_EXACT, .find = output_queue_loss, .buffer = "cbda", .ports = (n),       \
        .slots = (size), .load = (at), .weight = 0.02                                              \
    }
#define OUTPUT_WAIT(n, size, at)                                                                   \
    {                                                                                              \
        .name = "output-queue/ports=" #n ",load=" #at,                                             \
        .claim = "output-queue waits as long as a pool does that is never full",                   \
        .level = SWQ_LEVEL_EXACT, .find = output_queue_wait, .buffer = "cbda", .ports = (n),       \
        .slots = (size), .load = (at), .weight = 0.05                                              \
    }
#define SHARED(n, size, at)                                                                        \
    {                                                                                              \
        .name = "shared-output-chain/ports=" #n ",slots=" #size ",load=" #at,                      \
        .claim = "shared-output-chain loses and holds what the pool's chain does",                 \
        .level = SWQ_LEVEL_EXACT, .find = shared_output, .buffer = "cbda", .ports = (n),           \
        .slots = (size), .load = (at), .weight = 0.05                                              \
    }
#define PIM(n)                                                                                     \
    {                                                                                              \
        .name = "pim-saturation/ports=" #n,                                                        \
        .claim = "one iteration of PIM matches what one stage of patel accepts",                   \
        .level = SWQ_LEVEL_EXACT, .find = pim, .ports = (n)                                        \
    }
#define WINDOW(n)                                                                                  \
    {                                                                                              \
        .name = "window-saturation/ports=" #n, .claim = "a window of 1 is hol-saturation",         \
        .level = SWQ_LEVEL_EXACT, .find = window, .ports = (n)                                     \
    }
#define COMPLETE(n, size)                                                                          \
    {                                                                                              \
        .name = "complete-sharing/queues=" #n ",slots=" #size,                                     \
        .claim = "complete-sharing at load 1 loses N / (B + N)", .level = SWQ_LEVEL_EXACT,         \
        .find = complete_sharing, .ports = (n), .slots = (size)                                    \
    }
#define FEWEST(n, size)                                                                            \
    {                                                                                              \
        .name = "output-queue-slots/ports=" #n,                                                    \
        .claim = "slots that lose less than 1e-6 at load 0.8: " #size, .level = SWQ_LEVEL_EXACT,   \
        .find = fewest_slots, .ports = (n), .slots = (size), .load = 0.8, .least = 1e-6            \
    }
#define MEAN_WAIT(n, at, full_)                                                                    \
    {                                                                                              \
        .name = "output-queue/simulated,ports=" #n ",load=" #at,                                   \
        .claim = "output-queue waits as long as a simulated pool of 64 slots a port",              \
        .level = SWQ_LEVEL_STAT, .find = mean_wait, .buffer = "cbda", .ports = (n), .stages = 1,   \
        .slots = 64, .load = (at), .full = (full_), .weight = 0.05                                 \
    }
#define LATER(n, stages_, stage, at, off, full_)                                                   \
    {                                                                                              \
        .name = "kruskal-snir-weiss/ports=" #n ",load=" #at ",stage=" #stage,                      \
        .claim = "waits in stage " #stage " are within " #off "% of kruskal-snir-weiss",           \
        .level = SWQ_LEVEL_APPROX, .find = later_stage, .buffer = "cbda", .ports = (n),            \
        .stages = (stages_), .slots = 64, .other_slots = (stage), .load = (at),                    \
        .least = -(off) / 100.0, .most = (off) / 100.0, .full = (full_), .weight = 0.5             \
    }
/* stated in whole percent: to half a percent; winners are drawn at random, as these recursions have
 * it */
#define HIGH(formula, function, n, stages_, size, percent, full_)                                  \
    {                                                                                              \
        .name = formula "/ports=" #n ",stages=" #stages_ ",slots=" #size,                          \
        .claim = formula ": saturation throughput is " #percent "% too high",                      \
        .level = SWQ_LEVEL_APPROX, .find = (function), .buffer = "fifo", .arbiter = "random",      \
        .ports = (n), .stages = (stages_), .slots = (size), .least = ((percent)-0.5) / 100,        \
        .most = ((percent) + 0.5) / 100, .full = (full_), .weight = 0.3                            \
    }
#define HOT(fraction_)                                                                             \
    {                                                                                              \
        .name = "hotspot-bound/fraction=" #fraction_,                                              \
        .claim = "64 nodes, DAMQ: simulated saturation is at hotspot-bound, to 0.5%",              \
        .level = SWQ_LEVEL_APPROX, .find = hot_spot, .buffer = "damq", .slots = 4,                 \
        .load = (fraction_), .least = -0.005, .most = 0.005, .weight = 0.3                         \
    }
#define RANDOM_HEADS(at, percent)                                                                  \
    {                                                                                              \
        .name = "input-queue-random-heads/ports=32,load=" #at,                                     \
        .claim = "32 ports wait " #percent "% less than input-queue-random-heads, at load " #at,   \
        .level = SWQ_LEVEL_APPROX, .find = random_heads, .buffer = "fifo", .arbiter = "random",    \
        .ports = 32, .stages = 1, .slots = 256, .load = (at), .least = (-(percent)-0.5) / 100,     \
        .most = (-(percent) + 0.5) / 100, .weight = 0.4                                            \
    }
#define HUI_ARTHURS(at, percent, half)                                                             \
    {                                                                                              \
        .name = "input-queue-hui-arthurs/load=" #at,                                               \
        .claim = "input-queue-hui-arthurs is " #percent "% off the wait with random heads",        \
        .level = SWQ_LEVEL_APPROX, .find = hui_arthurs, .load = (at),                              \
        .least = ((percent) - (half)) / 100, .most = ((percent) + (half)) / 100, .weight = 0.02    \
    }
#define ASYMPTOTE(n, stages_, percent)                                                             \
    {                                                                                              \
        .name = "kruskal-snir/ports=" #n ",stages=" #stages_,                                      \
        .claim = "kruskal-snir is " #percent "% above patel", .level = SWQ_LEVEL_APPROX,           \
        .find = kruskal_snir, .ports = (n), .stages = (stages_), .least = ((percent)-0.5) / 100,   \
        .most = ((percent) + 0.5) / 100                                                            \
    }
#define SHARED_SLOTS(n, size, exact)                                                               \
    {                                                                                              \
        .name = "shared-output-independent/ports=" #n,                                             \
        .claim = "shared-output-independent asks for " #size " slots where " #exact " are enough", \
        .level = SWQ_LEVEL_APPROX, .find = shared_independent, .ports = (n), .slots = (size),      \
        .other_slots = (exact), .load = 0.8, .weight = 0.2                                         \
    }
#define FLUID(alpha_)                                                                              \
    {                                                                                              \
        .name = "dynamic-threshold/alpha=" #alpha_,                                                \
        .claim = "the chain's queues are 0.1 to 0.2 packets longer than dynamic-threshold's",      \
        .level = SWQ_LEVEL_APPROX, .find = threshold_fluid, .load = (alpha_), .weight = 0.1        \
    }
#define ROOT(n, size)                                                                              \
    {                                                                                              \
        .name = "square-root-rule/queues=" #n ",slots=" #size,                                     \
        .claim = "the square-root rule loses 2 to 7% more than the least",                         \
        .level = SWQ_LEVEL_APPROX, .find = square_root, .ports = (n), .slots = (size),             \
        .least = 0.015, .most = 0.075                                                              \
    }

static const swq_stated rows[] = {
    HOL(2, false),
    HOL(3, false),
    HOL(4, false),
    HOL(5, true),
    OUTPUT_LOSS(2, 2, 0.5),
    OUTPUT_LOSS(2, 6, 0.8),
    OUTPUT_LOSS(2, 12, 0.3),
    OUTPUT_LOSS(3, 4, 0.9),
    OUTPUT_LOSS(4, 3, 0.9),
    OUTPUT_WAIT(2, 24, 0.5),
    OUTPUT_WAIT(3, 12, 0.3),
    SHARED(2, 2, 0.9),
    SHARED(2, 8, 0.8),
    SHARED(3, 3, 0.9),
    SHARED(4, 2, 0.99),
    PIM(2),
    PIM(4),
    PIM(16),
    WINDOW(2),
    WINDOW(4),
    COMPLETE(2, 10),
    COMPLETE(3, 30),
    {.name = "dynamic-threshold-chain/alpha=1e6",
     .claim = "dynamic-threshold-chain without a threshold is complete-sharing",
     .level = SWQ_LEVEL_EXACT,
     .find = threshold,
     .slots = 12,
     .weight = 0.05},
    FEWEST(2, 16),
    FEWEST(16, 27),
    MEAN_WAIT(2, 0.5, false),
    MEAN_WAIT(4, 0.8, false),
    MEAN_WAIT(8, 0.6, false),
    MEAN_WAIT(16, 0.8, true),
    MEAN_WAIT(32, 0.5, true),
    LATER(2, 6, 2, 0.5, 1.2, false),
    LATER(2, 6, 5, 0.5, 1.2, true),
    LATER(2, 6, 2, 0.8, 2.7, true),
    LATER(2, 6, 5, 0.8, 2.7, true),
    LATER(4, 3, 3, 0.5, 1.2, true),
    LATER(4, 3, 3, 0.8, 2.7, false),
    LATER(8, 2, 2, 0.8, 2.7, true),
    HIGH("jenq", jenq, 2, 2, 1, 5, false),
    HIGH("jenq", jenq, 2, 3, 1, 10, true),
    HIGH("jenq", jenq, 2, 6, 1, 26, true),
    HIGH("jenq", jenq, 2, 8, 1, 35, true),
    HIGH("yoon-lee-liu", yoon_lee_liu, 2, 6, 1, 26, true),
    HIGH("yoon-lee-liu", yoon_lee_liu, 2, 6, 2, 26, true),
    HIGH("yoon-lee-liu", yoon_lee_liu, 2, 6, 4, 19, true),
    HIGH("yoon-lee-liu", yoon_lee_liu, 2, 6, 8, 11, true),
    HIGH("yoon-lee-liu", yoon_lee_liu, 4, 3, 1, 20, true),
    HIGH("yoon-lee-liu", yoon_lee_liu, 4, 3, 2, 24, true),
    HIGH("yoon-lee-liu", yoon_lee_liu, 4, 3, 4, 21, false),
    HIGH("yoon-lee-liu", yoon_lee_liu, 4, 3, 8, 16, true),
    HIGH("small-cycle", small_cycle, 4, 3, 1, 15, true),
    HIGH("small-cycle", small_cycle, 4, 3, 2, 23, true),
    HIGH("small-cycle", small_cycle, 4, 3, 4, 22, false),
    HIGH("small-cycle", small_cycle, 4, 3, 8, 16, true),
    HOT(0.05),
    HOT(0.10),
    RANDOM_HEADS(0.3, 5),
    RANDOM_HEADS(0.5, 12),
    HUI_ARTHURS(0.1, -0.4, 0.05),
    HUI_ARTHURS(0.3, -4.5, 0.05),
    HUI_ARTHURS(0.5, -16, 0.5),
    HUI_ARTHURS(0.55, -21, 0.5),
    ASYMPTOTE(2, 3, 11),
    ASYMPTOTE(2, 8, 11),
    ASYMPTOTE(2, 32, 7),
    ASYMPTOTE(4, 3, 9),
    ASYMPTOTE(4, 8, 8),
    ASYMPTOTE(4, 32, 4),
    SHARED_SLOTS(2, 21, 17),
    SHARED_SLOTS(4, 36, 29),
    FLUID(0.5),
    FLUID(1.0),
    FLUID(2.0),
    ROOT(3, 10),
    ROOT(3, 20),
    ROOT(3, 30),
    ROOT(4, 10),
    ROOT(4, 20),
    ROOT(4, 30),
    {.name = NULL},
};

SWQ_STATED_FUNCTIONS(rows, "formulas", LONGER)

const swq_family swq_family_formulas = {
    .name = "formulas",
    .title = "Formulas against their counterparts",
    .legs = "formula; exact chain, other formula, synchronous simulator",
    .criterion =
        "exact ones: 1e-9 of the chain's or the other formula's value, or the simulator by its "
        "p-value; approximations: off by what `switchq formula` states, as far as digits are "
        "stated, give or take the half-width of the simulation's 99.9% interval and 0.05%",
    .count = count,
    .describe = describe,
    .run = run,
};
