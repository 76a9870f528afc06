/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A link under priority flow control, and the headroom that is configured behind it: memory for
 * what still arrives after a switch has decided to pause the sender.
 */
#ifndef SWITCHQ_PFC_H
#define SWITCHQ_PFC_H

#include "switchq/context.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Limits of a link. */
enum {
    SWQ_PFC_RATE = 1600000,    /* Mb/s */
    SWQ_PFC_CABLE = 100000000, /* mm */
    SWQ_PFC_FRAME = 16384,     /* bytes of a frame, and of a cell */
    SWQ_PFC_LEAST_FRAME = 64,  /* bytes of the shortest frame, and of a pause frame */
    SWQ_PFC_DELAY = 1000000    /* thousandths of a KiB; ns */
};

/* A link between a switch and the peer that it pauses, and cells of the switch's memory. */
typedef struct swq_pfc_link {
    uint32_t rate;         /* Mb/s, 1 .. SWQ_PFC_RATE, the same in both directions */
    uint32_t cable;        /* mm, 0 .. SWQ_PFC_CABLE; signals take 1 s for 198,000 km */
    uint32_t lossless_mtu; /* bytes of the longest packet of the paused class */
    uint32_t port_mtu;     /* bytes of the longest packet of any class */
    uint32_t cell;         /* bytes, 1 .. SWQ_PFC_FRAME: a packet takes whole cells */
    uint32_t mac_phy;      /* thousandths of a KiB, <= SWQ_PFC_DELAY: delay of both ends' layers, as
                              the bytes that pass meanwhile */
    uint32_t quanta;       /* of 512 bits, 0 .. 65535: until the peer obeys a pause frame */
    uint32_t gearbox;      /* ns, <= SWQ_PFC_DELAY: delay of a gearbox in each direction */
} swq_pfc_link;

/* The longest time, in quanta, in which IEEE 802.3, 31B.3.7, lets the peer of a link of that rate
 * (Mb/s) obey a pause frame, as SONiC lists it; 0: the rate is not listed. */
uint32_t swq_pfc_quanta(uint32_t rate);

/* Errors: SWQ_EINVAL naming the member with its unit. */
swq_status swq_pfc_check(swq_context *ctx, const swq_pfc_link *link);

typedef struct swq_sonic_options {
    uint32_t small_share; /* percent of packets that use cells worst, 0 .. 100 */
    uint32_t pipeline;    /* thousandths of a KiB, <= SWQ_PFC_DELAY: latency of the switch */
    bool eight_lanes;     /* ports of 8 lanes */
} swq_sonic_options;

typedef struct swq_sonic_headroom {
    uint64_t xoff, xon,
        size;       /* bytes: of the headroom, of the reserve that ends a pause, of both */
    uint64_t whole; /* bytes of the headroom before it is rounded up to KiB: this ... */
    uint64_t numerator, denominator; /* ... and this fraction below 1, in lowest terms */
    double cable_bytes, factor;      /* bytes on the cable, both ways; bytes of cells per byte */
} swq_sonic_headroom;

/* The headroom that SONiC configures, in exact integers: sonic-swss,
 * cfgmgr/buffer_headroom_mellanox.lua, for switches without a shared headroom pool. Its bytes on
 * the cable are 2 cable rate 1e9 / 198e6 / 8192 with rate in Mb/s, which is 1000/1024 of what the
 * cable holds. Errors: SWQ_EINVAL. */
swq_status swq_sonic_headroom_solve(swq_context *ctx, const swq_pfc_link *link,
                                    const swq_sonic_options *options, swq_sonic_headroom *headroom);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
