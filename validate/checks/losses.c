/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The 2x2 switch of Table 4.1 and the network of Table 4.3, for single claims.
 */
#include "validate/checks/losses.h"

#include "base/context.h"
#include "validate/table_sim.h"

swq_status swq_claimed_loss(swq_context *ctx, const char *buffer, int slots, double load,
                            swq_mean *loss)
{
    const swq_table_4_1_options options = swq_table_4_1_defaults();
    swq_answers answers;
    const swq_status status = swq_table_4_1_solve(ctx, &options, buffer, slots, load, &answers);

    if (!status)
        *loss = answers.discard;
    if (!status || status == SWQ_ECONVERGE)
        swq_answers_clear(ctx, &answers);
    return status;
}

swq_status swq_claimed_run(swq_context *ctx, const swq_claimed_net *net, uint64_t seed,
                           swq_sim_result *result)
{
    swq_paper_options options = swq_paper_defaults();
    swq_paper_table table = net->discard ? swq_table_4_2 : swq_table_4_3;
    swq_paper_row row = {.buffer = net->buffer, .slots = net->slots};
    swq_sim_point point = {.throughput = net->throughput, .options = swq_sim_defaults()};

    table.hot_fraction = net->hot;
    swq_status status = swq_paper_network(ctx, &table, &options, &row, &point.network);
    if (status)
        return status;
    point.network.traffic.load = net->throughput > 0 ? 1 : net->load;
    point.options.seed = seed;
    point.options.cycles = net->cycles;
    point.options.per_node = net->per_node;
    status = swq_sim_points(ctx, &point, 1, 1);
    if (!status && swq_context_cancelled(ctx))
        status = swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
    if (!status && point.saturated)
        status = swq_fail(ctx, SWQ_EINVAL, "%s-%d does not deliver a throughput of %g", net->buffer,
                          net->slots, net->throughput);
    *result = point.result;
    return status;
}
