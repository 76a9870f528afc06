/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random, outputs choose first. For two ports the same chain as inputs first; from three ports on a
 * different one.
 */
#include "models/arbiters/arbiters.h"

static void arbitrate(const swq_requests *requests, swq_dice *dice, int *grant)
{
    int outputs[SWQ_MAX_PORTS], left = requests->ports;
    bool sent[SWQ_MAX_PORTS];

    swq_grant_none(requests, grant);
    for (int j = 0; j < left; j++) {
        outputs[j] = j;
        sent[j] = false;
    }
    while (left > 0) {
        int column[SWQ_MAX_PORTS];
        int turn = swq_dice_fair(dice, left);
        int output = outputs[turn];
        outputs[turn] = outputs[--left]; /* the order of the rest does not matter */
        swq_idle_column_of(requests, output, sent, column);
        grant[output] = swq_prefer(column, requests->ports, SWQ_PREFER_ANY, dice);
        if (grant[output] != SWQ_NO_INPUT)
            sent[grant[output]] = true;
    }
    if (requests->read_each_queue)
        swq_grant_free_outputs(requests, SWQ_PREFER_ANY, dice, grant);
}

const swq_arbiter swq_arbiter_random_outputs = {
    .name = "random-outputs",
    .summary = "outputs in random order, each takes from a random input that has not sent",
    .source = "parallel iterative matching taken one output at a time",
    .arbitrate = arbitrate,
    .alike = SWQ_ALIKE_ALL,
    .compares = SWQ_COMPARES_NONE,
};
