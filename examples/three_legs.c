/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The three legs in thirty lines: one 4 x 4 DAMQ switch of two slots, blocking, load 0.6; its
 * throughput solved exactly, simulated and approximated.
 */
#include <switchq/switchq.h>

#include <math.h>
#include <stdio.h>

int main(void)
{
    swq_context *ctx = swq_context_new();
    swq_network net = {.shape.stages = 1, .traffic = swq_traffic_defaults()};
    swq_switch *sw = &net.sw;
    swq_exact_options exactly = swq_exact_options_defaults();
    swq_sim_options long_enough = swq_sim_defaults();
    const swq_buffer_kind *damq;
    swq_answers solved;
    swq_sim_result simulated;
    swq_approx_result approximated;

    *sw = (swq_switch){.ports = 4, .flow = SWQ_BLOCK, .credit = SWQ_CREDIT_NEXT};
    for (int i = 0; i < sw->ports; i++)
        sw->load[i] = 0.6;
    net.traffic.load = 0.6;
    swq_traffic_uniform(sw);
    if (swq_buffer_kind_find(ctx, "damq", &damq) ||
        swq_arbiter_find(ctx, "longest", &sw->arbiter) ||
        swq_fabric_find(ctx, "switch", &net.shape) ||
        swq_buffer_preset(ctx, damq, sw->ports, 2, &sw->buffer) ||
        swq_exact_solve(ctx, sw, &exactly, &solved) ||
        swq_sim_run(ctx, &net, &long_enough, &simulated) ||
        swq_approx_run(ctx, &net, NULL, &approximated)) {
        fprintf(stderr, "%s\n", swq_context_message(ctx));
        return 1;
    }
    const swq_estimate *mean = &simulated.all.throughput;
    printf("solved %.12f, simulated %.4f +- %.4f, approximated %.4f packets per output and cycle\n",
           solved.throughput.value, mean->mean, mean->half_width, approximated.throughput);
    double off = fabs(mean->mean - solved.throughput.value);
    swq_answers_clear(ctx, &solved);
    swq_context_free(ctx);
    return off < 3 * mean->half_width ? 0 : 1;
}
