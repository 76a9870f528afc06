/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Proven bounds on the solutions of y = e + y Q and x = b + Q x, relative even where the numbers
 * are tiny.
 *
 * The classical enclosure says that for any vector h the smallest and the largest entry of c + P h
 * - h enclose the mean g of the reward c. Evaluated directly, this gives g only to about 1e-16
 * absolutely, since h is of order one. With v the reward and t the number of cycles until the next
 * visit to the root, h = v - g t makes all its entries g; we therefore bound v and t separately,
 * both of which are sums of positive terms, and enclose g = v_root / t_root.
 *
 * Let x be any positive vector and eps the largest |b + Q x - x| / x. Then the exact solution X
 * obeys |X - x| <= eps (I - Q)^{-1} x. A companion w, about (I - Q)^{-1} x, turns this into
 * numbers: if w - Q w >= sigma x, then (I - Q)^{-1} x <= w / sigma, as (I - Q)^{-1} is
 * non-negative. Rounding of the evaluation and errors of the coefficients widen eps and shrink
 * sigma. How x and w were obtained does not matter.
 */
#ifndef SWQ_SOLVERS_ENCLOSURE_H
#define SWQ_SOLVERS_ENCLOSURE_H

#include <stdbool.h>
#include <stdint.h>

/* A bound on the relative error of entry `at` of x, or the largest over all entries if at < 0;
 * INFINITY if nothing can be proven. zero[i] says that entry i of the solution is known to be
 * exactly zero, and not because of underflow (NULL: no entry is). n entries each: x, b + Q x as
 * computed, the companion w, Q w as computed. `gamma` bounds the relative error of the two computed
 * vectors against the exact coefficients. */
double swq_enclosure_relative(int64_t n, const bool *zero, const double *x, const double *image,
                              const double *w, const double *w_image, double gamma, int64_t at);

/* The factor from a relative residual to an error: if |b + x Q - x| <= eps x, the relative error of
 * every entry of x is at most eps times this factor. n entries each: x, the companion w, w Q.
 * `gamma` bounds the relative error of w_image. INFINITY if nothing can be proven. */
double swq_enclosure_companion(int64_t n, const double *x, const double *w,
                               const long double *w_image, double gamma);

#endif
