/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whole networks: against the independent reference, against the chain of one switch, against
 * themselves without reduction; fractions; what is refused.
 */
#include "switchq/netchain.h"
#include "tests/ref/ref_netchain.h"
#include "tests/support/support.h"

TestSuite(netchain, .timeout = 240);

/* A network of two stages of 2 x 2 switches. */
static swq_network a_network(swq_context *ctx, const char *topology, const char *buffer, int slots,
                             const char *arbiter, const char *flow)
{
    swq_network n = {.shape.stages = 2, .traffic = swq_traffic_defaults()};

    n.sw = test_switch(ctx, buffer, 2, slots, 0, arbiter);
    n.sw.flow = strncmp(flow, "block", 5) == 0 ? SWQ_BLOCK : SWQ_DISCARD;
    n.sw.credit = strstr(flow, "next") ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
    cr_assert_eq(swq_fabric_find(ctx, topology, &n.shape), SWQ_OK);
    return n;
}

static swq_netchain_answers solve(swq_context *ctx, const swq_network *n, bool reduce)
{
    swq_exact_options how = swq_exact_options_defaults();
    swq_netchain_answers a;

    how.reduce = reduce;
    cr_assert_eq(swq_netchain_solve(ctx, n, &how, &a), SWQ_OK, "%s", swq_context_message(ctx));
    return a;
}

static void expect_near(double a, double b, double tolerance, const char *what, const char *of)
{
    cr_expect(fabs(a - b) <= tolerance * fmax(1e-3, fabs(b)), "%s of %s: %.17g, not %.17g", what,
              of, a, b);
}

/* ---- the reference ---- */

typedef struct {
    const char *buffer;
    int slots;
    const char *arbiter, *flow;
    double load[4];
    int hot;
    double fraction;
} reference_case;

/* All four sources, or few enough for the reference to list all packets. */
static const reference_case reference_cases[] = {
    {"fifo", 1, "random", "discard same", {1, 1, 1, 1}, 0, 0},
    {"fifo", 1, "longest", "discard same", {0.9, 0.8, 0.7, 0.6}, 2, 0.3},
    {"damq", 1, "rotating", "discard next", {0.9, 0.9, 0.9, 0.9}, 0, 0},
    {"cbda", 1, "random", "discard same", {0.9, 0.5, 0.9, 0.7}, 1, 0.2},
    {"cbda", 1, "random", "discard next", {0.9, 0.9, 0.9, 0.9}, 0, 0},
    {"samq", 2, "random", "discard next", {0.9, 0.8, 0.7, 0}, 0, 0},
    {"safc", 2, "longest", "discard same", {0.9, 0.5, 0.7, 0}, 3, 0.1},
    {"fifo", 2, "rotating", "discard same", {0.9, 0.6, 0, 0}, 0, 0},
    {"damq", 2, "longest", "discard next", {0.9, 0, 0.7, 0}, 0, 0.4},
    {"fifo", 1, "random", "block same", {0.9, 0, 0.7, 0}, 0, 0},
    {"fifo", 1, "rotating", "block next", {1, 1, 1, 0}, 0, 0},
    {"samq", 2, "longest", "block next", {0.9, 0.8, 0, 0}, 0, 0.25},
    {"samq", 2, "rotating", "block same", {0.9, 0.8, 0, 0}, 0, 0},
    {"safc", 2, "random", "block next", {0.9, 0, 0.7, 0}, 0, 0},
    {"cbda", 1, "random", "block same", {0.9, 0.8, 0, 0}, 3, 0.3},
    {"damq", 1, "random", "block same", {0.6, 0.9, 0, 0}, 1, 0.2},
};

static void against_reference(const reference_case *c)
{
    swq_context *ctx = swq_context_new();
    swq_network n = a_network(ctx, "omega", c->buffer, c->slots, c->arbiter, c->flow);
    const ref_netchain is = {.buffer = c->buffer,
                             .slots = c->slots,
                             .arbiter = c->arbiter,
                             .block = n.sw.flow == SWQ_BLOCK,
                             .credit_next = n.sw.credit == SWQ_CREDIT_NEXT,
                             .load = {c->load[0], c->load[1], c->load[2], c->load[3]},
                             .hot = c->hot,
                             .hot_fraction = c->fraction};
    ref_netchain_result r;
    char of[80];

    snprintf(of, sizeof of, "%s-%d %s %s", c->buffer, c->slots, c->arbiter, c->flow);
    n.traffic.node_load = c->load;
    n.traffic.hot[0] = (swq_hot_spot){(uint32_t)c->hot, c->fraction};
    n.traffic.hot_spots = c->fraction > 0;
    swq_netchain_answers a = solve(ctx, &n, true);
    cr_assert_eq(ref_netchain_solve(&is, &r), 0);
    expect_near(a.throughput.value, r.throughput, 1e-12, "throughput", of);
    const double created = c->load[0] + c->load[1] + c->load[2] + c->load[3];
    expect_near(a.discard.value, (r.lost[0] + r.lost[1]) / created, 1e-12, "loss", of);
    expect_near(a.refusal, r.refused / (4 * r.throughput + r.lost[1] + r.refused), 1e-12, "refusal",
                of);
    for (int k = 0; k < 2; k++) {
        expect_near(a.stage[k].packets, r.packets[k], 1e-12, k ? "packets 2" : "packets 1", of);
        expect_near(a.stage[k].blocked, r.stuck[k], 1e-11, k ? "blocked 2" : "blocked 1", of);
    }
    swq_context_free(ctx);
}

enum { CASES = sizeof reference_cases / sizeof *reference_cases };

Test(netchain, the_reference_says_the_same_of_losses)
{
    for (int k = 0; k < CASES; k++) {
        if (reference_cases[k].flow[0] == 'd')
            against_reference(&reference_cases[k]);
    }
}

Test(netchain, the_reference_says_the_same_of_blocking)
{
    for (int k = 0; k < CASES; k++) {
        if (reference_cases[k].flow[0] == 'b')
            against_reference(&reference_cases[k]);
    }
}

/* ---- one switch ---- */

Test(netchain, one_stage_is_one_switch)
{
    static const char *const flows[] = {"discard same", "discard next", "block same", "block next"};
    static const char *const buffers[] = {"fifo", "samq", "damq", "dafc", "cbda"};
    static const char *const arbiters[] = {"random", "rotating", "islip", "maximum", "fixed"};
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 20; k++) {
        const char *buffer = buffers[k % 5], *flow = flows[k % 4];
        swq_network n = a_network(ctx, "omega", buffer, 2, arbiters[(k + k / 5) % 5], flow);
        n.shape.stages = 1;
        n.traffic.load = 0.8;
        swq_switch sw = n.sw;
        sw.load[0] = sw.load[1] = 0.8;
        swq_netchain_answers a = solve(ctx, &n, k % 3 > 0);
        swq_answers one = test_solve(ctx, &sw, "auto");
        expect_near(a.discard.value, one.discard.value, 1e-13, "loss", buffer);
        expect_near(a.throughput.value, one.throughput.value, 1e-13, "throughput", buffer);
        if (n.sw.flow == SWQ_BLOCK)
            expect_near(a.saturation.value, one.saturation.value, 1e-13, "saturation", buffer);
        expect_near(a.refusal, one.refusal, 1e-13, "refusal", buffer);
        expect_near(a.mean_packets, one.mean_packets, 1e-13, "packets", buffer);
        expect_near(a.mean_delay, one.mean_delay, 1e-13, "delay", buffer);
        if (n.sw.flow == SWQ_BLOCK)
            expect_near(a.mean_held, one.mean_held, 1e-12, "held", buffer);
        swq_answers_clear(ctx, &one);
    }
    swq_context_free(ctx);
}

/* What follows a stage that discards does not affect it. */
Test(netchain, the_first_stage_loses_what_one_switch_loses)
{
    swq_context *ctx = swq_context_new();
    swq_network n = a_network(ctx, "baseline", "damq", 3, "random", "discard same");

    n.traffic.load = 0.9;
    swq_netchain_answers a = solve(ctx, &n, true);
    swq_switch sw = n.sw;
    sw.load[0] = sw.load[1] = 0.9;
    swq_answers one = test_solve(ctx, &sw, "auto");
    expect_near(a.refusal, one.discard.value, 1e-12, "loss", "stage 1");
    expect_near(a.stage[0].packets, one.mean_packets, 1e-12, "packets", "stage 1");
    swq_answers_clear(ctx, &one);
    swq_context_free(ctx);
}

/* ---- reduction ---- */

static void expect_alike(const swq_netchain_answers *a, const swq_netchain_answers *b,
                         const char *of)
{
    expect_near(a->discard.value, b->discard.value, 1e-11, "loss", of);
    expect_near(a->throughput.value, b->throughput.value, 1e-11, "throughput", of);
    expect_near(a->refusal, b->refusal, 1e-11, "refusal", of);
    for (int k = 0; k < 2; k++) {
        expect_near(a->stage[k].packets, b->stage[k].packets, 1e-11, "packets", of);
        expect_near(a->stage[k].sent, b->stage[k].sent, 1e-11, "sent", of);
        expect_near(a->stage[k].blocked, b->stage[k].blocked, 1e-11, "blocked", of);
        expect_near(a->stage[k].discarded, b->stage[k].discarded, 1e-11, "discarded", of);
    }
}

Test(netchain, reduction_changes_no_answer)
{
    static const double uneven[] = {0.9, 0.5, 0.9, 0.5};
    static const struct {
        const char *topology, *buffer, *arbiter, *flow;
        int slots;
        const double *load;
        double fraction, symmetry;
    } cases[] = {
        {"omega", "fifo", "random", "block same", 1, NULL, 0, 64},
        {"cube", "fifo", "rotating", "block next", 1, NULL, 0, 64},
        {"flip", "damq", "rotating", "discard same", 1, NULL, 0, 2},
        {"butterfly", "damq", "longest", "discard next", 1, NULL, 0, 16},
        {"baseline", "cbda", "random", "block same", 1, NULL, 0, 64},
        {"omega", "fifo", "fixed", "discard same", 1, NULL, 0, 1},
        {"omega", "fifo", "random", "discard same", 1, uneven, 0, 32},
        {"baseline", "fifo", "random", "block same", 1, NULL, 0.2, 16},
        {"omega", "fifo", "random", "discard same", 1, NULL, 0, 16},
    };
    swq_context *ctx = swq_context_new();

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        swq_network n = a_network(ctx, cases[k].topology, cases[k].buffer, cases[k].slots,
                                  cases[k].arbiter, cases[k].flow);
        n.traffic.load = 0.8;
        n.traffic.node_load = cases[k].load;
        n.traffic.hot[0] = (swq_hot_spot){2, cases[k].fraction};
        n.traffic.hot_spots = cases[k].fraction > 0;
        swq_netchain_answers all = solve(ctx, &n, false), few = solve(ctx, &n, true);
        expect_alike(&few, &all, cases[k].buffer);
        cr_expect_eq(all.foreseen.symmetry, 1);
        cr_expect_eq(few.foreseen.symmetry, cases[k].symmetry, "case %zu: a symmetry of %g", k,
                     few.foreseen.symmetry);
        cr_expect(cases[k].symmetry == 1 || few.states < all.states);
    }
    swq_context_free(ctx);
}

Test(netchain, uniform_traffic_does_not_see_the_wiring)
{
    static const char *const wirings[] = {"butterfly", "baseline", "flip", "cube"};
    swq_context *ctx = swq_context_new();
    swq_network n = a_network(ctx, "omega", "samq", 2, "random", "discard same");

    n.traffic.load = 0.7;
    swq_netchain_answers omega = solve(ctx, &n, true);
    for (int k = 0; k < 4; k++) {
        cr_assert_eq(swq_fabric_find(ctx, wirings[k], &n.shape), SWQ_OK);
        swq_netchain_answers other = solve(ctx, &n, true);
        cr_expect_eq(other.states, omega.states);
        expect_alike(&other, &omega, wirings[k]);
    }
    swq_context_free(ctx);
}

/* Three stages, through the cone of seven switches. */
Test(netchain, three_stages_that_discard)
{
    swq_context *ctx = swq_context_new();
    swq_network n = a_network(ctx, "omega", "fifo", 1, "random", "discard same");

    n.traffic.load = 0.8;
    swq_netchain_answers two = solve(ctx, &n, true);
    n.shape.stages = 3;
    swq_netchain_answers three = solve(ctx, &n, true);
    cr_expect_eq(three.foreseen.switches, 7);
    cr_expect_eq(three.foreseen.symmetry, 256);
    for (int k = 0; k < 2; k++) {
        expect_near(three.stage[k].packets, two.stage[k].packets, 1e-11, "packets", "a stage");
        expect_near(three.stage[k].discarded, two.stage[k].discarded, 1e-11, "loss", "a stage");
    }
    expect_near(three.throughput.value, 0.8 * (1 - three.discard.value), 1e-11, "balance",
                "three stages");
    swq_context_free(ctx);
}

/* ---- fractions ---- */

static void expect_fraction(const swq_fraction *f, const char *numerator, const char *denominator)
{
    cr_expect_str_eq(f->numerator, numerator);
    cr_expect_str_eq(f->denominator, denominator);
}

/* Four switches with one slot, and sources that always offer; Jenq's recursion gives 0.6333. */
Test(netchain, two_stages_at_full_load)
{
    swq_context *ctx = swq_context_new();
    swq_network n = a_network(ctx, "omega", "fifo", 1, "random", "block same");
    swq_netchain_fractions f;

    cr_assert_eq(swq_netchain_rational(ctx, &n, "1", true, &f), SWQ_OK);
    expect_fraction(&f.throughput, "76937539", "127197816");
    expect_fraction(&f.saturation, "76937539", "127197816");
    swq_netchain_fractions_clear(ctx, &f);
    n.sw.credit = SWQ_CREDIT_NEXT;
    cr_assert_eq(swq_netchain_rational(ctx, &n, "1", true, &f), SWQ_OK);
    expect_fraction(&f.throughput, "3", "8");
    expect_fraction(&f.mean_delay, "8", "3");
    swq_netchain_fractions_clear(ctx, &f);
    swq_context_free(ctx);
}

Test(netchain, fractions_are_the_doubles)
{
    static const struct {
        const char *buffer, *arbiter, *flow;
        int slots;
    } cases[] = {
        {"samq", "random", "discard same", 2}, {"fifo", "rotating", "discard next", 2},
        {"fifo", "random", "block same", 1},   {"cbda", "random", "discard same", 1},
        {"fifo", "longest", "block next", 1},
    };
    swq_context *ctx = swq_context_new();

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        swq_network n = a_network(ctx, "omega", cases[k].buffer, cases[k].slots, cases[k].arbiter,
                                  cases[k].flow);
        swq_netchain_fractions f;
        n.traffic.load = 0.7;
        swq_netchain_answers a = solve(ctx, &n, true);
        cr_assert_eq(swq_netchain_rational(ctx, &n, "7/10", true, &f), SWQ_OK, "%s",
                     swq_context_message(ctx));
        cr_expect_eq(f.states, a.states);
        expect_near(a.throughput.value, atof(f.throughput.decimal), 1e-12, "throughput",
                    cases[k].buffer);
        expect_near(a.mean_packets, atof(f.mean_packets.decimal), 1e-12, "packets",
                    cases[k].buffer);
        expect_near(a.mean_delay, atof(f.mean_delay.decimal), 1e-12, "delay", cases[k].buffer);
        expect_near(a.refusal, atof(f.refusal.decimal), 1e-12, "refusal", cases[k].buffer);
        expect_near(a.stage[1].packets, atof(f.packets[1].decimal), 1e-12, "packets 2",
                    cases[k].buffer);
        if (n.sw.flow == SWQ_DISCARD) {
            expect_near(a.discard.value, atof(f.discard.decimal), 1e-12, "loss", cases[k].buffer);
        } else {
            expect_near(a.saturation.value, atof(f.saturation.decimal), 1e-12, "saturation",
                        cases[k].buffer);
            expect_near(a.mean_held, atof(f.mean_held.decimal), 1e-12, "held", cases[k].buffer);
        }
        swq_netchain_fractions_clear(ctx, &f);
    }
    swq_context_free(ctx);
}

/* ---- limits ---- */

static void expect_refused(swq_context *ctx, const swq_network *n, const char *word)
{
    swq_exact_options how = swq_exact_options_defaults();
    swq_netchain_answers a;

    cr_expect_eq(swq_netchain_solve(ctx, n, &how, &a), SWQ_EINVAL);
    cr_expect(strstr(swq_context_message(ctx), word), "no '%s' in: %s", word,
              swq_context_message(ctx));
}

Test(netchain, what_it_does_not_have_is_refused_by_name)
{
    swq_context *ctx = swq_context_new();
    const swq_network usual = a_network(ctx, "omega", "fifo", 1, "random", "discard same");
    swq_network n = usual;

    n.traffic.burst = 2;
    expect_refused(ctx, &n, "bursts");
    n = usual;
    n.traffic.kind = SWQ_SOURCE_OPEN;
    expect_refused(ctx, &n, "open");
    n = usual;
    n.sw.priority.fraction = 0.1;
    expect_refused(ctx, &n, "high priority");
    n = usual;
    n.resend = true;
    expect_refused(ctx, &n, "resending");
    n = usual;
    n.stale = 3;
    expect_refused(ctx, &n, "stale");
    n = usual;
    cr_assert_eq(swq_pattern_find(ctx, "bit-reversal", &n.traffic.pattern), SWQ_OK);
    expect_refused(ctx, &n, "bit-reversal");
    n = a_network(ctx, "omega", "cbda", 1, "random", "discard same");
    n.sw.buffer.pool_rule = &swq_pool_oldest;
    expect_refused(ctx, &n, "oldest");
    swq_context_free(ctx);
}

Test(netchain, what_does_not_fit_is_refused_with_its_size)
{
    swq_context *ctx = swq_context_new();
    swq_network n = a_network(ctx, "omega", "damq", 4, "random", "block same");
    swq_exact_options how = swq_exact_options_defaults();
    swq_netchain_answers a;
    swq_netchain_size size;
    swq_netchain_fractions f;

    swq_context_limit_memory(ctx, (size_t)1 << 30);
    n.shape.stages = 3;
    cr_assert_eq(swq_netchain_foresee(ctx, &n, true, &size), SWQ_OK);
    cr_expect_gt(size.states, 1e20);
    expect_near(size.unreduced, pow(15, 24), 1e-12, "contents", "24 buffers");
    cr_expect_eq(swq_netchain_solve(ctx, &n, &how, &a), SWQ_ELIMIT);
    cr_expect(strstr(swq_context_message(ctx), "1 GB"), "%s", swq_context_message(ctx));
    cr_expect_eq(swq_netchain_rational(ctx, &n, "1", true, &f), SWQ_ELIMIT);
    n.shape.stages = 7;
    cr_expect_eq(swq_netchain_solve(ctx, &n, &how, &a), SWQ_ELIMIT);
    swq_context_free(ctx);
}

Test(netchain, running_out_of_memory_leaves_nothing_behind)
{
    swq_context *ctx = swq_context_new();
    swq_network n = a_network(ctx, "omega", "fifo", 1, "random", "block same");
    swq_exact_options how = swq_exact_options_defaults();
    swq_netchain_answers a;
    swq_netchain_fractions f;
    swq_status status = SWQ_ENOMEM;

    n.traffic.load = 0.5;
    for (size_t after = 0; status; after += 1 + after / 8) {
        swq_context_fail_allocations(ctx, after, true);
        status = swq_netchain_solve(ctx, &n, &how, &a);
        cr_assert(!status || status == SWQ_ENOMEM);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
    }
    status = SWQ_ENOMEM;
    for (size_t after = 0; status; after += 1 + after / 4) {
        swq_context_fail_allocations(ctx, after, true);
        status = swq_netchain_rational(ctx, &n, "1/2", true, &f);
        cr_assert(!status || status == SWQ_ENOMEM);
        if (status)
            cr_assert_eq(swq_context_live_blocks(ctx), 0);
    }
    swq_netchain_fractions_clear(ctx, &f);
    swq_context_free(ctx);
}
