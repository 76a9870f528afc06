/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recording a synchronous network: what every buffer holds, cycle by cycle, to be looked at (a tree
 * of full buffers that grows and decays); and traffic that changes with time, written as a trace,
 * so that several networks can be given the very same packets.
 */
#ifndef SWITCHQ_RECORD_H
#define SWITCHQ_RECORD_H

#include "switchq/sim.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Frame f shows the network after (f + 1) * every cycles, and what happened in the last `every`. */
typedef struct swq_recording {
    uint32_t frames, every;
    int stages;
    uint32_t buffers;  /* of a stage: one per input port, or per switch if they are pools */
    int slots;         /* of one buffer */
    uint16_t *packets; /* [frames * stages * buffers] in each buffer */
    uint16_t *marked;  /* [frames * stages * buffers] of these, to the marked node */
    uint32_t *waiting; /* [frames] packets at the sources */
    /* within the frame's cycles: */
    uint32_t *delivered;        /* [frames] */
    uint32_t *marked_delivered; /* [frames] of these, to the marked node */
    uint64_t *latency;          /* [frames] sum over those delivered, cycles since creation */
    uint64_t *marked_latency;   /* [frames] */
} swq_recording;

/* Run one replication of `network` from empty for frames * every cycles. `marked`: a node whose
 * packets are told apart. Cost: that of the run, and 4 * stages * buffers bytes a frame.
 * Errors: SWQ_EINVAL naming the parameter (frames 1 .. 100000, every 1 .. 10000; the network's
 * own); SWQ_ENOMEM, SWQ_ELIMIT; SWQ_ECANCELLED, and nothing is handed over. */
swq_status swq_sim_record(swq_context *ctx, const swq_network *network, uint64_t seed,
                          uint32_t frames, uint32_t every, uint32_t marked,
                          swq_recording *recording);

/* Safe on a zeroed one. */
void swq_recording_clear(swq_context *ctx, swq_recording *recording);

/* Uniform traffic with one hot spot (Pfister and Norton, 1985), from a cycle on. */
typedef struct swq_phase {
    uint64_t from;   /* the first one's is 0; ascending */
    double load;     /* packets per cycle and source, 0 .. 1 */
    double fraction; /* of all packets go to `hot`, on top of its even share of the others */
    uint32_t hot;
} swq_phase;

/* A trace of `cycles` cycles: each source creates a packet in a cycle with the phase's load, and
 * draws its destination; a function of the seed alone. *trace, [*packets], in order of cycles, is
 * freed by swq_trace_free. Errors: SWQ_EINVAL naming the parameter; SWQ_ENOMEM, SWQ_ELIMIT.
 * O(nodes * cycles). */
swq_status swq_trace_of_phases(swq_context *ctx, const swq_phase *phase, int phases, uint32_t nodes,
                               uint64_t cycles, uint64_t seed, swq_trace_packet **trace,
                               uint64_t *packets);
void swq_trace_free(swq_context *ctx, swq_trace_packet *trace);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
