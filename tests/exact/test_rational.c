/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Answers in rational numbers: against fractions that are known in closed form or were computed
 * elsewhere, against the floating-point leg, and against conservation laws that must hold to the
 * last digit. That leg generates and solves in other ways from the same rules of one cycle; the
 * rules themselves are for test_against_reference.c.
 */
#include "base/context.h"
#include "exact/dixon.h"
#include "exact/numbers.h"
#include "tests/support/support.h"

TestSuite(rational, .timeout = 480);

/* Uniform traffic with equal loads. */
static swq_rational_traffic same_load(const char *load)
{
    swq_rational_traffic t = {.pattern = SWQ_RATIONAL_UNIFORM};

    for (int i = 0; i < SWQ_CHAIN_PORTS; i++)
        t.load[i] = load;
    return t;
}

static swq_rational_answers solve(swq_context *ctx, const swq_switch *sw,
                                  const swq_rational_traffic *traffic, bool reduce)
{
    swq_rational_answers a;
    swq_status status = swq_rational_solve(ctx, sw, traffic, reduce, &a);

    cr_assert_eq(status, SWQ_OK, "%s", swq_context_message(ctx));
    return a;
}

static void expect_fraction(const swq_fraction *f, const char *expected, const char *what)
{
    char text[2000];

    cr_assert(f->numerator, "%s is undefined", what);
    snprintf(text, sizeof text, "%s/%s", f->numerator, f->denominator);
    cr_expect_str_eq(text, expected, "%s is %s, not %s", what, text, expected);
}

/* The project's reference catalogue, A22; FIFO with one slot is p^2 / (2 (p^2 - p + 2)), SAFC with
 * one slot per queue and a = p / 2 is a^2 / (2 (a^2 - a + 1)). */
Test(rational, known_fractions)
{
    static const struct {
        const char *buffer;
        int slots;
        const char *load, *discard;
        const swq_pool_rule *rule;
    } cases[] = {
        {"fifo", 1, "1/4", "1/58", &swq_pool_room},
        {"fifo", 1, "1/2", "1/14", &swq_pool_room},
        {"fifo", 1, "0.75", "9/58", &swq_pool_room},
        {"fifo", 1, "8e-1", "4/23", &swq_pool_room},
        {"fifo", 1, "0.90", "81/382", &swq_pool_room},
        {"fifo", 1, "1", "1/4", &swq_pool_room},
        {"fifo", 2, "1/2", "3/242", &swq_pool_room},
        {"fifo", 2, "9/10", "72171/404546", &swq_pool_room},
        {"fifo", 5, "1", "1/4", &swq_pool_room},
        {"safc", 2, "0.5", "1/26", &swq_pool_room},
        {"safc", 2, "0.9", "81/602", &swq_pool_room},
        {"safc", 2, "1.0", "1/6", &swq_pool_room},
        {"samq", 2, "0.5", "29/616", &swq_pool_room},
        {"samq", 2, "0.9", "56781/350920", &swq_pool_room},
        {"samq", 2, "1", "7/36", &swq_pool_room},
        {"damq", 2, "0.5", "609/96569", &swq_pool_room},
        {"damq", 2, "0.9", "6950218203/65707870201", &swq_pool_room},
        {"cbda", 1, "0.5", "1/14", &swq_pool_ports},
        {"cbda", 1, "0.9", "81/382", &swq_pool_ports},
        {"cbda", 1, "1", "1/4", &swq_pool_ports},
        {"cbda", 2, "0.5", "1/1094", &swq_pool_ports},
        {"cbda", 2, "0.9", "531441/7883542", &swq_pool_ports},
    };
    swq_context *ctx = swq_context_new();

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char what[80], lowest[80];
        swq_switch sw = test_switch(ctx, cases[k].buffer, 2, cases[k].slots, 0.5, "random");
        sw.buffer.pool_rule = cases[k].rule;
        swq_rational_traffic t = same_load(cases[k].load);
        snprintf(what, sizeof what, "%s %d at %s", cases[k].buffer, cases[k].slots, cases[k].load);
        /* those of the catalogue are not all in lowest terms */
        mpq_t q;
        mpq_init(q);
        mpq_set_str(q, cases[k].discard, 10);
        mpq_canonicalize(q);
        gmp_snprintf(lowest, sizeof lowest, "%Qd", q);
        mpq_clear(q);
        for (int reduce = 0; reduce < 2; reduce++) {
            swq_rational_answers a = solve(ctx, &sw, &t, reduce);
            expect_fraction(&a.discard, lowest, what);
            swq_rational_answers_clear(ctx, &a);
        }
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* Catalogue, A1: input queues always full (Karol, Hluchyj and Morgan 1987). */
Test(rational, fifo_saturation)
{
    static const struct {
        int ports, slots;
        const char *throughput, *discard;
    } cases[] = {{1, 1, "1/1", "0/1"},         {2, 2, "3/4", "1/4"},
                 {3, 1, "43/63", "20/63"},     {3, 2, "43/63", "20/63"},
                 {4, 1, "325/496", "171/496"}, {4, 2, "325/496", "171/496"}};
    swq_context *ctx = swq_context_new();

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        swq_switch sw = test_switch(ctx, "fifo", cases[k].ports, cases[k].slots, 1, "random");
        swq_rational_traffic full = same_load("1"), low = same_load("1/3");
        swq_rational_answers a = solve(ctx, &sw, &full, true);
        expect_fraction(&a.throughput, cases[k].throughput, "throughput");
        expect_fraction(&a.discard, cases[k].discard, "discard");
        cr_assert_null(a.saturation.numerator);
        swq_rational_answers_clear(ctx, &a);
        if (cases[k].ports > 1 && cases[k].slots > 1) {
            sw.flow = SWQ_BLOCK;
            sw.credit = SWQ_CREDIT_NEXT;
            a = solve(ctx, &sw, &low, true);
            expect_fraction(&a.saturation, cases[k].throughput, "saturation");
            expect_fraction(&a.discard, "0/1", "discard");
            swq_rational_answers_clear(ctx, &a);
        }
    }
    swq_context_free(ctx);
}

static void close_to(const swq_fraction *f, double expected, const char *name, const char *what)
{
    double value = f->numerator ? strtod(f->decimal, NULL) : NAN;

    if (isnan(expected))
        cr_assert_null(f->numerator, "%s: %s", what, name);
    else
        assert_relative(value, expected, 1e-12, "%s: %s is %s, in doubles %.17g", what, name,
                        f->decimal, expected);
}

/* Sums of a few answers with known exact values. */
static void conserve(const swq_switch *sw, const swq_rational_answers *a, const char *what)
{
    mpq_t left, right, part;

    mpq_inits(left, right, part, NULL);
    for (int i = 0; i < sw->ports; i++) {
        char text[400];
        snprintf(text, sizeof text, "%s/%s", a->load[i].numerator, a->load[i].denominator);
        mpq_set_str(part, text, 10);
        mpq_add(right, right, part);
    }
    if (sw->flow == SWQ_DISCARD && mpq_sgn(right) > 0) {
        /* what is created is discarded or sent: holds exactly if pi sums to one */
        mpz_set_str(mpq_numref(left), a->throughput.numerator, 10);
        mpz_set_str(mpq_denref(left), a->throughput.denominator, 10);
        mpq_set_ui(part, (unsigned long)sw->ports, 1);
        mpq_mul(left, left, part);
        mpq_div(left, left, right);
        mpz_set_str(mpq_numref(part), a->discard.numerator, 10);
        mpz_set_str(mpq_denref(part), a->discard.denominator, 10);
        mpq_add(left, left, part);
        cr_expect(mpq_cmp_ui(left, 1, 1) == 0, "%s: packets are lost or made", what);
    }
    mpq_clears(left, right, part, NULL);
}

static void compare(const swq_switch *sw, const swq_rational_traffic *t, const char *what)
{
    swq_context *ctx = swq_context_new();
    swq_exact_options options = swq_exact_options_defaults();
    swq_answers d;
    options.reduce = false;
    cr_assert_eq(swq_exact_solve(ctx, sw, &options, &d), SWQ_OK, "%s: %s", what,
                 swq_context_message(ctx));

    for (int reduce = 0; reduce < 2; reduce++) {
        swq_rational_answers a = solve(ctx, sw, t, reduce);
        close_to(&a.discard, d.discard.value, "discard", what);
        close_to(&a.throughput, d.throughput.value, "throughput", what);
        close_to(&a.saturation, d.saturation.value, "saturation", what);
        close_to(&a.refusal, d.refusal, "refusal", what);
        close_to(&a.mean_packets, d.mean_packets, "packets", what);
        close_to(&a.mean_delay, d.mean_delay, "delay", what);
        close_to(&a.mean_held, d.mean_held, "held", what);
        close_to(&a.mean_source_wait, d.mean_source_wait, "wait", what);
        for (int i = 0; i < sw->ports; i++)
            close_to(&a.refusal_input[i], d.refusal_input[i], "by input", what);
        conserve(sw, &a, what);
        swq_rational_answers_clear(ctx, &a);
    }
    swq_answers_clear(ctx, &d);
    cr_assert_eq(swq_context_live_blocks(ctx), 0, "%s", what);
    swq_context_free(ctx);
}

/* Every preset, arbiter, flow control and credit on two ports, with equal and unequal loads. */
Test(rational, as_with_doubles_on_two_ports)
{
    swq_context *ctx = swq_context_new();

    for (int b = 0; swq_buffer_kinds[b]; b++) {
        for (int r = 0; swq_arbiters[r]; r++) {
            for (int k = 0; k < 8; k++) {
                const char *load[2] = {"0.7", k & 4 ? "1/4" : "7/10"};
                swq_switch sw =
                    test_switch(ctx, swq_buffer_kinds[b]->name, 2, 2, 0.7, swq_arbiters[r]->name);
                char what[80];
                sw.flow = k & 1 ? SWQ_BLOCK : SWQ_DISCARD;
                sw.credit = k & 2 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
                sw.load[1] = k & 4 ? 0.25 : 0.7;
                if (sw.buffer.scope == SWQ_POOL && r > 0)
                    continue;
                swq_rational_traffic t = same_load(load[0]);
                t.load[1] = load[1];
                snprintf(what, sizeof what, "%s %s %d", swq_buffer_kinds[b]->name,
                         swq_arbiters[r]->name, k);
                compare(&sw, &t, what);
            }
        }
    }
    swq_context_free(ctx);
}

/* Loads of zero and one: states that are left for good, and buffers never entered. */
Test(rational, as_with_doubles_at_the_edges)
{
    static const char *const loads[][2] = {{"0", "0"}, {"0", "1"}, {"1", "1"}, {"1", "1/2"}};
    static const double values[][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 0.5}};
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 4; k++) {
        for (int flow = 0; flow < 2; flow++) {
            char what[80];
            swq_switch sw = test_switch(ctx, k % 2 ? "fifo" : "damq", 2, 3, 0, "random");
            swq_rational_traffic t = same_load(loads[k][0]);
            t.load[1] = loads[k][1];
            sw.load[0] = values[k][0];
            sw.load[1] = values[k][1];
            sw.flow = flow ? SWQ_BLOCK : SWQ_DISCARD;
            snprintf(what, sizeof what, "loads %s %s, flow %d", loads[k][0], loads[k][1], flow);
            compare(&sw, &t, what);
        }
    }
    swq_context_free(ctx);
}

Test(rational, as_with_doubles_under_other_traffic)
{
    static const char *const matrix[9] = {"1/3", "2/3", "0", "0.25", "1/4", "5e-1", "0", "0", "1"};
    static const double values[9] = {1.0 / 3, 2.0 / 3, 0, 0.25, 0.25, 0.5, 0, 0, 1};
    swq_context *ctx = swq_context_new();

    for (int b = 0; swq_buffer_kinds[b]; b++) {
        int slots = swq_buffer_kinds[b]->partitioned ? 3 : 1;
        swq_switch sw = test_switch(ctx, swq_buffer_kinds[b]->name, 3, slots, 0.6, "random");
        swq_rational_traffic t = same_load("0.6");
        cr_assert_eq(swq_traffic_matrix(ctx, &sw, values), SWQ_OK);
        t.pattern = SWQ_RATIONAL_MATRIX;
        t.matrix = matrix;
        compare(&sw, &t, "matrix");
        sw.credit = SWQ_CREDIT_NEXT;
        cr_assert_eq(swq_traffic_hotspot(ctx, &sw, 0.125, 2), SWQ_OK);
        t.pattern = SWQ_RATIONAL_HOTSPOT;
        t.fraction = "1/8";
        t.hot = 2;
        compare(&sw, &t, "hot spot");
    }
    swq_context_free(ctx);
}

/* Four ports have 576 renamings, and a maximum of states that are one. */
Test(rational, as_with_doubles_on_four_ports)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "fifo", 4, 1, 0.3, "random");
    swq_rational_traffic t = same_load("3/10");

    t.load[2] = "0.8";
    sw.load[2] = 0.8;
    compare(&sw, &t, "fifo, one input apart");
    swq_context_free(ctx);
}

/* With p and q read as decimal text, nothing is rounded to a double on the way. */
Test(rational, numbers_are_what_their_text_says)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "fifo", 1, 1, 0.5, "random");
    static const char *const texts[][2] = {
        {"0.1", "1/10"},
        {"000.1", "1/10"},
        {".1", "1/10"},
        {"1e-1", "1/10"},
        {"0.01E+1", "1/10"},
        {"10/100", "1/10"},
        {"1.", "1/1"},
        {"0", "0/1"},
        {"0.0", "0/1"},
        {"0/7", "0/1"},
        {"0e5", "0/1"},
        {"3/3", "1/1"},
        {"100e-2", "1/1"},
        {"1e-25", "1/10000000000000000000000000"},
        {"0.30000000000000000000000000000001", "30000000000000000000000000000001/"
                                               "100000000000000000000000000000000"},
    };

    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        swq_rational_traffic t = same_load(texts[k][0]);
        swq_rational_answers a = solve(ctx, &sw, &t, true);
        expect_fraction(&a.load[0], texts[k][1], texts[k][0]);
        expect_fraction(&a.throughput, texts[k][1], texts[k][0]);
        swq_rational_answers_clear(ctx, &a);
    }
    swq_context_free(ctx);
}

Test(rational, decimals_are_correctly_rounded)
{
    static const char *const cases[][2] = {
        {"1/3", "0.33333333333333333333"},
        {"2/3", "0.66666666666666666667"},
        {"1/2", "0.5"},
        {"0/5", "0"},
        {"100", "100"},
        {"1/8", "0.125"},
        {"12345678901234567890", "12345678901234567890"},
        {"123456789012345678905", "1.2345678901234567891e20"},
        {"99999999999999999999/100000000000000000000", "0.99999999999999999999"},
        {"999999999999999999999/1000000000000000000000", "1"},
        {"1/300000", "3.3333333333333333333e-6"},
        {"1/30000", "0.000033333333333333333333"},
        {"1/10000", "0.0001"},
        {"1e-300", "1e-300"},
        {"10/3", "3.3333333333333333333"},
        {"1000001/10", "100000.1"},
    };
    mpq_t value;

    mpq_init(value);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char decimal[SWQ_RATIONAL_DECIMAL];
        cr_assert(swq_fraction_read(cases[k][0], value), "%s", cases[k][0]);
        swq_fraction_decimal(value, decimal);
        cr_expect_str_eq(decimal, cases[k][1], "%s is %s, not %s", cases[k][0], decimal,
                         cases[k][1]);
    }
    mpq_clear(value);
}

/* All packets go to one output of a nearly idle switch. The mean loss per cycle is a denormal
 * double, which lacks digits, and so do the figures that come from it. */
Test(rational, losses_too_small_for_a_double_are_not_overrated)
{
    static const struct {
        int slots;
        const char *word;
    } cases[] = {{4, "1e-20"}, {5, "1e-16"}, {6, "1e-13"}, {3, "1e-26"}, {4, "1e-22"}};
    swq_context *ctx = swq_context_new();
    swq_exact_options options = swq_exact_options_defaults();

    options.slope = options.variance = true;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double load = strtod(cases[k].word, NULL);
        swq_switch sw = test_switch(ctx, "cbda", 2, cases[k].slots, load, "random");
        swq_rational_traffic t = same_load(cases[k].word);
        cr_assert_eq(swq_traffic_hotspot(ctx, &sw, 1, 0), SWQ_OK);
        t.pattern = SWQ_RATIONAL_HOTSPOT;
        t.fraction = "1";
        swq_rational_answers exact = solve(ctx, &sw, &t, true);
        const double loss = strtod(exact.discard.decimal, NULL);
        for (int m = 0; swq_solvers[m]; m++) {
            swq_answers a;
            options.solver = swq_solvers[m];
            swq_status status = swq_exact_solve(ctx, &sw, &options, &a);
            if (status == SWQ_EPERIODIC || status == SWQ_ERANGE)
                continue;
            cr_assert(status == SWQ_OK || status == SWQ_ECONVERGE, "%s: %s", swq_solvers[m]->name,
                      swq_context_message(ctx));
            cr_expect(a.discard.lower <= loss && loss <= a.discard.upper,
                      "%s, %s: %.17g is not in %.17g .. %.17g", cases[k].word, swq_solvers[m]->name,
                      loss, a.discard.lower, a.discard.upper);
            cr_expect(isinf(a.relative_error) ||
                          fabs(a.discard_input[0] - loss) <= a.relative_error * loss,
                      "%s, %s", cases[k].word, swq_solvers[m]->name);
            cr_expect(isinf(a.slope.error) && isinf(a.variance.error), "%s, %s: %g, %g",
                      cases[k].word, swq_solvers[m]->name, a.slope.error, a.variance.error);
            swq_answers_clear(ctx, &a);
        }
        swq_rational_answers_clear(ctx, &exact);
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

static void refuse(swq_context *ctx, const swq_switch *sw, const swq_rational_traffic *t,
                   swq_status expected, const char *said)
{
    swq_rational_answers a, untouched;

    memset(&a, 0x5a, sizeof a);
    memset(&untouched, 0x5a, sizeof untouched);
    swq_status status = swq_rational_solve(ctx, sw, t, true, &a);
    cr_expect_eq(status, expected, "%s: %s", said, swq_status_text(status));
    cr_expect(strstr(swq_context_message(ctx), said), "no '%s' in '%s'", said,
              swq_context_message(ctx));
    cr_expect_eq(memcmp(&a, &untouched, sizeof a), 0, "answers were touched");
    cr_expect_eq(swq_context_live_blocks(ctx), 0);
}

Test(rational, bad_input_is_named)
{
    static const char *const bad[] = {"",
                                      "1.5",
                                      "-0.1",
                                      "3/2",
                                      "1/0",
                                      "1/00",
                                      "/2",
                                      "1/",
                                      "1//2",
                                      "1/2/3",
                                      "0.5/1",
                                      "nan",
                                      "0x1",
                                      " 0.5",
                                      "0.5 ",
                                      "1e",
                                      "1e9999999999",
                                      "..",
                                      ".",
                                      "1e-1001",
                                      "1.0000000000000000000000001",
                                      "1e99999999999999999999",
                                      "1e-99999999999999999999",
                                      "0e-99999999999999999999",
                                      "1e-9223372036854775808"};
    static const char *const rows[4] = {"1/2", "1/2", "1/3", "0.666666666666666666666"};
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "damq", 2, 2, 0.5, "random");
    swq_rational_traffic t = same_load("0.5");

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        char said[80];
        t.load[1] = bad[k];
        snprintf(said, sizeof said,
                 "load of input 1 must be a number from 0 to 1 such as 0.9 or a "
                 "fraction");
        refuse(ctx, &sw, &t, SWQ_EINVAL, said);
        snprintf(said, sizeof said, "not '%s'", bad[k]);
        refuse(ctx, &sw, &t, SWQ_EINVAL, said);
    }
    t.load[1] = NULL;
    refuse(ctx, &sw, &t, SWQ_EINVAL, "load of input 1");
    t = same_load("0.5");
    t.pattern = SWQ_RATIONAL_MATRIX;
    t.matrix = rows;
    refuse(ctx, &sw, &t, SWQ_EINVAL, "of input 1 must sum to exactly 1");
    t.pattern = SWQ_RATIONAL_HOTSPOT;
    t.fraction = "5/4";
    refuse(ctx, &sw, &t, SWQ_EINVAL, "'5/4'");
    t.fraction = "1/4";
    t.hot = 2;
    refuse(ctx, &sw, &t, SWQ_EINVAL, "hot-spot output must be 0 to 1, not 2");
    t = same_load("0.5");
    swq_switch pool = test_switch(ctx, "cbda", 2, 2, 0.5, "random");
    pool.buffer.pool_rule = &swq_pool_oldest;
    refuse(ctx, &pool, &t, SWQ_EINVAL, "pool-rule oldest");
    sw.ports = 0;
    refuse(ctx, &sw, &t, SWQ_EINVAL, "ports");
    swq_context_free(ctx);
}

/* A row sum that is off by less than a double resolves is still off. */
Test(rational, rows_must_sum_to_exactly_one)
{
    static const char *const rows[4] = {"0.3333333333333333333333333", "2/3", "1/2", "1/2"};
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "damq", 2, 2, 0.5, "random");
    swq_rational_traffic t = same_load("0.5");

    t.pattern = SWQ_RATIONAL_MATRIX;
    t.matrix = rows;
    refuse(ctx, &sw, &t, SWQ_EINVAL, "of input 0 must sum to exactly 1");
    swq_context_free(ctx);
}

Test(rational, a_chain_that_is_too_large_is_refused_with_what_would_fit)
{
    static const struct {
        const char *buffer;
        int ports, slots;
        const char *said;
    } cases[] = {{"damq", 2, 16, "this one has more, up to 5949; 13 slots per input port"},
                 {"damq", 2, 200, "this one has up to"},
                 {"samq", 2, 60, "slots per input port would fit"},
                 {"cbda", 2, 2000, "slots per input port would fit"},
                 {"damq", 8, 2, "fewer ports are needed"}};
    swq_context *ctx = swq_context_new();
    swq_rational_traffic t = same_load("0.5");

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        swq_switch sw =
            test_switch(ctx, cases[k].buffer, cases[k].ports, cases[k].slots, 0.5, "random");
        refuse(ctx, &sw, &t, SWQ_ELIMIT, cases[k].said);
        refuse(ctx, &sw, &t, SWQ_ELIMIT, "at most 3000 states");
    }
    swq_context_free(ctx);
}

static void custom(const swq_requests *requests, swq_dice *dice, int *grant)
{
    static const double coin[2] = {0.5, 0.5};

    for (int j = 0; j < requests->ports; j++)
        grant[j] = SWQ_NO_INPUT;
    swq_dice_loaded(dice, coin, 2);
}

Test(rational, an_arbiter_with_dice_of_its_own_is_refused)
{
    static const swq_arbiter own = {
        .name = "own", .summary = "", .source = "", .arbitrate = custom};
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "damq", 2, 1, 0.5, "random");
    swq_rational_traffic t = same_load("0.5");

    sw.arbiter = &own;
    refuse(ctx, &sw, &t, SWQ_EINVAL, "arbiter own throws loaded dice");
    swq_context_free(ctx);
}

/* Full queues whose turns follow the pointer: who is served when depends on the initial state. */
Test(rational, a_reducible_chain_is_refused_as_by_doubles)
{
    swq_context *ctx = swq_context_new();
    swq_exact_options options = swq_exact_options_defaults();
    swq_switch sw = test_switch(ctx, "samq", 2, 2, 1, "rotating");
    swq_rational_traffic full = same_load("1"), half = same_load("1/2");
    swq_answers d;

    sw.flow = SWQ_BLOCK;
    sw.credit = SWQ_CREDIT_NEXT;
    options.reduce = false;
    cr_assert_eq(swq_exact_solve(ctx, &sw, &options, &d), SWQ_EREDUCIBLE);
    refuse(ctx, &sw, &full, SWQ_EREDUCIBLE, "reducible: 2 closed classes");
    /* below saturation it has an answer, but no saturation throughput */
    swq_rational_answers a = solve(ctx, &sw, &half, true);
    cr_assert_null(a.saturation.numerator);
    cr_assert_not_null(a.throughput.numerator);
    swq_rational_answers_clear(ctx, &a);
    swq_context_free(ctx);
}

/* A chain given by rows of whole numbers. */
static swq_integer_rows rows_of(swq_context *ctx, int n, const unsigned long *entry)
{
    swq_integer_rows m = {0};
    mpz_t value, sum;

    mpz_inits(value, sum, NULL);
    for (int i = 0; i < n; i++) {
        mpz_set_ui(sum, 0);
        for (int j = 0; j < n; j++) {
            mpz_set_ui(value, entry[i * n + j]);
            mpz_add(sum, sum, value);
            if (entry[i * n + j])
                cr_assert_eq(swq_integer_rows_entry(ctx, &m, j, value), SWQ_OK);
        }
        cr_assert_eq(swq_integer_rows_finish(ctx, &m, sum), SWQ_OK);
    }
    mpz_clears(value, sum, NULL);
    return m;
}

/* Whatever the prime: with small ones the matrix is often singular, and many digits are needed. The
 * chain moves up and down, so y is known from detailed balance: 6 y_0 = 30 y_1, 70 y_1 = 35 y_2. */
Test(rational, any_prime_will_do)
{
    static const unsigned long entry[9] = {0, 6, 0, 30, 0, 70, 0, 35, 65};
    static const uint64_t from[] = {1, 2, 3, 4, 5, 10, 100, 1000003, SWQ_DIXON_PRIME};
    swq_context *ctx = swq_context_new();
    swq_integer_rows m = rows_of(ctx, 3, entry);

    for (size_t k = 0; k < sizeof from / sizeof *from; k++) {
        swq_integers y = {0};
        cr_assert_eq(swq_dixon_null_vector(ctx, &m, from[k], &y), SWQ_OK);
        cr_assert_eq(y.count, 3);
        cr_assert(mpz_cmp_ui(y.at[0], 0) > 0);
        for (int i = 0; i < 3; i++)
            mpz_mul_ui(y.at[i], y.at[i], i == 0 ? 6 : i == 1 ? 30 : 15);
        cr_expect_eq(mpz_cmp(y.at[0], y.at[1]), 0, "from %llu", (unsigned long long)from[k]);
        cr_expect_eq(mpz_cmp(y.at[1], y.at[2]), 0, "from %llu", (unsigned long long)from[k]);
        swq_integers_clear(ctx, &y);
    }
    swq_integer_rows_clear(ctx, &m);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* Denominators of the unknowns that partly share small factors, which a combination might lose:
 * many small chains, each checked against its own equations. */
Test(rational, null_vectors_of_many_small_chains)
{
    swq_context *ctx = swq_context_new();
    uint64_t seed = 1;

    for (int c = 0; c < 300; c++) {
        unsigned long entry[36];
        int n = 2 + c % 5;
        for (int k = 0; k < n * n; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            entry[k] = (unsigned long)(seed >> 33) % 12 + (k % n == (k / n + 1) % n);
        }
        swq_integer_rows m = rows_of(ctx, n, entry);
        swq_integers y = {0};
        cr_assert_eq(swq_dixon_null_vector(ctx, &m, SWQ_DIXON_PRIME, &y), SWQ_OK);
        mpz_t in;
        mpz_init(in);
        for (int j = 0; j < n; j++) {
            mpz_set_ui(in, 0);
            for (int i = 0; i < n; i++)
                mpz_addmul_ui(in, y.at[i], entry[i * n + j]);
            mpz_submul(in, y.at[j], m.denominator.at[j]);
            cr_assert_eq(mpz_sgn(in), 0, "chain %d", c);
            cr_assert(mpz_sgn(y.at[j]) > 0);
        }
        mpz_clear(in);
        swq_integers_clear(ctx, &y);
        swq_integer_rows_clear(ctx, &m);
    }
    swq_context_free(ctx);
}

Test(rational, every_failing_allocation_is_reported_and_nothing_leaks)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "damq", 2, 2, 0.5, "random");
    static const char *const rows[4] = {"1/2", "1/2", "1/3", "2/3"};
    swq_rational_traffic t = same_load("1/3");

    sw.flow = SWQ_BLOCK;
    t.load[1] = "1/2";
    t.pattern = SWQ_RATIONAL_MATRIX;
    t.matrix = rows;
    for (int kind = 0; kind < 2; kind++) {
        int failures = 0;
        for (size_t after = 0;; after++) {
            swq_rational_answers a;
            swq_context_fail_allocations(ctx, after, kind == 1);
            swq_status status = swq_rational_solve(ctx, &sw, &t, true, &a);
            swq_context_fail_allocations(ctx, SIZE_MAX, false);
            if (!status) {
                swq_rational_answers_clear(ctx, &a);
                cr_assert_eq(swq_context_live_blocks(ctx), 0);
                break;
            }
            cr_assert_eq(status, SWQ_ENOMEM, "allocation %zu: %s", after, swq_status_text(status));
            cr_assert_eq(swq_context_live_blocks(ctx), 0, "allocation %zu", after);
            failures++;
        }
        cr_assert_gt(failures, 50, "%d", failures);
    }
    swq_context_free(ctx);
}

Test(rational, the_memory_limit_and_the_wish_to_stop_are_kept)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "damq", 2, 6, 0.5, "random");
    swq_rational_traffic t = same_load("0.5");
    swq_rational_answers a;

    swq_context_limit_memory(ctx, 200000);
    cr_assert_eq(swq_rational_solve(ctx, &sw, &t, false, &a), SWQ_ELIMIT);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    cr_assert_leq(swq_context_peak_bytes(ctx), 200000);
    swq_context_limit_memory(ctx, 0);
    swq_context_cancel(ctx);
    refuse(ctx, &sw, &t, SWQ_ECANCELLED, "cancelled");
    swq_context_free(ctx);
}

/* A number of 10,000 bytes is counted while it lives, and only within begin and end; what exceeds
 * the limit is noticed when it is looked at. A solution gives all back. */
Test(rational, the_memory_of_numbers_is_counted)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "damq", 2, 4, 0.5, "random");
    swq_rational_traffic t = same_load("0.123456789123456789");
    swq_rational_answers a;
    mpz_t number;

    swq_context_limit_memory(ctx, 15000);
    swq_numbers_begin(ctx);
    mpz_init2(number, 80000);
    cr_expect_geq(swq_context_live_bytes(ctx), 10000);
    cr_expect_lt(swq_context_live_bytes(ctx), 10100);
    cr_expect_eq(swq_context_keep_limit(ctx), SWQ_OK);
    mpz_realloc2(number, 160000);
    cr_expect_geq(swq_context_live_bytes(ctx), 20000);
    cr_expect_eq(swq_context_keep_limit(ctx), SWQ_ELIMIT);
    mpz_clear(number);
    cr_expect_eq(swq_context_live_bytes(ctx), 0);
    swq_numbers_end();
    mpz_init2(number, 80000);
    cr_expect_eq(swq_context_live_bytes(ctx), 0);
    mpz_clear(number);
    swq_context_free(ctx);

    ctx = swq_context_new();
    cr_assert_eq(swq_rational_solve(ctx, &sw, &t, true, &a), SWQ_OK);
    swq_rational_answers_clear(ctx, &a);
    cr_expect_eq(swq_context_live_bytes(ctx), 0);
    const size_t peak = swq_context_peak_bytes(ctx);
    swq_context_limit_memory(ctx, peak * 9 / 10);
    cr_expect_eq(swq_rational_solve(ctx, &sw, &t, true, &a), SWQ_ELIMIT);
    cr_expect_eq(swq_context_live_bytes(ctx), 0);
    swq_context_free(ctx);
}
