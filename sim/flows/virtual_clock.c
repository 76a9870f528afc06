/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Virtual clocks: the row, what it refuses, rates, and stamps. The order in which packets go is in
 * turn_clock.h. docs/asynchronous.md has the rules.
 */
#include "sim/flows/virtual_clock.h"

#include "base/context.h"
#include "sim/frame/flow.h"

#include <math.h>

enum { CLOCK_BYTES = 8, STAMP_BYTES = 4, MOST_AHEAD = 1000000000 };

/* ---- options that fit ---- */

static swq_status check_circuits(swq_context *ctx, const swq_async *n, uint32_t nodes)
{
    for (uint64_t k = 0; k < n->flow.clocks.circuits; k++) {
        const swq_circuit *c = &n->flow.clocks.circuit[k];
        if (c->from >= nodes || c->to >= nodes)
            return swq_fail(ctx, SWQ_EINVAL, "circuits are of nodes 0 to %u, not from %u to %u",
                            nodes - 1, c->from, c->to);
        if (!(c->rate > 0 && c->rate <= 1))
            return swq_fail(ctx, SWQ_EINVAL,
                            "circuits' rates must be above 0 and at most 1 byte a cycle, not %g",
                            c->rate);
    }
    return SWQ_OK;
}

static swq_status check(swq_context *ctx, const swq_async *n, int queues)
{
    const char *flow = n->flow.row->name;
    swq_fabric f;

    (void)queues;
    if (!n->shape.wiring)
        return swq_fail(ctx, SWQ_EINVAL,
                        "flow %s is for multistage networks, in which a circuit passes one switch "
                        "of each stage, not for topology %s",
                        flow, n->shape.kind->name);
    if (n->architecture.row->async.output_stores || !n->architecture.row->async.input_buffers)
        return swq_fail(ctx, SWQ_EINVAL,
                        "flow %s is for --architecture input-queued, where one arbiter sees all "
                        "packets of a switch, not for %s",
                        flow, n->architecture.row->name);
    if (swq_async_managed(n))
        return swq_fail(ctx, SWQ_EINVAL,
                        "flow %s is not for networks with a management (%s), which has an order "
                        "of its own",
                        flow, n->management.row->name);
    if (swq_pieces_asked(n))
        return swq_fail(ctx, SWQ_EINVAL, "flow %s is not for packets that move in pieces", flow);
    if (!n->arbiter.row->unrolled)
        return swq_fail(ctx, SWQ_EINVAL,
                        "arbiter must be rotating or advancing with flow %s, not %s: the least "
                        "stamp goes first, and the arbiter's pointer decides where stamps are "
                        "equal",
                        flow, n->arbiter.row->name);
    if (n->flow.clocks.holds && (n->flow.clocks.ahead < 0 || n->flow.clocks.ahead > MOST_AHEAD))
        return swq_fail(ctx, SWQ_EINVAL, "clock-ahead must be 0 to %d cycles, not %d", MOST_AHEAD,
                        n->flow.clocks.ahead);
    swq_status status = swq_fabric_count(ctx, &n->shape, &f);
    return status ? status : check_circuits(ctx, n, f.nodes);
}

double swq_circuit_state_bytes(const swq_async *n, const swq_fabric *f)
{
    const int least = (swq_async_shortest(n) + n->packet.block - 1) / n->packet.block;
    const int packets = n->memory.buffer.capacity / least;

    if (!n->flow.row->clocks)
        return 0;
    /* nodes^2 circuits pass the nodes / ports switches of a stage */
    return (double)f->ports * ((double)f->nodes * CLOCK_BYTES + (double)packets * STAMP_BYTES);
}

/* ---- rates ---- */

/* The load of a sender of a group if nothing ever held the sender back, in bytes per cycle. */
static double load_of(const swq_async *n, const swq_sender_group *g, uint32_t sender)
{
    const swq_spread intervals = swq_sender_interval(n, g, sender);
    const double burst = g->burst > 1 ? g->burst : 1, interval = swq_spread_mean(&intervals);
    double bytes = 0, link = 0;

    for (int t = 0; t < g->types; t++) {
        const swq_spread *length = &g->type[t].length;
        bytes += g->type[t].probability * swq_spread_mean(length);
        link += g->type[t].probability * swq_spread_link_time(length, n->packet.max, n->link.rest);
    }
    double time = interval + burst * link; /* of a burst */
    if (g->kind == SWQ_SOURCE_OPEN || g->from_start)
        time = fmax(interval + (burst - 1) * link, burst * link);
    return fmin(1, burst * bytes / time);
}

static void find_rates(const swq_async_net *net, swq_clocks *c)
{
    const swq_async *n = net->spec;
    const uint32_t nodes = net->fabric->nodes;

    for (int g = 0; g <= SWQ_MAX_SENDER_GROUPS; g++) {
        const bool known =
            !n->traffic.trace && g < n->traffic.groups && !n->traffic.group[g].silent;
        c->group_rate[g] = (known ? load_of(n, &n->traffic.group[g], 0) : 1) / nodes;
    }
    for (uint64_t k = 0; k < n->flow.clocks.circuits; k++)
        c->rate[(size_t)n->flow.clocks.circuit[k].from * nodes + n->flow.clocks.circuit[k].to] =
            n->flow.clocks.circuit[k].rate;
}

/* The rate of a circuit of which nothing is given: an equal part of its sender's load. */
static double rate_of_sender(const swq_async_net *net, uint32_t sender, int group)
{
    const swq_async *n = net->spec;

    if (group >= n->traffic.groups || n->traffic.trace || !n->traffic.group[group].node_load)
        return net->clocks->group_rate[group];
    return load_of(n, &n->traffic.group[group], sender) / net->fabric->nodes;
}

/* ---- stamps ---- */

void swq_clock_stamp(swq_async_net *net, uint32_t port, swq_parcel *p)
{
    swq_clocks *c = net->clocks;
    const swq_async *n = net->spec;
    const size_t nodes = net->fabric->nodes, pair = p->from * nodes + p->to;
    double *clock = &c->clock[net->port[port].in_level * nodes * nodes + pair];
    const double given = c->rate ? c->rate[pair] : 0;
    const double rate = given > 0 ? given : rate_of_sender(net, p->from, p->group);
    const double before = fmax(*clock, p->ready);

    *clock = before + p->bytes / rate;
    c->stamp[p - net->parcel] = *clock;
    if (n->flow.clocks.holds && before - n->flow.clocks.ahead > p->ready) {
        const double from = ceil(before - n->flow.clocks.ahead);
        p->ready = from < SWQ_NEVER ? (uint32_t)from : SWQ_NEVER - 1;
    }
}

/* ---- the row ---- */

static void list_arrays(const swq_async_net *net, swq_clocks *c, swq_arrays *list)
{
    const double nodes = net->fabric->nodes;

    *list = (swq_arrays){0};
    SWQ_ARRAY(list, c->clock, nodes * nodes * net->fabric->levels);
    SWQ_ARRAY(list, c->rate, net->spec->flow.clocks.circuits ? nodes * nodes : 0);
    SWQ_ARRAY(list, c->stamp, (double)net->inputs * net->slots);
}

static double bytes(const swq_async_net *net)
{
    swq_clocks c = {0};
    swq_arrays list;

    list_arrays(net, &c, &list);
    return sizeof c + swq_arrays_bytes(&list);
}

static swq_status make(swq_context *ctx, swq_async_net *net)
{
    swq_arrays list;

    net->clocks = swq_calloc(ctx, 1, sizeof *net->clocks);
    if (!net->clocks)
        return swq_memory_status(ctx);
    list_arrays(net, net->clocks, &list);
    swq_status status = swq_arrays_take(ctx, &list);
    if (!status)
        find_rates(net, net->clocks);
    return status;
}

static void release(swq_context *ctx, swq_async_net *net)
{
    swq_arrays list;

    if (!net->clocks)
        return;
    list_arrays(net, net->clocks, &list);
    swq_arrays_free(ctx, &list);
    swq_free(ctx, net->clocks);
    net->clocks = NULL;
}

static const swq_flow_hooks hooks = {
    .check = check,
    .bytes = bytes,
    .make = make,
    .free = release,
};

const swq_hop_flow swq_flow_virtual_clock = {
    .name = "virtual-clock",
    .summary = "packets are stamped by the virtual clocks of their circuits, and the least stamp "
               "goes first; buffers block",
    .source = "Zhang (1991); Frazier (1995), 8.2.2",
    .clocks = true,
    .engines = SWQ_ENGINE_ASYNC,
    .hooks = &hooks,
};
