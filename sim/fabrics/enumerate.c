/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The exact load of every link: the path of every pair of nodes is walked, over the same links,
 * classes and outputs as in a simulation, and its weight is added to its links. If a packet has a
 * choice, its weight is divided evenly among the outputs that it may take.
 */
#include "base/arrays.h"
#include "base/context.h"
#include "sim/fabrics/fabrics.h"

#include <inttypes.h>

/* Sums over the pairs so far. Uniform traffic is counted in whole pairs, which is exact, and scaled
 * at the end. */
typedef struct {
    const swq_fabric *fabric;
    double *load; /* [switches * ports] of the link at an output */
    double weight, hops, entered;
    double scale;
    /* adaptive: the ports that the weight of a pair has reached, and the weight at each */
    uint32_t *port, *next; /* [switches * ports] */
    double *share;         /* [switches * ports] 0 where none has arrived */
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
        const int class = f->shape.kind->route(f, port, from, to);
        if (swq_outputs_of(f, port)[class] == SWQ_UNUSED && f->ports <= SWQ_MOST_TABLE_PORTS)
            return swq_fail(ctx, SWQ_EINVAL,
                            "input port %" PRIu32 " has no output for packets from node %" PRIu32
                            " to %" PRIu32,
                            port, from, to);
        const uint32_t output = (uint32_t)swq_output_of(f, port, class);
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

static swq_status astray(swq_context *ctx, uint32_t from, uint32_t to)
{
    return swq_fail(ctx, SWQ_EINVAL,
                    "links lead packets from node %" PRIu32 " astray that are for "
                    "node %" PRIu32,
                    from, to);
}

/* Moves the weight of a pair one hop on, from a port over all outputs that it may take. *found
 * counts the ports reached. */
static swq_status spread(swq_context *ctx, walker *w, uint32_t port, uint32_t from, uint32_t to,
                         uint32_t *found)
{
    const swq_fabric *f = w->fabric;
    const int hosts = f->shape.kind->point_to_point ? f->levels - 1 : f->levels;
    const swq_port_set *set = swq_set_of(f, port, f->shape.kind->route(f, port, from, to));
    const int count = swq_port_set_count(set, f->set_words);
    uint32_t out;

    if (!count)
        return astray(ctx, from, to);
    const double share = w->share[port] / count;
    w->entered += w->share[port];
    w->share[port] = 0;
    SWQ_EACH_PORT (out, set, f->set_words) {
        const uint32_t link = port / (uint32_t)f->ports * (uint32_t)f->ports + out;
        const uint32_t end = f->link[link];
        w->load[link] += share;
        if (end & SWQ_TO_NODE) {
            if (end != (SWQ_TO_NODE | to))
                return astray(ctx, from, to);
            w->weight += share;
            continue;
        }
        w->hops += f->out_level[link] != hosts ? share : 0;
        if (w->share[end] == 0)
            w->next[(*found)++] = end;
        w->share[end] += share;
    }
    return SWQ_OK;
}

/* All paths of a pair have the same length, so they are walked hop by hop. */
static swq_status walk_ways(swq_context *ctx, walker *w, uint32_t from, uint32_t to, double weight)
{
    uint32_t ports = 1;
    swq_status status = SWQ_OK;

    w->port[0] = w->fabric->entry[from];
    w->share[w->port[0]] = weight;
    for (uint32_t steps = 0; ports > 0 && status == SWQ_OK; steps++) {
        uint32_t found = 0, *other = w->port;
        if (steps > w->fabric->switches)
            return astray(ctx, from, to);
        for (uint32_t k = 0; k < ports && status == SWQ_OK; k++)
            status = spread(ctx, w, w->port[k], from, to, &found);
        w->port = w->next;
        w->next = other;
        ports = found;
    }
    return status;
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
                status =
                    w->share ? walk_ways(ctx, w, from, to, share) : walk(ctx, w, from, to, share);
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

    const bool adaptive = swq_shape_adaptive(&fabric->shape);
    const size_t ports = (size_t)fabric->switches * (size_t)fabric->ports;
    swq_arrays list = {0};

    if (fabric->ways)
        return swq_fail(ctx, SWQ_EINVAL, "%s not for the enumeration of routes",
                        adaptive ? "routing adaptive in a network of shortest ways is"
                                 : "ways drawn is");
    SWQ_ARRAY(&list, w.load, (double)ports);
    SWQ_ARRAY(&list, w.port, adaptive ? (double)ports : 0);
    SWQ_ARRAY(&list, w.next, adaptive ? (double)ports : 0);
    SWQ_ARRAY(&list, w.share, adaptive ? (double)ports : 0);
    swq_status status = swq_arrays_take(ctx, &list);
    uint32_t *const first = w.port, *const second = w.next;
    if (status == SWQ_OK)
        status = walk_all(ctx, &w, weight);
    if (status == SWQ_OK)
        *loads = loads_of(&w);
    w.port = first; /* walk_ways may have swapped them */
    w.next = second;
    swq_arrays_free(ctx, &list);
    return status;
}
