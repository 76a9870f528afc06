/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Networks of statically partitioned buffers (SAMQ, SAFC).
 */
#include "approx/links/partitioned/partitioned.h"

swq_status links_partitioned(swq_context *ctx, const links_spec *spec, swq_approx_result *result)
{
    if (spec->discard)
        return partitioned_discard(ctx, spec, result);
    if (partitioned_heads_fit(spec))
        return partitioned_heads_block(ctx, spec, result);
    return partitioned_block(ctx, spec, result);
}
