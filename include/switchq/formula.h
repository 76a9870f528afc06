/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Closed forms and recursions of the literature: answers in microseconds, each with what it assumes
 * and how good it is. A row of the table is a formula by name, for those who have numbers and
 * names; the functions behind the rows are below, for those who write C.
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

/* How good a formula is for what it assumes. */
typedef enum swq_standing {
    SWQ_STANDS_EXACT, /* it is what the model does, up to rounding */
    SWQ_STANDS_LIMIT, /* ... for infinitely many ports, or the like */
    SWQ_STANDS_BOUND, /* nothing can do better (or worse) */
    SWQ_STANDS_APPROXIMATION
} swq_standing;

enum { SWQ_FORMULA_PARAMETERS = 9, SWQ_FORMULA_RESULTS = 32, SWQ_FORMULA_LIST = 64 };

/* What a formula is given. Names are those of the command line's options where it has them. */
typedef struct swq_formula_parameter {
    const char *name;
    const char *summary;
    double least, most; /* both allowed */
    double usual;       /* taken where nothing is given; NAN: it must be given */
    bool whole;         /* only whole numbers */
    bool list;          /* up to SWQ_FORMULA_LIST numbers, each in its range */
} swq_formula_parameter;

/* A parameter's value: a number, or a list. */
typedef struct swq_argument {
    double value;       /* of a list: the first number */
    const double *list; /* [count]; a number alone is a list of one */
    int count;
} swq_argument;

typedef struct swq_formula_result {
    const char *name;
    const char *summary;  /* with its unit */
    const char *unit;     /* for an axis; NULL: a pure number */
    const char *quantity; /* its name in the answers of all commands; NULL: no other has it */
} swq_formula_result;

typedef struct swq_formula {
    const char *name;
    const char *family; /* what the rows from here on are about; NULL: as the row before */
    const char *summary;
    const char *assumptions;
    const char *source;
    swq_standing standing;
    const char *error; /* how far off it was found to be, and against what; NULL: exact */
    const swq_formula_parameter *parameter; /* [parameters] */
    int parameters;
    const swq_formula_result *result; /* [results] */
    int results;
    /* Evaluate: argument: [parameters], in range; result: [results], INFINITY where a queue is not
     * stable, NAN where there is no such thing. Errors: SWQ_EINVAL for arguments that do not go
     * together; SWQ_ENOMEM, SWQ_ELIMIT; SWQ_ECONVERGE, SWQ_ECANCELLED. */
    swq_status (*evaluate)(swq_context *ctx, const swq_argument *argument, double *result);
} swq_formula;

/* All formulas, ended by NULL, in families. */
extern const swq_formula *const swq_formulas[];

/* The row of that name. Errors: SWQ_EINVAL for an unknown name (suggesting the nearest). */
swq_status swq_formula_find(swq_context *ctx, const char *name, const swq_formula **formula);

/* Check the arguments against the row's ranges and evaluate. argument: [parameters]; one with count
 * 0 was not given. result: [results], left alone on failure. Errors: SWQ_EINVAL naming the
 * parameter, its value and what is allowed, or that it is missing; those of evaluate. */
swq_status swq_formula_evaluate(swq_context *ctx, const swq_formula *formula,
                                const swq_argument *argument, double *result);

/* ---- input queues (models/formulas/saturation.c, input_queue.c, window.c,
 * window_chain.c) ---- */

/* Throughput per output of an n x n switch with a FIFO at each input, all always backlogged,
 * uniform destinations; an output takes up to `speedup` heads in a cycle, any of those that want
 * it. Exact to about 1e-14: the chain of the partitions of n. ports: 1 .. 40; speedup: >= 1.
 * Errors: SWQ_EINVAL, SWQ_ENOMEM, SWQ_ELIMIT, SWQ_ECANCELLED. n = 20 takes milliseconds, n = 40
 * (37338 partitions) 0.2 s and 10 MB. Karol, Hluchyj and Morgan (1987); Oie et al. (1989). */
swq_status swq_hol_saturation(swq_context *ctx, int ports, int speedup, double *throughput);

/* The same for infinitely many ports: 2 - sqrt(2) without a speedup; NAN for a speedup < 1. */
double swq_hol_saturation_limit(int speedup);

/* Which of the heads that want an output is sent. */
typedef enum swq_heads { SWQ_HEADS_FIFO, SWQ_HEADS_RANDOM } swq_heads;

/* Mean wait in a FIFO input queue without end, in cycles (0: sent in the cycle of arrival), of a
 * switch with infinitely many ports; load packets per cycle and input. INFINITY from the load
 * 2 - sqrt(2) on; NAN if load is not 0 .. 1. FIFO: those that became head first; a closed form.
 * RANDOM: the packet's stay as head is followed until it has surely ended; milliseconds. After
 * Karol, Hluchyj and Morgan (1987). */
double swq_input_queue_wait(double load, swq_heads heads);

/* The closed form of Hui and Arthurs (1987), in which the stay as head is geometric. */
double swq_input_queue_wait_hui_arthurs(double load);

/* Throughput per output when all inputs are always backlogged and look at up to `window` packets
 * each (1: FIFO): in round k inputs that have not sent ask with packet k, and idle outputs take one
 * of those, any. Exact to about 1e-14. window: 1 .. 32; ports: 1 .. 40 with a window of 1; 2 with
 * any; 3 with up to 5; 4 with up to 3; 5 with up to 2. At most a second and 10 MB. Errors:
 * SWQ_EINVAL; SWQ_ELIMIT for other pairs; SWQ_ENOMEM, SWQ_ECANCELLED. The rule: Hluchyj and Karol
 * (1988). */
swq_status swq_window_saturation(swq_context *ctx, int ports, int window, double *throughput);

/* The same for many ports, and (if not NULL) for infinitely many, from the exact values for few:
 * what more ports take away from a window is in proportion to what they take away from the next
 * smaller one. Simulated values are within 0.4% up to a window of 3, 0.7% with 4, 1.4% with 5.
 * ports >= 2; window: 1 .. 5. Errors: SWQ_EINVAL, SWQ_ENOMEM, SWQ_ECANCELLED. */
swq_status swq_window_saturation_many(swq_context *ctx, double ports, int window,
                                      double *throughput, double *limit);

/* ---- output queues (models/formulas/output_queue.c, smoothing.c) ---- */

/* Each cycle, `ports` inputs send a packet with probability load, to each output alike; an output
 * sends one a cycle, in the cycle of its arrival if it can. ports >= 1; a million is as good as
 * infinitely many. */

/* Without end: mean and variance of the wait, in cycles (0: sent in the cycle of arrival). INFINITY
 * at load 1 (with one port: 0); NAN out of range. Karol, Hluchyj and Morgan (1987). */
double swq_output_queue_wait(int ports, double load);
double swq_output_queue_wait_variance(int ports, double load);

/* With `slots` for each output, one of them for the packet that is being sent: the fraction of
 * packets lost, exact to about 1e-13 of itself however small, and (if not NULL) the mean number
 * left behind when one was sent. slots >= 1; NAN out of range. Karol, Hluchyj and Morgan's b is
 * slots - 1. O(slots * min(ports, 180)). */
double swq_output_queue_loss(int ports, double load, int slots, double *left);

/* The fewest slots that lose no more than `target` > 0, and what they lose. Errors: SWQ_EINVAL;
 * SWQ_ELIMIT if 100000 are not enough. */
swq_status swq_output_queue_slots(swq_context *ctx, int ports, double load, double target,
                                  int *slots, double *loss);

/* Input smoothing: packets of `frame` cycles are sent at once over `frame` lines per output; those
 * that are too many for their output are lost. The fraction lost, exact to about 1e-12 of itself;
 * NAN out of range. frame: 1 .. 1000000. Hluchyj and Karol (1988). */
double swq_smoothing_loss(int ports, double load, int frame);

/* The shortest frame that loses no more than `target`. Errors: as swq_output_queue_slots, for a
 * million. */
swq_status swq_smoothing_frame(swq_context *ctx, int ports, double load, double target, int *frame,
                               double *loss);

/* ---- matchings at saturation (models/formulas/pim.c) ---- */

/* Parallel iterative matching when every input has packets for every output. */
typedef struct swq_pim {
    double throughput; /* packets per output and cycle, after so many iterations */
    double complete;   /* mean number of iterations until all are matched */
} swq_pim;

/* ports: 1 .. 1024; iterations: 1 .. 64. Exact: rests of m inputs and m outputs that all want one
 * another leave a rest of the same kind. O(ports^3). Errors: SWQ_EINVAL, SWQ_ENOMEM, SWQ_ELIMIT,
 * SWQ_ECANCELLED. Anderson, Owicki, Saxe and Thacker (1993). */
swq_status swq_pim_saturation(swq_context *ctx, int ports, int iterations, swq_pim *pim);

/* ---- networks without buffers (models/formulas/unbuffered.c) ---- */

/* Packets per cycle and output of the last stage of a delta network of `inputs` x `outputs`
 * crossbars, each input of the first stage with a request in a cycle with probability load; those
 * that lose are dropped. rate: [stages] after each stage, or NULL. Nothing is checked: inputs,
 * outputs >= 1; load 0 .. 1, and no more than outputs. Patel (1981). */
double swq_unbuffered_rate(int inputs, int outputs, int stages, double load, double *rate);

/* What it tends to with k x k switches, 2k / ((k - 1) stages + 2k / load). Kruskal and Snir (1983).
 */
double swq_unbuffered_asymptote(int ports, int stages, double load);

/* ---- buffered networks (models/formulas/stage_waits.c, blocking.c) ---- */

/* Mean wait in a stage, 1 the first, of a network of k x k switches with output queues without end,
 * in cycles (0: sent in the cycle of arrival). INFINITY at load 1. Exact in the first stage; later
 * ones within 3%. Kruskal, Snir and Weiss (1988). */
double swq_stage_wait(int ports, double load, int stage);

/* The same for messages of `length` packets that follow one another without gaps; load counts
 * packets. To the first stage a message comes at once, in any cycle: exact for that; later stages
 * are taken as if `length` cycles were one, which is up to 9% low in the second, and within 3%
 * beyond. */
double swq_message_wait(int ports, double load, int length, int stage);

/* Throughput, in packets per cycle and output, and delay, in cycles from the first buffer to the
 * last output, of a blocking network of 2 x 2 switches with a slot at each input. stages: 1 .. 64.
 * Errors: SWQ_EINVAL. Jenq (1983). */
swq_status swq_jenq(swq_context *ctx, int stages, double load, double *throughput, double *delay);

/* The same for k x k switches and `slots` slots at each input; a slot that is freed can be taken in
 * the same cycle (Yoon, Lee and Liu, 1990) or in the next one. ports >= 2; stages: 1 .. 64; slots:
 * 1 .. 64. Errors: SWQ_EINVAL, SWQ_ENOMEM, SWQ_ELIMIT, SWQ_ECANCELLED; SWQ_ECONVERGE, after some
 * seconds, for many stages of many slots near saturation. O(stages * slots) a cycle, until nothing
 * changes: mostly a few thousand. */
swq_status swq_blocking_delta(swq_context *ctx, int ports, int stages, int slots, bool same_cycle,
                              double load, double *throughput, double *delay);

/* ---- hot spots (models/formulas/hotspot.c) ---- */

/* Packets per cycle and node that can be sent when each of `nodes` nodes sends a fraction of its
 * packets to one of them and spreads the rest evenly, over links that are busy for at most a
 * fraction `efficiency` of the time. An upper bound for every network. Pfister and Norton (1985).
 */
double swq_hotspot_bound(double nodes, double fraction, double efficiency);

/* Packets per cycle for the hot node when size[g] of the nodes send load[g] packets per cycle each,
 * a fraction[g] of them to the hot node and the rest to all alike. All arrays [groups]. */
double swq_hotspot_load(double nodes, int groups, const double *size, const double *fraction,
                        const double *load);

/* ---- shared memory (models/formulas/sharing.c, thresholds.c, shared_output.c) ---- */

/* Queues that share a memory of `slots` packets. Arrivals are Poisson, services exponential.
 * Complete partitioning: reserved = most; complete sharing: both NULL; SMXQ: most; SMA: reserved;
 * SMQMA: both (Kamoun and Kleinrock, 1980). All arrays [queues], the caller's. */
typedef struct swq_sharing {
    int queues;            /* 1 .. SWQ_FORMULA_LIST */
    int slots;             /* 1 .. 2000 */
    const double *load;    /* arrivals per time unit, 0 .. 1e6 */
    const double *service; /* departures per time unit of a queue with packets; NULL: 1 */
    const int *most;       /* that a queue may hold, >= 1; NULL: all slots */
    const int *reserved;   /* slots that a queue has to itself; NULL: none */
} swq_sharing;

/* Of one queue's packets, or all. */
typedef struct swq_sharing_flow {
    double loss;       /* fraction of the packets */
    double throughput; /* packets per time unit */
    double mean;       /* packets in the memory */
    double delay;      /* time units from arrival to departure; NAN without arrivals */
} swq_sharing_flow;

/* Exact, to about 1e-12 of each figure. each: [queues], or NULL; all: or NULL. Errors: SWQ_EINVAL,
 * SWQ_ENOMEM, SWQ_ELIMIT. O(queues * slots^2). */
swq_status swq_sharing_solve(swq_context *ctx, const swq_sharing *sharing, swq_sharing_flow *each,
                             swq_sharing_flow *all);

/* The maximum length for each of several equal queues, with services 1, that has the least loss
 * (the greatest such maximum), and this loss. Irland (1978) has the rule slots / sqrt(queues) for
 * it. Errors: as above. O(queues * slots^3). */
swq_status swq_sharing_best(swq_context *ctx, int queues, int slots, double load, int *most,
                            double *loss);

/* Dynamic thresholds, as a fluid: what each of S overloaded queues holds when others hold `others`
 * of the slots, alpha (B - others) / (1 + alpha S); *unused, unless NULL: what stays free.
 * Choudhury and Hahne (1998). */
double swq_threshold_fluid(double slots, double alpha, double overloaded, double others,
                           double *unused);

/* The same packet by packet: a packet is taken if its queue is shorter than alpha times the free
 * slots. Poisson arrivals and exponential services, as sharing has them; 1 .. 8 queues, 1 .. 255
 * slots, no most and no reserved. each: [queues], or NULL; all, longest (the mean length of the
 * longest queue): or NULL. Errors: SWQ_EINVAL; SWQ_ELIMIT above 2000 states, up to the names of
 * queues with the same load and service; SWQ_ENOMEM. At most seconds and 32 MB. */
swq_status swq_threshold_chain(swq_context *ctx, const swq_sharing *sharing, double alpha,
                               swq_sharing_flow *each, swq_sharing_flow *all, double *longest);

enum { SWQ_SHARED_PORTS = 6 };

/* Slotted time, one memory for the output queues of an n x n switch: probability that `slots` or
 * more packets are left after the departures, the memory being without end and the outputs
 * independent (Hluchyj and Karol, 1988). ports: 2 .. 1024; slots: 1 .. 1000. Errors: SWQ_EINVAL,
 * SWQ_ENOMEM, SWQ_ELIMIT. O(slots^2 log ports). */
swq_status swq_shared_output_tail(swq_context *ctx, int ports, double load, int slots,
                                  double *tail);

/* The same with that many slots, exactly: the fraction of packets lost, and the mean number left
 * after the departures. Packets come before others leave; those for which there is no room, any of
 * them, are lost. ports: 2 .. SWQ_SHARED_PORTS; slots: 1 .. 255. Errors: SWQ_EINVAL; SWQ_ELIMIT
 * above 2000 states up to the outputs' names (4 ports: 32 slots); SWQ_ENOMEM. */
swq_status swq_shared_output_chain(swq_context *ctx, int ports, double load, int slots,
                                   double *loss, double *mean);

/* Slots for regional explicit congestion notification in a switch with queues at inputs and outputs
 * (*both), and with queues at inputs alone: `aside` set-aside queues a port, stopped at xoff
 * packets, and congestion noticed at `detection`. Mora, Garcia, Flich and Duato, RECN-IQ, 2.1. */
void swq_recn_slots(double ports, double aside, double detection, double xoff, double *both,
                    double *input);

/* A link whose sender has credits for the buffer behind it: packets of one length, in bytes, with
 * memory in blocks of as many; times in cycles, a byte a cycle; a rest after each packet. */
typedef struct swq_credit_loop {
    double length, block, hop_delay, link_rest;
    double credit_delay; /* from a block's being free until its credit is back */
} swq_credit_loop;

/* Bytes per cycle with a buffer of `blocks` blocks, if packets go on at once and blocks are freed
 * as they are sent: a buffer's packets in a round trip, or what the link carries; 0 if not even a
 * packet fits. Exact. */
double swq_credit_throughput(const swq_credit_loop *loop, double blocks);

/* The least blocks with which that is all that the link carries. */
double swq_credit_blocks(const swq_credit_loop *loop);

/* ---- tori and meshes (models/formulas/grids.c, latency.c, dally.c) ---- */

enum { SWQ_GRID_DIMS = 15 };

typedef struct swq_grid {
    bool torus;                /* else a mesh */
    bool one_way;              /* torus: links in the positive direction only */
    bool self;                 /* a node sends to itself as to any other */
    int dims;                  /* 1 .. SWQ_GRID_DIMS */
    int extent[SWQ_GRID_DIMS]; /* nodes in each dimension, >= 2 */
} swq_grid;

typedef struct swq_grid_figures {
    double nodes, diameter;
    double mean_hops;           /* links between nodes that a packet takes */
    double hops[SWQ_GRID_DIMS]; /* ... in each dimension */
    /* of the links of a dimension, for one packet per cycle and node: mean, and the busiest */
    double mean_load[SWQ_GRID_DIMS], most_load[SWQ_GRID_DIMS];
    double load;       /* of the busiest of all */
    double throughput; /* packets per cycle and node, at most */
} swq_grid_figures;

/* Uniform traffic along shortest ways, dimension by dimension; exactly halfway round a torus half
 * of the packets go either way. Errors: SWQ_EINVAL. Dally and Towles (2004). */
swq_status swq_grid_solve(swq_context *ctx, const swq_grid *grid, swq_grid_figures *figures);

/* Cycles until the last byte of a packet alone in the network has arrived: it passes `switches`
 * switches, each of which sends it on hop_delay cycles after it began to arrive, or (stored) after
 * all of it has arrived. bandwidth: bytes per cycle. */
double swq_alone(double switches, double hop_delay, double length, double bandwidth, bool stored);

/* Mean latency in a torus, in cycles: uniform traffic of packets of one length that take `hops`
 * hops of one cycle each, over all `dims` dimensions together, with links of that utilisation.
 * INFINITY from utilisation 1 on. Agarwal (1991). */
double swq_agarwal(int dims, double hops, double utilisation, double length);

typedef struct swq_dally {
    double latency;     /* cycles from the first link until the last bit is there */
    double alone;       /* the same with no other message in the network */
    double wait;        /* cycles blocked on the way */
    double source_wait; /* cycles at the sender, before */
    double saturation;  /* bits per cycle and node, from which on latencies are INFINITY */
    double capacity;    /* bits per cycle and node that keep all links busy */
    double utilisation; /* of the links between nodes */
    double hops, width; /* links taken, with those that take none; bits per cycle of a link */
} swq_dally;

/* Worms in a torus of `extent` nodes in each of `dims` dimensions, links one way, uniform traffic
 * of load bits per cycle and node in messages of length bits. width: of a link, 0 for extent / 2,
 * which gives all tori of as many nodes the same bisection. Nothing is checked: extent >= 2; dims,
 * length > 0. O(dims^2). After Dally (1990); see the file. */
void swq_dally_solve(int extent, int dims, double load, double length, double width,
                     swq_dally *dally);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
