/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What traffic asks of every link, exactly: the way of every pair of nodes is walked, by the same
 * links, classes and outputs that a simulation goes by, and its weight put on the links on it.
 * Room: sim.
 */
#include "base/context.h"
#include "sim/fabrics/fabrics.h"

#include <inttypes.h>

/* Sums over the pairs so far. Uniform traffic is counted in whole pairs, which is exact, and scaled
 * in the end. */
typedef struct {
    const swq_fabric *fabric;
    double *load; /* [switches * ports] of the link at an output */
    double weight, hops, entered;
    double scale;
} walker;

static swq_status walk(swq_context *ctx, walker *w, uint32_t from, uint32_t to, double weight)
{
    const swq_fabric *f = w->fabric;
    const int hosts = f->shape.kind->point_to_point ? f->levels - 1 : f->levels;
    uint32_t port = f->entry[from], entered = 0, hops = 0;

    while (!(port & SWQ_TO_NODE)) {
        if (++entered > f->switches)
            return swq_fail(ctx, SWQ_EINVAL,
                            "links lead packets from node %" PRIu32 " to %" PRIu32 " in circles",
                            from, to);
        int class = f->shape.kind->route(f, port, from, to);
        uint8_t output = swq_outputs_of(f, port)[class];
        if (output == SWQ_UNUSED)
            return swq_fail(ctx, SWQ_EINVAL,
                            "input port %" PRIu32 " has no output for packets from node %" PRIu32
                            " to %" PRIu32,
                            port, from, to);
        uint32_t link = port / (uint32_t)f->ports * (uint32_t)f->ports + output;
        w->load[link] += weight;
        port = f->link[link];
        hops += !(port & SWQ_TO_NODE) && f->out_level[link] != hosts;
    }
    if (port != (SWQ_TO_NODE | to))
        return swq_fail(ctx, SWQ_EINVAL,
                        "links lead packets from node %" PRIu32 " astray that are for node "
                        "%" PRIu32,
                        from, to);
    w->weight += weight;
    w->hops += weight * hops;
    w->entered += weight * entered;
    return SWQ_OK;
}

static swq_status walk_all(swq_context *ctx, walker *w, const double *weight)
{
    const uint32_t nodes = w->fabric->nodes;
    const bool to_others = w->fabric->shape.kind->point_to_point;
    swq_status status = SWQ_OK;

    w->scale = weight ? 1 : 1.0 / (to_others ? nodes - 1 : nodes);
    for (uint32_t from = 0; from < nodes && status == SWQ_OK; from++) {
        if (swq_context_cancelled(ctx))
            return swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
        for (uint32_t to = 0; to < nodes && status == SWQ_OK; to++) {
            double share = weight ? weight[(size_t)from * nodes + to] : 1;
            if (share > 0 && !(to_others && from == to))
                status = walk(ctx, w, from, to, share);
        }
    }
    return status;
}

static swq_fabric_loads loads_of(const walker *w)
{
    const swq_fabric *f = w->fabric;
    const size_t ports = (size_t)f->switches * (size_t)f->ports;
    swq_fabric_loads loads = {0};

    if (w->weight > 0) {
        loads.mean_hops = w->hops / w->weight;
        loads.mean_entered = w->entered / w->weight;
    }
    for (size_t link = 0; link < ports; link++) {
        const int level = f->out_level[link];
        if (level == SWQ_UNUSED)
            continue;
        loads.level_load[level] += w->load[link];
        if (w->load[link] > loads.level_most[level])
            loads.level_most[level] = w->load[link];
    }
    for (int level = 0; level < f->levels; level++) {
        loads.level_load[level] *= w->scale / f->level_outputs[level];
        loads.level_most[level] *= w->scale;
        if (loads.level_most[level] > loads.most)
            loads.most = loads.level_most[level];
    }
    return loads;
}

swq_status swq_fabric_enumerate(swq_context *ctx, const swq_fabric *fabric, const double *weight,
                                swq_fabric_loads *loads)
{
    walker w = {.fabric = fabric};

    w.load = swq_calloc(ctx, (size_t)fabric->switches * (size_t)fabric->ports, sizeof *w.load);
    if (!w.load)
        return swq_memory_status(ctx);
    swq_status status = walk_all(ctx, &w, weight);
    if (status == SWQ_OK)
        *loads = loads_of(&w);
    swq_free(ctx, w.load);
    return status;
}
