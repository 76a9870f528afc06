/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making a network, and counting the packets in it.
 */
#include "sim/stages/behind.h"
#include "sim/stages/buffers.h"

#include "base/context.h"
#include "base/statistics.h"
#include "sim/measure/probe.h"
#include "sim/patterns/image.h"
#include "sim/stages/oracle.h"
#include "sim/stages/shares.h"
#include "switchq/detail.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static int power_of_two(uint32_t n)
{
    return n && !(n & (n - 1)) ? __builtin_ctz(n) : -1;
}

/* How the buffers are divided between the classes. */
static void lay_out_buffers(swq_net *net)
{
    const swq_network *spec = net->spec;
    swq_class_queues q;

    swq_class_queues_init(&spec->sw.buffer, net->ports, &spec->sw.priority, &q);
    net->parts = q.parts;
    net->whole = spec->sw.buffer.scope != SWQ_POOL;
    for (int k = 0; k < q.parts; k++) {
        const swq_buffer *rule = &q.part[k].rule;
        net->whole = net->whole && rule->queue_min == 0 && rule->queue_max >= rule->capacity &&
                     rule->alpha == 0;
    }
    for (int k = 0; k < 2; k++) {
        net->part[k] = q.part[k];
        net->queue_base[k] = q.base[k];
        net->queue_fans[k] = q.fans[k];
    }
    net->queues = q.queues;
    net->slots = q.slots;
    net->places = q.slots < SWQ_SHORT_SLOTS ? SWQ_SHORT_SLOTS : q.slots;
    net->links = net->slots + net->queues + net->parts;
}

/* The memory behind the buffers, and how stores show it: a queue before an output is a store of its
 * own, and crosspoints are part of their input's store. */
static void lay_out_behind(swq_net *net)
{
    const swq_switch *sw = &net->spec->sw;
    const swq_architecture *a = swq_switch_architecture(sw);

    if (!a->stage.two_steps)
        return;
    net->behind.queues = a->stage.crosspoints ? net->ports * net->ports : net->ports;
    net->behind.slots = a->stage.crosspoints ? sw->crosspoint_slots : sw->output_slots;
    if (a->stage.crosspoints) {
        net->system.store_room[0] += net->ports * net->behind.slots;
    } else {
        net->system.stores *= 2;
        net->system.store_room[1] = net->behind.slots;
    }
}

/* The number of sources that send. */
static double count_sources(const swq_traffic *t, uint32_t nodes)
{
    double sources = 0;

    if (t->kind == SWQ_SOURCE_TRACE)
        return 0;
    for (uint32_t i = 0; i < nodes; i++)
        sources += (t->node_load ? t->node_load[i] : t->load) > 0;
    return sources;
}

/* The system's `kind_of_sender`. */
static double kind_of_source(const swq_system *system, uint32_t node)
{
    const swq_traffic *t = &((const swq_net *)system)->spec->traffic;

    if (t->kind == SWQ_SOURCE_TRACE)
        return NAN;
    return t->node_load ? t->node_load[node] : t->load;
}

/* Fills in, for measurement, how many packets each sender has created and sent. */
static void senders(const swq_system *system, swq_sender_count *count)
{
    swq_sources_count((const swq_net *)system, count);
}

/* Fills in the network as the code of sim/measure sees it: sizes, counters and functions. */
static void lay_out_system(swq_system *system, const swq_network *spec,
                           const swq_sim_options *options, uint32_t nodes)
{
    system->options = options;
    system->nodes = nodes;
    system->levels = spec->shape.stages;
    system->group = options->group;
    system->groups = options->group ? options->groups : 1;
    system->classes =
        spec->sw.priority.fraction > 0 || spec->traffic.kind == SWQ_SOURCE_TRACE ? SWQ_CLASSES : 1;
    system->cells = system->classes * system->groups;
    system->amount = SWQ_CELL_DELIVERED;
    system->links = (size_t)nodes * (size_t)(spec->shape.stages + 1);
    system->sources = count_sources(&spec->traffic, nodes);
    system->holds = spec->traffic.kind == SWQ_SOURCE_HOLD;
    system->resends = spec->resend;
    system->waits = spec->sw.flow == SWQ_BLOCK || spec->resend;
    /* a packet that is lost for good does not say whose it was */
    system->senders = system->waits ? senders : NULL;
    system->kind_of_sender = kind_of_source;
    for (int s = 0; s < system->levels; s++) {
        system->level_switches[s] = nodes / (double)spec->sw.ports;
        system->level_outputs[s] = nodes;
    }
}

static bool is_input_queued(const swq_switch *sw)
{
    return swq_switch_architecture(sw) == swq_architectures[0];
}

/* Are measures asked for, which follow packets from store to store? */
static bool measures(const swq_net *net)
{
    return swq_measures_counters(net->system.options->detail) > 0;
}

static bool wants_trail(const swq_net *net)
{
    return net->spec->resend || net->started || net->ended || measures(net) ||
           swq_buffer_pool_rule(&net->spec->sw.buffer)->oldest_first ||
           (net->system.group && net->system.options->group_by_source);
}

static void lay_out(swq_net *net, const swq_network *spec, const swq_sim_options *options,
                    uint32_t nodes, uint32_t replication)
{
    const swq_switch *sw = &spec->sw;

    lay_out_system(&net->system, spec, options, nodes);
    net->spec = spec;
    net->ports = sw->ports;
    net->switches = nodes / (uint32_t)sw->ports;
    net->buffers = sw->buffer.scope == SWQ_POOL ? nodes / (uint32_t)sw->ports : nodes;
    net->credit_next = sw->credit == SWQ_CREDIT_NEXT;
    net->discards = sw->flow == SWQ_DISCARD;
    net->blocks = !net->discards;
    net->memory_words =
        sw->buffer.scope == SWQ_POOL ? 0 : swq_arbiter_memory(sw->arbiter, sw->ports);
    net->four = swq_arbiter_four(sw->arbiter);
    lay_out_buffers(net);
    net->system.stores = net->system.input_stores = (size_t)net->system.levels * net->buffers;
    net->system.store_room[0] = net->slots;
    lay_out_behind(net);
    net->sources.returned_room = swq_sources_returned_room(net);
    net->started = replication == 0 ? options->started : NULL;
    net->ended = replication == 0 ? options->ended : NULL;
    net->fast = !options->plain && !net->started && !net->ended && !measures(net) &&
                is_input_queued(sw) && swq_choose_fast(net);
    net->packs = net->fast && swq_packs(net);
    net->show = net->packs ? swq_show_packed() : NULL;
}

/* ---- its arrays ---- */

void swq_net_changing(swq_net *net, swq_arrays *list)
{
    const swq_network *spec = net->spec;
    const double buffers = (double)net->system.levels * net->buffers;
    const double queues = buffers * net->queues, parts = buffers * net->parts;
    const double switches = (double)net->system.levels * net->system.nodes / net->ports;
    const double behind = switches * net->behind.queues;
    const bool words = swq_queues_are_words(net), few = net->slots <= SWQ_SHORT_SLOTS;

    SWQ_ARRAY(list, net->length, net->packs ? 0 : queues);
    SWQ_ARRAY(list, net->room, net->packs ? 0 : parts);
    SWQ_ARRAY(list, net->short_order, few ? queues : 0);
    SWQ_ARRAY(list, net->order, words && !few ? queues : 0);
    SWQ_ARRAY(list, net->tail, words ? 0 : queues);
    SWQ_ARRAY(list, net->link, words ? 0 : buffers * net->links);
    SWQ_ARRAY(list, net->kept, swq_buffer_admission(&spec->sw.buffer)->keeps * queues);
    SWQ_ARRAY(list, net->sent, swq_buffer_admission(&spec->sw.buffer)->keeps ? queues : 0);
    SWQ_ARRAY(list, net->packet, buffers * net->places);
    SWQ_ARRAY(list, net->trail, wants_trail(net) ? buffers * net->places : 0);
    SWQ_ARRAY(list, net->since, spec->stale > 0 ? queues : 0);
    SWQ_ARRAY(list, net->memory, switches * net->memory_words);
    SWQ_ARRAY(list, net->behind.length, behind);
    SWQ_ARRAY(list, net->behind.first, behind);
    SWQ_ARRAY(list, net->behind.packet, behind * net->behind.slots);
    SWQ_ARRAY(list, net->behind.trail, wants_trail(net) ? behind * net->behind.slots : 0);
    SWQ_ARRAY(list, net->seen_length, net->credit_next && !net->whole ? queues : 0);
    SWQ_ARRAY(list, net->seen_room,
              net->packs || (net->credit_next && (net->whole || net->fast)) ? parts : 0);
    swq_sources_changing(net, list);
    swq_oracle_changing(net, list);
}

static void list_arrays(swq_net *net, swq_arrays *list)
{
    const swq_detail *detail = net->system.options->detail;
    const double nodes = net->system.nodes, lines = (net->system.levels + 1) * nodes;

    *list = (swq_arrays){0};
    swq_net_changing(net, list);
    swq_sources_constant(net, list);
    SWQ_ARRAY(list, net->wire, lines);
    SWQ_ARRAY(list, net->asked, SWQ_CLASSES * net->ports);
    SWQ_ARRAY(list, net->back, net->spec->sw.buffer.scope == SWQ_POOL ? lines : 0);
    SWQ_ARRAY(list, net->area,
              detail && detail->link ? (double)net->system.levels * net->buffers : 0);
    SWQ_ARRAY(list, net->choice, net->spec->traffic.pattern->matrix ? nodes * nodes : 0);
}

static swq_status take_memory(swq_context *ctx, swq_net *net)
{
    swq_arrays list;

    list_arrays(net, &list);
    swq_status status = swq_arrays_take(ctx, &list);
    return status ? status : swq_system_count(ctx, &net->system);
}

double swq_net_bytes(const swq_network *spec, const swq_sim_options *options, uint32_t nodes)
{
    swq_net net = {0};
    swq_arrays list;

    lay_out(&net, spec, options, nodes, 0);
    list_arrays(&net, &list);
    const int shares = swq_shares_of(&net, options->threads / options->replications);
    return sizeof net + swq_arrays_bytes(&list) + (double)nodes * sizeof *net.image +
           swq_system_bytes(&net.system) + swq_shares_bytes(&net, shares);
}

/* ---- empty, wired ---- */

/* Frees all slots of a part: as a mask, or linked to a list. */
static void free_part(swq_net *net, size_t at, int p)
{
    int first = net->part[p].first_slot, capacity = net->part[p].rule.capacity;

    net->room[at * (size_t)net->parts + (size_t)p] =
        (uint16_t)(swq_queues_are_words(net) ? ((1u << capacity) - 1) << first
                                             : (unsigned)capacity);
    if (swq_queues_are_words(net))
        return;
    uint16_t *link = net->link + at * (size_t)net->links;
    link[net->slots + net->queues + p] = (uint16_t)first;
    for (int slot = first; slot < first + capacity - 1; slot++)
        link[slot] = (uint16_t)(slot + 1);
}

static void empty_buffers(swq_net *net)
{
    size_t buffers = (size_t)net->system.levels * net->buffers;

    for (size_t at = 0; at < buffers && net->packs; at++)
        net->seen_room[at] = swq_packed_next(net->short_order + at * SWQ_PACKED_QUEUES, net->slots);
    if (net->packs)
        return;
    for (size_t at = 0; at < buffers; at++) {
        for (int q = 0; q < net->queues && !swq_queues_are_words(net); q++)
            net->tail[at * (size_t)net->queues + (size_t)q] = (uint16_t)(net->slots + q);
        for (int p = 0; p < net->parts; p++)
            free_part(net, at, p);
    }
    if (net->seen_room)
        memcpy(net->seen_room, net->room, sizeof *net->room * buffers * (size_t)net->parts);
}

static swq_stage_wiring wiring_of(const swq_net *net, int stage)
{
    swq_stage_wiring w = {.stage = stage,
                          .wire = net->wire + (size_t)(stage + 1) * net->system.nodes};

    for (int ahead = stage < 0; ahead < 2 && stage + ahead < net->system.levels; ahead++) {
        w.divisor[ahead] = net->digit[stage + ahead].divisor;
        w.shift[ahead] = net->digit[stage + ahead].shift;
    }
    w.here = stage < 0 ? 0 : swq_buffer_at(net, stage, 0);
    w.next = swq_buffer_at(net, stage + 1, 0) - w.here;
    return w;
}

static void set_wiring(swq_net *net)
{
    const swq_topology *t = net->spec->shape.wiring;

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
    for (int s = -1; s < net->system.levels; s++)
        net->wiring[s + 1] = wiring_of(net, s);
}

static swq_status set_destinations(swq_context *ctx, swq_net *net)
{
    const swq_traffic *traffic = &net->spec->traffic;
    const swq_pattern *pattern = traffic->pattern;
    const swq_places places = swq_places_in_a_row(net->system.nodes);

    if (!pattern->matrix)
        return swq_pattern_make_image(ctx, pattern, &places, net->system.options->seed,
                                      &net->image);
    size_t n = net->system.nodes;
    for (size_t i = 0; i < n; i++) {
        double sum = 0, all = 0;
        for (size_t j = 0; j < n; j++)
            all += traffic->matrix[i * n + j];
        if (all == 0) /* of a source whose load is 0 */
            continue;
        for (size_t j = 0; j < n; j++) {
            sum += traffic->matrix[i * n + j];
            net->choice[i * n + j] = sum / all;
        }
    }
    return SWQ_OK;
}

/* ---- as a system ---- */

/* Brings counters up to date: the counts of a link stand under the output where it begins, the
 * counts of a buffer under the line at which the buffer is. */
static void settle(swq_system *system)
{
    swq_net *net = (swq_net *)system;
    const uint32_t pooled = net->spec->sw.buffer.scope == SWQ_POOL ? (uint32_t)net->ports : 1;

    for (int s = 0; s < system->levels && net->area; s++) {
        for (uint32_t line = 0; line < system->nodes; line++) {
            const size_t link = (size_t)s * system->nodes + line;
            swq_probe_link_held(system, link,
                                net->area[swq_buffer_at(net, s, net->wire[link] / pooled)]);
        }
    }
}

/* Measuring begins. */
static void begin(swq_system *system)
{
    swq_net *net = (swq_net *)system;

    if (net->area)
        memset(net->area, 0, sizeof *net->area * (size_t)system->levels * net->buffers);
}

static bool ends_at_node(const swq_system *system, size_t link)
{
    return link / system->nodes == (size_t)system->levels;
}

/* The trace has ended, and the network is empty. */
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

    if (net->shares) {
        swq_shares_run(net->shares, cycles);
        return cycles;
    }
    do {
        swq_net_cycle(net);
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
        uint16_t copy[SWQ_PACKED_QUEUES];
        const uint16_t *length = swq_lengths(net, at, 1, copy);
        for (int q = 0; q < net->queues; q++) {
            for (int k = 0; k < length[q]; k++) {
                size_t slot = swq_place_of(net, at, (size_t)swq_slot_of(net, at, q, k));
                ++*packets;
                *age += net->cycle - net->packet[slot].birth;
            }
        }
    }
    const size_t switches = (size_t)net->system.levels * net->system.nodes / (size_t)net->ports;
    for (size_t queue = 0; queue < swq_behind_at(net, switches); queue++) {
        for (int k = 0; k < net->behind.length[queue]; k++) {
            ++*packets;
            *age += net->cycle - net->behind.packet[swq_behind_slot(net, queue, k)].birth;
        }
    }
}

static void release(swq_context *ctx, swq_system *system)
{
    swq_net_free(ctx, (swq_net *)system);
}

/* ---- beginning and end ---- */

/* The form of a stage's turn that runs the rules of models/ directly. */
static swq_stage_fn *slow_form(const swq_switch *sw)
{
    if (sw->buffer.scope == SWQ_POOL)
        return swq_transmit_pool;
    return is_input_queued(sw) ? swq_transmit_plain : swq_transmit_steps;
}

swq_status swq_net_new(swq_context *ctx, const swq_network *spec, const swq_sim_options *options,
                       uint32_t replication, swq_net **made)
{
    uint32_t nodes;
    swq_status status =
        swq_topology_nodes(ctx, spec->shape.wiring, spec->sw.ports, spec->shape.stages, &nodes);
    if (status)
        return status;
    swq_net *net = swq_calloc(ctx, 1, sizeof *net);
    if (!net)
        return swq_memory_status(ctx);
    lay_out(net, spec, options, nodes, replication);
    net->streams = swq_streams_of(options->seed, replication);
    net->switch_stream.streams = net->streams;
    net->rng = (gsl_rng){swq_switch_rng, &net->switch_stream};
    swq_dice_begin_sampling(&net->dice, &net->rng);
    net->system.engine = net->fast ? "sync" : "plain";
    net->system.advance = advance;
    net->system.audit = audit;
    net->system.begin = begin;
    net->system.hold = swq_net_hold;
    net->system.settle = settle;
    net->system.ends_at_node = ends_at_node;
    net->system.release = release;
    status = take_memory(ctx, net);
    if (!status) {
        empty_buffers(net);
        set_wiring(net);
        for (int c = 0; c < SWQ_CLASSES; c++)
            net->requests[c].length = net->asked + c * net->ports;
        if (!net->fast)
            net->transmit = slow_form(&spec->sw);
        status = set_destinations(ctx, net);
    }
    if (status) {
        swq_net_free(ctx, net);
        return status;
    }
    swq_sources_begin(net);
    if (net->fast && swq_create_fast(net))
        net->create = swq_create_fast(net);
    if (net->fast && swq_redraw_fast(net))
        net->redraw = swq_redraw_fast(net);
    /* threads not needed for other replications */
    const int shares = swq_shares_of(net, options->threads / options->replications);
    if (shares > 1)
        status = swq_shares_new(ctx, net, shares, &net->shares);
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
    swq_shares_free(ctx, net->shares);
    swq_arrays list;
    list_arrays(net, &list);
    swq_arrays_free(ctx, &list);
    swq_free(ctx, net->image);
    swq_system_free_counts(ctx, &net->system);
    swq_free(ctx, net);
}
