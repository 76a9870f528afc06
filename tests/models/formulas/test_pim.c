/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Iterative matchings of full requests, against the arbiters themselves.
 */
#include "switchq/formula.h"
#include "tests/models/arbiters/distribution.h"
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

TestSuite(formula_pim, .init = setup, .fini = teardown, .timeout = 240);

static swq_pim pim(int ports, int iterations)
{
    swq_pim answer = {0};

    cr_assert_eq(swq_pim_saturation(ctx, ports, iterations, &answer), SWQ_OK, "%s",
                 swq_context_message(ctx));
    return answer;
}

static swq_requests all_want_all(int length[][SWQ_MAX_PORTS], int ports, int iterations)
{
    swq_requests r = {.length = length, .ports = ports, .iterations = iterations};

    for (int i = 0; i < ports; i++) {
        r.waiting[i] = ports;
        for (int j = 0; j < ports; j++)
            r.length[i][j] = 1;
    }
    return r;
}

static int matched(const int *grant, int ports)
{
    int count = 0;

    for (int j = 0; j < ports; j++)
        count += grant[j] != SWQ_NO_INPUT;
    return count;
}

/* Over all outcomes of the dice. */
Test(formula_pim, the_arbiter_matches_as_many)
{
    const swq_arbiter *arbiter;

    cr_assert_eq(swq_arbiter_find(ctx, "pim", &arbiter), SWQ_OK);
    for (int ports = 2; ports <= 4; ports++) {
        for (int iterations = 1; iterations <= ports; iterations++) {
            swq_requests r = all_want_all(LENGTHS, ports, iterations);
            int grant[SWQ_CHAIN_PORTS];
            double mean = 0;
            swq_dice dice;
            swq_dice_begin_enumeration(&dice);
            do {
                arbiter->arbitrate(&r, &dice, grant);
                mean += (double)dice.probability * matched(grant, ports);
            } while (swq_dice_next(&dice));
            assert_relative(pim(ports, iterations).throughput, mean / ports, 1e-13,
                            "%d ports, %d iterations: %.17g", ports, iterations, mean / ports);
        }
    }
}

Test(formula_pim, closed_forms)
{
    for (int ports = 1; ports <= 100; ports = 2 * ports + 1) {
        double once = 1 - pow(1 - 1.0 / ports, ports);
        assert_relative(pim(ports, 1).throughput, once, 1e-14, "%d", ports);
        cr_assert(pim(ports, ports < 64 ? ports : 64).throughput > 1 - 1e-15);
        cr_assert(pim(ports, 2).throughput >= pim(ports, 1).throughput);
        cr_assert(pim(ports, 1).complete <= log2(ports) + 4.0 / 3, "%d", ports);
    }
    assert_relative(pim(2, 1).complete, 1.5, 1e-15, "two ports: once, or twice");
    assert_relative(pim(3, 1).complete, 11.0 / 6, 1e-15, "three");
    /* each iteration misses 1/e of what is left, or less by about 1/n with few ports */
    for (int iterations = 1; iterations <= 3; iterations++) {
        double few = pim(200, iterations).throughput, many = pim(400, iterations).throughput;
        cr_assert_float_eq(2 * many - few, 1 - exp(-iterations), 2e-5, "%d: %.9f", iterations,
                           2 * many - few);
    }
}

Test(formula_pim, islip_parts_its_pointers)
{
    const swq_arbiter *arbiter;
    const swq_formula *formula;

    cr_assert_eq(swq_arbiter_find(ctx, "islip", &arbiter), SWQ_OK);
    cr_assert_eq(swq_formula_find(ctx, "islip-saturation", &formula), SWQ_OK);
    for (int ports = 2; ports <= 16; ports++) {
        swq_requests r = all_want_all(LENGTHS, ports, 1);
        uint16_t memory[4 * SWQ_CHAIN_PORTS] = {0};
        int grant[SWQ_CHAIN_PORTS], cycles = -1;
        double result[SWQ_FORMULA_RESULTS], given = ports;
        cr_assert(swq_arbiter_memory(arbiter, ports) <= 4 * SWQ_CHAIN_PORTS);
        r.memory = memory;
        for (int cycle = 0; cycle < 5 * ports; cycle++) {
            swq_dice dice;
            swq_dice_begin_enumeration(&dice);
            arbiter->arbitrate(&r, &dice, grant);
            if (arbiter->settle)
                arbiter->settle(&r, grant);
            if (matched(grant, ports) < ports)
                cycles = cycle;
        }
        cr_assert_eq(swq_formula_evaluate(ctx, formula, &(swq_argument){given, &given, 1}, result),
                     SWQ_OK);
        cr_assert_eq(result[0], 1);
        cr_assert_eq(result[1], cycles + 1, "%d ports: full from cycle %d on", ports, cycles + 1);
    }
}

Test(formula_pim, bad_input_and_no_memory)
{
    swq_pim answer = {7, 7};

    cr_assert_eq(swq_pim_saturation(ctx, 0, 1, &answer), SWQ_EINVAL);
    cr_assert_eq(swq_pim_saturation(ctx, 1025, 1, &answer), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "1025"));
    cr_assert_eq(swq_pim_saturation(ctx, 4, 0, &answer), SWQ_EINVAL);
    cr_assert_eq(swq_pim_saturation(ctx, 4, 65, &answer), SWQ_EINVAL);
    swq_context_fail_allocations(ctx, 0, true);
    cr_assert_eq(swq_pim_saturation(ctx, 4, 1, &answer), SWQ_ENOMEM);
    swq_context_fail_allocations(ctx, SIZE_MAX, false);
    cr_assert(answer.throughput == 7 && answer.complete == 7);
}

Test(formula_pim, a_cancelled_one_ends)
{
    swq_pim answer = {7, 7};

    swq_context_cancel(ctx);
    cr_assert_eq(swq_pim_saturation(ctx, 1024, 64, &answer), SWQ_ECANCELLED);
    cr_assert(answer.throughput == 7 && answer.complete == 7);
}
