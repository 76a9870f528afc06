/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The plan of checks, of any list of families, and how many tests are judged at once.
 */
#ifndef SWQ_VALIDATE_CHECKS_RUN_H
#define SWQ_VALIDATE_CHECKS_RUN_H

#include "switchq/validate.h"

/* As swq_validate_plan, for these families, ended by NULL; swq_validate_run runs the plan. */
swq_status swq_checks_plan(swq_context *ctx, const swq_family *const *families,
                           const swq_validate_options *options, swq_validation *validation);

/* Holm's method: of `count` p-values, which are sorted here, those at or below the returned limit
 * are rejected; the probability of rejecting any true hypothesis is at most `alpha`. Returns alpha
 * for count 0. O(n log n). Source: S. Holm, Scandinavian Journal of Statistics 6(2), 1979. */
double swq_holm(double *p, size_t count, double alpha);

#endif
