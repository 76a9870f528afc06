/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * models/expand_steps.c: inputs that take turns give the chain that the rules define
 * (models/expand_whole.c), state by state and probability by probability, with the same
 * expectations and slopes; and larger pools the same answers with and without symmetry.
 */
#include "models/chain_parts.h"
#include "switchq/exact.h"
#include "switchq/packets.h"
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

TestSuite(steps, .init = setup, .fini = teardown, .timeout = 120);

enum { WORDS = 400 };

static swq_chain *make(const swq_switch *sw, bool reduce, bool whole, const char *text)
{
    swq_chain *chain = NULL;
    swq_status status = whole ? swq_chain_generate_whole(ctx, sw, reduce, &chain)
                              : swq_chain_generate(ctx, sw, reduce, &chain);

    cr_assert_eq(status, SWQ_OK, "%s: %s", text, swq_context_message(ctx));
    return chain;
}

static void expect_same_matrix(const swq_chain *a, const swq_chain *b, const int64_t *at,
                               const char *text)
{
    const int64_t n = swq_chain_states(a);
    double *row = calloc((size_t)n, sizeof *row);
    swq_csr p, q;

    cr_assert_eq(swq_chain_matrix(ctx, a, &p, NULL), SWQ_OK);
    cr_assert_eq(swq_chain_matrix(ctx, b, &q, NULL), SWQ_OK);
    for (int64_t s = 0; s < n; s++) {
        cr_assert_eq(p.start[s + 1] - p.start[s], q.start[at[s] + 1] - q.start[at[s]],
                     "%s: transitions of %lld", text, (long long)s);
        for (int64_t e = q.start[at[s]]; e < q.start[at[s] + 1]; e++)
            row[q.col[e]] = q.value[e];
        for (int64_t e = p.start[s]; e < p.start[s + 1]; e++)
            assert_relative(p.value[e], row[at[p.col[e]]], 1e-14, "%s: %.17g not %.17g", text,
                            p.value[e], row[at[p.col[e]]]);
        for (int64_t e = q.start[at[s]]; e < q.start[at[s] + 1]; e++)
            row[q.col[e]] = 0;
    }
    free(row);
    swq_csr_clear(ctx, &p);
    swq_csr_clear(ctx, &q);
}

static void expect_same_expectations(const swq_chain *a, const swq_chain *b, const int64_t *at,
                                     const char *text)
{
    const int n = swq_chain_switch(a)->ports;
    double got[3][SWQ_CHAIN_PORTS], want[3][SWQ_CHAIN_PORTS];

    for (int64_t s = 0; s < swq_chain_states(a); s++) {
        swq_chain_outputs(a, s, got[0], got[1], got[2]);
        swq_chain_outputs(b, at[s], want[0], want[1], want[2]);
        for (int i = 0; i < n; i++) {
            assert_relative(swq_chain_accepted(a)[s * n + i], swq_chain_accepted(b)[at[s] * n + i],
                            1e-14, "%s: accepted", text);
            assert_relative(swq_chain_refused(a)[s * n + i], swq_chain_refused(b)[at[s] * n + i],
                            1e-14, "%s: refused", text);
            for (int k = 0; k < 3; k++)
                assert_relative(got[k][i], want[k][i], 1e-14, "%s: by output, %d", text, k);
        }
    }
}

/* Derivatives are differences of positive terms, each right up to a few roundings. */
static void expect_same_slopes(swq_chain *a, swq_chain *b, const int64_t *at, const char *text)
{
    swq_slopes got, want;

    cr_assert_eq(swq_chain_slopes(ctx, a, &got), SWQ_OK, "%s", text);
    cr_assert_eq(swq_chain_slopes(ctx, b, &want), SWQ_OK, "%s", text);
    cr_assert_eq(got.receptions, swq_chain_receptions(a), "%s", text);
    for (int64_t s = 0; s < swq_chain_states(a); s++) {
        cr_assert_float_eq(got.accepted[s], want.accepted[at[s]], 2e-13, "%s: %.17g not %.17g",
                           text, got.accepted[s], want.accepted[at[s]]);
        cr_assert_float_eq(got.refused[s], want.refused[at[s]], 2e-13, "%s: %.17g not %.17g", text,
                           got.refused[s], want.refused[at[s]]);
    }
    swq_slopes_clear(ctx, &got);
    swq_slopes_clear(ctx, &want);
}

static void expect_same_chain(const swq_switch *sw, bool reduce, const char *text)
{
    swq_chain *steps = make(sw, reduce, false, text), *whole = make(sw, reduce, true, text);
    const int64_t n = swq_chain_states(steps);
    int64_t *at = malloc((size_t)n * sizeof *at);
    bool *met = calloc((size_t)n, sizeof *met);

    cr_assert(steps->by_steps && !whole->by_steps && !whole->by_rows, "%s: no turns", text);
    cr_assert_eq(n, swq_chain_states(whole), "%s: %lld states, not %lld", text, (long long)n,
                 (long long)swq_chain_states(whole));
    cr_assert_eq(swq_chain_intermediates(steps), swq_chain_intermediates(whole), "%s", text);
    for (int64_t s = 0; s < n; s++) {
        uint16_t words[WORDS];
        swq_chain_state(steps, s, words);
        at[s] = swq_chain_find(ctx, whole, words);
        cr_assert(at[s] >= 0 && !met[at[s]], "%s: state %lld", text, (long long)s);
        met[at[s]] = true;
    }
    expect_same_matrix(steps, whole, at, text);
    expect_same_expectations(steps, whole, at, text);
    expect_same_slopes(steps, whole, at, text);
    free(at);
    free(met);
    swq_chain_free(ctx, steps);
    swq_chain_free(ctx, whole);
}

/* Everything that makes inputs' turns different: held packets, bursts, slots not credited, inputs
 * and outputs that differ, inputs that never send. */
static void vary(swq_switch *sw, int variant)
{
    sw->flow = variant & 1 ? SWQ_BLOCK : SWQ_DISCARD;
    sw->credit = variant & 2 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
    if (variant & 4)
        sw->load[1] = 0.375;
    if (variant & 8)
        cr_assert_eq(swq_traffic_hotspot(ctx, sw, 0.25, 2), SWQ_OK);
    if (variant & 16)
        sw->burst = 2.5;
    if (variant & 32)
        sw->load[0] = 0;
}

Test(steps, a_pool_in_turns_is_the_pool)
{
    static const int variants[] = {0, 1, 2, 3, 4, 5, 6, 8, 12, 16, 20, 24, 32, 33, 36};
    char text[100];

    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        for (int kind = 0; kind < 8; kind++) {
            swq_switch sw = test_switch(ctx, "cbda", 3, kind & 4 ? 2 : 1, 0.75, "random");
            sw.buffer.pool_rule = kind & 1 ? &swq_pool_ports : &swq_pool_room;
            if ((kind & 4) && (variants[v] & (1 | 16)))
                continue; /* many states */
            vary(&sw, variants[v]);
            snprintf(text, sizeof text, "cbda variant %d kind %d", variants[v], kind);
            expect_same_chain(&sw, kind & 2, text);
        }
    }
}

Test(steps, pools_with_limits)
{
    for (int k = 0; k < 4; k++) {
        swq_switch sw = test_switch(ctx, "cbda", 3, 2, 0.75, "random");
        sw.buffer.pool_rule = k & 1 ? &swq_pool_ports : &swq_pool_room;
        sw.buffer.queue_min = k & 2 ? 1 : 0;
        sw.buffer.queue_max = 3;
        expect_same_chain(&sw, true, "reserved slots and a limit");
        sw.buffer.queue_max = sw.buffer.capacity;
        sw.buffer.alpha = 0.75;
        sw.load[2] = 0.5;
        expect_same_chain(&sw, true, "dynamic threshold");
    }
}

Test(steps, four_ports)
{
    swq_switch sw = test_switch(ctx, "cbda", 4, 1, 0.75, "random");

    expect_same_chain(&sw, true, "4x4 room");
    sw.buffer.pool_rule = &swq_pool_ports;
    sw.load[3] = 0.5;
    expect_same_chain(&sw, true, "4x4 ports");
}

Test(steps, arbiters_with_pointers)
{
    static const struct {
        const char *buffer, *arbiter;
        int slots;
    } cases[] = {{"damq", "rotating", 1}, {"fifo", "rotating", 2},  {"fifo", "advancing", 1},
                 {"damq", "islip", 1},    {"dafc", "advancing", 1}, {"fifo", "islip", 1}};
    static const int variants[] = {0, 1, 2, 4, 8, 16, 32};
    char text[100];

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
            swq_switch sw =
                test_switch(ctx, cases[c].buffer, 3, cases[c].slots, 0.75, cases[c].arbiter);
            vary(&sw, variants[v]);
            swq_chain_size size;
            cr_assert_eq(swq_chain_foresee(ctx, &sw, true, &size), SWQ_OK);
            if (size.states > 4000)
                continue;
            snprintf(text, sizeof text, "%s %s variant %d", cases[c].buffer, cases[c].arbiter,
                     variants[v]);
            expect_same_chain(&sw, true, text);
        }
    }
}

/* Exchanging inputs 0 and 1 together with outputs 0 and 1 is not a product of classes. */
Test(steps, a_symmetry_that_is_no_product)
{
    static const double matrix[] = {0.5, 0.25, 0.25, 0.25, 0.5, 0.25, 0.375, 0.375, 0.25};
    static const char *const buffers[] = {"damq", "cbda"};

    for (int k = 0; k < 2; k++) {
        swq_switch sw = test_switch(ctx, buffers[k], 3, 1, 0.75, "random");
        cr_assert_eq(swq_traffic_matrix(ctx, &sw, matrix), SWQ_OK);
        expect_same_chain(&sw, true, buffers[k]);
    }
}

/* Cases that used to take more than a minute, or were refused. */
Test(steps, large_pools_with_and_without_symmetry)
{
    swq_exact_options options = swq_exact_options_defaults();
    swq_switch sw = test_switch(ctx, "cbda", 4, 2, 0.9, "random");
    swq_answers a, b;

    cr_assert_eq(swq_exact_solve(ctx, &sw, &options, &a), SWQ_OK);
    options.reduce = false;
    cr_assert_eq(swq_exact_solve(ctx, &sw, &options, &b), SWQ_OK);
    cr_assert(a.discard.lower <= b.discard.upper && b.discard.lower <= a.discard.upper);
    assert_relative(a.discard.value, 0.10685813457, 1e-11); /* over all falls of the dice */
    swq_answers_clear(ctx, &a);
    swq_answers_clear(ctx, &b);
    options.reduce = true;
    sw = test_switch(ctx, "cbda", 5, 1, 0.9, "random");
    cr_assert_eq(swq_exact_solve(ctx, &sw, &options, &a), SWQ_OK);
    assert_relative(a.discard.value, 0.292921449861, 1e-11); /* likewise */
    swq_answers_clear(ctx, &a);
    sw = test_switch(ctx, "cbda", 8, 2, 0.9, "random");
    cr_assert_eq(swq_exact_solve(ctx, &sw, &options, &a), SWQ_OK);
    cr_assert(a.discard.upper - a.discard.lower <= 1e-11 * a.discard.value);
    swq_answers_clear(ctx, &a);
}

/* Following packets still enumerates whole receptions, and is refused before it would take
 * hours. */
Test(steps, marks_of_large_pools_are_refused)
{
    swq_switch sw = test_switch(ctx, "cbda", 8, 2, 0.9, "random");
    swq_exact_options options = swq_exact_options_defaults();
    swq_packets_options packets = swq_packets_options_defaults();
    swq_delay delay;

    cr_assert_eq(swq_exact_delay(ctx, &sw, &options, &packets, &delay), SWQ_ELIMIT);
    cr_assert(strstr(swq_context_message(ctx), "outcomes"), "%s", swq_context_message(ctx));
}
