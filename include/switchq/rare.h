/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Discards too rare for a simulation to see: importance splitting (RESTART). A network in a state
 * that matters, as an importance function says, is split into several that go on with random
 * numbers of their own, and what they lose counts for less in the same proportion; so the mean is
 * that of a simulation, whatever the importance function and the numbers of copies, and only its
 * variance depends on them.
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
    SWQ_RARE_FAMILIES = 50      /* effective number of families below which no interval is given */
};

/* One row of the table of importance functions: how near a network's state is to a discard. */
typedef struct swq_importance {
    const char *name;
    const char *summary;
    struct swq_importance_of *rule; /* the library's own */
} swq_importance;

/* All importance functions, ended by NULL. */
extern const swq_importance *const swq_importances[];

/* The row of that name. Errors: SWQ_EINVAL for an unknown name (suggesting the nearest). */
swq_status swq_importance_find(swq_context *ctx, const char *name, const swq_importance **row);

/* At this importance or above there are `factor` times as many copies as below. */
typedef struct swq_rare_level {
    uint32_t threshold;
    int factor;
} swq_rare_level;

/* What a pilot run says of the run to come. */
typedef struct swq_rare_outlook {
    const swq_importance *importance;
    double loss; /* probability of a discard, roughly */
    double gain; /* cycles of crude simulation over those of all paths, for the same precision:
                    below 1, or with no level at all, crude simulation is cheaper */
    int levels;
} swq_rare_outlook;

typedef struct swq_rare_options {
    uint64_t seed;
    int replications;  /* independent; the interval is theirs, by Student's t */
    int threads;       /* number of threads for replications; does not change the numbers */
    uint64_t cycles;   /* of the main path, per replication; the most with a precision. Pilot runs
                          take as many cycles at most as all main paths. */
    uint64_t warmup;   /* before that, not measured; SWQ_WARMUP_AUTO: found by MSER-5 */
    double precision;  /* > 0: go on until the relative half-width is no larger, and there are
                          enough families */
    double confidence; /* of all intervals */
    const swq_importance *importance; /* NULL: the best of the table in a pilot run */
    const swq_rare_level *level;      /* [levels], thresholds rising; NULL: found by a pilot run */
    int levels;                       /* with level != NULL and 0 levels this is crude simulation */
    uint64_t pilot_steps; /* of each round of the pilot run, which doubles it when stuck */
    bool plain;           /* as in swq_sim_options */
    /* Called when the pilot run is over, before the replications; or NULL. */
    void (*piloted)(void *arg, const swq_rare_outlook *outlook);
    void *arg;
} swq_rare_options;

/* Seed 1, 32 replications, 1 thread, precision 0.1, at most 1e8 cycles, automatic warm-up,
 * importance and levels, 95% intervals. */
swq_rare_options swq_rare_defaults(void);

typedef struct swq_rare_level_result {
    swq_rare_level level;
    swq_estimate probability; /* of a state of this importance or above, after transmission */
} swq_rare_level_result;

typedef struct swq_rare_result {
    uint32_t nodes;
    double offered; /* packets created per cycle, by the spec */

    /* Of the packets created. All half-widths, those of stages and levels too, are INFINITY when
     * not `enough`; so is that of a mean of 0. */
    swq_estimate discard_fraction;
    swq_estimate stage[SWQ_MAX_STAGES]; /* lost on arrival at a stage, of the packets created */
    double relative;                    /* half-width over mean */
    bool enough;                        /* families >= SWQ_RARE_FAMILIES, two replications */

    const swq_importance *importance;
    uint32_t importance_most; /* the largest value it can have */
    int levels;
    swq_rare_level_result level[SWQ_RARE_LEVELS];
    double copies; /* product of all factors */

    /* The run ended in its pilot run, and this is all that it knows: the loss and the levels'
     * probabilities, roughly and without an interval, and how far up it came. */
    bool pilot_only;
    uint32_t reached;           /* an importance ... */
    double reached_probability; /* ... and how much of the time it is this or more */
    double pilot_gain;          /* swq_rare_outlook's; NAN without a pilot run that got through */

    /* A family is everything that results from one crossing of the first threshold by a main path.
     */
    uint64_t crossings;    /* families */
    uint64_t contributing; /* families that lost packets */
    double families;       /* effective number: (sum x)^2 / sum x^2 of their contributions */

    uint64_t seed;
    int replications;
    uint64_t warmup;      /* cycles, of each replication */
    uint64_t cycles;      /* of all main paths */
    uint64_t steps;       /* cycles of all paths, copies' included */
    uint64_t discards;    /* packets lost in all of them */
    uint64_t pilot_steps; /* cycles of all pilot runs */
    /* A plain ("crude") simulation loses packets one by one at best. crude_cycles: the cycles that
     * it needs at least for the same half-width; gain: crude_cycles over steps. */
    double crude_cycles, gain;
    double cpu_seconds, wall_seconds;
    size_t bytes;
    swq_stop stopped_by;   /* cycles, precision, time or interrupted */
    bool precision_missed; /* one was asked for */
    const char *engine;
} swq_rare_result;

/* Is rare.h's method for this network? It is for flow discard without resending, sources that hold
 * one packet, and no bursts. Errors: those of swq_network_check; SWQ_EINVAL. */
swq_status swq_rare_check(swq_context *ctx, const swq_network *network,
                          const swq_rare_options *options, uint32_t *nodes);

/* Estimate. Memory is taken before the first cycle: for every replication a network and a copy of
 * its state for each level. A cancelled context, or one whose time is up, ends the run with
 * SWQ_STOP_INTERRUPTED or SWQ_STOP_TIME and SWQ_OK, if anything was measured, if only in the pilot
 * run. Errors: those of swq_rare_check; SWQ_ELIMIT, SWQ_ENOMEM; SWQ_ECANCELLED in the warm-up;
 * SWQ_ECONVERGE when no pilot run got as far as a discard. */
swq_status swq_rare_run(swq_context *ctx, const swq_network *network,
                        const swq_rare_options *options, swq_rare_result *result);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
