/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Maximum-size matching that prefers long queues.
 */
#include "models/arbiters/arbiters.h"

static void arbitrate(const swq_requests *requests, swq_dice *dice, int *grant)
{
    swq_grant_best_set(requests, SWQ_MOST_PACKETS_LONGEST_QUEUES, dice, grant);
}

const swq_arbiter swq_arbiter_maximum_longest = {
    .name = "maximum-longest",
    .summary = "as many packets as possible; among those sets, the one with the longest queues",
    .source = "maximum-size matching of greatest weight",
    .arbitrate = arbitrate,
    .alike = SWQ_ALIKE_ALL,
    .compares = SWQ_COMPARES_ALL,
    .most_ports = SWQ_BEST_SET_PORTS,
};
