/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * models/arbiters/pim.c: chances worked out by hand after Anderson, Owicki, Saxe and Thacker
 * (1993): outputs offer, inputs accept, all alike likely. `o` is an idle output.
 */
#include "tests/models/arbiters/distribution.h"
#include "tests/support/support.h"

static swq_context *ctx;
static const swq_arbiter *pim;

static void setup(void)
{
    ctx = swq_context_new();
    cr_assert_eq(swq_arbiter_find(ctx, "pim", &pim), SWQ_OK);
}

static void teardown(void)
{
    swq_context_free(ctx);
}

TestSuite(pim, .init = setup, .fini = teardown, .timeout = 120);

enum { o = SWQ_NO_INPUT };

typedef struct {
    int length[4], iterations;
    bool read_each_queue;
    struct {
        int grant[2];
        double chance;
    } outcomes[6];
} pim_case;

static void expect(const pim_case *c)
{
    swq_requests r = {.length = LENGTHS,
                      .ports = 2,
                      .read_each_queue = c->read_each_queue,
                      .iterations = c->iterations};
    double expected[GRANT_SETS] = {0};

    for (int q = 0; q < 4; q++)
        r.length[q / 2][q % 2] = c->length[q];
    for (int k = 0; k < 6 && c->outcomes[k].chance > 0; k++)
        expected[grant_number(c->outcomes[k].grant, 2)] = c->outcomes[k].chance;
    distribution d = grants_of(pim, &r);
    for (int s = 0; s < GRANT_SETS; s++)
        assert_relative(d.chance[s], expected[s], 1e-14,
                        "%s, %d rounds: output 0 from %d, 1 from %d has chance %g instead of %g",
                        case_text(pim, &r), r.iterations, granted_input(s, 0), granted_input(s, 1),
                        d.chance[s], expected[s]);
}

/* Full demand, one iteration: the outputs choose different inputs with 1/2, both ways being equally
 * likely. Otherwise both choose the same input, with 1/4 for each input, which accepts one of them:
 * 1/8 for each of the four outcomes. A second iteration gives the output that was refused to the
 * other input. */
Test(pim, full_demand_2x2)
{
    static const pim_case one = {{1, 1, 1, 1},
                                 1,
                                 false,
                                 {{{0, 1}, 1 / 4.},
                                  {{1, 0}, 1 / 4.},
                                  {{0, o}, 1 / 8.},
                                  {{o, 0}, 1 / 8.},
                                  {{1, o}, 1 / 8.},
                                  {{o, 1}, 1 / 8.}}};
    pim_case more = {{1, 1, 1, 1}, 2, false, {{{0, 1}, 1 / 2.}, {{1, 0}, 1 / 2.}}};
    pim_case longer = one;

    expect(&one);
    expect(&more);
    more.iterations = 32;
    expect(&more);
    longer.length[0] = 100; /* lengths do not matter */
    longer.length[3] = 2;
    expect(&longer);
}

/* Input 0 asks for both outputs, input 1 for output 0. Output 1 always offers to input 0. Output 0
 * offers to input 1 with 1/2, and both are accepted; otherwise input 0 has two offers. If it
 * accepts output 0, input 1 gets nothing at all; if it accepts output 1, the second iteration
 * serves input 1. */
Test(pim, three_requests_2x2)
{
    static const pim_case cases[] = {
        {{1, 1, 1, 0}, 1, false, {{{1, 0}, 1 / 2.}, {{0, o}, 1 / 4.}, {{o, 0}, 1 / 4.}}},
        {{1, 1, 1, 0}, 2, false, {{{1, 0}, 3 / 4.}, {{0, o}, 1 / 4.}}},
        {{1, 0, 1, 0}, 1, false, {{{0, o}, 1 / 2.}, {{1, o}, 1 / 2.}}},
        {{1, 1, 0, 0}, 1, false, {{{0, o}, 1 / 2.}, {{o, 0}, 1 / 2.}}},
        {{0, 3, 1, 0}, 1, false, {{{1, 0}, 1}}},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        expect(&cases[c]);
}

/* With a read port for each queue, outputs choose independently, and nothing is refused. */
Test(pim, read_each_queue)
{
    static const pim_case cases[] = {
        {{1, 1, 1, 1},
         1,
         true,
         {{{0, 0}, 1 / 4.}, {{0, 1}, 1 / 4.}, {{1, 0}, 1 / 4.}, {{1, 1}, 1 / 4.}}},
        {{1, 1, 1, 0}, 1, true, {{{0, 0}, 1 / 2.}, {{1, 0}, 1 / 2.}}},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        expect(&cases[c]);
}

static int granted(const int *grant, int ports)
{
    int packets = 0;

    for (int j = 0; j < ports; j++)
        packets += grant[j] != o;
    return packets;
}

/* Full 3x3, one iteration: 27 choices of the outputs. A permutation results in one way only: 1/27
 * each. All choose the same input in three ways: one packet, 1/9. On average an input has an offer
 * with 1 - (2/3)^3, so 3 (1 - 8/27) = 19/9 packets are sent. */
Test(pim, full_demand_3x3)
{
    swq_requests r = requests_of(LENGTHS, 3, false, 0);
    double mean = 0, single = 0;

    for (int q = 0; q < 9; q++)
        r.length[q / 3][q % 3] = 1;
    distribution d = grants_of(pim, &r);
    for (int s = 0; s < GRANT_SETS; s++) {
        int grant[3] = {granted_input(s, 0), granted_input(s, 1), granted_input(s, 2)};
        int packets = granted(grant, 3);
        if (d.chance[s] > 0 && packets == 3)
            assert_relative(d.chance[s], 1 / 27., 1e-13, "set %d: %g", s, d.chance[s]);
        mean += packets * d.chance[s];
        single += packets == 1 ? d.chance[s] : 0;
    }
    assert_relative(mean, 19 / 9., 1e-13, "%.17g", mean);
    assert_relative(single, 1 / 9., 1e-13, "%.17g", single);
    r.iterations = 3; /* nothing is left over, and no permutation is preferred */
    d = grants_of(pim, &r);
    for (int s = 0; s < GRANT_SETS; s++)
        cr_assert(d.chance[s] == 0 || relative_difference(d.chance[s], 1 / 6.) < 1e-13);
}

/* One iteration with full demand sends n (1 - (1 - 1/n)^n) on average; sampled for large
 * switches. */
Test(pim, one_round_of_many_ports)
{
    enum { DRAWS = 2000 };
    static const int sizes[] = {4, 16, 32, 100};
    static int length[SWQ_MAX_PORTS][SWQ_MAX_PORTS];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    swq_dice dice;

    gsl_rng_set(rng, 1993);
    swq_dice_begin_sampling(&dice, rng);
    for (int k = 0; k < 4; k++) {
        int n = sizes[k], grant[SWQ_MAX_PORTS];
        swq_requests r = {.length = length, .ports = n, .iterations = 1};
        double sum = 0, squares = 0;
        for (int q = 0; q < n * n; q++)
            r.length[q / n][q % n] = 1;
        for (int draw = 0; draw < DRAWS; draw++) {
            pim->arbitrate(&r, &dice, grant);
            int packets = granted(grant, n);
            sum += packets;
            squares += packets * packets;
        }
        double mean = sum / DRAWS, expected = n * (1 - pow(1 - 1.0 / n, n));
        double error = sqrt((squares / DRAWS - mean * mean) / DRAWS);
        cr_assert_lt(fabs(mean - expected), 4.5 * error, "%d ports: %g +- %g, not %g", n, mean,
                     error, expected);
        r.iterations = n;
        for (int draw = 0; draw < 20; draw++) {
            pim->arbitrate(&r, &dice, grant);
            cr_assert_eq(granted(grant, n), n);
        }
    }
    gsl_rng_free(rng);
}

Test(pim, remembers_nothing)
{
    cr_assert_eq(swq_arbiter_memory(pim, 4), 0);
    cr_assert(pim->alike == SWQ_ALIKE_ALL);
}
