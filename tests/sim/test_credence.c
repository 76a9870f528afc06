/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim/stages/oracle.c: Credence with an oracle that knows what longest-queue drop will lose, one
 * that is wrong, and one that reads its answers, against tests/ref/ref_credence.c packet by packet,
 * and against a chain where answers are no better than coins.
 */
#include "tests/ref/ref_absorption.h"
#include "tests/ref/ref_credence.h"
#include "tests/support/support.h"

static swq_context *ctx;

static void setup(void)
{
    ctx = swq_context_new();
}

static void teardown(void)
{
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

TestSuite(credence, .init = setup, .fini = teardown, .timeout = 120);

enum { MOST = 20000 };

static swq_trace_packet line[MOST];
static ref_packet packet[MOST];
static unsigned char truth[MOST], wrong[MOST], noise[MOST];

/* Cycles in which each of `ports` sources sends a packet in 9 of 10, to output 0 in half of all.
 * Returns the number of packets. */
static int draw_packets(int ports, int cycles, unsigned seed)
{
    int count = 0;

    for (int c = 0; c < cycles; c++) {
        for (int i = 0; i < ports && count < MOST; i++) {
            seed = seed * 1103515245u + 12345u;
            const int chance = (int)(seed >> 16) % 100;
            seed = seed * 1103515245u + 12345u;
            const int any = (int)(seed >> 16) % (2 * ports), to = any < ports ? any : 0;
            if (chance >= 90)
                continue;
            line[count] = (swq_trace_packet){
                .cycle = (uint64_t)c, .source = (uint32_t)i, .destination = (uint32_t)to};
            packet[count++] = (ref_packet){c, to};
        }
    }
    return count;
}

static swq_network network(const swq_admission_rule *rule, int ports, int slots)
{
    swq_network n = {.shape.stages = 1, .traffic = swq_traffic_defaults()};

    n.sw = test_switch(ctx, "cbda", ports, slots, 0, "random");
    n.sw.buffer.pool_rule = &swq_pool_in_order;
    n.sw.buffer.ties = SWQ_TIES_LOW;
    cr_assert_eq(swq_buffer_set_admission(ctx, rule, SWQ_ADMISSION_TIES, ports, &n.sw.buffer),
                 SWQ_OK);
    cr_assert_eq(swq_fabric_find(ctx, "omega", &n.shape), SWQ_OK);
    return n;
}

static int lost_by(swq_network *n, int packets, int cycles)
{
    swq_sim_options options = swq_sim_defaults();
    swq_sim_result result;

    n->traffic.kind = SWQ_SOURCE_TRACE;
    n->traffic.trace = line;
    n->traffic.trace_packets = (uint64_t)packets;
    options.warmup = 0;
    options.cycles = (uint64_t)cycles;
    options.replications = 1;
    cr_assert_eq(swq_sim_run(ctx, n, &options, &result), SWQ_OK, "%s", swq_context_message(ctx));
    cr_expect_eq(result.total_created, (uint64_t)packets);
    return (int)result.total_discarded;
}

Test(credence, loses_the_packets_of_the_reference)
{
    static const struct {
        int ports, slots;
    } sizes[] = {{2, 2}, {2, 5}, {3, 1}, {3, 3}, {4, 2}, {4, 6}};

    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const int ports = sizes[k].ports, slots = ports * sizes[k].slots;
        const int count = draw_packets(ports, 3000, 7 + (unsigned)k);
        int drops = 0;
        ref_drops(packet, count, ports, slots, truth);
        for (int p = 0; p < count; p++) {
            drops += truth[p];
            wrong[p] = !truth[p];
            noise[p] = (unsigned char)(p * 7 % 11 > 5);
        }
        swq_network n = network(&swq_admission_longest_queue_drop, ports, sizes[k].slots);
        cr_expect_eq(lost_by(&n, count, 4000), drops, "longest-queue drop, case %zu", k);
        n = network(&swq_admission_credence, ports, sizes[k].slots);
        const int right = ref_credence(packet, count, ports, slots, truth);
        cr_expect_eq(lost_by(&n, count, 4000), right, "perfect, case %zu", k);
        n.sw.buffer.oracle.flip = 1;
        const int turned = ref_credence(packet, count, ports, slots, wrong);
        cr_expect_eq(lost_by(&n, count, 4000), turned, "turned round, case %zu", k);
        n.sw.buffer.oracle = (swq_oracle){.answer = noise, .answers = (uint64_t)count, .file = "f"};
        const int noisy = ref_credence(packet, count, ports, slots, noise);
        cr_expect_eq(lost_by(&n, count, 4000), noisy, "a file, case %zu", k);
        cr_expect(right < noisy && noisy < turned, "case %zu: %d, %d, %d", k, right, noisy, turned);
    }
}

/* An answer that is turned round in half of all cases says nothing. */
Test(credence, with_coins_is_a_chain)
{
    static const double even[] = {1.0 / 3, 1.0 / 3, 1.0 / 3};

    for (int ports = 2; ports <= 3; ports++) {
        const double half[] = {0.5, 0.5};
        const double loss =
            ref_absorption(REF_COINS, 0, ports, 2 * ports, 0.9, ports == 2 ? half : even);
        swq_network n = network(&swq_admission_credence, ports, 2);
        swq_sim_options options = swq_sim_defaults();
        swq_sim_result result;
        n.sw.buffer.pool_rule = NULL;
        n.sw.buffer.ties = SWQ_TIES_OWN;
        n.sw.buffer.oracle.flip = 0.5;
        n.traffic.load = 0.9;
        options.cycles = 200000;
        options.confidence = 0.9999;
        cr_assert_eq(swq_sim_run(ctx, &n, &options, &result), SWQ_OK, "%s",
                     swq_context_message(ctx));
        cr_expect(fabs(result.all.discard_fraction.mean - loss) <
                      result.all.discard_fraction.half_width,
                  "%d ports: %g, %g +- %g", ports, loss, result.all.discard_fraction.mean,
                  result.all.discard_fraction.half_width);
    }
}

Test(credence, what_the_oracle_cannot_know_is_refused)
{
    static const char *const names[] = {"stages", "discard", "oldest", "trace"};

    for (int k = 0; k < 4; k++) {
        swq_network n = network(&swq_admission_credence, 2, 2);
        swq_sim_options options = swq_sim_defaults();
        swq_sim_result result;
        if (k == 0)
            n.shape.stages = 2;
        if (k == 1)
            n.sw.flow = SWQ_BLOCK;
        if (k == 2)
            n.sw.buffer.pool_rule = &swq_pool_oldest;
        if (k == 3)
            n.sw.buffer.oracle = (swq_oracle){.answer = noise, .answers = 5, .file = "f"};
        cr_expect_eq(swq_sim_run(ctx, &n, &options, &result), SWQ_EINVAL);
        cr_expect(strstr(swq_context_message(ctx), names[k]), "%s: %s", names[k],
                  swq_context_message(ctx));
    }
}
