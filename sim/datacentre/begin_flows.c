/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Flows begin: at random times, as answers to queries, or by a list.
 */
#include "sim/datacentre/senders.h"

#include <math.h>
#include <string.h>

const uint64_t swq_dc_size_limits[SWQ_DC_SIZE_CLASSES] = {100000, 1000000, UINT64_MAX, UINT64_MAX};

/* Places of events of kind DC_FLOW. */
enum { AT_RANDOM, QUERIES, LISTED, WAITED = DC_WAITED };

static swq_status make_completions(swq_context *ctx, dc_completions *c)
{
    c->times = swq_calloc(ctx, DC_DELAY_BINS, sizeof *c->times);
    c->slowdowns = swq_calloc(ctx, DC_DELAY_BINS, sizeof *c->slowdowns);
    return c->times && c->slowdowns ? SWQ_OK : swq_memory_status(ctx);
}

static void push_flow(dc_net *net, uint32_t process, uint64_t time)
{
    if (time < SWQ_MOST_FLOW_START)
        dc_events_push(net->ctx, net->events, time, DC_FLOW, process);
}

static swq_flow_process process_of(const dc_net *net, uint32_t who, double gap)
{
    return (swq_flow_process){.streams = net->streams,
                              .who = who,
                              .nodes = net->hosts,
                              .rack = net->graph->rack,
                              .gap = gap > 1 ? gap : 1,
                              .traffic_class = who == QUERIES ? net->spec->flows.query_class : 0,
                              .classes = net->classes,
                              .class_share = net->spec->class_share};
}

static void next_at_random(dc_net *net)
{
    dc_hosts *own = &net->own;

    swq_flow_poisson(&own->process[AT_RANDOM], &own->sizes, &own->next);
    push_flow(net, AT_RANDOM, own->next.start);
}

static void next_query(dc_net *net)
{
    dc_hosts *own = &net->own;

    swq_flow_incast(&own->process[QUERIES], net->spec->flows.query_bytes, net->spec->flows.fan_in,
                    own->answer);
    push_flow(net, QUERIES, own->answer[0].start);
}

/* Flows of this list may wait for others. */
static bool may_wait(const dc_hosts *own)
{
    return own->list.with_after || own->list.format == SWQ_FLOWS_HTSIM;
}

/* A flow of the list has been read that waits for another one. */
static swq_status keep_waiting(dc_net *net)
{
    dc_hosts *own = &net->own;
    uint32_t slot;
    bool due;

    const swq_status status =
        dc_waiting_add(net->ctx, &own->waiting, &own->listed, own->list.read, &slot, &due);
    if (!status && due)
        push_flow(net, WAITED + slot, net->now + own->listed.start);
    return status;
}

/* Reads on to the next flow that waits for none. */
static swq_status next_listed(dc_net *net)
{
    dc_hosts *own = &net->own;
    swq_status status;

    do {
        status = swq_flow_list_next(&own->list, &own->listed, &own->more);
        if (status || !own->more)
            return status;
        if (may_wait(own) && !dc_waiting_number(net->ctx, &own->waiting, own->list.read))
            return swq_memory_status(net->ctx);
        if (own->listed.after)
            status = keep_waiting(net);
    } while (!status && own->listed.after);
    if (!status)
        push_flow(net, LISTED, own->listed.start);
    return status;
}

static swq_status begin_at_random(dc_net *net)
{
    const swq_dc_graph *g = net->graph;
    const double capacity = dc_graph_host_capacity(g);
    dc_hosts *own = &net->own;
    const double gap =
        swq_flow_gap(net->spec->flows.load, swq_flow_sizes_mean(&own->sizes), capacity);

    own->process[AT_RANDOM] = process_of(net, AT_RANDOM, gap);
    if (!dc_graph_hosts_alike(g)) {
        own->rates = swq_calloc(net->ctx, g->hosts, sizeof *own->rates);
        if (!own->rates)
            return swq_memory_status(net->ctx);
        for (uint32_t h = 0; h < g->hosts; h++)
            own->rates[h] = (h > 0 ? own->rates[h - 1] : 0) + g->rate[g->at[h]];
        own->process[AT_RANDOM].rates = own->rates;
    }
    next_at_random(net);
    return SWQ_OK;
}

static swq_status begin_processes(dc_net *net)
{
    const swq_dc_flows *f = &net->spec->flows;
    dc_hosts *own = &net->own;

    for (uint32_t h = 0; f->off > 0 && h < net->hosts; h++)
        dc_falls_silent(net, h);
    if (f->sizes && f->load > 0) {
        const swq_status status = begin_at_random(net);
        if (status)
            return status;
    }
    if (f->query_rate > 0) {
        own->process[QUERIES] = process_of(net, QUERIES, swq_query_gap(f->query_rate, net->hosts));
        next_query(net);
    }
    return f->list ? next_listed(net) : SWQ_OK;
}

swq_status dc_flows_make(swq_context *ctx, dc_net *net)
{
    dc_hosts *own = &net->own;
    const swq_dc_flows *f = &net->spec->flows;

    own->free = own->query_free = DC_NONE;
    swq_status status = dc_senders_make(ctx, net);
    if (status)
        return status;
    if (net->packets.with_telemetry) {
        net->carried = swq_calloc(ctx, net->ports, sizeof *net->carried);
        if (!net->carried)
            return swq_memory_status(ctx);
    }
    own->ring = swq_calloc(ctx, net->hosts, sizeof *own->ring);
    own->answers = swq_calloc(ctx, net->hosts, sizeof *own->answers);
    if (f->fan_in > 0)
        own->answer = swq_calloc(ctx, f->fan_in, sizeof *own->answer);
    if (f->off > 0)
        own->silence = swq_calloc(ctx, net->hosts, sizeof *own->silence);
    own->came_from = swq_calloc(ctx, net->hosts, sizeof *own->came_from);
    if (!own->ring || !own->answers || !own->came_from || (f->fan_in > 0 && !own->answer) ||
        (f->off > 0 && !own->silence))
        return swq_memory_status(ctx);
    for (uint32_t h = 0; h < net->hosts; h++) {
        own->ring[h] = DC_NONE;
        own->answers[h] = (dc_list){DC_NONE, DC_NONE};
    }
    for (int k = 0; k < DC_COMPLETIONS && !status; k++) {
        if (dc_is_used(k, net->classes))
            status = make_completions(ctx, &own->complete[k]);
    }
    if (!status && f->sizes)
        status = swq_flow_sizes_read(ctx, "--sizes", f->sizes, &own->sizes);
    if (!status && f->list) {
        swq_flow_format format;
        const char *path = swq_flow_format_of(f->list, &format);
        status = swq_flow_list_open(ctx, path, format, net->hosts, net->classes,
                                    dc_most_flow_bytes(net->spec), &own->list);
    }
    return status ? status : begin_processes(net);
}

static void free_completions(swq_context *ctx, dc_completions *c)
{
    swq_free(ctx, c->times);
    swq_free(ctx, c->slowdowns);
}

void dc_flows_free(swq_context *ctx, dc_net *net)
{
    dc_hosts *own = &net->own;

    for (uint32_t k = 0; k < own->room; k++) {
        swq_free(ctx, own->flow[k].came);
        swq_free(ctx, own->flow[k].told);
    }
    swq_free(ctx, own->flow);
    swq_free(ctx, own->pace);
    swq_free(ctx, own->state);
    swq_free(ctx, own->query);
    swq_free(ctx, own->ring);
    swq_free(ctx, own->answers);
    swq_free(ctx, own->came_from);
    swq_free(ctx, own->silence);
    swq_free(ctx, own->rates);
    swq_free(ctx, own->begun_ones);
    swq_free(ctx, own->answer);
    for (int k = 0; k < DC_COMPLETIONS; k++)
        free_completions(ctx, &own->complete[k]);
    swq_flow_sizes_clear(ctx, &own->sizes);
    swq_flow_list_close(&own->list);
    dc_waiting_free(ctx, &own->waiting);
}

/* ---- slots ---- */

static dc_flow *take_flow(dc_net *net)
{
    dc_hosts *own = &net->own;

    if (own->free == DC_NONE) {
        const uint32_t room = 2 * own->room + 64;
        if (room >= 1u << DC_PLACE_BITS) {
            net->events->failed =
                swq_fail(net->ctx, SWQ_ELIMIT,
                         "more than %u flows are on their way at the same time; with a lower load "
                         "or a shorter duration there are fewer",
                         own->room);
            return NULL;
        }
        if (!swq_resize_array(net->ctx, &own->flow, room, sizeof *own->flow) ||
            (own->gaps && !swq_resize_array(net->ctx, &own->pace, room, sizeof *own->pace)) ||
            (own->state_bytes &&
             !swq_resize_array(net->ctx, &own->state, room, (int64_t)own->state_bytes))) {
            net->events->failed = swq_memory_status(net->ctx);
            return NULL;
        }
        for (uint32_t k = room; k-- > own->room;) {
            own->flow[k].next_ready = own->free;
            own->free = k;
        }
        own->room = room;
    }
    dc_flow *f = &own->flow[own->free];
    own->free = f->next_ready;
    own->active++;
    return f;
}

static uint32_t take_query(dc_net *net)
{
    dc_hosts *own = &net->own;

    if (own->query_free == DC_NONE) {
        const uint32_t room = 2 * own->query_room + 16;
        if (!swq_resize_array(net->ctx, &own->query, room, sizeof *own->query)) {
            net->events->failed = swq_memory_status(net->ctx);
            return DC_NONE;
        }
        for (uint32_t k = room; k-- > own->query_room;) {
            own->query[k].next = own->query_free;
            own->query_free = k;
        }
        own->query_room = room;
    }
    const uint32_t k = own->query_free;
    own->query_free = own->query[k].next;
    return k;
}

/* ---- beginnings ---- */

static bool counts(const dc_net *net)
{
    return net->tally.on && net->now < net->own.counting_ends;
}

static void note_begun(dc_net *net, const swq_listed_flow *listed)
{
    dc_hosts *own = &net->own;

    if (own->begun_listed == own->begun_room) {
        const uint64_t room = 2 * own->begun_room + 64;
        if (!swq_resize_array(net->ctx, &own->begun_ones, (int64_t)room, sizeof *own->begun_ones)) {
            net->events->failed = swq_memory_status(net->ctx);
            return;
        }
        own->begun_room = room;
    }
    swq_listed_flow *one = &own->begun_ones[own->begun_listed++];
    *one = *listed;
    one->start = net->now;
    one->after = 0;
}

/* number: of a flow in a list in which flows wait for others; 0: none. NULL: there is no memory. */
static dc_flow *begin(dc_net *net, const swq_listed_flow *listed, uint32_t query, uint64_t number)
{
    dc_hosts *own = &net->own;
    const uint32_t header = net->spec->network.header;
    const uint32_t payload = net->spec->size_bytes[0] - header;
    const uint64_t packets = (listed->bytes + payload - 1) / payload;
    dc_flow *f = take_flow(net);

    if (!f)
        return NULL;
    const uint32_t generation = f->generation;
    *f = (dc_flow){.bytes = listed->bytes,
                   .start = net->now,
                   .from = listed->source,
                   .to = listed->destination,
                   .packets = (uint32_t)packets,
                   .last = (uint32_t)(listed->bytes - (packets - 1) * payload) + header,
                   .generation = generation,
                   .query = query,
                   .listed = number,
                   .class = listed->traffic_class,
                   .used = true,
                   .counted = counts(net),
                   .next_ready = DC_NONE,
                   .timeout = net->spec->network.least_timeout};
    f->number = own->begun++;
    f->hash = swq_stream_words(&net->streams, SWQ_STREAM_CHOICE, 0, f->number).v[0];
    f->alone = dc_time_alone(net, f->from, f->to, packets, f->last);
    f->round_alone = dc_time_alone(net, f->from, f->to, 1, net->spec->size_bytes[0]) +
                     dc_time_alone(net, f->to, f->from, 1, net->spec->network.ack);
    if (f->counted && own->list_begun)
        note_begun(net, listed);
    if (f->counted) {
        own->complete[dc_flows_of(f->class, dc_size_class(f->bytes))].begun++;
        own->counted_left++;
    }
    if (own->gaps)
        own->pace[f - own->flow] = (dc_pace){.event = SWQ_DC_NEVER};
    if (own->state_bytes)
        memset(dc_state(net, f), 0, own->state_bytes);
    dc_flow_start(net, f);
    return f;
}

void dc_flow_begin(dc_net *net, const swq_listed_flow *listed, uint64_t number)
{
    begin(net, listed, DC_NONE, number);
}

static void begin_query(dc_net *net)
{
    dc_hosts *own = &net->own;
    const uint32_t slot = take_query(net), answers = net->spec->flows.fan_in;

    if (slot == DC_NONE)
        return;
    own->query[slot] = (dc_query){.start = net->now, .left = answers, .counted = counts(net)};
    if (own->query[slot].counted) {
        own->complete[DC_QUERIES].begun++;
        own->counted_left++;
    }
    for (uint32_t k = 0; k < answers; k++)
        begin(net, &own->answer[k], slot, 0);
}

static void note_listed(dc_net *net)
{
    net->own.listed_begun++;
    net->own.listed_before += !net->tally.on && net->tally.ended == 0;
}

static void begin_waited(dc_net *net, uint32_t slot)
{
    const dc_waiting_flow waited = dc_waiting_take(&net->own.waiting, slot);

    note_listed(net);
    begin(net, &waited.flow, DC_NONE, waited.number);
}

static void begin_after_silence(dc_net *net, uint32_t host)
{
    dc_flow *f = begin(net, &net->own.silence[host].next, DC_NONE, 0);

    if (f)
        f->silent_after = true;
}

void dc_flow_begins(dc_net *net, uint32_t process)
{
    swq_status next;

    switch (process) {
    case AT_RANDOM:
        begin(net, &net->own.next, DC_NONE, 0);
        next_at_random(net);
        break;
    case QUERIES:
        begin_query(net);
        next_query(net);
        break;
    case LISTED:
        note_listed(net);
        begin(net, &net->own.listed, DC_NONE, may_wait(&net->own) ? net->own.list.read : 0);
        next = next_listed(net);
        net->events->failed = net->events->failed ? net->events->failed : next;
        break;
    default:
        if (process >= DC_SILENT)
            begin_after_silence(net, process - DC_SILENT);
        else
            begin_waited(net, process - WAITED);
    }
}
