/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Drawing the packets of sources, for the sources' turn and for the fast engines.
 */
#ifndef SWQ_SIM_STAGES_SOURCES_H
#define SWQ_SIM_STAGES_SOURCES_H

#include "sim/stages/net.h"

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

/* Finds packet `number` of a source, whose gap counts from `from` on. */
void swq_source_place(const swq_net *net, uint32_t source, uint64_t number, uint32_t from,
                      uint32_t *birth, uint32_t *to);

enum { SWQ_SOURCES_TOGETHER = 64 /* sources whose words are drawn together */ };

/* Finds the next packets of the listed sources, of which there are at most SWQ_SOURCES_TOGETHER. */
void swq_sources_place_next(const swq_net *net, const uint32_t *source, uint32_t count,
                            uint64_t *number, uint32_t *birth, uint32_t *to);

/* Adds the packets that wait at a source, and their ages, by replaying its random stream. */
void swq_source_count_waiting(const swq_net *net, uint32_t i, uint64_t *packets, uint64_t *age);

/* The packet to be sent has been sent: draws, or looks up, the next one. */
void swq_source_next(swq_net *net, uint32_t source);

#endif
