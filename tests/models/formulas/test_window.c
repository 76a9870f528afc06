/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A window on input queues, against the chains of all that is in the windows of two and three
 * inputs, and simulated throughputs.
 */
#include "tests/models/formulas/rows.h"

#include <gsl/gsl_rng.h>

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

TestSuite(formula_window, .init = setup, .fini = teardown, .timeout = 240);

static double saturation(int window)
{
    double throughput = 0;

    cr_assert_eq(swq_window_saturation(ctx, 2, window, &throughput), SWQ_OK);
    return throughput;
}

static double saturation_of(int ports, int window)
{
    double throughput = 0;

    cr_assert_eq(swq_window_saturation(ctx, ports, window, &throughput), SWQ_OK, "%s",
                 swq_context_message(ctx));
    return throughput;
}

/* All destinations in a window; bit k is that of packet k. */
enum { MOST = 4, STATES = 1 << (2 * MOST) };

/* Packet k leaves; those behind it move up, and a new one comes last. */
static int without(int queue, int window, int k, int last)
{
    int front = queue & ((1 << k) - 1), behind = queue >> (k + 1) << k;

    return front | behind | last << (window - 1);
}

/* `first` wins if both heads want the same output; otherwise it does not matter. */
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

/* Three inputs that look at two packets each, with all six destinations: the output of packet k of
 * input i is digit 2i + k in base 3. */
enum { THREE = 729 };

typedef struct {
    int to[3][2];
    bool sent[3], taken[3];
} windows;

/* After a cycle: inputs from `input` on draw the packets that they lack. */
static void refill(windows w, int input, double chance, double *then)
{
    int state = 0;

    if (input < 3 && !w.sent[input]) {
        refill(w, input + 1, chance, then);
        return;
    }
    for (int to = 0; input < 3 && to < 3; to++) {
        w.to[input][1] = to;
        refill(w, input + 1, chance / 3, then);
    }
    if (input < 3)
        return;
    for (int k = 5; k >= 0; k--)
        state = 3 * state + w.to[k / 2][k % 2];
    then[state] += chance;
}

/* Steps 0 .. 2 and 3 .. 5 are iterations, with one output each. Returns the packets sent. */
static double send(windows w, int step, double chance, double *then)
{
    const int round = step / 3, output = step % 3;
    int asking = 0;
    double sum = 0;

    if (step == 6) {
        refill(w, 0, chance, then);
        return chance * (w.taken[0] + w.taken[1] + w.taken[2]);
    }
    for (int i = 0; i < 3 && !w.taken[output]; i++)
        asking += !w.sent[i] && w.to[i][round] == output;
    if (!asking)
        return send(w, step + 1, chance, then);
    for (int i = 0; i < 3; i++) {
        windows next = w;
        if (w.sent[i] || w.to[i][round] != output)
            continue;
        next.sent[i] = next.taken[output] = true;
        if (round == 0)
            next.to[i][0] = w.to[i][1];
        sum += send(next, step + 1, chance / asking, then);
    }
    return sum;
}

Test(formula_window, three_inputs_written_out)
{
    static double now[THREE], then[THREE];
    double sent = 0;

    now[0] = 1;
    for (int cycle = 0; cycle < 120; cycle++) {
        memset(then, 0, sizeof then);
        sent = 0;
        for (int s = 0; s < THREE; s++) {
            windows w = {.to = {{0}}};
            for (int k = 0, rest = s; k < 6; k++, rest /= 3)
                w.to[k / 2][k % 2] = rest % 3;
            if (now[s] > 0)
                sent += send(w, 0, now[s], then);
        }
        memcpy(now, then, sizeof now);
    }
    assert_relative(saturation_of(3, 2), sent / 3, 1e-12, "%.17g, not %.17g", saturation_of(3, 2),
                    sent / 3);
}

/* Any number of ports, simulated. */
static double simulated(int ports, int window, int cycles)
{
    enum { PORTS = 64, WINDOW = 5 };
    static int to[PORTS][WINDOW], asking[PORTS], winner[PORTS];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    const unsigned long n = (unsigned long)ports;
    double sent = 0;

    for (int i = 0; i < ports * window; i++)
        to[i / window][i % window] = (int)gsl_rng_uniform_int(rng, n);
    for (int t = -cycles / 10; t < cycles; t++) {
        bool done[PORTS] = {false}, taken[PORTS] = {false};
        for (int k = 0; k < window; k++) {
            memset(asking, 0, sizeof asking);
            for (int i = 0; i < ports; i++) {
                int j = to[i][k];
                if (!done[i] && !taken[j] &&
                    gsl_rng_uniform_int(rng, (unsigned long)++asking[j]) == 0)
                    winner[j] = i;
            }
            for (int j = 0; j < ports; j++) {
                if (!asking[j])
                    continue;
                int *queue = to[winner[j]];
                done[winner[j]] = taken[j] = true;
                sent += t >= 0;
                memmove(queue + k, queue + k + 1, sizeof *queue * (size_t)(window - 1 - k));
                queue[window - 1] = (int)gsl_rng_uniform_int(rng, n);
            }
        }
    }
    gsl_rng_free(rng);
    return sent / ports / cycles;
}

Test(formula_window, few_ports)
{
    cr_assert_float_eq(saturation_of(4, 3), simulated(4, 3, 60000), 2e-3);
    cr_assert_float_eq(saturation_of(5, 2), simulated(5, 2, 60000), 2e-3);
    /* found in simulations of half a million cycles */
    cr_assert_float_eq(saturation_of(4, 2), 0.7564, 5e-4);
    cr_assert_float_eq(saturation_of(4, 3), 0.8101, 5e-4);
    cr_assert_eq(saturation_of(20, 1), row_value("hol-saturation", "20", "throughput"));
    for (int window = 1; window < 5; window++)
        cr_assert(saturation_of(3, window) < saturation_of(3, window + 1));
}

/* Between the exact values for few ports and simulated ones. */
Test(formula_window, many_ports)
{
    const struct {
        int ports, window;
        double exact; /* the chain of window_chain.c with more room: 59, 28 and 136 s */
        double error;
    } known[] = {{6, 2, 0.734733704881584, 1e-4},
                 {4, 4, 0.844449022766596, 3e-3},
                 {5, 3, 0.797684197160468, 1e-3}};

    for (int k = 0; k < 3; k++) {
        double throughput = 0;
        cr_assert_eq(
            swq_window_saturation_many(ctx, known[k].ports, known[k].window, &throughput, NULL),
            SWQ_OK);
        assert_relative(throughput, known[k].exact, known[k].error, "%d ports, %d: %g",
                        known[k].ports, known[k].window, throughput);
    }
    for (int window = 2; window <= 5; window++) {
        const double low[] = {0.998, 0.994, 1.003, 1.008}, high[] = {1.002, 0.999, 1.010, 1.017};
        double throughput = 0, limit = 0, found = simulated(64, window, 3000);
        cr_assert_eq(swq_window_saturation_many(ctx, 64, window, &throughput, &limit), SWQ_OK);
        cr_assert(throughput > low[window - 2] * found && throughput < high[window - 2] * found,
                  "%d: %g, not %g", window, throughput, found);
        cr_assert(limit < throughput && limit > 0.99 * throughput);
    }
    /* FIFO is known for up to 40 ports, and in the limit */
    assert_relative(row_value("window-saturation-many", "1 3", "throughput"), 43.0 / 63, 1e-14, "");
    assert_relative(row_value("window-saturation-many", "1 30", "throughput"), saturation_of(30, 1),
                    1e-4, "");
    cr_assert_eq(row_value("window-saturation-many", "1 64", "limit"), 2 - sqrt(2));
}

Test(formula_window, bad_input_and_no_memory)
{
    double throughput = 7;

    cr_assert_eq(swq_window_saturation(ctx, 2, 0, &throughput), SWQ_EINVAL);
    cr_assert_eq(swq_window_saturation(ctx, 2, 33, &throughput), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "window") && strstr(swq_context_message(ctx), "33"));
    for (size_t k = 0; k < 3; k++) {
        swq_context_fail_allocations(ctx, k, false);
        cr_assert_eq(swq_window_saturation(ctx, 2, 3, &throughput), SWQ_ENOMEM);
        swq_context_fail_allocations(ctx, SIZE_MAX, false);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
    }
    cr_assert_eq(swq_window_saturation(ctx, 3, 6, &throughput), SWQ_ELIMIT);
    cr_assert(strstr(swq_context_message(ctx), "6 for 3"), "%s", swq_context_message(ctx));
    cr_assert_eq(swq_window_saturation(ctx, 6, 2, &throughput), SWQ_ELIMIT);
    cr_assert_eq(swq_window_saturation(ctx, 1, 2, &throughput), SWQ_EINVAL);
    cr_assert_eq(swq_window_saturation_many(ctx, 1, 2, &throughput, NULL), SWQ_EINVAL);
    cr_assert_eq(swq_window_saturation_many(ctx, 8, 6, &throughput, NULL), SWQ_EINVAL);
    cr_assert(row_without_memory("window-saturation", "3 3") > 12);
    swq_context_cancel(ctx);
    cr_assert_eq(swq_window_saturation(ctx, 3, 3, &throughput), SWQ_ECANCELLED);
    cr_assert_eq(swq_window_saturation(ctx, 2, 3, &throughput), SWQ_ECANCELLED);
    cr_assert_eq(throughput, 7);
}
