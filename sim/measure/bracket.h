/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The loads between which open sources cease to be served in full, for any engine: bisection, with
 * a test for growth at each load.
 * Room: sim.
 */
#ifndef SWQ_SIM_MEASURE_BRACKET_H
#define SWQ_SIM_MEASURE_BRACKET_H

#include "sim/measure/run.h"

/* What a run at one load tells. */
typedef struct swq_growth {
    bool below;          /* saturation */
    bool undecided;      /* the longest run left it open: it counts as not below */
    bool deadlock;       /* ended it */
    uint64_t cycles;     /* run; what was judged are the last two thirds of them */
    double slope, error; /* packets at sources per cycle, and its standard error */
    double offered;      /* packets per cycle */
    swq_estimate delivered;
} swq_growth;

/* Run a system of the engine, made for the load with sources that never refuse a packet, and judge
 * it. After options->cycles, and after twice, four and eight times as many while that decides
 * nothing; earlier where the slope is many standard errors above 0. Errors: those of make;
 * SWQ_ECANCELLED; SWQ_ELIMIT. */
swq_status swq_growth_judge(swq_context *ctx, const swq_engine *engine,
                            const swq_sim_options *options, swq_growth *growth);

/* The same of made-up batches, for tests. waiting (packets at sources, mean of a batch), created,
 * delivered (packets): [SWQ_GROWTH_BATCHES], of `cycles` each. Returns whether it is decided;
 * `clear`: only a slope far above 0 decides. */
enum { SWQ_GROWTH_BATCHES = 32 };
bool swq_growth_decide(const double *waiting, const double *created, const double *delivered,
                       double cycles, double confidence, bool clear, swq_growth *growth);

/* Judge the load, on any thread. */
typedef swq_status swq_growth_fn(swq_context *ctx, void *arg, double load, swq_growth *growth);

/* Bisect between 0 and 1, options->threads loads at a time; the answer does not depend on how many.
 * What was found by then when it is cancelled. Errors: those of judge, but SWQ_ECANCELLED. */
swq_status swq_bracket_find(swq_context *ctx, swq_growth_fn *judge, void *arg,
                            const swq_sim_options *options, double resolution,
                            swq_bracket *bracket);

#endif
