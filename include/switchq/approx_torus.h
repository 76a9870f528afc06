/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an approximation of an asynchronous point-to-point network says (method grid-waits: tori,
 * meshes and hypercubes): mean latency up to the knee, answered in a moment by
 * swq_approx_run_async. docs/approximation.md derives it and shows how far off it is.
 */
#ifndef SWITCHQ_APPROX_TORUS_H
#define SWITCHQ_APPROX_TORUS_H

#include "switchq/async.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Waits are of a packet that is of that kind, per switch: from when its header can take part in
 * arbitrations to the begin of its transmission. */
typedef struct swq_approx_torus_result {
    const char *method;
    double nodes;
    double load;        /* bytes that a sender that never waits sends per cycle */
    double throughput;  /* bytes per cycle and node: load, or the knee if that is less */
    double latency;     /* mean cycles, as swq_async_run has them; INFINITY from the knee on, and
                           at load 0 that of a packet alone */
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

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
