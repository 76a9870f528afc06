/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which ports are joined by lines, and the way of a packet: one switch, or leaves and spines. A
 * leaf has the ports of its hosts first, then those to spine 0, spine 1, ...; a spine has the ports
 * to leaf 0, leaf 1, ...
 */
#include "sim/datacentre/net.h"

const char *const swq_dc_spread_words[] = {"ecmp", "spray", "adaptive", NULL};

void dc_size(const swq_dc *s, uint32_t *switches, uint32_t *switch_ports, uint32_t *hosts)
{
    const swq_dc_network *n = &s->network;
    const uint32_t leaves = (uint32_t)n->leaves, spines = (uint32_t)n->spines;
    const uint32_t links = leaves * spines * (uint32_t)n->spine_links;

    if (n->topology == SWQ_DC_SWITCH) {
        *switches = 1;
        *switch_ports = (uint32_t)s->ports;
        *hosts = n->sender ? (uint32_t)s->ports : 0;
        return;
    }
    *switches = leaves + spines;
    *hosts = leaves * (uint32_t)n->hosts;
    *switch_ports = *hosts + 2 * links;
}

uint64_t dc_headrooms(const swq_dc *s, uint32_t ports)
{
    return s->pfc.headroom * ports * (uint64_t)__builtin_popcount(s->pfc.classes);
}

static void set_line(dc_net *net, uint32_t port, uint32_t to, uint64_t rate)
{
    const uint64_t bits = UINT64_C(8000000000000);

    net->line[port] = (dc_line){.rate = rate,
                                .ps_per_byte = bits % rate == 0 ? bits / rate : 0,
                                .delay = net->spec->network.delay,
                                .to = to,
                                .flying = {DC_NONE, DC_NONE}};
}

static void join(dc_net *net, uint32_t a, uint32_t b, uint64_t rate)
{
    set_line(net, a, b, rate);
    set_line(net, b, a, rate);
}

static void set_memory(dc_net *net, uint32_t number, uint32_t first, uint32_t ports, uint64_t bytes)
{
    const uint32_t cell = net->spec->memory.cell;
    const uint64_t capacity = bytes / cell * cell;
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

static void wire_switch(dc_net *net)
{
    set_memory(net, 0, 0, net->host_ports, net->spec->memory.bytes);
    for (uint32_t p = 0; p < net->host_ports; p++) {
        if (net->hosts > 0)
            join(net, p, net->host_ports + p, net->spec->rate);
        else
            set_line(net, p, DC_NONE, net->spec->rate);
    }
}

static uint32_t leaf_ports(const swq_dc_network *n)
{
    return (uint32_t)(n->hosts + n->spines * n->spine_links);
}

static uint32_t spine_ports(const swq_dc_network *n)
{
    return (uint32_t)(n->leaves * n->spine_links);
}

static void wire_leaves(dc_net *net)
{
    const swq_dc_network *n = &net->spec->network;
    const uint32_t leaves = (uint32_t)n->leaves, spines = (uint32_t)n->spines;
    const uint32_t hosts = (uint32_t)n->hosts, links = (uint32_t)n->spine_links;
    const uint64_t rate = n->spine_rate ? n->spine_rate : net->spec->rate;
    const uint32_t first_spine = leaves * leaf_ports(n);

    for (uint32_t l = 0; l < leaves; l++)
        set_memory(net, l, l * leaf_ports(n), leaf_ports(n), net->spec->memory.bytes);
    for (uint32_t s = 0; s < spines; s++)
        set_memory(net, leaves + s, first_spine + s * spine_ports(n), spine_ports(n),
                   n->spine_bytes ? n->spine_bytes : net->spec->memory.bytes);
    for (uint32_t l = 0; l < leaves; l++) {
        for (uint32_t h = 0; h < hosts; h++)
            join(net, l * leaf_ports(n) + h, net->host_ports + l * hosts + h, net->spec->rate);
        for (uint32_t k = 0; k < spines * links; k++)
            join(net, l * leaf_ports(n) + hosts + k,
                 first_spine + k / links * spine_ports(n) + l * links + k % links, rate);
    }
}

void dc_wire(dc_net *net)
{
    for (uint32_t h = 0; h < net->hosts; h++)
        net->memory_of[net->host_ports + h] = DC_NONE;
    if (net->spec->network.topology == SWQ_DC_SWITCH)
        wire_switch(net);
    else
        wire_leaves(net);
}

/* ---- ways ---- */

static uint64_t held_at(const dc_net *net, uint32_t port)
{
    uint64_t held = 0;

    for (int k = 0; k < net->classes; k++)
        held += net->queue[port * (uint32_t)net->classes + (uint32_t)k].held;
    return held;
}

/* Mixes the hash of a flow with the switch, so that switches choose independently (the finalizer of
 * MurmurHash3). */
static uint32_t hash_at(uint32_t memory, const dc_packet *p)
{
    uint32_t h = p->hash ^ memory * 0x9e3779b9u;

    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return h ^ h >> 16;
}

/* One of `count` ports from `first` on. */
static uint32_t choose(dc_net *net, uint32_t memory, const dc_packet *p, uint32_t first,
                       uint32_t count)
{
    if (count == 1)
        return first;
    if (net->spec->network.spread == SWQ_DC_SPRAY) {
        const uint32_t k = (uint32_t)((dc_uniform(net) - 0x1p-54) * count);
        return first + (k < count ? k : count - 1);
    }
    const uint32_t begin = swq_word_below(hash_at(memory, p), count);
    if (net->spec->network.spread == SWQ_DC_ECMP)
        return first + begin;
    uint32_t best = first + begin;
    for (uint32_t k = 1; k < count; k++) {
        const uint32_t port = first + (begin + k) % count;
        best = held_at(net, port) < held_at(net, best) ? port : best;
    }
    return best;
}

uint32_t dc_route(dc_net *net, uint32_t memory, const dc_packet *p)
{
    const swq_dc_network *n = &net->spec->network;
    const dc_memory *m = &net->memory[memory];
    const uint32_t hosts = (uint32_t)n->hosts, links = (uint32_t)n->spine_links;

    if (n->topology == SWQ_DC_SWITCH)
        return p->to;
    const uint32_t leaf = p->to / hosts;
    if (memory >= (uint32_t)n->leaves)
        return choose(net, memory, p, m->first_port + leaf * links, links);
    if (leaf == memory)
        return m->first_port + p->to % hosts;
    return choose(net, memory, p, m->first_port + hosts, (uint32_t)n->spines * links);
}

/* ---- alone ---- */

static double byte_time(uint64_t rate)
{
    return 8e12 / (double)rate;
}

/* The rates of the lines from one host to another; returns their number. */
static int way(const dc_net *net, uint32_t from, uint32_t to, uint64_t rate[4])
{
    const swq_dc_network *n = &net->spec->network;
    const uint64_t spine = n->spine_rate ? n->spine_rate : net->spec->rate;
    const bool near =
        n->topology == SWQ_DC_SWITCH || from / (uint32_t)n->hosts == to / (uint32_t)n->hosts;

    rate[0] = net->spec->rate;
    rate[1] = near ? net->spec->rate : spine;
    rate[2] = spine;
    rate[3] = net->spec->rate;
    return near ? 2 : 4;
}

uint32_t dc_hops(const dc_net *net, uint32_t from, uint32_t to)
{
    uint64_t rate[4];

    return (uint32_t)way(net, from, to, rate) - 1;
}

/* Packet i leaves line k at D(i, k) = max(D(i - 1, k), D(i, k - 1) + delay) + its time there. For
 * equal packets that is the sum of the times on all lines, and for each further packet the longest
 * of them; the last packet is followed from the one before. */
uint64_t dc_time_alone(const dc_net *net, uint32_t from, uint32_t to, uint64_t packets,
                       uint32_t last)
{
    const double delay = (double)net->spec->network.delay;
    const double full = net->spec->size_bytes[0];
    uint64_t rate[4];
    const int lines = way(net, from, to, rate);
    double before[4], slowest = 0, sum = 0, at = 0;

    for (int k = 0; k < lines; k++) {
        const double time = full * byte_time(rate[k]);
        sum += time + (k > 0 ? delay : 0);
        slowest = time > slowest ? time : slowest;
        before[k] = packets > 1 ? sum + (double)(packets - 2) * slowest : 0;
    }
    for (int k = 0; k < lines; k++) {
        const double come = k > 0 ? at + delay : 0;
        at = (come > before[k] ? come : before[k]) + last * byte_time(rate[k]);
    }
    return (uint64_t)(at + delay + .5);
}
