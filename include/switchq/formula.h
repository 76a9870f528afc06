/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Closed forms and recursions of the literature: answers in microseconds, each with its assumptions
 * and its accuracy. The rows of the table are formulas by name, with arguments by name; the
 * functions behind them are below, for programs in C.
 */
#ifndef SWITCHQ_FORMULA_H
#define SWITCHQ_FORMULA_H

#include "switchq/context.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* How exact a formula is where its assumptions hold. */
typedef enum swq_standing {
    SWQ_STANDS_EXACT, /* equal to the model's value, up to rounding */
    SWQ_STANDS_LIMIT, /* exact for infinitely many ports, or a similar limit */
    SWQ_STANDS_BOUND, /* nothing can do better (or worse) */
    SWQ_STANDS_APPROXIMATION
} swq_standing;

enum { SWQ_FORMULA_PARAMETERS = 12, SWQ_FORMULA_RESULTS = 32, SWQ_FORMULA_LIST = 64 };

/* An argument of a formula. Names are those of the command line's options, where it has them. */
typedef struct swq_formula_parameter {
    const char *name;
    const char *summary;
    double least, most; /* both are allowed */
    double usual;       /* default; NAN: it must be given */
    bool whole;         /* only whole numbers */
    bool list;          /* up to SWQ_FORMULA_LIST numbers, each in its range */
} swq_formula_parameter;

/* A parameter's value: a number, or a list. */
typedef struct swq_argument {
    double value;       /* of a list: the first number */
    const double *list; /* [count]; a single number is a list of one */
    int count;
} swq_argument;

typedef struct swq_formula_result {
    const char *name;
    const char *summary;  /* with its unit */
    const char *unit;     /* for an axis; NULL: a pure number */
    const char *quantity; /* the quantity's name in the answers of all commands; NULL: no other
                             command reports this quantity */
} swq_formula_result;

typedef struct swq_formula {
    const char *name;
    const char *family; /* heading of the rows from here on; NULL: as the row before */
    const char *summary;
    const char *assumptions;
    const char *source;
    swq_standing standing;
    const char *error; /* its error, and what it was compared with; NULL: exact */
    const swq_formula_parameter *parameter; /* [parameters] */
    int parameters;
    const swq_formula_result *result; /* [results] */
    int results;
    /* Evaluate: argument: [parameters], in range; result: [results], INFINITY if a queue is not
     * stable, NAN if the quantity does not exist. Errors: SWQ_EINVAL for arguments that do not go
     * together; SWQ_ENOMEM, SWQ_ELIMIT; SWQ_ECONVERGE, SWQ_ECANCELLED. */
    swq_status (*evaluate)(swq_context *ctx, const swq_argument *argument, double *result);
} swq_formula;

/* All formulas, by families, ended by NULL. */
extern const swq_formula *const swq_formulas[];

/* The row of that name. Errors: SWQ_EINVAL for an unknown name (suggesting the nearest). */
swq_status swq_formula_find(swq_context *ctx, const char *name, const swq_formula **formula);

/* Check the arguments against the row's ranges and evaluate. argument: [parameters]; one with count
 * 0 takes its default. result: [results], left alone on failure. Errors: SWQ_EINVAL naming the
 * parameter, its value and what is allowed, or that it is missing; those of evaluate. */
swq_status swq_formula_evaluate(swq_context *ctx, const swq_formula *formula,
                                const swq_argument *argument, double *result);

/* ---- input queues (models/formulas/saturation.c, input_queue.c, window.c,
 * window_chain.c) ---- */

/* Throughput per output of an n x n switch with a FIFO at each input, all always backlogged,
 * uniform destinations; an output takes up to `speedup` of the heads for it in a cycle, whichever
 * they are. Exact to about 1e-14: the chain of the partitions of n. ports: 1 .. 40; speedup: >= 1.
 * Errors: SWQ_EINVAL, SWQ_ENOMEM, SWQ_ELIMIT, SWQ_ECANCELLED. n = 20 takes milliseconds, n = 40
 * (37338 partitions) 0.2 s and 10 MB. Karol, Hluchyj and Morgan (1987); Oie et al. (1989). */
swq_status swq_hol_saturation(swq_context *ctx, int ports, int speedup, double *throughput);

/* The throughput of swq_hol_saturation for infinitely many ports: 2 - sqrt(2) without a speedup;
 * NAN for a speedup < 1. */
double swq_hol_saturation_limit(int speedup);

/* Which of the packets at the heads of the input queues for an output is sent first. */
typedef enum swq_heads { SWQ_HEADS_FIFO, SWQ_HEADS_RANDOM } swq_heads;

/* Mean wait in an unbounded FIFO input queue, in cycles (0: sent in the cycle of arrival), of a
 * switch with infinitely many ports; load: packets per cycle and input. INFINITY from a load of 2 -
 * sqrt(2) on; NAN if the load is not 0 .. 1. FIFO: the packet that became head first, a closed
 * form. RANDOM: the packet's time as head is followed until it has almost surely ended, which takes
 * milliseconds. After Karol, Hluchyj and Morgan (1987). */
double swq_input_queue_wait(double load, swq_heads heads);

/* The mean wait in an unbounded FIFO input queue by the closed form of Hui and Arthurs (1987), in
 * which the time that a packet is the head is geometric. */
double swq_input_queue_wait_hui_arthurs(double load);

/* Throughput per output if all inputs are always backlogged and look at up to `window` packets each
 * (1: FIFO): in round k, inputs that have not sent offer packet k, and idle outputs take any one of
 * the packets offered. Exact to about 1e-14. window: 1 .. 32; ports: 1 .. 40 with a window of 1; 2
 * with any; 3 with up to 5; 4 with up to 3; 5 with up to 2. At most a second and 10 MB. Errors:
 * SWQ_EINVAL; SWQ_ELIMIT for other pairs; SWQ_ENOMEM, SWQ_ECANCELLED. The rule: Hluchyj and Karol
 * (1988). */
swq_status swq_window_saturation(swq_context *ctx, int ports, int window, double *throughput);

/* The throughput of swq_window_saturation for many ports, and (if not NULL) for infinitely many
 * ports, extrapolated from the exact values for few ports: the throughput that a window loses with
 * more ports is taken to be proportional to what the next smaller window loses. Simulated values
 * are within 0.4% for windows up to 3, 0.7% for 4, and 1.4% for 5. ports >= 2; window: 1 .. 5.
 * Errors: SWQ_EINVAL, SWQ_ENOMEM, SWQ_ECANCELLED. */
swq_status swq_window_saturation_many(swq_context *ctx, double ports, int window,
                                      double *throughput, double *limit);

/* ---- output queues (models/formulas/output_queue.c, smoothing.c) ---- */

/* In each cycle, each of `ports` inputs has a packet with probability load, for each output equally
 * likely; an output sends one packet per cycle, if possible in the cycle of its arrival. ports >=
 * 1; a million is as good as infinitely many. */

/* Unbounded queues: mean and variance of the wait, in cycles (0: sent in the cycle of arrival).
 * INFINITY at load 1 (with one port: 0); NAN out of range. Karol, Hluchyj and Morgan (1987). */
double swq_output_queue_wait(int ports, double load);
double swq_output_queue_wait_variance(int ports, double load);

/* With `slots` for each output, one of them for the packet that is being sent: the fraction of
 * packets lost, to a relative 1e-13 however small, and (if not NULL) the mean number of packets
 * left behind after one was sent. slots >= 1; NAN out of range. Karol, Hluchyj and Morgan's b is
 * slots - 1. O(slots * min(ports, 180)). */
double swq_output_queue_loss(int ports, double load, int slots, double *left);

/* The fewest slots with which no more than the fraction `target` > 0 of the packets is lost, and
 * the loss. Errors: SWQ_EINVAL; SWQ_ELIMIT if 100000 are not enough. */
swq_status swq_output_queue_slots(swq_context *ctx, int ports, double load, double target,
                                  int *slots, double *loss);

/* Input smoothing: the packets of `frame` cycles are sent at once, over `frame` lines per output;
 * packets beyond that are lost. The fraction lost, to a relative 1e-12; NAN out of range. frame: 1
 * .. 1000000. Hluchyj and Karol (1988). */
double swq_smoothing_loss(int ports, double load, int frame);

/* The shortest frame with which input smoothing loses no more than the fraction `target`. Errors:
 * as swq_output_queue_slots, with a limit of a million. */
swq_status swq_smoothing_frame(swq_context *ctx, int ports, double load, double target, int *frame,
                               double *loss);

/* ---- matchings at saturation (models/formulas/pim.c) ---- */

/* Parallel iterative matching when every input has packets for every output. */
typedef struct swq_pim {
    double throughput; /* packets per output and cycle, after the iterations allowed */
    double complete;   /* mean number of iterations until all ports are matched */
} swq_pim;

/* ports: 1 .. 1024; iterations: 1 .. 64. Exact: m unmatched inputs and m unmatched outputs, with
 * packets for all pairs, leave a state of the same kind. O(ports^3). Errors: SWQ_EINVAL,
 * SWQ_ENOMEM, SWQ_ELIMIT, SWQ_ECANCELLED. Anderson, Owicki, Saxe and Thacker (1993). */
swq_status swq_pim_saturation(swq_context *ctx, int ports, int iterations, swq_pim *pim);

/* ---- networks without buffers (models/formulas/unbuffered.c) ---- */

/* Packets per cycle and output of the last stage of a delta network of `inputs` x `outputs`
 * crossbars, in which each input of the first stage has a request with probability load in each
 * cycle, and those that lose are dropped. rate: [stages] after each stage, or NULL. Nothing is
 * checked: inputs, outputs >= 1; load 0 .. 1. Patel (1981). */
double swq_unbuffered_rate(int inputs, int outputs, int stages, double load, double *rate);

/* The asymptote of swq_unbuffered_rate, for many stages, of networks of k x k switches, 2k / ((k -
 * 1) stages + 2k / load). Kruskal and Snir (1983). */
double swq_unbuffered_asymptote(int ports, int stages, double load);

/* ---- buffered networks (models/formulas/stage_waits.c, blocking.c) ---- */

/* Mean wait in a stage (the first is 1) of a network of k x k switches with unbounded output
 * queues, in cycles (0: sent in the cycle of arrival). INFINITY at load 1. Exact for the first
 * stage, within 3% for later ones. Kruskal, Snir and Weiss (1988). */
double swq_stage_wait(int ports, double load, int stage);

/* The mean wait of messages of `length` packets that follow one another without gaps; load counts
 * packets. A whole message arrives at the first stage in one cycle, and there the wait is exact; in
 * later stages `length` cycles are treated as one cycle, which gives a wait that is up to 9% low in
 * the second stage, and within 3% beyond. */
double swq_message_wait(int ports, double load, int length, int stage);

/* Throughput, in packets per cycle and output, and delay, in cycles from the first buffer to the
 * last output, of a blocking network of 2 x 2 switches with one slot at each input. stages: 1
 * .. 64. Errors: SWQ_EINVAL. Jenq (1983). */
swq_status swq_jenq(swq_context *ctx, int stages, double load, double *throughput, double *delay);

/* Throughput and delay, as swq_jenq has them, for k x k switches and `slots` slots at each input; a
 * freed slot can be taken in the same cycle (Yoon, Lee and Liu, 1990) or in the next cycle. ports
 * >= 2; stages: 1 .. 64; slots: 1 .. 64. Errors: SWQ_EINVAL, SWQ_ENOMEM, SWQ_ELIMIT,
 * SWQ_ECANCELLED; SWQ_ECONVERGE, after some seconds, for many stages of many slots near saturation.
 * O(stages * slots) per cycle, until nothing changes, usually after a few thousand cycles. */
swq_status swq_blocking_delta(swq_context *ctx, int ports, int stages, int slots, bool same_cycle,
                              double load, double *throughput, double *delay);

/* ---- hot spots (models/formulas/hotspot.c) ---- */

/* Packets per cycle and node that can be sent when each of `nodes` nodes sends a fraction of its
 * packets to one hot node and spreads the rest evenly over all nodes, over links that are busy for
 * at most a fraction `efficiency` of the time. An upper bound for every network. Pfister and Norton
 * (1985). */
double swq_hotspot_bound(double nodes, double fraction, double efficiency);

/* Packets per cycle for the hot node when size[g] of the nodes send load[g] packets per cycle each,
 * the part fraction[g] of them to the hot node and the rest evenly to all nodes. All arrays have
 * length [groups]. */
double swq_hotspot_load(double nodes, int groups, const double *size, const double *fraction,
                        const double *load);

/* ---- shared memory (models/formulas/sharing.c, thresholds.c, shared_output.c) ---- */

/* Queues that share a memory of `slots` packets. Arrivals are Poisson, services exponential.
 * Complete partitioning: reserved = most; complete sharing: both NULL; SMXQ: only most; SMA: only
 * reserved; SMQMA: both (Kamoun and Kleinrock, 1980). All arrays have length [queues] and are owned
 * by the caller. */
typedef struct swq_sharing {
    int queues;            /* 1 .. SWQ_FORMULA_LIST */
    int slots;             /* 1 .. 2000 */
    const double *load;    /* arrivals per time unit, 0 .. 1e6 */
    const double *service; /* departures per time unit of a queue with packets; NULL: 1 */
    const int *most;       /* packets that a queue may hold, >= 1; NULL: all slots */
    const int *reserved;   /* slots that a queue has to itself; NULL: none */
} swq_sharing;

/* Figures for the packets of one queue, or of all. */
typedef struct swq_sharing_flow {
    double loss;       /* fraction of the packets */
    double throughput; /* packets per time unit */
    double mean;       /* packets in the memory */
    double delay;      /* time units from arrival to departure; NAN without arrivals */
} swq_sharing_flow;

/* Exact, to a relative 1e-12. each: [queues], or NULL; all: or NULL. Errors: SWQ_EINVAL,
 * SWQ_ENOMEM, SWQ_ELIMIT. O(queues * slots^2). */
swq_status swq_sharing_solve(swq_context *ctx, const swq_sharing *sharing, swq_sharing_flow *each,
                             swq_sharing_flow *all);

/* The maximum queue length that makes the loss of several equal queues, with service 1, smallest
 * (the greatest if several lengths do), and this loss. Irland (1978) has the rule slots /
 * sqrt(queues) for this maximum. Errors: as above. O(queues * slots^3). */
swq_status swq_sharing_best(swq_context *ctx, int queues, int slots, double load, int *most,
                            double *loss);

/* Dynamic thresholds, as a fluid: the slots that each of S overloaded queues holds if the other
 * queues hold `others` of the B slots, alpha (B - others) / (1 + alpha S). *unused, unless NULL,
 * receives the slots that stay free. Choudhury and Hahne (1998). */
double swq_threshold_fluid(double slots, double alpha, double overloaded, double others,
                           double *unused);

/* Dynamic thresholds packet by packet, as a chain: a packet is accepted if its queue is shorter
 * than alpha times the number of free slots. Poisson arrivals and exponential services, as in
 * swq_sharing, with 1 .. 8 queues, 1 .. 255 slots, and neither `most` nor `reserved`. each:
 * [queues], or NULL; all, longest (the mean length of the longest queue): or NULL. Errors:
 * SWQ_EINVAL; SWQ_ELIMIT above 2000 states, where exchanging queues of equal load and service gives
 * the same state; SWQ_ENOMEM. Takes at most seconds and 32 MB. */
swq_status swq_threshold_chain(swq_context *ctx, const swq_sharing *sharing, double alpha,
                               swq_sharing_flow *each, swq_sharing_flow *all, double *longest);

enum { SWQ_SHARED_PORTS = 6 };

/* Slotted time, one memory for the output queues of an n x n switch: probability that `slots` or
 * more packets are left after the departures if the memory is unbounded and the outputs are
 * independent (Hluchyj and Karol, 1988). ports: 2 .. 1024; slots: 1 .. 1000. Errors: SWQ_EINVAL,
 * SWQ_ENOMEM, SWQ_ELIMIT. O(slots^2 log ports). */
swq_status swq_shared_output_tail(swq_context *ctx, int ports, double load, int slots,
                                  double *tail);

/* Slotted time, one memory of `slots` slots for all output queues, exact: the fraction of packets
 * lost, and the mean number left after the departures. Packets arrive before others depart; if
 * there are too many for the memory, any of them are lost. ports: 2 .. SWQ_SHARED_PORTS; slots: 1
 * .. 255. Errors: SWQ_EINVAL; SWQ_ELIMIT above 2000 states, where exchanging outputs gives the same
 * state (4 ports: 32 slots); SWQ_ENOMEM. */
swq_status swq_shared_output_chain(swq_context *ctx, int ports, double load, int slots,
                                   double *loss, double *mean);

/* Slots for regional explicit congestion notification in a switch with queues at inputs and outputs
 * (*both), and with queues at inputs alone: `aside` set-aside queues per port, which are stopped at
 * xoff packets, and congestion detected at `detection` packets. Mora, Garcia, Flich and Duato,
 * RECN-IQ, 2.1. */
void swq_recn_slots(double ports, double aside, double detection, double xoff, double *both,
                    double *input);

/* A link whose sender has credits for the buffer behind it: packets of one length, and memory in
 * blocks, both in bytes; times in cycles, at one byte per cycle; a rest of the link after each
 * packet. */
typedef struct swq_credit_loop {
    double length, block, hop_delay, link_rest;
    double credit_delay; /* from when a block is free until its credit is back */
} swq_credit_loop;

/* Bytes per cycle with a buffer of `blocks` blocks, if packets leave it at once and blocks are
 * freed as they are sent: a buffer's packets per round trip, or what the link carries; 0 if not
 * even one packet fits. Exact. */
double swq_credit_throughput(const swq_credit_loop *loop, double blocks);

/* The fewest blocks with which swq_credit_throughput is all that the link carries. */
double swq_credit_blocks(const swq_credit_loop *loop);

/* ---- tori and meshes (models/formulas/grids.c, latency.c, dally.c) ---- */

enum { SWQ_GRID_DIMS = 15 };

typedef struct swq_grid {
    bool torus;                /* else a mesh */
    bool one_way;              /* torus: links in the positive direction only */
    bool self;                 /* a node also sends to itself, as often as to any other */
    int dims;                  /* 1 .. SWQ_GRID_DIMS */
    int extent[SWQ_GRID_DIMS]; /* nodes in each dimension, >= 2 */
} swq_grid;

typedef struct swq_grid_figures {
    double nodes, diameter;
    double mean_hops;           /* links between nodes that a packet takes */
    double hops[SWQ_GRID_DIMS]; /* of these, links in each dimension */
    /* load of a dimension's links for one packet per cycle and node: the mean over links, and the
     * load of the busiest link */
    double mean_load[SWQ_GRID_DIMS], most_load[SWQ_GRID_DIMS];
    double load;       /* of the busiest link of all */
    double throughput; /* most packets per cycle and node */
} swq_grid_figures;

/* Uniform traffic along shortest routes, dimension by dimension; exactly halfway round a torus,
 * half of the packets take either direction. Errors: SWQ_EINVAL. Dally and Towles (2004). */
swq_status swq_grid_solve(swq_context *ctx, const swq_grid *grid, swq_grid_figures *figures);

/* Cycles until the last byte of a packet that is alone in the network has arrived: the packet
 * passes `switches` switches, each of which forwards it hop_delay cycles after its first byte
 * arrived, or (stored) after its last byte arrived. bandwidth: bytes per cycle. */
double swq_alone(double switches, double hop_delay, double length, double bandwidth, bool stored);

/* Mean latency in a torus, in cycles: uniform traffic of packets of one length that take `hops`
 * hops of one cycle each, in all `dims` dimensions together, with links of that utilisation.
 * INFINITY from a utilisation of 1 on. Agarwal (1991). */
double swq_agarwal(int dims, double hops, double utilisation, double length);

typedef struct swq_dally {
    double latency;     /* cycles from the first link until the last bit has arrived */
    double alone;       /* cycles for a message that is alone in the network */
    double wait;        /* cycles blocked on the way */
    double source_wait; /* cycles at the sender, before */
    double saturation;  /* bits per cycle and node, from which on latencies are INFINITY */
    double capacity;    /* bits per cycle and node that keep all links busy */
    double utilisation; /* of the links between nodes */
    double hops, width; /* mean number of links taken, including messages that take none; bits per
                           cycle of a link */
} swq_dally;

/* Worms in a torus of `extent` nodes in each of `dims` dimensions, links one way, uniform traffic
 * of load bits per cycle and node in messages of length bits. width: bits per cycle of a link; 0
 * means extent / 2, which gives all tori with the same number of nodes the same bisection. Nothing
 * is checked: extent >= 2; dims, length > 0. O(dims^2). After Dally (1990); see the file. */
void swq_dally_solve(int extent, int dims, double load, double length, double width,
                     swq_dally *dally);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
