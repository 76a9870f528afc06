/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The numbers of two legs compared: a finding keeps the pair that differs most.
 * Room: validate.
 */
#ifndef SWQ_VALIDATE_CHECKS_COMPARE_H
#define SWQ_VALIDATE_CHECKS_COMPARE_H

#include "switchq/exact.h"
#include "switchq/validate.h"

/* |a - b| by the larger of them; 0 when equal or both no numbers, infinite when one alone is none.
 */
double swq_apart(double a, double b);

/* Takes the pair into the finding if it is further apart than the one there, or the first. */
void swq_compare(swq_finding *finding, const char *what, double left, double right);

/* All that two solutions of one switch tell, but for how they were got. */
void swq_compare_answers(swq_finding *finding, const swq_answers *left, const swq_answers *right,
                         int ports);

/* PASS when what was found is no further apart than `allowed`. */
void swq_judge(swq_finding *finding, double allowed);

/* A chain without a single stationary distribution, which nothing can be said of: SKIPPED and
 * SWQ_OK for SWQ_EREDUCIBLE, any other status as it is. */
swq_status swq_skip_reducible(swq_status status, swq_finding *finding);

#endif
