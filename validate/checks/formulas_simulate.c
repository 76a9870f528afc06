/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The simulations that formulas are compared with.
 */
#include "validate/checks/formulas.h"

enum { QUICK = 20000, FULL = 200000 };

uint64_t formula_cycles(swq_effort effort)
{
    return effort == SWQ_EFFORT_QUICK ? QUICK : FULL;
}

swq_status formula_simulate_waits(swq_context *ctx, const swq_stated *row, swq_effort effort,
                                  uint64_t seed, swq_sim_result *result)
{
    swq_network network;
    swq_status status = swq_stated_network(ctx, row, SWQ_BLOCK, SWQ_CREDIT_SAME, &network);

    if (!status)
        status = swq_stated_simulate(ctx, &network, formula_cycles(effort), seed, result);
    return status;
}
