/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The numbers of two legs compared: a finding keeps the pair that differs most.
 */
#ifndef SWQ_VALIDATE_CHECKS_COMPARE_H
#define SWQ_VALIDATE_CHECKS_COMPARE_H

#include "switchq/exact.h"
#include "switchq/validate.h"

/* |a - b| relative to the larger of |a| and |b|; 0 if a and b are equal or both NAN, infinite if
 * only one is NAN. */
double swq_apart(double a, double b);

/* Keeps the pair in the finding if it is the first, or further apart than the one there. */
void swq_compare(swq_finding *finding, const char *what, double left, double right);

/* Compares everything in two solutions of a switch, except how they were obtained. */
void swq_compare_answers(swq_finding *finding, const swq_answers *left, const swq_answers *right,
                         int ports);

/* PASS if the pair found is no further apart than `allowed`. */
void swq_judge(swq_finding *finding, double allowed);

/* For a chain without a unique stationary distribution, about which nothing can be said: turns
 * SWQ_EREDUCIBLE into SKIPPED and SWQ_OK; returns any other status unchanged. */
swq_status swq_skip_reducible(swq_status status, swq_finding *finding);

#endif
