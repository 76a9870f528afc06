/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All flow controls on all congestion benchmarks at equal memory, one number each.
 * Room: validate. Includes sim.
 */
#ifndef SWQ_VALIDATE_FIGURES_CONTEST_TABLE_H
#define SWQ_VALIDATE_FIGURES_CONTEST_TABLE_H

#include "validate/figures/contest.h"

enum { SCORE_BENCHMARKS = 5, SCORE_MOST = 40 };

/* The benchmarks but the uniform one, I to V. */
extern const char *const contest_benchmarks[SCORE_BENCHMARKS];

typedef struct contest_score {
    const contestant *row;
    swq_estimate uniform;                /* throughput of the network, benchmark VI at full load */
    swq_estimate loss[SCORE_BENCHMARKS]; /* 1 - throughput of the innocent over that; NAN: no run */
    swq_estimate hot[SCORE_BENCHMARKS];  /* use of the hot link; NAN: none that stays */
    bool best_uniform, best[SCORE_BENCHMARKS]; /* of those of as many bytes, by more than the
                                                  intervals */
    swq_stop stopped[SCORE_BENCHMARKS + 1];    /* why a run ended; the last one's is uniform */
} contest_score;

typedef struct contest_scores {
    contest_score score[SCORE_MOST]; /* by bytes, fewer first */
    int scores;
    int runs;
    double cpu_seconds;
} contest_scores;

/* Run everything at full load, `threads` at a time. options: of each run. Errors: SWQ_ECANCELLED;
 * those of swq_async_points. Cost: about 190 runs. */
swq_status contest_scores_run(swq_context *ctx, const swq_sim_options *options, int threads,
                              contest_scores *scores);

/* Mark the winners: whose interval lies below all others' of as many bytes (uniform: above). */
void contest_scores_judge(contest_scores *scores);

/* Throughput of all groups but G_NUT, per node. */
swq_estimate contest_innocent(const swq_benchmark_groups *groups, const contest_cell *cell);

#endif
