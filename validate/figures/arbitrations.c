/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Logical arbitrations of a switch. Cycles come in order, and a cycle joins the set of just one
 * earlier cycle, the cycle that is the link rest time before it; so only a few cycles have to be
 * remembered.
 */
#include "validate/figures/arbitrations.h"

#include <stdbool.h>

enum { IN_STEP = 11 };

void figure_course_add(figure_course *c, uint32_t cycle)
{
    const uint32_t back = (uint32_t)c->rest;
    const uint32_t slot = cycle % ARBITRATIONS_SLOTS;

    if (cycle > ARBITRATIONS_END)
        return;
    if (c->cycle[slot] != cycle + 1) { /* the first transmission of this cycle */
        const uint32_t before = (cycle + ARBITRATIONS_SLOTS - back) % ARBITRATIONS_SLOTS;
        if (back > 0 && cycle >= back && c->cycle[before] == cycle - back + 1) {
            c->at[slot] = c->at[before];
        } else {
            c->at[slot] = c->count;
            c->list[c->count++] = (figure_arbitration){.first = cycle};
        }
        c->cycle[slot] = cycle + 1;
    }
    figure_arbitration *a = &c->list[c->at[slot]];
    a->last = cycle;
    a->packets++;
}

double figure_course_synchronised(const figure_course *c, uint32_t packet)
{
    const uint32_t longest = c->rest ? packet + packet / 4 : packet;
    int in_step = 0;

    for (int k = 1; k < c->count; k++) {
        uint32_t apart = c->list[k].first - c->list[k - 1].first;
        in_step = apart >= packet && apart <= longest ? in_step + 1 : 0;
        if (in_step == IN_STEP - 1)
            return c->list[k - in_step].first;
    }
    return ARBITRATIONS_END;
}
