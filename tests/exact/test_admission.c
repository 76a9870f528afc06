/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rules of admission to a shared memory: values of an independent program, the reference of
 * tests/ref, rules that are numbers of a buffer, the simulator, and that no two rules are the same.
 * tests/exact/test_push_out.c has longest-queue drop by itself.
 */
#include "models/buffers/buffers.h"
#include "models/chain_parts.h"
#include "models/gate.h"
#include "switchq/chain.h"
#include "switchq/exact.h"
#include "switchq/optimal.h"
#include "switchq/sim.h"
#include "tests/ref/ref_absorption.h"
#include "tests/ref/ref_admission.h"
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

TestSuite(admission, .init = setup, .fini = teardown, .timeout = 240);

/* A pool of `slots` slots a port with a rule; what the rule demands is 1 reserved slot, and a
 * maximum of half the memory. */
static swq_switch pool(const char *rule, int ports, int slots, double load)
{
    swq_switch sw = test_switch(ctx, "cbda", ports, slots, load, "random");
    int k = 0;

    while (swq_admission_rules[k] && strcmp(swq_admission_rules[k]->name, rule) != 0)
        k++;
    cr_assert(swq_admission_rules[k], "%s", rule);
    const unsigned demands = swq_admission_rules[k]->demands;
    if (demands & SWQ_ADMISSION_QUEUE_MIN)
        sw.buffer.queue_min = 1;
    if (demands & SWQ_ADMISSION_QUEUE_MAX)
        sw.buffer.queue_max = sw.buffer.capacity / 2;
    cr_assert_eq(swq_buffer_set_admission(ctx, swq_admission_rules[k], demands, ports, &sw.buffer),
                 SWQ_OK, "%s", swq_context_message(ctx));
    return sw;
}

static double loss_of(const swq_switch *sw)
{
    const swq_exact_options options = swq_exact_options_defaults();
    swq_answers a;

    cr_assert_eq(swq_exact_solve(ctx, sw, &options, &a), SWQ_OK, "%s", swq_context_message(ctx));
    const double loss = a.discard.value;
    swq_answers_clear(ctx, &a);
    return loss;
}

Test(admission, loses_what_another_program_says)
{
    static const struct {
        const char *rule;
        int ports, slots; /* per port */
        double loss;
    } cases[] = {{"sharing", 2, 8, 4.33594280573166e-4},   {"lqd", 2, 8, 2.59952943290704e-4},
                 {"threshold", 2, 8, 4.66908151681625e-3}, {"sharing", 4, 4, .0198911572225841},
                 {"threshold", 4, 4, .0271766287483928},   {"lqd", 4, 4, .0106705252886214},
                 {"harmonic", 4, 4, .0212441515958797}};

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const swq_switch sw = pool(cases[k].rule, cases[k].ports, cases[k].slots, 0.9);
        const double loss = loss_of(&sw);
        cr_expect(fabs(loss - cases[k].loss) <= 1e-12 * loss + 1e-14, "%s, %d ports: %.16g",
                  cases[k].rule, cases[k].ports, loss);
    }
}

Test(admission, agrees_with_the_reference)
{
    static const double even[] = {1.0 / 3, 1.0 / 3, 1.0 / 3}, hot[] = {0.6, 0.3, 0.1};
    static const struct {
        const char *rule;
        ref_admission_rule reference;
        double alpha;
        swq_ties ties;
    } cases[] = {{"sharing", REF_SHARING, 0, SWQ_TIES_OWN},
                 {"maximum", REF_MAXIMUM, 0, SWQ_TIES_OWN},
                 {"threshold", REF_THRESHOLD, 0.7, SWQ_TIES_OWN},
                 {"harmonic", REF_HARMONIC, 0, SWQ_TIES_OWN},
                 {"abm", REF_ABM, 1.5, SWQ_TIES_OWN},
                 {"lqd", REF_LQD, 0, SWQ_TIES_OWN},
                 {"lqd", REF_LQD_OTHER, 0, SWQ_TIES_OTHER},
                 {"lqd", REF_LQD_LOW, 0, SWQ_TIES_LOW},
                 {"lqd", REF_LQD_HIGH, 0, SWQ_TIES_HIGH},
                 {"lqd", REF_LQD_RANDOM, 0, SWQ_TIES_RANDOM},
                 {"occamy", REF_OCCAMY, 2, SWQ_TIES_OWN},
                 {"followlqd", REF_FOLLOW_LQD, 0, SWQ_TIES_OWN}};

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        for (int t = 0; t < 2; t++) {
            swq_switch sw = pool(cases[k].rule, 3, 2, 0.8);
            for (int i = 0; i < 9; i++)
                sw.dest[i / 3][i % 3] = t ? hot[i % 3] : even[i % 3];
            if (cases[k].alpha > 0)
                sw.buffer.alpha = cases[k].alpha;
            sw.buffer.ties = cases[k].ties;
            const double parameter =
                cases[k].reference == REF_MAXIMUM ? sw.buffer.queue_max : sw.buffer.alpha;
            const double expected = ref_admission(cases[k].reference, parameter, 3, 6, 0.8,
                                                  t ? hot : even),
                         loss = loss_of(&sw);
            cr_expect(fabs(loss - expected) < 1e-11 * expected,
                      "%s, case %zu, traffic %d: %.15g, "
                      "%.15g",
                      cases[k].rule, k, t, loss, expected);
        }
    }
}

/* Rules that keep something for each queue, followed event by event. */
Test(admission, that_keeps_words_agrees_with_another_reference)
{
    static const double even[] = {1.0 / 3, 1.0 / 3, 1.0 / 3}, half[] = {0.5, 0.5},
                        hot[] = {0.6, 0.3, 0.1}, one[] = {0.7, 0.3};
    static const struct {
        const char *rule;
        ref_absorption_rule reference;
        int ports, slots; /* per port */
        double alpha;
    } cases[] = {{"edt", REF_EDT, 2, 1, 1},          {"edt", REF_EDT, 2, 2, 1},
                 {"edt", REF_EDT, 2, 2, 0.5},        {"edt", REF_EDT, 3, 1, 1},
                 {"tdt", REF_TDT, 2, 1, 1},          {"tdt", REF_TDT, 2, 2, 1},
                 {"tdt", REF_TDT, 2, 2, 0.5},        {"followlqd", REF_FOLLOWS, 2, 4, 0},
                 {"followlqd", REF_FOLLOWS, 3, 2, 0}};

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        for (int t = 0; t < 2; t++) {
            const int n = cases[k].ports;
            const double *dest = n == 2 ? (t ? one : half) : (t ? hot : even);
            swq_switch sw = pool(cases[k].rule, n, cases[k].slots, 0.8);
            for (int i = 0; i < n * n; i++)
                sw.dest[i / n][i % n] = dest[i % n];
            if (cases[k].alpha > 0)
                sw.buffer.alpha = cases[k].alpha;
            const double expected = ref_absorption(cases[k].reference, cases[k].alpha, n,
                                                   n * cases[k].slots, 0.8, dest),
                         loss = loss_of(&sw);
            cr_expect(fabs(loss - expected) < 1e-12, "%s, case %zu, traffic %d: %.15g, %.15g",
                      cases[k].rule, k, t, loss, expected);
        }
    }
}

/* Rules that are numbers have the answers of these numbers, to the bit. */
Test(admission, sets_the_numbers_of_a_buffer)
{
    const swq_switch bare = test_switch(ctx, "cbda", 3, 4, 0.9, "random");
    swq_switch given[4] = {bare, bare, bare, bare};
    static const char *const rules[] = {"sharing", "maximum", "minimum-maximum", "threshold"};

    given[1].buffer.queue_max = given[2].buffer.queue_max = 6;
    given[2].buffer.queue_min = 1;
    given[3].buffer.alpha = 1;
    for (int k = 0; k < 4; k++) {
        const swq_switch named = pool(rules[k], 3, 4, 0.9);
        cr_expect_eq(loss_of(&given[k]), loss_of(&named), "%s", rules[k]);
    }
    const swq_switch root = pool("square-root", 3, 4, 0.9);
    cr_expect_eq(root.buffer.queue_max, 7, "12 / sqrt(3) is 6.9");
    const swq_switch parts = pool("partitioning", 3, 4, 0.9);
    cr_expect_eq(parts.buffer.queue_min, 4);
    cr_expect_eq(parts.buffer.queue_max, 4);
}

/* Does a chain have the rule? */
static bool chained(const swq_admission_rule *rule)
{
    return !(rule->needs & ~swq_chain_takes.needs);
}

/* Rules that keep much for each queue have chains for small memories. */
Test(admission, is_what_the_simulator_measures)
{
    for (int k = 0; swq_admission_rules[k]; k++) {
        swq_network n = {.shape.stages = 1, .traffic = swq_traffic_defaults()};
        swq_sim_options options = swq_sim_defaults();
        swq_sim_result result;
        const bool much = swq_admission_rules[k]->keeps > 1;
        if (!chained(swq_admission_rules[k]))
            continue;
        n.sw = pool(swq_admission_rules[k]->name, much ? 2 : 4, much ? 2 : 3, 0.9);
        const double loss = loss_of(&n.sw);
        cr_assert_eq(swq_fabric_find(ctx, "omega", &n.shape), SWQ_OK);
        n.traffic.load = 0.9;
        options.cycles = 60000;
        options.confidence = 0.9999;
        cr_assert_eq(swq_sim_run(ctx, &n, &options, &result), SWQ_OK, "%s",
                     swq_context_message(ctx));
        cr_expect(fabs(result.all.discard_fraction.mean - loss) <
                      result.all.discard_fraction.half_width,
                  "%s: %g, %g +- %g", swq_admission_rules[k]->name, loss,
                  result.all.discard_fraction.mean, result.all.discard_fraction.half_width);
        cr_expect(result.conserved);
    }
}

/* Both generators of chains, and the slope, where packets are expelled and words are kept. */
Test(admission, is_the_same_in_turns_and_at_once)
{
    static const char *const rules[] = {"harmonic", "abm", "occamy", "followlqd", "edt", "tdt"};

    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
        const swq_switch sw = pool(rules[k], k < 4 ? 3 : 2, 2, 0.8);
        swq_chain *turns, *whole;
        double sum[2] = {0, 0};
        cr_assert_eq(swq_chain_generate(ctx, &sw, true, &turns), SWQ_OK);
        cr_assert_eq(swq_chain_generate_whole(ctx, &sw, true, &whole), SWQ_OK);
        cr_expect_eq(swq_chain_states(turns), swq_chain_states(whole), "%s", rules[k]);
        const swq_chain *both[] = {turns, whole};
        for (int c = 0; c < 2; c++) {
            for (int64_t s = 0; s < swq_chain_states(both[c]); s++) {
                double accepted[SWQ_CHAIN_PORTS], refused[SWQ_CHAIN_PORTS];
                swq_chain_reception(both[c], s, accepted, refused);
                for (int i = 0; i < sw.ports; i++) {
                    sum[c] += refused[i];
                    cr_expect(fabs(accepted[i] + refused[i] - 0.8) < 1e-12, "%s", rules[k]);
                }
            }
        }
        cr_expect(fabs(sum[0] - sum[1]) < 1e-9 * sum[0], "%s: %.15g, %.15g", rules[k], sum[0],
                  sum[1]);
        swq_chain_free(ctx, turns);
        swq_chain_free(ctx, whole);
    }
}

Test(admission, has_the_slope_of_its_neighbours)
{
    static const char *const rules[] = {"harmonic", "occamy", "followlqd"};
    swq_exact_options options = swq_exact_options_defaults();

    options.slope = true;
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
        for (int ports = 2; ports <= 3; ports++) {
            double loss[3], slope = 0;
            for (int s = 0; s < 3; s++) {
                const swq_switch sw = pool(rules[k], ports, 2, 0.8 + 1e-4 * (s - 1));
                swq_answers a;
                cr_assert_eq(swq_exact_solve(ctx, &sw, &options, &a), SWQ_OK);
                loss[s] = a.discard.value;
                slope = s == 1 ? a.slope_by_load.value : slope;
                swq_answers_clear(ctx, &a);
            }
            cr_expect(fabs((loss[2] - loss[0]) / 2e-4 - slope) < 1e-6 * slope, "%s, %d: %g, %g",
                      rules[k], ports, (loss[2] - loss[0]) / 2e-4, slope);
        }
    }
}

/* ---- what is refused ---- */

Test(admission, refuses_parameters_by_name)
{
    swq_switch sw = test_switch(ctx, "cbda", 2, 2, 0.5, "random");
    const struct {
        const swq_admission_rule *rule;
        unsigned given;
        const char *names;
    } cases[] = {{&swq_admission_sharing, SWQ_ADMISSION_ALPHA, "alpha is not a parameter"},
                 {&swq_admission_maximum, 0, "needs queue-max"},
                 {&swq_admission_minimum_maximum, SWQ_ADMISSION_QUEUE_MAX, "needs queue-min"},
                 {&swq_admission_harmonic, SWQ_ADMISSION_TIES, "ties is not a parameter"},
                 {&swq_admission_longest_queue_drop, SWQ_ADMISSION_EXPEL, "takes queue-min"}};

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        swq_buffer b = sw.buffer;
        cr_expect_eq(swq_buffer_set_admission(ctx, cases[k].rule, cases[k].given, 2, &b),
                     SWQ_EINVAL);
        cr_expect(strstr(swq_context_message(ctx), cases[k].names), "%s: %s", cases[k].names,
                  swq_context_message(ctx));
    }
}

Test(admission, needs_a_pool_to_keep_words)
{
    static const swq_admission_rule *const rules[] = {&swq_admission_occamy,
                                                      &swq_admission_follow_lqd};

    for (size_t k = 0; k < 2; k++) {
        swq_switch sw = test_switch(ctx, "damq", 2, 2, 0.5, "random");
        cr_assert_eq(swq_buffer_set_admission(ctx, rules[k], 0, 2, &sw.buffer), SWQ_OK);
        cr_expect_eq(swq_switch_check(ctx, &sw), SWQ_EINVAL);
        cr_expect(strstr(swq_context_message(ctx), "pool"), "%s", swq_context_message(ctx));
    }
}

/* ---- policies ---- */

static swq_optimal best(const swq_switch *sw, const char *name)
{
    const swq_policy *policy;
    swq_optimal_options options = swq_optimal_options_defaults();
    swq_optimal o;

    cr_assert_eq(swq_policy_find(ctx, name, &policy), SWQ_OK);
    cr_assert_eq(swq_optimal_solve(ctx, sw, policy, &options, &o), SWQ_OK, "%s",
                 swq_context_message(ctx));
    return o;
}

/* The policy push-out is the rule lqd, with bursts as well. */
Test(admission, push_out_is_longest_queue_drop)
{
    for (int ports = 2; ports <= 3; ports++) {
        for (int burst = 1; burst <= 3; burst += 2) {
            swq_switch sw = pool("lqd", ports, 2, 0.8);
            sw.burst = burst;
            const double loss = loss_of(&sw);
            swq_optimal o = best(&sw, "push-out");
            cr_expect(fabs(o.discard.value - loss) < 2e-10 * loss, "%d, burst %d: %.15g, %.15g",
                      ports, burst, o.discard.value, loss);
            sw.buffer.admission = NULL;
            swq_optimal least = best(&sw, "optimal-push-out");
            cr_expect(least.discard.lower <= o.discard.upper);
            cr_expect(burst > 1 || fabs(least.discard.value - loss) < 1e-9 * loss,
                      "uniform: %d ports", ports);
            swq_optimal_clear(ctx, &o);
            swq_optimal_clear(ctx, &least);
        }
    }
}

/* Beyond five ports inputs are given their packets in rising order. */
Test(admission, of_six_ports_is_bounded_by_the_best)
{
    swq_switch sw = pool("lqd", 6, 1, 0.9);
    const double loss = loss_of(&sw);

    sw.buffer.admission = NULL;
    swq_optimal o = best(&sw, "optimal-push-out");
    cr_expect(fabs(o.discard.value - loss) < 1e-9 * loss, "%.15g, %.15g", o.discard.value, loss);
    swq_optimal_clear(ctx, &o);
}
