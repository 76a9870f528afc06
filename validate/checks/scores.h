/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Normal scores of one simulated switch: how far a measured mean is from the chain's, in units of
 * the standard deviation that the chain says a run of that length has.
 */
#ifndef SWQ_VALIDATE_CHECKS_SCORES_H
#define SWQ_VALIDATE_CHECKS_SCORES_H

#include "switchq/exact.h"
#include "switchq/sim.h"
#include "validate/checks/cases.h"

/* Cycles simulated before measuring. A switch of the size of these checks that begins empty is then
 * practically stationary: the remaining difference is below 1e-6 of a standard deviation, as a test
 * computes from the chains. */
enum { SWQ_SCORE_WARM_UP = 1000 };

/* The quantities that are scored: packets refused in a cycle, and packets in the buffers after the
 * cycle. */
enum { SWQ_SCORE_REFUSALS, SWQ_SCORE_PACKETS, SWQ_SCORES };
extern const char *const swq_score_names[SWQ_SCORES];

/* Means per cycle, and asymptotic variances: the mean over T cycles has a variance of variance /
 * T. */
typedef struct swq_expected {
    double mean[SWQ_SCORES], variance[SWQ_SCORES];
} swq_expected;

/* Solves the chain three times: for the answers, and for two variances. Errors: those of
 * swq_exact_solve. */
swq_status swq_expect(swq_context *ctx, const swq_switch *sw, swq_expected *expected);

/* The scored quantities as a run observed them. */
void swq_observe(const swq_switch *sw, const swq_sim_result *result, double mean[SWQ_SCORES]);

/* The network that consists of this switch. node_load[ports] must live as long. */
swq_status swq_case_network(swq_context *ctx, const swq_case *c, const swq_switch *sw,
                            double *node_load, swq_network *network);

/* Runs `cycles` cycles after the warm-up; returns the observations and their scores. A quantity
 * that never varies has a score of 0, or an infinite score if its value is wrong. */
swq_status swq_score_case(swq_context *ctx, const swq_case *c, uint64_t seed, uint64_t cycles,
                          const swq_switch *sw, const swq_expected *expected,
                          double observed[SWQ_SCORES], double score[SWQ_SCORES]);

/* A seed for case k of a family, different from the seeds of all other cases. */
uint64_t swq_check_seed(uint64_t seed, const char *family, int k);

/* The two-sided p-value of a normal score. */
double swq_two_sided(double score);

/* Simulates a network for `cycles` cycles after SWQ_SCORE_WARM_UP. Errors: those of swq_sim_run;
 * SWQ_ECANCELLED. */
swq_status swq_score_simulate(swq_context *ctx, const swq_network *network, uint64_t cycles,
                              uint64_t seed, swq_sim_result *result);

/* The score of the packets lost in a run, by the chain's mean and variance. */
void swq_score_losses(swq_finding *finding, const swq_expected *expected, uint64_t lost,
                      uint64_t cycles);

#endif
