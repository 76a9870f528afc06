/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Closed forms and recursions of the literature: answers in microseconds, each with what it assumes
 * and how good it is. A row of the table is a formula by name, for those who have numbers and names;
 * the functions behind the rows are below, for those who write C.
 */
#ifndef SWITCHQ_FORMULA_H
#define SWITCHQ_FORMULA_H

#include "switchq/context.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How good a formula is for what it assumes. */
typedef enum swq_standing {
    SWQ_STANDS_EXACT,  /* it is what the model does, up to rounding */
    SWQ_STANDS_LIMIT,  /* ... for infinitely many ports, or the like */
    SWQ_STANDS_BOUND,  /* nothing can do better (or worse) */
    SWQ_STANDS_APPROXIMATION
} swq_standing;

enum { SWQ_FORMULA_PARAMETERS = 8, SWQ_FORMULA_RESULTS = 10, SWQ_FORMULA_LIST = 64 };

/* What a formula is given. Names are those of the command line's options where it has them. */
typedef struct swq_formula_parameter {
    const char *name;
    const char *summary;
    double least, most; /* both allowed */
    double usual;       /* taken where nothing is given; NAN: it must be given */
    bool whole;         /* only whole numbers */
    bool list;          /* up to SWQ_FORMULA_LIST numbers, each in its range */
} swq_formula_parameter;

/* A parameter's value: a number, or a list. */
typedef struct swq_argument {
    double value;       /* of a list: the first number */
    const double *list; /* [count]; a number alone is a list of one */
    int count;
} swq_argument;

typedef struct swq_formula_result {
    const char *name;
    const char *summary; /* with its unit */
} swq_formula_result;

typedef struct swq_formula {
    const char *name;
    const char *summary;
    const char *assumptions;
    const char *source;
    swq_standing standing;
    const char *error; /* how far off it was found to be, and against what; NULL: exact */
    const swq_formula_parameter *parameter; /* [parameters] */
    int parameters;
    const swq_formula_result *result; /* [results] */
    int results;
    /* Evaluate: argument: [parameters], in range; result: [results], INFINITY where a queue is not
     * stable, NAN where there is no such thing. Errors: SWQ_EINVAL for arguments that do not go
     * together; SWQ_ENOMEM, SWQ_ELIMIT. */
    swq_status (*evaluate)(swq_context *ctx, const swq_argument *argument, double *result);
} swq_formula;

/* All formulas, ended by NULL, in families. */
extern const swq_formula *const swq_formulas[];

/* The row of that name. Errors: SWQ_EINVAL for an unknown name (suggesting the nearest). */
swq_status swq_formula_find(swq_context *ctx, const char *name, const swq_formula **formula);

/* Check the arguments against the row's ranges and evaluate. argument: [parameters]; one with count
 * 0 was not given. result: [results], left alone on failure. Errors: SWQ_EINVAL naming the
 * parameter, its value and what is allowed, or that it is missing; those of evaluate. */
swq_status swq_formula_evaluate(swq_context *ctx, const swq_formula *formula,
                                const swq_argument *argument, double *result);

/* ---- input queues at saturation (models/formulas/saturation.c) ---- */

/* Throughput per output of an n x n switch with a FIFO at each input, all always backlogged,
 * uniform destinations, any choice among heads that leaves no output idle. Exact: the chain of the
 * partitions of n. n: 1 .. 40. Errors: SWQ_EINVAL, SWQ_ENOMEM. O(p(n)^2) at worst, p(n) the number
 * of partitions; n = 20 (627 of them) takes milliseconds. Karol, Hluchyj and Morgan (1987). */
swq_status swq_hol_saturation(swq_context *ctx, int ports, double *throughput);

#ifdef __cplusplus
}
#endif
#endif
