/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Distributions of grants worked out by hand, for every arbiter. A case reads: lengths of input 0,
 * of input 1, ...; then sets of grants by output with their chances. `o` is an idle output.
 */
#include "tests/models/arbiters/distribution.h"
#include "tests/support/support.h"

TestSuite(grant, .timeout = 120);

enum { o = SWQ_NO_INPUT };

typedef struct {
    int grant[3];
    double chance;
} grant_outcome;

typedef struct {
    const char *arbiter;
    int ports;
    bool read_each_queue;
    int length[9];
    grant_outcome outcomes[4];
} grant_case;

static void expect(const grant_case *c)
{
    swq_context *ctx = swq_context_new();
    swq_requests r = {.length = LENGTHS, .ports = c->ports, .read_each_queue = c->read_each_queue};
    double expected[GRANT_SETS] = {0};
    const swq_arbiter *arbiter;

    cr_assert_eq(swq_arbiter_find(ctx, c->arbiter, &arbiter), SWQ_OK);
    for (int k = 0; k < c->ports * c->ports; k++)
        r.length[k / c->ports][k % c->ports] = c->length[k];
    for (int k = 0; k < c->ports * c->ports; k++)
        r.waiting[k / c->ports] += c->length[k];
    for (int k = 0; k < 4 && c->outcomes[k].chance > 0; k++)
        expected[grant_number(c->outcomes[k].grant, c->ports)] = c->outcomes[k].chance;
    distribution d = grants_of(arbiter, &r);
    for (int s = 0; s < GRANT_SETS; s++)
        assert_relative(d.chance[s], expected[s], 1e-14,
                        "%s: output 0 from %d, 1 from %d, 2 from %d has chance %g instead of %g",
                        case_text(arbiter, &r), granted_input(s, 0), granted_input(s, 1),
                        granted_input(s, 2), d.chance[s], expected[s]);
    swq_context_free(ctx);
}

#define EXPECT_ALL(cases)                                                                          \
    for (size_t c_ = 0; c_ < sizeof(cases) / sizeof *(cases); c_++)                                \
    expect(&(cases)[c_])

Test(grant, nothing_to_send)
{
    for (int k = 0; swq_arbiters[k]; k++) {
        for (int each = 0; each < 2; each++)
            expect(&(grant_case){swq_arbiters[k]->name, 2, each, {0}, {{{o, o}, 1}}});
    }
}

Test(grant, one_packet)
{
    for (int k = 0; swq_arbiters[k]; k++) {
        for (int each = 0; each < 2; each++)
            expect(&(grant_case){swq_arbiters[k]->name, 2, each, {0, 0, 3, 0}, {{{1, o}, 1}}});
    }
}

/* Input 0 has a packet for both outputs, input 1 only for output 0. One of the two inputs comes
 * first with 1/2. If it is input 1, output 0 is taken and input 0 sends to output 1. If it is input
 * 0, it takes output 0 with 1/2, and input 1 has to wait: 1/4. By outputs: output 0 comes first
 * with 1/2 and takes input 0 with 1/2, and output 1 has nobody left: 1/4 again. */
static const grant_outcome often_both[4] = {{{0, o}, 0.25}, {{1, 0}, 0.75}};

Test(grant, random_2x2)
{
    static const grant_case cases[] = {
        {"random", 2, false, {1, 1, 1, 1}, {{{0, 1}, 0.5}, {{1, 0}, 0.5}}},
        {"random", 2, false, {1, 0, 1, 0}, {{{0, o}, 0.5}, {{1, o}, 0.5}}},
        {"random", 2, false, {1, 1, 0, 0}, {{{0, o}, 0.5}, {{o, 0}, 0.5}}},
        {"random", 2, false, {2, 0, 0, 1}, {{{0, 1}, 1}}},
    };
    grant_case both = {"random", 2, false, {2, 1, 1, 0}, {{{0}, 0}}}; /* lengths do not matter */

    EXPECT_ALL(cases);
    memcpy(both.outcomes, often_both, sizeof often_both);
    expect(&both);
}

Test(grant, random_outputs_2x2)
{
    static const grant_case cases[] = {
        {"random-outputs", 2, false, {1, 1, 1, 1}, {{{0, 1}, 0.5}, {{1, 0}, 0.5}}},
        {"random-outputs", 2, false, {1, 0, 1, 0}, {{{0, o}, 0.5}, {{1, o}, 0.5}}},
        {"random-outputs", 2, false, {1, 1, 0, 0}, {{{0, o}, 0.5}, {{o, 0}, 0.5}}},
    };
    grant_case both = {"random-outputs", 2, false, {2, 1, 1, 0}, {{{0}, 0}}};

    EXPECT_ALL(cases);
    memcpy(both.outcomes, often_both, sizeof often_both);
    expect(&both);
}

/* With two ports the two random arbiters are the same, whatever the requests, as documented. */
Test(grant, two_ports_inputs_or_outputs_first)
{
    swq_context *ctx = swq_context_new();
    const swq_arbiter *inputs, *outputs;

    cr_assert_eq(swq_arbiter_find(ctx, "random", &inputs), SWQ_OK);
    cr_assert_eq(swq_arbiter_find(ctx, "random-outputs", &outputs), SWQ_OK);
    for (int number = 0; number < 81; number++) {
        swq_requests r = requests_of(LENGTHS, 2, false, number);
        distribution a = grants_of(inputs, &r), b = grants_of(outputs, &r);
        for (int s = 0; s < GRANT_SETS; s++)
            assert_relative(a.chance[s], b.chance[s], 1e-14, "%s", case_text(inputs, &r));
    }
    swq_context_free(ctx);
}

/* Input 0 asks for outputs 0 and 1, input 1 for outputs 0 and 2, input 2 for none.
 *
 * Inputs first: input 0 with 1/2. It takes output 0 (1/4), and input 1 takes output 2; or output 1
 * (1/4), and input 1 takes output 0 or 2 (1/8 each). Input 1 first is its mirror image: it takes
 * output 0 (1/4) and input 0 output 1, or output 2 (1/4) and input 0 takes output 0 or 1 (1/8
 * each). Together: {0 . 1} 1/4 + 1/8, {1 0 .} 1/8 + 1/4, {. 0 1} 1/8 + 1/8.
 *
 * Outputs first: output 0 with 1/3. It takes input 0, leaving input 1 to output 2, or input 1,
 * leaving input 0 to output 1: {0 . 1} 1/6, {1 0 .} 1/6. Output 1 with 1/3: it takes input 0, and
 * then output 0 or output 2, whichever comes first, takes input 1: {1 0 .} 1/6, {. 0 1} 1/6.
 * Output 2 with 1/3: {0 . 1} 1/6, {. 0 1} 1/6. Together 1/3 each. */
Test(grant, three_ports_inputs_or_outputs_first)
{
    static const grant_case cases[] = {
        {"random",
         3,
         false,
         {1, 1, 0, 1, 0, 1, 0, 0, 0},
         {{{0, o, 1}, 3 / 8.}, {{1, 0, o}, 3 / 8.}, {{o, 0, 1}, 1 / 4.}}},
        {"random-outputs",
         3,
         false,
         {1, 1, 0, 1, 0, 1, 0, 0, 0},
         {{{0, o, 1}, 1 / 3.}, {{1, 0, o}, 1 / 3.}, {{o, 0, 1}, 1 / 3.}}},
    };

    EXPECT_ALL(cases);
}

/* The longest queue is preferred; ties are broken as by random. {2 1 / 1 0}: input 0 first (1/2)
 * always takes output 0. {1 2 / 1 0}: it always takes output 1. */
Test(grant, longest_2x2)
{
    static const grant_case cases[] = {
        {"longest", 2, false, {2, 1, 1, 0}, {{{0, o}, 0.5}, {{1, 0}, 0.5}}},
        {"longest", 2, false, {1, 2, 1, 0}, {{{1, 0}, 1}}},
        {"longest", 2, false, {1, 1, 1, 0}, {{{0, o}, 0.25}, {{1, 0}, 0.75}}},
        {"longest", 2, false, {2, 1, 2, 1}, {{{0, 1}, 0.5}, {{1, 0}, 0.5}}},
        {"longest", 2, false, {2, 1, 1, 2}, {{{0, 1}, 1}}},
    };

    EXPECT_ALL(cases);
}

/* One packet of a queue of 5 outweighs two of queues of 1 and 2; not for the other arbiters. */
Test(grant, best_sets_2x2)
{
    static const grant_case cases[] = {
        {"maximum", 2, false, {5, 1, 2, 0}, {{{1, 0}, 1}}},
        {"maximum", 2, false, {5, 1, 1, 1}, {{{0, 1}, 0.5}, {{1, 0}, 0.5}}},
        {"maximum-longest", 2, false, {5, 1, 2, 0}, {{{1, 0}, 1}}},
        {"maximum-longest", 2, false, {4096, 1, 2, 0}, {{{1, 0}, 1}}},
        {"maximum-longest", 2, false, {5, 1, 1, 1}, {{{0, 1}, 1}}},
        {"maximum-longest", 2, false, {2, 1, 3, 2}, {{{0, 1}, 0.5}, {{1, 0}, 0.5}}},
        {"max-weight", 2, false, {5, 1, 2, 0}, {{{0, o}, 1}}},
        {"max-weight", 2, false, {3, 1, 2, 0}, {{{0, o}, 0.5}, {{1, 0}, 0.5}}},
        {"max-weight", 2, false, {2, 1, 2, 0}, {{{1, 0}, 1}}},
        {"max-weight", 2, false, {5, 1, 1, 1}, {{{0, 1}, 1}}},
    };

    EXPECT_ALL(cases);
}

Test(grant, fixed_2x2)
{
    static const grant_case cases[] = {
        {"fixed", 2, false, {1, 1, 1, 1}, {{{0, 1}, 1}}},
        {"fixed", 2, false, {1, 1, 1, 0}, {{{0, o}, 1}}},
        {"fixed", 2, false, {0, 1, 1, 1}, {{{1, 0}, 1}}},
        {"fixed", 2, false, {1, 9, 0, 1}, {{{0, 1}, 1}}},
        {"fixed", 2, true, {1, 1, 1, 0}, {{{0, 0}, 1}}},
    };

    EXPECT_ALL(cases);
}

/* A read port for each queue. {1 1 / 1 0}: only input 0 wants output 1, so it gets it. Output 0
 * goes to input 0 if that came first and chose it (1/4), else to input 1; by outputs, the same 1/4.
 * Where outputs are served one by one, it is a fair throw, or the longest queue. */
Test(grant, reading_each_queue_2x2)
{
    static const grant_case cases[] = {
        {"random", 2, true, {1, 1, 1, 0}, {{{0, 0}, 0.25}, {{1, 0}, 0.75}}},
        {"random-outputs", 2, true, {1, 1, 1, 0}, {{{0, 0}, 0.25}, {{1, 0}, 0.75}}},
        {"longest", 2, true, {2, 1, 1, 0}, {{{0, 0}, 0.5}, {{1, 0}, 0.5}}},
        {"maximum", 2, true, {2, 1, 1, 0}, {{{0, 0}, 0.5}, {{1, 0}, 0.5}}},
        {"maximum-longest", 2, true, {2, 1, 1, 0}, {{{0, 0}, 1}}},
        {"max-weight", 2, true, {2, 1, 1, 0}, {{{0, 0}, 1}}},
        {"max-weight", 2, true, {2, 1, 2, 0}, {{{0, 0}, 0.5}, {{1, 0}, 0.5}}},
        {"random", 2, true, {1, 1, 0, 0}, {{{0, 0}, 1}}},
    };

    EXPECT_ALL(cases);
}
