/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Waits stage by stage: numbers, the first stage's identity with output queues, and simulated
 * networks of output queues that never fill.
 */
#include "tests/models/formulas/rows.h"
#include "tests/sim/samples.h"

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

/* The first stage is met within the noise, later ones within 3%, and the whole delay varies more
 * than independent stages would. */
Test(stage_waits, against_simulation, .timeout = 60)
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
            /* what the state of a later stage has, has also come in that cycle */
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
