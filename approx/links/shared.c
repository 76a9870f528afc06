/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * To be written.
 * Room: approx.
 */
#include "approx/links/links.h"

#include "base/context.h"

swq_status links_shared(swq_context *ctx, const links_spec *spec, swq_approx_result *result)
{
    (void)spec, (void)result;
    return swq_fail(ctx, SWQ_ELIMIT, "not there yet");
}
