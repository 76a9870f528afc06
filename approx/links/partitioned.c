/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Networks of statically partitioned buffers (SAMQ, SAFC).
 * Room: approx. Includes base.
 */
#include "approx/links/partitioned.h"

swq_status links_partitioned(swq_context *ctx, const links_spec *spec, swq_approx_result *result)
{
    return spec->discard ? partitioned_discard(ctx, spec, result)
                         : partitioned_block(ctx, spec, result);
}
