/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Statements that two answers of commands are the same, or differ by a stated error.
 */
#include "base/context.h"
#include "validate/checks/printed.h"
#include "validate/checks/stated.h"
#include "validate/figures/judge.h"

#include <math.h>

/* Both sides of an equation by the rule of the row's level. */
static void settle(const swq_stated *row, const judge_pair *p, swq_finding *finding)
{
    if (row->level == SWQ_LEVEL_STAT) {
        swq_stated_p(finding, p->a.mean, p->b);
    } else if (row->level == SWQ_LEVEL_APPROX) {
        swq_stated_off(finding, row, p->a.mean,
                       (swq_estimate){p->b.mean, p->a.half_width + p->b.half_width});
    } else {
        swq_finding_near(finding, p->a.mean, p->b.mean,
                         isnan(p->allowed) ? 1e-9 * fabs(p->b.mean) : p->allowed);
        if (isnan(finding->off))
            finding->outcome = SWQ_OUTCOME_FAIL;
    }
}

swq_status swq_stated_equation(swq_context *ctx, const swq_stated *row, swq_effort effort,
                               uint64_t seed, swq_finding *finding)
{
    figure_judge *j;
    const swq_status status =
        printed_asked_judge(ctx, effort, row->name, row->that, seed, SWQ_STATED_CONFIDENCE, &j);

    finding->outcome = SWQ_OUTCOME_PASS;
    for (int k = 0; !status && k < j->pairs && finding->outcome == SWQ_OUTCOME_PASS; k++) {
        const judge_pair *p = &j->pair[k];
        if (p->how == JUDGE_SAME)
            settle(row, p, finding);
        else if (!(p->a.mean < p->b.mean))
            finding->outcome = SWQ_OUTCOME_FAIL;
    }
    swq_free(ctx, j);
    return status;
}
