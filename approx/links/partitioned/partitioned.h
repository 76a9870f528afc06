/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Networks of statically partitioned buffers: the methods for both flows.
 */
#ifndef SWQ_APPROX_PARTITIONED_H
#define SWQ_APPROX_PARTITIONED_H

#include "approx/links/links.h"

swq_status partitioned_discard(swq_context *ctx, const links_spec *spec, swq_approx_result *result);
/* Is the spec small enough for partitioned_heads_block? (For queues with their own read ports.) */
bool partitioned_heads_fit(const links_spec *spec);
swq_status partitioned_heads_block(swq_context *ctx, const links_spec *spec,
                                   swq_approx_result *result);
swq_status partitioned_block(swq_context *ctx, const links_spec *spec, swq_approx_result *result);

#endif
