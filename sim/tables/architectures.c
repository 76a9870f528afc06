/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of switch architectures. Rows that the asynchronous engine has are in the
 * folder of their architecture, in sim/switches, since they name its kernel or stores; the others
 * are in models/architectures.
 */
#include "base/context.h"
#include "base/names.h"
#include "switchq/architecture.h"

/* Of the engine of datacentre.h, which has its own spec. */
static const swq_architecture shared_memory = {
    .name = "shared-memory",
    .summary = "one memory for all ports, packets of any size that may be lost: --rate, --memory",
    .source = "Kamoun and Kleinrock (1980), Choudhury and Hahne (1998)",
    .engines = SWQ_ENGINE_TIMED,
    .needs = SWQ_NEEDS(SWQ_NEED_STAGES) | SWQ_NEEDS(SWQ_NEED_BYTES),
};

const swq_architecture *const swq_architectures[] = {
    &swq_input_queued,
    &swq_cioq,
    &swq_output_queued,
    &swq_crosspoint_queued,
    &swq_input_crosspoint,
    &swq_hipiqs,
    &swq_multi_buffer,
    &swq_central_queue,
    &swq_prizma,
    &swq_wormhole_lanes,
    &swq_atlas_cells,
    &shared_memory,
    NULL,
};

swq_status swq_architecture_find(swq_context *ctx, const char *name, unsigned engine,
                                 const swq_architecture **architecture)
{
    const swq_architecture *row =
        swq_name_lookup(ctx, "architecture", name, (const void *const *)swq_architectures);

    if (!row)
        return SWQ_EINVAL;
    if (row->engines == SWQ_ENGINE_TIMED)
        return swq_fail(ctx, SWQ_EINVAL,
                        "architecture '%s' is simulated packet by packet: sim "
                        "--architecture %s",
                        name, name);
    if (!(row->engines & engine))
        return swq_fail(ctx, SWQ_EINVAL, "architecture '%s' is modelled in %s", name,
                        engine == SWQ_ENGINE_ASYNC
                            ? "stage cycles (--engine sync), not in asynchronous networks"
                            : "asynchronous networks (--engine async), not in stage cycles");
    *architecture = row;
    return SWQ_OK;
}
