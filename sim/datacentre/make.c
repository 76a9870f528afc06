/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An empty data-centre network.
 */
#include "sim/datacentre/net.h"

#include <math.h>

static swq_status take_rule_words(swq_context *ctx, dc_net *net)
{
    const uint32_t n = net->queues;
    const swq_admission_rule *row = net->rule->row;

    if (row == &swq_admission_follow_lqd || row == &swq_admission_credence) {
        net->kept = swq_calloc(ctx, n, sizeof *net->kept);
        if (!net->kept)
            return swq_memory_status(ctx);
    }
    if (row == &swq_admission_edt || row == &swq_admission_tdt) {
        const swq_status status = dc_absorbers_make(ctx, net);
        if (status)
            return status;
    }
    if (net->rule->kept.flows) {
        const swq_status status = dc_new_flows_make(ctx, net);
        if (status)
            return status;
    }
    if (row == &swq_admission_ib || row == &swq_admission_reverie) {
        const swq_status status =
            row == &swq_admission_ib ? dc_fair_rates_make(ctx, net) : dc_averages_make(ctx, net);
        if (status)
            return status;
    }
    if (row == &swq_admission_abm) {
        net->congested = swq_calloc(ctx, n, sizeof *net->congested);
        net->drained = swq_calloc(ctx, n, sizeof *net->drained);
        net->drain = swq_calloc(ctx, n, sizeof *net->drain);
        net->count = swq_calloc(ctx, net->memories * (size_t)net->classes, sizeof *net->count);
        if (!net->congested || !net->drained || !net->drain || !net->count)
            return swq_memory_status(ctx);
        for (uint32_t k = 0; k < n; k++)
            net->drain[k] = 1;
        for (uint32_t k = 0; k < net->memories * (uint32_t)net->classes; k++)
            net->count[k] = 1;
    }
    if (row == &swq_admission_harmonic) {
        net->sorted = swq_calloc(ctx, n, sizeof *net->sorted);
        net->harmonic = swq_calloc(ctx, n + 1, sizeof *net->harmonic);
        if (!net->sorted || !net->harmonic)
            return swq_memory_status(ctx);
        for (uint32_t k = 1; k <= n; k++)
            net->harmonic[k] = net->harmonic[k - 1] + 1.0 / k;
    }
    return SWQ_OK;
}

static swq_status take_arrays(swq_context *ctx, dc_net *net)
{
    net->memory = swq_calloc(ctx, net->memories, sizeof *net->memory);
    net->memory_of = swq_calloc(ctx, net->ports, sizeof *net->memory_of);
    net->port = swq_calloc(ctx, net->ports, sizeof *net->port);
    net->line = swq_calloc(ctx, net->ports, sizeof *net->line);
    net->queue = swq_calloc(ctx, net->queues, sizeof *net->queue);
    if (!net->memory || !net->memory_of || !net->port || !net->line || !net->queue)
        return swq_memory_status(ctx);
    if (net->spec->network.spread == SWQ_DC_FLOWLET) {
        net->flowlet =
            swq_calloc(ctx, (size_t)net->graph->switches * DC_FLOWLETS, sizeof *net->flowlet);
        if (!net->flowlet)
            return swq_memory_status(ctx);
    }
    for (uint32_t p = 0; p < net->ports; p++)
        net->port[p] = (dc_port){.sending = DC_NONE, .queue = DC_NONE};
    for (uint32_t q = 0; q < net->queues; q++)
        net->queue[q].waiting = (dc_list){DC_NONE, DC_NONE};
    const swq_status status = dc_tally_make(ctx, &net->tally, net->memories);
    return status ? status : take_rule_words(ctx, net);
}

/* Shares of packets for the queues and of their sizes, summed up, and the gap between packets. */
static void set_random_arrivals(dc_net *net)
{
    const swq_dc *s = net->spec;
    double sum = 0, mean = 0, sizes = 0;

    for (int k = 0; k < s->sizes; k++) {
        sizes += s->size_share[k];
        net->size_cumulated[k] = sizes;
        mean += s->size_share[k] * s->size_bytes[k];
    }
    for (int i = 0; i < s->ports; i++) {
        for (int k = 0; k < s->classes; k++) {
            sum += s->load[i] * s->class_share[k];
            net->cumulated[i * s->classes + k] = sum;
        }
    }
    for (int q = 0; q < s->ports * s->classes; q++)
        net->cumulated[q] /= sum;
    net->gap = mean * 8e12 / (sum * (double)s->rate);
    net->slot = swq_dc_time(s->size_bytes[0], s->rate);
}

/* ps between two events, if all lines are in use: two for each packet. */
static double event_gap(const dc_net *net)
{
    return 4e12 * net->spec->size_bytes[0] / (double)net->spec->rate / net->ports;
}

/* ---- lines and memories ---- */

uint64_t dc_headrooms(const swq_dc *s, uint32_t ports)
{
    return s->pfc.headroom * ports * (uint64_t)__builtin_popcount(s->pfc.classes);
}

static void set_line(dc_net *net, uint32_t port, uint32_t to, uint64_t rate, uint64_t delay)
{
    const uint64_t bits = UINT64_C(8000000000000);

    net->line[port] = (dc_line){.rate = rate,
                                .ps_per_byte = rate > 0 && bits % rate == 0 ? bits / rate : 0,
                                .delay = delay,
                                .to = to,
                                .flying = {DC_NONE, DC_NONE}};
}

/* Memory `number` is one of `parts` of switch number / parts, among which the outputs are divided
 * in their order. */
static void set_memory(dc_net *net, uint32_t number)
{
    const swq_dc_graph *g = net->graph;
    const uint32_t parts = net->spec->memory.parts, cell = net->spec->memory.cell;
    const uint32_t w = number / parts, ports = (g->first[w + 1] - g->first[w]) / parts;
    const uint32_t first = g->first[w] + number % parts * ports;
    const uint64_t capacity = g->bytes[w] / parts / cell * cell;
    const uint64_t shared = capacity - dc_headrooms(net->spec, ports);

    net->memory[number] = (dc_memory){.capacity = shared,
                                      .free = shared,
                                      .first_port = first,
                                      .ports = ports,
                                      .first_queue = first * (uint32_t)net->classes,
                                      .queues = ports * (uint32_t)net->classes};
    net->tally.capacity[number] = capacity;
    net->tally.per_byte[number] = (1 - 0x1p-52) / (double)capacity;
    for (uint32_t p = first; p < first + ports; p++)
        net->memory_of[p] = number;
}

static void wire(dc_net *net)
{
    const swq_dc_graph *g = net->graph;

    for (uint32_t p = 0; p < g->ports; p++)
        set_line(net, p, g->to[p], g->rate[p], g->delay[p]);
    for (uint32_t h = 0; h < g->hosts; h++) {
        net->memory_of[g->ports + h] = DC_NONE;
        set_line(net, g->ports + h, g->at[h], g->rate[g->at[h]], g->delay[g->at[h]]);
    }
    for (uint32_t m = 0; m < net->memories; m++)
        set_memory(net, m);
}

swq_status dc_net_make(swq_context *ctx, const swq_dc *spec, const swq_dc_graph *graph,
                       uint64_t seed, int replication, dc_net *net)
{
    *net = (dc_net){.spec = spec,
                    .graph = graph,
                    .ctx = ctx,
                    .memories = graph->switches * spec->memory.parts,
                    .host_ports = graph->ports,
                    .hosts = graph->hosts,
                    .rule = dc_rule_of(spec->memory.admission),
                    .classes = spec->classes,
                    .packets = {.free = DC_NONE},
                    .streams = swq_streams_of(seed, (uint32_t)replication)};
    net->ports = net->host_ports + net->hosts;
    net->queues = net->host_ports * (uint32_t)net->classes;
    swq_status status = dc_events_make(ctx, event_gap(net), &net->events);
    if (!status)
        status = take_arrays(ctx, net);
    if (status)
        return status;
    if (spec->pfc.classes)
        status = dc_ingress_make(ctx, net);
    if (!status && spec->pfc.detection)
        status = dc_watch_make(ctx, net);
    if (status)
        return status;
    wire(net);
    net->marks_at_enqueue = spec->marking.on && !spec->marking.at_dequeue;
    net->writes = spec->marking.on && spec->marking.at_dequeue;
    for (uint32_t m = 0; net->rule->interval && m < net->memories; m++)
        dc_events_push(ctx, net->events, spec->memory.interval, DC_INTERVAL, m);
    if (net->hosts > 0) {
        status = dc_flows_make(ctx, net);
    } else {
        set_random_arrivals(net);
        dc_outside_begin(net);
    }
    return status ? status : net->events->failed;
}

void dc_net_free(swq_context *ctx, dc_net *net)
{
    swq_free(ctx, net->memory);
    swq_free(ctx, net->memory_of);
    swq_free(ctx, net->port);
    swq_free(ctx, net->line);
    swq_free(ctx, net->ingress);
    swq_free(ctx, net->watch);
    swq_free(ctx, net->flowlet);
    swq_free(ctx, net->carried);
    swq_free(ctx, net->packets.telemetry);
    if (net->hosts > 0)
        dc_flows_free(ctx, net);
    swq_free(ctx, net->queue);
    swq_free(ctx, net->kept);
    swq_free(ctx, net->absorber);
    dc_new_flows_free(ctx, net);
    dc_fair_rates_free(ctx, net);
    dc_averages_free(ctx, net);
    swq_free(ctx, net->congested);
    swq_free(ctx, net->drained);
    swq_free(ctx, net->drain);
    swq_free(ctx, net->count);
    swq_free(ctx, net->sorted);
    swq_free(ctx, net->harmonic);
    dc_events_free(ctx, net->events);
    swq_free(ctx, net->packets.packet);
    dc_tally_free(ctx, &net->tally);
    *net = (dc_net){.packets = {.free = DC_NONE}};
}
