/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products of random factors for the tests of the solvers, their exact answers in long double from
 * the weights (as in chains.h), and groupings of their nodes, good and bad.
 */
#ifndef SWQ_TESTS_PRODUCTS_H
#define SWQ_TESTS_PRODUCTS_H

#include "tests/solvers/chains.h"

enum { TEST_STATES = 24, TEST_FACTORS = 5 };

typedef struct test_product {
    int64_t size[TEST_FACTORS + 1]; /* nodes of each level; the last level is the first one */
    double *weight[TEST_FACTORS]; /* [size[k] * size[k + 1]]; probabilities once rows are scaled */
    swq_csr factor[TEST_FACTORS];
    swq_product p; /* one rounding per factor */
} test_product;

/* Factors of the given sizes, all weights zero; then probabilities from the weights. */
void test_product_new(int factors, const int64_t *size, test_product *t);
void test_product_finish(test_product *t);
void test_product_free(test_product *t);

/* At most TEST_STATES states, with a random number of factors. With `walk` there is always a walk
 * around the levels; about `extra` more edges per row, weights from 1 to `spread`. */
void test_product_random(gsl_rng *rng, bool walk, double extra, double spread, test_product *t);

/* Properties of the chain, computed from the weights alone. */
typedef struct test_truth {
    /* of the closed classes; the others only if there is one class */
    int64_t n, classes, recurrent, period;
    int64_t state[TEST_STATES]; /* [recurrent] */
    long double dense[TEST_STATES][TEST_STATES];
    long double pi[TEST_STATES];
} test_truth;

void test_product_truth(const test_product *t, test_truth *truth);

/* y = b + y Q for a whole chain, where Q lacks the root's column: elimination without
 * subtraction. */
void test_truth_visits(const test_truth *truth, int64_t root, const double *b, long double *y);

/* Groupings in ordinary memory. */
typedef enum { TEST_RANDOM, TEST_SINGLE, TEST_ALL, TEST_GROUPINGS } test_grouping_kind;
swq_grouping test_grouping_new(gsl_rng *rng, const swq_product *p, test_grouping_kind kind,
                               int depth);
void test_grouping_free(swq_grouping *g);

#endif
