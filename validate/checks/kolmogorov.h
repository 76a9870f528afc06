/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The test of Kolmogorov and Smirnov against the standard normal distribution.
 */
#ifndef SWQ_VALIDATE_CHECKS_KOLMOGOROV_H
#define SWQ_VALIDATE_CHECKS_KOLMOGOROV_H

#include <stddef.h>

/* The largest distance between the distribution of the values and the standard normal one. Sorts
 * the values. */
double swq_kolmogorov_distance(double *value, size_t count);

/* The probability of such a distance or a larger one, by the limit with Stephens's correction:
 * accurate to a few thousandths from 8 values on, and better in the tail. Source: M. Stephens, J.
 * R. Statist. Soc. B 32, 1970. */
double swq_kolmogorov_p(double distance, size_t count);

#endif
