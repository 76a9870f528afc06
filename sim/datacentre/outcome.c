/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See outcome.h.
 */
#include "sim/datacentre/outcome.h"
#include "base/context.h"

#include <math.h>
#include <string.h>

/* ---- histograms of all replications ---- */

/* Of one class `delays` of all classes together are those of the class. */
swq_status dc_pool_make(swq_context *ctx, dc_pool *pool, int classes)
{
    enum { DELAYS = SWQ_DC_CLASSES + 1 };
    const size_t sets = (size_t)dc_flows_of(dc_all_classes(classes) + 1, 0) + 1;
    const size_t bins = (DELAYS + 2 * sets) * DC_DELAY_BINS + DC_OCCUPANCY_BINS + 1;
    uint64_t *at = swq_calloc(ctx, bins, sizeof *at);

    if (!at)
        return swq_memory_status(ctx);
    pool->bins = at;
    for (int k = 0; k < DELAYS; k++, at += DC_DELAY_BINS)
        pool->delays[k] = at;
    for (int k = 0; k < DC_COMPLETIONS; k++) {
        if (!dc_is_used(k, classes))
            continue;
        pool->times[k] = at;
        pool->slowdowns[k] = at + DC_DELAY_BINS;
        at += 2 * (size_t)DC_DELAY_BINS;
    }
    pool->occupancy = at;
    pthread_mutex_init(&pool->lock, NULL);
    return SWQ_OK;
}

void dc_pool_free(swq_context *ctx, dc_pool *pool)
{
    if (pool->bins)
        pthread_mutex_destroy(&pool->lock);
    swq_free(ctx, pool->bins);
}

static void add_bins(uint64_t *sum, const uint64_t *bin, int bins)
{
    for (int b = 0; b < bins; b++)
        sum[b] += bin[b];
}

/* ---- one replication ---- */

double dc_occupancy_of(int bin)
{
    return (double)bin / DC_OCCUPANCY_BINS;
}

static void add_counts(dc_numbers *n, const dc_counts *c)
{
    n->offered += c->offered;
    n->offered_bytes += c->offered_bytes;
    n->sent += c->sent;
    n->sent_bytes += c->sent_bytes;
    n->marked += c->marked;
    n->cut += c->cut;
    n->lost_bytes += c->lost_bytes;
    n->storms += c->storms;
    for (int e = SWQ_DC_REFUSED; e <= SWQ_DC_IN_STORM; e++) {
        n->by_end[e] += c->lost[e];
        n->lost += c->lost[e];
    }
    n->delay += c->delay;
    n->byte_ps += c->byte_ps;
    n->parts += c->parts;
}

double dc_slowdown_of(int bin)
{
    return dc_delay_of(bin) / DC_SLOWDOWN_UNIT;
}

/* Jain, Chiu and Hawe (1984): the square of a sum, divided by the number and the sum of squares. */
static double jain(double count, double sum, double squares)
{
    return squares > 0 ? sum * sum / (count * squares) : NAN;
}

static double jain_of_hosts(const dc_net *net)
{
    double sum = 0, squares = 0;

    for (uint32_t h = 0; h < net->hosts; h++) {
        const double sent = (double)net->own.came_from[h];
        sum += sent;
        squares += sent * sent;
    }
    return jain(net->hosts, sum, squares);
}

static void gather_flows(const dc_hosts *own, int classes, dc_pool *pool, dc_outcome *o)
{
    for (int k = 0; k < DC_COMPLETIONS; k++) {
        const dc_completions *c = &own->complete[k];
        if (!dc_is_used(k, classes))
            continue;
        o->flows[k].begun = c->begun;
        o->flows[k].completed = c->completed;
        o->flows[k].time = c->time;
        o->flows[k].slowdown = c->slowdown;
        o->flows[k].jain = jain((double)c->completed, c->rates, c->rate_squares);
        add_bins(pool->times[k], c->times, DC_DELAY_BINS);
        add_bins(pool->slowdowns[k], c->slowdowns, DC_DELAY_BINS);
        for (int p = 0; p < SWQ_DC_PERCENTILES; p++) {
            const double level = swq_dc_percentiles[p];
            o->flows[k].time_at[p] = dc_percentile(c->times, DC_DELAY_BINS, level, dc_delay_of);
            o->flows[k].slowdown_at[p] =
                dc_percentile(c->slowdowns, DC_DELAY_BINS, level, dc_slowdown_of);
        }
    }
    o->collective_left = own->collective.left;
    o->collective_took = own->collective.took;
    o->listed_before = own->listed_before;
    o->listed_late = own->listed_late;
    o->payload = own->payload;
    memcpy(o->sender_value, own->value, sizeof o->sender_value);
    o->timeouts = own->timeouts;
    o->retransmitted = own->retransmitted;
}

static void add_completions(dc_completions *all, const dc_completions *c)
{
    all->begun += c->begun;
    all->completed += c->completed;
    all->time += c->time;
    all->slowdown += c->slowdown;
    all->rates += c->rates;
    all->rate_squares += c->rate_squares;
    add_bins(all->times, c->times, DC_DELAY_BINS);
    add_bins(all->slowdowns, c->slowdowns, DC_DELAY_BINS);
}

/* Flows have been counted by class and size; adds them up for all classes, and all sizes. */
static void add_flows(dc_completions *complete, int classes)
{
    const int all = dc_all_classes(classes);

    for (int class = 0; class < classes && all > 0; class ++) {
        for (int size = 0; size < DC_ALL_SIZES; size++)
            add_completions(&complete[dc_flows_of(all, size)], &complete[dc_flows_of(class, size)]);
    }
    for (int class = 0; class <= all; class ++) {
        for (int size = 0; size < DC_ALL_SIZES; size++)
            add_completions(&complete[dc_flows_of(class, DC_ALL_SIZES)],
                            &complete[dc_flows_of(class, size)]);
    }
}

/* Packets in the memories of switches. */
static uint64_t inside(const dc_net *net)
{
    uint64_t packets = 0;

    for (uint32_t q = 0; q < net->queues; q++)
        packets += net->queue[q].packets;
    for (uint32_t p = 0; p < net->host_ports; p++)
        packets += net->port[p].sending != DC_NONE;
    return packets;
}

static void gather_delays(const dc_tally *t, int classes, dc_pool *pool, dc_outcome *o)
{
    uint64_t *all = t->by_class[0].delays;

    for (int k = 0; k < classes; k++) {
        add_counts(&o->of[k], &t->by_class[k]);
        add_counts(&o->of[classes], &t->by_class[k]);
        add_bins(pool->delays[k], t->by_class[k].delays, DC_DELAY_BINS);
        for (int p = 0; p < SWQ_DC_PERCENTILES; p++)
            o->of[k].delay_at[p] = dc_percentile(t->by_class[k].delays, DC_DELAY_BINS,
                                                 swq_dc_percentiles[p], dc_delay_of);
    }
    for (int k = 1; k < classes; k++)
        add_bins(all, t->by_class[k].delays, DC_DELAY_BINS);
    if (classes > 1)
        // cppcheck-suppress arrayIndexOutOfBoundsCond
        add_bins(pool->delays[classes], all, DC_DELAY_BINS);
    for (int p = 0; p < SWQ_DC_PERCENTILES; p++)
        o->of[classes].delay_at[p] =
            dc_percentile(all, DC_DELAY_BINS, swq_dc_percentiles[p], dc_delay_of);
}

void dc_add_parts(dc_net *net, int sign)
{
    for (uint32_t port = 0; port < net->ports; port++) {
        if (net->port[port].sending == DC_NONE)
            continue;
        const int class = net->packets.packet[net->port[port].sending].class;
        const double part = sign * dc_part_sent(net, port);
        if (port < net->host_ports)
            net->tally.by_class[class].parts += part;
        if (net->tally.link)
            net->tally.link[port * (uint32_t)net->classes + (uint32_t) class].parts += part;
    }
}

dc_span dc_span_now(const dc_net *net)
{
    const dc_tally *t = &net->tally;
    dc_span s = {.ps = net->now - t->begun, .payload = net->own.payload, .used_ps = t->used_ps};

    for (uint32_t m = 0; m < t->memories; m++)
        s.used_ps += (double)t->used[m] * t->per_byte[m] * (double)(net->now - t->changed[m]);
    for (uint32_t port = 0; port < net->host_ports; port++)
        s.line_bytes += dc_part_sent(net, port);
    for (int k = 0; k < net->classes; k++) {
        const dc_counts *c = &t->by_class[k];
        s.line_bytes += (double)c->sent_bytes + c->parts;
        s.offered += c->offered;
        for (int e = SWQ_DC_REFUSED; e <= SWQ_DC_IN_STORM; e++)
            s.lost += c->lost[e];
    }
    return s;
}

static void gather_links(const dc_net *net, dc_outcome *o)
{
    const uint32_t rows = net->ports * (uint32_t)net->classes;

    if (o->link)
        memcpy(o->link, net->tally.link, rows * sizeof *o->link);
    for (uint32_t row = 0; net->ingress && row < rows; row++) {
        uint64_t pauses, paused;
        dc_ingress_pauses(net, row / (uint32_t)net->classes, (int)(row % (uint32_t)net->classes),
                          &pauses, &paused);
        o->pauses += pauses;
        o->paused += paused;
        if (o->link) {
            o->link[row].pauses = pauses;
            o->link[row].paused = paused;
        }
    }
}

void dc_gather(dc_net *net, dc_pool *pool, dc_outcome *o)
{
    const dc_tally *t = &net->tally;

    pthread_mutex_lock(&pool->lock);
    if (net->hosts > 0) {
        add_flows(net->own.complete, net->classes);
        gather_flows(&net->own, net->classes, pool, o);
        o->jain = jain_of_hosts(net);
    }
    gather_delays(t, net->classes, pool, o);
    add_bins(pool->occupancy, t->occupancy, DC_OCCUPANCY_BINS + 1);
    pthread_mutex_unlock(&pool->lock);
    for (int p = 0; p < SWQ_DC_PERCENTILES; p++)
        o->occupancy_at[p] = dc_percentile(t->occupancy, DC_OCCUPANCY_BINS + 1,
                                           swq_dc_percentiles[p], dc_occupancy_of);
    gather_links(net, o);
    o->headroom_most = net->headroom_most;
    o->used_ps = t->used_ps;
    o->most = t->most;
    o->ps = t->ended - t->begun;
    o->now = net->now;
    o->inside = inside(net);
    o->hops = t->all_sent;
    o->packets = net->come;
    o->conserved = t->all_offered == t->all_sent + t->all_lost + o->inside;
    o->done = true;
}
