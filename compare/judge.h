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

enum { SWQ_CONTESTANTS = 40, SWQ_SCENARIOS = 40, SWQ_CONTEST_REPEATS = 1000 };

/* One contestant in one scenario. */
typedef struct swq_compared {
    bool there;           /* else all its replications are missing or some are */
    double mean, half;    /* by itself, with its interval at the confidence asked for */
    double behind;        /* mean difference to the scenario's best; 0 for that; > 0 is worse */
    double behind_half;   /* half-width of that difference in pairs */
    double unpaired_half; /* the same as if seeds had nothing in common */
    int rank;             /* 1 + how many are better by more than chance */
    bool wins;            /* better than all others by more than chance */
} swq_compared;

typedef struct swq_comparison {
    int scenarios, contestants, repeats;
    const double *value; /* [scenarios][contestants][repeats]; NAN: missing */
    bool more_is_better;
    double confidence; /* of intervals; 1 - confidence is the chance that any mark is wrong */

    swq_compared *standing;          /* [scenarios][contestants], to be filled */
    int best[SWQ_SCENARIOS];         /* by its mean; -1: nobody is there */
    int winner[SWQ_SCENARIOS];       /* -1: none */
    double ratio[SWQ_SCENARIOS];     /* unpaired interval over paired, median of pairs; NAN: none */
    double precision[SWQ_SCENARIOS]; /* widest paired half-width, over the best's mean */
    int pairs;                       /* that were judged together */
    double limit;                    /* p-values at or below it are more than chance */
    double gain[SWQ_CONTESTANTS];    /* geometric mean over scenarios of how much better than the
                                        first contestant (1: as good); NAN where either is missing
                                        somewhere, or is 0 */
} swq_comparison;

/* Fill in all that is behind `confidence`. Pairs of contestants in one scenario are judged by
 * Student's t of their differences, all of all scenarios together by Holm's method, so that it does
 * not matter that the best is found from the same numbers. Needs at least two repeats. Errors:
 * SWQ_ENOMEM. O(scenarios contestants^2 repeats). */
swq_status swq_contest_judge(swq_context *ctx, swq_comparison *contest);

#endif
