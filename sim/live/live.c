/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making a network that is stepped, running it, and reading its counters.
 */
#include "sim/live/live.h"

#include "base/context.h"
#include "sim/measure/run.h"
#include "sim/stages/sources.h"

enum { SLICE = 64 /* cycles between looks at the context, as in a run */ };

swq_live_options swq_live_defaults(void)
{
    return (swq_live_options){.seed = 1};
}

/* ---- beginning and end ---- */

static swq_status take_memory(swq_live *live)
{
    const swq_net *net = live->net;
    swq_arrays list;

    /* offered packets are in buffers, or held by a source, or on their way back to one */
    if (live->options.follow && net->spec->traffic.kind == SWQ_SOURCE_HOLD)
        live->token_room = swq_net_places(net) + net->system.nodes + net->sources.returned_room;
    swq_live_list(live, &list);
    const swq_status status = swq_arrays_take(live->ctx, &list);
    if (!status)
        swq_tokens_begin(&live->tokens, live->token_room);
    return status;
}

swq_status swq_live_open(swq_context *ctx, const swq_network *network,
                         const swq_live_options *options, swq_live **made)
{
    uint32_t nodes;
    swq_status status = swq_network_check(ctx, network, &nodes);
    if (status)
        return status;
    swq_live *live = swq_calloc(ctx, 1, sizeof *live);
    if (!live)
        return swq_memory_status(ctx);
    live->ctx = ctx;
    live->network = *network;
    live->options = *options;
    live->run = swq_sim_defaults();
    live->run.seed = options->seed;
    live->run.plain = options->plain;
    live->run.ended = options->follow ? swq_live_keep_end : NULL;
    live->run.ended_arg = live;
    status = swq_run_check_memory(ctx, swq_net_bytes(&live->network, &live->run, nodes), 1);
    if (!status)
        status = swq_net_new(ctx, &live->network, &live->run, 0, &live->net);
    if (!status)
        status = take_memory(live);
    if (status) {
        swq_live_close(live);
        return status;
    }
    swq_live_lay_out_state(live);
    *made = live;
    return SWQ_OK;
}

void swq_live_close(swq_live *live)
{
    swq_arrays list;

    if (!live)
        return;
    if (live->net) {
        swq_live_list(live, &list);
        swq_arrays_free(live->ctx, &list);
    }
    swq_net_free(live->ctx, live->net);
    swq_free(live->ctx, live->end);
    swq_free(live->ctx, live);
}

swq_context *swq_live_context(const swq_live *live)
{
    return live->ctx;
}

/* ---- running ---- */

/* The most packets that can end in a cycle: all that are in the network, one that each source
 * sends, and one that finds no room at each source. */
static size_t most_ends(const swq_net *net)
{
    return swq_net_places(net) + 2 * (size_t)net->system.nodes;
}

/* Runs at most `cycles` cycles: one if packets are followed, so that there is room for their ends.
 */
static swq_status step(swq_live *live, uint64_t cycles, uint64_t *done)
{
    swq_net *net = live->net;
    swq_status status = SWQ_OK;

    *done = 0;
    if (swq_context_cancelled(live->ctx))
        return swq_fail(live->ctx, SWQ_ECANCELLED, "cancelled in cycle %u", net->cycle);
    if (net->cycle + cycles > SWQ_LIVE_MOST_CYCLES)
        return swq_fail(live->ctx, SWQ_ELIMIT, "a network runs for at most %llu cycles",
                        (unsigned long long)SWQ_LIVE_MOST_CYCLES);
    if (live->options.follow) {
        status = swq_live_reserve(live, most_ends(net));
        cycles = 1;
    }
    if (status)
        return status;
    *done = net->system.advance(&net->system, cycles);
    return swq_net_check_returned(live->ctx, net);
}

swq_status swq_live_advance(swq_live *live, uint64_t cycles, uint64_t *done)
{
    swq_status status = SWQ_OK;
    uint64_t all = 0, now = 1;

    while (!status && all < cycles && !live->net->system.drained) {
        const uint64_t left = cycles - all;
        status = step(live, left < SLICE ? left : SLICE, &now);
        all += now;
    }
    if (done)
        *done = all;
    return status;
}

swq_status swq_live_set_load(swq_live *live, double load)
{
    swq_traffic *t = &live->network.traffic;

    if (!(load >= 0 && load <= 1))
        return swq_fail(live->ctx, SWQ_EINVAL, "load must be from 0 to 1, not %g", load);
    if (t->kind == SWQ_SOURCE_TRACE)
        return swq_fail(live->ctx, SWQ_EINVAL, "load does not go with a trace");
    if (t->node_load)
        return swq_fail(live->ctx, SWQ_EINVAL, "load does not go with loads of single nodes");
    t->load = load;
    swq_sources_set_load(live->net);
    return SWQ_OK;
}

/* ---- offers ---- */

static swq_status check_offer(const swq_live *live, const swq_live_packet *p)
{
    const uint32_t nodes = live->net->system.nodes;
    swq_context *ctx = live->ctx;

    if (live->network.traffic.kind != SWQ_SOURCE_HOLD)
        return swq_fail(
            ctx, SWQ_EINVAL,
            "packets are offered to sources that hold one packet: sources must be hold");
    if (live->network.traffic.burst > 1)
        return swq_fail(ctx, SWQ_EINVAL,
                        "packets are offered to sources without bursts: burst must be 1, not %g",
                        live->network.traffic.burst);
    if (p->from >= nodes)
        return swq_fail(ctx, SWQ_EINVAL, "source must be 0 to %u, not %u", nodes - 1, p->from);
    if (p->to >= nodes)
        return swq_fail(ctx, SWQ_EINVAL, "destination must be 0 to %u, not %u", nodes - 1, p->to);
    if (p->high && live->net->system.classes == 1)
        return swq_fail(ctx, SWQ_EINVAL,
                        "a packet of high priority needs traffic with such packets: the fraction "
                        "high must be above 0");
    if (p->token && !live->options.follow)
        return swq_fail(ctx, SWQ_EINVAL, "a token needs a network that follows packets");
    return SWQ_OK;
}

/* Does the source hold a packet, or has it taken one for the next cycle? */
static bool is_full(const swq_live *live, uint32_t source)
{
    const swq_net *net = live->net;

    return net->sources.birth[source] < net->cycle || live->offered_in[source] == net->cycle + 1 ||
           (net->sources.returned && net->sources.returned_head[source]);
}

static bool offer(swq_live *live, const swq_live_packet *p)
{
    swq_net *net = live->net;

    if (is_full(live, p->from))
        return false;
    net->sources.birth[p->from] = net->cycle;
    net->sources.to[p->from] = p->to | (p->high ? SWQ_HIGH : 0);
    live->offered_in[p->from] = net->cycle + 1;
    live->offered++;
    if (live->token_room)
        swq_tokens_put(&live->tokens, p->from, net->cycle, p->token);
    return true;
}

swq_status swq_live_offer(swq_live *live, const swq_live_packet *packet, size_t packets,
                          bool *taken)
{
    swq_status status = SWQ_OK;

    for (size_t k = 0; k < packets && !status; k++)
        status = check_offer(live, &packet[k]);
    for (size_t k = 0; k < packets && !status; k++)
        taken[k] = offer(live, &packet[k]);
    return status;
}

/* ---- reading ---- */

void swq_live_read(const swq_live *live, swq_live_counts *counts)
{
    const swq_system *s = &live->net->system;

    *counts = (swq_live_counts){.cycles = live->net->cycle,
                                .created = s->created,
                                .offered = live->offered,
                                .sent = s->created - s->waiting,
                                .delivered = s->delivered,
                                .lost = s->discarded,
                                .waiting = s->waiting,
                                .packet_hops = s->hops};
    for (int k = 0; k < s->levels; k++)
        counts->inside += s->inside[k];
    for (int cell = 0; cell < s->cells; cell++) {
        const uint64_t *count = s->tally + swq_tally_cell(s->levels, cell);
        counts->latency_cycles += count[SWQ_CELL_LATENCY];
        counts->refused += count[SWQ_CELL_DISCARDED];
    }
}

swq_live_shape swq_live_shape_of(const swq_live *live)
{
    const swq_net *net = live->net;

    return (swq_live_shape){.nodes = net->system.nodes,
                            .stages = (uint32_t)net->system.levels,
                            .switches = net->switches,
                            .rows = swq_net_rows(net),
                            .outputs = (uint32_t)net->ports,
                            .slots = (uint32_t)net->slots};
}

void swq_live_occupancy(const swq_live *live, uint32_t *packets)
{
    swq_net_hold_by_output(live->net, packets);
}

void swq_live_waiting(const swq_live *live, uint64_t *packets)
{
    for (uint32_t i = 0; i < live->net->system.nodes; i++) {
        uint64_t age = 0;
        packets[i] = 0;
        swq_source_audit(live->net, i, &packets[i], &age);
    }
}
