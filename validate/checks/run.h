/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The plan of checks, of any list of families, and how many tests are judged at once.
 * Room: validate.
 */
#ifndef SWQ_VALIDATE_CHECKS_RUN_H
#define SWQ_VALIDATE_CHECKS_RUN_H

#include "switchq/validate.h"

/* As swq_validate_plan, of these families, ended by NULL; swq_validate_run runs it. */
swq_status swq_checks_plan(swq_context *ctx, const swq_family *const *families,
                           const swq_validate_options *options, swq_validation *validation);

/* Holm's method: of `count` p-values, which are sorted here, those at the returned limit or below
 * are rejected; the chance that any true one is, is at most `alpha`. alpha for none. O(n log n).
 * Source: S. Holm, Scandinavian Journal of Statistics 6(2), 1979. */
double swq_holm(double *p, size_t count, double alpha);

#endif
