/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * models/traffic.c: the patterns as formulas, and their errors.
 */
#include "tests/support/support.h"

static swq_context *ctx;

static void setup(void)
{
    ctx = swq_context_new();
}

static void teardown(void)
{
    swq_context_free(ctx);
}

TestSuite(traffic, .init = setup, .fini = teardown, .timeout = 120);

/* Everything that a pattern does not fill is set to recognizable values. */
static swq_switch marked(int ports)
{
    swq_switch sw = {.ports = ports, .flow = SWQ_BLOCK, .credit = SWQ_CREDIT_NEXT};

    for (int i = 0; i < SWQ_CHAIN_PORTS; i++) {
        sw.load[i] = 0.5;
        for (int j = 0; j < SWQ_CHAIN_PORTS; j++)
            sw.dest[i][j] = -7;
    }
    return sw;
}

/* Field by field, as padding is undefined. */
static void expect_same(const swq_switch *a, const swq_switch *b)
{
    cr_assert(a->flow == b->flow && a->credit == b->credit && a->ports == b->ports);
    cr_assert_eq(memcmp(a->load, b->load, sizeof a->load), 0, "a load was touched");
    for (int i = 0; i < SWQ_CHAIN_PORTS; i++) {
        for (int j = 0; j < SWQ_CHAIN_PORTS; j++)
            cr_assert_eq(a->dest[i][j], b->dest[i][j], "input %d, output %d was touched", i, j);
    }
}

static void expect_untouched(const swq_switch *sw)
{
    swq_switch expected = marked(sw->ports);

    expect_same(sw, &expected);
}

static void expect_rest_untouched(const swq_switch *sw)
{
    swq_switch expected = marked(sw->ports);

    for (int i = 0; i < sw->ports; i++) {
        for (int j = 0; j < sw->ports; j++)
            expected.dest[i][j] = sw->dest[i][j];
    }
    expect_same(sw, &expected);
}

static void expect_rows_sum_to_one(const swq_switch *sw)
{
    for (int i = 0; i < sw->ports; i++) {
        double sum = 0;
        for (int j = 0; j < sw->ports; j++)
            sum += sw->dest[i][j];
        cr_assert(fabs(sum - 1) < 1e-15 * sw->ports, "row %d sums to %.17g", i, sum);
    }
}

Test(traffic, uniform)
{
    for (int n = 1; n <= SWQ_CHAIN_PORTS; n++) {
        swq_switch sw = marked(n);
        swq_traffic_uniform(&sw);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++)
                cr_assert_eq(sw.dest[i][j], 1.0 / n);
        }
        expect_rows_sum_to_one(&sw);
        expect_rest_untouched(&sw);
    }
}

Test(traffic, hot_spot)
{
    static const double fractions[] = {0, 0.05, 0.25, 1.0 / 3, 1};

    for (int n = 1; n <= SWQ_CHAIN_PORTS; n++) {
        for (int hot = 0; hot < n; hot++) {
            for (int k = 0; k < 5; k++) {
                double f = fractions[k];
                swq_switch sw = marked(n);
                cr_assert_eq(swq_traffic_hotspot(ctx, &sw, f, hot), SWQ_OK);
                for (int i = 0; i < n; i++) {
                    for (int j = 0; j < n; j++)
                        assert_relative(sw.dest[i][j], j == hot ? f + (1 - f) / n : (1 - f) / n,
                                        1e-15, "%d ports, fraction %g", n, f);
                }
                expect_rows_sum_to_one(&sw);
                expect_rest_untouched(&sw);
            }
        }
    }
}

Test(traffic, hot_spot_errors)
{
    static const double fractions[] = {-1e-9, 1 + 1e-9, NAN, INFINITY, -INFINITY};
    static const int outputs[] = {-1, 4, 17};
    swq_switch sw = marked(4);

    for (int k = 0; k < 5; k++) {
        cr_assert_eq(swq_traffic_hotspot(ctx, &sw, fractions[k], 0), SWQ_EINVAL);
        cr_assert_not_null(strstr(swq_context_message(ctx), "hot-spot fraction must be 0 to 1"));
    }
    for (int k = 0; k < 3; k++) {
        cr_assert_eq(swq_traffic_hotspot(ctx, &sw, 0.5, outputs[k]), SWQ_EINVAL);
        cr_assert_not_null(strstr(swq_context_message(ctx), "hot-spot output must be 0 to 3"));
    }
    expect_untouched(&sw);
}

Test(traffic, a_matrix_is_taken_row_by_row)
{
    static const double m[] = {0.5, 0.25, 0.25, 0, 1, 0, 0.125, 0.125, 0.75};
    swq_switch sw = marked(3);

    cr_assert_eq(swq_traffic_matrix(ctx, &sw, m), SWQ_OK, "%s", swq_context_message(ctx));
    for (int k = 0; k < 9; k++)
        cr_assert_eq(sw.dest[k / 3][k % 3], m[k]);
    expect_rest_untouched(&sw);
}

Test(traffic, rows_within_1e_9_are_scaled)
{
    static const double m[] = {0.3333333333, 0.3333333333, 0.3333333333, 0.1,   0.2,
                               0.7,          0.5,          0.5,          0.9e-9};
    swq_switch sw = marked(3);

    cr_assert_eq(swq_traffic_matrix(ctx, &sw, m), SWQ_OK, "%s", swq_context_message(ctx));
    expect_rows_sum_to_one(&sw);
    for (int j = 0; j < 3; j++)
        assert_relative(sw.dest[0][j], 1.0 / 3, 1e-15, "%.17g", sw.dest[0][j]);
    expect_rest_untouched(&sw);
}

static void expect_matrix_error(const double *m, const char *part)
{
    swq_switch sw = marked(2);

    cr_assert_eq(swq_traffic_matrix(ctx, &sw, m), SWQ_EINVAL, "%s", part);
    cr_assert_not_null(strstr(swq_context_message(ctx), part), "'%s' lacks '%s'",
                       swq_context_message(ctx), part);
}

Test(traffic, matrix_errors_name_row_and_entry)
{
    expect_matrix_error((const double[]){0.5, 0.5, -0.1, 1.1}, "input 1, output 0 must be 0 to 1");
    expect_matrix_error((const double[]){0, 1.1, 0.5, 0.5}, "input 0, output 1 must be 0 to 1");
    expect_matrix_error((const double[]){0.5, 0.5, 0.5, NAN}, "input 1, output 1 must be 0 to 1");
    expect_matrix_error((const double[]){INFINITY, 0, 0.5, 0.5}, "input 0, output 0 must be");
    expect_matrix_error((const double[]){0.5, 0.4, 0.5, 0.5}, "input 0 must sum to 1, not 0.9");
    expect_matrix_error((const double[]){0.5, 0.5, 1, 1}, "input 1 must sum to 1, not 2");
    expect_matrix_error((const double[]){0.5, 0.5, 0, 0}, "input 1 must sum to 1, not 0");
    expect_matrix_error((const double[]){0.5, 0.5 + 2e-9, 0, 1}, "input 0 must sum to 1");
}

/* Outputs are untouched on failure, including the rows before the bad one. */
Test(traffic, a_bad_matrix_changes_nothing)
{
    swq_switch sw = marked(2);

    cr_assert_eq(swq_traffic_matrix(ctx, &sw, (const double[]){0.5, 0.5, 0.5, 0.4}), SWQ_EINVAL);
    expect_untouched(&sw);
}
