/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of topologies, and how large their networks are.
 */
#include "base/context.h"
#include "base/names.h"
#include "sim/topologies/topologies.h"

const swq_topology *const swq_topologies[] = {
    &swq_topology_omega,
    &swq_topology_butterfly,
    &swq_topology_baseline,
    &swq_topology_flip,
    &swq_topology_cube,
    &swq_topology_switch,
    NULL,
};

swq_status swq_topology_find(swq_context *ctx, const char *name, const swq_topology **topology)
{
    const void *row = swq_name_lookup(ctx, "topology", name, (const void *const *)swq_topologies);
    if (!row)
        return SWQ_EINVAL;
    *topology = row;
    return SWQ_OK;
}

swq_status swq_topology_nodes(swq_context *ctx, const swq_topology *topology, int radix, int stages,
                              uint32_t *nodes)
{
    uint64_t n = 1;

    if (radix < 2)
        return swq_fail(ctx, SWQ_EINVAL, "radix must be at least 2, not %d", radix);
    if (stages < 1 || stages > SWQ_MAX_STAGES)
        return swq_fail(ctx, SWQ_EINVAL, "stages must be 1 to %d, not %d", SWQ_MAX_STAGES, stages);
    if (topology->stages && stages != topology->stages)
        return swq_fail(ctx, SWQ_EINVAL, "stages must be %d for topology %s, not %d",
                        topology->stages, topology->name, stages);
    for (int s = 0; s < stages; s++) {
        n *= (uint64_t)radix; /* at most 2^24 times 2^31 */
        if (n > SWQ_MAX_NODES)
            return swq_fail(ctx, SWQ_EINVAL,
                            "nodes must be at most %d, which radix %d exceeds with %d stages",
                            SWQ_MAX_NODES, radix, stages);
    }
    *nodes = (uint32_t)n;
    return SWQ_OK;
}
