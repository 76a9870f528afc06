/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How schemes come through traffic that changes: throughput over time, and how far it falls and
 * when it is back.
 * Room: validate. Includes sim.
 */
#ifndef SWQ_VALIDATE_FIGURES_OVER_TIME_H
#define SWQ_VALIDATE_FIGURES_OVER_TIME_H

#include "validate/figures/work.h"

enum { OVER_TIME_GROUPS = 3, OVER_TIME_RUNS = 20 };

/* A tree and its traffic. A cycle is a nanosecond and a byte. */
typedef struct over_time_scene {
    int arity, levels;
    uint64_t end, window; /* cycles */
    uint64_t onset;       /* of the congestion; 0: from the first cycle on */
    uint64_t over;        /* its end */
    int groups;
    swq_sender_group group[OVER_TIME_GROUPS];
    bool in_bytes; /* throughput of the whole network in bytes a cycle, and not a fraction of what
                      the links to the nodes carry */
} over_time_scene;

/* A scheme in a scene: a curve. */
typedef struct over_time_line {
    const char *name;
    const over_time_scene *scene;
    const swq_management *management;
    int saqs;      /* < 0: the management's own number */
    int interface; /* packets that a node's interface has room for; 0: as many as the management has
                      by default, or that it has none */
    bool hold;     /* what joins a SAQ whose notice was refused stays in its input */
    uint32_t speed_bytes, speed_cycles; /* of the crossbar; 0: input-queued */
    int slots;                          /* of 64 bytes, of a store */
    int panel;
} over_time_line;

/* Part of a scene. */
typedef enum over_time_part { OVER_TIME_BEFORE, OVER_TIME_DURING, OVER_TIME_AFTER } over_time_part;

typedef struct over_time {
    figure_work *f;
    const over_time_line *line;
    int lines, runs;
    double **throughput;      /* [lines] [windows * runs] */
    swq_recovery *recovery;   /* [lines * runs] */
    swq_async_result *result; /* [lines * runs] */
    swq_status *status;
} over_time;

/* Run all lines, draw them, and let `claim` say what is seen. At least two runs of each; as many as
 * the options' cycles are times 2,000, up to OVER_TIME_RUNS. */
swq_status over_time_make(figure_work *f, const over_time_line *line, int lines,
                          void (*claim)(const over_time *t));

/* Throughput in a part of the scene, in its last three quarters; the interval is of the runs. */
swq_estimate over_time_mean(const over_time *t, int line, over_time_part part);

/* The lowest of a line's windows from the onset until it is back, as a fraction of what was before;
 * and the cycles until then, the run's end where it is not back in some run. Means over runs. */
swq_estimate over_time_least(const over_time *t, int line);
swq_estimate over_time_recovery(const over_time *t, int line, int *recovered);

#endif
