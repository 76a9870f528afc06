/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times and slowdowns of flows that are complete, as histograms, so that a flow that is over takes
 * no memory.
 */
#ifndef SWQ_SIM_DATACENTRE_COMPLETIONS_H
#define SWQ_SIM_DATACENTRE_COMPLETIONS_H

#include "sim/datacentre/tally.h"

typedef struct dc_completions {
    uint64_t begun, completed;
    double time, slowdown;      /* sums */
    double rates, rate_squares; /* sums, bytes a ps */
    uint64_t *times;            /* [DC_DELAY_BINS] ps */
    uint64_t *slowdowns;        /* [DC_DELAY_BINS] in units of 1 / DC_SLOWDOWN_UNIT */
} dc_completions;

/* A slowdown of 1 is far above the first bins, whose widths are coarse. */
#define DC_SLOWDOWN_UNIT 1048576.0

static inline void dc_note_complete(dc_completions *c, uint64_t time, double slowdown,
                                    uint64_t bytes)
{
    const double rate = (double)bytes / (double)time;

    c->rates += rate;
    c->rate_squares += rate * rate;
    c->completed++;
    c->time += (double)time;
    c->slowdown += slowdown;
    c->times[dc_delay_bin(time)]++;
    c->slowdowns[dc_delay_bin((uint64_t)(slowdown * DC_SLOWDOWN_UNIT))]++;
}

#endif
