/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One replication: a system, its warm-up, and its batches.
 */
#ifndef SWQ_SIM_MEASURE_REPLICATION_H
#define SWQ_SIM_MEASURE_REPLICATION_H

#include "sim/measure/beats.h"
#include "sim/measure/frames.h"
#include "sim/measure/senders.h"
#include "sim/measure/windows.h"

#include <stdatomic.h>

enum {
    SWQ_BATCHES = 32,                   /* batches are kept between this number ... */
    SWQ_MOST_BATCHES = 2 * SWQ_BATCHES, /* ... and this one, at which pairs are merged */
    SWQ_SERIES = 1024, /* observations from which the end of the warm-up is found */
    SWQ_SOURCE_WARM_UP = 10
};

typedef struct swq_replication {
    swq_system *system;
    size_t counters;  /* counters of a tally */
    uint64_t *batch;  /* [SWQ_MOST_BATCHES * counters] */
    uint64_t *length; /* [SWQ_MOST_BATCHES] cycles of a batch */
    uint64_t *before; /* [counters] the tally at the start of the batch */
    double *series;   /* [SWQ_SERIES] */
    swq_beats beats;
    swq_windows windows;
    swq_by_sender by_sender;
    swq_frames *frames; /* records frames, or NULL */
    size_t batches;
    uint64_t batch_cycles; /* cycles of a new batch */
    uint64_t warmup, cycles;
    uint64_t hops_before, delivered_before; /* the system's counts when measuring began */
    bool warm, stationary, interrupted, drained;
    bool full;          /* has delivered as many packets as asked for */
    bool stuck;         /* a deadlock ended it, in the warm-up if not `warm` */
    atomic_ullong done; /* cycles run so far, for the progress line */
} swq_replication;

/* Takes ownership of `system`, and frees it on failure. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_replication_new(swq_context *ctx, swq_system *system, swq_replication *replication);
void swq_replication_free(swq_context *ctx, swq_replication *replication);

/* Runs the warm-up: the options' warmup cycles, or, where it is found automatically, until MSER-5
 * puts the truncation point of the series of packets in the system into the first half of the run,
 * which has lasted SWQ_SOURCE_WARM_UP times the slowest process of the sources (swq_warm_up_most
 * cycles at most); or until as many packets have been delivered as the options' ignore says. */
void swq_replication_warm_up(swq_replication *replication, const swq_context *ctx);

/* Goes on until there are that many batches (at most SWQ_MOST_BATCHES), `most` cycles have been
 * measured, as many packets have been delivered as the options ask for, or the system is drained or
 * stuck. */
void swq_replication_run(swq_replication *replication, const swq_context *ctx, size_t batches,
                         uint64_t most);

/* Merges batches in pairs; the last three may become a triple. A single batch is not merged: a
 * replication that has ended early keeps its measurements. */
void swq_replication_merge(swq_replication *replication);

#endif
