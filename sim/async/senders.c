/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Senders: when messages are created, how they are cut into packets, and sending these.
 *
 * Message n of sender i is a function of (i, n), so an unbounded queue of waiting messages needs no
 * memory: one place in the stream is the message being sent, another the one to be created next.
 * Room: sim. Includes base.
 */
#include "base/context.h"
#include "sim/async/acks.h"
#include "sim/async/interfaces.h"
#include "sim/async/senders/schemes.h"
#include "sim/patterns/image.h"

#include <math.h>

/* A message as drawn. */
typedef struct {
    uint32_t interval, to, bytes;
} message;

static const swq_sender_group *spec_of(const swq_async_net *net, const swq_sender *s)
{
    return &net->spec->group[s->group];
}

static bool traced(const swq_async_net *net)
{
    return net->spec->trace != NULL;
}

/* Are messages created regardless of what happens to earlier ones? */
static bool open_loop(const swq_async_net *net, const swq_sender *s)
{
    return traced(net) || spec_of(net, s)->kind == SWQ_SOURCE_OPEN;
}

/* ---- drawing ---- */

/* A fair choice among all nodes, or all except the sender. */
static uint32_t any_node(const swq_async_net *net, uint32_t sender, uint32_t word)
{
    uint32_t nodes = net->fabric->nodes;

    if (!net->fabric->shape.kind->point_to_point)
        return swq_word_below(word, nodes);
    uint32_t node = swq_word_below(word, nodes - 1);
    return node + (node >= sender);
}

static uint32_t any_member(const swq_async_net *net, const swq_drawing_type *type, uint32_t sender,
                           uint32_t word)
{
    /* counts the members, which are sorted, before the sender */
    uint32_t low = 0, high = type->members;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (type->member[middle] < sender)
            low = middle + 1;
        else
            high = middle;
    }
    bool skip = net->fabric->shape.kind->point_to_point && low < type->members &&
                type->member[low] == sender && type->members > 1;
    uint32_t k = swq_word_below(word, type->members - skip);
    return type->member[k + (skip && k >= low)];
}

static uint32_t aim(const swq_async_net *net, const swq_message_type *spec,
                    const swq_drawing_type *type, uint32_t sender, uint32_t word)
{
    switch (spec->aim) {
    case SWQ_AIM_NODE:
        return spec->value;
    case SWQ_AIM_SUBSET:
        return any_member(net, type, sender, word);
    case SWQ_AIM_PATTERN:
        break;
    }
    return type->image ? type->image[sender] : any_node(net, sender, word);
}

/* Does message `number` begin a burst? Without bursts every message does. */
static bool begins_burst(const swq_async_net *net, const swq_sender_group *spec, uint32_t sender,
                         uint64_t number)
{
    if (spec->burst <= 1 || number == 0)
        return true;
    swq_words more = swq_stream_words(&net->streams, SWQ_STREAM_MORE, sender, number);
    return swq_word_uniform((uint64_t)more.v[2] << 32) <= 1 / spec->burst;
}

/* The length of message `number`, which has that type. */
static uint32_t draw_length(const swq_async_net *net, const swq_drawing_type *type, uint32_t sender,
                            uint64_t number)
{
    if (type->length.choices == 1) /* the usual case: one length */
        return (uint32_t)type->length.least;
    swq_words more = swq_stream_words(&net->streams, SWQ_STREAM_MORE, sender, number);

    return swq_spread_draw(&type->length, (uint64_t)more.v[0] << 32 | more.v[1]);
}

/* Cycles that a message takes on the link to the switch, including the pause after each packet. */
static uint32_t link_time(const swq_async_net *net, uint32_t bytes)
{
    const uint32_t most = (uint32_t)net->spec->max_packet;
    return bytes + (bytes + most - 1) / most * net->link_rest;
}

/* Draws a message. Its destination is that of the message that began its burst. */
static message draw(const swq_async_net *net, uint32_t sender, int g, uint64_t number)
{
    const swq_sender_group *spec = &net->spec->group[g];
    const swq_drawing *drawing = &net->group[g];
    uint64_t first = number;
    int t = 0;

    while (!begins_burst(net, spec, sender, first))
        first--;
    swq_words w = swq_stream_words(&net->streams, SWQ_STREAM_PACKET, sender, first);
    double u = (double)w.v[3] * 0x1p-32;
    while (t < spec->types - 1 && u >= drawing->type[t].up_to)
        t++;
    const swq_drawing_type *type = &drawing->type[t];
    message m = {.to = aim(net, &spec->type[t], type, sender, w.v[2]),
                 .bytes = draw_length(net, type, sender, number)};
    if (first == number)
        m.interval = swq_spread_draw(&drawing->interval, (uint64_t)w.v[0] << 32 | w.v[1]);
    else if (spec->kind == SWQ_SOURCE_OPEN)
        m.interval = link_time(net, draw_length(net, type, sender, number - 1));
    return m;
}

/* Is a sender in no group, or in one in which it sends nothing or only to itself? */
static bool silent_in(const swq_async_net *net, uint32_t sender, int g)
{
    const swq_sender_group *spec = &net->spec->group[g];

    if (g == net->spec->groups || spec->silent)
        return true;
    if (!net->fabric->shape.kind->point_to_point)
        return false;
    for (int t = 0; t < spec->types; t++) {
        const swq_message_type *type = &spec->type[t];
        const swq_drawing_type *drawing = &net->group[g].type[t];
        uint32_t to = type->aim == SWQ_AIM_NODE                              ? type->value
                      : type->aim == SWQ_AIM_SUBSET && drawing->members == 1 ? drawing->member[0]
                      : type->aim == SWQ_AIM_PATTERN && drawing->image ? drawing->image[sender]
                                                                       : SWQ_NO_WHERE;
        if (type->probability > 0 && to != sender)
            return false;
    }
    return true;
}

/* The first cycle of a sender. Senders begin one by one, so that a saturated network does not begin
 * in step: after a random number of cycles, below the mean time of a message (hold) or the mean
 * interval (open). */
static uint32_t first_cycle(const swq_async_net *net, uint32_t sender, int group)
{
    const swq_sender_group *g = &net->spec->group[group];
    double span = 0;
    if (g->kind == SWQ_SOURCE_OPEN)
        span = swq_spread_mean(&g->interval);
    else
        for (int t = 0; t < g->types; t++)
            span += g->type[t].probability * swq_spread_link_time(&g->type[t].length,
                                                                  net->spec->max_packet,
                                                                  net->spec->link_rest);
    swq_words w = swq_stream_words(&net->streams, SWQ_STREAM_SETUP, sender,
                                   1 + (net->timed ? (uint64_t)group : 0));
    return span < 1e9 ? swq_word_below(w.v[0], (uint32_t)ceil(span)) : 0;
}

/* As `place`, for a sender whose group may change: a message that would be created after the change
 * is dropped, and another one is drawn at the change, as at the beginning of the run. */
static uint32_t place_in_time(const swq_async_net *net, uint32_t sender, uint8_t *group,
                              uint64_t *number, uint32_t from, message *m)
{
    for (;; ++*number) {
        uint32_t next;
        int g = swq_sender_group_at(net->spec, sender, from, &next);
        const bool silent = silent_in(net, sender, g);
        if (!silent) {
            *m = draw(net, sender, g, *number);
            from = swq_later(from, m->interval);
        }
        if (silent || from >= next) {
            from = next;
            while (from != SWQ_NEVER &&
                   silent_in(net, sender, g = swq_sender_group_at(net->spec, sender, from, &next)))
                from = next;
            if (from == SWQ_NEVER)
                return SWQ_NEVER;
            from = swq_later(from, first_cycle(net, sender, g));
        } else if (m->to != sender || !net->fabric->shape.kind->point_to_point) {
            *group = (uint8_t)g;
            return from;
        }
    }
}

static uint32_t place_in_trace(const swq_async_net *net, uint32_t sender, uint64_t number,
                               message *m)
{
    const uint64_t at = net->trace_start[sender] + number;
    uint32_t later = 0;

    if (net->after.start ? !swq_after_next(net, sender, number, &later)
                         : at >= net->trace_start[sender + 1])
        return SWQ_NEVER;
    const swq_async_message *line =
        &net->spec->trace[net->after.start ? later : net->trace_order[at]];
    *m = (message){0, line->destination, line->bytes};
    return net->after.start ? net->after.birth[later] : (uint32_t)line->cycle;
}

/* Finds message `*number` of a sender, or the first one after it that is not to itself. Its
 * interval counts from `from` on; returns the cycle of its creation. */
static uint32_t place(const swq_async_net *net, uint32_t sender, uint8_t *group, uint64_t *number,
                      uint32_t from, message *m)
{
    if (traced(net))
        return place_in_trace(net, sender, *number, m);
    if (net->timed)
        return place_in_time(net, sender, group, number, from, m);
    for (;; ++*number) {
        *m = draw(net, sender, *group, *number);
        from = swq_later(from, m->interval);
        if (from == SWQ_NEVER || m->to != sender || !net->fabric->shape.kind->point_to_point)
            return from;
    }
}

static uint16_t packet_of(const swq_async_net *net, uint32_t bytes)
{
    uint32_t most = (uint32_t)net->spec->max_packet;
    return (uint16_t)(bytes < most ? bytes : most);
}

/* Message s->number, whose interval counts from `from` on, becomes the next one to be sent. */
static void take_message(swq_async_net *net, uint32_t sender, uint32_t from)
{
    const swq_fabric *f = net->fabric;
    swq_sender *s = &net->sender[sender];
    message m = {0};

    s->birth = s->message_birth = place(net, sender, &s->group, &s->number, from, &m);
    s->counted = open_loop(net, s); /* with an open loop it was counted when it was created */
    if (s->birth == SWQ_NEVER)
        return;
    s->to = m.to;
    s->left = m.bytes;
    s->bytes = packet_of(net, m.bytes);
    s->packet_class = (uint8_t)f->shape.kind->route(f, f->entry[sender], sender, m.to);
}

static void foresee_message(swq_async_net *net, uint32_t sender, uint32_t from)
{
    swq_sender *s = &net->sender[sender];
    message m = {0};

    s->later_birth = place(net, sender, &s->later_group, &s->later, from, &m);
    s->later_bytes = packet_of(net, m.bytes);
}

/* ---- a sender's turn ---- */

/* The packet that is to be sent next, or is being sent, and was created in `birth`. */
static swq_start start_of(const swq_async_net *net, uint32_t sender, uint32_t cycle, uint32_t birth)
{
    const swq_sender *s = &net->sender[sender];

    return (swq_start){.cycle = cycle,
                       .from = sender,
                       .to = s->to,
                       .birth = birth,
                       .bytes = s->bytes,
                       .switch_ = SWQ_NO_WHERE,
                       .packet_class = s->packet_class};
}

static uint64_t *cell_of(swq_async_net *net, int group)
{
    return net->system.tally + swq_tally_cell(net->system.levels, group);
}

static void count_created(swq_async_net *net, uint32_t sender, int group, uint32_t bytes)
{
    cell_of(net, group)[SWQ_CELL_CREATED]++;
    net->system.created++;
    net->system.waiting++;
    net->bytes_created += bytes;
    if (net->system.node_tally) {
        swq_node_counters(&net->system, sender)[SWQ_NODE_CREATED]++;
        swq_node_counters(&net->system, sender)[SWQ_NODE_BYTES_CREATED] += bytes;
    }
}

static void create_due(swq_async_net *net, uint32_t sender)
{
    swq_sender *s = &net->sender[sender];

    while (s->later_birth == net->cycle) {
        uint32_t birth = s->later_birth;
        count_created(net, sender, s->later_group, s->later_bytes);
        if (net->after.start)
            swq_after_created(net, sender);
        s->later++;
        foresee_message(net, sender, birth);
    }
    if (!s->counted && s->birth <= net->cycle) {
        count_created(net, sender, s->group, s->bytes);
        s->counted = true;
    }
}

/* Creates what a sender creates in this cycle, usually nothing. */
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
        s->bytes = packet_of(net, s->left);
        s->counted = false;
        return;
    }
    s->number++;
    net->messages_sent++;
    if (open_loop(net, s))
        take_message(net, sender, s->message_birth);
    else
        take_message(net, sender, spec_of(net, s)->from_start ? from : s->link_free);
}

static void show_start(const swq_async_net *net, uint32_t sender)
{
    if (net->watch && net->watch->started) {
        const swq_start start = start_of(net, sender, net->cycle, net->sender[sender].birth);
        net->watch->started(net->watch->arg, &start);
    }
}

/* The packet leaves. */
static void leaves(swq_async_net *net, uint32_t sender)
{
    const swq_sender *s = &net->sender[sender];

    net->system.waiting--;
    cell_of(net, s->group)[SWQ_CELL_OFFERED]++;
    if (net->stayed)
        swq_note_sent(net, sender, s->bytes);
    if (net->ways.way)
        net->passing = swq_way_sent(&net->ways, sender, s->message_birth, s->left == s->bytes);
    if (net->after.start)
        (void)swq_after_next(net, sender, s->number, &net->ways.way[net->passing].message);
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
    return s->left > s->bytes || !(open_loop(net, s) || spec_of(net, s)->from_start);
}

/* Has the sender looked at when something is due, or as late as the wheel allows. */
static void arm(swq_async_net *net, uint32_t sender, uint32_t due)
{
    uint32_t most = net->cycle + net->senders.slots - 1;

    if (due != SWQ_NEVER)
        swq_wheel_set(&net->senders, due < most ? due : most, sender);
}

/* While a packet is being sent it does not wait at the sender. If the next one is created after its
 * end, nothing is known of that. */
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
    gone(net, sender, net->cycle);
    create(net, sender);
    if (s->birth > net->cycle)
        arm(net, sender, s->birth);
}

/* Sends the packet that is there and may be sent. */
static void send(swq_async_net *net, uint32_t sender)
{
    swq_sender *s = &net->sender[sender];
    const uint32_t now = net->cycle, port = net->fabric->entry[sender];
    const uint32_t tail = now + net->hop_delay + s->bytes - 1;
    const swq_parcel parcel = {
        .birth = s->birth,
        .ready = net->cut_through ? now + net->hop_delay : tail,
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
    s->link_free = now + s->bytes + net->link_rest;
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

/* Sends the next piece of a packet. While there are more to come the packet does not wait at the
 * sender, and nothing is known of the next one. */
static void send_piece(swq_async_net *net, uint32_t sender)
{
    swq_sender *s = &net->sender[sender];
    swq_sending *g = &net->pieces.sending[sender];
    const uint32_t now = net->cycle, port = net->fabric->entry[sender];
    const uint32_t left = (uint32_t)s->bytes - g->sent;
    const uint32_t bytes = left < net->pieces.bytes ? left : net->pieces.bytes;

    if (g->sent == 0) {
        show_start(net, sender);
        leaves(net, sender);
        *g = (swq_sending){.birth = s->birth, .begun = now, .way = net->passing};
        s->birth = s->link_free = SWQ_NEVER;
        net->pieces.unfinished++;
    }
    const swq_parcel parcel = {
        .birth = g->birth,
        .ready = now + net->hop_delay,
        .from = sender & 0xffffffu,
        .group = s->group,
        .to = s->to,
        .bytes = (uint16_t)bytes,
        .blocks = (uint16_t)((bytes + net->block - 1) / net->block),
        .packet_class = s->packet_class,
        .entered = 1,
    };
    g->sent = (uint16_t)(g->sent + bytes);
    g->free = now + bytes;
    net->passing = g->way;
    net->pieces.bytes_sent += bytes;
    net->pieces.entering = (swq_piece){s->bytes, (uint16_t)(s->bytes - g->sent)};
    net->kernel->enter(net, port, &parcel, now + net->hop_delay + bytes - 1);
    if (g->sent < s->bytes)
        return;
    if (net->watch && net->watch->ended) {
        const swq_start done = start_of(net, sender, g->free, g->birth);
        net->watch->ended(net->watch->arg, &done);
    }
    g->sent = 0;
    s->link_free = g->free + net->link_rest;
    gone(net, sender, g->begun);
}

void swq_sender_awaits(swq_async_net *net, uint32_t sender)
{
    arm(net, sender, net->sender[sender].birth);
}

void swq_sender_ends(swq_async_net *net, uint32_t sender, uint32_t free)
{
    swq_sender *s = &net->sender[sender];

    s->link_free = free;
    if (s->unfinished) {
        s->unfinished = false;
        gone(net, sender, free);
    }
    arm(net, sender, s->birth > free && s->birth != SWQ_NEVER ? s->birth : free);
}

void swq_sender_goes_on(swq_async_net *net, uint32_t sender, uint32_t birth)
{
    const swq_sender *s = &net->sender[sender];
    const uint32_t next = net->cycle + 1, end = birth + s->bytes;

    swq_sender_ends(net, sender, s->unfinished && end > next ? end : next);
}

/* A message of a trace that the sender is to create has stopped waiting for others. */
static void hears(swq_async_net *net, uint32_t sender)
{
    swq_sender *s = &net->sender[sender];

    foresee_message(net, sender, 0);
    if (s->number == s->later) /* the next one to be sent may have changed */
        take_message(net, sender, 0);
    arm(net, sender, s->later_birth);
}

/* What the packet joins at the entry port: a class or, with a management, a queue. */
static int joins(const swq_async_net *net, uint32_t sender)
{
    const swq_sender *s = &net->sender[sender];

    if (!net->managed.hooks)
        return s->packet_class;
    return net->managed.hooks->joins(net, net->fabric->entry[sender], s->packet_class, sender,
                                     s->to);
}

/* Is the packet held back, by a scheme or because it was refused due to a packet that is still
 * there? Then the sender is looked at again when that is over. */
static bool held_back(swq_async_net *net, uint32_t sender)
{
    const swq_sender *s = &net->sender[sender];

    if (net->scheme) {
        const uint32_t from = swq_scheme_lets(net, sender, s->to, s->bytes);
        if (from > net->cycle)
            arm(net, sender, from);
        return from > net->cycle;
    }
    return net->acks &&
           swq_ack_marked(net, net->fabric->entry[sender], net->acks->sender_mark[sender]);
}

void swq_sender_turn(swq_async_net *net, uint32_t sender)
{
    swq_sender *s = &net->sender[sender];
    const uint32_t now = net->cycle;

    create(net, sender);
    if (s->birth <= now && s->link_free <= now && !held_back(net, sender) &&
        net->kernel->open(net, net->fabric->entry[sender], joins(net, sender))) {
        send(net, sender);
        /* creates the next packet, with no interval from the start of this one */
        create(net, sender);
    }
    /* a packet that waits for room is woken when there is room */
    if (s->birth > now)
        arm(net, sender, s->birth);
    else if (s->link_free > now)
        arm(net, sender, s->link_free);
    if (s->later_birth > now)
        arm(net, sender, s->later_birth);
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

    cell_of(net, s->group)[SWQ_CELL_OFFERED]++;
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
        arm(net, sender, s->birth);
    else if (s->link_free > now)
        arm(net, sender, s->link_free);
    if (s->later_birth > now)
        arm(net, sender, s->later_birth);
}

void swq_sender_piece_turn(swq_async_net *net, uint32_t sender)
{
    swq_sender *s = &net->sender[sender];
    const swq_sending *g = &net->pieces.sending[sender];
    const uint32_t now = net->cycle;

    create(net, sender);
    if ((g->sent > 0 ? g->free <= now : s->birth <= now && s->link_free <= now) &&
        net->kernel->open(net, net->fabric->entry[sender], joins(net, sender))) {
        send_piece(net, sender);
        create(net, sender);
    }
    if (g->sent > 0 && g->free > now)
        arm(net, sender, g->free);
    if (s->birth > now)
        arm(net, sender, s->birth);
    else if (s->link_free > now)
        arm(net, sender, s->link_free);
    if (s->later_birth > now)
        arm(net, sender, s->later_birth);
}

/* ---- groups ---- */

void swq_sender_groups(const swq_async *spec, uint32_t nodes, uint8_t *group)
{
    for (uint32_t i = 0; i < nodes; i++) {
        int g = 0;
        while (g < spec->groups && (i & spec->group[g].mask) != spec->group[g].value)
            g++;
        group[i] = (uint8_t)g;
    }
}

/* The first group in which a sender has anything to send, and the first cycle of that group; the
 * number of groups: the sender is silent. */
static int first_group(const swq_async_net *net, uint32_t sender, uint32_t *cycle)
{
    uint32_t next;
    int g;

    *cycle = 0;
    while (silent_in(net, sender, g = swq_sender_group_at(net->spec, sender, *cycle, &next))) {
        if (next == SWQ_NEVER)
            return net->spec->groups;
        *cycle = next;
    }
    return g;
}

/* ---- beginning and end ---- */

static swq_status prepare_type(swq_context *ctx, swq_async_net *net, const swq_message_type *spec,
                               swq_drawing_type *type)
{
    const swq_places places = swq_fabric_places(net->fabric);
    uint32_t nodes = places.nodes;
    swq_status status = SWQ_OK;

    type->length = swq_spread_prepare(&spec->length);
    if (spec->aim == SWQ_AIM_PATTERN) {
        /* the same for all replications, which repeat one experiment */
        status = swq_pattern_make_image(ctx, spec->pattern, &places, net->system.options->seed,
                                        &type->image_store);
        type->image = type->image_store;
    } else if (spec->aim == SWQ_AIM_SUBSET) {
        type->member = swq_calloc(ctx, nodes, sizeof *type->member);
        if (!type->member)
            return swq_memory_status(ctx);
        for (uint32_t i = 0; i < nodes; i++) {
            if ((i & spec->mask) == spec->value)
                type->member[type->members++] = i;
        }
    }
    return status;
}

static swq_status prepare_groups(swq_context *ctx, swq_async_net *net)
{
    const swq_async *spec = net->spec;
    swq_status status = SWQ_OK;

    for (int g = 0; g < spec->groups && !status; g++) {
        double sum = 0;
        net->group[g].interval = swq_spread_prepare(&spec->group[g].interval);
        for (int t = 0; t < spec->group[g].types && !status; t++) {
            sum += spec->group[g].type[t].probability;
            net->group[g].type[t].up_to = sum;
            status = prepare_type(ctx, net, &spec->group[g].type[t], &net->group[g].type[t]);
        }
    }
    return status;
}

static uint32_t source_of(const void *trace, uint64_t line)
{
    return ((const swq_async_message *)trace)[line].source;
}

/* Nodes that are ever in each group, if there are several. */
static void count_members(swq_async_net *net)
{
    for (int g = 0; g < net->spec->groups; g++) {
        for (uint32_t i = 0; i < net->fabric->nodes; i++)
            net->system.group_nodes[g] += swq_sender_group_has(net->spec, g, i);
    }
}

swq_status swq_senders_new(swq_context *ctx, swq_async_net *net)
{
    const swq_async *spec = net->spec;
    uint32_t nodes = net->fabric->nodes;
    swq_status status = SWQ_OK;

    net->timed = net->system.changing = swq_async_timed(spec);
    if (net->timed)
        count_members(net);
    if (spec->groups > 0) {
        swq_sender_groups(spec, nodes, net->group_of);
        if (!traced(net))
            status = prepare_groups(ctx, net);
    }
    if (status)
        return status;
    if (traced(net))
        swq_trace_sort(spec->trace_messages, nodes, source_of, spec->trace, net->trace_start,
                       net->trace_order);
    net->after.hears = hears;
    swq_after_begin(net);
    net->system.holds = !traced(net);
    for (uint32_t i = 0; i < nodes; i++) {
        swq_sender *s = &net->sender[i];
        uint32_t from = 0;
        const int group = traced(net) ? net->group_of[i] : first_group(net, i, &from);
        *s = (swq_sender){.birth = SWQ_NEVER,
                          .message_birth = SWQ_NEVER,
                          .later_birth = SWQ_NEVER,
                          .group = (uint8_t)group,
                          .later_group = (uint8_t)group};
        if (!traced(net) && group == spec->groups)
            continue;
        net->system.sources += !traced(net) && !net->timed;
        net->system.holds = net->system.holds && !open_loop(net, s);
        from = traced(net) ? 0 : swq_later(from, first_cycle(net, i, group));
        take_message(net, i, from);
        if (open_loop(net, s))
            foresee_message(net, i, from);
        swq_sender_awaits(net, i);
    }
    return SWQ_OK;
}

void swq_senders_free(swq_context *ctx, swq_async_net *net)
{
    for (int g = 0; net->group && g < net->spec->groups; g++) {
        for (int t = 0; t < SWQ_MAX_MESSAGE_TYPES; t++) {
            swq_free(ctx, net->group[g].type[t].image_store);
            swq_free(ctx, net->group[g].type[t].member);
        }
    }
}

void swq_senders_list(swq_async_net *net, swq_arrays *list)
{
    const double nodes = net->fabric->nodes;

    SWQ_ARRAY(list, net->sender, nodes);
    SWQ_ARRAY(list, net->group_of, nodes);
    SWQ_ARRAY(list, net->group, traced(net) ? 0 : net->spec->groups);
    SWQ_ARRAY(list, net->trace_start, traced(net) ? nodes + 1 : 0);
    SWQ_ARRAY(list, net->trace_order, traced(net) ? net->spec->trace_messages : 0);
    swq_after_list(net, list);
}

double swq_senders_bytes(const swq_async *spec, const swq_fabric *fabric)
{
    double bytes = 0;

    for (int g = 0; g < spec->groups && !spec->trace; g++)
        bytes += (double)spec->group[g].types * fabric->nodes * sizeof(uint32_t);
    return bytes;
}

/* Counts the packets that wait at a sender by replaying its random stream. */
void swq_senders_audit(const swq_async_net *net, uint64_t *packets, uint64_t *age, uint64_t *bytes)
{
    for (uint32_t i = 0; i < net->fabric->nodes; i++) {
        const swq_sender *s = &net->sender[i];
        uint32_t birth = s->birth, message_birth = s->message_birth;
        uint16_t length = s->bytes;
        uint8_t group = s->group;
        for (uint64_t number = s->number; message_birth < net->cycle;) {
            if (birth < net->cycle) {
                ++*packets;
                *age += net->cycle - birth;
                *bytes += length;
            }
            if (!open_loop(net, s))
                break;
            message m = {0};
            number++;
            birth = message_birth = place(net, i, &group, &number, message_birth, &m);
            length = packet_of(net, m.bytes);
        }
    }
}
