/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of switch architectures. Each row is in the folder of its architecture, in
 * sim/switches.
 * Room: sim. Includes base.
 */
#include "base/context.h"
#include "base/names.h"
#include "switchq/async.h"
#include "switchq/switch.h"

#include <string.h>

const swq_architecture *const swq_architectures[] = {&swq_input_queued,
                                                     &swq_cioq,
                                                     &swq_output_queued,
                                                     &swq_hipiqs,
                                                     &swq_crosspoint_queued,
                                                     &swq_multi_buffer,
                                                     &swq_central_queue,
                                                     &swq_prizma,
                                                     &swq_wormhole_lanes,
                                                     &swq_atlas_cells,
                                                     NULL};

/* Does `name` name an architecture that exists only in stage cycles? */
static bool in_stage_cycles(const char *name)
{
    for (int k = 0; swq_stage_architectures[k]; k++) {
        if (strcmp(swq_stage_architectures[k]->name, name) == 0)
            return true;
    }
    return false;
}

swq_status swq_architecture_find(swq_context *ctx, const char *name, const swq_architecture **row)
{
    const void *found =
        swq_name_lookup(ctx, "architecture", name, (const void *const *)swq_architectures);
    if (!found && in_stage_cycles(name))
        return swq_fail(ctx, SWQ_EINVAL,
                        "architecture '%.60s' is modelled in stage cycles (--engine sync), not in "
                        "asynchronous networks",
                        name);
    if (!found)
        return SWQ_EINVAL;
    *row = found;
    return SWQ_OK;
}
