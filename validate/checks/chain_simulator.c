/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One switch, its chain against the simulator. The two share the rules of buffers and arbiters;
 * sources, queues, credits, clocks and counting are each one's own.
 * Room: validate. Includes sim, exact.
 */
#include "base/context.h"
#include "validate/checks/compare.h"
#include "validate/checks/families.h"
#include "validate/checks/grids.h"
#include "validate/checks/scores.h"

#include <math.h>
#include <stdio.h>

enum { QUICK_CYCLES = 200000, FULL_CYCLES = 1000000 };

static int count(swq_effort effort)
{
    return swq_grid_count(swq_one_switch, effort);
}

static uint64_t cycles_of(swq_effort effort)
{
    return effort == SWQ_EFFORT_FULL ? FULL_CYCLES : QUICK_CYCLES;
}

static void describe(swq_effort effort, int k, swq_check *check)
{
    swq_case c;
    char text[100];

    swq_grid_case(swq_one_switch, effort, k, &c);
    snprintf(check->name, sizeof check->name, "chain-simulator/%s",
             swq_case_name(&c, text, sizeof text));
    snprintf(check->claim, sizeof check->claim, "%s: chain and simulator refuse and hold the same",
             swq_case_words(&c, text, sizeof text));
    check->level = SWQ_LEVEL_STAT;
    check->weight = 0.14e-6 * c.ports * c.ports * (double)cycles_of(effort);
}

static swq_status run(swq_context *ctx, swq_effort effort, int k, uint64_t seed, swq_finding *f)
{
    swq_case c;
    swq_switch sw;
    swq_expected expected;
    double observed[SWQ_SCORES], score[SWQ_SCORES];

    swq_grid_case(swq_one_switch, effort, k, &c);
    swq_status status = swq_case_switch(ctx, &c, &sw);
    if (!status)
        status = swq_expect(ctx, &sw, &expected);
    if (!status)
        status = swq_score_case(ctx, &c, swq_check_seed(seed, "chain-simulator", k),
                                cycles_of(effort), &sw, &expected, observed, score);
    if (status)
        return swq_skip_reducible(status, f);
    int worst = fabs(score[1]) > fabs(score[0]);
    f->left = expected.mean[worst];
    f->right = observed[worst];
    f->off = fabs(score[worst]);
    /* the smaller of two p-values, whatever they have to do with one another */
    f->p = fmin(1, SWQ_SCORES * swq_two_sided(score[worst]));
    snprintf(f->text, sizeof f->text, "%s; scores: %s %+.2f, %s %+.2f", swq_score_names[worst],
             swq_score_names[0], score[0], swq_score_names[1], score[1]);
    return SWQ_OK;
}

const swq_family swq_family_chain_simulator = {
    .name = "chain-simulator",
    .title = "Chain against simulator, one switch",
    .legs = "exact chain, with the exact variance of a run's mean; synchronous simulator",
    .criterion =
        "refusals per cycle and packets held: z = (measured - exact) / sqrt(sigma^2 / cycles) for "
        "each, sigma^2 from the chain; the larger |z|'s two-sided p-value, doubled, is judged "
        "with all others. 200,000 cycles (full: 1,000,000) behind 1,000 not measured",
    .count = count,
    .describe = describe,
    .run = run,
};
