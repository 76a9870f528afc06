/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The counters of a running network. Everything is a sum over cycles in one vector of 64-bit
 * counters, so that a batch is the difference of two vectors and merging batches is addition.
 */
#ifndef SWQ_SIM_MEASURE_TALLY_H
#define SWQ_SIM_MEASURE_TALLY_H

#include <stdint.h>

/* Counters of each cell (a group and a class): packets, and the sum of the latencies of delivered
 * packets. */
enum {
    SWQ_CELL_CREATED,
    SWQ_CELL_OFFERED, /* to the first stage: when first sent, and each time it is resent */
    SWQ_CELL_DELIVERED,
    SWQ_CELL_LATENCY,
    SWQ_CELL_DISCARDED,
    /* only for results; 0 if an engine does not count them: */
    SWQ_CELL_BYTES,         /* delivered */
    SWQ_CELL_HOPS,          /* switches entered by the packets delivered */
    SWQ_CELL_MESSAGES,      /* messages whose last packet has been delivered; the next counters are
                               of these messages */
    SWQ_CELL_MESSAGE_HEADS, /* the sum of the latencies of the first packet of each to arrive */
    SWQ_CELL_MESSAGE_TAILS, /* ... and of the latencies until the last byte of each */
    SWQ_CELL_OUT_OF_ORDER,  /* delivered after a later packet of their flow */
    SWQ_CELL_HELD_UP,       /* cycles for which the last transmissions of packets paused */
    SWQ_CELL_COUNTERS
};

/* Counters of each stage. */
enum {
    SWQ_STAGE_OCCUPANCY, /* packets after transmission */
    SWQ_STAGE_SENT,
    SWQ_STAGE_BUSY,    /* buffers (a pool's queues) that hold packets before transmission */
    SWQ_STAGE_BLOCKED, /* ... and send no packet */
    SWQ_STAGE_ARRIVED,
    SWQ_STAGE_DROPPED,
    SWQ_STAGE_COUNTERS
};

/* Counters of the whole network. */
enum {
    SWQ_NET_WAITING, /* packets at sources, after the sources' turn */
    SWQ_NET_OFFERS,
    SWQ_NET_REFUSED,
    SWQ_NET_POPULATION, /* packets in the system, after the sources' turn */
    SWQ_NET_SAQS,       /* set-aside queues in use */
    SWQ_NET_STALLED,    /* cycles for which packets pause that have left their sources in part */
    SWQ_NET_COUNTERS
};

/* Counters of each node, if details ask for them. */
enum {
    SWQ_NODE_CREATED,
    SWQ_NODE_BYTES_CREATED, /* if an engine counts bytes, as all counters of bytes below */
    SWQ_NODE_DELIVERED,
    SWQ_NODE_BYTES,
    SWQ_NODE_LATENCY,
    SWQ_NODE_DISCARDED, /* packets addressed to it */
    SWQ_NODE_COUNTERS
};

/* Counters of each link, likewise. */
enum {
    SWQ_LINK_PACKETS,
    SWQ_LINK_BYTES,
    SWQ_LINK_OCCUPANCY, /* of the buffer at its end; current once the system has settled */
    SWQ_LINK_COUNTERS
};

/* The vector: network, stages, cells, and, if details ask for them, nodes, links, and bins of
 * latencies (system.h). */
static inline int swq_tally_stage(int stage)
{
    return SWQ_NET_COUNTERS + stage * SWQ_STAGE_COUNTERS;
}

static inline int swq_tally_cell(int stages, int cell)
{
    return swq_tally_stage(stages) + cell * SWQ_CELL_COUNTERS;
}

static inline int swq_tally_size(int stages, int cells)
{
    return swq_tally_cell(stages, cells);
}

#endif
