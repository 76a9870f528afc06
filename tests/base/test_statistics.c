/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/statistics.c: t against printed tables and closed forms, intervals by hand and by how often
 * they cover, MSER-5 and percentiles against their definitions done slowly. Random data come from
 * fixed seeds, so nothing here fails now and then; the bands say what chance alone would leave with
 * probability 0.999. Not pinned: the rounding of the last digits.
 */
#include "base/statistics.h"
#include "tests/support/support.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

enum { REPLICATIONS = 2000 };

static gsl_rng *rng;

static void setup(void)
{
    rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 20240607);
}

static void teardown(void)
{
    gsl_rng_free(rng);
}

TestSuite(statistics, .init = setup, .fini = teardown, .timeout = 240);

/* ---- Student's t ---- */

Test(statistics, t_as_printed)
{
    static const struct {
        double degrees, t90, t95, t99;
    } row[] = {
        {1, 6.314, 12.706, 63.657},     {2, 2.920, 4.303, 9.925},  {3, 2.353, 3.182, 5.841},
        {4, 2.132, 2.776, 4.604},       {5, 2.015, 2.571, 4.032},  {9, 1.833, 2.262, 3.250},
        {10, 1.812, 2.228, 3.169},      {19, 1.729, 2.093, 2.861}, {29, 1.699, 2.045, 2.756},
        {30, 1.697, 2.042, 2.750},      {60, 1.671, 2.000, 2.660}, {120, 1.658, 1.980, 2.617},
        {1e9, 1.6449, 1.95996, 2.5758},
    };

    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        double degrees = row[k].degrees;
        cr_assert_float_eq(swq_student_t(0.90, degrees), row[k].t90, 5.1e-4, "%g", degrees);
        cr_assert_float_eq(swq_student_t(0.95, degrees), row[k].t95, 5.1e-4, "%g", degrees);
        cr_assert_float_eq(swq_student_t(0.99, degrees), row[k].t99, 5.1e-4, "%g", degrees);
    }
}

/* P(|T| < t) is 2 atan(t) / pi with one degree of freedom and t / sqrt(2 + t^2) with two. */
Test(statistics, t_in_closed_form)
{
    for (double c = 0.01; c < 0.9995; c += 0.01) {
        double one = tan(asin(1) * c), two = c * sqrt(2 / (1 - c * c));
        assert_relative(swq_student_t(c, 1), one, 1e-10, "one degree, %g", c);
        assert_relative(swq_student_t(c, 2), two, 1e-10, "two degrees, %g", c);
        for (double degrees = 0.5; degrees < 1000; degrees *= 1.7)
            cr_assert_gt(swq_student_t(c, degrees), swq_student_t(c, degrees * 1.7), "%g %g", c,
                         degrees);
    }
}

/* ---- intervals ---- */

static void expect_interval(const double *above, const double *below, size_t batches, double mean,
                            double half_width)
{
    double m = -1, h = -1;

    swq_ratio_interval(above, below, batches, 0.95, &m, &h);
    assert_relative(m, mean, 1e-14, "mean %.17g, not %.17g", m, mean);
    assert_relative(h, half_width, 1e-9, "half-width %.17g, not %.17g", h, half_width);
}

/* t(0.95) with 2 and 3 degrees of freedom, to more places than are printed above */
static const double t2 = 4.302652729749464, t3 = 3.182446305283710;

Test(statistics, interval_by_hand)
{
    static const double x[] = {1, 2, 3}; /* s^2 = 1 */
    expect_interval(x, NULL, 3, 2, t2 / sqrt(3));
    static const double ones[] = {1, 1, 1}, twos[] = {2, 2, 2};
    expect_interval(x, ones, 3, 2, t2 / sqrt(3));
    expect_interval(x, twos, 3, 1, t2 / sqrt(3) / 2);

    /* r = 12 / 8; residuals 1 - 3/2, 2 - 3/2, 5 - 6/2, 4 - 6; sum of squares 1/4 + 1/4 + 4 + 4 */
    static const double a[] = {1, 2, 5, 4}, b[] = {1, 1, 2, 4};
    expect_interval(a, b, 4, 1.5, t3 * sqrt(8.5 / 12) / 2);

    /* the mean of the quotients would be 7/4 for three batches; a quotient may also be 0/0 */
    static const double c[] = {0, 3, 2}, d[] = {0, 2, 2};
    expect_interval(c, d, 3, 1.25, t2 * sqrt((0.25 + 0.25) / 6) / (4. / 3));

    double m, narrow, wide;
    swq_ratio_interval(a, b, 4, 0.5, &m, &narrow);
    swq_ratio_interval(a, b, 4, 0.999, &m, &wide);
    assert_relative(wide / narrow, swq_student_t(0.999, 3) / swq_student_t(0.5, 3), 1e-12, "%g %g",
                    wide, narrow);
}

Test(statistics, interval_of_little_data)
{
    static const double a[] = {3, 1, 2}, b[] = {4, 1, 1}, zeros[] = {0, 0, 0};
    double m, h;

    expect_interval(a, b, 1, 0.75, INFINITY);
    expect_interval(a, NULL, 1, 3, INFINITY);
    expect_interval(zeros, b, 3, 0, 0);
    expect_interval(zeros, NULL, 2, 0, 0);
    for (size_t batches = 0; batches <= 3; batches++) {
        swq_ratio_interval(a, zeros, batches, 0.95, &m, &h);
        cr_assert(isnan(m) && isnan(h), "%zu batches: %g %g", batches, m, h);
    }
    swq_ratio_interval(NULL, NULL, 0, 0.95, &m, &h);
    cr_assert(isnan(m) && isnan(h));
}

/* A one-pass sum of squares would lose all digits of the variance here. */
Test(statistics, interval_far_from_zero)
{
    static const double big = 0x1p40;
    double x[3] = {big + 1, big + 2, big + 3}, b[3] = {big, 2 * big, 3 * big};

    expect_interval(x, NULL, 3, big + 2, t2 / sqrt(3));
    /* r = 3 exactly; residuals 1, -2, 1 */
    double a[3] = {3 * b[0] + 1, 3 * b[1] - 2, 3 * b[2] + 1};
    expect_interval(a, b, 3, 3, t2 * sqrt(6. / 6) / (2 * big));
}

/* ---- batches of runs, one run after another ---- */

/* Residuals 1, 2, -1, -2 of one run: a lag-1 correlation of (2 - 2 + 2) / 3 over 10 / 4, which is
 * 4/15, and without its bias 4/15 + (1 + 12/15) / 4 = 43/60; more than 1/3, at which 4 batches
 * count as 2. */
Test(statistics, correlated_batches_count_as_fewer)
{
    static const double x[] = {11, 12, 9, 8}, alternating[] = {11, 9, 12, 8, 10.5, 9.5};
    static const size_t one[] = {4}, none[] = {1, 0, 1, 1, 1}, six[] = {6};
    const swq_ratio r = swq_ratio_of_runs(x, NULL, one, 1);
    double mean, half_width;

    cr_assert_eq(r.mean, 10);
    cr_assert_eq(r.degrees, 1);
    assert_relative(r.error, sqrt(10 / 4.), 1e-14, "%.17g", r.error);
    assert_relative(swq_ratio_half_width(&r, 0.95), swq_student_t(0.95, 1) * sqrt(10 / 4.), 1e-14,
                    "half-width");

    /* batches that are no neighbours, or correlated negatively, are as independent ones */
    /* pairs of equal ones: c is 1/19 and its bias */
    double pairs[20];
    for (int i = 0; i < 20; i++)
        pairs[i] = i / 2 % 2 ? -1 : 1;
    const size_t twenty = 20;
    const double c = 1 / 19. + (1 + 3 / 19.) / 20, c2 = c * c;
    const swq_ratio slow = swq_ratio_of_runs(pairs, NULL, &twenty, 1);
    assert_relative(slow.degrees, 20 * (1 - c2) / (1 + c2) - 1, 1e-12, "%.17g", slow.degrees);
    assert_relative(slow.error, sqrt(1 / (20 * (1 - c) / (1 + c) - 1)), 1e-12, "%.17g", slow.error);
    swq_ratio_interval(x, NULL, 4, 0.95, &mean, &half_width);
    const swq_ratio apart = swq_ratio_of_runs(x, NULL, none, 5);
    cr_assert_eq(apart.degrees, 3);
    cr_assert_eq(swq_ratio_half_width(&apart, 0.95), half_width);
    swq_ratio_interval(alternating, NULL, 6, 0.95, &mean, &half_width);
    const swq_ratio negative = swq_ratio_of_runs(alternating, NULL, six, 1);
    cr_assert_eq(negative.degrees, 5);
    cr_assert_eq(swq_ratio_half_width(&negative, 0.95), half_width);
}

Test(statistics, runs_of_little_data)
{
    static const double x[] = {3, 5}, zeros[] = {0, 0};
    static const size_t one[] = {1}, two[] = {2}, nothing[] = {0, 0};
    swq_ratio r = swq_ratio_of_runs(x, NULL, one, 1);

    cr_assert(r.mean == 3 && isinf(r.error) && isinf(swq_ratio_half_width(&r, 0.95)));
    r = swq_ratio_of_runs(x, zeros, two, 1);
    cr_assert(isnan(r.mean) && isnan(r.error) && isnan(swq_ratio_half_width(&r, 0.95)));
    r = swq_ratio_of_runs(NULL, NULL, nothing, 2);
    cr_assert(isnan(r.mean) && isnan(r.error));
    r = swq_ratio_of_runs(zeros, x, two, 1);
    cr_assert(r.mean == 0 && r.error == 0);
}

/* The fraction of samples of `runs` series x_i = phi x_(i-1) + normal whose 95% interval contains
 * 0. */
static double covered(double phi, size_t runs, size_t batches)
{
    double x[64];
    size_t run[8];
    int inside = 0;

    for (int n = 0; n < REPLICATIONS; n++) {
        for (size_t k = 0; k < runs; k++) {
            run[k] = batches;
            double before = gsl_ran_gaussian(rng, 1 / sqrt(1 - phi * phi));
            for (size_t b = 0; b < batches; b++)
                before = x[k * batches + b] = phi * before + gsl_ran_gaussian(rng, 1);
        }
        const swq_ratio r = swq_ratio_of_runs(x, NULL, run, runs);
        inside += fabs(r.mean) <= swq_ratio_half_width(&r, 0.95);
    }
    return inside / (double)REPLICATIONS;
}

/* Nominally 0.95. If they counted as independent, it would be 0.90 and 0.81 at 0.2 and 0.4. */
Test(statistics, intervals_of_correlated_batches_cover)
{
    static const double phi[] = {0, 0.2, 0.4};

    for (size_t k = 0; k < sizeof phi / sizeof *phi; k++) {
        const double one = covered(phi[k], 1, 40), four = covered(phi[k], 4, 16);
        cr_expect(one > 0.93 && one < 0.98, "one run, correlation %g: %g", phi[k], one);
        cr_expect(four > 0.93 && four < 0.98, "four runs, correlation %g: %g", phi[k], four);
    }
}

static void expect_no_variance(const double *above, const double *below, size_t n)
{
    bool significant = true;

    expect_interval(above, below, n, below ? above[0] / below[0] : above[0], 0);
    cr_assert(isnan(swq_batch_correlation(above, below, n, &significant)));
    cr_assert_not(significant);
}

/* Equal batches, and proportional batches, have no variance and no correlation, whatever rounding
 * does to their sums. */
Test(statistics, equal_batches)
{
    enum { MOST = 100 };
    double a[MOST], b[MOST], scaled[MOST], by[MOST];

    for (int k = 1; k <= 50; k++) {
        for (int i = 0; i < MOST; i++) {
            a[i] = 0.1 * k;
            b[i] = 7 + k;
            by[i] = 1 + gsl_rng_uniform(rng);
            scaled[i] = a[i] / b[i] * by[i];
        }
        for (size_t n = 3; n <= MOST; n++) {
            expect_no_variance(a, NULL, n);
            expect_no_variance(a, b, n);
            expect_no_variance(scaled, by, n);
        }
    }
}

/* 95% of 2000 with a standard deviation of sqrt(2000 * 0.95 * 0.05) = 9.75: 1900 +- 3.29 * 9.75. */
static void expect_cover(int covered)
{
    cr_assert(covered >= 1868 && covered <= 1932, "%d of %d cover", covered, REPLICATIONS);
}

static bool covers(const double *above, const double *below, size_t batches, double truth)
{
    double m, h;

    swq_ratio_interval(above, below, batches, 0.95, &m, &h);
    return fabs(m - truth) <= h;
}

/* With two batches the normal quantile would cover only 70%, with five 88%. */
Test(statistics, interval_covers_a_mean)
{
    static const size_t batches[] = {2, 5, 20};
    double x[20];

    for (int k = 0; k < 3; k++) {
        int covered = 0;
        for (int rep = 0; rep < REPLICATIONS; rep++) {
            for (size_t i = 0; i < batches[k]; i++)
                x[i] = 17 + gsl_ran_gaussian(rng, 3);
            covered += covers(x, NULL, batches[k], 17);
        }
        expect_cover(covered);
    }
}

/* Sums over packets whose number varies by half its mean and is correlated with each packet's
 * delay: E a = E(b (2 + b)) = 2 E b + E b^2, b uniform on [1, 9). The estimator's bias is of the
 * order of 1/batches, so there are many. */
Test(statistics, interval_covers_a_ratio)
{
    enum { BATCHES = 60 };
    const double mean_b = 5, mean_b2 = (9 * 9 * 9 - 1) / 3. / 8;
    double a[BATCHES], b[BATCHES];
    int covered = 0;

    for (int rep = 0; rep < REPLICATIONS; rep++) {
        for (int i = 0; i < BATCHES; i++) {
            b[i] = 1 + 8 * gsl_rng_uniform(rng);
            a[i] = b[i] * (2 + b[i]) + gsl_ran_gaussian(rng, 4);
        }
        covered += covers(a, b, BATCHES, 2 + mean_b2 / mean_b);
    }
    expect_cover(covered);
}

/* ---- correlation ---- */

static void expect_correlation(const double *above, const double *below, size_t batches, double c,
                               bool significant)
{
    bool found = !significant;
    double value = swq_batch_correlation(above, below, batches, &found);

    cr_assert_float_eq(value, c, 1e-14, "%zu batches: %.17g, not %g", batches, value, c);
    cr_assert_eq(found, significant, "%zu batches, C = %g", batches, value);
}

Test(statistics, correlation_by_hand)
{
    static const double line[] = {-1, 0, 1, 2, 3};
    expect_correlation(line, NULL, 3, 1 - 2. / 4, false); /* z = 0.5 sqrt(8) = 1.41 */
    expect_correlation(line, NULL, 4, 1 - 3. / 10, true); /* z = 0.7 sqrt(15/2) = 1.92 */
    expect_correlation(line, NULL, 5, 1 - 4. / 20, true);
    static const double alternating[] = {5, 3, 5, 3, 5, 3, 5, 3};
    expect_correlation(alternating, NULL, 8, 1 - 7 * 4. / (2 * 8), false);

    /* r = 12 / 8; residuals -1/2, 1/2, 2, -2 */
    static const double a[] = {1, 2, 5, 4}, b[] = {1, 1, 2, 4};
    expect_correlation(a, b, 4, 1 - (1 + 2.25 + 16) / (2 * 8.5), false);
    /* a grows with b, so the rates are flat but for 1, 1, -1, -1: z = 0.5 sqrt(15/2) = 1.37; and
     * with 1, 1, 1, -1, -1, -1: 2/3 sqrt(35/4) = 1.97 */
    static const double grown[] = {21, 41, 59, 79}, by[] = {10, 20, 30, 40};
    expect_correlation(grown, by, 4, 1 - 4. / (2 * 4), false);
    static const double grown6[] = {21, 41, 61, 79, 99, 119}, by6[] = {10, 20, 30, 40, 50, 60};
    expect_correlation(grown6, by6, 6, 1 - 4. / (2 * 6), true);
}

Test(statistics, correlation_of_little_data)
{
    static const double a[] = {1, 2, 3, 4}, zeros[] = {0, 0, 0, 0};

    for (size_t batches = 0; batches <= 4; batches++) {
        bool significant = true;
        cr_assert(isnan(swq_batch_correlation(a, zeros, batches, &significant)));
        cr_assert_not(significant);
        if (batches < 3) {
            significant = true;
            cr_assert(isnan(swq_batch_correlation(a, NULL, batches, &significant)));
            cr_assert_not(significant);
        }
        significant = true;
        cr_assert(isnan(swq_batch_correlation(zeros, NULL, batches, &significant)));
        cr_assert_not(significant);
    }
}

/* The number of 2000 series x_i = phi x_(i-1) + normal that are found to be correlated; with
 * `rates`, x is added to 3 b for random b. */
static int called_correlated(double phi, size_t batches, bool rates)
{
    enum { MOST = 100 };
    double a[MOST], b[MOST];
    int called = 0;

    for (int rep = 0; rep < REPLICATIONS; rep++) {
        double x = gsl_ran_gaussian(rng, 1 / sqrt(1 - phi * phi)); /* stationary from the start */
        bool significant;
        for (size_t i = 0; i < batches; i++) {
            b[i] = rates ? 50 + 50 * gsl_rng_uniform(rng) : 1;
            a[i] = 3 * b[i] + x;
            x = phi * x + gsl_ran_gaussian(rng, 1);
        }
        swq_batch_correlation(a, rates ? b : NULL, batches, &significant);
        called += significant;
    }
    return called;
}

/* 5% of 2000 with a standard deviation of 9.75: 100 +- 32. */
Test(statistics, correlation_test_size)
{
    static const size_t batches[] = {8, 20, 100};

    for (int k = 0; k < 3; k++) {
        for (int rates = 0; rates <= 1; rates++) {
            int called = called_correlated(0, batches[k], rates);
            cr_assert(called >= 68 && called <= 132, "%zu batches: %d", batches[k], called);
        }
    }
}

/* With 100 batches C is about 0.5 with a standard deviation of 0.09; the test requires 0.16. */
Test(statistics, correlation_test_power)
{
    for (int rates = 0; rates <= 1; rates++) {
        int called = called_correlated(0.5, 100, rates);
        cr_assert_geq(called, REPLICATIONS - 20, "%d", called);
        called = called_correlated(-0.5, 100, rates);
        cr_assert_eq(called, 0, "%d", called);
    }
}

/* ---- MSER-5 ---- */

/* By the definition, in O(count^2) and with two passes for each point. */
static size_t slow_mser5(const double *series, size_t count)
{
    size_t means = count / 5, best = 0;
    double least = INFINITY;

    for (size_t d = 0; d <= means / 2 && d < means; d++) {
        double kept = (double)(means - d), mean = 0, squares = 0;
        for (size_t i = 5 * d; i < 5 * means; i++)
            mean += series[i] / (5 * kept);
        for (size_t k = d; k < means; k++) {
            double y = -mean;
            for (size_t i = 5 * k; i < 5 * k + 5; i++)
                y += series[i] / 5;
            squares += y * y;
        }
        if (squares / (kept * kept) < least) {
            least = squares / (kept * kept);
            best = d;
        }
    }
    return best == means / 2 ? count : 5 * best;
}

Test(statistics, mser5_against_its_definition)
{
    enum { MOST = 300 };
    double series[MOST];
    size_t cut = 0, whole = 0;

    for (size_t count = 0; count <= MOST; count++) {
        for (int rep = 0; rep < 5; rep++) {
            double x = 0, start = 3 * rep;
            for (size_t t = 0; t < count; t++) {
                x = 0.7 * x + gsl_ran_gaussian(rng, 1);
                series[t] = 100 + x + start * exp(-(double)t / 20);
            }
            size_t drop = swq_mser5(series, count), expected = slow_mser5(series, count);
            cr_assert_eq(drop, expected, "%zu: %zu, not %zu", count, drop, expected);
            cut += drop > 0 && drop < count;
            whole += drop == count;
        }
    }
    /* both cases occurred */
    cr_assert(cut > 100 && whole > 100, "%zu cut, %zu too short", cut, whole);
}

Test(statistics, mser5_by_hand)
{
    static const double level[] = {9, 5, 5, 6, 5, 5};
    double series[34];

    for (int i = 0; i < 30; i++)
        series[i] = level[i / 5] + (i % 5 - 2); /* means are means of five */
    /* the squares of the last 6, 5, 4, 3 are 77/6, 0.8, 0.75, 2/3; to be divided by 36, 25, 16, 9
     */
    cr_assert_eq(swq_mser5(series, 30), 5);
    for (int i = 30; i < 34; i++) {
        series[i] = 1e6; /* an incomplete group of five does not count */
        cr_assert_eq(swq_mser5(series, (size_t)i + 1), 5);
    }
    /* without the last: 12, 0.75, 2/3; to be divided by 25, 16, 9 */
    cr_assert_eq(swq_mser5(series, 25), 5);
}

/* 20 exp(-t/50) has come down to the noise's 1 at t = 150, to a tenth of it at 265. */
Test(statistics, mser5_drops_a_transient)
{
    enum { COUNT = 4000 };
    static double series[COUNT];

    for (int rep = 0; rep < 100; rep++) {
        for (int t = 0; t < COUNT; t++)
            series[t] = 30 - 20 * exp(-t / 50.) + gsl_ran_gaussian(rng, 1);
        size_t drop = swq_mser5(series, COUNT);
        cr_assert_eq(drop % 5, 0);
        cr_assert(drop >= 100 && drop <= 500, "%zu", drop);
    }
}

Test(statistics, mser5_keeps_a_stationary_series)
{
    enum { COUNT = 4000, TIMES = 200 };
    static double series[COUNT];
    int little = 0, too_short = 0;

    for (int rep = 0; rep < TIMES; rep++) {
        for (int t = 0; t < COUNT; t++)
            series[t] = 30 + gsl_ran_gaussian(rng, 1);
        size_t drop = swq_mser5(series, COUNT);
        little += drop <= COUNT / 10;
        too_short += drop == COUNT;
    }
    cr_assert_geq(little, TIMES * 3 / 4, "%d", little);
    cr_assert_leq(too_short, TIMES / 20, "%d", too_short);
    for (int t = 0; t < COUNT; t++)
        series[t] = 0.1;
    for (size_t count = 10; count <= COUNT; count += 7)
        cr_assert_eq(swq_mser5(series, count), 0, "%zu equal values", count);
}

Test(statistics, mser5_too_short)
{
    enum { COUNT = 1000 };
    double series[COUNT];

    for (int t = 0; t < COUNT; t++)
        series[t] = 0.25 * t;
    for (size_t count = 0; count <= COUNT; count++)
        cr_assert_eq(swq_mser5(series, count), count, "a ramp of %zu", count);
    series[3] = 0; /* fewer than two means are not enough */
    for (size_t count = 0; count < 10; count++)
        cr_assert_eq(swq_mser5(series, count), count);
}

/* ---- histograms ---- */

Test(statistics, every_bin_there_and_back)
{
    for (uint32_t b = 0; b < SWQ_HISTOGRAM_BINS; b++) {
        uint32_t low = swq_histogram_value(b);
        uint32_t high = b + 1 < SWQ_HISTOGRAM_BINS ? swq_histogram_value(b + 1) - 1 : UINT32_MAX;
        cr_assert_eq(swq_histogram_bin(low), b, "bin %u begins at %u", b, low);
        cr_assert_eq(swq_histogram_bin(high), b, "bin %u ends at %u", b, high);
        cr_assert_leq(low, high, "bin %u: %u to %u", b, low, high);
        uint64_t width = (uint64_t)high - low + 1;
        if (low < SWQ_HISTOGRAM_EXACT)
            cr_assert_eq(width, 1, "bin %u", b);
        else
            cr_assert_leq(width * 64, low, "bin %u: %u to %u", b, low, high);
        for (int k = 0; k < 20; k++) {
            uint32_t inside = low + (uint32_t)(gsl_rng_uniform(rng) * (double)width);
            cr_assert_eq(swq_histogram_bin(inside), b, "%u", inside);
        }
    }
    cr_assert_eq(swq_histogram_value(0), 0);
}

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* By the definition: of the sorted values, the largest v with (values >= v) >= (1-q) * all, in
 * whole numbers, with q in thousandths. */
static uint32_t slow_percentile(const uint32_t *sorted, uint64_t values, uint64_t thousandths)
{
    uint32_t answer = sorted[0];

    for (uint64_t i = 0; i < values; i++) {
        uint64_t first = i;
        while (first > 0 && sorted[first - 1] == sorted[i])
            first--;
        if (1000 * (values - first) >= (1000 - thousandths) * values)
            answer = sorted[i];
    }
    return answer;
}

static uint64_t count[SWQ_HISTOGRAM_BINS];

static void expect_percentiles(uint32_t *value, uint64_t values)
{
    static const uint64_t thousandths[] = {0, 1, 10, 100, 250, 333, 500, 900, 950, 990, 999};
    uint32_t bins = 0;

    memset(count, 0, sizeof count);
    for (uint64_t i = 0; i < values; i++) {
        uint32_t b = swq_histogram_bin(value[i]);
        count[b]++;
        bins = b >= bins ? b + 1 : bins;
    }
    qsort(value, values, sizeof *value, by_value);
    for (size_t k = 0; k < sizeof thousandths / sizeof *thousandths; k++) {
        double q = (double)thousandths[k] / 1000;
        uint32_t exact = slow_percentile(value, values, thousandths[k]);
        uint32_t low = swq_histogram_value(swq_histogram_bin(exact));
        double all = swq_histogram_percentile(count, SWQ_HISTOGRAM_BINS, q);
        cr_assert_eq(all, low, "%llu values, q = %g: %g, not %u", (unsigned long long)values, q,
                     all, low);
        cr_assert_eq(swq_histogram_percentile(count, bins, q), low);
    }
}

Test(statistics, percentiles_against_sorting)
{
    enum { MOST = 1000 };
    uint32_t value[MOST];

    for (uint64_t values = 1; values <= MOST; values += values < 120 ? 1 : 40) {
        for (uint64_t i = 0; i < values; i++)
            value[i] = (uint32_t)gsl_rng_uniform_int(rng, 8192);
        expect_percentiles(value, values);
        for (uint64_t i = 0; i < values; i++) /* ties */
            value[i] = (uint32_t)gsl_ran_geometric(rng, 0.2);
        expect_percentiles(value, values);
        for (uint64_t i = 0; i < values; i++) /* all magnitudes */
            value[i] = (uint32_t)exp2(32 * gsl_rng_uniform(rng));
        expect_percentiles(value, values);
    }
}

Test(statistics, percentiles_by_hand)
{
    static uint64_t one[101], hundred[101];

    cr_assert(isnan(swq_histogram_percentile(one, 101, 0.5)));
    cr_assert(isnan(swq_histogram_percentile(one, 0, 0.5)));
    one[42] = 1;
    for (double q = 0; q <= 1; q += 0.125)
        cr_assert_eq(swq_histogram_percentile(one, 101, q), 42, "%g", q);
    for (int v = 1; v <= 100; v++)
        hundred[v] = 1;
    /* the slowest one percent is one packet; the slowest two percent begin at 99 */
    for (int v = 1; v <= 100; v++) {
        double q = (v - 1) / 100.;
        cr_assert_eq(swq_histogram_percentile(hundred, 101, q), v, "%g", q);
        cr_assert_eq(swq_histogram_percentile(hundred, 101, q + 0.001), v, "%g", q + 0.001);
        cr_assert_eq(swq_histogram_percentile(hundred, 101, q + 0.009), v, "%g", q + 0.009);
    }
    cr_assert_eq(swq_histogram_percentile(hundred, 101, 1), 100);
    cr_assert(isnan(swq_histogram_percentile(hundred, 101, -0.01)));
    cr_assert(isnan(swq_histogram_percentile(hundred, 101, 1.01)));
    cr_assert(isnan(swq_histogram_percentile(hundred, 101, NAN)));
}

/* More values than fit into 32 bits; a single packet decides. */
Test(statistics, percentiles_of_very_many)
{
    static const uint64_t percent = 1000000000000;
    uint64_t many[10] = {0};

    many[3] = 99 * percent;
    many[7] = percent;
    cr_assert_eq(swq_histogram_percentile(many, 10, 0.99), 7);
    cr_assert_eq(swq_histogram_percentile(many, 10, 0.98), 3);
    many[3]++;
    many[7]--;
    cr_assert_eq(swq_histogram_percentile(many, 10, 0.99), 3);
}

/* GSL's own inverse ends the program for one of a thousand of these. */
Test(statistics, a_poisson_mean_above_any_number_of_events)
{
    for (double events = 0; events < 1200; events += 0.0931) {
        const double mean = swq_poisson_above(events, 0.975);
        cr_assert_float_eq(gsl_cdf_gamma_P(mean, events + 1, 1), 0.975, 1e-9, "%g", events);
    }
    cr_assert_float_eq(swq_poisson_above(0, 0.95), -log(0.05), 1e-12);
}
