/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The mean latency of asynchronous tori, meshes and hypercubes up to the knee.
 *
 * A packet's latency is the hop delay of every switch that it enters, its wait at its sender, and a
 * wait in every switch. Waits are found for one node of every kind. An output whose next buffer is
 * closed for a fraction of the time is slower by this fraction; how often a buffer is closed
 * follows from the waits in it by Little's law, as if its content were geometrically distributed.
 * The knee is the load from which on these equations have no fixed point, or a queue is overloaded.
 */
#include "approx/torus/torus.h"

#include "approx/methods.h"

#include "base/context.h"
#include "models/buffers/buffers.h"

#include <math.h>
#include <time.h>

enum { MOST_PASSES = 100, KNEE_STEPS = 12 };
static const double settled = 1e-6; /* largest change, as a fraction of the time */

/* Turns that a packet takes in a switch. */
enum { INJECTED, GOING_ON, TURNING, EJECTED, TURNS };

typedef struct {
    const swq_async *network;
    torus_lengths lengths;
    torus_net net;
    torus_reading reading;
    bool open;
    double room, queue_room; /* packets with which a port is closed; packets with which one of the
                                port's queues closes the port */
    /* [kinds * ports], by input port: */
    double *store;
    double *closed, *next_closed; /* fraction of the time, before and after a pass */
    double *even; /* as in torus_demand, relative to the evenness of senders, on which it depends
                     linearly */
    double sender_even;
    double hops, most; /* links per packet; load of the busiest link if each node sends one packet
                          per cycle */
} torus_model;

/* The answer at one rate: sums over a packet's route. */
typedef struct {
    double wait[TURNS], times[TURNS];
    double change; /* largest change of `closed` */
} answer;

/* ---- checks ---- */

static swq_status check_shape(swq_context *ctx, const swq_shape *shape)
{
    if (shape->chained)
        return swq_fail(ctx, SWQ_EINVAL,
                        "the model is for nodes of one switch each, not chained ones");
    return SWQ_OK;
}

static swq_status check_traffic(swq_context *ctx, const swq_async *n)
{
    const swq_sender_group *g = &n->traffic.group[0];

    if (n->traffic.trace || n->traffic.groups != 1 || g->mask != 0)
        return swq_fail(ctx, SWQ_EINVAL, "the model is for one group of senders, of all nodes");
    if (g->from_start)
        return swq_fail(ctx, SWQ_EINVAL, "the model is for intervals that begin at the end");
    if (g->burst > 1)
        return swq_fail(ctx, SWQ_EINVAL, "the model is for senders without bursts");
    if (g->node_load)
        return swq_fail(ctx, SWQ_EINVAL, "the model is for senders of one load");
    if (!g->silent && g->interval.kind == SWQ_PARETO)
        return swq_fail(ctx, SWQ_EINVAL,
                        "the model needs intervals of bounded variance, and not Pareto's");
    if (g->kind == SWQ_SOURCE_OPEN && !g->silent &&
        (g->interval.kind != SWQ_GEOMETRIC || g->interval.second != 1))
        return swq_fail(ctx, SWQ_EINVAL,
                        "the model is for open senders with geometric intervals of at least 1");
    return SWQ_OK;
}

/* ---- a pass over all kinds of nodes ---- */

/* Cycles for which a packet's memory is occupied beyond its wait: from the beginning of the
 * transmission that brings the packet, and after the beginning of the transmission that takes it
 * away. */
static double held(const torus_model *m)
{
    const swq_async *n = m->network;

    switch (n->memory.release) {
    case SWQ_RELEASE_START:
        return n->link.hop_delay + 1;
    case SWQ_RELEASE_HOP:
        return 2 * n->link.hop_delay;
    case SWQ_RELEASE_END:
        return n->link.hop_delay + m->lengths.bytes;
    case SWQ_RELEASE_AFTER:
        return n->link.hop_delay + fmin(n->memory.release_cycles, m->lengths.bytes);
    case SWQ_RELEASE_BLOCKS:
        break;
    }
    return n->link.hop_delay + (m->lengths.bytes + n->packet.block) / 2;
}

/* P(at least `most` packets) of a geometric distribution with this mean. */
static double full(double mean, double most)
{
    return mean > 0 ? pow(mean / (1 + mean), most) : 0;
}

/* The fraction of the time for which a port is closed to arriving packets. */
static double closed_for(const torus_model *m, const torus_demand *d, int in, const double *wait)
{
    const double beyond = held(m);
    double packets = 0, queues = 0;

    for (int out = 0; out < m->net.ports; out++) {
        const double flow = d->flows->flow[in][out];
        if (flow <= 0)
            continue;
        const double queue = d->rate * flow * (wait[out] + beyond);
        packets += queue;
        if (m->queue_room < m->room)
            queues += flow / d->flows->in[in] * full(queue, m->queue_room);
    }
    return fmax(full(packets, m->room), queues);
}

static int turn_of(const torus_model *m, int in, int out)
{
    const int host = m->net.ports - 1;

    return in == host ? INJECTED : out == host ? EJECTED : in == out ? GOING_ON : TURNING;
}

static void visit(torus_model *m, uint64_t number, double rate, answer *a)
{
    const int ports = m->net.ports;
    const torus_kind kind = torus_kind_of(&m->net, number);
    const double weight = kind.weight / m->net.nodes;
    const uint64_t first = number * (uint64_t)ports;
    double wait[TORUS_PORTS][TORUS_PORTS];
    torus_flows flows;
    torus_demand d = {.lengths = &m->lengths,
                      .flows = &flows,
                      .ports = ports,
                      .rate = rate,
                      .steady = !m->open,
                      .reading = m->reading};

    torus_flows_of(&m->net, &kind, &flows);
    for (int in = 0; in < ports; in++)
        d.even[in] = m->sender_even * m->even[first + (uint64_t)in];
    for (int out = 0; out < ports - 1; out++) {
        int port;
        if (flows.out[out] > 0) {
            const uint64_t to = torus_next(&m->net, &kind, out, &port) * (uint64_t)ports;
            d.closed[out] = m->closed[to + (uint64_t)port];
        }
    }
    torus_waits_of(&d, wait);
    for (int in = 0; in < ports; in++) {
        for (int out = 0; out < ports; out++) {
            const int turn = turn_of(m, in, out);
            const double times = weight * flows.flow[in][out];
            if (times > 0) {
                a->times[turn] += times;
                a->wait[turn] += times * wait[in][out];
            }
        }
        const uint64_t at = first + (uint64_t)in;
        m->next_closed[at] = flows.in[in] > 0 ? closed_for(m, &d, in, wait[in]) : 0;
        a->change = fmax(a->change, fabs(m->next_closed[at] - m->closed[at]));
    }
}

static answer pass(torus_model *m, double rate)
{
    answer a = {.change = 0};

    for (uint64_t kind = 0; kind < m->net.kinds; kind++)
        visit(m, kind, rate, &a);
    double *swap = m->closed;
    m->closed = m->next_closed;
    m->next_closed = swap;
    return a;
}

static double all_waits(const answer *a)
{
    double sum = 0;

    for (int k = 0; k < TURNS; k++)
        sum += a->wait[k];
    return sum;
}

/* The evenness of a sender that holds its messages: packets of mean time S and gaps of mean I
 * alternate. Over a long time t, the time for which the link is busy has the variance t (var S (1 -
 * rho)^2 + var I rho^2) / (S + I); with random packets it would be t E S^2 / (S + I). */
static double evenness_of_senders(const torus_model *m, double rate)
{
    const torus_lengths *l = &m->lengths;
    const double square = 2 * l->residual * l->time, rho = fmin(rate * l->time, 1);
    const double gap = 1 / rate - l->time;
    double spread = 0; /* var I, for gaps of this mean */

    if (m->open)
        return 0;
    switch (m->network->traffic.group[0].interval.kind) {
    case SWQ_CONSTANT:
        break;
    case SWQ_UNIFORM:
        spread = gap * gap / 3; /* from 0 */
        break;
    case SWQ_GEOMETRIC:
    case SWQ_PARETO: /* does not occur: Pareto intervals are refused before */
        spread = gap * (gap + 1);
        break;
    }
    const double own = (square - l->time * l->time) * (1 - rho) * (1 - rho);
    return 1 - fmin((own + fmax(spread, 0) * rho * rho) / square, 1);
}

/* Find the waits at `rate` packets per cycle and node. False: the rate is at or beyond the knee. */
static bool settle(swq_context *ctx, torus_model *m, double rate, answer *a)
{
    for (uint64_t k = 0; k < m->net.kinds * (uint64_t)m->net.ports; k++)
        m->closed[k] = 0;
    m->sender_even = evenness_of_senders(m, rate);
    for (int k = 0; k < MOST_PASSES && !swq_context_cancelled(ctx); k++) {
        *a = pass(m, rate);
        if (!isfinite(all_waits(a)))
            return false;
        if (a->change < settled)
            return true;
    }
    return false;
}

/* ---- quantities that do not depend on the load ---- */

static void count_links(torus_model *m)
{
    const int host = m->net.ports - 1;
    torus_flows f;

    for (uint64_t number = 0; number < m->net.kinds; number++) {
        const torus_kind kind = torus_kind_of(&m->net, number);
        torus_flows_of(&m->net, &kind, &f);
        for (int out = 0; out <= host; out++) {
            m->hops += out < host ? f.out[out] * kind.weight / m->net.nodes : 0;
            m->most = fmax(m->most, f.out[out]);
        }
    }
}

/* Propagate evenness from the senders, over one link at a time. */
static void find_evenness(swq_context *ctx, torus_model *m)
{
    const uint64_t ports = (uint64_t)m->net.ports;
    double change = 1;
    torus_flows f;

    for (uint64_t number = 0; number < m->net.kinds; number++)
        m->even[number * ports + ports - 1] = 1;
    while (change > settled && !m->open && !swq_context_cancelled(ctx)) {
        change = 0;
        for (uint64_t number = 0; number < m->net.kinds; number++) {
            const torus_kind kind = torus_kind_of(&m->net, number);
            torus_flows_of(&m->net, &kind, &f);
            for (int out = 0; out < m->net.ports - 1; out++) {
                int port;
                if (f.out[out] <= 0)
                    continue;
                double *to = m->even + torus_next(&m->net, &kind, out, &port) * ports;
                double even = torus_evenness(&f, m->net.ports, m->even + number * ports, out);
                change = fmax(change, fabs(even - to[port]));
                to[port] = even;
            }
        }
    }
}

static swq_status check_buffer(swq_context *ctx, const swq_async *n)
{
    const swq_buffer *b = &n->memory.buffer;

    if (b->alpha > 0 || (b->queue_min > 0 && !swq_buffer_partitioned(b)))
        return swq_fail(ctx, SWQ_EINVAL,
                        "the model knows no reserved blocks (queue-min %d) and no dynamic "
                        "threshold (alpha %g) of a queue: simulate it",
                        b->queue_min, b->alpha);
    return SWQ_OK;
}

static void set_buffer(torus_model *m)
{
    const swq_async *n = m->network;
    const swq_buffer *b = &n->memory.buffer;
    const int packet = (n->packet.max + n->packet.block - 1) / n->packet.block;

    m->reading = b->queues == SWQ_ONE_QUEUE       ? TORUS_ONE_QUEUE
                 : b->read == SWQ_READ_EACH_QUEUE ? TORUS_EACH_QUEUE
                                                  : TORUS_ONE_READER;
    m->room = (b->capacity - packet) / m->lengths.blocks + 1;
    m->queue_room = (b->queue_max - packet) / m->lengths.blocks + 1;
    if (!swq_buffer_partitioned(b) && n->flow.row->threshold)
        m->queue_room = fmin(m->queue_room, n->flow.threshold / m->lengths.blocks + 1);
}

/* ---- the answer ---- */

/* Bytes per cycle of a sender that never waits. */
static double load_of(const torus_model *m)
{
    const swq_sender_group *g = &m->network->traffic.group[0];

    if (g->silent)
        return 0;
    const double interval = swq_spread_mean(&g->interval);

    return m->lengths.message_bytes / (m->open ? interval : interval + m->lengths.message_time);
}

/* Mean wait of a packet at an open sender. In each cycle a message comes with probability p
 * (Geo/G/1); of a message's packets only the first one waits, since the others are created when it
 * is their turn. */
static double source_wait(const torus_model *m, double rate)
{
    const torus_lengths *l = &m->lengths;
    const double p = rate / l->packets, rho = p * l->message_time;

    if (!m->open)
        return 0;
    return p * (l->message_square - l->message_time) / (2 * (1 - rho)) / l->packets;
}

/* The lowest load, in bytes per cycle and node, for which there is no answer. */
static double knee_of(swq_context *ctx, torus_model *m)
{
    double low = 0, high = 1 / (m->most * m->lengths.time);
    answer a;

    for (int k = 0; k < KNEE_STEPS; k++) {
        const double middle = (low + high) / 2;
        if (settle(ctx, m, middle, &a))
            low = middle;
        else
            high = middle;
    }
    return low * m->lengths.bytes;
}

static void report(const torus_model *m, const answer *a, double rate, swq_approx_torus_result *r)
{
    double *wait[TURNS] = {&r->injection_wait, &r->continuing_wait, &r->turning_wait,
                           &r->ejection_wait};

    for (int k = 0; k < TURNS; k++)
        *wait[k] = a->times[k] > 0 ? a->wait[k] / a->times[k] : NAN;
    r->source_wait = source_wait(m, rate);
    r->latency = r->alone + r->source_wait + all_waits(a);
}

/* The fraction of the knee up to which latencies were found to be within 5%. If the links to the
 * nodes are the busiest ones, other packets pass those that wait for these links more often than
 * the model assumes, most of all if links between nodes are the least busy, in tori of 3 nodes per
 * dimension: 4.4% there. */
static double valid_part(const torus_model *m)
{
    bool looked_at = m->network->arbiter.row == swq_async_defaults().arbiter.row;

    /* senders with the same constant interval stay in step: up to 16% more waiting was seen */
    if (m->network->traffic.group[0].interval.kind == SWQ_CONSTANT &&
        m->network->traffic.group[0].interval.first > 0)
        looked_at = false;
    if (m->lengths.packets > 1 + 1e-9) /* messages of several packets */
        return looked_at ? 0.3 : NAN;
    return looked_at ? (m->most > 1 ? 0.6 : 0.35) : NAN;
}

static swq_status approximate(swq_context *ctx, torus_model *m, swq_approx_torus_result *r)
{
    const double load = load_of(m), rate = load / m->lengths.bytes;
    answer a = {.change = 0};

    *r = (swq_approx_torus_result){.nodes = m->net.nodes, .load = load, .hops = m->hops};
    r->alone = (m->hops + 1) * m->network->link.hop_delay;
    r->knee = knee_of(ctx, m);
    if (swq_context_cancelled(ctx))
        return swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
    r->throughput = fmin(load, r->knee);
    r->utilisation = r->throughput / m->lengths.bytes * m->most * m->lengths.time;
    r->valid = valid_part(m) * r->knee;
    if (load <= r->knee && settle(ctx, m, rate, &a)) {
        report(m, &a, rate, r);
    } else {
        r->latency = r->source_wait = INFINITY;
        r->injection_wait = r->continuing_wait = r->turning_wait = r->ejection_wait = INFINITY;
    }
    return SWQ_OK;
}

static swq_status run(swq_context *ctx, const swq_async *network, swq_approx_torus_result *result)
{
    const clock_t start = clock();
    torus_model m = {.network = network};
    swq_status status = check_shape(ctx, &network->shape);

    if (!status)
        status = check_traffic(ctx, network);
    if (!status)
        status = check_buffer(ctx, network);
    if (!status)
        status = torus_lengths_of(ctx, network, &m.lengths);
    if (!status)
        status = torus_net_make(ctx, &network->shape, &m.net);
    if (!status) {
        const size_t ports = (size_t)m.net.kinds * (size_t)m.net.ports;
        m.store = swq_calloc(ctx, ports, 3 * sizeof *m.store);
        status = m.store ? SWQ_OK : swq_memory_status(ctx);
    }
    if (!status) {
        const size_t ports = (size_t)m.net.kinds * (size_t)m.net.ports;
        swq_approx_torus_result r = {.nodes = 0};
        m.closed = m.store;
        m.next_closed = m.closed + ports;
        m.even = m.next_closed + ports;
        m.open = network->traffic.group[0].kind == SWQ_SOURCE_OPEN;
        set_buffer(&m);
        count_links(&m);
        find_evenness(ctx, &m);
        status = approximate(ctx, &m, &r);
        if (!status) {
            r.cpu_seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
            *result = r;
        }
    }
    swq_free(ctx, m.store);
    torus_net_clear(ctx, &m.net);
    return status;
}

static const swq_fabric_kind *const fabrics[] = {&swq_fabric_torus, &swq_fabric_mesh,
                                                 &swq_fabric_hypercube, NULL};
static const swq_buffer_kind *const buffers[] = {
    &swq_buffer_fifo, &swq_buffer_samq, &swq_buffer_safc, &swq_buffer_damq, &swq_buffer_dafc, NULL,
};
static const swq_hop_flow *const flows[] = {&swq_flow_blocking, &swq_flow_maximum_usage, NULL};
static const swq_approx_takes takes = {
    .fabrics = fabrics, .buffers = buffers, .patterns = approx_uniform, .hop_flows = flows};

const swq_approx_method approx_grid_waits = {
    .name = "grid-waits",
    .ours = true,
    .summary = "tori, meshes and hypercubes: waiting times at every output",
    .assumptions = "asynchronous networks, uniform traffic, nodes of one switch each, intervals "
                   "that are geometric or begin when a message has been sent; waits as behind "
                   "packets that come at random",
    .source = "ours; docs/approximation.md",
    .error = "within 5% of simulated latencies up to a load that each answer says, for the arbiter "
             "rotating; beyond the knee there is no answer",
    .takes = &takes,
    .run_async = run,
};
