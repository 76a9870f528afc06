/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What checks of different families find in the same way.
 */
#ifndef SWQ_VALIDATE_FINDING_H
#define SWQ_VALIDATE_FINDING_H

#include "switchq/validate.h"

#include <math.h>

/* |left - right| <= allowed: PASS, else FAIL. */
static inline void swq_finding_near(swq_finding *finding, double left, double right, double allowed)
{
    finding->left = left;
    finding->right = right;
    finding->off = fabs(left - right);
    finding->allowed = allowed;
    finding->outcome = finding->off <= allowed ? SWQ_OUTCOME_PASS : SWQ_OUTCOME_FAIL;
}

#endif
