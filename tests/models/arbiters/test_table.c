/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What every arbiter of the table owes, over all its falls of the dice: all 2x2 requests of lengths
 * 0 .. 2 and a sample of the 3x3 ones, with one read port for an input and with one for each queue.
 */
#include "tests/models/arbiters/distribution.h"
#include "tests/support/support.h"

#include <gsl/gsl_cdf.h>

TestSuite(arbiters, .timeout = 240);

enum { ALL_2X2 = 81, ALL_3X3 = 19683, SAMPLE = 1500 };

/* Iterations of offers, in each of which inputs refuse offers. With as many iterations as ports
 * nothing is left over, since every useful iteration adds a grant; with a read port for each queue
 * nothing is refused. */
static bool in_rounds(const swq_arbiter *arbiter)
{
    return strcmp(arbiter->name, "islip") == 0 || strcmp(arbiter->name, "pim") == 0;
}

/* Grants answer requests; an input sends once, unless each queue is read; and nothing is left that
 * could be sent, too. */
static void expect_sound(const swq_arbiter *arbiter, const swq_requests *r, const int *grant,
                         const char *text)
{
    int n = r->ports;
    int sends[SWQ_MAX_PORTS] = {0};
    bool maximal = !in_rounds(arbiter) || r->iterations >= n || r->read_each_queue;

    for (int j = 0; j < n; j++) {
        if (grant[j] == SWQ_NO_INPUT)
            continue;
        cr_assert(r->length[grant[j]][j] > 0, "%s: output %d to input %d, which did not ask", text,
                  j, grant[j]);
        sends[grant[j]]++;
    }
    for (int i = 0; i < n; i++) {
        cr_assert(r->read_each_queue || sends[i] <= 1, "%s: input %d sends %d", text, i, sends[i]);
        for (int j = 0; j < n && maximal; j++)
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
        expect_sound(arbiter, r, grant, case_text(arbiter, r));
    }
}

/* An arbitrary memory, whose words are the digits of a number. */
static void remember(const swq_arbiter *arbiter, swq_requests *r, int number, uint16_t *memory)
{
    for (int w = 0; w < swq_arbiter_memory(arbiter, r->ports); w++, number /= r->ports)
        memory[w] = (uint16_t)(number % r->ports);
    r->memory = memory;
}

Test(arbiters, all_2x2)
{
    uint16_t memory[MEMORY_WORDS];

    for (int k = 0; swq_arbiters[k]; k++) {
        int memories = 1 << swq_arbiter_memory(swq_arbiters[k], 2);
        for (int number = 0; number < 2 * ALL_2X2; number++) {
            for (int m = 0; m < memories; m++) {
                swq_requests r = requests_of(LENGTHS, 2, number >= ALL_2X2, number % ALL_2X2);
                remember(swq_arbiters[k], &r, m, memory);
                for (r.iterations = 1; r.iterations <= 2; r.iterations++)
                    expect_all_sound(swq_arbiters[k], &r);
            }
        }
    }
}

Test(arbiters, some_3x3)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    uint16_t memory[MEMORY_WORDS];

    gsl_rng_set(rng, 33);
    for (int sample = 0; sample < SAMPLE; sample++) {
        int number = (int)gsl_rng_uniform_int(rng, ALL_3X3);
        for (int k = 0; swq_arbiters[k]; k++) {
            for (int each = 0; each < 2; each++) {
                swq_requests r = requests_of(LENGTHS, 3, each, number);
                remember(swq_arbiters[k], &r, (int)gsl_rng_uniform_int(rng, 729), memory);
                r.iterations = sample % 2 ? 3 : 1 + sample / 2 % 2;
                expect_all_sound(swq_arbiters[k], &r);
            }
        }
    }
    gsl_rng_free(rng);
}

/* Does another distribution of grants follow if all queues that ask have one packet? */
static bool lengths_matter(const swq_arbiter *arbiter, const swq_requests *r)
{
    const distribution own = grants_of(arbiter, r);
    swq_requests even = *r;
    bool other = false;

    even.length = LENGTHS;
    for (int i = 0; i < r->ports; i++) {
        for (int j = 0; j < r->ports; j++)
            even.length[i][j] = r->length[i][j] > 0;
    }
    const distribution alike = grants_of(arbiter, &even);
    for (int s = 0; s < GRANT_SETS; s++)
        other |= fabs(own.chance[s] - alike.chance[s]) > 1e-12;
    return other;
}

static bool inputs_ask_once(const swq_requests *r)
{
    return !(r->length[0][0] && r->length[0][1]) && !(r->length[1][0] && r->length[1][1]);
}

/* What the row says of lengths is so: they matter if, and only if, it says that they do. */
Test(arbiters, lengths_are_compared_as_the_row_says)
{
    for (int k = 0; swq_arbiters[k]; k++) {
        const swq_arbiter *a = swq_arbiters[k];
        for (int each = 0; each < 2; each++) {
            int matter = 0, matter_once = 0; /* with one request for each input */
            for (int number = 0; number < ALL_2X2; number++) {
                const swq_requests r = requests_of(LENGTHS, 2, each, number);
                const bool so = lengths_matter(a, &r);
                matter += so;
                matter_once += so && inputs_ask_once(&r);
            }
            const bool expected =
                a->compares == SWQ_COMPARES_ALL ||
                (a->compares == SWQ_COMPARES_INPUT && (!each || a->serves == SWQ_SERVES_LONGEST));
            cr_expect_eq(matter > 0, expected, "%s, each %d: %d", a->name, each, matter);
            cr_expect_eq(matter_once > 0, a->compares == SWQ_COMPARES_ALL, "%s, each %d: %d",
                         a->name, each, matter_once);
        }
    }
}

/* The best sets are found by listing all sets, of which large switches have too many; the table
 * says so, and the check of a spec refuses them. */
static bool lists_all_sets(const swq_arbiter *arbiter)
{
    bool all = strncmp(arbiter->name, "max", 3) == 0;

    cr_assert_eq(arbiter->most_ports > 0, all, "%s", arbiter->name);
    return all;
}

/* Switches up to the size that the table allows, and no larger ones. */
Test(arbiters, the_most_ports_are_kept_to)
{
    swq_context *ctx = swq_context_new();
    int limited = 0;

    for (int k = 0; swq_arbiters[k]; k++) {
        const swq_arbiter *a = swq_arbiters[k];
        for (int n = 1; n <= SWQ_CHAIN_PORTS; n++) {
            swq_switch sw = test_switch(ctx, "damq", n, 2, 0.5, a->name);
            bool refused = a->most_ports > 0 && n > a->most_ports;
            cr_assert_eq(swq_switch_check(ctx, &sw), refused ? SWQ_EINVAL : SWQ_OK, "%s %d ports",
                         a->name, n);
            cr_assert(!refused || (strstr(swq_context_message(ctx), a->name) &&
                                   strstr(swq_context_message(ctx), "beyond 8 ports")),
                      "%s", swq_context_message(ctx));
            limited += refused;
            /* outputs that do not compete need no sets */
            sw = test_switch(ctx, "dafc", n, 2, 0.5, a->name);
            cr_assert_eq(swq_switch_check(ctx, &sw), SWQ_OK, "%s", swq_context_message(ctx));
        }
    }
    cr_assert_eq(limited, 3 * (SWQ_CHAIN_PORTS - 8));
    swq_context_free(ctx);
}

Test(arbiters, the_largest_switch_drawn)
{
    static int length[SWQ_MAX_PORTS][SWQ_MAX_PORTS];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    gsl_rng_set(rng, 16);
    for (int k = 0; swq_arbiters[k]; k++) {
        for (int round = 0; round < 12; round++) {
            uint16_t memory[MEMORY_WORDS];
            swq_requests r = {.length = length,
                              .ports = SWQ_MAX_PORTS,
                              .read_each_queue = round % 2,
                              .iterations = round / 2 % 2 ? SWQ_MAX_PORTS : 1,
                              .memory = memory};
            int grant[SWQ_MAX_PORTS];
            swq_dice dice;
            if (lists_all_sets(swq_arbiters[k]) && !r.read_each_queue)
                continue;
            for (int q = 0; q < SWQ_MAX_PORTS * SWQ_MAX_PORTS; q++)
                r.length[q / SWQ_MAX_PORTS][q % SWQ_MAX_PORTS] =
                    gsl_rng_uniform(rng) < 0.05 ? (int)gsl_rng_uniform_int(rng, 5) : 0;
            for (int w = 0; w < MEMORY_WORDS; w++)
                memory[w] = (uint16_t)gsl_rng_uniform_int(rng, SWQ_MAX_PORTS);
            swq_dice_begin_sampling(&dice, rng);
            swq_arbiters[k]->arbitrate(&r, &dice, grant);
            expect_sound(swq_arbiters[k], &r, grant, swq_arbiters[k]->name);
        }
    }
    gsl_rng_free(rng);
}

/* One pass at full size stays within the depth that the dice have room for. */
Test(arbiters, the_largest_switch_is_not_too_deep)
{
    uint16_t memory[MEMORY_WORDS] = {0};
    swq_requests r = {
        .length = LENGTHS, .ports = SWQ_CHAIN_PORTS, .iterations = 1, .memory = memory};
    int grant[SWQ_CHAIN_PORTS];
    swq_dice dice;

    for (int q = 0; q < SWQ_CHAIN_PORTS * SWQ_CHAIN_PORTS; q++)
        r.length[q / SWQ_CHAIN_PORTS][q % SWQ_CHAIN_PORTS] = 1;
    for (int k = 0; swq_arbiters[k]; k++) {
        for (int each = 0; each < 2; each++) {
            if (lists_all_sets(swq_arbiters[k]) && !each)
                continue;
            r.read_each_queue = each;
            swq_dice_begin_enumeration(&dice);
            swq_arbiters[k]->arbitrate(&r, &dice, grant);
            /* a FIFO queue draws a head for each packet sent */
            cr_assert_leq(dice.deepest + SWQ_CHAIN_PORTS, SWQ_DICE_DEPTH, "%s",
                          swq_arbiters[k]->name);
        }
    }
}

/* Sampled or enumerated, an arbiter is the same. */
Test(arbiters, drawing_agrees_with_enumeration)
{
    enum { DRAWS = 40000 };
    static const int length[3][3] = {{2, 1, 0}, {2, 0, 1}, {1, 1, 1}};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    gsl_rng_set(rng, 5);
    for (int k = 0; swq_arbiters[k]; k++) {
        for (int each = 0; each < 2; each++) {
            uint16_t memory[MEMORY_WORDS];
            swq_requests r = {
                .length = LENGTHS, .ports = 3, .read_each_queue = each, .iterations = 2};
            for (int q = 0; q < 9; q++)
                r.length[q / 3][q % 3] = length[q / 3][q % 3];
            distribution d = grants_of(swq_arbiters[k], &r);
            int drawn[GRANT_SETS] = {0}, grant[3], degrees = -1;
            double chi_square = 0;
            swq_dice dice;
            swq_dice_begin_sampling(&dice, rng);
            for (int draw = 0; draw < DRAWS; draw++) {
                swq_requests now = with_memory(swq_arbiters[k], &r, memory);
                swq_arbiters[k]->arbitrate(&now, &dice, grant);
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

/* The new number of each port: any permutation, or a cyclic shift by `by`. */
static void renaming(swq_alike alike, gsl_rng *rng, int by, uint8_t *to)
{
    static const uint8_t order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                        {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    const uint8_t *chosen = order[gsl_rng_uniform_int(rng, 6)];

    for (int i = 0; i < 3; i++)
        to[i] = alike == SWQ_ALIKE_ALL ? chosen[i] : (uint8_t)((i + by) % 3);
}

/* An arbiter's memory after a cycle, if it throws no dice. */
static void memory_after(const swq_arbiter *arbiter, const swq_requests *r, uint16_t *memory)
{
    int grant[SWQ_CHAIN_PORTS];
    swq_dice dice;
    swq_requests now = with_memory(arbiter, r, memory);

    swq_dice_begin_enumeration(&dice);
    arbiter->arbitrate(&now, &dice, grant);
    if (arbiter->settle)
        arbiter->settle(&now, grant);
    cr_assert_not(swq_dice_next(&dice), "%s throws dice", arbiter->name);
}

/* The promise on which reductions of chains rely: if inputs and outputs of the requests are renamed
 * as the row allows, and the memory with them, the grants are renamed in the same way, with the
 * same probabilities, and so is the memory afterwards. */
Test(arbiters, ports_are_treated_alike_where_promised)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int promised[4] = {0};

    gsl_rng_set(rng, 12);
    for (int k = 0; swq_arbiters[k]; k++) {
        const swq_arbiter *a = swq_arbiters[k];
        promised[a->alike]++;
        cr_assert(!a->memory || a->alike == SWQ_ALIKE_NONE || a->rename, "%s", a->name);
        for (int round = 0; a->alike != SWQ_ALIKE_NONE && round < 600; round++) {
            uint8_t in[3], out[3];
            uint16_t before[2][MEMORY_WORDS] = {{0}}, after[2][MEMORY_WORDS], turned[MEMORY_WORDS];
            int by = round % 3, words = swq_arbiter_memory(a, 3);
            renaming(a->alike, rng, by, in);
            renaming(a->alike, rng, a->alike == SWQ_ALIKE_SHIFTED_APART ? round / 3 % 3 : by, out);
            swq_requests r =
                requests_of(LENGTHS, 3, round % 2, (int)gsl_rng_uniform_int(rng, ALL_3X3));
            r.iterations = 1 + round / 2 % 3;
            if (words)
                remember(a, &r, (int)gsl_rng_uniform_int(rng, 729), before[0]);
            swq_requests moved = {.length = LENGTHS,
                                  .ports = 3,
                                  .read_each_queue = r.read_each_queue,
                                  .iterations = r.iterations,
                                  .memory = words ? before[1] : NULL};
            for (int q = 0; q < 9; q++)
                moved.length[in[q / 3]][out[q % 3]] = r.length[q / 3][q % 3];
            for (int i = 0; i < 3; i++)
                moved.waiting[in[i]] = r.waiting[i];
            if (words)
                a->rename(3, in, out, before[0], before[1]);
            distribution plain = grants_of(a, &r), b = grants_of(a, &moved);
            for (int s = 0; s < GRANT_SETS; s++) {
                int grant[3];
                for (int j = 0; j < 3; j++)
                    grant[out[j]] =
                        granted_input(s, j) < 0 ? SWQ_NO_INPUT : in[granted_input(s, j)];
                assert_relative(b.chance[grant_number(grant, 3)], plain.chance[s], 1e-14, "%s",
                                case_text(a, &r));
            }
            if (!words)
                continue;
            memory_after(a, &r, after[0]);
            memory_after(a, &moved, after[1]);
            a->rename(3, in, out, after[0], turned);
            cr_assert_eq(memcmp(turned, after[1], sizeof *turned * (size_t)words), 0, "%s: memory",
                         case_text(a, &r));
        }
    }
    for (int k = 0; k < 4; k++)
        cr_assert_geq(promised[k], 1, "no arbiter promises %d", k);
    gsl_rng_free(rng);
}

/* Fixed priorities, or pointers, decide everything. */
Test(arbiters, some_throw_no_dice)
{
    static const char *const names[] = {"fixed", "rotating", "advancing", "islip"};
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 4; k++) {
        const swq_arbiter *arbiter;
        cr_assert_eq(swq_arbiter_find(ctx, names[k], &arbiter), SWQ_OK);
        for (int number = 0; number < 2 * ALL_2X2; number++) {
            swq_requests r = requests_of(LENGTHS, 2, number >= ALL_2X2, number % ALL_2X2);
            cr_assert_eq(grants_of(arbiter, &r).outcomes, 1, "%s", case_text(arbiter, &r));
        }
        cr_assert_neq(arbiter->alike, SWQ_ALIKE_ALL);
    }
    swq_context_free(ctx);
}

Test(arbiters, random_is_the_default)
{
    cr_assert_str_eq(swq_arbiters[0]->name, "random");
}
