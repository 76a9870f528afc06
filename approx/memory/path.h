/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a memory fills: the most likely course of the arrivals that makes the queues of a switch with
 * unlimited memory hold a given number of packets.
 */
#ifndef SWQ_APPROX_MEMORY_PATH_H
#define SWQ_APPROX_MEMORY_PATH_H

#include "switchq/context.h"

#include <stdbool.h>

typedef struct memory_path {
    double log_probability; /* of holding exactly that many packets after a reception */
    double decay;           /* -d log_probability / d packets, positive */
    double bend;            /* d decay / d packets */
    double busy;            /* mean number of queues that then hold a packet */
    int steps;              /* of Newton's method, all refinements together */
    double change;          /* in its last step */
    bool too_rare;          /* below 1e-60: log_probability is an upper bound */
} memory_path;

/* The packets that are in a switch with unlimited memory after a reception: the mean, exactly.
 * ports: 2 and more; load: 0 < load < 1. O(1). */
double memory_mean(int ports, double load);

/* The path to `packets`, more than memory_mean. Each of `ports` inputs gets a packet with
 * probability load in a cycle, for any of `ports` queues with equal probability; each queue sends
 * one packet a cycle.
 *
 * The number of arrivals in a cycle is binomial, and their outputs are multinomial. Let the
 * arrivals of the queues be independent Poisson numbers of mean r(t) in cycle t: then the
 * coefficient of r(t)^n, times n!, is what n arrivals give, so that the probability is an integral
 * over a circle of r(t) for each cycle, and one more for the number of packets. Its logarithm is
 * convex in log r(t) and in the tilt of the number. The function finds the minimum by Newton's
 * method and takes the integral as Gaussian there (saddle point: Daniels, Annals of Mathematical
 * Statistics 25, 1954); the error falls as 1 / ports. Older cycles are in groups of equal r(t).
 * Cost: 13 cycles x longest queue x arrivals of a cycle for each step; .01 s at load .5, seconds at
 * .95. Errors: SWQ_ENOMEM, SWQ_ECANCELLED, SWQ_ECONVERGE. */
swq_status memory_path_find(swq_context *ctx, int ports, double load, int packets,
                            memory_path *path);

#endif
