/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An approximation of asynchronous tori, meshes and hypercubes: mean latency up to the knee,
 * answered in a moment. docs/approximation.md derives it and shows how far off it is.
 */
#ifndef SWITCHQ_APPROX_TORUS_H
#define SWITCHQ_APPROX_TORUS_H

#include "switchq/async.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Asynchronous point-to-point networks (switchq/async.h) under uniform traffic. Waits are of a
 * packet that is of that kind, per switch: from when its header can take part in arbitrations to
 * the begin of its transmission. */
typedef struct swq_approx_torus_result {
    double nodes;
    double load;        /* bytes that a sender that never waits sends per cycle */
    double throughput;  /* bytes per cycle and node: load, or the knee if that is less */
    double latency;     /* mean cycles, as swq_async_run has them; INFINITY from the knee on */
    double alone;       /* the latency of a packet alone in the network: exact */
    double hops;        /* links between nodes that a packet takes, mean: exact */
    double utilisation; /* of the busiest link, of the throughput: the time that it is taken, rest
                           after packets included: exact */
    double source_wait; /* cycles, at its sender; 0 for hold */
    double injection_wait, continuing_wait, turning_wait, ejection_wait; /* NAN: nobody does that */
    double knee;  /* load from which on the model has no answer: buffers in front fill */
    double valid; /* load up to which latencies were within 5% of simulated ones; NAN: not
                     looked at (an arbiter other than rotating), or no such load (senders with one
                     constant interval, which stay in step) */
    double cpu_seconds;
} swq_approx_torus_result;

/* Approximate the mean latency up to the knee. One group of all nodes, every type of message
 * uniform, any lengths. Loads of links and the latency of a packet alone are exact. Source:
 * Kruskal, Snir and Weiss (1988) for the outputs; docs/approximation.md derives the rest and shows
 * errors. Errors: those of swq_async_check; SWQ_EINVAL for what the model is not for: chained
 * switches, multistage networks, traces, several or silent groups, other traffic, intervals from
 * the start, open senders whose intervals are not geometric; SWQ_ELIMIT for meshes with nodes in
 * more than 2^20 different places, or geometric lengths of a mean beyond 2^16; SWQ_ENOMEM,
 * SWQ_ECANCELLED. Cost: milliseconds for tori and hypercubes of any size, less than a second for a
 * 64 x 64 mesh. */
swq_status swq_approx_torus(swq_context *ctx, const swq_async *network,
                            swq_approx_torus_result *result);

#ifdef __cplusplus
}
#endif
#endif
