/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions that the chains of all families share.
 */
#ifndef SWQ_APPROX_LINK_H
#define SWQ_APPROX_LINK_H

#include <stddef.h>

/* P(k of n | each with probability p). */
double link_binomial(int n, int k, double p);

/* Scale the sum to one: mixing leaves a small error, which steps would preserve. */
void link_normalise(double *p, size_t n);

#endif
