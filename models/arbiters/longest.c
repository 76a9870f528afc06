/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Longest queue first, inputs in random order.
 */
#include "models/arbiters/arbiters.h"

static bool step(const swq_requests *requests, uint64_t *done, swq_dice *dice, int *grant)
{
    return swq_step_inputs_first(requests, false, SWQ_PREFER_LONGEST, done, dice, grant);
}

static void arbitrate(const swq_requests *requests, swq_dice *dice, int *grant)
{
    swq_grant_inputs_first(requests, false, SWQ_PREFER_LONGEST, dice, grant);
}

const swq_arbiter swq_arbiter_longest = {
    .name = "longest",
    .summary = "inputs in random order, each sends from its longest queue whose output is free",
    .source = "after Frazier (1995), 4.3, without pointer and stale counts",
    .arbitrate = arbitrate,
    .serves = SWQ_SERVES_LONGEST,
    .step = step,
    .alike = SWQ_ALIKE_ALL,
    .compares = SWQ_COMPARES_INPUT,
};
