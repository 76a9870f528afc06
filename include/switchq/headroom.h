/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How much can still arrive at an input of a switch after its priority flow control has decided to
 * pause the sender: the least headroom with which no packet is lost, proven, and a sequence of
 * packets that loses one with a byte less.
 */
#ifndef SWITCHQ_HEADROOM_H
#define SWITCHQ_HEADROOM_H

#include "switchq/pfc.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Times are counted in bytes that the link carries meanwhile, and in parts of them: all delays are
 * whole numbers of parts. */
enum { SWQ_HEADROOM_PARTS = 1584000, SWQ_HEADROOM_GAP = 1000, SWQ_HEADROOM_RUNS = 5 };

typedef struct swq_headroom_spec {
    swq_pfc_link link;
    uint32_t least_packet; /* bytes of the shortest packet of the class, 64 .. lossless_mtu */
    uint32_t gap;       /* bytes of time that a frame takes beyond its own, <= SWQ_HEADROOM_GAP; 20
                           for Ethernet's preamble and gap between frames */
    bool at_first_bit;  /* a packet takes its cells when its first bit arrives; else its last */
    bool trigger_below; /* the packet whose arrival decides the pause is counted below the
                           threshold; else it is the first packet in the headroom */
} swq_headroom_spec;

/* Packets of one length, one after another. */
typedef struct swq_headroom_run {
    uint64_t packets;
    uint32_t bytes;
} swq_headroom_run;

typedef struct swq_headroom {
    /* What passes one after another, in parts of a byte, from the decision until the peer begins no
     * packet any more: the frame that is being sent, the pause frame, cable and gearbox, the lower
     * layers, and the response of the peer. */
    uint64_t busy, pause, cable_there, layers, response;
    uint64_t cable_back; /* what the peer has begun needs this time, too: cable and gearbox */
    uint64_t window; /* the sum: the time in which the peer can begin the packets that arrive after
                        the decision. A packet that begins at its very end is still sent. */
    uint64_t least;  /* bytes: the least headroom that is enough */
    /* The worst packets, back to back, the first of which decides the pause. Only the last one
     * finds no room in a headroom of a byte less. */
    swq_headroom_run run[SWQ_HEADROOM_RUNS];
    int runs;
    uint64_t packets; /* in all runs */
    bool tie; /* the last packet begins at the very end of the window, so that the order of events
                 at one time matters */
} swq_headroom;

/* Errors: SWQ_EINVAL naming the member. Takes O(window / least_packet) steps, no memory. */
swq_status swq_headroom_solve(swq_context *ctx, const swq_headroom_spec *spec,
                              swq_headroom *headroom);

/* The packet, counted from 1, that is lost first if the worst packets meet a headroom of that many
 * bytes; 0: none is. */
uint64_t swq_headroom_first_lost(const swq_headroom_spec *spec, const swq_headroom *headroom,
                                 uint64_t bytes);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
