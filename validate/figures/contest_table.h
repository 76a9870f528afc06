/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All flow controls on all congestion benchmarks at equal memory, one number each: the runs are
 * papers/frazier1995/table-benchmarks.yaml.
 */
#ifndef SWQ_VALIDATE_FIGURES_CONTEST_TABLE_H
#define SWQ_VALIDATE_FIGURES_CONTEST_TABLE_H

#include "validate/figures/grid.h"

/* Benchmarks I to V; the table's first column is the uniform one, VI. */
enum { SCORE_BENCHMARKS = 5, SCORE_MOST = 40 };

typedef struct contest_score {
    const char *name;
    int bytes;            /* of an input port */
    swq_estimate uniform; /* throughput of the network in benchmark VI at full load */
    /* 1 - the innocent throughput divided by that; NAN: no run */
    swq_estimate loss[SCORE_BENCHMARKS];
    /* utilization of the hot link; NAN: it does not stay in one place */
    swq_estimate hot[SCORE_BENCHMARKS];
    bool best_uniform, best[SCORE_BENCHMARKS]; /* best among the contestants with as many bytes, by
                                                  more than the intervals */
} contest_score;

typedef struct contest_scores {
    figure_grid grid;                /* a line for each score */
    contest_score score[SCORE_MOST]; /* by bytes, ascending */
    int scores;
} contest_scores;

/* Runs all contestants at full load. Free with figure_grid_clear(ctx, &scores->grid), also after an
 * error. Errors: those of figure_grid_run. Cost: about 210 runs. */
swq_status contest_scores_run(swq_context *ctx, const swq_figure_options *options,
                              contest_scores *scores);

/* Marks the winners, whose interval is below all others' with as many bytes (uniform: above). */
void contest_scores_judge(contest_scores *scores);

/* Throughput of all groups except G_NUT, per node. throughput: [groups]. */
swq_estimate contest_innocent(const swq_benchmark_groups *groups, const swq_estimate *throughput);

#endif
