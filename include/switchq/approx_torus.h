/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results of an approximation of an asynchronous point-to-point network (method grid-waits: tori,
 * meshes and hypercubes): mean latency up to the knee, computed quickly by swq_approx_run_async.
 * docs/approximation.md derives it and shows its error.
 */
#ifndef SWITCHQ_APPROX_TORUS_H
#define SWITCHQ_APPROX_TORUS_H

#include "switchq/async.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Waits are those of a packet of the given kind, per switch: from the time when its header can take
 * part in arbitrations to the start of its transmission. */
typedef struct swq_approx_torus_result {
    const char *method;
    double nodes;
    double load;        /* bytes that a sender that never waits sends per cycle */
    double throughput;  /* bytes per cycle and node: the smaller one of load and knee */
    double latency;     /* mean cycles, as swq_async_run has them; INFINITY from the knee on, and
                           at load 0 that of a packet alone */
    double alone;       /* the latency of a packet alone in the network: exact */
    double hops;        /* links between nodes that a packet takes, mean: exact */
    double utilisation; /* of the busiest link, at this throughput: the fraction of time that the
                           link is taken, the rest after each packet included: exact */
    double source_wait; /* cycles, at its sender; 0 for hold */
    double injection_wait, continuing_wait, turning_wait, ejection_wait; /* NAN: no such packets */
    double knee;  /* load from which on the model has no answer: buffers ahead fill */
    double valid; /* load up to which latencies were within 5% of simulated ones; NAN: not
                     measured (an arbiter other than rotating), or no such load (senders with one
                     constant interval, which stay in step) */
    double cpu_seconds;
} swq_approx_torus_result;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
