/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counts of set-aside queues: those in use at each port and in the network, and the results of
 * detections and notices.
 */
#ifndef SWQ_SIM_SWITCHES_SAQS_COUNTS_H
#define SWQ_SIM_SWITCHES_SAQS_COUNTS_H

#include "base/arrays.h"
#include "switchq/async.h"

/* A memory with SAQs: of an input, an output, or an interface. */
typedef struct swq_saq_port {
    uint64_t area;  /* SAQs in use, summed over the cycles before `since` */
    uint32_t since; /* the cycle of the last change */
    uint16_t in_use, most;
} swq_saq_port;

typedef struct swq_saq_counts {
    swq_saq_port *port; /* [ports] */
    uint32_t ports;
    uint32_t in_use, most; /* in the network: now, and the most at a time */
    uint32_t begun;        /* the cycle in which measuring began */
    /* since cycle 0: */
    uint64_t allocated;
    uint64_t detections, false_detections;
    uint64_t xoffs, xons, tokens; /* notices over links */
    uint64_t stops;               /* SAQs that an output has stopped within its switch */
    uint64_t lost_notices;        /* messages that found no line, and were not answered */
    uint64_t unserved_detections; /* for which no SAQ was free */
    uint64_t unserved_stops;      /* for which no SAQ was free */
    uint64_t inspections, moves;  /* of heads, and packets moved into SAQs */
} swq_saq_counts;

static inline void swq_saq_counts_list(swq_saq_counts *c, swq_arrays *list)
{
    SWQ_ARRAY(list, c->port, c->ports);
}

static inline void swq_saq_counted(swq_saq_port *p, uint32_t now)
{
    p->area += (uint64_t)p->in_use * (now - p->since);
    p->since = now;
}

static inline void swq_saq_taken(swq_saq_counts *c, uint32_t port, uint32_t now)
{
    swq_saq_port *p = &c->port[port];

    swq_saq_counted(p, now);
    p->in_use++;
    if (p->in_use > p->most)
        p->most = p->in_use;
    c->allocated++;
    c->in_use++;
    if (c->in_use > c->most)
        c->most = c->in_use;
}

static inline void swq_saq_given(swq_saq_counts *c, uint32_t port, uint32_t now)
{
    swq_saq_counted(&c->port[port], now);
    c->port[port].in_use--;
    c->in_use--;
}

/* Measuring begins: the past is forgotten. */
static inline void swq_saq_counts_begin(swq_saq_counts *c, uint32_t now)
{
    for (uint32_t k = 0; k < c->ports; k++) {
        c->port[k].area = 0;
        c->port[k].since = now;
        c->port[k].most = c->port[k].in_use;
    }
    c->most = c->in_use;
    c->begun = now;
}

/* The results: the first `inputs` ports are inputs of switches, of which `used` exist, and the
 * others are interfaces. */
swq_saq_use swq_saq_use_of(const swq_saq_counts *counts, uint32_t inputs, uint32_t used,
                           uint32_t now);

/* Adds the results of another replication. */
void swq_saq_use_add(swq_saq_use *sum, const swq_saq_use *use);

#endif
