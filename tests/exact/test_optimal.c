/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * exact/optimal.c: least losses against the policy iteration over packet lists in tests/ref, which
 * shares no code with it; that no rule there is loses less, over a grid; bounds that hold the loss
 * of a policy known to be best, down to 1e-21; the rule as text; what is refused; every allocation.
 * Not pinned: iterations, and which of equally good actions is listed first.
 */
#include "switchq/optimal.h"
#include "tests/ref/ref_optimal.h"
#include "tests/support/support.h"
#include "tests/support/to_reference.h"

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

TestSuite(optimal, .init = setup, .fini = teardown, .timeout = 240);

static const swq_policy *policy_of(const char *name)
{
    const swq_policy *policy = NULL;
    cr_assert_eq(swq_policy_find(ctx, name, &policy), SWQ_OK);
    return policy;
}

static swq_optimal solve(const swq_switch *sw, const char *policy, bool reduce)
{
    swq_optimal_options options = swq_optimal_options_defaults();
    swq_optimal o;

    options.reduce = reduce;
    cr_assert_eq(swq_optimal_solve(ctx, sw, policy_of(policy), &options, &o), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_assert(o.converged);
    cr_assert_leq(o.discard.lower, o.discard.value);
    cr_assert_leq(o.discard.value, o.discard.upper);
    cr_assert_leq(o.discard.upper - o.discard.lower, 1.0001e-10 * o.discard.value);
    return o;
}

/* Uniform, a hot spot, or unequal loads with a matrix. */
static void set_traffic(swq_switch *sw, int pattern, double load)
{
    const double matrix[] = {0.7, 0.3, 0.2, 0.8},
                 wide[] = {0.5, 0.3, 0.2, 0.1, 0.6, 0.3, 0.4, 0, 0.6};

    for (int i = 0; i < sw->ports; i++)
        sw->load[i] = load;
    swq_traffic_uniform(sw);
    if (pattern == 1)
        cr_assert_eq(swq_traffic_hotspot(ctx, sw, 0.3, 1), SWQ_OK);
    if (pattern == 2) {
        sw->load[0] = load / 2;
        cr_assert_eq(swq_traffic_matrix(ctx, sw, sw->ports == 2 ? matrix : wide), SWQ_OK);
    }
}

static void against_reference(const char *buffer, int ports, int slots, double load, int pattern)
{
    static const char *const names[] = {"optimal-arbitration", "optimal", "optimal-push-out"};
    swq_switch sw = test_switch(ctx, buffer, ports, slots, load, "random");

    set_traffic(&sw, pattern, load);
    const ref_switch r = to_reference(&sw);
    for (int k = sw.buffer.scope == SWQ_POOL ? 1 : 0; k < 3; k++) {
        const ref_powers powers = {true, k > 0, k > 1, false};
        double expected;
        cr_assert_eq(ref_optimal(&r, &powers, &expected), 0);
        swq_optimal o = solve(&sw, names[k], true);
        assert_relative(o.discard.value, expected, 1e-10, "%s %d x %d, %d slots, %g, %d: %s",
                        buffer, ports, ports, slots, load, pattern, names[k]);
        cr_assert(o.discard.lower <= expected * (1 + 1e-13) &&
                      expected * (1 - 1e-13) <= o.discard.upper,
                  "%s: %.17g not in %.17g .. %.17g", names[k], expected, o.discard.lower,
                  o.discard.upper);
        swq_optimal_clear(ctx, &o);
    }
}

Test(optimal, agrees_with_packet_lists)
{
    for (int pattern = 0; pattern < 3; pattern++) {
        against_reference("damq", 2, 2, 0.9, pattern);
        against_reference("damq", 2, 3, 0.8, pattern);
        against_reference("samq", 2, 4, 0.9, pattern);
        against_reference("fifo", 2, 3, 0.85, pattern);
        against_reference("safc", 2, 2, 0.9, pattern);
        against_reference("dafc", 2, 2, 0.7, pattern);
        against_reference("cbda", 2, 3, 0.9, pattern);
    }
}

Test(optimal, agrees_with_packet_lists_on_three_ports)
{
    for (int pattern = 0; pattern < 3; pattern++) {
        against_reference("damq", 3, 1, 0.9, pattern);
        against_reference("cbda", 3, 1, 0.8, pattern);
    }
}

/* The fixed rule of push-out in a pool, where this is the only decision. */
Test(optimal, longest_queues_are_pushed_out)
{
    static const int ports[] = {2, 2, 3, 3}, slots[] = {1, 3, 1, 2};

    for (int k = 0; k < 4; k++) {
        for (int pattern = 0; pattern < 3; pattern++) {
            const ref_powers powers = {.longest = true};
            swq_switch sw = test_switch(ctx, "cbda", ports[k], slots[k], 0.9, "random");
            double expected;
            set_traffic(&sw, pattern, 0.9);
            const ref_switch r = to_reference(&sw);
            cr_assert_eq(ref_optimal(&r, &powers, &expected), 0);
            swq_optimal o = solve(&sw, "push-out", true);
            swq_optimal best = solve(&sw, "optimal-push-out", true);
            assert_relative(o.discard.value, expected, 1e-10, "%d ports, %d slots, %d: %.15g %.15g",
                            ports[k], slots[k], pattern, o.discard.value, expected);
            cr_assert_leq(best.discard.lower, o.discard.upper);
            cr_assert_eq(o.rules, 0);
            swq_optimal_clear(ctx, &o);
            swq_optimal_clear(ctx, &best);
        }
    }
}

/* The symmetry merges states and changes no answer. */
Test(optimal, symmetry_changes_nothing)
{
    swq_switch sw = test_switch(ctx, "damq", 2, 3, 0.9, "random");

    for (int k = 0; swq_policies[k]; k++) {
        swq_optimal reduced = solve(&sw, swq_policies[k]->name, true);
        swq_optimal all = solve(&sw, swq_policies[k]->name, false);
        assert_relative(reduced.discard.value, all.discard.value, 1e-10, "%s",
                        swq_policies[k]->name);
        cr_assert_lt(reduced.states, all.states);
        swq_optimal_clear(ctx, &reduced);
        swq_optimal_clear(ctx, &all);
    }
}

/* No arbiter, with memory or without, loses less than the optimum; and the more may be chosen, the
 * less is lost. */
Test(optimal, no_rule_is_better)
{
    static const char *const buffers[] = {"fifo", "samq", "damq", "safc", "dafc"};

    for (int b = 0; b < 5; b++) {
        for (int pattern = 0; pattern < 3; pattern++) {
            swq_switch sw = test_switch(ctx, buffers[b], 2, 2 + 2 * (b == 1), 0.8, "random");
            set_traffic(&sw, pattern, 0.8);
            swq_optimal best = solve(&sw, "optimal-arbitration", true);
            swq_optimal refusing = solve(&sw, "optimal", true);
            swq_optimal pushing = solve(&sw, "optimal-push-out", true);
            cr_assert_leq(refusing.discard.lower, best.discard.upper);
            cr_assert_leq(pushing.discard.lower, refusing.discard.upper);
            for (int k = 0; swq_arbiters[k]; k++) {
                sw.arbiter = swq_arbiters[k];
                swq_answers a = test_solve(ctx, &sw, "auto");
                cr_assert(a.discard.upper >= best.discard.lower, "%s, %s: %.15g below %.15g",
                          buffers[b], sw.arbiter->name, a.discard.value, best.discard.value);
                swq_optimal admitting = solve(&sw, "optimal-admission", true);
                cr_assert(admitting.discard.lower <= a.discard.upper &&
                              admitting.discard.upper >= refusing.discard.lower,
                          "%s, %s", buffers[b], sw.arbiter->name);
                swq_optimal_clear(ctx, &admitting);
                swq_answers_clear(ctx, &a);
            }
            swq_optimal_clear(ctx, &best);
            swq_optimal_clear(ctx, &refusing);
            swq_optimal_clear(ctx, &pushing);
        }
    }
}

/* maximum-longest is best for the 2 x 2 switch with uniform traffic: its loss, known to 1e-13 by
 * elimination, is within the bounds, however small it is. */
Test(optimal, bounds_hold_small_losses)
{
    static const double loads[] = {0.95, 0.5, 0.2};

    for (int k = 0; k < 3; k++) {
        swq_switch sw = test_switch(ctx, "damq", 2, 6, loads[k], "maximum-longest");
        swq_answers a = test_solve(ctx, &sw, "auto");
        swq_optimal o = solve(&sw, "optimal-arbitration", true);
        cr_assert(o.discard.lower <= a.discard.upper && a.discard.lower <= o.discard.upper,
                  "%g: %.17g not in %.17g .. %.17g", loads[k], a.discard.value, o.discard.lower,
                  o.discard.upper);
        swq_optimal_clear(ctx, &o);
        swq_answers_clear(ctx, &a);
    }
}

/* Two slots: at load 0.9 the last free slot of an input is reserved for the other output. */
Test(optimal, rules_are_listed)
{
    swq_switch sw = test_switch(ctx, "damq", 2, 2, 0.9, "random");
    swq_optimal o = solve(&sw, "optimal", true);
    bool sends = false, admits = false;

    cr_assert_gt(o.rules, 0);
    for (int64_t k = 0; k < o.rules; k++) {
        const swq_rule *r = &o.rule[k];
        cr_assert_gt(r->regret, 0, "%s", r->state);
        cr_assert_eq(r->sends, r->arriving == NULL);
        cr_assert_eq(r->state[0], '(');
        sends = sends || (r->sends && strcmp(r->state, "(0 1 | 1 1)") == 0 &&
                          strcmp(r->action, "1>0 0>1") == 0);
        admits = admits || (!r->sends && strstr(r->action, "refuse"));
    }
    cr_assert(sends);
    cr_assert(admits);
    swq_optimal_clear(ctx, &o);
}

/* A pool whose decisions about all packets of a cycle together would not fit decides packet by
 * packet, and loses as little. */
Test(optimal, steps_change_nothing)
{
    static const struct {
        const char *policy;
        int ports, slots;
        size_t memory;
    } cases[] = {{"optimal", 4, 3, 40000000},
                 {"optimal-push-out", 4, 3, 60000000},
                 {"optimal-push-out", 3, 4, 7000000}};

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const swq_switch sw =
            test_switch(ctx, "cbda", cases[k].ports, cases[k].slots, 0.9, "random");
        swq_optimal together = solve(&sw, cases[k].policy, true);
        swq_context_limit_memory(ctx, cases[k].memory);
        swq_optimal apart = solve(&sw, cases[k].policy, true);
        swq_context_limit_memory(ctx, 0);
        cr_expect(!together.steps && together.rules > 0);
        cr_expect(apart.steps && apart.rules == 0, "%s", cases[k].policy);
        cr_expect(fabs(apart.discard.value / together.discard.value - 1) < 1e-10,
                  "%s: %.15g, %.15g", cases[k].policy, apart.discard.value, together.discard.value);
        swq_optimal_clear(ctx, &together);
        swq_optimal_clear(ctx, &apart);
    }
}

/* Eight queues: the best with push-out is longest-queue drop, by the chain; limits of queues forbid
 * steps with push-out. */
Test(optimal, eight_queues_push_out)
{
    swq_switch sw = test_switch(ctx, "cbda", 8, 1, 0.8, "random");
    swq_optimal_options options = swq_optimal_options_defaults();
    swq_optimal o;

    swq_context_limit_memory(ctx, 200000000);
    o = solve(&sw, "optimal-push-out", true);
    cr_expect(o.steps && fabs(o.discard.value / 0.1558006192440603 - 1) < 1e-10, "%.15g",
              o.discard.value);
    swq_optimal_clear(ctx, &o);
    sw.buffer.queue_max = 4;
    cr_expect_eq(swq_optimal_solve(ctx, &sw, policy_of("optimal-push-out"), &options, &o),
                 SWQ_ELIMIT);
}

Test(optimal, nothing_created_nothing_lost)
{
    swq_switch sw = test_switch(ctx, "damq", 2, 2, 0, "random");
    swq_optimal o = solve(&sw, "optimal", true);

    cr_assert_eq(o.discard.value, 0);
    cr_assert_eq(o.throughput.value, 0);
    swq_optimal_clear(ctx, &o);
    sw = test_switch(ctx, "damq", 2, 2, 1, "random");
    o = solve(&sw, "optimal", true); /* loads of 1 do not prevent it */
    cr_assert_gt(o.discard.value, 0.05);
    swq_optimal_clear(ctx, &o);
}

static void refuses(const swq_switch *sw, const char *policy, const char *word)
{
    swq_optimal_options options = swq_optimal_options_defaults();
    swq_optimal o;

    cr_assert_eq(swq_optimal_solve(ctx, sw, policy_of(policy), &options, &o), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), word), "%s", swq_context_message(ctx));
}

Test(optimal, what_is_not_modelled_is_refused)
{
    swq_switch sw = test_switch(ctx, "damq", 2, 2, 0.9, "random");
    const swq_policy *policy;

    cr_assert_eq(swq_policy_find(ctx, "optimum", &policy), SWQ_EINVAL);
    sw.flow = SWQ_BLOCK;
    refuses(&sw, "optimal", "block");
    sw.flow = SWQ_DISCARD;
    sw.credit = SWQ_CREDIT_NEXT;
    refuses(&sw, "optimal", "next");
    sw.credit = SWQ_CREDIT_SAME;
    sw = test_switch(ctx, "fifo", 2, 2, 0.9, "random");
    sw.burst = 2;
    for (int k = 0; swq_policies[k]; k++)
        refuses(&sw, swq_policies[k]->name, "burst 1, not 2");
    sw = test_switch(ctx, "damq", 2, 2, 0.9, "random");
    sw.buffer.alpha = 1;
    refuses(&sw, "optimal-admission", "alpha");
    sw = test_switch(ctx, "damq", 6, 1, 0.9, "random");
    refuses(&sw, "optimal", "ports");
    sw = test_switch(ctx, "cbda", 9, 1, 0.9, "random");
    refuses(&sw, "optimal", "at most 8 ports");
    sw = test_switch(ctx, "cbda", 2, 2, 0.9, "random");
    sw.buffer.admission = &swq_admission_harmonic;
    refuses(&sw, "optimal", "leave out admission harmonic");
    sw = test_switch(ctx, "cbda", 2, 2, 0.9, "random");
    refuses(&sw, "optimal-arbitration", "pool");
    sw.buffer.pool_rule = &swq_pool_ports;
    refuses(&sw, "optimal", "pool-rule");
    sw = test_switch(ctx, "fifo", 2, 2, 0.9, "random");
    refuses(&sw, "push-out", "queue");
    sw.architecture = swq_architectures[1];
    refuses(&sw, "optimal", "");
}

Test(optimal, memory_is_foreseen_and_may_fail)
{
    swq_switch sw = test_switch(ctx, "damq", 2, 2, 0.9, "random");
    swq_optimal_options options = swq_optimal_options_defaults();
    swq_optimal o;
    swq_status status = SWQ_ENOMEM;

    for (size_t k = 0; status == SWQ_ENOMEM; k++) {
        swq_context_fail_allocations(ctx, k, true);
        status = swq_optimal_solve(ctx, &sw, policy_of("optimal-push-out"), &options, &o);
        swq_context_fail_allocations(ctx, SIZE_MAX, false);
        if (status)
            cr_assert_eq(swq_context_live_blocks(ctx), 0, "%zu", k);
    }
    cr_assert_eq(status, SWQ_OK);
    swq_optimal_clear(ctx, &o);
    sw = test_switch(ctx, "damq", 4, 20, 0.9, "random");
    swq_context_limit_memory(ctx, 100000000);
    cr_assert_eq(swq_optimal_solve(ctx, &sw, policy_of("optimal"), &options, &o), SWQ_ELIMIT);
    cr_assert(strstr(swq_context_message(ctx), "would fit"), "%s", swq_context_message(ctx));
    swq_context_limit_memory(ctx, 0);
    options.max_iterations = 20;
    sw = test_switch(ctx, "damq", 2, 6, 0.9, "random");
    cr_assert_eq(swq_optimal_solve(ctx, &sw, policy_of("optimal"), &options, &o), SWQ_ECONVERGE);
    cr_assert(!o.converged && o.discard.lower < o.discard.upper);
    swq_optimal_clear(ctx, &o);
}

/* The probabilities are doubles: what is proven is no better than their roundings. */
Test(optimal, rounded_probabilities_count)
{
    swq_optimal_options options = swq_optimal_options_defaults();
    swq_switch sw = test_switch(ctx, "fifo", 2, 2, 0.7, "random");
    swq_optimal o;

    set_traffic(&sw, 1, 0.7);
    options.tolerance = 1e-14;
    options.max_iterations = 10000;
    cr_assert_eq(swq_optimal_solve(ctx, &sw, policy_of("optimal"), &options, &o), SWQ_ECONVERGE);
    cr_assert_gt(o.discard.upper - o.discard.lower, 6 * 0x1p-53 * o.discard.value);
    swq_optimal_clear(ctx, &o);
}
