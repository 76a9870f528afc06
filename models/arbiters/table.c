/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of arbiters.
 */
#include "base/names.h"
#include "models/arbiters/arbiters.h"

const swq_arbiter *const swq_arbiters[] = {
    &swq_arbiter_random,
    &swq_arbiter_random_outputs,
    &swq_arbiter_maximum,
    &swq_arbiter_longest,
    &swq_arbiter_maximum_longest,
    &swq_arbiter_max_weight,
    &swq_arbiter_fixed,
    &swq_arbiter_rotating,
    &swq_arbiter_advancing,
    &swq_arbiter_islip,
    &swq_arbiter_pim,
    NULL,
};

swq_status swq_arbiter_find(swq_context *ctx, const char *name, const swq_arbiter **arbiter)
{
    const void *row = swq_name_lookup(ctx, "arbiter", name, (const void *const *)swq_arbiters);
    if (!row)
        return SWQ_EINVAL;
    *arbiter = row;
    return SWQ_OK;
}
