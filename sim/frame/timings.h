/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Links with timings of their own, in networks of a file that gives links delays: where
 * net->link_timing is made of. Wormhole networks have unlike links of their own. Docs: graphs.md,
 * "Delays of links that carry bytes".
 */
#ifndef SWQ_SIM_FRAME_TIMINGS_H
#define SWQ_SIM_FRAME_TIMINGS_H

#include "sim/frame/net.h"

/* Do links have timings of their own? */
bool swq_links_unlike(const swq_async *spec);

/* The most cycles by which a link is longer than the hop delay says. O(links). */
uint32_t swq_links_longest(const swq_async *spec);

/* Fills in net->link_timing, if the network has it. */
void swq_links_fill(swq_async_net *net);

#endif
