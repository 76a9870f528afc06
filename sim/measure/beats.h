/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a replication looks like from one beat to the next: a time series, finer than its batches,
 * from which the length of the network's memory is estimated.
 */
#ifndef SWQ_SIM_MEASURE_BEATS_H
#define SWQ_SIM_MEASURE_BEATS_H

#include "base/arrays.h"
#include "sim/measure/system.h"

/* A beat is a few cycles long at first. When there is no room for more, beats are merged in pairs,
 * and new ones last twice as long. */
enum { SWQ_MOST_BEATS = 512 };

/* Sums over the cycles of a beat. */
enum {
    SWQ_BEAT_CYCLES,
    SWQ_BEAT_INSIDE,  /* packets that have left their sources */
    SWQ_BEAT_PACKETS, /* packets in the system */
    SWQ_BEAT_DELIVERED,
    SWQ_BEAT_LATENCY, /* sum of latencies of the packets delivered */
    SWQ_BEAT_AMOUNT,  /* packets or bytes, as throughput counts them */
    SWQ_BEAT_SUMS
};

typedef struct swq_beats {
    double *beat; /* [SWQ_MOST_BEATS * SWQ_BEAT_SUMS] */
    uint64_t before[SWQ_BEAT_SUMS],
        cycles;    /* the sums when the beat began, and its cycles so far */
    uint64_t span; /* cycles of a beat */
    size_t count;
} swq_beats;

void swq_beats_list(swq_beats *beats, swq_arrays *list);

/* Cycles until the beat ends. */
static inline uint64_t swq_beats_left(const swq_beats *beats)
{
    return beats->span - beats->cycles;
}

/* The system has run some cycles since the last call, or since its tally was reset; at most as many
 * as were left. */
void swq_beats_pass(swq_beats *beats, const swq_system *system, uint64_t cycles);

#endif
