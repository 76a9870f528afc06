/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Networks of the synchronous engine that are stepped.
 */
#include "sim/live/live.h"

#include "base/context.h"
#include "sim/measure/run.h"
#include "sim/stages/net.h"
#include "sim/stages/sources.h"

#include <string.h>

static uint32_t cycle_of(const swq_live *live)
{
    return live->net->cycle;
}

static swq_status after(swq_live *live)
{
    return swq_net_check_returned(live->ctx, live->net);
}

/* All that are in the network, one that each source sends, and one that finds no room at each
 * source.
 */
static size_t most_ends(const swq_live *live)
{
    return swq_net_places(live->net) + 2 * (size_t)live->system->nodes;
}

static void keep_end(void *arg, const swq_end *end)
{
    const uint64_t latency = end->cycle - end->birth + 1;

    swq_live_keep_end(arg, &(swq_live_end){.cycle = end->cycle,
                                           .birth = end->birth,
                                           .latency_cycles = latency,
                                           .head_cycles = latency,
                                           .from = end->from,
                                           .to = end->to,
                                           .high = end->high,
                                           .lost = end->lost});
}

/* ---- offers ---- */

static swq_status check_offer(const swq_live *live, const swq_live_packet *p)
{
    const swq_traffic *t = &live->network.traffic;
    swq_context *ctx = live->ctx;

    if (t->kind != SWQ_SOURCE_HOLD)
        return swq_fail(
            ctx, SWQ_EINVAL,
            "packets are offered to sources that hold one packet: sources must be hold");
    if (t->burst > 1)
        return swq_fail(ctx, SWQ_EINVAL,
                        "packets are offered to sources without bursts: burst must be 1, not %g",
                        t->burst);
    if (p->high && live->system->classes == 1)
        return swq_fail(ctx, SWQ_EINVAL,
                        "a packet of high priority needs traffic with such packets: the fraction "
                        "high must be above 0");
    if (p->bytes)
        return swq_fail(ctx, SWQ_EINVAL,
                        "bytes must be 0 in a synchronous network, whose packets have one length, "
                        "not %u",
                        p->bytes);
    return swq_live_check_nodes(live, p);
}

static bool is_full(const swq_live *live, uint32_t source)
{
    const swq_net *net = live->net;

    return net->sources.birth[source] < net->cycle ||
           (net->sources.returned && net->sources.returned_head[source]);
}

static void take(swq_live *live, const swq_live_packet *p)
{
    swq_net *net = live->net;

    net->sources.birth[p->from] = net->cycle;
    net->sources.to[p->from] = p->to | (p->high ? SWQ_HIGH : 0);
}

static swq_status set_load(swq_live *live, double load)
{
    swq_traffic *t = &live->network.traffic;

    if (t->kind == SWQ_SOURCE_TRACE)
        return swq_fail(live->ctx, SWQ_EINVAL, "load does not go with a trace");
    if (t->node_load)
        return swq_fail(live->ctx, SWQ_EINVAL, "load does not go with loads of single nodes");
    t->load = load;
    swq_sources_set_load(live->net);
    return SWQ_OK;
}

/* ---- reading ---- */

static swq_live_shape shape_of(const swq_live *live)
{
    const swq_net *net = live->net;

    return (swq_live_shape){.nodes = net->system.nodes,
                            .stages = (uint32_t)net->system.levels,
                            .switches = net->switches,
                            .rows = swq_net_rows(net),
                            .outputs = (uint32_t)net->ports,
                            .columns = (uint32_t)net->ports,
                            .slots = (uint32_t)net->slots};
}

static void occupancy(const swq_live *live, uint32_t *packets)
{
    swq_net_hold_by_output(live->net, packets);
}

static uint64_t waiting(const swq_live *live, uint32_t source)
{
    uint64_t packets = 0, age = 0;

    swq_source_audit(live->net, source, &packets, &age);
    return packets;
}

/* ---- the state ---- */

static void state_of(swq_live *live, swq_state *state)
{
    swq_traffic *t = &live->network.traffic;

    swq_net_state_of(live->net, state);
    swq_state_add(state, &t->load, sizeof t->load);
}

static void restored(swq_live *live)
{
    if (live->network.traffic.kind != SWQ_SOURCE_TRACE)
        swq_sources_set_load(live->net);
}

static void mix_switch(uint64_t *hash, const swq_switch *sw)
{
    const double number[] = {sw->ports,      sw->speedup,          sw->output_slots,
                             sw->iterations, sw->crosspoint_slots, sw->flow,
                             sw->credit,     sw->departures_first};

    swq_live_mix(hash, number, sizeof number);
    swq_live_mix_buffer(hash, &sw->buffer);
    swq_live_mix_number(hash, sw->priority.fraction);
    swq_live_mix_number(hash, sw->priority.support);
    swq_live_mix_number(hash, sw->priority.slots);
    swq_live_mix_number(hash, sw->priority.queues);
    swq_live_mix_text(hash, swq_switch_architecture(sw)->name);
    if (sw->arbiter)
        swq_live_mix_text(hash, sw->arbiter->name);
}

/* The load is part of the state. */
static void mix_traffic(uint64_t *hash, const swq_traffic *t, uint32_t nodes)
{
    swq_live_mix_text(hash, t->pattern->name);
    swq_live_mix_number(hash, t->kind);
    swq_live_mix_number(hash, t->burst);
    swq_live_mix_number(hash, t->queue_limit);
    for (int k = 0; k < t->hot_spots; k++) {
        swq_live_mix_number(hash, t->hot[k].node);
        swq_live_mix_number(hash, t->hot[k].fraction);
    }
    if (t->pattern->matrix)
        swq_live_mix(hash, t->matrix, (size_t)nodes * nodes * sizeof *t->matrix);
    if (t->node_load)
        swq_live_mix(hash, t->node_load, nodes * sizeof *t->node_load);
    for (uint64_t k = 0; t->kind == SWQ_SOURCE_TRACE && k < t->trace_packets; k++) {
        const swq_trace_packet *p = &t->trace[k];
        const uint64_t line[] = {p->cycle, p->source, p->destination, p->high};
        swq_live_mix(hash, line, sizeof line);
    }
}

static uint64_t identity_of(const swq_live *live)
{
    const swq_network *n = &live->network;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    swq_live_mix_text(&hash, n->shape.wiring->name);
    swq_live_mix_number(&hash, n->shape.stages);
    swq_live_mix_number(&hash, n->resend);
    swq_live_mix_number(&hash, n->stale);
    mix_switch(&hash, &n->sw);
    mix_traffic(&hash, &n->traffic, live->system->nodes);
    return hash;
}

/* ---- beginning and end ---- */

static void release(swq_live *live)
{
    swq_net_free(live->ctx, live->net);
}

static const swq_live_engine engine = {
    .cycle = cycle_of,
    .after = after,
    .most_ends = most_ends,
    .check_offer = check_offer,
    .is_full = is_full,
    .take = take,
    .shape = shape_of,
    .occupancy = occupancy,
    .waiting = waiting,
    .set_load = set_load,
    .state = state_of,
    .restored = restored,
    .identity = identity_of,
    .free = release,
};

static swq_status make(swq_live *live, uint32_t nodes)
{
    live->run.ended = live->options.follow ? keep_end : NULL;
    live->run.ended_arg = live;
    swq_status status =
        swq_run_check_memory(live->ctx, swq_net_bytes(&live->network, &live->run, nodes), 1);
    if (!status)
        status = swq_net_new(live->ctx, &live->network, &live->run, 0, &live->net);
    if (status)
        return status;
    live->system = &live->net->system;
    /* offered packets are in buffers, or held by a source, or on their way back to one */
    if (live->options.follow && live->network.traffic.kind == SWQ_SOURCE_HOLD)
        live->token_room = swq_net_places(live->net) + nodes + live->net->sources.returned_room;
    return swq_live_finish(live);
}

swq_status swq_live_open(swq_context *ctx, const swq_network *network,
                         const swq_live_options *options, swq_live **made)
{
    swq_live *live;
    uint32_t nodes;
    swq_status status = swq_network_check(ctx, network, &nodes);

    if (!status)
        status = swq_live_begin(ctx, options, &live);
    if (status)
        return status;
    live->engine = &engine;
    live->network = *network;
    status = make(live, nodes);
    if (status)
        swq_live_close(live);
    else
        *made = live;
    return status;
}
