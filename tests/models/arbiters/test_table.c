/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What every arbiter of the table owes, over all its falls of the dice: all 2x2 requests of lengths
 * 0 .. 2 and a sample of the 3x3 ones, with one read port for an input and with one for each queue.
 */
#include "tests/models/arbiters/distribution.h"
#include "tests/support/support.h"

#include <gsl/gsl_cdf.h>

TestSuite(arbiters, .timeout = 60);

enum { ALL_2X2 = 81, ALL_3X3 = 19683, SAMPLE = 1500 };

/* Grants answer requests; an input sends once, unless each queue is read; nothing is left that
 * could be sent as well. */
static void expect_sound(const swq_requests *r, const int *grant, const char *text)
{
    int n = r->ports;
    int sends[SWQ_MAX_PORTS] = {0};

    for (int j = 0; j < n; j++) {
        if (grant[j] == SWQ_NO_INPUT)
            continue;
        cr_assert(r->length[grant[j]][j] > 0, "%s: output %d to input %d, which did not ask", text,
                  j, grant[j]);
        sends[grant[j]]++;
    }
    for (int i = 0; i < n; i++) {
        cr_assert(r->read_each_queue || sends[i] <= 1, "%s: input %d sends %d", text, i, sends[i]);
        for (int j = 0; j < n; j++)
            cr_assert(!r->length[i][j] || grant[j] != SWQ_NO_INPUT ||
                          (!r->read_each_queue && sends[i] > 0),
                      "%s: output %d is idle though input %d could send", text, j, i);
    }
}

static void expect_all_sound(const swq_arbiter *arbiter, const swq_requests *r)
{
    distribution d = grants_of(arbiter, r);

    for (int s = 0; s < GRANT_SETS; s++) {
        int grant[3];
        if (d.chance[s] == 0)
            continue;
        for (int j = 0; j < 3; j++)
            grant[j] = granted_input(s, j);
        expect_sound(r, grant, case_text(arbiter, r));
    }
}

Test(arbiters, all_2x2)
{
    for (int k = 0; swq_arbiters[k]; k++) {
        for (int number = 0; number < 2 * ALL_2X2; number++) {
            swq_requests r = requests_of(2, number >= ALL_2X2, number % ALL_2X2);
            expect_all_sound(swq_arbiters[k], &r);
        }
    }
}

Test(arbiters, some_3x3)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    gsl_rng_set(rng, 33);
    for (int sample = 0; sample < SAMPLE; sample++) {
        int number = (int)gsl_rng_uniform_int(rng, ALL_3X3);
        for (int k = 0; swq_arbiters[k]; k++) {
            for (int each = 0; each < 2; each++) {
                swq_requests r = requests_of(3, each, number);
                expect_all_sound(swq_arbiters[k], &r);
            }
        }
    }
    gsl_rng_free(rng);
}

/* The best sets are found by listing all, which 16 ports have too many of. */
static bool lists_all_sets(const swq_arbiter *arbiter)
{
    return strncmp(arbiter->name, "max", 3) == 0;
}

Test(arbiters, sixteen_ports_drawn)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    gsl_rng_set(rng, 16);
    for (int k = 0; swq_arbiters[k]; k++) {
        for (int round = 0; round < 200; round++) {
            swq_requests r = {.ports = SWQ_MAX_PORTS, .read_each_queue = round % 2};
            int grant[SWQ_MAX_PORTS];
            swq_dice dice;
            if (lists_all_sets(swq_arbiters[k]) && !r.read_each_queue)
                continue;
            for (int q = 0; q < SWQ_MAX_PORTS * SWQ_MAX_PORTS; q++)
                r.length[q / SWQ_MAX_PORTS][q % SWQ_MAX_PORTS] =
                    gsl_rng_uniform(rng) < 0.2 ? (int)gsl_rng_uniform_int(rng, 5) : 0;
            swq_dice_begin_sampling(&dice, rng);
            swq_arbiters[k]->arbitrate(&r, &dice, grant);
            expect_sound(&r, grant, swq_arbiters[k]->name);
        }
    }
    gsl_rng_free(rng);
}

/* One pass at full size keeps to the depth that the dice have room for. */
Test(arbiters, sixteen_ports_are_not_too_deep)
{
    swq_requests r = {.ports = SWQ_MAX_PORTS};
    int grant[SWQ_MAX_PORTS];
    swq_dice dice;

    for (int q = 0; q < SWQ_MAX_PORTS * SWQ_MAX_PORTS; q++)
        r.length[q / SWQ_MAX_PORTS][q % SWQ_MAX_PORTS] = 1;
    for (int k = 0; swq_arbiters[k]; k++) {
        for (int each = 0; each < 2; each++) {
            if (lists_all_sets(swq_arbiters[k]) && !each)
                continue;
            r.read_each_queue = each;
            swq_dice_begin_enumeration(&dice);
            swq_arbiters[k]->arbitrate(&r, &dice, grant);
            /* a FIFO queue draws a head for each packet that is sent */
            cr_assert_leq(dice.deepest + SWQ_MAX_PORTS, SWQ_DICE_DEPTH, "%s",
                          swq_arbiters[k]->name);
        }
    }
}

/* Drawn and enumerated, an arbiter is the same. */
Test(arbiters, drawing_agrees_with_enumeration)
{
    enum { DRAWS = 40000 };
    static const int length[3][3] = {{2, 1, 0}, {2, 0, 1}, {1, 1, 1}};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    gsl_rng_set(rng, 5);
    for (int k = 0; swq_arbiters[k]; k++) {
        for (int each = 0; each < 2; each++) {
            swq_requests r = {.ports = 3, .read_each_queue = each};
            for (int q = 0; q < 9; q++)
                r.length[q / 3][q % 3] = length[q / 3][q % 3];
            distribution d = grants_of(swq_arbiters[k], &r);
            int drawn[GRANT_SETS] = {0}, grant[3], degrees = -1;
            double chi_square = 0;
            swq_dice dice;
            swq_dice_begin_sampling(&dice, rng);
            for (int draw = 0; draw < DRAWS; draw++) {
                swq_arbiters[k]->arbitrate(&r, &dice, grant);
                drawn[grant_number(grant, 3)]++;
            }
            for (int s = 0; s < GRANT_SETS; s++) {
                double expected = d.chance[s] * DRAWS;
                if (d.chance[s] == 0) {
                    cr_assert_eq(drawn[s], 0, "%s", case_text(swq_arbiters[k], &r));
                    continue;
                }
                chi_square += (drawn[s] - expected) * (drawn[s] - expected) / expected;
                degrees++;
            }
            if (degrees > 0)
                cr_assert_gt(gsl_cdf_chisq_Q(chi_square, degrees), 1e-4,
                             "%s: chi-square %g with %d degrees", case_text(swq_arbiters[k], &r),
                             chi_square, degrees);
        }
    }
    gsl_rng_free(rng);
}

/* The promise that lets chains be reduced: exchange inputs and outputs among the requests, and the
 * grants are exchanged with them, with the same chances. */
Test(arbiters, ports_are_treated_alike_where_promised)
{
    static const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int promised = 0;

    gsl_rng_set(rng, 12);
    for (int k = 0; swq_arbiters[k]; k++) {
        promised += swq_arbiters[k]->treats_ports_alike;
        for (int round = 0; swq_arbiters[k]->treats_ports_alike && round < 600; round++) {
            const int *in = order[gsl_rng_uniform_int(rng, 6)];
            const int *out = order[gsl_rng_uniform_int(rng, 6)];
            swq_requests r = requests_of(3, round % 2, (int)gsl_rng_uniform_int(rng, ALL_3X3));
            swq_requests moved = {.ports = 3, .read_each_queue = r.read_each_queue};
            for (int q = 0; q < 9; q++)
                moved.length[in[q / 3]][out[q % 3]] = r.length[q / 3][q % 3];
            distribution a = grants_of(swq_arbiters[k], &r), b = grants_of(swq_arbiters[k], &moved);
            for (int s = 0; s < GRANT_SETS; s++) {
                int grant[3];
                for (int j = 0; j < 3; j++)
                    grant[out[j]] =
                        granted_input(s, j) < 0 ? SWQ_NO_INPUT : in[granted_input(s, j)];
                assert_relative(b.chance[grant_number(grant, 3)], a.chance[s], 1e-14, "%s",
                                case_text(swq_arbiters[k], &r));
            }
        }
    }
    cr_assert_geq(promised, 1);
    gsl_rng_free(rng);
}

Test(arbiters, fixed_throws_no_dice)
{
    const swq_arbiter *fixed;
    swq_context *ctx = swq_context_new();

    cr_assert_eq(swq_arbiter_find(ctx, "fixed", &fixed), SWQ_OK);
    for (int number = 0; number < 2 * ALL_2X2; number++) {
        swq_requests r = requests_of(2, number >= ALL_2X2, number % ALL_2X2);
        cr_assert_eq(grants_of(fixed, &r).outcomes, 1, "%s", case_text(fixed, &r));
    }
    cr_assert_not(fixed->treats_ports_alike);
    swq_context_free(ctx);
}

Test(arbiters, random_is_the_default)
{
    cr_assert_str_eq(swq_arbiters[0]->name, "random");
}
