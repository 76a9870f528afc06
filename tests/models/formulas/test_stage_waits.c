/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Waits stage by stage: numbers, the first stage's identity with output queues, and simulated
 * networks of output queues that never fill, of packets and of messages.
 */
#include "tests/models/formulas/rows.h"
#include "tests/sim/samples.h"

#include <gsl/gsl_rng.h>

Test(stage_waits, numbers)
{
    const double half[] = {0.25, 0.28, 0.292, 0.2968}, eight[] = {1, 1.192, 1.2688, 1.29952};
    const double four[] = {1.5, 1.644, 1.7016, 1.72464};
    const double *expected[] = {half, eight, four};
    const char *arguments[] = {"2 8 0.5", "2 8 0.8", "4 4 0.8"};

    for (int c = 0; c < 3; c++) {
        double sum = 0;
        for (int i = 0; i < 4; i++) {
            char name[8] = {'w', 'a', 'i', 't', '_', (char)('1' + i)};
            double wait = row_value("kruskal-snir-weiss", arguments[c], name);
            assert_relative(wait, expected[c][i], 1e-13, "%s %s: %g", arguments[c], name, wait);
            sum += wait;
        }
        if (c == 2)
            assert_relative(row_value("kruskal-snir-weiss", arguments[c], "wait"), sum, 1e-14, "");
    }
    cr_assert(isnan(row_value("kruskal-snir-weiss", "4 4 0.8", "wait_5")));
    cr_assert(isinf(row_value("kruskal-snir-weiss", "4 4 1", "latency")));
    assert_relative(row_value("kruskal-snir-weiss", "2 8 0.5", "variance_1"), 0.25, 1e-14, "");
    row_fails("kruskal-snir-weiss", "1 4 1", SWQ_EINVAL, "ports");
}

Test(stage_waits, first_stage_is_an_output_queue)
{
    for (int k = 2; k <= 64; k *= 2)
        for (double p = 0.05; p < 1; p += 0.05)
            assert_relative(swq_stage_wait(k, p, 1), swq_output_queue_wait(k, p), 1e-13, "%d, %g",
                            k, p);
}

/* The first stage agrees within noise, later ones within 3%, and the total delay varies more than
 * if stages were independent. */
Test(stage_waits, against_simulation, .timeout = 240)
{
    const struct {
        int ports, stages;
        double load;
    } cases[] = {{2, 6, 0.5}, {2, 6, 0.8}, {4, 3, 0.8}};
    swq_context *ctx = swq_context_new();

    for (int c = 0; c < 3; c++) {
        const int k = cases[c].ports, n = cases[c].stages;
        swq_switch sw = test_switch(ctx, "cbda", k, 32, cases[c].load, "random");
        sw.flow = SWQ_BLOCK;
        swq_network network = network_in_stages(ctx, "omega", n, &sw);
        swq_sim_options options = run_of(7, 1, 500, 8000);
        swq_sim_result r = simulate(ctx, &network, &options);
        for (int i = 1; i <= n; i++) {
            /* the occupancy of a later stage includes the packets that have come in that cycle */
            double wait = r.stage[i - 1].occupancy.mean / (k * r.all.throughput.mean) - (i > 1);
            double formula = swq_stage_wait(k, cases[c].load, i);
            cr_assert(fabs(formula / wait - 1) < 0.05, "case %d, stage %d: %g, not %g", c, i,
                      formula, wait);
        }
        double sum = n, first = n * swq_output_queue_wait_variance(k, cases[c].load);
        for (int i = 1; i <= n; i++)
            sum += swq_stage_wait(k, cases[c].load, i);
        cr_assert(fabs(sum / r.all.latency.mean - 1) < 0.015, "case %d: %g, not %g", c, sum,
                  r.all.latency.mean);
        cr_assert(r.all.variance > 1.2 * first && r.all.variance < 2.6 * first, "%g of %g",
                  r.all.variance, first);
    }
    swq_context_free(ctx);
}

/* The first packet of a message: when it comes to a stage, on which link, and where it goes. */
typedef struct {
    double time;
    unsigned long tie;
    int link, to;
} message_header;

static int earlier(const void *a, const void *b)
{
    const message_header *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->tie < y->tie ? -1 : x->tie > y->tie;
}

/* Mean and variance of the wait in each stage of an omega network with unlimited queues, computed
 * stage by stage, as nothing flows back. Ties are broken at random. */
static void simulated(int k, int stages, int length, double load, int cycles, double *wait,
                      double *variance)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int nodes = 1, count = 0, digit = 1;
    double *idle;

    for (int s = 0; s < stages; s++)
        nodes *= k;
    message_header *m = malloc(sizeof *m * (size_t)(nodes * cycles * load / length * 1.2 + 1000));
    idle = malloc(sizeof *idle * (size_t)nodes);
    for (int t = 0; t < cycles; t++)
        for (int i = 0; i < nodes; i++)
            if (gsl_rng_uniform(rng) < load / length)
                m[count++] = (message_header){t, gsl_rng_get(rng), i,
                                              (int)gsl_rng_uniform_int(rng, (unsigned long)nodes)};
    for (int s = 0; s < stages; s++, digit *= k) {
        double sum = 0, squares = 0, seen = 0;
        memset(idle, 0, sizeof *idle * (size_t)nodes);
        qsort(m, (size_t)count, sizeof *m, earlier);
        for (int j = 0; j < count; j++) {
            int out = m[j].link * k % nodes + m[j].to / (nodes / k / digit) % k;
            double start = fmax(m[j].time, idle[out]), w = start - m[j].time;
            idle[out] = start + length;
            if (m[j].time > 0.1 * cycles && m[j].time < 0.95 * cycles) {
                sum += w;
                squares += w * w;
                seen++;
            }
            m[j].link = out;
            m[j].time = start + 1;
            m[j].tie = gsl_rng_get(rng);
        }
        wait[s] = sum / seen;
        variance[s] = squares / seen - wait[s] * wait[s];
    }
    gsl_rng_free(rng);
    free(m);
    free(idle);
}

Test(stage_waits, messages_simulated, .timeout = 240)
{
    const struct {
        int ports, stages, length;
        double load;
    } cases[] = {{2, 5, 4, 0.5}, {4, 3, 8, 0.5}, {2, 4, 2, 0.7}};

    for (int c = 0; c < 3; c++) {
        const int k = cases[c].ports, n = cases[c].stages;
        double wait[8], variance[8];
        char text[40];
        simulated(k, n, cases[c].length, cases[c].load, 40000, wait, variance);
        for (int i = 1; i <= n; i++) {
            double formula = swq_message_wait(k, cases[c].load, cases[c].length, i);
            double low = i == 1 ? 0.97 : i == 2 ? 0.90 : 0.95;
            double high = i == 1 ? 1.03 : i == 2 ? 1.0 : 1.04;
            cr_assert(formula > low * wait[i - 1] && formula < high * wait[i - 1],
                      "case %d, stage %d: %g, not %g", c, i, formula, wait[i - 1]);
        }
        snprintf(text, sizeof text, "%d %d %g %d", k, n, cases[c].load, cases[c].length);
        cr_assert_float_eq(row_value("kruskal-snir-weiss", text, "variance_1") / variance[0], 1,
                           0.06, "case %d", c);
    }
}

Test(stage_waits, messages)
{
    /* of one packet: packets; of many through many ports: a queue with constant services */
    for (int i = 1; i < 5; i++)
        cr_assert_eq(swq_message_wait(2, 0.7, 1, i), swq_stage_wait(2, 0.7, i));
    assert_relative(swq_message_wait(4, 0.5, 8, 1), 3.875, 1e-15, "load (m - 1/k) / 2 (1 - load)");
    assert_relative(swq_message_wait(1 << 20, 0.8, 16, 1), 16 * 2, 1e-6, "many ports");
    assert_relative(row_value("kruskal-snir-weiss", "4 3 0.5 8", "wait_2"),
                    8 * swq_stage_wait(4, 0.5, 2), 1e-15, "");
    for (int k = 2; k <= 64; k *= 2) {
        char text[40];
        snprintf(text, sizeof text, "%d 3 0.6", k);
        assert_relative(row_value("kruskal-snir-weiss", text, "variance_1"),
                        swq_output_queue_wait_variance(k, 0.6), 1e-13, "%d", k);
    }
    cr_assert(isinf(swq_message_wait(2, 1, 4, 1)) && isinf(swq_message_wait(2, 1, 4, 2)));
    cr_assert_eq(row_value("kruskal-snir-weiss", "2 3 0 4", "wait"), 0);
    cr_assert_eq(row_value("kruskal-snir-weiss", "2 3 0 4", "variance_1"), 0);
}
