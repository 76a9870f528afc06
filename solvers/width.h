/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The width of a proven interval, whether it is small enough, and the digits lost where numbers are
 * too small for a double.
 */
#ifndef SWQ_SOLVERS_WIDTH_H
#define SWQ_SOLVERS_WIDTH_H

#include "switchq/solver.h"

/* Below this, products may be denormal doubles, which lack digits: nothing relative is claimed. */
#define SWQ_LEAST 1e-290

/* Widen an interval by the digits that `operations` results may have lost as denormal doubles: half
 * the least positive double each. If the ends of the interval are normal doubles, this changes
 * nothing. */
void swq_mean_widen(double operations, swq_mean *mean);

/* How far the farther end of the interval is from the value, relative to the value; 0 if both ends
 * are the value. */
double swq_mean_width(const swq_mean *mean);

/* Check that a relative width, or a relative error, is at most the enclosure asked for: the proven
 * bound must be small, not only the last change of an iteration. Errors: SWQ_ECONVERGE. */
swq_status swq_width_check(swq_context *ctx, const swq_solver *solver,
                           const swq_solver_options *options, double width);

#endif
