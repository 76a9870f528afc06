/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The joint verdict of a printed table or figure as what a check finds.
 */
#include "validate/checks/printed.h"

#include <math.h>
#include <stdio.h>

void printed_joint(swq_finding *finding, const swq_joint *joint)
{
    static const swq_outcome outcome[] = {[SWQ_JOINT_AGREES] = SWQ_OUTCOME_PASS,
                                          [SWQ_JOINT_DIFFERS] = SWQ_OUTCOME_FAIL,
                                          [SWQ_JOINT_KNOWN] = SWQ_OUTCOME_KNOWN,
                                          [SWQ_JOINT_NONE] = SWQ_OUTCOME_SKIPPED};
    const swq_joint_part *worst = NULL;

    finding->left = 0;
    for (int k = 0; k < joint->parts; k++) {
        const swq_joint_part *p = &joint->part[k];
        finding->left += p->fits;
        if (!worst || fmin(p->sign_p, p->chi_p) < fmin(worst->sign_p, worst->chi_p))
            worst = p;
    }
    finding->right = joint->parts;
    finding->off = finding->right - finding->left;
    finding->allowed = 0;
    finding->outcome = outcome[joint->verdict];
    if (!worst)
        snprintf(finding->text, sizeof finding->text, "it has no numbers to judge");
    else
        snprintf(finding->text, sizeof finding->text,
                 "%.40s: print above in %d of %d, below in %d (p = %.2g); chi-square %.0f%s%.80s",
                 worst->name, worst->above, worst->numbers, worst->below, worst->sign_p,
                 worst->chi_square, joint->known ? "; tried: " : "",
                 joint->known ? joint->known : "");
}
