/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The counters of a running network. Everything is a sum over cycles in one vector of 64-bit
 * counters, so that a batch is the difference of two vectors and merging batches is addition.
 * Room: sim.
 */
#ifndef SWQ_SIM_MEASURE_TALLY_H
#define SWQ_SIM_MEASURE_TALLY_H

#include <stdint.h>

/* Of each cell (a group and a class): packets, and the sum of the latencies of those delivered. */
enum {
    SWQ_CELL_CREATED,
    SWQ_CELL_OFFERED, /* to the first stage: once, and again when resent */
    SWQ_CELL_DELIVERED,
    SWQ_CELL_LATENCY,
    SWQ_CELL_DISCARDED,
    /* for results alone if an engine counts them, and else 0: */
    SWQ_CELL_BYTES,         /* delivered */
    SWQ_CELL_HOPS,          /* switches that the packets delivered have entered */
    SWQ_CELL_MESSAGES,      /* of which the last packet has been delivered; and of these */
    SWQ_CELL_MESSAGE_HEADS, /* the sum of the latencies of their first packets to arrive */
    SWQ_CELL_MESSAGE_TAILS, /* ... and until the last byte of them has arrived */
    SWQ_CELL_OUT_OF_ORDER,  /* delivered after a later packet of their flow */
    SWQ_CELL_HELD_UP,       /* cycles for which last transmissions paused */
    SWQ_CELL_COUNTERS
};

/* Of each stage. */
enum {
    SWQ_STAGE_OCCUPANCY, /* packets after transmission */
    SWQ_STAGE_SENT,
    SWQ_STAGE_BUSY,    /* buffers (a pool's queues) that hold packets before transmission */
    SWQ_STAGE_BLOCKED, /* ... and send none */
    SWQ_STAGE_ARRIVED,
    SWQ_STAGE_DROPPED,
    SWQ_STAGE_COUNTERS
};

/* Of the whole network. */
enum {
    SWQ_NET_WAITING, /* packets at sources, after the sources' turn */
    SWQ_NET_OFFERS,
    SWQ_NET_REFUSED,
    SWQ_NET_POPULATION, /* packets in the system, after the sources' turn */
    SWQ_NET_SAQS,       /* set-aside queues in use */
    SWQ_NET_COUNTERS
};

/* Of each node, if details are asked for. */
enum {
    SWQ_NODE_CREATED,
    SWQ_NODE_BYTES_CREATED, /* if an engine counts bytes, as all bytes below */
    SWQ_NODE_DELIVERED,
    SWQ_NODE_BYTES,
    SWQ_NODE_LATENCY,
    SWQ_NODE_DISCARDED, /* packets for it */
    SWQ_NODE_COUNTERS
};

/* Of each link, likewise. */
enum {
    SWQ_LINK_PACKETS,
    SWQ_LINK_BYTES,
    SWQ_LINK_OCCUPANCY, /* of the buffer at its end; up to date when the system has settled */
    SWQ_LINK_COUNTERS
};

/* The vector: network, stages, cells; and then, if they are asked for, nodes, links, and bins of
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
