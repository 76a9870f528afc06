/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the fast engines share with the sources.
 * Room: sim.
 */
#ifndef SWQ_SIM_SYNC_SOURCES_H
#define SWQ_SIM_SYNC_SOURCES_H

#include "sim/sync/net.h"

#include <math.h>

/* Idle cycles before a packet, from a word drawn for it: geometric, by inversion. */
static inline uint32_t swq_gap(const swq_net *net, uint32_t source, uint64_t word)
{
    double per_log = net->sources.per_log[net->spec->traffic.node_load ? source : 0];

    if (per_log == 0) /* full load: no gaps */
        return 0;
    double gap = log(swq_word_uniform(word)) * per_log;
    return gap < 4e9 ? (uint32_t)gap : SWQ_NEVER;
}

/* The packet to be sent has been sent: draws, or looks up, the next one. */
void swq_source_next(swq_net *net, uint32_t source);

#endif
