/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Approximated networks of buffers with shared slots: one stage against the exact chain, networks
 * against the simulator, and laws that hold between stages. Simulated figures are written out; they
 * come from
 *   switchq sim --ports K --stages S --buffer damq --slots B --load R --flow F --cycles 60000
 * (5 stages: 4000) with the defaults otherwise. Not pinned: how many steps it takes.
 */
#include "approx/links/links.h"
#include "approx/links/shared/contents.h"
#include "tests/support/support.h"

TestSuite(approx_shared, .timeout = 240);

static links_spec spec_of(const char *buffer, int ports, int stages, int slots, bool discard,
                          double load)
{
    swq_context *ctx = swq_context_new();
    links_spec spec = {
        .ports = ports, .stages = stages, .slots = slots, .discard = discard, .load = load};
    const swq_buffer_kind *kind;

    cr_assert_eq(swq_buffer_kind_find(ctx, buffer, &kind), SWQ_OK);
    cr_assert_eq(swq_buffer_preset(ctx, kind, ports, slots, &spec.buffer), SWQ_OK);
    swq_context_free(ctx);
    return spec;
}

static swq_approx_result approximate(const links_spec *spec)
{
    swq_context *ctx = swq_context_new();
    swq_approx_result result = {.load = spec->load};
    swq_status status = links_shared(ctx, spec, &result);

    cr_assert_eq(status, SWQ_OK, "%d ports, %d stages, %d slots, load %g: %s", spec->ports,
                 spec->stages, spec->slots, spec->load, swq_context_message(ctx));
    cr_assert(result.converged && result.steps > 0);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
    return result;
}

static swq_approx_result damq(int ports, int stages, int slots, bool discard, double load)
{
    links_spec spec = spec_of("damq", ports, stages, slots, discard, load);

    return approximate(&spec);
}

/* In this model the buffers of a switch are alike and independent, except for what a queue's length
 * implies. */
Test(approx_shared, one_stage_is_near_the_chain)
{
    for (int ports = 2; ports <= 3; ports++) {
        for (int slots = 1; slots <= 4 - (ports == 3); slots++) {
            for (int i = 0; i < 6; i++) {
                bool discard = i % 2 == 0;
                double load = 0.3 * (i / 2) + 0.3;
                swq_context *ctx = swq_context_new();
                swq_switch sw = test_switch(ctx, "damq", ports, slots, load, "rotating");
                sw.flow = discard ? SWQ_DISCARD : SWQ_BLOCK;
                sw.credit = discard ? SWQ_CREDIT_SAME : SWQ_CREDIT_NEXT;
                swq_answers exact = test_solve(ctx, &sw, "auto");
                swq_approx_result r = damq(ports, 1, slots, discard, load);
                double delay = exact.mean_delay + (discard ? 0 : exact.mean_source_wait);
                assert_relative(r.throughput, exact.throughput.value, discard ? 0.012 : 0.032,
                                "%d ports, %d slots, load %g: %g, exact %g", ports, slots, load,
                                r.throughput, exact.throughput.value);
                assert_relative(r.latency, delay, discard ? 0.012 : 0.055,
                                "%d ports, %d slots, load %g: %g, exact %g", ports, slots, load,
                                r.latency, delay);
                swq_answers_clear(ctx, &exact);
                swq_context_free(ctx);
            }
        }
    }
}

/* Table 4.2: the worst loads. */
Test(approx_shared, discarding_within_one_percent)
{
    static const struct {
        int slots;
        double load, throughput, latency;
    } row[] = {
        {2, 0.9, 0.620005, 6.34921},  {2, 1, 0.628045, 6.61730},    {3, 0.9, 0.716364, 8.65746},
        {3, 1, 0.725061, 9.17470},    {4, 0.9, 0.776622, 10.87995}, {4, 1, 0.787487, 11.76076},
        {6, 0.9, 0.841721, 14.70868}, {6, 1, 0.855648, 16.88873},   {8, 0.9, 0.872723, 17.52436},
        {8, 1, 0.892017, 21.97898},   {12, 1, 0.928873, 32.11811}};

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        swq_approx_result r = damq(4, 3, row[i].slots, true, row[i].load);
        assert_relative(r.throughput, row[i].throughput, 0.0085, "%d slots, load %g: %g, not %g",
                        row[i].slots, row[i].load, r.throughput, row[i].throughput);
        assert_relative(r.latency, row[i].latency, 0.02, "%d slots, load %g: %g, not %g",
                        row[i].slots, row[i].load, r.latency, row[i].latency);
    }
}

/* Table 4.3: saturation, and below it. */
Test(approx_shared, blocking_within_five_percent)
{
    static const struct {
        int slots;
        double load, throughput, latency;
    } row[] = {
        {2, 1, 0.501088, 7.35375},   {3, 1, 0.632008, 8.96392},   {4, 1, 0.714915, 10.99339},
        {6, 1, 0.810289, 15.46038},  {8, 1, 0.859823, 20.09132},  {12, 1, 0.909241, 29.44222},
        {4, 0.6, 0.597805, 6.06147}, {6, 0.7, 0.699375, 7.97048}, {8, 0.7, 0.699796, 7.93930}};

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        swq_approx_result r = damq(4, 3, row[i].slots, false, row[i].load);
        assert_relative(r.throughput, row[i].throughput, 0.047, "%d slots, load %g: %g, not %g",
                        row[i].slots, row[i].load, r.throughput, row[i].throughput);
        assert_relative(r.latency, row[i].latency, 0.027, "%d slots, load %g: %g, not %g",
                        row[i].slots, row[i].load, r.latency, row[i].latency);
    }
}

/* Other shapes. */
Test(approx_shared, other_shapes)
{
    static const struct {
        int ports, stages, slots;
        bool discard;
        double throughput, tolerance;
    } row[] = {{8, 2, 4, true, 0.782178, 0.012}, {8, 2, 4, false, 0.732100, 0.03},
               {2, 6, 4, true, 0.805179, 0.018}, {2, 6, 8, false, 0.863278, 0.04},
               {4, 5, 4, true, 0.748878, 0.01},  {4, 5, 8, false, 0.829159, 0.03},
               {2, 1, 4, false, 0.9024, 0.01}};

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        swq_approx_result r = damq(row[i].ports, row[i].stages, row[i].slots, row[i].discard, 1);
        assert_relative(r.throughput, row[i].throughput, row[i].tolerance,
                        "%d ports, %d stages: %g, not %g", row[i].ports, row[i].stages,
                        r.throughput, row[i].throughput);
    }
}

/* What a stage sends arrives at the next, no packet appears on the way, and Little's law holds. */
Test(approx_shared, flows_are_conserved)
{
    for (int i = 0; i < 8; i++) {
        bool discard = i % 2 == 0;
        int ports = i < 4 ? 3 : 4, slots = i % 4 < 2 ? 3 : 5;
        swq_approx_result r = damq(ports, 4, slots, discard, i < 4 ? 1 : 0.6);
        double waiting = r.source_queue;
        for (int s = 0; s < 4; s++) {
            double arrives = s > 0 ? r.stage[s - 1].sent : discard ? r.load : r.throughput;
            double kept = arrives * (discard ? 1 - r.stage[s].discarded : 1);
            assert_relative(kept, r.stage[s].sent, 1e-5, "stage %d: %.9f, sent %.9f", s + 1, kept,
                            r.stage[s].sent);
            waiting += r.stage[s].occupancy / ports;
        }
        if (!discard) {
            double little = 1 + waiting / r.throughput;
            assert_relative(r.latency, little, 1e-5, "%g, by Little %g", r.latency, little);
            assert_relative(r.refusal, r.source_queue / (r.source_queue + r.throughput), 1e-5,
                            "refusal %g", r.refusal);
        } else {
            assert_relative(r.discard_fraction, 1 - r.throughput / r.load, 1e-9, "discards");
        }
    }
}

/* Hardly any packets meet, so none waits; what remains is of the order of load squared. */
Test(approx_shared, light_load)
{
    for (int i = 0; i < 4; i++) {
        swq_approx_result r = damq(2 + 2 * (i / 2), 3, 4, i % 2 == 0, 1e-3);
        assert_relative(r.throughput, 1e-3, 1e-7, "%.12f", r.throughput);
        cr_assert(r.latency > 3 && r.latency < 3 + 2e-3, "%g", r.latency);
        cr_assert(isnan(damq(4, 2, 4, i % 2 == 0, 0).latency));
    }
}

/* More read ports never harm; a buffer with one slot needs only one. */
/* Queues for an output stay similar, so some ways to divide its packets never occur. The tail is
 * geometric: each further slot reduces the losses by the same factor. */
Test(approx_shared, more_slots_than_are_ever_unlike)
{
    double lost[17];

    for (int slots = 12; slots <= 16; slots++) {
        swq_approx_result r = damq(2, 6, slots, true, 0.8);
        lost[slots] = 1 - r.throughput / 0.8;
        if (slots >= 14)
            cr_assert(fabs(lost[slots] * lost[slots - 2] / pow(lost[slots - 1], 2) - 1) < 0.05);
    }
    cr_assert(lost[16] > 0 && lost[16] < lost[12] / 10);
}

Test(approx_shared, every_queue_read)
{
    for (int i = 0; i < 2; i++) {
        links_spec dafc = spec_of("dafc", 4, 3, 4, i == 0, 1);
        cr_assert_gt(approximate(&dafc).throughput, 1.01 * damq(4, 3, 4, i == 0, 1).throughput);
        dafc = spec_of("dafc", 3, 2, 1, i == 0, 0.8);
        assert_relative(approximate(&dafc).throughput, damq(3, 2, 1, i == 0, 0.8).throughput, 1e-7,
                        "one slot");
    }
}

/* Limits of queues when discarding: --queue-max 2, --alpha 1, --queue-min 1 with 4 slots, load 0.9,
 * 20000 cycles. */
Test(approx_shared, limits_of_queues)
{
    static const double simulated[] = {0.76379, 0.73787, 0.59133};
    swq_context *ctx = swq_context_new();

    for (int i = 0; i < 3; i++) {
        links_spec spec = spec_of("damq", 4, 3, 4, true, 0.9);
        swq_approx_result result = {0};
        spec.buffer.queue_max = i == 0 ? 2 : 4;
        spec.buffer.alpha = i == 1;
        spec.buffer.queue_min = i == 2;
        double throughput = approximate(&spec).throughput;
        assert_relative(throughput, simulated[i], 0.02, "%d: %g", i, throughput);
        spec.discard = false;
        cr_assert_eq(links_shared(ctx, &spec, &result), SWQ_EINVAL);
        cr_assert(strstr(swq_context_message(ctx), "block"));
    }
    swq_context_free(ctx);
}

Test(approx_shared, too_large)
{
    swq_context *ctx = swq_context_new();
    swq_approx_result result = {0};
    links_spec spec = spec_of("damq", 8, 3, 100, true, 1);

    cr_assert_eq(links_shared(ctx, &spec, &result), SWQ_ELIMIT);
    cr_assert(strstr(swq_context_message(ctx), "100 slots"), "%s", swq_context_message(ctx));
    spec = spec_of("damq", 32, 1, 2, false, 1);
    cr_assert_eq(links_shared(ctx, &spec, &result), SWQ_ELIMIT);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* Partitions: joining and sending are inverse to each other. */
Test(approx_shared, contents)
{
    swq_context *ctx = swq_context_new();
    links_spec spec = spec_of("damq", 4, 1, 8, true, 1);
    shared_contents all;

    cr_assert_eq(shared_contents_init(ctx, 4, 8, &spec.buffer, &all), SWQ_OK);
    cr_assert_eq(all.count, 53); /* of 0 to 8 into at most 4 parts: 1+1+2+3+5+6+9+11+15 */
    for (int i = 0; i < all.count; i++) {
        const shared_content *c = &all.content[i];
        int queues = 0;
        for (int k = 0; k < c->classes; k++) {
            int to = c->class[k].joined;
            queues += c->class[k].queues;
            cr_assert_eq(to < 0, c->packets == 8);
            if (to >= 0)
                cr_assert_eq(shared_contents_sent(&all, to, c->class[k].length + 1), i);
        }
        cr_assert_eq(queues, 4);
    }
    shared_contents_clear(ctx, &all);
    swq_context_free(ctx);
}

Test(approx_shared, every_allocation_fails)
{
    links_spec spec = spec_of("damq", 2, 2, 2, false, 0.7);

    for (int for_good = 0; for_good < 2; for_good++) {
        swq_status status = SWQ_ENOMEM;
        for (size_t after = 0; status; after++) {
            swq_context *ctx = swq_context_new();
            swq_approx_result result = {.throughput = -1};
            swq_context_fail_allocations(ctx, after, for_good);
            status = links_shared(ctx, &spec, &result);
            cr_assert_eq(swq_context_live_blocks(ctx), 0, "allocation %zu", after);
            cr_assert(!status || (status == SWQ_ENOMEM && result.throughput == -1));
            swq_context_free(ctx);
            cr_assert(after < 100);
        }
    }
}
