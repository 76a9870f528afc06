/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim/datacentre/traffic.c: loads and exponential times of Poisson flows, queries whose answers
 * come from different nodes, permutations that are equally likely, and an all-reduce that is
 * carried out with numbers. Bounds of random quantities are 5 standard deviations.
 */
#include "sim/datacentre/traffic.h"
#include "tests/support/support.h"

TestSuite(flow_traffic, .timeout = 120);

static swq_flow_process process(uint32_t nodes, uint32_t rack, double gap)
{
    return (swq_flow_process){.streams = swq_streams_of(7, 0),
                              .nodes = nodes,
                              .rack = rack,
                              .gap = gap,
                              .traffic_class = 2};
}

/* Is the number of hits of each of `cells` equally likely cells within 5 standard deviations? */
static void assert_even(const uint64_t *hits, int cells, double draws, const char *what)
{
    const double mean = draws / cells, deviation = sqrt(mean * (1 - 1. / cells));

    for (int k = 0; k < cells; k++)
        cr_assert(fabs((double)hits[k] - mean) < 5 * deviation, "%s %d: %g, not %g", what, k,
                  (double)hits[k], mean);
}

Test(flow_traffic, poisson_flows_have_the_load)
{
    enum { NODES = 8, FLOWS = 400000 };
    swq_context *ctx = swq_context_new();
    swq_flow_sizes sizes = {0};
    swq_listed_flow flow;
    uint64_t pairs[NODES * NODES] = {0}, even[NODES * (NODES - 1)], before = 0;
    double bytes = 0, long_gaps = 0, squares = 0;

    cr_assert_eq(swq_flow_sizes_read(ctx, "sizes", "websearch", &sizes), SWQ_OK);
    const double mean = swq_flow_sizes_mean(&sizes), capacity = NODES * 10e9;
    const double gap = swq_flow_gap(0.6, mean, capacity);
    swq_flow_process p = process(NODES, 1, gap);
    for (int k = 0; k < FLOWS; k++) {
        swq_flow_poisson(&p, &sizes, &flow);
        cr_assert(flow.source != flow.destination && flow.traffic_class == 2 && flow.after == 0);
        pairs[flow.source * NODES + flow.destination]++;
        bytes += (double)flow.bytes;
        const double passed = (double)(flow.start - before);
        long_gaps += passed > gap;
        squares += passed * passed;
        before = flow.start;
    }
    const double deviation = sqrt(swq_flow_sizes_square(&sizes) / mean / mean - 1);
    /* load = 8 bytes / (time x capacity), whose parts vary by 1/sqrt(FLOWS) times 1 and deviation
     */
    const double load = 8 * bytes / ((double)before / 1e12 * capacity);
    cr_assert(fabs(load / 0.6 - 1) < 5 * sqrt((1 + deviation * deviation) / FLOWS), "%g", load);
    cr_assert(fabs((double)before / FLOWS / gap - 1) < 5 / sqrt(FLOWS));
    cr_assert(fabs(squares / FLOWS / gap / gap - 2) < 5 * sqrt(20. / FLOWS)); /* E x^4 - 4 = 20 */
    cr_assert(fabs(long_gaps / FLOWS - exp(-1)) < 5 * sqrt(exp(-1) * (1 - exp(-1)) / FLOWS));
    for (int s = 0, k = 0; s < NODES; s++) {
        for (int d = 0; d < NODES; d++) {
            if (s != d)
                even[k++] = pairs[s * NODES + d];
        }
    }
    assert_even(even, NODES * (NODES - 1), FLOWS, "pair");
    swq_context_free(ctx);
}

/* Twice the load: the same flows in half the time. */
Test(flow_traffic, a_higher_load_brings_the_same_flows)
{
    const swq_flow_size_point points[] = {{100, 0}, {900, 1}};
    const swq_flow_sizes sizes = {2, points, NULL};
    swq_flow_process slow = process(6, 1, 2e6), fast = process(6, 1, 1e6), other = slow;
    swq_listed_flow a, b, c;
    int same = 0;

    other.who = 1;
    for (int k = 0; k < 1000; k++) {
        swq_flow_poisson(&slow, &sizes, &a);
        swq_flow_poisson(&fast, &sizes, &b);
        swq_flow_poisson(&other, &sizes, &c);
        cr_assert(a.source == b.source && a.destination == b.destination && a.bytes == b.bytes);
        cr_assert(fabs((double)a.start - 2 * (double)b.start) <= 2. * k + 2); /* rounding */
        same += a.bytes == c.bytes;
    }
    cr_assert(same < 20, "%d", same); /* another process, other flows */
}

Test(flow_traffic, partners_are_in_other_racks)
{
    enum { NODES = 12, RACK = 4, FLOWS = 96000 };
    const swq_flow_size_point points[] = {{5, 0}, {5, 1}};
    const swq_flow_sizes sizes = {2, points, NULL};
    swq_flow_process p = process(NODES, RACK, 10);
    swq_listed_flow flow;
    uint64_t to[NODES] = {0};

    for (int k = 0; k < FLOWS; k++) {
        swq_flow_poisson(&p, &sizes, &flow);
        cr_assert_neq(flow.source / RACK, flow.destination / RACK);
        cr_assert_lt(flow.destination, NODES);
        to[flow.destination]++;
    }
    assert_even(to, NODES, FLOWS, "destination");
}

/* Nodes begin flows in proportion to their rates; equal rates change no flow. */
Test(flow_traffic, rates_are_weights)
{
    enum { NODES = 4, FLOWS = 160000 };
    static const uint64_t unlike[] = {1000, 1000, 1010, 1110}, alike[] = {7, 14, 21, 28};
    const double share[] = {1000 / 1110., 0, 10 / 1110., 100 / 1110.};
    const swq_flow_size_point points[] = {{5, 0}, {5, 1}};
    const swq_flow_sizes sizes = {2, points, NULL};
    swq_flow_process plain = process(NODES, 1, 10), weighted = plain, even = plain;
    swq_listed_flow flow, a, b;
    uint64_t from[NODES] = {0}, pairs[NODES * NODES] = {0};

    weighted.rates = unlike;
    even.rates = alike;
    for (int k = 0; k < FLOWS; k++) {
        swq_flow_poisson(&plain, &sizes, &a);
        swq_flow_poisson(&even, &sizes, &b);
        cr_assert(a.source == b.source && a.destination == b.destination && a.start == b.start);
        swq_flow_poisson(&weighted, &sizes, &flow);
        cr_assert_neq(flow.source, flow.destination);
        from[flow.source]++;
        pairs[flow.source * NODES + flow.destination]++;
    }
    for (int s = 0; s < NODES; s++)
        cr_assert(fabs((double)from[s] - FLOWS * share[s]) <=
                      5 * sqrt(FLOWS * share[s] * (1 - share[s])),
                  "%d: %g", s, (double)from[s]);
    assert_even(&pairs[1], NODES - 1, (double)from[0], "destination");
}

Test(flow_traffic, time_ends)
{
    const swq_flow_size_point points[] = {{5, 0}, {5, 1}};
    const swq_flow_sizes sizes = {2, points, NULL};
    swq_flow_process p = process(4, 1, 1e17);
    swq_listed_flow flow = {0};
    uint64_t before = 0;

    for (int k = 0; k < 100; k++) {
        swq_flow_poisson(&p, &sizes, &flow);
        cr_assert(flow.start >= before &&
                  (flow.start <= SWQ_MOST_FLOW_START || flow.start == UINT64_MAX));
        before = flow.start;
    }
    cr_assert_eq(flow.start, UINT64_MAX);
}

Test(flow_traffic, queries)
{
    enum { NODES = 9, FAN_IN = 5, QUERIES = 60000 };
    swq_flow_process p = process(NODES, 1, swq_query_gap(1000, NODES));
    swq_listed_flow flow[FAN_IN];
    uint64_t asks[NODES] = {0}, answers[NODES] = {0};

    cr_assert_eq(p.gap, 1e12 / 9000);
    for (int q = 0; q < QUERIES; q++) {
        uint64_t seen = 0, bytes = 0;
        swq_flow_incast(&p, 1003, FAN_IN, flow);
        asks[flow[0].destination]++;
        for (int k = 0; k < FAN_IN; k++) {
            cr_assert(flow[k].start == flow[0].start && flow[k].traffic_class == 2);
            cr_assert_eq(flow[k].destination, flow[0].destination);
            cr_assert_neq(flow[k].source, flow[k].destination);
            cr_assert_eq(flow[k].bytes, k < 3 ? 201 : 200);
            seen |= UINT64_C(1) << flow[k].source;
            bytes += flow[k].bytes;
            answers[flow[k].source]++;
        }
        cr_assert_eq(__builtin_popcountll(seen), FAN_IN, "a node answers twice");
        cr_assert_eq(bytes, 1003);
    }
    assert_even(asks, NODES, QUERIES, "asks");
    for (int k = 0; k < NODES; k++) /* answers of a query exclude each other: they vary less */
        cr_assert(fabs((double)answers[k] - QUERIES * 5. / 9) < 5 * sqrt(QUERIES * 20. / 81));
    cr_assert(fabs((double)p.time / QUERIES / p.gap - 1) < 5 / sqrt(QUERIES));
}

/* Each set of answering nodes is equally likely: 10 sets of 2 of 5 other nodes. */
Test(flow_traffic, samples_of_answers_are_even)
{
    enum { QUERIES = 60000 };
    swq_flow_process p = process(6, 1, 10);
    swq_listed_flow flow[2], all[5];
    uint64_t sets[64] = {0}, even[64];
    int cells = 0;

    for (int q = 0; q < QUERIES; q++) {
        swq_flow_incast(&p, 10, 2, flow);
        if (flow[0].destination == 0)
            sets[1 << flow[0].source | 1 << flow[1].source]++;
    }
    uint64_t total = 0;
    for (int k = 0; k < 64; k++) {
        total += sets[k];
        if (sets[k])
            even[cells++] = sets[k];
    }
    cr_assert_eq(cells, 10);
    assert_even(even, cells, (double)total, "set");
    swq_flow_incast(&p, 10, 5, all); /* everyone */
    for (int k = 0; k < 5; k++)
        cr_assert_eq(all[k].source, (uint32_t)(k < (int)all[0].destination ? k : k + 1));
}

/* All derangements of 4 nodes, 9 of them, are equally likely. */
Test(flow_traffic, permutations)
{
    enum { DRAWS = 45000 };
    const swq_streams streams = swq_streams_of(3, 0);
    uint64_t seen[256] = {0}, even[256];
    uint32_t to[4], pair[2], many[1000];
    bool taken[1000] = {false};
    int cells = 0;

    for (uint32_t d = 0; d < DRAWS; d++) {
        swq_flow_permutation(&streams, d, 4, to);
        for (uint32_t i = 0; i < 4; i++)
            cr_assert(to[i] != i && to[i] < 4);
        seen[to[0] | to[1] << 2 | to[2] << 4 | to[3] << 6]++;
    }
    for (int k = 0; k < 256; k++) {
        if (seen[k])
            even[cells++] = seen[k];
    }
    cr_assert_eq(cells, 9);
    assert_even(even, cells, DRAWS, "derangement");
    swq_flow_permutation(&streams, 1, 2, pair);
    cr_assert(pair[0] == 1 && pair[1] == 0);
    swq_flow_permutation(&streams, 1, 1000, many);
    for (uint32_t i = 0; i < 1000; i++) {
        cr_assert(many[i] != i && !taken[many[i]]);
        taken[many[i]] = true;
    }
}

Test(flow_traffic, all_to_all)
{
    enum { NODES = 5 };
    swq_listed_flow flow;
    uint64_t sent[NODES] = {0};
    int pairs[NODES][NODES] = {{0}};
    uint32_t destination[20];

    cr_assert_eq(swq_all_to_all_flows(NODES), 20);
    for (uint64_t k = 0; k < 20; k++) {
        swq_all_to_all_flow(NODES, 102, true, k, &flow);
        sent[flow.source] += flow.bytes;
        pairs[flow.source][flow.destination]++;
        destination[k] = flow.destination;
        cr_assert_eq(flow.after == 0, k < NODES);
        if (flow.after > 0) { /* for what its source receives in the round before */
            cr_assert_eq((flow.after - 1) / NODES + 1, k / NODES);
            cr_assert_eq(destination[flow.after - 1], flow.source);
        }
        swq_all_to_all_flow(NODES, 102, false, k, &flow);
        cr_assert_eq(flow.after, 0);
    }
    for (int s = 0; s < NODES; s++) {
        cr_assert_eq(sent[s], 102);
        for (int d = 0; d < NODES; d++)
            cr_assert_eq(pairs[s][d], s != d);
    }
}

/* The flows carry out a sum: a node adds what it receives in the first nodes - 1 phases, and keeps
 * it in the others. At the end every node has the sum of all in all chunks. */
Test(flow_traffic, a_ring_sums)
{
    for (uint32_t nodes = 2; nodes <= 7; nodes++) {
        const uint64_t flows = swq_ring_flows(nodes), bytes = 10 * nodes + 1;
        int value[7][7], sum[7] = {0}, sent[200], received[200]; /* by node and chunk; by flow */
        for (uint32_t i = 0; i < nodes; i++) {
            for (uint32_t c = 0; c < nodes; c++)
                sum[c] += value[i][c] = (int)(1 + 31 * i + 7 * c * i);
        }
        cr_assert_eq(flows, 2 * nodes * (nodes - 1));
        uint64_t carried = 0;
        for (uint64_t k = 0; k < flows; k++) {
            swq_listed_flow f;
            swq_ring_flow(nodes, bytes, k, &f);
            const uint32_t phase = (uint32_t)(k / nodes);
            cr_assert_eq(f.destination, (f.source + 1) % nodes);
            /* chunk 0 is the one with the additional byte; in phase 0 node i sends chunk i */
            sent[k] = (int)((f.source + 2 * nodes - phase) % nodes);
            cr_assert_eq(f.bytes, sent[k] ? 10 : 11);
            carried += f.bytes;
            if (phase == 0) {
                cr_assert_eq(f.after, 0);
            } else { /* it has just received this chunk, in the phase before */
                swq_listed_flow before;
                swq_ring_flow(nodes, bytes, f.after - 1, &before);
                cr_assert_eq((f.after - 1) / nodes, phase - 1);
                cr_assert_eq(before.destination, f.source);
                cr_assert_eq(sent[f.after - 1], sent[k]);
            }
            received[k] = value[f.source][sent[k]];
            if (k % nodes + 1 == nodes) { /* the phase ends: all of it arrives */
                for (uint64_t a = k + 1 - nodes; a <= k; a++) {
                    const uint32_t to = (uint32_t)(a + 1) % nodes;
                    value[to][sent[a]] =
                        phase + 1 < nodes ? value[to][sent[a]] + received[a] : received[a];
                }
            }
        }
        cr_assert_eq(carried, 2 * (nodes - 1) * bytes);
        for (uint32_t i = 0; i < nodes; i++) {
            for (uint32_t c = 0; c < nodes; c++)
                cr_assert_eq(value[i][c], sum[c], "%u nodes: node %u, chunk %u", nodes, i, c);
        }
    }
}
