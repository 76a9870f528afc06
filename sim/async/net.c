/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making an asynchronous network, its cycle, and counting what is in it.
 * Room: sim. Includes models and base.
 */
#include "sim/async/net.h"

#include "base/context.h"
#include "base/statistics.h"
#include "models/arbiters/arbiters.h"

#include <string.h>

enum {
    LOOK_EVERY = 8192,   /* cycles, for deadlocks; or as many as there are queues, if fewer */
    SENDERS_AHEAD = 255, /* a sender whose next message is farther off is looked at in vain: rarely,
                            in exchange for a small wheel */
};

static int blocks_of(const swq_async *spec, int bytes)
{
    return (bytes + spec->block - 1) / spec->block;
}

/* Are groups of senders told apart, or from the others? */
static bool grouped(const swq_async *spec)
{
    return spec->groups > 1 || (spec->groups == 1 && spec->group[0].mask != 0);
}

/* The last packet of a message. */
static int last_packet(const swq_async *spec, uint32_t bytes)
{
    uint32_t rest = bytes % (uint32_t)spec->max_packet;
    return rest > 0 ? (int)rest : spec->max_packet;
}

/* The shortest packet that there can be: it says how many fit a buffer. */
static int shortest_packet(const swq_async *spec)
{
    int shortest = spec->max_packet;

    for (uint64_t k = 0; spec->trace && k < spec->trace_messages; k++) {
        int last = last_packet(spec, spec->trace[k].bytes);
        shortest = last < shortest ? last : shortest;
    }
    for (int k = 0; !spec->trace && k < spec->groups * SWQ_MAX_MESSAGE_TYPES; k++) {
        const swq_sender_group *g = &spec->group[k / SWQ_MAX_MESSAGE_TYPES];
        const swq_spread *length = &g->type[k % SWQ_MAX_MESSAGE_TYPES].length;
        int last = 1;
        if (g->silent || k % SWQ_MAX_MESSAGE_TYPES >= g->types)
            continue;
        if (length->kind == SWQ_CONSTANT)
            last = last_packet(spec, (uint32_t)length->first);
        else if (length->kind == SWQ_UNIFORM && length->second <= spec->max_packet)
            last = (int)length->first;
        shortest = last < shortest ? last : shortest;
    }
    return shortest;
}

static void lay_out(swq_async_net *net, const swq_async *spec, const swq_sim_options *options,
                    const swq_fabric *fabric)
{
    const int capacity = spec->bytes / spec->block, packet = blocks_of(spec, spec->max_packet);

    net->spec = spec;
    net->fabric = fabric;
    net->ports = fabric->ports;
    net->classes = fabric->classes;
    net->queues = spec->buffer->queues == SWQ_ONE_QUEUE ? 1 : fabric->classes;
    net->each_queue = spec->buffer->read == SWQ_READ_EACH_QUEUE;
    net->pooled = !spec->buffer->partitioned;
    net->room = capacity - packet;
    net->limit = capacity;
    if (spec->buffer->partitioned)
        net->limit = capacity / net->queues - packet;
    if (spec->flow->threshold && spec->threshold < net->limit)
        net->limit = spec->threshold;
    net->limited = spec->buffer->partitioned || spec->flow->threshold;
    net->slots = capacity / blocks_of(spec, shortest_packet(spec));
    net->block = (uint32_t)spec->block;
    net->step = spec->release == SWQ_RELEASE_BLOCKS ? net->block : SWQ_NEVER;
    net->most_held = spec->release == SWQ_RELEASE_START ? 1
                     : spec->release == SWQ_RELEASE_HOP ? (uint16_t)spec->hop_delay
                                                        : UINT16_MAX;
    net->hop_delay = (uint32_t)spec->hop_delay;
    net->link_rest = (uint32_t)spec->link_rest;
    net->rotating = spec->arbiter == &swq_arbiter_rotating;
    net->memory_words = swq_arbiter_memory(spec->arbiter, net->ports);

    swq_system *s = &net->system;
    s->engine = "async";
    s->options = options;
    s->nodes = fabric->nodes;
    s->levels = fabric->levels;
    s->classes = 1;
    s->groups = spec->groups > 1 ? spec->groups : 1;
    s->cells = grouped(spec) ? s->groups + 1 : 1; /* and one for who is in none */
    s->amount = SWQ_CELL_BYTES;
    for (int k = 0; k < fabric->levels; k++) {
        s->level_switches[k] = fabric->level_inputs[k];
        s->level_outputs[k] = fabric->level_outputs[k];
    }
}

static uint32_t ahead(const swq_async *spec)
{
    int busy = spec->max_packet + spec->link_rest;
    return (uint32_t)(busy > spec->hop_delay ? busy : spec->hop_delay);
}

static uint32_t senders_ahead(const swq_async *spec)
{
    return ahead(spec) > SENDERS_AHEAD ? ahead(spec) : SENDERS_AHEAD;
}

double swq_async_net_bytes(const swq_async *spec, const swq_sim_options *options,
                           const swq_fabric *fabric)
{
    swq_async_net net = {0};

    lay_out(&net, spec, options, fabric);
    double ports = (double)fabric->switches * fabric->ports;
    return sizeof net + swq_system_bytes(&net.system) +
           ports * (sizeof *net.port + net.slots * sizeof *net.parcel +
                    net.queues * (sizeof *net.lane + sizeof *net.movable +
                                  (net.each_queue ? sizeof *net.reader : 0))) +
           (double)fabric->switches * net.memory_words * sizeof *net.memory +
           swq_wheel_bytes(2 * fabric->switches * (uint32_t)fabric->ports, ahead(spec)) +
           swq_wheel_bytes(fabric->nodes, senders_ahead(spec)) + swq_senders_bytes(spec, fabric);
}

#define TAKE(array, count)                                                                         \
    ((array) = swq_calloc(ctx, (size_t)(count), sizeof *(array)), (array) != NULL)

static swq_status take_memory(swq_context *ctx, swq_async_net *net)
{
    const swq_fabric *f = net->fabric;
    size_t ports = (size_t)f->switches * (size_t)f->ports;
    size_t queues = ports * (size_t)net->queues;
    bool ok = TAKE(net->port, ports) && TAKE(net->lane, queues) &&
              TAKE(net->parcel, ports * (size_t)net->slots) && TAKE(net->inside, f->levels) &&
              TAKE(net->movable, queues) && (!net->each_queue || TAKE(net->reader, queues));

    if (ok && net->memory_words)
        ok = TAKE(net->memory, (size_t)f->switches * (size_t)net->memory_words);
    swq_status status = ok ? SWQ_OK : swq_memory_status(ctx);
    if (!status)
        status = swq_wheel_new(ctx, 2 * (uint32_t)ports, ahead(net->spec), &net->wheel);
    if (!status)
        status = swq_wheel_new(ctx, f->nodes, senders_ahead(net->spec), &net->senders);
    return status;
}

static void empty_buffers(swq_async_net *net)
{
    const swq_fabric *f = net->fabric;
    uint32_t ports = f->switches * (uint32_t)f->ports;

    for (uint32_t k = 0; k < ports; k++) {
        swq_parcel *store = net->parcel + (size_t)k * (uint32_t)net->slots;
        swq_port *port = &net->port[k];
        port->sw = k / (uint32_t)f->ports;
        port->in_level = f->in_level[k];
        port->out_level = f->out_level[k];
        port->link = f->link[k];
        for (int slot = 0; slot < net->slots; slot++)
            store[slot].next = slot + 1 < net->slots ? (uint16_t)(slot + 1) : SWQ_NO_SLOT;
        for (int q = 0; q < net->queues && net->each_queue; q++)
            net->reader[(size_t)k * (uint32_t)net->queues + (uint32_t)q].lane = (uint32_t)q;
        if (!(f->link[k] & SWQ_TO_NODE))
            net->port[f->link[k]].feeder = k;
    }
    for (uint32_t node = 0; node < f->nodes; node++)
        net->port[f->entry[node]].feeder = SWQ_TO_NODE | node;
}

static void release(swq_context *ctx, swq_system *system)
{
    swq_async_net *net = (swq_async_net *)system;

    if (!net)
        return;
    swq_senders_free(ctx, net);
    swq_wheel_free(ctx, &net->wheel);
    swq_wheel_free(ctx, &net->senders);
    void *const blocks[] = {net->port,   net->lane,    net->reader, net->parcel,    net->memory,
                            net->inside, net->movable, net->frame,  net->frames_all};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
        swq_free(ctx, blocks[k]);
    swq_system_free_counts(ctx, system);
    swq_free(ctx, net);
}

/* ---- a cycle ---- */

/* Look at everything that is due; what is found out in this cycle is due in later ones. */
static void look_at_senders(swq_async_net *net)
{
    uint64_t *slot = swq_wheel_slot(&net->senders, net->cycle);

    for (uint32_t w = 0; w < net->senders.words; w++) {
        uint64_t set = slot[w];
        slot[w] = 0;
        for (; set; set &= set - 1)
            swq_sender_turn(net, w * 64 + (uint32_t)__builtin_ctzll(set));
    }
}

static void look_at_switches(swq_async_net *net)
{
    uint64_t *slot = swq_wheel_slot(&net->wheel, net->cycle);
    const uint32_t width = 2 * (uint32_t)net->ports;
    uint32_t sw = 0, end = 0, due[2] = {0, 0}; /* the switch whose ports are being gathered */

    for (uint32_t w = 0; w < net->wheel.words; w++) {
        uint64_t set = slot[w];
        slot[w] = 0;
        for (; set; set &= set - 1) {
            uint32_t number = w * 64 + (uint32_t)__builtin_ctzll(set);
            if (number >= end) {
                if (end)
                    swq_switch_turn(net, sw, due[0], due[1]);
                sw = number / width;
                end = (sw + 1) * width;
                due[0] = due[1] = 0;
            }
            due[number & 1] |= 1u << (number - (end - width)) / 2;
        }
    }
    if (end)
        swq_switch_turn(net, sw, due[0], due[1]);
}

static void count_cycle(swq_async_net *net)
{
    swq_system *s = &net->system;
    uint64_t population = s->waiting;

    for (int k = 0; k < s->levels; k++) {
        population += net->inside[k];
        s->tally[swq_tally_stage(k) + SWQ_STAGE_OCCUPANCY] += net->inside[k];
    }
    s->tally[SWQ_NET_WAITING] += s->waiting;
    s->tally[SWQ_NET_POPULATION] += population;
    s->area += population;
    s->drained =
        net->spec->trace && population == 0 && net->messages_sent == net->spec->trace_messages;
}

static uint64_t advance(swq_system *system, uint64_t cycles)
{
    swq_async_net *net = (swq_async_net *)system;
    uint64_t done = 0;

    while (done < cycles && !system->drained) {
        look_at_senders(net);
        look_at_switches(net);
        count_cycle(net);
        if (net->frame)
            swq_watch_cycle(net);
        net->cycle++;
        done++;
    }
    return done;
}

static void look(swq_system *system)
{
    swq_async_net *net = (swq_async_net *)system;

    uint64_t queues = (uint64_t)net->fabric->switches * (uint64_t)(net->ports * net->queues);

    if (net->cycle - net->looked < (queues < LOOK_EVERY ? queues : LOOK_EVERY))
        return;
    net->looked = net->cycle;
    system->stuck = swq_find_deadlock(net);
}

static void begin(swq_system *system)
{
    swq_watch_begin((swq_async_net *)system);
}

/* ---- counting ---- */

void swq_async_audit(const swq_async_net *net, uint64_t *packets, uint64_t *age, uint64_t *bytes)
{
    const swq_fabric *f = net->fabric;
    size_t ports = (size_t)f->switches * (size_t)f->ports;

    *packets = *age = *bytes = 0;
    swq_senders_audit(net, packets, age, bytes);
    for (size_t port = 0; port < ports; port++) {
        for (uint32_t set = net->port[port].full; set; set &= set - 1) {
            const swq_lane *lane =
                &net->lane[port * (size_t)net->queues + (size_t)__builtin_ctz(set)];
            uint16_t slot = lane->head;
            while (slot != SWQ_NO_SLOT) {
                const swq_parcel *p = &net->parcel[port * (size_t)net->slots + slot];
                ++*packets;
                *age += net->cycle - p->birth;
                *bytes += p->bytes;
                slot = p->next;
            }
        }
    }
}

static void audit(const swq_system *system, uint64_t *packets, uint64_t *age)
{
    uint64_t bytes;

    swq_async_audit((const swq_async_net *)system, packets, age, &bytes);
}

swq_status swq_async_net_new(swq_context *ctx, const swq_async *spec,
                             const swq_sim_options *options, const swq_fabric *fabric,
                             uint32_t replication, swq_async_net **made)
{
    swq_async_net *net = swq_calloc(ctx, 1, sizeof *net);
    if (!net)
        return swq_memory_status(ctx);
    lay_out(net, spec, options, fabric);
    net->system.advance = advance;
    net->system.audit = audit;
    net->system.look = look;
    net->system.begin = begin;
    net->system.release = release;
    net->streams = swq_streams_of(options->seed, replication);
    net->switch_stream.streams = net->streams;
    net->rng = (gsl_rng){swq_switch_rng, &net->switch_stream};
    swq_dice_begin_sampling(&net->dice, &net->rng);
    net->requests.ports = net->ports;
    net->requests.read_each_queue = net->each_queue;
    net->requests.iterations = spec->iterations > 0 ? spec->iterations : 1;
    swq_status status = swq_system_count(ctx, &net->system);
    if (!status)
        status = take_memory(ctx, net);
    if (!status) {
        empty_buffers(net);
        status = swq_senders_new(ctx, net);
    }
    if (!status && grouped(spec))
        net->system.group = net->group_of;
    if (status) {
        release(ctx, &net->system);
        return status;
    }
    *made = net;
    return SWQ_OK;
}
