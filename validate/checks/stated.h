/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Families whose checks are rows of a list: a statement, and a function that finds whether it is
 * true.
 */
#ifndef SWQ_VALIDATE_STATED_H
#define SWQ_VALIDATE_STATED_H

#include "switchq/sim.h"
#include "switchq/validate.h"
#include "validate/checks/finding.h"

typedef struct swq_stated swq_stated;
typedef swq_status swq_stated_fn(swq_context *ctx, const swq_stated *row, swq_effort effort,
                                 uint64_t seed, swq_finding *finding);

/* A row of validate/checks/NAME.yaml, which validate/stated.awk reads. A row's function gives the
 * fields other than the name their meaning, and ignores fields that it does not need. */
struct swq_stated {
    const char *name; /* after the family's: "hol-saturation/ports=2" */
    const char *claim;
    swq_level level;
    swq_stated_fn *find;
    bool full;           /* only in the full run */
    double weight;       /* CPU seconds of a quick run; a full one takes `longer` times as many */
    const char *known;   /* if it fails: the known cause */
    const char *network; /* options of `switchq sim` */
    int ports, slots, other_slots;
    double load;
    double least, most; /* the stated range */
    const char *that;   /* comparisons in the language of claims (docs/papers.md), separated by "|",
                           with $seed and <QUICK FULL> as in validate/asked.yaml */
};

/* The rows of each family, each list ended by a row without a name. */
extern const swq_stated swq_rows_formulas[], swq_rows_approximations[], swq_rows_direct[],
    swq_rows_orderings[];

/* The functions of a family over a list. */
int swq_stated_count(const swq_stated *rows, swq_effort effort);
void swq_stated_describe(const swq_stated *rows, const char *family, double longer,
                         swq_effort effort, int k, swq_check *check);
swq_status swq_stated_run(swq_context *ctx, const swq_stated *rows, swq_effort effort, int k,
                          uint64_t seed, swq_finding *finding);

#define SWQ_STATED_FUNCTIONS(rows, family, longer)                                                 \
    static int count(swq_effort effort)                                                            \
    {                                                                                              \
        return swq_stated_count(rows, effort);                                                     \
    }                                                                                              \
    static void describe(swq_effort effort, int k, swq_check *check)                               \
    {                                                                                              \
        swq_stated_describe(rows, family, longer, effort, k, check);                               \
    }                                                                                              \
    static swq_status run(swq_context *ctx, swq_effort effort, int k, uint64_t seed,               \
                          swq_finding *finding)                                                    \
    {                                                                                              \
        return swq_stated_run(ctx, rows, effort, k, seed, finding);                                \
    }

/* The confidence of all intervals here: a run makes a hundred comparisons, and some statements are
 * at their limit. */
#define SWQ_STATED_CONFIDENCE 0.999

/* Simulates a network. Errors: those of swq_sim_run; SWQ_ECANCELLED. */
swq_status swq_stated_simulate(swq_context *ctx, const swq_network *network, uint64_t cycles,
                               uint64_t seed, swq_sim_result *result);

/* Judges the row's equations until one fails, and its other comparisons, which must hold. An
 * equation is judged by the row's level: exactly (1e-9 of the right side), by the p-value of a
 * measured right side, or by the relative deviation of the left side from the right side, from
 * `least` to `most`. */
swq_stated_fn swq_stated_equation;

/* ---- results of functions ---- */

/* The two-sided p-value of a measurement compared with an exact value, treated as a normal deviate
 * with the measurement's interval. */
void swq_stated_p(swq_finding *finding, double exact, swq_estimate measured);

/* The relative deviation of `value` from the measurement is within row's least .. most, up to the
 * measurement's interval and half a unit of the third decimal, to which errors are stated. */
void swq_stated_off(swq_finding *finding, const swq_stated *row, double value,
                    swq_estimate measured);

/* low < high by more than both intervals. A comparison that fails keeps the finding failed. */
void swq_stated_less(swq_finding *finding, swq_estimate low, swq_estimate high);

#endif
