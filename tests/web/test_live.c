/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the browser's network does, as a native program: its numbers are those of a run, and load
 * and hot spot can be changed on the way. web/test.js compares WebAssembly with the program.
 */
#include "switchq/exact.h"
#include "switchq/sim.h"
#include "tests/support/support.h"
#include "web/live.h"

#include <string.h>

TestSuite(live, .timeout = 240);

enum { NODES = 64, CYCLES = 500 };

static const char *const buffers[] = {"fifo", "samq", "safc", "damq", "dafc", "cbda", NULL};

/* Packets delivered in that many cycles from now on, per node and cycle. */
static double throughput(live *l, int cycles)
{
    const double before = live_count(l, LIVE_DELIVERED);

    live_run(l, cycles);
    return (live_count(l, LIVE_DELIVERED) - before) / NODES / cycles;
}

static swq_network network_of(swq_context *ctx, const char *buffer, int slots)
{
    swq_network n = {.shape.stages = 3,
                     .sw = {.ports = 4, .flow = SWQ_BLOCK, .credit = SWQ_CREDIT_NEXT},
                     .traffic = swq_traffic_defaults()};
    const swq_buffer_kind *kind;

    cr_assert_eq(swq_fabric_find(ctx, "omega", &n.shape), SWQ_OK);
    cr_assert_eq(swq_arbiter_find(ctx, "rotating", &n.sw.arbiter), SWQ_OK);
    cr_assert_eq(swq_buffer_kind_find(ctx, buffer, &kind), SWQ_OK);
    cr_assert_eq(swq_buffer_preset(ctx, kind, 4, slots, &n.sw.buffer), SWQ_OK);
    return n;
}

Test(live, is_the_run_that_is_measured)
{
    swq_context *ctx = swq_context_new();

    for (int b = 0; buffers[b]; b++) {
        swq_network n = network_of(ctx, buffers[b], 4);
        swq_sim_options o = swq_sim_defaults();
        swq_sim_result r;
        double answer[6];
        n.traffic.load = 0.7;
        n.traffic.hot_spots = 1;
        n.traffic.hot[0] = (swq_hot_spot){.node = 0, .fraction = 0.02};
        o.seed = 3;
        o.cycles = CYCLES;
        o.warmup = 0;
        cr_assert_eq(swq_sim_run(ctx, &n, &o, &r), SWQ_OK);
        live *l = live_new(buffers[b], 4, 1, 0.7, 0.02, 3);
        cr_assert_not_null(l);
        live_run(l, CYCLES / 2);
        live_run(l, CYCLES - CYCLES / 2);
        cr_assert_eq(live_count(l, LIVE_CYCLE), CYCLES);
        cr_assert_eq(live_count(l, LIVE_NODES), NODES);
        cr_assert_eq(live_count(l, LIVE_CREATED), (double)r.all.created);
        cr_assert_eq(live_count(l, LIVE_DELIVERED), (double)r.all.delivered);
        cr_assert_float_eq(live_count(l, LIVE_LATENCY) / live_count(l, LIVE_DELIVERED),
                           r.all.latency.mean, 1e-12);
        live_free(l);
        o = swq_sim_defaults();
        o.seed = 3;
        cr_assert_eq(swq_sim_run(ctx, &n, &o, &r), SWQ_OK);
        swq_result_refuse(&r, NULL);
        cr_assert_eq(live_sim(buffers[b], 4, 1, 0.7, 0.02, 3, answer), 0);
        cr_assert_eq(answer[0], r.all.throughput.mean);
        cr_assert_eq(answer[1], r.all.throughput.half_width);
        cr_assert_eq(answer[2], r.all.latency.mean);
    }
    swq_context_free(ctx);
}

/* All created packets are somewhere. */
Test(live, looks_at_every_packet)
{
    for (int b = 0; buffers[b]; b++) {
        live *l = live_new(buffers[b], 8, 1, 0.9, 0.05, 1);
        uint64_t held = 0, marked = 0;
        live_run(l, CYCLES);
        const int stores = live_look(l);
        const bool pools = strcmp(buffers[b], "cbda") == 0;
        cr_assert_eq(stores, pools ? 48 : 192);
        cr_assert_eq(live_slots(l), pools ? 32 : 8);
        for (int i = 0; i < stores; i++) {
            held += live_held(l)[i];
            marked += live_marked(l)[i];
            cr_assert_leq(live_marked(l)[i], live_held(l)[i]);
        }
        cr_assert_eq((double)held + live_count(l, LIVE_WAITING) + live_count(l, LIVE_DELIVERED),
                     live_count(l, LIVE_CREATED));
        cr_assert_gt(marked, held / 10, "a hot spot's packets are");
        cr_assert_leq(live_count(l, LIVE_HOT_DELIVERED), CYCLES, "its link carries one a cycle");
        cr_assert_gt(live_count(l, LIVE_HOT_DELIVERED), 0.9 * CYCLES, "and is busy");
        live_free(l);
    }
}

Test(live, load_and_hot_spot_change_on_the_way)
{
    live *l = live_new("damq", 4, 1, 0.2, 0, 1);

    live_run(l, 500);
    cr_assert_float_eq(throughput(l, 1000), 0.2, 0.02);
    live_traffic(l, 0.6, 0);
    live_run(l, 500);
    cr_assert_float_eq(throughput(l, 1000), 0.6, 0.02);
    live_traffic(l, 0.6, 0.1);
    live_run(l, 1500);
    /* the hot link is busy in all cycles, and has 0.1 + 0.9 / 64 of the packets */
    cr_assert_float_eq(throughput(l, 1000), 1 / 64. / (0.1 + 0.9 / 64), 0.01);
    live_traffic(l, 0.6, 0);
    live_run(l, 2000);
    cr_assert_float_eq(throughput(l, 1000), 0.6, 0.02, "and the tree decays");
    live_free(l);
}

/* A change that changes nothing leaves the numbers alone. */
Test(live, the_same_traffic_again_is_no_change)
{
    live *a = live_new("fifo", 4, 0, 0.5, 0.05, 9), *b = live_new("fifo", 4, 0, 0.5, 0.05, 9);

    live_run(a, 200);
    live_run(b, 100);
    live_traffic(b, 0.5, 0.05);
    live_run(b, 100);
    for (int what = LIVE_CREATED; what <= LIVE_HOT_DELIVERED; what++)
        cr_assert_eq(live_count(a, what), live_count(b, what), "%d", what);
    live_free(a);
    live_free(b);
}

Test(live, one_switch_is_solved)
{
    double answer[4];

    /* docs/tutorial.md and README.md have it */
    cr_assert_eq(live_solve("damq", 4, 0, 0.9, 0, answer), 0);
    cr_assert_float_eq(answer[0], 0.0336438363717668, 1e-15);
    cr_assert_float_eq(answer[1], 0.9 * (1 - answer[0]), 1e-14);
    cr_assert_eq(live_solve("fifo", 2, 1, 0.3, 0, answer), 0);
    cr_assert_float_eq(answer[1], 0.3, 0.01);
}

Test(live, what_cannot_be_is_refused_by_name)
{
    double answer[6];

    cr_assert_null(live_new("none", 4, 1, 0.5, 0, 1));
    cr_assert_not_null(strstr(live_message(), "none"));
    cr_assert_null(live_new("samq", 3, 1, 0.5, 0, 1));
    cr_assert_not_null(strstr(live_message(), "3"));
    cr_assert_null(live_new("damq", 4, 1, 1.5, 0, 1));
    cr_assert_not_null(strstr(live_message(), "1.5"));
    cr_assert_neq(live_sim("damq", 0, 1, 0.5, 0, 1, answer), 0);
    cr_assert_neq(live_solve("damq", 4, 0, 0.9, 1.5, answer), 0);
    cr_assert_not_null(strstr(live_message(), "1.5"));
    live_free(NULL);
}
