/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The loads between which open sources cease to be served in full, for any engine: bisection, with
 * a test for growth at each load.
 * Room: sim.
 */
#ifndef SWQ_SIM_MEASURE_BRACKET_H
#define SWQ_SIM_MEASURE_BRACKET_H

#include "sim/measure/run.h"

/* The verdict of a run at one load. */
typedef struct swq_growth {
    bool below;      /* below saturation */
    bool undecided;  /* the longest run did not decide; counts as not below */
    bool deadlock;   /* a deadlock ended the run */
    uint64_t cycles; /* cycles run; the last two thirds of them were judged */
    /* growth of the backlog at sources in packets per cycle, and its standard error */
    double slope, error;
    double offered; /* packets per cycle */
    swq_estimate delivered;
} swq_growth;

/* Runs a system of the engine, made for the load with sources that never refuse a packet, and
 * judges it: after options->cycles, then, while that decides nothing, after two, four and eight
 * times as many; earlier where the slope is many standard errors above 0. Errors: those of make;
 * SWQ_ECANCELLED; SWQ_ELIMIT. */
swq_status swq_growth_judge(swq_context *ctx, const swq_engine *engine,
                            const swq_sim_options *options, swq_growth *growth);

/* Judges made-up batches, for tests. waiting (packets at sources, mean of a batch), created,
 * delivered (packets): [SWQ_GROWTH_BATCHES], each of `cycles` cycles. Returns whether it is
 * decided; with `clear`, only a slope far above 0 decides. */
enum { SWQ_GROWTH_BATCHES = 32 };
bool swq_growth_decide(const double *waiting, const double *created, const double *delivered,
                       double cycles, double confidence, bool clear, swq_growth *growth);

/* Judges a load, on any thread. */
typedef swq_status swq_growth_fn(swq_context *ctx, void *arg, double load, swq_growth *growth);

/* Bisects between 0 and 1, judging options->threads loads at a time, which changes no answer. When
 * cancelled, returns what has been found so far. Errors: those of judge, except SWQ_ECANCELLED. */
swq_status swq_bracket_find(swq_context *ctx, swq_growth_fn *judge, void *arg,
                            const swq_sim_options *options, double resolution,
                            swq_bracket *bracket);

#endif
