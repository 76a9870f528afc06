/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All flow controls on all congestion benchmarks at equal memory, one number each.
 * Room: validate. Includes sim.
 */
#ifndef SWQ_VALIDATE_FIGURES_CONTEST_TABLE_H
#define SWQ_VALIDATE_FIGURES_CONTEST_TABLE_H

#include "validate/figures/contest.h"

enum { SCORE_BENCHMARKS = 5, SCORE_MOST = 40 };

/* The benchmarks I to V, without the uniform one. */
extern const char *const contest_benchmarks[SCORE_BENCHMARKS];

typedef struct contest_score {
    const contestant *row;
    swq_estimate uniform; /* throughput of the network in benchmark VI at full load */
    /* 1 - the innocent throughput divided by that; NAN: no run */
    swq_estimate loss[SCORE_BENCHMARKS];
    /* utilization of the hot link; NAN: it does not stay in one place */
    swq_estimate hot[SCORE_BENCHMARKS];
    bool best_uniform, best[SCORE_BENCHMARKS]; /* best among the contestants with as many bytes, by
                                                  more than the intervals */
    swq_stop stopped[SCORE_BENCHMARKS + 1];    /* why a run ended; the last is the uniform run */
} contest_score;

typedef struct contest_scores {
    contest_score score[SCORE_MOST]; /* by bytes, ascending */
    int scores;
    int runs;
    double cpu_seconds;
} contest_scores;

/* Runs all contestants at full load, `threads` at a time. options: of each run. Errors:
 * SWQ_ECANCELLED; those of swq_async_points. Cost: about 190 runs. */
swq_status contest_scores_run(swq_context *ctx, const swq_sim_options *options, int threads,
                              contest_scores *scores);

/* Marks the winners, whose interval is below all others' with as many bytes (uniform: above). */
void contest_scores_judge(contest_scores *scores);

/* Throughput of all groups except G_NUT, per node. */
swq_estimate contest_innocent(const swq_benchmark_groups *groups, const contest_cell *cell);

#endif
