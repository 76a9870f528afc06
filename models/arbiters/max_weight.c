/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Maximum-weight matching, a queue weighing its length.
 */
#include "models/arbiters/arbiters.h"

static void arbitrate(const swq_requests *requests, swq_dice *dice, int *grant)
{
    swq_grant_best_set(requests, SWQ_LONGEST_QUEUES, dice, grant);
}

const swq_arbiter swq_arbiter_max_weight = {
    .name = "max-weight",
    .summary = "the set with the greatest sum of queue lengths",
    .source = "McKeown, Mekkittikul, Anantharam and Walrand (1999)",
    .arbitrate = arbitrate,
    .alike = SWQ_ALIKE_ALL,
    .compares = SWQ_COMPARES_ALL,
    .most_ports = SWQ_BEST_SET_PORTS,
};
