/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small least-squares problems, solved by their normal equations, as in the mixing of iterates.
 */
#ifndef SWQ_BASE_NORMAL_EQUATIONS_H
#define SWQ_BASE_NORMAL_EQUATIONS_H

#include <stdbool.h>
#include <stddef.h>

enum { SWQ_NORMAL_MOST = 16 };

/* The x for which sum_b x_b column_b is nearest to a vector. gram: products of the n <=
 * SWQ_NORMAL_MOST columns, rows `stride` apart, of which the lower triangle is read; right: their
 * products with the vector. Columns are scaled to unit length, and linearly dependent ones share
 * their weight. False, with x undefined: a column is zero or not finite, or the system cannot be
 * solved. */
bool swq_normal_equations(size_t n, const double *gram, size_t stride, const double *right,
                          double *x);

#endif
