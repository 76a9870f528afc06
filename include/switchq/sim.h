/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Simulation of synchronous networks: spec in, measurements with intervals out.
 *
 * Time goes in stage cycles. In each, sources create packets and offer them to the first stage, and
 * then all switches arbitrate and transmit; a packet moves one stage a cycle at most. A packet that
 * is created in cycle t and leaves the last stage in cycle u has latency u - t + 1, at least the
 * number of stages. The state is looked at after transmission. One stage is exactly the switch of
 * swq_chain_generate.
 */
#ifndef SWITCHQ_SIM_H
#define SWITCHQ_SIM_H

#include "switchq/switch.h"
#include "switchq/topology.h"
#include "switchq/traffic.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum {
    SWQ_MAX_GROUPS = 16,
    SWQ_MAX_REPLICATIONS = 4096,
    SWQ_MAX_THREADS = 256,
    SWQ_MAX_WINDOWS = 100000 /* of a series */
};

typedef struct swq_network {
    const swq_topology *topology;
    int stages;
    /* ports, buffer, arbiter, iterations, flow and credit of every switch; load and dest are not
     * used, traffic says it for the nodes. For partitioned buffers with SWQ_SUPPORT_QUEUE,
     * buffer.capacity counts the normal queues alone. */
    swq_switch sw;
    bool resend; /* flow discard: a discarded packet goes back to its source and is sent again ahead
                    of new ones (4.3), rather than being lost */
    int stale;   /* a queue whose head could have been sent for this number of cycles is stale and
                    goes before all others, the longest waiting first; 0: never (4.3's stale count) */
    swq_support support;
    int high_slots;         /* dedicated slots: of the high queue of a partitioned buffer, or of the
                               dedicated buffer (SWQ_SUPPORT_BUFFER) */
    swq_queues high_queues; /* SWQ_SUPPORT_BUFFER: one FIFO queue, or one queue per output */
    swq_traffic traffic;
} swq_network;

/* Check the whole spec; *nodes receives N. Errors: SWQ_EINVAL naming the parameter, its value and
 * what is allowed. */
swq_status swq_network_check(swq_context *ctx, const swq_network *network, uint32_t *nodes);

typedef struct swq_detail swq_detail; /* switchq/detail.h */

typedef struct swq_frames swq_frames; /* switchq/frames.h */

/* The beginning of a transmission, for whoever wants to see all. Switches and ports are numbered as
 * those of a swq_fabric. */
typedef struct swq_start {
    uint32_t cycle;
    uint32_t from, to;               /* the packet's sender and receiver */
    uint32_t birth;                  /* cycle of its creation */
    uint32_t bytes;                  /* asynchronous networks; else 0 */
    uint32_t switch_, input, output; /* SWQ_NO_WHERE, 0, 0: from its sender */
    bool output_store; /* from a store that is no input's: that output's, or its switch's pool;
                          input is 0 */
    int packet_class;  /* asynchronous networks: at the input port; else 1 for high priority */
    uint32_t over;     /* with routing valiant, from a switch: 1 + the node that it goes over; else
                          0 */
} swq_start;
typedef void swq_started_fn(void *arg, const swq_start *start);

typedef struct swq_sim_options {
    uint64_t seed;
    uint64_t cycles;  /* measured, per replication; the most with a precision */
    uint64_t warmup;  /* not measured; SWQ_WARMUP_AUTO: found by MSER-5 */
    uint64_t ignore;  /* > 0: the warm-up lasts until this number of packets has been delivered */
    uint64_t packets; /* > 0: stop when this number of packets has been delivered after the warm-up,
                       * in each replication, within 64 cycles
                       */
    int replications;
    int threads;        /* for replications, and those left for large networks; no number changes */
    double precision;   /* > 0: go on until mean latency and throughput have relative half-widths no
                           larger, or `cycles` are reached */
    double confidence;  /* of all intervals */
    bool per_node;      /* also means over nodes of per-node percentiles: 4 KB a node and class */
    swq_detail *detail; /* receives the results of each node and link; NULL: none */
    const uint8_t *group; /* [nodes]: groups 0 .. groups-1, measured separately; NULL: one group */
    int groups;
    bool group_by_source; /* by the packets' sources rather than their destinations */
    uint64_t series;      /* > 0: also results of each window of this number of measured cycles, in
                             swq_sim_result.series; needs a warm-up of given length, and no precision */
    swq_frames *frames;   /* to be recorded in the first replication; NULL: none */
    /* Synchronous networks: called for every start of a transmission in the first replication,
     * warm-up included, which then runs on the plain engine; NULL: none. Packets that are discarded
     * on their arrival have started, too. Asynchronous ones tell their swq_async_watch. */
    swq_started_fn *started;
    void *started_arg;
    bool plain; /* use the engine that runs the rules of models/ as they are, even where a
                   fast one exists; the numbers are the same */
} swq_sim_options;

#define SWQ_WARMUP_AUTO UINT64_MAX

/* Seed 1, 20,000 cycles, automatic warm-up, 1 replication, 1 thread, 95% intervals. */
swq_sim_options swq_sim_defaults(void);

/* So many independent events at least, by the batches' scatter, for a fraction to have an interval.
 */
enum { SWQ_RARE_EVENTS = 10 };

/* A mean and the half-width of its interval; INFINITY when there is too little to tell. */
typedef struct swq_estimate {
    double mean, half_width;
} swq_estimate;

/* 50, 90, 99 and 99.9 percent, by swq_histogram_percentile's definition. */
enum { SWQ_PERCENTILES = 4 };
extern const double swq_percentile_levels[SWQ_PERCENTILES];

/* What was measured of one stream of packets: all, a class, a group. */
typedef struct swq_flow_result {
    uint64_t created, delivered, discarded; /* packets within the measured cycles */
    double bytes;                           /* delivered; NAN where not counted */
    swq_estimate throughput;   /* delivered per cycle and node (of the group): packets, or bytes in
                                  asynchronous networks */
    swq_estimate latency;      /* cycles, creation to delivery; NAN: none delivered */
    swq_estimate tail_latency; /* asynchronous: until the packet's last byte has arrived, where
                                  latency ends as its transmission to the node begins; else NAN */
    /* asynchronous, where messages can be longer than a packet, else NAN: those delivered whole,
       and cycles from the creation of a message until the first of its packets to arrive begins its
       last transmission, and until the last byte of all has arrived */
    double messages;
    swq_estimate message_head, message_tail;
    /* with adaptive routing, else 0 and NAN: delivered after a later packet of the same sender for
       the same node, and as a fraction of those delivered */
    uint64_t out_of_order;
    swq_estimate out_of_order_fraction;
    swq_estimate hops; /* switches entered by a packet, on its way; NAN where not counted */
    swq_estimate discard_fraction; /* of the packets offered to the network */
    double discard_below;          /* see swq_sim_result */
    swq_estimate in_flight; /* packets on their way at the end of a window; NAN in whole runs */
    double variance;        /* of the latency */
    double percentile[SWQ_PERCENTILES];
    double max;
    /* per_node, all packets and each class: means over the nodes that received any, of each node's
     * percentile and maximum */
    swq_estimate node_percentile[SWQ_PERCENTILES], node_max;
} swq_flow_result;

typedef struct swq_stage_result {
    swq_estimate occupancy; /* packets per switch, after transmission */
    swq_estimate sent;      /* packets per output and cycle */
    swq_estimate blocked;   /* fraction of the cycles in which a buffer (a pool's queue) that held
                               packets could send none */
    swq_estimate discarded; /* fraction of the packets that arrived at the stage */
    double blocked_below, discarded_below; /* see swq_sim_result */
} swq_stage_result;

/* Results of some measured cycles of a run: those of a whole run, but for what histograms tell
 * (NAN). Counts are of all replications together, and intervals from the scatter of replications;
 * there are none (NAN) with one. */
typedef struct swq_window {
    uint64_t first;   /* its first cycle, counted from the beginning of the run, warm-up included */
    uint64_t cycles;  /* its length: that asked for; the last one's may be less */
    int replications; /* that had not ended before it */
    swq_flow_result all, by_class[SWQ_CLASSES];
    swq_flow_result *by_group; /* [groups] of the result */
    swq_stage_result *stage;   /* [stages] of the result */
    swq_estimate source_queue; /* packets at a source */
    swq_estimate saqs;         /* set-aside queues in use, in the network; NAN: there are none */
} swq_window;

typedef struct swq_series {
    size_t windows;
    swq_window *window;      /* [windows] one after another, from the end of the warm-up on */
    swq_flow_result *groups; /* what the windows' by_group and stage point to */
    swq_stage_result *stages;
} swq_series;

/* How throughput came through what began in a cycle, the onset: recovered is it from the first of
 * SWQ_RECOVERY_WINDOWS whole windows in a row on that are within SWQ_RECOVERY_WITHIN of the mean
 * of the windows before. The rule is that of Duato et al. (2005) made exact: their bins have 5,000
 * cycles of a nanosecond. */
enum { SWQ_RECOVERY_WINDOWS = 10 };
#define SWQ_RECOVERY_WITHIN 0.02
typedef struct swq_recovery {
    uint64_t onset;
    size_t windows;       /* that ended before it or with it */
    double before;        /* throughput in these, mean; NAN: there are none */
    double scatter;       /* ... their standard deviation, as a fraction of it; NAN: fewer than two.
                             Above SWQ_RECOVERY_WITHIN, windows are too short to judge by */
    double least;         /* the lowest throughput of a window until the recovery, or the end */
    uint64_t least_cycle; /* ... its first cycle */
    double cycles;        /* from the onset until the first of the windows of the recovery begins,
                             0 if throughput never left; NAN: it did not come back in the run */
} swq_recovery;

/* Of all packets (group -1) or those of a group, 0 .. groups - 1 of the result. Takes one pass. */
swq_recovery swq_series_recovery(const swq_series *series, int group, uint64_t onset);

/* Safe on NULL; ctx: that of the run. */
void swq_series_free(swq_context *ctx, swq_series *series);

/* What ended a run. */
typedef enum swq_stop {
    SWQ_STOP_CYCLES,
    SWQ_STOP_PRECISION,
    SWQ_STOP_PACKETS,   /* so many were delivered */
    SWQ_STOP_TRACE_END, /* and the last packet has left */
    SWQ_STOP_DEADLOCK,  /* asynchronous networks: packets that can never move */
    SWQ_STOP_INTERRUPTED,
    SWQ_STOP_TIME,    /* the context's limit (swq_context_limit_time) */
    SWQ_STOP_LIVELOCK /* asynchronous networks: a packet that is refused for ever */
} swq_stop;

/* Is a network past saturation? Judged at a level of 0.001; docs/simulation.md has the rules. */
typedef enum swq_beyond {
    SWQ_BEYOND_NOT,
    SWQ_BEYOND_HELD,   /* sources that hold their packets wait longer for the network than they
                          pause between packets */
    SWQ_BEYOND_GROWING /* more comes than leaves: what waits grows with the length of the run */
} swq_beyond;

typedef struct swq_sim_result {
    uint32_t nodes;
    int stages, groups, replications;
    uint64_t seed, cycles, warmup; /* per replication; warmup: the longest one */
    uint64_t packet_hops;          /* switches entered by packets, measured cycles */
    double cpu_seconds, wall_seconds;
    size_t bytes; /* of all replications' networks */
    swq_stop stopped_by;
    bool stationary; /* the automatic warm-up found an end; else it was cut off, and the network may
                        never settle */
    const char *engine;

    swq_flow_result all;
    swq_flow_result by_class[SWQ_CLASSES];
    swq_flow_result by_group[SWQ_MAX_GROUPS];
    swq_stage_result stage[SWQ_MAX_STAGES];
    swq_estimate source_queue; /* packets at a source, after the sources' turn */
    swq_estimate saqs;         /* set-aside queues in use, in the network; NAN: there are none */
    swq_estimate refusal;      /* flow block, or a bounded source queue: fraction of the offers that
                                  are turned away */
    uint64_t offers;           /* within the measured cycles */
    /* Where a fraction's events were too few for its interval, which is then too narrow, or empty
     * when there were none (SWQ_RARE_EVENTS): a bound, the fraction that would have shown no more
     * of them with a probability of (1 - confidence) / 2, or none at all with 1 - confidence.
     * Clusters are seen by the batches' scatter; without any event discards are taken to be
     * independent, and refusals and blocked buffers to come two together, which makes it somewhat
     * low where more do. Else NAN. This one is the refusal's. */
    double refusal_below;
    bool precision_missed; /* a precision was asked for, and is not reached */
    swq_beyond beyond;
    /* batches: */
    size_t batches; /* all replications' */
    double correlation;
    bool correlated; /* too few cycles for independent batches: the intervals are too narrow */

    swq_series *series; /* of options.series, the caller's to free; NULL: none was asked for */

    /* invariants over the whole run, warm-up included, all replications together */
    uint64_t total_created, total_delivered, total_discarded, total_in_flight;
    bool conserved; /* created = delivered + discarded + in flight, in every replication */
    bool
        little_exact; /* packet-cycles spent in the system = sum of what every packet spent there */
    double little; /* measured cycles: arrival rate x mean latency / mean packets in system - 1 */
} swq_sim_result;

/* Simulate. Memory is taken before the first cycle, for every replication: with buffers at the
 * inputs and up to 16 slots about nodes * stages * (10 * queues + 8 * slots + 8) bytes. A cancelled
 * context, or one whose time is up, ends the run early with stopped_by SWQ_STOP_INTERRUPTED or
 * SWQ_STOP_TIME and SWQ_OK, if anything was measured. Errors: SWQ_EINVAL; SWQ_ELIMIT, SWQ_ENOMEM;
 * SWQ_ECANCELLED before the first batch. */
swq_status swq_sim_run(swq_context *ctx, const swq_network *network, const swq_sim_options *options,
                       swq_sim_result *result);

/* One of many simulations. */
typedef struct swq_sim_point {
    swq_network network;
    swq_sim_options options; /* its threads are not used */
    double throughput; /* > 0: change the load until so much is delivered, which is how latencies
                          are printed over throughput; 0: run with the load that is there */
    /* out: */
    swq_status status;
    double load;    /* that it was run with */
    bool saturated; /* not even full load delivers `throughput`; the result is at full load */
    int runs;       /* that it took; 0: not begun */
    swq_sim_result result;
} swq_sim_point;

/* Run all points, `threads` at a time, in any order; the numbers do not depend on it. Each point
 * gets its own status; the function's is SWQ_OK when all are, else that of the first one that
 * failed, with its message. When the context is cancelled, points not begun are left with status
 * SWQ_ECANCELLED and runs 0. Progress is told by points. The loads are found by secants on the mean
 * wait at the source, within a bracket, until the throughput is met to within 0.1% or its interval,
 * in at most ten runs. */
swq_status swq_sim_points(swq_context *ctx, swq_sim_point *point, int points, int threads);

/* Between which loads a network saturates. A load is below saturation if, over the last two thirds
 * of a run with open sources of unlimited queues, the slope of the packets that wait at sources is
 * not above 0 at 99% (least squares over 32 batch means, one-sided; the standard error is widened
 * for the correlation of consecutive residuals) and what is delivered is what is offered, within
 * its interval. Where the two contradict each other the run goes on to twice its length, and a load
 * that eight times the length leaves undecided is not shown to be below. A slope of 8 standard
 * errors with a delivery 4 half-widths too low ends a run from a quarter of its length on.
 */
typedef struct swq_bracket {
    double least, most;   /* the highest load seen to be below, 0: none; the lowest that is not, 1:
                             none below it */
    double deadlock_load; /* the lowest load of a run that ended in a deadlock, which is not below;
                             NAN: none did */
    uint64_t cycles;      /* that a load was run for at least, to be taken to be below */
    uint64_t longest;     /* run */
    int runs, undecided;  /* loads looked at; of these, those that were left undecided */
    bool interrupted;     /* what was found by then */
} swq_bracket;

/* Bisect between the loads 0 and 1 until the bracket is no wider than `resolution`. options: seed,
 * confidence of the interval, threads, which the answer does not depend on; `cycles` is the length
 * of a run (500,000 for an answer that deserves trust: shorter runs take loads to be below
 * saturation that are not). A network that discards and resends nothing has no such load: 1, 1.
 * Errors: those of swq_sim_run, SWQ_EINVAL for a trace or node loads or a resolution not in
 * 0 .. 0.5. Cost: about log2(1 / resolution) runs. */
swq_status swq_sim_bracket(swq_context *ctx, const swq_network *network,
                           const swq_sim_options *options, double resolution, swq_bracket *bracket);

/* A run at full load, and the bracket by runs of options->cycles. */
typedef struct swq_saturation {
    swq_estimate throughput; /* at full load */
    double least, most;      /* the bracket's */
    swq_sim_result at_full_load;
    swq_bracket bracket;
    int runs; /* of the bracket, and one */
} swq_saturation;

/* Both. Errors: those of swq_sim_run and swq_sim_bracket. What was found by then, when cancelled:
 * at_full_load.stopped_by is SWQ_STOP_INTERRUPTED. */
swq_status swq_sim_saturation(swq_context *ctx, const swq_network *network,
                              const swq_sim_options *options, double resolution,
                              swq_saturation *saturation);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
