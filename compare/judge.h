/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who is better, from replications that share their random numbers: differences in pairs, and which
 * of them are more than chance once they are corrected for their number.
 * Room: compare. Includes base and validate (Holm's method).
 */
#ifndef SWQ_COMPARE_JUDGE_H
#define SWQ_COMPARE_JUDGE_H

#include "switchq/context.h"

#include <stdbool.h>

enum { SWQ_CONTESTANTS = 40, SWQ_SCENARIOS = 400, SWQ_CONTEST_REPEATS = 1000 };

/* How a contestant's values are known. */
typedef enum swq_known_by {
    SWQ_BY_SIMULATION,   /* replications */
    SWQ_BY_CHAIN,        /* one value within a proven width */
    SWQ_BY_APPROXIMATION /* one value of unknown error: never judged, and it has no rank */
} swq_known_by;

/* One contestant in one scenario. */
typedef struct swq_compared {
    bool there;           /* else all its replications are missing or some are */
    double mean, half;    /* by itself, with its interval at the confidence asked for */
    double behind;        /* mean difference to the scenario's best in pairs; 0 for that; > 0 is
                             worse, < 0 better in the replications that both have */
    double behind_half;   /* half-width of that difference in pairs */
    double unpaired_half; /* the same as if seeds had nothing in common */
    int rank;             /* 1 + how many are better by more than chance; 0: it is not judged */
    bool wins;            /* better than all others by more than chance */
} swq_compared;

typedef struct swq_comparison {
    int scenarios, contestants, repeats;
    const double *value;     /* [scenarios][contestants][repeats]; NAN: missing */
    const int *count;        /* [scenarios][contestants]: so many of these are there, two or more;
                              * NULL: all of all. Of a pair those count that both have */
    const swq_known_by *by;  /* [contestants]; NULL: all by simulation. Others have values that are
                              * all the same */
    const double *width;     /* [scenarios][contestants]: a chain's proven half-width; NULL: 0 */
    const bool *more_better; /* [scenarios]; NULL: less is better */
    const bool *no_gain;     /* [scenarios]: it does not count for gains; NULL: all do */
    double confidence;       /* of intervals; 1 - confidence is the chance that any mark is wrong */

    swq_compared *standing;  /* [scenarios][contestants], to be filled */
    bool *mark;              /* [scenarios][contestants][contestants], or NULL: the row's contestant
                              * is better than the column's by more than chance */
    int best[SWQ_SCENARIOS]; /* by its mean; -1: nobody is there */
    int winner[SWQ_SCENARIOS];       /* -1: none */
    double ratio[SWQ_SCENARIOS];     /* unpaired interval over paired, median of pairs; NAN: none */
    double precision[SWQ_SCENARIOS]; /* widest paired half-width, over the best's mean */
    int pairs;                       /* that were judged together */
    double limit;                    /* p-values at or below it are more than chance */
} swq_comparison;

/* Fill in all that is behind `confidence`. Pairs of contestants in one scenario are judged by
 * Student's t of their differences, all of all scenarios together by Holm's method, so that it does
 * not matter that the best is found from the same numbers. A chain's value is as one that no seed
 * moves, and what is nearer to it than its proven width is not told from it; two chains differ
 * where their widths part. Approximations are in no pair. Needs at least two repeats of
 * simulations. Errors: SWQ_ENOMEM. O(scenarios contestants^2 repeats). */
swq_status swq_contest_judge(swq_context *ctx, swq_comparison *contest);

/* Half-width of a pair's difference in a scenario, at the confidence asked for; NAN where one of
 * them is missing or an approximation. */
double swq_contest_pair(const swq_comparison *contest, int scenario, int a, int b);

/* How much better a contestant is than `base`, as the geometric mean over the scenarios from, ...,
 * to - 1 that count for gains; 1: as good. `half` receives the half-width of its interval, from the
 * differences of logarithms in replications. NAN if no scenario counts, or if either contestant is
 * missing or 0 in one that does. */
double swq_contest_gain(const swq_comparison *contest, int contestant, int base, int from, int to,
                        double *half);

/* The first contestant that is there in all of those scenarios; -1: nobody. */
int swq_contest_base(const swq_comparison *contest, int from, int to);

#endif
