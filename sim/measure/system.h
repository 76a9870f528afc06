/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A network in simulation, as the code that runs and measures it sees it: its functions and its
 * counters. An engine's network begins with one of these.
 * Room: sim.
 */
#ifndef SWQ_SIM_MEASURE_SYSTEM_H
#define SWQ_SIM_MEASURE_SYSTEM_H

#include "sim/measure/tally.h"
#include "switchq/sim.h"

typedef struct swq_system swq_system;

struct swq_system {
    const char *engine;
    const swq_sim_options *options;

    /* ---- what an engine does ---- */
    /* Go on for so many cycles, at least 1. Returns the cycles done: fewer when `drained` or
     * `stuck` in the last of them, and 0 only if it was so before. */
    uint64_t (*advance)(swq_system *system, uint64_t cycles);
    /* Packets that are in the system, counted one by one, and the cycles that they have spent in
     * it. */
    void (*audit)(const swq_system *system, uint64_t *packets, uint64_t *age);
    /* At the end of a batch; NULL: nothing to do. May set `stuck`. */
    void (*look)(swq_system *system);
    /* The warm-up is over, measuring begins; NULL: nothing to do. */
    void (*begin)(swq_system *system);
    /* What every store holds, and if of_marked is not NULL, how much of that are packets to node
     * `marked`: [stores] each. */
    void (*hold)(const swq_system *system, uint32_t marked, uint16_t *held, uint16_t *of_marked);
    /* Set-aside queues in use at every store: [stores]. NULL: there are none. */
    void (*aside)(const swq_system *system, uint8_t *saqs);
    /* Does a link lead to a node, rather than to a buffer? */
    bool (*ends_at_node)(const swq_system *system, size_t link);
    /* Bring those counters up to date that are not kept in every cycle; NULL: there are none. */
    void (*settle)(swq_system *system);
    void (*release)(swq_context *ctx, swq_system *system);

    /* ---- its size ---- */
    uint32_t nodes;
    size_t links;                          /* as swq_detail numbers them */
    int levels;                            /* stages */
    int cells, classes;                    /* of packets: cells = classes * groups */
    double level_switches[SWQ_MAX_STAGES]; /* that occupancies are means over */
    double level_outputs[SWQ_MAX_STAGES];  /* that `sent` is a mean over */
    double sources;       /* nodes that send, by a load; 0 with a trace, which has none */
    bool follows;         /* messages of several packets, which it counts when they are whole */
    bool ordered;         /* packets delivered out of order are counted */
    bool set_aside;       /* set-aside queues in use are */
    bool holds;           /* they all hold one packet, and pause when it has entered */
    bool resends;         /* a packet that is discarded is back at its source */
    double rest;          /* cycles of a source's for each packet beyond its `amount` */
    const uint8_t *group; /* [nodes] of each node, or NULL: one group */
    double group_nodes[SWQ_MAX_GROUPS]; /* that are ever in a group, where they change it; else 0 */
    bool changing; /* the traffic changes with time, so that batches are no sample */
    int groups;
    size_t stores, input_stores; /* that packets wait in, as switchq/frames.h numbers them */
    int store_room[2];           /* of an input store or pool, and of an output store */

    /* ---- what it counts ---- */
    uint64_t *tally; /* [swq_system_counters] */
    /* parts of it that details are asked of, or NULL: */
    uint64_t *node_tally; /* [nodes * SWQ_NODE_COUNTERS] */
    uint64_t *link_tally; /* [links * SWQ_LINK_COUNTERS] */
    uint64_t *bin_tally;  /* [SWQ_HISTOGRAM_BINS] all cells' histograms, settled */
    uint64_t *histogram;  /* [cells * SWQ_HISTOGRAM_BINS] of latencies */
    uint32_t *node_count; /* [classes * nodes * SWQ_NODE_BINS], or NULL */
    int amount; /* the counter of a cell that throughput is a rate of: SWQ_CELL_DELIVERED or _BYTES
                 */
    uint64_t waiting; /* at sources, now */
    /* since the very beginning */
    uint64_t created, delivered, discarded, hops;
    uint64_t sojourn; /* of the packets that have left, delivered or lost */
    uint64_t area;    /* packet-cycles in the system */
    bool overflow;    /* more packets were to be sent again than there is room for */
    bool drained;     /* a trace has nothing more to say, and the network is empty */
    bool stuck;       /* a deadlock */
};

enum { SWQ_NODE_BINS = 1024 /* of a node's own histogram; the last one takes all above */ };

/* Where the histogram of a node and class begins in node_count. */
static inline size_t swq_node_count_at(const swq_system *system, int class, uint32_t node)
{
    return ((size_t) class * system->nodes + node) * SWQ_NODE_BINS;
}

/* Counters of the tally. */
size_t swq_system_counters(const swq_system *system);

/* Bring all counters of the tally up to date. */
void swq_system_settle(swq_system *system);

/* Of node i and link k, where details of them are asked for. */
static inline uint64_t *swq_node_counters(const swq_system *system, uint32_t i)
{
    return system->node_tally + (size_t)i * SWQ_NODE_COUNTERS;
}

static inline uint64_t *swq_link_counters(const swq_system *system, size_t k)
{
    return system->link_tally + k * SWQ_LINK_COUNTERS;
}

/* Take the memory of what is counted, sizes being set. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_system_count(swq_context *ctx, swq_system *system);
void swq_system_free_counts(swq_context *ctx, swq_system *system);

/* Bytes that they take, or will. */
double swq_system_bytes(const swq_system *system);

/* Forget what was measured so far, but not the totals. */
void swq_system_reset(swq_system *system);

#endif
