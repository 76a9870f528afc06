/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random maximum-size matching.
 */
#include "models/arbiters/arbiters.h"

static void arbitrate(const swq_requests *requests, swq_dice *dice, int *grant)
{
    swq_grant_best_set(requests, SWQ_MOST_PACKETS, dice, grant);
}

const swq_arbiter swq_arbiter_maximum = {
    .name = "maximum",
    .summary = "as many packets as possible; all such sets are equally likely",
    .source = "maximum-size matching; McKeown (1999)",
    .arbitrate = arbitrate,
    .alike = SWQ_ALIKE_ALL,
    .compares = SWQ_COMPARES_NONE,
    .most_ports = SWQ_BEST_SET_PORTS,
};
