/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors of the method `links` in simulated networks: errors.csv as a C array, made by errors.awk.
 * scripts/measure-approximation.py measures it anew.
 */
#ifndef SWQ_APPROX_LINKS_ERRORS_H
#define SWQ_APPROX_LINKS_ERRORS_H

#include <stdbool.h>

/* A network, and errors in percent of simulated values, least to most; NAN: none was measured.
 * Blocking: throughput at full load, and latency at 40 and 80% of the approximated saturation.
 * Discarding: throughput, latency, and discards of 1e-3 and more, at loads 0.5, 0.75 and 1. */
typedef struct links_errors {
    const char *buffer;
    int ports, stages, slots; /* slots of an input port */
    bool discard;
    double throughput[2], latency[2], discards[2];
    double half_width; /* half-width of the widest interval of the simulated throughputs and
                          latencies, in percent */
} links_errors;

extern const links_errors links_measured[];
extern const int links_measured_count;

#endif
