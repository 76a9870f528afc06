/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packets that keep their number from their sender to their node, in switches with records of
 * packets in place of stores of the frame. The number is the index of the packet's parcel.
 */
#ifndef SWQ_SIM_FRAME_NUMBERED_H
#define SWQ_SIM_FRAME_NUMBERED_H

#include "sim/frame/net.h"
#include "sim/measure/probe.h"

enum { SWQ_NO_LEVEL = 255 }; /* of a packet that is in no store */

/* A packet enters the store of an input, at whose level it is from here on. level: [packets]. */
static inline void swq_packet_comes(swq_async_net *net, uint8_t *level, uint32_t packet,
                                    uint32_t port)
{
    level[packet] = net->port[port].in_level;
    swq_probe_inside(&net->system, level[packet], 1);
    swq_probe_hops(&net->system, 1);
    swq_probe_comes(&net->system, packet, port, level[packet], net->cycle);
}

/* A packet begins to leave its store. */
static inline void swq_packet_goes(swq_async_net *net, uint8_t *level, uint32_t packet)
{
    swq_probe_outside(&net->system, level[packet], 1);
    swq_probe_begins(&net->system, packet, level[packet], net->cycle);
    level[packet] = SWQ_NO_LEVEL;
}

/* Adds a packet that is in the network to the sums. */
static inline void swq_packet_audit(const swq_async_net *net, uint32_t packet, uint64_t *packets,
                                    uint64_t *age, uint64_t *bytes)
{
    ++*packets;
    *age += net->cycle - net->parcel[packet].birth;
    *bytes += net->parcel[packet].bytes;
}

#endif
