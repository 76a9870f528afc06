/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks that compare chains, formulas and approximations, and simulation with one another and with
 * published values, each by a rule that is stated before it is run.
 *
 * Checks come in families. A family is a question ("does the simulator agree with the chain?"), and
 * each of its checks is one case (a buffer, an arbiter, a load). Checks are known before they are
 * run, so that a list costs nothing, and a run of some of them says what was left out.
 */
#ifndef SWITCHQ_VALIDATE_H
#define SWITCHQ_VALIDATE_H

#include "switchq/context.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* What a check requires (weakest claims last). */
typedef enum swq_level {
    SWQ_LEVEL_EXACT,     /* the same number from two exact ways, to rounding or a proven bound */
    SWQ_LEVEL_STAT,      /* a measurement agrees with an exact value, by its p-value */
    SWQ_LEVEL_TABLE,     /* an exact value agrees with the published one in all published digits */
    SWQ_LEVEL_SIM_TABLE, /* a simulated value agrees with the published one, within the stated
                            tolerance */
    SWQ_LEVEL_APPROX,    /* the error of an approximation is no larger than stated */
    SWQ_LEVEL_ORDER, /* one value is larger than another, as claimed, by more than the intervals */
    SWQ_LEVEL_SKIP   /* cannot or need not be checked: the reason is stated */
} swq_level;
enum { SWQ_LEVELS = SWQ_LEVEL_SKIP + 1 };

/* "EXACT", "STAT", "TABLE", "SIM-TABLE", "APPROX", "ORDER", "SKIP". */
const char *swq_level_text(swq_level level);

typedef enum swq_outcome {
    SWQ_OUTCOME_NOT_RUN, /* interrupted, or not requested */
    SWQ_OUTCOME_PASS,
    SWQ_OUTCOME_KNOWN, /* fails, but is on the list of known disagreements, with the cause as far as
                          it is known; does not fail the run */
    SWQ_OUTCOME_SKIPPED,
    SWQ_OUTCOME_FAIL
} swq_outcome;
enum { SWQ_OUTCOMES = SWQ_OUTCOME_FAIL + 1 };

/* "not run", "pass", "known", "skipped", "fail". */
const char *swq_outcome_text(swq_outcome outcome);

/* How many cases are checked, and how long each may take. */
typedef enum swq_effort { SWQ_EFFORT_QUICK, SWQ_EFFORT_FULL } swq_effort;

/* One check, before it is run. */
typedef struct swq_check {
    char name[160];  /* "FAMILY/what=..,what=..", which --only patterns match */
    char claim[200]; /* in words: "chain and simulator lose the same of 2x2 damq-4 at load 0.9" */
    swq_level level;
    double weight; /* expected CPU seconds; the heaviest checks are begun first */
} swq_check;

enum { SWQ_FINDING_RULES = 8 };

/* The result of a check. Left and right are the values of the two sides, in the same unit. */
typedef struct swq_finding {
    swq_outcome outcome;
    double left, right;
    double off;     /* their distance, in the unit of the criterion */
    double allowed; /* the largest distance that passes */
    double p; /* SWQ_LEVEL_STAT: two-sided p-value. The run judges it once all are known: PASS if it
                 is large enough, else FAIL, or KNOWN if the check had set that; an `allowed` of NAN
                 becomes the normal score of p_least. NAN: judged by the check itself */
    char text[300]; /* further information: a reason, a cause; or "" */
    /* conditions that must hold, or else the check fails, if its family's criterion does not
     * contain them; ended by NULL, and not owned */
    const char *rule[SWQ_FINDING_RULES];
    double seconds; /* CPU; set by the run */
} swq_finding;

/* A question and its cases. */
typedef struct swq_family {
    const char *name;      /* "chain-simulator" */
    const char *title;     /* "Chain against simulator, one switch" */
    const char *legs;      /* "exact chain; synchronous simulator" */
    const char *criterion; /* the rule, in words */
    /* Number of the family's cases at this effort. */
    int (*count)(swq_effort effort);
    /* Describe case k, 0 .. count(effort) - 1. */
    void (*describe)(swq_effort effort, int k, swq_check *check);
    /* The number of cases that come from one computation, which are consecutive: always `parts`,
     * or, if that is 0, together(effort, k) where k is the first of them. 0 and NULL: each case has
     * a computation of its own. */
    int parts;
    int (*together)(swq_effort effort, int k);
    /* Run case k and all other cases of the same computation, on any thread, with that thread's
     * context. finding: one for each of these cases, initially PASS, with all numbers NAN and the
     * text
     * "". A status other than SWQ_OK means that the cases could not be run, which is a failure with
     * the context's message. The results must depend on nothing but the arguments: seeds are
     * derived from `seed` and k, so that a repeated run has the same results. */
    swq_status (*run)(swq_context *ctx, swq_effort effort, int k, uint64_t seed,
                      swq_finding *finding);
} swq_family;

/* All families, ended by NULL. */
extern const swq_family *const swq_families[];

typedef struct swq_validate_options {
    swq_effort effort;
    const char *only; /* a shell pattern that must match some part of a name; NULL: all */
    uint64_t seed;
    int threads;
} swq_validate_options;

/* Quick, all, seed 1, 1 thread. */
swq_validate_options swq_validate_defaults(void);

typedef struct swq_validation {
    int checks; /* checks that match `only` */
    swq_check *check;
    const swq_family **family; /* [checks] */
    int *number;               /* [checks] number of the check in its family */
    swq_finding *finding;      /* [checks] */
    int count[SWQ_LEVELS][SWQ_OUTCOMES];
    int unmatched;  /* checks of this effort that `only` left out */
    int elsewhere;  /* checks that match, but belong only to the other effort */
    int judged;     /* STAT checks whose p-values were judged together */
    double p_least; /* a STAT check fails if its p-value is at most p_least, which is chosen by
                       Holm's method so that a run in which everything is right fails with a
                       probability of at most swq_validate_alpha */
    bool passed;    /* nothing failed, and something was run */
} swq_validation;

/* The probability that a run fails although everything is right. */
extern const double swq_validate_alpha;

/* List what would be run: only names, levels and claims. Errors: SWQ_EINVAL if nothing matches
 * `only`. */
swq_status swq_validate_plan(swq_context *ctx, const swq_validate_options *options,
                             swq_validation *validation);

/* Run the checks that swq_validate_plan lists. Checks of printed numbers, and those whose networks
 * are said in options, need a context with figures (swq_figures_from); in others they fail.
 * Progress is reported in units of weight. If the context is cancelled, the result is
 * SWQ_ECANCELLED, and the finished checks are still filled in and counted. */
swq_status swq_validate_run(swq_context *ctx, const swq_validate_options *options,
                            swq_validation *validation);

void swq_validation_clear(swq_context *ctx, swq_validation *validation);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
