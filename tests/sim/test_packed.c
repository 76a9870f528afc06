/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packed buffers: their queues are queues, no slot is given away twice, and the networks that have
 * them give the numbers of the plain engine, however many switches a stage has.
 */
#include "sim/stages/buffers.h"
#include "tests/sim/samples.h"

#include <string.h>

TestSuite(sim_packed, .timeout = 60);

/* ---- one buffer ---- */

/* The slots of the packets in each queue, the head first. */
typedef struct {
    int length[SWQ_PACKED_QUEUES];
    uint32_t slot[SWQ_PACKED_QUEUES][SWQ_PACKED_SLOTS];
} slot_lists;

static void check_buffer(const uint16_t *queue, const slot_lists *lists, int slots)
{
    uint16_t length[SWQ_PACKED_QUEUES];
    uint32_t used = 0;
    int next = 0;

    swq_packed_lengths(queue, length);
    for (int q = 0; q < SWQ_PACKED_QUEUES; q++) {
        cr_assert_eq(length[q], lists->length[q]);
        for (int k = 0; k < lists->length[q]; k++) {
            cr_assert_eq(swq_packed_slot(queue[q], (uint32_t)k), lists->slot[q][k]);
            used |= 1u << lists->slot[q][k];
        }
    }
    while (next < slots && used >> next & 1)
        next++;
    cr_assert_eq(swq_packed_next(queue, slots), next < slots ? 2 * next + 1 : 0);
}

static void come(uint16_t *queue, slot_lists *lists, int q, int slots)
{
    const uint16_t entry = swq_packed_next(queue, slots);

    if (!entry)
        return;
    queue[q] = swq_packed_append(queue[q], entry);
    lists->slot[q][lists->length[q]++] = entry >> 1;
}

static void leave(uint16_t *queue, slot_lists *lists, int q)
{
    if (lists->length[q] == 0)
        return;
    queue[q] >>= 4;
    lists->length[q]--;
    memmove(lists->slot[q], lists->slot[q] + 1, (size_t)lists->length[q] * sizeof *lists->slot[q]);
}

Test(sim_packed, buffer_does_what_four_lists_do)
{
    uint32_t dice = 1;

    for (int slots = 1; slots <= SWQ_PACKED_SLOTS; slots++) {
        uint16_t queue[SWQ_PACKED_QUEUES] = {0};
        slot_lists lists = {{0}, {{0}}};
        for (int step = 0; step < 5000; step++) {
            dice = dice * 1664525 + 1013904223;
            const int q = (int)(dice >> 24 & 3);
            if (dice >> 30 > 1)
                come(queue, &lists, q, slots);
            else
                leave(queue, &lists, q);
            check_buffer(queue, &lists, slots);
        }
    }
}

/* ---- networks ---- */

static swq_network packed_network(swq_context *ctx, const char *buffer, int slots, int stages,
                                  swq_flow flow)
{
    swq_switch sw = {.ports = SWQ_PACKED_QUEUES,
                     .flow = flow,
                     .credit = flow == SWQ_BLOCK ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME};
    const swq_buffer_kind *kind;

    cr_assert_eq(swq_arbiter_find(ctx, "rotating", &sw.arbiter), SWQ_OK);
    cr_assert_eq(swq_buffer_kind_find(ctx, buffer, &kind), SWQ_OK);
    cr_assert_eq(swq_buffer_preset(ctx, kind, sw.ports, slots, &sw.buffer), SWQ_OK);
    swq_network n = network_in_stages(ctx, "omega", stages, &sw);
    n.traffic.load = 0.9;
    return n;
}

/* The slots in use of each buffer, one bit each. No two packets have the same. */
static uint32_t slots_in_use(const swq_net *net, size_t at)
{
    uint16_t copy[SWQ_PACKED_QUEUES];
    const uint16_t *length = swq_lengths(net, at, 1, copy);
    uint32_t used = 0;

    for (int q = 0; q < SWQ_PACKED_QUEUES; q++) {
        for (int k = 0; k < length[q]; k++) {
            const uint32_t bit = 1u << swq_slot_of(net, at, q, k);
            cr_assert(!(used & bit), "buffer %zu has two packets in a slot", at);
            used |= bit;
        }
    }
    return used;
}

static void check_room(swq_context *ctx, int slots, int stages)
{
    const swq_network n = packed_network(ctx, "damq", slots, stages, SWQ_BLOCK);
    const swq_sim_options options = swq_sim_defaults();
    swq_net *net;

    cr_assert_eq(swq_net_new(ctx, &n, &options, 0, &net), SWQ_OK);
    cr_assert(net->packs);
    for (int cycle = 0; cycle < 40; cycle++) {
        net->system.advance(&net->system, 1);
        for (int s = 0; s < stages; s++)
            net->show(net, s);
        for (size_t at = 0; at < (size_t)stages * net->buffers; at++) {
            const uint32_t free = ~slots_in_use(net, at) & ((1u << slots) - 1);
            const int entry = free ? 2 * __builtin_ctz(free) + 1 : 0;
            cr_assert_eq(net->seen_room[at], entry, "%d slots, buffer %zu", slots, at);
        }
    }
    swq_net_free(ctx, net);
}

Test(sim_packed, next_packet_gets_the_lowest_free_slot)
{
    swq_context *ctx = swq_context_new();

    for (int slots = 1; slots <= SWQ_PACKED_SLOTS; slots++) {
        for (int stages = 1; stages <= 4; stages++)
            check_room(ctx, slots, stages);
    }
    swq_context_free(ctx);
}

/* All fields but times, bytes and the engine. */
static bool same(swq_sim_result x, swq_sim_result y)
{
    x.cpu_seconds = x.wall_seconds = y.cpu_seconds = y.wall_seconds = 0;
    x.bytes = y.bytes = 0;
    x.engine = y.engine = NULL;
    return memcmp(&x, &y, sizeof x) == 0;
}

/* Stages of 1, 4, 16 and 64 switches: less than a group of the arbiter, and several. */
Test(sim_packed, numbers_are_those_of_the_plain_engine)
{
    static const char *const buffer[] = {"damq", "dafc"};
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 2 * 2 * 4 * SWQ_PACKED_SLOTS; k++) {
        const int slots = 1 + (k >> 4), stages = 1 + (k >> 2 & 3);
        const swq_flow flow = k & 2 ? SWQ_BLOCK : SWQ_DISCARD;
        const swq_network n = packed_network(ctx, buffer[k & 1], slots, stages, flow);
        swq_sim_options options = swq_sim_defaults();
        options.cycles = 200;
        options.warmup = 0;
        const swq_sim_result fast = simulate(ctx, &n, &options);
        options.plain = true;
        const swq_sim_result plain = simulate(ctx, &n, &options);
        cr_assert(strcmp(fast.engine, plain.engine) != 0);
        cr_assert(fast.all.delivered > 0);
        cr_assert(same(fast, plain), "%s, %d slots, %d stages", buffer[k & 1], slots, stages);
    }
    swq_context_free(ctx);
}
