/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Networks with packets of high priority: what the methods say of the classes adds up, and is what
 * it must be where something else knows it.
 */
#include "approx/methods.h"
#include "models/arbiters/arbiters.h"
#include "switchq/exact.h"
#include "tests/support/support.h"

#include <math.h>

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

TestSuite(approx_classes, .init = setup, .fini = teardown, .timeout = 120);

static swq_network omega(const char *buffer, int stages, swq_flow flow, swq_support support)
{
    const swq_buffer_kind *kind;
    swq_network n = {.shape.stages = stages, .traffic = swq_traffic_defaults()};

    n.sw = test_switch(ctx, buffer, 2, 4, 0.6, "rotating");
    n.sw.flow = flow;
    n.sw.credit = flow == SWQ_BLOCK ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
    n.traffic.load = 0.6;
    n.sw.priority.support = support;
    n.sw.priority.fraction = 0.25;
    n.sw.priority.slots = support == SWQ_SUPPORT_BUFFER ? 2 : 0;
    cr_assert_eq(swq_fabric_find(ctx, stages == 1 ? "switch" : "omega", &n.shape), SWQ_OK);
    cr_assert_eq(swq_buffer_kind_find(ctx, buffer, &kind), SWQ_OK);
    cr_assert_eq(swq_buffer_preset(ctx, kind, 2, 4, &n.sw.buffer), SWQ_OK);
    return n;
}

static swq_approx_result approximated(const swq_network *n, const swq_approx_method *method)
{
    swq_approx_result r;

    cr_assert_eq(swq_approx_run(ctx, n, method, &r), SWQ_OK, "%s", swq_context_message(ctx));
    return r;
}

/* Both classes together make up all packets. */
static void adds_up(const swq_approx_result *r)
{
    const swq_approx_class *low = &r->by_class[0], *high = &r->by_class[1];

    cr_assert(r->classes);
    cr_assert_float_eq(low->throughput + high->throughput, r->throughput, 1e-12);
    cr_assert_float_eq(low->throughput * low->latency + high->throughput * high->latency,
                       r->throughput * r->latency, 1e-9);
    cr_assert(low->discard_fraction >= 0 && high->discard_fraction >= 0);
}

Test(approx_classes, add_up_and_high_priority_waits_less_the_more_is_done_for_it)
{
    static const swq_support supports[] = {SWQ_SUPPORT_NONE, SWQ_SUPPORT_ARBITER,
                                           SWQ_SUPPORT_QUEUE};

    for (int flow = SWQ_DISCARD; flow <= SWQ_BLOCK; flow++) {
        double before = INFINITY;
        for (int k = 0; k < 3; k++) {
            swq_network n = omega("damq", 3, (swq_flow)flow, supports[k]);
            swq_approx_result r = approximated(&n, NULL);
            cr_assert_str_eq(r.method, "classes");
            adds_up(&r);
            cr_assert_lt(r.by_class[1].latency, before);
            cr_assert(k == 0 || r.by_class[1].latency < r.by_class[0].latency);
            before = r.by_class[1].latency;
        }
    }
}

/* No other class uses their buffers, so they wait as if they were alone. */
Test(approx_classes, a_buffer_of_their_own_is_a_network_of_their_own)
{
    swq_network n = omega("damq", 3, SWQ_DISCARD, SWQ_SUPPORT_BUFFER);
    swq_network alone = omega("fifo", 3, SWQ_DISCARD, SWQ_SUPPORT_NONE);
    swq_approx_result r = approximated(&n, NULL);

    alone.sw.buffer.capacity = alone.sw.buffer.queue_max = 2;
    alone.sw.priority.fraction = 0;
    alone.traffic.load = 0.25 * n.traffic.load;
    swq_approx_result fifo = approximated(&alone, &approx_links);
    cr_assert_not(fifo.classes);
    cr_assert_float_eq(r.by_class[1].latency, fifo.latency, 1e-9);
    cr_assert_float_eq(r.by_class[1].throughput, fifo.throughput, 1e-9);
    cr_assert_float_eq(r.by_class[1].discard_fraction, fifo.discard_fraction, 1e-9);
}

/* One stage of exact-chains is the chain itself, class by class. */
Test(approx_classes, one_stage_of_exact_chains_is_the_chain)
{
    static const char *const buffers[] = {"fifo", "damq", "cbda"};
    const swq_exact_options options = swq_exact_options_defaults();

    for (int b = 0; b < 3; b++) {
        swq_network n = omega(buffers[b], 1, SWQ_DISCARD, SWQ_SUPPORT_ARBITER);
        n.sw.arbiter = &swq_arbiter_longest;
        swq_approx_result r = approximated(&n, &approx_exact_chains);
        swq_switch sw = n.sw;
        swq_answers a;
        sw.priority = (swq_priority){.fraction = 0.25, .support = SWQ_SUPPORT_ARBITER};
        sw.load[0] = sw.load[1] = 0.6;
        swq_traffic_uniform(&sw);
        cr_assert_eq(swq_exact_solve(ctx, &sw, &options, &a), SWQ_OK);
        adds_up(&r);
        for (int c = 0; c < SWQ_CLASSES; c++) {
            cr_assert_float_eq(r.by_class[c].throughput, a.by_class[c].throughput, 1e-9);
            cr_assert_float_eq(r.by_class[c].latency, a.by_class[c].mean_delay, 1e-9);
        }
        swq_answers_clear(ctx, &a);
    }
}

static void refused(const swq_network *n, const swq_approx_method *method, const char *word)
{
    swq_approx_result r;

    cr_assert_eq(swq_approx_run(ctx, n, method, &r), SWQ_EINVAL, "%s", word);
    cr_assert(strstr(swq_context_message(ctx), word), "'%s' lacks '%s'", swq_context_message(ctx),
              word);
}

Test(approx_classes, what_they_are_not_for_is_refused_by_name)
{
    swq_network n = omega("damq", 3, SWQ_BLOCK, SWQ_SUPPORT_ARBITER);

    refused(&n, &approx_links, "high priority");
    refused(&n, &approx_exact_chains, "discard");
    n.traffic.hot[n.traffic.hot_spots++] = (swq_hot_spot){0, 0.05};
    refused(&n, NULL, "hot spot");
    n = omega("damq", 3, SWQ_BLOCK, SWQ_SUPPORT_NONE);
    n.sw.priority.fraction = 0;
    refused(&n, &approx_classes, "high priority");
    cr_assert_str_eq(approximated(&n, NULL).method, "links");
}

/* No packets of one class: it has no latency, and everything else is as without classes. Then of
 * the other class. */
Test(approx_classes, one_class_alone_is_the_network_without_classes)
{
    swq_network plain = omega("damq", 3, SWQ_DISCARD, SWQ_SUPPORT_NONE);

    plain.sw.priority.fraction = 0;
    const swq_approx_result all = approximated(&plain, NULL);
    for (int c = 0; c < SWQ_CLASSES; c++) {
        swq_network n = omega("damq", 3, SWQ_DISCARD, SWQ_SUPPORT_ARBITER);
        n.sw.priority.fraction = c;
        swq_approx_result r = approximated(&n, NULL);
        cr_assert_float_eq(r.by_class[c].latency, all.latency, 1e-6);
        cr_assert_float_eq(r.by_class[c].throughput, all.throughput, 1e-9);
        cr_assert_float_eq(r.by_class[!c].throughput, 0, 1e-12);
        cr_assert(isnan(r.by_class[!c].latency));
    }
}
