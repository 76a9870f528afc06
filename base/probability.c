/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks that a value reported as a probability is one.
 */
#include "base/probability.h"

#include "base/context.h"

#include <math.h>

swq_status swq_probability_check(swq_context *ctx, const char *what, double value, double above)
{
    if (isnan(value) ||
        (value >= -SWQ_PROBABILITY_ROUNDING && value <= 1 + above + SWQ_PROBABILITY_ROUNDING))
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINTERNAL,
                    "internal error: the %s came out as %.6g, which lies outside 0 to 1; this is a "
                    "fault of switchq, please report it",
                    what, value);
}
