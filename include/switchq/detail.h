/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a simulation can measure beyond the means of the whole network: each node, each link, and
 * the distribution of latencies. A swq_detail in swq_sim_options requests it; it costs nothing
 * otherwise.
 */
#ifndef SWITCHQ_DETAIL_H
#define SWITCHQ_DETAIL_H

#include "switchq/sim.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum { SWQ_MOST_PERCENTILES = 32 };

struct swq_reported; /* sim/measure/measures.h */

/* Results of one node, in the measured cycles. */
typedef struct swq_node_detail {
    uint64_t created;   /* packets, by this node */
    uint64_t delivered; /* packets, to this node */
    uint64_t discarded; /* packets for this node that were lost; if they are sent again, losses */
    uint64_t bytes_created, bytes_delivered; /* asynchronous networks, else 0 */
    swq_estimate offered; /* created per cycle: packets, or bytes in asynchronous networks */
    /* packets or bytes that left this node, as a sender, per cycle; NAN: the network loses packets
     * without knowing their senders */
    swq_estimate sender_throughput;
    swq_estimate throughput; /* packets or bytes delivered to this node, per cycle */
    swq_estimate latency;    /* latency of the packets delivered to this node; NAN: no packets */
} swq_node_detail;

/* Results of one link. Link n, below the number of nodes, leads from node n into the network; link
 * nodes + p belongs to output port p, numbered over all switches as in switchq/fabric.h: in a
 * multistage network, p = stage * nodes + line. If an output has no link, all fields are 0. */
typedef struct swq_link_detail {
    uint64_t packets,
        bytes; /* sent, in the measured cycles; bytes: asynchronous networks, else 0 */
    swq_estimate utilisation; /* fraction of its bandwidth: packets a cycle, or bytes a cycle in
                                 asynchronous networks */
    swq_estimate packet_rate; /* packets a cycle */
    swq_estimate occupancy; /* packets in the buffer (or the whole pool) that the link leads to, as
                               in swq_stage_result; NAN: the link leads to a node */
    /* set-aside queues in use at the input that the link leads to, mean over the measured cycles
     * and replications; NAN: no set-aside queues, or the link leads to a node */
    double saqs;
    uint32_t saqs_most; /* most set-aside queues in use at this input at a time */
    /* set-aside queues in use at the switch output that the link starts from, as `saqs`; NAN: the
     * link starts from a node, or outputs have no such queues */
    double saqs_before;
    uint32_t saqs_before_most;
} swq_link_detail;

/* Number of packets with latencies least .. most, in cycles. */
typedef struct swq_latency_bin {
    uint32_t least, most;
    uint64_t packets;
} swq_latency_bin;

/* A percentile of the latency with an interval, at the confidence of the options. Its ends are the
 * order statistics given by the bounds of Clopper and Pearson for the effective number of
 * independent packets, which is estimated from the scatter of the batches (Korn and Graubard,
 * 1998) and from how much of the run counts (swq_counting). If fewer than SWQ_RARE_EVENTS packets
 * are beyond the percentile, only a part of these packets counts, down to half, and the more they
 * come in clusters, the smaller this part is. */
typedef struct swq_percentile {
    double level;        /* in; above 0, below 1 */
    double value;        /* swq_histogram_percentile's definition; NAN: nothing was delivered */
    double lower, upper; /* INFINITY: too few packets were that slow for an upper end; NAN: there is
                            only one batch */
} swq_percentile;

/* ---- measures: what a run measures only if it is asked to ---- */

/* The reports of kernels about a packet: it begins its way into a store; it begins to leave the
 * store; it is delivered; it is lost; its last transmission has paused. And about a message: its
 * last byte has arrived. */
typedef enum swq_probe_report {
    SWQ_REPORT_ENTER,
    SWQ_REPORT_START,
    SWQ_REPORT_DELIVER,
    SWQ_REPORT_LOSE,
    SWQ_REPORT_PAUSE,
    SWQ_REPORT_MESSAGE /* asynchronous networks alone */
} swq_probe_report;

/* What becomes of the values that the reports have. */
typedef enum swq_measure_kind {
    SWQ_MEASURE_RATE,  /* their sum per cycle */
    SWQ_MEASURE_MEAN,  /* their mean */
    SWQ_MEASURE_SPREAD /* their mean, and percentiles */
} swq_measure_kind;

/* A row of the table of measures. */
typedef struct swq_measure {
    const char *name, *unit, *summary;
    swq_measure_kind kind;
    swq_probe_report report;                              /* the report that has its values, ... */
    uint32_t (*value)(const struct swq_reported *report); /* ... and the value of a report */
} swq_measure;

extern const swq_measure *const swq_measures[]; /* ended by NULL */
swq_status swq_measure_find(swq_context *ctx, const char *name, const swq_measure **row);

enum { SWQ_MOST_MEASURES = 8 };

/* The result of a measure, in the measured cycles. */
typedef struct swq_measured {
    const swq_measure *measure; /* in */
    uint64_t reports;           /* that had a value */
    swq_estimate value;         /* the rate or the mean; a mean of no reports is NAN */
    swq_percentile percentile[SWQ_MOST_PERCENTILES]; /* of a spread: [percentiles], their levels
                                                        set */
    int percentiles;
} swq_measured;

struct swq_detail {
    uint32_t nodes;
    size_t links;
    swq_node_detail *node; /* [nodes], or NULL: not requested */
    swq_link_detail *link; /* [links], or NULL */
    swq_latency_bin *bin;  /* [bins], those with packets, in order; or NULL */
    size_t bins;
    swq_percentile percentile[SWQ_MOST_PERCENTILES]; /* [percentiles], their levels set */
    int percentiles;
    swq_measured measured[SWQ_MOST_MEASURES]; /* [measures] */
    int measures;
};

/* The details that can be requested, as bits. */
enum { SWQ_DETAIL_NODES = 1, SWQ_DETAIL_LINKS = 2, SWQ_DETAIL_HISTOGRAM = 4 };

/* Allocate the details that `what` (the bits above) requests of a network of `nodes` nodes, whose
 * switches have `outputs` output ports in total (fabric: switches * ports; multistage: stages *
 * nodes). Free with swq_detail_clear. A run that has the details in its options fills them, and
 * overwrites earlier results. Cost for the run: a counter or two per packet and hop, and in
 * synchronous networks a look at every buffer in every cycle; for each replication, 64 batches of
 * all counters are kept in memory. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_detail_new(swq_context *ctx, uint32_t nodes, size_t outputs, unsigned what,
                          swq_detail *detail);
void swq_detail_clear(swq_context *ctx, swq_detail *detail);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
