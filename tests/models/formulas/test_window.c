/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A window on input queues, against the chain of all that is in both windows, and simulated
 * throughputs.
 */
#include "switchq/formula.h"
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

TestSuite(formula_window, .init = setup, .fini = teardown, .timeout = 60);

static double saturation(int window)
{
    double throughput = 0;

    cr_assert_eq(swq_window_saturation(ctx, window, &throughput), SWQ_OK);
    return throughput;
}

/* All destinations in a window, bit k that of packet k. */
enum { MOST = 4, STATES = 1 << (2 * MOST) };

/* Packet k leaves; those behind it move up, and a new one comes last. */
static int without(int queue, int window, int k, int last)
{
    int front = queue & ((1 << k) - 1), behind = queue >> (k + 1) << k;

    return front | behind | last << (window - 1);
}

/* The winner of the heads is `first`; where both differ it does not matter. */
static double add(int window, const int *queue, int first, double chance, double *then)
{
    int lost = queue[1 - first], found = 0;

    while (found < window && (lost >> found & 1) == (queue[first] & 1))
        found++;
    for (int last = 0; last < 4; last++) {
        int next[2];
        next[first] = without(queue[first], window, 0, last & 1);
        next[1 - first] = found < window ? without(lost, window, found, last >> 1) : lost;
        then[next[0] | next[1] << window] += chance / 4;
    }
    return chance * (found < window ? 2 : 1);
}

static double written_out(int window)
{
    static double now[STATES], then[STATES];
    int states = 1 << (2 * window);
    double served = 0;

    memset(now, 0, sizeof now);
    now[0] = 1;
    for (int cycle = 0; cycle < 2000; cycle++) {
        memset(then, 0, sizeof then);
        served = 0;
        for (int s = 0; s < states; s++) {
            int queue[2] = {s & ((1 << window) - 1), s >> window};
            for (int first = 0; first < 2; first++)
                served += add(window, queue, first, now[s] / 2, then);
        }
        memcpy(now, then, sizeof now);
    }
    return served / 2;
}

Test(formula_window, all_packets_written_out)
{
    for (int window = 1; window <= MOST; window++) {
        double want = written_out(window);
        assert_relative(saturation(window), want, 1e-12, "%d: %.17g, not %.17g", window,
                        saturation(window), want);
    }
}

Test(formula_window, known_values)
{
    static const struct {
        int window;
        double simulated;
    } row[] = {{2, 0.8408}, {3, 0.8854}, {4, 0.9110}, {8, 0.9539}};
    double fifo;

    cr_assert_eq(swq_hol_saturation(ctx, 2, 1, &fifo), SWQ_OK);
    assert_relative(saturation(1), fifo, 1e-15, "a window of one is FIFO");
    assert_relative(saturation(2), 37.0 / 44, 1e-14, "%.17g", saturation(2));
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        cr_assert_float_eq(saturation(row[k].window), row[k].simulated, 5e-4);
    for (int window = 1; window < 20; window++)
        cr_assert(saturation(window) < saturation(window + 1) && saturation(window + 1) < 1);
}

Test(formula_window, bad_input_and_no_memory)
{
    double throughput = 7;

    cr_assert_eq(swq_window_saturation(ctx, 0, &throughput), SWQ_EINVAL);
    cr_assert_eq(swq_window_saturation(ctx, 33, &throughput), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "window") && strstr(swq_context_message(ctx), "33"));
    for (size_t k = 0; k < 3; k++) {
        swq_context_fail_allocations(ctx, k, false);
        cr_assert_eq(swq_window_saturation(ctx, 3, &throughput), SWQ_ENOMEM);
        swq_context_fail_allocations(ctx, SIZE_MAX, false);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
    }
    swq_context_cancel(ctx);
    cr_assert_eq(swq_window_saturation(ctx, 3, &throughput), SWQ_ECANCELLED);
    cr_assert_eq(throughput, 7);
}
