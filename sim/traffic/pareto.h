/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pareto's distribution in whole numbers: more than k with the chance (1 + k / s)^-shape, and what
 * would be above SWQ_MAX_MESSAGE is that.
 */
#ifndef SWQ_SIM_TRAFFIC_PARETO_H
#define SWQ_SIM_TRAFFIC_PARETO_H

#include "switchq/async.h"

/* The s that gives the required mean; 0 if the mean is 1. Takes some microseconds. */
double swq_pareto_scale(const swq_spread *s);

/* The mean of ceil(number / m), the packets of a message. */
double swq_pareto_parts(const swq_spread *s, double m);

#endif
