/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How throughput came through an onset, read off windows that are made up.
 */
#include "switchq/sim.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EVERY = 100, MOST = 64 };

static swq_window window[MOST];

/* Windows from cycle 1000 on, with the throughput given by a letter each: '0' .. '9' tenths, and
 * 'x' .99, 'y' 1.019, 'z' 1.021. */
static swq_series series_of(const char *text)
{
    const size_t n = strlen(text);

    memset(window, 0, sizeof window);
    for (size_t k = 0; k < n; k++) {
        window[k].first = 1000 + k * EVERY;
        window[k].cycles = EVERY;
        window[k].all.throughput.mean = text[k] == 'x'   ? 0.99
                                        : text[k] == 'y' ? 1.019
                                        : text[k] == 'z' ? 1.021
                                        : text[k] == '1' ? 1
                                                         : (text[k] - '0') / 10.0;
    }
    return (swq_series){.windows = n, .window = window};
}

static void expect(const char *text, uint64_t onset, double least, uint64_t least_cycle,
                   double cycles)
{
    const swq_series s = series_of(text);
    const swq_recovery r = swq_series_recovery(&s, -1, onset);

    cr_expect_float_eq(r.before, 1, 1e-12, "%s: %g before", text, r.before);
    cr_expect(r.least == least || (isnan(r.least) && isnan(least)), "%s: least %g", text, r.least);
    cr_expect(isnan(least) || r.least_cycle == least_cycle, "%s: %d", text, (int)r.least_cycle);
    cr_expect(r.cycles == cycles || (isnan(r.cycles) && isnan(cycles)), "%s: %g", text, r.cycles);
}

TestSuite(recovery);

Test(recovery, is_ten_windows_in_a_row)
{
    expect("11115x1111111111", 1400, 0.5, 1400, 100);
    expect("11115x111111111", 1400, 0.5, 1400, 100);
    expect("11115x11111111", 1400, 0.5, 1400, NAN); /* nine windows, and the run is over */
    expect("11115x1111111141111111111", 1400, 0.4, 2400, 1100);
    expect("1111yyyyyyyyyy3", 1400, 1.019, 1400, 0); /* throughput never left it */
    /* more than before is a departure, too */
    expect("1111yyyyyzyyyyyyyyyy3", 1400, 1.019, 1400, 600);
    expect("1111", 1400, NAN, 0, NAN);
}

/* The window of the onset counts neither as before it nor, if throughput is as before, as after
 * it. */
Test(recovery, begins_in_the_window_of_the_onset)
{
    expect("1111"
           "1111111111",
           1450, 1, 1400, 0);
    expect("1111"
           "7"
           "1111111111",
           1450, 0.7, 1400, 50);
}

Test(recovery, knows_how_windows_scatter)
{
    swq_series s = series_of("x1");
    swq_recovery r = swq_series_recovery(&s, -1, 1200);

    cr_expect_eq(r.windows, 2);
    cr_expect_float_eq(r.scatter, sqrt(0.5) * 0.01 / 0.995, 1e-12);
    r = swq_series_recovery(&s, -1, 1099); /* there is no window before */
    cr_expect(isnan(r.before) && isnan(r.scatter) && isnan(r.cycles) && r.windows == 0);
}

/* A short last window is not judged. */
Test(recovery, leaves_a_short_window_out)
{
    swq_series s = series_of("1"
                             "1111111111");

    s.window[10].cycles = EVERY / 2;
    cr_expect(isnan(swq_series_recovery(&s, -1, 1100).cycles));
}
