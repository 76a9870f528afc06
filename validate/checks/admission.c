/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rules of admission to a shared memory: the chain of each against the simulator.
 */
#include "validate/checks/admission.h"

#include "models/gate.h"
#include "validate/checks/families.h"
#include "validate/checks/scores.h"

#include <math.h>
#include <stdio.h>

enum { SIZES = 3, TRAFFICS = 2 };

/* Rules that keep much for each queue have chains for small memories. */
static const struct {
    int ports, slots;
} sizes[2][SIZES] = {{{2, 4}, {3, 3}, {4, 2}}, {{2, 1}, {2, 2}, {3, 1}}};

const swq_admission_rule *swq_admission_case(int k)
{
    for (int r = 0; swq_admission_rules[r]; r++) {
        if (!(swq_admission_rules[r]->needs & ~swq_chain_takes.needs) && k-- == 0)
            return swq_admission_rules[r];
    }
    return NULL;
}

int swq_admission_cases(void)
{
    int count = 0;

    while (swq_admission_case(count))
        count++;
    return count;
}

/* Case k: a rule, a size, uniform traffic or a hot spot. */
static const swq_admission_rule *case_of(int k, swq_case *c)
{
    const swq_admission_rule *rule = swq_admission_case(k / TRAFFICS / SIZES);
    const int size = k / TRAFFICS % SIZES, much = rule->keeps > 1;

    *c = (swq_case){.buffer = "cbda",
                    .arbiter = "random",
                    .ports = sizes[much][size].ports,
                    .slots = sizes[much][size].slots,
                    .load = 0.85,
                    .mode = SWQ_DISCARD_SAME,
                    .traffic = k % TRAFFICS ? SWQ_CASE_HOT : SWQ_CASE_UNIFORM,
                    .iterations = 1};
    return rule;
}

static uint64_t cycles_of(swq_effort effort)
{
    return effort == SWQ_EFFORT_FULL ? 1000000 : 200000;
}

static int count(swq_effort effort)
{
    (void)effort;
    return SWQ_SCORES * TRAFFICS * SIZES * swq_admission_cases();
}

static void describe(swq_effort effort, int k, swq_check *check)
{
    swq_case c;
    const swq_admission_rule *rule = case_of(k / SWQ_SCORES, &c);
    const char *quantity = swq_score_names[k % SWQ_SCORES];
    char text[140];

    snprintf(check->name, sizeof check->name, "admission/%s,%s,%s", quantity, rule->name,
             swq_case_name(&c, text, sizeof text));
    snprintf(check->claim, sizeof check->claim,
             "%s, admission %s: the simulator's %s equal the chain's",
             swq_case_words(&c, text, sizeof text), rule->name, quantity);
    check->level = SWQ_LEVEL_STAT;
    check->weight = 0.07e-6 * c.ports * c.ports * (double)cycles_of(effort);
}

swq_status swq_admission_case_set(swq_context *ctx, const swq_admission_rule *rule, swq_switch *sw)
{
    if (rule->demands & SWQ_ADMISSION_QUEUE_MIN)
        sw->buffer.queue_min = 1;
    if (rule->demands & SWQ_ADMISSION_QUEUE_MAX)
        sw->buffer.queue_max = sw->buffer.capacity / 2;
    return swq_buffer_set_admission(ctx, rule, rule->demands, sw->ports, &sw->buffer);
}

static swq_status run(swq_context *ctx, swq_effort effort, int k, uint64_t seed, swq_finding *f)
{
    swq_case c;
    const swq_admission_rule *rule = case_of(k / SWQ_SCORES, &c);
    swq_switch sw;
    swq_expected expected = {0};
    double observed[SWQ_SCORES], score[SWQ_SCORES];
    swq_status status = swq_case_switch(ctx, &c, &sw);

    if (!status)
        status = swq_admission_case_set(ctx, rule, &sw);
    if (!status)
        status = swq_expect(ctx, &sw, &expected);
    if (!status)
        status = swq_score_case(ctx, &c, swq_check_seed(seed, "admission", k), cycles_of(effort),
                                &sw, &expected, observed, score);
    for (int q = 0; q < SWQ_SCORES && !status; q++) {
        f[q].left = expected.mean[q];
        f[q].right = observed[q];
        f[q].off = fabs(score[q]);
        f[q].p = swq_two_sided(score[q]);
    }
    return status;
}

const swq_family swq_family_admission = {
    .name = "admission",
    .title = "Chain against simulator, rules of admission to a shared memory",
    .legs = "exact chain, with the exact variance of a run's mean; synchronous simulator",
    .criterion = "as in chain-simulator: packets lost per cycle and packets held, each by its z, "
                 "judged with all others",
    .count = count,
    .describe = describe,
    .parts = SWQ_SCORES,
    .run = run,
};
