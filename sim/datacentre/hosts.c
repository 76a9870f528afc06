/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hosts: flows that take turns on a host's line, acknowledgements, what is sent again, and
 * timeouts. A receiver acknowledges every packet, and says which is the first that has not come; a
 * sender sends this one again after three acknowledgements that tell nothing new, and recovers as
 * RFC 6582 (NewReno) does.
 */
#include "sim/datacentre/senders.h"

#include <math.h>

/* ---- the ring of flows that may send ---- */

static void enter_ring(dc_net *net, dc_flow *f)
{
    dc_hosts *own = &net->own;
    const uint32_t slot = (uint32_t)(f - own->flow);
    uint32_t *last = &own->ring[f->from];

    if (f->ready)
        return;
    f->ready = true;
    f->next_ready = *last == DC_NONE ? slot : own->flow[*last].next_ready;
    if (*last != DC_NONE)
        own->flow[*last].next_ready = slot;
    *last = slot;
}

/* The first flow of the ring leaves. */
static dc_flow *leave_ring(dc_net *net, uint32_t host)
{
    dc_hosts *own = &net->own;
    dc_flow *last = &own->flow[own->ring[host]], *first = &own->flow[last->next_ready];

    if (first == last)
        own->ring[host] = DC_NONE;
    else
        last->next_ready = first->next_ready;
    first->ready = false;
    return first;
}

static bool is_paused(const dc_net *net, uint32_t host, int class)
{
    return net->port[net->host_ports + host].paused >> class & 1;
}

static bool may_send(const dc_net *net, const dc_flow *f)
{
    if (!f->used)
        return false;
    if (f->resend != DC_NONE)
        return true;
    return f->next < f->packets &&
           (dc_sender_of(net)->open || (double)(f->next - f->acked) < f->window);
}

static void wake(dc_net *net, dc_flow *f)
{
    if (!may_send(net, f))
        return;
    enter_ring(net, f);
    dc_look_at_port(net, net->host_ports + f->from);
}

/* The slot of a flow that is over, once nothing refers to it. */
static void give_slot(dc_net *net, dc_flow *f)
{
    if (f->used || f->ready || f->timed)
        return;
    f->next_ready = net->own.free;
    net->own.free = (uint32_t)(f - net->own.flow);
}

/* ---- packets ---- */

static uint32_t packet_of(dc_net *net, const dc_flow *f, uint32_t to, uint32_t bytes)
{
    const uint32_t k = dc_packet_take(net->ctx, &net->packets);
    const uint32_t cell = net->spec->memory.cell;

    if (k == DC_NONE) {
        net->events->failed = true;
        return DC_NONE;
    }
    net->packets.packet[k] = (dc_packet){.number = net->come++,
                                         .next = DC_NONE,
                                         .before = DC_NONE,
                                         .bytes = bytes,
                                         .size = (bytes + cell - 1) / cell * cell,
                                         .class = f->class,
                                         .flow = (uint32_t)(f - net->own.flow),
                                         .generation = f->generation,
                                         .to = to,
                                         .hash = f->hash,
                                         .stamp = net->now};
    return k;
}

static void set_deadline(dc_net *net, dc_flow *f)
{
    f->deadline = net->now + f->timeout;
    if (f->timed)
        return;
    f->timed = true;
    dc_events_push(net->ctx, net->events, f->deadline, DC_TIMER, (uint32_t)(f - net->own.flow));
}

static uint32_t data_of(dc_net *net, dc_flow *f)
{
    const bool again = f->resend != DC_NONE;
    const uint32_t place = again ? f->resend : f->next;
    const uint32_t bytes = place + 1 == f->packets ? f->last : net->spec->size_bytes[0];
    const uint32_t k = packet_of(net, f, f->to, bytes);

    if (k == DC_NONE)
        return k;
    net->packets.packet[k].place = place;
    if (f->start + f->round_alone > net->now)
        net->packets.packet[k].flags = SWQ_DC_FIRST_ROUND_TRIP;
    if (again) {
        f->resend = DC_NONE;
        net->own.retransmitted++;
    } else {
        f->next++;
    }
    if (!dc_sender_of(net)->open)
        set_deadline(net, f);
    return k;
}

bool dc_host_waits(const dc_net *net, uint32_t host)
{
    return net->own.answers[host].head != DC_NONE || net->own.ring[host] != DC_NONE;
}

uint32_t dc_host_next(dc_net *net, uint32_t host)
{
    dc_hosts *own = &net->own;

    const uint32_t answer = own->answers[host].head;
    if (answer != DC_NONE && !is_paused(net, host, net->packets.packet[answer].class))
        return dc_list_first(&net->packets, &own->answers[host]);
    const dc_flow *met = NULL; /* the first flow that is paused */
    while (own->ring[host] != DC_NONE) {
        dc_flow *f = leave_ring(net, host);
        if (f->used && is_paused(net, host, f->class)) {
            enter_ring(net, f);
            if (f == met)
                break;
            met = met ? met : f;
            continue;
        }
        if (!may_send(net, f)) {
            give_slot(net, f);
            continue;
        }
        const uint32_t k = data_of(net, f);
        if (may_send(net, f))
            enter_ring(net, f);
        return k;
    }
    return DC_NONE;
}

/* ---- the end of a flow ---- */

static void release(dc_net *net, dc_flow *f)
{
    dc_hosts *own = &net->own;

    swq_free(net->ctx, f->came);
    f->came = NULL;
    f->used = false;
    f->generation++;
    own->active--;
    give_slot(net, f);
}

static void end_query(dc_net *net, uint32_t slot)
{
    dc_hosts *own = &net->own;
    dc_query *q = &own->query[slot];

    if (--q->left > 0)
        return;
    if (q->counted) {
        dc_note_complete(&own->queries, net->now - q->start, 0);
        own->counted_left--;
    }
    q->next = own->query_free;
    own->query_free = slot;
}

/* All bytes have come. */
static void complete(dc_net *net, dc_flow *f)
{
    dc_hosts *own = &net->own;
    const uint64_t time = net->now - f->start;

    f->complete = true;
    if (f->counted) {
        const double slowdown = (double)time / (double)f->alone;
        dc_note_complete(&own->by_size[dc_size_class(f->bytes)], time, slowdown);
        own->counted_left--;
        if (net->flows)
            fprintf(net->flows, "%llu,%llu,%u,%u,%llu,%d,%llu,%.6g\n",
                    (unsigned long long)f->number, (unsigned long long)f->start, f->from, f->to,
                    (unsigned long long)f->bytes, f->class, (unsigned long long)net->now, slowdown);
    }
    if (f->query != DC_NONE)
        end_query(net, f->query);
    dc_flow_is_complete(net, f);
}

/* ---- the receiver ---- */

/* Notes a packet beyond the first one that is missing. */
static bool note_beyond(dc_net *net, dc_flow *f, uint32_t place)
{
    const uint64_t bit = UINT64_C(1) << place % 64;

    if (!f->came) {
        f->came = swq_calloc(net->ctx, f->packets / 64 + 1, sizeof *f->came);
        if (!f->came) {
            net->events->failed = true;
            return false;
        }
    }
    if (f->came[place / 64] & bit)
        return false;
    f->came[place / 64] |= bit;
    return true;
}

static void take_in(dc_net *net, dc_flow *f, uint32_t place)
{
    if (place > f->expected) {
        note_beyond(net, f, place);
        return;
    }
    if (place < f->expected)
        return;
    f->expected++;
    while (f->came && f->expected < f->packets && f->came[f->expected / 64] >> f->expected % 64 & 1)
        f->expected++;
}

static void acknowledge(dc_net *net, dc_flow *f, const dc_packet *data)
{
    const dc_packet cause = *data; /* packets may move */
    const uint32_t k = packet_of(net, f, f->from, net->spec->network.ack);

    if (k == DC_NONE)
        return;
    dc_packet *p = &net->packets.packet[k];
    p->ack = true;
    p->hash = ~f->hash;
    p->place = cause.place;
    p->expected = f->expected;
    p->marked = cause.marked;
    p->stamp = cause.stamp;
    dc_list_append(&net->packets, &net->own.answers[f->to], k);
    dc_look_at_port(net, net->host_ports + f->to);
}

static void receive_open(dc_net *net, dc_flow *f)
{
    f->arrived++;
    if (f->arrived == f->packets)
        complete(net, f);
    if (f->arrived + f->lost == f->packets)
        release(net, f);
}

/* A packet of an open flow is lost, so that the flow will not be complete. */
void dc_host_lost(dc_net *net, const dc_packet *p)
{
    dc_flow *f = &net->own.flow[p->flow];

    if (!dc_sender_of(net)->open || !f->used || f->generation != p->generation)
        return;
    if (f->lost++ == 0) {
        net->own.counted_left -= f->counted;
        if (f->query != DC_NONE && net->own.query[f->query].counted) {
            net->own.counted_left--;
            net->own.query[f->query].counted = false;
        }
    }
    if (f->arrived + f->lost == f->packets)
        release(net, f);
}

static void receive_data(dc_net *net, dc_flow *f, const dc_packet *p)
{
    const uint32_t before = f->expected;

    if (net->tally.on)
        net->own.payload += p->bytes - net->spec->network.header;
    if (dc_sender_of(net)->open) {
        receive_open(net, f);
        return;
    }
    take_in(net, f, p->place);
    if (f->expected == f->packets && before < f->packets)
        complete(net, f);
    acknowledge(net, f, p);
}

/* ---- the sender, when an acknowledgement comes ---- */

/* V. Jacobson and M. Karels: smoothed round trip and deviation; RFC 6298. */
static void note_round(dc_net *net, dc_flow *f, double round)
{
    if (f->round == 0) {
        f->round = round;
        f->deviation = round / 2;
    } else {
        f->deviation += (fabs(round - f->round) - f->deviation) / 4;
        f->round += (round - f->round) / 8;
    }
    const uint64_t timeout = (uint64_t)(f->round + 4 * f->deviation);
    const uint64_t least = net->spec->network.least_timeout;
    f->timeout = timeout > least ? timeout : least;
}

static void note_lost(dc_net *net, dc_flow *f, bool timeout)
{
    const dc_sender_rule *rule = dc_sender_of(net);

    if (rule->lost)
        rule->lost(net, f, timeout);
    else
        f->threshold = f->window;
}

static void take_repeat(dc_net *net, dc_flow *f)
{
    const bool fixed = !dc_sender_of(net)->lost;

    f->repeats++;
    if (f->recovering) {
        f->window += !fixed; /* a packet has left the network */
    } else if (f->repeats == 3) {
        note_lost(net, f, false);
        f->recovering = true;
        f->recover = f->next;
        f->resend = f->acked;
        if (!fixed)
            f->window = f->threshold + 3;
    }
}

static void take_progress(dc_net *net, dc_flow *f, const dc_packet *p, uint32_t packets)
{
    const dc_sender_rule *rule = dc_sender_of(net);
    const bool fixed = !rule->lost;
    const dc_news news = {packets, p->marked, (double)(net->now - p->stamp)};

    f->acked = p->expected;
    f->next = f->next > f->acked ? f->next : f->acked;
    f->repeats = 0;
    note_round(net, f, news.round);
    if (!f->recovering) {
        if (rule->acked)
            rule->acked(net, f, &news);
    } else if (f->acked >= f->recover) {
        f->recovering = false;
        if (!fixed)
            f->window = f->threshold;
    } else {
        f->resend = f->acked; /* the next packet that was lost */
        if (!fixed)
            f->window = f->window > packets ? f->window - packets + 1 : 1;
    }
    if (f->resend != DC_NONE && f->resend < f->acked)
        f->resend = DC_NONE;
    if (f->acked == f->packets)
        release(net, f);
    else
        set_deadline(net, f);
}

static void receive_answer(dc_net *net, dc_flow *f, const dc_packet *p)
{
    if (p->expected > f->acked)
        take_progress(net, f, p, p->expected - f->acked);
    else if (p->expected == f->acked && f->next > f->acked)
        take_repeat(net, f);
    if (f->used)
        wake(net, f);
}

void dc_timer(dc_net *net, uint32_t slot)
{
    dc_flow *f = &net->own.flow[slot];

    f->timed = false;
    if (!f->used) {
        give_slot(net, f);
        return;
    }
    if (net->now < f->deadline) {
        f->timed = true;
        dc_events_push(net->ctx, net->events, f->deadline, DC_TIMER, slot);
        return;
    }
    net->own.timeouts++;
    note_lost(net, f, true);
    if (dc_sender_of(net)->lost)
        f->window = 1;
    net->own.retransmitted += f->next - f->acked > 0;
    f->next = f->acked;
    f->resend = DC_NONE;
    f->recovering = false;
    f->repeats = 0;
    f->round_end = f->acked;
    f->timeout = 2 * f->timeout < DC_MOST_TIMEOUT ? 2 * f->timeout : DC_MOST_TIMEOUT;
    set_deadline(net, f);
    wake(net, f);
}

void dc_host_receive(dc_net *net, uint32_t host, uint32_t k)
{
    const dc_packet p = net->packets.packet[k];
    dc_flow *f = &net->own.flow[p.flow];

    (void)host;
    dc_packet_give(&net->packets, k);
    if (!f->used || f->generation != p.generation)
        return;
    if (p.ack)
        receive_answer(net, f, &p);
    else
        receive_data(net, f, &p);
}

void dc_flow_start(dc_net *net, dc_flow *f)
{
    if (dc_sender_of(net)->begins)
        dc_sender_of(net)->begins(net, f);
    wake(net, f);
}
