/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The managements RECN, enhanced RECN and FBICM: the engine of recn.h, between the senders and
 * the counters of an asynchronous network. A packet counts at the store that holds its header; a
 * packet in its node's interface counts as waiting at its source.
 */
#define SWQ_GENERAL       1
#define SWQ_OUTPUT_STORES 0
#define SWQ_READ_PORTS    0

#include "base/context.h"
#include "models/arbiters/arbiters.h"
#include "sim/frame/interfaces.h"
#include "sim/frame/turn_packets.h"
#include "sim/switches/check.h"
#include "sim/switches/recn/recn.h"
#include "sim/switches/saqs/routes.h"

#include <math.h>

static swq_recn *own(const swq_async_net *net)
{
    return swq_own_state(net);
}

/* ---- events of a packet ---- */

static swq_parcel parcel_of(const swq_recn_packet *p)
{
    return (swq_parcel){.birth = p->birth,
                        .from = p->from,
                        .group = p->group,
                        .to = p->to,
                        .bytes = p->bytes,
                        .blocks = 1,
                        .entered = p->entered};
}

/* A packet goes from the memory of an output over its link. */
static void show_link(const swq_async_net *net, const swq_recn_packet *p, uint32_t out)
{
    const uint32_t ports = (uint32_t)net->ports;
    const swq_start start = {.cycle = net->cycle,
                             .from = p->from,
                             .to = p->to,
                             .birth = p->birth,
                             .bytes = p->bytes,
                             .switch_ = out / ports,
                             .output = out % ports,
                             .output_store = true};

    net->watch->started(net->watch->arg, &start);
}

/* A packet's number in reports. */
static size_t number_of(const swq_async_net *net, const swq_recn_packet *p)
{
    return (size_t)(p - own(net)->packet);
}

static void comes_to(swq_async_net *net, const swq_recn_packet *p, uint32_t port)
{
    if (net->scheme)
        swq_scheme_entered(net, port, p->to);
    swq_probe_enter(&net->system, true, number_of(net, p), port, net->port[port].in_level, true,
                    net->cycle);
}

static void begun(void *arg, const swq_recn_packet *p)
{
    swq_async_net *net = arg;

    if (net->watch && net->watch->started) {
        const swq_parcel parcel = parcel_of(p);
        const swq_start start = swq_interface_start(net, &parcel);
        net->watch->started(net->watch->arg, &start);
    }
    swq_probe_departs(&net->system, 1);
    swq_count_sent(net, p->from, p->bytes);
    comes_to(net, p, net->fabric->entry[p->from]);
}

static void crossed(void *arg, const swq_recn_packet *p, uint32_t in, uint32_t out)
{
    swq_async_net *net = arg;
    const int crossbars = net->fabric->levels;

    if (net->watch && net->watch->started) {
        const swq_parcel parcel = parcel_of(p);
        const uint32_t ports = (uint32_t)net->ports;
        show_start(net, in / ports, (int)(in % ports), (int)(out % ports), &parcel);
    }
    swq_probe_start(&net->system, true, number_of(net, p), in, net->port[in].in_level, net->cycle);
    swq_probe_enter(&net->system, true, number_of(net, p), net->inputs + out, crossbars, false,
                    net->cycle);
    swq_probe_sent(&net->system, crossbars, p->bytes);
}

static void leaves_output(swq_async_net *net, const swq_recn_packet *p, uint32_t out)
{
    if (net->watch && net->watch->started)
        show_link(net, p, out);
    swq_probe_start(&net->system, true, number_of(net, p), net->inputs + out, net->fabric->levels,
                    net->cycle);
    swq_probe_link(&net->system, link_of(net, out), p->bytes);
    swq_probe_sent(&net->system, net->fabric->out_level[out], p->bytes);
}

static void linked(void *arg, const swq_recn_packet *p, uint32_t out)
{
    swq_async_net *net = arg;

    leaves_output(net, p, out);
    comes_to(net, p, net->fabric->link[out]);
}

static void arrived(void *arg, const swq_recn_packet *p, uint32_t out)
{
    swq_async_net *net = arg;

    leaves_output(net, p, out);
    net->parcel[0] = parcel_of(p); /* order is judged by creation */
    net->sent[0] = p->birth;
    deliver(net, &net->parcel[0]);
}

static void room(void *arg, uint32_t node)
{
    swq_async_net *net = arg;

    if (net->sender[node].birth <= net->cycle) /* it waits for the slot */
        swq_wheel_set(&net->senders, net->cycle + 1, node);
}

/* ---- the kernel ---- */

static void look_at_units(swq_async_net *net)
{
    swq_recn_cycle(own(net));
    swq_probe_set_aside(&net->system, own(net)->counts.in_use);
}

static bool is_open(swq_async_net *net, uint32_t port, int class)
{
    const uint32_t sender = net->port[port].feeder & ~SWQ_TO_NODE;

    (void)class;
    return swq_interface_loses(net, sender) || swq_recn_open(own(net), sender);
}

/* A node has a packet for its interface. */
static void offer(swq_async_net *net, uint32_t sender, const swq_parcel *parcel)
{
    swq_probe_offered(&net->system, parcel->group, 1);
    if (swq_recn_open(own(net), sender)) {
        const swq_recn_packet p = {.route = swq_route_of(net->fabric, sender, parcel->to),
                                   .birth = parcel->birth,
                                   .from = parcel->from,
                                   .group = parcel->group,
                                   .to = parcel->to,
                                   .bytes = parcel->bytes};
        swq_recn_give(own(net), sender, &p);
        swq_interface_took(net, sender, parcel);
    } else {
        swq_interface_drop(net, parcel);
    }
    swq_interface_handed(net, sender, parcel->bytes);
}

static const swq_kernel kernel = {.look_at_units = look_at_units, .open = is_open, .offer = offer};

/* ---- the rows ---- */

static int slots_of_output(const swq_async *n)
{
    return (int)((int64_t)n->architecture.output.blocks * n->packet.block / n->packet.max);
}

static swq_recn_plan plan_of(const swq_async *n, const swq_fabric *f)
{
    return (swq_recn_plan){
        .fabric = f,
        .kind = n->management.row->by_flow        ? SWQ_RECN_FLOWS
                : n->management.row->refuses_some ? SWQ_RECN_BASIC
                                                  : SWQ_RECN_ENHANCED,
        .saqs = n->management.saqs,
        .detect = n->management.detect,
        .xoff = n->management.xoff,
        .xon = n->management.xon,
        .slots = {n->memory.bytes / n->packet.max, slots_of_output(n), n->interface.packets},
        .speed_bytes = (uint32_t)n->architecture.output.speedup_bytes,
        .speed_cycles = (uint32_t)n->architecture.output.speedup_cycles,
        .hop_delay = (uint32_t)n->link.hop_delay,
        .link_rest = (uint32_t)n->link.rest,
        .crossbar_delay = (uint32_t)n->architecture.output.crossbar_delay,
        .credit_delay = (uint32_t)n->flow.credit_delay,
        .longest = (uint32_t)n->packet.max,
        .refused = n->management.refused,
    };
}

static swq_status check_numbers(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    enum { MOST_SLOTS = SWQ_MAX_BUFFER_BLOCKS };
    const int packet = n->packet.max;
    swq_status status = swq_check_whole(ctx, "saqs", n->management.saqs, 0, SWQ_MAX_SAQS_OF_PORT);

    if (!status)
        status = swq_check_whole(ctx, "detect", n->management.detect, 1, MOST_SLOTS);
    if (!status)
        status = swq_check_whole(ctx, "xoff", n->management.xoff, 1, MOST_SLOTS);
    if (!status)
        status = swq_check_whole(ctx, "xon", n->management.xon, 1, n->management.xoff);
    if (!status)
        status =
            swq_check_whole(ctx, "interface-packets", n->interface.packets, 1, SWQ_MAX_INTERFACE);
    if (!status)
        status = swq_check_whole(ctx, "credit-delay", n->flow.credit_delay, 0, 4096);
    if (!status)
        status =
            swq_check_whole(ctx, "crossbar-delay", n->architecture.output.crossbar_delay, 1, 4096);
    if (!status)
        status = swq_check_whole(ctx, "bytes", n->memory.bytes, packet, MOST_SLOTS * packet);
    if (!status && (slots_of_output(n) < 1 || slots_of_output(n) > MOST_SLOTS))
        status =
            swq_fail(ctx, SWQ_EINVAL, "output-bytes must be at least a packet of %d bytes, not %d",
                     packet, n->architecture.output.blocks * n->packet.block);
    if (!status && (n->architecture.output.speedup_cycles < 1 ||
                    n->architecture.output.speedup_bytes < n->architecture.output.speedup_cycles ||
                    n->architecture.output.speedup_bytes >
                        (int64_t)f->ports * n->architecture.output.speedup_cycles))
        status = swq_fail(
            ctx, SWQ_EINVAL,
            "speedup must be 1 to %d, the ports of a switch, not %d bytes in %d cycles", f->ports,
            n->architecture.output.speedup_bytes, n->architecture.output.speedup_cycles);
    return status;
}

/* Are there more records of packets and markers, or notices under way, than 32 bits count? */
static bool has_too_many(const swq_async *n, const swq_fabric *f)
{
    const double ports = (double)f->switches * f->ports, saqs = n->management.saqs;
    const double slots = ports * ((double)n->memory.bytes / n->packet.max + slots_of_output(n)) +
                         (double)f->nodes * n->interface.packets;
    const double markers =
        (2 * ports + f->nodes) * (saqs + (n->management.row->by_flow ? f->nodes : 0));

    return slots + markers > UINT32_MAX ||
           ports * (saqs + 3.0 * n->link.hop_delay + (saqs + 2) * f->ports + 2) > UINT32_MAX;
}

static swq_status refuse(swq_context *ctx, const swq_async *n, const char *what, const char *value,
                         const char *why)
{
    return swq_fail(ctx, SWQ_EINVAL, "%s %s is not for management %s, %s", what, value,
                    n->management.row->name, why);
}

static swq_status check(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    if (n->interface.cold)
        return swq_fail(
            ctx, SWQ_EINVAL,
            "interface-cold is for management recn-iq, not for %s, whose interfaces are "
            "full when their memory is",
            n->management.row->name);
    if (!n->architecture.row->async.output_stores || n->architecture.row->async.at_once)
        return refuse(ctx, n, "architecture", n->architecture.row->name,
                      "which is for switches with memory at inputs and outputs: cioq");
    if (f->levels == SWQ_MAX_LEVELS)
        return swq_fail(ctx, SWQ_EINVAL, "architecture %s: the network has too many levels, %d",
                        n->architecture.row->name, f->levels);
    if (n->flow.row != &swq_flow_blocking)
        return refuse(ctx, n, "flow", n->flow.row->name,
                      "which has credits of its own: flow block");
    if (n->arbiter.row != &swq_arbiter_rotating)
        return refuse(ctx, n, "arbiter", n->arbiter.row->name, "whose crossbars go by turns");
    if (n->management.queues)
        return swq_fail(ctx, SWQ_EINVAL, "queues must not be given with management %s: saqs",
                        n->management.row->name);
    if (n->packet.piece > 0 && n->packet.piece < n->packet.max)
        return swq_fail(ctx, SWQ_EINVAL,
                        "piece must not be given with management %s, whose slots take a packet "
                        "whole",
                        n->management.row->name);
    if (n->memory.release != SWQ_RELEASE_BLOCKS)
        return swq_fail(ctx, SWQ_EINVAL,
                        "release must be blocks with management %s, whose slots are free when "
                        "their packet is gone",
                        n->management.row->name);
    if (n->architecture.output.store_and_forward)
        return swq_fail(ctx, SWQ_EINVAL,
                        "cut-through must be on with management %s, whose packets go on when "
                        "their header has come, not off",
                        n->management.row->name);
    if (swq_messages_are_cut(n))
        return swq_fail(ctx, SWQ_EINVAL,
                        "max-packet must be the longest message with management %s, whose slots "
                        "hold messages whole, not %d",
                        n->management.row->name, n->packet.max);
    const int bits =
        n->management.row->by_flow ? SWQ_MOST_TURNPOOL_BITS : n->management.turnpool_bits;
    swq_status status = swq_routes_check(ctx, n->management.row->name, f, bits);

    if (!status)
        status = check_numbers(ctx, n, f);
    if (!status && has_too_many(n, f))
        status = swq_fail(ctx, SWQ_ELIMIT,
                          "management %s: the network has too many slots, markers or notices",
                          n->management.row->name);
    return status;
}

static void lay_out(swq_async_net *net)
{
    const swq_recn_plan plan = plan_of(net->spec, net->fabric);

    swq_recn_lay_out(own(net), &plan);
    net->queues = net->slots = net->output_slots = 1; /* generic stores, which stay empty */
    net->system.ordered = true;
    net->system.set_aside = true;
    net->system.packets = own(net)->records;
    net->system.store_room[0] = plan.slots[SWQ_RECN_INPUT];
    net->system.store_room[1] = plan.slots[SWQ_RECN_OUTPUT];
}

static void list(swq_async_net *net, swq_arrays *arrays)
{
    swq_recn_list(own(net), arrays);
}

static void empty(swq_async_net *net)
{
    const swq_recn_told told = {net, begun, crossed, linked, arrived, room, NULL, NULL};

    swq_recn_empty(own(net), &told);
}

static void watch(swq_async_net *net)
{
    own(net)->told.event = net->watch->saq;
    own(net)->told.event_arg = net->watch->arg;
}

static void begin(swq_async_net *net)
{
    swq_recn *n = own(net);

    swq_saq_counts_begin(&n->counts, net->cycle);
    for (uint32_t s = 0; s < n->stores; s++)
        n->store[s].most = n->store[s].taken;
}

static void audit(const swq_async_net *net, uint64_t *packets, uint64_t *age, uint64_t *bytes)
{
    swq_recn_audit(own(net), packets, age, bytes);
}

static bool conserved(const swq_async_net *net)
{
    return swq_recn_sound(own(net));
}

static uint32_t held(const swq_async_net *net, uint32_t store)
{
    return own(net)->store[store].taken;
}

static uint32_t held_for(const swq_async_net *net, uint32_t store, uint32_t node)
{
    const swq_recn *n = own(net);
    const swq_recn_queue *queue = swq_recn_queues_of(n, store);
    uint32_t count = 0;

    for (int q = 0; q < n->queues[swq_recn_place_of(n, store)]; q++) {
        uint32_t k = queue[q].head;
        for (int left = queue[q].packets + queue[q].markers; left > 0; left--) {
            const swq_recn_packet *p = &n->packet[k];
            count += p->bytes > 0 && p->to == node; /* else it is a marker */
            k = p->next;
        }
    }
    return count;
}

static uint32_t aside(const swq_async_net *net, uint32_t store)
{
    return (uint32_t)__builtin_popcount(own(net)->store[store].saqs);
}

static uint32_t used(const uint8_t *level, uint32_t ports)
{
    uint32_t count = 0;

    for (uint32_t k = 0; k < ports; k++)
        count += level[k] != UINT8_MAX;
    return count;
}

static int most_slots(const swq_recn *n, swq_recn_place at, uint32_t stores)
{
    int most = 0;

    for (uint32_t k = 0; k < stores; k++) {
        const int here = n->store[n->first_store[at] + k].most;
        most = here > most ? here : most;
    }
    return most;
}

static const swq_saq_counts *saq_counts(const swq_async_net *net)
{
    return &own(net)->counts;
}

static void tell_saqs(const swq_async_net *net, swq_saq_use *sum)
{
    const swq_recn *n = own(net);
    const swq_fabric *f = net->fabric;
    swq_saq_counts part = n->counts;

    /* inputs and interfaces as everywhere, and outputs as if they were inputs */
    part.ports = n->inputs;
    part.port = n->counts.port + n->inputs;
    const swq_saq_use outputs =
        swq_saq_use_of(&part, n->inputs, used(f->out_level, n->inputs), net->cycle);
    part.ports = n->nodes;
    part.port = n->counts.port + 2 * (size_t)n->inputs;
    const swq_saq_use interfaces = swq_saq_use_of(&part, n->nodes, n->nodes, net->cycle);
    part = n->counts;
    part.ports = n->inputs;
    swq_saq_use use = swq_saq_use_of(&part, n->inputs, used(f->in_level, n->inputs), net->cycle);
    use.interface_in_use = interfaces.in_use;
    use.at_outputs = true;
    use.output_in_use = outputs.in_use;
    use.most_at_output = outputs.most;
    use.most_slots = most_slots(n, SWQ_RECN_INPUT, n->inputs);
    use.most_output_slots = most_slots(n, SWQ_RECN_OUTPUT, n->inputs);
    use.notices = n->more.notices;
    use.refused_specific = n->more.specific;
    use.refused_full = n->more.unserved;
    use.dropped = net->system.discarded;
    use.hops = net->system.hops;
    swq_saq_use_add(sum, &use);
}

static const swq_store_hooks recn = {
    .kernel = &kernel,
    .state = sizeof(swq_recn),
    .check = check,
    .lay_out = lay_out,
    .list = list,
    .empty = empty,
    .begin = begin,
    .watch = watch,
    .audit = audit,
    .conserved = conserved,
    .held = held,
    .held_for = held_for,
    .aside = aside,
    .saq_counts = saq_counts,
    .tell_saqs = tell_saqs,
    .interfaces = true,
    .tells_entries = true,
};

#define SAQ_DEFAULTS                                                                               \
    .stores = &recn, .needs_output_stores = true, .default_saqs = 8, .default_detect = 16,         \
    .default_xoff = 10, .default_xon = 5, .default_bytes = 32768, .default_packet = 64

const swq_management swq_management_recn = {
    .name = "recn",
    .summary = "--saqs set-aside queues at inputs and outputs for packets whose path leads through "
               "a congested output",
    .source = "Duato, Johnson, Flich, Naven, Garcia and Nachiondo (RECN, 2005)",
    SAQ_DEFAULTS,
    .refuses_some = true,
};

const swq_management swq_management_recn_enhanced = {
    .name = "recn-enhanced",
    .summary = "as recn, but congestion is also detected at inputs, and every notice is accepted",
    .source = "Garcia, Flich, Duato, Johnson, Quiles and Naven (2005)",
    .detection_queues = true,
    SAQ_DEFAULTS,
};

const swq_management swq_management_fbicm = {
    .name = "fbicm",
    .summary = "as recn, but by destinations, for switches that route by tables",
    .source = "Escudero-Sahuquillo, Garcia, Quiles, Flich and Duato (FBICM, 2008)",
    .detection_queues = true,
    SAQ_DEFAULTS,
    .by_flow = true,
};
