/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Simulation of synchronous networks: a spec in, measurements with intervals out.
 *
 * Time passes in stage cycles. In each, sources create packets and offer them to the first stage,
 * and then all switches arbitrate and transmit; a packet moves at most one stage per cycle. A
 * packet that is created in cycle t and leaves the last stage in cycle u has latency u - t + 1, at
 * least the number of stages. The state is observed after transmission. A network of one stage is
 * exactly the switch of swq_chain_generate.
 */
#ifndef SWITCHQ_SIM_H
#define SWITCHQ_SIM_H

#include "switchq/fabric.h"
#include "switchq/switch.h"

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

/* A multistage network of switches that work in stage cycles: the spec of the synchronous engine,
 * of small networks' chains, rare losses and approximations. Asynchronous networks have the spec of
 * switchq/async.h; both are made of the same rows of topologies, buffers, arbiters, architectures
 * and patterns. */
typedef struct swq_network {
    swq_shape shape; /* of a fabric that the synchronous engine has: multistage. shape.ports: 0, or
                        sw.ports */
    /* ports, buffer, arbiter, iterations, flow and credit of every switch; load and dest are not
     * used, since `traffic` has those of the nodes. For partitioned buffers with SWQ_SUPPORT_QUEUE,
     * buffer.capacity counts only the normal queues. */
    swq_switch sw;
    bool resend; /* flow discard: a discarded packet is not lost, but goes back to its source and is
                    sent again before new ones (4.3) */
    int stale; /* the stale count of 4.3: a queue whose head could have been sent for this number of
                  cycles is served before all others, the longest waiting queue first; at most 1e6;
                  0: no queue has precedence. See swq_stale_objection */
    swq_traffic traffic;
} swq_network;

/* Check the whole spec; *nodes receives N. Errors: SWQ_EINVAL naming the parameter, its value and
 * what is allowed. */
swq_status swq_network_check(swq_context *ctx, const swq_network *network, uint32_t *nodes);

/* Why a stale count cannot change the decisions of such a network: its arbiter does not compare the
 * lengths of queues, or an input has nothing to choose. Of the spec, only `sw` and the support of
 * high priority matter. NULL: a stale count can change them. swq_network_check refuses a stale
 * count that has an objection. */
const char *swq_stale_objection(const swq_network *network);

typedef struct swq_detail swq_detail; /* switchq/detail.h */

typedef struct swq_frames swq_frames; /* switchq/frames.h */

/* The start of a transmission, for programs that follow every packet. Switches and ports are
 * numbered as those of a swq_fabric. */
typedef struct swq_start {
    uint32_t cycle;
    uint32_t from, to;               /* the packet's sender and receiver */
    uint32_t birth;                  /* cycle of its creation */
    uint32_t bytes;                  /* asynchronous networks, else 0 */
    uint32_t switch_, input, output; /* SWQ_NO_WHERE, 0, 0: from its sender */
    bool output_store; /* the packet comes from the output's store or the switch's pool, not from an
                          input's store; input is 0 */
    int packet_class;  /* asynchronous networks: its class at the input port; else 1 for high
                          priority */
    uint32_t over; /* with a routing by way of another node, from its sender: 1 + the node that was
                      drawn for it; from a switch: 1 + the node via which it goes, 0 if it goes
                      straight; else 0 */
} swq_start;
typedef void swq_started_fn(void *arg, const swq_start *start);

/* The end of a packet in a synchronous network, for programs that follow every packet: it is
 * delivered, or lost for good. */
typedef struct swq_end {
    uint32_t cycle;
    uint32_t from, to; /* the packet's sender and receiver */
    uint32_t birth;    /* cycle of its creation */
    bool high;         /* of high priority */
    bool lost;
} swq_end;
typedef void swq_ended_fn(void *arg, const swq_end *end);

typedef struct swq_sim_options {
    uint64_t seed;
    uint64_t cycles;  /* measured, per replication, 1 .. 4e9; with a precision, the most */
    uint64_t warmup;  /* not measured, 0 .. 2e8; SWQ_WARMUP_AUTO: found by MSER-5 */
    uint64_t ignore;  /* > 0: the warm-up lasts until this number of packets has been delivered */
    uint64_t packets; /* > 0: stop when this number of packets has been delivered after the warm-up,
                       * in each replication, within 64 cycles; all replications count, however
                       * short
                       */
    int replications; /* 1 .. SWQ_MAX_REPLICATIONS */
    int threads; /* 1 .. SWQ_MAX_THREADS, for replications; those left over share large networks.
                    The numbers do not depend on it */
    double precision;  /* 0, or below 1: continue until the relative half-widths of mean latency and
                          throughput are no larger, or `cycles` are reached. The precision is checked
                          each time that the run has doubled, from 4096 cycles and 4096 packets on */
    double confidence; /* of all intervals, at least 0.5, below 1 */
    bool per_node; /* also means over nodes of per-node percentiles, for 4 KB per node and class */
    swq_detail *detail;   /* receives the results of each node and link; NULL: none */
    const uint8_t *group; /* [nodes]: groups 0 .. groups-1, measured separately; NULL: one group */
    int groups;
    bool group_by_source; /* groups are of the packets' sources rather than their destinations */
    uint64_t series; /* > 0: also results of each window of this number of cycles, in the result's
                        series, at most SWQ_MAX_WINDOWS: from cycle 0 on if the warm-up is found
                        automatically, which may take as long as the measured cycles, else from its
                        end on. Not with a precision, or with `ignore` */
    swq_frames *frames; /* to be recorded in the first replication; NULL: none */
    /* Synchronous networks: called for every start of a transmission in the first replication,
     * including its warm-up, which then runs on the plain engine; NULL: not called. Packets that
     * are discarded on arrival have started, too. Asynchronous networks have swq_async_watch. */
    swq_started_fn *started;
    void *started_arg;
    /* The same for the end of every packet. */
    swq_ended_fn *ended;
    void *ended_arg;
    bool plain; /* use the engine that runs the rules of models/ directly, even where a fast one
                   exists; the numbers are the same */
} swq_sim_options;

#define SWQ_WARMUP_AUTO UINT64_MAX

/* Seed 1, 20,000 cycles, automatic warm-up, 1 replication, 1 thread, 95% intervals. */
swq_sim_options swq_sim_defaults(void);

/* Fewest independent events, estimated from the scatter of the batches, with which a fraction, or
 * the mean number of packets at a source, has an interval. */
enum { SWQ_RARE_EVENTS = 30 };

/* A run has intervals, and ends for its precision, only if all its replications together are more
 * than SWQ_MEMORY_TIMES times as long as the longest correlation time that was found. */
enum { SWQ_MEMORY_TIMES = 50 };

/* Which quantities of a run have no intervals, and why. */
typedef enum swq_unknown {
    SWQ_UNKNOWN_NOTHING,
    SWQ_UNKNOWN_WAITS,   /* latencies, and packets at sources: they change too slowly */
    SWQ_UNKNOWN_ALL,     /* everything: the network changes too slowly */
    SWQ_UNKNOWN_VARIANCE /* everything: the lengths of messages have no finite variance */
} swq_unknown;

/* The share of the measured cycles that counts for intervals: the first SWQ_MEMORY_TIMES
 * correlation times are needed to know how long correlation times are, and intervals are as wide as
 * if only the cycles beyond these had been measured. 0: no cycles are beyond. */
typedef struct swq_counting {
    double most, /* for events in the network */
        waits;   /* of latencies, and of packets at their sources */
} swq_counting;

/* A mean and the half-width of its interval, which is INFINITY if there are too few data, and NAN
 * if there is none: traffic that changes with time, a trace, or an interval that swq_result_refuse
 * has removed. */
typedef struct swq_estimate {
    double mean, half_width;
} swq_estimate;

/* 50, 90, 99 and 99.9 percent, by swq_histogram_percentile's definition. */
enum { SWQ_PERCENTILES = 4 };
extern const double swq_percentile_levels[SWQ_PERCENTILES];

/* Results for one set of packets: all, a class, a group. */
typedef struct swq_flow_result {
    uint64_t created, delivered, discarded; /* packets within the measured cycles */
    double bytes;                           /* delivered; NAN if not counted */
    swq_estimate throughput; /* delivered per cycle and node (of the group): packets, or bytes in
                                asynchronous networks */
    swq_estimate latency;    /* cycles, creation to delivery; NAN: none delivered */
    swq_estimate
        tail_latency; /* asynchronous: as latency, which ends when the transmission to the node
                         begins, but until the packet's last byte has arrived; else NAN */
    /* asynchronous, if messages can be longer than a packet, else NAN: the number of messages
     * delivered completely, and the cycles from the creation of a message until the first of its
     * packets begins its last transmission (head), and until its last byte has arrived (tail) */
    double messages;
    swq_estimate message_head, message_tail;
    /* with adaptive routing, else 0 and NAN: packets delivered after a later packet of the same
     * sender for the same node, and their fraction of those delivered */
    uint64_t out_of_order;
    swq_estimate out_of_order_fraction;
    swq_estimate hops;             /* switches entered by a packet on its way; NAN if not counted */
    swq_estimate discard_fraction; /* of the packets offered to the network */
    double discard_below;          /* see refusal_below in swq_sim_result */
    swq_estimate in_flight; /* packets on their way at the end of a window; NAN for whole runs */
    double variance;        /* of the latency */
    double percentile[SWQ_PERCENTILES];
    double max;
    uint64_t unlike; /* packets delivered with another latency than most; below SWQ_RARE_EVENTS the
                        latency has no interval, unless the traffic is regular */
    /* with per_node, for all packets and each class: means, over the nodes that received any, of
     * each node's percentiles and maximum */
    swq_estimate node_percentile[SWQ_PERCENTILES], node_max;
} swq_flow_result;

typedef struct swq_stage_result {
    swq_estimate occupancy; /* packets per switch, after transmission */
    swq_estimate sent;      /* packets per output and cycle */
    swq_estimate blocked;   /* fraction of the cycles in which a buffer (a pool's queue) that held
                               packets could send none */
    swq_estimate discarded; /* fraction of the packets that arrived at the stage */
    double blocked_below, discarded_below; /* see refusal_below in swq_sim_result */
} swq_stage_result;

/* Results of a window, some of the cycles of a run: all results of a whole run, except those that
 * come from histograms (NAN). Counts are sums over replications, and intervals come from the
 * scatter of replications; with one replication there are none (NAN). */
typedef struct swq_window {
    uint64_t first;   /* its first cycle, counted from the beginning of the run, warm-up included */
    uint64_t cycles;  /* its length, as requested; the last window's may be less */
    int replications; /* replications that had not ended before the window */
    swq_flow_result all, by_class[SWQ_CLASSES];
    swq_flow_result *by_group; /* [groups] of the result */
    swq_stage_result *stage;   /* [stages] of the result */
    swq_estimate source_queue; /* packets at a source */
    double source_queue_below; /* see refusal_below in swq_sim_result */
    swq_estimate saqs;         /* set-aside queues in use, in the network; NAN: there are none */
} swq_window;

typedef struct swq_series {
    size_t windows;
    swq_window *window;      /* [windows] one after another; `series` of the options says where they
                                begin */
    swq_flow_result *groups; /* the arrays that the windows' by_group and stage point into */
    swq_stage_result *stages;
} swq_series;

/* How throughput recovers from an event that begins in one cycle, the onset: it has recovered at
 * the first of SWQ_RECOVERY_WINDOWS consecutive whole windows that are all within the fraction
 * SWQ_RECOVERY_WITHIN of the mean of the windows before the onset. This makes exact the rule of
 * Duato et al. (2005), whose bins have 5,000 cycles of a nanosecond. */
enum { SWQ_RECOVERY_WINDOWS = 10 };
#define SWQ_RECOVERY_WITHIN 0.02
typedef struct swq_recovery {
    uint64_t onset;
    size_t windows; /* windows that ended by the onset */
    double before;  /* mean throughput in these; NAN: there are none */
    double scatter; /* standard deviation of their throughputs, as a fraction of the mean; NAN:
                       fewer than two. If it is above SWQ_RECOVERY_WITHIN, the windows are too short
                       for a judgement */
    double least;   /* the lowest throughput of a window until the recovery or the end */
    uint64_t least_cycle; /* first cycle of that window */
    double cycles; /* from the onset to the beginning of the first of the recovered windows, 0 if
                      throughput never changed; NAN: no recovery within the run */
} swq_recovery;

/* The recovery of all packets (group -1) or of one group, 0 .. groups - 1. O(windows). */
swq_recovery swq_series_recovery(const swq_series *series, int group, uint64_t onset);

/* Safe on NULL; ctx: the run's. */
void swq_series_free(swq_context *ctx, swq_series *series);

/* A run should last SWQ_SOURCE_TIMES times as long as the slowest process of its sources. */
enum { SWQ_SOURCE_TIMES = 50 };

/* What ended a run. */
typedef enum swq_stop {
    SWQ_STOP_CYCLES,
    SWQ_STOP_PRECISION,
    SWQ_STOP_PACKETS,   /* the number of packets in the options was delivered */
    SWQ_STOP_TRACE_END, /* the trace has ended, and its last packet has been delivered */
    SWQ_STOP_DEADLOCK,  /* asynchronous networks: packets that can never move */
    SWQ_STOP_INTERRUPTED,
    SWQ_STOP_TIME,    /* the context's limit (swq_context_limit_time) */
    SWQ_STOP_LIVELOCK /* asynchronous networks: a packet that is refused for ever */
} swq_stop;

/* Is a network beyond saturation? Tested at a level of 0.001; docs/simulation.md has the rules. */
typedef enum swq_beyond {
    SWQ_BEYOND_NOT,
    SWQ_BEYOND_HELD, /* sources that hold a packet are held back, before or while they send it, for
                        more than a fifth of the time, or for longer than they pause between
                        packets */
    SWQ_BEYOND_GROWING /* more packets arrive than leave, so that the number waiting grows with the
                          length of the run */
} swq_beyond;

/* How equally a network treats senders that send alike: with the same configured load and, in
 * asynchronous networks, in the same groups. Of several sets of such senders the numbers are those
 * of the set with the lowest index. Senders that have never created a packet are in no set. */
typedef struct swq_fairness {
    uint32_t senders; /* in the set; 0: no two senders are alike, or the network loses packets
                         without knowing their senders; the numbers are then NAN */
    /* The throughput of the sender with the least (the greatest) throughput, per cycle: packets, or
     * bytes in asynchronous networks, that left the sender. The interval is that of this sender
     * alone. */
    swq_estimate least, greatest;
    /* The expected least and greatest throughput if all senders of the set had the same throughput
     * in the long run and differed only by chance, judged by the scatter of the batches; NAN: not
     * known */
    double chance_least, chance_greatest;
    double jain; /* (sum x)^2 / (n sum x^2): Jain's index of the senders' throughputs x: 1 if all
                    are equal, 1/n if one sender has everything */
    uint32_t offering; /* all senders that have created a packet, with any load */
    uint32_t starved;  /* of these, senders from which nothing left although a packet waited at the
                          sender all the time, from the end of the first batch on */
} swq_fairness;

typedef struct swq_sim_result {
    uint32_t nodes;
    int stages, groups, replications;
    uint64_t seed, cycles, warmup; /* per replication; warmup: the longest one */
    uint64_t packet_hops;          /* switches entered by packets in the measured cycles */
    double cpu_seconds, wall_seconds;
    size_t bytes; /* memory of the networks of all replications */
    swq_stop stopped_by;
    double source_cycles; /* mean cycles of the slowest process of the sources: from the beginning
                             of a burst to the beginning of the next, an interval with a memory, or
                             a message of several packets; 0: sources have no memory. A run of fewer
                             than SWQ_SOURCE_TIMES times as many cycles has seen few periods of this
                             process, and its intervals may be too narrow */
    bool stationary; /* the automatic warm-up found the end of the transient; else the warm-up was
                        cut off, and the network may never be stationary */
    const char *engine;

    swq_flow_result all;
    swq_flow_result by_class[SWQ_CLASSES];
    swq_flow_result by_group[SWQ_MAX_GROUPS];
    swq_stage_result stage[SWQ_MAX_STAGES];
    swq_estimate source_queue; /* packets at a source, after the sources' turn */
    double source_queue_below; /* see refusal_below */
    swq_estimate saqs;         /* set-aside queues in use, in the network; NAN: there are none */
    swq_estimate refusal; /* flow block, or a bounded source queue: fraction of the offers that are
                             refused */
    uint64_t offers;      /* within the measured cycles */
    /* An upper bound of a fraction, if the run had too few events (SWQ_RARE_EVENTS) for an interval
     * of the fraction, which is then too narrow, or empty without events; else NAN. If the fraction
     * were as large as the bound, the run would show no more events than it did with a probability
     * of (1 - confidence) / 2, or, if it showed none, would show none with a probability of 1 -
     * confidence. Clusters of events show in the scatter of the batches; the larger the clusters,
     * the fewer of the independent events found does a bound rely on, down to half, as the largest
     * clusters may not have been seen. Without any event, discards are assumed to be independent,
     * refusals and blocked buffers to come in pairs, and a packet to wait at its source for two
     * others to pass, so that the bound is somewhat low if events come in larger clusters. This
     * field bounds `refusal`. */
    double refusal_below;
    swq_counting counts;
    swq_unknown unknown;
    double memory_cycles; /* the longest integrated autocorrelation time that was found, among those
                             of the throughput, of the packets in the network, and, unless
                             everything is unknown, of latencies and packets at sources */
    bool precision_missed; /* a precision was requested, and not reached */
    swq_beyond beyond;
    swq_fairness fairness;
    /* batches: */
    size_t batches; /* of all replications */
    double correlation;
    bool correlated; /* too few cycles for independent batches: the intervals, although widened by
                        the correlation that was found, may be too narrow */

    swq_series *series; /* with options.series, to be freed by the caller; else NULL */

    /* invariants over the whole run, warm-up included, all replications together */
    uint64_t total_created, total_delivered, total_discarded, total_in_flight;
    bool conserved; /* created = delivered + discarded + in flight, in every replication */
    bool
        little_exact; /* packet-cycles spent in the system = sum of what every packet spent there */
    double little; /* over the measured cycles: arrival rate x mean latency / mean packets in system
                      - 1 */
} swq_sim_result;

/* Widens the intervals in the result and in its details (NULL: no details) by 1 / sqrt(share of
 * swq_counting), so that they hold as often as their confidence says. Intervals without any cycles
 * that count, and intervals of latencies of which fewer than SWQ_RARE_EVENTS packets differed from
 * the others, become NAN. Intervals of percentiles are already as wide. To be called once. A run
 * leaves this call to its caller, for programs that combine runs or compare them with known
 * values. */
void swq_result_refuse(swq_sim_result *result, swq_detail *detail);

/* Simulate. Memory is allocated before the first cycle: for each replication, with buffers at the
 * inputs of up to 16 slots, about nodes * stages * (10 * queues + 8 * slots + 8) bytes. If the
 * context is cancelled or its time is up, the run ends early with stopped_by SWQ_STOP_INTERRUPTED
 * or SWQ_STOP_TIME, and with SWQ_OK if anything was measured. Errors: SWQ_EINVAL; SWQ_ELIMIT,
 * SWQ_ENOMEM; SWQ_ECANCELLED before the first batch. */
swq_status swq_sim_run(swq_context *ctx, const swq_network *network, const swq_sim_options *options,
                       swq_sim_result *result);

/* One of many simulations. */
typedef struct swq_sim_point {
    swq_network network;
    swq_sim_options options; /* `threads` is ignored */
    double throughput; /* > 0, below 1: find the load at which the network delivers this throughput,
                          as for a printed curve of latency over throughput; 0: run with the load in
                          `network` */
    /* results: */
    swq_status status;
    double load;    /* of the run */
    bool saturated; /* not even full load delivers `throughput`; the result is at full load */
    int runs;       /* simulations that the point took; 0: not begun */
    swq_sim_result result;
} swq_sim_point;

/* Run all points, `threads` at a time, in any order; the numbers do not depend on it. Each point
 * gets its own status; the function returns SWQ_OK if all points have it, else the status of the
 * first point that failed, with its message. If the context is cancelled, points not begun get
 * status SWQ_ECANCELLED and runs 0. Progress is reported in points. The load for a throughput is
 * sought within a bracket, from the mean wait that the network imposes on a source, which changes
 * slowly with the load, until the throughput is met to within 0.1% and its half-width, in at most
 * ten runs. */
swq_status swq_sim_points(swq_context *ctx, swq_sim_point *point, int points, int threads);

/* The loads between which a network saturates: two intervals, each of which contains the load
 * sought with the probability `confidence`. All judgements of the search share the probability of
 * an error. A run begins with an empty network, open sources and unlimited queues. At a load, the
 * backlog is shown to grow if it is longer than random walks reflected at 0 would be, which is how
 * the backlog of a network behaves that is just saturated; an upper bound of the backlog's growth
 * shows that at most a fraction of the load is not served (sim/measure/growth.h). Runs that show
 * neither are continued to twice their length, up to eight times options->cycles. The lower ends
 * assume that beyond saturation the throughput does not rise with the load. If only some senders
 * are saturated, this assumption holds for their throughput, but not for the mean. */
typedef struct swq_bracket {
    double least, most; /* the mean: the largest load shown to be carried (0: none), and the lowest
                           load shown not to be served in full (1: there is none) */
    double worst_least, worst_most; /* the same loads for the sender that is served worst */
    uint32_t worst_sender; /* the sender served worst at the load worst_most; SWQ_NO_SENDER: there
                              is no such load, or the run at this load ended in a deadlock */
    double confidence;
    double deadlock_load; /* the lowest load of a run that ended in a deadlock; the bracket is not
                             below it; NAN: no run did */
    uint64_t cycles;      /* of the shortest run */
    uint64_t longest;     /* of the longest run */
    int runs, undecided;  /* loads that were run; of these, loads that were left undecided */
    bool interrupted;     /* the search was interrupted: the bracket holds what was known by then */
} swq_bracket;

#define SWQ_NO_SENDER UINT32_MAX

/* Bisect between the loads 0 and 1 until the bracket is no wider than `resolution`, or no run of
 * the greatest length makes it narrower: its width falls as the square root of the length of the
 * runs. Used of the options are the seed, the confidence of the brackets, threads (on which the
 * answer does not depend), and cycles, the length of the shortest run. Flow discard gets the
 * brackets 1, 1: without resending no packet waits, and with resending the load is not sought.
 * Errors: those of swq_sim_run; SWQ_EINVAL for a trace, for node loads, or for a resolution that is
 * not above 0 and at most 0.5. Cost: about log2(2 / resolution) runs, twice as many if senders are
 * unequal. */
swq_status swq_sim_bracket(swq_context *ctx, const swq_network *network,
                           const swq_sim_options *options, double resolution, swq_bracket *bracket);

/* The highest throughput over the load. In networks whose throughput falls beyond saturation, as in
 * tori with one queue per buffer, the highest throughput is not the throughput at full load. */
typedef struct swq_peak {
    /* per cycle and node: the highest found; NAN: none. The interval is wider than the interval of
     * a run: the intervals of all loads hold together, so that this interval is right although the
     * load was chosen by its throughput */
    swq_estimate throughput;
    double highest_load; /* the load of all senders at this throughput */
    double load; /* the least load tried whose throughput is below the highest by no more than the
                    half-widths of both; NAN: none */
    swq_estimate at_load; /* the throughput at this load */
    double below, above;  /* the nearest loads tried below `load`, which is shown to deliver less,
                             and above it, of which nothing is shown; NAN: none */
    double deadlock_load; /* the lowest load of a run that ended in a deadlock; NAN: no run did.
                             Only lower loads count for all fields above. */
    int runs;             /* runs that were finished, the run at full load first */
} swq_peak;

/* How saturation is searched for. */
typedef struct swq_search {
    double resolution; /* of loads, above 0 and at most 0.5 */
    uint64_t judged;   /* cycles of the shortest run that judges a load for the bracket; 0: the
                          bracket is not sought */
} swq_search;

typedef struct swq_saturation {
    swq_peak peak;
    swq_bracket bracket;
    bool interrupted; /* the search was not finished */
} swq_saturation;

/* Run at full load, where a synchronous network delivers most, and find the bracket. Errors: those
 * of swq_sim_run and swq_sim_bracket. If the context is cancelled, *saturation is what was found by
 * then, and at_full_load->stopped_by is SWQ_STOP_INTERRUPTED; peak.runs is 0 then if the run at
 * full load itself was cut short. */
swq_status swq_sim_saturation(swq_context *ctx, const swq_network *network,
                              const swq_sim_options *options, const swq_search *search,
                              swq_sim_result *at_full_load, swq_saturation *saturation);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
