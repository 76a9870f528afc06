/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One replication of a network under RESTART: a main path, and the copies that split off it.
 * Room: sim.
 */
#ifndef SWQ_SIM_RARE_SPLIT_H
#define SWQ_SIM_RARE_SPLIT_H

#include "sim/rare/importance.h"

/* A path was split at a threshold: the state there, from which the copies start one after the other
 * and the path itself goes on in the end. */
typedef struct swq_split_frame {
    unsigned char *state;
    int copies;     /* not begun yet */
    int born;       /* the level at which the path itself was born; 0: the main path */
    uint32_t here;  /* level of the state, this one or above */
    uint32_t value; /* its importance */
} swq_split_frame;

/* Of paths while they were in a level's zone: from its threshold up to the next one's. */
typedef struct swq_split_count {
    uint64_t steps;
    uint64_t discards[SWQ_MAX_STAGES]; /* on arrival at a stage */
} swq_split_count;

/* What families came to. */
typedef struct swq_split_families {
    uint64_t crossings, contributing;
    double sum, sum_of_squares; /* of the weighted discards */
} swq_split_families;

typedef struct swq_split {
    swq_net *net;
    swq_net_state state;
    const struct swq_importance_of *rule;
    swq_importance_aid aid; /* its scratch is the split's own, its table is not */
    uint32_t most;          /* importance */

    int levels;                                /* zones: 0 .. levels */
    swq_rare_level level[SWQ_RARE_LEVELS + 1]; /* [1 ..] */
    double weight[SWQ_RARE_LEVELS + 1];        /* 1 / product of the factors up to a level */
    uint8_t *level_of;                         /* [most + 1] */
    swq_split_frame frame[SWQ_RARE_LEVELS + 1];

    /* where the path in hand is */
    int now, born;
    uint32_t value;    /* its importance */
    uint64_t branches; /* so many streams were given to copies */
    swq_streams streams;

    /* Counts of the family in hand, which is not over; and of all that went before. */
    swq_split_count family[SWQ_RARE_LEVELS + 1], total[SWQ_RARE_LEVELS + 1];
    uint64_t family_cycles, cycles; /* of the main path */
    int family_top;                 /* the highest level that it reached */
    uint32_t family_peak;           /* and importance */
    double family_loss;
    swq_split_families families;
    bool interrupted;

    /* for the pilot run, else NULL: [most + 1] steps by the importance that they begin with (as
     * many copies as its zone has take it, which is not so of that they lead to), families by their
     * peak */
    uint64_t *visits, *peaks;
} swq_split;

/* Of a network just made, which it owns from here on, at once freed if this fails. Room for levels
 * is taken by swq_split_set. `table`: that of swq_importance_table, which has to outlive the split.
 * `watch`: with visits and peaks. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_split_new(swq_context *ctx, swq_net *net, const struct swq_importance_of *rule,
                         const void *table, bool watch, swq_split *split);
void swq_split_free(swq_context *ctx, swq_split *split);

/* Set the levels, forget all counts. The path in hand must be the main one. Errors: SWQ_ENOMEM,
 * SWQ_ELIMIT. */
swq_status swq_split_set(swq_context *ctx, swq_split *split, const swq_rare_level *level,
                         int levels);

/* Bytes of one split, its network and table left out. */
double swq_split_bytes(const swq_net *net, const struct swq_importance_of *rule, int levels);

/* Go on, the main path for that many cycles without splitting. */
void swq_split_warm_up(swq_split *split, const swq_context *ctx, uint64_t cycles);

/* Go on until the main path has done `cycles` in all, with what has split off it; or until so many
 * steps are done in all, in the midst of a family whose counts are forgotten then. Returns false
 * then, and when interrupted. */
bool swq_split_run(swq_split *split, const swq_context *ctx, uint64_t cycles, uint64_t most_steps);

/* Counts, the family in hand included. */
uint64_t swq_split_cycles(const swq_split *split);
uint64_t swq_split_steps(const swq_split *split);
double swq_split_lost(const swq_split *split, int stage); /* weighted */
double swq_split_time(const swq_split *split, int level); /* weighted cycles in it or above */
swq_split_families swq_split_all_families(const swq_split *split);

#endif
