/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Holding simulated means against exact values: scores that are standard normal if the simulator
 * is right and its intervals are, and tests of many of them together.
 */
#ifndef SWQ_TESTS_SIM_SAMPLES_H
#define SWQ_TESTS_SIM_SAMPLES_H

#include "tests/support/support.h"

enum { SCORES_MOST = 4096 };

/* Scores of one quantity in independent simulations. */
typedef struct scores {
    const char *quantity;
    size_t count;
    double score[SCORES_MOST];
} scores;

/* The normal score of an estimate: (mean - exact) over its standard error, Student's t with
 * batches - 1 degrees of freedom turned into a normal deviate. 0 when the estimate does not vary
 * at all and is exact to 1e-9; INFINITY when it does not vary and is not. */
double score_of(const swq_estimate *estimate, double exact, size_t batches, double confidence);

/* Asserts |score| <= 4.5 (a chance of 7e-6) and keeps it; a score of exactly 0 is not kept. */
void scores_add(scores *all, double score, const char *what);

/* Asserts that independent scores are a sample of the standard normal distribution:
 *   the mean within 4 / sqrt(n), a chance of 6e-5;
 *   the mean square between the 1e-5 quantile of chi-square over n and 1.15 times its 1 - 1e-5
 *   quantile, for batches are a little correlated;
 *   Kolmogorov-Smirnov: sqrt(n) D <= 2.47, a chance of 1e-5.
 * At least `least` of them are needed. */
void scores_check(const scores *all, size_t least);

/* One switch as a network of one stage, whose sources hold one packet and have equal loads. */
swq_network network_of(const swq_switch *sw);

/* A network with that many stages of such switches. */
swq_network network_in_stages(swq_context *ctx, const char *topology, int stages,
                              const swq_switch *sw);

/* Runs it, asserting success and the invariants that must hold in every run. */
swq_sim_result simulate(swq_context *ctx, const swq_network *network,
                        const swq_sim_options *options);

/* Options with everything spelled out; one thread. */
swq_sim_options run_of(uint64_t seed, int replications, uint64_t warmup, uint64_t cycles);

#endif
