/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of congestion managements.
 */
#include "base/names.h"
#include "switchq/async.h"

const swq_management swq_management_none = {
    .name = "none",
    .summary = "no additional queues: the buffers of --buffer",
    .source = "Frazier (1995), chapters 3 and 6",
};

const swq_management *const swq_managements[] = {
    &swq_management_none,   &swq_management_1q,
    &swq_management_4q,

    &swq_management_voqsw,  &swq_management_dbbm,
    &swq_management_voqnet, &swq_management_4q_least,
    &swq_management_lecn,   &swq_management_recn_iq,
    &swq_management_recn,   &swq_management_recn_enhanced,
    &swq_management_fbicm,  NULL,
};

swq_status swq_management_find(swq_context *ctx, const char *name, const swq_management **row)
{
    const void *found =
        swq_name_lookup(ctx, "management", name, (const void *const *)swq_managements);
    if (!found)
        return SWQ_EINVAL;
    *row = found;
    return SWQ_OK;
}
