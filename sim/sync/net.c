/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making a network, its cycle, and counting what is in it.
 * Room: sim. Includes models and base.
 */
#include "sim/sync/net.h"

#include "base/context.h"
#include "base/statistics.h"
#include "sim/patterns/image.h"

#include <assert.h>
#include <string.h>

static int power_of_two(uint32_t n)
{
    return n && !(n & (n - 1)) ? __builtin_ctz(n) : -1;
}

/* How the buffers are divided among classes. */
static void lay_out_buffers(swq_net *net)
{
    const swq_network *spec = net->spec;
    const swq_buffer *b = &spec->sw.buffer;
    int normal = swq_buffer_queues(b, net->ports);
    bool fans = b->queues == SWQ_QUEUE_PER_OUTPUT;
    /* a queue of a partitioned buffer cannot borrow slots, so its high queue brings its own */
    bool partitioned = b->queue_min > 0 && b->queue_min == b->queue_max;

    net->parts = 1;
    net->part[0] = (swq_part){.rule = *b, .queues = normal};
    net->queue_base[0] = net->queue_base[1] = 0;
    net->queue_fans[0] = net->queue_fans[1] = fans;
    switch (spec->support) {
    case SWQ_SUPPORT_NONE:
    case SWQ_SUPPORT_ARBITER:
        break;
    case SWQ_SUPPORT_QUEUE:
    case SWQ_SUPPORT_QUEUES:
        net->queue_base[1] = normal;
        /* a pool has a queue for each level at each output */
        net->queue_fans[1] = spec->support == SWQ_SUPPORT_QUEUES || b->scope == SWQ_POOL;
        if (!partitioned) {
            net->part[0].queues += net->queue_fans[1] ? net->ports : 1;
            break;
        }
        net->parts = 2;
        break;
    case SWQ_SUPPORT_BUFFER:
        net->queue_base[1] = normal;
        net->queue_fans[1] = spec->high_queues == SWQ_QUEUE_PER_OUTPUT;
        net->parts = 2;
        break;
    }
    if (net->parts == 2) {
        int queues = net->queue_fans[1] ? net->ports : 1;
        int share = partitioned && spec->support != SWQ_SUPPORT_BUFFER ? spec->high_slots / queues
                                                                       : spec->high_slots;
        net->part[1] = (swq_part){
            .rule = {.scope = b->scope,
                     .queues = net->queue_fans[1] ? SWQ_QUEUE_PER_OUTPUT : SWQ_ONE_QUEUE,
                     .read = b->read,
                     .capacity = spec->high_slots,
                     .queue_max = share},
            .first_queue = normal,
            .queues = queues,
            .first_slot = b->capacity,
        };
    }
    net->queues = net->slots = 0;
    for (int p = 0; p < net->parts; p++) {
        net->queues += net->part[p].queues;
        net->slots += net->part[p].rule.capacity;
    }
    net->links = net->slots + net->queues + net->parts;
}

/* What the network looks like to those who measure it. */
static void lay_out_system(swq_system *system, const swq_network *spec,
                           const swq_sim_options *options, uint32_t nodes)
{
    system->options = options;
    system->nodes = nodes;
    system->levels = spec->stages;
    system->group = options->group;
    system->groups = options->group ? options->groups : 1;
    system->classes =
        spec->traffic.high_fraction > 0 || spec->traffic.kind == SWQ_SOURCE_TRACE ? SWQ_CLASSES : 1;
    system->cells = system->classes * system->groups;
    system->amount = SWQ_CELL_DELIVERED;
    for (int s = 0; s < system->levels; s++) {
        system->level_switches[s] = nodes / (double)spec->sw.ports;
        system->level_outputs[s] = nodes;
    }
}

static void lay_out(swq_net *net, const swq_network *spec, const swq_sim_options *options,
                    uint32_t nodes)
{
    const swq_switch *sw = &spec->sw;

    lay_out_system(&net->system, spec, options, nodes);
    net->spec = spec;
    net->ports = sw->ports;
    net->buffers = sw->buffer.scope == SWQ_POOL ? nodes / (uint32_t)sw->ports : nodes;
    net->credit_next = sw->credit == SWQ_CREDIT_NEXT;
    net->discards = sw->flow == SWQ_DISCARD;
    net->blocks = !net->discards;
    net->memory_words =
        sw->buffer.scope == SWQ_POOL ? 0 : swq_arbiter_memory(sw->arbiter, sw->ports);
    lay_out_buffers(net);
}

static bool wants_trail(const swq_net *net)
{
    return net->spec->resend || net->spec->sw.buffer.pool_rule == SWQ_POOL_OLDEST ||
           (net->system.group && net->system.options->group_by_source);
}

double swq_net_bytes(const swq_network *spec, const swq_sim_options *options, uint32_t nodes)
{
    swq_net net = {0};

    lay_out(&net, spec, options, nodes);
    double buffers = (double)net.buffers * net.system.levels;
    double each = net.queues * 2 * sizeof *net.length + net.parts * 2 * sizeof *net.room +
                  net.slots * sizeof *net.packet;
    each += net.slots <= SWQ_WORD_SLOTS
                ? net.queues * sizeof *net.order
                : net.queues * sizeof *net.tail + net.links * sizeof *net.link;
    if (wants_trail(&net))
        each += net.slots * sizeof *net.trail;
    if (spec->stale > 0)
        each += net.queues * sizeof *net.since;
    double bytes = buffers * each;
    bytes += (double)nodes * (net.system.levels + 1) * sizeof(uint32_t) *
             (spec->sw.buffer.scope == SWQ_POOL ? 2 : 1);
    bytes += (double)nodes / net.ports * net.system.levels * net.memory_words * sizeof *net.memory;
    bytes += (double)nodes * (spec->traffic.kind == SWQ_SOURCE_HOLD ? 24 : 40);
    bytes += (double)nodes * spec->traffic.queue_limit * sizeof(swq_packet);
    if (spec->traffic.pattern == &swq_pattern_matrix)
        bytes += (double)nodes * nodes * sizeof(double);
    if (spec->resend)
        bytes += (buffers * net.slots + 64.0 * nodes) * 12;
    return bytes + swq_system_bytes(&net.system) + sizeof net;
}

/* The slots of a part, all free: as a mask, or linked to a list. */
static void free_part(swq_net *net, size_t at, int p)
{
    int first = net->part[p].first_slot, capacity = net->part[p].rule.capacity;

    net->room[at * (size_t)net->parts + (size_t)p] =
        (uint16_t)(net->order ? ((1u << capacity) - 1) << first : (unsigned)capacity);
    if (net->order)
        return;
    uint16_t *link = net->link + at * (size_t)net->links;
    link[net->slots + net->queues + p] = (uint16_t)first;
    for (int slot = first; slot < first + capacity - 1; slot++)
        link[slot] = (uint16_t)(slot + 1);
}

static void empty_buffers(swq_net *net)
{
    size_t buffers = (size_t)net->system.levels * net->buffers;

    for (size_t at = 0; at < buffers; at++) {
        for (int q = 0; q < net->queues && !net->order; q++)
            net->tail[at * (size_t)net->queues + (size_t)q] = (uint16_t)(net->slots + q);
        for (int p = 0; p < net->parts; p++)
            free_part(net, at, p);
    }
    if (net->seen_room)
        memcpy(net->seen_room, net->room, sizeof *net->room * buffers * (size_t)net->parts);
}

static void set_wiring(swq_net *net)
{
    const swq_topology *t = net->spec->topology;

    for (int boundary = 0; boundary <= net->system.levels; boundary++) {
        uint32_t *wire = net->wire + (size_t)boundary * net->system.nodes;
        for (uint32_t line = 0; line < net->system.nodes; line++) {
            wire[line] = t->wire(net->ports, net->system.levels, boundary, line);
            assert(wire[line] < net->system.nodes);
            if (net->back)
                net->back[(size_t)boundary * net->system.nodes + wire[line]] = line;
        }
    }
    for (int s = 0; s < net->system.levels; s++) {
        uint32_t divisor = 1;
        for (int d = t->digit(net->system.levels, s); d > 0; d--)
            divisor *= (uint32_t)net->ports;
        net->digit[s].divisor = divisor;
        net->digit[s].shift = power_of_two((uint32_t)net->ports) >= 0 ? power_of_two(divisor) : -1;
    }
}

static swq_status set_destinations(swq_context *ctx, swq_net *net)
{
    const swq_traffic *traffic = &net->spec->traffic;
    const swq_pattern *pattern = traffic->pattern;

    if (pattern != &swq_pattern_matrix)
        return swq_pattern_make_image(ctx, pattern, net->system.nodes, net->system.options->seed,
                                      &net->image);
    size_t n = net->system.nodes;
    net->choice = swq_calloc(ctx, n * n, sizeof *net->choice);
    if (!net->choice)
        return swq_memory_status(ctx);
    for (size_t i = 0; i < n; i++) {
        double sum = 0, all = 0;
        for (size_t j = 0; j < n; j++)
            all += traffic->matrix[i * n + j];
        for (size_t j = 0; j < n; j++) {
            sum += traffic->matrix[i * n + j];
            net->choice[i * n + j] = sum / all;
        }
    }
    return SWQ_OK;
}

/* One array; `count` elements of *array's type. */
#define TAKE(array, count)                                                                         \
    ((array) = swq_calloc(ctx, (size_t)(count), sizeof *(array)), (array) != NULL)

static swq_status take_memory(swq_context *ctx, swq_net *net, bool plain)
{
    const swq_network *spec = net->spec;
    size_t buffers = (size_t)net->system.levels * net->buffers, queues = (size_t)net->queues;
    size_t switches = (size_t)net->system.levels * (net->system.nodes / (uint32_t)net->ports);
    bool copies = net->credit_next;
    bool ok = TAKE(net->length, buffers * queues) &&
              TAKE(net->room, buffers * (size_t)net->parts) &&
              TAKE(net->packet, buffers * (size_t)net->slots) &&
              TAKE(net->wire, (size_t)(net->system.levels + 1) * net->system.nodes) &&
              TAKE(net->stage_packets, net->system.levels);

    if (ok && net->slots <= SWQ_WORD_SLOTS)
        ok = TAKE(net->order, buffers * queues);
    else if (ok)
        ok = TAKE(net->tail, buffers * queues) && TAKE(net->link, buffers * (size_t)net->links);
    if (ok && wants_trail(net))
        ok = TAKE(net->trail, buffers * (size_t)net->slots);
    if (ok && spec->stale > 0)
        ok = TAKE(net->since, buffers * queues);
    if (ok && net->memory_words > 0)
        ok = TAKE(net->memory, switches * (size_t)net->memory_words);
    /* the fast engine looks at lengths only where room is a matter of the queue */
    bool by_length = plain || net->part[0].rule.queue_min > 0;
    if (ok && copies && by_length)
        ok = TAKE(net->seen_length, buffers * queues);
    if (ok && copies && !plain)
        ok = TAKE(net->seen_room, buffers * (size_t)net->parts);
    if (ok && spec->sw.buffer.scope == SWQ_POOL)
        ok = TAKE(net->back, (size_t)(net->system.levels + 1) * net->system.nodes);
    return ok ? swq_system_count(ctx, &net->system) : swq_memory_status(ctx);
}

/* ---- as a system ---- */

/* Lets the stage before see this stage as it is before it transmits. */
static void show(swq_net *net, int stage)
{
    size_t at = swq_buffer_at(net, stage, 0);

    if (net->seen_length)
        memcpy(net->seen_length + at * (size_t)net->queues, net->length + at * (size_t)net->queues,
               sizeof *net->length * net->buffers * (size_t)net->queues);
    if (net->seen_room)
        memcpy(net->seen_room + at * (size_t)net->parts, net->room + at * (size_t)net->parts,
               sizeof *net->room * net->buffers * (size_t)net->parts);
}

/* One stage cycle. */
static void cycle(swq_net *net)
{
    uint64_t population;

    net->create(net);
    population = net->system.waiting;
    for (int s = 0; s < net->system.levels; s++)
        population += net->stage_packets[s];
    net->system.tally[SWQ_NET_WAITING] += net->system.waiting;
    net->system.tally[SWQ_NET_POPULATION] += population;
    net->system.area += population;
    /* from the last stage back, so that a packet moves once, and into what has transmitted */
    for (int s = net->system.levels - 1; s >= 0; s--) {
        show(net, s);
        net->transmit(net, s);
    }
    for (int s = 0; s < net->system.levels; s++)
        net->system.tally[swq_tally_stage(s) + SWQ_STAGE_OCCUPANCY] += net->stage_packets[s];
    net->cycle++;
}

/* A trace has nothing more to say and the network is empty. */
static bool ran_dry(const swq_net *net)
{
    const swq_system *s = &net->system;

    return net->spec->traffic.kind == SWQ_SOURCE_TRACE && s->waiting == 0 &&
           s->created == net->spec->traffic.trace_packets &&
           s->created == s->delivered + s->discarded;
}

static uint64_t advance(swq_system *system, uint64_t cycles)
{
    swq_net *net = (swq_net *)system;
    uint64_t done = 0;

    do {
        cycle(net);
        done++;
        system->drained = ran_dry(net);
    } while (done < cycles && !system->drained);
    return done;
}

static void audit(const swq_system *system, uint64_t *packets, uint64_t *age)
{
    const swq_net *net = (const swq_net *)system;
    size_t buffers = (size_t)net->system.levels * net->buffers;

    swq_sources_audit(net, packets, age);
    for (size_t at = 0; at < buffers; at++) {
        for (int q = 0; q < net->queues; q++) {
            int length = net->length[at * (size_t)net->queues + (size_t)q];
            for (int k = 0; k < length; k++) {
                size_t slot = at * (size_t)net->slots + (size_t)swq_slot_of(net, at, q, k);
                ++*packets;
                *age += net->cycle - net->packet[slot].birth;
            }
        }
    }
}

static void release(swq_context *ctx, swq_system *system)
{
    swq_net_free(ctx, (swq_net *)system);
}

/* ---- beginning and end ---- */

swq_status swq_net_new(swq_context *ctx, const swq_network *spec, const swq_sim_options *options,
                       uint32_t replication, swq_net **made)
{
    uint32_t nodes;
    swq_status status =
        swq_topology_nodes(ctx, spec->topology, spec->sw.ports, spec->stages, &nodes);
    if (status)
        return status;
    swq_net *net = swq_calloc(ctx, 1, sizeof *net);
    if (!net)
        return swq_memory_status(ctx);
    lay_out(net, spec, options, nodes);
    net->streams = swq_streams_of(options->seed, replication);
    net->switch_stream.streams = net->streams;
    net->rng = (gsl_rng){swq_switch_rng, &net->switch_stream};
    swq_dice_begin_sampling(&net->dice, &net->rng);
    net->transmit = options->plain ? NULL : swq_transmit_fast(net);
    const bool fast = net->transmit != NULL;
    net->system.engine = fast ? "sync" : "plain";
    net->system.advance = advance;
    net->system.audit = audit;
    net->system.release = release;
    status = take_memory(ctx, net, !fast);
    if (!status) {
        empty_buffers(net);
        set_wiring(net);
        if (!fast)
            net->transmit =
                spec->sw.buffer.scope == SWQ_POOL ? swq_transmit_pool : swq_transmit_plain;
        status = set_destinations(ctx, net);
    }
    if (!status)
        status = swq_sources_new(ctx, net);
    if (!status && fast)
        net->create = swq_create_fast(net);
    if (status) {
        swq_net_free(ctx, net);
        return status;
    }
    *made = net;
    return SWQ_OK;
}

void swq_net_free(swq_context *ctx, swq_net *net)
{
    if (!net)
        return;
    swq_sources_free(ctx, net);
    swq_system_free_counts(ctx, &net->system);
    void *const blocks[] = {
        net->length, net->room,          net->order,  net->tail,        net->link,      net->packet,
        net->trail,  net->since,         net->memory, net->seen_length, net->seen_room, net->wire,
        net->back,   net->stage_packets, net->image,  net->choice,
    };
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
        swq_free(ctx, blocks[k]);
    swq_free(ctx, net);
}

void swq_deliver(swq_net *net, swq_packet packet, swq_trail trail, uint32_t sink)
{
    uint32_t latency = net->cycle - packet.birth + 1;
    int cell = swq_cell_of(net, trail.from, &packet);
    uint64_t *count = net->system.tally + swq_tally_cell(net->system.levels, cell);

    assert(sink == (packet.to & ~SWQ_HIGH));
    count[SWQ_CELL_DELIVERED]++;
    count[SWQ_CELL_LATENCY] += latency;
    net->system.histogram[(size_t)cell * SWQ_HISTOGRAM_BINS + swq_histogram_bin(latency)]++;
    if (net->system.node_count)
        net->system.node_count[swq_node_count_at(
                                   &net->system,
                                   net->system.classes > 1 ? swq_class_of(&packet) : 0, sink) +
                               (latency < SWQ_NODE_BINS ? latency : SWQ_NODE_BINS - 1)]++;
    net->system.delivered++;
    net->system.sojourn += latency;
}

void swq_discard(swq_net *net, int stage, swq_packet packet, swq_trail trail, uint32_t age)
{
    swq_cell(net, trail.from, &packet)[SWQ_CELL_DISCARDED]++;
    net->system.tally[swq_tally_stage(stage) + SWQ_STAGE_DROPPED]++;
    if (net->spec->resend) {
        swq_sources_return(net, trail.from, packet);
        return;
    }
    net->system.discarded++;
    net->system.sojourn += age;
}
