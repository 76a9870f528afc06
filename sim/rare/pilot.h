/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Thresholds and factors from pilot runs.
 */
#ifndef SWQ_SIM_RARE_PILOT_H
#define SWQ_SIM_RARE_PILOT_H

#include "sim/rare/split.h"

typedef struct swq_pilot {
    swq_rare_level level[SWQ_RARE_LEVELS];
    int levels;
    /* of the last run, which used these levels */
    double steps_per_cycle, families_per_step; /* effective number of families */
    uint64_t steps;                            /* of all runs together */
    /* The knowledge gained, even if the pilot run did not get through: */
    double lost;       /* packets per cycle */
    uint32_t highest;  /* highest importance whose probability is known */
    double highest_at; /* that probability */
    double level_at[SWQ_RARE_LEVELS];
    uint32_t importance_most;
    const char *engine;
} swq_pilot;

/* Limits on the length of a pilot run. */
typedef struct swq_pilot_length {
    uint64_t steps; /* most steps of one run */
    uint64_t most;  /* steps of all pilot runs together: once so many have been made, no other run
                       begins */
    uint64_t bound; /* of all runs: stop at once */
} swq_pilot_length;

/* Runs a split that watches, already warmed up, with levels further and further up until packets
 * are lost. Errors: SWQ_ECONVERGE if none are; SWQ_ECANCELLED, also at the bound, with the
 * knowledge so far; SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_pilot_run(swq_context *ctx, swq_split *split, const swq_pilot_length *length,
                         swq_pilot *pilot);

#endif
