/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who is better, from replications that share their random numbers: differences in pairs, and which
 * of them are more than chance once they are corrected for their number.
 * Includes base and validate (Holm's method).
 */
#ifndef SWQ_COMPARE_JUDGE_H
#define SWQ_COMPARE_JUDGE_H

#include "switchq/context.h"

#include <stdbool.h>

enum { SWQ_CONTESTANTS = 40, SWQ_SCENARIOS = 400, SWQ_CONTEST_REPEATS = 1000 };

/* Where a contestant's values come from. */
typedef enum swq_known_by {
    SWQ_BY_SIMULATION,   /* replications */
    SWQ_BY_CHAIN,        /* one value with a proven width */
    SWQ_BY_APPROXIMATION /* one value of unknown error: never judged, and it has no rank */
} swq_known_by;

/* The result of a contestant in one scenario. */
typedef struct swq_compared {
    bool there;        /* false: some of its replications, or all, are missing */
    double mean, half; /* of the contestant by itself; the interval has the confidence asked for */
    double behind;     /* mean difference to the scenario's best, from pairs; 0 for the best; > 0 is
                          worse, < 0 better in the replications that both have */
    double behind_half;   /* half-width of that difference in pairs */
    double unpaired_half; /* half-width of that difference if seeds were not shared */
    int rank;             /* 1 + number of significantly better contestants; 0: not judged */
    bool wins;            /* significantly better than all others */
} swq_compared;

typedef struct swq_comparison {
    int scenarios, contestants, repeats;
    const double *value; /* [scenarios][contestants][repeats]; NAN: missing */
    const int *count;    /* [scenarios][contestants]: the number of replications there, two or more;
                            NULL: all. For a pair the replications count that both contestants
                            have */
    const swq_known_by *by; /* [contestants]; NULL: all by simulation. Others have the same value in
                               all replications */
    const double *width;    /* [scenarios][contestants]: a chain's proven half-width; NULL: 0 */
    const bool *more_better; /* [scenarios]; NULL: less is better */
    const bool *no_gain;     /* [scenarios]: it does not count for gains; NULL: all do */
    double confidence; /* of intervals; 1 - confidence is the probability that any mark is wrong */

    swq_compared *standing; /* [scenarios][contestants], to be filled */
    bool *mark; /* [scenarios][contestants][contestants], or NULL: whether the row's contestant is
                   significantly better than the column's */
    int best[SWQ_SCENARIOS];     /* by its mean; -1: no contestant is there */
    int winner[SWQ_SCENARIOS];   /* -1: none */
    double ratio[SWQ_SCENARIOS]; /* unpaired interval relative to the paired one, median over pairs;
                                    NAN: none */
    double precision[SWQ_SCENARIOS]; /* widest paired half-width, relative to the best's mean */
    int pairs;                       /* number of pairs, which are judged together */
    double limit;                    /* p-values at or below it are significant */
} swq_comparison;

/* Fills in everything after `confidence`. Pairs of contestants in a scenario are judged by
 * Student's t of their differences, and all pairs of all scenarios together by Holm's method, so
 * that it does not matter that the best one is found from the same numbers. A chain's value does
 * not depend on seeds; what is closer to it than its proven width is not distinguished from it, and
 * two chains differ if their proven intervals do not meet. Approximations are in no pair.
 * Simulations need at least two repeats. Errors: SWQ_ENOMEM. O(scenarios contestants^2 repeats). */
swq_status swq_contest_judge(swq_context *ctx, swq_comparison *contest);

/* Half-width of a pair's difference in a scenario, at the confidence asked for; NAN if one of the
 * two contestants is missing or an approximation. */
double swq_contest_pair(const swq_comparison *contest, int scenario, int a, int b);

/* How much better a contestant is than `base`, as the geometric mean over the scenarios from, ...,
 * to - 1 that count for gains; 1: as good. `half` receives the half-width of the gain's interval,
 * from the differences of logarithms in replications. NAN if no scenario counts, or if either
 * contestant is missing or 0 in a scenario that counts. */
double swq_contest_gain(const swq_comparison *contest, int contestant, int base, int from, int to,
                        double *half);

/* The first contestant with a value in all of the scenarios from, ..., to - 1; -1: none. */
int swq_contest_base(const swq_comparison *contest, int from, int to);

#endif
