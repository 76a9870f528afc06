/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of methods, what it refuses, and the methods that are not ours: against the formulas
 * they stand for, the exact chains, and the flow balance of sources that hold a packet.
 */
#include "switchq/approx.h"
#include "switchq/formula.h"
#include "tests/support/support.h"

TestSuite(approx, .timeout = 240);

static swq_network network(swq_context *ctx, const char *buffer, int slots, int ports, int stages,
                           swq_flow flow, double load)
{
    swq_network n = {.shape.stages = stages, .traffic = swq_traffic_defaults()};
    swq_switch sw = test_switch(ctx, buffer, ports, slots, load, "rotating");

    cr_assert_eq(swq_fabric_find(ctx, "omega", &n.shape), SWQ_OK);
    n.sw = sw;
    n.sw.flow = flow;
    n.sw.credit = flow == SWQ_BLOCK ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
    n.traffic.load = load;
    return n;
}

static const swq_approx_method *method(swq_context *ctx, const char *name)
{
    const swq_approx_method *m;

    cr_assert_eq(swq_approx_find(ctx, name, &m), SWQ_OK, "%s", swq_context_message(ctx));
    return m;
}

static swq_approx_result answer(swq_context *ctx, const swq_network *n, const char *name)
{
    swq_approx_result r;

    cr_assert_eq(swq_approx_run(ctx, n, method(ctx, name), &r), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_assert_str_eq(r.method, name);
    cr_assert(r.converged);
    return r;
}

Test(approx, rows_say_what_they_are)
{
    swq_context *ctx = swq_context_new();

    for (int k = 0; swq_approx_methods[k]; k++) {
        const swq_approx_method *m = swq_approx_methods[k];
        cr_assert(*m->name && *m->summary && *m->assumptions && *m->source && *m->error,
                  "a text of %s is missing", m->name);
        cr_assert_eq(method(ctx, m->name), m);
    }
    const swq_approx_method *m;
    cr_assert_eq(swq_approx_find(ctx, "jenk", &m), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "jenq"), "%s", swq_context_message(ctx));
    swq_context_free(ctx);
}

/* Each of these makes a valid spec invalid; the message must contain a word. */
static void by_sources(swq_network *n)
{
    n->traffic.kind = SWQ_SOURCE_OPEN;
}
static void by_bursts(swq_network *n)
{
    n->traffic.burst = 2;
}
static void by_resending(swq_network *n)
{
    n->resend = true;
}
static void by_staleness(swq_network *n)
{
    n->stale = 3;
}
static void by_loads(swq_network *n)
{
    static const double load[64] = {0.5};
    n->traffic.node_load = load;
}

Test(approx, what_no_method_does_is_refused)
{
    static const struct {
        void (*change)(swq_network *);
        const char *word;
    } cases[] = {
        {by_sources, "hold"},    {by_bursts, "bursts"},   {by_resending, "again"},
        {by_staleness, "stale"}, {by_loads, "same load"},
    };
    swq_context *ctx = swq_context_new();
    swq_approx_result r;

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        swq_network n = network(ctx, "fifo", 2, 4, 3, SWQ_DISCARD, 0.5);
        cases[k].change(&n);
        cr_assert_eq(swq_approx_run(ctx, &n, NULL, &r), SWQ_EINVAL, "case %zu", k);
        cr_assert(strstr(swq_context_message(ctx), cases[k].word), "%s", swq_context_message(ctx));
    }
    swq_network n = network(ctx, "fifo", 2, 4, 3, SWQ_DISCARD, 0.5);
    cr_assert_eq(swq_pattern_find(ctx, "bit-reversal", &n.traffic.pattern), SWQ_OK);
    cr_assert_eq(swq_approx_run(ctx, &n, NULL, &r), SWQ_EINVAL);
    n = network(ctx, "fifo", 2, 4, 3, SWQ_DISCARD, 1.5);
    cr_assert_eq(swq_approx_run(ctx, &n, NULL, &r), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "load"), "the simulator's own check");
    swq_context_free(ctx);
}

/* Our models serve the longest queue, which does not matter if there is only one. */
Test(approx, arbiters_that_the_models_are_not_for_are_refused)
{
    static const struct {
        const char *buffer, *arbiter;
        bool fits;
    } cases[] = {
        {"damq", "rotating", true}, {"damq", "longest", true}, {"damq", "random", false},
        {"samq", "maximum", false}, {"fifo", "random", true},  {"safc", "islip", true},
        {"fifo", "fixed", false},   {"cbda", "fixed", true},
    };
    swq_context *ctx = swq_context_new();
    swq_approx_result r;

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        for (int hot = 0; hot < 2; hot++) {
            swq_network n = network(ctx, cases[k].buffer, 4, 4, 2, SWQ_BLOCK, 0.2);
            cr_assert_eq(swq_arbiter_find(ctx, cases[k].arbiter, &n.sw.arbiter), SWQ_OK);
            n.traffic.hot_spots = hot;
            n.traffic.hot[0].fraction = 0.05;
            swq_status status = swq_approx_run(ctx, &n, NULL, &r);
            cr_assert_eq(status, cases[k].fits ? SWQ_OK : SWQ_EINVAL, "%s with %s", cases[k].buffer,
                         cases[k].arbiter);
            cr_assert(cases[k].fits || strstr(swq_context_message(ctx), cases[k].arbiter));
        }
    }
    swq_context_free(ctx);
}

Test(approx, a_method_by_name_says_what_it_is_not_for)
{
    static const struct {
        const char *method, *buffer;
        int slots, ports;
        swq_flow flow;
        swq_credit credit;
        const char *word;
    } cases[] = {
        {"jenq", "fifo", 2, 2, SWQ_BLOCK, SWQ_CREDIT_SAME, "one slot"},
        {"jenq", "fifo", 1, 4, SWQ_BLOCK, SWQ_CREDIT_SAME, "2 x 2"},
        {"jenq", "fifo", 1, 2, SWQ_BLOCK, SWQ_CREDIT_NEXT, "flow must be block with credit same"},
        {"yoon-lee-liu", "fifo", 2, 2, SWQ_BLOCK, SWQ_CREDIT_NEXT, "credit same"},
        {"small-cycle", "damq", 4, 4, SWQ_BLOCK, SWQ_CREDIT_NEXT, "fifo"},
        {"small-cycle", "fifo", 65, 4, SWQ_BLOCK, SWQ_CREDIT_NEXT, "at most 64 slots, not 65"},
        {"small-cycle", "fifo", 4, 4, SWQ_DISCARD, SWQ_CREDIT_NEXT, "flow must be block"},
        {"exact-chains", "fifo", 4, 4, SWQ_BLOCK, SWQ_CREDIT_NEXT, "flow must be discard"},
        {"exact-chains", "damq", 8, 4, SWQ_DISCARD, SWQ_CREDIT_SAME, "states"},
        {"kruskal-snir-weiss", "fifo", 4, 4, SWQ_BLOCK, SWQ_CREDIT_NEXT, "safc, dafc or cbda"},
        {"patel", "fifo", 4, 4, SWQ_BLOCK, SWQ_CREDIT_NEXT, "discard"},
        {"grid-waits", "fifo", 4, 4, SWQ_BLOCK, SWQ_CREDIT_NEXT,
         "torus, mesh or hypercube, not omega"},
    };
    swq_context *ctx = swq_context_new();
    swq_approx_result r;

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        swq_network n =
            network(ctx, cases[k].buffer, cases[k].slots, cases[k].ports, 3, cases[k].flow, 0.5);
        n.sw.credit = cases[k].credit;
        cr_assert_eq(swq_approx_run(ctx, &n, method(ctx, cases[k].method), &r), SWQ_EINVAL,
                     "%s for %s", cases[k].method, cases[k].buffer);
        cr_assert(strstr(swq_context_message(ctx), cases[k].word) &&
                      strstr(swq_context_message(ctx), cases[k].method),
                  "%s", swq_context_message(ctx));
    }
    swq_network n = network(ctx, "safc", 4, 4, 3, SWQ_BLOCK, 1);
    cr_assert_eq(swq_approx_run(ctx, &n, method(ctx, "kruskal-snir-weiss"), &r), SWQ_EINVAL);
    swq_context_free(ctx);
}

Test(approx, no_load_is_no_traffic)
{
    swq_context *ctx = swq_context_new();

    for (int k = 0; swq_approx_methods[k]; k++) {
        for (int f = 0; f < 4; f++) {
            swq_network n = network(ctx, f < 3 ? "fifo" : "safc", f == 2 ? 1 : 4, f == 2 ? 2 : 4, 3,
                                    f ? SWQ_BLOCK : SWQ_DISCARD, 0);
            swq_approx_result r;
            if (f == 2)
                n.sw.credit = SWQ_CREDIT_SAME;
            if (swq_approx_run(ctx, &n, swq_approx_methods[k], &r))
                continue;
            cr_assert_eq(r.throughput, 0, "%s", r.method);
            cr_assert(r.latency == n.shape.stages && r.discard_fraction == 0 && r.refusal == 0);
        }
    }
    swq_context_free(ctx);
}

Test(approx, patel_is_the_formula_stage_by_stage)
{
    swq_context *ctx = swq_context_new();
    swq_network n = network(ctx, "fifo", 1, 4, 3, SWQ_DISCARD, 1);
    swq_approx_result r = answer(ctx, &n, "patel");
    double left = 1;

    assert_relative(r.throughput, 0.432004, 2e-6, "catalogue A9: %.9g", r.throughput);
    assert_relative(r.stage[0].sent, 0.683594, 2e-6, "%.9g", r.stage[0].sent);
    for (int s = 0; s < 3; s++)
        left *= 1 - r.stage[s].discarded;
    assert_relative(left, r.throughput, 1e-14, "%.9g", left);
    assert_relative(1 - r.discard_fraction, r.throughput, 1e-14, "at full load");
    swq_context_free(ctx);
}

Test(approx, waits_are_those_of_the_formula)
{
    swq_context *ctx = swq_context_new();
    swq_network n = network(ctx, "cbda", 4, 4, 3, SWQ_BLOCK, 0.4);
    swq_approx_result r = answer(ctx, &n, "kruskal-snir-weiss");

    /* Table 4.3 prints 3.79 to 3.80 for CBDA and SAFC with many slots */
    cr_assert_float_eq(r.latency, 3.779, 5e-4, "catalogue A10: %.9g", r.latency);
    assert_relative(r.stage[1].occupancy, 4 * 0.4 * swq_stage_wait(4, 0.4, 2), 1e-14, "Little");
    swq_context_free(ctx);
}

/* With sources that always offer a packet, the recursions are the published ones. */
Test(approx, recursions_at_full_load_are_the_published_ones)
{
    static const struct {
        const char *name;
        int slots, ports, stages;
        double throughput;
    } cases[] = {
        {"jenq", 1, 2, 6, 0.488255},       {"yoon-lee-liu", 1, 2, 6, 0.488255},
        {"yoon-lee-liu", 4, 2, 6, 0.6826}, {"yoon-lee-liu", 4, 4, 3, 0.6287},
        {"small-cycle", 1, 4, 3, 0.2793},  {"small-cycle", 4, 4, 3, 0.6183},
    };
    swq_context *ctx = swq_context_new();

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        swq_network n =
            network(ctx, "fifo", cases[k].slots, cases[k].ports, cases[k].stages, SWQ_BLOCK, 1);
        if (strcmp(cases[k].name, "small-cycle") != 0)
            n.sw.credit = SWQ_CREDIT_SAME;
        swq_approx_result r = answer(ctx, &n, cases[k].name);
        cr_assert_float_eq(r.throughput, cases[k].throughput, 6e-5, "%s: %.7g", cases[k].name,
                           r.throughput);
    }
    swq_context_free(ctx);
}

/* Packets enter 1 / load + w cycles apart if a source is refused for w cycles. */
Test(approx, sources_that_hold_a_packet_are_in_balance)
{
    swq_context *ctx = swq_context_new();

    for (double load = 0.1; load < 0.95; load += 0.2) {
        swq_network n = network(ctx, "fifo", 2, 4, 3, SWQ_BLOCK, load);
        swq_approx_result r = answer(ctx, &n, "small-cycle");
        double wait = r.source_queue / r.throughput;
        assert_relative(1 / r.throughput, 1 / load + wait, 1e-7, "load %g: %.12g", load,
                        r.throughput);
        assert_relative(wait, 1 / (1 - r.refusal) - 1, 1e-9, "load %g", load);
        double throughput, delay, rate = r.throughput / (1 - r.refusal);
        cr_assert_eq(swq_blocking_delta(ctx, 4, 3, 2, false, rate, &throughput, &delay), SWQ_OK);
        assert_relative(r.latency, delay + wait, 1e-6, "load %g: %.9g", load, r.latency);
    }
    swq_context_free(ctx);
}

Test(approx, one_stage_of_exact_chains_is_the_exact_switch)
{
    static const char *const buffers[] = {"fifo", "samq", "safc", "damq", "cbda"};
    swq_context *ctx = swq_context_new();

    for (size_t k = 0; k < sizeof buffers / sizeof *buffers; k++) {
        swq_network n = network(ctx, buffers[k], 4, 2, 1, SWQ_DISCARD, 0.7);
        swq_switch sw = test_switch(ctx, buffers[k], 2, 4, 0.7, "longest");
        swq_answers exact = test_solve(ctx, &sw, "auto");
        swq_approx_result r = answer(ctx, &n, "exact-chains");
        assert_relative(r.throughput, exact.throughput.value, 1e-12, "%s", buffers[k]);
        assert_relative(r.latency, exact.mean_delay, 1e-9, "%s", buffers[k]);
        assert_relative(r.stage[0].occupancy, exact.mean_packets, 1e-9, "%s", buffers[k]);
        cr_assert_float_eq(r.discard_fraction, exact.discard.value, 1e-12, "%s", buffers[k]);
        swq_answers_clear(ctx, &exact);
    }
    swq_context_free(ctx);
}

/* What enters a stage is what left the one before; Little's law over the whole network. */
Test(approx, exact_chains_conserve_packets)
{
    swq_context *ctx = swq_context_new();
    swq_network n = network(ctx, "damq", 2, 4, 3, SWQ_DISCARD, 0.6);
    swq_approx_result r = answer(ctx, &n, "exact-chains");
    double rate = 0.6;

    for (int s = 0; s < 3; s++) {
        rate *= 1 - r.stage[s].discarded;
        assert_relative(rate, r.stage[s].sent, 1e-9, "stage %d", s + 1);
    }
    assert_relative(rate, r.throughput, 1e-9, "out");
    assert_relative(1 - r.throughput / 0.6, r.discard_fraction, 1e-9, "lost");
    swq_context_free(ctx);
}

Test(approx, without_memory_that_is_said)
{
    static const char *const names[] = {"exact-chains", "small-cycle"};

    for (int k = 0; k < 2; k++) {
        swq_context *ctx = swq_context_new();
        swq_network n = network(ctx, "fifo", 2, 2, 2, k ? SWQ_BLOCK : SWQ_DISCARD, 0.5);
        const swq_approx_method *m = method(ctx, names[k]);
        swq_approx_result r;
        int failed = 0;
        for (size_t after = 0; after < 2000; after++) {
            swq_context_fail_allocations(ctx, after, true);
            swq_status status = swq_approx_run(ctx, &n, m, &r);
            if (!status)
                break;
            cr_assert_eq(status, SWQ_ENOMEM, "%s, %zu: %s", names[k], after,
                         swq_context_message(ctx));
            failed++;
        }
        cr_assert(failed > 0, "%s", names[k]);
        swq_context_free(ctx);
    }
}
