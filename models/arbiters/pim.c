/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parallel iterative matching: outputs grant and inputs accept at random, in several rounds.
 * Source: Anderson, Owicki, Saxe, Thacker, ACM TOCS 11(4), 1993.
 */
#include "models/arbiters/arbiters.h"

#include <string.h>

static void arbitrate(const swq_requests *r, swq_dice *dice, int *grant)
{
    int column[SWQ_MAX_PORTS], offers[SWQ_MAX_PORTS], offered[SWQ_MAX_PORTS];
    bool sending[SWQ_MAX_PORTS];

    swq_grant_none(r, grant);
    /* sizes that the compiler knows */
    memset(sending, false, r->ports <= 32 ? 32 * sizeof *sending : sizeof sending);
    for (int round = 0; round < r->iterations; round++) {
        for (int j = 0; j < r->ports; j++) {
            swq_idle_column_of(r, j, sending, column);
            offered[j] = grant[j] == SWQ_NO_INPUT
                             ? swq_prefer(column, r->ports, SWQ_PREFER_ANY, dice)
                             : SWQ_NO_INPUT;
            if (r->read_each_queue && offered[j] != SWQ_NO_INPUT)
                grant[j] = offered[j];
        }
        for (int i = 0; i < r->ports && !r->read_each_queue; i++) {
            for (int j = 0; j < r->ports; j++)
                offers[j] = offered[j] == i;
            int output = swq_prefer(offers, r->ports, SWQ_PREFER_ANY, dice);
            if (output != SWQ_NO_INPUT) {
                grant[output] = i;
                sending[i] = true;
            }
        }
    }
}

const swq_arbiter swq_arbiter_pim = {
    .name = "pim",
    .summary = "parallel iterative matching: random grants and accepts; --iterations",
    .source = "Anderson, Owicki, Saxe, Thacker (1993)",
    .arbitrate = arbitrate,
    .iterative = true,
    .alike = SWQ_ALIKE_ALL,
    .compares = SWQ_COMPARES_NONE,
};
