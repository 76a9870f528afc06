/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See traffic.h.
 */
#include "sim/datacentre/traffic.h"

#include <math.h>

#define PS_PER_SECOND 1e12

__extension__ typedef unsigned __int128 traffic_wide;

/* ---- at random times ---- */

double swq_flow_gap(double load, double mean, double capacity)
{
    return 8 * PS_PER_SECOND * mean / (load * capacity);
}

double swq_query_gap(double rate, uint32_t nodes)
{
    return PS_PER_SECOND / (rate * nodes);
}

/* Moves the time on by an exponential number of ps, to the nearest. */
static uint64_t pass(swq_flow_process *p, uint64_t word)
{
    const double gap = -log(swq_word_uniform(word)) * p->gap;

    if (p->time > SWQ_MOST_FLOW_START || gap > (double)(SWQ_MOST_FLOW_START - p->time))
        p->time = UINT64_MAX;
    else
        p->time += (uint64_t)(gap + 0.5);
    return p->time;
}

/* Node k of those in other racks than `node`. */
static uint32_t beyond(const swq_flow_process *p, uint32_t node, uint32_t k)
{
    const uint32_t rack = node - node % p->rack;
    return k < rack ? k : k + p->rack;
}

/* With equal rates the node is that of the same word without rates. */
static uint32_t draw_source(const swq_flow_process *p, uint32_t word)
{
    uint32_t low = 0, high = p->nodes - 1;

    if (!p->rates)
        return swq_word_below(word, p->nodes);
    const uint64_t at = (uint64_t)((traffic_wide)word * p->rates[high] >> 32);
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (p->rates[middle] > at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* What rounding leaves of the shares goes to the last class that has one. */
static uint8_t draw_class(const swq_flow_process *p, uint32_t word)
{
    const double at = word * 0x1p-32;
    double up = 0;
    int class = p->traffic_class;

    for (int k = 0; k < p->classes; k++) {
        if (p->class_share[k] > 0)
            class = k;
        up += p->class_share[k];
        if (at < up)
            break;
    }
    return (uint8_t) class;
}

void swq_flow_poisson(swq_flow_process *p, const swq_flow_sizes *sizes, swq_listed_flow *flow)
{
    const swq_words ends =
        swq_stream_words(&p->streams, SWQ_STREAM_FLOWS, p->who, 2 * p->number + 1);
    uint64_t gap, size;

    swq_stream_pair(&p->streams, SWQ_STREAM_FLOWS, p->who, 2 * p->number, &gap, &size);
    p->number++;
    *flow = (swq_listed_flow){.start = pass(p, gap),
                              .bytes = swq_flow_sizes_draw(sizes, size),
                              .source = draw_source(p, ends.v[0]),
                              .traffic_class = draw_class(p, ends.v[2])};
    flow->destination = beyond(p, flow->source, swq_word_below(ends.v[1], p->nodes - p->rack));
}

void swq_flow_from(swq_flow_process *p, uint32_t source, const swq_flow_sizes *sizes,
                   swq_listed_flow *flow)
{
    swq_flow_poisson(p, sizes, flow);
    flow->source = source;
    const swq_words ends =
        swq_stream_words(&p->streams, SWQ_STREAM_FLOWS, p->who, 2 * p->number - 1);
    flow->destination = beyond(p, source, swq_word_below(ends.v[1], p->nodes - p->rack));
}

uint64_t swq_flow_part(uint64_t bytes, uint64_t parts, uint64_t k)
{
    return bytes / parts + (k < bytes % parts);
}

static bool is_among(const swq_listed_flow *flow, uint32_t count, uint32_t node)
{
    for (uint32_t k = 0; k < count; k++) {
        if (flow[k].source == node)
            return true;
    }
    return false;
}

/* The nodes that answer are a sample without repetition: Floyd's algorithm (Bentley and Floyd
 * 1987). Number k of the sample is drawn from the first others - fan_in + k + 1 nodes; if it is in
 * the sample already, the last of these is taken, which cannot be. */
void swq_flow_incast(swq_flow_process *p, uint64_t bytes, uint32_t fan_in, swq_listed_flow *flow)
{
    const uint32_t others = p->nodes - p->rack;
    const swq_streams query = swq_streams_branch(&p->streams, p->number);
    swq_words words = swq_stream_words(&query, SWQ_STREAM_QUERIES, p->who, 0);
    const uint32_t asks = swq_word_below(words.v[2], p->nodes);
    const uint64_t start = pass(p, (uint64_t)words.v[0] << 32 | words.v[1]);

    p->number++;
    for (uint32_t k = 0; k < fan_in; k++) {
        const uint32_t last = others - fan_in + k;
        if (k % 4 == 0)
            words = swq_stream_words(&query, SWQ_STREAM_QUERIES, p->who, 1 + k / 4);
        uint32_t node = beyond(p, asks, swq_word_below(words.v[k % 4], last + 1));
        if (is_among(flow, k, node))
            node = beyond(p, asks, last);
        flow[k] = (swq_listed_flow){.start = start,
                                    .bytes = swq_flow_part(bytes, fan_in, k),
                                    .source = node,
                                    .destination = asks,
                                    .traffic_class = p->traffic_class};
    }
}

/* ---- patterns ---- */

/* Permutations are drawn until one has no node that sends to itself: 2.7 on average. */
void swq_flow_permutation(const swq_streams *streams, uint32_t who, uint32_t nodes, uint32_t *to)
{
    swq_words words = {{0}};
    uint64_t drawn = 0;
    bool fixed = true;

    while (fixed) {
        fixed = false;
        for (uint32_t i = 0; i < nodes; i++)
            to[i] = i;
        for (uint32_t i = nodes; i-- > 0;) {
            if (drawn % 4 == 0)
                words = swq_stream_words(streams, SWQ_STREAM_PARTNERS, who, drawn / 4);
            const uint32_t k = swq_word_below(words.v[drawn++ % 4], i + 1), other = to[k];
            to[k] = to[i];
            to[i] = other;
            fixed = fixed || other == i; /* to[i] is final now */
        }
    }
}

uint64_t swq_all_to_all_flows(uint32_t nodes)
{
    return (uint64_t)nodes * (nodes - 1);
}

void swq_all_to_all_flow(uint32_t nodes, uint64_t bytes, bool in_turn, uint64_t k,
                         swq_listed_flow *flow)
{
    const uint64_t source = k % nodes, round = k / nodes;
    const uint64_t before = round > 0 ? (round - 1) * nodes + (source + nodes - round) % nodes : 0;

    *flow = (swq_listed_flow){.bytes = swq_flow_part(bytes, nodes - 1, round),
                              .after = in_turn && round > 0 ? before + 1 : 0,
                              .source = (uint32_t)source,
                              .destination = (uint32_t)((source + round + 1) % nodes)};
}

uint64_t swq_ring_flows(uint32_t nodes)
{
    return 2 * (uint64_t)nodes * (nodes - 1);
}

void swq_ring_flow(uint32_t nodes, uint64_t bytes, uint64_t k, swq_listed_flow *flow)
{
    const uint64_t node = k % nodes, phase = k / nodes;
    const uint64_t left = (node + nodes - 1) % nodes; /* from whom it received the chunk */
    const uint64_t chunk = (node + 2 * (uint64_t)nodes - phase) % nodes;

    *flow = (swq_listed_flow){.bytes = swq_flow_part(bytes, nodes, chunk),
                              .after = phase ? (phase - 1) * nodes + left + 1 : 0,
                              .source = (uint32_t)node,
                              .destination = (uint32_t)((node + 1) % nodes)};
}
