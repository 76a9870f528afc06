/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fixed priority: no random choice at all, input 0 and output 0 come first.
 */
#include "models/arbiters/arbiters.h"

static void arbitrate(const swq_requests *requests, swq_dice *dice, int *grant)
{
    swq_grant_inputs_first(requests, true, SWQ_PREFER_FIRST, dice, grant);
}

const swq_arbiter swq_arbiter_fixed = {
    .name = "fixed",
    .summary = "inputs in fixed order, each sends from its lowest queue whose output is free",
    .source = "none: the unfair extreme",
    .arbitrate = arbitrate,
    .favours = "the first inputs",
    .serves = SWQ_SERVES_FIRST,
    .compares = SWQ_COMPARES_NONE,
};
