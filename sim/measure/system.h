/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A network in simulation, as the code that runs and measures it sees it: its functions and its
 * counters. An engine's network begins with one of these.
 */
#ifndef SWQ_SIM_MEASURE_SYSTEM_H
#define SWQ_SIM_MEASURE_SYSTEM_H

#include "sim/measure/tally.h"
#include "switchq/sim.h"

typedef struct swq_system swq_system;

/* Counts of a sender, in packets, or in bytes where throughput is measured in bytes. */
typedef struct swq_sender_count {
    uint64_t created;
    uint64_t sent; /* has left the sender, and has not come back to be sent again */
} swq_sender_count;

/* The store in which a packet is, and the cycle in which it came. */
typedef struct swq_came {
    uint32_t cycle, store;
} swq_came;

struct swq_system {
    const char *engine;
    const swq_sim_options *options;

    /* ---- functions of the engine ---- */
    /* Runs the given number of cycles, at least 1. Returns the cycles done: fewer if the system is
     * `drained` or `stuck` in the last of them, and 0 only if it was so before. */
    uint64_t (*advance)(swq_system *system, uint64_t cycles);
    /* Goes through the packets in the system one by one; returns their number, and the sum of the
     * cycles that they have spent in the system. */
    void (*audit)(const swq_system *system, uint64_t *packets, uint64_t *age);
    /* Called at the end of a batch; NULL: nothing to do. May set `stuck`. */
    void (*look)(swq_system *system);
    /* Called at the end of the warm-up, when measuring begins; NULL: nothing to do. */
    void (*begin)(swq_system *system);
    /* Fills in the contents of each store and, unless of_marked is NULL, how much of these is for
     * node `marked`: [stores] each. */
    void (*hold)(const swq_system *system, uint32_t marked, uint16_t *held, uint16_t *of_marked);
    /* Set-aside queues in use at every store: [stores]. NULL: there are none. */
    void (*aside)(const swq_system *system, uint8_t *saqs);
    /* Fills in the counts of every sender since cycle 0: [nodes]. NULL: the engine does not know
     * them. */
    void (*senders)(const swq_system *system, swq_sender_count *count);
    /* Senders for which this is the same number send alike; NAN: like no other. */
    double (*kind_of_sender)(const swq_system *system, uint32_t node);
    /* Does a link lead to a node, rather than to a buffer? */
    bool (*ends_at_node)(const swq_system *system, size_t link);
    /* Brings counters up to date that are not kept in every cycle; NULL: there are none. */
    void (*settle)(swq_system *system);
    void (*release)(swq_context *ctx, swq_system *system);

    /* ---- its size ---- */
    uint32_t nodes;
    size_t links;                          /* as swq_detail numbers them */
    int levels;                            /* stages */
    int cells, classes;                    /* of the tally: cells = classes * groups */
    double level_switches[SWQ_MAX_STAGES]; /* switches over which a stage's occupancy is a mean */
    double level_outputs[SWQ_MAX_STAGES];  /* links over which a stage's `sent` is a mean */
    double *link_speed;     /* [links] flits that a link carries in a cycle, at most; a level's
                               `level_outputs` is then their sum. NULL: all links carry 1 */
    double sources;         /* nodes that send at a load; 0 for a trace, which has no load */
    bool follows;           /* counts messages of several packets, once they are complete */
    bool ordered;           /* counts packets that are delivered out of order */
    bool set_aside;         /* counts set-aside queues in use */
    bool reports_stays;     /* reports when packets come to stores and when they leave them */
    bool holds;             /* each source holds one packet, and pauses once the packet has entered
                               the network */
    bool infinite_variance; /* of the lengths of messages, or of the intervals between them */
    bool resends;           /* a discarded packet is back at its source */
    bool waits;             /* packets may wait at their sources */
    double source_cycles;   /* mean cycles of the slowest process of the sources, such as from one
                               burst to the next; 0: the sources' packets do not depend on earlier
                               ones */
    int copied;           /* the bytes of each packet, if packets may be for several nodes, so that
                             more is delivered than sent; else 0 */
    double rest;          /* cycles that a source needs for a packet beyond its `amount` */
    const uint8_t *group; /* [nodes] the group of each node; NULL: there is one group */
    double group_nodes[SWQ_MAX_GROUPS]; /* nodes that are in a group at some time, where nodes
                                           change groups; else 0 */
    bool changing; /* the traffic changes with time, so that batches are no sample */
    int groups;
    /* stores in which packets wait, as switchq/frames.h numbers them */
    size_t stores, input_stores;
    size_t packets;    /* numbers of packets in reports; 0: they have none */
    int store_room[2]; /* capacity of an input store or pool, and of an output store */

    /* ---- counters ---- */
    uint64_t *tally; /* [swq_system_counters] */
    /* Parts of the tally for details, or NULL if not asked for: */
    uint64_t *node_tally; /* [nodes * SWQ_NODE_COUNTERS] */
    uint64_t *link_tally; /* [links * SWQ_LINK_COUNTERS] */
    uint64_t *bin_tally;  /* [SWQ_HISTOGRAM_BINS] histogram of all cells; needs settling */
    uint64_t *measured;   /* of all measures, one after another: sim/measure/measures.h */
    uint64_t *histogram;  /* [cells * SWQ_HISTOGRAM_BINS] of latencies */
    uint64_t *inside;     /* [levels] packets there now */
    /* If details of links are asked for and the engine reports stays in stores, else NULL: [stores]
     * the sum of the cycles in which packets left each store, minus the cycles in which they came;
     * the packets present; */
    uint64_t *stayed;
    uint32_t *staying;
    uint64_t *stayed_before; /* and the packet-cycles of each store when measuring began */
    bool followed;           /* packets are followed from store to store: stayed or measured */
    swq_came *came;          /* [packets] if measures are asked for and packets have numbers */
    uint32_t *node_count;    /* [classes * nodes * SWQ_NODE_BINS], or NULL */
    int amount; /* the counter of a cell by which throughput is measured: SWQ_CELL_DELIVERED or
                   SWQ_CELL_BYTES */
    uint64_t waiting; /* packets at sources now */
    uint64_t riding;  /* of these, the further copies of multicast packets, which leave together
                         with their packet */
    /* since cycle 0: */
    uint64_t created, delivered, discarded, hops;
    uint64_t bytes_created, bytes_delivered, bytes_lost; /* 0 if an engine has no bytes */
    uint64_t sojourn; /* cycles in the system of the packets that have left, delivered or lost */
    uint64_t area;    /* packet-cycles in the system */
    bool overflow;    /* there is no room for more packets that are to be sent again */
    bool drained;     /* the trace has ended, and the network is empty */
    bool stuck;       /* a deadlock */
};

/* Bins of a node's own histogram; the last one holds all larger latencies. */
enum { SWQ_NODE_BINS = 1024 };

/* The index in node_count at which the histogram of a node and class begins. */
static inline size_t swq_node_count_at(const swq_system *system, int class, uint32_t node)
{
    return ((size_t) class * system->nodes + node) * SWQ_NODE_BINS;
}

/* The most cycles that a warm-up takes: the given number or, if the end of the warm-up is found
 * automatically, the number of cycles that will be measured, but at least 1024 and at most 2^20. */
static inline uint64_t swq_warm_up_most(const swq_sim_options *o)
{
    const uint64_t least = 1024, most = 1 << 20;

    if (o->warmup != SWQ_WARMUP_AUTO)
        return o->warmup;
    return o->cycles < least ? least : o->cycles < most ? o->cycles : most;
}

/* The number of counters of the tally. */
size_t swq_system_counters(const swq_system *system);

/* Brings all counters of the tally up to date. */
void swq_system_settle(swq_system *system);

/* Counters of node i and of link k, where details ask for them. */
static inline uint64_t *swq_node_counters(const swq_system *system, uint32_t i)
{
    return system->node_tally + (size_t)i * SWQ_NODE_COUNTERS;
}

static inline uint64_t *swq_link_counters(const swq_system *system, size_t k)
{
    return system->link_tally + k * SWQ_LINK_COUNTERS;
}

/* Takes the memory of the counters; the sizes have been set. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_system_count(swq_context *ctx, swq_system *system);
void swq_system_free_counts(swq_context *ctx, swq_system *system);

/* The bytes that the counters take. */
double swq_system_bytes(const swq_system *system);

/* Resets the tally, but not the totals since cycle 0. */
void swq_system_reset(swq_system *system);

/* A share of a system, for a thread of its own. `share` is a copy of the system, and gets counters
 * of its own, all 0; details of nodes and links stay common, since each node and link is in one
 * share. Errors: SWQ_ENOMEM. The next function moves a share's counts to the system, and leaves
 * zeros. */
swq_status swq_system_share(swq_context *ctx, swq_system *share);
void swq_system_collect(swq_system *system, swq_system *share);
void swq_system_free_share(swq_context *ctx, swq_system *share);
double swq_system_share_bytes(const swq_system *system);

#endif
