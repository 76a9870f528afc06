/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Senders: creating messages, cutting them into packets, and sending these.
 *
 * Message n of sender i is a function of (i, n) (drawing.c), so an unbounded queue of waiting
 * messages needs no memory: one place in the stream belongs to the message being sent, another to
 * the message to be created next.
 */
#include "base/context.h"
#include "sim/frame/acks.h"
#include "sim/frame/drawing.h"
#include "sim/frame/interfaces.h"
#include "sim/frame/schemes.h"
#include "sim/frame/timings.h"
#include "sim/traffic/pace.h"

/* Is message s->number the one that is to be created next, and known already? Not so in traces and
 * after changes of groups, where what was foreseen may have changed. */
static bool is_foreseen(const swq_async_net *net, const swq_sender *s)
{
    return s->number == s->later && s->later_birth != SWQ_NEVER && !net->timed &&
           !swq_senders_traced(net) && swq_sender_is_open(net, s);
}

/* Message s->number, whose interval counts from `from` on, becomes the next one to be sent. */
static void take_message(swq_async_net *net, uint32_t sender, uint32_t from)
{
    const swq_fabric *f = net->fabric;
    swq_sender *s = &net->sender[sender];
    swq_drawn_message m = {.to = s->later_to, .bytes = s->later_left};

    s->birth = s->message_birth =
        is_foreseen(net, s) ? s->later_birth
                            : swq_message_place(net, sender, &s->group, &s->number, from, &m);
    s->counted =
        swq_sender_is_open(net, s); /* with an open loop it was counted when it was created */
    if (s->birth == SWQ_NEVER)
        return;
    s->to = m.to;
    s->left = m.bytes;
    s->bytes = swq_sender_packet(net, m.bytes);
    s->packet_class = (uint8_t)f->shape.kind->route(f, f->entry[sender], sender,
                                                    swq_first_node(&net->sets, m.to));
}

static void foresee_message(swq_async_net *net, uint32_t sender, uint32_t from)
{
    swq_sender *s = &net->sender[sender];
    swq_drawn_message m = {0};

    s->later_birth = swq_message_place(net, sender, &s->later_group, &s->later, from, &m);
    s->later_to = m.to;
    s->later_left = m.bytes;
    s->later_bytes = swq_sender_packet(net, m.bytes);
}

/* ---- a sender's turn ---- */

/* The packet that is to be sent next, or is being sent, and was created in `birth`. */
static swq_start start_of(const swq_async_net *net, uint32_t sender, uint32_t cycle, uint32_t birth)
{
    const swq_sender *s = &net->sender[sender];

    return (swq_start){.cycle = cycle,
                       .from = sender,
                       .to = swq_first_node(&net->sets, s->to),
                       .birth = birth,
                       .bytes = s->bytes,
                       .switch_ = SWQ_NO_WHERE,
                       .packet_class = s->packet_class};
}

static void count_packets(swq_async_net *net, uint32_t sender, int group, uint32_t packets,
                          uint32_t bytes)
{
    swq_probe_created(&net->system, group, packets, bytes);
    swq_probe_created_at(&net->system, sender, packets, bytes);
}

/* Counts the packets of a multicast packet beyond the first: such a packet counts once for each of
 * its nodes, but its sender sends it once. */
static __attribute__((noinline)) void count_rides(swq_async_net *net, uint32_t sender, int group,
                                                  uint32_t to, uint32_t bytes)
{
    const uint32_t rides = swq_copies_to(&net->sets, to) - 1;

    count_packets(net, sender, group, rides, rides * bytes);
    swq_probe_rides(&net->system, rides);
}

static void count_created(swq_async_net *net, uint32_t sender, int group, uint32_t to,
                          uint32_t bytes)
{
    count_packets(net, sender, group, 1, bytes);
    net->sender_count[sender].created += bytes;
    if (to >= net->sets.nodes)
        count_rides(net, sender, group, to, bytes);
}

static void create_due(swq_async_net *net, uint32_t sender)
{
    swq_sender *s = &net->sender[sender];

    while (s->later_birth == net->cycle) {
        uint32_t birth = s->later_birth;
        count_created(net, sender, s->later_group, s->later_to, s->later_bytes);
        if (net->after.start)
            swq_after_created(net, sender);
        s->later++;
        foresee_message(net, sender, birth);
    }
    if (!s->counted && s->birth <= net->cycle) {
        count_created(net, sender, s->group, s->to, s->bytes);
        s->counted = true;
    }
}

/* Creates the messages of a sender that are due in this cycle, usually none. */
static inline void create(swq_async_net *net, uint32_t sender)
{
    const swq_sender *s = &net->sender[sender];

    if (s->later_birth == net->cycle || (!s->counted && s->birth <= net->cycle))
        create_due(net, sender);
}

/* The packet has left in a transmission after which, at the earliest, the interval to the next
 * message may begin. */
static void gone(swq_async_net *net, uint32_t sender, uint32_t from)
{
    swq_sender *s = &net->sender[sender];

    s->left -= s->bytes;
    if (s->left > 0) {
        s->birth = s->link_free;
        s->bytes = swq_sender_packet(net, s->left);
        s->counted = false;
        return;
    }
    s->number++;
    net->messages_sent++;
    if (swq_sender_is_open(net, s))
        take_message(net, sender, s->message_birth);
    else
        take_message(net, sender, swq_sender_spec(net, s)->from_start ? from : s->link_free);
}

static void show_start(const swq_async_net *net, uint32_t sender)
{
    if (net->watch && net->watch->started) {
        swq_start start = start_of(net, sender, net->cycle, net->sender[sender].birth);
        start.over = net->drawn;
        net->watch->started(net->watch->arg, &start);
    }
}

/* Counts the packets of a multicast packet beyond the first, which leave together with the
 * first. */
static __attribute__((noinline)) void rides_leave(swq_async_net *net, uint32_t to)
{
    const uint32_t rides = swq_copies_to(&net->sets, to) - 1;

    swq_probe_departs(&net->system, rides);
    swq_probe_rides_on(&net->system, rides);
}

/* The packet leaves. */
static void leaves(swq_async_net *net, uint32_t sender)
{
    const swq_sender *s = &net->sender[sender];

    swq_probe_departs(&net->system, 1);
    if (s->to >= net->sets.nodes)
        rides_leave(net, s->to);
    swq_probe_offered(&net->system, s->group, 1);
    swq_count_sent(net, sender, s->bytes);
    if (net->messages.each)
        net->passing = swq_message_sent(&net->messages, sender, s->message_birth, s->bytes,
                                        swq_copies_to(&net->sets, s->to), s->left == s->bytes);
    if (net->after.start)
        (void)swq_after_next(net, sender, s->number, &net->messages.each[net->passing].message);
}

void swq_sender_taken(swq_async_net *net, uint32_t sender)
{
    leaves(net, sender);
    gone(net, sender, net->cycle);
    swq_wheel_set(&net->senders, net->cycle, sender);
}

void swq_sender_handed(swq_async_net *net, uint32_t sender, uint32_t free)
{
    net->sender[sender].link_free = free;
    gone(net, sender, net->cycle);
}

/* Does the creation of the next packet count from the end of this one's transmission and its link's
 * pause? A store in which packets stall may not know that end yet: swq_sender_ends. */
static bool counts_from_end(const swq_async_net *net, const swq_sender *s)
{
    return s->left > s->bytes ||
           !(swq_sender_is_open(net, s) || swq_sender_spec(net, s)->from_start);
}

/* Is the next message created an interval after the start of this packet, whose end is not known?
 * Then it may wait at the sender while this packet is being sent. */
static bool counts_from_start(const swq_async_net *net, const swq_sender *s)
{
    return s->left <= s->bytes && !swq_sender_is_open(net, s) &&
           swq_sender_spec(net, s)->from_start;
}

/* Takes the next message while a packet is being sent. */
static void take_next(swq_async_net *net, uint32_t sender)
{
    const swq_sender *s = &net->sender[sender];

    gone(net, sender, net->cycle);
    create(net, sender);
    if (s->birth > net->cycle)
        swq_sender_look(net, sender, s->birth);
}

/* Of a packet that is sent in pieces: takes the next message, or else leaves that to the packet's
 * end. */
static void look_ahead(swq_async_net *net, uint32_t sender)
{
    swq_sender *s = &net->sender[sender];

    s->link_free = SWQ_NEVER;
    if (!counts_from_start(net, s)) {
        s->unfinished = true;
        s->birth = SWQ_NEVER;
        return;
    }
    take_next(net, sender);
}

/* Takes the next message if that is still to be done. */
static void finish(swq_async_net *net, uint32_t sender)
{
    swq_sender *s = &net->sender[sender];

    if (s->unfinished) {
        s->unfinished = false;
        gone(net, sender, s->link_free);
    }
}

/* A sender begins to send its packet, which from now on does not wait at the sender. A message
 * that is created only after the transmission's end is not looked at yet. */
void swq_sender_begins(swq_async_net *net, uint32_t sender)
{
    swq_sender *s = &net->sender[sender];

    show_start(net, sender);
    leaves(net, sender);
    if (net->scheme)
        swq_scheme_sent(net, sender, s->to, s->bytes);
    if (counts_from_end(net, s)) {
        s->unfinished = true;
        s->birth = SWQ_NEVER;
        return;
    }
    take_next(net, sender);
}

/* Sends the packet that is there and may be sent. */
static void send(swq_async_net *net, uint32_t sender)
{
    swq_sender *s = &net->sender[sender];
    const uint32_t now = net->cycle, port = net->fabric->entry[sender];
    const swq_timing *own = net->link_timing ? &net->link_timing[port] : NULL;
    const uint32_t header = now + (own ? swq_timing_header(own) : net->hop_delay);
    const uint32_t end = now + (own ? swq_timing_cycles(own, s->bytes) : s->bytes);
    const uint32_t tail = end - 1 + (own ? own->delay : net->hop_delay);
    const swq_parcel parcel = {
        .birth = s->birth,
        .ready = net->cut_through ? header : tail,
        .from = sender & 0xffffffu,
        .group = s->group,
        .to = s->to,
        .bytes = s->bytes,
        .blocks = (uint16_t)((s->bytes + net->block - 1) / net->block),
        .packet_class = s->packet_class,
        .entered = 1,
    };

    if (!net->keeps_at_nodes)
        show_start(net, sender);
    if (net->acks || net->keeps_at_nodes) {
        net->kernel->offer(net, sender, &parcel);
        return;
    }
    leaves(net, sender);
    s->link_free = end + (own ? swq_timing_rest(own, s->bytes) : net->link_rest);
    net->port[port].link_free = s->link_free;
    net->kernel->enter(net, port, &parcel, tail);
    if (net->scheme)
        swq_scheme_sent(net, sender, s->to, s->bytes);
    if (s->link_free == SWQ_NEVER && counts_from_end(net, s)) {
        s->unfinished = true;
        s->birth = SWQ_NEVER;
        return;
    }
    gone(net, sender, now);
}

/* Sends the next piece of a packet, which no longer waits at the sender after the first one. */
static void send_piece(swq_async_net *net, uint32_t sender)
{
    swq_sender *s = &net->sender[sender];
    swq_sending *g = &net->pieces.sending[sender];
    const uint32_t now = net->cycle, port = net->fabric->entry[sender];

    if (g->sent == 0) {
        show_start(net, sender);
        leaves(net, sender);
        g->packet = start_of(net, sender, now, s->birth);
        g->group = s->group;
        g->way = net->passing;
        look_ahead(net, sender);
        net->pieces.unfinished++;
    }
    const swq_start *p = &g->packet;
    const uint32_t left = p->bytes - g->sent;
    const uint32_t bytes = left < net->pieces.bytes ? left : net->pieces.bytes;
    const swq_parcel parcel = {
        .birth = p->birth,
        .ready = now + net->hop_delay,
        .from = sender & 0xffffffu,
        .group = g->group,
        .to = p->to,
        .bytes = (uint16_t)bytes,
        .blocks = (uint16_t)((bytes + net->block - 1) / net->block),
        .packet_class = (uint8_t)p->packet_class,
        .entered = 1,
    };
    g->sent = (uint16_t)(g->sent + bytes);
    g->free = now + bytes;
    net->passing = g->way;
    net->pieces.bytes_sent += bytes;
    net->pieces.entering = (swq_piece){(uint16_t)p->bytes, (uint16_t)(p->bytes - g->sent)};
    net->kernel->enter(net, port, &parcel, now + net->hop_delay + bytes - 1);
    if (g->sent < p->bytes)
        return;
    if (net->watch && net->watch->ended) {
        swq_start done = *p;
        done.cycle = g->free;
        net->watch->ended(net->watch->arg, &done);
    }
    g->sent = 0;
    s->link_free = g->free + net->link_rest;
    finish(net, sender);
}

void swq_sender_awaits(swq_async_net *net, uint32_t sender)
{
    swq_sender_look(net, sender, net->sender[sender].birth);
}

void swq_sender_ends(swq_async_net *net, uint32_t sender, uint32_t free)
{
    swq_sender *s = &net->sender[sender];

    s->link_free = free;
    finish(net, sender);
    swq_sender_look(net, sender, s->birth > free && s->birth != SWQ_NEVER ? s->birth : free);
}

void swq_sender_goes_on(swq_async_net *net, uint32_t sender, uint32_t free, uint32_t end)
{
    swq_sender_ends(net, sender, net->sender[sender].unfinished && end > free ? end : free);
}

/* A message of a trace that the sender is to create has stopped waiting for others. */
static void hears(swq_async_net *net, uint32_t sender)
{
    swq_sender *s = &net->sender[sender];

    foresee_message(net, sender, 0);
    if (s->number == s->later) /* the next one to be sent may have changed */
        take_message(net, sender, 0);
    swq_sender_look(net, sender, s->later_birth);
}

/* Where a packet of `class` for node `to` joins the entry port: its class or, with a management,
 * the number of a queue. */
static int joins(const swq_async_net *net, uint32_t sender, int class, uint32_t to)
{
    if (!net->managed.hooks)
        return class;
    return net->managed.hooks->joins(net, net->fabric->entry[sender], class, sender, to);
}

/* Is the packet held back, by a scheme or because it was refused due to a packet that is still
 * there? Then the sender is looked at again when that is over. */
static bool held_back(swq_async_net *net, uint32_t sender)
{
    const swq_sender *s = &net->sender[sender];

    if (net->scheme) {
        const uint32_t from = swq_scheme_lets(net, sender, s->to, s->bytes);
        if (from > net->cycle)
            swq_sender_look(net, sender, from);
        return from > net->cycle;
    }
    return net->acks &&
           swq_ack_marked(net, net->fabric->entry[sender], net->acks->sender_mark[sender]);
}

/* May the sender send its packet into the network? A buffer that refuses packets for which it
 * has no room is not asked. */
static bool lets_in(swq_async_net *net, uint32_t sender)
{
    const swq_sender *s = &net->sender[sender];
    const uint32_t port = net->fabric->entry[sender];

    return (net->acks && net->acks->blind && net->acks->rule[port]) ||
           net->kernel->open(net, port, joins(net, sender, s->packet_class, s->to));
}

void swq_sender_turn(swq_async_net *net, uint32_t sender)
{
    swq_sender *s = &net->sender[sender];
    const uint32_t now = net->cycle;

    create(net, sender);
    if (s->birth <= now && s->link_free <= now && !held_back(net, sender) && lets_in(net, sender)) {
        send(net, sender);
        /* creates the next packet, with no interval from the start of this one */
        create(net, sender);
    }
    /* a packet that waits for room is woken when there is room */
    if (s->birth > now)
        swq_sender_look(net, sender, s->birth);
    else if (s->link_free > now)
        swq_sender_look(net, sender, s->link_free);
    if (s->later_birth > now)
        swq_sender_look(net, sender, s->later_birth);
}

/* A packet goes to the node's interface, or is lost there. */
static void hand_over(swq_async_net *net, uint32_t sender)
{
    const swq_sender *s = &net->sender[sender];
    const uint16_t bytes = s->bytes;
    const swq_parcel parcel = {
        .birth = s->birth,
        .from = sender & 0xffffffu,
        .group = s->group,
        .to = s->to,
        .bytes = bytes,
        .blocks = (uint16_t)((bytes + net->block - 1) / net->block),
        .packet_class = s->packet_class,
        .entered = 1,
    };

    swq_probe_offered(&net->system, s->group, 1);
    if (swq_interface_has_room(net, sender))
        swq_interface_take(net, sender, &parcel);
    else
        swq_interface_drop(net, &parcel);
    swq_interface_handed(net, sender, bytes);
}

void swq_sender_interface_turn(swq_async_net *net, uint32_t sender)
{
    swq_sender *s = &net->sender[sender];
    const uint32_t now = net->cycle;

    create(net, sender);
    if (s->birth <= now && s->link_free <= now &&
        (swq_interface_loses(net, sender) || swq_interface_has_room(net, sender))) {
        hand_over(net, sender);
        create(net, sender);
    }
    swq_interface_turn(net, sender);
    if (s->birth > now)
        swq_sender_look(net, sender, s->birth);
    else if (s->link_free > now)
        swq_sender_look(net, sender, s->link_free);
    if (s->later_birth > now)
        swq_sender_look(net, sender, s->later_birth);
}

void swq_sender_piece_turn(swq_async_net *net, uint32_t sender)
{
    swq_sender *s = &net->sender[sender];
    const swq_sending *g = &net->pieces.sending[sender];
    const uint32_t now = net->cycle;
    const bool further = g->sent > 0;
    const int class = (int)(further ? g->packet.packet_class : s->packet_class);
    const uint32_t to = further ? g->packet.to : s->to;

    create(net, sender);
    if ((further ? g->free <= now : s->birth <= now && s->link_free <= now) &&
        net->kernel->open(net, net->fabric->entry[sender], joins(net, sender, class, to))) {
        send_piece(net, sender);
        create(net, sender);
    }
    if (g->sent > 0 && g->free > now)
        swq_sender_look(net, sender, g->free);
    if (s->birth > now)
        swq_sender_look(net, sender, s->birth);
    else if (s->link_free > now)
        swq_sender_look(net, sender, s->link_free);
    if (s->later_birth > now)
        swq_sender_look(net, sender, s->later_birth);
}

/* ---- beginning and end ---- */

static uint32_t source_of(const void *trace, uint64_t line)
{
    return ((const swq_async_message *)trace)[line].source;
}

/* Nodes that are ever in each group, if there are several. */
static void count_members(swq_async_net *net)
{
    for (int g = 0; g < net->spec->traffic.groups; g++) {
        for (uint32_t i = 0; i < net->fabric->nodes; i++)
            net->system.group_nodes[g] += swq_sender_group_has(net->spec, g, i)
                                              ? swq_graph_line_speed(net->fabric->shape.graph, i)
                                              : 0;
    }
}

/* Has a Pareto distribution of that spread an infinite variance? */
static bool heavy(const swq_spread *s)
{
    return s->kind == SWQ_PARETO && s->second <= 2;
}

static bool without_variance(const swq_async *spec)
{
    bool any = false;

    for (int g = 0; g < spec->traffic.groups; g++) {
        const swq_sender_group *group = &spec->traffic.group[g];
        any = any || (!group->silent && heavy(&group->interval));
        for (int t = 0; t < group->types && !group->silent; t++)
            any = any || heavy(&group->type[t].length);
    }
    return any;
}

swq_status swq_senders_new(swq_context *ctx, swq_async_net *net)
{
    const swq_async *spec = net->spec;
    uint32_t nodes = net->fabric->nodes;
    swq_status status = SWQ_OK;

    net->timed = net->system.changing = swq_async_timed(spec);
    net->system.source_cycles = net->timed ? 0 : swq_senders_pace(spec, nodes);
    if (net->timed)
        count_members(net);
    if (spec->traffic.groups > 0) {
        swq_sender_groups(spec, nodes, net->group_of);
        if (!swq_senders_traced(net))
            status = swq_drawing_prepare(ctx, net);
    }
    if (status)
        return status;
    if (swq_senders_traced(net))
        swq_trace_sort(spec->traffic.trace_messages, nodes, source_of, spec->traffic.trace,
                       net->trace_start, net->trace_order);
    net->after.hears = hears;
    swq_after_begin(net);
    net->system.infinite_variance = without_variance(spec);
    net->system.holds = !swq_senders_traced(net);
    for (uint32_t i = 0; i < nodes; i++) {
        swq_sender *s = &net->sender[i];
        uint32_t from = 0;
        const int group =
            swq_senders_traced(net) ? net->group_of[i] : swq_sender_first_group(net, i, &from);
        *s = (swq_sender){.birth = SWQ_NEVER,
                          .message_birth = SWQ_NEVER,
                          .later_birth = SWQ_NEVER,
                          .group = (uint8_t)group,
                          .later_group = (uint8_t)group};
        if (!swq_senders_traced(net) && group == spec->traffic.groups)
            continue;
        net->system.sources += !swq_senders_traced(net) && !net->timed;
        net->system.holds = net->system.holds && !swq_sender_is_open(net, s);
        from = swq_senders_traced(net) ? 0 : swq_later(from, swq_sender_first_cycle(net, i, group));
        take_message(net, i, from);
        if (swq_sender_is_open(net, s))
            foresee_message(net, i, from);
        swq_sender_awaits(net, i);
    }
    return SWQ_OK;
}

void swq_senders_changing(swq_async_net *net, swq_arrays *list)
{
    const double nodes = net->fabric->nodes;

    SWQ_ARRAY(list, net->sender, nodes);
    SWQ_ARRAY(list, net->sender_count, nodes);
    swq_after_list(net, list);
}

void swq_senders_constant(swq_async_net *net, swq_arrays *list)
{
    const double nodes = net->fabric->nodes;

    SWQ_ARRAY(list, net->group_of, nodes);
    SWQ_ARRAY(list, net->group, swq_senders_traced(net) ? 0 : net->spec->traffic.groups);
    SWQ_ARRAY(list, net->trace_start, swq_senders_traced(net) ? nodes + 1 : 0);
    SWQ_ARRAY(list, net->trace_order,
              swq_senders_traced(net) ? net->spec->traffic.trace_messages : 0);
}

/* ---- messages of a caller ---- */

bool swq_sender_is_idle(const swq_async_net *net, uint32_t sender)
{
    const swq_sender *s = &net->sender[sender];

    return !s->unfinished && (s->birth == SWQ_NEVER || s->message_birth >= net->cycle);
}

void swq_sender_give(swq_async_net *net, uint32_t sender, uint32_t to, uint32_t bytes)
{
    const swq_fabric *f = net->fabric;
    swq_sender *s = &net->sender[sender];

    s->birth = s->message_birth = net->cycle;
    s->to = to;
    s->left = bytes;
    s->bytes = swq_sender_packet(net, bytes);
    s->packet_class = (uint8_t)f->shape.kind->route(f, f->entry[sender], sender, to);
    s->group = net->group_of[sender];
    s->counted = false;
    swq_wheel_set(&net->senders, net->cycle, sender);
}

void swq_senders_set_load(swq_async_net *net, bool wake)
{
    for (int g = 0; g < net->spec->traffic.groups; g++) {
        net->group[g].interval = swq_spread_prepare(&net->spec->traffic.group[g].interval);
        swq_drawing_own_intervals(net, g);
    }
    for (uint32_t i = 0; wake && i < net->fabric->nodes; i++) {
        swq_sender *s = &net->sender[i];
        const int g = net->group_of[i];
        if (s->birth != SWQ_NEVER || s->unfinished || g == net->spec->traffic.groups ||
            swq_sender_silent(&net->spec->traffic.group[g], i))
            continue;
        s->group = (uint8_t)g;
        take_message(net, i, net->cycle);
        swq_sender_awaits(net, i);
    }
}

/* ---- counting ---- */

void swq_sender_audit(const swq_async_net *net, uint32_t i, uint64_t *packets, uint64_t *age,
                      uint64_t *bytes)
{
    const swq_sender *s = &net->sender[i];
    uint32_t birth = s->birth, message_birth = s->message_birth;
    uint32_t copies = swq_copies_to(&net->sets, s->to);
    uint16_t length = s->bytes;
    uint8_t group = s->group;

    /* replays the sender's random stream */
    for (uint64_t number = s->number; message_birth < net->cycle;) {
        if (birth < net->cycle) {
            *packets += copies;
            *age += (uint64_t)copies * (net->cycle - birth);
            *bytes += copies * length;
        }
        if (!swq_sender_is_open(net, s))
            break;
        swq_drawn_message m = {0};
        number++;
        birth = message_birth = swq_message_place(net, i, &group, &number, message_birth, &m);
        length = swq_sender_packet(net, m.bytes);
        copies = birth == SWQ_NEVER ? 1 : swq_copies_to(&net->sets, m.to);
    }
}

void swq_senders_audit(const swq_async_net *net, uint64_t *packets, uint64_t *age, uint64_t *bytes)
{
    for (uint32_t i = 0; i < net->fabric->nodes; i++)
        swq_sender_audit(net, i, packets, age, bytes);
}
