/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Frames: what every store of a network holds from time to time in a run, to be looked at as a
 * film. A store is an input port's buffer, a pool, or an output store. The engines know nothing of
 * it: between two cycles a network is looked at. Frames cover the whole run, however long: when
 * there are as many as are kept, every other one is given up, and those to come are twice as far
 * apart.
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
 * and what happened in the last `every`. */
struct swq_frames {
    uint32_t most;   /* frames that are kept at most: an even number from 2 on */
    uint32_t marked; /* packets to this node are told apart; UINT32_MAX: none are */

    /* Out. Stores are numbered as the fabric's input ports, or its switches if they are pools; in
     * asynchronous networks with output stores these follow, as its outputs. */
    size_t stores, inputs;  /* inputs: of these, before output stores */
    int room, output_room;  /* of one: slots, or blocks in asynchronous networks */
    uint32_t frames;        /* between most / 2 and most, unless the run is shorter */
    uint64_t every, warmup; /* warmup: cycles of the first replication before measuring */
    uint16_t *held;         /* [frames * stores] slots or blocks taken */
    uint16_t *held_marked;  /* [frames * stores] of these, by packets to the marked node that have
                               not begun to leave; NULL: no node is */
    bool has_aside;         /* has the network set-aside queues? Then: */
    uint8_t *aside;         /* [frames * stores] those that are in use; else NULL */
    uint32_t *waiting;      /* [frames] packets at the sources */
    /* within the frame's cycles: */
    uint64_t *delivered; /* [frames] packets */
    uint64_t *amount;    /* [frames] packets, or bytes in asynchronous networks */
    uint64_t *latency;   /* [frames] sum over the delivered packets, cycles */
    uint64_t *discarded; /* [frames] packets */

    /* of the run under way: */
    uint64_t since, before[4];
};

/* Frames that are to be recorded in the next run. */
swq_frames swq_frames_of(uint32_t most, uint32_t marked);

/* Safe on those that no run has filled; ctx: that of the run. */
void swq_frames_clear(swq_context *ctx, swq_frames *frames);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
