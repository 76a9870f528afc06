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
    /* what it knows, though it may not have got through: */
    double lost;       /* packets per cycle */
    uint32_t highest;  /* importance whose probability is known */
    double highest_at; /* that probability */
    double level_at[SWQ_RARE_LEVELS];
    uint32_t importance_most;
    const char *engine;
} swq_pilot;

/* How long a pilot run may be. */
typedef struct swq_pilot_length {
    uint64_t steps; /* of one run */
    uint64_t most;  /* of all: not to begin another one */
    uint64_t bound; /* of all: to stop at once */
} swq_pilot_length;

/* Run a split that watches, warmed up, with levels further and further up until packets are lost.
 * Errors: SWQ_ECONVERGE when that does not happen; SWQ_ECANCELLED, at the bound too, with what it
 * knows by then; SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_pilot_run(swq_context *ctx, swq_split *split, const swq_pilot_length *length,
                         swq_pilot *pilot);

#endif
