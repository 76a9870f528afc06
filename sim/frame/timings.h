/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Links with timings of their own, in networks of a file that gives links delays or speeds: what
 * net->link_timing is made of. Wormhole networks have unlike links of their own. Docs: graphs.md,
 * "Links that carry bytes".
 */
#ifndef SWQ_SIM_FRAME_TIMINGS_H
#define SWQ_SIM_FRAME_TIMINGS_H

#include "sim/frame/net.h"

/* Do links have timings of their own? */
bool swq_links_unlike(const swq_async *spec);

/* Cycles in which a channel sends so many bytes. */
static inline uint32_t swq_timing_cycles(const swq_timing *t, uint32_t bytes)
{
    return (uint32_t)(((uint64_t)bytes * t->per + t->bytes - 1) / t->bytes);
}

/* Cycles from the beginning of a transmission until its header, the first byte, can go on. */
static inline uint32_t swq_timing_header(const swq_timing *t)
{
    return t->delay + (t->per - 1) / t->bytes;
}

/* Cycles for which a link rests behind so many bytes: the time of `rest` bytes of its own. */
static inline uint32_t swq_timing_rest(const swq_timing *t, uint32_t bytes)
{
    return swq_timing_cycles(t, bytes + t->rest) - swq_timing_cycles(t, bytes);
}

/* The most cycles by which a packet of the greatest length takes longer over a link, with its rest,
 * than the hop delay and a byte a cycle say. O(links). */
uint32_t swq_links_longest(const swq_async *spec);

/* Fills in net->link_timing, if the network has it. */
void swq_links_fill(swq_async_net *net);

#endif
