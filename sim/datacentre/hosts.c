/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hosts: what comes to them, acknowledgements, what is sent again, and timeouts. A receiver
 * acknowledges every packet, and says which is the first that has not come; so the sender knows of
 * each packet whether it has come.
 */
#include "sim/datacentre/scoreboard.h"
#include "sim/datacentre/senders.h"

#include <math.h>

static void wake(dc_net *net, dc_flow *f)
{
    if (!dc_may_send(net, f))
        return;
    dc_enter_ring(net, f);
    dc_look_at_port(net, net->host_ports + f->from);
}

/* ---- the end of a flow ---- */

static void release(dc_net *net, dc_flow *f)
{
    dc_hosts *own = &net->own;

    swq_free(net->ctx, f->came);
    swq_free(net->ctx, f->told);
    f->came = f->told = NULL;
    f->used = false;
    if (f->silent_after)
        dc_falls_silent(net, f->from);
    f->generation++;
    own->active--;
    dc_give_slot(net, f);
}

static void end_query(dc_net *net, uint32_t slot)
{
    dc_hosts *own = &net->own;
    dc_query *q = &own->query[slot];

    if (--q->left > 0)
        return;
    if (q->counted) {
        dc_note_complete(&own->complete[DC_QUERIES], net->now - q->start, 0,
                         net->spec->flows.query_bytes);
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
        dc_note_complete(&own->complete[dc_flows_of(f->class, dc_size_class(f->bytes))], time,
                         slowdown, f->bytes);
        own->counted_left--;
        if (net->flows && !own->list_begun)
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
            net->events->failed = swq_memory_status(net->ctx);
            return false;
        }
    }
    if (f->came[place / 64] & bit)
        return false;
    f->came[place / 64] |= bit;
    return true;
}

/* Has the packet come for the first time? */
static bool take_in(dc_net *net, dc_flow *f, uint32_t place)
{
    if (place > f->expected)
        return note_beyond(net, f, place);
    if (place < f->expected)
        return false;
    f->expected++;
    while (f->came && f->expected < f->packets && f->came[f->expected / 64] >> f->expected % 64 & 1)
        f->expected++;
    return true;
}

static void acknowledge(dc_net *net, dc_flow *f, const dc_packet *data)
{
    const dc_sender_rule *rule = dc_sender_of(net, f);
    const dc_packet cause = *data; /* packets may move */
    const uint32_t k = dc_host_packet(net, f, f->from, net->spec->network.ack);

    if (k == DC_NONE)
        return;
    dc_packet *p = &net->packets.packet[k];
    p->ack = true;
    p->hash = ~f->hash;
    p->place = cause.place;
    p->expected = f->expected;
    p->marked = cause.marked && (!rule->echoes || rule->echoes(net, f));
    p->stamp = cause.stamp;
    if (rule->told)
        net->packets.telemetry[k] = net->own.heard;
    dc_list_append(&net->packets, &net->own.answers[f->to], k);
    dc_look_at_port(net, net->host_ports + f->to);
}

static void receive_open(dc_net *net, dc_flow *f)
{
    f->arrived++;
    if (f->arrived == f->packets)
        complete(net, f);
    if (f->arrived + f->lost < f->packets)
        return;
    if (f->lost > 0 && f->query != DC_NONE)
        end_query(net, f->query); /* which is not counted any more */
    release(net, f);
}

/* A packet of an open flow is lost, so that the flow will not be complete. */
void dc_host_lost(dc_net *net, const dc_packet *p)
{
    dc_flow *f = &net->own.flow[p->flow];

    if (!dc_sender_of(net, f)->open || !f->used || f->generation != p->generation)
        return;
    if (f->lost++ == 0) {
        net->own.counted_left -= f->counted;
        if (f->query != DC_NONE && net->own.query[f->query].counted) {
            net->own.counted_left--;
            net->own.query[f->query].counted = false;
        }
    }
    if (f->arrived + f->lost < f->packets)
        return;
    if (f->lost > 0 && f->query != DC_NONE)
        end_query(net, f->query); /* which is not counted any more */
    release(net, f);
}

/* k: where the packet was, which has not been used again. */
static void receive_data(dc_net *net, dc_flow *f, const dc_packet *p, uint32_t k)
{
    const uint32_t before = f->expected;

    const bool open = dc_sender_of(net, f)->open, first = open || take_in(net, f, p->place);
    if (net->tally.on && first) {
        net->own.payload += p->bytes - net->spec->network.header;
        net->own.came_from[f->from] += p->bytes - net->spec->network.header;
    }
    if (open) {
        receive_open(net, f);
        return;
    }
    if (dc_sender_of(net, f)->told)
        net->own.heard = net->packets.telemetry[k]; /* flows that begin now use the place */
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
    const dc_sender_rule *rule = dc_sender_of(net, f);

    if (rule->lost)
        rule->lost(net, f, timeout);
    else
        f->threshold = f->window;
}

/* A packet is lost, and none was since the present recovery began. */
static void recover(dc_net *net, dc_flow *f)
{
    note_lost(net, f, false);
    f->recovering = true;
    f->recover = f->next;
    f->window = f->threshold;
}

static void take_progress(dc_net *net, dc_flow *f, const dc_packet *p)
{
    const dc_sender_rule *rule = dc_sender_of(net, f);
    const dc_news news = {.packets = p->expected - f->acked,
                          .limited = dc_on_way(f) + 1 > f->window,
                          .marked = p->marked,
                          .round = (double)(net->now - p->stamp)};

    dc_tell_all(f, p->expected, net->now);
    note_round(net, f, news.round);
    if (f->recovering && f->acked >= f->recover)
        f->recovering = false;
    else if (!f->recovering && rule->acked)
        rule->acked(net, f, &news);
    if (f->acked == f->packets)
        release(net, f);
    else
        dc_set_deadline(net, f);
}

static void hear(dc_net *net, dc_flow *f, const dc_packet *p, uint32_t k)
{
    const dc_sender_rule *rule = dc_sender_of(net, f);
    const dc_news news = {.packets = 1,
                          .marked = p->marked,
                          .round = (double)(net->now - p->stamp),
                          .place = p->place};

    if (rule->told)
        net->own.heard = net->packets.telemetry[k];
    rule->heard(net, f, &news);
    if (rule->gap)
        dc_pace_look(net, f);
}

/* k: where the packet was, which has not been used again. */
static void receive_answer(dc_net *net, dc_flow *f, const dc_packet *p, uint32_t k)
{
    if (dc_sender_of(net, f)->heard)
        hear(net, f, p, k);
    if (p->place > p->expected && !dc_tell(net->ctx, f, p->place))
        net->events->failed = swq_memory_status(net->ctx);
    if (p->expected > f->acked)
        take_progress(net, f, p);
    if (!f->used)
        return;
    if (f->holes > 0 && !f->recovering) {
        recover(net, f);
    } else if (f->recovering && !f->again && p->expected == f->acked && f->scan > f->acked &&
               p->stamp > f->head_sent) {
        f->again = true; /* what was sent after the packet was sent again has come */
        recover(net, f);
    }
    wake(net, f);
}

void dc_timer(dc_net *net, uint32_t slot)
{
    dc_flow *f = &net->own.flow[slot];
    const dc_sender_rule *rule = dc_sender_of(net, f);

    f->timed = false;
    if (!f->used) {
        dc_give_slot(net, f);
        return;
    }
    if (net->now < f->deadline) {
        f->timed = true;
        dc_events_push(net->ctx, net->events, f->deadline, DC_TIMER, slot);
        return;
    }
    if (rule->gap && dc_on_way(f) <= 0)
        return; /* nothing is on its way: the next packet waits for its time */
    net->own.timeouts += net->tally.on;
    note_lost(net, f, true);
    if (rule->lost && !rule->keeps_window)
        f->window = 1;
    dc_begin_again(f);
    f->recovering = false;
    f->round_end = f->acked;
    f->timeout = 2 * f->timeout < DC_MOST_TIMEOUT ? 2 * f->timeout : DC_MOST_TIMEOUT;
    dc_set_deadline(net, f);
    wake(net, f);
}

void dc_pace_event(dc_net *net, uint32_t slot)
{
    dc_flow *f = &net->own.flow[slot];

    f->paces--;
    if (!f->used)
        dc_give_slot(net, f);
    else if (dc_pace_over(net, f))
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
        receive_answer(net, f, &p, k);
    else
        receive_data(net, f, &p, k);
}

void dc_flow_start(dc_net *net, dc_flow *f)
{
    if (dc_sender_of(net, f)->begins)
        dc_sender_of(net, f)->begins(net, f);
    wake(net, f);
}
