/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Approximations of whole networks: quick answers for the specs that the simulator takes. The
 * methods are rows of a table: ours, and those of the literature for comparison.
 * docs/approximation.md derives them and shows their errors.
 */
#ifndef SWITCHQ_APPROX_H
#define SWITCHQ_APPROX_H

#include "switchq/approx_torus.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Results of one stage (the first is 1). NAN: the method does not compute the quantity. */
typedef struct swq_approx_stage {
    double occupancy; /* packets per switch, after transmission */
    double sent;      /* packets per output and cycle */
    double blocked;   /* fraction of the cycles in which a buffer (a pool's queue) that held packets
                         could send none */
    double discarded; /* fraction of the packets that arrived at the stage */
} swq_approx_stage;

/* Results of one stage (the first is 1), separate for switches on the tree of the paths to the hot
 * node and off it. */
typedef struct swq_approx_hot_stage {
    double on_tree, off_tree;   /* packets per switch, after transmission; NAN: no such switch */
    double hot_sent, cold_sent; /* packets per cycle over one hot output, and over one other
                                   output of a switch on the tree */
    /* cycles that packets for the hot and for a cold output spend at this stage */
    double hot_delay, cold_delay;
} swq_approx_hot_stage;

typedef struct swq_approx_hot_spot {
    double bound; /* packets per cycle and node that can be sent, if none are lost: Pfister and
                     Norton (1985) */
    double hot_latency, cold_latency; /* cycles, of packets to the hot node and of all others */
    swq_approx_hot_stage stage[SWQ_MAX_STAGES];
} swq_approx_hot_spot;

/* Packets of one class, with the fields of swq_approx_result. */
typedef struct swq_approx_class {
    double throughput, latency, discard_fraction;
} swq_approx_class;

typedef struct swq_approx_result {
    const char *method;
    double nodes; /* may be more than the simulator can hold */
    int stages;
    double load;             /* packets created per cycle and node */
    double throughput;       /* packets delivered per cycle and node */
    double latency;          /* cycles, creation to delivery; at load 0 the limit, a cycle a stage;
                                NAN: nothing is delivered */
    double discard_fraction; /* of the packets offered to the network */
    double source_queue;     /* packets at a source, after the sources' turn */
    double refusal;          /* fraction of the offers that are refused */
    bool saturated; /* sources are held back for more than a fifth of the time, or for longer than
                       they pause between packets */
    swq_approx_stage stage[SWQ_MAX_STAGES];
    swq_approx_hot_spot hot; /* method hot-tree; hot.bound is 0 for others */
    bool classes; /* there are packets of high priority: results by class, normal packets first */
    swq_approx_class by_class[SWQ_CLASSES];
    /* how the fixed point was found */
    int steps;      /* of the iteration; 0: none was needed */
    double change;  /* of the last step */
    bool converged; /* else `change` says how far it was from converging */
    double cpu_seconds;
    size_t bytes; /* most memory held at a time */
} swq_approx_result;

/* A flow control with its credit. */
enum {
    SWQ_TAKES_DISCARD_SAME = 1,
    SWQ_TAKES_DISCARD_NEXT = 2,
    SWQ_TAKES_BLOCK_SAME = 4,
    SWQ_TAKES_BLOCK_NEXT = 8,
    SWQ_TAKES_ANY_FLOW = 15
};

/* Limits of queues (queue_min, queue_max, alpha) beyond those of the presets. */
enum { SWQ_TAKES_LIMITS_AT_INPUTS = 1, SWQ_TAKES_LIMITS_OF_POOLS = 2, SWQ_TAKES_ANY_LIMITS = 3 };

/* What a method takes. Lists of rows end with NULL; a row that is not in a list is not taken. One
 * gate reads this for all methods, so that a row added to a table is refused until a method says
 * that it takes it. */
typedef struct swq_approx_takes {
    const swq_fabric_kind *const *fabrics;
    const swq_buffer_kind *const *buffers; /* NULL: any, by its choices alone */
    const swq_pattern *const *patterns;
    const swq_arbiter *const *arbiters; /* NULL: the arbiter does not matter */
    /* arbiters also taken where an input has no queue to choose (one queue, or a read port for each
     * queue); NULL: none */
    const swq_arbiter *const *at_single_queues;
    int least_hot_spots, most_hot_spots;
    /* of synchronous networks */
    unsigned flows;  /* SWQ_TAKES_DISCARD_SAME | ... */
    unsigned limits; /* SWQ_TAKES_LIMITS_AT_INPUTS | ... */
    swq_needs needs; /* the needs of rules that the method meets */
    bool priorities; /* packets of high priority, with all kinds of support for them */
    int most_ports;  /* of a switch; 0: SWQ_CHAIN_PORTS */
    /* of asynchronous ones */
    const swq_hop_flow *const *hop_flows;
} swq_approx_takes;

/* One row of the table of methods. */
typedef struct swq_approx_method {
    const char *name;
    const char *summary;
    const char *assumptions;
    const char *source; /* citation */
    const char *error;  /* the method's error, and what the method was compared with */
    /* The method's error in this network, or in measured networks around it, as a sentence, which
     * says so if this network is outside the range of the measured networks. Writes into text. If
     * the function is NULL or returns NULL, the error is not known. */
    const char *(*off)(const swq_network *network, char *text, size_t size);
    bool ours;        /* a method of switchq, which may be chosen without being named if it has no
                         objection; all other methods are for comparison, and for packets of high priority
                         if they take such packets */
    int chosen_above; /* if no method is named, it is chosen for switches of more ports alone */
    const swq_approx_takes *takes;
    /* Why the method refuses a spec all rows of which it takes: sizes, or choices that do not go
     * together ("at most 64 slots, not 100"). NULL: the spec is accepted. Writes into text. The
     * function itself may be NULL. */
    const char *(*objection)(const swq_network *network, char *text, size_t size);
    /* CPU seconds that `run` takes in a network without objection; 0: not foreseen. May be NULL. */
    double (*seconds)(const swq_network *network);
    /* A method has `run` for synchronous networks or `run_async` for asynchronous ones. Called for
     * specs without objection, with a result that is zeroed except for load, nodes and stages. */
    swq_status (*run)(swq_context *ctx, const swq_network *network, swq_approx_result *result);
    swq_status (*run_async)(swq_context *ctx, const swq_async *network,
                            swq_approx_torus_result *result);
} swq_approx_method;

/* All methods, ended by NULL, the best first. */
extern const swq_approx_method *const swq_approx_methods[];

/* The row of that name. Errors: SWQ_EINVAL for an unknown name (suggesting the nearest). */
swq_status swq_approx_find(swq_context *ctx, const char *name, const swq_approx_method **method);

/* The error of a method in a network like this one, as a sentence; NULL: not known. Writes into
 * text, for which SWQ_APPROX_OFF bytes are enough. The method must take the spec. */
enum { SWQ_APPROX_OFF = 800 };
const char *swq_approx_off(const swq_approx_method *method, const swq_network *network, char *text,
                           size_t size);

/* Approximate a network by `method`; NULL: by the first of switchq's own methods that has no
 * objection. Errors: SWQ_EINVAL for a bad spec, or a spec that the method does not take;
 * SWQ_ENOMEM, SWQ_ELIMIT, SWQ_ECANCELLED. If the iteration did not converge, the status is
 * SWQ_ECONVERGE, and the result holds the last iterate. */
swq_status swq_approx_run(swq_context *ctx, const swq_network *network,
                          const swq_approx_method *method, swq_approx_result *result);

/* The CPU seconds that swq_approx_run takes for the network: right to a factor of some three at
 * loads of 0.5 to 1, by times and steps that were measured, and less at light loads. *seconds is 0
 * if the time is not foreseen: only method links foresees it, for pools. method: as for
 * swq_approx_run. Errors: those of swq_approx_run before it computes. Cost: none to speak of. */
swq_status swq_approx_foresee(swq_context *ctx, const swq_network *network,
                              const swq_approx_method *method, double *seconds);

/* Losses below this are within the rounding of some methods, and are no target. */
#define SWQ_APPROX_LEAST_TARGET 1e-11

/* A size that meets a target. */
typedef struct swq_approx_size {
    int slots;  /* of each input port */
    int memory; /* of the whole pool, which need not be a multiple of the ports; 0: not
                   known, as it is no pool, or its rule has numbers of its own */
    swq_approx_result result; /* with these slots */
    double loss_before;       /* with the next smaller size; NAN: there is none, or no method takes
                                 it, as its losses are not rare */
} swq_approx_size;

/* The smallest number of slots per input port, up to `most`, with which a network loses no more
 * than the fraction `target` of its packets, by `method` (NULL: by the method that swq_approx_run
 * chooses for each size). Buffers are made by the preset `kind` in place of network->sw.buffer,
 * which supplies the rules and parameters; on success network->sw.buffer is the buffer found. The
 * loss is assumed not to grow with the slots. Errors: SWQ_EINVAL for a target outside
 * SWQ_APPROX_LEAST_TARGET .. 1 or flow block; SWQ_ERANGE if no size up to `most` is large enough,
 * or the loss no longer falls; those of swq_approx_run. Cost: the sizes 1, 2, 4, ... are tried, and
 * then halves of the last interval. */
swq_status swq_approx_slots_for_target(swq_context *ctx, swq_network *network,
                                       const swq_buffer_kind *kind, double target, int most,
                                       const swq_approx_method *method, swq_approx_size *found);

/* The largest load at which a network loses no more than `target`, to a relative 1e-9, at most 1:
 * network->traffic.load on success. The loss is assumed to grow with the load. Errors: as above;
 * SWQ_ERANGE if the target is missed at a load of 1e-6. Cost: some 40 approximations. */
swq_status swq_approx_load_for_target(swq_context *ctx, swq_network *network, double target,
                                      const swq_approx_method *method, swq_approx_result *result);

/* swq_approx_run for an asynchronous network, by a method that has run_async. grid-waits takes one
 * group of all nodes, every type of message uniform, any lengths; loads of links and the latency of
 * a packet alone are exact. Source: Kruskal, Snir and Weiss (1988) for the outputs;
 * docs/approximation.md derives the rest and shows errors. Errors: those of swq_async_check;
 * SWQ_EINVAL for a network that the method does not take: chained switches, other topologies,
 * traces, several groups, other traffic, intervals from the start, open senders whose intervals are
 * not geometric; SWQ_ELIMIT for meshes with nodes in more than 2^20 different places, or geometric
 * lengths of a mean beyond 2^16; SWQ_ENOMEM, SWQ_ECANCELLED. Cost: milliseconds for tori and
 * hypercubes of any size, less than a second for a 64 x 64 mesh. */
swq_status swq_approx_run_async(swq_context *ctx, const swq_async *network,
                                const swq_approx_method *method, swq_approx_torus_result *result);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
