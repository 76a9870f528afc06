/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks that compare chains, formulas and approximations, and simulation with one another and with
 * published values, each by a rule that is stated before it is run.
 *
 * Checks come in families, one a question ("does the simulator meet the chain?"), each check of a
 * family being one case of it (a buffer, an arbiter, a load). A check knows what it is before it is
 * run, so that a list costs nothing, and a run of part of them says what was left out.
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
    SWQ_LEVEL_STAT,      /* a measurement agrees with an exact value: by its p-value */
    SWQ_LEVEL_TABLE,     /* an exact value agrees with the published one in all published digits */
    SWQ_LEVEL_SIM_TABLE, /* a simulated value agrees with the published one, within the stated
                            tolerance */
    SWQ_LEVEL_APPROX,    /* the error of an approximation is no larger than stated */
    SWQ_LEVEL_ORDER,     /* one thing is larger than another, as claimed, beyond the intervals */
    SWQ_LEVEL_SKIP       /* cannot or need not be checked: the reason is stated */
} swq_level;
enum { SWQ_LEVELS = SWQ_LEVEL_SKIP + 1 };

/* "EXACT", "STAT", "TABLE", "SIM-TABLE", "APPROX", "ORDER", "SKIP". */
const char *swq_level_text(swq_level level);

typedef enum swq_outcome {
    SWQ_OUTCOME_NOT_RUN, /* interrupted, or not asked for */
    SWQ_OUTCOME_PASS,
    SWQ_OUTCOME_KNOWN, /* fails, and stands on the list of known disagreements, with the cause as
                          far as it is known; does not fail the run */
    SWQ_OUTCOME_SKIPPED,
    SWQ_OUTCOME_FAIL
} swq_outcome;
enum { SWQ_OUTCOMES = SWQ_OUTCOME_FAIL + 1 };

/* "not run", "pass", "known", "skipped", "fail". */
const char *swq_outcome_text(swq_outcome outcome);

/* How long one is willing to wait. */
typedef enum swq_effort { SWQ_EFFORT_QUICK, SWQ_EFFORT_FULL } swq_effort;

/* One check, before it is run. */
typedef struct swq_check {
    char name[160];  /* "FAMILY/what=..,what=..": what --only patterns are matched with */
    char claim[200]; /* in words: "chain and simulator lose the same of 2x2 damq-4 at load 0.9" */
    swq_level level;
    double weight; /* about so many CPU seconds: heavy ones are begun first */
} swq_check;

/* What was found. Left and right are the two legs' values in the same unit. */
typedef struct swq_finding {
    swq_outcome outcome;
    double left, right;
    double off;     /* how far apart, in the unit of the criterion */
    double allowed; /* how far they may be */
    double p;       /* SWQ_LEVEL_STAT: two-sided p-value, which the run judges once all are known:
                       a PASS or KNOWN becomes PASS, or else FAIL or KNOWN, and an `allowed` of NAN
                       the normal score that goes with p_least. NAN: judged by the check itself */
    char text[200]; /* anything more that is worth telling: a reason, a cause; "" */
    double seconds; /* CPU; set by the run */
} swq_finding;

/* A question and its cases. */
typedef struct swq_family {
    const char *name;      /* "chain-simulator" */
    const char *title;     /* "Chain against simulator, one switch" */
    const char *legs;      /* "exact chain; synchronous simulator" */
    const char *criterion; /* the rule, in words */
    /* Number of its cases at that effort. */
    int (*count)(swq_effort effort);
    /* Case k, of count(effort). */
    void (*describe)(swq_effort effort, int k, swq_check *check);
    /* Cases that come out of one computation stand beside one another: how many do from case k on,
     * which is the first of them? NULL: each is by itself. */
    int (*together)(swq_effort effort, int k);
    /* Run case k and those that it comes together with, on any thread, with that thread's context.
     * finding: [together(effort, k)], which come as PASS, all numbers NAN, the text "". A status
     * other than SWQ_OK: they could not be run, which is a failure with the context's message. Must
     * depend on nothing but its arguments: seeds come from `seed` and k, so that a repeated run
     * finds the same. */
    swq_status (*run)(swq_context *ctx, swq_effort effort, int k, uint64_t seed,
                      swq_finding *finding);
} swq_family;

/* All families, ended by NULL. */
extern const swq_family *const swq_families[];

typedef struct swq_validate_options {
    swq_effort effort;
    const char *only; /* a shell pattern that names must match, anywhere in them; NULL: all */
    uint64_t seed;
    int threads;
} swq_validate_options;

/* Quick, all, seed 1, 1 thread. */
swq_validate_options swq_validate_defaults(void);

typedef struct swq_validation {
    int checks; /* that match */
    swq_check *check;
    const swq_family **family; /* [checks] */
    int *number;               /* [checks] which case of its family it is */
    swq_finding *finding;      /* [checks] */
    int count[SWQ_LEVELS][SWQ_OUTCOMES];
    int unmatched; /* of this effort, that `only` left out */
    int elsewhere; /* that match, and that only the other effort has */
    int judged;    /* STAT checks whose p-values were judged together */
    double
        p_least; /* at it or below it such a check fails: chosen so that a run in which everything
                    is right fails with probability swq_validate_alpha at most, by Holm's method */
    bool passed; /* nothing failed, and something was run */
} swq_validation;

/* The probability that a run in which everything is right fails all the same. */
extern const double swq_validate_alpha;

/* What would be run: names, levels and claims alone. Errors: SWQ_EINVAL when nothing matches
 * `only`. */
swq_status swq_validate_plan(swq_context *ctx, const swq_validate_options *options,
                             swq_validation *validation);

/* Run what was planned. Progress is told in units of weight. When the context is cancelled, the
 * result is SWQ_ECANCELLED, and what was finished is filled in and counted even so. */
swq_status swq_validate_run(swq_context *ctx, const swq_validate_options *options,
                            swq_validation *validation);

void swq_validation_clear(swq_context *ctx, swq_validation *validation);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
