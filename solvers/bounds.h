/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arithmetic of relative errors and of intervals of numbers that are not negative, for short chains
 * of operations: results are widened by more than their own roundings.
 */
#ifndef SWQ_SOLVERS_BOUNDS_H
#define SWQ_SOLVERS_BOUNDS_H

#include "switchq/solver.h"

#include <math.h>

/* The relative error of one rounding of a long double, which on some machines is no longer than
 * a double. */
#define BOUND_LONG_ROUNDING (LDBL_EPSILON / 2)

#include <float.h>

/* Of a product whose factors are off by a and b: (1 + a)(1 + b) - 1. */
static inline double bound_chain(double a, double b)
{
    return (a + b + a * b) * 1.000001;
}

/* Of a quotient whose numerator and denominator are each off by a: (1 + a) / (1 - a) - 1. */
static inline double bound_ratio(double a)
{
    return a < 0.5 ? 2 * a / (1 - a) * 1.000001 : INFINITY;
}

/* The interval around a value that is off by the relative error; the lower end is that of a
 * denominator 1 + error, which is above 1 - error. `most`: what the exact value cannot exceed. */
static inline swq_mean bound_around(double value, double error, double most)
{
    const swq_mean mean = {value, value * (1 - error), value * (1 + error) * (1 + 1e-15)};

    return (swq_mean){fmin(value, most), fmax(0, mean.lower * (1 - 1e-15)), fmin(mean.upper, most)};
}

/* a * b, a / b and a + b. */
static inline swq_mean bound_multiply(const swq_mean *a, const swq_mean *b)
{
    return (swq_mean){a->value * b->value, a->lower * b->lower * (1 - 1e-15),
                      a->upper * b->upper * (1 + 1e-15)};
}

static inline swq_mean bound_divide(const swq_mean *a, const swq_mean *b)
{
    return (swq_mean){a->value / b->value, a->lower / b->upper * (1 - 1e-15),
                      b->lower > 0 ? a->upper / b->lower * (1 + 1e-15) : INFINITY};
}

static inline swq_mean bound_add(const swq_mean *a, const swq_mean *b)
{
    return (swq_mean){a->value + b->value, (a->lower + b->lower) * (1 - 1e-15),
                      (a->upper + b->upper) * (1 + 1e-15)};
}

#endif
