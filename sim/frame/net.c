/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making an asynchronous network, its cycle, and counting the packets in it.
 */
#include "sim/frame/net.h"

#include "base/context.h"
#include "base/statistics.h"
#include "models/arbiters/arbiters.h"
#include "sim/frame/acks.h"
#include "sim/frame/interfaces.h"
#include "sim/frame/schemes.h"
#include "sim/frame/shares.h"
#include "sim/frame/timings.h"
#include "switchq/detail.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    /* cycles between searches for deadlocks; or the number of queues, if that is less */
    LOOK_EVERY = 8192,
    SENDERS_AHEAD = 255, /* a sender whose next message lies further ahead is looked at in vain,
                            which is rare and keeps the wheel small */
    FAR_FROM = 1 << 20,  /* bytes; smaller networks lose more by fetching ahead than they win */
};

static int blocks_of(const swq_async *spec, int bytes)
{
    return (bytes + spec->packet.block - 1) / spec->packet.block;
}

/* Are senders counted separately by group, or at least senders in a group apart from senders in
 * none? */
static bool grouped(const swq_async *spec)
{
    return spec->traffic.groups > 1 ||
           (spec->traffic.groups == 1 && spec->traffic.group[0].mask != 0);
}

/* Works out the rule of the input stores. */
static void admit_at_inputs(swq_async_net *net, const swq_async *spec)
{
    const swq_buffer sent = swq_async_as_sent(spec, net->queues), *b = &sent;
    const bool split = swq_buffer_partitioned(b);
    swq_admission *a = &net->admission[0];

    a->by_rule = !split && (b->queue_min > 0 || b->alpha > 0 || net->escapes > 0);
    a->pooled = !split;
    a->room = b->capacity - net->packet;
    a->limit = split || b->queue_max < b->capacity ? b->queue_max - net->packet : b->capacity;
    a->limited = a->limit < b->capacity || spec->flow.row->threshold || a->by_rule;
    if (spec->flow.row->threshold && spec->flow.threshold < a->limit)
        a->limit = spec->flow.threshold;
}

/* Sets the limits of admission to the buffers of the last stage, which --last-bytes may give
 * another size than all others. */
static void admit_at_last(swq_async_net *net, const swq_async *spec)
{
    const int more = spec->memory.last_blocks - spec->memory.buffer.capacity;

    net->last_level = spec->memory.last_blocks ? net->fabric->levels - 1 : -1;
    net->admission[2] = net->admission[0];
    net->admission[2].room += more;
    net->admission[2].limit += more;
}

/* Limits of the queues of stores that a management splits evenly among them. */
static void admit_to_parts(swq_async_net *net, const swq_async *spec)
{
    const int blocks[2] = {spec->memory.buffer.capacity, spec->architecture.output.blocks};
    const int queues[2] = {net->queues, net->output_queues};

    for (int k = 0; k < (net->output_stores ? 2 : 1); k++) {
        swq_admission *a = &net->admission[k];
        const int limit = blocks[k] / queues[k] - net->packet;
        a->limit = a->limited && a->limit < limit ? a->limit : limit;
        a->limited = true;
    }
}

/* Cycles in which a channel sends a block. */
static uint32_t block_cycles(const swq_async *spec, const swq_timing *t)
{
    if (spec->memory.release != SWQ_RELEASE_BLOCKS)
        return SWQ_NEVER;
    return ((uint32_t)spec->packet.block * t->per + t->bytes - 1) / t->bytes;
}

/* The fewest blocks in a slot: of a packet, or of a piece, of which the last may be short. */
static int least_blocks(const swq_async *spec)
{
    return swq_pieces_asked(spec) ? 1 : blocks_of(spec, swq_async_shortest(spec));
}

/* Do the sets of a switch's ports take several words? */
static bool is_wide(const swq_async_net *net)
{
    return net->ports > SWQ_MAX_FABRIC_PORTS && (!net->stores || net->stores->wide_kernel);
}

/* Stores, channels and units of the architecture. */
static void build(swq_async_net *net, const swq_async *spec, const swq_sim_options *options,
                  const swq_fabric *fabric)
{
    const swq_timing link = {1, 1, (uint32_t)spec->link.hop_delay, (uint32_t)spec->link.rest};

    net->crossbars = fabric->switches;
    net->inputs = fabric->switches * (uint32_t)fabric->ports;
    net->output_stores = spec->architecture.row->async.output_stores;
    net->cut_through = !net->output_stores || !spec->architecture.output.store_and_forward;
    net->kernel = net->stores ? is_wide(net) ? net->stores->wide_kernel : net->stores->kernel
                              : spec->architecture.row->async.kernel(spec, options, net->ports);
    net->elements = net->output_stores ? 2 * net->inputs : net->inputs;
    net->units = net->crossbars + (net->elements - net->inputs);
    net->unit_shift = 1;
    while (1 << net->unit_shift < 2 * net->ports)
        net->unit_shift++;
    net->half = UINT32_C(1) << (net->unit_shift - 1);
    net->links_due = ((net->crossbars << net->unit_shift) + 63) / 64 * 64;
    net->timing[0] = net->timing[1] = link;
    if (!net->stores)
        admit_at_inputs(net, spec);
    admit_at_last(net, spec);
    if (net->output_stores) {
        net->timing[0] = (swq_timing){(uint32_t)spec->architecture.output.speedup_bytes,
                                      (uint32_t)spec->architecture.output.speedup_cycles,
                                      (uint32_t)spec->architecture.output.crossbar_delay, 0};
        net->admission[1] =
            (swq_admission){.room = spec->architecture.output.blocks - net->packet, .pooled = true};
        net->output_slots = spec->architecture.output.blocks / least_blocks(spec);
    }
    for (int k = 0; k < 2; k++)
        net->step[k] = block_cycles(spec, &net->timing[k]);
    swq_managed_lay_out(net, (uint32_t)swq_async_shortest(spec));
    if (net->managed.hooks && spec->management.row->apart)
        admit_to_parts(net, spec);
    swq_interfaces_lay_out(net);
    net->keeps_at_nodes = net->interfaces.queues > 0 ||
                          (net->stores && (net->stores->by_flit || net->stores->interfaces));
}

/* The mean load of a sender in those groups of a set, as bits, in which each sender has its own. */
static double own_load(const swq_async *spec, uint32_t node, unsigned set)
{
    double sum = 0;
    int groups = 0;

    for (int g = 0; g < spec->traffic.groups; g++) {
        if ((set >> g & 1) && spec->traffic.group[g].node_load)
            sum += spec->traffic.group[g].node_load[node], groups++;
    }
    return groups ? sum / groups : 0;
}

/* The speed of a sender's link, as a number of which each is apart from all sets of groups. */
static double kind_of_line(const swq_async_net *net, uint32_t node)
{
    const swq_graph *g = net->fabric->shape.graph;

    return g && g->speed_of
               ? (double)(UINT64_C(1) << (SWQ_MAX_SENDER_GROUPS + 2)) * g->speed_of[g->entry[node]]
               : 0;
}

/* The system's `kind_of_sender`: a sender's group, or the set of all groups in which the sender is
 * at some time; the speed of its link; and the load, if it is the sender's own, as less than a
 * whole number. */
static double kind_of_sender(const swq_system *system, uint32_t node)
{
    const swq_async_net *net = (const swq_async_net *)system;
    unsigned set = 0;

    if (net->spec->traffic.trace)
        return NAN;
    if (!net->timed)
        return kind_of_line(net, node) + 2 * net->group_of[node] +
               own_load(net->spec, node, 1U << net->group_of[node]);
    for (int g = 0; g < net->spec->traffic.groups; g++)
        set |= swq_sender_group_has(net->spec, g, node) ? 1U << g : 0;
    return kind_of_line(net, node) + 2 * (double)set + own_load(net->spec, node, set);
}

/* The system's `senders`. */
static void senders(const swq_system *system, swq_sender_count *count)
{
    const swq_async_net *net = (const swq_async_net *)system;

    memcpy(count, net->sender_count, sizeof *count * system->nodes);
}

static void lay_out(swq_async_net *net, const swq_async *spec, const swq_sim_options *options,
                    const swq_fabric *fabric)
{
    const swq_buffer *b = &spec->memory.buffer;

    net->spec = spec;
    net->flow = spec->flow.row->hooks;
    net->fabric = fabric;
    net->ports = fabric->ports;
    net->classes = fabric->classes;
    net->stores = swq_async_stores(spec);
    net->queues = net->stores ? fabric->ports : swq_async_queues(spec, fabric);
    net->any_queue = fabric->digit && net->queues == fabric->ports ? 0 : UINT32_MAX;
    net->escapes = fabric->escapes;
    net->choice = spec->arbiter.choice ? spec->arbiter.choice : swq_selections[0];
    net->asks_first = net->escapes > 0 || net->choice->by_first;
    net->each_queue = b->read == SWQ_READ_EACH_QUEUE;
    net->packet = swq_async_packet(spec);
    net->pieces.bytes = (uint32_t)swq_async_unit(spec);
    const int most =
        b->capacity > spec->memory.last_blocks ? b->capacity : spec->memory.last_blocks;
    net->slots = most / least_blocks(spec);
    net->block = (uint32_t)spec->packet.block;
    net->most_held = spec->memory.release == SWQ_RELEASE_START ? 1
                     : spec->memory.release == SWQ_RELEASE_HOP ? (uint16_t)spec->link.hop_delay
                     : spec->memory.release == SWQ_RELEASE_AFTER
                         ? (uint16_t)spec->memory.release_cycles
                         : UINT16_MAX;
    net->hop_delay = (uint32_t)spec->link.hop_delay;
    net->link_rest = (uint32_t)spec->link.rest;
    net->unrolled = spec->arbiter.row->unrolled;
    net->advances = spec->arbiter.row->advances;
    net->memory_words = swq_arbiter_memory(spec->arbiter.row, net->ports);
    swq_node_sets_count(spec, fabric, &net->sets);
    build(net, spec, options, fabric);

    swq_system *s = &net->system;
    s->engine = "async";
    s->waits = s->reports_stays = true;
    s->senders = senders;
    s->kind_of_sender = kind_of_sender;
    s->options = options;
    s->nodes = fabric->nodes;
    s->levels = fabric->levels + net->output_stores;
    s->classes = 1;
    s->groups = spec->traffic.groups > 1 ? spec->traffic.groups : 1;
    s->cells = grouped(spec) ? s->groups + 1 : 1; /* and one for senders in no group */
    s->amount = SWQ_CELL_BYTES;
    s->ordered = swq_shape_adaptive(&fabric->shape) ||
                 (swq_async_managed(spec) && spec->management.row->to_shortest);
    s->rest = spec->link.rest;
    s->stores = net->elements;
    s->input_stores = net->inputs;
    s->store_room[0] = most;
    s->store_room[1] = spec->architecture.output.blocks;
    if (net->stores)
        net->stores->lay_out(net);
    if (!s->packets)
        s->packets = (size_t)net->inputs * (size_t)net->slots +
                     (size_t)(net->elements - net->inputs) * (size_t)net->output_slots;
    s->follows = swq_messages_are_several(spec);
    s->copied = net->sets.sets ? spec->packet.max : 0;
    s->links = fabric->nodes + (size_t)fabric->switches * (size_t)fabric->ports;
    for (int k = 0; k < fabric->levels; k++) {
        s->level_switches[k] = fabric->level_inputs[k];
        s->level_outputs[k] = fabric->level_outputs[k];
        if (net->output_stores) { /* the last level counts the output stores */
            s->level_switches[fabric->levels] += fabric->level_outputs[k];
            s->level_outputs[fabric->levels] += fabric->level_outputs[k];
        }
    }
}

static uint32_t ahead(const swq_async_net *net)
{
    const swq_async *spec = net->spec;
    /* over a crossbar that waits for the tail */
    int late = spec->architecture.row->async.output_stores
                   ? spec->link.hop_delay + spec->architecture.output.crossbar_delay
                   : 0;
    const int longer = (int)swq_links_longest(spec), hop = spec->link.hop_delay + longer;
    int busy = spec->packet.max + spec->link.rest + late + longer;
    const swq_flow_hooks *flow = spec->flow.row->hooks;
    const swq_store_hooks *stores = swq_async_stores(spec);
    const int told = (flow && flow->ahead ? (int)flow->ahead(spec) : 0) +
                     (stores ? (int)stores->ahead + (is_wide(net) ? net->ports : 0) : 0);
    return (uint32_t)((busy > hop ? busy : hop) + told + (told ? longer : 0));
}

static uint32_t senders_ahead(const swq_async_net *net)
{
    return ahead(net) > SENDERS_AHEAD ? ahead(net) : SENDERS_AHEAD;
}

static void list_changing(swq_async_net *net, swq_arrays *list)
{
    const swq_fabric *f = net->fabric;
    const double outputs = net->elements - net->inputs;
    const double queues = (double)net->inputs * net->queues + outputs * net->output_queues;
    const double parcels = (double)net->inputs * net->slots + outputs * net->output_slots;

    const bool adaptive = swq_shape_adaptive(&f->shape);

    *list = (swq_arrays){0};
    SWQ_ARRAY(list, net->port, net->elements);
    SWQ_ARRAY(list, net->wide, is_wide(net) ? net->elements : 0);
    SWQ_ARRAY(list, net->queue, queues);
    SWQ_ARRAY(list, net->reader, net->each_queue ? (double)net->inputs * net->queues : 0);
    SWQ_ARRAY(list, net->parcel, parcels);
    SWQ_ARRAY(list, net->tail, net->kernel->tails ? parcels : 0);
    SWQ_ARRAY(list, net->fork, adaptive ? queues : 0);
    SWQ_ARRAY(list, net->wide_fork, adaptive && is_wide(net) ? queues : 0);
    SWQ_ARRAY(list, net->sent, net->system.ordered ? parcels : 0);
    SWQ_ARRAY(list, net->latest, net->system.ordered ? (double)f->nodes * f->nodes : 0);
    SWQ_ARRAY(list, net->left_bytes, swq_links_unlike(net->spec) ? queues : 0);
    SWQ_ARRAY(list, net->unit, net->kernel->waits ? f->switches : 0);
    SWQ_ARRAY(list, net->memory, (double)f->switches * net->memory_words);
    SWQ_ARRAY(list, net->movable, queues);
    SWQ_ARRAY(list, net->frame, 0); /* taken only if somebody watches */
    SWQ_ARRAY(list, net->frames_all, 0);
    if (swq_messages_are_followed(net->spec))
        swq_messages_list(&net->messages, list, f->nodes, parcels);
    if (swq_pieces_asked(net->spec))
        swq_pieces_list(net, list, parcels);
    swq_senders_changing(net, list);
    swq_managed_list(net, list);
    swq_interfaces_list(net, list);
    if (net->stores && net->stores->list)
        net->stores->list(net, list);
}

static bool has_speeds(const swq_fabric *fabric)
{
    return fabric->shape.graph && fabric->shape.graph->speed;
}

static void list_arrays(swq_async_net *net, swq_arrays *list)
{
    list_changing(net, list);
    swq_senders_constant(net, list);
    SWQ_ARRAY(list, net->system.link_speed, has_speeds(net->fabric) ? net->system.links : 0);
    SWQ_ARRAY(list, net->asked_wide, is_wide(net) ? net->ports : 0);
    SWQ_ARRAY(list, net->link_timing, swq_links_unlike(net->spec) ? net->inputs : 0);
    swq_node_sets_list(&net->sets, list);
}

static uint32_t wheel_bits(const swq_async_net *net)
{
    return net->links_due + 2 * (net->elements - net->inputs);
}

/* Threads for the shares of one network: the threads that are not needed for other replications. */
static int shares_of(const swq_async_net *net)
{
    const swq_sim_options *options = net->system.options;

    return swq_async_shares_of(net, options->threads / options->replications);
}

/* A network of which nothing is laid out, with its architecture's own state behind it; or NULL. */
static swq_async_net *blank(swq_context *ctx, const swq_async *spec)
{
    const swq_store_hooks *stores = swq_async_stores(spec);

    return swq_calloc(ctx, 1, sizeof(swq_async_net) + (stores ? stores->state : 0));
}

swq_status swq_async_net_bytes(swq_context *ctx, const swq_async *spec,
                               const swq_sim_options *options, const swq_fabric *fabric,
                               double *bytes)
{
    swq_async_net *net = blank(ctx, spec);
    swq_arrays list;

    if (!net)
        return swq_memory_status(ctx);
    lay_out(net, spec, options, fabric);
    list_arrays(net, &list);
    swq_wheel_lay_out(wheel_bits(net), ahead(net), &net->wheel);
    swq_wheel_lay_out(fabric->nodes, senders_ahead(net), &net->senders);
    *bytes = swq_async_shares_bytes(net, shares_of(net)) + sizeof *net +
             swq_system_bytes(&net->system) + swq_arrays_bytes(&list) +
             swq_wheel_bytes(wheel_bits(net), ahead(net)) +
             swq_wheel_bytes(fabric->nodes, senders_ahead(net)) + swq_senders_bytes(spec, fabric) +
             (net->flow && net->flow->bytes ? net->flow->bytes(net) : 0) + swq_scheme_bytes(net);
    if (net->stores)
        *bytes += (double)net->stores->state;
    swq_free(ctx, net);
    return SWQ_OK;
}

static swq_status take_memory(swq_context *ctx, swq_async_net *net)
{
    const swq_fabric *f = net->fabric;
    swq_arrays list;

    list_arrays(net, &list);
    net->far = net->kernel->shared && !net->stores && swq_arrays_bytes(&list) >= FAR_FROM;
    swq_status status = swq_arrays_take(ctx, &list);
    if (!status)
        swq_links_fill(net);
    if (!status)
        status = swq_wheel_new(ctx, wheel_bits(net), ahead(net), &net->wheel);
    if (!status)
        status = swq_wheel_new(ctx, f->nodes, senders_ahead(net), &net->senders);
    if (!status && net->flow && net->flow->make)
        status = net->flow->make(ctx, net);
    if (!status)
        status = swq_scheme_new(ctx, net);
    return status;
}

/* The speeds of links; and those of a level's links count in place of their number. */
static void set_speeds(swq_async_net *net)
{
    const swq_fabric *f = net->fabric;
    const swq_graph *g = f->shape.graph;
    swq_system *s = &net->system;

    for (int k = 0; k < f->levels; k++)
        s->level_outputs[k] = 0;
    for (uint32_t node = 0; node < f->nodes; node++)
        s->link_speed[node] = swq_graph_line_speed(g, node);
    for (uint32_t out = 0; out < net->inputs; out++) {
        s->link_speed[f->nodes + out] = swq_graph_link_speed(g, out);
        if (f->out_level[out] != UINT8_MAX)
            s->level_outputs[f->out_level[out]] += swq_graph_link_speed(g, out);
    }
}

/* The store, or node, to which the channel of an element leads. */
static uint32_t leads_to(const swq_async_net *net, uint32_t k)
{
    const swq_fabric *f = net->fabric;

    if (k >= net->inputs)
        return f->link[k - net->inputs];
    return net->output_stores && f->out_level[k] != UINT8_MAX ? net->inputs + k : f->link[k];
}

static void empty_store(swq_async_net *net, uint32_t k)
{
    const swq_fabric *f = net->fabric;
    const bool output = k >= net->inputs;
    const uint32_t place = output ? k - net->inputs : k;
    const int slots = output ? net->output_slots : net->slots;
    const uint8_t level = net->output_stores ? (uint8_t)f->levels : f->out_level[place];
    swq_parcel *store = swq_parcels_of(net, k);
    swq_port *port = &net->port[k];

    port->due = swq_due_input(net, k);
    port->place = output ? 0 : (uint8_t)(k % (uint32_t)net->ports);
    port->in_level = output ? level : f->in_level[k];
    port->out_level = output ? f->out_level[place] : level;
    port->link = leads_to(net, k);
    for (int slot = 0; slot < slots; slot++)
        store[slot].next = slot + 1 < slots ? (uint16_t)(slot + 1) : SWQ_NO_SLOT;
    for (int q = 0; q < net->queues && net->each_queue && !output; q++)
        net->reader[(size_t)k * (uint32_t)net->queues + (uint32_t)q].queue = (uint32_t)q;
    if (!(port->link & SWQ_TO_NODE))
        net->port[port->link].feeder = k;
}

static void empty_buffers(swq_async_net *net)
{
    const swq_fabric *f = net->fabric;

    for (uint32_t k = 0; k < net->elements; k++)
        empty_store(net, k);
    for (uint32_t node = 0; node < f->nodes; node++)
        net->port[f->entry[node]].feeder = SWQ_TO_NODE | node;
    swq_interfaces_empty(net);
    if (net->stores && net->stores->empty)
        net->stores->empty(net);
}

static void release(swq_context *ctx, swq_system *system)
{
    swq_async_net *net = (swq_async_net *)system;
    swq_arrays list;

    if (!net)
        return;
    swq_async_shares_free(ctx, net->shares);
    swq_senders_free(ctx, net);
    if (net->flow && net->flow->free)
        net->flow->free(ctx, net);
    swq_scheme_free(ctx, net);
    swq_wheel_free(ctx, &net->wheel);
    swq_wheel_free(ctx, &net->senders);
    list_arrays(net, &list);
    swq_arrays_free(ctx, &list);
    swq_system_free_counts(ctx, system);
    swq_free(ctx, net);
}

/* ---- going on ---- */

static uint64_t advance(swq_system *system, uint64_t cycles)
{
    swq_async_net *net = (swq_async_net *)system;

    return net->shares ? swq_async_shares_run(net->shares, cycles)
                       : swq_async_net_cycles(net, cycles);
}

static void look(swq_system *system)
{
    swq_async_net *net = (swq_async_net *)system;

    /* a management may have many more, most of them empty */
    const int each = net->queues < net->classes ? net->queues : net->classes;
    uint64_t queues = (uint64_t)net->fabric->switches * (uint64_t)(net->ports * each);

    if (net->cycle - net->looked < (queues < LOOK_EVERY ? queues : LOOK_EVERY))
        return;
    net->looked = net->cycle;
    system->stuck = net->kernel->deadlocked && net->kernel->deadlocked(net);
}

static void begin(swq_system *system)
{
    swq_async_net *net = (swq_async_net *)system;

    swq_watch_begin(net);
    swq_links_begin(net);
    if (net->stores && net->stores->begin)
        net->stores->begin(net);
}

/* ---- its state ---- */

const char *swq_async_without_state(const swq_async *spec, char *text, size_t size)
{
    const swq_store_hooks *stores = swq_async_stores(spec);
    const swq_flow_hooks *flow = spec->flow.row->hooks;

    *text = 0;
    if (swq_async_managed(spec))
        snprintf(text, size, "management %s", spec->management.row->name);
    else if (stores && !stores->keep)
        snprintf(text, size, "architecture %s", spec->architecture.row->name);
    else if (flow && flow->make && !flow->keep)
        snprintf(text, size, "flow %s", spec->flow.row->name);
    else if (spec->sender.row)
        snprintf(text, size, "sender %s", spec->sender.row->name);
    return *text ? text : NULL;
}

static void keep_totals(swq_async_net *net, swq_state *state)
{
    swq_pieces *p = &net->pieces;

    swq_state_add(state, &net->cycle, sizeof net->cycle);
    swq_state_add(state, &net->streams, sizeof net->streams);
    swq_state_add(state, &net->switch_stream.streams, sizeof net->switch_stream.streams);
    swq_state_add(state, &net->messages.free, sizeof net->messages.free);
    swq_state_add(state, &net->messages_sent, sizeof net->messages_sent);
    swq_state_add(state, &net->looked, sizeof net->looked);
    swq_state_add(state, &net->waiting, sizeof net->waiting);
    swq_state_add(state, &net->waiting_count, sizeof net->waiting_count);
    swq_state_add(state, &p->unfinished, sizeof p->unfinished);
    swq_state_add(state, &p->bytes_sent, sizeof p->bytes_sent);
    swq_state_add(state, &p->bytes_arrived, sizeof p->bytes_arrived);
}

void swq_async_net_state_of(swq_async_net *net, swq_state *state)
{
    swq_system *s = &net->system;
    swq_arrays list;

    *state = (swq_state){0};
    keep_totals(net, state);
    swq_state_add(state, &s->waiting, sizeof s->waiting);
    swq_state_add(state, &s->riding, sizeof s->riding);
    swq_state_add(state, &s->stuck, sizeof s->stuck);
    swq_state_add(state, s->inside, (size_t)s->levels * sizeof *s->inside);
    list_changing(net, &list);
    swq_wheel_list(&net->wheel, &list);
    swq_wheel_list(&net->senders, &list);
    swq_state_add_arrays(state, &list);
    if (net->stores)
        net->stores->keep(net, state);
    if (net->flow && net->flow->keep)
        net->flow->keep(net, state);
}

/* ---- counting ---- */

void swq_async_audit(const swq_async_net *net, uint64_t *packets, uint64_t *age, uint64_t *bytes)
{
    *packets = *age = *bytes = 0;
    swq_senders_audit(net, packets, age, bytes);
    swq_interfaces_audit(net, packets, age, bytes);
    for (uint32_t port = 0; port < net->elements; port++) {
        for (swq_walk w = swq_walk_begin(net, port); w.now; swq_walk_on(&w)) {
            const swq_queue *queue = &swq_queues_of(net, port)[swq_walk_queue(&w)];
            uint16_t slot = queue->head;
            while (slot != SWQ_NO_SLOT) {
                const swq_parcel *p = &swq_parcels_of(net, port)[slot];
                const uint32_t whole = swq_packet_begins(net, p);
                *packets += whole > 0; /* a packet in pieces is counted at its first piece */
                *age += whole ? net->cycle - p->birth : 0;
                *bytes += whole;
                slot = p->next;
            }
        }
    }
    if (net->stores && net->stores->audit)
        net->stores->audit(net, packets, age, bytes);
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
    swq_async_net *net = blank(ctx, spec);
    if (!net)
        return swq_memory_status(ctx);
    lay_out(net, spec, options, fabric);
    net->system.advance = advance;
    net->system.audit = audit;
    net->system.look = look;
    net->system.begin = begin;
    net->system.hold = swq_watch_hold;
    if (net->stores && net->stores->aside)
        net->system.aside = swq_watch_aside;
    net->system.settle = swq_links_settle;
    net->system.ends_at_node = swq_link_ends_at_node;
    net->system.release = release;
    net->streams = swq_streams_of(options->seed, replication);
    net->switch_stream.streams = net->streams;
    net->rng = (gsl_rng){swq_switch_rng, &net->switch_stream};
    swq_dice_begin_sampling(&net->dice, &net->rng);
    net->requests.ports = net->ports;
    net->requests.read_each_queue = net->each_queue;
    net->requests.iterations = spec->arbiter.iterations > 0 ? spec->arbiter.iterations : 1;
    swq_status status = swq_system_count(ctx, &net->system);
    if (!status)
        status = take_memory(ctx, net);
    if (!status) {
        empty_buffers(net);
        if (!status && net->system.link_speed)
            set_speeds(net);
        if (net->messages.each)
            swq_messages_empty(&net->messages, fabric->nodes);
        swq_notices_begin(net);
        status = swq_senders_new(ctx, net);
    }
    if (!status && grouped(spec))
        net->system.group = net->group_of;
    if (!status && shares_of(net) > 1)
        status = swq_async_shares_new(ctx, net, shares_of(net), &net->shares);
    if (status) {
        release(ctx, &net->system);
        return status;
    }
    *made = net;
    return SWQ_OK;
}
