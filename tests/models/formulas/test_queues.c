/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines with and without a queue: against the chain of packets that departures leave behind,
 * against the law of conservation and a small simulation of two classes, and against Erlang's sum.
 */
#include "tests/models/formulas/rows.h"

#include <math.h>

TestSuite(formula_queues, .timeout = 120);

/* Numbers that departures leave behind: the mean, and the mean of N (N - 1). As N are the arrivals
 * during a packet's delay T, they are lambda E[T] and lambda^2 E[T^2]. */
static void left_behind(double rate, int sizes, const double *size, const double *share,
                        double *mean, double *pairs)
{
    enum { MOST = 120 };
    double arrive[MOST + 1] = {0}, left[MOST + 1], load = 0;

    for (int s = 0; s < sizes; s++) {
        double poisson = share[s] * exp(-rate * size[s]);
        for (int k = 0; k <= MOST; k++) {
            arrive[k] += poisson;
            poisson *= rate * size[s] / (k + 1);
        }
        load += rate * share[s] * size[s];
    }
    left[0] = 1 - load;
    *mean = *pairs = 0;
    for (int n = 0; n < MOST; n++) {
        double sum = left[n] - left[0] * arrive[n];
        for (int k = 1; k <= n; k++)
            sum -= left[k] * arrive[n - k + 1];
        left[n + 1] = fmax(sum / arrive[0], 0);
        *mean += (n + 1) * left[n + 1];
        *pairs += (n + 1.0) * n * left[n + 1];
    }
}

Test(formula_queues, chain_of_departures)
{
    const double one[] = {1}, sizes[] = {1, 4, 10}, shares[] = {0.5, 0.3, 0.2};
    double mean, pairs;

    left_behind(0.5, 1, one, one, &mean, &pairs);
    assert_relative(row_value("m-d-1", "0.5", "inside"), mean, 1e-9, "M/D/1, mean");
    assert_relative(row_value("m-d-1", "0.5", "wait_variance") +
                        pow(row_value("m-d-1", "0.5", "sojourn"), 2),
                    pairs / 0.25, 1e-9, "M/D/1, variance");
    cr_expect_eq(row_value("m-d-1", "0.5", "wait"), 0.5);
    cr_expect(isinf(row_value("m-d-1", "1", "wait")));

    const double mean_size = 3.7, rate = 0.6 / mean_size;
    left_behind(rate, 3, sizes, shares, &mean, &pairs);
    const char *asked = "0.6 1,4,10 0.5,0.3,0.2";
    assert_relative(row_value("m-g-1", asked, "mean_size"), mean_size, 1e-15, "size");
    assert_relative(row_value("m-g-1", asked, "sojourn") * rate, mean, 1e-6, "M/G/1, mean");
    /* the variance of a delay is that of the wait and of the size */
    const double variance =
        row_value("m-g-1", asked, "wait_variance") + 0.5 + 0.3 * 16 + 0.2 * 100 - 3.7 * 3.7;
    assert_relative(variance + pow(row_value("m-g-1", asked, "sojourn"), 2), pairs / (rate * rate),
                    1e-6, "M/G/1, variance");
    assert_relative(row_value("m-g-1", asked, "waiting"), mean - 0.6, 1e-6, "waiting");
    assert_relative(row_value("m-g-1", asked, "waiting_bytes"),
                    0.6 * row_value("m-g-1", asked, "wait"), 1e-15, "bytes");
}

/* One class is M/G/1; whatever the order, sum of load x wait is that of one queue. */
Test(formula_queues, conservation)
{
    const char *mix = "0.2,0.3,0.1 1,4,10 0.5,0.3,0.2";

    assert_relative(row_value("m-g-1-priority", "0.6 1,4,10 0.5,0.3,0.2", "wait_1"),
                    row_value("m-g-1", "0.6 1,4,10 0.5,0.3,0.2", "wait"), 1e-15, "one class");
    assert_relative(0.2 * row_value("m-g-1-priority", mix, "wait_1") +
                        0.3 * row_value("m-g-1-priority", mix, "wait_2") +
                        0.1 * row_value("m-g-1-priority", mix, "wait_3"),
                    0.6 * row_value("m-g-1", "0.6 1,4,10 0.5,0.3,0.2", "wait"), 1e-14, "sum");
    assert_relative(row_value("m-g-1-priority", mix, "waiting_bytes"),
                    row_value("m-g-1", "0.6 1,4,10 0.5,0.3,0.2", "waiting_bytes"), 1e-14, "bytes");
    /* the second class fills the line: the first one meets the rest of a packet at any time */
    cr_expect(isinf(row_value("m-g-1-priority", "0.5,1 1 1 3,5", "wait_2")));
    assert_relative(row_value("m-g-1-priority", "0.5,1 1 1 3,5", "wait_1"),
                    (0.5 * 1.5 + 0.5 * 2.5) / 0.5, 1e-15, "a full line");
}

static double draw(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return ((double)(*state >> 11) + 0.5) / 9007199254740992.0;
}

/* Mean waits of two classes of lengths 3 and 5, the first one first, over `packets` departures. */
static void simulate(uint64_t *state, const double load[2], double wait[2])
{
    enum { QUEUE = 4096 };
    static double came[2][QUEUE];
    const double length[2] = {3, 5};
    size_t head[2] = {0, 0}, tail[2] = {0, 0};
    double next[2], now = 0, sum[2] = {0, 0};
    uint64_t count[2] = {0, 0};

    for (int k = 0; k < 2; k++)
        next[k] = -log(draw(state)) * length[k] / load[k];
    for (int done = 0; done < 200000; done++) {
        for (bool empty = false;; empty = true) {
            now = empty ? fmin(next[0], next[1]) : now;
            for (int k = 0; k < 2; k++)
                while (next[k] <= now) {
                    cr_assert(tail[k] - head[k] < QUEUE);
                    came[k][tail[k]++ % QUEUE] = next[k];
                    next[k] += -log(draw(state)) * length[k] / load[k];
                }
            if (head[0] < tail[0] || head[1] < tail[1])
                break;
        }
        const int k = head[0] == tail[0];
        sum[k] += now - came[k][head[k]++ % QUEUE];
        count[k]++;
        now += length[k];
    }
    wait[0] = sum[0] / (double)count[0];
    wait[1] = sum[1] / (double)count[1];
}

Test(formula_queues, simulated_classes)
{
    const double load[2] = {0.3, 0.4};
    double mean[2] = {0, 0}, square[2] = {0, 0};
    uint64_t state = 7;
    enum { RUNS = 20 };

    for (int r = 0; r < RUNS; r++) {
        double wait[2];
        simulate(&state, load, wait);
        for (int k = 0; k < 2; k++) {
            mean[k] += wait[k] / RUNS;
            square[k] += wait[k] * wait[k] / RUNS;
        }
    }
    for (int k = 0; k < 2; k++) {
        const double off = sqrt((square[k] - mean[k] * mean[k]) / (RUNS - 1));
        const double formula =
            row_value("m-g-1-priority", "0.3,0.4 1 1 3,5", k ? "wait_2" : "wait_1");
        cr_expect(fabs(mean[k] - formula) < 4 * off, "%g +- %g, not %g", mean[k], off, formula);
        cr_expect(off < 0.01 * formula);
    }
}

Test(formula_queues, erlang)
{
    for (int servers = 0; servers <= 20; servers++) {
        double term = 1, sum = 1;
        char asked[40];
        for (int n = 1; n <= servers; n++)
            sum += term *= 7.5 / n;
        snprintf(asked, sizeof asked, "%d 7.5", servers);
        assert_relative(row_value("erlang-b", asked, "loss"), term / sum, 1e-13, "%s", asked);
        assert_relative(row_value("erlang-b", asked, "busy") + 1, 1 + 7.5 * (1 - term / sum), 1e-13,
                        "%s", asked);
    }
    cr_expect_eq(row_value("erlang-b", "3 0", "loss"), 0);
}

Test(formula_queues, refused)
{
    row_fails("m-g-1", "0.5 1,2 0.5,0.4", SWQ_EINVAL, "share must sum to 1");
    row_fails("m-g-1", "0.5 1,2 1", SWQ_EINVAL, "share must have as many numbers as size, 2");
    row_fails("m-g-1-priority", "0.5,0.2 1 1 3", SWQ_EINVAL, "length must have a number for each");
    row_fails("m-g-1-priority", ".1,.1,.1,.1,.1,.1,.1,.1,.1", SWQ_EINVAL, "at most 8 classes");
    row_fails("m-g-1-priority", "0.5,0.2 1 1 3,0", SWQ_EINVAL, "length must be above 0");
}
