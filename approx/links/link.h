/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the chains of all families share.
 * Room: approx.
 */
#ifndef SWQ_APPROX_LINK_H
#define SWQ_APPROX_LINK_H

#include <stddef.h>

/* P(k of n | each with probability p). */
double link_binomial(int n, int k, double p);

/* Make the sum one: mixing leaves it a little off, and a step would pass that on for ever. */
void link_normalise(double *p, size_t n);

#endif
