/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One replication: a system, its warm-up, and its batches.
 * Room: sim.
 */
#ifndef SWQ_SIM_MEASURE_REPLICATION_H
#define SWQ_SIM_MEASURE_REPLICATION_H

#include "sim/measure/frames.h"
#include "sim/measure/windows.h"

#include <stdatomic.h>

enum {
    SWQ_BATCHES = 32,                   /* kept between this number ... */
    SWQ_MOST_BATCHES = 2 * SWQ_BATCHES, /* ... and this one, where pairs are merged */
    SWQ_SERIES = 1024                   /* observations looked at for the end of the warm-up */
};

typedef struct swq_replication {
    swq_system *system;
    size_t counters;  /* of a tally */
    uint64_t *batch;  /* [SWQ_MOST_BATCHES * counters] */
    uint64_t *length; /* [SWQ_MOST_BATCHES] cycles of a batch */
    uint64_t *before; /* [counters] the tally when the batch began */
    double *series;   /* [SWQ_SERIES] */
    swq_windows windows;
    swq_frames *frames; /* that are being recorded, or NULL */
    size_t batches;
    uint64_t batch_cycles; /* of a new batch */
    uint64_t warmup, cycles;
    uint64_t hops_before, delivered_before; /* the system's when measuring began */
    bool warm, stationary, interrupted, drained;
    bool full;          /* has delivered the packets that were asked for */
    bool stuck;         /* ended by a deadlock, in the warm-up if not `warm` */
    atomic_ullong done; /* cycles run, for whoever shows progress */
} swq_replication;

/* Of a system just made, which belongs to the replication from here on and is released with it, or
 * at once if this fails. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_replication_new(swq_context *ctx, swq_system *system, swq_replication *replication);
void swq_replication_free(swq_context *ctx, swq_replication *replication);

/* Run through the warm-up: the options' warmup cycles, or until MSER-5 puts the truncation point of
 * the packets in the system into the first half of what has been run; `longest` at most. Or until
 * as many packets have been delivered as the options' ignore says. */
void swq_replication_warm_up(swq_replication *replication, const swq_context *ctx,
                             uint64_t longest);

/* Go on until there are that many batches (at most SWQ_MOST_BATCHES), or `most` measured cycles, or
 * as many packets delivered as the options ask for, or the system is drained or stuck. */
void swq_replication_run(swq_replication *replication, const swq_context *ctx, size_t batches,
                         uint64_t most);

/* Make one batch of each two. */
void swq_replication_merge(swq_replication *replication);

#endif
