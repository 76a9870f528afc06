/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One replication of a network under RESTART: a main path, and the copies that split off it.
 */
#ifndef SWQ_SIM_RARE_SPLIT_H
#define SWQ_SIM_RARE_SPLIT_H

#include "sim/rare/importance.h"

/* A path was split at a threshold. From the state there start first the copies, one after another,
 * and finally the path itself. */
typedef struct swq_split_frame {
    unsigned char *state;
    int copies;     /* yet to begin */
    int born;       /* the level at which the path was born; 0: it is the main path */
    uint32_t here;  /* level of the state: this one or a higher one */
    uint32_t value; /* its importance */
} swq_split_frame;

/* Counts of paths within the zone of a level, from its threshold up to the next. */
typedef struct swq_split_count {
    uint64_t steps;
    uint64_t discards[SWQ_MAX_STAGES]; /* on arrival at a stage */
} swq_split_count;

/* Sums over families. */
typedef struct swq_split_families {
    uint64_t crossings, contributing;
    double sum, sum_of_squares; /* of the weighted discards */
} swq_split_families;

typedef struct swq_split {
    swq_net *net;
    swq_state state;
    const struct swq_importance_of *rule;
    swq_importance_aid aid; /* the scratch memory is the split's own, the table is not */
    uint32_t most;          /* largest importance */

    int levels;                                /* zones: 0 .. levels */
    swq_rare_level level[SWQ_RARE_LEVELS + 1]; /* [1 ..] */
    double weight[SWQ_RARE_LEVELS + 1];        /* 1 / product of the factors up to a level */
    uint8_t *level_of;                         /* [most + 1] */
    swq_split_frame frame[SWQ_RARE_LEVELS + 1];

    /* the level of the current path, and the level at which the path was born */
    int now, born;
    uint32_t value;    /* its importance */
    uint64_t branches; /* random streams given to copies so far */
    swq_streams streams;

    /* Counts of the family in progress; and of all before it. */
    swq_split_count family[SWQ_RARE_LEVELS + 1], total[SWQ_RARE_LEVELS + 1];
    uint64_t family_cycles, cycles; /* of the main path */
    int family_top;                 /* the highest level and ... */
    uint32_t family_peak;           /* ... importance that the family reached */
    double family_loss;
    swq_split_families families;
    bool interrupted;

    /* [most + 1] for the pilot run, else NULL: steps by the importance of the state in which they
     * begin, and families by their peak. A step is weighted by the zone in which it begins, since
     * all copies of that zone take such steps. */
    uint64_t *visits, *peaks;
} swq_split;

/* Takes ownership of `net`, and frees it on failure. swq_split_set takes the room for levels.
 * `table`: from swq_importance_table; it has to outlive the split. `watch`: count visits and peaks.
 * Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_split_new(swq_context *ctx, swq_net *net, const struct swq_importance_of *rule,
                         const void *table, bool watch, swq_split *split);
void swq_split_free(swq_context *ctx, swq_split *split);

/* Sets the levels and resets all counts. The path in hand must be the main one. Errors: SWQ_ENOMEM,
 * SWQ_ELIMIT. */
swq_status swq_split_set(swq_context *ctx, swq_split *split, const swq_rare_level *level,
                         int levels);

/* Bytes of a split without its network and table. */
double swq_split_bytes(const swq_net *net, const struct swq_importance_of *rule, int levels);

/* Advances the main path by `cycles` cycles without splitting it. */
void swq_split_warm_up(swq_split *split, const swq_context *ctx, uint64_t cycles);

/* Goes on until the main path and its copies have done `cycles` cycles of the main path in all.
 * Returns false, and forgets the counts of the family in progress, when `most_steps` steps have
 * been done before, or when interrupted. */
bool swq_split_run(swq_split *split, const swq_context *ctx, uint64_t cycles, uint64_t most_steps);

/* Counts, including the family in progress. */
uint64_t swq_split_cycles(const swq_split *split);
uint64_t swq_split_steps(const swq_split *split);
double swq_split_lost(const swq_split *split, int stage); /* weighted */
/* Weighted cycles at the level or above. */
double swq_split_time(const swq_split *split, int level);
swq_split_families swq_split_all_families(const swq_split *split);

#endif
