/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The management RECN-IQ: the engine of recn_iq.h between the senders and the counts of an
 * asynchronous network. A packet counts where its header is, from the cycle in which that begins to
 * leave the place before; in an interface it counts as waiting at the sender.
 */
#define SWQ_GENERAL       1
#define SWQ_OUTPUT_STORES 0
#define SWQ_READ_PORTS    0

#include "base/context.h"
#include "models/arbiters/arbiters.h"
#include "sim/frame/interfaces.h"
#include "sim/frame/turn_packets.h"
#include "sim/switches/check.h"
#include "sim/switches/recn_iq/recn_iq.h"
#include "sim/switches/saqs/routes.h"

/* The engine's number of a packet is its index among the network's packets. */
static swq_iq *own(const swq_async_net *net)
{
    return swq_own_state(net);
}

/* ---- events of a packet ---- */

/* A packet enters the memory of an input. */
static void comes_to(swq_async_net *net, const swq_parcel *p, uint32_t port)
{
    if (net->scheme)
        swq_scheme_entered(net, port, p->to);
    swq_probe_enter(&net->system, true, (size_t)(p - net->parcel), port, net->port[port].in_level,
                    true, net->cycle);
}

static void begun(void *arg, uint32_t packet)
{
    swq_async_net *net = arg;
    const swq_parcel *p = &net->parcel[packet];
    const uint32_t entry = net->fabric->entry[p->from];

    if (net->watch && net->watch->started) {
        const swq_start start = swq_interface_start(net, p);
        net->watch->started(net->watch->arg, &start);
    }
    swq_probe_departs(&net->system, 1);
    swq_count_sent(net, p->from, p->bytes);
    /* it waits for the slot, or soon will */
    if (net->sender[p->from].birth < net->cycle + p->bytes)
        swq_wheel_set(&net->senders, net->cycle + p->bytes, p->from);
    comes_to(net, p, entry);
}

/* A packet leaves the memory of an input by an output. */
static void leaves(swq_async_net *net, const swq_parcel *p, uint32_t port, uint32_t out)
{
    const uint32_t sw = port / (uint32_t)net->ports, base = sw * (uint32_t)net->ports;

    if (net->watch && net->watch->started)
        show_start(net, sw, (int)(port - base), (int)(out - base), p);
    swq_probe_start(&net->system, true, (size_t)(p - net->parcel), port, net->port[port].in_level,
                    net->cycle);
    swq_probe_link(&net->system, link_of(net, out), p->bytes);
    swq_probe_sent(&net->system, net->port[out].out_level, p->bytes);
}

static void passed(void *arg, uint32_t packet, uint32_t port, uint32_t out)
{
    swq_async_net *net = arg;
    swq_parcel *p = &net->parcel[packet];

    leaves(net, p, port, out);
    p->entered = (uint8_t)(p->entered + (p->entered < UINT8_MAX));
    comes_to(net, p, net->fabric->link[out]);
}

static void last(void *arg, uint32_t packet, uint32_t port, uint32_t out)
{
    swq_async_net *net = arg;
    const swq_parcel *p = &net->parcel[packet];

    leaves(net, p, port, out);
    deliver(net, p);
}

/* The cold queue of an interface is below its limit. */
static void room(void *arg, uint32_t node)
{
    swq_async_net *net = arg;

    if (net->sender[node].birth <= net->cycle) /* the next packet has been created, and waits for
                                                  room */
        swq_wheel_set(&net->senders, net->cycle + 1, node);
}

/* ---- the kernel ---- */

static void look_at_units(swq_async_net *net)
{
    swq_iq *w = own(net);

    swq_iq_cycle(w);
    swq_probe_set_aside(&net->system, w->counts.in_use);
}

static bool is_open(swq_async_net *net, uint32_t port, int class)
{
    const uint32_t sender = net->port[port].feeder & ~SWQ_TO_NODE;

    (void)class;
    if (swq_interface_loses(net, sender))
        return true; /* it takes the packet, or the packet is lost */
    return swq_iq_has_room(own(net), sender);
}

/* A node has a packet for its interface. */
static void offer(swq_async_net *net, uint32_t sender, const swq_parcel *parcel)
{
    swq_iq *w = own(net);

    swq_probe_offered(&net->system, parcel->group, 1);
    if (swq_iq_has_room(w, sender)) {
        const uint32_t packet = swq_iq_take(w, sender, parcel->to, parcel->bytes);
        net->parcel[packet] = *parcel;
        net->sent[packet] = net->cycle;
        swq_interface_took(net, sender, parcel);
    } else {
        swq_interface_drop(net, parcel);
    }
    swq_interface_handed(net, sender, parcel->bytes);
}

static const swq_kernel kernel = {.look_at_units = look_at_units, .open = is_open, .offer = offer};

/* ---- the row ---- */

static int slots_of(const swq_async *n)
{
    return n->memory.bytes / n->packet.max;
}

static swq_iq_plan plan_of(const swq_async *n, const swq_fabric *fabric)
{
    return (swq_iq_plan){
        .fabric = fabric,
        .slots = slots_of(n),
        .interface = n->interface.packets,
        .cold = n->interface.cold,
        .saqs = n->management.saqs,
        .detect = n->management.detect,
        .xoff = n->management.xoff,
        .xon = n->management.xon,
        .hop = n->link.hop_delay,
        .inspection = n->management.inspection,
        .rest = n->link.rest,
        .credit = n->flow.credit_delay,
        .bytes = n->packet.max,
    };
}

/* All messages must be single packets. */
static swq_status check_lengths(swq_context *ctx, const swq_async *n)
{
    if (!swq_messages_are_cut(n))
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL,
                    "max-packet must be the longest message with management %s, whose slots hold "
                    "messages whole, not %d",
                    n->management.row->name, n->packet.max);
}

static swq_status check_sizes(swq_context *ctx, const swq_async *n)
{
    const int slots = n->packet.max > 0 ? slots_of(n) : 0;
    swq_status status = swq_check_whole(ctx, "saqs", n->management.saqs, 0, SWQ_MAX_SAQS);

    if (!status && (slots < 1 || slots > SWQ_MAX_BUFFER_BLOCKS))
        status =
            swq_fail(ctx, SWQ_EINVAL, "bytes must be %d to %d, 1 to %d slots of %d bytes, not %d",
                     n->packet.max, SWQ_MAX_BUFFER_BLOCKS * n->packet.max, SWQ_MAX_BUFFER_BLOCKS,
                     n->packet.max, n->memory.bytes);
    if (!status)
        status = swq_check_whole(ctx, "detect", n->management.detect, 1, slots);
    if (!status)
        status = swq_check_whole(ctx, "xoff", n->management.xoff, 1, slots);
    if (!status)
        status = swq_check_whole(ctx, "xon", n->management.xon, 1, n->management.xoff);
    if (!status)
        status =
            swq_check_whole(ctx, "interface-packets", n->interface.packets, 1, SWQ_MAX_INTERFACE);
    if (!status && n->interface.cold)
        status = swq_check_whole(ctx, "interface-cold", n->interface.cold, 1, n->interface.packets);
    if (!status)
        status = swq_check_whole(ctx, "credit-delay", n->flow.credit_delay, 1, 4096);
    if (!status)
        status = swq_check_whole(ctx, "inspection-cycles", n->management.inspection, 1, 4096);
    return status;
}

static swq_status check(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    const char *name = n->management.row->name;
    swq_status status = swq_routes_check(ctx, name, f, n->management.turnpool_bits);

    if (!status)
        status = check_sizes(ctx, n);
    if (!status)
        status = check_lengths(ctx, n);
    if (!status &&
        (!n->architecture.row->async.input_buffers || n->architecture.row->async.output_stores))
        status = swq_fail(ctx, SWQ_EINVAL, "management %s is for architecture input-queued, not %s",
                          name, n->architecture.row->name);
    if (!status && n->flow.row != &swq_flow_blocking)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "flow %s is not for management %s, which has credits for each memory and "
                          "Xoff and Xon for each set-aside queue: flow block",
                          n->flow.row->name, name);
    if (!status && n->packet.piece > 0 && n->packet.piece < n->packet.max)
        status =
            swq_fail(ctx, SWQ_EINVAL,
                     "piece must not be given with management %s, whose packets go whole", name);
    if (!status && n->arbiter.row != &swq_arbiter_rotating)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "arbiter %s is not for management %s, whose inputs and outputs choose in "
                          "two phases in turns: rotating",
                          n->arbiter.row->name, name);
    if (!status && n->memory.release != SWQ_RELEASE_BLOCKS)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "release must be blocks with management %s, whose slots are free when "
                          "their packets have left",
                          name);
    if (!status && n->management.queues)
        status =
            swq_fail(ctx, SWQ_EINVAL, "queues must not be given with management %s: saqs", name);
    if (!status && (double)f->switches * f->ports * slots_of(n) > 1e9)
        status = swq_fail(ctx, SWQ_ELIMIT, "management %s: the network has too many slots", name);
    return status;
}

static void lay_out(swq_async_net *net)
{
    swq_iq *w = own(net);
    const swq_iq_plan plan = plan_of(net->spec, net->fabric);

    swq_iq_lay_out(w, &plan);
    net->queues = 1;
    net->slots = (int)((w->packets + net->inputs - 1) / net->inputs);
    net->system.ordered = true;
    net->system.set_aside = true;
    net->system.store_room[0] = plan.slots;
}

static void list(swq_async_net *net, swq_arrays *arrays)
{
    swq_iq_list(own(net), arrays);
}

static void empty(swq_async_net *net)
{
    const swq_iq_told told = {net, begun, passed, last, room, NULL, NULL};

    swq_iq_empty(own(net), &told);
}

static void watch(swq_async_net *net)
{
    own(net)->told.event = net->watch->saq;
    own(net)->told.event_arg = net->watch->arg;
}

static void begin(swq_async_net *net)
{
    swq_saq_counts_begin(&own(net)->counts, net->cycle);
}

typedef struct {
    const swq_async_net *net;
    uint64_t *packets, *age, *bytes;
} census;

static void count(void *arg, uint32_t packet)
{
    const census *c = arg;
    const swq_parcel *p = &c->net->parcel[packet];

    ++*c->packets;
    *c->age += c->net->cycle - p->birth;
    *c->bytes += p->bytes;
}

static void audit(const swq_async_net *net, uint64_t *packets, uint64_t *age, uint64_t *bytes)
{
    census c = {net, packets, age, bytes};

    swq_iq_walk(own(net), &c, count);
}

static bool conserved(const swq_async_net *net)
{
    return swq_iq_sound(own(net));
}

static const swq_saq_counts *saq_counts(const swq_async_net *net)
{
    return &own(net)->counts;
}

static void tell_saqs(const swq_async_net *net, swq_saq_use *sum)
{
    const swq_iq *w = own(net);
    uint32_t used = 0;

    for (uint32_t port = 0; port < w->inputs; port++)
        used += net->fabric->in_level[port] != UINT8_MAX;
    swq_saq_use use = swq_saq_use_of(&w->counts, w->inputs, used, net->cycle);
    use.dropped = net->system.discarded;
    use.hops = net->system.hops;
    for (uint32_t port = 0; port < w->inputs; port++) {
        const int most = w->in[port].free.most;
        use.most_slots = most > use.most_slots ? most : use.most_slots;
    }
    swq_saq_use_add(sum, &use);
}

static uint32_t held(const swq_async_net *net, uint32_t store)
{
    return swq_iq_held(own(net), store);
}

static uint32_t held_for(const swq_async_net *net, uint32_t store, uint32_t node)
{
    const swq_iq *w = own(net);
    const swq_iq_queue *queue = swq_iq_queues_of(w, store);
    const swq_slot *slot = swq_iq_slots_of(w, store);
    uint32_t count = 0;

    for (int q = 0; q < w->queues; q++) {
        uint16_t k = queue[q].list.head;
        for (int left = queue[q].list.packets; left > 0; left--, k = slot[k].next)
            count += net->parcel[slot[k].packet].to == node;
    }
    return count;
}

static uint32_t aside(const swq_async_net *net, uint32_t store)
{
    return (uint32_t)__builtin_popcount(own(net)->in[store].valid);
}

static const swq_store_hooks recn_iq = {
    .kernel = &kernel,
    .state = sizeof(swq_iq),
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

const swq_management swq_management_recn_iq = {
    .name = "recn-iq",
    .summary = "input queues, and --saqs set-aside queues (0 for none) for packets whose path "
               "leads through a congested output",
    .source = "Mora, Garcia, Flich and Duato, RECN-IQ",
    .stores = &recn_iq,
    .default_saqs = 4,
    .default_detect = 5,
    .default_xoff = 10,
    .default_xon = 5,
    .default_bytes = 4096,
    .default_packet = 64,
};
