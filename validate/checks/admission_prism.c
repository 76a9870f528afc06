/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rules of admission to a shared memory: the chain of each against the rules in the PRISM language,
 * which share no code with the chain, as an interpreter of this language reads them.
 */
#include "base/context.h"
#include "models/export/formats.h"
#include "switchq/exact.h"
#include "validate/checks/admission.h"
#include "validate/checks/cases.h"
#include "validate/checks/families.h"
#include "validate/checks/finding.h"
#include "validate/prism/prism.h"

#include <stdio.h>
#include <string.h>

enum { SIZES = 2, TRAFFICS = 2, QUANTITIES = 3 };

static const struct {
    int ports, slots;
} sizes[SIZES] = {{2, 3}, {3, 2}};

static const double tolerance = 1e-9;

/* Case k: a rule, a size, uniform traffic or a hot spot. */
static const swq_admission_rule *case_of(int k, swq_case *c)
{
    const int size = k / TRAFFICS % SIZES;

    *c = (swq_case){.buffer = "cbda",
                    .arbiter = "random",
                    .ports = sizes[size].ports,
                    .slots = sizes[size].slots,
                    .load = 0.85,
                    .mode = SWQ_DISCARD_SAME,
                    .traffic = k % TRAFFICS ? SWQ_CASE_HOT : SWQ_CASE_UNIFORM,
                    .iterations = 1};
    return swq_admission_case(k / TRAFFICS / SIZES);
}

static int count(swq_effort effort)
{
    (void)effort;
    return TRAFFICS * SIZES * swq_admission_cases();
}

static void describe(swq_effort effort, int k, swq_check *check)
{
    swq_case c;
    const swq_admission_rule *rule = case_of(k, &c);
    char text[140];

    (void)effort;
    snprintf(check->name, sizeof check->name, "admission-prism/%s,%s", rule->name,
             swq_case_name(&c, text, sizeof text));
    snprintf(check->claim, sizeof check->claim,
             "%s, admission %s: the exported PRISM source has the chain's answers",
             swq_case_words(&c, text, sizeof text), rule->name);
    check->level = SWQ_LEVEL_EXACT;
    check->weight = 0.1;
}

/* What the exported source answers. */
static swq_status ask(swq_context *ctx, const swq_switch *sw, double value[QUANTITIES])
{
    static const char *const names[QUANTITIES] = {"refusal", "throughput", "mean_packets"};
    swq_prism_answer answer[QUANTITIES];
    char *pm = NULL, *props = NULL;
    int answers = 0, states;
    swq_status status = swq_export_source_text(ctx, sw, &swq_export_prism_source, 0, &pm);

    if (!status)
        status = swq_export_source_text(ctx, sw, &swq_export_prism_source, 1, &props);
    if (!status)
        status = swq_prism_check(ctx, pm, props, QUANTITIES, answer, &answers, &states);
    for (int q = 0; q < QUANTITIES && !status; q++) {
        if (q >= answers || strcmp(answer[q].name, names[q]) != 0)
            status = swq_fail(ctx, SWQ_EINTERNAL, "the source does not ask for %s", names[q]);
        else
            value[q] = answer[q].value;
    }
    swq_free(ctx, pm);
    swq_free(ctx, props);
    return status;
}

static swq_status run(swq_context *ctx, swq_effort effort, int k, uint64_t seed, swq_finding *f)
{
    const swq_exact_options options = swq_exact_options_defaults();
    swq_case c;
    const swq_admission_rule *rule = case_of(k, &c);
    swq_switch sw;
    swq_answers exact = {0};
    double source[QUANTITIES] = {0};
    swq_status status = swq_case_switch(ctx, &c, &sw);

    (void)effort;
    (void)seed;
    if (!status)
        status = swq_admission_case_set(ctx, rule, &sw);
    if (!status && swq_export_prism_source.check(ctx, &sw)) {
        f->outcome = SWQ_OUTCOME_SKIPPED;
        snprintf(f->text, sizeof f->text, "%s", swq_context_message(ctx));
        return SWQ_OK;
    }
    if (!status)
        status = ask(ctx, &sw, source);
    if (!status)
        status = swq_exact_solve(ctx, &sw, &options, &exact);
    const double chain[QUANTITIES] = {exact.refusal, exact.throughput.value, exact.mean_packets};
    f->off = -1;
    for (int q = 0; q < QUANTITIES && !status; q++) {
        swq_finding one = *f;
        swq_finding_near(&one, source[q] / chain[q], 1, tolerance);
        if (!(one.off <= f->off)) {
            *f = one;
            f->left = source[q];
            f->right = chain[q];
        }
    }
    swq_answers_clear(ctx, &exact);
    return status;
}

const swq_family swq_family_admission_prism = {
    .name = "admission-prism",
    .title = "Chain against PRISM source, rules of admission to a shared memory",
    .legs = "exact chain; the rules as export --format prism-source writes them, explored and "
            "solved by an interpreter of the PRISM language",
    .criterion = "the fraction of packets that are lost, throughput and packets held differ by at "
                 "most 1e-9 of their value; rules that the format does not have are skipped",
    .count = count,
    .describe = describe,
    .run = run,
};
