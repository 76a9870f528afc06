/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recordings of a synchronous network: the packets in every buffer over time, to be shown (as a
 * tree of full buffers that grows and decays); and traffic that changes with time, written as a
 * trace, so that several networks can be given exactly the same packets.
 */
#ifndef SWITCHQ_RECORD_H
#define SWITCHQ_RECORD_H

#include "switchq/sim.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Frame f shows the network after (f + 1) * every cycles, and counts the events of the last `every`
 * cycles. */
typedef struct swq_recording {
    uint32_t frames, every;
    int stages;
    uint32_t buffers;  /* number of buffers of a stage: one per input port, or one per switch if
                          buffers are pools */
    int slots;         /* of one buffer */
    uint16_t *packets; /* [frames * stages * buffers] in each buffer */
    uint16_t *marked;  /* [frames * stages * buffers] packets to the marked node among these */
    uint32_t *waiting; /* [frames] packets waiting at the sources */
    /* within the frame's cycles: */
    uint32_t *delivered;        /* [frames] packets */
    uint32_t *marked_delivered; /* [frames] of these, to the marked node */
    uint64_t *latency; /* [frames] sum over the delivered packets of the cycles since creation */
    uint64_t *marked_latency; /* [frames] the same sum, over delivered packets to the marked node */
} swq_recording;

/* Run one replication of `network` from empty for frames * every cycles. Packets to the node
 * `marked` are counted separately. Cost: that of the run, and 4 * stages * buffers bytes per frame.
 * Errors: SWQ_EINVAL naming the parameter (frames 1 .. 100000, every 1 .. 10000; the network's own;
 * switches must be input-queued); SWQ_ENOMEM, SWQ_ELIMIT; SWQ_ECANCELLED. The caller clears
 * *recording, which is set only on success. */
swq_status swq_sim_record(swq_context *ctx, const swq_network *network, uint64_t seed,
                          uint32_t frames, uint32_t every, uint32_t marked,
                          swq_recording *recording);

/* Safe on a zeroed struct. */
void swq_recording_clear(swq_context *ctx, swq_recording *recording);

/* Uniform traffic with one hot spot (Pfister and Norton, 1985), from one cycle on. */
typedef struct swq_phase {
    uint64_t from;   /* first cycle; 0 for the first phase, then ascending */
    double load;     /* packets per cycle and source, 0 .. 1 */
    double fraction; /* fraction of all packets that go to `hot`, on top of its even share of the
                        others */
    uint32_t hot;
} swq_phase;

/* A trace of `cycles` cycles, which depends on nothing but the arguments: in each cycle, each
 * source creates a packet with the phase's load as its probability, and draws its destination.
 * *trace has *packets entries in order of cycles; free it with swq_trace_free. Errors: SWQ_EINVAL
 * naming the parameter; SWQ_ENOMEM, SWQ_ELIMIT. O(nodes * cycles). */
swq_status swq_trace_of_phases(swq_context *ctx, const swq_phase *phase, int phases, uint32_t nodes,
                               uint64_t cycles, uint64_t seed, swq_trace_packet **trace,
                               uint64_t *packets);
void swq_trace_free(swq_context *ctx, swq_trace_packet *trace);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
