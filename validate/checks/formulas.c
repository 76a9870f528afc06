/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Family "formulas": formulas are compared with their counterparts. An exact formula is compared
 * with the chain of the same switch, with another exact formula for that switch, or with the
 * simulator by p-value; an approximate formula must have the error that its row states. Most rows
 * are comparisons in the language of claims (docs/papers.md).
 */
#include "base/context.h"
#include "switchq/formula.h"
#include "validate/checks/families.h"
#include "validate/checks/stated.h"

#include <math.h>
#include <stdio.h>

enum { LONGER = 10, QUICK = 20000, FULL = 200000 };

#define UNUSED (void)effort, (void)seed

/* ---- comparisons of more than answers ---- */

/* Waits in a later stage: packets in the stage over packets sent (Little), less the cycle in which
 * a packet arrives, as packets are counted after their transmission to the stage. */
static swq_status later_stage(swq_context *ctx, const swq_stated *row, swq_effort effort,
                              uint64_t seed, swq_finding *finding)
{
    swq_sim_result result;
    swq_network network;
    swq_status status = swq_stated_network(ctx, row, SWQ_BLOCK, SWQ_CREDIT_SAME, &network);

    if (!status)
        status = swq_stated_simulate(ctx, &network, effort == SWQ_EFFORT_QUICK ? QUICK : FULL, seed,
                                     &result);
    if (status)
        return status;
    const swq_stage_result *stage = &result.stage[row->other_slots - 1];
    double sent = row->ports * stage->sent.mean;
    swq_estimate wait = {stage->occupancy.mean / sent - 1, stage->occupancy.half_width / sent};
    swq_stated_off(finding, row, swq_stage_wait(row->ports, row->load, row->other_slots), wait);
    return SWQ_OK;
}

/* `slots` slots have a tail below 1e-6, one fewer do not; the exact loss needs only
 * `other_slots`. */
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
    swq_finding_near(finding, row->slots, row->other_slots, right ? row->slots : -1);
    snprintf(finding->text, sizeof finding->text, "tails %.3g, %.3g; losses %.3g, %.3g", tail[1],
             tail[0], loss[1], loss[0]);
    return SWQ_OK;
}

/* The means of the chain are 0.1 to 0.2 packets above those of the fluid. */
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
    swq_finding_near(finding, each[0].mean, fluid, 0.25);
    if (above < 0.05 || above >= 0.25)
        finding->outcome = SWQ_OUTCOME_FAIL;
    return SWQ_OK;
}

/* ---- rows ---- */

#define FORMULA(words, result) "{formula " words " : points.0.results." result "}"
#define SOLVED(n, kind, size, load, key)                                                           \
    "{solve --ports " n " --buffer " kind " --slots " size " --load " load " : result." key "}"
/* Of a network, or of one switch: as many cycles in a quick and in a full run. */
#define RUN(cycles, topology, n, kind, size, load, credit, quantity)                               \
    "{<" cycles "> cycles of --topology " topology " --ports " n " --buffer " kind                 \
    " --slots " size " --load " load " --flow block --credit " credit " : " quantity "}"

#define HOL(n, full_)                                                                              \
    SWQ_EQUATION("hol-saturation/ports=" #n,                                                       \
                 "hol-saturation is the chain's throughput with FIFO buffers at full load",        \
                 SWQ_LEVEL_EXACT,                                                                  \
                 FORMULA("hol-saturation --ports " #n,                                             \
                         "throughput") " = " SOLVED(#n, "fifo", "2", "1", "throughput"),           \
                 .full = (full_), .weight = 0.02)
#define OUTPUT_LOSS(n, size, at)                                                                   \
    SWQ_EQUATION("output-queue-finite/ports=" #n ",slots=" #size ",load=" #at,                     \
                 "output-queue-finite loses as much as a pool with limited queues",                \
                 SWQ_LEVEL_EXACT,                                                                  \
                 FORMULA("output-queue-finite --ports " #n " --slots " #size " --load " #at,       \
                         "loss") " = " SOLVED(#n, "cbda --queue-max " #size, #size, #at,           \
                                              "discard_probability"),                              \
                 .weight = 0.02)
#define OUTPUT_WAIT(n, size, at)                                                                   \
    SWQ_EQUATION("output-queue/ports=" #n ",load=" #at,                                            \
                 "output-queue waits as long as a pool that is never full", SWQ_LEVEL_EXACT,       \
                 "1 + " FORMULA("output-queue --ports " #n " --load " #at,                         \
                                "wait") " = " SOLVED(#n, "cbda", #size, #at, "mean_delay_cycles"), \
                 .weight = 0.05)
#define SHARED(n, size, all, at)                                                                   \
    SWQ_EQUATION(                                                                                  \
        "shared-output-chain/ports=" #n ",slots=" #size ",load=" #at,                              \
        "shared-output-chain loses and holds as much as the pool's chain", SWQ_LEVEL_EXACT,        \
        FORMULA(                                                                                   \
            "shared-output-chain --ports " #n " --slots " #all " --load " #at,                     \
            "loss") " = " SOLVED(#n, "cbda", #size, #at,                                           \
                                 "discard_probability") "|" FORMULA("shared-output-chain "         \
                                                                    "--ports " #n " --slots " #all \
                                                                    " --load " #at,                \
                                                                    "mean") " = " SOLVED(#n,       \
                                                                                         "cbda",   \
                                                                                         #size,    \
                                                                                         #at,      \
                                                                                         "mean_"   \
                                                                                         "packet"  \
                                                                                         "s"),     \
        .weight = 0.05)
#define PIM(n)                                                                                     \
    SWQ_EQUATION("pim-saturation/ports=" #n,                                                       \
                 "one iteration of PIM matches as many as one stage of patel accepts",             \
                 SWQ_LEVEL_EXACT,                                                                  \
                 FORMULA("pim-saturation --iterations 1 --ports " #n, "throughput") " = " FORMULA( \
                     "patel --stages 1 --load 1 --ports " #n, "throughput"),                       \
                 .weight = 0)
#define WINDOW(n)                                                                                  \
    SWQ_EQUATION("window-saturation/ports=" #n, "a window of 1 is hol-saturation",                 \
                 SWQ_LEVEL_EXACT,                                                                  \
                 FORMULA("window-saturation --window 1 --ports " #n,                               \
                         "throughput") " = " FORMULA("hol-saturation --ports " #n, "throughput"),  \
                 .weight = 0)
/* with equal loads of 1 every content is equally likely */
#define COMPLETE(n, size)                                                                          \
    SWQ_EQUATION("complete-sharing/queues=" #n ",slots=" #size,                                    \
                 "complete-sharing at load 1 loses N / (B + N)", SWQ_LEVEL_EXACT,                  \
                 FORMULA("complete-sharing --load 1 --queues " #n " --slots " #size,               \
                         "loss") " = " #n " / (" #size " + " #n ")",                               \
                 .weight = 0)
#define FEWEST(n, size, less)                                                                      \
    SWQ_EQUATION(                                                                                  \
        "output-queue-slots/ports=" #n, "slots that lose less than 1e-6 at load 0.8: " #size,      \
        SWQ_LEVEL_EXACT,                                                                           \
        FORMULA("output-queue-slots --load 0.8 --target 1e-6 --ports " #n,                         \
                "slots") " = " #size                                                               \
                         " within 0|" FORMULA(                                                     \
                             "output-queue-finite --load 0.8 --ports " #n " --slots " #size,       \
                             "loss") " < 1e-6|1e-6 < " FORMULA("output-queue-finite --load "       \
                                                               "0.8 --ports " #n                   \
                                                               " --slots " #less,                  \
                                                               "loss"),                            \
        .weight = 0)
#define MEAN_WAIT(n, at, full_)                                                                    \
    SWQ_EQUATION("output-queue/simulated,ports=" #n ",load=" #at,                                  \
                 "output-queue waits as long as a simulated pool of 64 slots a port",              \
                 SWQ_LEVEL_STAT,                                                                   \
                 "1 + " FORMULA("output-queue --ports " #n " --load " #at, "wait") " = " RUN(      \
                     "20000 200000", "switch", #n, "cbda", "64", #at, "same", "latency"),          \
                 .full = (full_), .weight = 0.05)
#define LATER(n, stages_, stage, at, off, full_)                                                   \
    {                                                                                              \
        .name = "kruskal-snir-weiss/ports=" #n ",load=" #at ",stage=" #stage,                      \
        .claim = "waits in stage " #stage " are within " #off "% of kruskal-snir-weiss",           \
        .level = SWQ_LEVEL_APPROX, .find = later_stage, .buffer = "cbda", .ports = (n),            \
        .stages = (stages_), .slots = 64, .other_slots = (stage), .load = (at),                    \
        .least = -(off) / 100.0, .most = (off) / 100.0, .full = (full_), .weight = 0.5             \
    }
/* stated in whole percent, so to half a percent; winners are drawn at random, as these recursions
 * assume */
#define HIGH(formula, size_of, n, stages_, size, credit, percent, full_)                           \
    SWQ_EQUATION(formula "/ports=" #n ",stages=" #stages_ ",slots=" #size,                         \
                 formula ": saturation throughput is " #percent "% too high", SWQ_LEVEL_APPROX,    \
                 FORMULA(formula " --load 1 --stages " #stages_ size_of, "throughput") " = " RUN(  \
                     "10000 100000", "omega --stages " #stages_ " --arbiter random", #n, "fifo",   \
                     #size, "1", credit, "throughput"),                                            \
                 .least = ((percent)-0.5) / 100, .most = ((percent) + 0.5) / 100, .full = (full_), \
                 .weight = 0.3)
#define JENQ(stages_, percent, full_) HIGH("jenq", "", 2, stages_, 1, "same", percent, full_)
#define YOON_LEE_LIU(n, stages_, size, percent, full_)                                             \
    HIGH("yoon-lee-liu", " --ports " #n " --slots " #size, n, stages_, size, "same", percent, full_)
#define SMALL_CYCLE(n, stages_, size, percent, full_)                                              \
    HIGH("small-cycle", " --ports " #n " --slots " #size, n, stages_, size, "next", percent, full_)
#define HOT(fraction)                                                                              \
    SWQ_EQUATION(                                                                                  \
        "hotspot-bound/fraction=" #fraction,                                                       \
        "64 nodes, DAMQ: simulated saturation is at hotspot-bound, to 0.5%", SWQ_LEVEL_APPROX,     \
        FORMULA("hotspot-bound --nodes 64 --fraction " #fraction, "throughput") " = " RUN(         \
            "20000 200000", "omega --stages 3 --traffic hotspot:" #fraction, "4", "damq", "4",     \
            "1", "next", "throughput"),                                                            \
        .least = -0.005, .most = 0.005, .weight = 0.3)
/* a limit for infinitely many ports; the statement is about the simulated value as a fraction of
 * the limit */
#define RANDOM_HEADS(at, percent)                                                                  \
    SWQ_EQUATION("input-queue-random-heads/ports=32,load=" #at,                                    \
                 "32 ports wait " #percent "% less than input-queue-random-heads, at load " #at,   \
                 SWQ_LEVEL_APPROX,                                                                 \
                 RUN("20000 200000", "switch --arbiter random", "32", "fifo", "256", #at, "same",  \
                     "latency") " - 1 = " FORMULA("input-queue-random-heads --load " #at, "wait"), \
                 .least = (-(percent)-0.5) / 100, .most = (-(percent) + 0.5) / 100, .weight = 0.4)
#define HUI_ARTHURS(at, percent, half)                                                             \
    SWQ_EQUATION("input-queue-hui-arthurs/load=" #at,                                              \
                 "input-queue-hui-arthurs is " #percent "% off the wait with random heads",        \
                 SWQ_LEVEL_APPROX,                                                                 \
                 FORMULA("input-queue-hui-arthurs --load " #at,                                    \
                         "wait") " = " FORMULA("input-queue-random-heads --load " #at, "wait"),    \
                 .least = ((percent) - (half)) / 100, .most = ((percent) + (half)) / 100,          \
                 .weight = 0.02)
#define ASYMPTOTE(n, stages_, percent)                                                             \
    SWQ_EQUATION("kruskal-snir/ports=" #n ",stages=" #stages_,                                     \
                 "kruskal-snir is " #percent "% above patel", SWQ_LEVEL_APPROX,                    \
                 FORMULA("kruskal-snir --load 1 --ports " #n " --stages " #stages_,                \
                         "throughput") " = " FORMULA("patel --load 1 --ports " #n                  \
                                                     " --stages " #stages_,                        \
                                                     "throughput"),                                \
                 .least = ((percent)-0.5) / 100, .most = ((percent) + 0.5) / 100)
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
    SWQ_EQUATION("square-root-rule/queues=" #n ",slots=" #size,                                    \
                 "the square-root rule loses 2 to 7% more than the least", SWQ_LEVEL_APPROX,       \
                 FORMULA("square-root-rule --queues " #n " --slots " #size " --load 1",            \
                         "loss_rule") " = " FORMULA("square-root-rule --queues " #n                \
                                                    " --slots " #size " --load 1",                 \
                                                    "loss_best"),                                  \
                 .least = 0.015, .most = 0.075)

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
    SHARED(2, 2, 4, 0.9),
    SHARED(2, 8, 16, 0.8),
    SHARED(3, 3, 9, 0.9),
    SHARED(4, 2, 8, 0.99),
    PIM(2),
    PIM(4),
    PIM(16),
    WINDOW(2),
    WINDOW(4),
    COMPLETE(2, 10),
    COMPLETE(3, 30),
    SWQ_EQUATION("dynamic-threshold-chain/alpha=1e6",
                 "dynamic-threshold-chain without a threshold is complete-sharing", SWQ_LEVEL_EXACT,
                 FORMULA("complete-sharing --load 0.5,0.8,1.1 --slots 12", "loss") " = " FORMULA(
                     "dynamic-threshold-chain --load 0.5,0.8,1.1 --slots 12 --alpha 1e6", "loss"),
                 .weight = 0.05),
    FEWEST(2, 16, 15),
    FEWEST(16, 27, 26),
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
    JENQ(2, 5, false),
    JENQ(3, 10, true),
    JENQ(6, 26, true),
    JENQ(8, 35, true),
    YOON_LEE_LIU(2, 6, 1, 26, true),
    YOON_LEE_LIU(2, 6, 2, 26, true),
    YOON_LEE_LIU(2, 6, 4, 19, true),
    YOON_LEE_LIU(2, 6, 8, 11, true),
    YOON_LEE_LIU(4, 3, 1, 20, true),
    YOON_LEE_LIU(4, 3, 2, 24, true),
    YOON_LEE_LIU(4, 3, 4, 21, false),
    YOON_LEE_LIU(4, 3, 8, 16, true),
    SMALL_CYCLE(4, 3, 1, 15, true),
    SMALL_CYCLE(4, 3, 2, 23, true),
    SMALL_CYCLE(4, 3, 4, 22, false),
    SMALL_CYCLE(4, 3, 8, 16, true),
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
    .criterion = "exact ones: 1e-9 of the chain's or the other formula's value, or the "
                 "simulator by its p-value; approximations: the error that `switchq formula` "
                 "states, to the digits stated, within the half-width of the simulation's 99.9% "
                 "interval plus 0.05%",
    .count = count,
    .describe = describe,
    .run = run,
};
