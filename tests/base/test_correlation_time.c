/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Integrated autocorrelation times of series whose time is known, and of short ones.
 */
#include "base/correlation_time.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>

enum { ENTRIES = 512, RUNS = 200 };

/* About normal, from the sum of twelve uniform numbers. */
static double normal(uint64_t *state)
{
    double sum = -6;

    for (int k = 0; k < 12; k++) {
        *state = *state * 6364136223846793005u + 1442695040888963407u;
        sum += (double)(*state >> 11) / 9007199254740992.0;
    }
    return sum;
}

/* A first-order autoregression of that time, begun in its steady state. */
static void autoregression(double time, size_t entries, uint64_t *state, double *series)
{
    const double phi = (time - 1) / (time + 1), fresh = sqrt(1 - phi * phi);
    double x = normal(state);

    for (size_t k = 0; k < entries; k++) {
        x = phi * x + fresh * normal(state);
        series[k] = 10 + x;
    }
}

/* The mean of the times found in RUNS series. */
static double mean_found(double time, size_t entries)
{
    double series[ENTRIES], sum = 0;
    uint64_t state = 1;

    for (int run = 0; run < RUNS; run++) {
        autoregression(time, entries, &state, series);
        sum += swq_correlation_time(series, NULL, &entries, 1);
    }
    return sum / RUNS;
}

Test(correlation_time, of_an_autoregression)
{
    static const double time[] = {1, 3, 10, 25};

    for (int k = 0; k < 4; k++)
        cr_expect_float_eq(mean_found(time[k], ENTRIES), 1.08 * time[k], 0.12 * time[k], "time %g",
                           time[k]);
}

/* A series that is only a few of its times long must not look many times as long. */
Test(correlation_time, of_short_series)
{
    for (double times = 1; times <= 16; times *= 2)
        cr_expect_lt(ENTRIES / mean_found(ENTRIES / times, ENTRIES), 25, "%g times", times);
}

/* Runs that differ from one another show what none of them does. */
Test(correlation_time, sees_differences_between_runs)
{
    double series[ENTRIES];
    size_t run[8];
    uint64_t state = 7;

    for (int k = 0; k < 8; k++) {
        const double level = 3 * normal(&state);
        run[k] = ENTRIES / 8;
        for (size_t i = 0; i < run[k]; i++)
            series[(size_t)k * run[k] + i] = level + normal(&state);
    }
    cr_expect_gt(swq_correlation_time(series, NULL, run, 8), ENTRIES / 16);
}

Test(correlation_time, of_nothing_that_varies)
{
    double above[20], below[20];
    const size_t twenty = 20, four = 4;

    for (int k = 0; k < 20; k++)
        above[k] = 0.1 * (below[k] = 3 + k % 5);
    cr_expect_eq(swq_correlation_time(above, below, &twenty, 1), 1);
    for (int k = 0; k < 4; k++)
        above[k] = k;
    cr_expect_eq(swq_correlation_time(above, NULL, &four, 1), 4);
}

/* Sums of eight entries of an autoregression of a time of 6 look almost independent. */
Test(correlation_time, is_seen_between_entries)
{
    enum { LONG = 8, SUMMED = ENTRIES / 8 };
    double series[ENTRIES], sums[ENTRIES], found = 0, direct = 0;
    uint64_t state = 1;

    for (int run = 0; run < RUNS; run++) {
        size_t entries = ENTRIES;
        for (size_t part = 0; part < LONG; part++) {
            autoregression(6, ENTRIES, &state, series);
            for (size_t k = 0; k < SUMMED; k++) {
                sums[part * SUMMED + k] = 0;
                for (size_t n = 0; n < LONG; n++)
                    sums[part * SUMMED + k] += series[k * LONG + n];
            }
        }
        const double time = swq_correlation_time(sums, NULL, &entries, 1);
        direct += time * LONG / RUNS;
        found += swq_correlation_time_between(time) * LONG / RUNS;
    }
    cr_expect_gt(direct, 10);
    cr_expect_float_eq(found, 6, 1.2, "%g", found);
    cr_expect_float_eq(swq_correlation_time_between(1), 0, 1e-12);
    for (double u = 0.01; u < 100; u *= 3)
        cr_expect_float_eq(swq_correlation_time_between(1 / (1 + u * expm1(-1 / u))), 2 * u,
                           1e-9 * u);
}
