/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Frames: the content of every store of a network from time to time in a run, to be shown as a
 * film. A store is an input port's buffer, a pool, or an output store. The engines know nothing of
 * frames: they are taken between two cycles. Frames cover the whole run, however long: when the
 * number of frames reaches its limit, every other frame is dropped, and later frames are twice as
 * far apart.
 */
#ifndef SWITCHQ_FRAMES_H
#define SWITCHQ_FRAMES_H

#include "switchq/sim.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum { SWQ_MOST_FRAMES = 100000 };

/* Frame f shows the network after (f + 1) * every cycles, counted from the beginning of the run,
 * and counts the events of the last `every` cycles. */
struct swq_frames {
    uint32_t most;   /* most frames that are kept: an even number, at least 2 */
    uint32_t marked; /* a node whose packets are counted separately; UINT32_MAX: none */

    /* Results. Stores are numbered as the fabric's input ports, or, if they are pools, as its
     * switches; in asynchronous networks, output stores follow, numbered as its outputs. */
    size_t stores, inputs;  /* inputs: the number of stores before the output stores */
    int room, output_room;  /* capacity of one store: slots, or blocks in asynchronous networks */
    uint32_t frames;        /* between most / 2 and most, unless the run is shorter */
    uint64_t every, warmup; /* warmup: cycles of the first replication before measuring */
    uint16_t *held;         /* [frames * stores] slots or blocks taken */
    uint16_t *held_marked;  /* [frames * stores] slots or blocks taken by packets to the marked node
                               that have not begun to leave; NULL: no node is marked */
    bool has_aside;         /* the network has set-aside queues */
    uint8_t *aside;         /* [frames * stores] set-aside queues in use; NULL: there are none */
    uint32_t *waiting;      /* [frames] packets waiting at the sources */
    /* within the frame's cycles: */
    uint64_t *delivered; /* [frames] packets */
    uint64_t *amount;    /* [frames] packets, or bytes in asynchronous networks */
    uint64_t *latency;   /* [frames] sum of the latencies of delivered packets, cycles */
    uint64_t *discarded; /* [frames] packets */

    /* private to the run: */
    uint64_t since, before[4];
};

/* Frames to be recorded in the next run. */
swq_frames swq_frames_of(uint32_t most, uint32_t marked);

/* Safe if no run has filled them; ctx: the run's. */
void swq_frames_clear(swq_context *ctx, swq_frames *frames);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
