/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Thresholds and factors from pilot runs.
 * Room: sim.
 */
#ifndef SWQ_SIM_RARE_PILOT_H
#define SWQ_SIM_RARE_PILOT_H

#include "sim/rare/split.h"

typedef struct swq_pilot {
    swq_rare_level level[SWQ_RARE_LEVELS];
    int levels;
    /* of the last run, which is with these levels */
    double steps_per_cycle, families_per_step; /* effective number of families */
    uint64_t steps;                            /* of all runs */
} swq_pilot;

/* Run a split that watches, warmed up, with levels further and further up until packets are lost,
 * some `steps` each time, and about `most` in all. Errors: SWQ_ECONVERGE when that does not happen;
 * SWQ_ECANCELLED; SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_pilot_run(swq_context *ctx, swq_split *split, uint64_t steps, uint64_t most,
                         swq_pilot *pilot);

#endif
