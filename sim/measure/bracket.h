/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The loads between which open sources cease to be served in full, for any engine: bisection, with
 * a judgement of the backlogs at each load.
 */
#ifndef SWQ_SIM_MEASURE_BRACKET_H
#define SWQ_SIM_MEASURE_BRACKET_H

#include "sim/measure/growth.h"
#include "sim/measure/run.h"

/* A load that is to be judged. */
typedef struct swq_trial_plan {
    double load;
    double enough; /* packets per cycle and node: a load of which no more is unserved is served */
    double level;  /* of each judgement */
} swq_trial_plan;

/* The judgement of a run at one load. */
typedef struct swq_trial {
    swq_growth growth;
    bool undecided; /* of the mean or the worst, the longest run showed neither that the backlog
                       grows nor that the load is served */
    bool deadlock;  /* a deadlock ended the run, which counts as growth */
    uint64_t cycles;
} swq_trial;

/* Runs a system of the engine, made for the load with sources that never refuse a packet, from an
 * empty network on, and judges its backlogs after options->cycles and, while the judgement is open,
 * after two, four and eight times as many cycles. Errors: those of make; SWQ_ECANCELLED;
 * SWQ_ELIMIT. */
swq_status swq_trial_run(swq_context *ctx, const swq_engine *engine, const swq_sim_options *options,
                         const swq_trial_plan *plan, swq_trial *trial);

/* Judges a load, on any thread. */
typedef swq_status swq_trial_fn(swq_context *ctx, void *arg, const swq_trial_plan *plan,
                                swq_trial *trial);

/* Bisects between 0 and 1, judging options->threads loads at a time; the number of threads changes
 * no answer. When cancelled, returns the bracket found so far. Errors: those of judge, except
 * SWQ_ECANCELLED. */
swq_status swq_bracket_find(swq_context *ctx, swq_trial_fn *judge, void *arg,
                            const swq_sim_options *options, double resolution,
                            swq_bracket *bracket);

#endif
