/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operations of all hosts together, which begin when measuring begins: a permutation, all-to-all,
 * ring all-reduce. Their flows are numbered like those of a list, and wait for one another.
 */
#include "sim/datacentre/net.h"

const char *const swq_dc_collective_words[] = {
    "none", "permutation", "all-to-all", "all-to-all-at-once", "ring-all-reduce", NULL};

static uint64_t flows_of(const swq_dc_flows *f, uint32_t hosts)
{
    switch (f->collective) {
    case SWQ_DC_PERMUTATION:
        return hosts;
    case SWQ_DC_ALL_TO_ALL:
    case SWQ_DC_AT_ONCE:
        return swq_all_to_all_flows(hosts);
    case SWQ_DC_RING:
        return swq_ring_flows(hosts);
    case SWQ_DC_NO_COLLECTIVE:
        break;
    }
    return 0;
}

/* Flow k, from 0. to: [hosts] of a permutation. */
static swq_listed_flow flow_of(const swq_dc_flows *f, uint32_t hosts, const uint32_t *to,
                               uint64_t k)
{
    swq_listed_flow flow = {.bytes = f->collective_bytes, .source = (uint32_t)k};

    if (f->collective == SWQ_DC_PERMUTATION)
        flow.destination = to[k];
    else if (f->collective == SWQ_DC_RING)
        swq_ring_flow(hosts, f->collective_bytes, k, &flow);
    else
        swq_all_to_all_flow(hosts, f->collective_bytes, f->collective == SWQ_DC_ALL_TO_ALL, k,
                            &flow);
    return flow;
}

static swq_status begin_all(dc_net *net, const uint32_t *to)
{
    const swq_dc_flows *f = &net->spec->flows;
    dc_waiting *w = &net->own.waiting;
    uint32_t slot;
    bool due;

    for (uint64_t k = 0; k < net->own.collective.left; k++) {
        const swq_listed_flow flow = flow_of(f, net->hosts, to, k);
        if (!dc_waiting_number(net->ctx, w, k + 1))
            return swq_memory_status(net->ctx);
        if (flow.after == 0) {
            dc_flow_begin(net, &flow, k + 1);
            continue;
        }
        const swq_status status = dc_waiting_add(net->ctx, w, &flow, k + 1, &slot, &due);
        if (status)
            return status;
    }
    return net->events->failed;
}

swq_status dc_collective_begins(dc_net *net)
{
    const swq_dc_flows *f = &net->spec->flows;
    uint32_t *to = NULL;

    if (f->collective == SWQ_DC_NO_COLLECTIVE)
        return SWQ_OK;
    if (f->collective == SWQ_DC_PERMUTATION) {
        to = swq_calloc(net->ctx, net->hosts, sizeof *to);
        if (!to)
            return swq_memory_status(net->ctx);
        swq_flow_permutation(&net->streams, 0, net->hosts, to);
    }
    net->own.collective = (dc_collective){.begun = net->now, .left = flows_of(f, net->hosts)};
    const swq_status status = begin_all(net, to);
    swq_free(net->ctx, to);
    return status;
}
