/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One switch, its chain against the simulator. The two share the rules of buffers and arbiters;
 * sources, queues, credits, clocks and counting are each one's own.
 */
#include "base/context.h"
#include "validate/checks/compare.h"
#include "validate/checks/families.h"
#include "validate/checks/grids.h"
#include "validate/checks/scores.h"

#include <math.h>
#include <stdio.h>

enum { QUICK_CYCLES = 200000, FULL_CYCLES = 1000000 };

static uint64_t cycles_of(swq_effort effort)
{
    return effort == SWQ_EFFORT_FULL ? FULL_CYCLES : QUICK_CYCLES;
}

/* A check is a case and one of its quantities, all of which are measured together. */
static void describe_in(const swq_case_block *grid, const char *family, swq_effort effort, int k,
                        swq_check *check)
{
    swq_case c;
    char text[140];
    const char *quantity = swq_score_names[k % SWQ_SCORES];

    swq_grid_case(grid, effort, k / SWQ_SCORES, &c);
    snprintf(check->name, sizeof check->name, "%s/%s,%s", family, quantity,
             swq_case_name(&c, text, sizeof text));
    snprintf(check->claim, sizeof check->claim, "%s: the simulator's %s equal the chain's",
             swq_case_words(&c, text, sizeof text), quantity);
    check->level = SWQ_LEVEL_STAT;
    check->weight = 0.07e-6 * c.ports * c.ports * (double)cycles_of(effort);
}

static swq_status run_in(swq_context *ctx, const swq_case_block *grid, const char *family,
                         swq_effort effort, int k, uint64_t seed, swq_finding *f)
{
    swq_case c;
    swq_switch sw;
    swq_expected expected;
    double observed[SWQ_SCORES], score[SWQ_SCORES];

    swq_grid_case(grid, effort, k / SWQ_SCORES, &c);
    swq_status status = swq_case_switch(ctx, &c, &sw);
    if (!status)
        status = swq_expect(ctx, &sw, &expected);
    if (!status)
        status = swq_score_case(ctx, &c, swq_check_seed(seed, family, k), cycles_of(effort), &sw,
                                &expected, observed, score);
    for (int q = 0; q < SWQ_SCORES; q++) {
        if (status == SWQ_EREDUCIBLE)
            swq_skip_reducible(status, &f[q]);
        if (status)
            continue;
        f[q].left = expected.mean[q];
        f[q].right = observed[q];
        f[q].off = fabs(score[q]);
        f[q].p = swq_two_sided(score[q]);
    }
    return status == SWQ_EREDUCIBLE ? SWQ_OK : status;
}

/* ---- input-queued switches and pools ---- */

static int count(swq_effort effort)
{
    return SWQ_SCORES * swq_grid_count(swq_one_switch, effort);
}

static void describe(swq_effort effort, int k, swq_check *check)
{
    describe_in(swq_one_switch, "chain-simulator", effort, k, check);
}

static swq_status run(swq_context *ctx, swq_effort effort, int k, uint64_t seed, swq_finding *f)
{
    return run_in(ctx, swq_one_switch, "chain-simulator", effort, k, seed, f);
}

const swq_family swq_family_chain_simulator = {
    .name = "chain-simulator",
    .title = "Chain against simulator, one switch",
    .legs = "exact chain, with the exact variance of a run's mean; synchronous simulator",
    .criterion = "refusals per cycle and packets held: z = (measured - exact) / sqrt(sigma^2 / "
                 "cycles) for each, sigma^2 from the chain; two-sided p-values are judged with "
                 "all others. 200,000 cycles (full: 1,000,000) after 1,000 that are not measured",
    .count = count,
    .describe = describe,
    .parts = SWQ_SCORES,
    .run = run,
};

/* ---- the other architectures ---- */

static int count_others(swq_effort effort)
{
    return SWQ_SCORES * swq_grid_count(swq_other_architectures, effort);
}

static void describe_others(swq_effort effort, int k, swq_check *check)
{
    describe_in(swq_other_architectures, "architectures", effort, k, check);
}

static swq_status run_others(swq_context *ctx, swq_effort effort, int k, uint64_t seed,
                             swq_finding *f)
{
    return run_in(ctx, swq_other_architectures, "architectures", effort, k, seed, f);
}

const swq_family swq_family_architectures = {
    .name = "architectures",
    .title = "Chain against simulator, output queues, crosspoints and speedup",
    .legs = "exact chain, with the exact variance of a run's mean; synchronous simulator",
    .criterion = "as in chain-simulator; packets held are those in the whole switch",
    .count = count_others,
    .describe = describe_others,
    .parts = SWQ_SCORES,
    .run = run_others,
};
