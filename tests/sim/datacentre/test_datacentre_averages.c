/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lossless half of reverie: what each packet of inputs takes, and who is asked to pause,
 * against tests/ref/ref_pauses.c, decision by decision.
 */
#include "sim/datacentre/net.h"
#include "tests/ref/ref_pauses.h"
#include "tests/support/support.h"

TestSuite(datacentre_averages, .timeout = 60);

enum { INPUTS = 6, STEPS = 20000, HEADROOM = 6000, SHARED = 60000 };

typedef struct {
    uint64_t asked, headroom, lost; /* decisions of each kind */
} pause_counts;

/* Packets come for random inputs, most often for the first, and leave in random order. */
static void compare(const swq_dc *dc, ref_pauses *like, uint32_t seed, pause_counts *all)
{
    static dc_packet stored[STEPS];
    swq_context *ctx = swq_context_new();
    swq_dc_graph *graph = NULL;
    dc_net net;
    int count = 0;

    cr_assert_eq(dc_graph_make(ctx, dc, &graph), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(dc_net_make(ctx, dc, graph, 1, 0, &net), SWQ_OK);
    cr_assert_eq(net.memory[0].free, SHARED);
    for (int step = 0; step < STEPS; step++) {
        seed = seed * 1664525 + 1013904223;
        /* the memory fills and empties in waves */
        const bool comes =
            seed >> 8 & 1023 ? (seed >> 9 & 127) < (step / 300 % 2 ? 74 : 52) : count < 1;
        net.now += 1000000;
        if (comes) {
            const uint32_t input = seed >> 16 & 1 ? 0 : (seed >> 17) % INPUTS;
            const uint32_t bytes = 64 + (seed >> 20) % 1437;
            dc_packet p = {.came = input, .size = bytes, .bytes = bytes};
            const swq_fate fate = dc_lossless_fate(&net, 0, &p);
            const ref_pauses_fate expected = ref_pauses_comes(like, (int)input, bytes);
            cr_assert_eq(fate == SWQ_TAKE ? 1 + p.in_headroom : 0, (int)expected, "step %d", step);
            all->headroom += expected == REF_PAUSES_HEADROOM;
            all->lost += expected == REF_PAUSES_LOST;
            if (fate != SWQ_TAKE)
                continue;
            dc_hold(&net, 0, 0, &p);
            stored[count++] = p;
        } else if (count > 0) {
            const int k = (int)((seed >> 16) % (uint32_t)count);
            const dc_packet p = stored[k];
            stored[k] = stored[--count];
            dc_give_back(&net, 0, 0, &p);
            ref_pauses_leaves(like, (int)p.came, p.size);
        }
        for (uint32_t i = 0; i < INPUTS; i++) {
            cr_assert_eq(dc_ingress_asked(&net, i), like->asked[i], "step %d, input %u", step, i);
            all->asked += (uint64_t)like->asked[i];
        }
    }
    cr_assert_eq(like->close, 0);
    dc_net_free(ctx, &net);
    swq_dc_graph_free(ctx, graph);
    swq_context_free(ctx);
}

Test(datacentre_averages, inputs_pause_as_the_reference_says)
{
    static const double gamma[] = {0, 0.5, 0.99, 0.999};
    pause_counts all = {0, 0, 0};

    for (uint32_t k = 0; k < 16; k++) {
        const bool averaged = k < 12;
        swq_dc dc = swq_dc_defaults();
        dc.ports = INPUTS;
        dc.network.sending[0].sender = swq_dc_senders()[0];
        dc.memory.bytes = SHARED + INPUTS * HEADROOM;
        dc.memory.admission = averaged ? &swq_admission_reverie : &swq_admission_sharing;
        dc.memory.gamma = gamma[k % 4];
        dc.memory.congested = 2000 + 1500 * (k % 3);
        dc.pfc.classes = 1;
        dc.pfc.headroom = HEADROOM;
        dc.pfc.alpha = k % 2 ? 0.25 : 1;
        ref_pauses like = {.inputs = INPUTS,
                           .shared = SHARED,
                           .headroom = HEADROOM,
                           .alpha = dc.pfc.alpha,
                           .averaged = averaged,
                           .gamma = dc.memory.gamma,
                           .congested = (long)dc.memory.congested};
        compare(&dc, &like, k + 1, &all);
    }
    cr_expect_gt(all.asked, 1000);
    cr_expect_gt(all.headroom, 1000);
    cr_expect_gt(all.lost, 100);
}
