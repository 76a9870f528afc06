/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How schemes come through traffic that changes: throughput over time, and how far it falls and
 * when it is back.
 * Room: validate. Includes sim.
 */
#ifndef SWQ_VALIDATE_FIGURES_OVER_TIME_H
#define SWQ_VALIDATE_FIGURES_OVER_TIME_H

#include "validate/figures/figures.h"

enum { OVER_TIME_GROUPS = 3, OVER_TIME_RUNS = 20 };

/* A tree and its traffic. A cycle is a nanosecond, in which a link carries a byte. */
typedef struct over_time_scene {
    int arity, levels;
    uint64_t end, window; /* cycles */
    uint64_t onset;       /* of the congestion; 0: in the first cycle */
    uint64_t over;        /* its end */
    int link_rest;
    int groups;
    swq_sender_group group[OVER_TIME_GROUPS];
    bool in_bytes; /* show the throughput of the whole network in bytes per cycle, instead of the
                      fraction of what the links to the nodes carry */
} over_time_scene;

/* A scheme in a scene, which is a curve. */
typedef struct over_time_line {
    const char *name;
    const over_time_scene *scene;
    const swq_management *management;
    int saqs;      /* < 0: the management's default */
    int interface; /* packets that a node's interface can hold; 0: the management's default, which
                      may be no interface */
    int cold;      /* packets in its cold queue from which on it is full, too; 0: no such limit */
    int xoff; /* packets at which a plain queue stops its feeder, which goes on at half of them;
                 0: never */
    swq_refused refused;
    uint32_t speed_bytes, speed_cycles; /* of the crossbar; 0: input-queued */
    int slots;                          /* of 64 bytes, in each store */
    int panel;
} over_time_line;

/* A part of a scene: the last three quarters of the time before, in, or after the congestion; or
 * the last quarter of the time after it. */
typedef enum over_time_part {
    OVER_TIME_BEFORE,
    OVER_TIME_DURING,
    OVER_TIME_AFTER,
    OVER_TIME_END
} over_time_part;

typedef struct over_time {
    figure_work *f;
    const over_time_line *line;
    int lines, runs;
    double **throughput;      /* [lines] [windows * runs] */
    swq_async_result *result; /* [lines * runs] */
    swq_status *status;
} over_time;

/* Runs all lines, draws them, and calls `claim` to judge the claims about them. The number of runs
 * is the options' cycles divided by 2,000, at least two and at most OVER_TIME_RUNS. */
swq_status over_time_make(figure_work *f, const over_time_line *line, int lines,
                          void (*claim)(const over_time *t));

/* Throughput in a part of the scene; the interval is over runs. */
swq_estimate over_time_mean(const over_time *t, int line, over_time_part part);

/* The lowest window of a line from the onset until the congestion ends, by the means over runs; and
 * the cycles of windows that are below `level`. */
swq_estimate over_time_lowest(const over_time *t, int line);
uint64_t over_time_below(const over_time *t, int line, double level);

#endif
