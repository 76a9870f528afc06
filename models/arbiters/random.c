/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random, inputs choose first: the arbiter that reproduces Table 4.1.
 */
#include "models/arbiters/arbiters.h"

static bool step(const swq_requests *requests, uint64_t *done, swq_dice *dice, int *grant)
{
    return swq_step_inputs_first(requests, false, SWQ_PREFER_ANY, done, dice, grant);
}

static void arbitrate(const swq_requests *requests, swq_dice *dice, int *grant)
{
    swq_grant_inputs_first(requests, false, SWQ_PREFER_ANY, dice, grant);
}

const swq_arbiter swq_arbiter_random = {
    .name = "random",
    .summary = "inputs in random order, each sends from a random queue whose output is free",
    .source = "Frazier (1995), 4.2; reproduces Table 4.1",
    .arbitrate = arbitrate,
    .serves = SWQ_SERVES_ANY,
    .step = step,
    .alike = SWQ_ALIKE_ALL,
    .compares = SWQ_COMPARES_NONE,
};
