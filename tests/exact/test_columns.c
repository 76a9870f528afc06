/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Switches whose outputs are solved one by one (exact/columns.h) against the same switches solved
 * as a whole: answers, slopes, delays, and the sizes found for a target.
 */
#include "exact/columns.h"
#include "tests/support/support.h"

TestSuite(columns, .timeout = 60);

enum { CASES = 12 };

static void expect(double is, double expected, const char *what, const char *quantity)
{
    if (isnan(expected))
        cr_assert(isnan(is), "%s: %s %g", what, quantity, is);
    else
        assert_relative(is, expected, 1e-12, "%s: %s %.15g, not %.15g", what, quantity, is,
                        expected);
}

static swq_switch make(swq_context *ctx, const char *architecture, int ports, int size,
                       const char *arbiter)
{
    swq_switch sw = test_switch(ctx, "damq", ports, 1, 0.75, arbiter);

    cr_assert_eq(swq_architecture_find(ctx, architecture, SWQ_ENGINE_SYNC, &sw.architecture),
                 SWQ_OK);
    sw.output_slots = sw.architecture->stage.output_queues ? size : 0;
    sw.crosspoint_slots = sw.architecture->stage.crosspoints ? size : 0;
    swq_switch_own_memory(&sw);
    return sw;
}

/* Two switches whose outputs are of one kind, others with two or more kinds, idle inputs and
 * outputs, unequal loads, and probabilities that no double represents. */
static swq_switch make_case(swq_context *ctx, int k, char *what, size_t size)
{
    static const struct {
        const char *architecture, *arbiter;
        int ports, size;
    } rows[] = {{"output-queued", "random", 3, 2},
                {"crosspoint", "longest", 2, 2},
                {"crosspoint", "islip", 2, 1},
                {"crosspoint", "random", 3, 1}};
    static const double skewed[9] = {0.7, 0.1, 0.2, 0.3, 0.3, 0.4, 0.1, 0.6, 0.3};
    static const double idle[9] = {0, 0.9, 0.1, 0, 0.2, 0.8, 0, 0.5, 0.5};
    const int row = k % 4, traffic = k / 4, n = rows[row].ports;
    swq_switch sw = make(ctx, rows[row].architecture, n, rows[row].size, rows[row].arbiter);
    double matrix[9];

    for (int i = 0; i < n && traffic > 0; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += (traffic == 1 ? skewed : idle)[i * 3 + j];
        for (int j = 0; j < n; j++)
            matrix[i * n + j] = (traffic == 1 ? skewed : idle)[i * 3 + j] / sum;
        sw.load[i] = traffic == 1 ? 0.9 - 0.3 * i : 0.6 * (i != 1);
    }
    if (traffic > 0)
        cr_assert_eq(swq_traffic_matrix(ctx, &sw, matrix), SWQ_OK, "%s", swq_context_message(ctx));
    snprintf(what, size, "%s, %s, traffic %d", rows[row].architecture, rows[row].arbiter, traffic);
    return sw;
}

static void compare(const swq_answers *is, const swq_answers *whole, int ports, const char *what)
{
    expect(is->discard.value, whole->discard.value, what, "discard");
    expect(is->throughput.value, whole->throughput.value, what, "throughput");
    expect(is->refusal, whole->refusal, what, "refusal");
    expect(is->mean_packets, whole->mean_packets, what, "packets");
    expect(is->mean_behind, whole->mean_behind, what, "packets behind");
    expect(is->mean_delay, whole->mean_delay, what, "delay");
    expect(is->slope.value, whole->slope.value, what, "slope");
    expect(is->slope_by_load.value, whole->slope_by_load.value, what, "slope by load");
    cr_assert_eq(is->buffers, ports);
    cr_assert_eq(whole->buffers, ports);
    cr_assert_eq(is->capacity, whole->capacity);
    for (int k = 0; k < ports * (is->capacity + 1); k++)
        expect(is->occupancy[k], whole->occupancy[k], what, "occupancy");
    for (int j = 0; j < ports; j++) {
        double mean = 0;
        for (int k = 0; k <= is->capacity; k++)
            mean += k * is->occupancy[j * (is->capacity + 1) + k];
        expect(mean, is->waiting_output[j], what, "packets waiting, of the distribution");
        expect(is->full[j], whole->full[j], what, "full");
    }
    cr_assert(is->discard.lower <= whole->discard.value * (1 + 1e-13) &&
                  whole->discard.value <= is->discard.upper * (1 + 1e-13),
              "%s: bounds of the loss", what);
    cr_assert(is->throughput.lower <= whole->throughput.value * (1 + 1e-13) &&
                  whole->throughput.value <= is->throughput.upper * (1 + 1e-13),
              "%s: bounds of the throughput", what);
    for (int p = 0; p < ports; p++) {
        expect(is->discard_input[p], whole->discard_input[p], what, "discard by input");
        expect(is->discard_output[p], whole->discard_output[p], what, "discard by output");
        expect(is->throughput_output[p], whole->throughput_output[p], what, "by output");
        expect(is->waiting_output[p], whole->waiting_output[p], what, "waiting");
    }
}

static swq_answers solve(swq_context *ctx, const swq_switch *sw, bool reduce)
{
    swq_exact_options options = swq_exact_options_defaults();
    swq_answers a;

    options.reduce = reduce;
    options.slope = true;
    cr_assert_eq(swq_exact_solve(ctx, sw, &options, &a), SWQ_OK, "%s", swq_context_message(ctx));
    return a;
}

Test(columns, answers_are_those_of_the_whole)
{
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < CASES; k++) {
        char what[80];
        const swq_switch sw = make_case(ctx, k, what, sizeof what);
        swq_answers is = solve(ctx, &sw, true), whole = solve(ctx, &sw, false);
        compare(&is, &whole, sw.ports, what);
        cr_assert_lt(is.unreduced, whole.unreduced, "%s", what);
        swq_answers_clear(ctx, &is);
        swq_answers_clear(ctx, &whole);
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

static swq_delay follow(swq_context *ctx, const swq_switch *sw, bool reduce)
{
    swq_exact_options options = swq_exact_options_defaults();
    const swq_packets_options packets = swq_packets_options_defaults();
    swq_delay d;

    options.reduce = reduce;
    cr_assert_eq(swq_exact_delay(ctx, sw, &options, &packets, &d), SWQ_OK, "%s",
                 swq_context_message(ctx));
    return d;
}

Test(columns, delays_are_those_of_the_whole)
{
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < CASES; k++) {
        char what[80];
        const swq_switch sw = make_case(ctx, k, what, sizeof what);
        swq_delay is = follow(ctx, &sw, true), whole = follow(ctx, &sw, false);
        expect(is.mean.value, whole.mean.value, what, "mean");
        expect(is.variance.value, whole.variance.value, what, "variance");
        expect(is.accepted, whole.accepted, what, "accepted");
        for (int p = 0; p < SWQ_DELAY_PERCENTILES; p++)
            cr_assert_eq(is.percentile[p], whole.percentile[p], "%s: percentile %d", what, p);
        for (int p = 0; p < sw.ports; p++) {
            expect(is.mean_input[p], whole.mean_input[p], what, "mean by input");
            expect(is.mean_output[p], whole.mean_output[p], what, "mean by output");
        }
        for (int64_t t = 0; t <= is.most && t <= whole.most; t++) {
            cr_assert(fabs(is.probability[t] - whole.probability[t]) < 1e-13, "%s", what);
            cr_assert(fabs(is.longer[t] - whole.longer[t]) < 1e-13, "%s", what);
        }
        cr_assert(is.mean.lower <= whole.mean.upper && whole.mean.lower <= is.mean.upper);
        cr_assert(is.variance.lower <= whole.variance.upper &&
                  whole.variance.lower <= is.variance.upper);
        swq_delay_clear(ctx, &is);
        swq_delay_clear(ctx, &whole);
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* A burst for one output keeps its input from the others, so the outputs are not independent. */
Test(columns, bursts_are_not_taken_apart)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = make(ctx, "output-queued", 2, 2, "random");
    const swq_exact_options options = swq_exact_options_defaults();

    cr_assert(swq_columns_apart(&sw, &options));
    sw.burst = 2;
    cr_assert_not(swq_columns_apart(&sw, &options));
    swq_answers is = solve(ctx, &sw, true), whole = solve(ctx, &sw, false);
    compare(&is, &whole, sw.ports, "bursts");
    swq_answers_clear(ctx, &is);
    swq_answers_clear(ctx, &whole);
    swq_context_free(ctx);
}

/* Nothing is created: there is no percentile and no delay. */
Test(columns, no_packets)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = make(ctx, "output-queued", 3, 2, "random");

    for (int i = 0; i < sw.ports; i++)
        sw.load[i] = 0;
    swq_answers a = solve(ctx, &sw, true);
    swq_delay d = follow(ctx, &sw, true);
    cr_assert_eq(a.discard.value, 0);
    cr_assert_eq(a.throughput.value, 0);
    cr_assert(isnan(a.mean_delay) && isnan(a.slope.value) && isnan(d.mean.value));
    cr_assert_eq(d.percentile[0], -1);
    swq_answers_clear(ctx, &a);
    swq_delay_clear(ctx, &d);
    swq_context_free(ctx);
}

/* So many ports that a product of chains would not fit, done instantly. */
Test(columns, many_ports)
{
    swq_context *ctx = swq_context_new();
    const swq_switch sw = make(ctx, "output-queued", 8, 8, "random");
    swq_answers a = solve(ctx, &sw, true);

    cr_assert_eq(a.states, 8);
    cr_assert_eq(a.buffers, 8);
    for (int j = 0; j < 8; j++) {
        double sum = 0;
        for (int k = 0; k <= a.capacity; k++)
            sum += a.occupancy[j * (a.capacity + 1) + k];
        assert_relative(sum, 1, 1e-13, "output %d: %.15g", j, sum);
    }
    swq_answers_clear(ctx, &a);
    swq_context_free(ctx);
}

/* The size found meets the target and the next smaller one does not. */
Test(columns, sizes_for_a_target)
{
    static const struct {
        const char *architecture;
        swq_size size, other;
    } rows[] = {{"output-queued", SWQ_SIZE_OUTPUT_SLOTS, SWQ_SIZE_CROSSPOINT_SLOTS},
                {"crosspoint", SWQ_SIZE_CROSSPOINT_SLOTS, SWQ_SIZE_OUTPUT_SLOTS}};
    const swq_exact_options options = swq_exact_options_defaults();
    swq_context *ctx = swq_context_new();

    for (int r = 0; r < 2; r++) {
        swq_switch sw = make(ctx, rows[r].architecture, 3, 1, "random"), smaller = sw;
        swq_answers a, b;
        cr_assert_eq(swq_exact_size_for_target(ctx, &sw, rows[r].size, 1e-3, 64, &options, &a),
                     SWQ_OK, "%s", swq_context_message(ctx));
        cr_assert(a.discard.upper <= 1e-3, "%s: %g", rows[r].architecture, a.discard.upper);
        smaller.output_slots = sw.output_slots - (sw.output_slots > 0);
        smaller.crosspoint_slots = sw.crosspoint_slots - (sw.crosspoint_slots > 0);
        cr_assert(smaller.output_slots + smaller.crosspoint_slots > 0);
        swq_switch_own_memory(&smaller);
        b = solve(ctx, &smaller, true);
        cr_assert(b.discard.value > 1e-3, "%s: one less is enough", rows[r].architecture);
        swq_answers_clear(ctx, &a);
        swq_answers_clear(ctx, &b);
        cr_assert_eq(swq_exact_size_for_target(ctx, &sw, rows[r].other, 1e-3, 64, &options, &a),
                     SWQ_EINVAL);
        cr_assert_eq(swq_exact_size_for_target(ctx, &sw, rows[r].size, 1e-12, 3, &options, &a),
                     SWQ_ERANGE);
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* A load near 1 leaves little of 1, and the rounding of its product with a destination probability
 * is large beside that. */
Test(columns, an_output_that_is_rarely_idle)
{
    static const double hot[] = {0.9, 0.999, 0.9999};
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 3; k++) {
        swq_switch sw = make(ctx, "output-queued", 2, 3, "random");
        swq_exact_options options = swq_exact_options_defaults();
        swq_answers is, whole;
        sw.load[0] = sw.load[1] = 1;
        cr_assert_eq(swq_traffic_hotspot(ctx, &sw, hot[k], 0), SWQ_OK);
        cr_assert_eq(swq_exact_solve(ctx, &sw, &options, &is), SWQ_OK);
        options.reduce = false;
        cr_assert_eq(swq_exact_solve(ctx, &sw, &options, &whole), SWQ_OK);
        for (int n = 0; n < 2 * 4; n++)
            assert_relative(is.occupancy[n], whole.occupancy[n],
                            is.relative_error + whole.relative_error, "%g: %d", hot[k], n);
        swq_answers_clear(ctx, &is);
        swq_answers_clear(ctx, &whole);
    }
    swq_context_free(ctx);
}

/* A load of 1 that each input has for one output alone is not rounded. */
Test(columns, a_certain_destination_is_exact)
{
    static const double matrix[] = {1, 0, 0.5, 0.5}, nearly[] = {1, 1e-20, 0.5, 0.5};
    swq_context *ctx = swq_context_new();
    swq_switch sw = make(ctx, "output-queued", 2, 3, "random");
    swq_exact_options options = swq_exact_options_defaults();
    swq_answers a;

    sw.load[0] = sw.load[1] = 1;
    cr_assert_eq(swq_traffic_matrix(ctx, &sw, matrix), SWQ_OK);
    cr_assert_eq(swq_exact_solve(ctx, &sw, &options, &a), SWQ_OK);
    cr_assert_lt(a.relative_error, 1e-12);
    swq_answers_clear(ctx, &a);
    /* the sum of the first row is not 1, but no double says so */
    cr_assert_eq(swq_traffic_matrix(ctx, &sw, nearly), SWQ_OK);
    cr_assert_eq(swq_exact_solve(ctx, &sw, &options, &a), SWQ_ECONVERGE);
    cr_assert(isinf(a.relative_error));
    swq_answers_clear(ctx, &a);
    swq_context_free(ctx);
}

/* The shares of the kinds of outputs have errors, which widen the mean of all packets. */
Test(columns, shares_widen_a_mean)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = make(ctx, "output-queued", 2, 3, "random");

    cr_assert_eq(swq_traffic_hotspot(ctx, &sw, 0.3, 0), SWQ_OK);
    swq_delay d = follow(ctx, &sw, true);
    cr_assert_geq(d.mean.upper - d.mean.value, 0.9 * d.relative_error * d.mean.value);
    cr_assert_geq(d.mean.value - d.mean.lower, 0.9 * d.relative_error * d.mean.value);
    swq_delay_clear(ctx, &d);
    swq_context_free(ctx);
}
