/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Discards that are too rare for plain simulation: importance splitting (RESTART). When a network
 * reaches a state that is important, as an importance function says, it is split into several
 * copies that go on with random numbers of their own, and their losses are weighted less in the
 * same proportion. So the mean is that of a plain simulation, whatever the importance function and
 * the numbers of copies; only its variance depends on them.
 *
 * Sources: M. and J. Villen-Altamirano, RESTART: a straightforward method for fast simulation of
 * rare events, Winter Simulation Conference 1994; M. Garvels and D. Kroese, A comparison of RESTART
 * implementations, Winter Simulation Conference 1998.
 */
#ifndef SWITCHQ_RARE_H
#define SWITCHQ_RARE_H

#include "switchq/sim.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum {
    SWQ_RARE_LEVELS = 128,      /* most thresholds */
    SWQ_RARE_REPLICATIONS = 32, /* by default */
    SWQ_RARE_FAMILIES = 50 /* no interval is given for a smaller effective number of families */
};

/* One row of the table of importance functions, which say how near a network's state is to a
 * discard. */
typedef struct swq_importance {
    const char *name;
    const char *summary;
    const struct swq_importance_of *rule; /* private to the library */
} swq_importance;

/* All importance functions, ended by NULL. */
extern const swq_importance *const swq_importances[];

/* The row of that name. Errors: SWQ_EINVAL for an unknown name (suggesting the nearest). */
swq_status swq_importance_find(swq_context *ctx, const char *name, const swq_importance **row);

/* From this importance on (1 or more) there are `factor` (1 .. 1e6) times as many copies as below
 * it. */
typedef struct swq_rare_level {
    uint32_t threshold;
    int factor;
} swq_rare_level;

/* The prediction of a pilot run for the run. */
typedef struct swq_rare_outlook {
    const swq_importance *importance;
    double loss; /* rough estimate of the discard probability */
    double gain; /* cycles of crude simulation divided by the cycles of all paths, for the same
                    precision: if the gain is below 1, or there is no level, crude simulation is
                    cheaper */
    int levels;
} swq_rare_outlook;

typedef struct swq_rare_options {
    uint64_t seed;
    int replications;  /* 2 .. SWQ_MAX_REPLICATIONS, independent; intervals come from their scatter,
                          by Student's t */
    int threads;       /* number of threads for replications; does not change the numbers */
    uint64_t cycles;   /* of the main path, per replication; with a precision, the most. Pilot runs
                          take at most as many cycles as all main paths together. */
    uint64_t warmup;   /* cycles before the measured ones; SWQ_WARMUP_AUTO: found by MSER-5 */
    double precision;  /* > 0: continue until the relative half-width is no larger, and there are
                          enough families */
    double confidence; /* of all intervals */
    const swq_importance *importance; /* NULL: the best of the table in a pilot run */
    const swq_rare_level *level; /* [levels], with rising thresholds; needs an importance function.
                                    NULL: found by a pilot run */
    int levels; /* at most SWQ_RARE_LEVELS; with level != NULL, 0 means crude simulation */
    uint64_t pilot_steps; /* cycles of each round of the pilot run, 1000 .. 1e9; the pilot run
                             doubles this number if it makes no progress */
    bool plain;           /* as in swq_sim_options */
    /* Called after the pilot run, before the replications; or NULL. */
    void (*piloted)(void *arg, const swq_rare_outlook *outlook);
    void *arg;
} swq_rare_options;

/* Seed 1, 32 replications, 1 thread, precision 0.1, at most 1e8 cycles, automatic warm-up,
 * importance and levels, 95% intervals. */
swq_rare_options swq_rare_defaults(void);

typedef struct swq_rare_level_result {
    swq_rare_level level;
    /* probability of a state of this importance or above, after transmission */
    swq_estimate probability;
} swq_rare_level_result;

typedef struct swq_rare_result {
    uint32_t nodes;
    double offered; /* packets created per cycle in the whole network, by the spec */

    /* Fraction of the packets created. All half-widths, including those of stages and levels, are
     * INFINITY if not `enough`, and for a mean of 0. */
    swq_estimate discard_fraction;
    swq_estimate stage[SWQ_MAX_STAGES]; /* lost on arrival at the stage, as a fraction of the
                                           packets created */
    double relative;                    /* half-width over mean */
    bool enough; /* families >= SWQ_RARE_FAMILIES, and at least two replications */

    const swq_importance *importance;
    uint32_t importance_most; /* its largest possible value */
    int levels;
    swq_rare_level_result level[SWQ_RARE_LEVELS];
    double copies; /* product of all factors */

    /* The run ended during its pilot run, and only rough estimates without intervals are known: the
     * loss, the levels' probabilities, and the importance reached. */
    bool pilot_only;
    uint32_t reached;           /* highest importance reached */
    double reached_probability; /* fraction of the time spent at importances of `reached` or more */
    double pilot_gain;          /* as in swq_rare_outlook; NAN if no pilot run was completed */

    /* A family is all that results from one crossing of the first threshold by a main path. */
    uint64_t crossings;    /* families */
    uint64_t contributing; /* families that lost packets */
    double families;       /* effective number: (sum x)^2 / sum x^2 for contributions x */

    uint64_t seed;
    int replications;
    uint64_t warmup;      /* cycles of each replication */
    uint64_t cycles;      /* of all main paths */
    uint64_t steps;       /* cycles of all paths, including those of copies */
    uint64_t discards;    /* packets lost in all paths */
    uint64_t pilot_steps; /* cycles of all pilot runs */
    /* A crude simulation loses packets at best one by one. crude_cycles: the cycles that a crude
     * simulation needs at least for the same half-width; gain: crude_cycles / steps. */
    double crude_cycles, gain;
    double cpu_seconds, wall_seconds;
    size_t bytes;
    swq_stop stopped_by;   /* cycles, precision, time or interrupted */
    bool precision_missed; /* a precision was requested, and not reached */
    const char *engine;
} swq_rare_result;

/* Can rare losses of this network be estimated by splitting, and are the options in range?
 * Splitting needs input-queued switches, flow discard without resending, sources that hold one
 * packet, no bursts, and a load above 0. *nodes receives N. Errors: those of swq_network_check;
 * SWQ_EINVAL naming the parameter. */
swq_status swq_rare_check(swq_context *ctx, const swq_network *network,
                          const swq_rare_options *options, uint32_t *nodes);

/* Estimate the probability of a discard. Memory is allocated before the first cycle: for each
 * replication, a network and a copy of its state for each level. If the context is cancelled or its
 * time is up, the run ends with SWQ_STOP_INTERRUPTED or SWQ_STOP_TIME, and with SWQ_OK if anything
 * was measured, even if only in the pilot run. Errors: those of swq_rare_check; SWQ_ELIMIT,
 * SWQ_ENOMEM; SWQ_ECANCELLED in the warm-up; SWQ_ECONVERGE if no pilot run reached a discard. */
swq_status swq_rare_run(swq_context *ctx, const swq_network *network,
                        const swq_rare_options *options, swq_rare_result *result);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
