/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Exact answers for whole small networks: the spec of the synchronous simulator in, its long-run
 * figures out.
 *
 * The states of the chain have all buffers of the network, and its transitions follow the rules of
 * the synchronous engine, with every random choice enumerated. docs/networks.md says what is left
 * out of the states, and why that does not change the answers.
 */
#ifndef SWITCHQ_NETCHAIN_H
#define SWITCHQ_NETCHAIN_H

#include "switchq/exact.h"
#include "switchq/rational.h"
#include "switchq/sim.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum { SWQ_NETCHAIN_NODES = 64 /* larger networks are refused at once */ };

/* Can there be a chain of this network? Accepted are any topology, any buffer and arbiter that have
 * chains, sources that hold a packet, loads by node, uniform traffic and hot spots. Errors: as
 * swq_network_check, and SWQ_EINVAL naming what is not accepted: other architectures, bursts, open
 * sources, traces, resending, stale counts, high priority, other patterns, and arbiters and pool
 * rules that depend on ages. */
swq_status swq_netchain_check(swq_context *ctx, const swq_network *network);

/* The size of a chain, counted without generating it. */
typedef struct swq_netchain_size {
    int switches; /* in the chain */
    bool cone; /* the chain has one switch of the last stage and all switches that lead to it (flow
                  discard) */
    double unreduced; /* number of possible contents of the buffers of the whole network */
    double states;    /* estimated number of states after reduction */
    double symmetry;  /* renamings of the nodes by which it is reduced */
    double bytes;     /* estimated memory for generating and solving it */
} swq_netchain_size;

/* Count without generating. Errors: as swq_netchain_check; SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_netchain_foresee(swq_context *ctx, const swq_network *network, bool reduce,
                                swq_netchain_size *size);

/* Figures of one stage, as in swq_stage_result. */
typedef struct swq_netchain_stage {
    double packets;   /* per switch, after transmission */
    double sent;      /* packets per output and cycle */
    double blocked;   /* fraction of the cycles in which a buffer (a pool's queue) that held packets
                         could send none */
    double discarded; /* fraction of the packets that arrived at the stage */
} swq_netchain_stage;

typedef struct swq_netchain_answers {
    uint32_t nodes;
    int stages;
    swq_mean discard;    /* probability that a created packet is lost; zero for block */
    swq_mean throughput; /* packets delivered per cycle and node */
    swq_mean saturation; /* block: throughput if every source with a load always has a packet; value
                            NAN for discard, or if that chain is reducible */
    double refusal; /* probability that an offer is refused by the first stage, for both flows */
    double mean_packets; /* in all buffers, after transmission */
    double mean_delay; /* cycles from reception to departure: 1 + mean_packets / accepted per cycle.
                          A lost packet counts until it is lost. NAN: nothing is accepted */
    double mean_held;  /* block: packets held by all sources, after transmission */
    double
        mean_source_wait; /* block: cycles from creation to reception; NAN: nothing is accepted */
    swq_netchain_stage stage[SWQ_MAX_STAGES];
    double relative_error; /* proven relative error of every figure above that has no bounds of its
                              own; may be INFINITY */
    /* the chain, and how it was solved: as in swq_answers */
    swq_netchain_size foreseen;
    int64_t states, transient, period, transitions, entries, intermediates;
    int factors;
    const swq_solver *solver;
    const char *why;
    int64_t iterations;
    double residual, seconds;
    bool converged;
} swq_netchain_answers;

/* Generate the chain of a network, solve it and compute all answers. The options `variance` and
 * `slope` are ignored. With `reduce`, states that differ only by a renaming of nodes are merged,
 * and a discarding network whose nodes are all alike is reduced to one switch of the last stage and
 * what leads to it; both are exact. Errors: as swq_netchain_check; SWQ_ELIMIT if the foreseen size
 * exceeds the memory limit, naming it; those of swq_solve_product; SWQ_ECONVERGE comes with
 * answers. Cost: a microsecond or two for each entry of the factors, times the logarithm of the
 * symmetry; twice that for block. */
swq_status swq_netchain_solve(swq_context *ctx, const swq_network *network,
                              const swq_exact_options *options, swq_netchain_answers *answers);

/* The figures of swq_netchain_answers as fractions. Undefined figures have NULL texts. */
typedef struct swq_netchain_fractions {
    swq_fraction load, discard, throughput, saturation, refusal;
    swq_fraction mean_packets, mean_delay, mean_held, mean_source_wait;
    swq_fraction packets[SWQ_MAX_STAGES]; /* per switch, by stage */
    int stages;
    int64_t states, transient; /* transient: a part of the states */
    int64_t bits;              /* size of the largest integer in the stationary vector */
    double seconds;
} swq_netchain_fractions;

/* Solve the chain of a network in rational numbers; every node has the load written in `load`
 * ("0.9" or "9/10"), and traffic.load is ignored. Only uniform traffic without hot spots. Errors:
 * as swq_netchain_check; SWQ_EINVAL for a text that is not a number from 0 to 1, for loads by node
 * and for hot spots; SWQ_ELIMIT beyond SWQ_RATIONAL_STATES states; SWQ_EREDUCIBLE; those of
 * swq_rational_solve. The caller clears *answers. */
swq_status swq_netchain_rational(swq_context *ctx, const swq_network *network, const char *load,
                                 bool reduce, swq_netchain_fractions *answers);
void swq_netchain_fractions_clear(swq_context *ctx, swq_netchain_fractions *answers);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
