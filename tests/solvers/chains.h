/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chains for the tests of the solvers, and their exact answers from a method that shares no code
 * with the library: weights are whole numbers, so the exact chain is known, p is its nearest matrix
 * of doubles (one rounding an entry), and the truth is worked out in long double from the weights.
 */
#ifndef SWQ_TESTS_CHAINS_H
#define SWQ_TESTS_CHAINS_H

#include "tests/support/support.h"

#include <gsl/gsl_rng.h>

typedef struct test_edge {
    int64_t from, to;
    double weight;
} test_edge;

/* A graph of n states; the probability of an edge is its weight divided by the sum of its state's
 * weights. */
typedef struct test_graph {
    int64_t n;
    size_t edges, room;
    test_edge *edge; /* [edges] */
} test_graph;

/* An empty graph; and adds an edge (each edge once, with a positive whole weight). */
test_graph test_graph_new(int64_t n);
void test_graph_add(test_graph *g, int64_t from, int64_t to, double weight);
void test_graph_free(test_graph *g);

/* From a matrix of weights by rows; zeros are no edges. */
test_graph test_graph_dense(int64_t n, const double *weight);

/* States in a row: weight `up` towards the last, `down` towards the first, out of `whole`. */
test_graph test_graph_birth_death(int64_t n, double up, double down, double whole);

/* An irreducible chain: a cycle through all states in random order and about `extra` more edges per
 * state, with weights from 1 to `spread`, log-uniformly. */
test_graph test_graph_random(gsl_rng *rng, int64_t n, double extra, double spread);

/* The transition matrix, in plain malloc'ed memory; free with test_matrix_free. */
swq_csr test_graph_matrix(const test_graph *g);
void test_matrix_free(swq_csr *p);

/* Stationary probabilities, seen from `root`, which must be recurrent: elimination without
 * subtraction in long double, n <= 64. */
void test_graph_stationary(const test_graph *g, int64_t root, long double *pi);

/* Solves y = b + y Q (visits) or x = b + Q x, where Q is P without the root's column: elimination
 * with partial pivoting in long double, n <= 64. */
void test_graph_system(const test_graph *g, int64_t root, bool visits, const double *b,
                       long double *x);

/* Period of a strongly connected graph of n <= 64 states by powers of its pattern. */
int64_t test_graph_period(const test_graph *g);

/* Residual of a given vector, as defined in solver.h. */
double test_residual(const swq_csr *p, const double *pi);

/* Solves, and returns the status; *solution must be cleared if it is SWQ_OK or SWQ_ECONVERGE. The
 * row is found by name. */
swq_status test_solve_matrix(swq_context *ctx, const swq_csr *p, const char *solver,
                             const double *const *reward, int rewards, swq_solution *solution);

/* Asserts that what the solution claims as proven is true for the exact answers. */
void assert_claims_hold(const swq_solution *s, const long double *pi, const double *const *reward,
                        int rewards, const char *what);

/* Asserts every entry of pi to a relative tolerance. */
void assert_pi(const swq_solution *s, const long double *pi, double tolerance, const char *what);

/* Does the method promise relative accuracy of every entry? */
bool test_keeps_small_entries(const swq_solver *solver);

#endif
