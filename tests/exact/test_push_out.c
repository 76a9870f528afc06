/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rules of admission that push packets out: values of independent programs, the two generators of
 * chains, the conservation of packets by output, and the simulator.
 */
#include "models/buffers/buffers.h"
#include "models/chain_parts.h"
#include "switchq/chain.h"
#include "switchq/exact.h"
#include "switchq/sim.h"
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

TestSuite(push_out, .init = setup, .fini = teardown, .timeout = 240);

static swq_switch dropping(const char *buffer, int ports, int slots, double load)
{
    swq_switch sw = test_switch(ctx, buffer, ports, slots, load, "random");

    sw.buffer.admission = &swq_admission_longest_queue_drop;
    return sw;
}

static swq_answers solved(const swq_switch *sw)
{
    const swq_exact_options options = swq_exact_options_defaults();
    swq_answers a;

    cr_assert_eq(swq_exact_solve(ctx, sw, &options, &a), SWQ_OK, "%s", swq_context_message(ctx));
    return a;
}

/* Of an independent program; the third is also what the best policy with push-out loses. */
Test(push_out, loses_what_another_program_says)
{
    static const struct {
        const char *buffer;
        int ports, slots;
        double load, loss, within;
    } cases[] = {{"cbda", 2, 8, 0.9, 2.59952943290704e-4, 1e-14},
                 {"cbda", 4, 4, 0.9, 0.0106705252886214, 1e-13},
                 {"cbda", 4, 3, 0.85, 0.0116896752850967, 1e-13},
                 {"cbda", 3, 4, 0.9, 0.00958188546812539, 1e-13}};

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const swq_switch sw =
            dropping(cases[k].buffer, cases[k].ports, cases[k].slots, cases[k].load);
        swq_answers a = solved(&sw);
        cr_expect(fabs(a.discard.value - cases[k].loss) <= cases[k].within, "%d ports: %.16g",
                  cases[k].ports, a.discard.value);
        cr_expect(isnan(a.mean_delay), "packets that are pushed out have waited too");
        swq_answers_clear(ctx, &a);
    }
}

/* What comes in for an output leaves by it or is lost, and no output sends more than one a cycle.
 */
Test(push_out, of_a_hot_spot_is_told_by_output)
{
    swq_switch sw = dropping("cbda", 2, 4, 0.9);
    cr_assert_eq(swq_traffic_hotspot(ctx, &sw, 0.3, 0), SWQ_OK);
    swq_answers a = solved(&sw);
    double sent = 0;

    for (int j = 0; j < 2; j++) {
        const double offered = 0.9 * 2 * sw.dest[0][j];
        sent += a.throughput_output[j];
        cr_expect(fabs(a.throughput_output[j] - offered * (1 - a.discard_output[j])) < 1e-12);
        cr_expect(a.throughput_output[j] <= 1);
    }
    cr_expect(fabs(sent / 2 - a.throughput.value) < 1e-12);
    cr_expect(a.discard_output[0] > 1e3 * a.discard_output[1], "the long queue bears the loss");
    swq_answers_clear(ctx, &a);
}

static double refused_in_every_state(const swq_chain *c)
{
    double refused[SWQ_CHAIN_PORTS], accepted[SWQ_CHAIN_PORTS], sum = 0;

    for (int64_t s = 0; s < swq_chain_states(c); s++) {
        swq_chain_reception(c, s, accepted, refused);
        for (int i = 0; i < swq_chain_switch(c)->ports; i++) {
            sum += refused[i];
            cr_expect(fabs(accepted[i] + refused[i] - 0.8) < 1e-12, "state %lld", (long long)s);
        }
    }
    return sum;
}

/* The derivative by the load is that of neighbouring loads. */
Test(push_out, has_the_slope_of_its_neighbours)
{
    static const char *const buffers[] = {"cbda", "damq"};
    swq_exact_options options = swq_exact_options_defaults();

    options.slope = true;
    for (size_t b = 0; b < 2; b++) {
        double loss[3], slope = 0;
        for (int k = 0; k < 3; k++) {
            const swq_switch sw = dropping(buffers[b], 3, 2, 0.8 + 1e-4 * (k - 1));
            swq_answers a;
            cr_assert_eq(swq_exact_solve(ctx, &sw, &options, &a), SWQ_OK);
            loss[k] = a.discard.value;
            slope = k == 1 ? a.slope_by_load.value : slope;
            swq_answers_clear(ctx, &a);
        }
        cr_expect(fabs((loss[2] - loss[0]) / 2e-4 - slope) < 1e-6 * slope, "%s: %g, %g", buffers[b],
                  (loss[2] - loss[0]) / 2e-4, slope);
    }
}

/* Inputs that take turns, and all at once: the same states, the same losses. */
Test(push_out, is_the_same_in_turns_and_at_once)
{
    static const char *const buffers[] = {"cbda", "damq"};

    for (size_t b = 0; b < 2; b++) {
        const swq_switch sw = dropping(buffers[b], 3, 2, 0.8);
        swq_chain *turns, *whole;
        cr_assert_eq(swq_chain_generate(ctx, &sw, true, &turns), SWQ_OK, "%s",
                     swq_context_message(ctx));
        cr_assert_eq(swq_chain_generate_whole(ctx, &sw, true, &whole), SWQ_OK);
        cr_expect_eq(swq_chain_states(turns), swq_chain_states(whole));
        const double one = refused_in_every_state(turns), all = refused_in_every_state(whole);
        cr_expect(fabs(one - all) < 1e-9 * all, "%s: %.15g, %.15g", buffers[b], one, all);
        cr_expect(all > 0.1);
        swq_chain_free(ctx, turns);
        swq_chain_free(ctx, whole);
    }
}

Test(push_out, is_what_the_simulator_measures)
{
    swq_network n = {.shape.stages = 1, .traffic = swq_traffic_defaults()};
    swq_sim_options options = swq_sim_defaults();
    swq_sim_result result;

    n.sw = dropping("cbda", 4, 3, 0.85);
    cr_assert_eq(swq_fabric_find(ctx, "omega", &n.shape), SWQ_OK);
    n.traffic.load = 0.85;
    options.cycles = 200000;
    options.confidence = 0.999;
    cr_assert_eq(swq_sim_run(ctx, &n, &options, &result), SWQ_OK, "%s", swq_context_message(ctx));
    cr_expect(fabs(result.all.discard_fraction.mean - 0.0116896752850967) <
                  result.all.discard_fraction.half_width,
              "%g +- %g", result.all.discard_fraction.mean, result.all.discard_fraction.half_width);
}

/* In a network of pools no packet is lost account of; packets that are pushed out do not come back
 * to their senders. */
Test(push_out, in_a_network_conserves_packets)
{
    swq_network n = {.shape.stages = 2, .traffic = swq_traffic_defaults()};
    swq_sim_options options = swq_sim_defaults();
    swq_sim_result result;
    uint32_t nodes;

    n.sw = dropping("cbda", 2, 2, 0.9);
    cr_assert_eq(swq_fabric_find(ctx, "omega", &n.shape), SWQ_OK);
    n.traffic.load = 0.9;
    options.cycles = 100000;
    cr_assert_eq(swq_sim_run(ctx, &n, &options, &result), SWQ_OK, "%s", swq_context_message(ctx));
    cr_expect(result.conserved);
    n.resend = true;
    cr_expect_eq(swq_network_check(ctx, &n, &nodes), SWQ_EINVAL);
    cr_expect(strstr(swq_context_message(ctx), "resend"), "%s", swq_context_message(ctx));
}

/* ---- the rule itself ---- */

Test(push_out, drops_the_longest_queue_the_packet_that_comes_counted)
{
    swq_buffer b;
    swq_dice dice;

    cr_assert_eq(swq_buffer_preset(ctx, &swq_buffer_cbda, 3, 2, &b), SWQ_OK);
    b.admission = &swq_admission_longest_queue_drop;
    swq_dice_begin_enumeration(&dice);
    cr_expect_eq(swq_buffer_fate(&b, 3, (const uint16_t[]){2, 2, 1}, NULL, 0, &dice), SWQ_TAKE);
    cr_expect_eq(swq_buffer_fate(&b, 3, (const uint16_t[]){4, 1, 1}, NULL, 1, &dice), 0);
    cr_expect_eq(swq_buffer_fate(&b, 3, (const uint16_t[]){4, 1, 1}, NULL, 0, &dice), SWQ_REFUSE);
    cr_expect_eq(swq_buffer_fate(&b, 3, (const uint16_t[]){2, 3, 1}, NULL, 0, &dice), SWQ_REFUSE,
                 "it would be one of the longest itself");
    cr_expect_eq(swq_buffer_fate(&b, 3, (const uint16_t[]){3, 3, 0}, NULL, 0, &dice), SWQ_REFUSE);
    cr_expect_eq(dice.probability, 1, "no dice were needed");
    double left = 0; /* a tie of others is broken at random */
    do {
        if (swq_buffer_fate(&b, 3, (const uint16_t[]){3, 3, 0}, NULL, 2, &dice) == 0)
            left += (double)dice.probability;
    } while (swq_dice_next(&dice));
    cr_expect_eq(left, 0.5);
    b.queue_max = 1;
    cr_expect_eq(swq_buffer_fate(&b, 3, (const uint16_t[]){4, 1, 1}, NULL, 1, &dice), SWQ_REFUSE,
                 "its queue's own limit");
}

/* ---- what it does not go with ---- */

Test(push_out, needs_what_it_says)
{
    const swq_switch pool = dropping("cbda", 2, 2, 0.5);
    struct {
        swq_switch sw;
        const char *names;
    } cases[] = {{pool, "flow must be discard"},
                 {pool, "credit must be same"},
                 {pool, "leave out alpha"},
                 {pool, "inputs must be alike"},
                 {dropping("fifo", 2, 2, 0.5), "several queues"},
                 {dropping("safc", 2, 2, 0.5), "queues that share slots"},
                 {pool, "high priority"}};
    cases[0].sw.flow = SWQ_BLOCK;
    cases[1].sw.credit = SWQ_CREDIT_NEXT;
    cases[2].sw.buffer.alpha = 1;
    cases[3].sw.load[1] = 0.6;
    cases[6].sw.priority = (swq_priority){.fraction = 0.5, .support = SWQ_SUPPORT_ARBITER};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        cr_expect_eq(swq_chain_check(ctx, &cases[k].sw), SWQ_EINVAL);
        cr_expect(strstr(swq_context_message(ctx), cases[k].names), "%s: %s", cases[k].names,
                  swq_context_message(ctx));
    }
}
